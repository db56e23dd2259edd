//! Text: one URL per line.

use super::output_format::OutputFormat;
use crate::args::By;
use crate::print::rendered::Rendered;
use crate::print::style::Style;
use crate::print::text::{write_tsv_line, write_url_line};
use urlsift_records::{Detail, UrlRecord};

pub(super) struct Text;

impl OutputFormat for Text {
    fn append_record(&self, style: &Style, record: &UrlRecord<'_>, out: &mut Rendered) {
        write_url_line(style, &mut out.bytes, record, record.absolute_url());
        if style.readings {
            for other in &*record.other_readings {
                write_url_line(style, &mut out.bytes, record, other);
            }
        }
    }

    fn append_header(&self, style: &Style, is_counted: bool, out: &mut Vec<u8>) {
        if style.header && is_counted {
            write_tsv_line(out, [&b"count"[..], b"url"]);
        }
    }

    fn append_group_header(&self, style: &Style, by: By, out: &mut Vec<u8>) {
        if style.header {
            let names = ["count", "messages", "first", "last", by.name()];
            write_tsv_line(out, names.map(str::as_bytes));
        }
    }

    fn required_detail(&self, style: &Style) -> Detail {
        let prefixed = style.path || style.offset || style.terminal || style.defang;
        let noted = style.depends_on_earlier_urls() || style.max_count.is_some();
        match () {
            () if style.by.is_some() || style.dedupe || style.lines.is_some() || style.blank => {
                Detail::Full
            }
            () if style.line || style.column || style.has_line_numbers_in_links() => Detail::Line,
            () if prefixed || style.readings || noted => Detail::Url,
            () => Detail::Plain,
        }
    }
}
