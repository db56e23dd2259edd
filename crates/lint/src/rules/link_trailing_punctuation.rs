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
    "punctuation ends the URL inside its delimiters",
)
.source(3986, "Appendix C")
.what("A URL that brackets, quotes or markup delimit ends in punctuation.")
.why("Inside delimiters everything is part of the URL: the full stop or comma of the sentence became part of the link.")
.advice("move the punctuation out of the delimiters")
.texts("See <URL:http://www.host.dom/a.>", "See <URL:http://www.host.dom/a>.")
.fix(Applicability::Unsafe);

pub(crate) struct TrailingPunctuation;

/// How far behind an attribute its tag is looked at, in bytes.
const TAG: usize = 256;

/// Whether an HTML link shows its own target: a program made it of running text, and no writer sees the tag.
fn is_made_of_text(cx: &Context<'_>) -> bool {
    let Some(region) = cx.region.filter(|region| region.kind.is_whole()) else { return false };
    let tag = cx.text.get(region.span.end..).unwrap_or_default();
    let tag_end = memchr::memchr(b'>', &tag[..tag.len().min(TAG)]);
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
        // Fewer marks than end a bare URL: titles end in `!` and quotes, and delimiters keep them.
        let kept = cx.url.iter().rposition(|b| !b",.;".contains(b)).map_or(0, |at| at + 1);
        let tail = Span::new(kept, cx.url.len());
        // `..` and `...` are a path or an ellipsis; a delimiter ends in punctuation of its own.
        let in_path = kept >= cx.parts.path.start && kept < cx.parts.path.end;
        // In a query or fragment it may belong to a text that is passed on.
        if tail.len() != 1 || !in_path {
            return;
        }
        // `S.M.A.R.T.`
        if cx.url[..kept].iter().rev().nth(1).is_some_and(|&b| b == b'.') {
            return;
        }
        let mut diagnostic = META.at(cx.locate(tail));
        if is_made_of_text(cx) {
            diagnostic.level = Level::Info;
        }
        let mending = Fix::risky(Edit::delete(tail));
        cx.mend(&mut diagnostic, mending, META.advice);
        out.push(diagnostic);
    }
}
