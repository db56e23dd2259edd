//! What the ways to read many files at once have in common.

use std::io;
use std::os::fd::BorrowedFd;

/// The most files in a batch.
pub(super) const MOST: usize = 32;
/// A file that is no shorter is read by itself. Where no file reaches, the memory is none.
pub(super) const SLOT: usize = 32 << 10;

/// A way to read many files at once, with the memory that they are read into.
pub(crate) trait ReadFiles: Sized {
    /// # Errors
    ///
    /// Why the system cannot do it.
    fn new() -> io::Result<Self>;

    /// Reads up to [`MOST`] files of a directory, of which `paths` has the paths with a zero behind each; the
    /// names there start `skip` bytes on. Puts in `lens` how long each is that was read whole: one that is no
    /// shorter than [`SLOT`] never is. Returns whether the system did it; if not, the engine is of no more use.
    fn read(
        &mut self,
        directory: BorrowedFd<'_>,
        paths: &[u8],
        skip: usize,
        lens: &mut Vec<Option<usize>>,
    ) -> bool;

    /// What was read of a file of the batch, and behind it bytes that mean nothing.
    fn contents(&self, file: usize) -> &[u8];
}
