//! Distributes work to threads, and restores the order of the results.
//!
//! The input is divided into *tasks*: batches of small files, or units of large files. The [`Key`]
//! of a task is its position in the output. A worker takes the free task with the smallest key,
//! renders its results, and submits the output. In `lint`, each file is a task.
//!
//! Outputs are printed in the order of their keys. The worker whose key is next prints directly,
//! and the outputs of other workers wait. A worker that is far ahead also waits, so memory is
//! bounded. The worker with the next key never waits, so there is always progress.
//!
//! A worker locks the queue a few times per task, never per URL. Directories are listed in advance
//! under a different lock, so a worker with an output to submit never waits for a directory.

use super::threads::Threads;
use crate::print::sizes::Sizes;
use anyhow::bail;
use std::collections::BTreeMap;
use std::io;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// The position of a task's results in the whole output: the number of the batch of files, of the
/// part of that batch, and of the unit of that part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    batch: u64,
    part: u32,
    unit: u32,
}

impl Key {
    /// Returns the key of the first task of the next batch.
    fn next_batch(self) -> Self {
        Self { batch: self.batch + 1, part: 0, unit: 0 }
    }

    /// Returns the key of the first unit in the part that is `parts` parts later in the same batch.
    fn part_after(self, parts: u32) -> Self {
        Self { part: self.part + parts, unit: 0, ..self }
    }

    /// Returns the key of the next unit in the same part.
    fn next_unit(self) -> Self {
        Self { unit: self.unit + 1, ..self }
    }
}

/// The types that a [`Queue`] works with: the files, the remainders of large inputs, the outputs,
/// and the writer that prints the outputs. Scanning and linting each implement this trait.
pub(crate) trait Job {
    /// A file to read.
    type Item: Send;
    /// The files.
    type Items: Iterator<Item = Self::Item> + Send;
    /// The rest of a file or stream that is cut into units.
    type Rest: Send;
    /// The state of the current file in a task.
    type State: Default;
    type Output: Output;
    type Writer: Writer<Self::Output>;
}

/// The results of one task, which wait until it is the task's turn to be printed.
pub(crate) trait Output: Default + Send {
    /// Returns the approximate number of bytes that will be printed.
    fn printed_size(&self) -> usize;

    /// Returns the approximate memory in bytes that the output takes while it waits for its turn.
    fn memory_size(&self) -> usize {
        self.printed_size()
    }

    /// Returns the memory in bytes that the output still takes after it was printed and emptied.
    fn memory_when_empty(&self) -> usize;

    /// Compresses the results before it is their turn to be printed. `is_next` is true if it is
    /// their turn now. Returns false if the results should be printed as they are.
    ///
    /// # Errors
    ///
    /// Returns any error of the compressor.
    fn compress_ahead(&mut self, is_next: bool) -> io::Result<bool> {
        let _ = is_next;
        Ok(false)
    }

    /// Completes the compression that [`Output::compress_ahead`] started. Does nothing if it did
    /// not start any.
    ///
    /// # Errors
    ///
    /// Returns any error of the compressor.
    fn finish_compression(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer that prints outputs in the order in which they are passed. This is the order of the
/// input.
pub(crate) trait Writer<O>: Send {
    /// Prints an output and empties it, so that it can be reused.
    ///
    /// # Errors
    ///
    /// Returns any error in writing.
    fn print_output(&mut self, output: &mut O) -> io::Result<()>;
}

/// A task that one worker executes.
enum Task<J: Job> {
    /// Whole files, in order.
    Files(std::vec::IntoIter<J::Item>),
    /// The rest of a file or stream that is split into units.
    Large(Box<J::Rest>),
}

/// A worker that executes the tasks of a [`Queue`]. Each thread has a worker of its own.
pub(crate) trait Work<J: Job> {
    /// Scans files in order, until one of them is so large that it must be split into units.
    /// Returns this large file and the remaining files. Returns `None` if all files were scanned.
    fn scan_files(
        &mut self,
        files: std::vec::IntoIter<J::Item>,
        out: &mut TaskOutput<'_, J>,
    ) -> Option<(J::Rest, std::vec::IntoIter<J::Item>)>;

    /// Scans the next unit of the large input `large`. If other workers can continue with the rest
    /// of the input, first returns the rest to the queue.
    fn scan_next_unit(&mut self, large: J::Rest, out: &mut TaskOutput<'_, J>);
}

/// A queue that distributes tasks to workers and prints their outputs in order.
pub(crate) struct Queue<J: Job> {
    /// The list of files. It is never locked while `state` is locked.
    list: Mutex<List<J::Items>>,
    state: Mutex<State<J>>,
    changed: Condvar,
    writer: Mutex<J::Writer>,
    /// The reason to stop early: 0 for none, the number of a signal, [`PIPE_CLOSED`],
    /// [`WRITE_FAILED`] or [`FOUND`].
    stop: Arc<AtomicUsize>,
    /// The minimum number of free tasks to keep as long as there are files.
    stock: usize,
    sizes: Sizes,
}

/// The stop reason if the reader of the output has closed the pipe.
pub(crate) const PIPE_CLOSED: usize = 1000;
/// The stop reason if the output can't be written.
pub(crate) const WRITE_FAILED: usize = 1001;
/// The stop reason if a URL was found and `--quiet` needs no more.
pub(crate) const FOUND: usize = 1002;

/// The interval at which waiting workers check for a signal, because a signal doesn't wake them.
const NAP: Duration = Duration::from_millis(100);
/// The maximum size of a batch is 1/`PART` of the files listed so far.
const PART: usize = 128;

/// The files to process, which an iterator lists batch by batch.
struct List<I> {
    files: I,
    /// The number of files listed so far.
    listed: usize,
}

impl<I: Iterator> List<I> {
    /// Returns the next batch of files, or an empty list if there are no more files. `batch` is the
    /// range of permitted batch sizes.
    fn next_batch_of_files(&mut self, batch: &RangeInclusive<usize>) -> Vec<I::Item> {
        let batch = (self.listed / PART).clamp(*batch.start(), *batch.end());
        let mut files = Vec::with_capacity(batch);
        files.extend(self.files.by_ref().take(batch));
        self.listed += files.len();
        files
    }
}

struct State<J: Job> {
    /// True if all files were listed.
    exhausted: bool,
    /// The key of the next batch.
    next: Key,
    free: BTreeMap<Key, Task<J>>,
    /// The outputs that wait for their turn, each with the key that follows it.
    waiting: BTreeMap<Key, (J::Output, Key)>,
    waiting_bytes: usize,
    /// The key of the output to print next.
    turn: Key,
    /// The number of workers that are working on a task.
    busy: usize,
    /// Empty outputs to reuse.
    spare: Vec<J::Output>,
}

/// The output of a worker for the task that it is executing.
pub(crate) struct TaskOutput<'s, J: Job> {
    queue: &'s Queue<J>,
    key: Key,
    /// The key of the output that follows.
    next: Key,
    /// The results that were rendered and not printed yet.
    pub(crate) rendered: J::Output,
    /// The state of the current file.
    pub(crate) state: J::State,
}

impl<J: Job> Queue<J> {
    pub(crate) fn new(
        files: J::Items,
        writer: J::Writer,
        stop: Arc<AtomicUsize>,
        sizes: Sizes,
    ) -> Self {
        Self {
            list: Mutex::new(List { files, listed: 0 }),
            state: Mutex::new(State {
                exhausted: false,
                next: Key::default(),
                free: BTreeMap::new(),
                waiting: BTreeMap::new(),
                waiting_bytes: 0,
                turn: Key::default(),
                busy: 0,
                spare: Vec::new(),
            }),
            changed: Condvar::new(),
            writer: Mutex::new(writer),
            stop,
            stock: 0,
            sizes,
        }
    }

    /// Makes the queue list files in advance, so that at least `tasks` tasks are ready as long as
    /// there are files. Use this if the next file is known without waiting.
    pub(crate) fn with_min_ready_tasks(self, tasks: usize) -> Self {
        Self { stock: tasks, ..self }
    }

    /// Runs all tasks, with one worker per thread. Returns the writer, and the reason why the run
    /// was stopped early. The reason is 0 if it was not stopped.
    ///
    /// # Errors
    ///
    /// Returns an error if the output can't be written.
    pub(crate) fn run<W: Work<J>>(
        self,
        threads: &Threads,
        worker: impl Fn() -> W + Sync,
    ) -> anyhow::Result<(J::Writer, usize)> {
        threads.run_in_all(|| self.execute_tasks(&mut worker()));
        let stopped = self.stop.load(Ordering::Relaxed);
        if stopped == WRITE_FAILED {
            bail!("cannot write the output; check that the disk has space");
        }
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut writer = self.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        // After an early stop there may be outputs after a task that was never started.
        if stopped < PIPE_CLOSED {
            for (mut rendered, _) in state.waiting.into_values() {
                if writer.print_output(&mut rendered).is_err() {
                    break;
                }
            }
        }
        Ok((writer, stopped))
    }

    /// Executes tasks with `worker` until no task is left or the run is stopped. Called once in
    /// each thread.
    fn execute_tasks(&self, worker: &mut impl Work<J>) {
        while let Some((key, task)) = self.take_task() {
            let rendered = self.state().spare.pop().unwrap_or_default();
            let (next, state) = (key.part_after(1), J::State::default());
            let mut out = TaskOutput { queue: self, key, next, rendered, state };
            match task {
                Task::Large(large) => worker.scan_next_unit(*large, &mut out),
                Task::Files(files) => match worker.scan_files(files, &mut out) {
                    None => out.next = key.next_batch(),
                    Some((large, rest)) => {
                        let mut state = self.state();
                        state.free.insert(key.part_after(1), Task::Large(Box::new(large)));
                        state.free.insert(key.part_after(2), Task::Files(rest));
                        drop(state);
                        self.changed.notify_all();
                    }
                },
            }
            if let Err(error) = out.rendered.finish_compression() {
                self.stop_after_write_error(&error);
            }
            self.submit(out);
        }
    }

    fn state(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the state of the queue changes, but at most for [`NAP`].
    fn wait_for_change<'s>(&self, state: MutexGuard<'s, State<J>>) -> MutexGuard<'s, State<J>> {
        self.changed.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0
    }

    fn writer(&self) -> MutexGuard<'_, J::Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    /// Waits for a task, and removes the one with the smallest key from the queue. Returns `None`
    /// if no task is left or the run is stopped.
    fn take_task(&self) -> Option<(Key, Task<J>)> {
        let mut state = self.state();
        loop {
            if self.stopped() {
                return None;
            }
            let least = state.free.first_key_value().map(|(&key, _)| key);
            match least {
                Some(key) if state.waiting_bytes <= self.sizes.ahead || key == state.turn => {
                    let task = state.free.remove(&key)?;
                    state.busy += 1;
                    let needs_listing = self.needs_more_tasks(&state);
                    drop(state);
                    if needs_listing {
                        self.list_ahead();
                    }
                    return Some((key, task));
                }
                None if !state.exhausted => {
                    drop(state);
                    self.list_for_idle_worker();
                    state = self.state();
                    continue;
                }
                None if state.busy == 0 => {
                    self.changed.notify_all();
                    return None;
                }
                _ => {}
            }
            state = self.wait_for_change(state);
        }
    }

    /// Lists files for a worker that has no task. If another worker is already listing, waits for
    /// it, and lists files only if there is still no task.
    fn list_for_idle_worker(&self) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state().free.is_empty() {
            self.add_batch(list.next_batch_of_files(&self.sizes.batch));
        }
    }

    /// Lists files in advance, until enough tasks are ready. Does nothing if another worker is
    /// listing files.
    fn list_ahead(&self) {
        let mut list = match self.list.try_lock() {
            Ok(list) => list,
            Err(TryLockError::Poisoned(list)) => list.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        while !self.stopped() && self.add_batch(list.next_batch_of_files(&self.sizes.batch)) {}
    }

    /// True if more files should be listed: there are too few tasks, and the list may not have
    /// ended.
    fn needs_more_tasks(&self, state: &State<J>) -> bool {
        state.free.len() < self.stock && !state.exhausted
    }

    /// Adds a task for a batch of files. An empty batch means that the list of files has ended.
    /// Returns true if more files should be listed.
    fn add_batch(&self, files: Vec<J::Item>) -> bool {
        let mut state = self.state();
        if files.is_empty() {
            state.exhausted = true;
        } else {
            let key = state.next;
            state.next = key.next_batch();
            state.free.insert(key, Task::Files(files.into_iter()));
        }
        let needs_listing = self.needs_more_tasks(&state);
        drop(state);
        self.changed.notify_all();
        needs_listing
    }

    fn submit(&self, out: TaskOutput<'_, J>) {
        let TaskOutput { key, mut next, mut rendered, .. } = out;
        let mut state = self.state();
        state.busy -= 1;
        if state.turn != key {
            state.waiting_bytes += rendered.memory_size();
            state.waiting.insert(key, (rendered, next));
            drop(state);
            self.changed.notify_all();
            return;
        }
        loop {
            drop(state);
            self.print(&mut rendered);
            state = self.state();
            // Reuses outputs up to the size of waiting ones, since freeing and reallocating them
            // fragments the heap. Larger ones are freed.
            if rendered.memory_when_empty() <= 2 * self.sizes.wait_at {
                state.spare.push(rendered);
            }
            state.turn = next;
            match state.waiting.remove(&next) {
                None => break,
                Some((waiting, after)) => {
                    state.waiting_bytes -= waiting.memory_size();
                    (rendered, next) = (waiting, after);
                }
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    fn print(&self, rendered: &mut J::Output) {
        if let Err(error) = self.writer().print_output(rendered) {
            self.stop_after_write_error(&error);
        }
    }

    /// Stops all workers, because the output can't be written.
    fn stop_after_write_error(&self, error: &io::Error) {
        let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
        self.stop_all(if is_closed { PIPE_CLOSED } else { WRITE_FAILED });
    }

    /// Stops all workers for the reason `why`, unless they were already stopped for another reason.
    fn stop_all(&self, why: usize) {
        let _ = self.stop.compare_exchange(0, why, Ordering::Relaxed, Ordering::Relaxed);
    }
}

impl<J: Job> TaskOutput<'_, J> {
    /// Prints the results so far, if there are enough of them and it is this task's turn.
    #[inline]
    pub(crate) fn print_if_large(&mut self) {
        if self.rendered.printed_size() >= self.queue.sizes.print_at {
            self.print_now();
        }
    }

    #[cold]
    fn print_now(&mut self) {
        let wait_at = self.queue.sizes.wait_at;
        if self.queue.sizes.packs {
            match self.rendered.compress_ahead(self.is_turn()) {
                Ok(is_packed) if is_packed && self.rendered.memory_size() < wait_at => return,
                Ok(_) => {}
                Err(error) => self.queue.stop_after_write_error(&error),
            }
        }
        if self.is_turn() || self.rendered.memory_size() >= wait_at && self.wait_for_turn() {
            self.queue.print(&mut self.rendered);
        }
    }

    /// Returns the rest of a large input to the queue, where any worker can continue with it.
    pub(crate) fn return_rest(&mut self, rest: J::Rest) {
        self.next = self.key.next_unit();
        self.queue.state().free.insert(self.next, Task::Large(Box::new(rest)));
        self.queue.changed.notify_all();
    }

    /// Stops all workers because a URL was found, for a run that needs only to know whether there
    /// is one.
    pub(crate) fn stop_after_match(&self) {
        self.queue.stop_all(FOUND);
    }

    /// True if the run was stopped, so that the worker must end its task.
    pub(crate) fn is_stopped(&self) -> bool {
        self.queue.stopped()
    }

    /// Waits until it is this task's turn to print. Returns false if the run is stopped first. A
    /// deadlock is impossible, because a task only waits for earlier tasks.
    fn wait_for_turn(&self) -> bool {
        let mut state = self.queue.state();
        while state.turn != self.key && !self.queue.stopped() {
            state = self.queue.wait_for_change(state);
        }
        state.turn == self.key
    }

    /// True if it is this task's turn to print: the outputs of all earlier tasks were printed.
    fn is_turn(&self) -> bool {
        self.queue.state().turn == self.key
    }
}
