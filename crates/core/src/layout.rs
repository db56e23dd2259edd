//! Line breaks whose meaning is known from a mail's headers, not from the text itself.
//!
//! In a `format=flowed` mail, a *soft* break continues the line. The types are defined here because
//! the crate that decodes mail and the crate that joins URLs across breaks both use them and don't
//! depend on each other.

use crate::packed;
use alloc::vec::Vec;

/// The meaning of a line break in a `format=flowed` mail.
///
/// ```
/// use urlsift_core::{BreakKind, Breaks};
/// let mut breaks = Breaks::new();
/// breaks.push(71, BreakKind::SoftDelSp);
/// assert_eq!(breaks.kind_at(71), Some(BreakKind::SoftDelSp));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BreakKind {
    /// The line continues after the break, and the space before the break is part of the text (RFC
    /// 3676 §4.1).
    Soft,
    /// The line continues after the break, and the space before the break must be removed, because
    /// the sending program added it (RFC 3676 §4.1, `DelSp=yes`).
    SoftDelSp,
    /// The break ends a paragraph or a fixed line.
    Hard,
}

/// A line break in a text: its position and its kind.
///
/// ```
/// use urlsift_core::{Break, BreakKind, Breaks};
/// let text = b"a line that goes on \nhere";
/// let known = Break { at: 20, kind: BreakKind::Soft };
/// let breaks: Breaks = [known].into_iter().collect();
/// assert_eq!((text[known.at], breaks.iter().next()), (b'\n', Some(known)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Break {
    /// Byte offset of the break's first byte (the CR of a CRLF, else the LF).
    pub at: usize,
    /// The kind of the break.
    pub kind: BreakKind,
}

/// The number of breaks between two marks, i.e. the maximum number to decode for a lookup.
const STRIDE: usize = 64;

/// A list of the line breaks of a text, with their kinds, in order. It is compact: each break takes
/// one or two bytes.
///
/// ```
/// use urlsift_core::{Break, BreakKind, Breaks};
/// let mut breaks = Breaks::new();
/// breaks.push(9, BreakKind::Soft);
/// breaks.push(20, BreakKind::Hard);
/// assert_eq!(breaks.kind_at(9), Some(BreakKind::Soft));
/// assert_eq!(breaks.kind_at(10), None);
/// assert_eq!(breaks.iter().last(), Some(Break { at: 20, kind: BreakKind::Hard }));
/// breaks.clear();
/// assert!(breaks.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Breaks {
    /// The distance of each break from the previous one, and its kind, as variable-length numbers.
    bytes: Vec<u8>,
    /// For every [`STRIDE`]th break, its index in `bytes` and the offset of the previous break.
    marks: Vec<(usize, usize)>,
    len: usize,
    last: usize,
}

impl Breaks {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), marks: Vec::new(), len: 0, last: 0 }
    }

    /// True if there are no breaks.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends a break of the given kind at byte offset `at`, which must not be before that of the
    /// last break.
    pub fn push(&mut self, at: usize, kind: BreakKind) {
        if self.len.is_multiple_of(STRIDE) {
            self.marks.push((self.bytes.len(), self.last));
        }
        let step = at.saturating_sub(self.last) as u64;
        packed::write_packed(&mut self.bytes, step << 2 | kind as u64);
        (self.last, self.len) = (at, self.len + 1);
    }

    /// Removes all breaks.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.marks.clear();
        (self.len, self.last) = (0, 0);
    }

    /// Returns all breaks, in order.
    pub fn iter(&self) -> impl Iterator<Item = Break> {
        self.iter_from((0, 0))
    }

    /// Returns the kind of the break at byte offset `at`, or `None` if no break was added there.
    /// Takes logarithmic time.
    pub fn kind_at(&self, at: usize) -> Option<BreakKind> {
        let mark = self.marks.partition_point(|&(_, before)| before < at).saturating_sub(1);
        let found = self.iter_from(*self.marks.get(mark)?).find(|known| known.at >= at)?;
        (found.at == at).then_some(found.kind)
    }

    /// Decodes the breaks from the index `place` of the encoded list on. `at` is the offset of the
    /// break before that index.
    fn iter_from(&self, (mut place, mut at): (usize, usize)) -> impl Iterator<Item = Break> {
        core::iter::from_fn(move || {
            let number = packed::read_packed(&self.bytes, &mut place)?;
            at += usize::try_from(number >> 2).ok()?;
            let kinds = [BreakKind::Soft, BreakKind::SoftDelSp];
            let kind = kinds.get((number & 3) as usize).copied().unwrap_or(BreakKind::Hard);
            Some(Break { at, kind })
        })
    }
}

impl FromIterator<Break> for Breaks {
    fn from_iter<I: IntoIterator<Item = Break>>(breaks: I) -> Self {
        let mut all = Self::new();
        breaks.into_iter().for_each(|Break { at, kind }| all.push(at, kind));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_added_breaks_are_found() {
        let kinds = [BreakKind::Hard, BreakKind::Soft, BreakKind::SoftDelSp];
        for steps in [&[1][..], &[2, 3], &[40, 1, 5000], &[0, 100_000]] {
            for count in [0, 1, 63, 64, 65, 128, 1000] {
                let mut at = 0;
                let numbered = steps.iter().cycle().zip(kinds.iter().cycle());
                let all: Vec<Break> = numbered
                    .take(count)
                    .enumerate()
                    .map(|(n, (step, &kind))| {
                        at += if n == 0 { 0 } else { (*step).max(1) };
                        Break { at, kind }
                    })
                    .collect();
                let breaks: Breaks = all.iter().copied().collect();
                assert!(breaks.iter().eq(all.iter().copied()));
                assert_eq!(breaks.is_empty(), all.is_empty());
                for known in &all {
                    assert_eq!(breaks.kind_at(known.at), Some(known.kind), "{known:?}");
                    let next = known.at + 1;
                    let is_known = all.iter().any(|other| other.at == next);
                    assert_eq!(breaks.kind_at(next).is_some(), is_known, "{next}");
                }
            }
        }
    }
}
