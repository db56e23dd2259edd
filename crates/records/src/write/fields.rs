//! Passes the fields of a record to a writer, one by one. Each output format implements the writer.

use crate::fields::{Field, join, message, page, report, url};
use crate::record::{FileName, Join, Message, Page, UrlRecord};
use urlsift_archive::Utc;
use urlsift_core::{Level, Report};
use urlsift_scanner::JoinEvidence;

/// A writer for the fields of a record. Each output format implements it.
///
/// The methods are called in the order of the fields' definitions, and only for fields that are
/// present. Texts are arbitrary bytes; formats that require UTF-8 must convert them.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_core::Report;
/// use urlsift_records::fields::Field;
/// use urlsift_records::write::{CellWriter, FieldWriter};
/// use urlsift_records::{FileName, Join, Message, Options, Page, Unit, collect_records};
///
/// /// The names of the fields that are present.
/// struct Names(Vec<&'static str>);
///
/// impl FieldWriter for Names {
///     fn write_text(&mut self, field: &'static Field, _: Option<&[u8]>) { self.0.push(field.name) }
///     fn write_name(&mut self, field: &'static Field, _: &str) { self.0.push(field.name) }
///     fn write_number(&mut self, field: &'static Field, _: u64) { self.0.push(field.name) }
///     fn write_boolean(&mut self, field: &'static Field, _: bool) { self.0.push(field.name) }
///     fn write_reports<'r>(&mut self, field: &'static Field, _: impl Iterator<Item = &'r Report>) { self.0.push(field.name) }
///     fn write_joins(&mut self, field: &'static Field, _: &[Join]) { self.0.push(field.name) }
///     fn write_readings(&mut self, field: &'static Field, _: &[u8], _: &[Vec<u8>]) { self.0.push(field.name) }
///     fn write_texts(&mut self, field: &'static Field, _: &[Vec<u8>]) { self.0.push(field.name) }
///     fn write_names(&mut self, field: &'static Field, _: impl Iterator<Item = &'static str>) { self.0.push(field.name) }
///     fn write_message(&mut self, field: &'static Field, message: &Message) { message.write_fields(self) }
///     fn write_page(&mut self, field: &'static Field, page: &Page) { page.write_fields(self) }
/// }
///
/// impl CellWriter for Names {
///     fn write_column_bytes(&mut self, column: &'static str, _: &[u8]) { self.0.push(column) }
/// }
///
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"http://host.dom/");
/// let record = &collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &Options::default())[0];
/// let mut names = Names(Vec::new());
/// record.write_fields(&mut names);
/// assert_eq!(names.0[..3], ["path", "url", "start"]);
/// assert!(!names.0.contains(&"truncated"));
/// record.write_row(&mut names);
/// ```
pub trait FieldWriter {
    /// Writes the field `url`, which every record of a URL contains.
    fn write_url(&mut self, field: &'static Field, url: &[u8]) {
        self.write_text(field, Some(url));
    }
    /// Writes a field that contains text, or null if `text` is `None`.
    fn write_text(&mut self, field: &'static Field, text: Option<&[u8]>);
    /// Writes a field that contains `name`, a text that needs no escaping in any format.
    fn write_name(&mut self, field: &'static Field, name: &str);
    /// Writes a field that contains a time. Text formats write it as in RFC 3339.
    fn write_time_field(&mut self, field: &'static Field, time: Utc) {
        self.write_text(field, Some(&time.to_rfc3339()));
    }
    /// Writes a field that contains an integer.
    fn write_number(&mut self, field: &'static Field, number: u64);
    /// Writes a field that contains a boolean.
    fn write_boolean(&mut self, field: &'static Field, value: bool);
    /// Writes a field that contains a list of violations or findings.
    fn write_reports<'r>(
        &mut self,
        field: &'static Field,
        reports: impl Iterator<Item = &'r Report>,
    );
    /// Writes a field that contains a list of joins: line breaks and other layout that was dropped
    /// from the URL.
    fn write_joins(&mut self, field: &'static Field, joins: &[Join]);
    /// Writes a field that contains a list of readings. The first is `url`, which was already
    /// written as the field `url`. The other readings are `others`.
    fn write_readings(&mut self, field: &'static Field, url: &[u8], others: &[Vec<u8>]);
    /// Writes a field that contains a list of texts.
    fn write_texts(&mut self, field: &'static Field, texts: &[Vec<u8>]);
    /// Writes a field that contains a list of names. The names need no escaping in any format.
    fn write_names(&mut self, field: &'static Field, names: impl Iterator<Item = &'static str>);
    /// Writes a field that contains, as a nested object, the message in which the URL was found.
    /// Implementations call [`Message::write_fields`] to write the fields of the message.
    fn write_message(&mut self, field: &'static Field, message: &Message);
    /// Writes a field that contains, as a nested object, the web archive record in which the URL
    /// was found. Implementations call [`Page::write_fields`] to write the fields of the record.
    fn write_page(&mut self, field: &'static Field, page: &Page);
}

/// A writer for one row of a table. Besides fields, it receives the columns that are not fields of
/// records.
pub trait CellWriter: FieldWriter {
    /// Writes the original bytes of a text that is not UTF-8. `column` is a column that is not a
    /// field of records.
    fn write_column_bytes(&mut self, column: &'static str, bytes: &[u8]);
}

impl UrlRecord<'_> {
    /// Passes all fields of the record, and the additional columns of tables, to `to`. A field may
    /// be passed twice with the same value.
    pub fn write_row(&self, to: &mut impl CellWriter) {
        self.write_fields(to);
        // Tables contain the normal form in every row, so that rows can be grouped by it.
        if let Some(form) = &self.normalized {
            to.write_text(&url::NORMALIZED, Some(form));
        }
        self.file.write_name_bytes(to);
        if !is_utf8(&self.url) {
            to.write_column_bytes("url_bytes", &self.url);
        }
    }

    /// Passes all fields of the record to `to`. Fields that the scan did not compute are null,
    /// empty or 0.
    #[inline]
    pub fn write_fields(&self, to: &mut impl FieldWriter) {
        self.file.write_fields(to);
        to.write_url(&url::URL, &self.url);
        to.write_number(&url::START, self.span.start);
        to.write_number(&url::END, self.span.end);
        to.write_number(&url::LINE, self.line.unwrap_or_default());
        to.write_number(&url::COLUMN, self.column.unwrap_or_default());
        to.write_name(&url::FORM, self.form.name());
        to.write_text(&url::SCHEME, self.scheme.as_deref().map(str::as_bytes));
        to.write_text(&url::HOST, self.host.as_deref());
        to.write_text(&url::FRAGMENT, self.fragment.as_deref());
        to.write_name(&url::PROFILE, self.profile.name());
        to.write_boolean(&url::VALID, self.is_valid());
        to.write_reports(&url::VIOLATIONS, self.violations());
        to.write_reports(&url::FINDINGS, self.findings());
        to.write_joins(&url::JOINS, &self.joins);
        to.write_readings(&url::READINGS, &self.url, &self.other_readings);
        to.write_number(&url::QUOTE_DEPTH, self.quote_depth.into());
        if self.truncated {
            to.write_boolean(&url::TRUNCATED, true);
        }
        if !self.decoded.is_empty() {
            to.write_names(&url::DECODED, self.decoded.iter().map(|layer| layer.name()));
        }
        if self.approximate {
            to.write_boolean(&url::APPROXIMATE, true);
        }
        if let Some(html) = &self.html {
            to.write_text(&url::HTML, Some(html.as_bytes()));
        }
        if let Some(text) = &self.link_text {
            to.write_text(&url::LINK_TEXT, Some(text));
        }
        if let Some(form) = self.normalized.as_ref().filter(|form| **form != self.url) {
            to.write_text(&url::NORMALIZED, Some(form));
        }
        if let Some(domain) = &self.domain {
            to.write_text(&url::DOMAIN, Some(domain.as_bytes()));
        }
        if let Some(tld) = &self.tld {
            to.write_text(&url::TLD, Some(tld.as_bytes()));
        }
        if let Some(port) = self.port {
            to.write_number(&url::PORT, port.into());
        }
        if let Some(target) = &self.target {
            to.write_text(&url::TARGET, Some(target));
        }
        if let Some(resolved) = &self.resolved {
            to.write_text(&url::RESOLVED, Some(resolved));
        }
        to.write_name(&url::PLACE, self.place.name());
        if let Some(name) = &self.header_name {
            to.write_text(&url::HEADER_NAME, Some(name));
        }
        if let Some(message) = &self.message {
            to.write_message(&url::MESSAGE, message);
        }
        if let Some(page) = &self.page {
            to.write_page(&url::PAGE, page);
        }
    }
}

impl FileName {
    /// Passes the path to `to`, and also the archive member if there is one.
    #[inline]
    pub fn write_fields(&self, to: &mut impl FieldWriter) {
        to.write_text(&url::PATH, Some(&self.path));
        if let Some(member) = &self.member {
            to.write_text(&url::MEMBER, Some(member));
        }
    }

    /// Passes the bytes of the path to `to`, but only if the path is not UTF-8.
    pub fn write_name_bytes(&self, to: &mut impl CellWriter) {
        if !is_utf8(&self.path) {
            to.write_column_bytes("path_bytes", &self.path);
        }
    }
}

/// True if `text` is valid UTF-8. Checks for ASCII first, because nearly all texts are ASCII and
/// this check is faster.
fn is_utf8(text: &[u8]) -> bool {
    text.is_ascii() || str::from_utf8(text).is_ok()
}

impl Message {
    /// Passes the fields that describe the message to `to`. Call this in implementations of
    /// [`FieldWriter::write_message`].
    pub fn write_fields(&self, to: &mut impl FieldWriter) {
        to.write_text(&message::ID, self.id.as_deref());
        write_time(&message::DATE, self.date, to);
        if let Some(source) = self.date_source {
            to.write_name(&message::DATE_SOURCE, source.name());
        }
        if let Some(raw) = &self.date_raw {
            to.write_text(&message::DATE_RAW, Some(raw));
        }
        to.write_texts(&message::NEWSGROUPS, &self.newsgroups);
        if let Some(list) = &self.list {
            to.write_text(&message::LIST, Some(list));
        }
        let hash = self.from_hash.as_deref().map(str::as_bytes);
        for (field, text) in [
            (&message::IN_REPLY_TO, self.in_reply_to.as_deref()),
            (&message::FROM_DOMAIN, self.from_domain.as_deref()),
            (&message::FROM_HASH, hash),
            (&message::FROM, self.from.as_deref()),
            (&message::SUBJECT, self.subject.as_deref()),
        ] {
            if text.is_some() {
                to.write_text(field, text);
            }
        }
        to.write_text(&message::PART, Some(self.part.as_bytes()));
        to.write_number(&message::START, self.span.start);
        to.write_number(&message::END, self.span.end);
        if !self.cut.is_empty() {
            to.write_names(&message::CUT, self.cut.iter().copied());
        }
    }
}

impl Page {
    /// Passes the fields that describe the web archive record to `to`. Call this in implementations
    /// of [`FieldWriter::write_page`].
    pub fn write_fields(&self, to: &mut impl FieldWriter) {
        to.write_text(&page::URI, self.uri.as_deref());
        write_time(&page::DATE, self.date, to);
        to.write_text(&page::ID, self.id.as_deref());
        to.write_text(&page::TYPE, Some(&self.kind));
        if self.is_cut {
            to.write_names(&page::CUT, ["body"].into_iter());
        }
    }
}

impl Join {
    /// Passes the fields that describe the join to `to`.
    #[inline]
    pub fn write_fields(&self, to: &mut impl FieldWriter) {
        to.write_number(&join::START, self.span.start);
        to.write_number(&join::END, self.span.end);
        to.write_name(&join::KIND, self.kind.name());
        to.write_name(&join::GRADE, self.grade.name());
        to.write_names(&join::EVIDENCE, self.evidence.iter().map(JoinEvidence::name));
    }
}

/// Passes a field with a time to `to`, or null if `time` is `None`.
#[inline]
fn write_time(field: &'static Field, time: Option<Utc>, to: &mut impl FieldWriter) {
    match time {
        Some(time) => to.write_time_field(field, time),
        None => to.write_text(field, None),
    }
}

/// Passes the fields that describe a violation or finding to `to`.
#[inline]
pub(super) fn write_report(report: &Report, to: &mut impl FieldWriter) {
    let code = report.code;
    to.write_name(&report::CODE, code.name());
    if report.level != Level::Error {
        to.write_name(&report::LEVEL, report.level.name());
    }
    to.write_number(&report::START, report.span.start as u64);
    to.write_number(&report::END, report.span.end as u64);
    to.write_number(&report::RFC, code.rfc().into());
    to.write_name(&report::SECTION, code.section());
    to.write_text(&report::MESSAGE, Some(code.message().as_bytes()));
}
