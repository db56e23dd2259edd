//! Finds the bracket or quote that opened before a URL, and the byte that closes it and ends the
//! URL.

/// The maximum distance back to an opening bracket or quote on the same line, in bytes.
const OPENER_REACH: usize = 256;

/// Returns the bracket or quote that was opened before the URL and that a byte of `url` may close.
/// This is the byte right before the URL or, if `url` has a surplus closing bracket, a bracket that
/// is still open on the URL's line. Returns `None` if there is none.
///
/// The URL, or its prefix if it has one, starts at byte `outer`. `has_mark` is true if the URL
/// may contain a round bracket or `*`.
#[inline]
pub(crate) fn opener_of_url(text: &[u8], outer: usize, url: &[u8], has_mark: bool) -> Option<u8> {
    let before = outer.checked_sub(1).and_then(|at| text.get(at)).copied();
    if matches!(before, Some(b'(' | b'\'' | b'`')) {
        return before;
    }
    if !has_mark || closing_offset(url, b'(').is_none() {
        return None;
    }
    let head = text.get(outer.saturating_sub(OPENER_REACH)..outer).unwrap_or_default();
    let line = memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1);
    last_unclosed(&head[line..], b"(", b")")
}

/// Returns the bracket or quote right before byte `outer`, where a URL starts, or `None` if there
/// is none. Use this for a URL that started on an earlier line.
pub(crate) fn opener_right_before(text: &[u8], outer: usize) -> Option<u8> {
    let before = *text.get(outer.checked_sub(1)?)?;
    matches!(before, b'(' | b'[' | b'{' | b'"' | b'\'' | b'`').then_some(before)
}

/// Returns the last bracket or double quote that is opened but not closed in `before`, the text of
/// a line before the URL. Returns `None` if there is none.
pub(crate) fn last_open_on_line(before: &[u8]) -> Option<u8> {
    if before.is_empty() {
        return None;
    }
    let reach = &before[before.len().saturating_sub(OPENER_REACH)..];
    let is_quoted = memchr::memchr_iter(b'"', reach).count() % 2 == 1;
    let quote = if is_quoted { memchr::memrchr(b'"', reach) } else { None };
    let after = quote.map_or(0, |at| at + 1);
    last_unclosed(&reach[after..], b"([{", b")]}").or(quote.map(|at| reach[at]))
}

/// Returns the last bracket in `text` that is one of `opening` and is not closed by one of
/// `closing`. Returns `None` if all are closed.
fn last_unclosed(text: &[u8], opening: &[u8], closing: &[u8]) -> Option<u8> {
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

/// Returns the offset of the first byte of `token` that closes `opener`, a bracket or quote before
/// the token. Skips brackets that are opened and closed inside the token. Returns `None` if nothing
/// closes `opener`.
pub(crate) fn closing_offset(token: &[u8], opener: u8) -> Option<usize> {
    let close = closing_bracket_of(opener);
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

/// Pairs of brackets and quotes that are not US-ASCII.
const WIDE_PAIRS: [(&str, &str); 18] = [
    ("⟨", "⟩"),
    ("〈", "〉"),
    ("《", "》"),
    ("「", "」"),
    ("『", "』"),
    ("【", "】"),
    ("〔", "〕"),
    ("（", "）"),
    ("«", "»"),
    ("»", "«"),
    ("‹", "›"),
    ("›", "‹"),
    ("“", "”"),
    ("„", "“"),
    ("„", "”"),
    ("”", "”"),
    ("‘", "’"),
    ("‚", "‘"),
];

/// True if `before` ends with a non-ASCII bracket or quote, and `after` starts with the matching
/// closing one (`「…」`).
pub(crate) fn wide_pair_surrounds(before: &[u8], after: &[u8]) -> bool {
    WIDE_PAIRS.iter().any(|(open, close)| {
        before.ends_with(open.as_bytes()) && after.starts_with(close.as_bytes())
    })
}

/// True if the text starts with a closing bracket or quote that is not ASCII (`」`).
pub(crate) fn starts_with_wide_closer(text: &[u8]) -> bool {
    WIDE_PAIRS.iter().any(|(_, close)| text.starts_with(close.as_bytes()))
}

/// Returns the closing bracket that matches `opener`. For any other byte, such as a quote, returns
/// the byte itself.
pub(crate) const fn closing_bracket_of(opener: u8) -> u8 {
    match opener {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}
