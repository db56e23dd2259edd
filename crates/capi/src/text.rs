//! What C hands over: texts with a length, and names that end with a zero.

use crate::status::Failure;
use std::ffi::{CStr, c_char};

/// The bytes of a text; NULL is allowed where there are none.
///
/// # Safety
///
/// `text` points to `length` bytes that nobody changes while `'t` lasts, unless it is NULL.
pub(crate) unsafe fn bytes<'t>(
    name: &str,
    text: *const c_char,
    length: usize,
) -> Result<&'t [u8], Failure> {
    if text.is_null() {
        return if length == 0 { Ok(&[]) } else { Err(Failure::argument(name, "NULL")) };
    }
    // No object is longer; a length that is meant to be negative is.
    if isize::try_from(length).is_err() {
        return Err(Failure::argument(name, "longer than memory can be"));
    }
    // SAFETY: the caller's.
    Ok(unsafe { std::slice::from_raw_parts(text.cast(), length) })
}

/// A name.
///
/// # Safety
///
/// `text` points to bytes with a zero behind them that nobody changes while `'t` lasts, unless it is NULL.
pub(crate) unsafe fn name<'t>(name: &str, text: *const c_char) -> Result<&'t str, Failure> {
    if text.is_null() {
        return Err(Failure::argument(name, "NULL"));
    }
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::argument(name, "not UTF-8"))
}

/// What a pointer points to.
///
/// # Safety
///
/// `pointer` is NULL or points to a `T` that nobody changes while `'t` lasts.
pub(crate) unsafe fn shared<'t, T>(name: &str, pointer: *const T) -> Result<&'t T, Failure> {
    // SAFETY: the caller's.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::argument(name, "NULL"))
}

/// What a pointer points to, to change it.
///
/// # Safety
///
/// `pointer` is NULL or points to a `T` that nobody else looks at while `'t` lasts.
pub(crate) unsafe fn unique<'t, T>(name: &str, pointer: *mut T) -> Result<&'t mut T, Failure> {
    // SAFETY: the caller's.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::argument(name, "NULL"))
}

/// Frees what `Box::into_raw` gave away, unless it is NULL.
///
/// # Safety
///
/// `pointer` is NULL or comes from there, and is not used again.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: the caller's.
        drop(unsafe { Box::from_raw(pointer) });
    }
}
