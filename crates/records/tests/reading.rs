//! Checks that the same input gives the same records, compressed or not, from bytes, a stream or a
//! file.
#![cfg(feature = "unpack")]

use std::io::{Cursor, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use urlsift_archive::unpack::{Expansion, Limits, Refusal, Trouble};
use urlsift_records::{FileName, Input, Options, Scan, Sink, Tally, UrlRecord};

/// A sink that keeps the records, without the file name, and the errors.
#[derive(Debug, Default)]
struct All {
    records: Vec<UrlRecord<'static>>,
    members: Vec<String>,
    troubles: Vec<String>,
}

impl Sink for All {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        let mut record = record.clone().into_owned();
        let member = record.file.member.as_deref().unwrap_or_default();
        self.members.push(String::from_utf8_lossy(member).into_owned());
        record.file.to_mut().clone_from(&Arc::new(FileName::default()));
        self.records.push(record);
        ControlFlow::Continue(())
    }

    fn trouble(&mut self, _: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        self.troubles.push(trouble.to_string());
        Ok(())
    }
}

fn read(scan: &Scan, input: Input<'_>) -> (All, Tally) {
    let mut all = All::default();
    let scanned = scan.read(input, &mut all).unwrap();
    (all, scanned.tally)
}

/// Returns the names and contents of the mail in the corpus.
fn mail() -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/mail");
    let mut files = Vec::new();
    let mut open = vec![corpus];
    while let Some(directory) = open.pop() {
        for entry in directory.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push((path.display().to_string(), std::fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    assert!(files.len() > 20);
    files
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn compression_does_not_change_records() {
    let scan = Scan::new(Options::default());
    for (path, bytes) in mail() {
        let (plain, tally) = read(&scan, Input::from_bytes(&*path, &bytes));
        assert_eq!(tally.urls, plain.records.len() as u64);
        let name = Path::new(&path).file_name().unwrap().to_str().unwrap();
        let packed = gzip(&bytes);
        let inner = zip(&[(&format!("{name}.gz"), &packed), (name, &bytes)]);
        let archive = tar(&[(name, &bytes), ("inner.zip", &inner)]);
        let ways = [
            (Input::from_stream(&*path, &*bytes), 1),
            (Input::from_file(&*path, Cursor::new(&bytes)), 1),
            (Input::from_bytes(format!("{path}.gz"), &packed), 1),
            (Input::from_stream(format!("{path}.gz"), &*packed), 1),
            (Input::from_stream("a.tar", &*archive), 3),
            (Input::from_bytes("a.tar", &archive), 3),
            (Input::from_file("a.zip", Cursor::new(&inner)), 2),
        ];
        for (input, times) in ways {
            let shown = format!("{input:?}");
            let (found, tally) = read(&scan, input);
            assert_eq!(found.troubles, [""; 0], "{shown}");
            let same = found.records.chunks(plain.records.len().max(1));
            assert_eq!(found.records.len(), times * plain.records.len(), "{shown}");
            assert!(same.into_iter().all(|records| records == plain.records), "{shown}");
            assert_eq!(tally.urls, plain.records.len() as u64 * times as u64);
        }
    }
}

#[test]
fn members_are_named() {
    let inner = zip(&[("b.txt", b"http://h.dom/b")]);
    let archive = gzip(&tar(&[("a.txt", b"http://h.dom/a"), ("in.zip", &inner)]));
    let (found, _) = read(&Scan::new(Options::default()), Input::from_bytes("x.tgz", &archive));
    assert_eq!(found.members, ["a.txt", "in.zip!/b.txt"]);
}

#[test]
fn error_ends_the_scan_unless_accepted() {
    let scan = Scan::new(Options::default());
    let mut packed = gzip(&b"http://h.dom/a\n".repeat(9000));
    packed.truncate(packed.len() - 30);
    let archive = tar(&[("a.gz", &packed), ("b.txt", b"http://h.dom/b")]);
    let mut records = Vec::new();
    let trouble = scan.read(Input::from_bytes("a.tar", &archive), &mut records).unwrap_err();
    let Trouble::Read(error) = &trouble else { panic!("{trouble:?}") };
    assert_eq!(Refusal::from_error(error), Some(&Refusal::EndsEarly));
    assert!(records.len() > 1000);
    let (found, _) = read(&scan, Input::from_bytes("a.tar", &archive));
    assert_eq!(found.troubles.len(), 1);
    assert_eq!(found.members.last().unwrap(), "b.txt");

    let mut limits = Limits::default();
    limits.expand = Expansion::Bytes(1000);
    let bomb = gzip(&vec![b' '; 100_000]);
    let trouble =
        scan.read(Input::from_stream("x", &*bomb).with_limits(limits), &mut records).unwrap_err();
    assert_eq!(trouble.to_string(), "expands beyond 1000 bytes");

    let mut deep = zip(&[("a.txt", b"http://h.dom/a")]);
    for _ in 0..5 {
        deep = zip(&[("in.zip", &deep)]);
    }
    let (found, _) = read(&scan, Input::from_bytes("x.zip", &deep));
    assert!(found.records.is_empty() && found.troubles[0].contains("4 levels deep"));
}

#[test]
fn unread_format_is_reported_once() {
    let scan = Scan::new(Options::default());
    let book = b"AT&TFORM\n(http://h.dom/a)\n";
    for input in [
        Input::from_bytes("a.djvu", book),
        Input::from_stream("a.djvu", &book[..]),
        Input::from_file("a.djvu", Cursor::new(book)),
    ] {
        let (found, tally) = read(&scan, input);
        assert_eq!((found.troubles.len(), tally.urls), (1, 1), "{:?}", found.troubles);
    }
}

#[test]
fn attachments_of_outlook_are_members() {
    let (_, raw) = mail().into_iter().find(|(name, _)| name.ends_with("winmail.dat")).unwrap();
    let scan = Scan::new(Options::default());
    let archive = tar(&[("winmail.dat", &raw)]);
    for (input, outer) in [
        (Input::from_bytes("winmail.dat", &raw), ""),
        (Input::from_stream("winmail.dat", &raw[..]), ""),
        (Input::from_bytes("a.tar", &archive), "winmail.dat"),
    ] {
        let (found, tally) = read(&scan, input);
        let inner = ["", "", "notes \u{e9}.html", "list.txt", "Inner"];
        let names = inner.map(|name| {
            [outer, name].join(if outer.is_empty() || name.is_empty() { "" } else { "!/" })
        });
        assert_eq!(found.members, names);
        assert_eq!((found.troubles.len(), tally.messages), (0, 1));
        let whole = raw.len() as u64;
        assert!(found.records.iter().all(|url| (url.span.start, url.span.end) == (0, whole)));
    }
}

#[cfg(feature = "pdf")]
#[test]
fn pdf_is_not_read_from_a_stream() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/packed/links.pdf");
    let raw = std::fs::read(path).unwrap();
    let scan = Scan::new(Options::default());
    let (found, _) = read(&scan, Input::from_stream("a.pdf", &raw[..]));
    assert!(found.records.is_empty());
    assert!(found.troubles[0].contains("cannot be read from a stream"), "{:?}", found.troubles);
    for input in [Input::from_bytes("a.pdf", &raw), Input::from_file("a.pdf", Cursor::new(&raw))] {
        let (found, _) = read(&scan, input);
        assert_eq!((found.records.len(), found.troubles.len()), (8, 0));
        assert_eq!(found.members[0], "page 1");
    }
}

#[test]
fn breaking_sink_ends_the_scan() {
    struct One(u32);
    impl Sink for One {
        fn record(&mut self, _: &UrlRecord<'_>) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Break(())
        }
    }
    let archive = tar(&[("a.txt", b"http://h.dom/a"), ("b.txt", b"http://h.dom/b")]);
    let mut one = One(0);
    let scanned =
        Scan::new(Options::default()).read(Input::from_bytes("x.tar", &archive), &mut one);
    assert!(scanned.unwrap().stopped && one.0 == 1);
}
