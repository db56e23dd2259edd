//! Checks the map from decoded documents to the file. Every byte of every document has a position
//! in the file. Bytes marked as copied are equal to those in the file. Spans marked as exact give
//! the same text when their bytes are decoded alone.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use urlsift_archive::{Head, Options, Reading, detect, documents};
use urlsift_core::Span;

fuzz_target!(|raw: &[u8]| {
    let base = 1 << 40;
    documents(
        raw,
        detect(Head::of(raw), None, Reading::Auto),
        base,
        &Options::default(),
        &mut |document| {
            let len = document.text.len();
            let mut last = 0;
            for at in 0..len {
                let place = document.to_file_span(Span::new(at, at + 1));
                assert!(base <= place.start && place.start <= place.end, "{at}: {place:?}");
                assert!(place.end <= base + raw.len() as u64, "{at}: {place:?}");
                // Positions never decrease along a text.
                assert!(last <= place.start, "{at}: {place:?}");
                last = place.start;
            }
            for (text, source) in document.copied_pieces(Span::new(0, len)) {
                assert_eq!(document.text.get(text.range()), raw.get(source.range()));
            }
            assert!(document.breaks.iter().is_sorted_by_key(|known| known.at));
            ControlFlow::Continue(())
        },
    );
});
