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
    fn append_record(&self, _: &Style, record: &UrlRecord<'_>, out: &mut Rendered) {
        out.json.write(record, &mut out.bytes);
    }

    fn append_error(&self, _: &Style, file: &FileName, error: &Complaint, out: &mut Rendered) {
        file.write_error_record_for_unit(out.unit, &error.message, error.code, &mut out.bytes);
    }

    fn append_counted_record(&self, _: &Style, mut record: Vec<u8>, count: u64, out: &mut Vec<u8>) {
        json::append_number_field(&mut record, &COUNT, count);
        out.extend_from_slice(&record);
    }

    fn append_group(&self, _: &Style, by: By, group: &GroupRow<'_>, out: &mut Vec<u8>) {
        let mut object = ObjectWriter::begin_object(out, "group");
        object.write_text(&field::BY, by.name().as_bytes());
        object.write_optional_text(&field::KEY, group.key);
        object.write_number(&field::COUNT, group.urls);
        object.write_number(&field::MESSAGES, group.messages);
        object.write_optional_text(&field::FIRST, group.first);
        object.write_optional_text(&field::LAST, group.last);
        object.end_line();
    }

    fn append_summary(&self, tally: &Tally, out: &mut Vec<u8>) {
        tally.write_json(out);
    }
}
