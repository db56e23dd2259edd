//! Breaks at which a URL ends, told before the evidence is gathered.
//!
//! Most URLs at a line's end are followed by an empty line, prose, a list, a tag or another URL. To
//! describe both lines only to find that costs two thousand instructions, a look at the first
//! bytes of the next line thirty (2026-11-21). In link lists the scanner spent more than half of
//! its time on it.

use super::ends::is_open_end;
use super::evidence::is_hopeless;
use super::site::{BreakSite, lost_its_marks};
use super::tail::{self, Tail};
use crate::Rejoin;
use crate::limits::MAX_LINE;
use crate::table::table;
use crate::text::blank::line_break_at;
use crate::text::line::{find, leader, line_before};
use crate::text::quote::{Margin, margin};

/// Whether it is plain that the URL ends here. Never says so where
/// [`decide`](super::decide) would go on. What opened before the URL makes no difference.
#[inline(always)]
pub(crate) fn ends(site: &BreakSite<'_>) -> bool {
    let text = site.input.text;
    if site.level == Rejoin::Off || !site.input.breaks.is_empty() {
        return false;
    }
    let next = text.get(site.break_at + line_break_at(text, site.break_at)..).unwrap_or_default();
    let scheme_only = site.joined_so_far.ends_with(b"://");
    (!scheme_only && next.first_chunk().is_some_and(starts_anew))
        || ends_before(site, next, scheme_only)
}

/// Whether the URL, which may be no more than a scheme, ends before what `next` starts with.
#[inline(never)]
fn ends_before(site: &BreakSite<'_>, next: &[u8], scheme_only: bool) -> bool {
    let text = site.input.text;
    let Some(&last) = site.joined_so_far.last() else { return false };
    let next = &next[..next.len().min(MAX_LINE)];
    // Most lines start with a byte that starts no margin, which saves a look at quote marks.
    let is_flush = next.first().is_some_and(|&byte| is(byte, FLUSH))
        || matches!(next, [b'A'..=b'Z', b'a'..=b'z', ..]);
    let its = if is_flush { Margin::default() } else { margin(next) };
    let own = &next[its.len..];
    let Some(&first) = own.first() else { return true };
    if is(first, LINE_BREAK) {
        return true;
    }
    if scheme_only {
        return false;
    }
    if is(first, ENDS) || matches!(own, [b'-', b' ' | b'-', ..] | [b'#', b'!', b' ', ..]) {
        return true;
    }
    // A scheme with its slashes, as lists of URLs have it.
    let word = own.iter().take(MOST).take_while(|byte| byte.is_ascii_lowercase()).count();
    if word > 1 && own[word..].starts_with(b"://") {
        return true;
    }
    if !is_open_end(last) && (tail::is_prose(own) || tail::starts_with_number(own)) {
        return true;
    }
    if its.depth > 0 {
        let line = line_before(text, site.break_at);
        let is_deeper = its.depth > margin(line).depth;
        if is_deeper && !lost_its_marks(text, site.break_at - line.len(), its.depth) {
            return true;
        }
    }
    tail::runs_into_url(site.joined_so_far, own)
        || !has_slashes(site.joined_so_far)
        || is_outweighed(site, own)
}

/// Whether the ends of both lines outweigh all that could speak for a continuation. `own` is the text from the
/// next line's own text on.
fn is_outweighed(site: &BreakSite<'_>, own: &[u8]) -> bool {
    let head = site.joined_so_far;
    // A soft break of quoted-printable is not weighed, and a comment's leader is no part of the token.
    if site.may_be_undecoded_soft_break() || !leader(own).is_empty() {
        return false;
    }
    let line = &own[..find([b'\n', b'\r'], own).unwrap_or(own.len())];
    let tail = Tail::new(line, None);
    !tail.may_close() && is_hopeless(head, tail, head.len() > site.url.len())
}

/// Whether the line that starts so begins with another URL, or a mark that is part of none.
#[inline(always)]
fn starts_anew(line: &[u8; 8]) -> bool {
    let line = u64::from_be_bytes(*line);
    let http = line >> 8 == u64::from_be_bytes(*b"\0http://");
    let is_url = http | (line == u64::from_be_bytes(*b"https://"));
    is_url | is((line >> 56) as u8, ENDS)
}

/// What a line without text of its own starts with.
const LINE_BREAK: u8 = 1;
/// What a line's text starts with where the URL before it ends.
const ENDS: u8 = 2;
/// What no margin starts with.
const FLUSH: u8 = 4;

const fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

static CLASSES: [u8; 256] = table!(|byte| {
    let flush = !matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'A'..=b'Z' | 0x80..);
    let first = match byte {
        b'\n' | b'\r' => LINE_BREAK,
        b'<' | b'"' | b'(' | b'[' | b'*' => ENDS,
        _ => 0,
    };
    first | if flush { FLUSH } else { 0 }
});

/// Whether `//` follows the scheme. Other URLs hold nothing long enough to be broken.
pub(super) fn has_slashes(url: &[u8]) -> bool {
    let colon = url.iter().position(|byte| *byte == b':');
    colon.is_some_and(|colon| url[colon + 1..].starts_with(b"//"))
}

/// No scheme is longer.
const MOST: usize = 16;

#[cfg(test)]
mod tests {
    use super::super::{Cache, decide_closely};
    use super::*;
    use crate::Input;
    use proptest::prelude::*;
    use urlsift_core::Span;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn what_is_rejected_early_is_rejected_by_all_the_evidence(
            before in proptest::sample::select(&["", "see ", "> ", "JD> ", "   ", "# ", "(", "[x](", "\""][..]),
            url in proptest::sample::select(&[
                "http://", "http://h.dom", "mailto:joe@h.dom", "http://h.dom/x.ph", "http://h.dom/x.bz", "http://h.dom/a/", "http://h.dom/", "http://h.dom/a", "http://h.dom/a-", "http://host", "http://h.dom/a?b&", "http://h.dom/a=", "http://h.dom/a.",
                "http://h.dom/a/very/long/path/that/reaches/the/margin/of/the/text/where/it/is/wrapped/i",
            ][..]),
            line_break in proptest::sample::select(&["\n", "\r\n", " \n"][..]),
            pieces in proptest::collection::vec(proptest::sample::select(&[
                " ", "\t", "\n", "> ", "JD> ", "| ", "Word", "and/or", "well-known", ", ", ": ", "17", "3 4", "\u{a0}x", "<", ">", "\"", "(", ")", "[", "]", "*", "-", "--", "word", "a", "html", "x.html", "http", "://", ",",
                ".", "b/c", "=", "1", "é", "\u{a0}", "# ", "/", ":", "  ", "'", "`", "}", "OS/2", "Web:\t", "AT&T", "?a", "1234.abcd", "$x", "+", "%41", "~joe", "g.p",
            ][..]), 0..8),
            opener in proptest::sample::select(&[None, Some(b'('), Some(b'\''), Some(b'`')][..]),
            level in proptest::sample::select(&[Rejoin::Certain, Rejoin::Likely][..]),
            after in proptest::sample::select(&["", "\nsee http://h.dom/a-word\nhttp://h.dom/aword\n", "\nmore text of the same width\n", "=\nof a mail\n", "\n=3D\n"][..]),
        ) {
            let text = format!("{before}{url}{line_break}{}{after}", pieces.concat());
            let input = Input::new(text.as_bytes());
            let site = BreakSite {
                input: &input,
                url: Span::new(before.len(), before.len() + url.len()),
                break_at: before.len() + url.len() + line_break.len() - line_break.trim_start_matches(' ').len(),
                opener,
                level,
                joined_so_far: url.as_bytes(),
            };
            if ends(&site) {
                prop_assert_eq!(decide_closely(&site, &mut Cache::default()), None);
            }
        }
    }
}
