//! Checks the files of `corpus/packed`, whose texts have no position of their own.
#![cfg(all(feature = "msg", feature = "pdf"))]

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use urlsift_archive::{
    Container, Document, DocumentKind, Head, Limit, Options, Reading, Tally, detect, documents,
};
use urlsift_core::Span;

const FILES: [&str; 2] = ["outlook.msg", "links.pdf"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/packed")
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

fn container(raw: &[u8], name: &str) -> Container {
    detect(Head::of(raw), Some(name.as_bytes()), Reading::Auto)
}

fn walk(raw: &[u8], container: Container, mut sink: impl FnMut(&Document<'_>)) -> Tally {
    documents(raw, container, 0, &Options::default(), &mut |document| {
        sink(document);
        ControlFlow::Continue(())
    })
}

/// Describes a document in one line: its item, part, kind and text.
fn describe(document: &Document<'_>) -> String {
    let kind = match document.kind {
        DocumentKind::Attribute(name) => name.to_owned(),
        DocumentKind::Header(name) => String::from_utf8_lossy(name).into_owned(),
        DocumentKind::Destination => "link".to_owned(),
        _ => "text".to_owned(),
    };
    let text = String::from_utf8_lossy(document.text);
    let words: Vec<&str> = text.split_whitespace().take(20).collect();
    let item = String::from_utf8_lossy(document.origin.item);
    format!("{item} | {} | {kind} | {}", document.origin.part, words.join(" "))
}

#[test]
fn texts_are_the_expected_ones() {
    let mut found = String::new();
    for name in FILES {
        let raw = read(name);
        let tally = walk(&raw, container(&raw, name), |document| {
            writeln!(found, "{name} | {}", describe(document)).unwrap();
            let whole = document.to_unit_span(Span::new(0, document.text.len()));
            assert_eq!((whole.start, whole.end), (0, raw.len()), "{name}");
            assert!(document.layers(Span::new(0, document.text.len())).approximate, "{name}");
        });
        assert_eq!(tally.limits.reached_limits().count(), 0, "{name}");
    }
    let file = folder().join("expected.txt");
    if std::env::var_os("URLSIFT_UPDATE").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(file).unwrap().replace('\r', ""));
}

/// Returns a mail with `raw` as an attachment called `name`, and the range of the encoded
/// attachment without its padding.
fn mail_with_attachment(raw: &[u8], name: &str) -> (Vec<u8>, std::ops::Range<usize>) {
    let encoded = encode_base64(raw);
    let mut mail = format!(
        "From: joe@h.dom\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
         Content-Type: application/octet-stream; name=\"{name}\"\n\
         Content-Transfer-Encoding: base64\n\n"
    );
    let start = mail.len();
    mail.push_str(&encoded);
    let range = start..mail.trim_end_matches(['=', '\n']).len();
    mail.push_str("--b--\n");
    (mail.into_bytes(), range)
}

/// Encodes bytes in base64, in lines of 76 characters.
fn encode_base64(raw: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for (number, group) in raw.chunks(3).enumerate() {
        let bits =
            (0..3).fold(0, |bits, at| bits << 8 | group.get(at).map_or(0, |b| usize::from(*b)));
        for digit in 0..4 {
            let is_padding = digit > group.len();
            let value = DIGITS[bits >> (18 - 6 * digit) & 63];
            out.push(if is_padding { '=' } else { char::from(value) });
        }
        if number % 19 == 18 {
            out.push('\n');
        }
    }
    out.push('\n');
    out
}

#[test]
fn attachment_is_read_as_the_file() {
    for name in FILES {
        let raw = read(name);
        let mut alone = Vec::new();
        walk(&raw, container(&raw, name), |document| alone.push(document.text.to_vec()));
        let (mail, range) = mail_with_attachment(&raw, name);
        let mut attached = Vec::new();
        walk(&mail, Container::Message, |document| {
            attached.push(document.text.to_vec());
            let whole = document.to_unit_span(Span::new(0, document.text.len()));
            assert_eq!((whole.start, whole.end), (range.start, range.end), "{name}");
        });
        assert_eq!(attached, alone, "{name}");
    }
}

#[test]
fn damaged_files_are_bounded() {
    for name in FILES {
        let raw = read(name);
        let container = container(&raw, name);
        let check = |bytes: &[u8]| {
            let mut len = 0;
            walk(bytes, container, |document| len += document.text.len());
            assert!(len < 20 * raw.len() + (1 << 20), "{name}: {len}");
        };
        for at in (0..raw.len()).step_by(11) {
            check(&raw[..at]);
            for value in [0, 0x7F, 0xFF] {
                let mut bytes = raw.clone();
                bytes[at] = value;
                check(&bytes);
            }
        }
    }
}

#[test]
fn damaged_file_is_scanned_as_it_is() {
    for (name, raw) in [
        ("a.pdf", &b"%PDF-1.4\n1 0 obj <</S /URI /URI (http://h.dom/a)>> endobj\n"[..]),
        ("a.msg", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0 http://h.dom/a"),
    ] {
        let mut found = false;
        let tally = walk(raw, container(raw, name), |document| {
            found |= document.text == raw;
        });
        assert!(found, "{name}");
        assert_eq!(tally.limits.get(Limit::Format), 1, "{name}");
    }
}
