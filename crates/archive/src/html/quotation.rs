//! Finds the quotations that mail programs mark with `<blockquote>`.
//!
//! Mail programs also use this element to indent text. A quotation has one of these marks:
//!
//! | mark | programs |
//! |---|---|
//! | `type="cite"` | Thunderbird, Apple Mail, Netscape |
//! | `cite="mid:…"` | Thunderbird, Evolution |
//! | a class that contains `quote` or `cite` | Gmail (`gmail_quote`), Proton, `MHonArc` |
//! | a style that contains `border-left` | Outlook Express, Yahoo, Hotmail |

use super::token::{Attributes, Token, Tokens};
use core::ops::Range;
use memchr::{memchr_iter, memmem};

const ELEMENT: &[u8] = b"blockquote";

/// Returns the ranges of the outermost quotations in a page, without their tags. `depth` is the
/// number of quotations that are already open where the page starts. A quotation that isn't closed
/// ends with the page.
///
/// Takes linear time.
pub(crate) fn quotation_ranges(html: &[u8], mut depth: u32) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    // Most pages have no quotation, and need not be read.
    let is_element = |at: usize| html.get(at + 1..).is_some_and(starts_with_element);
    if memchr_iter(b'<', html).any(is_element) {
        for token in Tokens::new(html) {
            let Token::Tag { whole, name, closes, .. } = token else { continue };
            let before = depth;
            update_quotation_depth(&mut depth, html, name, closes);
            match (before, depth) {
                (0, 1) => start = whole.end,
                (1, 0) => ranges.push(start..whole.start),
                _ => {}
            }
        }
    }
    if depth > 0 {
        ranges.push(start..html.len());
    }
    ranges
}

/// Updates `depth`, the number of open quotations, at a tag with the name at `name` of `html`. Any
/// `<blockquote>` in a quotation counts, so that the end tags match.
pub(super) fn update_quotation_depth(
    depth: &mut u32,
    html: &[u8],
    name: Range<usize>,
    closes: bool,
) {
    if !html.get(name.clone()).is_some_and(|name| name.eq_ignore_ascii_case(ELEMENT)) {
        return;
    }
    if closes {
        *depth = depth.saturating_sub(1);
    } else if *depth > 0 || is_quotation(html, name.end) {
        *depth += 1;
    }
}

/// True if `text` starts with the name of the element, or with a slash and the name.
fn starts_with_element(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"/").unwrap_or(text);
    // Most names already differ in the first letter.
    text.first().is_some_and(|first| first.eq_ignore_ascii_case(&ELEMENT[0]))
        && text.get(..ELEMENT.len()).is_some_and(|name| name.eq_ignore_ascii_case(ELEMENT))
}

/// True if the `<blockquote>` whose attributes start at offset `at` is a quotation.
fn is_quotation(html: &[u8], at: usize) -> bool {
    (Attributes { html, at }).any(|attribute| {
        let lower = |range: Range<usize>| {
            html.get(range).unwrap_or_default().trim_ascii().to_ascii_lowercase()
        };
        let (name, value) = (lower(attribute.name), lower(attribute.value));
        let contains = |word: &[u8]| memmem::find(&value, word).is_some();
        match &*name {
            b"type" => value == b"cite",
            b"cite" => value.starts_with(b"mid:"),
            b"class" => contains(b"quote") || contains(b"cite"),
            b"style" => contains(b"border-left"),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::quotation_ranges;

    #[test]
    fn quotations_are_found() {
        for (html, quoted) in [
            ("a<blockquote type=cite>b</blockquote>c", &["b"][..]),
            ("<BLOCKQUOTE TYPE='CITE' cite='mid:1@h'>a<p>b</BLOCKQUOTE>", &["a<p>b"]),
            ("<blockquote cite='mid:1@h'>a</blockquote>", &["a"]),
            ("<blockquote class='x gmail_quote'>a</blockquote>", &["a"]),
            ("<blockquote style='BORDER-LEFT: #000 2px solid'>a</blockquote>", &["a"]),
            (
                "<blockquote type=cite>a<blockquote>b</blockquote>c</blockquote>d",
                &["a<blockquote>b</blockquote>c"],
            ),
            ("<blockquote>a<blockquote type=cite>b</blockquote>c</blockquote>", &["b"]),
            ("<blockquote type=cite>a", &["a"]),
            (
                "<blockquote type=cite>a</blockquote>b<blockquote type=cite>c</blockquote>",
                &["a", "c"],
            ),
            ("<blockquote>a</blockquote>", &[]),
            ("<blockquote cite='http://h/' style='margin: 0'>a</blockquote>", &[]),
            ("<blockquotes type=cite>a</blockquotes>", &[]),
            ("<!-- <blockquote type=cite> -->a", &[]),
            ("</blockquote>a", &[]),
        ] {
            let found = quotation_ranges(html.as_bytes(), 0).into_iter().map(|range| &html[range]);
            assert_eq!(found.collect::<Vec<_>>(), quoted, "{html}");
        }
        assert_eq!(quotation_ranges(b"a</blockquote>b", 1).first(), Some(&(0..1)));
        assert_eq!(quotation_ranges(b"a", 1).first(), Some(&(0..1)));
    }
}
