//! Names of elements, attributes and fields, packed into numbers for fast comparison.

use crate::simd::{parse_tag_name, to_lower_case};
use core::ops::Range;

/// The length of the longest known name, in bytes.
const MAX_LEN: usize = 16;

/// A name in lower case, encoded as a number. The number is 0 if the name is empty or longer than
/// any known name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(u128);

impl Name {
    /// Encodes `name`, ignoring case. The number is 0 if the name is empty or longer than 16 bytes.
    pub(crate) const fn new(name: &[u8]) -> Self {
        let mut bytes = [0; MAX_LEN];
        if name.len() > MAX_LEN {
            return Self(0);
        }
        let mut at = 0;
        while at < name.len() {
            bytes[at] = name[at];
            at += 1;
        }
        bytes.make_ascii_lowercase();
        Self(u128::from_le_bytes(bytes))
    }

    /// Returns the name as a number, or 0 if the name is empty or longer than any known name.
    pub(crate) const fn as_number(self) -> u128 {
        self.0
    }

    /// Encodes the name at `range` of `text`, ignoring case.
    #[inline]
    pub(crate) fn from_range(text: &[u8], range: &Range<usize>) -> Self {
        // If enough text follows, one load replaces a loop.
        let chunk = text.get(range.start..).and_then(<[u8]>::first_chunk::<MAX_LEN>);
        match (chunk, range.len()) {
            (Some(bytes), len @ 1..=MAX_LEN) => {
                let bytes = u128::from_le_bytes(to_lower_case(*bytes));
                Self(bytes & (u128::MAX >> (8 * (MAX_LEN - len))))
            }
            _ => Self::new(text.get(range.clone()).unwrap_or_default()),
        }
    }

    /// Encodes the tag name at the start of `html`, ignoring case, and returns it with its length
    /// in bytes. Returns `None` if the name may be longer than any known one, or if fewer than 16
    /// bytes are left.
    #[inline]
    pub(crate) fn from_tag_start(html: &[u8]) -> Option<(Self, usize)> {
        let (len, name) = parse_tag_name(*html.first_chunk()?)?;
        Some((Self(name), len))
    }
}
