//! References of XML to characters and entities.
//!
//! They are undone in CDATA sections as well, which hold HTML in feeds; and so is a reference whose own ampersand is
//! written as one: HTML that is the content of an element.

use super::undo::Stands;
use crate::html::entity;
use memchr::memchr;

pub(super) fn find(text: &[u8]) -> Option<usize> {
    memchr(b'&', text)
}

/// The reference at byte `at`.
pub(super) fn escape(text: &[u8], at: usize) -> Option<(Stands, usize)> {
    const AMPERSAND: &[u8] = b"amp;";
    let start = at + 1;
    let mut name = start;
    while text.get(name..).is_some_and(|rest| rest.starts_with(AMPERSAND)) {
        name += AMPERSAND.len();
    }
    // The byte before the name stands for the ampersand that it has.
    let written = text.get(name..).and_then(|rest| {
        let len = rest.iter().take(LONGEST).position(|&byte| byte == b';')?;
        let mut reference = [b'&'; LONGEST + 1];
        reference.get_mut(1..=len + 1)?.copy_from_slice(rest.get(..=len)?);
        let (c, used) = entity::reference(reference.get(..len + 2)?)?;
        (used == len + 2).then_some((c, name + used - 1))
    });
    let (c, end) = written.or((name > start).then_some(('&', name)))?;
    Some((Stands::For(c), end - at))
}

/// The longest reference that is known, without its ampersand.
const LONGEST: usize = 13;
