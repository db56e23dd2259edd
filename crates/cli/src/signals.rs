//! Signals: after SIGINT or SIGTERM the run ends, and what was found so far is printed.

use crate::platform;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

/// The time that a run has to end after a signal. It usually takes a tenth of a second; a run that
/// is blocked in a write or another system call is ended after this time.
const GRACE: Duration = Duration::from_millis(800);

static STOP: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Returns the number of the signal that was received, another reason to stop (see `run::queue`),
/// or 0.
pub(crate) fn number() -> usize {
    STOP.load(Ordering::Relaxed)
}

/// True if the run must end.
pub(crate) fn stopped() -> bool {
    number() != 0
}

/// Registers the signal handlers. Returns a number that becomes the signal's when one is received,
/// and is 0 before.
///
/// A second signal of the same kind ends the process at once, and so does the end of a short time
/// after the first.
///
/// # Errors
///
/// Returns any error of the system.
pub(crate) fn watch() -> io::Result<Arc<AtomicUsize>> {
    for signal in [SIGINT, SIGTERM] {
        let again = Arc::new(AtomicBool::new(false));
        // Order matters: the first of these sees the flag that the last one sets.
        signal_hook::flag::register_conditional_shutdown(signal, 128 | signal, Arc::clone(&again))?;
        signal_hook::flag::register(signal, again)?;
        let number = usize::try_from(signal).unwrap_or(1);
        signal_hook::flag::register_usize(signal, Arc::clone(&STOP), number)?;
    }
    // Without this thread, a run that hangs is ended only by a second signal.
    if let Ok(waiter) = platform::signal_waiter([SIGINT, SIGTERM]) {
        let wait = move || {
            if let Some(signal) = waiter() {
                thread::sleep(GRACE);
                signal_hook::low_level::exit(128 | signal);
            }
        };
        let _ = thread::Builder::new().name("urlsift-signals".to_owned()).spawn(wait);
    }
    Ok(Arc::clone(&STOP))
}
