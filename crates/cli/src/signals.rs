//! Handles SIGINT and SIGTERM: the run ends early, and the results so far are printed.

use crate::platform;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

/// The time after a signal in which a run must end. It usually takes a tenth of a second. A run
/// that is blocked, e.g. in a write, is ended after this time.
const GRACE: Duration = Duration::from_millis(800);

/// The number of the signal that was received, another reason to stop, or 0.
static STOP: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Returns the reason why the program must stop, or 0 if it must not. The reason is the number of a
/// received signal, or one of the other values that `run::queue` defines.
pub(crate) fn stop_reason() -> usize {
    STOP.load(Ordering::Relaxed)
}

/// True if the program must stop, because of a signal or for another reason.
pub(crate) fn must_stop() -> bool {
    stop_reason() != 0
}

/// Installs handlers for SIGINT and SIGTERM. Returns a shared number, which is 0 until a signal is
/// received and is then the number of the signal.
///
/// A second signal of the same kind ends the process at once. After the first signal, the process
/// also ends after some time, even if the program is blocked.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn install_handlers() -> io::Result<Arc<AtomicUsize>> {
    for signal in [SIGINT, SIGTERM] {
        let again = Arc::new(AtomicBool::new(false));
        // The order matters: the first handler must see the flag that the last one sets.
        signal_hook::flag::register_conditional_shutdown(signal, 128 | signal, Arc::clone(&again))?;
        signal_hook::flag::register(signal, again)?;
        let number = usize::try_from(signal).unwrap_or(1);
        signal_hook::flag::register_usize(signal, Arc::clone(&STOP), number)?;
    }
    // Without this thread, only a second signal would end a run that hangs.
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
