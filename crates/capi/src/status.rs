//! How a call ended, and the border that no panic crosses.

use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char, c_int};
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

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
    /// Whether a panic of this thread becomes an error.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// What the last such panic was.
    static FAULT: RefCell<String> = const { RefCell::new(String::new()) };
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

/// Does `act`; a panic is an error that says what it was, and prints nothing, because standard error is the program's.
pub(crate) fn caught<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if CAUGHT.get() { FAULT.set(told(panic)) } else { others(panic) }
        }));
    });
    let outer = CAUGHT.replace(true);
    // What a panic leaves behind is not used again: the header says so.
    let done = catch_unwind(AssertUnwindSafe(act));
    CAUGHT.set(outer);
    done.map_err(|_| FAULT.take())
}

fn told(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    format!("a fault within urlsift: {message}{}", place.unwrap_or_default())
}

/// Does what a function of the interface is to do, and returns its status. Nothing unwinds into the caller.
pub(crate) fn guard(act: impl FnOnce() -> Result<c_int, Failure>) -> c_int {
    let done = caught(act).unwrap_or_else(|fault| Err(Failure::new(URLSIFT_PANIC, fault)));
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
