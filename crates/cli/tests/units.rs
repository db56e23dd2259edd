//! Tests lists of units, including files that have changed since the list was made, and the counts.

mod common;

use common::output_of;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::fs::{self, File, FileTimes};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

const MESSAGES: &str = "From a Thu Dec  1 10:00:00 1994\nSubject: a\n\nhttp://host.dom/a\n\n\
                        From b Thu Dec  1 11:00:00 1994\nSubject: b\n\nhttp://host.dom/b\n\n";

fn run(directory: &Path, args: &[&str], stdin: &[u8]) -> (Vec<Value>, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    let output = output_of(command.args(args).current_dir(directory), stdin).unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let records = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (records, output.status.code())
}

fn mailbox(directory: &Path, messages: usize) -> String {
    fs::write(directory.join("a.mbox"), MESSAGES.repeat(messages)).unwrap();
    let (units, code) = run(directory, &["units", "a.mbox", "--size", "5000"], b"");
    assert_eq!(code, Some(0));
    assert!(units.len() > 3);
    let lines: Vec<String> = units.iter().map(Value::to_string).collect();
    lines.join("\n")
}

const SCAN: &[&str] = &["scan", "--format", "jsonl", "--units", "-"];

#[test]
fn a_file_counts_once_whatever_order_its_units_come_in() {
    let directory = tempfile::tempdir().unwrap();
    let list = mailbox(directory.path(), 200);
    fs::write(directory.path().join("b.txt"), "http://host.dom/c\n").unwrap();
    let mut lines: Vec<&str> = list.lines().rev().collect();
    lines.insert(2, "b.txt");
    let (records, code) = run(directory.path(), SCAN, lines.join("\n").as_bytes());
    assert_eq!(code, Some(0));
    let summary = records.last().unwrap();
    assert_eq!((summary["files"].as_u64(), summary["urls"].as_u64()), (Some(2), Some(401)));
}

#[test]
fn a_file_that_changed_is_no_longer_that_of_the_list() {
    let directory = tempfile::tempdir().unwrap();
    let list = mailbox(directory.path(), 200);
    let path = directory.path().join("a.mbox");
    let whole = fs::read(&path).unwrap();
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let keep_time = |time: SystemTime| {
        let file = File::options().write(true).open(&path).unwrap();
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
    };
    let all_stale = || {
        let (records, code) = run(directory.path(), SCAN, list.as_bytes());
        assert_eq!(code, Some(2));
        let units: Vec<Value> =
            list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records.len(), units.len() + 1);
        for (error, unit) in records.iter().zip(&units) {
            assert_eq!((&error["type"], &error["code"]), (&"error".into(), &"unit.stale".into()));
            assert_eq!((&error["start"], &error["end"]), (&unit["start"], &unit["end"]));
        }
    };
    // A message is inserted at the start, and the modification time is restored.
    fs::write(&path, [MESSAGES.as_bytes(), &whole].concat()).unwrap();
    keep_time(modified);
    all_stale();
    // A change that doesn't change the size.
    fs::write(&path, String::from_utf8_lossy(&whole).replace("host.dom/a", "host.dom/x")).unwrap();
    keep_time(modified + Duration::from_nanos(1));
    all_stale();
    keep_time(modified);
    let (records, code) = run(directory.path(), SCAN, list.as_bytes());
    assert_eq!((records.len(), code), (401, Some(0)));
    // A list of an older release contains nothing to compare the file with.
    let old = "{\"path\":\"a.mbox\",\"start\":0,\"end\":120,\"line\":1,\"line_start\":0}";
    assert_eq!(run(directory.path(), SCAN, old.as_bytes()).1, Some(0));
    fs::remove_file(&path).unwrap();
    let (records, code) = run(directory.path(), SCAN, list.as_bytes());
    assert_eq!(code, Some(2));
    assert!(records[0]["start"] == 0 && records[0]["code"].is_null());
}

#[test]
fn a_packed_file_is_cut_where_its_pieces_allow_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut packed = Vec::new();
    for _ in 0..20 {
        let mut out = GzEncoder::new(&mut packed, Compression::fast());
        out.write_all(MESSAGES.repeat(40).as_bytes()).unwrap();
        out.finish().unwrap();
    }
    let path = directory.path().join("a.mbox.gz");
    fs::write(&path, &packed).unwrap();
    let (units, _) = run(directory.path(), &["units", "a.mbox.gz", "--size", "9000"], b"");
    assert!(units.len() > 5 && units.iter().all(|unit| unit["raw_end"].is_u64()));
    let list: Vec<String> = units.iter().map(Value::to_string).collect();
    let found = run(directory.path(), SCAN, list.join("\n").as_bytes());
    assert_eq!(found, run(directory.path(), &["scan", "--format", "jsonl", "a.mbox.gz"], b""));
    // Without the size and time, the compressed bytes show that the file has changed.
    let old = list[1].replace("\"size\"", "\"x\"").replace("\"mtime_ns\"", "\"y\"");
    assert_eq!(run(directory.path(), SCAN, old.as_bytes()).1, Some(0));
    fs::write(&path, &packed[20..]).unwrap();
    let (records, code) = run(directory.path(), SCAN, old.as_bytes());
    assert_eq!((&records[0]["code"], code), (&"unit.stale".into(), Some(2)));
    // A file that is compressed as one piece is one unit. A note says so.
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(MESSAGES.repeat(40).as_bytes()).unwrap();
    fs::write(directory.path().join("b.gz"), out.finish().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(["units", "b.gz", "--size", "100"]).current_dir(directory.path());
    let output = output_of(&mut command, b"").unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("they cannot be cut: 1"));
}

#[test]
fn a_message_too_long_to_be_held_is_read_piece_by_piece() {
    let directory = tempfile::tempdir().unwrap();
    // `see http://host.dom/a and so on`, a line break, and then lines without a URL.
    let lines =
        "c2VlIGh0dHA6Ly9ob3N0LmRvbS9hIGFuZCBzbyBvbgoK\n".to_owned() + &"YWJj\n".repeat(20_000);
    let part = format!("Content-Transfer-Encoding: base64\n\n{}", lines.repeat(700));
    let page = "<p>words that say nothing</p>\n".repeat(20_000)
        + "<a href=3D\"http://host.dom/b\">b</a>\n";
    let html = format!(
        "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n{}",
        page.repeat(10)
    );
    let long = format!(
        "From c Thu Dec  1 12:00:00 1994\nContent-Type: multipart/mixed; boundary=b\n\n--b\n{part}--b\n{html}--b--\n\n"
    );
    assert!(long.len() > 64 << 20);
    let mailbox = [&MESSAGES.repeat(3), &long, &MESSAGES.repeat(2), &long, MESSAGES].concat();
    fs::write(directory.path().join("a.mbox"), mailbox).unwrap();
    fs::write(directory.path().join("1.eml"), &long[long.find('\n').unwrap() + 1..]).unwrap();
    let scan = |path| run(directory.path(), &["scan", "--format", "jsonl", path], b"");
    let count =
        |records: &[Value], url: &str| records.iter().filter(|record| record["url"] == url).count();
    let (records, code) = scan("a.mbox");
    assert_eq!(code, Some(0));
    assert_eq!(
        (count(&records, "http://host.dom/a"), count(&records, "http://host.dom/b")),
        (2 * 700 + 6, 2 * 10 + 6)
    );
    let summary = records.last().unwrap();
    assert_eq!((&summary["messages"], &summary["errors"]), (&14.into(), &0.into()));
    let (units, _) = run(directory.path(), &["units", "a.mbox", "--size", "5000"], b"");
    assert!(units.len() > 2);
    let list: Vec<String> = units.iter().map(Value::to_string).collect();
    assert_eq!(run(directory.path(), SCAN, list.join("\n").as_bytes()), (records.clone(), code));
    // Through a pipe, which can't be read at any offset, and compressed.
    let is_same = |found: &[Value], path: &str| {
        let renamed = found.iter().cloned().map(|mut record| {
            record["path"].is_string().then(|| record["path"] = path.into());
            record
        });
        renamed.eq(records.iter().cloned())
    };
    let mailbox = fs::read(directory.path().join("a.mbox")).unwrap();
    let piped = run(directory.path(), &["scan", "--format", "jsonl", "-"], &mailbox);
    assert!(piped.1 == Some(0) && is_same(&piped.0, "a.mbox"));
    let mut packed = Vec::new();
    let (first, second) = mailbox.split_at(3 * MESSAGES.len() + long.len());
    for text in [first, second] {
        let mut out = GzEncoder::new(&mut packed, Compression::fast());
        out.write_all(text).unwrap();
        out.finish().unwrap();
    }
    fs::write(directory.path().join("b.mbox.gz"), packed).unwrap();
    let expand = ["--max-expand", "1G"];
    let args = [&["scan", "--format", "jsonl", "b.mbox.gz"][..], &expand].concat();
    let (found, code) = run(directory.path(), &args, b"");
    assert!(code == Some(0) && is_same(&found, "a.mbox"));
    let args = [&["units", "b.mbox.gz", "--size", "5000"][..], &expand].concat();
    let (units, _) = run(directory.path(), &args, b"");
    assert!(units.len() == 2 && units[1]["raw_start"].is_u64());
    let list: Vec<String> = units.iter().map(Value::to_string).collect();
    let args = [SCAN, &expand].concat();
    let (found, code) = run(directory.path(), &args, list.join("\n").as_bytes());
    assert!(code == Some(0) && is_same(&found, "a.mbox"));
    let args = ["scan", "--format", "jsonl", "1.eml"];
    let (records, _) = run(directory.path(), &args, b"");
    assert_eq!(
        (count(&records, "http://host.dom/a"), count(&records, "http://host.dom/b")),
        (700, 10)
    );
}

/// Returns the records of a file. Checks that a pipe and the units of the file give the same
/// records.
fn scan_in_every_way(directory: &Path, name: &str) -> Vec<Value> {
    let (records, code) = run(directory, &["scan", "--format", "jsonl", name], b"");
    assert_eq!(code, Some(0), "{name}");
    let bytes = fs::read(directory.join(name)).unwrap();
    let (mut piped, code) = run(directory, &["scan", "--format", "jsonl", "-"], &bytes);
    for record in piped.iter_mut().filter(|record| record["path"].is_string()) {
        record["path"] = name.into();
    }
    assert!(piped == records && code == Some(0), "{name} by a pipe");
    let (units, _) = run(directory, &["units", name, "--size", "5000"], b"");
    let list: Vec<String> = units.iter().map(Value::to_string).collect();
    let by_units = run(directory, SCAN, list.join("\n").as_bytes());
    assert!(by_units == (records.clone(), Some(0)), "{name} by {} units", units.len());
    records
}

/// Returns the number of records with this URL.
fn count(records: &[Value], url: &str) -> usize {
    records.iter().filter(|record| record["url"] == url).count()
}

#[test]
fn a_page_too_long_to_be_held_is_read_piece_by_piece() {
    let directory = tempfile::tempdir().unwrap();
    let page = "<p>words that say nothing</p>\n".repeat(20_000)
        + "<a href=http://host.dom/a?b&amp;c>http://host<b>.dom</b>/d</a>\n";
    let page = format!("<!-- --><html><base href='http://base.dom/'>\n{}", page.repeat(120));
    assert!(page.len() > 64 << 20);
    let is_whole = |records: &[Value]| {
        count(records, "http://host.dom/a?b&c") == 120 && count(records, "http://host.dom/d") == 120
    };
    // The format is detected from the content or from the name.
    fs::write(directory.path().join("a"), &page).unwrap();
    let records = scan_in_every_way(directory.path(), "a");
    assert!(is_whole(&records), "{} records", records.len());
    let last = records.last().unwrap();
    assert_eq!((&last["bytes"], &last["errors"]), (&page.len().into(), &0.into()));
    let args = ["scan", "--format", "jsonl", "--input", "html", "-"];
    let (named, code) = run(directory.path(), &args, &page.as_bytes()[8..]);
    assert!(is_whole(&named) && code == Some(0), "{} records", named.len());
    // Compressed, the file is one unit.
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(page.as_bytes()).unwrap();
    fs::write(directory.path().join("a.gz"), out.finish().unwrap()).unwrap();
    let args = ["scan", "--format", "jsonl", "--max-expand", "1G", "a.gz"];
    let (packed, code) = run(directory.path(), &args, b"");
    assert!(packed.len() == records.len() && is_whole(&packed) && code == Some(0));
}

#[test]
fn an_article_too_long_to_be_held_is_read_piece_by_piece() {
    let directory = tempfile::tempdir().unwrap();
    // `see http://host.dom/a and so on`, a line break, and then lines without a URL.
    let lines =
        "c2VlIGh0dHA6Ly9ob3N0LmRvbS9hIGFuZCBzbyBvbgoK\n".to_owned() + &"YWJj\n".repeat(20_000);
    let date = "Date: Thu, 1 Dec 1994 10:00:00 +0000\n";
    let long = format!("{date}Content-Transfer-Encoding: base64\n\n{}", lines.repeat(680));
    assert!(long.len() > 64 << 20);
    let short = format!("{date}Subject: b\n\nhttp://host.dom/b\n\n");
    let rule = "=".repeat(73) + "\n";
    let messages = [&short, &long, &short, &short];
    let batch: String =
        messages.map(|message| format!("#! rnews {}\n{message}", message.len())).concat();
    let babyl = messages.map(|message| format!("\u{1f}\u{c}\n1,,\n*** EOOH ***\n{message}"));
    let notebook = messages.map(|message| format!("{rule}{message}")).concat();
    // A length that occurs only once, followed by enough bytes to end a piece.
    let by_length = |message: &str| {
        let line = "From a Thu Dec  1 10:00:00 1994\n";
        let body = message.len() - message.find("\n\n").unwrap() - 2;
        format!("{line}Content-Length: {body}\n{message}\n")
    };
    let middle = by_length(&format!("{date}\n{}", "http://host.dom/b\n".repeat(40_000)));
    let mailbox =
        messages.map(|message| by_length(message)).concat() + &middle + &by_length(&short);
    for (name, text, others) in [
        ("a.rnews", batch, 3),
        ("a.babyl", format!("BABYL OPTIONS:\nVersion: 5\n{}", babyl.concat()), 3),
        ("a.log", notebook, 3),
        ("a.mboxcl", mailbox, 40_004),
    ] {
        fs::write(directory.path().join(name), text).unwrap();
        let records = scan_in_every_way(directory.path(), name);
        let found = (count(&records, "http://host.dom/a"), count(&records, "http://host.dom/b"));
        assert_eq!(found, (680, others), "{name}");
        let messages = records.last().unwrap()["messages"].as_u64();
        assert_eq!(messages, Some(if name == "a.mboxcl" { 6 } else { 4 }), "{name}");
        let last = &records[records.len() - 2];
        assert!(last["message"]["date"] == "1994-12-01T10:00:00Z", "{name}: {last}");
    }
}

#[test]
fn a_record_too_long_to_be_held_is_passed_over_or_read_piece_by_piece() {
    let directory = tempfile::tempdir().unwrap();
    let warc = |kind: &str, block: &[u8]| {
        let header = format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://page.dom/a/\r\nContent-Type: text/plain\r\n\
             Content-Length: {}\r\n\r\n",
            block.len()
        );
        [header.as_bytes(), block, b"\r\n\r\n"].concat()
    };
    let answer = |kind: &str, body: &str| {
        warc(
            "response",
            format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}").as_bytes(),
        )
    };
    let filler = "words that say nothing\n".repeat(4000);
    let page = format!("<p>{filler}</p>\n<a href=\"http://host.dom/?a&amp;b\">b</a>\n").repeat(740);
    let text = format!("{filler}http://host.dom/\npath/a and http://host.dom/c\n").repeat(740);
    assert!(page.len() > 64 << 20);
    let small = answer("text/html", "<a href='http://host.dom/small'>b</a>");
    let archive = [
        small.clone(),
        answer("video/mp4", &text),
        small.clone(),
        answer("text/html", &page),
        warc("conversion", text.as_bytes()),
        warc("request", text.as_bytes()),
        small,
    ]
    .concat();
    fs::write(directory.path().join("a.warc"), archive).unwrap();
    let records = scan_in_every_way(directory.path(), "a.warc");
    let found =
        ["small", "?a&b", "c"].map(|path| count(&records, &format!("http://host.dom/{path}")));
    assert_eq!(found, [3, 740, 740]);
    let in_pages = records.iter().filter(|record| record["page"]["uri"] == "http://page.dom/a/");
    assert_eq!(in_pages.count(), records.len() - 1);
}
