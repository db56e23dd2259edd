//! The data that the output formats of `lint` need, and the trait that each format implements.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use urlsift_archive::LimitCounts;
use urlsift_core::{Level, Span};
use urlsift_lint::{Applicability, Diagnostic, Lines};
use urlsift_records::write::visible::escape_invisible;

/// A file that is being linted, with the data needed to render its diagnostics.
pub(crate) struct Report<'a> {
    /// The path as the user gave it.
    pub(crate) path: &'a [u8],
    /// The path as text.
    pub(crate) name: &'a str,
    /// The contents of the file.
    pub(crate) text: &'a [u8],
    /// The path as text without control characters.
    clean_name: OnceCell<Cow<'a, str>>,
    lines: OnceCell<Lines<'a>>,
    /// The spans of secrets near the current diagnostics, in order.
    pub(crate) secrets: Vec<Span>,
    /// True if the header of the file was rendered, i.e. the file has a diagnostic.
    pub(crate) is_open: bool,
    /// The line of the last diagnostic that was rendered, and the number of consecutive diagnostics
    /// of that line.
    pub(crate) shown: Cell<(usize, usize)>,
    /// The number of diagnostics so far for each hash of salt, code and URL. See
    /// [`Report::fingerprint`].
    seen: RefCell<HashMap<u64, u64>>,
    /// The cached start of the last diagnostic's text.
    about: RefCell<About>,
}

/// A cache of the rendered level, code and message of the last diagnostic. Consecutive diagnostics
/// of a file often have them in common.
#[derive(Default)]
struct About {
    /// The level, code and message that `text` contains.
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

    /// Returns the path of the file as text, with control characters escaped.
    pub(super) fn escaped_path(&self) -> &str {
        self.clean_name.get_or_init(|| escape_invisible(self.name))
    }

    pub(crate) fn lines(&self) -> &Lines<'a> {
        self.lines.get_or_init(|| Lines::new(self.text))
    }

    /// Appends the level, code and message of a diagnostic, e.g. `: error[host.comma] ...`.
    pub(super) fn push_level_code_and_message(&self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let Diagnostic { level, code, message, .. } = diagnostic;
        let mut about = self.about.borrow_mut();
        let is_known =
            matches!(&about.of, Some(of) if of.0 == *level && of.1 == *code && of.2 == *message);
        if !is_known {
            about.text.clear();
            for piece in [": ", level.name(), "[", code, "] ", &escape_invisible(message)] {
                about.text.extend_from_slice(piece.as_bytes());
            }
            about.of = Some((*level, code, message.clone()));
        }
        out.extend_from_slice(&about.text);
    }

    /// Returns the path of the file as text without a leading `./`. Services compare this path with
    /// the paths in a repository.
    pub(crate) fn repository_path(&self) -> &'a str {
        self.name.strip_prefix("./").unwrap_or(self.name)
    }

    /// Returns an identifier of a diagnostic that doesn't change if the diagnostic moves to another
    /// line. Call this exactly once for each diagnostic of the file, in order.
    ///
    /// The identifier is a hash of `salt`, the code, the URL, and the number of earlier diagnostics
    /// in the file with the same code and URL.
    pub(crate) fn fingerprint(&self, diagnostic: &Diagnostic, salt: &[u8]) -> String {
        let about = diagnostic.url.as_deref().unwrap_or(&diagnostic.message);
        let known = [salt, diagnostic.code.as_bytes(), about.as_bytes()];
        let key = known
            .iter()
            .fold(FNV, |hash, piece| extend_fnv_hash(extend_fnv_hash(hash, piece), &[0]));
        let mut seen = self.seen.borrow_mut();
        let count = seen.entry(key).or_default();
        *count += 1;
        format!("{:016x}", extend_fnv_hash(key, &count.to_le_bytes()))
    }
}

/// The initial value of the FNV-1a hash, which is the same on every machine and in every version of
/// urlsift.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// Returns the FNV-1a hash `hash` extended by `bytes`.
fn extend_fnv_hash(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The totals of a `lint` run, as in the summary.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    /// The number of diagnostics by level: info, warning, error.
    pub(crate) levels: [u64; 3],
    /// For each code, the number of diagnostics, and how many of them have a safe fix.
    pub(crate) codes: BTreeMap<&'static str, (u64, u64)>,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) messages: u64,
    pub(crate) limits: LimitCounts,
    /// The number of URLs and near misses that were checked.
    pub(crate) candidates: u64,
    /// The number of files with diagnostics.
    pub(crate) faulty: u64,
    /// The number of diagnostics with a safe fix that was not applied.
    pub(crate) fixable: u64,
    /// The number of diagnostics with an unsafe fix that was not applied.
    pub(crate) fixable_unsafely: u64,
    /// The number of fixes that were applied.
    pub(crate) fixed: u64,
    /// The number of ignore comments that were added.
    pub(crate) ignored: u64,
    /// The number of files that could not be read or changed.
    pub(crate) errors: u64,
    /// The number of files that were named on standard error and not linted.
    pub(crate) skipped: u64,
    /// True if the only input was standard input, without `--stdin-filename`.
    pub(crate) is_only_stdin: bool,
}

impl Totals {
    /// Returns the number of diagnostics with the given level.
    pub(crate) fn diagnostics_at_level(&self, level: Level) -> u64 {
        self.levels[level as usize]
    }

    /// Returns the number of diagnostics of all levels.
    pub(crate) fn diagnostic_count(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// Returns the summary line, e.g. `1 error, 0 warnings, 0 info in 1 of 2 files`.
    pub(super) fn summary_line(&self) -> String {
        let count = |number: u64, one: &str, more: &str| {
            format!("{number} {}", if number == 1 { one } else { more })
        };
        let files = count(self.files, "file", "files");
        let mut out = if self.diagnostic_count() == 0 {
            let files = if self.is_only_stdin { "standard input" } else { &files };
            format!("Nothing to report in {files}")
        } else {
            let files = if self.is_only_stdin {
                "standard input".to_owned()
            } else {
                format!("{} of {files}", self.faulty)
            };
            format!(
                "{}, {}, {} in {files}",
                count(self.diagnostics_at_level(Level::Error), "error", "errors"),
                count(self.diagnostics_at_level(Level::Warning), "warning", "warnings"),
                count(self.diagnostics_at_level(Level::Info), "info", "info"),
            )
        };
        if self.fixed > 0 {
            let _ = write!(out, "; {} applied", count(self.fixed, "fix", "fixes"));
        }
        if self.ignored > 0 {
            let _ =
                write!(out, "; {} added", count(self.ignored, "ignore comment", "ignore comments"));
        }
        if self.fixable > 0 {
            let _ = write!(out, "; {} fixable with --fix", self.fixable);
        }
        if self.fixable_unsafely > 0 {
            let more = if self.fixable > 0 { "more" } else { "fixable" };
            let _ = write!(out, "; {} {more} with --unsafe-fixes", self.fixable_unsafely);
        }
        out.push('\n');
        out
    }

    /// Adds one diagnostic to the totals.
    pub(crate) fn add_diagnostic(&mut self, diagnostic: &Diagnostic) {
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

    pub(crate) fn add_totals(&mut self, other: &Self) {
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
        self.skipped += other.skipped;
    }
}

/// An output format of `lint`. It renders the diagnostics of one file at a time, and the header and
/// footer of the whole output.
pub(crate) trait Renderer: Sync {
    /// Returns the header of the whole output.
    fn header(&self) -> String {
        String::new()
    }

    /// Returns the header of a file, which is printed before the file's first diagnostic.
    fn file_header(&self, path: &[u8]) -> String {
        let _ = path;
        String::new()
    }

    /// Appends one diagnostic of the file that `report` describes. The diagnostics of a file are
    /// passed in order.
    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>);

    /// Returns the footer of a file, which is printed after the file's last diagnostic. Files
    /// without diagnostics have neither header nor footer.
    fn file_footer(&self) -> &'static str {
        ""
    }

    /// Returns the separator that is printed between two diagnostics.
    fn diagnostic_separator(&self) -> &'static str {
        ""
    }

    /// Returns the text for the error that the file at `path` couldn't be read. Returns an empty
    /// string if the format doesn't contain errors.
    fn file_error(&self, path: &[u8], message: &str) -> String {
        let _ = (path, message);
        String::new()
    }

    /// Returns the footer of the whole output, which may contain the totals of the run.
    fn footer(&self, totals: &Totals) -> String {
        let _ = totals;
        String::new()
    }
}
