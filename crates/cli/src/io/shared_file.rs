//! A file that several threads can read at once, at any offset.

use super::packed_read::PackedRead;
use crate::platform;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::sync::Arc;
use urlsift_records::input::ReadAt;

/// An open file that several readers share. Cloning it doesn't open the file again.
#[derive(Clone, Debug)]
pub(crate) struct SharedFile {
    file: Arc<File>,
    /// The number of bytes read so far, if the file is compressed.
    packed: Option<Arc<PackedRead>>,
}

impl SharedFile {
    /// Returns the file with `counter`, which counts the bytes that are read from now on.
    pub(crate) fn with_read_counter(self, counter: Option<Arc<PackedRead>>) -> Self {
        Self { packed: counter, ..self }
    }
}

impl From<File> for SharedFile {
    fn from(file: File) -> Self {
        Self { file: Arc::new(file), packed: None }
    }
}

impl Deref for SharedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl ReadAt for SharedFile {
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let read = platform::read_at(&self.file, buffer, at)?;
        if let Some(packed) = &self.packed {
            packed.add_read_bytes(read);
        }
        Ok(read)
    }
}
