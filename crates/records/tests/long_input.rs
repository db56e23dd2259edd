//! Checks that files with messages too long to keep in memory are read from every kind of source.
#![cfg(all(feature = "gz", feature = "spool"))]

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write as _};
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::Container;
use urlsift_archive::unpack::{Expansion, Limits};
use urlsift_records::input::RangeUnit;
use urlsift_records::{FileName, Input, LineStart, Options, Scan, UrlRecord};

/// The number of URLs in the long message.
const URLS: usize = 40;
/// The maximum number of bytes that a reader may request at a time.
const MOST: usize = 65 << 20;

/// Returns a message of 66 MiB in base64, with URLs at regular intervals.
fn long() -> String {
    // `see http://host.dom/a and so on`, a line break, and lines without a URL.
    let line = "c2VlIGh0dHA6Ly9ob3N0LmRvbS9hIGFuZCBzbyBvbgoK\n";
    let body =
        (line.to_owned() + &"YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4\n".repeat(51_000)).repeat(URLS);
    assert!(body.len() > 64 << 20);
    format!("Subject: long\nContent-Transfer-Encoding: base64\n\n{body}\n")
}

const SHORT: &str = "From a Thu Dec  1 10:00:00 1994\nSubject: short\n\nhttp://host.dom/b\n\n";

/// A source that records the maximum number of bytes requested at a time.
struct Asked<'a> {
    bytes: Cursor<&'a [u8]>,
    most: usize,
}

impl<'a> Asked<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: Cursor::new(bytes), most: 0 }
    }
}

impl Read for Asked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.most = self.most.max(buffer.len());
        self.bytes.read(buffer)
    }
}

impl Seek for Asked<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

fn read(scan: &Scan, input: Input<'_>) -> Vec<UrlRecord<'static>> {
    let mut limits = Limits::default();
    limits.expand = Expansion::Bytes(1 << 30);
    let mut records = Vec::new();
    let scanned = scan.read(input.with_limits(limits), &mut records).unwrap();
    assert_eq!(scanned.tally.urls, records.len() as u64);
    records
}

fn scan() -> Scan {
    Scan::new(Options::default())
}

/// Checks that all ways to read a file give the records of its bytes in memory.
fn check(name: &str, bytes: &[u8], urls: usize) -> Vec<UrlRecord<'static>> {
    let scan = scan();
    let expected = read(&scan, Input::from_bytes(name, bytes));
    assert_eq!(expected.len(), urls);
    let mut file = Asked::new(bytes);
    assert_eq!(read(&scan, Input::from_file(name, &mut file)), expected);
    assert!(file.most < MOST, "{} bytes at once", file.most);
    let mut stream = Asked::new(bytes);
    assert_eq!(read(&scan, Input::from_stream(name, &mut stream)), expected);
    assert!(stream.most < MOST, "{} bytes at once", stream.most);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(read(&scan, Input::from_file(name, Cursor::new(packed))), expected);
    expected
}

#[test]
fn a_long_message_gives_the_same_records_by_file_and_stream() {
    check("a.eml", long().as_bytes(), URLS);
}

#[test]
fn long_messages_among_others_give_the_same_records() {
    let long = format!("From b Thu Dec  1 11:00:00 1994\n{}", long());
    let mailbox = [&SHORT.repeat(3), &long, SHORT, SHORT].concat();
    let bytes = mailbox.as_bytes();
    let expected = check("a.mbox", bytes, URLS + 5);
    // Three units. The second one contains the long message and the message after it.
    let cuts = [0, 2 * SHORT.len(), 4 * SHORT.len() + long.len(), bytes.len()];
    let (scan, file) = (scan(), Arc::new(FileName::new("a.mbox")));
    let (mut lines, mut found) = (LineStart::default(), Vec::new());
    for cut in cuts.windows(2) {
        let range = cut[0] as u64..cut[1] as u64;
        let unit = RangeUnit { file: &file, container: Container::Mbox, range, lines };
        // The decompressed bytes start at the start of the unit.
        let (source, base) = if cut[0] == 0 { (bytes, 0) } else { (&bytes[cut[0]..], cut[0]) };
        let mut source = Asked::new(source);
        let scanned = scan.read_range(&unit, (&mut source, base as u64), &mut found).unwrap();
        assert!(source.most < MOST, "{} bytes at once", source.most);
        lines = scanned.lines;
    }
    assert_eq!(found, expected);
}

#[test]
fn a_unit_of_a_text_is_read_piece_by_piece() {
    let text = "see http://host.dom/a/b\nand\nfoo://bar, or www.host.dom/\n".repeat(100_000);
    let (scan, file) = (scan(), Arc::new(FileName::new("a.txt")));
    let whole = read(&scan, Input::from_bytes("a.txt", text.as_bytes()));
    let mut lines = LineStart::default();
    let mut found = Vec::new();
    let mut scan_unit = |range: Range<u64>| {
        let container = Container::Text(urlsift_archive::Dialect::Plain);
        let unit = RangeUnit { file: &file, container, range, lines };
        let mut source = Asked::new(text.as_bytes());
        let scanned = scan.read_range(&unit, (&mut source, 0), &mut found).unwrap();
        assert!(source.most < 2 << 20, "{} bytes at once", source.most);
        lines = scanned.lines;
    };
    let len = text.len() as u64;
    scan_unit(0..1_000_003);
    scan_unit(1_000_003..1_000_200);
    scan_unit(1_000_200..len);
    assert_eq!(found, whole);
    // A range that is longer than the file.
    let range = 0..len + 1;
    let unit = RangeUnit {
        file: &file,
        container: Container::Text(urlsift_archive::Dialect::Plain),
        range,
        lines: LineStart::default(),
    };
    let told = scan.read_range(&unit, (Cursor::new(text.as_bytes()), 0), &mut Vec::new());
    assert!(told.unwrap_err().to_string().contains("truncated"));
}
