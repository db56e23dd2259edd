//! Bars and square brackets within what looks like a URL: a bad character of it, or the end of it.
//!
//! RFC 1738 lets neither stand in a URL, and text uses both around URLs: in a table's row, a link of a wiki, a
//! footnote's number. But a URL that holds one unencoded (`file:///C|/a`, `gopher://host/device:[dir]`) is not to be cut
//! there: what is left would be a valid URL that leads elsewhere. What stands before the URL on its line tells.

use crate::scheme::run_before;
use crate::text::iri;
use memchr::memmem;

/// How far back on its line the start of the URL, and what stands before it, is sought, in bytes.
const REACH: usize = 256;
/// How far the bracket that closes a footnote's number or text is sought, in bytes.
const MAX_NOTE: usize = 64;

/// Whether the bar at byte `at` belongs to the URL before it. Constant time.
pub(super) fn is_within(text: &[u8], at: usize) -> bool {
    goes_on(text, at + 1) && !Line::before(text, at).is_separated()
}

/// Whether the opening bracket at byte `at` belongs to the URL before it, and opens no footnote. Constant time.
pub(super) fn opens_within(text: &[u8], at: usize) -> bool {
    let behind = at + 1;
    (goes_on(text, behind) || text.get(behind) == Some(&b']') && goes_on(text, behind + 1))
        && !is_note(text, at)
        && !Line::before(text, at).is_separated()
}

/// Whether the closing bracket at byte `at` closes one that stands in the URL before it. Constant time.
pub(super) fn closes_within(text: &[u8], at: usize) -> bool {
    let url = Line::before(text, at).url;
    let count = |byte| memchr::memchr_iter(byte, url).count();
    count(b'[') > count(b']')
}

/// Whether a character of a URL stands at byte `at` that is no punctuation.
fn goes_on(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(0x80..) => iri::len_at(text, at) > 0,
        Some(byte) => byte.is_ascii_alphanumeric() || b"/%~$+=&#_-".contains(byte),
        None => false,
    }
}

/// Whether the bracket at byte `open` holds a footnote's number, or words about the URL, and the URL ends before it.
fn is_note(text: &[u8], open: usize) -> bool {
    let is_joint = |byte: &u8| matches!(byte, b':' | b'=' | b'/' | b'?' | b'&' | b'%' | b'#');
    if open.checked_sub(1).and_then(|at| text.get(at)).is_some_and(is_joint) {
        return false;
    }
    let inside = &text[open + 1..text.len().min(open + 1 + MAX_NOTE)];
    let Some(len) = inside.iter().position(|byte| matches!(byte, b']' | b'[' | b'\n' | b'\r'))
    else {
        return false;
    };
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b" -.,'*".contains(byte);
    if inside[len] != b']' || !inside[..len].iter().all(is_word) {
        return false;
    }
    let mut at = open + 1 + len + 1;
    while text.get(at).is_some_and(|byte| b".,;:!?'\")".contains(byte)) {
        at += 1;
    }
    !goes_on(text, at)
}

/// What stands before a place on its line, as far as it is looked at.
struct Line<'t> {
    /// What stands before the URL.
    before: &'t [u8],
    /// The URL up to the place.
    url: &'t [u8],
}

impl<'t> Line<'t> {
    fn before(text: &'t [u8], at: usize) -> Self {
        let reach = &text[at.saturating_sub(REACH)..at];
        let start = memchr::memrchr2(b'\n', b'\r', reach).map_or(0, |at| at + 1);
        let line = &reach[start..];
        let blank =
            memchr::memrchr3(b' ', b'\t', b'"', line).max(memchr::memrchr2(b'<', b'>', line));
        let token = blank.map_or(0, |at| at + 1);
        // Where the URL starts further back than is looked, nothing stands before it.
        let word = &line[token..];
        let colon = memmem::find(word, b"://").or_else(|| memchr::memchr(b':', word));
        let url = token + colon.map_or(0, |colon| colon - run_before(word, colon));
        Self { before: &line[..url], url: &line[url..] }
    }

    /// Whether a bar or a bracket that is still open stands before the URL, or a bar between it and one that is glued to
    /// it.
    fn is_separated(&self) -> bool {
        let open = |open, close| {
            let count = |byte| memchr::memchr_iter(byte, self.before).count();
            count(open) > count(close)
        };
        let parts = |colon| self.url[..colon - run_before(self.url, colon)].ends_with(b"|");
        self.before.contains(&b'|')
            || open(b'[', b']')
            || open(b'{', b'}')
            || memmem::find_iter(self.url, b"://").any(parts)
    }
}
