//! What stands at the end of a bare URL and belongs to the sentence around it.

use super::opener;
use crate::table::table;
use urlsift_core::Span;

/// Whether a byte may close a sentence or quotation, and so ends no URL by itself.
pub(crate) const fn ends_sentence(byte: u8) -> bool {
    matches!(byte, b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'')
}

/// Whether a byte at a URL's end is always the URL's.
static IS_KEPT: [bool; 256] = table!(|byte| {
    !ends_sentence(byte) && !is_of_rule(byte) && !matches!(byte, b'(' | b')' | b's' | b'|')
});

/// Whether lines across a page are drawn with it.
const fn is_of_rule(byte: u8) -> bool {
    matches!(byte, b'=' | b'-' | b'_' | b'*' | b'~' | b'#')
}

/// How many of them side by side are such a line, and no part of the URL before.
const SHORTEST_RULE: usize = 4;

/// Where what stands unbroken at `span` ends without what belongs to the sentence. Its prefix, if it has
/// one, starts at `outer`; `has_bracket` says whether a round bracket may stand in it.
#[inline(always)]
pub(crate) fn trimmed_end(text: &[u8], outer: usize, span: Span, has_bracket: bool) -> usize {
    let is_quoted = outer.checked_sub(1).is_some_and(|at| matches!(text[at], b'\'' | b'`' | b','));
    let is_kept = span.end.checked_sub(1).is_some_and(|last| IS_KEPT[usize::from(text[last])]);
    if !has_bracket && !is_quoted && is_kept {
        return span.end;
    }
    trimmed_end_closely(text, outer, span, has_bracket)
}

#[inline(never)]
fn trimmed_end_closely(text: &[u8], outer: usize, span: Span, has_bracket: bool) -> usize {
    span.start + end_in(text, outer, span.end, &text[span.range()], has_bracket)
}

/// The length of the URL `url`, which reaches to byte `end` of the text, without what belongs to the sentence. Its prefix,
/// if it has one, starts at `outer`; `has_bracket` says whether a round bracket may stand in it.
pub(crate) fn end_in(
    text: &[u8],
    outer: usize,
    end: usize,
    url: &[u8],
    has_bracket: bool,
) -> usize {
    let mut len = closed(url, opener::before(text, outer, url, has_bracket));
    len = separator(text, outer).and_then(|mark| memchr::memchr(mark, &url[..len])).unwrap_or(len);
    // The end of a comment in HTML.
    if len == url.len() && url.ends_with(b"--") && text.get(end) == Some(&b'>') {
        len -= 2;
    }
    trimmed_len(&url[..len], emphasis(text, outer, &url[..len]))
}

/// The comma right before the URL, which also parts it from what follows (`name,http://h.dom/a,12`).
fn separator(text: &[u8], outer: usize) -> Option<u8> {
    outer.checked_sub(1).map(|at| text[at]).filter(|byte| *byte == b',')
}

/// The mark of emphasis that opened before the URL, and how many of it stand there: right before it, or, if the URL ends
/// with that mark, before a word on its line (`*see http://h.dom/a*`).
#[inline]
pub(crate) fn emphasis(text: &[u8], outer: usize, url: &[u8]) -> Option<(u8, usize)> {
    let head = text.get(outer.saturating_sub(3)..outer)?;
    let mark = *head.last()?;
    let marks = head.iter().rev().take_while(|&&b| b == mark).count();
    match mark {
        b'*' | b'_' | b'#' => Some((mark, marks)),
        b'~' | b'=' | b'-' if marks > 1 => Some((mark, marks)),
        _ => of_words(text, outer, url),
    }
}

/// The emphasis of several words, of which the URL is the last.
fn of_words(text: &[u8], outer: usize, url: &[u8]) -> Option<(u8, usize)> {
    /// How far back on its line the emphasis is sought, in bytes.
    const REACH: usize = 256;
    let last = url.iter().rposition(|byte| !ends_sentence(*byte))?;
    let mark = Some(url[last]).filter(|byte| matches!(byte, b'*' | b'_'))?;
    let head = &text[outer.saturating_sub(REACH)..outer];
    let line = memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1);
    let mut words = head[line..].rsplit(|byte| matches!(byte, b' ' | b'\t' | b'(' | b'['));
    let closes = |word: &[u8]| {
        word.iter().rfind(|byte| !ends_sentence(**byte)).is_some_and(|byte| *byte == mark)
    };
    let word = words.find(|word| word.first() == Some(&mark) || closes(word))?;
    let marks = word.iter().take_while(|byte| **byte == mark).count();
    let is_word = word.get(marks).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    // In reStructuredText `.. _name:` is a target.
    let is_target = mark == b'_' && memchr::memmem::find(&head[line..], b".. _").is_some();
    (is_word && !is_target && !closes(word) && marks <= 3).then_some((mark, marks))
}

/// Where the URL that `text` starts with ends because what opened before it closes: at the first
/// bracket that closes `opener`, or the quote. The whole length if it does not.
///
/// The opener decides its closer: in `(http://h/a)b` the URL ends at the bracket, in
/// `http://h/a)b` it does not.
#[inline]
pub(crate) fn closed(url: &[u8], opener: Option<u8>) -> usize {
    match opener {
        Some(opener @ b'(') => opener::closes_at(url, opener).unwrap_or(url.len()),
        Some(b'\'' | b'`') => {
            let path = path_start(url);
            let closes = |at: &usize| closes_quote(url, *at, path);
            memchr::memchr_iter(b'\'', url).find(closes).unwrap_or(url.len())
        }
        _ => url.len(),
    }
}

/// Whether the quote at byte `at` closes one that opened before the URL: an apostrophe stands between two letters, but
/// not behind a file's suffix (`'http://h.dom/a.tar.gz'and`). What follows the authority starts at `path`.
fn closes_quote(url: &[u8], at: usize, path: Option<usize>) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let between = url[..at].last().is_some_and(is_letter) && url.get(at + 1).is_some_and(is_letter);
    !between || path.is_some_and(|path| ends_in_suffix(url.get(path..at).unwrap_or_default()))
}

/// Whether the last segment of a path ends in a dot and one to four letters or digits, with something before it.
/// Constant time: it is asked for each apostrophe.
fn ends_in_suffix(path: &[u8]) -> bool {
    const LONGEST: usize = 4;
    let suffix =
        path.iter().rev().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = path.len().checked_sub(suffix + 1).map(|dot| path.split_at(dot));
    (1..=LONGEST).contains(&suffix)
        && name.is_some_and(|(name, dot)| dot.starts_with(b".") && !matches!(name, [] | [.., b'/']))
}

/// Where the first slash, question mark or number sign behind the authority stands.
fn path_start(url: &[u8]) -> Option<usize> {
    let start = authority_start(url)?;
    url[start..].iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).map(|at| start + at)
}

/// Where the authority starts, if there is to be one.
fn authority_start(url: &[u8]) -> Option<usize> {
    memchr::memmem::find(url, b"://").map(|at| at + 3)
}

/// The length of `url` without what belongs to the sentence: closing punctuation, unbalanced
/// brackets, the `'s` of a genitive, a line drawn across the page, hyphens behind a host, and the marks of an emphasis
/// that opened with `marks` times `mark` right before the URL.
///
/// Brackets are counted once and the counts kept up to date, so the time is linear; and only if a
/// bracket stands at the end, since most URLs hold none.
#[inline]
pub(crate) fn trimmed_len(url: &[u8], emphasis: Option<(u8, usize)>) -> usize {
    match url.last() {
        Some(&last) if IS_KEPT[usize::from(last)] => url.len(),
        _ => trimmed_closely(url, emphasis),
    }
}

fn trimmed_closely(url: &[u8], emphasis: Option<(u8, usize)>) -> usize {
    // How many more brackets close than open, in what is left.
    let mut surplus: Option<isize> = None;
    // Up to which length there is nothing behind the authority. Worked out once: it is asked for each hyphen.
    let mut host_end: Option<usize> = None;
    let (mark, mut marks) = emphasis.unwrap_or((0, 0));
    let mut len = url.len();
    while let Some(&last) = url.get(..len).and_then(<[u8]>::last) {
        match last {
            byte if ends_sentence(byte) || byte == b'|' => {}
            byte if is_of_rule(byte) && rule_len(&url[..len]) >= SHORTEST_RULE => {
                len -= rule_len(&url[..len]);
                continue;
            }
            b'-' if len <= *host_end.get_or_insert_with(|| longest_host(url)) => {}
            b')' | b'(' => {
                let surplus = surplus.get_or_insert_with(|| surplus_of(&url[..len]));
                if last == b'(' {
                    // Nothing can close it any more.
                    *surplus += 1;
                } else if *surplus > 0 {
                    *surplus -= 1;
                } else {
                    break;
                }
            }
            b's' if url[..len].ends_with(b"'s") => len -= 1,
            byte if marks > 0 && byte == mark => marks -= 1,
            _ => break,
        }
        len -= 1;
    }
    len
}

/// How often the last byte is repeated at the end.
fn rule_len(url: &[u8]) -> usize {
    url.iter().rev().take_while(|&byte| Some(byte) == url.last()).count()
}

/// The greatest length at which nothing but the scheme and the authority are left of the URL; 0 if it has no authority.
fn longest_host(url: &[u8]) -> usize {
    authority_start(url).map_or(0, |_| path_start(url).unwrap_or(url.len()))
}

fn surplus_of(url: &[u8]) -> isize {
    url.iter().map(|byte| isize::from(*byte == b')') - isize::from(*byte == b'(')).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trimmed(url: &str) -> &str {
        &url[..trimmed_len(url.as_bytes(), None)]
    }

    #[test]
    fn punctuation_and_brackets() {
        assert_eq!(trimmed("http://h/a_(b)."), "http://h/a_(b)");
        assert_eq!(trimmed("http://h/a_(b))"), "http://h/a_(b)");
        assert_eq!(trimmed("http://h/a)("), "http://h/a");
        assert_eq!(trimmed("http://h/a(b"), "http://h/a(b");
        assert_eq!(trimmed("http://h's."), "http://h");
        assert_eq!(trimmed("http://h/files"), "http://h/files");
        let emphasis = |url: &str, mark, marks| {
            url[..trimmed_len(url.as_bytes(), Some((mark, marks)))].to_owned()
        };
        assert_eq!(emphasis("http://h/a**.", b'*', 2), "http://h/a");
        assert_eq!(emphasis("http://h/a**", b'*', 1), "http://h/a*");
        assert_eq!(emphasis("http://h/a_", b'*', 1), "http://h/a_");
    }

    #[test]
    fn what_is_kept_is_never_cut() {
        for last in (0..=255_u8).filter(|last| IS_KEPT[usize::from(*last)]) {
            for mark in [b'*', b'_', b'#'] {
                let url = [b"http://h/a'", &[last][..]].concat();
                assert_eq!(trimmed_len(&url, Some((mark, 1))), url.len(), "{last}");
            }
        }
    }

    #[test]
    fn the_opener_decides() {
        assert_eq!(closed(b"http://h/a)b", Some(b'(')), 10);
        assert_eq!(closed(b"http://h/(a)b", Some(b'(')), 13);
        assert_eq!(closed(b"http://h/a)b", None), 12);
        assert_eq!(closed(b"http://h/it's','x", Some(b'\'')), 13);
    }
}
