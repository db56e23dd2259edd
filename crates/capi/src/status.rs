//! Status codes and error messages, and the function that catches panics before they reach C.

use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char, c_int};
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

/// Success.
pub const URLSIFT_OK: c_int = 0;
/// The callback stopped the call by returning a value other than 0.
pub const URLSIFT_STOPPED: c_int = 1;
/// An argument is NULL or not UTF-8, which is not allowed for this argument.
pub const URLSIFT_BAD_ARGUMENT: c_int = -1;
/// The option does not exist, or the value is not valid for it.
pub const URLSIFT_BAD_OPTION: c_int = -2;
/// A file cannot be opened or read.
pub const URLSIFT_IO: c_int = -3;
/// A bug in the library caused a panic. Don't use the object that was passed to the call again,
/// except to free it.
pub const URLSIFT_PANIC: c_int = -4;

thread_local! {
    /// The message of the thread's last failed call, for `urlsift_error`.
    static LAST: RefCell<CString> = RefCell::default();
    /// True while a panic in this thread would be converted to an error.
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
    /// The message of the last panic that was converted to an error.
    static PANIC_MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The status code and message of a failed call.
pub(crate) struct Failure {
    status: c_int,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: c_int, message: impl Display) -> Self {
        Self { status, message: message.to_string() }
    }

    /// Creates the failure for an invalid argument, with a message such as "path is NULL": the
    /// argument's name and what is wrong with it.
    pub(crate) fn invalid_argument(name: &str, fault: &str) -> Self {
        Self::new(URLSIFT_BAD_ARGUMENT, format_args!("{name} is {fault}"))
    }
}

/// Calls `act` and converts a panic to an error with its message. Prints nothing, because stderr
/// belongs to the calling program.
pub(crate) fn catch_panics<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if IS_CATCHING.get() { PANIC_MESSAGE.set(panic_message(panic)) } else { others(panic) }
        }));
    });
    let outer = IS_CATCHING.replace(true);
    // `AssertUnwindSafe`: an object is not used again after a panic, as the header demands.
    let done = catch_unwind(AssertUnwindSafe(act));
    IS_CATCHING.set(outer);
    done.map_err(|_| PANIC_MESSAGE.take())
}

/// Returns the error message for a panic.
fn panic_message(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    format!(
        "internal error in urlsift: {message}{}; please report this bug",
        place.unwrap_or_default()
    )
}

/// Runs the body of an exported function and returns its status code. Stores the message of an
/// error for `urlsift_error`. Catches panics, so that nothing unwinds into the caller.
pub(crate) fn guard(act: impl FnOnce() -> Result<c_int, Failure>) -> c_int {
    let done = catch_panics(act).unwrap_or_else(|fault| Err(Failure::new(URLSIFT_PANIC, fault)));
    done.unwrap_or_else(|Failure { status, message }| {
        let message = CString::new(message.replace('\0', "\u{fffd}")).unwrap_or_default();
        LAST.with_borrow_mut(|last| *last = message);
        status
    })
}

/// Returns the error message of this thread's last call that returned less than 0: one line of
/// UTF-8. The string is empty if no call has failed. It is valid until the next failing call of
/// the same thread.
#[unsafe(no_mangle)]
pub extern "C" fn urlsift_error() -> *const c_char {
    LAST.with_borrow(|last| last.as_ptr())
}
