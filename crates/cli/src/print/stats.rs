//! The statistics and notes that are printed at the end of a run.

use super::complain::print_error_line;
use super::progress::ByteCount;
use crate::platform;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use urlsift_archive::{Limit, LimitCounts, Options};
use urlsift_records::Size;
use urlsift_records::{FileName, Tally};

/// Returns the text that `--stats` prints: the counts of a run, one per line. `time` is the
/// duration of the run.
pub(crate) fn format_stats(tally: &Tally, time: Duration) -> String {
    let numbers = [
        ("URLs", tally.urls),
        ("of them printed", if tally.unprinted > 0 { tally.printed() } else { 0 }),
        ("malformed", tally.malformed),
        ("messages", tally.messages),
        ("messages without a date", tally.undated),
        ("files without messages", tally.without_messages),
        ("files", tally.files),
        ("errors", tally.errors),
        ("of them files of unreadable formats", tally.unreadable),
    ];
    let skipped = tally.skipped.counts().into_iter().filter(|(_, number)| *number > 0);
    let always = ["URLs", "files", "errors"];
    let shown = numbers.iter().filter(|(name, number)| *number > 0 || always.contains(name));
    let mut text = String::new();
    for (name, number) in shown {
        let _ = writeln!(text, "{number} {name}");
    }
    for (limit, _, number) in tally.limit_counts() {
        let _ = writeln!(text, "{number} cut at a limit: {}", limit.name());
    }
    for (words, number) in skipped {
        let _ = writeln!(text, "{number} {words}");
    }
    let _ = writeln!(text, "{} in {:.3} s", ByteCount(tally.bytes), time.as_secs_f64());
    text
}

/// Prints a note on standard error for each of `outputs`: inputs that were skipped because the
/// output is written to them.
pub(crate) fn print_skipped_outputs(outputs: &[PathBuf]) {
    for path in outputs {
        let name = FileName::new(platform::printed_bytes(path));
        print_error_line(&mut io::stderr(), &name, "skipped, because the output is written to it");
    }
}

/// Prints a note on standard error if `count` files were skipped because they contain no messages
/// and so have no date.
///
/// # Errors
///
/// Returns an error if standard error can't be written.
pub(crate) fn print_files_without_messages(count: u64) -> io::Result<()> {
    let files = match count {
        0 => return Ok(()),
        1 => "1 file without messages was".to_owned(),
        _ => format!("{count} files without messages were"),
    };
    writeln!(
        io::stderr(),
        "urlsift: {files} skipped; add --undated keep to scan text without a date, too"
    )
}

/// Prints a note with advice on standard error for each limit that was reached. `subcommand` is the
/// name of the subcommand, e.g. `scan`.
///
/// # Errors
///
/// Returns an error if standard error can't be written.
pub(crate) fn print_reached_limits(limits: &LimitCounts, subcommand: &str) -> io::Result<()> {
    let mut notes = String::new();
    for (limit, count) in limits.reached_limits() {
        let of = |one: &str, more: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {more}"),
        };
        let Options { max_depth, max_parts, max_message, .. } = Options::default();
        let note = match limit {
            Limit::Nesting => format!(
                "{} nested more than {max_depth} levels deep; extract the parts to decode them",
                of("part was read as plain text: it is", "parts were read as plain text: they are"),
            ),
            Limit::Parts => format!(
                "{} more than {max_parts} parts; the rest were read as plain text",
                of("message has", "messages have"),
            ),
            Limit::Length => format!(
                "{} longer than {}; split the input to decode its contents",
                of("text was read without decoding:", "texts were read without decoding:"),
                Size(max_message as u64),
            ),
            Limit::Header => format!(
                "{} longer than 1M; the rest was read as part of the body",
                of("header is", "headers are"),
            ),
            Limit::Page => format!(
                "{} read only in part: chunked or compressed, and too long; \
                 to read everything, unpack the records and {subcommand} their contents",
                of("page was", "pages were"),
            ),
            Limit::Url => format!("{} cut at 65536 bytes", of("URL was", "URLs were")),
            Limit::Format => format!(
                "{} damaged or encrypted; their bytes were scanned as they are",
                of("Outlook or PDF file is", "Outlook or PDF files are"),
            ),
            Limit::Groups => format!(
                "{} not counted, because the memory for groups was used up; raise the limit with --max-memory",
                of("URL was", "URLs were"),
            ),
            Limit::Unique => format!(
                "{} not remembered, because the memory was used up, and may be printed again or not counted; \
                 raise the limit with --max-memory",
                of("URL was", "URLs were"),
            ),
            // The other limits were reported as errors of their files.
            _ => continue,
        };
        let _ = writeln!(notes, "urlsift: {note}");
    }
    io::stderr().write_all(notes.as_bytes())
}
