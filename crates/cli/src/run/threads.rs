//! How many threads work, and the pool that they are in.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::io::Write as _;
use std::thread;

/// More threads than this for each core only wait for each other.
const PER_CORE: usize = 4;

/// The number of cores that the process may use.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The number of threads that `-j` asks for, brought down to four times the cores with a note on standard
/// error; `None` for 0, which leaves the choice to the command.
pub(crate) fn asked_for(threads: usize) -> Option<usize> {
    // To ask how many cores there are is to read half a dozen of the system's files.
    if threads <= PER_CORE {
        return (threads > 0).then_some(threads);
    }
    let most = PER_CORE * cores();
    if threads > most {
        let note =
            format!("urlsift: -j {threads} is brought down to {most}, {PER_CORE} for each core\n");
        let _ = std::io::stderr().write_all(note.as_bytes());
    }
    Some(threads.min(most))
}

/// The threads of a run, the one that made it among them.
pub(crate) struct Threads {
    /// `None` where there is but one thread: then nothing is started.
    pool: Option<ThreadPool>,
}

impl Threads {
    /// # Errors
    ///
    /// The system gives no more threads.
    pub(crate) fn new(threads: usize) -> anyhow::Result<Self> {
        let start = || -> Result<ThreadPool, ThreadPoolBuildError> {
            ThreadPoolBuilder::new()
                .num_threads(threads)
                .use_current_thread()
                .thread_name(|index| format!("urlsift-{index}"))
                .build()
        };
        let pool = (threads > 1).then(start).transpose().map_err(|error| {
            anyhow::anyhow!("{threads} threads cannot be started: {error}; try a smaller -j")
        })?;
        Ok(Self { pool })
    }

    /// Runs `work` in every thread at once; the one that calls begins before the others are there.
    pub(crate) fn run(&self, work: impl Fn() + Sync) {
        match &self.pool {
            Some(pool) => drop(pool.broadcast(|_| work())),
            None => work(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::asked_for;

    #[test]
    fn nobody_gets_ten_thousand_threads() {
        assert_eq!((asked_for(0), asked_for(3)), (None, Some(3)));
        assert!(asked_for(10_000).is_some_and(|threads| threads < 10_000));
    }
}
