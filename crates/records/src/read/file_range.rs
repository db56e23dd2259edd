//! Finds the ends of units in files that can be read at any offset.

use super::stream::MAIL_PIECE;
use crate::LineStart;
use crate::buffer::{BUFFER, Buffer};
use crate::read_at::ReadAt;
use std::io;
use std::ops::Range;
use urlsift_archive::{Container, LOOK_BEHIND, next_message_start, safe_cut};
use urlsift_scanner::{AFTER, BEFORE};

/// The number of bytes that are searched first for the end of a unit of mail: about one message.
const FIRST_SEARCH: usize = 4 << 10;

/// True if a file of this format can be split into units without reading the file from its start.
pub fn can_split(container: Container) -> bool {
    container.is_splittable() || matches!(container, Container::Text(_))
}

/// Returns the start of the line that contains the end of `range`. `lines` is the start of the line
/// that contains the start of `range`. Reads the range, and overwrites `scratch`.
///
/// # Errors
///
/// Returns any error of the file.
pub fn line_start_after(
    file: &mut impl ReadAt,
    range: Range<u64>,
    mut lines: LineStart,
    scratch: &mut Buffer,
) -> io::Result<LineStart> {
    let mut at = range.start;
    while at < range.end {
        let piece = usize::try_from(range.end - at).unwrap_or(BUFFER).min(BUFFER);
        scratch.read_at(file, at, piece)?;
        let read = scratch.bytes().len() as u64;
        if read == 0 {
            break;
        }
        lines = lines.after_bytes(scratch.bytes(), at);
        at += read;
    }
    Ok(lines)
}

/// Returns the end of the unit that starts at offset `at` of `file`. The unit has at least `size`
/// bytes, and ends at `stop` or before. Overwrites `scratch`.
///
/// # Errors
///
/// Returns any error of the file.
pub fn unit_end(
    file: &mut impl ReadAt,
    at: u64,
    (stop, size): (u64, u64),
    container: Container,
    scratch: &mut Buffer,
) -> io::Result<u64> {
    let mut wanted = at.saturating_add(size.max(1));
    if wanted >= stop || !can_split(container) {
        return Ok(stop);
    }
    if matches!(container, Container::Text(_)) {
        // Any offset would do; the start of a line is easier to read in a list of units.
        let look = (wanted - at).min(BUFFER as u64 / 4);
        scratch.read_at(file, wanted - look, usize::try_from(look).unwrap_or(0))?;
        let cut = urlsift_scanner::safe_cut(scratch.bytes(), scratch.bytes().len());
        let end = wanted.saturating_sub((scratch.bytes().len() - cut) as u64);
        return Ok(if end > at { end } else { wanted });
    }
    let mut look = FIRST_SEARCH;
    loop {
        let base = wanted - (LOOK_BEHIND as u64).min(wanted);
        scratch.read_at(file, base, look)?;
        let bytes = scratch.bytes();
        let skip = usize::try_from(wanted - base).unwrap_or(0);
        let seen = base + bytes.len() as u64;
        let ends = bytes.len() < look || seen >= stop;
        if let Some(start) = next_message_start(container, bytes, skip.min(bytes.len()))
            && (ends || start + LOOK_BEHIND <= bytes.len())
        {
            return Ok((base + start as u64).min(stop));
        }
        if ends {
            return Ok(stop);
        }
        wanted = seen - LOOK_BEHIND as u64;
        look = (4 * look).min(BUFFER);
    }
}

/// Returns the end of the messages in `unit` that precede the first message which is too long for
/// memory. Returns `None` if the first message itself is too long. Overwrites `scratch`.
///
/// # Errors
///
/// Returns any error of the file.
pub(super) fn end_before_first_long_message(
    file: &mut impl ReadAt,
    unit: Range<u64>,
    container: Container,
    scratch: &mut Buffer,
) -> io::Result<Option<u64>> {
    // A message start in the last bytes may not be recognizable, and the unit has no further one.
    scratch.read_at(file, unit.start, MAIL_PIECE + 2 * LOOK_BEHIND)?;
    let end = unit.start + safe_cut(container, scratch.bytes(), false) as u64;
    Ok((unit.start < end && end < unit.end).then_some(end))
}

/// Returns the range of a file that must be read to scan `unit`: the unit and the text around it
/// that may affect its results. `len` is the length of the file in bytes.
pub fn range_with_context(unit: Range<u64>, len: u64, container: Container) -> Range<u64> {
    if matches!(container, Container::Text(_)) {
        unit.start.saturating_sub(BEFORE as u64)..(unit.end + AFTER as u64).min(len)
    } else {
        unit
    }
}
