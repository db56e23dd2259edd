//! `link.trailing-punctuation`: `<http://host/a.>` and `[x](http://host/a,)`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "link.trailing-punctuation",
    Level::Warning,
    On::Url,
    "punctuation at the end of the delimited URL",
)
.source(3986, "Appendix C")
.what("A URL in brackets or markup ends in a period, comma or semicolon.")
.why("Everything inside the delimiters is part of the URL, so the punctuation of the sentence became part of the link.")
.advice("move the punctuation outside the delimiters")
.texts("See <URL:http://www.host.dom/a.>", "See <URL:http://www.host.dom/a>.")
.fix(Applicability::Unsafe);

pub(crate) struct TrailingPunctuation;

/// The maximum distance from an attribute to the end of its tag, in bytes.
const MAX_TAG_LEN: usize = 256;

/// True if the text of an HTML link equals its target. A program has created such a link from
/// running text, so the author never sees the tag.
fn is_generated_link(cx: &Context<'_>) -> bool {
    let Some(region) = cx.region.filter(|region| region.kind.is_whole()) else { return false };
    let tag = cx.text.get(region.span.end..).unwrap_or_default();
    let tag_end = memchr::memchr(b'>', &tag[..tag.len().min(MAX_TAG_LEN)]);
    tag_end.is_some_and(|end| tag[end + 1..].starts_with(&cx.text[region.span.range()]))
}

impl Rule for TrailingPunctuation {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if !matches!(cx.form, Form::Wrapped | Form::Bracketed | Form::Attribute) {
            return;
        }
        // Titles may end in `!` or quotes, so fewer characters count as punctuation than at the end
        // of a bare URL.
        let kept = cx.url.iter().rposition(|b| !b",.;".contains(b)).map_or(0, |at| at + 1);
        let tail = Span::new(kept, cx.url.len());
        // `..` and `...` are a path or an ellipsis.
        let in_path = kept >= cx.parts.path.start && kept < cx.parts.path.end;
        // In a query or fragment, the punctuation may belong to a text that is passed on.
        if tail.len() != 1 || !in_path {
            return;
        }
        // `S.M.A.R.T.`
        if cx.url[..kept].iter().rev().nth(1).is_some_and(|&b| b == b'.') {
            return;
        }
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(tail));
        if is_generated_link(cx) {
            diagnostic.level = Level::Info;
        }
        let fix = Fix::risky(Edit::delete(tail));
        cx.set_fix(&mut diagnostic, fix, META.advice);
        out.push(diagnostic);
    }
}
