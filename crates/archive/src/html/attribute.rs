//! The attributes of a tag: which of them are URLs, hold some, or may speak of one.

use super::names::Names;
use super::piece::{Piece, may_mention, push_lower};
use super::text::attribute_value;
use super::token::{Attribute, Attributes, Token, Tokens};
use crate::name::Name;
use core::ops::{ControlFlow, Range};
use memchr::memchr_iter;

/// What an attribute's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// One URL, whatever the element.
    Url,
    /// Several URLs.
    Urls,
    /// In `<meta>`, what its other attributes tell: it may hold a URL.
    Content,
    /// What `<meta content>` is.
    HttpEquiv,
    /// No URL by itself.
    Other,
}

/// What the attributes hold that are looked at for what they are.
static ATTRIBUTES: Names<Holds, 64> = Names::new(
    &[
        (
            Holds::Url,
            &[
                "action",
                "archive",
                "background",
                "cite",
                "classid",
                "codebase",
                "data",
                "data-src",
                "dynsrc",
                "formaction",
                "href",
                "icon",
                "longdesc",
                "lowsrc",
                "manifest",
                "pluginspage",
                "pluginurl",
                "poster",
                "profile",
                "src",
                "usemap",
                "xlink:href",
            ],
        ),
        (Holds::Urls, &["srcset", "ping", "imagesrcset"]),
        (Holds::Content, &["content"]),
        (Holds::HttpEquiv, &["http-equiv"]),
    ],
    Holds::Other,
);

/// The URLs in the attributes of a start tag, by its name.
pub(super) fn tag(
    html: &[u8],
    element: &Range<usize>,
    label: &mut String,
    found: &mut dyn FnMut(Piece<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut refresh = false;
    let mut attributes = Attributes { html, at: element.end };
    while let Some(Attribute { name, value }) = attributes.next() {
        let holds = ATTRIBUTES.get(Name::at(html, &name));
        let text = html.get(value.clone()).unwrap_or_default();
        if holds == Holds::HttpEquiv {
            refresh |= text.trim_ascii().eq_ignore_ascii_case(b"refresh");
            continue;
        }
        let meta = holds == Holds::Content
            && html.get(element.clone()).is_some_and(|e| e.eq_ignore_ascii_case(b"meta"));
        let several = holds == Holds::Urls;
        let whole = holds == Holds::Url;
        let known = meta || several || whole;
        // What is no link may hold one: `<input value>`, `onclick`, `data-*`, `xmlns`.
        let mentions = (!whole || is_script(text)) && may_mention(text);
        if !known && !mentions {
            continue;
        }
        label.clear();
        push_lower(label, html.get(element.clone()).unwrap_or_default());
        label.push('/');
        push_lower(label, html.get(name).unwrap_or_default());
        if meta {
            if let Some(url) = meta_url(text, refresh) {
                found(Piece::Attribute(label, shifted(&url, value.start)))?;
            } else if mentions {
                found(Piece::Mention(label, value))?;
            }
        } else if several {
            for url in candidates(text) {
                found(Piece::Attribute(label, shifted(&url, value.start)))?;
            }
        } else {
            if whole {
                let url = value_url(text);
                let end = url.end;
                found(Piece::Attribute(label, shifted(&url, value.start)))?;
                if text.get(end..).is_some_and(|rest| !rest.trim_ascii().is_empty()) {
                    // The closing quote is missing, so what follows is no attribute either.
                    attributes.by_ref().for_each(drop);
                    return found(Piece::Broken(value.start + end..attributes.at + 1));
                }
            }
            if mentions {
                found(Piece::Mention(label, value))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The name of the attribute that says what the links of a page are relative to.
pub(crate) const BASE: &str = "base/href";

/// What the links of a page are relative to by its first `<base href>`, references decoded. Linear.
pub(crate) fn base(html: &[u8]) -> Option<Vec<u8>> {
    let is_base = |name: &[u8]| name.eq_ignore_ascii_case(b"base");
    let may_be_one = |at: usize| html.get(at + 1..at + 5).is_some_and(is_base);
    if !memchr_iter(b'<', html).any(may_be_one) {
        return None;
    }
    Tokens::new(html).find_map(|token| {
        let Token::Tag { name, closes: false, .. } = token else { return None };
        if !html.get(name.clone()).is_some_and(is_base) {
            return None;
        }
        let is_href = |found: &Attribute| {
            html.get(found.name.clone()).is_some_and(|name| name.eq_ignore_ascii_case(b"href"))
        };
        let href = (Attributes { html, at: name.end }).find(is_href)?;
        let value = html.get(href.value)?;
        let url = value.get(value_url(value))?;
        Some(attribute_value(url, 0).text)
    })
}

/// Whether a link's value is a script, in which URLs may stand.
fn is_script(value: &[u8]) -> bool {
    const SCHEME: &[u8] = b"javascript:";
    let value = value.trim_ascii_start();
    value.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// `range` of `text` without the white space around it.
fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let start = range.start + part.len() - part.trim_ascii_start().len();
    start..start + part.trim_ascii().len()
}

/// The URL that a value is. A value with tags in it lacks its closing quote; it ends with the
/// first of them.
fn value_url(text: &[u8]) -> Range<usize> {
    let gt = text.iter().position(|&b| b == b'>');
    let unclosed = gt.filter(|&gt| text.get(gt..).is_some_and(|rest| rest.contains(&b'<')));
    trimmed(text, 0..unclosed.unwrap_or(text.len()))
}

/// The URL in `<meta content>`: after `url=` in a refresh, else the value if it is one word.
fn meta_url(text: &[u8], refresh: bool) -> Option<Range<usize>> {
    let after = text
        .windows(4)
        .position(|w| w.eq_ignore_ascii_case(b"url="))
        .map(|at| at + 4)
        .filter(|_| refresh || text.first().is_some_and(u8::is_ascii_digit));
    let Some(from) = after else {
        let range = trimmed(text, 0..text.len());
        let value = text.get(range.clone())?;
        let word = value.contains(&b':') && !value.iter().any(u8::is_ascii_whitespace);
        return word.then_some(range);
    };
    let range = trimmed(text, from..text.len());
    let value = text.get(range.clone())?;
    let Some(quote @ (b'"' | b'\'')) = value.first() else { return Some(range) };
    let rest = value.get(1..)?;
    let len = rest.iter().position(|b| b == quote).unwrap_or(rest.len());
    Some(range.start + 1..range.start + 1 + len)
}

/// The URLs of a `srcset`: each up to white space, descriptors and commas left out.
fn candidates(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let skip = rest.iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
        let start = at + skip;
        let word = text.get(start..)?;
        let len = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        if len == 0 {
            return None;
        }
        let word = word.get(..len)?;
        let commas = word.iter().rev().take_while(|&&b| b == b',').count();
        at = start + len;
        if commas == 0 {
            // Descriptors run up to the comma.
            let rest = text.get(at..)?;
            at += rest.iter().position(|&b| b == b',').unwrap_or(rest.len());
        }
        Some(start..start + len - commas)
    })
}
