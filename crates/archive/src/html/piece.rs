//! What HTML is taken apart into, beside the text that is shown.

use core::ops::Range;
use memchr::{memchr, memchr_iter};

/// Something found in a tag or between tags.
pub(crate) enum Piece<'n> {
    /// An attribute's value, one URL of it where it holds several, by `element/attribute`.
    Attribute(&'n str, Range<usize>),
    /// The inside of a comment: HTML that is not shown.
    Comment(Range<usize>),
    /// What follows a tag, comment or script that is never closed.
    Broken(Range<usize>),
    /// A value that is no URL itself but may speak of one, by `element/attribute`.
    Mention(&'n str, Range<usize>),
    /// A script, style or declaration that may speak of a URL. It has no references to decode.
    Source(&'n str, Range<usize>),
}

/// Whether a text that is mostly something else may speak of a URL all the same.
pub(super) fn may_mention(text: &[u8]) -> bool {
    match memchr(b':', text) {
        Some(colon) => has_slashes(text, colon) || has_address(text, colon),
        None => false,
    }
}

/// Whether two slashes stand behind the first colon, or another.
fn has_slashes(text: &[u8], colon: usize) -> bool {
    let rest = text.get(colon..).unwrap_or_default();
    memchr_iter(b':', rest).any(|at| rest.get(at + 1..at + 3) == Some(b"//"))
}

/// Whether there is an `@` after the colon, as in `mailto:joe@host.dom`.
fn has_address(text: &[u8], colon: usize) -> bool {
    text.get(colon..).is_some_and(|rest| memchr(b'@', rest).is_some())
}

/// Appends the name of an element or attribute in lower case.
pub(super) fn push_lower(label: &mut String, name: &[u8]) {
    label.extend(name.iter().map(|b| char::from(b.to_ascii_lowercase())));
}
