//! Judges a URL where there is no operating system.
#![no_std]

use urlsift_core::{Profile, diagnose, parse_reference};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// How much there is to say of a text, 0 for a URL of which nothing is.
pub fn faults(text: &[u8]) -> usize {
    let mut faults = 0;
    diagnose(text, Profile::Web, |_| faults += 1);
    faults + usize::from(parse_reference(text, Profile::Rfc1738).is_err())
}
