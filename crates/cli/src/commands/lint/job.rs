//! The tasks of `lint`, and the order in which their results are printed.

use crate::print::lint::{Printer, Rendered, Totals};
use crate::print::progress::Counts;
use crate::print::sizes::Sizes;
use crate::run::queue::{Job, Output, TaskOutput, Writer};
use std::convert::Infallible;
use std::io;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_lint::Judge;

/// The sizes of tasks and outputs. A task is one file. A thread that is ahead stops at 256 KiB of
/// output, and waits until the output of all earlier files is printed.
pub(super) const SIZES: Sizes =
    Sizes { batch: 1..=1, ahead: 8 << 20, wait_at: 256 << 10, print_at: 256 << 10, packs: false };

/// The [`Job`] of `lint`: each task lints one file, and the results are printed in the order of the
/// files.
pub(super) struct LintJob<'r>(PhantomData<&'r ()>);

pub(super) type LintOutput<'s, 'r> = TaskOutput<'s, LintJob<'r>>;

impl<'r> Job for LintJob<'r> {
    type Item = Task;
    type Items = Box<dyn Iterator<Item = Task> + Send + 'r>;
    /// There is no remainder of a file, because files are never split into units.
    type Rest = Infallible;
    type State = ();
    type Output = Rendered;
    type Writer = CountedPrinter<'r>;
}

impl Output for Rendered {
    fn printed_size(&self) -> usize {
        self.out.len() + self.err.len()
    }

    fn memory_when_empty(&self) -> usize {
        self.out.capacity() + self.err.capacity()
    }
}

/// A printer of lint results that also updates the counts of the progress line.
pub(super) struct CountedPrinter<'r> {
    pub(super) printer: Printer<'r, Box<dyn io::Write + Send>, Box<dyn io::Write + Send>>,
    pub(super) counts: Arc<Mutex<Counts>>,
}

impl Writer<Rendered> for CountedPrinter<'_> {
    fn print_output(&mut self, output: &mut Rendered) -> io::Result<()> {
        self.printer.print(&std::mem::take(output))?;
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) =
            progress_counts(&self.printer.totals);
        Ok(())
    }
}

/// A task for a worker: lint a file, or report an error.
pub(super) enum Task {
    /// Report an error of this path.
    Error(PathBuf, String),
    /// Lint standard input under this name.
    Stdin(PathBuf, Arc<Judge>),
    /// Lint the file with this path. The flag is true if the file was found in a directory.
    File(PathBuf, bool, Arc<Judge>),
}

/// Returns the counts to show in the progress line, computed from the totals of a `lint` run.
fn progress_counts(totals: &Totals) -> Counts {
    let mut counts = Counts { read: totals.bytes, ..Counts::default() };
    counts.tally.files = totals.files;
    counts.tally.messages = totals.messages;
    counts.tally.urls = totals.candidates;
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_messages() {
        let mut all = Totals::default();
        for _ in 0..2 {
            all.add_totals(&Totals {
                files: 1,
                bytes: 9,
                messages: 3,
                candidates: 4,
                ..Totals::default()
            });
        }
        let counts = progress_counts(&all);
        assert_eq!((counts.read, counts.tally.files), (18, 2));
        assert_eq!((counts.tally.messages, counts.tally.urls), (6, 8));
    }
}
