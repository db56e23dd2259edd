//! Checks that records don't depend on how a file is split: as a whole, in units, or in pieces.

use proptest::prelude::*;
use std::ops::ControlFlow;
use std::ops::Range;
use std::sync::Arc;
use urlsift_archive::{Container, Dialect, split};
use urlsift_records::{FileName, LineStart, Malformed, Options, Scan, Unit, UrlRecord};

fn scan() -> Scan {
    let mut options = Options::default();
    options.malformed = Malformed::Include;
    Scan::new(options)
}

/// Returns the records of consecutive units. Each unit gets its line number from the unit before.
fn of_units(
    bytes: &[u8],
    container: Container,
    units: impl Iterator<Item = Range<usize>>,
) -> Vec<UrlRecord<'static>> {
    let (scan, file) = (scan(), Arc::new(FileName::default()));
    let (mut records, mut lines) = (Vec::new(), LineStart::default());
    for range in units {
        let unit = Unit::new(&file, container, range).with_lines(lines);
        lines = scan.scan_unit(bytes, &unit, &mut records).lines;
    }
    records
}

/// Returns the records of a unit of a text that is scanned in pieces.
fn of_pieces(
    (bytes, dialect): (&[u8], Dialect),
    unit: Range<usize>,
    lines: LineStart,
) -> Vec<UrlRecord<'static>> {
    let (scan, file) = (scan(), Arc::new(FileName::default()));
    let mut records = Vec::new();
    let unit = unit.start as u64..unit.end as u64;
    let mut text = scan.text_scan(&file, unit, lines).with_dialect(dialect);
    loop {
        let base = usize::try_from(text.base_offset()).unwrap();
        let held = &bytes[base..bytes.len().min(base + text.needed_len())];
        match text.feed(held, &mut records) {
            ControlFlow::Continue(spent) => assert_eq!(text.base_offset(), (base + spent) as u64),
            ControlFlow::Break(_) => return records,
        }
    }
}

/// Checks that a text that is split at these offsets gives the records of the whole text, in memory
/// and in pieces.
fn holds_however_cut(bytes: &[u8], dialect: Dialect, cuts: &[usize]) {
    let container = Container::Text(dialect);
    let whole = of_units(bytes, container, std::iter::once(0..bytes.len()));
    assert!(whole.is_sorted_by_key(|record| record.span.start));
    let mut cuts = cuts.to_vec();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    let units = || cuts.windows(2).map(|ends| ends[0]..ends[1]);
    assert!(of_units(bytes, container, units()) == whole);
    let pieces = units().flat_map(|unit| {
        let lines = LineStart::default().after_bytes(&bytes[..unit.start], 0);
        of_pieces((bytes, dialect), unit, lines)
    });
    assert!(pieces.collect::<Vec<_>>() == whole);
}

#[test]
fn long_strings_in_utf16_are_the_same_however_cut() {
    // Strings as long as several steps of a stream, at odd and even offsets, with much data between
    // them.
    let mut bytes = b"MZ http://h.dom/start\n".to_vec();
    for (big, len) in [(false, 15_000), (true, 9_999), (false, 9)] {
        let parts: Vec<_> = (0..len).map(|n| format!("{n}: http://h.dom/{n}/é ")).collect();
        let string = parts.concat();
        bytes.extend(in_utf16(&string, big));
        bytes.extend(b"\0\0\0http://h.dom/between\0");
        bytes.resize(bytes.len() + 300_001, 0x90);
    }
    // A URL outside the examined range.
    bytes.extend(b"\0\0");
    bytes.extend(in_utf16(&format!("http://h.dom/{}", "a".repeat(50_000)), false));
    bytes.extend(b"\0\0");
    let len = bytes.len();
    assert!(len > 2 << 20);
    holds_however_cut(
        &bytes,
        Dialect::Binary,
        &[1, 65_536, 98_303, len / 3, len / 2, len / 2 + 1, len - 70_000],
    );
    let whole = of_units(&bytes, Container::Text(Dialect::Binary), std::iter::once(0..len));
    assert_eq!(whole.len(), 1 + 15_000 + 9_999 + 9 + 3 + 1);
    assert!(whole.iter().rev().skip(1).all(|record| !record.truncated));
    assert!(whole.last().is_some_and(|record| record.truncated && record.url.len() > 30_000));
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z ,.]{0,60}\n",
        "http://[a-z]{1,9}[.]dom/[a-z]{0,40}[ \n]",
        "(> )?<URL:ftp://h[.]dom/[a-z]{1,9}[-/]\n(> )?[a-z]{1,9}>\n",
        "\n(From |Subject: http://h[.]dom/)",
        "<a href='http://h[.]dom/[a-z]{1,5}'>http://h[.]dom/</a>",
    ];
    prop::collection::vec(piece, 1..40).prop_map(|pieces| pieces.concat())
}

/// A piece of a binary file, and the UTF-16 URL in it with the offset of its first byte.
type Piece = (Vec<u8>, Option<(usize, String)>);

fn in_utf16(text: &str, big: bool) -> Vec<u8> {
    let bytes = if big { u16::to_be_bytes } else { u16::to_le_bytes };
    text.encode_utf16().flat_map(bytes).collect()
}

fn piece_of_a_binary() -> impl Strategy<Value = Piece> {
    let url = ("[a-z ]{0,20} ", "(http|ftp)://[a-z]{1,9}[.]dom/[a-zéж]{0,9}", any::<bool>());
    // Between NUL bytes, a string can have either byte order if it starts at an even offset of the
    // piece.
    let string = url.prop_map(|(before, url, big)| {
        let raw = in_utf16(&format!("{before}{url}"), big);
        let piece = [&[7, 7][..], &raw, &[0; 3]].concat();
        (piece, Some((2 + 2 * before.len(), url)))
    });
    let plain = |bytes: Vec<u8>| (bytes, None);
    prop_oneof![
        3 => string,
        1 => text().prop_map(move |text| plain(text.into_bytes())),
        1 => prop::collection::vec(any::<u8>(), 0..60).prop_map(plain),
        1 => (1_usize..20_000).prop_map(move |len| plain(vec![0; len])),
        1 => (1_usize..300).prop_map(move |times| plain(in_utf16("a:b http://h.dom/", false).repeat(times))),
    ]
}

proptest! {
    #[test]
    fn strings_in_utf16_stand_where_they_are_found(
        pieces in prop::collection::vec((piece_of_a_binary(), text()), 1..9),
        is_odd: bool,
    ) {
        let (mut bytes, mut without, mut expected) = (vec![b'\n'; is_odd.into()], vec![b'\n'; is_odd.into()], Vec::new());
        for ((piece, url), text) in pieces {
            if bytes.len() % 2 == 1 {
                bytes.push(7);
                without.push(7);
            }
            let Some((start, url)) = url else { continue };
            let (start, units) = (bytes.len() + start, url.encode_utf16().count());
            expected.push((start as u64, (start + 2 * units) as u64, url));
            without.resize(bytes.len() + piece.len(), 0);
            bytes.extend(piece);
            for bytes in [&mut bytes, &mut without] {
                bytes.extend([0; 2]);
                bytes.extend(text.as_bytes());
                bytes.extend([0; 2]);
            }
        }
        let whole = |bytes: &[u8]| of_units(bytes, Container::Text(Dialect::Binary), std::iter::once(0..bytes.len()));
        let records = whole(&bytes);
        prop_assert!(records.is_sorted_by_key(|record| record.span.start));
        let (strings, others): (Vec<_>, Vec<_>) = records.into_iter().partition(|record| !record.decoded.is_empty());
        let found: Vec<_> = strings.iter().map(|record| {
            (record.span.start, record.span.end, String::from_utf8_lossy(&record.url).into_owned())
        }).collect();
        prop_assert_eq!(found, expected);
        // Strings can contain bytes that look like line breaks: U+010A, U+0A00.
        let places = |records: Vec<UrlRecord<'static>>| {
            records.into_iter().map(|record| (record.span, record.url)).collect::<Vec<_>>()
        };
        prop_assert_eq!(places(others), places(whole(&without)));
    }

    #[test]
    fn units_of_a_binary_are_the_whole(
        pieces in prop::collection::vec(piece_of_a_binary(), 1..30),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let bytes = pieces.into_iter().flat_map(|(piece, _)| piece).collect::<Vec<_>>();
        holds_however_cut(&bytes, Dialect::Binary, &cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect::<Vec<_>>());
    }

    #[test]
    fn units_of_a_text_are_the_whole(
        text in text(),
        repeat in prop_oneof![4 => Just(1_usize), 1 => Just(300)],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let text = text.repeat(repeat);
        let bytes = text.as_bytes();
        let cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        holds_however_cut(bytes, Dialect::Plain, &cuts);
    }

    #[test]
    fn units_of_a_mailbox_are_the_whole(bodies in prop::collection::vec(text(), 1..6), size in 1..2000_usize) {
        let message = |(index, body)| format!(
            "From joe@h.dom Thu Dec  1 10:00:00 1994\nMessage-ID: <{index}@h.dom>\n\
             Content-Type: text/{}\nSubject: see http://h.dom/{index}\n\n{body}\n\n",
            if index % 2 == 0 { "plain" } else { "html" },
        );
        let mailbox: String = bodies.iter().enumerate().map(message).collect();
        let (bytes, container) = (mailbox.as_bytes(), Container::Mbox);
        let whole = of_units(bytes, container, std::iter::once(0..bytes.len()));
        prop_assert!(whole.is_sorted_by_key(|record| record.span.start));
        prop_assert_eq!(of_units(bytes, container, split(container, bytes, size)), whole);
    }
}
