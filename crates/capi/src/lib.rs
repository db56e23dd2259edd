//! The C interface of urlsift: a thin layer over the crates scanner, records and arrow. cbindgen
//! generates `include/urlsift.h` from this crate and its doc comments.
//!
//! The header's introduction (in `cbindgen.toml`) and the comments of the exported functions
//! document ownership, threads and errors for C programmers. [`guard`](status::guard) catches
//! panics in every exported function.

mod arrow;
mod find;
mod options;
mod records;
mod status;
mod stream;
mod text;
mod url;

use std::ffi::{CStr, c_char};

/// The version number of this interface. It grows when something is removed or changes its
/// meaning, but not when something is added.
pub const URLSIFT_ABI: u32 = 1;

/// Returns the interface version of the loaded library. Compare it with URLSIFT_ABI.
#[unsafe(no_mangle)]
pub extern "C" fn urlsift_abi() -> u32 {
    URLSIFT_ABI
}

/// Returns the library's version, e.g. "0.1.0". The string is valid as long as the library is
/// loaded.
#[unsafe(no_mangle)]
pub extern "C" fn urlsift_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}
