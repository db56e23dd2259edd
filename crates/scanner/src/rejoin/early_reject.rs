//! Rejects breaks at which a URL clearly ends, before the evidence is gathered.
//!
//! Most URLs at a line's end are followed by an empty line, prose, a list, a tag or another URL.
//! Describing both lines only to find that out takes two thousand instructions; looking at the
//! first bytes of the next line takes thirty (2026-11-21). In link lists the scanner spent more
//! than half of its time on these breaks.

use super::broken_host::completes_host;
use super::ends::is_open_end;
use super::evidence::MAX_FULL_WIDTH;
use super::line_start::{FLUSH, LINE_BREAK, is_in_class, starts_separate_item};
use super::site::{BreakSite, lost_its_marks};
use super::tail::{
    self,
    kind::{self, kinds_of_byte},
};
use crate::Rejoin;
use crate::limits::MAX_LINE;
use crate::text::blank::{leading_blanks_len, line_break_len_at};
use crate::text::comment::comment_leader;
use crate::text::line::{MIN_FULL_WIDTH, line_before};
use crate::text::quote::{Margin, margin_of};

/// Returns the quote marks and indentation of the line after a break, or `None` if the URL clearly
/// ends at the break. The URL may be only a scheme so far.
///
/// If `is_quick` is true, this also rejects breaks that would only be rejected after all evidence
/// is gathered.
#[inline(always)]
pub(super) fn margin_unless_url_ends(site: &BreakSite<'_>, is_quick: bool) -> Option<Margin> {
    if site.level == Rejoin::Off {
        return None;
    }
    let text = site.input.text;
    let head = site.joined_so_far;
    let &last = head.last()?;
    let is_weighed = site.soft_break().is_none();
    let next = text.get(site.break_at + line_break_len_at(text, site.break_at)..)?;
    let next = &next[..next.len().min(MAX_LINE)];
    // Most lines start with a byte that starts no margin, so quote marks needn't be parsed.
    let is_flush = next.first().is_some_and(|&byte| is_in_class(byte, FLUSH))
        || matches!(next, [b'A'..=b'Z', b'a'..=b'z', ..]);
    let its = if is_flush { Margin::default() } else { margin_of(next) };
    let own = &next[its.len..];
    if is_in_class(*own.first()?, LINE_BREAK) {
        return None;
    }
    if head.ends_with(b"://") {
        return Some(its);
    }
    let is_quick = is_quick && is_weighed;
    let ends = (is_quick && starts_separate_item(own) && !site.is_in_block_comment(its, own))
        || (is_weighed
            && !is_open_end(last)
            && match tail::prose_word(own) {
                Some(word) => !may_continue_in_prose(site, own, word),
                None => tail::starts_with_number(own),
            })
        || (is_quick && its.depth > 0 && is_quoted_deeper(site, its.depth))
        || tail::runs_into_url(head, own)
        || (is_quick && !is_open_end(last) && starts_list_entry(head, own));
    (!ends).then_some(its)
}

/// True if the URL may continue with `word`, the first word of a line of prose. `own` is that line
/// without its margin. There are three cases:
///
/// - The word completes the host.
/// - A URL in brackets follows the word, and starts like the broken URL.
/// - The line before the break is full. The word is then the rest of a suffix or of an identifier,
///   or a twin decides.
#[inline]
fn may_continue_in_prose(site: &BreakSite<'_>, own: &[u8], word: &[u8]) -> bool {
    let head = site.joined_so_far;
    let rest = own.get(word.len() + b" ".len()..);
    if rest.is_some_and(|rest| tail::starts_with_bracketed(rest, head))
        || head.ends_with(b".") && completes_host(host_at_end(head), tail::without_closing(word))
    {
        return true;
    }
    let is_in_name = matches!(head, [.., last] if last.is_ascii_alphanumeric() || *last == b'.');
    if head.len() < MIN_BROKEN || !is_in_name || !own[0].is_ascii_lowercase() {
        return false;
    }
    let width = line_before(site.input.text, site.break_at).len();
    (MIN_FULL_WIDTH..=MAX_FULL_WIDTH).contains(&width)
}

/// True if `own`, the line after the break without its margin, looks like an entry of a list: a
/// word, blanks, and then text that contains another URL (see [`tail::precedes_url`]). `head` is
/// the URL up to the break.
///
/// Returns false if the word contains a byte that may close a bracket or quotation, if the line
/// starts like a line of a comment, or if `head` ends in its host.
///
/// In a list of links, this check rejects more than half of the breaks that pass all other checks of
/// [`margin_unless_url_ends`].
fn starts_list_entry(head: &[u8], own: &[u8]) -> bool {
    let ends_word = |byte: &u8| kinds_of_byte(*byte) & (kind::CLOSING | kind::FOREIGN) != 0;
    let len = own.iter().position(ends_word).unwrap_or_default();
    let (word, rest) = own.split_at(len);
    let blanks = leading_blanks_len(rest);
    blanks > 0
        && word != b"*"
        && tail::precedes_url(word, &rest[blanks..])
        && comment_leader(own).is_empty()
        && host_at_end(head).is_empty()
}

/// Returns the host at the end of `head`, or an empty slice if `head` has a path.
fn host_at_end(head: &[u8]) -> &[u8] {
    let start = memchr::memrchr(b'/', head).map_or(0, |slash| slash + 1);
    if head[..start].ends_with(b"://") { &head[start..] } else { &[] }
}

/// The minimum length of a URL that is broken before the rest of a word in prose, in bytes.
const MIN_BROKEN: usize = 32;

/// True if the line after the break has more quote marks (`next_depth`) than the line before it.
/// False if the line before it seems to have lost its quote marks when the text was wrapped.
fn is_quoted_deeper(site: &BreakSite<'_>, next_depth: usize) -> bool {
    let text = site.input.text;
    let line = line_before(text, site.break_at);
    next_depth > margin_of(line).depth
        && !lost_its_marks(text, site.break_at - line.len(), next_depth, site.is_chain())
}

/// True if `//` follows the scheme of `url`. Other URLs contain nothing long enough to be broken.
pub(super) fn has_slashes(url: &[u8]) -> bool {
    let colon = url.iter().position(|byte| *byte == b':');
    colon.is_some_and(|colon| url[colon + 1..].starts_with(b"//"))
}

#[cfg(test)]
mod tests {
    use super::super::{Cache, decide, decide_with_cache};
    use super::*;
    use crate::Input;
    use crate::options::Engine;
    use crate::text::undecoded::Encoding;
    use proptest::prelude::*;
    use urlsift_core::Span;

    #[test]
    fn url_ends_before_a_list_entry() {
        for (head, own, is_entry) in [
            ("http://h.dom/a", "1. http://h.dom/b", true),
            ("http://h.dom/a", "joe@h.dom \t http://h.dom/b\n", true),
            ("http://h.dom/a", "x.html and http://h.dom/b", true),
            // The other URL belongs to the sentence, or is the target of a link.
            ("http://h.dom/a", "x.html, http://h.dom/b", false),
            ("http://h.dom/a", "x.html (http://h.dom/b)", false),
            ("http://h.dom/a", "x.html <http://h.dom/b>", false),
            // The other URL is on a later line, or is the first word.
            ("http://h.dom/a", "x.html\nhttp://h.dom/b", false),
            ("http://h.dom/a", "x.html and\nhttp://h.dom/b", false),
            ("http://h.dom/a", "ftp://h.dom/b", false),
            // The word may close a bracket, or starts a comment.
            ("http://h.dom/a", "x.html) http://h.dom/b", false),
            ("http://h.dom/a", "# http://h.dom/b", false),
            ("http://h.dom/a", "* http://h.dom/b", false),
            // The word may complete the host.
            ("http://www.host.", "org http://h.dom/b", false),
        ] {
            assert_eq!(starts_list_entry(head.as_bytes(), own.as_bytes()), is_entry, "{own}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn early_rejection_agrees_with_the_full_evidence(
            before in proptest::sample::select(&["", "see ", "> ", "JD> ", "   ", "# ", "(", "[x](", "\"", "'", "`"][..]),
            url in proptest::sample::select(&[
                "http://", "http://h.dom", "mailto:joe@h.dom", "http://h.dom/x.ph", "http://h.dom/x.bz", "http://h.dom/a/", "http://h.dom/", "http://h.dom/a", "http://h.dom/a-", "http://host", "http://host.", "http://h.dom/a?b&", "http://h.dom/a=", "http://h.dom/a.",
                "http://h.dom/a/very/long/path/that/reaches/the/margin/of/the/text/where/it/is/wrapped/i",
            ][..]),
            line_break in proptest::sample::select(&["\n", "\r\n", " \n"][..]),
            pieces in proptest::collection::vec(proptest::sample::select(&[
                " ", "\t", "\n", "> ", "JD> ", "| ", "Word", "and/or", "well-known", ", ", ": ", "17", "3 4", "\u{a0}x", "<", ">", "\"", "(", ")", "[", "]", "*", "-", "--", "word", "a", "html", "x.html", "http", "://", ",",
                ".", "b/c", "=", "1", "é", "\u{a0}", "# ", "/", ":", "  ", "'", "`", "}", "OS/2", "Web:\t", "X-A-B: ", "AT&T", "?a", "1234.abcd", "org", "(http://h.dom/a", "$x", "+", "%41", "~joe", "g.p",
            ][..]), 0..8),
            level in proptest::sample::select(&[Rejoin::Certain, Rejoin::Likely][..]),
            after in proptest::sample::select(&["", " http://h.dom/b\n", ", http://h.dom/b\n", "\nsee http://h.dom/a-word\nhttp://h.dom/aword\n", "\nmore text of the same width\n", "=\nof a mail\n", "\n=3D\n"][..]),
        ) {
            let text = format!("{before}{url}{line_break}{}{after}", pieces.concat());
            let input = Input::new(text.as_bytes());
            let site = BreakSite {
                input: &input,
                url: Span::new(before.len(), before.len() + url.len()),
                break_at: before.len() + url.len() + line_break.len() - line_break.trim_start_matches(' ').len(),
                outer: before.len(),
                has_mark: true,
                level,
                joined_so_far: url.as_bytes(),
                encoding: Encoding::Unknown,
            };
            let by_all = decide_with_cache(&site, &mut Cache::new(Engine::Reference));
            prop_assert_eq!(decide(&site, &mut Cache::default()), by_all);
        }
    }
}
