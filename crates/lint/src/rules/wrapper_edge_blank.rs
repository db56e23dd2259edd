//! `wrapper.edge-blank`: `<URL: http://host/ >`.

use crate::context::{Context, Findings};
use crate::dialect::Dialect;
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.edge-blank",
    Level::Info,
    On::Url,
    "white space separates the URL from its wrapper",
)
.source(1738, "Appendix")
.what("White space stands between `<`, `URL:` and the URL, or before `>`.")
.why("It is to be ignored, and RFC 1738's own examples have it, but programs that know only `<http://...>` find no URL, or a blank at its end.")
.advice("close the wrapper up to the URL")
.texts("See <URL: http://www.host.dom/a >.", "See <URL:http://www.host.dom/a>.")
.fix(Applicability::Safe);

pub(crate) struct EdgeBlank;

impl Rule for EdgeBlank {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if !matches!(cx.form, Form::Wrapped | Form::Bracketed) || cx.dialect == Dialect::Html {
            return;
        }
        // Only blanks and line ends of the text itself: quote marks between them are not ours.
        let blanks = |span: Span| {
            let bytes = cx.text.get(span.range()).unwrap_or_default();
            (!bytes.is_empty() && bytes.iter().all(u8::is_ascii_whitespace)).then_some(span)
        };
        let head = cx.text.get(cx.whole.start..cx.span.start).unwrap_or_default();
        let kept = head.iter().rposition(|b| !b.is_ascii_whitespace()).map_or(0, |at| at + 1);
        // What separates two URLs in one wrapper is no edge.
        let first = cx.previous.is_none_or(|(_, _, whole)| whole != cx.whole);
        let before = Span::new(cx.whole.start + kept, cx.span.start);
        let before = if first { blanks(before) } else { None };
        let close = cx.whole.end.saturating_sub(1).max(cx.span.end);
        let closed = cx.text.get(close) == Some(&b'>');
        let after = closed.then(|| blanks(Span::new(cx.span.end, close))).flatten();
        let spans: Vec<Span> = before.into_iter().chain(after).collect();
        let Some(&first) = spans.first() else { return };
        // The caret marks the blanks of one line, not the line end.
        let mut diagnostic = META.at(after.unwrap_or(first));
        let broken = spans.iter().any(|span| cx.text[span.range()].contains(&b'\n'));
        // Closing up over a line end makes a longer line, which is for its writer to decide.
        let trust = if broken { Applicability::Unsafe } else { Applicability::Safe };
        let edits = spans.into_iter().map(Edit::delete).collect();
        let prefix = if cx.form == Form::Wrapped { "URL:" } else { "" };
        let help = format!("{}: <{prefix}{}>", META.advice, cx.shown());
        cx.mend_text(&mut diagnostic, edits, trust, help);
        out.push(diagnostic);
    }
}
