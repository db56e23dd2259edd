//! Checks that the bytes at the offsets of each record yield its URL:
//!
//! ```text
//! urlsift scan --format jsonl PATH... | cargo run -p urlsift --example check_spans
//! ```
//!
//! For each record that is not `approximate`, reads the bytes `start..end` of the file, removes the
//! joins, and decodes the layers in `decoded`. The result must be one of the readings of the
//! record. Records of compressed files are counted and skipped. Prints the failures and the counts.
//! The exit status is 1 if there is a failure.
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::process::ExitCode;
use urlsift_archive::{Layer, redecode};

fn main() -> io::Result<ExitCode> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut file = (String::new(), Vec::new());
    for line in io::stdin().lock().lines() {
        let record: Value = serde_json::from_str(&line?)?;
        if record["type"] != "url" {
            continue;
        }
        let path = record["path"].as_str().unwrap_or_default();
        if file.0 != path {
            file = (path.to_owned(), std::fs::read(path).unwrap_or_default());
        }
        let outcome = check(&record, &file.1);
        *counts.entry(outcome).or_default() += 1;
        if outcome == "FAILED" {
            println!("{record}");
        }
    }
    println!("{counts:?}");
    Ok(if counts.contains_key("FAILED") { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn check(record: &Value, raw: &[u8]) -> &'static str {
    let compressed = [&b"\x1f\x8b"[..], b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"];
    if record.get("member").is_some() || compressed.iter().any(|magic| raw.starts_with(magic)) {
        return "compressed";
    }
    if record["approximate"] == true {
        return "approximate";
    }
    let offset = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
    let mut text = Vec::new();
    let (Some(mut at), Some(end)) = (offset(&record["start"]), offset(&record["end"])) else {
        return "FAILED";
    };
    for join in record["joins"].as_array().into_iter().flatten() {
        let (Some(from), Some(to)) = (offset(&join["start"]), offset(&join["end"])) else {
            return "FAILED";
        };
        text.extend_from_slice(raw.get(at..from).unwrap_or_default());
        at = to;
    }
    text.extend_from_slice(raw.get(at..end).unwrap_or_default());
    let names = record["decoded"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let Some(layers) = names.map(Layer::from_name).collect::<Option<Vec<_>>>() else {
        return "FAILED";
    };
    // Charsets that are supersets of ASCII leave ASCII unchanged.
    let ascii = text.is_ascii();
    let changes_ascii = |layer: &Layer| {
        use Layer::{ContentLines, Gettext, Html, Pipermail, QuotedPrintable};
        matches!(layer, QuotedPrintable | ContentLines | Gettext | Pipermail | Html)
    };
    let undone: Vec<Layer> =
        layers.iter().copied().filter(|layer| !ascii || changes_ascii(layer)).collect();
    let Some(text) = redecode(&text, &undone) else { return "FAILED" };
    let text = String::from_utf8_lossy(&text);
    let readings = record["readings"].as_array().into_iter().flatten();
    if readings.filter_map(Value::as_str).any(|reading| *reading == *text) {
        if layers.is_empty() { "exact" } else { "exact after decoding" }
    } else {
        "FAILED"
    }
}
