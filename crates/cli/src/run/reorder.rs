//! Prints the results of concurrent tasks in the order of the tasks.

use crate::print::lint::Rendered;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The maximum number of bytes that wait for their turn. If there are more, workers wait.
const MOST: usize = 8 << 20;
/// The minimum size in bytes of a partial result to print.
const PART: usize = 256 << 10;

/// A reorder buffer. Workers submit results in any order, and the results are printed in the order
/// of the tasks.
pub(crate) struct ReorderBuffer<'a> {
    done: Mutex<Done<'a>>,
    turn: Condvar,
}

/// The results that were submitted, and the state of printing.
struct Done<'a> {
    /// The number of the task to print next.
    current: usize,
    /// The complete results that wait for their turn, by task number.
    waiting: BTreeMap<usize, Rendered>,
    waiting_bytes: usize,
    print: Box<dyn FnMut(Rendered) -> io::Result<()> + Send + 'a>,
    result: io::Result<()>,
}

impl<'a> ReorderBuffer<'a> {
    /// Creates a buffer for tasks that are numbered from 0. Their results are passed to `print` in
    /// order.
    pub(crate) fn new(print: impl FnMut(Rendered) -> io::Result<()> + Send + 'a) -> Self {
        let done = Done {
            current: 0,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            print: Box::new(print),
            result: Ok(()),
        };
        Self { done: Mutex::new(done), turn: Condvar::new() }
    }

    /// Prints and empties `output`, a partial result of task `number`, if it is at least [`PART`]
    /// bytes long. Waits for the turn of the task. Returns false if the output can't be written.
    pub(crate) fn part(&self, number: usize, output: &mut Rendered) -> bool {
        if output.len() < PART {
            return true;
        }
        let mut done = self.lock();
        while done.current != number && done.result.is_ok() {
            done = self.turn.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
        done.print(std::mem::take(output))
    }

    /// Submits the last result of task `number`. Returns false if the output can't be written.
    pub(crate) fn end(&self, number: usize, output: Rendered) -> bool {
        let mut done = self.lock();
        while done.current != number && done.waiting_bytes > MOST && done.result.is_ok() {
            done = self.turn.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
        done.waiting_bytes += output.len();
        done.waiting.insert(number, output);
        let mut is_open = true;
        let current = done.current;
        while let Some(output) = done.next() {
            is_open = done.print(output);
        }
        if done.current != current || !is_open {
            self.turn.notify_all();
        }
        is_open
    }

    /// Returns the result of printing, after all tasks have ended.
    ///
    /// # Errors
    ///
    /// Returns the first error that occurred while printing.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.done.into_inner().unwrap_or_else(PoisonError::into_inner).result
    }

    fn lock(&self) -> MutexGuard<'_, Done<'a>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Done<'_> {
    /// Removes and returns the result of the next task, if it is complete.
    fn next(&mut self) -> Option<Rendered> {
        let rendered = self.waiting.remove(&self.current)?;
        self.waiting_bytes -= rendered.len();
        self.current += 1;
        Some(rendered)
    }

    fn print(&mut self, output: Rendered) -> bool {
        if self.result.is_ok() {
            self.result = (self.print)(output);
        }
        self.result.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{PART, Rendered, ReorderBuffer};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn concurrent_results_are_printed_in_order() {
        let mut printed = Vec::new();
        let results = ReorderBuffer::new(|rendered: Rendered| {
            printed.extend(rendered.out);
            Ok(())
        });
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= 50 {
                            return;
                        }
                        let mut made = Rendered::default();
                        for _ in 0..number % 7 * PART / 1000 {
                            made.out.extend([u8::try_from(number).unwrap(); 1000]);
                            assert!(results.part(number, &mut made));
                        }
                        assert!(results.end(number, made));
                    }
                });
            }
        });
        results.finish().unwrap();
        assert!(printed.is_sorted() && printed.len() > 100 * PART, "{}", printed.len());
    }
}
