//! `wrapper.in-delimited-context`: `"<URL:http://host/>"`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.in-delimited-context",
    Level::Info,
    On::Url,
    "`<URL:...>` is used where quotes or markup already delimit the URL",
)
.source(1738, "Appendix")
.with_description("`<URL:...>` is written inside quotes, an attribute value or a link target.")
.with_reason("Where the syntax already delimits the URL, `<URL:` and `>` become part of the URL, and the link is broken.")
.with_advice("remove `<URL:` and `>`")
.with_example_texts("<a href=\"<URL:http://www.host.dom/>\">x</a>", "<a href=\"http://www.host.dom/\">x</a>")
.fix(Applicability::Unsafe)
.with_other_rules(&["wrapper.edge-blank"]);

pub(crate) struct InDelimitedContext;

impl Rule for InDelimitedContext {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if cx.form != Form::Wrapped {
            return;
        }
        let before = cx.byte_before(cx.whole.start);
        let after = cx.text.get(cx.whole.end).copied();
        let quoted = matches!(before, Some(b'"' | b'\'')) && before == after;
        let value = cx.region.is_some_and(|region| region.kind.is_whole_url());
        if !quoted && !value {
            return;
        }
        let mut diagnostic = META.diagnostic_at(cx.whole);
        let edits = vec![
            Edit::delete(Span::new(cx.whole.start, cx.span.start)),
            Edit::delete(Span::new(cx.span.end, cx.whole.end)),
        ];
        let help = format!("{}: {}", META.advice, cx.masked_url());
        cx.set_text_fix(&mut diagnostic, edits, Applicability::Unsafe, help);
        out.push(diagnostic);
    }
}
