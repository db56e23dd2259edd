//! What is scanned: a file, or a range of one.

use crate::lines::LineStart;
use crate::record::FileName;
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::{Container, Head, Reading, detect};

/// A file, or a range of one that starts and ends where units may: anywhere in a plain text, at
/// message starts in mail (see [`urlsift_archive::split`]).
///
/// Scanning a unit gives exactly the records that a scan of the whole file has there.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::{Reading, split};
/// use urlsift_records::{FileName, LineStart, Options, Scan, Unit};
///
/// let message = "From joe Thu Dec  1 10:00:00 1994\nSubject: a\n\nhttp://host.dom/\n\n";
/// let mbox = message.repeat(100).into_bytes();
/// let (scan, file) = (Scan::new(Options::default()), Arc::new(FileName::new("a.mbox")));
/// let whole = Unit::whole(&file, &mbox, Reading::Auto);
/// // Each unit could go to a thread of its own, if lines were not counted.
/// let (mut found, mut lines) = (Vec::new(), LineStart::default());
/// for range in split(whole.container, &mbox, 1000) {
///     let unit = Unit::new(&file, whole.container, range).with_lines(lines);
///     lines = scan.unit(&mbox, &unit, &mut found).lines;
/// }
/// assert_eq!((found.len(), found[99].line), (100, Some(499)));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unit<'a> {
    /// The file.
    pub file: &'a Arc<FileName>,
    /// What it is.
    pub container: Container,
    /// Where the unit stands in the bytes at hand. A range of a plain text needs
    /// [`BEFORE`](urlsift_scanner::BEFORE) bytes before it and [`AFTER`](urlsift_scanner::AFTER)
    /// behind it, as far as the file has them.
    pub range: Range<usize>,
    /// The offset in the file of the first byte at hand.
    pub base: u64,
    /// What is known of lines at the unit's start. It counts only from [`Detail::Line`](crate::Detail) on.
    pub lines: LineStart,
}

/// A unit of a file that can be read at any place. Not stable.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "not stable")]
pub struct RangeUnit<'a> {
    /// The file.
    pub file: &'a Arc<FileName>,
    /// What it is.
    pub container: Container,
    /// Where the unit stands in it.
    pub range: Range<u64>,
    /// What is known of lines at its start.
    pub lines: LineStart,
}

impl<'a> Unit<'a> {
    /// The range of the bytes at hand, which begin the file, unless [`Unit::at`] says otherwise.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use urlsift_archive::{Container, Dialect};
    /// use urlsift_records::{FileName, LineStart, Options, Unit, collect};
    ///
    /// // The second line of a file, of which the first ten bytes are not at hand.
    /// let file = Arc::new(FileName::new("a.txt"));
    /// let text = Container::Text(Dialect::Plain);
    /// let lines = LineStart::listed(10, Some(2), Some(10)).unwrap();
    /// let unit = Unit::new(&file, text, 0..20).at(10).with_lines(lines);
    /// let found = collect(b"x http://host.dom/ y", &unit, &Options::default());
    /// assert_eq!((found[0].span.start, found[0].line), (12, Some(2)));
    /// ```
    pub fn new(file: &'a Arc<FileName>, container: Container, range: Range<usize>) -> Self {
        Self { file, container, range, base: 0, lines: LineStart::default() }
    }

    /// The same, the first byte at hand being at offset `base` of the file.
    #[must_use]
    pub fn at(self, base: u64) -> Self {
        Self { base, ..self }
    }

    /// The same, with what is known of lines at its start.
    #[must_use]
    pub fn with_lines(self, lines: LineStart) -> Self {
        Self { lines, ..self }
    }

    /// All of a file: `bytes` decide what it is, if `reading` leaves that open, and the last component of its name.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use urlsift_archive::{Container, Reading};
    /// use urlsift_records::{FileName, Unit};
    ///
    /// let file = Arc::new(FileName::new("notes/a.html"));
    /// let unit = Unit::whole(&file, b"<a href='http://host.dom/'>x</a>", Reading::Auto);
    /// assert_eq!(unit.container, Container::Html);
    /// ```
    pub fn whole(file: &'a Arc<FileName>, bytes: &[u8], reading: Reading) -> Self {
        let container = detect(Head::of(bytes), file.last(), reading);
        Self::new(file, container, 0..bytes.len())
    }
}

impl FileName {
    /// The last component of the member's name, or of the path.
    pub fn last(&self) -> Option<&[u8]> {
        self.member.as_ref().unwrap_or(&self.path).rsplit(|&byte| byte == b'/').next()
    }
}
