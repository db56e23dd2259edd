//! How far a long run has come, for people who wait for it.
//!
//! Shown on standard error if that is a terminal and standard output is not (there the URLs
//! themselves show it), and only after a second. Counting costs the work nothing: the press, which
//! adds up the summary anyway, leaves its counts where a thread of its own looks at them.

use crate::args::PathArgs;
use crate::output::record::Tally;
use crate::walk::{Found, Walk};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// Runs that are shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the numbers change.
const BEAT: Duration = Duration::from_millis(100);

/// What was printed so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    bytes: AtomicU64,
    files: AtomicU64,
    urls: AtomicU64,
}

impl Counts {
    pub(crate) fn set(&self, tally: &Tally) {
        self.bytes.store(tally.bytes, Ordering::Relaxed);
        self.files.store(tally.files, Ordering::Relaxed);
        self.urls.store(tally.urls, Ordering::Relaxed);
    }
}

/// The line on the terminal, gone when this is dropped.
pub(crate) struct Progress {
    /// `None` if there is nobody to show it to.
    bar: Option<ProgressBar>,
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts to wait, if there is anybody to show it to.
    pub(crate) fn start(counts: Arc<Counts>, paths: &PathArgs, wanted: bool) -> Self {
        if !wanted || !io::stderr().is_terminal() || io::stdout().is_terminal() {
            return Self { bar: None, done: None, thread: None };
        }
        let bar = ProgressBar::hidden();
        let (done, wait) = mpsc::channel();
        let (shown, paths) = (bar.clone(), paths.clone());
        let thread = std::thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            shown.set_draw_target(ProgressDrawTarget::stderr());
            shown.set_style(style("{spinner} {bytes} at {bytes_per_sec}, {msg}"));
            let mut total = Total::new(&paths);
            while wait.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                if let Some(bytes) = total.step() {
                    shown.set_length(bytes);
                    shown.set_style(style(
                        "{bar:20} {bytes} of {total_bytes} at {bytes_per_sec}, {msg}, {eta} left",
                    ));
                }
                let bytes = counts.bytes.load(Ordering::Relaxed);
                if shown.length().is_some_and(|length| bytes > length) {
                    // Compressed files hold more than their size says.
                    shown.unset_length();
                    shown.set_style(style("{spinner} {bytes} at {bytes_per_sec}, {msg}"));
                }
                shown.set_position(bytes);
                let (files, urls) = (&counts.files, &counts.urls);
                let (files, urls) = (files.load(Ordering::Relaxed), urls.load(Ordering::Relaxed));
                shown.set_message(format!("{files} files, {urls} URLs"));
            }
        });
        Self { bar: Some(bar), done: Some(done), thread: Some(thread) }
    }

    /// Standard error, so that what is written stands above the line.
    pub(crate) fn errors(&self) -> impl Write + Send + use<> {
        Above(self.bar.clone())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

struct Above(Option<ProgressBar>);

impl Write for Above {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.0 {
            Some(bar) => bar.suspend(|| io::stderr().write(bytes)),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// The size of all there is to read, added up a little at a time beside the work.
struct Total {
    walk: Option<Walk>,
    bytes: u64,
}

impl Total {
    fn new(paths: &PathArgs) -> Self {
        Self { walk: Walk::new(paths).ok(), bytes: 0 }
    }

    /// Looks at some more files. Returns the size when it is known.
    fn step(&mut self) -> Option<u64> {
        for _ in 0..5000 {
            match self.walk.as_mut()?.next() {
                Some(Found::File(path)) => {
                    self.bytes += fs::metadata(path).map_or(0, |meta| meta.len());
                }
                Some(Found::Error(..) | Found::Unit(_)) => {}
                // Nobody knows how long standard input is.
                Some(Found::Stdin) => self.walk = None,
                None => {
                    self.walk = None;
                    return Some(self.bytes);
                }
            }
        }
        None
    }
}
