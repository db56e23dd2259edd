//! Spans of bytes. There are two types, so that offsets in a decoded text and offsets in a file
//! can't be confused.

use core::ops::Range;

/// A half-open, 0-based range of byte offsets within a text.
///
/// ```
/// use urlsift_core::Span;
/// let span = Span::new(4, 7);
/// assert_eq!(&b"see x:y now"[span.range()], b"x:y");
/// assert_eq!(span.len(), 3);
/// assert!(span.overlaps(Span::new(6, 9)) && !span.overlaps(Span::new(7, 9)));
/// assert_eq!((span.clipped(5), span.shifted(10)), (Span::new(4, 5), Span::new(14, 17)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Ends<usize>")
)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte; never less than `start`.
    pub end: usize,
}

impl Span {
    /// Creates the span from `start` up to, but not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    /// Returns the number of bytes in the span.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// True if the span contains no bytes.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True if the two spans have a byte in common, or if one of them is empty and strictly inside
    /// the other.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the span as a standard range, for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the part of the span before the offset `end`. It is empty if the span starts at or
    /// after `end`.
    #[must_use]
    pub const fn clipped(self, end: usize) -> Self {
        let start = if self.start < end { self.start } else { end };
        Self { start, end: if self.end < end { self.end } else { end } }
    }

    /// Returns the span moved `by` bytes forward.
    #[must_use]
    pub const fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A half-open, 0-based range of byte offsets within a raw file, or within the decompressed bytes
/// of a compressed file. Offsets are 64-bit on all platforms, and never above `i64::MAX`.
///
/// ```
/// use urlsift_core::{FileSpan, Span};
/// // Found at byte 5 of a message that begins 3 GiB into its file.
/// let place = FileSpan::from_base(3 << 30, Span::new(5, 25));
/// assert_eq!(place.end - place.start, 20);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Ends<u64>")
)]
pub struct FileSpan {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte.
    pub end: u64,
}

impl FileSpan {
    /// Returns the span in a file of `span`, whose offsets count from byte `base` of that file.
    ///
    /// ```
    /// use urlsift_core::{FileSpan, Span};
    /// assert_eq!(FileSpan::from_base(100, Span::new(2, 5)), FileSpan { start: 102, end: 105 });
    /// ```
    pub const fn from_base(base: u64, span: Span) -> Self {
        Self { start: base + span.start as u64, end: base + span.end as u64 }
    }
}

/// The two ends of a deserialized span, before they are validated.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Ends<T> {
    start: T,
    end: T,
}

#[cfg(feature = "serde")]
impl<T: PartialOrd> Ends<T> {
    fn check_order(self) -> Result<(T, T), &'static str> {
        if self.start <= self.end {
            Ok((self.start, self.end))
        } else {
            Err("the span ends before it starts")
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Ends<usize>> for Span {
    type Error = &'static str;

    fn try_from(ends: Ends<usize>) -> Result<Self, Self::Error> {
        ends.check_order().map(|(start, end)| Self { start, end })
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Ends<u64>> for FileSpan {
    type Error = &'static str;

    fn try_from(ends: Ends<u64>) -> Result<Self, Self::Error> {
        ends.check_order().map(|(start, end)| Self { start, end })
    }
}
