//! The escapes in the string literals of JavaScript, and in JSON within a page. Outside of string
//! literals a backslash is part of a regular expression (`/^https?:\/\//`), which is not a URL.

use super::json;
use super::unescape::{Replacement, backslash, unescape};
use crate::decode::derived::{Decoded, Derived};
use memchr::memmem;

/// Decodes the string literals in `text`. `None` if none of them has an escape that URLs are written
/// with. Linear.
pub(crate) fn decode(text: &[u8], base: usize) -> Option<Decoded> {
    let is_coded = [&br"\/"[..], br"\u00", br"\x"].iter().any(|e| memmem::find(text, e).is_some());
    if !is_coded {
        return None;
    }
    let mut out = Derived::new(text.len(), base);
    let (mut from, mut at, mut any) = (0, 0, false);
    while let Some(&byte) = text.get(at) {
        let end = match byte {
            b'"' | b'\'' => string_end(text, at, byte),
            b'/' => {
                at = skip_slash(text, at);
                continue;
            }
            b'\\' => {
                at += 2;
                continue;
            }
            _ => None,
        };
        let Some(end) = end else {
            at += 1;
            continue;
        };
        out.copy(text, from, at + 1);
        any |= unescape(text, at + 1..end, &mut out, backslash, escape);
        (from, at) = (end, end + 1);
    }
    out.copy(text, from, text.len());
    any.then(|| out.finish())
}

/// Returns the escape at offset `at`.
fn escape(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    if let Some([b'\\', b'x', digits @ ..]) = text.get(at..at + 4) {
        let code = hex_byte(digits)?;
        return Some((Replacement::Char(char::from(code)), 4));
    }
    json::escape(text, at)
}

/// Returns the byte that two hexadecimal digits encode.
fn hex_byte(digits: &[u8]) -> Option<u8> {
    digits.iter().try_fold(0_u8, |code, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        code.checked_mul(16)?.checked_add(u8::try_from(digit).ok()?)
    })
}

/// Returns the offset of the quote that closes the string literal which opens at `open`. String
/// literals end on their line.
fn string_end(text: &[u8], open: usize, quote: u8) -> Option<usize> {
    let mut at = open + 1;
    loop {
        let rest = text.get(at..)?;
        at += memchr::memchr3(quote, b'\\', b'\n', rest)?;
        match text.get(at) {
            Some(b'\\') => at += 2,
            Some(b'\n') => return None,
            _ => return Some(at),
        }
    }
}

/// Returns the offset after the comment or regular expression that starts with the slash at `at`;
/// after the slash itself if it divides.
fn skip_slash(text: &[u8], at: usize) -> usize {
    /// The maximum length of a regular expression, in bytes.
    const MAX_EXPRESSION: usize = 512;
    let rest = text.get(at + 1..).unwrap_or_default();
    let line_end = || memchr::memchr(b'\n', rest).map_or(text.len(), |len| at + 1 + len);
    match rest.first() {
        Some(b'/') => line_end(),
        Some(b'*') => memmem::find(rest, b"*/").map_or(text.len(), |len| at + 1 + len + 2),
        _ if !follows_operator(text, at) => at + 1,
        _ => {
            let (mut end, mut is_class) = (at + 1, false);
            while let Some(&byte) = text.get(end).filter(|_| end < at + MAX_EXPRESSION) {
                match byte {
                    b'\\' => end += 1,
                    b'[' => is_class = true,
                    b']' => is_class = false,
                    b'/' if !is_class => return end + 1,
                    b'\n' => break,
                    _ => {}
                }
                end += 1;
            }
            at + 1
        }
    }
}

/// True if an operand must come at offset `at`, so that a slash there starts a regular expression.
fn follows_operator(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_ascii_end();
    before.ends_with(b"return")
        || before.last().is_none_or(|byte| b"(,=:[!&|?{};<>+-*%~^".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn decoded(text: &str) -> Option<String> {
        decode(text.as_bytes(), 0).map(|made| String::from_utf8(made.text).unwrap())
    }

    #[test]
    fn only_string_literals_are_decoded() {
        for (text, expected) in [
            (r#"{"url":"https:\/\/a.dom\/b\/"}"#, r#"{"url":"https://a.dom/b/"}"#),
            (r"x='http:\/\/a.dom\/?b\u0026c\x3d1'", "x='http://a.dom/?b&c=1'"),
            (r#"a(/"\/'/, "\/b")"#, r#"a(/"\/'/, "/b")"#),
            (r#"// don't "\/"#, ""),
            ("/* it's */ '\\/'", "/* it's */ '/'"),
            (r#"a = b / c + "\/" / d"#, r#"a = b / c + "/" / d"#),
            (r"'it\x27s\/'", "'it's/'"),
        ] {
            assert_eq!(decoded(text).unwrap_or_default(), expected, "{text}");
        }
        for text in [r"x.replace(/^https?:\/\/registry/, '')", r"/[/'\/]/.test(a)", "a\\/b", "'a'"]
        {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
