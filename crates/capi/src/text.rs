//! Converts arguments from C: texts with a length, zero-terminated names, and pointers to objects.
//! The parameter `name` is the argument's name for error messages.

use crate::status::Failure;
use std::ffi::{CStr, c_char};

/// Returns the `length` bytes at `text`, a pointer from C, which may be NULL if `length` is 0.
/// `name` is the name of the argument, for error messages.
///
/// # Safety
///
/// `text` points to `length` bytes that nobody changes while `'t` lasts, unless it is NULL.
pub(crate) unsafe fn bytes_from_c<'t>(
    name: &str,
    text: *const c_char,
    length: usize,
) -> Result<&'t [u8], Failure> {
    if text.is_null() {
        return if length == 0 { Ok(&[]) } else { Err(Failure::invalid_argument(name, "NULL")) };
    }
    // No object is longer than `isize::MAX`. A negative length converted to `usize` fails here.
    if isize::try_from(length).is_err() {
        return Err(Failure::invalid_argument(name, "longer than memory can be"));
    }
    // SAFETY: guaranteed by the caller.
    Ok(unsafe { std::slice::from_raw_parts(text.cast(), length) })
}

/// Returns the bytes of a zero-terminated name or path from C, or an error for NULL. `name` is the
/// name of the argument, for error messages.
///
/// # Safety
///
/// `text` is NULL or points to zero-terminated bytes that nobody changes while `'t` lasts.
pub(crate) unsafe fn name_from_c<'t>(name: &str, text: *const c_char) -> Result<&'t [u8], Failure> {
    if text.is_null() {
        return Err(Failure::invalid_argument(name, "NULL"));
    }
    // SAFETY: guaranteed by the caller.
    Ok(unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// Converts a zero-terminated string from C. Returns an error for NULL and for invalid UTF-8.
/// `name` is the name of the argument, for error messages.
///
/// # Safety
///
/// `text` is NULL or points to zero-terminated bytes that nobody changes while `'t` lasts.
pub(crate) unsafe fn str_from_c<'t>(name: &str, text: *const c_char) -> Result<&'t str, Failure> {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { name_from_c(name, text)? };
    std::str::from_utf8(text).map_err(|_| Failure::invalid_argument(name, "not UTF-8"))
}

/// Returns a shared reference to the target of a pointer from C, or an error for NULL. `name` is
/// the name of the argument, for error messages.
///
/// # Safety
///
/// `pointer` is NULL or points to a `T` that nobody changes while `'t` lasts.
pub(crate) unsafe fn shared_from_pointer<'t, T>(
    name: &str,
    pointer: *const T,
) -> Result<&'t T, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::invalid_argument(name, "NULL"))
}

/// Returns an exclusive reference to the target of a pointer from C, or an error for NULL. `name`
/// is the name of the argument, for error messages.
///
/// # Safety
///
/// `pointer` is NULL or points to a `T` that nobody else reads or writes while `'t` lasts.
pub(crate) unsafe fn unique_from_pointer<'t, T>(
    name: &str,
    pointer: *mut T,
) -> Result<&'t mut T, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::invalid_argument(name, "NULL"))
}

/// Frees a value allocated with `Box::into_raw`, unless the pointer is NULL.
///
/// # Safety
///
/// `pointer` is NULL or comes from `Box::into_raw`, and is not used again.
pub(crate) unsafe fn free_boxed<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: guaranteed by the caller.
        drop(unsafe { Box::from_raw(pointer) });
    }
}
