//! Compares the output with that of `serde_json` and `csv`, and with the definitions of the fields.

use super::json;
use super::rows::Table;
use super::visible::{escape_invisible_bytes, is_unseen};
use crate::fields::{self, Field, Presence};
use crate::record::{FileName, Join, Message, Page, Place, Tally, UrlRecord};
use crate::table::Columns;
use data_encoding::BASE64;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::sync::Arc;
use urlsift_archive::{DateSource, Layer, Utc};
use urlsift_core::{Code, FileSpan, Level, Profile, Report, Span};
use urlsift_scanner::{Form, Grade, JoinEvidence, JoinEvidenceSet, JoinKind};

/// Returns the expected JSON of a record, built without the code under test. Maps of `serde_json`
/// don't keep the order of the fields, so [`keys`] is used to check the order.
fn oracle(record: &UrlRecord<'_>) -> Value {
    let mut map = Map::new();
    map.insert("type".to_owned(), "url".into());
    text(&mut map, "path", Some(&record.file.path));
    if let Some(member) = &record.file.member {
        text(&mut map, "member", Some(member));
    }
    text(&mut map, "url", Some(&record.url));
    for (name, value) in [
        ("start", json!(record.span.start)),
        ("end", json!(record.span.end)),
        ("line", json!(record.line)),
        ("column", json!(record.column)),
        ("form", json!(record.form.name())),
        ("scheme", json!(record.scheme)),
        ("profile", json!(record.profile.name())),
        ("valid", json!(record.is_valid())),
        ("violations", record.violations().map(report).collect()),
        ("findings", record.findings().map(report).collect()),
        ("joins", record.joins.iter().map(join).collect()),
        ("quote_depth", json!(record.quote_depth)),
    ] {
        map.insert(name.to_owned(), value);
    }
    text(&mut map, "host", record.host.as_deref());
    text(&mut map, "fragment", record.fragment.as_deref());
    texts(&mut map, "readings", &record.readings().collect::<Vec<_>>());
    if record.truncated {
        map.insert("truncated".to_owned(), true.into());
    }
    if !record.decoded.is_empty() {
        let names: Vec<_> = record.decoded.iter().map(|layer| layer.name()).collect();
        map.insert("decoded".to_owned(), json!(names));
    }
    if record.approximate {
        map.insert("approximate".to_owned(), true.into());
    }
    if let Some(html) = &record.html {
        map.insert("html".to_owned(), json!(html));
    }
    if record.link_text.is_some() {
        text(&mut map, "link_text", record.link_text.as_deref());
    }
    if record.normalized.as_ref().is_some_and(|form| *form != record.url) {
        text(&mut map, "normalized", record.normalized.as_deref());
    }
    for (name, value) in [("domain", &record.domain), ("tld", &record.tld)] {
        if let Some(value) = value {
            map.insert(name.to_owned(), json!(value));
        }
    }
    if let Some(port) = record.port {
        map.insert("port".to_owned(), json!(port));
    }
    if record.target.is_some() {
        text(&mut map, "target", record.target.as_deref());
    }
    if record.resolved.is_some() {
        text(&mut map, "resolved", record.resolved.as_deref());
    }
    map.insert("place".to_owned(), json!(record.place.name()));
    if record.header_name.is_some() {
        text(&mut map, "header_name", record.header_name.as_deref());
    }
    if let Some(of) = &record.message {
        let mut message = Map::new();
        text(&mut message, "id", of.id.as_deref());
        message.insert("date".to_owned(), json!(of.date.map(|date| date.to_string())));
        if let Some(source) = of.date_source {
            message.insert("date_source".to_owned(), json!(source.name()));
        }
        if let Some(raw) = &of.date_raw {
            text(&mut message, "date_raw", Some(raw));
        }
        let groups: Vec<_> = of.newsgroups.iter().map(Vec::as_slice).collect();
        texts(&mut message, "newsgroups", &groups);
        if let Some(list) = &of.list {
            text(&mut message, "list", Some(list));
        }
        for (name, value) in [
            ("in_reply_to", of.in_reply_to.as_deref()),
            ("from_domain", of.from_domain.as_deref()),
            ("from_hash", of.from_hash.as_deref().map(str::as_bytes)),
            ("from", of.from.as_deref()),
            ("subject", of.subject.as_deref()),
        ] {
            if value.is_some() {
                text(&mut message, name, value);
            }
        }
        message.insert("part".to_owned(), json!(of.part));
        message.insert("start".to_owned(), json!(of.span.start));
        message.insert("end".to_owned(), json!(of.span.end));
        if !of.cut.is_empty() {
            message.insert("cut".to_owned(), json!(of.cut));
        }
        map.insert("message".to_owned(), message.into());
    }
    if let Some(of) = &record.page {
        let mut page = Map::new();
        text(&mut page, "uri", of.uri.as_deref());
        page.insert("date".to_owned(), json!(of.date.map(|date| date.to_string())));
        text(&mut page, "id", of.id.as_deref());
        text(&mut page, "type", Some(&of.kind));
        if of.is_cut {
            page.insert("cut".to_owned(), json!(["body"]));
        }
        map.insert("page".to_owned(), page.into());
    }
    map.into()
}

fn text(map: &mut Map<String, Value>, key: &str, text: Option<&[u8]>) {
    map.insert(key.to_owned(), json!(text.map(String::from_utf8_lossy)));
    if let Some(text) = text.filter(|text| str::from_utf8(text).is_err()) {
        map.insert(format!("{key}_bytes"), json::encode_base64(text).into());
    }
}

fn texts(map: &mut Map<String, Value>, key: &str, texts: &[&[u8]]) {
    map.insert(key.to_owned(), texts.iter().map(|text| String::from_utf8_lossy(text)).collect());
    if texts.iter().any(|text| str::from_utf8(text).is_err()) {
        map.insert(
            format!("{key}_bytes"),
            texts.iter().map(|text| json::encode_base64(text)).collect(),
        );
    }
}

fn report(report: &Report) -> Value {
    let code = report.code;
    let mut value = json!({
        "code": code.name(), "start": report.span.start, "end": report.span.end, "rfc": code.rfc(),
        "section": code.section(), "message": code.message(),
    });
    if report.level != Level::Error {
        value["level"] = report.level.name().into();
    }
    value
}

fn join(join: &Join) -> Value {
    json!({
        "start": join.span.start, "end": join.span.end, "kind": join.kind.name(),
        "grade": join.grade.name(),
        "evidence": join.evidence.iter().map(JoinEvidence::name).collect::<Vec<_>>(),
    })
}

/// Returns the keys of the JSON object in `line`, in the order in which they are written. Leaves
/// out keys that end with `_bytes`.
fn keys(line: &str) -> Vec<String> {
    struct Keys(Vec<String>);
    impl<'de> serde::Deserialize<'de> for Keys {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            struct Visit;
            impl<'de> serde::de::Visitor<'de> for Visit {
                type Value = Keys;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("an object")
                }
                fn visit_map<A: serde::de::MapAccess<'de>>(
                    self,
                    mut map: A,
                ) -> Result<Keys, A::Error> {
                    let mut keys = Vec::new();
                    while let Some((key, _)) = map.next_entry::<String, serde::de::IgnoredAny>()? {
                        keys.push(key);
                    }
                    Ok(Keys(keys))
                }
            }
            from.deserialize_map(Visit)
        }
    }
    let Keys(mut keys) = serde_json::from_str(line).unwrap();
    keys.retain(|key| !key.ends_with("_bytes"));
    keys
}

/// Checks that `keys` are `type` and the names of the fields `defined`, in this order.
fn assert_defined(keys: &[String], defined: &[Field]) {
    assert_eq!(keys[0], "type");
    let mut written = keys[1..].iter().peekable();
    for field in defined {
        let is_written = written.next_if(|key| **key == field.name).is_some();
        let may_lack = matches!(field.presence, Presence::Only(_));
        assert!(is_written || may_lack, "{} is always there", field.name);
    }
    assert_eq!(written.next(), None, "a field that is not defined, or out of order");
}

fn any_report() -> impl Strategy<Value = Report> {
    (0..Code::ALL.len(), 0..9_usize, 0..9_usize).prop_map(|(index, start, len)| {
        let code = Code::ALL[index];
        Report::new(code, Span::new(start, start + len))
    })
}

type Bytes = Option<Vec<u8>>;

fn any_url() -> impl Strategy<Value = Vec<u8>> {
    let plain = |pattern| prop::string::bytes_regex(pattern).unwrap();
    prop_oneof![plain("[a-z:/.%]{0,90}"), plain("[a-z:/.%\",\n]{0,20}"), any::<Vec<u8>>()]
}

type Part = Option<(prop::sample::Index, prop::sample::Index)>;

fn part(of: &[u8], part: Part) -> Option<Cow<'_, [u8]>> {
    let (from, to) = part.map(|(from, to)| (from.index(of.len() + 1), to.index(of.len() + 1)))?;
    Some(Cow::Borrowed(&of[from.min(to)..from.max(to)]))
}

proptest! {
    #[test]
    fn records_are_as_serde_json_writes_them_and_rows_as_csv(
        names in (any_url(), any::<Bytes>()),
        texts in (any_url(), any::<Part>(), any::<Part>()),
        others in prop_oneof![Just(Vec::new()), any::<Vec<Vec<u8>>>()],
        numbers in (0..i64::MAX as u64, 0..99_u64, 1..99_u64, any::<u32>()),
        reports in prop_oneof![Just(Vec::new()), prop::collection::vec(any_report(), 1..4)],
        joined: bool,
        flags in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        message in (any::<Bytes>(), any::<Bytes>(), any::<Bytes>(), any::<Vec<Vec<u8>>>()),
    ) {
        let file = Arc::new(FileName { path: names.0, member: names.1 });
        let span = FileSpan { start: numbers.0, end: numbers.0 + numbers.1 };
        let evidence = JoinEvidenceSet::EMPTY.with(JoinEvidence::FullLine).with(JoinEvidence::Alone);
        let join = Join { span, kind: JoinKind::WrapColumn, grade: Grade::Likely, evidence };
        let page = Arc::new(Page {
            uri: message.0.clone(),
            date: message.1.as_ref().and_then(|_| Utc::parse(b"2024-05-01T10:20:30Z")),
            id: message.1.clone(),
            kind: b"response".to_vec(),
            is_cut: flags.1,
        });
        let message = Arc::new(Message {
            id: message.0,
            date: Utc::parse(b"1994-12-01T10:00:00Z").filter(|_| flags.0),
            date_source: flags.0.then_some(DateSource::FromLine),
            date_raw: message.1,
            newsgroups: message.3,
            list: message.2.clone(),
            in_reply_to: message.2.clone(),
            from_domain: message.2.clone(),
            from_hash: flags.0.then(|| "0123456789abcdef".to_owned()),
            from: message.2.clone(),
            subject: message.2,
            part: "1.2".to_owned(),
            span,
            cut: if flags.1 { vec!["id", "list"] } else { Vec::new() },
        });
        let layers: &[Layer] =
            if flags.2 { &[Layer::QuotedPrintable, Layer::Html] } else { &[] };
        let joins: &[Join] = if joined { &[join] } else { &[] };
        let record = UrlRecord {
            file: Cow::Borrowed(&file),
            url: Cow::Borrowed(&texts.0),
            span,
            line: Some(numbers.2),
            column: Some(numbers.1),
            form: Form::Wrapped,
            scheme: flags.0.then_some(Cow::Borrowed("ftp")),
            host: part(&texts.0, texts.1),
            fragment: part(&texts.0, texts.2),
            profile: Profile::Web,
            reports: Cow::Borrowed(&reports),
            joins: Cow::Borrowed(joins),
            other_readings: Cow::Borrowed(&others),
            quote_depth: numbers.3,
            truncated: flags.1,
            decoded: Cow::Borrowed(layers),
            approximate: flags.2,
            html: flags.3.then_some(Cow::Borrowed("a/href")),
            message: flags.3.then_some(Cow::Borrowed(&message)),
            page: (!flags.3).then_some(Cow::Borrowed(&page)),
            normalized: part(&texts.0, texts.1),
            domain: flags.1.then(|| "host.dom".into()),
            tld: flags.2.then(|| "dom".into()),
            port: flags.0.then_some(8080),
            target: file.member.clone(),
            resolved: part(&texts.0, texts.2),
            place: Place::Signature,
            header_name: part(&texts.0, texts.2),
            ..UrlRecord::empty()
        };
        let mut line = Vec::new();
        record.write_json(&mut line);
        let line = String::from_utf8(line).unwrap();
        let line = line.strip_suffix('\n').unwrap();
        let value: Value = serde_json::from_str(line).unwrap();
        prop_assert_eq!(&value, &oracle(&record));
        #[cfg(feature = "serde")]
        {
            prop_assert_eq!(json::escape_unseen(serde_json::to_string(&record).unwrap()), line);
            let read: UrlRecord<'_> = serde_json::from_str(line).unwrap();
            let mut written = Vec::new();
            read.write_json(&mut written);
            prop_assert_eq!(written.strip_suffix(b"\n").unwrap(), line.as_bytes());
            // Members with unknown names are ignored, even if no field has such a value.
            let foreign = r#"{"of_others":[-1,0.5,1e300,{"a":null}],"#;
            let with_foreign = format!("{foreign}{}", &line[1..]);
            let read: UrlRecord<'_> = serde_json::from_str(&with_foreign).unwrap();
            let mut written = Vec::new();
            read.write_json(&mut written);
            prop_assert_eq!(written.strip_suffix(b"\n").unwrap(), line.as_bytes());
        }
        // Parsing a line and serializing it again changes only the order of the fields.
        prop_assert_eq!(json::escape_unseen(value.to_string()).len(), line.len());
        prop_assert!(!line.chars().any(is_unseen));
        assert_defined(&keys(line), fields::url::ALL);
        if let Some(message) = value.get("message") {
            let start = line.find(",\"message\":{\"id\"").unwrap() + ",\"message\":".len();
            let inner = format!("{{\"type\":0,{}", &line[start + 1..line.len() - 1]);
            assert_defined(&keys(&inner), fields::message::ALL);
            prop_assert_eq!(message["part"].as_str(), Some("1.2"));
        }
        let mut again = Vec::new();
        record.clone().into_owned().write_json(&mut again);
        prop_assert_eq!(again.strip_suffix(b"\n").unwrap(), line.as_bytes());

        // A CSV reader returns the same cells, in which invisible characters are escaped.
        let mut row = Vec::new();
        let table = Table::Csv { guarded: false };
        table.write_row(&Columns::default(), &mut row, &record);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*row);
        let cells = reader.byte_records().next().unwrap().unwrap();
        let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
        writer.write_byte_record(&cells).unwrap();
        prop_assert_eq!(writer.into_inner().unwrap().escape_ascii().to_string(), row.escape_ascii().to_string());
        let header = table.header_line(&Columns::default(), false);
        let columns: Vec<_> = header.strip_suffix(b"\n").unwrap().split(|&b| b == b',').collect();
        prop_assert_eq!(cells.len(), columns.len());
        let cell = |name: &str| &cells[columns.iter().position(|c| *c == name.as_bytes()).unwrap()];
        let shown = |text: &[u8]| escape_invisible_bytes(text, &['\t', '\n']).into_owned();
        prop_assert_eq!(cell("url"), shown(&texts.0));
        prop_assert_eq!(cell("path"), shown(&file.path));
        let bytes = std::str::from_utf8(&file.path).err().map(|_| BASE64.encode(&file.path));
        prop_assert_eq!(cell("path_bytes"), bytes.unwrap_or_default().into_bytes());
        prop_assert_eq!(cell("normalized"), shown(record.normalized.as_deref().unwrap_or_default()));
        prop_assert_eq!(cell("message_end").is_empty(), record.message.is_none());
        prop_assert_eq!(cell("quote_depth"), numbers.3.to_string().into_bytes());
        prop_assert_eq!(cell("readings"), shown(&others.join(&b' ')));
        let id = record.message.as_ref().and_then(|message| message.id.clone());
        prop_assert_eq!(cell("message_id"), shown(&id.unwrap_or_default()));

        // A row of TSV is one line, has as many tabs as the header, and contains no control
        // characters.
        let mut row = Vec::new();
        let table = Table::Tsv { guarded: true };
        table.write_row(&Columns::default(), &mut row, &record);
        let row = String::from_utf8(row).unwrap();
        let line = row.strip_suffix('\n').unwrap();
        prop_assert!(!line.chars().any(|c| c != '\t' && is_unseen(c)), "{line:?}");
        prop_assert_eq!(line.split('\t').count(), columns.len());
        prop_assert!(!line.split('\t').any(|cell| cell.starts_with(['=', '+', '-', '@'])), "{line:?}");
        let backslashes = line.split('\t').nth(2).unwrap().trim_start_matches('\'');
        prop_assert!(texts.0.contains(&b'\\') || !backslashes.contains("\\\\"));
    }

    #[test]
    fn strings_are_as_serde_json_writes_them(
        text in prop_oneof![".*", "[a-z/]{0,40}[\\x00-\\x7f\"é]?[a-z/]{0,40}"],
    ) {
        let mut out = Vec::new();
        assert!(json::push_string(&mut out, text.as_bytes()));
        prop_assert_eq!(
            String::from_utf8(out).unwrap(),
            json::escape_unseen(serde_json::to_string(&text).unwrap())
        );
    }

    #[test]
    fn any_bytes_come_lossy(bytes: Vec<u8>) {
        let mut out = Vec::new();
        let lossless = json::push_string(&mut out, &bytes);
        let oracle = serde_json::to_string(&String::from_utf8_lossy(&bytes)).unwrap();
        prop_assert_eq!(out, json::escape_unseen(oracle).into_bytes());
        prop_assert_eq!(lossless, str::from_utf8(&bytes).is_ok());
    }

    #[test]
    fn numbers(number: u64, shift in 0_u32..64) {
        for number in [number >> shift, 10_u64.pow(shift % 20), number % 1000] {
            let mut out = Vec::new();
            json::push_decimal(&mut out, number);
            prop_assert_eq!(out, number.to_string().into_bytes());
        }
    }
}

#[test]
fn other_records_contain_the_defined_fields() {
    let file = FileName { path: b"a\xff".to_vec(), member: Some(b"b".to_vec()) };
    let mut line = Vec::new();
    file.write_error("it \"went\" wrong", Some(fields::FORMAT_UNREADABLE), &mut line);
    let line = String::from_utf8(line).unwrap();
    assert_defined(&keys(&line), fields::error::ALL);
    let mut line = Vec::new();
    Tally { urls: 7, ..Tally::default() }.write_json(&mut line);
    assert_defined(&keys(str::from_utf8(&line).unwrap()), fields::summary::ALL);
    json::append_number_field(&mut line, &fields::url::COUNT, 12);
    assert!(line.ends_with(b",\"truncated\":0,\"count\":12}\n"));
}

#[test]
fn every_code_needs_no_escape() {
    for code in Code::ALL {
        for text in [code.name(), code.section(), code.message()] {
            let mut out = Vec::new();
            json::push_string(&mut out, text.as_bytes());
            assert_eq!(out.len(), text.len() + 2 + usize::from(text.contains('"')) * 2, "{text}");
        }
    }
}
