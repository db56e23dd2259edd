//! `wrapper.edge-blank`: `<URL: http://host/ >`.

use crate::context::{Context, Findings};
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.edge-blank",
    Level::Info,
    On::Url,
    "there is white space between the URL and its angle brackets",
)
.source(1738, "Appendix")
.with_description("There is white space between `<`, `URL:` and the URL, or before the `>`.")
.with_reason("RFC 1738 says to ignore white space that was added to break a URL. But programs that support only `<http://...>` find no URL, or a URL that ends in a space.")
.with_advice("remove the white space")
.with_example_texts("See <URL: http://www.host.dom/a >.", "See <URL:http://www.host.dom/a>.")
.fix(Applicability::Safe);

pub(crate) struct EdgeBlank;

impl Rule for EdgeBlank {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if !matches!(cx.form, Form::Wrapped | Form::Bracketed)
            || cx.dialect == Dialect::Text(Markup::Html)
        {
            return;
        }
        // Quote prefixes of mail between the line breaks are not part of the white space.
        let blanks = |span: Span| {
            let bytes = cx.text.get(span.range()).unwrap_or_default();
            (!bytes.is_empty() && bytes.iter().all(u8::is_ascii_whitespace)).then_some(span)
        };
        let head = cx.text.get(cx.whole.start..cx.span.start).unwrap_or_default();
        let kept = head.iter().rposition(|b| !b.is_ascii_whitespace()).map_or(0, |at| at + 1);
        // White space between two URLs in the same brackets is not at the edge.
        let first = cx.previous.is_none_or(|(_, _, whole)| whole != cx.whole);
        let before = Span::new(cx.whole.start + kept, cx.span.start);
        let before = if first { blanks(before) } else { None };
        let close = cx.whole.end.saturating_sub(1).max(cx.span.end);
        let closed = cx.text.get(close) == Some(&b'>');
        let after = closed.then(|| blanks(Span::new(cx.span.end, close))).flatten();
        let spans: Vec<Span> = before.into_iter().chain(after).collect();
        let Some(&first) = spans.first() else { return };
        // Mark the white space at the end, if there is some, and otherwise at the start.
        let mut diagnostic = META.diagnostic_at(after.unwrap_or(first));
        let broken = spans.iter().any(|span| cx.text[span.range()].contains(&b'\n'));
        // Removing a line break makes the line longer, which the author has to decide.
        let trust = if broken { Applicability::Unsafe } else { Applicability::Safe };
        let edits = spans.into_iter().map(Edit::delete).collect();
        let prefix = if cx.form == Form::Wrapped { "URL:" } else { "" };
        let help = format!("{}: <{prefix}{}>", META.advice, cx.masked_url());
        cx.set_text_fix(&mut diagnostic, edits, trust, help);
        out.push(diagnostic);
    }
}
