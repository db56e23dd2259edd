//! What can be told of a break at first sight.
//!
//! Most URLs at a line's end are followed by an empty line, prose, a list, a tag or another URL. To
//! describe both lines only to find that costs two thousand instructions, a look at the first
//! bytes of the next line thirty (2026-11-21). In link lists the scanner spent more than half of
//! its time on it.

use super::evidence::is_open_end;
use super::line::break_len;
use super::{Rejoin, Site};

/// How many blanks of an indentation are passed over.
const INDENT: usize = 64;

/// Whether it is plain that the URL ends here. Never says so where
/// [`decide`](super::decide) would go on.
pub(super) fn ends(site: &Site<'_>) -> bool {
    let text = site.input.text;
    if site.level == Rejoin::Off || !site.input.breaks.is_empty() {
        return false;
    }
    let Some(&last) = site.joined_so_far.last() else { return false };
    let next = text.get(site.break_at..).unwrap_or_default();
    let next = next.get(break_len(next)..).unwrap_or_default();
    let indent = next.iter().take(INDENT).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let next = &next[indent..];
    match next {
        [] | [b'\n' | b'\r', ..] => return indent < INDENT,
        _ if site.joined_so_far.ends_with(b"://") => return false,
        [b'<' | b'"' | b'(' | b'[' | b'*', ..] | [b'-', b' ' | b'-', ..] => return true,
        _ => {}
    }
    let word = next.iter().take(INDENT).take_while(|byte| byte.is_ascii_alphabetic()).count();
    match next[word..] {
        [b':', b'/', b'/', ..] => word > 1,
        [b' ', after, ..] | [b',', b' ', after, ..] => {
            word > 0 && after.is_ascii_graphic() && !is_open_end(last)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Memo, decide_closely};
    use super::*;
    use crate::Input;
    use proptest::prelude::*;
    use urlsift_core::Span;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn what_is_plain_at_first_sight_is_so_at_the_second(
            before in proptest::sample::select(&["", "see ", "> ", "JD> ", "   ", "# ", "(", "[x](", "\""][..]),
            url in proptest::sample::select(&[
                "http://", "http://h.dom", "http://h.dom/", "http://h.dom/a", "http://h.dom/a-", "http://h.dom/a=", "http://h.dom/a.",
                "http://h.dom/a/very/long/path/that/reaches/the/margin/of/the/text/where/it/is/wrapped/i",
            ][..]),
            line_break in proptest::sample::select(&["\n", "\r\n", " \n"][..]),
            pieces in proptest::collection::vec(proptest::sample::select(&[
                " ", "\t", "\n", "> ", "JD> ", "<", ">", "\"", "(", ")", "[", "]", "*", "-", "--", "word", "a", "html", "x.html", "http", "://", ",",
                ".", "b/c", "=", "1", "é", "\u{a0}", "# ", "/", ":",
            ][..]), 0..8),
            after in proptest::sample::select(&["", "\nsee http://h.dom/a-word\nhttp://h.dom/aword\n", "\nmore text of the same width\n"][..]),
        ) {
            let text = format!("{before}{url}{line_break}{}{after}", pieces.concat());
            let input = Input::new(text.as_bytes());
            let site = Site {
                input: &input,
                url: Span::new(before.len(), before.len() + url.len()),
                break_at: before.len() + url.len() + line_break.len() - line_break.trim_start_matches(' ').len(),
                opener: None,
                level: Rejoin::Likely,
                joined_so_far: url.as_bytes(),
            };
            if ends(&site) {
                prop_assert_eq!(decide_closely(&site, &mut Memo::default()), None);
            }
        }
    }
}
