//! What a run has read and found, for people.

use super::progress::Amount;
use std::fmt::Write as _;
use std::time::Duration;
use urlsift_records::Tally;

/// The counts of a run that took so much time, one a line.
pub(crate) fn text(tally: &Tally, time: Duration) -> String {
    let skipped = tally.skipped;
    let numbers = [
        ("URLs", tally.urls),
        ("malformed", tally.malformed),
        ("truncated", tally.truncated),
        ("messages", tally.messages),
        ("messages without a date", tally.undated),
        ("files", tally.files),
        ("errors", tally.errors),
        ("left out: hidden", skipped.hidden),
        ("left out: ignored", skipped.ignored),
        ("left out: unmatched", skipped.unmatched),
        ("left out: special", skipped.special),
        ("left out: too long", skipped.size),
        ("left out: output", skipped.output),
    ];
    let always = ["URLs", "files", "errors"];
    let shown = numbers.iter().filter(|(name, number)| *number > 0 || always.contains(name));
    let mut text = String::new();
    for (name, number) in shown {
        let _ = writeln!(text, "{number} {name}");
    }
    let _ = writeln!(text, "{} in {:.3} s", Amount(tally.bytes), time.as_secs_f64());
    text
}
