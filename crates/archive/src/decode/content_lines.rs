//! The content lines of calendars and contact cards (RFC 5545 §3.1, RFC 6350 §3.2). A line that
//! starts with white space continues the previous line; the line break and that white space are a
//! *fold*. Lines may be folded anywhere, also inside a URL.

use super::derived::{Decoded, Derived};
use memchr::memchr2;

/// Returns the length in bytes of the fold (a line break and the blank after it) at the start of
/// `text`, or 0 if there is none.
const fn fold_len_at_start(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', b' ' | b'\t', ..] => 3,
        [b'\n', b' ' | b'\t', ..] => 2,
        _ => 0,
    }
}

/// Returns the byte for the backslash escape at the start of `text`, and the escape's length. A
/// fold may be inside the escape. Returns `None` if no escape starts there.
fn parse_escape(text: &[u8]) -> Option<(u8, usize)> {
    let rest = text.strip_prefix(b"\\")?;
    let skipped = fold_len_at_start(rest);
    let byte = match rest.get(skipped)? {
        b'n' | b'N' => b'\n',
        // vCard 3 also writes `\\:`.
        &byte @ (b',' | b';' | b':' | b'\\') => byte,
        _ => return None,
    };
    Some((byte, skipped + 2))
}

/// Removes the folds from content lines, and decodes their backslash escapes. `text` starts at
/// offset `source_offset` of the map's source. Returns `None` if there are neither folds nor
/// escapes. Takes linear time.
pub(crate) fn decode_content_lines(text: &[u8], source_offset: usize) -> Option<Decoded> {
    let mut out: Option<Derived> = None;
    let (mut from, mut at) = (0, 0);
    while let Some(next) = text.get(at..).and_then(|rest| memchr2(b'\n', b'\\', rest)) {
        at += next;
        let rest = text.get(at..).unwrap_or_default();
        let (len, byte) = match (fold_len_at_start(rest), parse_escape(rest)) {
            (0, None) => {
                at += 1;
                continue;
            }
            (len, None) => (len, None),
            (_, Some((byte, len))) => (len, Some(byte)),
        };
        let out = out.get_or_insert_with(|| Derived::new(text.len(), source_offset));
        let has_cr = byte.is_none() && at > from && text.get(at - 1) == Some(&b'\r');
        out.push_copy(text, from, at - usize::from(has_cr));
        if let Some(byte) = byte {
            out.push_replacement(&[byte], at, at + len);
        }
        at += len;
        from = at;
    }
    let mut out = out?;
    out.push_copy(text, from, text.len());
    Some(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    #[test]
    fn folds_and_escapes_are_decoded() {
        for (raw, text) in [
            ("a:http://h.dom/al\r\n tnumbers\r\nb:c", Some("a:http://h.dom/altnumbers\r\nb:c")),
            ("a:b\n\tc\n  d", Some("a:bc d")),
            ("a:x\\nhttp://h/\\, \\\\n\\;\\x", Some("a:x\nhttp://h/, \\n;\\x")),
            ("a:http://h/\\\r\n nb", Some("a:http://h/\nb")),
            ("URL:http\\://h/", Some("URL:http://h/")),
            ("a:b\r\nc:d\\", None),
            ("\n", None),
            ("\r\n ", Some("")),
        ] {
            let found = decode_content_lines(raw.as_bytes(), 0);
            let found = found.as_ref().map(|found| std::str::from_utf8(&found.text).unwrap());
            assert_eq!(found, text, "{raw:?}");
        }
        let found = decode_content_lines(b"http://h/a\r\n b", 100).unwrap();
        assert_eq!(found.map.to_source(Span::new(0, 11)), Span::new(100, 114));
    }
}
