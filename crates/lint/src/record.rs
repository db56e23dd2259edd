//! Writes diagnostics as records, one JSON object per line.

use crate::diagnostic::Diagnostic;
use crate::edit::Fix;
use crate::position::Lines;
use urlsift_core::Span;
use urlsift_records::fields::{diagnostic as field, edit, fix};
use urlsift_records::write::json::ObjectWriter;

impl Diagnostic {
    /// Returns the fix of the diagnostic. Returns `None` if there is no fix, or if the edits of the
    /// fix would reveal a password.
    ///
    /// `secrets` are the spans of passwords in the text, in order and not overlapping.
    pub fn fix_without_secrets(&self, secrets: &[Span]) -> Option<&Fix> {
        let is_apart = |span: Span| {
            let next = secrets.partition_point(|secret| secret.end < span.start);
            secrets.get(next).is_none_or(|secret| span.end < secret.start)
        };
        let shows = |fix: &&Fix| fix.edits.iter().all(|e| e.text.is_empty() || is_apart(e.span));
        self.fix.as_ref().filter(shows)
    }

    /// Appends the diagnostic to `out` as a line of JSON. `path` is the path of the file, and
    /// `lines` is the index of its lines. `secrets` are the spans of passwords in the text, in
    /// order and not overlapping.
    pub fn write_json(&self, path: &[u8], lines: &Lines<'_>, secrets: &[Span], out: &mut Vec<u8>) {
        let place = lines.position(self.span.start);
        let section = Some(self.section).filter(|section| !section.is_empty());
        let mut object = ObjectWriter::begin_object(out, "diagnostic");
        object.write_text(&field::PATH, path);
        object.write_text(&field::CODE, self.code.as_bytes());
        object.write_text(&field::LEVEL, self.level.name().as_bytes());
        object.write_number(&field::START, self.span.start as u64);
        object.write_number(&field::END, self.span.end as u64);
        object.write_number(&field::LINE, place.line as u64);
        object.write_number(&field::COLUMN, place.column as u64);
        let hash = lines.line_hash(self.span.start, secrets);
        object.write_text(&field::LINE_HASH, hash.as_bytes());
        object.write_optional_text(&field::URL, self.url.as_deref().map(str::as_bytes));
        object.write_text(&field::MESSAGE, self.message.as_bytes());
        object.write_optional_number(&field::RFC, self.rfc.map(u64::from));
        object.write_optional_text(&field::SECTION, section.map(str::as_bytes));
        object.write_texts(&field::NOTES, self.notes.iter().map(String::as_bytes));
        object.write_optional_text(&field::HELP, self.help.as_deref().map(str::as_bytes));
        match self.fix_without_secrets(secrets) {
            Some(fix) => object.write_object(&field::FIX, |object| write_fix(object, fix)),
            None => object.write_null(&field::FIX),
        }
        object.end_line();
    }
}

fn write_fix(object: &mut ObjectWriter<'_>, shown: &Fix) {
    object.write_text(&fix::APPLICABILITY, shown.applicability.name().as_bytes());
    object.write_objects(&fix::EDITS, shown.edits.iter(), |object, made| {
        object.write_number(&edit::START, made.span.start as u64);
        object.write_number(&edit::END, made.span.end as u64);
        object.write_text(&edit::TEXT, &made.text);
    });
}
