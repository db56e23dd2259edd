//! Shares of work that are handed out in order, and what comes of them put together in the same order.

use crate::print::lint::Sheet;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// More than this is not held for shares whose turn has not come: whoever is to add to it waits.
const MOST: usize = 8 << 20;
/// So much of one share is gathered before it is handed in.
const PART: usize = 256 << 10;

/// The queue.
pub(crate) struct Turns<'a> {
    done: Mutex<Done<'a>>,
    turn: Condvar,
}

struct Done<'a> {
    /// The number of the share whose turn it is.
    current: usize,
    /// The shares that are ready before their turn.
    waiting: BTreeMap<usize, Sheet>,
    held: usize,
    print: Box<dyn FnMut(Sheet) -> io::Result<()> + Send + 'a>,
    result: io::Result<()>,
}

impl<'a> Turns<'a> {
    /// A queue for shares with the numbers from 0 on, whose output goes to `print`.
    pub(crate) fn new(print: impl FnMut(Sheet) -> io::Result<()> + Send + 'a) -> Self {
        let done = Done {
            current: 0,
            waiting: BTreeMap::new(),
            held: 0,
            print: Box::new(print),
            result: Ok(()),
        };
        Self { done: Mutex::new(done), turn: Condvar::new() }
    }

    /// Takes what is ready of the share with that number, if it is much. The share goes on; whoever works on it
    /// may have to wait for its turn.
    ///
    /// Returns whether anybody still takes the output.
    pub(crate) fn part(&self, number: usize, output: &mut Sheet) -> bool {
        if output.len() < PART {
            return true;
        }
        let mut done = self.lock();
        while done.current != number && done.result.is_ok() {
            done = self.turn.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
        done.print(std::mem::take(output))
    }

    /// Takes the last of a share.
    pub(crate) fn end(&self, number: usize, output: Sheet) -> bool {
        let mut done = self.lock();
        while done.current != number && done.held > MOST && done.result.is_ok() {
            done = self.turn.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
        done.held += output.len();
        done.waiting.insert(number, output);
        let mut goes_on = true;
        let current = done.current;
        while let Some(output) = done.next() {
            goes_on = done.print(output);
        }
        if done.current != current || !goes_on {
            self.turn.notify_all();
        }
        goes_on
    }

    /// The first error in printing.
    ///
    /// # Errors
    ///
    /// That one.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.done.into_inner().unwrap_or_else(PoisonError::into_inner).result
    }

    fn lock(&self) -> MutexGuard<'_, Done<'a>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Done<'_> {
    /// The share whose turn it is, if it is ready.
    fn next(&mut self) -> Option<Sheet> {
        let sheet = self.waiting.remove(&self.current)?;
        self.held -= sheet.len();
        self.current += 1;
        Some(sheet)
    }

    fn print(&mut self, output: Sheet) -> bool {
        if self.result.is_ok() {
            self.result = (self.print)(output);
        }
        self.result.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{PART, Sheet, Turns};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn what_is_made_at_once_comes_in_order() {
        let mut printed = Vec::new();
        let turns = Turns::new(|sheet: Sheet| {
            printed.extend(sheet.out);
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
                        let mut made = Sheet::default();
                        for _ in 0..number % 7 * PART / 1000 {
                            made.out.extend([u8::try_from(number).unwrap(); 1000]);
                            assert!(turns.part(number, &mut made));
                        }
                        assert!(turns.end(number, made));
                    }
                });
            }
        });
        turns.finish().unwrap();
        assert!(printed.is_sorted() && printed.len() > 100 * PART, "{}", printed.len());
    }
}
