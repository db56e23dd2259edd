//! Judges a URL without an operating system.
#![no_std]

use urlsift_core::{Profile, diagnose, parse_reference};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Returns the number of problems of a text, 0 for a URL without any.
pub fn faults(text: &[u8]) -> usize {
    let mut faults = 0;
    diagnose(text, Profile::Web, |_| faults += 1);
    faults + usize::from(parse_reference(text, Profile::Rfc1738).is_err())
}
