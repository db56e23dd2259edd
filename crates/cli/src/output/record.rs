//! What is said of one URL in a file: the `scan` record, version 1 of the contract.

use super::file_name::{FileName, TYPE};
use super::json;
use super::pen::{Decimal, PAGE, Pen};
use super::place::Place;
use super::roll::Roll;
use super::said::Said;
use serde::ser::{Serialize, SerializeMap, Serializer};
use urlsift_archive::Layer;
use urlsift_core::{FileSpan, Level, Profile, Report};
use urlsift_scanner::{Form, Grade, JoinKind};

/// Bytes of layout that were dropped from a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Join {
    pub(crate) span: FileSpan,
    pub(crate) kind: JoinKind,
    pub(crate) grade: Grade,
}

/// The message that a URL stands in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MessageRecord {
    pub(crate) id: Option<Vec<u8>>,
    /// In UTC, as RFC 3339 writes it.
    pub(crate) date: Option<String>,
    /// The field as it stands, where it cannot be parsed.
    pub(crate) date_raw: Option<Vec<u8>>,
    pub(crate) newsgroups: Vec<Vec<u8>>,
    pub(crate) list: Option<Vec<u8>>,
    /// The domain of the From field, on request.
    pub(crate) from_domain: Option<Vec<u8>>,
    pub(crate) part: String,
    pub(crate) span: FileSpan,
}

/// All that is said of one URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UrlRecord<'a> {
    pub(crate) file: &'a FileName,
    pub(crate) url: &'a [u8],
    pub(crate) span: FileSpan,
    /// From 1; `None` where it is known only when the units before this one are.
    pub(crate) line: Option<u64>,
    /// In bytes, from 1; `None` where the line began in a unit before this one.
    pub(crate) column: Option<u64>,
    pub(crate) form: Form,
    pub(crate) scheme: Option<&'a str>,
    pub(crate) host: Option<&'a [u8]>,
    pub(crate) fragment: Option<&'a [u8]>,
    pub(crate) profile: Profile,
    pub(crate) reports: &'a [Report],
    pub(crate) joins: &'a [Join],
    /// The readings but the first, which is `url`.
    pub(crate) others: &'a [Vec<u8>],
    pub(crate) quote_depth: u32,
    pub(crate) truncated: bool,
    pub(crate) decoded: &'a [Layer],
    pub(crate) approximate: bool,
    pub(crate) html: Option<&'a str>,
    pub(crate) message: Option<&'a MessageRecord>,
}

/// Where the records of most URLs are put together, and what was written last, of which the next one
/// repeats much.
#[derive(Debug)]
pub(crate) struct Page {
    bytes: Box<[u8; PAGE]>,
    offset: Decimal,
    line: Decimal,
    pub(super) place: Place,
    /// Where the others are.
    aside: Vec<u8>,
}

impl Default for Page {
    fn default() -> Self {
        let (offset, line) = (Decimal::default(), Decimal::default());
        let (bytes, place) = (Box::new([0; PAGE]), Place::default());
        Self { bytes, offset, line, place, aside: Vec::new() }
    }
}

/// The longest start of a record, and the longest URL, for a page: at most five times the second is
/// on it, and some 400 bytes that are fixed.
const MAX_HEAD: usize = 1024;
const MAX_URL: usize = 512;

const BEYOND_DOUBT: &[u8; 69] =
    b"\",\"valid\":true,\"violations\":[],\"findings\":[],\"joins\":[],\"readings\":[\"";

/// Where in a rendered record the numbers belong that are not known yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gaps {
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
}

impl Gaps {
    /// The same, `by` bytes further on.
    pub(super) fn shifted(self, by: usize) -> Self {
        let shifted = |at: usize| at + by;
        Self { line: self.line.map(shifted), column: self.column.map(shifted) }
    }
}

impl<'a> UrlRecord<'a> {
    pub(crate) fn violations(&self) -> impl Iterator<Item = &'a Report> + Clone + use<'a> {
        self.reports.iter().filter(|report| report.is_violation())
    }

    pub(crate) fn findings(&self) -> impl Iterator<Item = &'a Report> + Clone + use<'a> {
        self.reports.iter().filter(|report| !report.is_violation())
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.violations().next().is_none()
    }

    fn readings(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        std::iter::once(self.url).chain(self.others.iter().map(Vec::as_slice))
    }

    /// Appends the record as one line of JSON Lines. Returns where the numbers go that were
    /// `None`, as offsets into `roll`.
    pub(crate) fn write_json(&self, page: &mut Page, roll: &mut Roll) -> Gaps {
        // To write behind the roll's own bytes would cost those that are there already.
        let mut out = std::mem::take(&mut page.aside);
        let gaps = self.write_line(page, &mut out);
        let gaps = gaps.shifted(roll.len());
        roll.extend_from_slice(&out);
        out.clear();
        page.aside = out;
        gaps
    }

    /// The same, to a vector.
    fn write_line(&self, page: &mut Page, out: &mut Vec<u8>) -> Gaps {
        let gaps = self.write_head(page, out).unwrap_or_else(|| self.write_any_head(out));
        if self.truncated {
            out.extend_from_slice(b",\"truncated\":true");
        }
        if !self.decoded.is_empty() {
            json::list_field(
                out,
                "decoded",
                self.decoded.iter().map(|layer| layer.name().as_bytes()),
            );
        }
        if self.approximate {
            out.extend_from_slice(b",\"approximate\":true");
        }
        if let Some(html) = self.html {
            json::field(out, "html", html.as_bytes());
        }
        if let Some(message) = self.message {
            out.extend_from_slice(b",\"message\":");
            message.write_json(out);
        }
        out.extend_from_slice(b"}\n");
        gaps
    }

    /// The fields that every record has, of a URL that is whole and beyond doubt, and short enough
    /// for a page, as nearly all are. Otherwise `None`: see [`UrlRecord::write_any_head`].
    #[inline]
    fn write_head(&self, page: &mut Page, out: &mut Vec<u8>) -> Option<Gaps> {
        let head = self.file.json_head().bytes();
        let (host, fragment) = (self.host.unwrap_or_default(), self.fragment.unwrap_or_default());
        let scheme = self.scheme.unwrap_or_default();
        let whole = self.reports.is_empty() && self.joins.is_empty() && self.others.is_empty();
        // Host and fragment are parts of the URL, and as plain as it is.
        if !whole
            || head.len() > MAX_HEAD
            || self.url.len().max(host.len()).max(fragment.len()).max(scheme.len()) > MAX_URL
            || !json::is_plain(self.url)
        {
            return None;
        }
        let Page { bytes, offset, line, .. } = page;
        let mut pen = Pen::new(bytes);
        let mut gaps = Gaps::default();
        pen.bytes(head);
        let url = pen.at()..pen.at() + self.url.len();
        pen.bytes(self.url);
        pen.piece(b"\",\"start\":");
        offset.write(&mut pen, self.span.start);
        pen.piece(b",\"end\":");
        offset.write(&mut pen, self.span.end);
        pen.piece(b",\"line\":");
        match self.line {
            Some(number) => line.write(&mut pen, number),
            None => gaps.line = Some(out.len() + pen.at()),
        }
        pen.piece(b",\"column\":");
        match self.column {
            Some(column) => Decimal::default().write(&mut pen, column),
            None => gaps.column = Some(out.len() + pen.at()),
        }
        pen.piece(b",\"form\":\"");
        pen.bytes(self.form.name().as_bytes());
        let part = |pen: &mut Pen<'_>, part: Option<&[u8]>| {
            if let Some(part) = part {
                pen.piece(b"\"");
                pen.bytes(part);
                pen.piece(b"\"");
            } else {
                pen.piece(b"null");
            }
        };
        pen.piece(b"\",\"scheme\":");
        part(&mut pen, self.scheme.map(str::as_bytes));
        pen.piece(b",\"host\":");
        part(&mut pen, self.host);
        pen.piece(b",\"fragment\":");
        part(&mut pen, self.fragment);
        pen.piece(b",\"profile\":\"");
        pen.bytes(self.profile.name().as_bytes());
        pen.piece(BEYOND_DOUBT);
        pen.again(url);
        pen.piece(b"\"],\"quote_depth\":");
        Decimal::default().write(&mut pen, u64::from(self.quote_depth));
        out.extend_from_slice(pen.written());
        Some(gaps)
    }

    /// As [`UrlRecord::write_head`], whatever the record holds.
    #[inline(never)]
    fn write_any_head(&self, out: &mut Vec<u8>) -> Gaps {
        let mut gaps = Gaps::default();
        out.extend_from_slice(TYPE);
        out.extend_from_slice(self.file.json());
        out.extend_from_slice(b",\"url\":");
        let url = out.len();
        let lossless = json::string(out, self.url);
        let url = url..out.len();
        if !lossless {
            json::bytes_field(out, "url", self.url);
        }
        out.extend_from_slice(b",\"start\":");
        json::number(out, self.span.start);
        out.extend_from_slice(b",\"end\":");
        json::number(out, self.span.end);
        out.extend_from_slice(b",\"line\":");
        match self.line {
            Some(line) => json::number(out, line),
            None => gaps.line = Some(out.len()),
        }
        out.extend_from_slice(b",\"column\":");
        match self.column {
            Some(column) => json::number(out, column),
            None => gaps.column = Some(out.len()),
        }
        out.extend_from_slice(b",\"form\":\"");
        out.extend_from_slice(self.form.name().as_bytes());
        out.push(b'"');
        json::optional_field(out, "scheme", self.scheme.map(str::as_bytes));
        json::optional_field(out, "host", self.host);
        json::optional_field(out, "fragment", self.fragment);
        out.extend_from_slice(b",\"profile\":\"");
        out.extend_from_slice(self.profile.name().as_bytes());
        out.extend_from_slice(b"\",\"valid\":");
        out.extend_from_slice(if self.is_valid() { b"true" } else { b"false" });
        out.extend_from_slice(b",\"violations\":");
        write_reports(out, self.violations());
        out.extend_from_slice(b",\"findings\":");
        write_reports(out, self.findings());
        out.extend_from_slice(b",\"joins\":[");
        for (index, join) in self.joins.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(b"{\"start\":");
            json::number(out, join.span.start);
            out.extend_from_slice(b",\"end\":");
            json::number(out, join.span.end);
            out.extend_from_slice(b",\"kind\":\"");
            out.extend_from_slice(join.kind.name().as_bytes());
            out.extend_from_slice(b"\",\"grade\":\"");
            out.extend_from_slice(join.grade.name().as_bytes());
            out.extend_from_slice(b"\"}");
        }
        out.push(b']');
        if lossless && self.others.is_empty() {
            // Most often there is one reading, and it was written already.
            out.extend_from_slice(b",\"readings\":[");
            out.extend_from_within(url);
            out.push(b']');
        } else {
            json::list_field(out, "readings", self.readings());
        }
        out.extend_from_slice(b",\"quote_depth\":");
        json::number(out, u64::from(self.quote_depth));
        gaps
    }
}

impl MessageRecord {
    fn write_json(&self, out: &mut Vec<u8>) {
        let open = out.len();
        json::optional_field(out, "id", self.id.as_deref());
        out[open] = b'{';
        json::optional_field(out, "date", self.date.as_ref().map(String::as_bytes));
        if let Some(raw) = &self.date_raw {
            json::field(out, "date_raw", raw);
        }
        json::list_field(out, "newsgroups", self.newsgroups.iter().map(Vec::as_slice));
        if let Some(list) = &self.list {
            json::field(out, "list", list);
        }
        if let Some(domain) = &self.from_domain {
            json::field(out, "from_domain", domain);
        }
        json::field(out, "part", self.part.as_bytes());
        out.extend_from_slice(b",\"start\":");
        json::number(out, self.span.start);
        out.extend_from_slice(b",\"end\":");
        json::number(out, self.span.end);
        out.push(b'}');
    }
}

/// Appends violations or findings as a JSON array.
pub(crate) fn write_reports<'r>(out: &mut Vec<u8>, reports: impl Iterator<Item = &'r Report>) {
    out.push(b'[');
    for (index, report) in reports.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        let said = Said::of(report.code);
        if report.level == report.code.level() {
            out.extend_from_slice(said.before.written());
        } else {
            out.extend_from_slice(b"{\"code\":\"");
            out.extend_from_slice(report.code.name().as_bytes());
            if report.level != Level::Error {
                out.extend_from_slice(b"\",\"level\":\"");
                out.extend_from_slice(report.level.name().as_bytes());
            }
            out.extend_from_slice(b"\",\"start\":");
        }
        json::number(out, report.span.start as u64);
        out.extend_from_slice(b",\"end\":");
        json::number(out, report.span.end as u64);
        out.extend_from_slice(said.behind.written());
    }
    out.push(b']');
}

/// A violation or finding, for serde.
pub(crate) struct ReportRecord<'r>(pub(crate) &'r Report);

impl Serialize for ReportRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", report.code.name())?;
        if report.level != Level::Error {
            map.serialize_entry("level", report.level.name())?;
        }
        map.serialize_entry("start", &report.span.start)?;
        map.serialize_entry("end", &report.span.end)?;
        map.serialize_entry("rfc", &report.code.rfc())?;
        map.serialize_entry("section", report.code.section())?;
        map.serialize_entry("message", report.code.message())?;
        map.end()
    }
}

/// Adds `key` to a map, lossily, with a companion in base64 where the text is not UTF-8.
pub(crate) fn serialize_text<M: SerializeMap>(
    map: &mut M,
    key: &str,
    text: Option<&[u8]>,
) -> Result<(), M::Error> {
    map.serialize_entry(key, &text.map(String::from_utf8_lossy))?;
    match text {
        Some(text) if str::from_utf8(text).is_err() => {
            map.serialize_entry(&format!("{key}_bytes"), &json::base64(text))
        }
        _ => Ok(()),
    }
}

/// Counts, for the summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Tally {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) messages: u64,
    pub(crate) urls: u64,
    pub(crate) malformed: u64,
    pub(crate) errors: u64,
    pub(crate) truncated: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.messages += other.messages;
        self.urls += other.urls;
        self.malformed += other.malformed;
        self.errors += other.errors;
        self.truncated += other.truncated;
    }

    /// The summary record, the last line of JSON Lines.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        #[derive(serde::Serialize)]
        struct Summary<'t> {
            r#type: &'static str,
            #[serde(flatten)]
            tally: &'t Tally,
        }
        if let Ok(text) = serde_json::to_vec(&Summary { r#type: "summary", tally: self }) {
            out.extend_from_slice(&text);
            out.push(b'\n');
        }
    }
}

/// Appends an error record.
pub(crate) fn write_error(out: &mut Vec<u8>, file: &FileName, message: &str) {
    out.extend_from_slice(b"{\"type\":\"error\"");
    out.extend_from_slice(file.json());
    json::field(out, "message", message.as_bytes());
    out.extend_from_slice(b"}\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use urlsift_core::{Code, Span};

    /// The oracle: the same record through serde.
    struct Oracle<'a>(&'a UrlRecord<'a>);

    struct OracleMessage<'a>(&'a MessageRecord);

    fn serialize_texts<M: SerializeMap>(
        map: &mut M,
        key: &str,
        texts: &[&[u8]],
    ) -> Result<(), M::Error> {
        let lossy: Vec<_> = texts.iter().map(|text| String::from_utf8_lossy(text)).collect();
        map.serialize_entry(key, &lossy)?;
        if texts.iter().any(|text| str::from_utf8(text).is_err()) {
            let bytes: Vec<_> = texts.iter().map(|text| json::base64(text)).collect();
            map.serialize_entry(&format!("{key}_bytes"), &bytes)?;
        }
        Ok(())
    }

    #[derive(serde::Serialize)]
    struct OracleJoin {
        start: u64,
        end: u64,
        kind: &'static str,
        grade: &'static str,
    }

    impl Serialize for Oracle<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let record = self.0;
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry("type", "url")?;
            serialize_text(&mut map, "path", Some(&record.file.path))?;
            if let Some(member) = &record.file.member {
                serialize_text(&mut map, "member", Some(member))?;
            }
            serialize_text(&mut map, "url", Some(record.url))?;
            map.serialize_entry("start", &record.span.start)?;
            map.serialize_entry("end", &record.span.end)?;
            map.serialize_entry("line", &record.line)?;
            map.serialize_entry("column", &record.column)?;
            map.serialize_entry("form", record.form.name())?;
            map.serialize_entry("scheme", &record.scheme)?;
            serialize_text(&mut map, "host", record.host)?;
            serialize_text(&mut map, "fragment", record.fragment)?;
            map.serialize_entry("profile", record.profile.name())?;
            map.serialize_entry("valid", &record.is_valid())?;
            let violations: Vec<_> = record.violations().map(ReportRecord).collect();
            map.serialize_entry("violations", &violations)?;
            let findings: Vec<_> = record.findings().map(ReportRecord).collect();
            map.serialize_entry("findings", &findings)?;
            let joins: Vec<_> = record
                .joins
                .iter()
                .map(|join| OracleJoin {
                    start: join.span.start,
                    end: join.span.end,
                    kind: join.kind.name(),
                    grade: join.grade.name(),
                })
                .collect();
            map.serialize_entry("joins", &joins)?;
            let readings: Vec<_> = record.readings().collect();
            serialize_texts(&mut map, "readings", &readings)?;
            map.serialize_entry("quote_depth", &record.quote_depth)?;
            if record.truncated {
                map.serialize_entry("truncated", &true)?;
            }
            if !record.decoded.is_empty() {
                let names: Vec<_> = record.decoded.iter().map(|layer| layer.name()).collect();
                map.serialize_entry("decoded", &names)?;
            }
            if record.approximate {
                map.serialize_entry("approximate", &true)?;
            }
            if let Some(html) = record.html {
                map.serialize_entry("html", html)?;
            }
            if let Some(message) = record.message {
                map.serialize_entry("message", &OracleMessage(message))?;
            }
            map.end()
        }
    }

    impl Serialize for OracleMessage<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let message = self.0;
            let mut map = serializer.serialize_map(None)?;
            serialize_text(&mut map, "id", message.id.as_deref())?;
            map.serialize_entry("date", &message.date)?;
            if let Some(raw) = &message.date_raw {
                serialize_text(&mut map, "date_raw", Some(raw))?;
            }
            let groups: Vec<_> = message.newsgroups.iter().map(Vec::as_slice).collect();
            serialize_texts(&mut map, "newsgroups", &groups)?;
            if let Some(list) = &message.list {
                serialize_text(&mut map, "list", Some(list))?;
            }
            if let Some(domain) = &message.from_domain {
                serialize_text(&mut map, "from_domain", Some(domain))?;
            }
            map.serialize_entry("part", &message.part)?;
            map.serialize_entry("start", &message.span.start)?;
            map.serialize_entry("end", &message.span.end)?;
            map.end()
        }
    }

    fn report() -> impl Strategy<Value = Report> {
        (0..Code::ALL.len(), 0..9_usize, 0..9_usize).prop_map(|(index, start, len)| {
            let code = Code::ALL[index];
            Report { code, level: code.level(), span: Span::new(start, start + len) }
        })
    }

    type Bytes = Option<Vec<u8>>;

    fn url() -> impl Strategy<Value = Vec<u8>> {
        let plain = |pattern| prop::string::bytes_regex(pattern).unwrap();
        prop_oneof![plain("[a-z:/.%]{0,90}"), plain("[a-z:/.%]{490,520}"), any::<Vec<u8>>()]
    }

    type Part = Option<(prop::sample::Index, prop::sample::Index)>;

    fn part(of: &[u8], part: Part) -> Option<&[u8]> {
        let (from, to) =
            part.map(|(from, to)| (from.index(of.len() + 1), to.index(of.len() + 1)))?;
        Some(&of[from.min(to)..from.max(to)])
    }

    proptest! {
        #[test]
        fn records_are_as_serde_json_writes_them(
            names in (prop_oneof![url(), prop::collection::vec(any::<u8>(), 900..1100)], any::<Bytes>()),
            texts in (url(), any::<Part>(), any::<Part>()),
            others in prop_oneof![Just(Vec::new()), any::<Vec<Vec<u8>>>()],
            numbers in (0..i64::MAX as u64, 0..99_u64, 1..99_u64, any::<u32>()),
            reports in prop_oneof![Just(Vec::new()), prop::collection::vec(report(), 1..4)],
            joined: bool,
            flags in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
            message in (any::<Bytes>(), any::<Bytes>(), any::<Bytes>(), any::<Vec<Vec<u8>>>()),
        ) {
            let file = FileName::new(names.0, names.1);
            let span = FileSpan { start: numbers.0, end: numbers.0 + numbers.1 };
            let join = Join { span, kind: JoinKind::WrapColumn, grade: Grade::Likely };
            let message = MessageRecord {
                id: message.0,
                date: flags.0.then(|| "1994-12-01T10:00:00Z".to_owned()),
                date_raw: message.1,
                newsgroups: message.3,
                list: message.2.clone(),
                from_domain: message.2,
                part: "1.2".to_owned(),
                span,
            };
            let record = UrlRecord {
                file: &file,
                url: &texts.0,
                span,
                line: Some(numbers.2),
                column: Some(numbers.1),
                form: Form::Wrapped,
                scheme: flags.0.then_some("ftp"),
                host: part(&texts.0, texts.1),
                fragment: part(&texts.0, texts.2),
                profile: Profile::Web,
                reports: &reports,
                joins: if joined { &[join] } else { &[] },
                others: &others,
                quote_depth: numbers.3,
                truncated: flags.1,
                decoded: if flags.2 { &[Layer::QuotedPrintable, Layer::Html] } else { &[] },
                approximate: flags.2,
                html: flags.3.then_some("a/href"),
                message: flags.3.then_some(&message),
            };
            let mut theirs = serde_json::to_vec(&Oracle(&record)).unwrap();
            theirs.push(b'\n');
            let theirs = String::from_utf8(theirs).unwrap();
            let mut page = Page::default();
            for _ in 0..2 {
                let mut ours = Vec::new();
                record.write_line(&mut page, &mut ours);
                prop_assert_eq!(String::from_utf8(ours).unwrap(), &*theirs);
            }
        }
    }

    #[test]
    fn gaps_are_where_the_numbers_go() {
        let file = FileName::new(b"a".to_vec(), None);
        let mut record = UrlRecord {
            file: &file,
            url: b"http://h/",
            span: FileSpan { start: 1, end: 10 },
            line: None,
            column: None,
            form: Form::Bare,
            scheme: Some("http"),
            host: Some(b"h"),
            fragment: None,
            profile: Profile::Web,
            reports: &[],
            joins: &[],
            others: &[],
            quote_depth: 0,
            truncated: false,
            decoded: &[],
            approximate: false,
            html: None,
            message: None,
        };
        let mut out = Vec::new();
        let gaps = record.write_line(&mut Page::default(), &mut out);
        out.insert(gaps.column.unwrap(), b'7');
        out.insert(gaps.line.unwrap(), b'3');
        (record.line, record.column) = (Some(3), Some(7));
        let mut whole = Vec::new();
        assert_eq!(record.write_line(&mut Page::default(), &mut whole), Gaps::default());
        assert_eq!(out, whole);
    }
}
