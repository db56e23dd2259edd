//! Escape sequences of terminals, and the formatting codes of mIRC, inside a URL. They are layout:
//! `grep --color` writes them around the match, IRC logs around bold and colored text.
//!
//! If the URL ended at the code, it would be valid but point elsewhere.

use crate::limits::MAX_GAP;

/// The maximum length of a sequence, in bytes.
const MAX_SEQUENCE: usize = 32;

/// True if `byte` is the first byte of a terminal's escape sequence or of a formatting code.
pub(crate) const fn is_code_start(byte: u8) -> bool {
    matches!(byte, 0x1B | 0x02..=0x04 | 0x0F | 0x11 | 0x16 | 0x1D..=0x1F)
}

/// Returns the offset at which the URL that starts at byte `start` continues after the terminal
/// codes at byte `at`. Returns `None` if there are no codes, or if they end the formatting of the
/// URL as a whole.
///
/// Takes time linear in the length of the run of codes, at most [`MAX_GAP`] bytes.
pub(crate) fn resume_after_codes(text: &[u8], start: usize, at: usize) -> Option<usize> {
    let first = code_len(text.get(at..)?)?;
    let mut resume = at + first;
    while let Some(len) = text.get(resume..).and_then(code_len) {
        resume += len;
        if resume - at > MAX_GAP {
            return None;
        }
    }
    let code = &text[at..at + first];
    // `grep --color` clears the rest of the line after each code.
    let is_match = text[at + first..].starts_with(b"\x1B[K");
    let closes =
        !is_match && code_before(text, start).is_some_and(|opener| ends_formatting(opener, code));
    (!closes).then_some(resume)
}

/// True if terminal codes come right after the `//` that follows `colon`, and a letter or digit
/// after them. (`grep --color` writes this if only the host matches.)
pub(crate) fn host_follows_codes(text: &[u8], colon: usize) -> bool {
    let authority = colon + 1 + b"//".len();
    text[colon + 1..].starts_with(b"//")
        && text.get(authority).is_some_and(|&byte| is_code_start(byte))
        && resume_after_codes(text, authority, authority)
            .and_then(|at| text.get(at))
            .is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns the length in bytes of the terminal code that `text` starts with, or `None` if there is
/// none.
fn code_len(text: &[u8]) -> Option<usize> {
    match text {
        [0x1B, b'[', rest @ ..] => {
            let near = &rest[..rest.len().min(MAX_SEQUENCE)];
            let len = near.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'))?;
            matches!(near[len], b'm' | b'K').then_some(2 + len + 1)
        }
        // A color, and optionally a background color.
        [0x03, rest @ ..] => Some(1 + colors_len(rest, 1, 2, u8::is_ascii_digit)),
        [0x04, rest @ ..] => Some(1 + colors_len(rest, 6, 6, u8::is_ascii_hexdigit)),
        [byte, ..] if *byte != 0x1B && is_code_start(*byte) => Some(1),
        _ => None,
    }
}

/// Returns the length in bytes of the color numbers that `text` starts with: one, or two with a
/// comma between them. Each has `min` to `max` digits, for which `is_digit` returns true. Returns 0
/// if there are none.
fn colors_len(text: &[u8], min: usize, max: usize, is_digit: fn(&u8) -> bool) -> usize {
    let color = |text: &[u8]| {
        let len = text.iter().take(max).take_while(|byte| is_digit(byte)).count();
        if len < min { 0 } else { len }
    };
    let foreground = color(text);
    let background = match text.get(foreground..) {
        Some([b',', rest @ ..]) if foreground > 0 => color(rest),
        _ => 0,
    };
    foreground + if background > 0 { 1 + background } else { 0 }
}

/// True if the terminal code `code` ends the formatting that the code `opener` starts.
fn ends_formatting(opener: &[u8], code: &[u8]) -> bool {
    match code {
        [0x1B, b'[', off @ .., b'm'] => matches!(opener, [0x1B, b'[', on @ .., b'm' | b'K']
            if matches!(off, [] | [b'0']) || on.split(|b| *b == b';').any(|on| parameter_ends_formatting(on, off))),
        [0x0F | 0x03 | 0x04] => true,
        // The other codes of mIRC start and end the same formatting.
        _ => code == opener && code[0] != 0x1B && code.len() == 1,
    }
}

/// True if `off`, the parameter of an escape sequence, ends the formatting that the parameter `on`
/// starts.
fn parameter_ends_formatting(on: &[u8], off: &[u8]) -> bool {
    match off {
        b"22" => matches!(on, [b'1' | b'2'] | [b'0', b'1' | b'2']),
        b"23" => matches!(on, [b'3'] | b"03"),
        b"24" => matches!(on, [b'4'] | b"04"),
        b"27" => matches!(on, [b'7'] | b"07"),
        b"39" => matches!(on, [b'3' | b'9', b'0'..=b'8']),
        b"49" => matches!(on, [b'4', b'0'..=b'8']),
        _ => false,
    }
}

/// Returns the terminal code that ends right before byte `start`, or `None` if there is none.
fn code_before(text: &[u8], start: usize) -> Option<&[u8]> {
    let head = &text[start.saturating_sub(MAX_SEQUENCE)..start];
    let code = &head[head.iter().rposition(|byte| is_code_start(*byte))?..];
    (code_len(code) == Some(code.len())).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(text: &[u8], start: usize) -> Option<&[u8]> {
        let at = start + text[start..].iter().position(|byte| is_code_start(*byte))?;
        resume_after_codes(text, start, at).map(|at| &text[at..])
    }

    #[test]
    fn codes_inside_are_skipped() {
        for (text, expected) in [
            (&b"http://exa\x1B[1mmple"[..], &b"mple"[..]),
            (b"http://fo\x1B[01;31m\x1B[Ko\x1B[m\x1B[K/x", b"o\x1B[m\x1B[K/x"),
            (b"http://h/\x1B[38;5;12mx", b"x"),
            (b"http://h/\x02x", b"x"),
            (b"http://h/\x0304,12x", b"x"),
            (b"http://h/\x03,x", b",x"),
            (b"http://h/\x04FF0000x", b"x"),
            (b"http://h/\x04FF00x", b"FF00x"),
            (b"http://h/\x0F\x1Fx", b"x"),
        ] {
            assert_eq!(rest(text, 0), Some(expected), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn other_sequences_end_the_url() {
        for text in
            [&b"http://h/\x1B(Bx"[..], b"http://h/\x1B]8;;\x1B\\x", b"http://h/\x1B[2Jx", b"a\x1B"]
        {
            assert_eq!(rest(text, 0), None, "{}", text.escape_ascii());
        }
        let many = [&b"http://h/"[..], &b"\x1B[1m".repeat(MAX_GAP), b"x"].concat();
        assert_eq!(rest(&many, 0), None);
    }

    #[test]
    fn code_that_ends_the_formatting_of_the_whole_url_ends_it() {
        assert_eq!(rest(b"\x1B[32mhttp://h/a\x1B[0mb", 5), None);
        assert_eq!(rest(b"\x1B[36mhttp://h/a\x1B[39mb", 5), None);
        assert_eq!(rest(b"\x1B[1;4mhttp://h/a\x1B[24mb", 6), None);
        assert_eq!(rest(b"\x0312http://h/a\x03b", 3), None);
        assert_eq!(rest(b"\x02http://h/a\x02b", 1), None);
        // Another formatting ends within the URL.
        assert_eq!(rest(b"\x1B[36mhttp://h:80\x1B[22m/\x1B[39mb", 5), Some(&b"/\x1B[39mb"[..]));
        assert_eq!(rest(b"\x02http://h/a\x1Db", 1), Some(&b"b"[..]));
        assert_eq!(rest(b"\x1B[1m\x1B[Khttp://h\x1B[m\x1B[K/b", 7), Some(&b"/b"[..]));
    }

    #[test]
    fn codes_may_precede_the_host() {
        assert!(host_follows_codes(b"http://\x1B[01;31m\x1B[Kh.dom", 4));
        assert!(!host_follows_codes(b"http://\x1B[m ", 4));
        assert!(!host_follows_codes(b"http:/\x1B[mh", 4));
        assert!(!host_follows_codes(b"http://h", 4));
    }
}
