//! Pipermail's monthly text files, in which ` at ` replaces the `@` of every address.
//!
//! These files are recognized by their envelope lines: `From joe at host.dom  Thu Dec  1 10:00:00
//! 1994`. In the text, ` at ` may be an ordinary word, except between `mailto:` and a host. So only
//! `mailto` URLs are restored.

use crate::decode::derived::{Decoded, Derived};
use core::ops::Range;
use memchr::{memchr, memmem};

const AT: &[u8; 4] = b" at ";

/// True if a message's envelope line, which starts with `From `, has ` at ` in place of the `@` of
/// its address.
pub(crate) fn has_obscured_address(envelope: &[u8]) -> bool {
    let address = envelope.get(5..).unwrap_or_default();
    let end = memchr(b' ', address).unwrap_or(address.len());
    let host = address.get(end..).and_then(|rest| rest.strip_prefix(AT));
    // In `joe at 10:00`, a colon would follow instead of a blank.
    end > 0
        && host.is_some_and(|rest| {
            rest.get(host_chars_len(rest)..).is_some_and(|r| r.starts_with(b" "))
        })
}

/// Returns the number of bytes at the start of `text` that can be part of a host name.
fn host_chars_len(text: &[u8]) -> usize {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'+');
    text.iter().position(|b| !is_part(b)).unwrap_or(text.len())
}

/// Returns the host after ` at ` if `text` starts with ` at ` and a host of at least two labels;
/// otherwise `None`.
pub(crate) fn host_after_at_word(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(AT)?;
    let host = rest.get(..host_chars_len(rest))?;
    let host = host.strip_suffix(b".").unwrap_or(host);
    let inner = host.get(1..host.len().checked_sub(1)?)?;
    (host.first()?.is_ascii_alphanumeric() && inner.contains(&b'.')).then_some(host)
}

/// Returns the ranges of each ` at ` that replaces the `@` of a `mailto` URL in `text`.
fn at_word_ranges(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    const MAILTO: &[u8] = b"mailto:";
    memmem::find_iter(text, MAILTO).filter_map(|at| {
        let from = at + MAILTO.len();
        let rest = text.get(from..)?;
        let is_end = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'<' | b'>' | b'"' | b'@');
        let len = rest.iter().position(is_end).filter(|&len| len > 0)?;
        host_after_at_word(rest.get(len..)?)?;
        Some(from + len..from + len + AT.len())
    })
}

/// Restores the `@` in the `mailto` URLs of `text`, which starts at byte `source_offset` of the
/// unit. Returns `None` if there is nothing to restore. Takes linear time.
pub(crate) fn restore_at_signs(text: &[u8], source_offset: usize) -> Option<Decoded> {
    let mut ranges = at_word_ranges(text).peekable();
    ranges.peek()?;
    let mut out = Derived::new(text.len(), source_offset);
    let mut from = 0;
    for mark in ranges {
        out.push_copy(text, from, mark.start);
        out.push_replacement(b"@", mark.start, mark.end);
        from = mark.end;
    }
    out.push_copy(text, from, text.len());
    Some(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    #[test]
    fn obscured_envelopes_are_recognized() {
        assert!(has_obscured_address(b"From joe at host.dom  Thu Dec  1 10:00:00 1994"));
        assert!(has_obscured_address(b"From joe at host  Thu Dec  1 10:00:00 1994"));
        for plain in
            ["From joe@host.dom Thu Dec  1 10:00:00 1994", "From joe at 10:00:00", "From ", ""]
        {
            assert!(!has_obscured_address(plain.as_bytes()), "{plain}");
        }
    }

    #[test]
    fn mailto_addresses_are_restored() {
        for (text, decoded) in [
            ("<mailto:joe at h.dom>", Some("<mailto:joe@h.dom>")),
            (
                "mailto:joe at h.dom?subject=x or mailto:a-b at c.d.",
                Some("mailto:joe@h.dom?subject=x or mailto:a-b@c.d."),
            ),
            ("mailto:joe at home", None),
            ("mailto:joe@h.dom at noon.sharp", None),
            ("mailto: joe at h.dom", None),
            ("joe at h.dom", None),
        ] {
            let found = restore_at_signs(text.as_bytes(), 0);
            let found = found.as_ref().map(|found| std::str::from_utf8(&found.text).unwrap());
            assert_eq!(found, decoded, "{text}");
        }
        let found = restore_at_signs(b"mailto:joe at h.dom", 100).unwrap();
        assert_eq!(found.map.to_source(Span::new(10, 11)), Span::new(110, 114));
    }
}
