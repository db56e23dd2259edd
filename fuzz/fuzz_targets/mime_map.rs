//! Whatever a file holds, every byte of every text in it has a place in the file; what is said to be
//! copied is; and what is said to be exact shows the same text again when its bytes are decoded alone.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use urlsift_archive::{Head, Options, Reading, detect, documents};
use urlsift_core::Span;

fuzz_target!(|raw: &[u8]| {
    let base = 1 << 40;
    documents(raw, detect(Head::of(raw), None, Reading::Auto), base, &Options::default(), &mut |document| {
        let len = document.text.len();
        let mut last = 0;
        for at in 0..len {
            let place = document.locate(Span::new(at, at + 1));
            assert!(base <= place.start && place.start <= place.end, "{at}: {place:?}");
            assert!(place.end <= base + raw.len() as u64, "{at}: {place:?}");
            // A text runs forward in its file.
            assert!(last <= place.start, "{at}: {place:?}");
            last = place.start;
        }
        for (text, source) in document.pieces(Span::new(0, len)) {
            assert_eq!(document.text.get(text.range()), raw.get(source.range()));
        }
        assert!(document.breaks.iter().is_sorted_by_key(|known| known.at));
        ControlFlow::Continue(())
    });
});
