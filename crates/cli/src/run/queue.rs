//! The work, shared between threads, and its results put back into order.
//!
//! The input is cut into *tasks*, each with a [`Key`] that says where its results belong. Workers
//! take the least key that is free, render what they find into a sheet of their own, and hand it
//! in. The sheets are printed in the order of keys: the worker whose key is next prints straight
//! through, the others' sheets wait. A worker that is far ahead of the printing waits too, so
//! memory is bounded; the holder of the next key never waits, so there is always progress.
//!
//! The lock of the queue is taken a few times a task, never per URL; a task is a batch of small files or a
//! unit of a big one. Files are listed under another lock, ahead of need: nobody who has a sheet to hand in
//! or a task to take waits for a directory.

use crate::io::walk::Found;
use crate::output::{Sheet, Style};
use crate::print::ordered_writer::Press;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

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
pub(crate) enum Task<B> {
    /// Whole files, one after the other.
    Files(std::vec::IntoIter<Found>),
    /// A file or stream so big that it is cut into units: the rest of it.
    Big(B),
}

/// What becomes of a task when a worker has done its part of it.
pub(crate) enum After<B> {
    /// It is done.
    Done,
    /// A big file turned up in a batch: it comes next, and then the files that are left.
    Big(B, std::vec::IntoIter<Found>),
}

/// One that does the work; each thread has its own.
pub(crate) trait Worker<B> {
    /// Scans whole files.
    fn files(&mut self, files: std::vec::IntoIter<Found>, turn: &mut Turn<'_, B>) -> After<B>;

    /// Cuts the next unit off a big file, hands back the rest if there is one, then scans the unit.
    fn unit(&mut self, big: B, turn: &mut Turn<'_, B>);
}

/// The place where the work is shared out and handed in.
pub(crate) struct Shop<B> {
    /// Never locked by one who holds the queue.
    list: Mutex<List>,
    queue: Mutex<Queue<B>>,
    changed: Condvar,
    press: Mutex<Press>,
    /// Why to stop early: 0 not at all, a signal's number, or [`PIPE_CLOSED`], or [`WRITE_FAILED`].
    stop: Arc<AtomicUsize>,
    /// How many tasks are to be free at the least, as long as there are files.
    stock: usize,
    /// How many bytes may wait to be printed.
    ahead: usize,
    /// How many bytes a worker may have rendered before it waits for its turn.
    wait_at: usize,
}

/// Nobody reads the output any more.
pub(crate) const PIPE_CLOSED: usize = 1000;
/// The output cannot be written.
pub(crate) const WRITE_FAILED: usize = 1001;

/// A sheet that is printed as soon as it is its turn holds no more than this.
const PRINT_AT: usize = 64 << 10;
/// A sheet whose turn has not come waits for it when it holds so much: half of what the thickest unit
/// gives. Two workers fall into step then, each half a unit behind the other, and neither waits.
const WAIT_AT: usize = 9 << 18;
/// The same for records.
const RECORDS_WAIT_AT: usize = 8 << 20;
/// A signal does not wake those who wait, so they look up now and then.
const NAP: Duration = Duration::from_millis(100);
/// Files in a batch: enough that the lock is cold, few enough that the threads end together.
const BATCH: usize = 32;
/// The same where so many were listed that the end is far.
const LARGE_BATCH: usize = 256;
/// A batch is no larger a part of all that was listed than this.
const PART: usize = 128;

/// Where the files come from.
struct List {
    files: Box<dyn Iterator<Item = Found> + Send>,
    /// How many have come.
    listed: usize,
}

impl List {
    /// The next batch; an empty one when there is no more.
    fn next(&mut self) -> Vec<Found> {
        let batch = (self.listed / PART).clamp(BATCH, LARGE_BATCH);
        let files: Vec<Found> = self.files.by_ref().take(batch).collect();
        self.listed += files.len();
        files
    }
}

struct Queue<B> {
    /// Whether all files are listed.
    exhausted: bool,
    /// The key of the next batch.
    next: Key,
    free: BTreeMap<Key, Task<B>>,
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
pub(crate) struct Turn<'s, B> {
    shop: &'s Shop<B>,
    key: Key,
    next: Key,
    /// What was rendered and not yet printed.
    pub(crate) sheet: Sheet,
}

impl<B: Send> Shop<B> {
    pub(crate) fn new(
        files: Box<dyn Iterator<Item = Found> + Send>,
        press: Press,
        stop: Arc<AtomicUsize>,
        workers: usize,
        style: &Style,
    ) -> Self {
        Self {
            list: Mutex::new(List { files, listed: 0 }),
            queue: Mutex::new(Queue {
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
            press: Mutex::new(press),
            stop,
            stock: 0,
            ahead: workers << 20,
            wait_at: if style.wants_reports() { RECORDS_WAIT_AT } else { WAIT_AT },
        }
    }

    /// The same with so many tasks free at the least, as long as there are files: for a list of which the next
    /// is there as soon as somebody asks.
    pub(crate) fn with_stock(self, tasks: usize) -> Self {
        Self { stock: tasks, ..self }
    }

    /// Works until there is nothing left to do. Called once by each thread.
    pub(crate) fn work(&self, worker: &mut impl Worker<B>) {
        while let Some((key, task)) = self.take() {
            let sheet = self.queue().spare.pop().unwrap_or_default();
            let mut turn = Turn { shop: self, key, next: key, sheet };
            match task {
                Task::Files(files) => match worker.files(files, &mut turn) {
                    After::Done => turn.next = key.next_batch(),
                    After::Big(big, rest) => {
                        turn.next = key.part_after(1);
                        let mut queue = self.queue();
                        queue.free.insert(key.part_after(1), Task::Big(big));
                        queue.free.insert(key.part_after(2), Task::Files(rest));
                        drop(queue);
                        self.changed.notify_all();
                    }
                },
                Task::Big(big) => {
                    turn.next = key.part_after(1);
                    worker.unit(big, &mut turn);
                }
            }
            self.hand_in(turn);
        }
    }

    /// What is left when all workers have come home.
    pub(crate) fn into_press(self) -> Press {
        let queue = self.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut press = self.press.into_inner().unwrap_or_else(PoisonError::into_inner);
        // After an early stop there may be sheets beyond a task that nobody took.
        if self.stop.load(Ordering::Relaxed) < PIPE_CLOSED {
            for (mut sheet, _) in queue.waiting.into_values() {
                if press.print(&mut sheet).is_err() {
                    break;
                }
            }
        }
        press
    }

    fn queue(&self) -> MutexGuard<'_, Queue<B>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn press(&self) -> MutexGuard<'_, Press> {
        self.press.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    /// The free task with the least key, as soon as it may be taken.
    fn take(&self) -> Option<(Key, Task<B>)> {
        let mut queue = self.queue();
        loop {
            if self.stopped() {
                return None;
            }
            let least = queue.free.first_key_value().map(|(&key, _)| key);
            match least {
                Some(key) if queue.waiting_bytes <= self.ahead || key == queue.turn => {
                    let task = queue.free.remove(&key)?;
                    queue.busy += 1;
                    let is_short = self.is_short(&queue);
                    drop(queue);
                    if is_short {
                        self.list_ahead();
                    }
                    return Some((key, task));
                }
                None if !queue.exhausted => {
                    drop(queue);
                    self.list_some();
                    queue = self.queue();
                    continue;
                }
                None if queue.busy == 0 => {
                    self.changed.notify_all();
                    return None;
                }
                _ => {}
            }
            queue = match self.changed.wait_timeout(queue, NAP) {
                Ok((queue, _)) => queue,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// Lists files for one who has nothing to do. Waits for whoever lists already, and then lists only if
    /// that left nothing.
    fn list_some(&self) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if self.queue().free.is_empty() {
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
    fn is_short(&self, queue: &Queue<B>) -> bool {
        queue.free.len() < self.stock && !queue.exhausted
    }

    /// Makes a batch a task, or an empty one the end. Returns whether more should be listed.
    fn add(&self, files: Vec<Found>) -> bool {
        let mut queue = self.queue();
        if files.is_empty() {
            queue.exhausted = true;
        } else {
            let key = queue.next;
            queue.next = key.next_batch();
            queue.free.insert(key, Task::Files(files.into_iter()));
        }
        let is_short = self.is_short(&queue);
        drop(queue);
        self.changed.notify_all();
        is_short
    }

    fn hand_in(&self, turn: Turn<'_, B>) {
        let Turn { key, mut next, mut sheet, .. } = turn;
        let mut queue = self.queue();
        queue.busy -= 1;
        if queue.turn != key {
            queue.waiting_bytes += sheet.bytes.len();
            queue.waiting.insert(key, (sheet, next));
            drop(queue);
            self.changed.notify_all();
            return;
        }
        loop {
            drop(queue);
            self.print(&mut sheet);
            queue = self.queue();
            // A sheet that grew as large as those that wait do is filled again: what is given back to
            // the allocator and asked for anew in pieces leaves holes. One that grew larger is not kept.
            if sheet.bytes.capacity() <= 2 * self.wait_at {
                queue.spare.push(sheet);
            }
            queue.turn = next;
            match queue.waiting.remove(&next) {
                None => break,
                Some((waiting, after)) => {
                    queue.waiting_bytes -= waiting.bytes.len();
                    (sheet, next) = (waiting, after);
                }
            }
        }
        drop(queue);
        self.changed.notify_all();
    }

    fn print(&self, sheet: &mut Sheet) {
        if let Err(error) = self.press().print(sheet) {
            let why =
                if error.kind() == io::ErrorKind::BrokenPipe { PIPE_CLOSED } else { WRITE_FAILED };
            // The first reason stands.
            let _ = self.stop.compare_exchange(0, why, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

impl<B: Send> Turn<'_, B> {
    /// Prints what there is if it has become much and it is this task's turn.
    #[inline]
    pub(crate) fn print_some(&mut self) {
        if self.sheet.bytes.len() >= PRINT_AT {
            self.print_now();
        }
    }

    #[cold]
    fn print_now(&mut self) {
        if self.is_next() || self.sheet.bytes.len() >= self.shop.wait_at && self.wait() {
            self.shop.print(&mut self.sheet);
        }
    }

    /// Hands the rest of a big file back, for whoever comes first.
    pub(crate) fn leave(&mut self, rest: B) {
        self.next = self.key.next_unit();
        self.shop.queue().free.insert(self.next, Task::Big(rest));
        self.shop.changed.notify_all();
    }

    /// The line breaks before this unit and the start of its first line, if they are known by now.
    pub(crate) fn place(&mut self) -> Option<(u64, u64)> {
        if !self.is_next() {
            return None;
        }
        self.shop.print(&mut self.sheet);
        Some(self.shop.press().place())
    }

    /// Whether to stop early.
    pub(crate) fn stopped(&self) -> bool {
        self.shop.stopped()
    }

    /// Waits until it is this task's turn. Those before it are at work and wait for nobody later.
    /// Returns whether it came, and not the end of the run.
    fn wait(&self) -> bool {
        let mut queue = self.shop.queue();
        while queue.turn != self.key && !self.shop.stopped() {
            queue = match self.shop.changed.wait_timeout(queue, NAP) {
                Ok((queue, _)) => queue,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        queue.turn == self.key
    }

    fn is_next(&self) -> bool {
        self.shop.queue().turn == self.key
    }
}
