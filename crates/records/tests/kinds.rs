//! Checks that the detected format of a document depends only on its first bytes and its name,
//! however it is read.
#![cfg(feature = "unpack")]

use proptest::prelude::*;
use std::io::{self, Cursor, Read, Write as _};
use std::sync::Arc;
use urlsift_archive::{Head, Reading};
use urlsift_records::input::{Buffer, UnitSlice, UnitStream, detect_container};
use urlsift_records::{FileName, Input, LineStart, Options, Scan, Unit, UrlRecord};

/// A reader that returns a text in small pieces, with a pause after each.
struct Pieces<'p> {
    rest: &'p [u8],
    step: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Return whole lines, so that there is a pause after each line.
        let line = self.rest.iter().position(|byte| *byte == b'\n').map_or(1, |end| end + 1);
        let len = line.min(self.step).min(buffer.len()).min(self.rest.len());
        let (piece, rest) = self.rest.split_at(len);
        buffer[..len].copy_from_slice(piece);
        self.rest = rest;
        Ok(len)
    }
}

/// The parts of a document: its name, its start, a line that is repeated, and its end.
type Shape = (&'static str, &'static str, &'static str, &'static str);

const MAIL: &str = "Content-Transfer-Encoding: base64\n\naHR0cDovL2RlZXAuZG9tLyA=\n";
const SHAPES: [Shape; 28] = [
    ("a", "Received: x\n", "X-A: http://h.dom/a\n", "From: joe@h.dom\n"),
    ("a", "Subject: x\n", " folded\n", "From: joe@h.dom\nDate: a\n"),
    ("a", "X-A: x\n", "X-B: y\n", "From: joe@h.dom\nSubject: a\nDate: a\n"),
    ("a.eml", "X-A: x\n", "X-B: y\n", ""),
    ("a", "From joe Thu Dec  1 10:00:00 1994\n", "X-A: y\n", ""),
    ("a", "From \n", "X-A: y\n", ""),
    ("a.ics", "BEGIN:VCALENDAR\n", "A:http://h.dom/a\n b\n", "C:http\\://h.dom/\n"),
    ("a.emlx", "12\n", "X-A: y\n", ""),
    ("a", "From joe Thu Dec  1 10:00:00 1994\nContent-Length: 3\n", "X-A: y\n", ""),
    ("a", "#! rnews 900000\n", "X-A: y\n", ""),
    ("a", "BABYL OPTIONS: -*- rmail -*-\n", "Labels: a\n", "\u{1f}\n"),
    ("a", "", "\n", "<html><a href='http&#58;//h.dom/'>x</a>\n"),
    ("a", "<html>\n", "<p>http://h.dom/a<b>b</b>\n", "<a href='http&#58;//h.dom/'>x</a>\n"),
    ("a.html", "http://h.dom/z\n", "word\n", "<a href='http&#58;//h.dom/a b'>x</a>\n"),
    ("a.html", "http://h.dom/&#97;\n", "word\n", ""),
    ("a.html.gz", "http://h.dom/&#97;\n", "word\n", "<p>\n"),
    ("a", "<!-- x\n", "y\n", "--><html><a href='http&#58;//h.dom/'>x</a>\n"),
    ("a", "[\n", "\n", "{\"a\":\"http:\\/\\/h.dom\\/\"}]\n"),
    ("a.json", "[\n", "\n", "{\"a\":\"http:\\/\\/h.dom\\/\"}]\n"),
    ("a", "<?xml version='1.0'?>\n", "<a>http&#58;//h.dom/</a>\n", "<b/>\n"),
    ("a", "% x\n", "% http://h.dom/\n", "\\documentclass{a}\n\\url{http://h.dom/\\%7Ea}\n"),
    ("a", "# x\n", "# http://h.dom/\n", "msgid \"\"\nmsgstr \"\"\n\"http://h.dom/a/\"\n\"b\"\n"),
    ("a", ".\\\" x\n", ".\\\" y\n", ".TH A 1\nhttp://h.dom/\\-a\n"),
    (
        "a",
        "WARC/1.0\r\nWARC-Type: response\r\n",
        "WARC-A: y\r\n",
        "Content-Length: 20\r\n\r\nhttp://h.dom/ and more\n",
    ),
    ("a", "INFO: http://h.dom/a-\n", "INFO: b\n", "Received: x\nFrom: y\n"),
    ("a", "GET http://h.dom/1\n", "http://h.dom/2\n", "From: a\n"),
    ("a.md", "# [x](http://h.dom/)\n", "<p>\n", "\0"),
    ("a", "word\n", "http://h.dom/2\0\n", "\0"),
];

/// Returns a document with this shape. Its end starts `beyond` bytes after the bytes that are
/// examined to detect the format, or before their end if `beyond` is negative.
fn document(shape: Shape, beyond: i64) -> Vec<u8> {
    let (_, start, line, end) = shape;
    let len = i64::try_from(Head::LEN).unwrap() + beyond;
    let times = usize::try_from(len).unwrap().saturating_sub(start.len()) / line.len();
    [start, &line.repeat(times), end, MAIL].concat().into_bytes()
}

/// Returns the records without their file names.
fn read(input: Input<'_>) -> Vec<UrlRecord<'static>> {
    let mut records = Vec::new();
    Scan::new(Options::default()).read(input, &mut records).unwrap();
    nameless(records)
}

fn nameless(mut records: Vec<UrlRecord<'static>>) -> Vec<UrlRecord<'static>> {
    for record in &mut records {
        record.file.to_mut().clone_from(&Arc::new(FileName::default()));
    }
    records
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn tar(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    archive.append_data(&mut header, name, bytes).unwrap();
    archive.into_inner().unwrap()
}

fn zip(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap().into_inner()
}

/// Returns the records of a stream that pauses after lines.
fn paused(name: &str, bytes: &[u8], step: usize) -> Vec<UrlRecord<'static>> {
    let scan = Scan::new(Options::default());
    let file = Arc::new(FileName::new(name));
    let pieces = Pieces { rest: bytes, step };
    // Each pause ends a unit, and each unit of a text is read with its context.
    let mut asked = 0;
    let pauses = move || {
        asked += 1;
        asked < 20 || asked % 997 == 0
    };
    let stream = UnitStream::new(pieces, Buffer::default());
    let mut stream = stream.with_pauses(Some(Box::new(pauses)));
    let options = urlsift_archive::Options::default();
    let mut kind = stream.detect_container(&file, Reading::Auto).adapt_to_options(&options);
    let (mut at, mut lines, mut buffer) = (0, LineStart::default(), Buffer::default());
    let mut records = Vec::new();
    loop {
        let UnitSlice { base, from, to, last, .. } =
            stream.next_unit(&mut kind, at, &options, &mut buffer);
        let unit = Unit::new(&file, kind, from..to).with_base(base).with_lines(lines);
        lines = scan.scan_unit(buffer.bytes(), &unit, &mut records).lines;
        at = base + to as u64;
        if last {
            return nameless(records);
        }
    }
}

fn check(shape: Shape, beyond: i64, step: usize) {
    let (name, bytes) = (shape.0, document(shape, beyond));
    let expected = read(Input::from_bytes(name, &bytes));
    let file = Arc::new(FileName::new(name));
    let unit = Unit::whole_file(&file, &bytes, Reading::Auto);
    let ways = [
        ("stream", read(Input::from_stream(name, Pieces { rest: &bytes, step }))),
        ("file", read(Input::from_file(name, Cursor::new(&bytes)))),
        ("unit", nameless(urlsift_records::collect_records(&bytes, &unit, &Options::default()))),
        ("gzip", read(Input::from_bytes(format!("{name}.gz"), &packed(&bytes)))),
        ("tar", read(Input::from_bytes("a.tar", &tar(name, &bytes)))),
        ("zip", read(Input::from_bytes("a.zip", &zip(name, &bytes)))),
        ("zip, streamed", read(Input::from_stream("a.zip", &zip(name, &bytes)[..]))),
        ("pauses", paused(name, &bytes, step)),
    ];
    for (way, records) in ways {
        let same = records == expected;
        assert!(same, "{way}, {shape:?}, {beyond}: {} of {}", records.len(), expected.len());
    }
    let of_head = detect_container(
        &file,
        Head::new(&bytes[..bytes.len().min(Head::LEN)], bytes.len() > Head::LEN),
        Reading::Auto,
    );
    assert_eq!(of_head, unit.container);
}

#[test]
fn documents_of_each_kind_read_the_same_in_every_way() {
    for shape in SHAPES {
        for beyond in [-1000, 1000] {
            check(shape, beyond, 4096);
        }
        check(shape, i64::from(-1 << 18) + 300, 7);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn documents_read_the_same_wherever_their_head_ends(
        shape in prop::sample::select(SHAPES.to_vec()),
        beyond in prop_oneof![-60_i64..60, -262_000_i64..-200_000, -5000_i64..5000],
        step in 1_usize..3000,
    ) {
        check(shape, beyond, step);
    }
}
