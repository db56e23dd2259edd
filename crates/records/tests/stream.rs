//! Checks that memory is bounded for streams without an end, and for records without their end.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use urlsift_archive::{Container, Notation, Options, WebFormat, documents};
use urlsift_core::Span;
use urlsift_records::LineStart;
use urlsift_records::input::{Buffer, UnitSlice, UnitStream};

const MIB: u64 = 1 << 20;
/// The number of bytes that an endless stream returns before it fails.
const GIVEN: u64 = 140 * MIB;

/// A stream of a head and a line that is repeated endlessly. Counts the bytes it has returned.
struct Endless<'a> {
    head: &'a [u8],
    line: &'a [u8],
    given: u64,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given >= GIVEN {
            return Err(io::Error::other("it broke off"));
        }
        let at = usize::try_from(self.given).unwrap();
        let source = match self.head.get(at..) {
            Some(head) if !head.is_empty() => head,
            _ => &self.line[(at - self.head.len()) % self.line.len()..],
        };
        let left = usize::try_from(GIVEN - self.given).unwrap();
        let len = source.len().min(buffer.len()).min(left);
        buffer[..len].copy_from_slice(&source[..len]);
        self.given += len as u64;
        Ok(len)
    }
}

/// Counts the bytes that are written to the spool file.
#[derive(Default)]
struct PutBy(u64);

impl Write for PutBy {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The result of reading a stream.
#[derive(Debug, Default)]
struct Told {
    /// The maximum number of bytes in memory at a time.
    held: u64,
    put_by: u64,
    /// The number of bytes that were scanned.
    scanned: u64,
    passed_over: u64,
    failed: bool,
}

fn read(container: Container, head: &[u8], line: &[u8]) -> Told {
    let line = line.repeat((100_000 / line.len()).max(1));
    let mut stream = UnitStream::new(Endless { head, line: &line, given: 0 }, Buffer::default())
        .with_spooling_caller();
    let (mut container, mut at, mut buffer) = (container, 0, Buffer::default());
    let mut told = Told::default();
    loop {
        let UnitSlice { base, from, to, last, trouble, is_long, .. } =
            stream.next_unit(&mut container, at, &Options::default(), &mut buffer);
        told.held = told.held.max(stream.get_ref().given - at);
        if is_long {
            let mut put_by = PutBy::default();
            let place = (at, LineStart::default());
            let spooled = stream.spool_long(&mut container, place, &mut put_by).unwrap();
            assert_eq!(spooled.len, put_by.0);
            told.put_by += spooled.len;
            at += spooled.len;
            told.failed |= spooled.trouble.is_some();
            if spooled.last {
                break;
            }
            continue;
        }
        assert_eq!(base + from as u64, at);
        let len = (to - from) as u64;
        if container == Container::Index {
            told.passed_over += len;
        } else {
            told.scanned += len;
        }
        at += len;
        told.failed |= trouble.is_some();
        if last {
            break;
        }
    }
    assert!(at == GIVEN && told.failed, "{told:?}");
    told
}

const BOUND: u64 = 66 * MIB;

fn warc(kind: &str, fields: &str, length: u64) -> Vec<u8> {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n\
         HTTP/1.1 200 OK\r\n{fields}\r\n"
    )
    .into_bytes()
}

#[test]
fn endless_web_archive_record_is_not_kept_in_memory() {
    let format = Container::Web(WebFormat::Warc);
    let endless = 1_000_000_000_000_000;
    let line = b"words that say nothing http://host.dom/\n";
    for (head, is_read) in [
        (warc("response", "Content-Type: video/mp4\r\n", endless), false),
        (warc("request", "", endless), false),
        (warc("response", "Content-Type: text/html\r\n", endless), true),
        (warc("response", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", endless), true),
        (warc("conversion", "", endless), true),
    ] {
        let told = read(format, &head, line);
        assert!(told.held < BOUND, "{told:?}");
        let all = if is_read { told.put_by } else { told.passed_over };
        assert_eq!(all, GIVEN, "{told:?}");
    }
    // The same without line breaks.
    let told = read(format, &warc("response", "Content-Type: video/mp4\r\n", endless), b"\0\x01W");
    assert!(told.held < BOUND && told.passed_over == GIVEN, "{told:?}");
    let arc = b"http://page.dom/ 192.0.2.1 19960101000000 video/mp4 1000000000000\n\
                HTTP/1.0 200 OK\nContent-Type: video/mp4\n\n";
    let told = read(Container::Web(WebFormat::Arc), arc, line);
    assert!(told.held < BOUND && told.passed_over == GIVEN, "{told:?}");
    // A line that does not belong to a record is scanned as text.
    let told = read(format, b"", b"no record http://host.dom/ ");
    assert!(told.held < BOUND && told.scanned == GIVEN, "{told:?}");
}

#[test]
fn record_ends_where_the_next_starts_despite_its_length() {
    let format = Container::Web(WebFormat::Warc);
    let record = warc("request", "", 60);
    let line = [&vec![b'x'; 70_000][..], b"\n", &record].concat();
    let head = warc("response", "Content-Type: video/mp4\r\n", 1 << 40);
    let told = read(format, &head, &line);
    // The first record ends after its first line, and the records after it are read.
    assert!(told.held < BOUND, "{told:?}");
    assert_eq!(told.passed_over, (head.len() + 70_001) as u64, "{told:?}");
}

#[test]
fn endless_message_is_not_kept_in_memory() {
    let line = b"words that say nothing http://host.dom/\n";
    let rule = "=".repeat(73) + "\nDate: Thu, 1 Dec 1994 10:00:00 +0000\nSubject: a\n\n";
    for (container, head) in [
        (Container::Rnews, &b"#! rnews 100\nSubject: a\n\n"[..]),
        (Container::Rnews, b"#! rnews 67108863\nSubject: a\n\n"),
        (Container::Babyl, b"BABYL OPTIONS:\n\x1f\x0c\n1,,\n*** EOOH ***\nSubject: a\n\n"),
        (Container::Babyl, b"BABYL OPTIONS:\n"),
        (Container::Notebook, rule.as_bytes()),
        (Container::Mbox, b"From a Thu Dec  1 10:00:00 1994\nSubject: a\n\n"),
        (Container::Mboxcl, b"From a Thu Dec  1 10:00:00 1994\nContent-Length: 1000000000000\n\n"),
        (Container::Message, b"Subject: a\n\n"),
        (Container::Html, b"<html>"),
    ] {
        let told = read(container, head, line);
        assert!(told.held < BOUND, "{container:?}: {told:?}");
        // The text before the message and the rest of the message are counted.
        assert!(told.put_by >= GIVEN - 20 && told.passed_over == 0, "{container:?}: {told:?}");
    }
}

#[test]
fn memory_of_whole_inputs_is_bounded() {
    let line = b"words that say nothing http://host.dom/\n";
    for container in [Container::Utf16, Container::Defanged, Container::Encoded] {
        let told = read(container, b"", line);
        assert!(told.held < BOUND + 2 * MIB, "{container:?}: {told:?}");
        assert_eq!(told.scanned, GIVEN, "{container:?}: {told:?}");
    }
}

/// Returns the texts of a file, each with the file offset of each byte.
fn texts(raw: &[u8], container: Container, base: u64, options: &Options) -> Vec<(Vec<u8>, u64)> {
    let mut all = Vec::new();
    documents(raw, container, base, options, &mut |document| {
        let text = document.text.iter().enumerate();
        let places = text.map(|(at, _)| document.to_file_span(Span::new(at, at + 1)).start);
        all.push((
            document.text.to_vec(),
            places.fold(0, |sum, place| sum * 31 % 1_000_003 + place),
        ));
        ControlFlow::Continue(())
    });
    all
}

#[test]
fn long_escaped_text_is_cut_like_one_in_memory() {
    let item = |n: usize| format!("\"http:\\/\\/h{n}.dom\\/{}\\u00e9\",", "\\\"x, ".repeat(n % 7));
    let json: String = (0..30_000).map(item).collect();
    let lines: String = (0..30_000).map(|n| item(n) + "\n").collect();
    let paragraph = |n: usize| format!("\\url{{http://h{n}.dom/\\~{{}}a\\_b}}\n\n");
    let tex: String = (0..30_000).map(paragraph).collect();
    let element = |n: usize| format!("<a>http://h{n}.dom/?a&amp;b</a>");
    let xml: String = (0..30_000).map(element).collect();
    let notebook =
        format!("{{\"cells\":[{{\"cell_type\":\"markdown\",\"source\":[{lines}\"\"]}}]}}");
    for (notation, text) in [
        (Notation::Json, format!("[{json}0]\n")),
        (Notation::Json, format!("[\n{lines}{json}0]")),
        (Notation::Jupyter, format!("[{json}0]")),
        (Notation::Jupyter, notebook),
        (Notation::Xml, format!("<?xml version=\"1.0\"?>{xml}\n<b>\n")),
        (Notation::Tex, tex.clone()),
        (Notation::Man, tex.replace('/', "\\(en\\:")),
        (Notation::Gettext, tex.replace('/', "\"\n\"")),
    ] {
        let mut options = Options::default();
        options.max_message = 600_000;
        let whole = texts(text.as_bytes(), Container::Escaped(notation), 0, &options);
        assert!(whole.len() > 1, "{notation:?}");
        let mut stream = UnitStream::new(text.as_bytes(), Buffer::default());
        let (mut container, mut at, mut buffer) =
            (Container::Escaped(notation), 0, Buffer::default());
        let mut pieces = Vec::new();
        while at < text.len() as u64 {
            let slice = stream.next_unit(&mut container, at, &options, &mut buffer);
            assert!(slice.from == 0 && slice.to <= 2 << 20, "{notation:?}: {}", slice.to);
            pieces.extend(texts(&buffer.bytes()[..slice.to], container, at, &options));
            at += slice.to as u64;
        }
        assert_eq!(pieces.len(), whole.len(), "{notation:?}");
        assert!(pieces == whole, "{notation:?}");
    }
}
