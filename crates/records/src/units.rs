//! What is scanned: a file, or a range of one.

use crate::lines::LineStart;
use crate::record::FileName;
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::{Container, Reading, detect};

/// A file, or a range of one that starts and ends where units may: anywhere in a plain text, at
/// message starts in mail (see [`urlsift_archive::split`]).
///
/// Scanning a unit gives exactly the records that a scan of the whole file has there.
#[derive(Clone, Debug)]
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

impl<'a> Unit<'a> {
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
        let container = detect(bytes, file.last(), reading);
        Self { file, container, range: 0..bytes.len(), base: 0, lines: LineStart::default() }
    }
}

impl FileName {
    /// The last component of the member's name, or of the path.
    pub fn last(&self) -> Option<&[u8]> {
        self.member.as_ref().unwrap_or(&self.path).rsplit(|&byte| byte == b'/').next()
    }
}
