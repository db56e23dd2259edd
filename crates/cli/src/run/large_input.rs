//! Splits files and streams that are too large for one worker into units.
//!
//! The results don't depend on where the input is split. Plain text is split anywhere, because the
//! scanner reads enough context around a unit. Mail is split only where a sequential scan would
//! also find the start of a message.

use super::so_far::SoFar;
use crate::io::open::Pauses;
use crate::io::packed_read::PackedRead;
use crate::io::shared_file::SharedFile;
use crate::print::style::Style;
use std::io::Read;
use std::sync::Arc;
use urlsift_archive::Container;
use urlsift_records::Detail;
use urlsift_records::input::{MAIL_PIECE, UnitSource};

/// The size in bytes of a unit of plain text in a file.
///
/// With this size, 7 % of the unit is read twice and 3 % is scanned twice. If units were a third
/// smaller, two workers would do a tenth more work than one. The unit is never in memory as a
/// whole, but half of its results may be.
const TEXT_UNIT: u64 = 6 << 20;
/// The size in bytes of a unit of plain text if full records are printed. They are ten times as
/// long as their URLs.
const RECORDS_UNIT: u64 = 4 << 20;
/// The factor by which units are larger in text with few URLs, whose results need little memory. In
/// larger units, a smaller share is read and scanned twice.
const SPARSE_FACTOR: u64 = 4;
/// The maximum size of a unit is 1/`PART` of the remaining bytes, so that all workers finish at
/// about the same time.
const PART: u64 = 8;
/// The number of [`MAIL_PIECE`]s in a unit of mail in a file. With smaller units, workers would be
/// idle, because waking a worker takes long.
const MAIL_PIECES: u64 = 8;
/// The pause after a complete line, in milliseconds, after which the bytes received so far are
/// scanned. Network packets rarely end at a line break, so this rarely ends a text too early.
const PAUSE: u32 = 200;
/// A stream that can be moved to another thread.
pub(crate) type Stream = Box<dyn Read + Send>;

/// The part of a large file or stream that has not been scanned yet. It is scanned unit by unit, by
/// any worker.
pub(crate) struct LargeInput {
    pub(crate) source: UnitSource<Stream, SharedFile>,
    /// The start and end in the file, if the input is a unit of a list.
    pub(crate) unit: Option<(u64, Option<u64>)>,
    /// The number of compressed bytes read so far, if the file is compressed.
    pub(crate) packed: Option<Arc<PackedRead>>,
    /// The state after the previous unit, if units are scanned in order.
    pub(crate) so_far: SoFar,
}

impl From<UnitSource<Stream, SharedFile>> for LargeInput {
    fn from(source: UnitSource<Stream, SharedFile>) -> Self {
        Self { source, unit: None, packed: None, so_far: SoFar::default() }
    }
}

/// Returns a function that returns true if the input has paused. If `counts_any_wait` is true, any
/// read that would block counts as a pause. Otherwise, the input has paused if no bytes arrive for
/// [`PAUSE`] milliseconds.
pub(crate) fn pause_detector(
    pauses: Pauses,
    counts_any_wait: bool,
) -> Box<dyn FnMut() -> bool + Send> {
    let millis = if counts_any_wait { 0 } else { PAUSE };
    Box::new(move || pauses.pauses_for_millis(millis))
}

/// Returns the size in bytes of the next unit of a large input. `remaining` is the number of bytes
/// left. `is_only_worker` is true if there is only one worker. `is_sparse` is true for text with
/// few URLs.
///
/// All bytes left form one unit if there is only one worker, or if the output depends on the order
/// of the units.
pub(crate) fn next_unit_len(
    container: Container,
    is_only_worker: bool,
    style: &Style,
    remaining: u64,
    is_sparse: bool,
) -> u64 {
    let text_times = if is_sparse { SPARSE_FACTOR } else { 1 };
    let (size, times) = match container {
        _ if is_only_worker || style.reads_units_in_order() => return u64::MAX,
        Container::Text(_) if style.required_detail() == Detail::Full => (RECORDS_UNIT, text_times),
        Container::Text(_) => (TEXT_UNIT, text_times),
        _ => (MAIL_PIECE as u64, MAIL_PIECES),
    };
    (remaining / PART).clamp(size, times * size)
}
