//! The work, shared between threads, and its results put back into order.
//!
//! The input is cut into *tasks*, each with a [`Key`] that says where its results belong. Workers
//! take the least key that is free, render what they find into a sheet of their own, and hand it
//! in. The sheets are printed in the order of keys: the worker whose key is next prints straight
//! through, the others' sheets wait. A worker that is far ahead of the printing waits too, so
//! memory is bounded; the holder of the next key never waits, so there is always progress.
//!
//! The lock of the queue is taken a few times a task, never per URL; a task is a batch of small files or a
//! unit of a large one. Files are listed under another lock, ahead of need: nobody who has a sheet to hand in
//! or a task to take waits for a directory.

use super::large_input::LargeInput;
use super::packed_read::PackedRead;
use super::so_far::SoFar;
use crate::args::Format;
use crate::io::walk::WalkItem;
use crate::print::ordered_writer::OrderedWriter;
use crate::print::sheet::Sheet;
use crate::print::style::Style;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;
use urlsift_records::Detail;

/// Where the results of a task belong: by batch of files, part of the batch, unit of the part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    batch: u64,
    part: u32,
    unit: u32,
}

impl Key {
    /// The key after the last part of this batch.
    fn next_batch(self) -> Self {
        Self { batch: self.batch + 1, part: 0, unit: 0 }
    }

    /// The first key of a later part of this batch.
    fn part_after(self, parts: u32) -> Self {
        Self { part: self.part + parts, unit: 0, ..self }
    }

    fn next_unit(self) -> Self {
        Self { unit: self.unit + 1, ..self }
    }
}

/// A share of the work.
enum Task {
    /// Whole files, one after the other.
    Files(std::vec::IntoIter<WalkItem>),
    /// What is left of a file or stream that is cut into units.
    Large(Box<LargeInput>),
}

/// One that does the work; each thread has its own.
pub(crate) trait Work {
    /// Scans files one after the other, up to one that is to be cut into units: that is handed back, with the
    /// files behind it.
    fn scan_files(
        &mut self,
        files: std::vec::IntoIter<WalkItem>,
        out: &mut TaskOutput<'_>,
    ) -> Option<(LargeInput, std::vec::IntoIter<WalkItem>)>;

    /// Takes the next unit off a large input, leaves the rest to whoever comes first, and scans the unit.
    fn scan_large(&mut self, large: LargeInput, out: &mut TaskOutput<'_>);
}

/// The place where the work is shared out and handed in.
pub(crate) struct Queue {
    /// Never locked by one who holds the queue.
    list: Mutex<List>,
    state: Mutex<State>,
    changed: Condvar,
    writer: Mutex<OrderedWriter>,
    /// Why to stop early: 0 not at all, a signal's number, or [`PIPE_CLOSED`], [`WRITE_FAILED`] or [`FOUND`].
    stop: Arc<AtomicUsize>,
    /// How many tasks are to be free at the least, as long as there are files.
    stock: usize,
    /// How many bytes may wait to be printed.
    ahead: usize,
    /// How many bytes a worker may have rendered before it waits for its turn.
    wait_at: usize,
    /// How many bytes a worker whose turn it is renders before it prints them.
    print_at: usize,
    /// Whether a worker whose turn has not come packs what it has rendered.
    #[cfg(feature = "parquet")]
    is_packed: bool,
}

/// Nobody reads the output any more.
pub(crate) const PIPE_CLOSED: usize = 1000;
/// The output cannot be written.
pub(crate) const WRITE_FAILED: usize = 1001;
/// A URL was found, and nothing else was asked.
pub(crate) const FOUND: usize = 1002;

/// A sheet that is printed as soon as it is its turn holds no more than this.
const PRINT_AT: usize = 64 << 10;
/// The same of rows for Parquet, of which many are packed in less time.
const BATCH_AT: usize = 1 << 20;
/// How much the rows of a sheet take before it begins to pack them ahead of its turn: what is packed so is a group of rows of its
/// own, and a small one costs more to make and to read than its rows.
#[cfg(feature = "parquet")]
const PACK_AT: usize = 2 << 20;
/// A sheet whose turn has not come waits for it when it holds so much: half of what the thickest unit
/// gives. Two workers fall into step then, each half a unit behind the other, and neither waits.
const WAIT_AT: usize = 9 << 18;
/// How much a sheet of records holds when it waits for its turn.
const RECORDS_WAIT_AT: usize = 8 << 20;
/// The same of rows for Parquet and of what is counted of them, for two workers: to wait for one's turn within a unit costs a
/// third of the time. More workers hold less each, so that all of them stay within the same memory, down to that of records.
const ROWS_WAIT_AT: usize = 24 << 20;
/// How much of that may wait to be printed.
const ROWS_AHEAD: usize = 16 << 20;
/// A signal does not wake those who wait, so they look up now and then.
const NAP: Duration = Duration::from_millis(100);
/// Files in a batch: enough that the lock is cold, few enough that the threads end together.
const BATCH: usize = 32;
/// Files in a batch where so many were listed that the end is far.
const LARGE_BATCH: usize = 256;
/// A batch is no larger a part of all that was listed than this.
const PART: usize = 128;

/// Where the files come from.
struct List {
    files: Box<dyn Iterator<Item = WalkItem> + Send>,
    /// How many have come.
    listed: usize,
}

impl List {
    /// The next batch; an empty one when there is no more.
    fn next(&mut self) -> Vec<WalkItem> {
        let batch = (self.listed / PART).clamp(BATCH, LARGE_BATCH);
        let files: Vec<WalkItem> = self.files.by_ref().take(batch).collect();
        self.listed += files.len();
        files
    }
}

struct State {
    /// Whether all files are listed.
    exhausted: bool,
    /// The key of the next batch.
    next: Key,
    free: BTreeMap<Key, Task>,
    /// Sheets that wait for their turn, and the key after each.
    waiting: BTreeMap<Key, (Sheet, Key)>,
    waiting_bytes: usize,
    /// The key to be printed next.
    turn: Key,
    /// Workers that are at a task.
    busy: usize,
    /// Empty sheets, to be used again.
    spare: Vec<Sheet>,
}

/// One worker's time with one task.
pub(crate) struct TaskOutput<'s> {
    queue: &'s Queue,
    key: Key,
    next: Key,
    /// What was rendered and not yet printed.
    pub(crate) sheet: Sheet,
    /// What must be known of the file at hand before its next unit.
    pub(crate) of_file: SoFar,
    /// How far the file at hand was read, if it is packed.
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
                // What is counted already takes the memory that there is to take.
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

    /// Keeps at least so many tasks free as long as there are files: for a list of which the next is there as
    /// soon as somebody asks.
    pub(crate) fn with_stock(self, tasks: usize) -> Self {
        Self { stock: tasks, ..self }
    }

    /// Works until there is nothing left to do. Called once by each thread.
    pub(crate) fn work(&self, worker: &mut impl Work) {
        while let Some((key, task)) = self.take() {
            let sheet = self.state().spare.pop().unwrap_or_default();
            let (next, of_file) = (key.part_after(1), SoFar::default());
            let mut out = TaskOutput { queue: self, key, next, sheet, of_file, packed: None };
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
            if let Err(error) = out.sheet.end_packing() {
                self.fail(&error);
            }
            self.hand_in(out);
        }
    }

    /// What is left when all workers have come home.
    pub(crate) fn into_writer(self) -> OrderedWriter {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut writer = self.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        // After an early stop there may be sheets beyond a task that nobody took.
        if self.stop.load(Ordering::Relaxed) < PIPE_CLOSED {
            for (mut sheet, _) in state.waiting.into_values() {
                if writer.print(&mut sheet).is_err() {
                    break;
                }
            }
        }
        writer
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something changes, or a little.
    fn nap<'q>(&self, state: MutexGuard<'q, State>) -> MutexGuard<'q, State> {
        self.changed.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0
    }

    fn writer(&self) -> MutexGuard<'_, OrderedWriter> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    /// The free task with the least key, as soon as it may be taken.
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

    /// Lists files for one who has nothing to do. Waits for whoever lists already, and then lists only if
    /// that left nothing.
    fn list_some(&self) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state().free.is_empty() {
            self.add(list.next());
        }
    }

    /// Lists files so that nobody need wait for them later, if nobody does it already.
    fn list_ahead(&self) {
        let mut list = match self.list.try_lock() {
            Ok(list) => list,
            Err(TryLockError::Poisoned(list)) => list.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        while !self.stopped() && self.add(list.next()) {}
    }

    /// Whether fewer tasks are free than should be, and there may be more files.
    fn is_short(&self, state: &State) -> bool {
        state.free.len() < self.stock && !state.exhausted
    }

    /// Makes a batch a task, or an empty one the end. Returns whether more should be listed.
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

    fn hand_in(&self, out: TaskOutput<'_>) {
        let TaskOutput { key, mut next, mut sheet, .. } = out;
        let mut state = self.state();
        state.busy -= 1;
        if state.turn != key {
            state.waiting_bytes += sheet.weight();
            state.waiting.insert(key, (sheet, next));
            drop(state);
            self.changed.notify_all();
            return;
        }
        loop {
            drop(state);
            self.print(&mut sheet);
            state = self.state();
            // A sheet that grew as large as those that wait do is filled again: what is given back to
            // the allocator and asked for anew in pieces leaves holes. One that grew larger is not kept.
            if sheet.bytes.capacity() <= 2 * self.wait_at {
                state.spare.push(sheet);
            }
            state.turn = next;
            match state.waiting.remove(&next) {
                None => break,
                Some((waiting, after)) => {
                    state.waiting_bytes -= waiting.weight();
                    (sheet, next) = (waiting, after);
                }
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    fn print(&self, sheet: &mut Sheet) {
        if let Err(error) = self.writer().print(sheet) {
            self.fail(&error);
        }
    }

    /// Ends the run, because nothing can be written any more.
    fn fail(&self, error: &io::Error) {
        let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
        self.end(if is_closed { PIPE_CLOSED } else { WRITE_FAILED });
    }

    /// Ends the run for that reason, unless there was one before.
    fn end(&self, why: usize) {
        let _ = self.stop.compare_exchange(0, why, Ordering::Relaxed, Ordering::Relaxed);
    }
}

impl TaskOutput<'_> {
    /// Prints what there is if it has become much and it is this task's turn.
    #[inline]
    pub(crate) fn print_some(&mut self) {
        if self.sheet.size() >= self.queue.print_at {
            self.print_now();
        }
    }

    #[cold]
    fn print_now(&mut self) {
        #[cfg(feature = "parquet")]
        if self.queue.is_packed && (self.sheet.packer.is_some() || !self.is_next()) {
            if (self.sheet.packer.is_some() || self.sheet.size_of_rows() >= PACK_AT)
                && let Err(error) = self.sheet.pack()
            {
                self.queue.fail(&error);
            }
            if self.sheet.weight() < self.queue.wait_at {
                return;
            }
        }
        if self.is_next() || self.sheet.weight() >= self.queue.wait_at && self.wait() {
            self.queue.print(&mut self.sheet);
        }
    }

    /// Hands the rest of a large file back, for whoever comes first.
    pub(crate) fn leave(&mut self, rest: LargeInput) {
        self.next = self.key.next_unit();
        self.queue.state().free.insert(self.next, Task::Large(Box::new(rest)));
        self.queue.changed.notify_all();
    }

    /// Ends the run: a URL was found.
    pub(crate) fn found(&self) {
        self.queue.end(FOUND);
    }

    /// Whether to stop early.
    pub(crate) fn stopped(&self) -> bool {
        self.queue.stopped()
    }

    /// Waits until it is this task's turn. Those before it are at work and wait for nobody later.
    /// Returns whether it came, and not the end of the run.
    fn wait(&self) -> bool {
        let mut state = self.queue.state();
        while state.turn != self.key && !self.queue.stopped() {
            state = self.queue.nap(state);
        }
        state.turn == self.key
    }

    fn is_next(&self) -> bool {
        self.queue.state().turn == self.key
    }
}
