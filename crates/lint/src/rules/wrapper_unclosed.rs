//! `wrapper.unclosed`: `<URL:` without `>`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

static META: Meta = Meta::new(
    "wrapper.unclosed",
    Level::Error,
    On::NearMiss(NearMiss::UnclosedWrapper),
    "missing `>` after the URL",
)
.source(1738, "Appendix")
.with_description("`<URL:` is not closed by a `>` before the end of the paragraph.")
.with_reason("The `>` marks the end of the URL, even if the URL is wrapped over several lines or followed by punctuation. Without the `>`, the end is unclear.")
.with_advice("write `>` right after the URL")
.with_example_texts("See <URL:http://www.host.dom/a for that.", "See <URL:http://www.host.dom/a> for that.")
.fix(Applicability::Safe);

pub(crate) struct Unclosed;

impl Rule for Unclosed {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let open = Span::new(cx.whole.start, cx.span.start.max(cx.whole.start));
        let open = if open.is_empty() { cx.span } else { open };
        let mut diagnostic = META.diagnostic_at(open);
        let at = cx.span.end;
        diagnostic
            .labels
            .push(crate::Label { span: Span::new(at, at), text: "`>` belongs here".to_owned() });
        // At the end of a line, the URL may continue on the next one. Only the author knows.
        let next = cx.text.get(at).copied();
        let trust = match next {
            None | Some(b'\r' | b'\n') => Applicability::Unsafe,
            Some(_) => Applicability::Safe,
        };
        let help = format!("{}: <URL:{}>", META.advice, cx.masked_url());
        cx.set_text_fix(&mut diagnostic, vec![Edit::insert(at, b">")], trust, help);
        out.push(diagnostic);
    }
}
