//! Checks which records of web archives are read, which offsets are reported, and which records are
//! skipped.
#![cfg(feature = "unpack")]

use std::io::Write as _;
use std::sync::Arc;
use urlsift_archive::unpack::Limits;
use urlsift_archive::{Container, Head, WebFormat, WebRecords, detect};
use urlsift_archive::{Layer, Limit, Reading};
use urlsift_records::input::{cut_into_units, decompress_unit};
use urlsift_records::{FileName, Input, Options, Scan, Unit, UrlRecord};

/// Returns a WARC record.
fn warc(kind: &str, uri: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2024-05-01T10:20:30Z\r\n\
         WARC-Record-ID: <urn:uuid:{}>\r\nWARC-IP-Address: 192.0.2.1\r\nContent-Type: {content_type}\r\n\
         Content-Length: {}\r\n\r\n",
        uri.len(),
        block.len()
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

const HTTP: &str = "application/http; msgtype=response";

/// Returns an HTTP response.
fn answer(fields: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 200 OK\r\nServer: x\r\nLink: <http://header.dom/>\r\n{fields}\r\n");
    [head.as_bytes(), body].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// `one http://a.dom/path and http://b.dom/whole` and a line feed, compressed with Brotli.
const BROTLI: &[u8] = b"\x1b,\x00\xf8\xc5S\xd6\xb5@\xcc\xec\x8f?p\xc8\xcd\x0f\x8a_\x12x\"u\t\xac0D\x91\xf5wSgNO\x05\x0cD[\x00";

fn scanned(bytes: &[u8], records: WebRecords) -> Vec<UrlRecord<'static>> {
    let mut options = Options::default();
    options.web_records = records;
    let mut found = Vec::new();
    Scan::new(options).read(Input::from_bytes("a.warc", bytes), &mut found).unwrap();
    found
}

fn urls(found: &[UrlRecord<'_>]) -> Vec<String> {
    found.iter().map(|record| String::from_utf8_lossy(&record.url).into_owned()).collect()
}

const PAGE: &[u8] = b"<html><a href='http://a.dom/?x=1&amp;y=2'>http://b.dom/</a></html>";

fn archive() -> Vec<u8> {
    [
        warc("warcinfo", "", "application/warc-fields", b"description: http://info.dom/\r\n"),
        warc(
            "request",
            "http://page.dom/",
            "application/http",
            b"GET / HTTP/1.1\r\nReferer: http://from.dom/\r\n\r\n",
        ),
        warc("response", "http://page.dom/", HTTP, &answer("Content-Type: text/html\r\n", PAGE)),
        warc(
            "response",
            "http://page.dom/picture",
            HTTP,
            &answer("Content-Type: image/png\r\n", b"http://no.dom/"),
        ),
        warc(
            "response",
            "<http://page.dom/text>",
            HTTP,
            &answer("Content-Type: text/plain; charset=utf-8\r\n", b"see http://c.dom/ ."),
        ),
        warc("response", "dns:page.dom", "text/dns", b"page.dom. 1 IN A 192.0.2.1 http://dns.dom/"),
        warc(
            "metadata",
            "http://page.dom/",
            "application/warc-fields",
            b"outlink: http://out.dom/\r\n",
        ),
        warc(
            "conversion",
            "http://page.dom/",
            "text/plain",
            "Et http://d.dom/é fin\nhttp://e.dom/\n".as_bytes(),
        ),
    ]
    .concat()
}

#[test]
fn pages_are_read_and_headers_are_not() {
    let raw = archive();
    let found = scanned(&raw, WebRecords::Pages);
    assert_eq!(
        urls(&found),
        [
            "http://a.dom/?x=1&y=2",
            "http://b.dom/",
            "http://c.dom/",
            "http://d.dom/é",
            "http://e.dom/"
        ]
    );
    let page = found[0].page.as_ref().unwrap();
    assert_eq!(page.uri.as_deref(), Some(&b"http://page.dom/"[..]));
    assert_eq!(page.date.unwrap().to_string(), "2024-05-01T10:20:30Z");
    assert_eq!(page.id.as_deref(), Some(&b"urn:uuid:16"[..]));
    assert_eq!(page.kind, b"response");
    assert_eq!(found[2].page.as_ref().unwrap().uri.as_deref(), Some(&b"http://page.dom/text"[..]));
    assert_eq!(found[4].page.as_ref().unwrap().kind, b"conversion");
    for record in &found[1..] {
        assert!(record.message.is_none());
        let offset = |at: u64| usize::try_from(at).unwrap();
        let (start, end) = (offset(record.span.start), offset(record.span.end));
        assert_eq!(&raw[start..end], &*record.url);
        let lines = raw[..start].split(|byte| *byte == b'\n').count();
        assert_eq!(record.line, Some(lines as u64));
    }
    let mut line = Vec::new();
    found[4].write_json(&mut line);
    let line = String::from_utf8(line).unwrap();
    assert!(line.ends_with(
        ",\"page\":{\"uri\":\"http://page.dom/\",\"date\":\"2024-05-01T10:20:30Z\",\"id\":\"urn:uuid:16\",\"type\":\"conversion\"}}\n"
    ));
    let all = urls(&scanned(&raw, WebRecords::All));
    for url in ["http://info.dom/", "http://from.dom/", "http://dns.dom/", "http://out.dom/"] {
        assert!(all.iter().any(|found| found == url), "{url}");
    }
    assert!(
        !all.iter().any(|found| found == "http://header.dom/" || found == "http://page.dom/text")
    );
}

#[test]
fn encoded_bodies_are_decoded() {
    let chunk =
        |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let text = b"one http://a.dom/path and http://b.dom/whole\n";
    let chunked = [&chunk(&text[..12])[..], &chunk(&text[12..]), b"0\r\n\r\n"].concat();
    let kind = "Content-Type: text/plain\r\n";
    let both = gzip(text);
    let both = [&chunk(&both[..9])[..], &chunk(&both[9..]), b"0\r\n\r\n"].concat();
    let raw = [
        warc(
            "response",
            "http://p.dom/1",
            HTTP,
            &answer(&format!("{kind}Transfer-Encoding: chunked\r\n"), &chunked),
        ),
        warc(
            "response",
            "http://p.dom/2",
            HTTP,
            &answer(&format!("{kind}Content-Encoding: gzip\r\n"), &gzip(text)),
        ),
        warc(
            "response",
            "http://p.dom/3",
            HTTP,
            &answer(
                &format!("{kind}Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n"),
                &both,
            ),
        ),
        // A body that claims to be encoded but is not is read unchanged.
        warc(
            "response",
            "http://p.dom/4",
            HTTP,
            &answer(
                &format!("{kind}Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n"),
                text,
            ),
        ),
        warc(
            "response",
            "http://p.dom/5",
            HTTP,
            &answer(&format!("{kind}Content-Encoding: br\r\n"), BROTLI),
        ),
        // A body that is cut off, with an unknown encoding.
        warc(
            "response",
            "http://p.dom/6",
            HTTP,
            &answer(&format!("{kind}Content-Encoding: br\r\n"), &BROTLI[..30]),
        ),
        warc(
            "response",
            "http://p.dom/7",
            HTTP,
            &answer(&format!("{kind}Content-Encoding: compress\r\n"), b"\x1f\x9dhttp://no\x00\x03"),
        ),
    ]
    .concat();
    let found = scanned(&raw, WebRecords::Pages);
    let expected = ["http://a.dom/path", "http://b.dom/whole"].repeat(5);
    assert_eq!(urls(&found[..10]), expected);
    let cut = urls(&found[10..]);
    assert!(cut.iter().zip(&expected).all(|(cut, whole)| whole.starts_with(&**cut)), "{cut:?}");
    let told = |index: usize| (found[index].decoded.to_vec(), found[index].approximate);
    assert_eq!(told(0), (vec![Layer::Chunked], true));
    assert_eq!(told(1), (vec![], false));
    assert_eq!(told(2), (vec![Layer::Gzip], true));
    assert_eq!(told(4), (vec![Layer::Chunked, Layer::Gzip], true));
    assert_eq!(told(7), (vec![], false));
    assert_eq!(told(8), (vec![Layer::Brotli], true));
}

#[test]
fn arc_is_read() {
    let record = |line: &str, block: &[u8]| {
        [format!("{line} {}\n", block.len()).as_bytes(), block, b"\n"].concat()
    };
    let page = answer("Content-Type: text/html\r\n", PAGE);
    for (version, more) in [(1, ""), (2, " 200 - - 0 a.arc")] {
        let first = format!(
            "{version} 0 Archive\nURL IP-address Archive-date Content-type Archive-length\nhttp://no.dom/\n"
        );
        let raw = [
            record(
                &format!("filedesc://a.arc 0.0.0.0 20010102030405 text/plain{more}"),
                first.as_bytes(),
            ),
            record(&format!("http://page.dom/a b 192.0.2.1 20010102030405 text/html{more}"), &page),
            record(&format!("http://page.dom/2 192.0.2.1 20010102030406 text/html{more}"), &page),
        ]
        .concat();
        assert_eq!(detect(Head::of(&raw), None, Reading::Auto), Container::Web(WebFormat::Arc));
        let found = scanned(&raw, WebRecords::Pages);
        assert_eq!(urls(&found), ["http://a.dom/?x=1&y=2", "http://b.dom/"].repeat(2));
        let page = found[0].page.as_ref().unwrap();
        assert_eq!(page.date.unwrap().to_string(), "2001-01-02T03:04:05Z");
        assert!(page.uri.as_ref().unwrap().starts_with(b"http://page.dom/a"));
        assert!(page.id.is_none());
    }
}

#[test]
fn damaged_bodies_are_read_up_to_the_damage() {
    let raw = archive();
    assert_eq!(detect(Head::of(&raw), None, Reading::Auto), Container::Web(WebFormat::Warc));
    assert!(!matches!(
        detect(Head::of(b"WARC/1.0 is a format\n"), None, Reading::Auto),
        Container::Web(_)
    ));
    let junk = b"stray http://stray.dom/\nand\n";
    let found = urls(&scanned(&[&raw[..], junk, &raw[..]].concat(), WebRecords::Pages));
    assert_eq!(found.len(), 11);
    assert_eq!(found[5], "http://stray.dom/");
    for end in 0..raw.len() {
        scanned(&raw[..end], WebRecords::All);
    }
    let endless = b"WARC/1.0\r\nWARC-Type: conversion\r\nContent-Length: 18446744073709551615\r\n\r\nhttp://x.dom/";
    assert_eq!(urls(&scanned(endless, WebRecords::Pages)), ["http://x.dom/"]);
}

/// If the declared length is wrong or a chunk claims to be the last one, the rest is still read.
#[test]
fn wrong_lengths_hide_no_urls() {
    let text = "Content-Type: text/plain\r\n";
    let page = |host: &str| {
        let body = format!("see http://{host}.dom/ .");
        warc("response", "http://page.dom/", HTTP, &answer(text, body.as_bytes()))
    };
    let picture = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999999\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\0\n";
    let lying = [&page("a")[..], picture, &page("b"), picture, &page("c")].concat();
    let found = scanned(&lying, WebRecords::Pages);
    assert_eq!(urls(&found), ["http://a.dom/", "http://b.dom/", "http://c.dom/"]);
    assert!(found.iter().all(|record| record.page.as_ref().unwrap().uri.is_some()));
    let lying = String::from_utf8(page("a")).unwrap().replace("Length: ", "Length: 9999");
    assert_eq!(urls(&scanned(lying.repeat(3).as_bytes(), WebRecords::Pages)), ["http://a.dom/"; 3]);
    let arc = |len: &str| {
        format!(
            "http://p.dom/ 192.0.2.1 20010102030405 image/png {len}\nHTTP/1.0 200\nContent-Type: image/png\n\nx\n"
        )
    };
    let page = "http://p.dom/ 192.0.2.1 20010102030405 text/plain 38\nHTTP/1.0 200\n\nsee http://a.dom/ there.\n";
    let arc = format!(
        "filedesc://a.arc 0.0.0.0 20010102030405 text/plain 2\nx\n{}{page}",
        arc("18446744073709551615")
    );
    assert_eq!(urls(&scanned(arc.as_bytes(), WebRecords::Pages)), ["http://a.dom/"]);
    // A number that does not fit into 64 bits is not a length.
    let beyond = lying.replace("Length: 9999", "Length: 99999999999999999999");
    assert!(urls(&scanned(beyond.as_bytes(), WebRecords::Pages)).contains(&"http://a.dom/".into()));

    let chunked = |body: &str| {
        let fields = format!("{text}Transfer-Encoding: chunked\r\n");
        let raw = warc("response", "http://p.dom/", HTTP, &answer(&fields, body.as_bytes()));
        urls(&scanned(&raw, WebRecords::Pages)).join(" ")
    };
    assert_eq!(chunked("0\r\n\r\nsee http://a.dom/\n"), "http://a.dom/");
    assert_eq!(chunked("2\r\nx\n\r\n0\r\nETag: x\r\n\r\nsee http://a.dom/\n"), "http://a.dom/");
    assert_eq!(chunked("2\r\nx\n\r\n0\r\nLink: <http://a.dom/>\r\n\r\n"), "");
    for size in ["fffffffffffffff0", "ffffffffffffffff", "10000000000000000", "-1", "+", ""] {
        let one = "5\r\none \n\r\n";
        let rest = "\r\nsee http://a.dom/\n";
        assert_eq!(chunked(&format!("{size}{rest}")), "http://a.dom/", "{size}");
        assert_eq!(chunked(&format!("{one}{size}{rest}")), "http://a.dom/", "{size}");
    }
}

/// A body is decompressed to at most a hundred times its length.
#[test]
fn body_expansion_is_limited() {
    let page = |text: &[u8]| {
        let fields = "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n";
        warc("response", "http://p.dom/", HTTP, &answer(fields, &gzip(text)))
    };
    let shown = |len: usize| {
        let text = [&vec![b' '; len][..], b"\nhttp://a.dom/\n"].concat();
        urls(&scanned(&page(&text), WebRecords::Pages)).len()
    };
    assert_eq!((shown(60 << 10), shown(8 << 20)), (1, 0));
    // Truncation is reported in records and counts.
    let cut = |text: &[u8]| {
        let mut found: Vec<UrlRecord<'_>> = Vec::new();
        let input = page(text);
        let scanned =
            Scan::new(Options::default()).read(Input::from_bytes("a.warc", &input), &mut found);
        let told = found.iter().map(|record| record.page.as_ref().unwrap().is_cut).collect();
        (scanned.unwrap().tally.limits.get(Limit::Page), told)
    };
    let with_blanks = |start: &str, len| [start.as_bytes(), &vec![b' '; len]].concat();
    assert_eq!(cut(&with_blanks("http://a.dom/\n", 60 << 10)), (0, vec![false]));
    assert_eq!(cut(&with_blanks("http://a.dom/ http://b.dom/\n", 8 << 20)), (1, vec![true; 2]));
    assert_eq!(cut(&with_blanks("nothing", 8 << 20)), (1, vec![]));
    // Bodies that are not text are not scanned.
    assert_eq!(cut(&vec![0; 8 << 20]), (0, vec![]));
    // These texts are not compressed as well.
    let numbers = (0_u32..200_000).map(|n| n.wrapping_mul(2_654_435_761).to_string());
    let words: Vec<_> = numbers.collect();
    let text = format!("{}\nhttp://a.dom/\n", words.join(" "));
    assert_eq!(urls(&scanned(&page(text.as_bytes()), WebRecords::Pages)), ["http://a.dom/"]);
}

/// Headers without an end hide no URLs, either.
#[test]
fn endless_headers_hide_no_urls() {
    let fields = "A: b\r\n".repeat(1 << 16);
    let folds = "A: b\r\n c\r\n".repeat(1 << 15);
    let wide = format!("A: {}\r\n", "x".repeat(1 << 20));
    let starts = "WARC/1.0\r\nA: b\r\n".repeat(1 << 16);
    for header in [fields, folds, wide, starts] {
        let text = format!(
            "WARC/1.0\r\nContent-Length: 0\r\n\r\nWARC/1.0\r\n{header}http://a.dom/\r\n\r\n"
        );
        let found = urls(&scanned(text.as_bytes(), WebRecords::Pages));
        assert_eq!(found, ["http://a.dom/"], "{}", &header[..20]);
    }
}

/// In a long file, the buffer can end at any byte of a record. The records are then still complete.
#[test]
fn a_buffer_may_end_anywhere() {
    let raw = archive();
    let starts: Vec<usize> = memchr::memmem::find_iter(&raw, b"WARC/1.0\r\n").collect();
    for end in 0..raw.len() {
        let cut = urlsift_archive::safe_cut(Container::Web(WebFormat::Warc), &raw[..end], false);
        assert!(starts.contains(&cut), "{end}: {cut}");
        let next = starts.iter().find(|start| **start > cut).copied().unwrap_or(raw.len());
        assert!(end <= next, "{end}: {cut}");
        // If not even a header is in the buffer, the file is not recognized as a web archive.
        let found =
            if end < starts[1] { Vec::new() } else { scanned(&raw[..end], WebRecords::Pages) };
        assert!(found.iter().all(|record| record.page.is_some()), "{end}");
    }
}

/// The units of a web archive, compressed record by record or not, give the records of the whole
/// file.
#[test]
fn units_give_the_records_of_the_whole() {
    let scan = Scan::new(Options::default());
    let texts =
        |n: usize| format!("page {n} http://t.dom/{n} {}\n", "words and more ".repeat(n % 900));
    let records: Vec<Vec<u8>> = (0..700)
        .map(|n| {
            warc("conversion", &format!("http://p.dom/{n}"), "text/plain", texts(n).as_bytes())
        })
        .collect();
    for packed in [false, true] {
        let stored: Vec<u8> =
            records.iter().flat_map(|one| if packed { gzip(one) } else { one.clone() }).collect();
        let mut whole = Vec::new();
        scan.read(Input::from_bytes("file", &stored), &mut whole).unwrap();
        assert_eq!(whole.len(), 700);
        let name = FileName::new("file");
        let cuts = cut_into_units(
            &stored[..],
            &name,
            (Reading::Auto, scan.decoding_options(), Limits::default()),
            300_000,
        );
        assert_eq!(cuts.container, Some(Container::Web(WebFormat::Warc)));
        assert!(cuts.units.len() > 4);
        let (mut found, file) = (Vec::new(), Arc::new(name));
        let within =
            |from: u64, to: u64| usize::try_from(from).unwrap()..usize::try_from(to).unwrap();
        for unit in cuts.units {
            let (context, end) = (unit.context.unwrap(), unit.end.unwrap());
            let bytes = match unit.raw {
                Some(raw) => decompress_unit(
                    &stored[within(raw.start, raw.end)],
                    context.end - context.start,
                    Limits::default(),
                )
                .unwrap(),
                None => stored[within(context.start, context.end)].to_vec(),
            };
            let range = within(unit.start - context.start, end - context.start);
            let unit = Unit::new(&file, Container::Web(WebFormat::Warc), range)
                .with_base(context.start)
                .with_lines(unit.lines);
            scan.scan_unit(&bytes, &unit, &mut found);
        }
        assert_eq!(found, whole);
    }
}
