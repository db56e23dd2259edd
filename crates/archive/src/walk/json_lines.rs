//! The walk through JSON Lines whose fields are named. Each line is a message: a record of a data
//! set, with an identifier and a date.

use super::walker::{Flow, Stage, Walker};
use crate::decode::layer::Layer;
use crate::json_record::{JsonFields, JsonRecord};
use crate::mbox::MessageRange;
use crate::message::Message;
use crate::notation::Notation;
use core::ops::ControlFlow::Continue;
use core::ops::Range;

impl Walker<'_> {
    /// Walks a file of JSON Lines. Of each object, only the text in the field that `fields` names
    /// is scanned. Lines that contain no object are scanned as JSON.
    pub(super) fn walk_json_lines(&mut self, stage: &Stage<'_>, fields: &JsonFields) -> Flow {
        let layers = stage.layers_with(Layer::Json);
        Notation::Json.split_into_pieces(stage.text, self.options.max_message).try_for_each(
            |range| match JsonRecord::parse(stage.slice(&range), fields) {
                Some(record) => self.walk_json_record(stage, range, &record, &layers),
                None => self.emit_notation_piece(stage, range, Notation::Json, &layers),
            },
        )
    }

    /// Walks one record, which is the object on the line at `line`.
    fn walk_json_record(
        &mut self,
        stage: &Stage<'_>,
        line: Range<usize>,
        record: &JsonRecord,
        layers: &[Layer],
    ) -> Flow {
        self.tally.messages += 1;
        let start = line.start;
        let range = MessageRange::without_envelope(line);
        let message = Message { header: &record.header, ..self.start_message_at(stage, range) };
        self.emit_message_start(stage, &message)?;
        let Some(text) = &record.text else { return Continue(()) };
        let stage = Stage { message: Some(&message), ..*stage };
        let text = start + text.start..start + text.end;
        self.emit_notation_piece(&stage, text, Notation::Json, layers)
    }
}
