//! Distributes work to threads, and restores the order of the results.
//!
//! The input is divided into *tasks*: batches of small files, or units of large files. The [`Key`]
//! of a task is its position in the output. A worker takes the free task with the smallest key,
//! renders its results, and submits the output.
//!
//! Outputs are printed in the order of their keys. The worker whose key is next prints directly,
//! and the outputs of other workers wait. A worker that is far ahead also waits, so memory is
//! bounded. The worker with the next key never waits, so there is always progress.
//!
//! A worker locks the queue a few times per task, never per URL. Directories are listed in advance
//! under a different lock, so a worker with an output to submit never waits for a directory.

use super::large_input::LargeInput;
use super::packed_read::PackedRead;
use super::so_far::SoFar;
use crate::args::Format;
use crate::io::walk::WalkItem;
use crate::print::ordered_writer::OrderedWriter;
use crate::print::rendered::Rendered;
use crate::print::style::Style;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;
use urlsift_records::Detail;

/// The position of a task's results in the output: the batch of files, the part of the batch, and
/// the unit of the part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    batch: u64,
    part: u32,
    unit: u32,
}

impl Key {
    /// Returns the first key of the next batch.
    fn next_batch(self) -> Self {
        Self { batch: self.batch + 1, part: 0, unit: 0 }
    }

    /// Returns the first key of the part that comes `parts` later in this batch.
    fn part_after(self, parts: u32) -> Self {
        Self { part: self.part + parts, unit: 0, ..self }
    }

    /// Returns the key of the next unit of this part.
    fn next_unit(self) -> Self {
        Self { unit: self.unit + 1, ..self }
    }
}

/// A piece of work for one worker.
enum Task {
    /// Whole files, scanned in order.
    Files(std::vec::IntoIter<WalkItem>),
    /// The rest of a file or stream that is scanned unit by unit.
    Large(Box<LargeInput>),
}

/// The methods that a worker must have. Each thread has its own worker.
pub(crate) trait Work {
    /// Scans files in order, up to the first file that must be split into units. Returns that file
    /// and the files after it.
    fn scan_files(
        &mut self,
        files: std::vec::IntoIter<WalkItem>,
        out: &mut TaskOutput<'_>,
    ) -> Option<(LargeInput, std::vec::IntoIter<WalkItem>)>;

    /// Takes the next unit from a large input, returns the rest to the queue so that any worker can
    /// continue, and scans the unit.
    fn scan_large(&mut self, large: LargeInput, out: &mut TaskOutput<'_>);
}

/// The queue of tasks and of finished outputs.
pub(crate) struct Queue {
    /// The files that were not listed yet. This lock is never taken while `state` is locked.
    list: Mutex<List>,
    state: Mutex<State>,
    /// Signals that `state` has changed.
    changed: Condvar,
    writer: Mutex<OrderedWriter>,
    /// The reason to stop early: 0 if there is none, the number of a signal, [`PIPE_CLOSED`],
    /// [`WRITE_FAILED`] or [`FOUND`].
    stop: Arc<AtomicUsize>,
    /// The minimum number of free tasks to keep as long as there are files.
    stock: usize,
    /// The number of bytes that may wait to be printed. If there are more, workers wait.
    ahead: usize,
    /// The number of bytes that a worker may render before it waits for its turn.
    wait_at: usize,
    /// The number of bytes that a worker renders before it prints them, if it is its turn.
    print_at: usize,
    /// True if workers compress rows before their turn.
    #[cfg(feature = "parquet")]
    is_packed: bool,
}

/// The stop reason if the reader of the output has closed the pipe.
pub(crate) const PIPE_CLOSED: usize = 1000;
/// The stop reason if the output can't be written.
pub(crate) const WRITE_FAILED: usize = 1001;
/// The stop reason if a URL was found and `--quiet` needs no more.
pub(crate) const FOUND: usize = 1002;

/// The size in bytes from which a worker prints its output, if it is its turn.
const PRINT_AT: usize = 64 << 10;
/// [`PRINT_AT`] for Parquet rows, which are compressed faster in large batches.
const BATCH_AT: usize = 1 << 20;
/// The size in bytes from which a worker compresses its rows before its turn. They become a
/// separate row group, and a small row group costs more to write and to read than its rows.
#[cfg(feature = "parquet")]
const PACK_AT: usize = 2 << 20;
/// The size in bytes from which a worker waits for its turn. It is half of the output of a unit
/// with the most URLs. Two workers then alternate, half a unit apart, and neither waits.
const WAIT_AT: usize = 9 << 18;
/// [`WAIT_AT`] for full records.
const RECORDS_WAIT_AT: usize = 8 << 20;
/// [`WAIT_AT`] for Parquet rows and the data of their report, with two workers. Waiting within a
/// unit would take a third of the time. With more workers, each gets less, so that the total stays
/// the same, but at least [`RECORDS_WAIT_AT`].
const ROWS_WAIT_AT: usize = 24 << 20;
/// The number of bytes of Parquet rows that may wait to be printed.
const ROWS_AHEAD: usize = 16 << 20;
/// The interval at which waiting workers check for a signal, because a signal doesn't wake them.
const NAP: Duration = Duration::from_millis(100);
/// The minimum number of files in a batch. It is so large that workers rarely lock the queue, and
/// so small that all threads end at about the same time.
const BATCH: usize = 32;
/// The maximum number of files in a batch. It is reached after many files were listed.
const LARGE_BATCH: usize = 256;
/// The maximum size of a batch is 1/`PART` of the files listed so far.
const PART: usize = 128;

/// The source of files, which are listed in batches.
struct List {
    files: Box<dyn Iterator<Item = WalkItem> + Send>,
    /// The number of files listed so far.
    listed: usize,
}

impl List {
    /// Returns the next batch. It is empty if there are no more files.
    fn next(&mut self) -> Vec<WalkItem> {
        let batch = (self.listed / PART).clamp(BATCH, LARGE_BATCH);
        let files: Vec<WalkItem> = self.files.by_ref().take(batch).collect();
        self.listed += files.len();
        files
    }
}

/// The tasks and outputs of the queue.
struct State {
    /// True if all files were listed.
    exhausted: bool,
    /// The key of the next batch.
    next: Key,
    free: BTreeMap<Key, Task>,
    /// The finished outputs that wait for their turn, each with the key that follows it.
    waiting: BTreeMap<Key, (Rendered, Key)>,
    /// The total size of the outputs in `waiting`.
    waiting_bytes: usize,
    /// The key of the output to print next.
    turn: Key,
    /// The number of workers that are working on a task.
    busy: usize,
    /// Empty outputs, whose memory is reused.
    spare: Vec<Rendered>,
}

/// The output of a worker for one task.
pub(crate) struct TaskOutput<'s> {
    queue: &'s Queue,
    /// The key of the task.
    key: Key,
    /// The key of the output that follows.
    next: Key,
    /// The results that were rendered but not printed yet.
    pub(crate) rendered: Rendered,
    /// The state of the current file, for its next unit.
    pub(crate) of_file: SoFar,
    /// The number of compressed bytes read of the current file, if it is compressed.
    pub(crate) packed: Option<Arc<PackedRead>>,
}

impl Queue {
    pub(crate) fn new(
        files: Box<dyn Iterator<Item = WalkItem> + Send>,
        writer: OrderedWriter,
        stop: Arc<AtomicUsize>,
        workers: usize,
        style: &Style,
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
            ahead: match style.format {
                Format::Parquet => ROWS_AHEAD,
                _ => workers << 20,
            },
            wait_at: match style.format {
                // The counts already use the available memory.
                Format::Report => WAIT_AT,
                Format::Parquet => (2 * ROWS_WAIT_AT / workers.max(2)).max(RECORDS_WAIT_AT),
                _ if style.detail() == Detail::Full => RECORDS_WAIT_AT,
                _ => WAIT_AT,
            },
            print_at: match style.format {
                _ if style.line_buffered => 1,
                Format::Parquet => BATCH_AT,
                _ => PRINT_AT,
            },
            #[cfg(feature = "parquet")]
            is_packed: style.format == Format::Parquet && !style.notes_records(),
        }
    }

    /// Makes the queue keep at least `tasks` free tasks as long as there are files. Use this for
    /// lists whose next item is available at once.
    pub(crate) fn with_stock(self, tasks: usize) -> Self {
        Self { stock: tasks, ..self }
    }

    /// Runs tasks until there are no more. Each thread calls this once.
    pub(crate) fn work(&self, worker: &mut impl Work) {
        while let Some((key, task)) = self.take() {
            let rendered = self.state().spare.pop().unwrap_or_default();
            let (next, of_file) = (key.part_after(1), SoFar::default());
            let mut out = TaskOutput { queue: self, key, next, rendered, of_file, packed: None };
            match task {
                Task::Large(large) => worker.scan_large(*large, &mut out),
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
            #[cfg(feature = "parquet")]
            if let Err(error) = out.rendered.end_packing() {
                self.fail(&error);
            }
            self.hand_in(out);
        }
    }

    /// Prints the remaining outputs and returns the writer. Call this after all workers have ended.
    pub(crate) fn into_writer(self) -> OrderedWriter {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut writer = self.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        // After an early stop, there can be outputs that follow a task that was never started.
        if self.stop.load(Ordering::Relaxed) < PIPE_CLOSED {
            for (mut rendered, _) in state.waiting.into_values() {
                if writer.print(&mut rendered).is_err() {
                    break;
                }
            }
        }
        writer
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the state changes, but at most [`NAP`].
    fn nap<'q>(&self, state: MutexGuard<'q, State>) -> MutexGuard<'q, State> {
        self.changed.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0
    }

    fn writer(&self) -> MutexGuard<'_, OrderedWriter> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    /// Waits for the free task with the smallest key and removes it. Returns `None` if there is no
    /// more work.
    fn take(&self) -> Option<(Key, Task)> {
        let mut state = self.state();
        loop {
            if self.stopped() {
                return None;
            }
            let least = state.free.first_key_value().map(|(&key, _)| key);
            match least {
                Some(key) if state.waiting_bytes <= self.ahead || key == state.turn => {
                    let task = state.free.remove(&key)?;
                    state.busy += 1;
                    let is_short = self.is_short(&state);
                    drop(state);
                    if is_short {
                        self.list_ahead();
                    }
                    return Some((key, task));
                }
                None if !state.exhausted => {
                    drop(state);
                    self.list_some();
                    state = self.state();
                    continue;
                }
                None if state.busy == 0 => {
                    self.changed.notify_all();
                    return None;
                }
                _ => {}
            }
            state = self.nap(state);
        }
    }

    /// Lists files for an idle worker. If another worker is listing, waits for it, and lists only
    /// if there is still no free task.
    fn list_some(&self) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state().free.is_empty() {
            self.add(list.next());
        }
    }

    /// Lists files in advance, unless another worker is listing files.
    fn list_ahead(&self) {
        let mut list = match self.list.try_lock() {
            Ok(list) => list,
            Err(TryLockError::Poisoned(list)) => list.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        while !self.stopped() && self.add(list.next()) {}
    }

    /// True if there are too few free tasks and there may be more files.
    fn is_short(&self, state: &State) -> bool {
        state.free.len() < self.stock && !state.exhausted
    }

    /// Adds a task for a batch. An empty batch means that there are no more files. Returns true if
    /// more files should be listed.
    fn add(&self, files: Vec<WalkItem>) -> bool {
        let mut state = self.state();
        if files.is_empty() {
            state.exhausted = true;
        } else {
            let key = state.next;
            state.next = key.next_batch();
            state.free.insert(key, Task::Files(files.into_iter()));
        }
        let is_short = self.is_short(&state);
        drop(state);
        self.changed.notify_all();
        is_short
    }

    /// Submits the output of a task: prints it if it is next, and also the waiting outputs that
    /// follow it.
    fn hand_in(&self, out: TaskOutput<'_>) {
        let TaskOutput { key, mut next, mut rendered, .. } = out;
        let mut state = self.state();
        state.busy -= 1;
        if state.turn != key {
            state.waiting_bytes += rendered.weight();
            state.waiting.insert(key, (rendered, next));
            drop(state);
            self.changed.notify_all();
            return;
        }
        loop {
            drop(state);
            self.print(&mut rendered);
            state = self.state();
            // Reuse outputs that are not larger than waiting ones, because freeing and allocating
            // them again would fragment the heap. Larger ones are freed.
            if rendered.bytes.capacity() <= 2 * self.wait_at {
                state.spare.push(rendered);
            }
            state.turn = next;
            match state.waiting.remove(&next) {
                None => break,
                Some((waiting, after)) => {
                    state.waiting_bytes -= waiting.weight();
                    (rendered, next) = (waiting, after);
                }
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    fn print(&self, rendered: &mut Rendered) {
        if let Err(error) = self.writer().print(rendered) {
            self.fail(&error);
        }
    }

    /// Ends the run because of an error while writing the output.
    fn fail(&self, error: &io::Error) {
        let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
        self.end(if is_closed { PIPE_CLOSED } else { WRITE_FAILED });
    }

    /// Ends the run for this reason, unless it has already ended for another.
    fn end(&self, why: usize) {
        let _ = self.stop.compare_exchange(0, why, Ordering::Relaxed, Ordering::Relaxed);
    }
}

impl TaskOutput<'_> {
    /// Prints the results so far, if they are large enough and it is this task's turn. Must be
    /// called often.
    #[inline]
    pub(crate) fn print_some(&mut self) {
        if self.rendered.size() >= self.queue.print_at {
            self.print_now();
        }
    }

    #[cold]
    fn print_now(&mut self) {
        #[cfg(feature = "parquet")]
        if self.queue.is_packed && (self.rendered.packer.is_some() || !self.is_next()) {
            if (self.rendered.packer.is_some() || self.rendered.size_of_rows() >= PACK_AT)
                && let Err(error) = self.rendered.pack()
            {
                self.queue.fail(&error);
            }
            if self.rendered.weight() < self.queue.wait_at {
                return;
            }
        }
        if self.is_next() || self.rendered.weight() >= self.queue.wait_at && self.wait() {
            self.queue.print(&mut self.rendered);
        }
    }

    /// Returns the rest of a large input to the queue, so that any worker can continue.
    pub(crate) fn leave(&mut self, rest: LargeInput) {
        self.next = self.key.next_unit();
        self.queue.state().free.insert(self.next, Task::Large(Box::new(rest)));
        self.queue.changed.notify_all();
    }

    /// Ends the run because a URL was found and no more are needed.
    pub(crate) fn found(&self) {
        self.queue.end(FOUND);
    }

    /// True if the run must stop.
    pub(crate) fn stopped(&self) -> bool {
        self.queue.stopped()
    }

    /// Waits until it is this task's turn. Earlier tasks never wait for later ones. Returns false
    /// if the run ends before.
    fn wait(&self) -> bool {
        let mut state = self.queue.state();
        while state.turn != self.key && !self.queue.stopped() {
            state = self.queue.nap(state);
        }
        state.turn == self.key
    }

    /// True if it is this task's turn to print.
    fn is_next(&self) -> bool {
        self.queue.state().turn == self.key
    }
}
