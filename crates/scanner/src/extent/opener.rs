//! What opened before a URL, and where that closes: it decides where the URL ends.

/// How far back on its line an opening bracket or quote is sought, in bytes.
const OPENER_REACH: usize = 256;

/// The bracket or quote that opened before the URL and decides where it closes: the byte right
/// before it or, if the URL holds a closing bracket too many, one that is still open on its line. The URL, or its
/// prefix if it has one, starts at `outer`; `has_bracket` says whether a round bracket may stand in it.
#[inline]
pub(crate) fn before(text: &[u8], outer: usize, url: &[u8], has_bracket: bool) -> Option<u8> {
    let before = outer.checked_sub(1).and_then(|at| text.get(at)).copied();
    if matches!(before, Some(b'(' | b'\'' | b'`')) {
        return before;
    }
    if !has_bracket || closes_at(url, b'(').is_none() {
        return None;
    }
    let head = text.get(outer.saturating_sub(OPENER_REACH)..outer).unwrap_or_default();
    let line = memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1);
    last_open(&head[line..], b"(", b")")
}

/// The bracket or quote that stands right before a URL that started on an earlier line.
pub(crate) fn right_before(text: &[u8], outer: usize) -> Option<u8> {
    let before = *text.get(outer.checked_sub(1)?)?;
    matches!(before, b'(' | b'[' | b'{' | b'"' | b'\'' | b'`').then_some(before)
}

/// The bracket or double quote that was opened last on the line that starts so and has not been closed.
pub(crate) fn on_line(before: &[u8]) -> Option<u8> {
    if before.is_empty() {
        return None;
    }
    let reach = &before[before.len().saturating_sub(OPENER_REACH)..];
    let is_quoted = memchr::memchr_iter(b'"', reach).count() % 2 == 1;
    let quote = if is_quoted { memchr::memrchr(b'"', reach) } else { None };
    let behind = quote.map_or(0, |at| at + 1);
    last_open(&reach[behind..], b"([{", b")]}").or(quote.map(|at| reach[at]))
}

/// The last opening bracket that is not closed.
fn last_open(text: &[u8], opening: &[u8], closing: &[u8]) -> Option<u8> {
    let mut closed = 0_usize;
    for byte in text.iter().rev() {
        if closing.contains(byte) {
            closed += 1;
        } else if opening.contains(byte) {
            match closed.checked_sub(1) {
                Some(less) => closed = less,
                None => return Some(*byte),
            }
        }
    }
    None
}

/// Where the first byte of `token` stands that closes this opener and not one within.
pub(crate) fn closes_at(token: &[u8], opener: u8) -> Option<usize> {
    let close = closer(opener);
    if close == opener {
        return memchr::memchr(opener, token);
    }
    let mut depth = 0_usize;
    for at in memchr::memchr2_iter(opener, close, token) {
        if token[at] == opener {
            depth += 1;
        } else {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some(at),
            }
        }
    }
    None
}

/// The byte that closes what this one opens.
pub(crate) const fn closer(opener: u8) -> u8 {
    match opener {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}
