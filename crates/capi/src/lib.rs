//! urlsift for C and C++: a thin layer over scanner, records and arrow. `include/urlsift.h` is made of this by cbindgen.
//!
//! What is said of ownership, threads and errors for those who write C stands in the header's introduction (`cbindgen.toml`)
//! and in the comments of what is exported. Every function catches panics at the border ([`guard`](status::guard)).

mod arrow;
mod find;
mod options;
mod records;
mod status;
mod stream;
mod text;
mod url;

use std::ffi::{CStr, c_char};

/// The number of this interface. It grows when something is taken away or changes its meaning, which what is added does not.
pub const URLSIFT_ABI: u32 = 1;

/// The number of the interface that the library has: compare it with URLSIFT_ABI.
#[unsafe(no_mangle)]
pub extern "C" fn urlsift_abi() -> u32 {
    URLSIFT_ABI
}

/// The library's version, as "0.1.0". It lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn urlsift_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}
