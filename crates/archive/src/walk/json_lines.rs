//! Walks JSON Lines as records, if the option [`Options::json_fields`](crate::Options::json_fields)
//! is set. Each line becomes a message with an identifier and a date.

use super::walker::{Flow, Stage, Walker};
use crate::json_record::{JsonFields, JsonRecord};
use crate::mbox::MessageRange;
use crate::message::Message;
use crate::notation::Notation;
use core::ops::ControlFlow::Continue;
use core::ops::Range;

impl Walker<'_> {
    /// Walks a file of JSON Lines. In each object, only the text field that `fields` names is
    /// scanned. Lines without an object are scanned as JSON.
    pub(super) fn walk_json_lines(&mut self, stage: &Stage<'_>, fields: &JsonFields) -> Flow {
        Notation::Json.split_into_pieces(stage.text, self.options.max_message).try_for_each(
            |range| match JsonRecord::parse(stage.slice(&range), fields) {
                Some(record) => self.walk_json_record(stage, range, &record),
                None => self.emit_notation(stage, range, Notation::Json, b""),
            },
        )
    }

    /// Walks one record, the object on the line at `line`.
    fn walk_json_record(
        &mut self,
        stage: &Stage<'_>,
        line: Range<usize>,
        record: &JsonRecord,
    ) -> Flow {
        self.tally.messages += 1;
        let start = line.start;
        let range = MessageRange::without_envelope(line);
        let message = Message { header: &record.header, ..self.start_message_at(stage, range) };
        self.emit_message_start(stage, &message)?;
        let Some(text) = &record.text else { return Continue(()) };
        let stage = Stage { message: Some(&message), ..*stage };
        let text = start + text.start..start + text.end;
        self.emit_notation(&stage, text, Notation::Json, b"")
    }
}
