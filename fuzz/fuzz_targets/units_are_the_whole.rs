//! Checks that scanning the units of a file one by one gives the records of the whole file.

#![no_main]

#[path = "../src/claims.rs"]
#[allow(dead_code)]
mod claims;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| claims::units_are_the_whole(raw));
