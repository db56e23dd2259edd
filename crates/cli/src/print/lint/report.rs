//! What is printed of each file and at the end, and what each format does with it.

use urlsift_core::{Level, Span};
use urlsift_lint::{Diagnostic, Lines};

/// A file and what was found in it.
pub(crate) struct Report<'a> {
    /// The path as given.
    pub(crate) path: &'a [u8],
    pub(crate) text: &'a [u8],
    pub(crate) lines: &'a Lines<'a>,
    /// Where passwords stand, in order.
    pub(crate) secrets: &'a [Span],
    pub(crate) diagnostics: &'a [Diagnostic],
}

/// Numbers for the end of the output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    /// By level: info, warning, error.
    pub(crate) levels: [u64; 3],
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Files in which something was found.
    pub(crate) faulty: u64,
    pub(crate) fixable: u64,
    pub(crate) fixable_unsafely: u64,
    pub(crate) fixed: u64,
    pub(crate) errors: u64,
}

impl Totals {
    pub(crate) fn of(&self, level: Level) -> u64 {
        self.levels[level as usize]
    }

    pub(crate) fn diagnostics(&self) -> u64 {
        self.levels.iter().sum()
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (level, count) in self.levels.iter_mut().zip(other.levels) {
            *level += count;
        }
        self.files += other.files;
        self.bytes += other.bytes;
        self.faulty += other.faulty;
        self.fixable += other.fixable;
        self.fixable_unsafely += other.fixable_unsafely;
        self.fixed += other.fixed;
        self.errors += other.errors;
    }
}

/// A format.
pub(crate) trait Renderer: Sync {
    /// What comes first.
    fn begin(&self) -> String {
        String::new()
    }

    /// One item for each diagnostic, or for each file.
    fn file(&self, report: &Report<'_>) -> Vec<String>;

    /// What stands between two items.
    fn between(&self) -> &'static str {
        ""
    }

    /// A file that could not be read; empty where the format has no place for it.
    fn error(&self, path: &[u8], message: &str) -> String {
        let _ = (path, message);
        String::new()
    }

    /// What comes last.
    fn end(&self, totals: &Totals) -> String {
        let _ = totals;
        String::new()
    }
}
