//! Checks that a text gives the same URLs, with the right positions, as a whole, in chunks and in
//! ranges.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use urlsift_scanner::{Candidate, Input, Rejoin, Scanner};

/// A text, and how to split it. The `Debug` output can be pasted into a test.
#[derive(Arbitrary, Debug)]
struct Case<'a> {
    likely: bool,
    near_misses: bool,
    chunk: u16,
    text: &'a [u8],
}

/// Returns the properties that are compared. Spans are relative to the start of the text.
fn facts(base: u64, found: &Candidate<'_>) -> (u64, u64, &'static str, Vec<u8>) {
    let span = found.span();
    (
        base + span.start as u64,
        base + span.end as u64,
        found.form().name(),
        found.url().into_owned(),
    )
}

fuzz_target!(|case: Case<'_>| {
    let rejoin = if case.likely { Rejoin::Likely } else { Rejoin::Off };
    let scanner = Scanner::builder().rejoin(rejoin).near_misses(case.near_misses).build();
    let whole: Vec<_> = scanner.find_iter(case.text).map(|found| facts(0, &found)).collect();
    assert!(whole.is_sorted_by_key(|found| found.0));
    for found in scanner.find_iter(case.text) {
        assert!(found.span().end <= case.text.len());
        assert!(
            found.span_with_wrapper().start <= found.span().start
                && found.span().end <= found.span_with_wrapper().end
        );
        assert_eq!(found.readings().first(), Some(&found.url().into_owned()));
    }

    let mut chunked = Vec::new();
    let mut sink = |base: u64, found: &Candidate<'_>| {
        chunked.push(facts(base, found));
        ControlFlow::Continue(())
    };
    let mut stream = scanner.stream();
    for chunk in case.text.chunks(usize::from(case.chunk).max(1)) {
        assert!(stream.push(chunk, &mut sink).is_continue());
    }
    assert!(stream.finish(&mut sink).is_continue());
    assert_eq!(chunked, whole);

    let cut = usize::from(case.chunk).min(case.text.len());
    let input = Input::new(case.text);
    let halves: Vec<_> = [0..cut, cut..case.text.len() + 1]
        .into_iter()
        .flat_map(|range| {
            scanner.find_within(input, range).map(|found| facts(0, &found)).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(halves, whole);
});
