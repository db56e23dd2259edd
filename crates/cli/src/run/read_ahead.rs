//! Opens files in advance, so that the disk can load several files at the same time.

use crate::io::open::read_in_order;
use crate::io::walk::WalkItem;
use crate::platform::{self, FileOpener};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind};
use urlsift_records::input::BUFFER;

/// One in this many files is checked for being in memory.
const SAMPLE: usize = 8;
/// The number of consecutive checked files in memory after which all files are assumed to be in
/// memory.
const CACHED: usize = 4;

/// The next files to read, which are opened in advance so that the disk can load several at a time.
///
/// If the files come from a disk, the system is asked to load their first bytes in advance. Such a
/// request takes a fifth of the system time on small files. So no requests are made as long as
/// every checked read finds the file in the system's page cache. During that time, each file is
/// opened right before it is read, which is faster than having many files open. Not every read is
/// checked, because a check takes a twentieth of the time to open, read and close a small file.
#[derive(Debug)]
pub(crate) struct ReadAhead {
    /// The maximum number of open files.
    most: usize,
    opener: FileOpener,
    files: VecDeque<File>,
    source: Source,
    /// The number of files whose reading has started. Every [`SAMPLE`]th one is checked, starting
    /// with the first.
    started: usize,
}

/// The place from which the files are assumed to be read: memory or a disk.
#[derive(Debug, PartialEq, Eq)]
enum Source {
    /// In memory.
    Memory,
    /// On a disk. `opened` is the number of files opened since, and `cached` the number of
    /// consecutive samples that were in memory.
    Disk { opened: usize, cached: usize },
    /// Unknown, because the system can't tell.
    Unknown,
}

impl ReadAhead {
    /// Creates an empty list. At most `max_open` files will be open at a time.
    pub(crate) fn new(max_open: usize) -> Self {
        Self {
            most: max_open,
            opener: FileOpener::default(),
            files: VecDeque::new(),
            source: Source::Memory,
            started: 0,
        }
    }

    /// Opens those of `item` and the items in `after` that a directory listed as regular files, or
    /// only `item` while files are read from memory. Stops at the first file that can't be opened.
    /// The error is reported when that file is scanned.
    pub(crate) fn open_ahead(&mut self, item: &WalkItem, after: &[WalkItem]) {
        let most = if self.source == Source::Memory { self.most.min(1) } else { self.most };
        let items = std::iter::once(item).chain(after);
        for item in items.take(most).skip(self.files.len()) {
            let WalkItem::File { path, listed: Some(_) } = item else { return };
            let Ok(file) = self.opener.open(path) else { return };
            self.request_if_on_disk(&file);
            self.files.push_back(file);
        }
    }

    /// Removes the next file from the list and returns it. Returns `None` if the list is empty,
    /// i.e. the next file was not opened in advance.
    pub(crate) fn take_next_file(&mut self) -> Option<File> {
        self.files.pop_front()
    }

    /// Closes all files that were opened in advance.
    pub(crate) fn close_all(&mut self) {
        self.files.clear();
    }

    /// Reads bytes at offset `at` of `file`, which [`ReadAhead::take_next_file`] has returned, into
    /// `buffer`. Returns the number of bytes read, which is 0 at the end of the file.
    ///
    /// If the read is checked and the bytes were not in the system's page cache, files are from
    /// then on opened and requested from the disk in advance.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn read_opened(
        &mut self,
        file: &File,
        buffer: &mut [u8],
        at: u64,
    ) -> io::Result<usize> {
        let is_start = at == 0;
        let is_checked =
            is_start && self.source == Source::Memory && self.started.is_multiple_of(SAMPLE);
        self.started += usize::from(is_start);
        if !is_checked {
            return read_in_order(file, buffer, at);
        }
        match platform::read_at_if_cached(file, buffer, at) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.source = Source::Disk { opened: 0, cached: 0 };
            }
            Err(error) if error.kind() == ErrorKind::Unsupported => self.source = Source::Unknown,
            Err(error) if error.kind() == ErrorKind::NotSeekable => {}
            read => return read,
        }
        self.files.iter().for_each(|file| platform::request_read_ahead(file, BUFFER));
        read_in_order(file, buffer, at)
    }

    /// Asks the system to load the first bytes of `file`, unless files are currently read from
    /// memory.
    fn request_if_on_disk(&mut self, file: &File) {
        if let Source::Disk { opened, cached } = &mut self.source {
            *opened += 1;
            if opened.is_multiple_of(SAMPLE) {
                *cached = if platform::is_start_cached(file) { *cached + 1 } else { 0 };
                if *cached == CACHED {
                    self.source = Source::Memory;
                }
            }
        }
        if self.source != Source::Memory {
            platform::request_read_ahead(file, BUFFER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn checked_and_other_reads_return_the_bytes_at_their_offset() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let mut ahead = ReadAhead::new(1);
        for turn in 0..2 * SAMPLE {
            let mut buffer = [0; 4];
            let at = turn % 8;
            let read = ahead.read_opened(&file, &mut buffer, at as u64).unwrap();
            assert_eq!(buffer[..read], b"0123456789"[at..(at + 4).min(10)], "{turn}");
        }
    }
}
