//! Signals: Ctrl-C and a polite kill end the run with what was found.

use crate::platform;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

/// How long a run may take to end after a signal. It mostly takes a tenth of a second; one that cannot write, or
/// that hangs in the system, is ended all the same.
const GRACE: Duration = Duration::from_millis(800);

static STOP: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// The number of the signal that came, or 0; or why else the run is to end.
pub(crate) fn number() -> usize {
    STOP.load(Ordering::Relaxed)
}

/// Whether the run is to end.
pub(crate) fn stopped() -> bool {
    number() != 0
}

/// A number that becomes the signal's when one comes. A second signal of the same kind ends the
/// process at once, in case the first one is not heeded soon enough; so does the end of a short time.
///
/// # Errors
///
/// When the system refuses.
pub(crate) fn watch() -> io::Result<Arc<AtomicUsize>> {
    for signal in [SIGINT, SIGTERM] {
        let again = Arc::new(AtomicBool::new(false));
        // Order matters: the first of these sees the flag that the last one sets.
        signal_hook::flag::register_conditional_shutdown(signal, 128 | signal, Arc::clone(&again))?;
        signal_hook::flag::register(signal, again)?;
        let number = usize::try_from(signal).unwrap_or(1);
        signal_hook::flag::register_usize(signal, Arc::clone(&STOP), number)?;
    }
    // Where no thread can be had, what hangs waits for the second signal.
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
