//! Checks that the records of a file are in order and within the file, and that the bytes at their
//! offsets contain the URL.

#![no_main]

#[path = "../src/claims.rs"]
#[allow(dead_code)]
mod claims;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| claims::records_lead_back(raw));
