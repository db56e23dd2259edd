//! Linting a file doesn't panic, and spans are within the file.

#![no_main]

#[path = "../src/claims.rs"]
#[allow(dead_code)]
mod claims;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| claims::diagnostics_lie_in_the_file(raw));
