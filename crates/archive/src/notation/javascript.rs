//! The escapes in the string literals of JavaScript, and in JSON within a page.
//!
//! Outside of string literals, a backslash is part of a regular expression (`/^https?:\/\//`),
//! which is not a URL.

use super::json;
use super::unescape::{Replacement, find_backslash, push_unescaped};
use crate::decode::derived::{Decoded, Derived};
use memchr::{memchr_iter, memmem};

/// Decodes the escapes in the string literals of `text`, which starts at offset `source_offset` of
/// the map's source. Returns `None` if there are no escapes that are used in URLs. Takes linear
/// time.
pub(crate) fn decode_javascript(text: &[u8], source_offset: usize) -> Option<Decoded> {
    let is_in_urls = |at: usize| {
        let escaped = text.get(at + 1..).unwrap_or_default();
        matches!(escaped, [b'/' | b'x', ..] | [b'u', b'0', b'0', ..])
    };
    if !memchr_iter(b'\\', text).any(is_in_urls) {
        return None;
    }
    let mut out = Derived::new(text.len(), source_offset);
    let (mut from, mut at, mut any) = (0, 0, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' | b'\'' => {
                let Some(end) = string_literal_end(text, at, byte) else {
                    at += 1;
                    continue;
                };
                out.push_copy(text, from, at + 1);
                any |= push_unescaped(
                    text,
                    at + 1..end,
                    &mut out,
                    find_backslash,
                    parse_javascript_escape,
                );
                (from, at) = (end, end + 1);
            }
            b'/' => at = skip_comment_or_regex(text, at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    out.push_copy(text, from, text.len());
    any.then(|| out.finish())
}

/// Returns the replacement of the JavaScript escape at offset `at`, and its length in bytes, or
/// `None` if there is no escape. Supports the escapes of JSON and `\xHH`.
fn parse_javascript_escape(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    if let Some(&[b'\\', b'x', high, low]) = text.get(at..at + 4) {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let c = char::from_u32(digit(high)? << 4 | digit(low)?)?;
        return Some((Replacement::Char(c), 4));
    }
    json::parse_json_escape(text, at)
}

/// Returns the offset of the quote that closes the string literal opened by the `quote` at `open`.
/// Returns `None` if the line ends before it.
fn string_literal_end(text: &[u8], open: usize, quote: u8) -> Option<usize> {
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

/// Returns the offset after the comment or regular expression that starts with the slash at `at`.
/// If the slash is a division, returns the offset after the slash.
fn skip_comment_or_regex(text: &[u8], at: usize) -> usize {
    /// The maximum length of a regular expression, in bytes.
    const MAX_EXPRESSION: usize = 512;
    let rest = text.get(at + 1..).unwrap_or_default();
    let line_end = || memchr::memchr(b'\n', rest).map_or(text.len(), |len| at + 1 + len);
    match rest.first() {
        Some(b'/') => line_end(),
        Some(b'*') => memmem::find(rest, b"*/").map_or(text.len(), |len| at + 1 + len + 2),
        _ if !expects_operand(text, at) => at + 1,
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
fn expects_operand(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_ascii_end();
    before.ends_with(b"return")
        || before.last().is_none_or(|byte| b"(,=:[!&|?{};<>+-*%~^".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::decode_javascript;

    fn decoded(text: &str) -> Option<String> {
        decode_javascript(text.as_bytes(), 0).map(|made| String::from_utf8(made.text).unwrap())
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
