//! Writes JSON lines faster if successive records are similar.
//!
//! In a list of links, records usually differ only in the URL and its position. The other members
//! are copied in a few pieces from an earlier line that [`UrlRecord::write_json`] wrote, instead of
//! being written one by one. This saves a third of the work per record.

use super::FieldWriter;
use super::json::{ObjectWriter, needs_no_escaping, push_decimal};
use crate::fields::url;
use crate::record::{FileName, Place, UrlRecord};
use memchr::memmem;
use std::sync::Arc;
use urlsift_archive::Layer;
use urlsift_core::Profile;
use urlsift_scanner::Form;

/// The maximum number of line templates to keep for a file. A record is compared with each until
/// one matches.
const MAX_KINDS: usize = 16;

/// A writer of URL records as JSON lines. It produces the same lines as [`UrlRecord::write_json`],
/// but is faster if successive records are similar.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlsift_records::{Input, Options, Scan, Sink, UrlRecord};
/// use urlsift_records::write::JsonLines;
///
/// #[derive(Default)]
/// struct Lines(JsonLines, Vec<u8>);
/// impl Sink for Lines {
///     fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
///         self.0.write(record, &mut self.1);
///         ControlFlow::Continue(())
///     }
/// }
/// let mut lines = Lines::default();
/// let text = b"http://host.dom/a\nhttp://host.dom/b\nhttp://host.dom/c\n";
/// Scan::new(Options::default()).read(Input::from_bytes("list.txt", text), &mut lines)?;
/// assert_eq!(lines.1.iter().filter(|&&byte| byte == b'\n').count(), 3);
/// # Ok::<_, urlsift_archive::unpack::Trouble>(())
/// ```
#[derive(Debug, Default)]
pub struct JsonLines {
    /// The file of the last record. Templates are only used within one file.
    file: Option<Arc<FileName>>,
    /// The line templates made from records of that file.
    kinds: Vec<LineTemplate>,
}

impl JsonLines {
    /// Appends the record to `out` as a line of JSON. Takes linear time in the length of the line.
    pub fn write(&mut self, record: &UrlRecord<'_>, out: &mut Vec<u8>) {
        let Some(varying) = VaryingFields::from_record(record) else {
            return record.write_json(out);
        };
        if !self.file.as_ref().is_some_and(|file| Arc::ptr_eq(file, &record.file)) {
            // Many files contain only one URL, so no template is made from the first record.
            self.file = Some(Arc::clone(&record.file));
            self.kinds.clear();
            return record.write_json(out);
        }
        if let Some(kind) = self.kinds.iter().find(|kind| kind.can_format(record)) {
            return kind.write(&varying, record, out);
        }
        let from = out.len();
        record.write_json(out);
        if self.kinds.len() < MAX_KINDS && varying.normalized.is_none() {
            self.kinds.extend(LineTemplate::from_line(record, &out[from..]));
        }
    }
}

/// The values of a record that usually differ from those of the previous record, in the order of
/// their fields.
struct VaryingFields<'r> {
    url: &'r [u8],
    /// The start, end, line and column.
    places: [u64; 4],
    host: &'r [u8],
    quote_depth: u64,
    /// The normal form, if it differs from the URL.
    normalized: Option<&'r [u8]>,
}

impl<'r> VaryingFields<'r> {
    /// Returns the values of `record` that vary between similar records, for the fast path of
    /// [`JsonLines::write`].
    ///
    /// Returns `None` if the record must be written on the slow path, with
    /// [`UrlRecord::write_json`]. This is necessary if the record contains a field that few records
    /// have, e.g. violations, or if a value needs escaping.
    #[inline]
    fn from_record(record: &'r UrlRecord<'_>) -> Option<Self> {
        let UrlRecord { url, span, reports, joins, other_readings, quote_depth, .. } = record;
        let (Some(line), Some(column), Some(host)) = (record.line, record.column, &record.host)
        else {
            return None;
        };
        if !record.lacks_rare_fields() {
            return None;
        }
        let normalized = &record.normalized;
        let normalized = normalized.as_deref().filter(|form| **form != **url);
        let is_usual = reports.is_empty()
            && joins.is_empty()
            && other_readings.is_empty()
            && needs_no_escaping(url)
            && needs_no_escaping(host)
            && normalized.is_none_or(needs_no_escaping);
        is_usual.then_some(Self {
            url,
            places: [span.start, span.end, line, column],
            host,
            quote_depth: (*quote_depth).into(),
            normalized,
        })
    }
}

/// The constant text of a JSON line, for records that differ only in the values of
/// [`VaryingFields`], in the message and in the page.
#[derive(Debug)]
struct LineTemplate {
    form: Form,
    scheme: Option<Box<str>>,
    profile: Profile,
    decoded: Box<[Layer]>,
    approximate: bool,
    html: Option<Box<str>>,
    place: Place,
    /// The pieces of the line before each varying value, and the piece between the last one and the
    /// message.
    pieces: [Box<[u8]>; 10],
}

impl LineTemplate {
    /// Makes a template from a record and `line`, its JSON line. Returns `None` if an expected key
    /// is not in the line.
    fn from_line(record: &UrlRecord<'_>, line: &[u8]) -> Option<Self> {
        let values = [
            (&url::URL, "\"", b'"'),
            (&url::START, "", b','),
            (&url::END, "", b','),
            (&url::LINE, "", b','),
            (&url::COLUMN, "", b','),
            (&url::HOST, "\"", b'"'),
            (&url::READINGS, "[\"", b'"'),
            (&url::QUOTE_DEPTH, "", b','),
        ];
        let mut pieces = <[Box<[u8]>; 10]>::default();
        let mut rest = line;
        // The first match of a key with its punctuation is the key itself: inside a value,
        // quotation marks are escaped.
        for ((field, opening, end), piece) in values.into_iter().zip(&mut pieces) {
            let value = memmem::find(rest, field.key.as_bytes())? + field.key.len() + opening.len();
            *piece = rest[..value].into();
            rest = &rest[value + memchr::memchr(end, &rest[value..])?..];
        }
        let place = memmem::find(rest, url::PLACE.key.as_bytes())?;
        let end = match (&record.message, &record.page) {
            (Some(_), _) => memmem::find(rest, url::MESSAGE.key.as_bytes())?,
            (None, Some(_)) => memmem::find(rest, url::PAGE.key.as_bytes())?,
            (None, None) => rest.len() - ObjectWriter::END.len(),
        };
        pieces[8] = rest[..place].into();
        pieces[9] = rest[place..end].into();
        Some(Self {
            form: record.form,
            scheme: record.scheme.as_deref().map(Box::from),
            profile: record.profile,
            decoded: record.decoded.as_ref().into(),
            approximate: record.approximate,
            html: record.html.as_deref().map(Box::from),
            place: record.place,
            pieces,
        })
    }

    /// True if the template can be used for `record`: the record has the same values in all fields
    /// whose values are part of the template.
    #[inline]
    fn can_format(&self, record: &UrlRecord<'_>) -> bool {
        self.place == record.place
            && self.form == record.form
            && self.scheme.as_deref() == record.scheme.as_deref()
            && self.profile == record.profile
            && *self.decoded == *record.decoded
            && self.approximate == record.approximate
            && self.html.as_deref() == record.html.as_deref()
    }

    /// Appends the JSON line of `record`, which the template must match. `values` are the varying
    /// values of the record.
    #[inline]
    fn write(&self, values: &VaryingFields<'_>, record: &UrlRecord<'_>, out: &mut Vec<u8>) {
        let [url, start, end, line, column, host, readings, quote_depth, normalized, place] =
            &self.pieces;
        out.extend_from_slice(url);
        out.extend_from_slice(values.url);
        for (piece, value) in [start, end, line, column].into_iter().zip(values.places) {
            out.extend_from_slice(piece);
            push_decimal(out, value);
        }
        for (piece, value) in [(host, values.host), (readings, values.url)] {
            out.extend_from_slice(piece);
            out.extend_from_slice(value);
        }
        out.extend_from_slice(quote_depth);
        push_decimal(out, values.quote_depth);
        out.extend_from_slice(normalized);
        let mut object = ObjectWriter::resume_object(out);
        if let Some(form) = values.normalized {
            ObjectWriter::write_text(&mut object, &url::NORMALIZED, form);
        }
        object.push_raw_members(place);
        if let Some(message) = &record.message {
            object.write_message(&url::MESSAGE, message);
        }
        if let Some(page) = &record.page {
            object.write_page(&url::PAGE, page);
        }
        object.end_line();
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonLines, MAX_KINDS, VaryingFields};
    use crate::record::{FileName, Message, Page, Place, UrlRecord};
    use proptest::prelude::*;
    use std::borrow::Cow;
    use std::sync::Arc;
    use urlsift_archive::Layer;
    use urlsift_core::{FileSpan, Profile};
    use urlsift_scanner::Form;

    /// The values that differ between the records of a sequence: the file, form, scheme and place
    /// by index, then the others.
    type Values = (
        (usize, usize, usize, usize),
        (String, String, Option<String>),
        (u64, u64),
        (u32, bool, bool),
    );

    fn any_values() -> impl Strategy<Value = Values> {
        (
            (0..2_usize, 0..3_usize, 0..4_usize, 0..6_usize),
            ("[a-z:/,{}]{0,40}[\"é]?", "[a-z.]{0,12}", proptest::option::of("[a-z]{0,9}\"?")),
            (0..300_u64, 0..u64::MAX),
            (0..12_u32, any::<bool>(), any::<bool>()),
        )
    }

    proptest! {
        #[test]
        fn a_line_is_what_it_is_alone(rows in prop::collection::vec(any_values(), 0..3 * MAX_KINDS)) {
            let files = ["a,\"url\":\"b", "c"].map(|name| Arc::new(FileName::new(name)));
            let message = Arc::new(Message { subject: Some(b"\"start\":1,".to_vec()), ..Message::default() });
            let page = Arc::new(Page { uri: Some(b"\"url\":\"x".to_vec()), ..Page::default() });
            let (mut lines, mut out, mut alone) = (JsonLines::default(), Vec::new(), Vec::new());
            for ((file, form, scheme, place), (url, host, normalized), (small, large), flags) in &rows {
                let record = UrlRecord {
                    file: Cow::Borrowed(&files[*file]),
                    url: Cow::Borrowed(url.as_bytes()),
                    span: FileSpan { start: *small, end: *large },
                    line: Some(*large),
                    column: Some(*small),
                    form: Form::ALL[*form],
                    scheme: [None, Some("http"), Some("ftp"), Some("x")][*scheme].map(Cow::Borrowed),
                    host: (*scheme > 0).then_some(Cow::Borrowed(host.as_bytes())),
                    fragment: (*scheme == 3).then_some(Cow::Borrowed(&b"f"[..])),
                    profile: Profile::Web,
                    quote_depth: flags.0,
                    decoded: if flags.1 { Cow::Borrowed(&[Layer::Html]) } else { Cow::default() },
                    approximate: flags.1,
                    html: flags.1.then_some(Cow::Borrowed("a/href")),
                    normalized: normalized.as_ref().map(|form| Cow::Borrowed(form.as_bytes())),
                    place: Place::ALL[*place],
                    message: flags.2.then_some(Cow::Borrowed(&message)),
                    page: (flags.1 && !flags.2).then_some(Cow::Borrowed(&page)),
                    ..UrlRecord::empty()
                };
                lines.write(&record, &mut out);
                record.write_json(&mut alone);
                prop_assert!(VaryingFields::from_record(&record).is_some() || *scheme % 3 == 0 || !url.is_ascii() || url.contains('"')
                    || normalized.as_ref().is_some_and(|form| form.contains('"')));
            }
            prop_assert_eq!(String::from_utf8(out), String::from_utf8(alone));
        }
    }
}
