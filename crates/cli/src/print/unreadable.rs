//! Counts files of unreadable formats, to report each format once.

use super::complain::print_error_line;
use std::io::Write;
use std::sync::Arc;
use urlsift_archive::unpack::UnreadableFormat;
use urlsift_records::FileName;

/// The formats that can't be read, each with its first file and the number of files.
#[derive(Debug, Default)]
pub(super) struct UnreadableFiles(Vec<(&'static UnreadableFormat, Arc<FileName>, u64)>);

impl UnreadableFiles {
    /// Counts a file of `format`.
    pub(super) fn add(&mut self, format: &'static UnreadableFormat, file: &Arc<FileName>) {
        match self.0.iter_mut().find(|(other, ..)| other.name() == format.name()) {
            Some((_, _, count)) => *count += 1,
            None => self.0.push((format, Arc::clone(file), 1)),
        }
    }

    /// Writes one line per format.
    pub(super) fn report(&self, errors: &mut impl Write) {
        for (format, first, count) in &self.0 {
            let message = match count {
                1 => format.to_string(),
                2 => format!("{format} (and 1 other file)"),
                _ => format!("{format} (and {} other files)", count - 1),
            };
            print_error_line(errors, first, &message);
        }
    }
}
