//! How a call ended, and the border that no panic crosses.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// All was done.
pub const URLSIFT_OK: c_int = 0;
/// The callback asked to stop, by returning something else than 0.
pub const URLSIFT_STOPPED: c_int = 1;
/// An argument is NULL where it must not be, or not UTF-8 where it must be.
pub const URLSIFT_BAD_ARGUMENT: c_int = -1;
/// There is no such option, or it cannot have that value.
pub const URLSIFT_BAD_OPTION: c_int = -2;
/// A file cannot be read.
pub const URLSIFT_IO: c_int = -3;
/// A fault within the library. What was called upon must not be used again but to free it.
pub const URLSIFT_PANIC: c_int = -4;

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Why a call did not do what it was to do.
pub(crate) struct Failure {
    status: c_int,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: c_int, message: impl Display) -> Self {
        Self { status, message: message.to_string() }
    }

    pub(crate) fn argument(name: &str, what: &str) -> Self {
        Self::new(URLSIFT_BAD_ARGUMENT, format_args!("{name} is {what}"))
    }
}

/// Does what a function of the interface is to do, and returns its status. Nothing unwinds into the caller.
pub(crate) fn guard(act: impl FnOnce() -> Result<c_int, Failure>) -> c_int {
    // What a panic leaves behind is not used again: the header says so.
    let done = catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message =
            message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Err(Failure::new(URLSIFT_PANIC, format_args!("a fault within urlsift: {message}")))
    });
    done.unwrap_or_else(|Failure { status, message }| {
        let message = CString::new(message.replace('\0', "\u{fffd}")).unwrap_or_default();
        LAST.with_borrow_mut(|last| *last = message);
        status
    })
}

/// What went wrong in this thread's last call that returned less than 0, in UTF-8: one line that names what is wrong. Empty if none did. It lives
/// until the next such call of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn urlsift_error() -> *const c_char {
    LAST.with_borrow(|last| last.as_ptr())
}
