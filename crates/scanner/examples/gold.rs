//! Measures the precision and recall of joins and spans on a gold file.
//!
//! ```text
//! cargo run -p urlsift-scanner --example gold -- FILE.jsonl [--rejoin off|certain|likely] [--list]
//! ```
//!
//! The input has one JSON object per line, in one of two formats:
//!
//! - *spans*: `text`, and `urls`, each with `start`, `end` and `url` (byte offsets of the URL,
//!   including line breaks). Precision and recall are of exact spans.
//! - *breaks*: `context` (a string, or an array of lines), `line_index_in_context`, `continues`,
//!   and `true_url`. Does the last URL of that line continue on the next? Precision is the share of
//!   joins that are right, recall the share of continuations that are joined.
//!
//! `alt_ok` lists other URLs that count as right, and `optional` marks a URL that needn't be found.
//! Rows whose `difficulty` is `exotic` are counted separately. `--list` prints the errors.
#![allow(clippy::print_stdout)] // this is a command

use serde_json::Value;
use std::process::ExitCode;
use urlsift_core::Span;
use urlsift_scanner::{Candidate, Form, Rejoin, Scanner};

fn main() -> ExitCode {
    let mut file = None;
    let mut rejoin = Rejoin::default();
    let mut list = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--list" => list = true,
            "--rejoin" => match arguments.next().as_deref() {
                Some("off") => rejoin = Rejoin::Off,
                Some("certain") => rejoin = Rejoin::Certain,
                Some("likely") => rejoin = Rejoin::Likely,
                _ => return usage(),
            },
            _ if file.is_none() => file = Some(argument),
            _ => return usage(),
        }
    }
    let Some(rows) = file.and_then(|file| std::fs::read_to_string(file).ok()) else {
        return usage();
    };
    let scanner = Scanner::builder().rejoin(rejoin).build();
    let (mut normal, mut exotic) = (Count::default(), Count::default());
    for row in rows.lines() {
        let Ok(row) = serde_json::from_str::<Value>(row) else {
            println!("not JSON: {row}");
            return ExitCode::from(2);
        };
        if row["urls"].is_array() {
            spans(&scanner, &row, &mut normal, &mut exotic, list);
        } else {
            let count = if is_exotic(&row) { &mut exotic } else { &mut normal };
            broken(&scanner, &row, count, list);
        }
    }
    normal.print("all but exotic");
    exotic.print("exotic");
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    println!("usage: gold FILE.jsonl [--rejoin off|certain|likely] [--list]");
    ExitCode::from(2)
}

/// The counts of right and wrong results.
#[derive(Debug, Default)]
struct Count {
    /// The number of URLs found correctly (true positives).
    right: usize,
    /// The number of wrong matches (false positives).
    wrong: usize,
    /// The number of expected URLs that were not found (false negatives).
    missed: usize,
    /// Correctly not found.
    spared: usize,
}

impl Count {
    fn print(&self, name: &str) {
        let Self { right, wrong, missed, spared } = self;
        let (precision, recall) = (share(*right, right + wrong), share(*right, right + missed));
        println!(
            "{name}: precision {precision}, recall {recall} ({right} right, {wrong} wrong, {missed} missed, {spared} correctly left)"
        );
    }
}

/// Returns `part` as a percentage of `whole`.
fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let permille = part * 1000 / whole;
    format!("{}.{} %", permille / 10, permille % 10)
}

/// True if the row is marked as exotic.
fn is_exotic(row: &Value) -> bool {
    row["difficulty"] == "exotic"
}

/// True if `url` is the `wanted` URL or one of the alternatives that the row accepts.
fn is_right(row: &Value, url: &str, wanted: &str) -> bool {
    let also = row["alt_ok"].as_array().is_some_and(|all| all.iter().any(|one| one == url));
    url == wanted || also
}

/// Returns the URL as a string.
fn lossy(candidate: &Candidate<'_>) -> String {
    String::from_utf8_lossy(&candidate.url()).into_owned()
}

fn offset(value: &Value) -> usize {
    value.as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX)
}

/// Counts the right and wrong URLs of a row in the *spans* format.
fn spans(scanner: &Scanner, row: &Value, normal: &mut Count, exotic: &mut Count, list: bool) {
    let text = row["text"].as_str().unwrap_or_default();
    let mut found: Vec<(Span, String)> = scanner
        .find_iter(text.as_bytes())
        .filter(|found| found.form() != Form::NearMiss)
        .map(|found| (found.span(), lossy(&found)))
        .collect();
    for wanted in row["urls"].as_array().into_iter().flatten() {
        let (start, end) = (offset(&wanted["start"]), offset(&wanted["end"]));
        let url = wanted["url"].as_str().unwrap_or_default();
        let at = found.iter().position(|(span, found)| {
            span.start == start && (span.end == end && found == url || is_right(wanted, found, url))
        });
        let optional = wanted["optional"] == true;
        let count = if is_exotic(wanted) { &mut *exotic } else { &mut *normal };
        match at {
            Some(at) => {
                found.remove(at);
                count.right += usize::from(!optional);
            }
            None if optional => {}
            None => {
                count.missed += 1;
                if list {
                    println!("{} missed {start}..{end} {url}", row["id"]);
                }
            }
        }
    }
    normal.wrong += found.len();
    if list {
        for (span, url) in found {
            println!("{} wrong {}..{} {url}", row["id"], span.start, span.end);
        }
    }
}

/// Counts the right and wrong decisions for a row in the *breaks* format.
fn broken(scanner: &Scanner, row: &Value, count: &mut Count, list: bool) {
    let text = match &row["context"] {
        Value::String(text) => text.clone(),
        Value::Array(lines) => {
            lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    };
    let line = offset(&row["line_index_in_context"]);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let end = start + text[start..].lines().next().map_or(0, str::len);
    // The URL in question is the last one that has a byte on the line.
    let url = scanner
        .find_iter(text.as_bytes())
        .filter(|url| url.span().start < end && url.span().end > start)
        .last();
    let joined = url.as_ref().is_some_and(|url| {
        url.seams().iter().any(|seam| seam.gap.start <= end && end < seam.gap.end)
    });
    let wanted = row["true_url"].as_str().unwrap_or_default();
    let continues = row["continues"] == true;
    let found = url.as_ref().map(lossy).unwrap_or_default();
    let verdict = match (joined, continues && is_right(row, &found, wanted)) {
        (true, true) => return count.right += 1,
        (false, _) if !continues => return count.spared += 1,
        (true, false) => {
            count.wrong += 1;
            "wrong"
        }
        (false, _) => {
            count.missed += 1;
            "missed"
        }
    };
    if list {
        println!("{} {verdict}: found {found}, wanted {wanted}", row["id"]);
        for line in text.lines().skip(line.saturating_sub(1)).take(4) {
            println!("    | {line}");
        }
    }
}
