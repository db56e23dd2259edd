//! From records to bytes: one file a format, and the press that puts the sheets of all workers
//! into one order.

pub(crate) mod brief;
pub(crate) mod file_name;
pub(crate) mod json;
mod pen;
mod place;
mod quill;
pub(crate) mod record;
pub(crate) mod roll;
pub(crate) mod rows;
mod said;

use self::brief::Brief;
use self::file_name::FileName;
use self::record::{Page, Tally, UrlRecord};
use self::roll::Roll;
use crate::args::{Format, Unique};
use crate::print::text;
use std::sync::Arc;

/// What to print, fixed for a run.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag of the command line")]
pub(crate) struct Style {
    pub(crate) format: Format,
    /// Print the path before each URL.
    pub(crate) path: bool,
    /// Print the line before each URL.
    pub(crate) line: bool,
    /// Print the column before each URL.
    pub(crate) column: bool,
    /// Print the byte offset before each URL.
    pub(crate) offset: bool,
    /// Print NUL after paths.
    pub(crate) null: bool,
    /// Colour what is not the URL.
    pub(crate) color: bool,
    /// People look at it: show control characters as escapes.
    pub(crate) terminal: bool,
    /// Print the other readings too.
    pub(crate) readings: bool,
    /// Print only what `-c` or `-l` print.
    pub(crate) per_file: Option<PerFile>,
    /// Print each URL once.
    pub(crate) unique: Option<Unique>,
}

/// What is printed of a file in place of its URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PerFile {
    /// The number of its URLs.
    Count,
    /// Its path.
    Path,
}

impl Style {
    /// Whether lines and columns are wanted; counting them costs a pass over the input.
    pub(crate) fn wants_lines(&self) -> bool {
        self.per_file.is_none() && (self.is_structured() || self.line || self.column)
    }

    /// Whether verdicts are wanted with all their reasons.
    pub(crate) fn wants_reports(&self) -> bool {
        self.per_file.is_none() && self.is_structured()
    }

    /// Whether a record is its URL and a line break.
    pub(crate) fn is_plain(&self) -> bool {
        let prefixed = self.path || self.line || self.column || self.offset;
        !(self.is_structured() || prefixed || self.terminal || self.readings)
            && self.per_file.is_none()
            && self.unique.is_none()
    }

    /// Whether each URL has a record of its own in JSON Lines.
    pub(crate) fn is_records(&self) -> bool {
        self.format == Format::Jsonl && self.per_file.is_none() && self.unique.is_none()
    }

    fn is_structured(&self) -> bool {
        self.format != Format::Text
    }

    /// Appends one URL to a sheet.
    pub(crate) fn url(&self, page: &mut Page, sheet: &mut Sheet, record: &UrlRecord<'_>) {
        let _ = match self.format {
            Format::Text => sheet.bytes.append(|out| text::write(self, out, record, record.url)),
            Format::Jsonl => record.write_json(page, &mut sheet.bytes),
            Format::Csv => sheet.bytes.append(|out| rows::write(out, b',', record)),
            Format::Tsv => sheet.bytes.append(|out| rows::write(out, b'\t', record)),
        };
        if self.readings && self.format == Format::Text {
            for other in record.others {
                let _ = sheet.bytes.append(|out| text::write(self, out, record, other));
            }
        }
    }

    /// Appends the record of a URL that is told at a glance to a sheet, if it can. Returns whether it
    /// did.
    #[inline]
    pub(crate) fn brief(page: &mut Page, sheet: &mut Sheet, brief: &Brief<'_>) -> bool {
        brief.write(&mut page.place, &mut sheet.bytes).is_some()
    }

    /// Appends an error to a sheet: a record among the others in JSON Lines, and always a line
    /// for standard error.
    pub(crate) fn error(&self, sheet: &mut Sheet, file: &Arc<FileName>, message: String) {
        sheet.tally.errors += 1;
        sheet.notes.push(Note::Plain { from: sheet.bytes.len() });
        if self.format == Format::Jsonl && self.per_file.is_none() {
            sheet.bytes.append(|out| record::write_error(out, file, &message));
        }
        sheet.notes.push(Note::Error { at: sheet.bytes.len(), file: Arc::clone(file), message });
    }
}

/// What one worker has rendered of one share of the work, and what is still to be filled in when
/// the shares before it are known.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) bytes: Roll,
    /// In the order of their offsets.
    pub(crate) notes: Vec<Note>,
    pub(crate) tally: Tally,
    /// The number of URLs on it.
    pub(crate) printed: u64,
}

/// Something that concerns a sheet's bytes at an offset.
#[derive(Debug)]
pub(crate) enum Note {
    /// A URL's record starts here, of that normalised form.
    Unique { from: usize, key: Box<[u8]> },
    /// What starts here is printed in any case.
    Plain { from: usize },
    /// Something went wrong.
    Error { at: usize, file: Arc<FileName>, message: String },
    /// So many URLs were found in a file, which ends here or goes on in the next unit.
    Found { file: Arc<FileName>, urls: u64, ends: bool },
}

impl Sheet {
    /// A unit ends here, in which so many URLs were found; `last` says that its file ends, too.
    pub(crate) fn unit_ends(&mut self, style: &Style, file: &Arc<FileName>, urls: u64, last: bool) {
        if style.per_file.is_some() {
            self.notes.push(Note::Found { file: Arc::clone(file), urls, ends: last });
        }
    }
}
