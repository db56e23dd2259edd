//! What is printed of each file and at the end, and what each format does with it.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use urlsift_archive::LimitCounts;
use urlsift_core::{Level, Span};
use urlsift_lint::{Applicability, Diagnostic, Lines};
use urlsift_records::write::visible::clean;

/// A file of which something is to be shown.
pub(crate) struct Report<'a> {
    /// The path as given.
    pub(crate) path: &'a [u8],
    /// The path as text.
    pub(crate) name: &'a str,
    pub(crate) text: &'a [u8],
    clean_name: OnceCell<Cow<'a, str>>,
    lines: OnceCell<Lines<'a>>,
    /// Where passwords stand near the diagnostics at hand, in order.
    pub(crate) secrets: Vec<Span>,
    /// Whether something of it was shown.
    pub(crate) is_open: bool,
    /// The line of the diagnostic shown last, and how many of that line were shown.
    pub(crate) shown: Cell<(usize, usize)>,
    /// How many diagnostics had that code and URL.
    seen: RefCell<HashMap<u64, u64>>,
    about: RefCell<About>,
}

/// What a line says of a diagnostic between its place and its help: what most lines of a long file have in common.
#[derive(Default)]
struct About {
    of: Option<(Level, &'static str, Cow<'static, str>)>,
    text: Vec<u8>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(path: &'a [u8], name: &'a str, text: &'a [u8]) -> Self {
        Self {
            path,
            name,
            text,
            clean_name: OnceCell::new(),
            lines: OnceCell::new(),
            secrets: Vec::new(),
            is_open: false,
            shown: Cell::default(),
            seen: RefCell::default(),
            about: RefCell::default(),
        }
    }

    /// The path as text without characters that a terminal obeys.
    pub(super) fn clean_name(&self) -> &str {
        self.clean_name.get_or_init(|| clean(self.name))
    }

    pub(crate) fn lines(&self) -> &Lines<'a> {
        self.lines.get_or_init(|| Lines::new(self.text))
    }

    /// Appends level, code and message of a diagnostic.
    pub(super) fn extend_about(&self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let Diagnostic { level, code, message, .. } = diagnostic;
        let mut about = self.about.borrow_mut();
        let is_known =
            matches!(&about.of, Some(of) if of.0 == *level && of.1 == *code && of.2 == *message);
        if !is_known {
            about.text.clear();
            for piece in [": ", level.name(), "[", code, "] ", &clean(message)] {
                about.text.extend_from_slice(piece.as_bytes());
            }
            about.of = Some((*level, code, message.clone()));
        }
        out.extend_from_slice(&about.text);
    }

    /// The path as text, without `./` before it: services compare it with those of a repository.
    pub(crate) fn plain_name(&self) -> &'a str {
        self.name.strip_prefix("./").unwrap_or(self.name)
    }

    /// What a diagnostic is known by when its line has moved: `salt`, its code and URL, and how many such there
    /// were in the file before it. To be asked once for each, in order.
    pub(crate) fn fingerprint(&self, diagnostic: &Diagnostic, salt: &[u8]) -> String {
        let about = diagnostic.url.as_deref().unwrap_or(&diagnostic.message);
        let known = [salt, diagnostic.code.as_bytes(), about.as_bytes()];
        let key = known.iter().fold(FNV, |hash, piece| fnv(fnv(hash, piece), &[0]));
        let mut seen = self.seen.borrow_mut();
        let count = seen.entry(key).or_default();
        *count += 1;
        format!("{:016x}", fnv(key, &count.to_le_bytes()))
    }
}

/// FNV-1a: the same on every machine and in every version.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Numbers for the end of the output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    /// By level: info, warning, error.
    pub(crate) levels: [u64; 3],
    /// By code: how many, and of how many a safe fix is known.
    pub(crate) codes: BTreeMap<&'static str, (u64, u64)>,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) messages: u64,
    pub(crate) limits: LimitCounts,
    /// URLs and what is nearly one.
    pub(crate) candidates: u64,
    /// Files in which something was found.
    pub(crate) faulty: u64,
    pub(crate) fixable: u64,
    pub(crate) fixable_unsafely: u64,
    pub(crate) fixed: u64,
    /// Lines that were silenced by comments.
    pub(crate) ignored: u64,
    pub(crate) errors: u64,
}

impl Totals {
    pub(crate) fn of(&self, level: Level) -> u64 {
        self.levels[level as usize]
    }

    pub(crate) fn diagnostics(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// The line that sums up.
    pub(super) fn summary(&self) -> String {
        let count = |number: u64, one: &str, more: &str| {
            format!("{number} {}", if number == 1 { one } else { more })
        };
        let files = count(self.files, "file", "files");
        let mut out = if self.diagnostics() == 0 {
            format!("Nothing to report in {files}")
        } else {
            format!(
                "{}, {}, {} in {} of {files}",
                count(self.of(Level::Error), "error", "errors"),
                count(self.of(Level::Warning), "warning", "warnings"),
                count(self.of(Level::Info), "info", "info"),
                self.faulty,
            )
        };
        if self.fixed > 0 {
            let _ = write!(out, "; {} made", count(self.fixed, "fix", "fixes"));
        }
        if self.ignored > 0 {
            let _ = write!(out, "; {} silenced", count(self.ignored, "line", "lines"));
        }
        if self.fixable > 0 {
            let _ = write!(out, "; --fix mends {}", self.fixable);
        }
        if self.fixable_unsafely > 0 {
            let _ = write!(out, "; --unsafe-fixes {} more", self.fixable_unsafely);
        }
        out.push('\n');
        out
    }

    /// Counts one diagnostic.
    pub(crate) fn count(&mut self, diagnostic: &Diagnostic) {
        self.levels[diagnostic.level as usize] += 1;
        let code = self.codes.entry(diagnostic.code).or_default();
        code.0 += 1;
        match diagnostic.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => {
                self.fixable += 1;
                code.1 += 1;
            }
            Some(Applicability::Unsafe) => self.fixable_unsafely += 1,
            _ => {}
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (level, count) in self.levels.iter_mut().zip(other.levels) {
            *level += count;
        }
        for (code, &(count, fixable)) in &other.codes {
            let code = self.codes.entry(code).or_default();
            *code = (code.0 + count, code.1 + fixable);
        }
        self.files += other.files;
        self.bytes += other.bytes;
        self.messages += other.messages;
        self.limits += other.limits;
        self.candidates += other.candidates;
        self.faulty += other.faulty;
        self.fixable += other.fixable;
        self.fixable_unsafely += other.fixable_unsafely;
        self.fixed += other.fixed;
        self.ignored += other.ignored;
        self.errors += other.errors;
    }
}

/// A format.
pub(crate) trait Renderer: Sync {
    /// What comes first.
    fn begin(&self) -> String {
        String::new()
    }

    /// What stands before the diagnostics of a file that has some.
    fn open(&self, path: &[u8]) -> String {
        let _ = path;
        String::new()
    }

    /// Appends one diagnostic. Those of a file come in its order.
    fn diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>);

    /// What stands behind the diagnostics of a file that has some.
    fn close(&self) -> &'static str {
        ""
    }

    /// What stands between two diagnostics.
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
