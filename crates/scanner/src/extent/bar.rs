//! Decides whether bars, carets, square brackets and braces next to a URL are part of it or end it.
//!
//! RFC 1738 allows none of them in a URL, and text uses them around URLs: in rows of tables, links
//! of wikis, numbers of footnotes. But a URL that contains one unencoded (`file:///C|/a`,
//! `gopher://host/device:[dir]`, `http://h.dom/{name}`) must not be cut there, since the part
//! before it would be a valid URL that points elsewhere. The text before the URL on its line
//! decides which case applies.

use crate::scheme::run_before;
use crate::text::iri;
use memchr::memmem;

/// The maximum distance back to the start of the URL, and to the text before the URL that is read,
/// in bytes.
const REACH: usize = 256;
/// The maximum distance from the opening bracket of a footnote's number or text to the closing one,
/// in bytes.
const MAX_NOTE: usize = 64;

/// True if the bar at byte `at` belongs to the URL before it.
pub(super) fn is_bar_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    is_url_byte_at(text, at + 1) && !LineState::before(line, text, at).is_separated(text, at)
}

/// True if the caret at byte `at` belongs to the URL before it, and is not a superscript. Letters
/// or digits and then a URL delimiter must follow.
pub(super) fn is_caret_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let mut after = text[at..].iter().take(MAX_NOTE).skip_while(|&&byte| byte == b'^');
    after.next().is_some_and(u8::is_ascii_alphanumeric)
        && after
            .find(|byte| !byte.is_ascii_alphanumeric())
            .is_some_and(|byte| b"/%~=&#_?@".contains(byte))
        && !LineState::before(line, text, at).is_separated(text, at)
}

/// True if the brace at byte `at` opens a placeholder in the URL before it (`http://h.dom/{name}`).
/// The brace must follow a delimiter, or more of the URL must follow the placeholder.
pub(super) fn opens_placeholder(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let inside = &text[at + 1..text.len().min(at + 1 + MAX_NOTE)];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.,*?+/;&#=:!@$%|".contains(byte);
    let len = inside.iter().take_while(|byte| is_name(byte)).count();
    len > 0
        && inside.get(len) == Some(&b'}')
        && (!text[at - 1].is_ascii_alphanumeric() || is_url_byte_at(text, at + 1 + len + 1))
        && !LineState::before(line, text, at).is_in_braces(text, at)
}

/// True if the closing brace at byte `at` closes one in the URL before it.
pub(super) fn closes_placeholder(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let url = &text[LineState::before(line, text, at).url(text, at)..at];
    let inside = memchr::memrchr2(b'{', b'}', url).map(|brace| &url[brace..]);
    inside.is_some_and(|inside| inside[0] == b'{' && memmem::find(inside, b"://").is_none())
}

/// True if the opening bracket at byte `at` belongs to the URL before it, and doesn't start a
/// footnote.
pub(super) fn opens_bracket_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let after = at + 1;
    // A defanged host: `h[.]dom`.
    text[after..].starts_with(b".]")
        || (is_url_byte_at(text, after)
            || text.get(after) == Some(&b']') && is_url_byte_at(text, after + 1))
            && !is_footnote(text, at)
            && !LineState::before(line, text, at).is_separated(text, at)
}

/// True if the closing bracket at byte `at` closes one in the URL before it.
pub(super) fn closes_bracket_in_url(text: &[u8], at: usize, line: &mut Option<LineState>) -> bool {
    let url = &text[LineState::before(line, text, at).url(text, at)..at];
    has_unclosed(url, b'[', b']')
}

/// True if a URL character other than punctuation starts at byte `at`.
fn is_url_byte_at(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(0x80..) => iri::len_at(text, at) > 0,
        Some(byte) => byte.is_ascii_alphanumeric() || b"/%~$+=&#_-".contains(byte),
        None => false,
    }
}

/// True if the brackets that open at byte `open` contain a footnote's number, words about the URL,
/// or a closing tag, and the URL ends before them.
fn is_footnote(text: &[u8], open: usize) -> bool {
    let is_joint = |byte: &u8| matches!(byte, b':' | b'=' | b'/' | b'?' | b'&' | b'%' | b'#');
    if open.checked_sub(1).and_then(|at| text.get(at)).is_some_and(is_joint) {
        return false;
    }
    let inside = &text[open + 1..text.len().min(open + 1 + MAX_NOTE)];
    let Some(len) = inside.iter().position(|byte| matches!(byte, b']' | b'[' | b'\n' | b'\r'))
    else {
        return false;
    };
    let is_word = |byte: &u8| {
        byte.is_ascii_alphanumeric() || !byte.is_ascii() || b" -.,'*\"=_^/".contains(byte)
    };
    if inside[len] != b']' || !inside[..len].iter().all(is_word) {
        return false;
    }
    let mut at = open + 1 + len + 1;
    while text.get(at).is_some_and(|byte| b".,;:!?'\")".contains(byte)) {
        at += 1;
    }
    !is_url_byte_at(text, at)
}

/// Answers questions about the text before an offset on the same line, within [`REACH`]. The offset
/// only moves forward within one extent, so all queries together take linear time.
pub(super) struct LineState {
    /// The start of the line, or the earliest byte that is read.
    start: usize,
    /// The start of the line's last word, or the earliest byte that is read.
    word: usize,
    /// The start of the URL in that word, once the slashes after its scheme were found.
    url: Option<usize>,
    /// The offset from which to search for the first colon before slashes.
    slashed: usize,
    /// The offset from which to search for the first colon of any kind.
    colon: usize,
    /// The offset from which to search for the colon of a glued URL.
    glued: usize,
}

impl LineState {
    /// Returns the state for byte `at`, reusing that of an earlier offset.
    fn before<'l>(line: &'l mut Option<Self>, text: &[u8], at: usize) -> &'l mut Self {
        line.get_or_insert_with(|| {
            let floor = at.saturating_sub(REACH);
            let reach = &text[floor..at];
            let after = |found: Option<usize>| floor + found.map_or(0, |at| at + 1);
            let start = after(memchr::memrchr2(b'\n', b'\r', reach));
            let quote = after(memchr::memrchr3(b' ', b'\t', b'"', reach));
            let word = start.max(quote).max(after(memchr::memrchr2(b'<', b'>', reach)));
            Self { start, word, url: None, slashed: word, colon: word, glued: word }
        })
    }

    /// Returns the start of the URL that continues to byte `at`. If that is out of reach, returns
    /// the earliest byte that is read.
    fn url(&mut self, text: &[u8], at: usize) -> usize {
        let floor = at.saturating_sub(REACH);
        self.start = self.start.max(floor);
        if floor > self.word {
            (self.word, self.url) = (floor, None);
        }
        if let Some(url) = self.url {
            return url;
        }
        let start = |line: &Self, colon| colon - run_before(&text[line.word..], colon - line.word);
        self.slashed = next_colon(text, self.slashed.max(self.word), at, b"//");
        if self.slashed < at {
            let url = start(self, self.slashed);
            self.url = Some(url);
            return url;
        }
        self.colon = next_colon(text, self.colon.max(self.word), at, b"");
        if self.colon < at {
            return start(self, self.colon);
        }
        // A host without a scheme starts with a letter or digit.
        let word = &text[self.word..at];
        self.word + word.iter().position(u8::is_ascii_alphanumeric).unwrap_or(0)
    }

    /// True if an opening brace precedes the URL in the same word.
    fn is_in_braces(&mut self, text: &[u8], at: usize) -> bool {
        let start = self.url(text, at);
        text[self.word..start].contains(&b'{')
    }

    /// True if a bar or an unclosed bracket precedes the URL, or a bar separates it from a URL
    /// glued to it.
    fn is_separated(&mut self, text: &[u8], at: usize) -> bool {
        let start = self.url(text, at);
        let before = &text[self.start..start];
        if before.contains(&b'|')
            || has_unclosed(before, b'[', b']')
            || has_unclosed(before, b'{', b'}')
        {
            return true;
        }
        let mut colon = next_colon(text, self.glued.max(start), at, b"//");
        while colon < at {
            let head = &text[start..colon];
            if head[..head.len() - run_before(head, head.len())].ends_with(b"|") {
                return true;
            }
            colon = next_colon(text, colon + 1, at, b"//");
        }
        self.glued = at;
        false
    }
}

/// Returns the offset of the first colon at or after byte `from` that is followed by the bytes
/// `after`; `at` if there is none before byte `at`.
fn next_colon(text: &[u8], from: usize, at: usize, after: &[u8]) -> usize {
    let colons = memchr::memchr_iter(b':', &text[from..at]).map(|len| from + len);
    colons.into_iter().find(|colon| text[colon + 1..at].starts_with(after)).unwrap_or(at)
}

/// True if more brackets open than close.
fn has_unclosed(text: &[u8], open: u8, close: u8) -> bool {
    let count = |byte| memchr::memchr_iter(byte, text).count();
    !text.is_empty() && count(open) > count(close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cached_line_state_equals_fresh_one(
            before in "[\\[\\]{}|a \n\"<]{0,4}[a ]{0,200}[|\\[ ]?",
            url in proptest::collection::vec(proptest::sample::select(&["http://h.dom/", "://", ":", "|", "|a", "[a", "a]", "{", "{a}", "^a&", "ftp", "|x://", "&a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"][..]), 0..60),
        ) {
            let text = format!("{before}http://a.b/{}", url.concat());
            let mut line = None;
            for at in before.len() + 11..text.len() {
                let text = text.as_bytes();
                let belongs_to_url = match text[at] {
                    b'|' => is_bar_in_url,
                    b'[' => opens_bracket_in_url,
                    b']' => closes_bracket_in_url,
                    b'^' => is_caret_in_url,
                    b'{' => opens_placeholder,
                    b'}' => closes_placeholder,
                    _ => continue,
                };
                let fresh = belongs_to_url(text, at, &mut None);
                prop_assert_eq!(belongs_to_url(text, at, &mut line), fresh);
                if !fresh {
                    break;
                }
            }
        }
    }
}
