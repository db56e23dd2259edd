//! RFC 3987: which characters beyond ASCII may stand in an IRI.

/// Where in an IRI a character stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a query, where private characters are allowed.
    Query,
    /// Anywhere else.
    Other,
}

/// The length in bytes of the `ucschar` (in a query, also `iprivate`) at `at`; `None` for any other
/// character, for white space (it ends a URL in text, so it cannot stand in one), and for what is
/// not UTF-8.
pub(crate) fn character(text: &[u8], at: usize, place: Place) -> Option<usize> {
    let character = decode(text, at)?;
    let allowed = match u32::from(character) {
        0xA0 | 0x1680 | 0x2000..=0x200B | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 => false,
        0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD => place == Place::Query,
        0xA1..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFEFE | 0xFF00..=0xFFEF => true,
        // Each plane's last two code points are no characters; RFC 3987 leaves out U+E0000-U+E0FFF.
        high @ 0x1_0000..=0xE_FFFF => {
            high & 0xFFFF < 0xFFFE && !(0xE_0000..0xE_1000).contains(&high)
        }
        _ => false,
    };
    allowed.then(|| character.len_utf8())
}

/// The character that starts at `at`, if what is there is UTF-8.
pub(crate) fn decode(text: &[u8], at: usize) -> Option<char> {
    let length = match *text.get(at)? {
        0..0x80 => 1,
        0xC2..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0..0xF5 => 4,
        _ => return None,
    };
    core::str::from_utf8(text.get(at..at + length)?).ok()?.chars().next()
}
