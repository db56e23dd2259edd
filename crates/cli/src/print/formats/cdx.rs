//! CDX: an index for web archives.

use super::output_format::OutputFormat;
use crate::print::rendered::Rendered;
use crate::print::style::Style;
use urlsift_records::UrlRecord;
use urlsift_records::write::cdx;

pub(super) struct Cdx;

impl OutputFormat for Cdx {
    fn append_record(&self, _: &Style, record: &UrlRecord<'_>, out: &mut Rendered) {
        if cdx::can_be_archived(record) {
            cdx::write_cdx_line(&mut out.bytes, record);
        }
    }

    fn append_header(&self, _: &Style, _: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(cdx::HEADER);
    }
}
