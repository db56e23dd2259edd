//! Units scanned with only their own bytes give the same records as the whole file.
#![cfg(feature = "unpack")]

use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use urlsift_archive::Reading;
use urlsift_archive::unpack::Limits;
use urlsift_records::input::{CutUnit, Cuts, cut_into_units, decompress_unit};
use urlsift_records::{FileName, Input, Options, Scan, Unit, UrlRecord};

#[derive(Clone, Copy, Debug)]
enum Packing {
    None,
    Gzip,
    Zstd,
}

fn packed(packing: Packing, piece: &[u8]) -> Vec<u8> {
    match packing {
        Packing::None => piece.to_vec(),
        Packing::Gzip => {
            let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(piece).unwrap();
            out.finish().unwrap()
        }
        Packing::Zstd => zstd::encode_all(piece, 1).unwrap(),
    }
}

fn mailbox(messages: usize) -> String {
    let mut out = String::new();
    for n in 0..messages {
        let body = "words that fill a line up to where it has to end now\n".repeat(n % 40);
        write!(
            out,
            "From joe@host.dom Thu Dec  1 10:00:00 1994\nSubject: {n}\n\n\
             See <URL:http://host.dom/\n  {n}> or http://other.dom/{n}.\n{body}\n"
        )
        .unwrap();
    }
    out
}

fn text(lines: usize) -> String {
    let line =
        |n: usize| format!("line {n} and http://host.dom/a/{n}?b={} more\n", "c".repeat(n % 60));
    (0..lines).map(line).collect()
}

/// Splits a file into units and checks that their records are those of the whole file. Returns the
/// units.
fn cut_and_scan(stored: &[u8], size: u64) -> Vec<CutUnit> {
    let scan = Scan::new(Options::default());
    let mut whole = Vec::new();
    scan.read(Input::from_bytes("file", stored), &mut whole).unwrap();
    let name = FileName::new("file");
    let how = (Reading::Auto, scan.decoding_options(), Limits::default());
    let Cuts { units, container, trouble, .. } = cut_into_units(stored, &name, how, size);
    assert!(trouble.is_none());
    let mut found: Vec<UrlRecord<'_>> = Vec::new();
    let file = Arc::new(name);
    let mut at = 0;
    for unit in &units {
        assert_eq!(unit.start, at);
        let (Some(end), Some(context)) = (unit.end, &unit.context) else {
            assert_eq!(units.len(), 1);
            return units;
        };
        at = end;
        let bytes = match &unit.raw {
            Some(raw) => {
                let raw =
                    &stored[usize::try_from(raw.start).unwrap()..usize::try_from(raw.end).unwrap()];
                decompress_unit(raw, context.end - context.start, Limits::default()).unwrap()
            }
            None => stored
                [usize::try_from(context.start).unwrap()..usize::try_from(context.end).unwrap()]
                .to_vec(),
        };
        let within = |offset: u64| usize::try_from(offset - context.start).unwrap();
        let range = within(unit.start)..within(end);
        let unit = Unit::new(&file, container.unwrap(), range)
            .with_base(context.start)
            .with_lines(unit.lines);
        scan.scan_unit(&bytes, &unit, &mut found);
    }
    assert_eq!(found.len(), whole.len());
    for (found, whole) in found.iter().zip(&whole) {
        assert_eq!(found, whole);
    }
    units
}

/// Returns the text compressed as several pieces that end at the offsets `ends`.
fn in_pieces(packing: Packing, text: &[u8], ends: impl Iterator<Item = usize>) -> Vec<u8> {
    let (mut out, mut start) = (Vec::new(), 0);
    for end in ends.chain([text.len()]) {
        out.extend(packed(packing, &text[start..end]));
        start = end;
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn units_are_the_whole(
        is_mail: bool,
        packing in prop::sample::select(vec![Packing::None, Packing::Gzip, Packing::Zstd]),
        length in 1..400_usize,
        piece in 200..70_000_usize,
        size in 1..300_000_u64,
    ) {
        let text = if is_mail { mailbox(length) } else { text(20 * length) };
        let ends = (1..=text.len() / piece).map(|n| n * piece);
        cut_and_scan(&in_pieces(packing, text.as_bytes(), ends), size);
    }
}

#[test]
fn cuttable_files_are_cut() {
    let (mail, text) = (mailbox(2000), text(40_000));
    let blocks = |text: &str| (1..text.len() / 60_000).map(|n| n * 60_000).collect::<Vec<_>>();
    for packing in [Packing::None, Packing::Gzip, Packing::Zstd] {
        for whole in [&mail, &text] {
            let stored = in_pieces(packing, whole.as_bytes(), blocks(whole).into_iter());
            assert!(cut_and_scan(&stored, 300_000).len() > 4, "{packing:?}");
        }
    }
    // Long compressed pieces are cut only if they start at messages.
    let long = mail.repeat(3);
    let starts = || (1..3).map(|n| n * mail.len());
    assert!(mail.len() > 1 << 20);
    assert_eq!(
        cut_and_scan(&in_pieces(Packing::Gzip, long.as_bytes(), starts()), 300_000).len(),
        3
    );
    let elsewhere = starts().map(|start| start + 100);
    assert_eq!(
        cut_and_scan(&in_pieces(Packing::Zstd, long.as_bytes(), elsewhere), 300_000).len(),
        1
    );
}
