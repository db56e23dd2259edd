//! A part of a file to scan: a byte range of the file's bytes, or a unit of which only its own
//! bytes are available.

use crate::arguments::wrong_type;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::unpack::Limits;
use urlsift_archive::{Container, Head, Reading};
use urlsift_records::fields::{UNIT_STALE, unit as field};
use urlsift_records::input::{RangeUnit, decompress_unit, detect_container};
use urlsift_records::{FileName, LineStart, Scan, Unit};

/// The part to scan, as passed in the argument `unit`.
pub(crate) enum Part {
    /// Everything that starts in this half-open byte range of the given bytes.
    Range(usize, usize),
    /// A unit listed by `urlsift units`. The given bytes are only those of its context.
    Listed(Box<Listed>),
}

/// A unit as `urlsift units` lists it.
pub(crate) struct Listed {
    pub(super) file: Arc<FileName>,
    pub(super) start: u64,
    pub(super) end: Option<u64>,
    lines: LineStart,
    pub(super) container: Option<Container>,
    /// The byte range of the file (of its decompressed bytes) that is needed to scan the unit.
    /// `None` for the whole file.
    pub(super) context: Option<Range<u64>>,
    /// The byte range that contains `context` in a compressed file.
    pub(super) raw: Option<Range<u64>>,
}

impl Part {
    /// Parses `given`, the value of the argument called `unit`, for data of `len` bytes.
    ///
    /// # Errors
    ///
    /// Raises `TypeError` or `ValueError`.
    pub(crate) fn parse(given: &Bound<'_, PyAny>, len: usize) -> PyResult<Self> {
        if let Ok(unit) = given.cast::<PyDict>() {
            return Listed::of(unit).map(|unit| Self::Listed(Box::new(unit)));
        }
        if !given.is_instance_of::<PyTuple>() {
            return Err(wrong_type("unit", "a tuple (start, end) or a dict", given));
        }
        let (start, end): (usize, usize) = given.extract()?;
        if start <= end && end <= len {
            return Ok(Self::Range(start, end));
        }
        let message = format!("unit: {start} to {end} is outside of the {len} bytes of data");
        Err(PyValueError::new_err(message))
    }
}

impl Listed {
    pub(super) fn of(unit: &Bound<'_, PyDict>) -> PyResult<Self> {
        let number = |name: &str| -> PyResult<Option<u64>> {
            unit.get_item(name)?
                .filter(|value| !value.is_none())
                .map(|value| value.extract())
                .transpose()
        };
        let text = |name: &str| -> PyResult<Option<Vec<u8>>> {
            let value = unit.get_item(name)?.filter(|value| !value.is_none());
            value.map(|value| value.extract::<String>().map(String::into_bytes)).transpose()
        };
        let wrong = |what: &str| PyValueError::new_err(format!("unit: {what}"));
        let range = |start: Option<u64>, end: Option<u64>| match (start, end) {
            (Some(start), Some(end)) if start <= end => Ok(Some(start..end)),
            (None, _) | (_, None) => Ok(None),
            _ => {
                Err(wrong("the range of bytes to read ends before it starts; list the units again"))
            }
        };
        let path =
            text(field::PATH.name)?.ok_or_else(|| wrong("missing path; list the units again"))?;
        let mut file = FileName::new(path);
        if let Some(member) = text(field::MEMBER.name)? {
            file = file.with_member(&member);
        }
        let start = number(field::START.name)?.unwrap_or(0);
        let end = number(field::END.name)?;
        let context = range(number(field::CONTEXT_START.name)?, number(field::CONTEXT_END.name)?)?;
        let raw = range(number(field::RAW_START.name)?, number(field::RAW_END.name)?)?;
        match (&context, end) {
            (Some(context), Some(end))
                if context.start <= start && start <= end && end <= context.end => {}
            (None, None) if start == 0 => {}
            _ => return Err(wrong("missing or inconsistent byte offsets; list the units again")),
        }
        let (line, line_start) = (number(field::LINE.name)?, number(field::LINE_START.name)?);
        let lines = LineStart::from_unit_list(start, line, line_start).unwrap_or_default();
        let container = text(field::CONTAINER.name)?;
        let container = container.and_then(|name| str::from_utf8(&name).ok()?.parse().ok());
        let file = Arc::new(file);
        Ok(Self { file, start, end, lines, container, context, raw })
    }

    /// Returns the bytes that are needed to scan the unit: `given`, the bytes that the caller
    /// passed, decompressed if necessary. Returns `None` if `given` is the whole file.
    ///
    /// # Errors
    ///
    /// Returns a message if the bytes are damaged or have the wrong length.
    pub(super) fn context_bytes<'b>(
        &self,
        given: &'b [u8],
        limits: Limits,
    ) -> Result<Option<Cow<'b, [u8]>>, String> {
        let Some(context) = &self.context else { return Ok(None) };
        let len = context.end - context.start;
        if self.raw.is_some() {
            let unpacked = decompress_unit(given, len, limits).map(Cow::Owned).map(Some);
            return unpacked.map_err(|error| Self::stale_unit_message(&error.to_string()));
        }
        if given.len() as u64 == len {
            return Ok(Some(Cow::Borrowed(given)));
        }
        Err(Self::stale_unit_message(&format!("got {} bytes, expected {len}", given.len())))
    }

    /// Returns the error message for bytes that don't match the listed unit, for example because
    /// the file has changed. `why` is the reason.
    pub(super) fn stale_unit_message(why: &str) -> String {
        format!("{UNIT_STALE}: {why}; list the units again")
    }

    /// Returns the container of the unit. If the list gives none, it is detected from `head`, the
    /// unit's first bytes.
    pub(super) fn container_of_unit(
        &self,
        scan: &Scan,
        reading: Reading,
        head: Head<'_>,
    ) -> Container {
        let known = self.container.unwrap_or_else(|| detect_container(&self.file, head, reading));
        known.adapt_to_options(scan.decoding_options())
    }

    /// Returns this entry as a [`RangeUnit`] whose offsets count from the start of the file.
    pub(super) fn range_unit(&self, container: Container) -> RangeUnit<'_> {
        let range = self.start..self.end.unwrap_or(self.start);
        RangeUnit { file: &self.file, container, range, lines: self.lines }
    }

    /// Returns this entry as a [`Unit`] whose offsets count from the start of `bytes`, the bytes of
    /// the unit's context.
    pub(super) fn unit_in_context(&self, scan: &Scan, reading: Reading, bytes: &[u8]) -> Unit<'_> {
        let base = self.context.as_ref().map_or(0, |context| context.start);
        let within = |offset: u64| usize::try_from(offset - base).unwrap_or(usize::MAX);
        let range = within(self.start)..within(self.end.unwrap_or(self.start));
        Unit::new(&self.file, self.container_of_unit(scan, reading, Head::of(bytes)), range)
            .with_base(base)
            .with_lines(self.lines)
    }
}
