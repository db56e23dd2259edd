//! `link.trailing-punctuation`: `<http://host/a.>`, `[x](http://host/a,)` and
//! `[x](http://host/a")`.

use crate::context::{Context, Findings};
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit, Fix};
use crate::markup::RegionKind;
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
.with_description("A URL in brackets or markup ends in a period, comma or semicolon. The target of a Markdown link ends in a quote or bracket that is not opened in it, in the asterisks of bold text, or in Chinese or Japanese punctuation.")
.with_reason("Everything inside the delimiters is part of the URL, so the punctuation of the sentence became part of the link.")
.with_advice("move the punctuation outside the delimiters")
.with_example_texts("See <URL:http://www.host.dom/a.>", "See <URL:http://www.host.dom/a>.")
.fix(Applicability::Unsafe);

pub(crate) struct TrailingPunctuation;

/// The maximum distance from an attribute to the end of its tag, in bytes.
const MAX_TAG_LEN: usize = 256;

/// True if the text of an HTML link equals its target. A program has created such a link from
/// running text, so the author never sees the tag.
fn is_generated_link(cx: &Context<'_>) -> bool {
    let Some(region) = cx.region.filter(|region| region.kind.is_whole_url()) else { return false };
    let tag = cx.text.get(region.span.end..).unwrap_or_default();
    let tag_end = memchr::memchr(b'>', &tag[..tag.len().min(MAX_TAG_LEN)]);
    tag_end.is_some_and(|end| tag[end + 1..].starts_with(&cx.text[region.span.range()]))
}

/// Quotes and brackets that may follow a target by mistake, with the character that opens them, and
/// punctuation of Chinese and Japanese, which has none.
const STRAY: [(char, Option<char>); 17] = [
    ('"', Some('"')),
    ('`', Some('`')),
    ('>', Some('<')),
    (']', Some('[')),
    ('\u{201d}', Some('\u{201c}')),
    ('\u{3001}', None),
    ('\u{3002}', None),
    ('\u{300b}', Some('\u{300a}')),
    ('\u{300d}', Some('\u{300c}')),
    ('\u{300f}', Some('\u{300e}')),
    ('\u{3011}', Some('\u{3010}')),
    ('\u{ff01}', None),
    ('\u{ff09}', Some('\u{ff08}')),
    ('\u{ff0c}', None),
    ('\u{ff1a}', None),
    ('\u{ff1b}', None),
    ('\u{ff1f}', None),
];

/// Returns the span of a character at the end of the target of a Markdown link that belongs to the
/// text around the link, or `None` if there is none.
fn stray_character(cx: &Context<'_>) -> Option<Span> {
    let is_markdown = matches!(cx.dialect, Dialect::Text(Markup::Markdown | Markup::Mdx));
    if !is_markdown || !cx.region.is_some_and(|it| it.kind == RegionKind::Destination) {
        return None;
    }
    let url = str::from_utf8(cx.url).ok()?;
    let last = url.chars().next_back()?;
    if let Some((_, open)) = STRAY.iter().find(|(close, _)| *close == last) {
        let kept = &url[..url.len() - last.len_utf8()];
        let is_opened = open.is_some_and(|open| kept.contains(open));
        return (!is_opened).then(|| Span::new(kept.len(), url.len()));
    }
    // `**[text](http://host/a**)`
    let kept = url.strip_suffix("**")?;
    kept.ends_with(|last: char| last.is_alphanumeric()).then(|| Span::new(kept.len(), url.len()))
}

impl Rule for TrailingPunctuation {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if !matches!(cx.form, Form::Wrapped | Form::Bracketed | Form::Attribute) {
            return;
        }
        if let Some(tail) = stray_character(cx) {
            let mut diagnostic = META.diagnostic_at(cx.to_text_span(tail));
            // Unlike a period, the character is never part of the intended URL.
            diagnostic.level = Level::Error;
            diagnostic.message = "stray character at the end of the link target".into();
            let advice = "remove it, or move it outside the parentheses";
            let end = cx.span.end;
            if cx.bytes_at(tail) == b"**" && cx.text.get(end) == Some(&b')') {
                // The asterisks end bold text that contains the link.
                let stars = cx.to_text_span(tail);
                let edits = vec![Edit::delete(stars), Edit::insert(end + 1, b"**")];
                cx.set_text_fix(&mut diagnostic, edits, Applicability::Unsafe, advice.to_owned());
            } else {
                cx.set_fix(&mut diagnostic, Fix::unsafe_fix(Edit::delete(tail)), advice);
            }
            out.push(diagnostic);
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
        let fix = Fix::unsafe_fix(Edit::delete(tail));
        cx.set_fix(&mut diagnostic, fix, META.advice);
        out.push(diagnostic);
    }
}
