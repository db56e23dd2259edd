//! Checks that linting a file doesn't panic, and that the spans of diagnostics are within the file.

#![no_main]

#[path = "../src/claims.rs"]
#[allow(dead_code)]
mod claims;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| claims::diagnostics_lie_in_the_file(raw));
