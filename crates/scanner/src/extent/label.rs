//! Decides whether a square bracket next to a URL is part of it or ends it.
//!
//! Text writes labels, footnotes and tags in square brackets right after a URL: `URL[label]`,
//! `URL[1]`, `URL[/url]`, `URL[URL]`. Query keys and paths contain square brackets, too:
//! `?ids[]=1`, `/a[1].jpg`, `disk:[dir.sub]`. The content of the brackets and the bytes next to
//! them decide. `docs/decisions/0012-square-brackets.md` has the whole rule.

use super::bar::{LineState, has_unclosed, is_url_byte_at};
use crate::text::host::ends_in_host;
use crate::text::iri::cjk_word_len;
use memchr::memmem;

/// The distance within which the closing bracket is searched, in bytes.
const MAX_CONTENT: usize = 128;

/// The position at which a square bracket closes, as returned by [`closing_bracket`].
enum Close {
    /// At this byte, in the same word.
    At(usize),
    /// Not on the same line, and the word goes up to the line's end.
    OnNextLine,
    /// Not in the same word.
    Nowhere,
    /// Farther than [`MAX_CONTENT`], if at all.
    Far,
}

/// True if the opening square bracket at byte `at` belongs to the URL before it, and doesn't start
/// a label, footnote or tag.
pub(super) fn opens_bracket_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    // A defanged host: `h[.]dom`.
    if text[at + 1..].starts_with(b".]") {
        return true;
    }
    let line = LineState::state_at(line, text, at);
    let url = &text[line.url_start(text, at)..at];
    // A host's name would be cut at its last dot: `http://www.[your name].com`.
    let has_open_name = matches!(url.last(), Some(b'.' | b'-'))
        && ends_in_authority(url)
        && !text.get(at + 1).is_some_and(u8::is_ascii_digit);
    if has_open_name {
        return true;
    }
    let close = closing_bracket(text, at);
    // In scripts without blanks, a sentence may follow the label: `http://h.dom/[ここ]を見る`.
    if cjk_word_len(&text[at + 1..]) > 0 {
        let after = if let Close::At(close) = close { text.get(close + 1) } else { None };
        // Another URL may be right before this one.
        let own = memmem::rfind(url, b"://").map_or(url, |at| &url[at..]);
        return own.contains(&b'[') || after.is_some_and(|byte| b"/=&?#".contains(byte));
    }
    let close = match close {
        Close::OnNextLine => return matches!(url.last(), Some(b'=' | b':')),
        Close::Nowhere => return ends_in_query(url) && has_further_query_fields(text, at),
        Close::Far => return ends_in_delimiter(url) || ends_in_query_value(url),
        Close::At(close) => close,
    };
    let content = &text[at + 1..close];
    if content.first() == Some(&b'/') || looks_like_url(content) {
        return false;
    }
    if url_continues_at(text, close + 1)
        || !ends_in_authority(url) && line.has_closing_quote_after(text, at, close + 1, b"\"'")
    {
        return true;
    }
    if line.has_separator_before(text, at) {
        return false;
    }
    if has_unclosed(url, b'[', b']') {
        return true;
    }
    if content.is_empty() {
        return ends_in_query(url) && !ends_in_query_value(url);
    }
    let is_number = content.iter().all(u8::is_ascii_digit);
    match url.last() {
        Some(b'=' | b':') => true,
        _ if is_number => false,
        // The label of a home page in AsciiDoc, which can't be recognized in mail or in a pipe.
        Some(b'/') => !ends_in_root_slash(url),
        _ => ends_in_query_value(url),
    }
}

/// True if the closing square bracket at byte `at` closes one that opened in the URL before it.
/// Brackets around a URL (`URL[URL]`) don't count.
pub(super) fn closes_bracket_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let url = &text[LineState::state_at(line, text, at).url_start(text, at)..at];
    let mut depth = 0_usize;
    for open in memchr::memrchr2_iter(b'[', b']', url) {
        match depth.checked_sub(1) {
            _ if url[open] == b']' => depth += 1,
            Some(less) => depth = less,
            None => return !looks_like_url(&url[open + 1..]),
        }
    }
    false
}

/// True if `content`, the text between two brackets, is another URL.
fn looks_like_url(content: &[u8]) -> bool {
    content.starts_with(b"mailto:")
        || content.starts_with(b"news:")
        || memmem::find(content, b"://").is_some()
}

/// Returns the end of the URL's extent if a JSON value starts at the bracket or brace at byte `at`
/// (`?filter=[["a"`), or `None` if none does. The end is after the quote, since the URL up to the
/// bracket would be valid but point elsewhere.
pub(super) fn extent_end_in_json(
    text: &[u8],
    at: usize,
    line: &mut Option<LineState>,
) -> Option<usize> {
    /// The maximum number of brackets before the quote.
    const MAX_DEPTH: usize = 4;
    let depth =
        text[at..].iter().take(MAX_DEPTH).take_while(|&&b| matches!(b, b'[' | b'{')).count();
    let is_json = at.checked_sub(1).is_some_and(|before| text[before] == b'=')
        && text.get(at + depth) == Some(&b'"')
        && !LineState::state_at(line, text, at).is_url_quoted(text, at);
    is_json.then_some(at + depth + 1)
}

/// Finds the closing bracket of the square bracket that opens at byte `open`.
fn closing_bracket(text: &[u8], open: usize) -> Close {
    let mut depth = 1_usize;
    let near = &text[open + 1..text.len().min(open + 1 + MAX_CONTENT)];
    for (len, byte) in near.iter().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            b'\n' | b'\r' => return Close::OnNextLine,
            ..=b' ' | b'"' | b'<' | b'>' | 0x7F => return Close::Nowhere,
            _ => {}
        }
        if depth == 0 {
            return Close::At(open + 1 + len);
        }
    }
    if near.len() < MAX_CONTENT { Close::Nowhere } else { Close::Far }
}

/// True if the URL continues at byte `at`, right after a closing bracket. A letter, a digit or a
/// delimiter continues it, and so does a mark before a letter or digit.
///
/// A further opening bracket continues it if that bracket belongs to the URL. A bracket after a run
/// of footnotes (`[1][2]`) doesn't.
fn url_continues_at(text: &[u8], at: usize) -> bool {
    let is_name_at = |at: usize| is_url_byte_at(text, at) && text[at] != b'-' && text[at] != b'_';
    match text.get(at) {
        Some(b'/' | b'=' | b'&' | b'#' | b'%') => true,
        Some(b'.' | b'?' | b'-' | b'_' | b'~' | b'+' | b'$' | b';' | b'@') => is_name_at(at + 1),
        Some(b'[') => {
            let after = text[at..].iter().take(MAX_CONTENT);
            let group = |byte: &&u8| byte.is_ascii_alphanumeric() || b"[]_-".contains(*byte);
            let end = at + after.take_while(group).count();
            matches!(text.get(end), Some(b'=' | b'/' | b'&' | b'#' | b'%'))
                || matches!(text.get(end), Some(b'.')) && is_name_at(end + 1)
        }
        _ => is_name_at(at),
    }
}

/// True if the rest of the word after byte `at` contains a further field of a query.
fn has_further_query_fields(text: &[u8], at: usize) -> bool {
    let near = &text[at + 1..text.len().min(at + 1 + MAX_CONTENT)];
    let word = near.iter().position(|byte| *byte <= b' ' || b"\"<>".contains(byte));
    near[..word.unwrap_or(near.len())].contains(&b'=')
}

/// True if the URL ends with a `=`, `:` or `/`, after which something must follow.
fn ends_in_delimiter(url: &[u8]) -> bool {
    matches!(url.last(), Some(b'=' | b':' | b'/'))
}

/// True if the URL, so far, ends inside its query. Of a long URL, only the end is examined.
fn ends_in_query(url: &[u8]) -> bool {
    memchr::memchr2(b'?', b'&', url).is_some() && memchr::memchr(b'#', url).is_none()
}

/// True if the URL, so far, ends inside the value of a query field.
fn ends_in_query_value(url: &[u8]) -> bool {
    let field = memchr::memrchr3(b'?', b'&', b';', url).map_or(url.len(), |at| at + 1);
    ends_in_query(url) && url[field..].contains(&b'=')
}

/// True if the URL, so far, ends with the slash after its host.
fn ends_in_root_slash(url: &[u8]) -> bool {
    url.strip_suffix(b"/").is_some_and(ends_in_authority)
}

/// True if the URL, so far, ends inside its authority, and the authority isn't empty.
fn ends_in_authority(url: &[u8]) -> bool {
    ends_in_host(url) && !url.ends_with(b"://")
}
