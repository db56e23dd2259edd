//! Names of elements, attributes and fields.

use crate::simd::{in_lower_case, tag_name};
use core::ops::Range;

/// The most bytes that a name has of which something is known.
const LONGEST: usize = 16;

/// A name in lower case as one number; 0 if it is empty or longer than any of which something is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(u128);

impl Name {
    /// `name` as one.
    pub(crate) const fn new(name: &[u8]) -> Self {
        let mut bytes = [0; LONGEST];
        if name.len() > LONGEST {
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

    /// The number.
    pub(crate) const fn number(self) -> u128 {
        self.0
    }

    /// The name at `range` of `text`.
    #[inline]
    pub(crate) fn at(text: &[u8], range: &Range<usize>) -> Self {
        // One load instead of a loop, where the text goes on far enough.
        let chunk = text.get(range.start..).and_then(<[u8]>::first_chunk::<LONGEST>);
        match (chunk, range.len()) {
            (Some(bytes), len @ 1..=LONGEST) => {
                let bytes = u128::from_le_bytes(in_lower_case(*bytes));
                Self(bytes & (u128::MAX >> (8 * (LONGEST - len))))
            }
            _ => Self::new(text.get(range.clone()).unwrap_or_default()),
        }
    }

    /// The name of the tag that starts `html`, and its length. `None` where it may be longer than any of which something is known, or
    /// the text soon ends.
    #[inline]
    pub(crate) fn of_tag(html: &[u8]) -> Option<(Self, usize)> {
        let (len, name) = tag_name(*html.first_chunk()?)?;
        Some((Self(name), len))
    }
}
