//! A marked password comes out of nothing that is masked.

#![no_main]

#[path = "../src/claims.rs"]
#[allow(dead_code)]
mod claims;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| claims::masks_hide(raw));
