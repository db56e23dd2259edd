//! Tests `scan --state`: all parts together contain the results of a single run, even if runs are
//! killed.
#![cfg(feature = "parquet")]

use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Instant;
use tempfile::{TempDir, tempdir};

const STATE: [&str; 4] = ["--state", "state.json", "--part-size", "64K"];

fn command(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(["scan", "--format", "parquet", "-o"]).args(args);
    command.current_dir(directory).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn scan(directory: &Path, args: &[&str]) -> Output {
    command(directory, args).output().unwrap()
}

/// Runs a scan with a state. Checks that it reports no error, and returns its exit status.
fn go_on(directory: &Path, inputs: &[&str]) -> i32 {
    let output = scan(directory, &[&["parts"], inputs, &STATE].concat());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    output.status.code().unwrap()
}

/// Runs a scan with a state that fails, and returns its error messages.
fn refusal(directory: &Path, args: &[&str]) -> String {
    let output = scan(directory, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Returns the files of a table in order.
fn files(directory: &Path, table: &str) -> Vec<PathBuf> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let is_of = |path: &PathBuf| {
        path.file_name().unwrap().to_str().unwrap().starts_with(table)
            && path.extension().is_some_and(|it| it == "parquet")
    };
    let mut files: Vec<_> = names.filter(is_of).collect();
    files.sort();
    files
}

/// Returns all rows of a table, in the order of the parts.
fn rows(directory: &Path, table: &str) -> Vec<String> {
    let readers = files(directory, table).into_iter().map(|path| File::open(path).unwrap());
    let readers = readers.map(|file| SerializedFileReader::new(file).unwrap());
    readers.flat_map(|reader| reader.into_iter().map(|row| row.unwrap().to_string())).collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Returns the page of the report on the tables in `directory`, without the title and the command
/// line.
fn report(directory: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    let output = command.arg("report").arg(directory).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let page = String::from_utf8(output.stdout).unwrap();
    page.split_once("<nav").unwrap().1.to_owned()
}

/// Checks that the parts, the report and the counts are those of a single run over the same input.
#[track_caller]
fn assert_whole(directory: &Path, inputs: &[&str]) {
    scan(directory, &[&["one"], inputs].concat());
    let (one, parts) = (directory.join("one"), directory.join("parts"));
    for table in ["urls", "messages"] {
        let (expected, found) = (rows(&one, table), rows(&parts, table));
        assert!(!expected.is_empty());
        assert!(found == expected, "{table}: {} rows, not {}", found.len(), expected.len());
    }
    assert!(report(&parts) == report(&one));
    let (one, parts) = (json(&one.join("run.json")), json(&parts.join("run.json")));
    assert_eq!((&parts["complete"], &parts["counts"]), (&true.into(), &one["counts"]));
    assert_eq!(json(&directory.join("state.json"))["counts"], one["counts"]);
}

fn messages(numbers: std::ops::Range<u32>) -> String {
    let mut text = String::new();
    for n in numbers {
        write!(
            text,
            "From a@h.dom Thu Dec  1 10:00:00 1994\nFrom: a@h.dom\nDate: Thu, 1 Dec 1994 10:00:00 +0000\n\
             Message-ID: <{n}@h.dom>\n\nSee http://h{n}.dom/a and <URL:http://h{n}.dom/a\n/b>.\n\n"
        )
        .unwrap();
    }
    text
}

/// Creates a directory with a mailbox, a text, an article, and a compressed mailbox.
fn archive() -> TempDir {
    let scratch = tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(scratch.path().join(name), text).unwrap();
    let mail = messages(0..4000);
    write("a.mbox", &mail);
    let lines: Vec<_> = (0..9000).map(|n| format!("line {n}: http://t{n}.dom/x\n")).collect();
    write("b.txt", &lines.concat());
    write("c.eml", "Subject: c\n\nhttp://c.dom/\n");
    let packed = File::create(scratch.path().join("d.mbox.gz")).unwrap();
    let mut packer = GzEncoder::new(packed, Compression::fast());
    packer.write_all(mail.as_bytes()).unwrap();
    packer.finish().unwrap();
    scratch
}

const INPUTS: [&str; 4] = ["a.mbox", "b.txt", "c.eml", "d.mbox.gz"];

fn append(path: &Path, text: &str) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// The environment variable `URLSIFT_KILLS` is the number of kills. They are distributed over the
/// time of a run, so they differ between machines.
#[test]
fn killed_runs_lose_and_repeat_nothing() {
    let kills = std::env::var("URLSIFT_KILLS").map_or(3, |text| text.parse().unwrap());
    let scratch = archive();
    let at = scratch.path();
    let begin = Instant::now();
    go_on(at, &INPUTS);
    let time = begin.elapsed();
    assert!(files(&at.join("parts"), "urls").len() > 10);
    assert_whole(at, &INPUTS);
    let mut ended_early = 0;
    for point in 0..kills {
        fs::remove_dir_all(at.join("parts")).unwrap();
        fs::remove_file(at.join("state.json")).unwrap();
        // The second run is killed, too.
        for pause in [point + 1, kills - point] {
            let args = [&["parts"][..], &INPUTS, &STATE].concat();
            let mut child = command(at, &args).stderr(Stdio::null()).spawn().unwrap();
            sleep(time * pause / (kills + 2));
            ended_early += u32::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!([0, 1].contains(&go_on(at, &INPUTS)));
        assert_whole(at, &INPUTS);
        let left = fs::read_dir(at.join("parts")).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = left.filter(|name| name.to_str().unwrap().starts_with('.')).collect();
        assert!(left.is_empty(), "{left:?}");
    }
    assert!(ended_early > 0);
}

/// The state after a run that was killed between completing a part and writing the state file.
#[test]
fn parts_that_the_state_does_not_name_are_removed() {
    let scratch = archive();
    let at = scratch.path();
    go_on(at, &["a.mbox"]);
    let last = json(&at.join("state.json"))["parts"].as_u64().unwrap();
    let parts = at.join("parts");
    for name in [format!("urls-{:05}.parquet", last + 1), ".urlsift-urls-00001.parquet-x".into()] {
        fs::write(parts.join(name), "rubbish").unwrap();
    }
    fs::write(parts.join("notes-99999.parquet"), "of the user").unwrap();
    assert_eq!(go_on(at, &["a.mbox"]), 1);
    assert_whole(at, &["a.mbox"]);
    assert!(parts.join("notes-99999.parquet").exists());
}

#[test]
fn only_new_bytes_of_a_grown_file_are_read() {
    let scratch = archive();
    let at = scratch.path();
    go_on(at, &["a.mbox", "b.txt"]);
    let parts = json(&at.join("state.json"))["parts"].as_u64().unwrap();
    append(&at.join("a.mbox"), &messages(4000..4010));
    append(&at.join("b.txt"), "http://new.dom/\n");
    fs::write(at.join("e.txt"), "http://e.dom/\n").unwrap();
    assert_eq!(go_on(at, &["a.mbox", "b.txt", "e.txt"]), 0);
    assert_eq!(json(&at.join("state.json"))["parts"], parts + 1);
    let new = SerializedFileReader::new(
        File::open(at.join(format!("parts/urls-{:05}.parquet", parts + 1))).unwrap(),
    );
    assert_eq!(new.unwrap().metadata().file_metadata().num_rows(), 22);
    let by_path = |directory: &str| {
        let mut rows = rows(&at.join(directory), "urls");
        rows.sort();
        rows
    };
    scan(at, &["one", "a.mbox", "b.txt", "e.txt"]);
    assert!(by_path("one") == by_path("parts"));
    assert_eq!(
        json(&at.join("parts/run.json"))["counts"],
        json(&at.join("one/run.json"))["counts"]
    );
    // If there is nothing new, the tables stay unchanged.
    assert_eq!(go_on(at, &["a.mbox", "b.txt", "e.txt"]), 1);
    assert_eq!(json(&at.join("state.json"))["parts"], parts + 1);
}

#[test]
fn changed_file_is_an_error() {
    let anew = "; to read it, start over with another --state and -o\n";
    for (input, change, complaint) in [
        ("a.mbox", "shorter", "the file is shorter than what was already read"),
        ("a.mbox", "other", "the part that was already read has changed"),
        ("d.mbox.gz", "longer", "the file has grown, but its type can only be read as a whole"),
        ("a.mbox", "longer", "the file has grown, but the part already read ends within a message"),
        ("f.txt", "longer", "the file has grown, but the part already read ends within a line"),
    ] {
        let scratch = archive();
        let at = scratch.path();
        fs::write(at.join("f.txt"), "http://f.dom/").unwrap();
        go_on(at, &[input]);
        let before = rows(&at.join("parts"), "urls");
        let path = at.join(input);
        match change {
            "longer" => append(&path, "no start of a message\n"),
            "shorter" => fs::write(&path, messages(0..3)).unwrap(),
            _ => fs::write(&path, messages(1..5000)).unwrap(),
        }
        let refused = refusal(at, &[&["parts", input][..], &STATE].concat());
        assert_eq!(refused, format!("urlsift: {input}: {complaint}{anew}"));
        assert!(rows(&at.join("parts"), "urls") == before);
        // The other files are still read, and the error is not a row of the table.
        refusal(at, &[&["parts", input, "c.eml"][..], &STATE].concat());
        assert_eq!(rows(&at.join("parts"), "urls").len(), before.len() + 1);
        assert_eq!(json(&at.join("state.json"))["counts"]["errors"], 0);
        assert_eq!(json(&at.join("parts/run.json"))["counts"]["errors"], 1);
    }
}

#[test]
fn one_run_at_a_time() {
    let scratch = archive();
    let at = scratch.path();
    fs::create_dir(at.join("parts")).unwrap();
    let lock = File::open(at.join("parts")).unwrap();
    lock.lock().unwrap();
    let args = [&["parts", "a.mbox"][..], &STATE].concat();
    assert_eq!(
        refusal(at, &args),
        "urlsift: --output parts: another run with --state is writing there; wait until it ends\n"
    );
    assert!(!at.join("state.json").exists());
    drop(lock);
    go_on(at, &["a.mbox"]);
    assert_whole(at, &["a.mbox"]);
}

#[test]
fn a_state_belongs_to_its_parts_and_options() {
    let scratch = archive();
    let at = scratch.path();
    go_on(at, &["c.eml"]);
    let other = refusal(at, &[&["parts", "c.eml", "--form=+schemeless"][..], &STATE].concat());
    assert!(other.contains("written with other options"), "{other}");
    let other = refusal(at, &[&["elsewhere", "c.eml"][..], &STATE].concat());
    assert!(other.contains("its parts are in "), "{other}");
    let other = refusal(at, &["parts", "c.eml", "--state", "new.json"]);
    assert!(other.contains("no such file, but "), "{other}");
    fs::write(at.join("state.json"), "{}").unwrap();
    let other = refusal(at, &[&["parts", "c.eml"][..], &STATE].concat());
    assert!(other.contains("not a state file of `urlsift scan`"), "{other}");
}

#[test]
fn ordinary_run_keeps_the_tables_of_a_state() {
    let scratch = archive();
    let at = scratch.path();
    go_on(at, &["c.eml"]);
    let before = fs::read(at.join("parts/run.json")).unwrap();
    let refused = refusal(at, &["parts", "c.eml"]);
    assert!(refused.contains("contains the tables of a run with --state"), "{refused}");
    assert_eq!(fs::read(at.join("parts/run.json")).unwrap(), before);
    assert!(!at.join("parts/urls.parquet").exists());
}

#[test]
fn options_that_span_files_conflict_with_state() {
    let scratch = archive();
    for option in ["--unique", "--dedupe", "--max-count=3"] {
        let refused = refusal(scratch.path(), &[&["parts", "a.mbox", option][..], &STATE].concat());
        assert!(refused.contains("cannot be used with"), "{refused}");
    }
    let refused =
        refusal(scratch.path(), &[&["parts", "a.mbox", "--by=host"][..], &STATE].concat());
    assert!(refused.contains("--by counts URLs"), "{refused}");
    let refused = refusal(scratch.path(), &["parts", "-", "--state", "state.json"]);
    assert!(refused.contains("cannot scan standard input with --state"), "{refused}");
}

/// The scanned directory also contains the parts and the state.
#[test]
fn parts_and_state_are_not_read() {
    let scratch = archive();
    let at = scratch.path();
    go_on(at, &[".", "--hidden"]);
    let count = json(&at.join("state.json"))["counts"]["files"].clone();
    assert_eq!((count, go_on(at, &[".", "--hidden"])), (4.into(), 1));
}

#[test]
fn report_needs_all_parts() {
    let scratch = archive();
    let at = scratch.path();
    go_on(at, &INPUTS);
    let fails = |expected: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
        let output = command.args(["report", "parts"]).current_dir(at).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    };
    let part = at.join("parts/report-00002.zst");
    let data = fs::read(&part).unwrap();
    fs::write(&part, &data[..data.len() / 2]).unwrap();
    fails("cannot read parts/report-00002.zst");
    fs::remove_file(&part).unwrap();
    fails("parts/report-00002.zst: no such file");
    fs::write(&part, &data).unwrap();
    let run = at.join("parts/run.json");
    let text = fs::read_to_string(&run).unwrap();
    fs::write(&run, text.replace("\"complete\": true", "\"complete\": false")).unwrap();
    fails("has not finished");
    // An output is never one of the files that the report is made from.
    fs::write(&run, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(["report", "parts", "-o", "parts/report-00002.zst"]).current_dir(at);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
    assert_eq!(fs::read(&part).unwrap(), data);
}
