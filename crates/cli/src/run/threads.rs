//! Determines the number of threads, and starts them.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::io::Write as _;
use std::thread;

/// The maximum number of threads per core. With more, threads would only wait for each other.
const PER_CORE: usize = 4;

/// Returns the number of processor cores that this process may use.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Converts the value of `-j` to a number of threads. Returns `None` for 0, which selects the
/// default.
///
/// The result is at most [`PER_CORE`] threads per core. If the number is reduced, a note is printed
/// on standard error.
pub(crate) fn thread_count(threads: usize) -> Option<usize> {
    // Determining the number of cores reads half a dozen system files, so it is done only if
    // necessary.
    if threads <= PER_CORE {
        return (threads > 0).then_some(threads);
    }
    let most = PER_CORE * cores();
    if threads > most {
        let note = format!("urlsift: -j {threads} is reduced to {most} ({PER_CORE} per core)\n");
        let _ = std::io::stderr().write_all(note.as_bytes());
    }
    Some(threads.min(most))
}

/// The threads that execute a run. One of them is the current thread.
pub(crate) struct Threads {
    /// The other threads, or `None` if there is only the current one.
    pool: Option<ThreadPool>,
}

impl Threads {
    /// Starts `threads - 1` threads in addition to the current one.
    ///
    /// # Errors
    ///
    /// Fails if the system can't start the threads.
    pub(crate) fn new(threads: usize) -> anyhow::Result<Self> {
        let start = || -> Result<ThreadPool, ThreadPoolBuildError> {
            ThreadPoolBuilder::new()
                .num_threads(threads)
                .use_current_thread()
                .thread_name(|index| format!("urlsift-{index}"))
                .build()
        };
        let pool = (threads > 1).then(start).transpose().map_err(|error| {
            anyhow::anyhow!("cannot start {threads} threads: {error}; try a smaller -j")
        })?;
        Ok(Self { pool })
    }

    /// Calls `work` once in every thread, and waits for all of them. The current thread starts even
    /// if other threads are not ready yet.
    pub(crate) fn run_in_all(&self, work: impl Fn() + Sync) {
        match &self.pool {
            Some(pool) => drop(pool.broadcast(|_| work())),
            None => work(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::thread_count;

    #[test]
    fn number_of_threads_is_limited() {
        assert_eq!((thread_count(0), thread_count(3)), (None, Some(3)));
        assert!(thread_count(10_000).is_some_and(|threads| threads < 10_000));
    }
}
