//! Decodes UTF-7 (RFC 2152). `encoding_rs` omits UTF-7 on purpose, because browsers must not
//! support it, but mail uses it.

use super::derived::{Decoded, Derived};
use memchr::memchr;

/// Returns the value of a base64 character, or `None` for any other byte.
const fn base64_value(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Decodes UTF-7. `text` starts at offset `source_offset` of the map's source. Never fails: a `+`
/// that doesn't start a shifted sequence is copied.
pub(crate) fn decode_utf7(text: &[u8], source_offset: usize) -> Decoded {
    let mut out = Derived::new(text.len(), source_offset);
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let plus = memchr(b'+', rest).unwrap_or(rest.len());
        out.push_copy(text, at, at + plus);
        at += plus;
        let Some(shifted) = text.get(at + 1..) else { break };
        if shifted.first() == Some(&b'-') {
            out.push_replacement(b"+", at, at + 2);
            at += 2;
            continue;
        }
        let len = shifted.iter().take_while(|&&b| base64_value(b).is_some()).count();
        let decoded = decode_shifted_sequence(shifted.get(..len).unwrap_or_default());
        if decoded.is_empty() {
            out.push_copy(text, at, at + 1);
            at += 1;
            continue;
        }
        // The hyphen that ends the sequence is part of it.
        let end = at + 1 + len + usize::from(shifted.get(len) == Some(&b'-'));
        out.push_replacement(decoded.as_bytes(), at, end);
        at = end;
    }
    out.finish()
}

/// Decodes the base64 characters of a shifted sequence, which encode UTF-16. Returns an empty
/// string if the sequence is invalid.
fn decode_shifted_sequence(base64: &[u8]) -> String {
    let mut units = Vec::with_capacity(base64.len() * 3 / 8);
    let (mut bits, mut bit_count) = (0_u32, 0_u32);
    for value in base64.iter().filter_map(|&b| base64_value(b)) {
        bits = (bits << 6 | u32::from(value)) & 0x3F_FFFF;
        bit_count += 6;
        if bit_count >= 16 {
            bit_count -= 16;
            units.push(u16::try_from(bits >> bit_count & 0xFFFF).unwrap_or(0xFFFD));
        }
    }
    // The remaining bits are padding: fewer than six, all zero (RFC 2152, rule 2).
    if bit_count >= 6 || bits & ((1 << bit_count) - 1) != 0 {
        return String::new();
    }
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    #[test]
    fn shifted_sequences_are_decoded() {
        for (raw, expected) in [
            ("Hi Mom -+Jjo--!", "Hi Mom -\u{263A}-!"),
            ("A+ImIDkQ.", "A\u{2262}\u{0391}."),
            ("1 +- 1", "1 + 1"),
            ("+AGgAdAB0AHA-://h/", "http://h/"),
            ("a+b http://h/a+b", "a+b http://h/a+b"),
            ("+", "+"),
            ("+2D3eAA-", "\u{1F600}"),
        ] {
            assert_eq!(
                String::from_utf8_lossy(&decode_utf7(raw.as_bytes(), 0).text),
                expected,
                "{raw}"
            );
        }
        let map = decode_utf7(b"x+AGg-y", 0).map;
        assert_eq!(map.to_source(Span::new(1, 2)), Span::new(1, 6));
        assert_eq!(map.to_source(Span::new(2, 3)), Span::new(6, 7));
    }
}
