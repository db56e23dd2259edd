//! How many threads work, and how they are started.

use std::collections::VecDeque;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

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

/// Runs `work` in so many threads at once, this one among them, which begins before the others are there.
/// Where the system gives fewer threads, fewer work.
pub(crate) fn run(threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for index in 1..threads {
            let name = format!("urlsift-{index}");
            if Builder::new().name(name).spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Maps each item in one of so many threads. The results come in the order of the items.
pub(crate) fn map<T: Send, R: Send>(
    threads: usize,
    items: Vec<T>,
    each: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(items.len());
    let left: Mutex<VecDeque<_>> = Mutex::new(items.into_iter().enumerate().collect());
    let done = Mutex::new(Vec::new());
    run(threads, || {
        loop {
            let next = left.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some((index, item)) = next else { return };
            let result = each(item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::{asked_for, map};

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [0, 1, 3, 50] {
            let doubled = map(threads, (0..20).collect(), |item| 2 * item);
            assert_eq!(doubled, (0..40).step_by(2).collect::<Vec<_>>());
        }
        assert_eq!(map(3, Vec::<u8>::new(), |item| item), b"");
    }

    #[test]
    fn nobody_gets_ten_thousand_threads() {
        assert_eq!((asked_for(0), asked_for(3)), (None, Some(3)));
        assert!(asked_for(10_000).is_some_and(|threads| threads < 10_000));
    }
}
