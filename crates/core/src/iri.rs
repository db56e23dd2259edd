//! The non-ASCII characters that RFC 3987 allows in an IRI.

/// The part of an IRI that a character is in. Queries allow more characters than other parts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A query, which allows private characters.
    Query,
    /// Anywhere else.
    Other,
}

/// Returns the length in bytes of the character at `at` if RFC 3987 allows it at `place`: a
/// `ucschar`, or in a query also an `iprivate`. Returns `None` for other characters, for white
/// space (which ends a URL in text), and for bytes that are not UTF-8.
pub(crate) fn allowed_char_len(text: &[u8], at: usize, place: Place) -> Option<usize> {
    let character = decode_char_at(text, at)?;
    let allowed = match u32::from(character) {
        0xA0 | 0x1680 | 0x2000..=0x200B | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 => false,
        0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD => place == Place::Query,
        0xA1..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFEFE | 0xFF00..=0xFFEF => true,
        // The last two code points of each plane are not characters, and RFC 3987 excludes
        // U+E0000-U+E0FFF.
        high @ 0x1_0000..=0xE_FFFF => {
            high & 0xFFFF < 0xFFFE && !(0xE_0000..0xE_1000).contains(&high)
        }
        _ => false,
    };
    allowed.then(|| character.len_utf8())
}

/// Returns the length in bytes of the character at byte `at`, if it was written in place of the `~`
/// before a user's name (`/~joe`). Otherwise returns `None`.
///
/// The character must look like `~`, `before` (the previous byte) must be a slash, and a letter
/// must follow. Old Japanese and Macintosh programs wrote `~` this way.
pub(crate) fn look_alike_tilde(text: &[u8], at: usize, before: Option<&u8>) -> Option<usize> {
    let len = match text.get(at..)? {
        // U+203E OVERLINE, U+223C TILDE OPERATOR, U+FF5E FULLWIDTH TILDE
        [0xE2, 0x80, 0xBE, ..] | [0xE2, 0x88, 0xBC, ..] | [0xEF, 0xBD, 0x9E, ..] => 3,
        // U+02DC SMALL TILDE
        [0xCB, 0x9C, ..] => 2,
        _ => return None,
    };
    let is_name = text.get(at + len).is_some_and(u8::is_ascii_alphabetic);
    (before == Some(&b'/') && is_name).then_some(len)
}

/// Returns the character that starts at byte `at`, or `None` if it is not valid UTF-8.
pub(crate) fn decode_char_at(text: &[u8], at: usize) -> Option<char> {
    let length = match *text.get(at)? {
        0..0x80 => 1,
        0xC2..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0..0xF5 => 4,
        _ => return None,
    };
    core::str::from_utf8(text.get(at..at + length)?).ok()?.chars().next()
}
