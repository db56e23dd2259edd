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
    fn size(&self) -> usize {
        self.size()
    }

    fn weight(&self) -> usize {
        self.weight()
    }

    fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    #[cfg(feature = "parquet")]
    fn pack_ahead(&mut self, is_next: bool) -> io::Result<bool> {
        self.pack_ahead(is_next)
    }

    #[cfg(feature = "parquet")]
    fn end_packing(&mut self) -> io::Result<()> {
        self.end_packing()
    }
}

impl Writer<Rendered> for OrderedWriter {
    fn print(&mut self, output: &mut Rendered) -> io::Result<()> {
        self.print(output)
    }
}
