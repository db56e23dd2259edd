//! The records of a file come in its order, lie in it, and lead back to bytes that show the URL.

#![no_main]

#[path = "../src/claims.rs"]
#[allow(dead_code)]
mod claims;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| claims::records_lead_back(raw));
