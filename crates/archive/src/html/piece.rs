//! The parts of HTML other than the text that is shown.

use core::ops::Range;
use memchr::{memchr, memchr_iter};

/// A part of a page other than the text that is shown, with its range in the page.
pub(crate) enum Piece<'n> {
    /// The value of an attribute, or one of the URLs in it, with the label `element/attribute`.
    Attribute(&'n str, Range<usize>),
    /// The content of a comment: HTML that is not shown.
    Comment(Range<usize>),
    /// The text after the start of a tag, comment or script that is never closed.
    Broken(Range<usize>),
    /// A value that is not a URL but may mention one, with the label `element/attribute`.
    Mention(&'n str, Range<usize>),
    /// A script, style or declaration that may mention a URL, with the name of the element.
    /// References in it are not decoded.
    Source(&'n str, Range<usize>),
}

/// True if a text may mention a URL. This is a fast filter with false positives.
pub(super) fn may_mention_url(text: &[u8]) -> bool {
    match memchr(b':', text) {
        Some(colon) => has_slashes_after_colon(text, colon) || has_at_sign_after_colon(text, colon),
        None => false,
    }
}

/// True if two slashes, or two escaped ones (`\/\/`), directly follow the colon at offset `colon`
/// or a later colon.
fn has_slashes_after_colon(text: &[u8], colon: usize) -> bool {
    let rest = text.get(colon..).unwrap_or_default();
    memchr_iter(b':', rest).any(|at| {
        rest.get(at + 1..at + 3) == Some(b"//") || rest.get(at + 1..at + 5) == Some(br"\/\/")
    })
}

/// True if there is an `@` after the colon at offset `colon`, as in `mailto:joe@host.dom`.
fn has_at_sign_after_colon(text: &[u8], colon: usize) -> bool {
    text.get(colon..).is_some_and(|rest| memchr(b'@', rest).is_some())
}

/// Appends the name of an element or attribute to `label`, in lower case.
pub(super) fn push_lower_case(label: &mut String, name: &[u8]) {
    label.extend(name.iter().map(|b| char::from(b.to_ascii_lowercase())));
}
