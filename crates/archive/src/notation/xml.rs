//! Decodes the character and entity references of XML.
//!
//! References are decoded in CDATA sections too, because these contain HTML in feeds. A reference
//! whose ampersand is itself escaped (`&amp;#47;`) is decoded twice, because it is HTML in the
//! content of an element.

use super::unescape::Replacement;
use crate::html::{self, entity};
use memchr::{memchr, memmem};

/// The number of bytes in which the XML declaration must end.
pub(super) const MAX_DECLARATION_LEN: usize = 2048;

/// True if `text` starts with an XML declaration.
pub(super) fn starts_with_declaration(text: &[u8]) -> bool {
    matches!(text.strip_prefix(b"<?xml"), Some([b' ' | b'\t' | b'\r' | b'\n', ..]))
}

/// Returns the label of the charset that an XML document declares at its start
/// (`<?xml … encoding=…?>`). Returns `None` if there is no such declaration.
pub(crate) fn declared_charset(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).trim_ascii_start();
    let start = text.get(..MAX_DECLARATION_LEN.min(text.len()))?;
    let end = memchr(b'>', start).filter(|_| starts_with_declaration(text))?;
    let declaration = start.get(..end)?;
    let name = memmem::find(declaration, b"encoding")? + b"encoding".len();
    // Unlike in HTML, blanks may precede the `=`.
    html::charset_label(declaration.get(name..)?.trim_ascii_start().strip_prefix(b"=")?)
}

/// Returns the offset of the first byte in `text` that may start a character reference, or `None`
/// if there is none.
pub(super) fn next_reference_start(text: &[u8]) -> Option<usize> {
    memchr(b'&', text)
}

/// Returns the replacement of the XML character reference at offset `at`, and its length in bytes,
/// or `None` if there is no known reference.
pub(super) fn parse_xml_reference(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    const AMPERSAND: &[u8] = b"amp;";
    let start = at + 1;
    let mut name = start;
    while text.get(name..).is_some_and(|rest| rest.starts_with(AMPERSAND)) {
        name += AMPERSAND.len();
    }
    // The reference is parsed with an ampersand in place of the byte before its name.
    let written = text.get(name..).and_then(|rest| {
        let len = rest.iter().take(MAX_REFERENCE_LEN).position(|&byte| byte == b';')?;
        let mut reference = [b'&'; MAX_REFERENCE_LEN + 1];
        reference.get_mut(1..=len + 1)?.copy_from_slice(rest.get(..=len)?);
        let (c, used) = entity::parse_character_reference(reference.get(..len + 2)?)?;
        (used == len + 2).then_some((c, name + used - 1))
    });
    let (c, end) = written.or((name > start).then_some(('&', name)))?;
    Some((Replacement::Char(c), end - at))
}

/// The length of the longest known reference, without its ampersand.
const MAX_REFERENCE_LEN: usize = 13;
