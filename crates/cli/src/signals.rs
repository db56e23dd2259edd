//! Signals: Ctrl-C and a polite kill end the run with what was found.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// A number that becomes the signal's when one comes. A second signal of the same kind ends the
/// process at once, in case the first one is not heeded soon enough.
///
/// # Errors
///
/// When the system refuses.
pub(crate) fn watch() -> io::Result<Arc<AtomicUsize>> {
    let stop = Arc::new(AtomicUsize::new(0));
    for signal in [SIGINT, SIGTERM] {
        let again = Arc::new(std::sync::atomic::AtomicBool::new(false));
        // Order matters: the first of these sees the flag that the last one sets.
        signal_hook::flag::register_conditional_shutdown(signal, 128 | signal, Arc::clone(&again))?;
        signal_hook::flag::register(signal, again)?;
        let number = usize::try_from(signal).unwrap_or(1);
        signal_hook::flag::register_usize(signal, Arc::clone(&stop), number)?;
    }
    Ok(stop)
}
