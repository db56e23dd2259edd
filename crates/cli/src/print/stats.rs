//! What a run has read and found, for people.

use super::ordered_writer::complain;
use super::progress::Amount;
use crate::platform;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use urlsift_records::{FileName, Tally};

/// The counts of a run that took so much time, one a line.
pub(crate) fn text(tally: &Tally, time: Duration) -> String {
    let numbers = [
        ("URLs", tally.urls),
        ("malformed", tally.malformed),
        ("truncated", tally.truncated),
        ("messages", tally.messages),
        ("messages without a date", tally.undated),
        ("pages of which only the start was read", tally.cut_pages),
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

/// Tells on standard error of pages that were not read whole, which may have no record. `verb` says what is to be done
/// with them.
///
/// # Errors
///
/// Standard error cannot be written.
pub(crate) fn tell_cut(pages: u64, verb: &str) -> io::Result<()> {
    let pages = match pages {
        0 => return Ok(()),
        1 => "1 page".to_owned(),
        pages => format!("{pages} pages"),
    };
    let note = format!(
        "urlsift: of {pages} only the start was read: chunked or packed, and too long; \
         to read all, unpack the records and {verb} what they hold\n"
    );
    io::stderr().write_all(note.as_bytes())
}
