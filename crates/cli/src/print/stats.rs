//! What a run has read and found, for people.

use super::ordered_writer::complain;
use super::progress::Amount;
use crate::platform;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use urlsift_archive::{Limit, LimitCounts, Options};
use urlsift_records::Size;
use urlsift_records::{FileName, Tally};

/// The counts of a run that took so much time, one a line.
pub(crate) fn text(tally: &Tally, time: Duration) -> String {
    let numbers = [
        ("URLs", tally.urls),
        ("malformed", tally.malformed),
        ("messages", tally.messages),
        ("messages without a date", tally.undated),
        ("files", tally.files),
        ("errors", tally.errors),
    ];
    let skipped = tally.skipped.counts().into_iter().filter(|(_, number)| *number > 0);
    let always = ["URLs", "files", "errors"];
    let shown = numbers.iter().filter(|(name, number)| *number > 0 || always.contains(name));
    let mut text = String::new();
    for (name, number) in shown {
        let _ = writeln!(text, "{number} {name}");
    }
    for (limit, _, number) in tally.limits() {
        let _ = writeln!(text, "{number} cut at a limit: {}", limit.name());
    }
    for (reason, number) in skipped {
        let _ = writeln!(text, "{number} left out: {reason}");
    }
    let _ = writeln!(text, "{} in {:.3} s", Amount(tally.bytes), time.as_secs_f64());
    text
}

/// Names the inputs that were skipped because the output is written to them.
pub(crate) fn name_outputs(outputs: &[PathBuf]) {
    for path in outputs {
        let name = FileName::new(platform::bytes(path));
        complain(&mut io::stderr(), &name, "skipped, because the output is written to it");
    }
}

/// Names on standard error the limits that were reached, each once, with what to do about it. `verb` says what is done
/// with the input.
///
/// # Errors
///
/// Standard error cannot be written.
pub(crate) fn name_limits(limits: &LimitCounts, verb: &str) -> io::Result<()> {
    let mut notes = String::new();
    for (limit, count) in limits.reached() {
        let of = |one: &str, more: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {more}"),
        };
        let Options { max_depth, max_parts, max_message, .. } = Options::default();
        let note = match limit {
            Limit::Nesting => format!(
                "{} within more than {max_depth} others; to decode what is in them, extract them",
                of("part was read as plain text: it is", "parts were read as plain text: they are"),
            ),
            Limit::Parts => format!(
                "{} more than {max_parts} parts; the others were read as plain text",
                of("message has", "messages have"),
            ),
            Limit::Length => format!(
                "{} longer than {}; to decode what is in it, split it",
                of("text was read as it is:", "texts were read as they are:"),
                Size(max_message as u64),
            ),
            Limit::Header => format!(
                "{} longer than 1M: the rest was read as a body",
                of("header is", "headers are"),
            ),
            Limit::Page => format!(
                "of {} only the start was read: chunked or packed, and too long; \
                 to read all, unpack the records and {verb} what they hold",
                of("page", "pages"),
            ),
            Limit::Url => format!("{} cut at 65536 bytes", of("URL was", "URLs were")),
            Limit::Groups => format!(
                "{} not counted, because the memory for groups was used up; allow more with --max-memory",
                of("URL was", "URLs were"),
            ),
            // They are errors, each named with its file and the option.
            _ => continue,
        };
        let _ = writeln!(notes, "urlsift: {note}");
    }
    io::stderr().write_all(notes.as_bytes())
}
