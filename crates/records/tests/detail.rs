//! The same URLs are found at every level of detail.

use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;
use urlsift_archive::Reading;
use urlsift_core::{Profile, parse_reference};
use urlsift_records::{Detail, FileName, Options, Scan, Sink, Tally, Unit, UrlRecord};
use urlsift_scanner::Candidate;

/// The URLs found, one per line, and the number of URLs that arrived without a record.
#[derive(Default)]
struct Lines(Vec<u8>, usize);

impl Sink for Lines {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.0.extend_from_slice(&record.url);
        self.0.push(b'\n');
        ControlFlow::Continue(())
    }

    fn plain_url(&mut self, found: &Candidate<'_>) -> ControlFlow<()> {
        found.written_pieces().for_each(|piece| self.0.extend_from_slice(piece));
        self.0.push(b'\n');
        self.1 += 1;
        ControlFlow::Continue(())
    }
}

fn lines(bytes: &[u8], reading: Reading, profile: Profile, detail: Detail) -> (Lines, Tally) {
    let mut options = Options::default();
    options.set("form", "+schemeless,locator,email,host").unwrap();
    (options.profile, options.detail) = (profile, detail);
    let (file, mut lines) = (Arc::new(FileName::default()), Lines::default());
    let unit = Unit::whole_file(&file, bytes, reading);
    let scanned = Scan::new(options).scan_unit(bytes, &unit, &mut lines);
    (lines, scanned.tally)
}

proptest! {
    #[test]
    fn a_url_without_a_record_is_the_same(pieces in prop::collection::vec(prop_oneof![
        "[a-z <>\n.,\"()]{0,8}",
        "(<URL:)?(http|https|ftp|mailto|news|foo|www)(://|:|\\.)[a-z0-9@.:-]{0,20}(/[a-z%~?#/=-]{0,70})?>?",
        "(http|HTTP|ftp)://(User:p@)?[a-zA-Z]{1,9}\\.[a-z]{1,4}(:80)?/[a-z]{0,60}",
        "[\n\r](> ?){0,2}",
        "(\n> ?)?<URL:[\n ]{0,2}> ?http://h[.]d/>?",
        "[-\n\r\t\u{0}\u{7f}\u{e9}\u{3042}]",
        // In attributes, the profile `web` accepts spaces.
        "<a href=\"http://h[.]d[a-z/ ]{0,9}\">",
        // Most of these URLs are unambiguous.
        "\n([> ]|<a>)?[a-z ]{0,9}(URL:)?<?(http|https|ftp)://[a-z]{1,30}\\.[a-z.-]{1,9}(/[a-z./?~_=]{1,30}){0,3}(#[a-z]{0,9})?>?\r?\n",
    ], 0..20), behind in prop_oneof![Just(0_usize), Just(200)]) {
        let mut text = pieces.concat().into_bytes();
        // The fast path needs some text after the URL.
        text.extend(b"\n.".iter().cycle().take(behind));
        for reading in [Reading::Text, Reading::Html] {
            for profile in [Profile::Web, Profile::Rfc1738] {
                let (expected, tally) = lines(&text, reading, profile, Detail::Full);
                prop_assert_eq!(expected.1, 0);
                for detail in [Detail::Plain, Detail::Url, Detail::Line] {
                    let (found, counted) = lines(&text, reading, profile, detail);
                    let shown = |lines: &Lines| lines.0.escape_ascii().to_string();
                    prop_assert_eq!(shown(&found), shown(&expected));
                    prop_assert_eq!(counted, tally);
                }
                prop_assert_eq!(lines(&text, reading, profile, Detail::Count).1, tally);
            }
        }
    }

    /// Accepted URLs contain no line breaks, so they can be printed as lines without escaping.
    #[test]
    fn no_profile_accepts_what_ends_records(
        url in "(http|ftp|gopher|wais|prospero|file|telnet)://[a-z.]{1,9}(:[0-9]{1,3})?(/[a-z%20?;=#&/-]{0,20})?|(mailto|news|foo):[a-z@.:]{1,9}",
        at: prop::sample::Index,
        byte in prop::sample::select(&b"\n\r\0"[..]),
    ) {
        let mut url = url.into_bytes();
        url.insert(at.index(url.len() + 1), byte);
        for profile in [Profile::Web, Profile::Rfc1738, Profile::Rfc3986, Profile::Cern1994] {
            prop_assert!(parse_reference(&url, profile).is_err(), "{}", url.escape_ascii());
        }
    }
}

/// Otherwise the first test above would test nothing.
#[test]
fn most_urls_need_no_record() {
    let (found, _) = lines(
        b"At http://h.dom/ <URL:ftp://h.dom/\n a>",
        Reading::Text,
        Profile::Web,
        Detail::Plain,
    );
    assert_eq!((found.0.as_slice(), found.1), (&b"http://h.dom/\nftp://h.dom/a\n"[..], 2));
}

/// The encodings that were reported for each URL.
#[derive(Default)]
struct Undone(Vec<(Vec<u8>, Vec<&'static str>)>);

impl Sink for Undone {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        let names = record.decoded.iter().map(|layer| layer.name()).collect();
        self.0.push((record.url.to_vec(), names));
        ControlFlow::Continue(())
    }
}

#[test]
fn scanner_layers_are_reported() {
    let text = b"See <http://h.dom/find?map=3Drivers&old=\n=3Dmaps>\nand http://h.dom/a, there is more=20\n";
    let (file, mut undone) = (Arc::new(FileName::default()), Undone::default());
    let unit = Unit::whole_file(&file, text, Reading::Text);
    let _ = Scan::new(Options::default()).scan_unit(text, &unit, &mut undone);
    let expected: [(&[u8], &[&str]); 2] = [
        (b"http://h.dom/find?map=rivers&old=maps", &["quoted-printable"]),
        (b"http://h.dom/a", &[]),
    ];
    let found: Vec<_> = undone.0.iter().map(|(url, names)| (&url[..], &names[..])).collect();
    assert_eq!(found, expected);
}
