//! The records of a file come in order, are within it, and map back to bytes that contain the URL.

#![no_main]

#[path = "../src/claims.rs"]
#[allow(dead_code)]
mod claims;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| claims::records_lead_back(raw));
