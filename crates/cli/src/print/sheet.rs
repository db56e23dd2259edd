//! What one worker has rendered and is to be printed when its turn comes.

use super::style::Style;
use super::text;
use crate::args::Format;
use std::sync::Arc;
use urlsift_records::{FileName, Tally, UrlRecord};

/// The output of one share of the work.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) bytes: Vec<u8>,
    /// In the order of their offsets.
    pub(crate) notes: Vec<Note>,
    pub(crate) tally: Tally,
    /// Somebody may wait for it: it is not only handed to the system when there is more.
    pub(crate) at_once: bool,
}

/// A message of that Message-ID, and where it stands.
#[derive(Debug)]
pub(crate) struct MessagePlace {
    pub(crate) id: Vec<u8>,
    pub(crate) file: Arc<FileName>,
    pub(crate) start: u64,
}

/// Something that concerns a sheet's bytes at an offset.
#[derive(Debug)]
pub(crate) enum Note {
    /// A URL's record starts here, of that normalised form if each is printed once, in that message if these are.
    Record { from: usize, key: Option<Box<[u8]>>, message: Option<Box<MessagePlace>> },
    /// What starts here is printed in any case.
    Plain { from: usize },
    /// Something went wrong.
    Error { at: usize, file: Arc<FileName>, message: String },
    /// So many URLs were found in a file, which ends here or goes on in the next unit.
    Found { file: Arc<FileName>, urls: u64, ends: bool },
}

impl Sheet {
    /// Appends one URL.
    pub(crate) fn url(&mut self, style: &Style, record: &UrlRecord<'_>) {
        if style.notes_records() {
            let form = record.normalized.as_deref().filter(|_| style.unique.is_some());
            let message = record.message.as_ref().filter(|_| style.dedupe).and_then(|message| {
                let (id, file) = (message.id.clone()?, Arc::clone(&record.file));
                Some(Box::new(MessagePlace { id, file, start: message.span.start }))
            });
            let (from, key) = (self.bytes.len(), form.map(Box::from));
            self.notes.push(Note::Record { from, key, message });
        }
        if style.per_file.is_some() {
            return;
        }
        let out = &mut self.bytes;
        if let Some(table) = style.table() {
            table.row(&style.columns, out, record);
        } else if style.format == Format::Jsonl {
            record.write_json(out);
        } else {
            text::write(style, out, record, &record.url);
            if style.readings {
                for other in &*record.other_readings {
                    text::write(style, out, record, other);
                }
            }
        }
    }

    /// Appends an error: a record among the others in JSON Lines, and always a line for standard error.
    pub(crate) fn error(&mut self, style: &Style, file: &Arc<FileName>, message: String) {
        self.tally.errors += 1;
        self.notes.push(Note::Plain { from: self.bytes.len() });
        if style.format == Format::Jsonl && style.per_file.is_none() {
            file.write_error(&message, &mut self.bytes);
        }
        let file = Arc::clone(file);
        self.notes.push(Note::Error { at: self.bytes.len(), file, message });
    }
}
