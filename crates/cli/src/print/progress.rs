//! The progress line of a long run.
//!
//! It is shown on standard error, after a second, if standard error is a terminal and standard
//! output is not. If both are terminals, the URLs themselves show the progress. The line costs the
//! scan almost nothing: the ordered writer updates the counts anyway, and a separate thread reads
//! them.

use crate::args::PathArgs;
use crate::io::inputs::Inputs;
use crate::io::walk::{Walk, WalkItem};
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use urlsift_records::Tally;

/// The duration of a run after which its progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// The interval at which the progress line is updated.
const BEAT: Duration = Duration::from_millis(100);

/// The counts so far that the progress line shows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) tally: Tally,
    /// The number of bytes of the files as stored. This is less than the number in the tally if
    /// files are compressed.
    pub(crate) read: u64,
}

/// The progress line on the terminal, updated by its own thread. Dropping it ends the thread and
/// clears the line.
pub(crate) struct Progress {
    line: Line,
    /// The thread that shows progress, which ends when the sender is dropped. `None` if no progress
    /// is shown.
    clock: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts to show progress if `is_wanted` is true and standard error is a terminal. `paths` is
    /// the input, whose total size is computed for the estimate.
    pub(crate) fn start(
        counts: Arc<Mutex<Counts>>,
        paths: (&PathArgs, &Inputs),
        is_wanted: bool,
    ) -> Self {
        let line = Line::default();
        let can_show =
            io::stderr().is_terminal() && !io::stdout().is_terminal() && !is_dumb_terminal();
        if !is_wanted || !can_show {
            return Self { line, clock: None };
        }
        let (done, wait) = mpsc::channel();
        let (shown, begin) = (line.clone(), Instant::now());
        let (paths, inputs) = (paths.0.clone(), paths.1.clone());
        let thread = std::thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let (mut total, mut known) = (Total::new(&paths, &inputs), None);
            while wait.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                known = known.or_else(|| total.add_some_files());
                let counts = *counts.lock().unwrap_or_else(PoisonError::into_inner);
                let text = progress_text(counts, known, begin.elapsed());
                shown.show(&text);
            }
        });
        Self { line, clock: Some((done, thread)) }
    }

    /// Returns a writer to standard error for messages. It clears the progress line before each
    /// message.
    pub(crate) fn stderr_writer(&self) -> impl Write + Send + use<> {
        self.line.clone()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.clock.take() {
            drop(done);
            let _ = thread.join();
        }
        self.line.clear();
    }
}

/// True if the terminal can't move its cursor to the start of a line, so that no progress can be
/// shown.
fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb")
}

/// The line on the terminal. The value is true while a text is shown.
#[derive(Clone, Default)]
struct Line(Arc<Mutex<bool>>);

impl Line {
    /// Shows `text` as the progress line, in place of the previous text.
    fn show(&self, text: &str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        // Returns to the start of the line, writes without wrapping, and clears the rest of the
        // line.
        let _ = write!(io::stderr(), "\r\x1b[?7l{text}\x1b[?7h\x1b[K");
    }

    /// Clears the progress line if a text is shown.
    fn clear(&self) {
        if std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

/// Writes to standard error after clearing the progress line.
impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.clear();
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Returns the text of the progress line. `time` is the time since the start. `total` is the number
/// of bytes to read, or `None` while it is unknown.
fn progress_text(counts: Counts, total: Option<u64>, time: Duration) -> String {
    let Counts { tally: Tally { files, messages, urls, .. }, read: bytes } = counts;
    let messages = if messages > 0 { format!(", {messages} messages") } else { String::new() };
    let found = format!("{files} files{messages}, {urls} URLs");
    let millis = time.as_millis().max(1);
    let rate = u64::try_from(u128::from(bytes) * 1000 / millis).unwrap_or(u64::MAX);
    let (done, rate) = (ByteCount(bytes), ByteCount(rate));
    let Some(total) = total.filter(|&total| bytes > 0 && bytes <= total) else {
        return format!("{done} at {rate}/s, {found}");
    };
    let left = millis * u128::from(total - bytes) / u128::from(bytes) / 1000;
    let (minutes, seconds) = (left / 60, left % 60);
    let total = ByteCount(total);
    format!("{done} of {total} at {rate}/s, {found}, {minutes}:{seconds:02} left")
}

/// A number of bytes that is displayed with a unit, e.g. `1.2 MB`.
pub(super) struct ByteCount(pub(super) u64);

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB")];
        let unit = units.into_iter().find(|&(unit, _)| self.0 >= unit);
        let (unit, name) = unit.unwrap_or((1000, "kB"));
        write!(f, "{}.{} {name}", self.0 / unit, self.0 % unit * 10 / unit)
    }
}

/// A computation of the total size of the input, which proceeds in small steps during the scan.
struct Total {
    /// The walk over the input files. `None` when the total is complete, or can't be determined.
    walk: Option<Walk>,
    /// The total of the files so far, in bytes.
    bytes: u64,
}

impl Total {
    fn new(paths: &PathArgs, inputs: &Inputs) -> Self {
        Self { walk: Walk::new(paths, inputs).ok(), bytes: 0 }
    }

    /// Adds the sizes of the next few files. Returns the total size in bytes if all files have been
    /// added, otherwise `None`.
    fn add_some_files(&mut self) -> Option<u64> {
        for _ in 0..5000 {
            match self.walk.as_mut()?.next() {
                Some(WalkItem::File { path, .. }) => {
                    self.bytes += fs::metadata(path).map_or(0, |meta| meta.len());
                }
                Some(WalkItem::Error(..) | WalkItem::PublicInbox(_) | WalkItem::Unit(_)) => {}
                // The length of standard input is unknown.
                Some(WalkItem::Stdin) => self.walk = None,
                None => {
                    self.walk = None;
                    return Some(self.bytes);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_shows_counts_rate_and_time_left() {
        let mut counts = Counts::default();
        let second = Duration::from_secs(1);
        assert_eq!(progress_text(counts, Some(9), second), "0.0 kB at 0.0 kB/s, 0 files, 0 URLs");
        // Compressed files count with their stored size.
        (counts.read, counts.tally.bytes, counts.tally.files) = (1_250_000, 9_000_000, 2);
        let without = "1.2 MB at 625.0 kB/s, 2 files, 0 URLs";
        assert_eq!(progress_text(counts, None, 2 * second), without);
        // More bytes were read than the total.
        assert_eq!(progress_text(counts, Some(1_000_000), 2 * second), without);
        counts.tally.messages = 7;
        let with = "1.2 MB of 50.0 MB at 625.0 kB/s, 2 files, 7 messages, 0 URLs, 1:18 left";
        assert_eq!(progress_text(counts, Some(50_000_000), 2 * second), with);
    }
}
