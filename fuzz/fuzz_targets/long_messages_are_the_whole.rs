//! Checks that a long message gives the same records in pieces as it gives as a whole.

#![no_main]

#[path = "../src/claims.rs"]
#[allow(dead_code)]
mod claims;

libfuzzer_sys::fuzz_target!(|raw: &[u8]| claims::long_messages_are_the_whole(raw));
