//! Compares the decoders with those of the mail-parser crate, on the corpus and on generated texts.

use mail_parser::decoders::{base64::base64_decode, quoted_printable::quoted_printable_decode};
use mail_parser::{MessageParser, PartType};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;
use urlsift_archive::{Container, DocumentKind, Options, documents};

/// Returns the texts of a message's documents, without header fields and attributes.
fn texts(raw: &[u8]) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
        if matches!(document.kind, DocumentKind::Text(_)) {
            texts.push(document.text.to_vec());
        }
        ControlFlow::Continue(())
    });
    texts
}

/// Removes the characters that the two crates treat differently by design: blanks at line ends,
/// which mail-parser drops and flowed text needs; carriage returns; and line breaks at the end.
fn normal(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_end);
    lines.collect::<Vec<_>>().join(&b'\n').trim_ascii_end().to_vec()
}

fn body(encoding: &str, body: &[u8]) -> Vec<u8> {
    [format!("From: a\nContent-Transfer-Encoding: {encoding}\n\n").as_bytes(), body].concat()
}

/// Every plain text part that mail-parser decodes is also one of our documents, with the same text.
#[test]
fn corpus_is_decoded_as_by_mail_parser() {
    // The files on which the two crates differ. In unclosed or encoded structures, mail-parser
    // picks a different part, or decodes a text that this crate leaves encoded. `corpus.rs` checks
    // each of these files byte by byte.
    const KNOWN: [&str; 12] = [
        "calendar.eml",       // mail-parser keeps folds and escapes
        "not-encoded.eml",    // mail-parser decodes text that is not encoded
        "uuencode.eml",       // mail-parser replaces its eight-bit bytes
        "big5.eml",           // a charset for which mail-parser needs an optional feature
        "shift-jis.eml",      // a charset for which mail-parser needs an optional feature
        "base64.eml",         // mail-parser drops the plain footer
        "hz.eml",             // mail-parser doesn't support the charset
        "iso-2022-jp.eml",    // mail-parser changes the `~` of JIS-Roman
        "latin1.eml",         // this crate keeps the Latin-1 bytes
        "escaped-parts.eml",  // this crate keeps the windows-1251 bytes outside of URLs
        "utf-7.eml",          // a `+` in plain text is decoded differently
        "digest-rfc1153.eml", // mail-parser doesn't support such digests
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/mail");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_none_or(|e| e != "eml") || KNOWN.contains(&&*name) {
            continue;
        }
        let raw = std::fs::read(&path).unwrap();
        let ours: Vec<_> = texts(&raw).iter().map(|text| normal(text)).collect();
        let mut messages = vec![MessageParser::default().parse(&raw).unwrap()];
        while let Some(message) = messages.pop() {
            for part in &message.parts {
                match &part.body {
                    PartType::Text(text) => {
                        let theirs = normal(text.as_bytes());
                        let found = theirs.is_empty() || ours.contains(&theirs);
                        assert!(found, "{name}: {:?}", String::from_utf8_lossy(&theirs));
                        compared += usize::from(!theirs.is_empty());
                    }
                    PartType::Message(inner) => messages.push(inner.clone().into_owned()),
                    _ => {}
                }
            }
        }
    }
    assert!(compared >= 11, "only {compared} parts were compared");
}

/// Generates lines of quoted-printable, both valid and invalid.
fn quoted_printable() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[a-z:/.?& ]{1,20}".prop_map(String::into_bytes),
        2 => "=[0-9A-F]{2}".prop_map(String::into_bytes),
        1 => "=[0-9a-f]{2}".prop_map(String::into_bytes),
        1 => Just(b"=\n".to_vec()),
        1 => Just(b"=\r\n".to_vec()),
        1 => Just(b"\n".to_vec()),
        1 => Just(b"=".to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// Generates base64 of random bytes in lines of random length, possibly with one byte changed.
fn base64() -> impl Strategy<Value = Vec<u8>> {
    let change = proptest::option::weighted(0.3, (any::<proptest::sample::Index>(), any::<u8>()));
    (proptest::collection::vec(any::<u8>(), 0..200), 1..80_usize, change).prop_map(
        |(bytes, width, change)| {
            const ALPHABET: &[u8] =
                b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            let mut encoded = Vec::new();
            for chunk in bytes.chunks(3) {
                let bits = chunk.iter().enumerate().map(|(i, &b)| u32::from(b) << (16 - 8 * i));
                let bits: u32 = bits.sum();
                for i in 0..4 {
                    let value = (bits >> (18 - 6 * i)) as usize & 63;
                    encoded.push(if i <= chunk.len() { ALPHABET[value] } else { b'=' });
                }
            }
            let mut lines = encoded.chunks(width).collect::<Vec<_>>().join(&b'\n');
            if let (Some((at, byte)), false) = (change, lines.is_empty()) {
                let at = at.index(lines.len());
                lines[at] = byte;
            }
            lines
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn quoted_printable_is_decoded_alike(text in quoted_printable()) {
        // If mail-parser fails, there is nothing to compare. It also decodes `= 41`, and drops an
        // incomplete escape at the end.
        let odd = text.windows(2).any(|w| w[0] == b'=' && w[1].is_ascii_whitespace() && w[1] != b'\n');
        if let Some(theirs) = quoted_printable_decode(&text)
            && !odd && !text.iter().rev().take(2).any(|&b| b == b'=') && !text.contains(&b'\r')
        {
            // All escapes are decoded only in content that may contain any byte.
            let header = "quoted-printable\nContent-Type: application/octet-stream";
            let ours = texts(&body(header, &text)).concat();
            prop_assert_eq!(normal(&ours), normal(&theirs));
        }
    }

    #[test]
    fn base64_is_decoded_alike(text in base64()) {
        // mail-parser ends the text at a byte FF.
        if let Some(theirs) = base64_decode(&text) && !text.contains(&0xFF) {
            let ours = texts(&body("base64", &text)).concat();
            prop_assert_eq!(ours, theirs);
        }
    }
}
