//! Checks that URLs with letters in an undeclared charset are either found whole or marked as
//! truncated.

use encoding_rs::Encoding;
use proptest::prelude::*;
use serde::Deserialize;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use urlsift_archive::{Container, Dialect, Layer};
use urlsift_records::{
    FileName, LineStart, Malformed, Options, Scan, Unit, UrlRecord, collect_records,
};

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    why: String,
    charset: String,
    text: String,
    ends: Option<Vec<String>>,
    #[serde(default = "yes")]
    page: bool,
}

fn yes() -> bool {
    true
}

impl Case {
    fn urls(&self) -> Vec<&str> {
        self.text.split('|').skip(1).step_by(2).collect()
    }

    fn encoded(&self, text: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(self.charset.as_bytes()).expect("a known label");
        let (bytes, _, has_unmappable) = encoding.encode(text);
        assert!(!has_unmappable, "{}", self.why);
        bytes.into_owned()
    }

    /// Checks the records of `bytes`, which contain the URLs in the form `form`, e.g.
    /// `an attribute`. Adds the differences to `faults`.
    fn check(
        &self,
        container: Container,
        bytes: &[u8],
        urls: &[&str],
        form: &str,
        faults: &mut Vec<String>,
    ) {
        let file = Arc::new(FileName::default());
        let mut options = Options::default();
        options.malformed = Malformed::Include;
        let records =
            collect_records(bytes, &Unit::new(&file, container, 0..bytes.len()), &options);
        let found: Vec<_> = records.iter().map(|one| String::from_utf8_lossy(&one.url)).collect();
        let mut expect = |holds: bool, what: &str| {
            if !holds {
                let Self { charset, why, .. } = self;
                faults.push(format!("{charset}: {why}, as {form}: {what} in {found:?}"));
            }
        };
        expect(found == urls, "URLs");
        for (record, url) in records.iter().zip(urls) {
            let [start, end] = [record.span.start, record.span.end]
                .map(|at| usize::try_from(at).expect("an offset in memory"));
            let raw = &bytes[start..end];
            if form != "quoted-printable" {
                expect(raw == self.encoded(url), "span");
                let is_decoded = record.decoded.contains(&Layer::SingleByte);
                expect(is_decoded != url.is_ascii(), "layer");
            }
            let after = bytes.get(end).is_some_and(|byte| *byte >= 0xC0);
            if form == "text" && self.ends.is_some() {
                expect(record.truncated == after, "truncated");
            } else if !url.is_ascii() {
                expect(!record.truncated, "truncated");
            }
        }
    }
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/charsets/undeclared.toml");
    toml::from_str::<Corpus>(&std::fs::read_to_string(path).unwrap()).unwrap().case
}

#[test]
fn url_is_whole_or_truncated() {
    let mut faults = Vec::new();
    let mut check = |case: &Case, container, bytes: &[u8], urls: &[&str], form| {
        case.check(container, bytes, urls, form, &mut faults);
    };
    for case in cases() {
        let urls = case.urls();
        let ends = case.ends.as_ref().map(|ends| ends.iter().map(String::as_str).collect());
        let urls: Vec<&str> = ends.unwrap_or(urls);
        let text = case.encoded(&case.text.replace('|', ""));
        check(&case, Container::Text(Dialect::Plain), &text, &urls, "text");
        let message = |header: &str, body: &[u8]| {
            let mut raw = format!("From: a@b.dom\nSubject: x\n{header}\n").into_bytes();
            raw.extend_from_slice(body);
            raw
        };
        check(&case, Container::Message, &message("", &text), &urls, "a message");
        let header = "Content-Transfer-Encoding: quoted-printable\n";
        let quoted: String = text
            .iter()
            .map(|byte| match byte {
                b'=' | 0x80.. => format!("={byte:02X}"),
                byte => char::from(*byte).to_string(),
            })
            .collect();
        let quoted = message(header, quoted.as_bytes());
        check(&case, Container::Message, &quoted, &urls, "quoted-printable");
        if !case.page {
            continue;
        }
        let page =
            format!("<html><body><p>{}</p>", case.text.replace('|', "").replace('&', "&amp;"));
        let page = case.encoded(&page);
        if !case.text.contains('&') {
            check(&case, Container::Html, &page, &urls, "the text of a page");
        }
        if case.ends.is_none() && !case.text.contains('&') {
            let mut parts = case.text.split('|');
            let mut page = String::from("<html><body><p>");
            while let (Some(before), url) = (parts.next(), parts.next()) {
                page += before;
                if let Some(url) = url {
                    page += &["<a href=\"", url, "\">x</a>"].concat();
                }
            }
            check(&case, Container::Html, &case.encoded(&page), &urls, "an attribute");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the records of a text that is cut into units at `cuts`: first those of units in memory,
/// then those of units that are fed in pieces.
fn of_units(bytes: &[u8], cuts: &[usize]) -> [Vec<UrlRecord<'static>>; 2] {
    let (scan, file) = (Scan::new(Options::default()), Arc::new(FileName::default()));
    let (mut whole, mut pieces) = (Vec::new(), Vec::new());
    let units = cuts.windows(2).map(|ends| ends[0]..ends[1]);
    for Range { start, end } in units {
        let lines = LineStart::default().after_bytes(&bytes[..start], 0);
        let unit = Unit::new(&file, Container::Text(Dialect::Plain), start..end).with_lines(lines);
        scan.scan_unit(bytes, &unit, &mut whole);
        let mut text = scan.text_scan(&file, start as u64..end as u64, lines);
        loop {
            let base = usize::try_from(text.base_offset()).unwrap();
            let held = &bytes[base..bytes.len().min(base + text.needed_len())];
            if let ControlFlow::Break(_) = text.feed(held, &mut pieces) {
                break;
            }
        }
    }
    [whole, pieces]
}

/// Pieces of texts with letters and punctuation of several charsets.
const PARTS: &[&[u8]] = &[
    b"http://h.dom/f\xE4lle",
    b"http://h.dom/",
    b"http://h.dom/?u=\xFC&v=http://x.dom/",
    b"<http://h.dom/\xFC>",
    b"<URL:",
    b">",
    b"\xE4",
    b"f\xFCr ",
    b"\xEF\xF0\xE8\xE2\xE5\xF2 ",
    b"\xCF\xD2\xC9\xD7\xC5\xD4",
    b"\xA0",
    b"\x94",
    b"\xC3\xA4",
    b"/",
    b", ",
    b"x",
    b" ",
    b"-\n",
    b"\n",
    b"\n\n",
    b"a word and another ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn records_are_the_same_however_a_text_is_cut(
        parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..40),
        cuts in proptest::collection::vec(0_usize..600, 0..4),
    ) {
        let bytes = parts.concat();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|at| at.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let [whole, pieces] = of_units(&bytes, &[0, bytes.len()]);
        prop_assert_eq!(&whole, &pieces);
        let [units, pieces] = of_units(&bytes, &cuts);
        prop_assert_eq!(&whole, &units);
        prop_assert_eq!(&whole, &pieces);
    }
}
