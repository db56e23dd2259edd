//! `wrapper.unclosed`: `<URL:` and no `>`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

static META: Meta = Meta::new(
    "wrapper.unclosed",
    Level::Error,
    On::NearMiss(NearMiss::UnclosedWrapper),
    "the wrapper is not closed: there is no `>` after the URL",
)
.source(1738, "Appendix")
.what("`<URL:` opens a wrapper that no `>` closes before the paragraph ends.")
.why("The brackets are there so that a URL can be broken over lines and stand beside punctuation. With one of them only, nobody knows where it ends.")
.advice("put `>` right behind the URL")
.texts("See <URL:http://www.host.dom/a for that.", "See <URL:http://www.host.dom/a> for that.")
.fix(Applicability::Safe);

pub(crate) struct Unclosed;

impl Rule for Unclosed {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let open = Span::new(cx.whole.start, cx.span.start.max(cx.whole.start));
        let open = if open.is_empty() { cx.span } else { open };
        let mut diagnostic = META.at(open);
        let at = cx.span.end;
        diagnostic
            .labels
            .push(crate::Label { span: Span::new(at, at), text: "`>` belongs here".to_owned() });
        // At a line's end the URL may go on, and only its writer knows.
        let next = cx.text.get(at).copied();
        let trust = match next {
            None | Some(b'\r' | b'\n') => Applicability::Unsafe,
            Some(_) => Applicability::Safe,
        };
        let help = format!("{}: <URL:{}>", META.advice, cx.shown());
        cx.mend_text(&mut diagnostic, vec![Edit::insert(at, b">")], trust, help);
        out.push(diagnostic);
    }
}
