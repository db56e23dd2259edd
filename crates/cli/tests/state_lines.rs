//! Tests `scan --state` with JSON Lines: all parts together contain the URLs of a single run.

use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::tempdir;

fn scan(directory: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(["scan", "--json", "a.txt", "b.txt"]).args(args);
    command.current_dir(directory).stdin(Stdio::null()).output().unwrap()
}

/// Returns the records of URLs in JSON Lines, sorted.
fn urls(lines: &str) -> Vec<String> {
    let mut urls: Vec<_> = lines.lines().filter(|line| line.contains("\"type\":\"url\"")).collect();
    urls.sort_unstable();
    urls.into_iter().map(str::to_owned).collect()
}

#[test]
fn parts_contain_every_url_once() {
    let scratch = tempdir().unwrap();
    let at = scratch.path();
    let lines = |from, to| (from..to).map(|n| format!("http://h.dom/{n}\n")).collect::<String>();
    fs::write(at.join("a.txt"), lines(0, 5000)).unwrap();
    fs::write(at.join("b.txt"), lines(5000, 5010)).unwrap();
    let state = ["--state", "state", "-o", "parts", "--part-size", "64K"];
    assert_eq!(scan(at, &state).status.code(), Some(0));
    assert_eq!(scan(at, &state).status.code(), Some(1));
    let mut file = OpenOptions::new().append(true).open(at.join("a.txt")).unwrap();
    file.write_all(b"http://new.dom/\n").unwrap();
    assert_eq!(scan(at, &state).status.code(), Some(0));
    let mut found = String::new();
    let mut count = 0;
    for entry in fs::read_dir(at.join("parts")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            let part = fs::read_to_string(path).unwrap();
            let summary: Value = serde_json::from_str(part.lines().last().unwrap()).unwrap();
            assert_eq!(summary["urls"], urls(&part).len());
            found += &part;
            count += 1;
        }
    }
    assert!(count >= 3, "{count}");
    let whole = String::from_utf8(scan(at, &[]).stdout).unwrap();
    assert_eq!(urls(&found), urls(&whole));
    let run: Value = serde_json::from_slice(&fs::read(at.join("parts/run.json")).unwrap()).unwrap();
    assert_eq!((&run["complete"], &run["counts"]["urls"]), (&true.into(), &5011.into()));
}

#[test]
fn state_needs_a_directory_and_one_format() {
    let scratch = tempdir().unwrap();
    fs::write(scratch.path().join("a.txt"), "http://h.dom/\n").unwrap();
    fs::write(scratch.path().join("b.txt"), "").unwrap();
    for (args, message) in [
        (&["--state", "s"][..], "add -o DIR"),
        (&["--state", "s", "-o", "p", "--by", "host"], "--by can't be combined with --state"),
    ] {
        let output = scan(scratch.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{args:?}");
    }
}
