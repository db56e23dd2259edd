//! Defines units: files, or ranges of files, that can be scanned independently.

use crate::lines::LineStart;
use crate::record::FileName;
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::{Container, Head, Reading, detect};

/// A unit to scan: a file, or a range of a file that can be scanned on its own, e.g. on another
/// machine.
///
/// In plain text, a range can start at any offset. In mail, it starts at a message (see
/// [`urlsift_archive::split`]). A scan of a unit returns exactly the records that a scan of the
/// whole file returns for this range.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::{Reading, split};
/// use urlsift_records::{FileName, LineStart, Options, Scan, Unit};
///
/// let message = "From joe Thu Dec  1 10:00:00 1994\nSubject: a\n\nhttp://host.dom/\n\n";
/// let mbox = message.repeat(100).into_bytes();
/// let (scan, file) = (Scan::new(Options::default()), Arc::new(FileName::new("a.mbox")));
/// let whole = Unit::whole_file(&file, &mbox, Reading::Auto);
/// // Without line counts, each unit could be scanned on its own thread.
/// let (mut found, mut lines) = (Vec::new(), LineStart::default());
/// for range in split(whole.container, &mbox, 1000) {
///     let unit = Unit::new(&file, whole.container, range).with_lines(lines);
///     lines = scan.scan_unit(&mbox, &unit, &mut found).lines;
/// }
/// assert_eq!((found.len(), found[99].line), (100, Some(499)));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unit<'a> {
    /// The name of the file.
    pub file: &'a Arc<FileName>,
    /// The format of the file.
    pub container: Container,
    /// The range of the unit in the buffer that contains it.
    ///
    /// A range of plain text needs [`BEFORE`](urlsift_scanner::BEFORE) bytes before it and
    /// [`AFTER`](urlsift_scanner::AFTER) bytes after it in the buffer, unless the file starts or
    /// ends there.
    pub range: Range<usize>,
    /// The file offset of the first byte in the buffer.
    pub base: u64,
    /// The line start of the unit. It is needed only if lines are counted, from
    /// [`Detail::Line`](crate::Detail) on.
    pub lines: LineStart,
}

/// A unit of a file that can be read at any offset, given by its range.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a position in a file")]
pub struct RangeUnit<'a> {
    /// The name of the file.
    pub file: &'a Arc<FileName>,
    /// The format of the file.
    pub container: Container,
    /// The range of the unit in the file.
    pub range: Range<u64>,
    /// The line start of the unit.
    pub lines: LineStart,
}

impl<'a> Unit<'a> {
    /// Creates a unit from `range` of a buffer. The buffer starts at the beginning of the file,
    /// unless [`Unit::with_base`] sets another offset.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use urlsift_archive::{Container, Dialect};
    /// use urlsift_records::{FileName, LineStart, Options, Unit, collect_records};
    ///
    /// // The second line of a file whose first ten bytes are not in the buffer.
    /// let file = Arc::new(FileName::new("a.txt"));
    /// let text = Container::Text(Dialect::Plain);
    /// let lines = LineStart::from_unit_list(10, Some(2), Some(10)).unwrap();
    /// let unit = Unit::new(&file, text, 0..20).with_base(10).with_lines(lines);
    /// let found = collect_records(b"x http://host.dom/ y", &unit, &Options::default());
    /// assert_eq!((found[0].span.start, found[0].line), (12, Some(2)));
    /// ```
    pub fn new(file: &'a Arc<FileName>, container: Container, range: Range<usize>) -> Self {
        Self { file, container, range, base: 0, lines: LineStart::default() }
    }

    /// Sets the file offset at which the buffer starts.
    #[must_use]
    pub fn with_base(self, base: u64) -> Self {
        Self { base, ..self }
    }

    /// Sets the line start at the beginning of the unit, so that lines are numbered correctly.
    #[must_use]
    pub fn with_lines(self, lines: LineStart) -> Self {
        Self { lines, ..self }
    }

    /// Creates a unit for a whole file that contains `bytes`. The format is detected from the bytes
    /// and the file name, unless `reading` specifies it.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use urlsift_archive::{Container, Reading};
    /// use urlsift_records::{FileName, Unit};
    ///
    /// let file = Arc::new(FileName::new("notes/a.html"));
    /// let unit = Unit::whole_file(&file, b"<a href='http://host.dom/'>x</a>", Reading::Auto);
    /// assert_eq!(unit.container, Container::Html);
    /// ```
    pub fn whole_file(file: &'a Arc<FileName>, bytes: &[u8], reading: Reading) -> Self {
        let container = detect(Head::of(bytes), file.last_component(), reading);
        Self::new(file, container, 0..bytes.len())
    }
}

impl FileName {
    /// Returns the last component of the archive member's name, or of the path if there is no
    /// member.
    pub fn last_component(&self) -> Option<&[u8]> {
        self.member.as_ref().unwrap_or(&self.path).rsplit(|&byte| byte == b'/').next()
    }
}
