//! Computes digests of the results on generated data. Performance work must not change the digests.

use crate::haystack::{self, Kind, Pattern};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use urlsift_archive::{Head, Options, Reading, detect, documents};
use urlsift_core::{Profile, Span, parse_reference};
use urlsift_records::dispatch::{Purpose, for_each_candidate};
use urlsift_scanner::{Candidate, Scanner};

/// A digest of the URLs found in one text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// The number of candidates.
    pub finds: u64,
    /// The number of candidates that are valid in the default profile.
    pub valid: u64,
    /// A hash of the spans, forms, breaks, texts and validity of all candidates (FNV-1a, cut to 63
    /// bits because integers in TOML are signed).
    pub hash: u64,
}

/// Returns the digests for all generated data and hostile texts, by name.
pub fn digests() -> BTreeMap<String, Digest> {
    let mut all = BTreeMap::new();
    for kind in [Kind::Mail, Kind::News, Kind::Html, Kind::Dense, Kind::Encoded, Kind::Line] {
        let text = haystack::data_in_memory(kind, 1, 200_000);
        all.insert(format!("{kind:?}-text").to_lowercase(), of_text(&text));
        all.insert(format!("{kind:?}-auto").to_lowercase(), of_documents(&text));
    }
    for pattern in Pattern::ALL {
        all.insert(format!("adversarial-{}", pattern.name), of_text(&pattern.text_of_len(20_000)));
    }
    all
}

/// Returns the digest for a text that is scanned as with `--input text`.
fn of_text(text: &[u8]) -> Digest {
    let mut digest = Digest { hash: 0xCBF2_9CE4_8422_2325, ..Digest::default() };
    for found in Scanner::builder().build().find_iter(text) {
        digest.add(&found, found.span());
    }
    digest.finish()
}

/// Returns the digest for a text that is scanned as with `--input auto`: mail is decoded, and spans
/// refer to the file.
fn of_documents(raw: &[u8]) -> Digest {
    let mut digest = Digest { hash: 0xCBF2_9CE4_8422_2325, ..Digest::default() };
    let scanner = Scanner::builder().build();
    let container = detect(Head::of(raw), None, Reading::Auto);
    documents(raw, container, 0, &Options::default(), &mut |document| {
        for_each_candidate(&scanner, document, Purpose::Scan, &mut |document, found| {
            digest.add(found, document.to_unit_span(found.span()));
            ControlFlow::Continue(())
        })
    });
    digest.finish()
}

impl Digest {
    fn add(&mut self, found: &Candidate<'_>, place: Span) {
        let url = found.url();
        let valid = parse_reference(&url, Profile::default()).is_ok();
        self.finds += 1;
        self.valid += u64::from(valid);
        let numbers =
            [place.start, place.end, found.span_with_wrapper().len(), found.seams().len()];
        for number in numbers {
            self.hash_bytes(&number.to_le_bytes());
        }
        for seam in found.seams() {
            self.hash_bytes(seam.kind.name().as_bytes());
        }
        self.hash_bytes(found.form().name().as_bytes());
        self.hash_bytes(&url);
        self.hash_bytes(&[u8::from(valid)]);
    }

    fn hash_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn finish(self) -> Self {
        Self { hash: self.hash >> 1, ..self }
    }
}
