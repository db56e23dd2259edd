//! However a file is cut, the same records come of it: whole, in units, and piece by piece.

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

/// The records of units that follow each other, each with what the one before knew of lines.
fn of_units(
    bytes: &[u8],
    container: Container,
    units: impl Iterator<Item = Range<usize>>,
) -> Vec<UrlRecord<'static>> {
    let (scan, file) = (scan(), Arc::new(FileName::default()));
    let (mut records, mut lines) = (Vec::new(), LineStart::default());
    for range in units {
        let unit = Unit::new(&file, container, range).with_lines(lines);
        lines = scan.unit(bytes, &unit, &mut records).lines;
    }
    records
}

/// The records of a unit of a text that is handed over piece by piece.
fn of_pieces(bytes: &[u8], unit: Range<usize>, lines: LineStart) -> Vec<UrlRecord<'static>> {
    let (scan, file) = (scan(), Arc::new(FileName::default()));
    let mut records = Vec::new();
    let mut text = scan.text(&file, unit.start as u64..unit.end as u64, lines);
    loop {
        let base = usize::try_from(text.base()).unwrap();
        let held = &bytes[base..bytes.len().min(base + text.wanted())];
        match text.feed(held, &mut records) {
            ControlFlow::Continue(spent) => assert_eq!(text.base(), (base + spent) as u64),
            ControlFlow::Break(_) => return records,
        }
    }
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

proptest! {
    #[test]
    fn units_of_a_text_are_the_whole(
        text in text(),
        repeat in prop_oneof![4 => Just(1_usize), 1 => Just(300)],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let text = text.repeat(repeat);
        let (bytes, container) = (text.as_bytes(), Container::Text(Dialect::Plain));
        let whole = of_units(bytes, container, std::iter::once(0..bytes.len()));
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let units = || cuts.windows(2).map(|ends| ends[0]..ends[1]);
        prop_assert_eq!(&of_units(bytes, container, units()), &whole);
        let pieces = units().flat_map(|unit| {
            let lines = LineStart::default().after(&bytes[..unit.start], 0);
            of_pieces(bytes, unit, lines)
        });
        prop_assert_eq!(pieces.collect::<Vec<_>>(), whole);
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
