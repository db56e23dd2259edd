//! Trims a bare URL: removes the bytes at its end that belong to the sentence around it.

use super::opener;
use crate::table::table;
use urlsift_core::Span;

/// True if `byte` may end a sentence or quotation, so that it is removed from the end of a URL.
pub(crate) const fn ends_sentence(byte: u8) -> bool {
    matches!(byte, b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'')
}

/// True for each byte that is never trimmed from a URL's end.
static IS_KEPT: [bool; 256] = table!(|byte| {
    !ends_sentence(byte)
        && !is_line_drawing_byte(byte)
        && !matches!(byte, b'(' | b')' | b's' | b'|' | b'@' | b'+')
});

/// True if the byte is used to draw lines across a page.
const fn is_line_drawing_byte(byte: u8) -> bool {
    matches!(byte, b'=' | b'-' | b'_' | b'*' | b'~' | b'#')
}

/// The minimum number of these bytes in a row that are a drawn line, and not part of the URL before
/// them.
const MIN_RULE: usize = 4;

/// Returns the end of the URL without the bytes at its end that belong to the sentence around it.
/// `span` is the URL with these bytes.
///
/// The URL, or its prefix if it has one, starts at byte `outer`. `has_mark` is true if the URL
/// may contain a round bracket or `*`.
#[inline(always)]
pub(crate) fn trimmed_end(text: &[u8], outer: usize, span: Span, has_mark: bool) -> usize {
    let is_quoted =
        outer.checked_sub(1).is_some_and(|at| matches!(text[at], b'\'' | b'`' | b',' | b'+'));
    let is_kept = span.end.checked_sub(1).is_some_and(|last| IS_KEPT[usize::from(text[last])]);
    if !has_mark && !is_quoted && is_kept {
        return span.end;
    }
    trimmed_end_slow(text, outer, span, has_mark)
}

/// Computes [`trimmed_end`] for any URL. This is the slow path.
#[inline(never)]
fn trimmed_end_slow(text: &[u8], outer: usize, span: Span, has_mark: bool) -> usize {
    span.start + len_without_sentence_end(text, outer, span.end, &text[span.range()], has_mark)
}

/// Returns the length of `url` without the bytes at its end that belong to the sentence around it.
/// `url` ends at byte `end` of the text, and may be joined over line breaks.
///
/// The URL, or its prefix if it has one, starts at byte `outer`. `has_mark` is true if the URL
/// may contain a round bracket or `*`.
pub(crate) fn len_without_sentence_end(
    text: &[u8],
    outer: usize,
    end: usize,
    url: &[u8],
    has_mark: bool,
) -> usize {
    let mut len = len_before_closer(url, opener::opener_of_url(text, outer, url, has_mark));
    len = separator_before_url(text, outer)
        .and_then(|mark| memchr::memchr(mark, &url[..len]))
        .unwrap_or(len);
    len = len_before_string_end(text, outer, &url[..len]);
    // The end of an HTML comment.
    if len == url.len() && url.ends_with(b"--") && text.get(end) == Some(&b'>') {
        len -= 2;
    }
    // A sign with nothing after it, or the start of a command in AmigaGuide (`@{UB}`).
    if len == url.len()
        && url.ends_with(b"@")
        && text.get(end).is_none_or(|byte| *byte <= b' ' || *byte == b'{')
        // In the placeholder `@NAME@`, the second `@` belongs to the URL.
        && path_start(url).is_some_and(|path| !url[path..url.len() - 1].contains(&b'@'))
    {
        len -= 1;
    }
    // The `?` is a value: jQuery replaces it with the name of a callback.
    if url[..len].ends_with(b"=?") && is_quoted_whole(text, outer, end - (url.len() - len)) {
        return len;
    }
    trimmed_len(&url[..len], emphasis_around(text, outer, &url[..len]))
}

/// True if the same quote is right before byte `start` and at byte `end`.
fn is_quoted_whole(text: &[u8], start: usize, end: usize) -> bool {
    match start.checked_sub(1).map(|quote| text[quote]) {
        Some(quote @ (b'"' | b'\'')) => text.get(end) == Some(&quote),
        _ => false,
    }
}

/// Returns the separator right before the URL that starts at byte `outer`, or `None` if there is
/// none. The URL ends at the next such byte. The separator is a comma (`name,http://h.dom/a,12`),
/// or the plus sign around verbatim text in TeX (`\verb+http://h.dom/a+`).
fn separator_before_url(text: &[u8], outer: usize) -> Option<u8> {
    match text[..outer] {
        [.., b','] => Some(b','),
        [.., b'\\', b'v', b'e', b'r', b'b', b'+'] => Some(b'+'),
        _ => None,
    }
}

/// Returns the mark of an emphasis that was opened before the URL, and how many times it is
/// repeated: `*` and 2 for `**http://h.dom/a**`. Returns `None` if there is no emphasis.
///
/// The mark is right before the URL, which starts at byte `outer`. If the URL ends with the mark,
/// it may also be before a word on its line (`*see http://h.dom/a*`).
#[inline]
pub(crate) fn emphasis_around(text: &[u8], outer: usize, url: &[u8]) -> Option<(u8, usize)> {
    let head = text.get(outer.saturating_sub(3)..outer)?;
    let mark = *head.last()?;
    let marks = head.iter().rev().take_while(|&&b| b == mark).count();
    match mark {
        b'*' | b'_' | b'#' | b'~' => Some((mark, marks)),
        b'=' | b'-' if marks > 1 => Some((mark, marks)),
        // Verbatim text in AsciiDoc, `+http://h.dom/a+`. Plus signs at the start of a line don't
        // count: the line may be from a diff.
        b'+' => {
            let before = text[..outer - marks].last();
            before.is_some_and(|byte| !matches!(byte, b'\n' | b'\r')).then_some((mark, marks))
        }
        _ => emphasis_around_phrase(text, outer, url),
    }
}

/// Returns the same as [`emphasis_around`] for a phrase of several words that is emphasized as a
/// whole and ends with the URL. The phrase may start on an earlier line of the paragraph. Returns
/// `None` if there is no such phrase.
fn emphasis_around_phrase(text: &[u8], outer: usize, url: &[u8]) -> Option<(u8, usize)> {
    /// The maximum distance back to the mark that opens the emphasis, in bytes.
    const REACH: usize = 512;
    let last = url.iter().rposition(|byte| !ends_sentence(*byte))?;
    let mark = Some(url[last]).filter(|byte| matches!(byte, b'*' | b'_'))?;
    let head = &text[outer.saturating_sub(REACH)..outer];
    let closes = |word: &[u8]| {
        word.iter().rfind(|byte| !ends_sentence(**byte)).is_some_and(|byte| *byte == mark)
    };
    let separates = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'(' | b'[');
    // Don't search for the start of the paragraph first: the nearest word usually decides.
    let ends_blank_line = |at: usize| {
        head[at] == b'\n' && (head[..at].ends_with(b"\n") || head[..at].ends_with(b"\n\r"))
    };
    let mut end = head.len();
    let (word, end) = loop {
        let start = head[..end].iter().rposition(separates).map_or(0, |at| at + 1);
        let word = &head[start..end];
        if word.first() == Some(&mark) || closes(word) {
            break (word, end);
        }
        end = start.checked_sub(1).filter(|&at| !ends_blank_line(at))?;
    };
    let marks = word.iter().take_while(|byte| **byte == mark).count();
    let is_word = match word.get(marks) {
        Some(byte) => byte.is_ascii_alphanumeric() || *byte >= 0x80,
        // A bracket may come between the mark and the word.
        None => matches!(head.get(end), Some(b'(' | b'[')),
    };
    // In reStructuredText `.. _name:` is a target.
    let is_target = mark == b'_' && {
        let line = memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1);
        memchr::memmem::find(&head[line..], b".. _").is_some()
    };
    let is_opener = word.len() == marks || !closes(word);
    (is_word && !is_target && is_opener && marks <= 3).then_some((mark, marks))
}

/// Returns the length of `url` before the byte that closes `opener`, the bracket or quote that
/// opened before it. Returns the whole length if nothing closes it.
///
/// In `(http://h/a)b` the URL ends at the closing bracket, because one opened before it. In
/// `http://h/a)b` it doesn't.
#[inline]
pub(crate) fn len_before_closer(url: &[u8], opener: Option<u8>) -> usize {
    match opener {
        Some(opener @ b'(') => opener::closing_offset(url, opener).unwrap_or(url.len()),
        Some(b'\'' | b'`') => {
            let path = path_start(url);
            let closes = |at: &usize| closes_quote(url, *at, path);
            memchr::memchr_iter(b'\'', url).find(closes).unwrap_or(url.len())
        }
        _ => url.len(),
    }
}

/// Returns the length of `url` before the single quote that ends a string literal, if the literal
/// started earlier on the line of program code: `x = '<a href="http://h.dom/?a=' + b`. Returns the
/// whole length if there is no such quote.
///
/// Code follows the quote: a `+` and a name, PHP's `.$`, or punctuation. The URL starts at byte
/// `outer`.
fn len_before_string_end(text: &[u8], outer: usize, url: &[u8]) -> usize {
    /// The maximum distance back to the quote that starts the literal, in bytes.
    const REACH: usize = 256;
    let Some(at) = memchr::memchr(b'\'', url) else { return url.len() };
    let is_code = match &url[at + 1..] {
        [b'+', name, ..] => name.is_ascii_alphabetic() || matches!(name, b'_' | b'$' | b'('),
        [b'.', b'$', ..] | [b',' | b')' | b';' | b']', ..] => true,
        _ => false,
    };
    if !is_code {
        return url.len();
    }
    let head = &text[outer.saturating_sub(REACH)..outer];
    let line = memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1);
    let head = &head[line..];
    let is_opener = |quote: usize| {
        let before = text[..outer - head.len() + quote].last();
        before.is_none_or(|byte| byte.is_ascii_whitespace() || b"=(,[+:?{".contains(byte))
    };
    if memchr::memrchr(b'\'', head).is_some_and(is_opener) { at } else { url.len() }
}

/// True if the quote at byte `at` of `url` closes one that opened before the URL. A quote between
/// two letters is an apostrophe, unless it follows a file's suffix (`'http://h.dom/a.tar.gz'and`).
/// `path_start` is the offset of the first byte after the authority.
fn closes_quote(url: &[u8], at: usize, path_start: Option<usize>) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let between = url[..at].last().is_some_and(is_letter) && url.get(at + 1).is_some_and(is_letter);
    !between
        || path_start.is_some_and(|path| ends_in_file_suffix(url.get(path..at).unwrap_or_default()))
}

/// True if the last segment of a path ends in a dot and one to four letters or digits, after at
/// least one other byte. Takes constant time, since it is called for each apostrophe.
fn ends_in_file_suffix(path: &[u8]) -> bool {
    const MAX_LEN: usize = 4;
    let suffix =
        path.iter().rev().take(MAX_LEN + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = path.len().checked_sub(suffix + 1).map(|dot| path.split_at(dot));
    (1..=MAX_LEN).contains(&suffix)
        && name.is_some_and(|(name, dot)| dot.starts_with(b".") && !matches!(name, [] | [.., b'/']))
}

/// Returns the offset of the first slash, question mark or number sign after the URL's authority,
/// or `None` if there is none.
fn path_start(url: &[u8]) -> Option<usize> {
    let start = authority_start(url)?;
    url[start..].iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).map(|at| start + at)
}

/// Returns the offset at which the URL's authority starts, or `None` if the URL has no authority.
fn authority_start(url: &[u8]) -> Option<usize> {
    memchr::memmem::find(url, b"://").map(|at| at + 3)
}

/// Returns the length of `url` without the bytes at its end that belong to the sentence around it.
/// These are closing punctuation, unbalanced brackets, the `'s` of a genitive, a line drawn across
/// the page, hyphens after a host, and emphasis marks. `emphasis` is the mark before the URL and
/// how many times it is repeated.
///
/// Takes linear time. Brackets are counted only if the URL ends with one, since most URLs contain
/// none.
#[inline]
pub(crate) fn trimmed_len(url: &[u8], emphasis: Option<(u8, usize)>) -> usize {
    match url.last() {
        Some(&last) if IS_KEPT[usize::from(last)] => url.len(),
        _ => trimmed_len_slow(url, emphasis),
    }
}

/// Computes [`trimmed_len`] for any URL. This is the slow path.
fn trimmed_len_slow(url: &[u8], emphasis: Option<(u8, usize)>) -> usize {
    // The number of closing brackets minus that of opening ones, in the rest of the URL.
    let mut surplus: Option<isize> = None;
    // The length up to which the URL is only its authority. Computed once, since each hyphen needs
    // it.
    let mut host_end: Option<usize> = None;
    let (mark, mut marks) = emphasis.unwrap_or((0, 0));
    let mut len = url.len();
    while let Some(&last) = url.get(..len).and_then(<[u8]>::last) {
        match last {
            byte if ends_sentence(byte) || byte == b'|' => {}
            byte if is_line_drawing_byte(byte)
                && count_repeated_last_byte(&url[..len]) >= MIN_RULE =>
            {
                len -= count_repeated_last_byte(&url[..len]);
                continue;
            }
            b'-' if len <= *host_end.get_or_insert_with(|| authority_len(url)) => {}
            b')' | b'(' => {
                let surplus = surplus.get_or_insert_with(|| surplus_closing_brackets(&url[..len]));
                if last == b'(' {
                    // No byte can close it any more.
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

/// Returns how many times the URL's last byte is repeated at its end.
fn count_repeated_last_byte(url: &[u8]) -> usize {
    url.iter().rev().take_while(|&byte| Some(byte) == url.last()).count()
}

/// Returns the length of the URL up to the end of its authority, or 0 if it has no authority.
fn authority_len(url: &[u8]) -> usize {
    authority_start(url).map_or(0, |_| path_start(url).unwrap_or(url.len()))
}

/// Returns the number of closing round brackets in `url` minus the number of opening ones.
fn surplus_closing_brackets(url: &[u8]) -> isize {
    url.iter().map(|byte| isize::from(*byte == b')') - isize::from(*byte == b'(')).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trimmed(url: &str) -> &str {
        &url[..trimmed_len(url.as_bytes(), None)]
    }

    #[test]
    fn punctuation_and_unbalanced_brackets_are_trimmed() {
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
        assert_eq!(emphasis("http://h/c++", b'+', 1), "http://h/c+");
    }

    #[test]
    fn apostrophe_at_the_maximum_distance_opens_no_literal() {
        let len = |before: &str| {
            let url = "http://h.dom/a',";
            // The apostrophe is 256 bytes before the URL.
            let text = format!("{before}'{}{url}", "x".repeat(255));
            len_before_string_end(text.as_bytes(), text.len() - url.len(), url.as_bytes())
        };
        assert_eq!(len("don"), "http://h.dom/a',".len());
        for before in ["", "(", "f(", "x\n"] {
            assert_eq!(len(before), "http://h.dom/a".len(), "{before}");
        }
    }

    #[test]
    fn kept_bytes_are_never_trimmed() {
        for last in (0..=255_u8).filter(|last| IS_KEPT[usize::from(*last)]) {
            for mark in [b'*', b'_', b'#', b'+'] {
                let url = [b"http://h/a'", &[last][..]].concat();
                assert_eq!(trimmed_len(&url, Some((mark, 1))), url.len(), "{last}");
            }
        }
    }

    #[test]
    fn opener_decides_the_closer() {
        assert_eq!(len_before_closer(b"http://h/a)b", Some(b'(')), 10);
        assert_eq!(len_before_closer(b"http://h/(a)b", Some(b'(')), 13);
        assert_eq!(len_before_closer(b"http://h/a)b", None), 12);
        assert_eq!(len_before_closer(b"http://h/it's','x", Some(b'\'')), 13);
    }
}
