//! JSON Lines: URLs, errors, and a summary at the end.

use super::output_format::{GroupRow, OutputFormat};
use crate::args::By;
use crate::print::rendered::{Complaint, Rendered};
use crate::print::style::Style;
use urlsift_records::fields::{group as field, url::COUNT};
use urlsift_records::write::json::{self, ObjectWriter};
use urlsift_records::{FileName, Tally, UrlRecord};

pub(super) struct Jsonl;

impl OutputFormat for Jsonl {
    fn record(&self, _: &Style, record: &UrlRecord<'_>, out: &mut Rendered) {
        out.json.write(record, &mut out.bytes);
    }

    fn error(&self, _: &Style, file: &FileName, error: &Complaint, out: &mut Rendered) {
        file.write_error_in(out.unit, &error.message, error.code, &mut out.bytes);
    }

    fn counted_record(&self, _: &Style, mut record: Vec<u8>, count: u64, out: &mut Vec<u8>) {
        json::append_field(&mut record, &COUNT, count);
        out.extend_from_slice(&record);
    }

    fn group(&self, _: &Style, by: By, group: &GroupRow<'_>, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::begin(out, "group");
        object.text(&field::BY, by.name().as_bytes());
        object.optional_text(&field::KEY, group.key);
        object.number(&field::COUNT, group.urls);
        object.number(&field::MESSAGES, group.messages);
        object.optional_text(&field::FIRST, group.first);
        object.optional_text(&field::LAST, group.last);
        object.end_line();
    }

    fn summary(&self, tally: &Tally, out: &mut Vec<u8>) {
        tally.write_json(out);
    }
}
