//! Appends URLs and errors to rendered output.

use super::groups;
use super::rendered::{Complaint, MessagePlace, Note, Rendered};
use super::style::Style;
use std::sync::Arc;
use urlsift_records::{FileName, UrlRecord};

impl Rendered {
    /// Appends the output for one URL. If URLs are only counted, or may be left out as repeated,
    /// adds a note for the [`OrderedWriter`](super::ordered_writer::OrderedWriter).
    pub(crate) fn append_url(&mut self, style: &Style, record: &UrlRecord<'_>) {
        if style.depends_on_earlier_urls() {
            let form = record.normalized.as_deref().filter(|_| style.unique.is_some());
            let message = record.message.as_ref().filter(|_| style.dedupe).and_then(|message| {
                let (id, file) = (message.id.clone()?, Arc::clone(&record.file));
                Some(Box::new(MessagePlace { id, file, start: message.span.start }))
            });
            let (from, key) = (self.end_position(), form.map(Box::from));
            self.add_note(Note::Record { from, key, message });
        }
        if style.per_file.is_some() {
            return;
        }
        if let Some(by) = style.by {
            let message = record.message.as_deref();
            // A message may be in many newsgroups and contain many URLs.
            if groups::is_message_property(by)
                && let (Some(message), Some(Note::Count { file, message: Some(last), urls, .. })) =
                    (message, self.notes.last_mut())
                && last.span == message.span
                && file == &*record.file
            {
                *urls += 1;
                return;
            }
            let (keys, file) = (groups::group_keys(by, record), Arc::clone(&record.file));
            let message = message.cloned();
            self.add_note(Note::Count { keys, file, message, urls: 1 });
            return;
        }
        style.output_format().append_record(style, record, self);
    }

    /// Appends an error about `file`: in the output format, if the format contains errors, and as a
    /// line for standard error. Also counts the error.
    pub(crate) fn append_error(
        &mut self,
        style: &Style,
        file: &Arc<FileName>,
        complaint: impl Into<Complaint>,
    ) {
        let complaint = complaint.into();
        self.tally.errors += 1;
        if let Some(limit) = complaint.limit {
            self.tally.limits.add(limit, 1);
        }
        self.tally.unreadable += u64::from(complaint.format.is_some());
        self.add_note(Note::Plain { from: self.end_position() });
        if style.per_file.is_none() {
            style.output_format().append_error(style, file, &complaint, self);
        }
        let Complaint { mut message, format, .. } = complaint;
        if let Some((start, end)) = self.unit.filter(|unit| *unit != (0, None)) {
            let end = end.map(|end| format!(" to {end}")).unwrap_or_default();
            message = format!("{message} (unit from {start}{end})");
        }
        let file = Arc::clone(file);
        self.add_note(Note::Error { at: self.end_position(), file, message, format });
    }
}
