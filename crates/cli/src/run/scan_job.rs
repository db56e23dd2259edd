//! The queue of a scan: what its tasks and outputs are.

use super::large_input::LargeInput;
use super::queue::{Job, Output, Queue, TaskOutput, Writer};
use super::so_far::SoFar;
use crate::io::packed_read::PackedRead;
use crate::io::walk::WalkItem;
use crate::print::ordered_writer::OrderedWriter;
use crate::print::rendered::Rendered;
use std::io;
use std::sync::Arc;

/// The files or units of a scan.
pub(crate) type Items = Box<dyn Iterator<Item = WalkItem> + Send>;
pub(crate) type ScanQueue = Queue<ScanJob>;
pub(super) type ScanOutput<'s> = TaskOutput<'s, ScanJob>;

/// The [`Job`] of `scan`: each task scans files or units, and prints the URLs in them.
pub(crate) struct ScanJob;

/// The state of the file that a worker is scanning.
#[derive(Default)]
pub(crate) struct FileState {
    /// The state that the next unit needs.
    pub(super) so_far: SoFar,
    /// The number of bytes read, if the file is compressed.
    pub(super) packed: Option<Arc<PackedRead>>,
}

impl Job for ScanJob {
    type Item = WalkItem;
    type Items = Items;
    type Rest = LargeInput;
    type State = FileState;
    type Output = Rendered;
    type Writer = OrderedWriter;
}

impl Output for Rendered {
    fn printed_size(&self) -> usize {
        self.pending_size()
    }

    fn memory_size(&self) -> usize {
        self.memory_size()
    }

    fn memory_when_empty(&self) -> usize {
        self.bytes.capacity()
    }

    #[cfg(feature = "parquet")]
    fn compress_ahead(&mut self, is_next: bool) -> io::Result<bool> {
        self.compress_ahead(is_next)
    }

    #[cfg(feature = "parquet")]
    fn finish_compression(&mut self) -> io::Result<()> {
        self.finish_compression()
    }
}

impl Writer<Rendered> for OrderedWriter {
    fn print_output(&mut self, output: &mut Rendered) -> io::Result<()> {
        self.print_output(output)
    }
}
