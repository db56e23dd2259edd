//! `scan --state`: parts of tables that hold together what one run finds, whatever ends the runs.
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

/// A run with a state, which has nothing to complain of; its exit code is returned.
fn go_on(directory: &Path, inputs: &[&str]) -> i32 {
    let output = scan(directory, &[&["parts"], inputs, &STATE].concat());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    output.status.code().unwrap()
}

/// What a run with a state complains of.
fn refusal(directory: &Path, args: &[&str]) -> String {
    let output = scan(directory, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The files of a table, in their order.
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

/// All rows of a table, in the order of its parts.
fn rows(directory: &Path, table: &str) -> Vec<String> {
    let readers = files(directory, table).into_iter().map(|path| File::open(path).unwrap());
    let readers = readers.map(|file| SerializedFileReader::new(file).unwrap());
    readers.flat_map(|reader| reader.into_iter().map(|row| row.unwrap().to_string())).collect()
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The parts are what one run over the same input writes, and so are the counts.
#[track_caller]
fn assert_whole(directory: &Path, inputs: &[&str]) {
    scan(directory, &[&["one"], inputs].concat());
    let (one, parts) = (directory.join("one"), directory.join("parts"));
    for table in ["urls", "messages"] {
        let (expected, found) = (rows(&one, table), rows(&parts, table));
        assert!(!expected.is_empty());
        assert!(found == expected, "{table}: {} rows, not {}", found.len(), expected.len());
    }
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

/// A directory with a mailbox, a text, an article, and the mailbox packed.
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

/// `URLSIFT_KILLS` says how often; the pauses are spread over the time that a run takes, and differ from machine to machine.
#[test]
fn runs_that_are_killed_leave_no_gap_and_nothing_twice() {
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
        // The second one is killed on its way, too.
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

/// As after a run that was killed between the names of its parts and its state.
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
fn of_what_grew_only_the_new_is_read() {
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
    // Nothing new: the tables stay as they are.
    assert_eq!(go_on(at, &["a.mbox", "b.txt", "e.txt"]), 1);
    assert_eq!(json(&at.join("state.json"))["parts"], parts + 1);
}

#[test]
fn what_is_no_longer_what_was_read_is_an_error() {
    let anew = "; begin anew with another --state and -o to read it\n";
    for (input, change, complaint) in [
        ("a.mbox", "shorter", "it is shorter than what was read of it"),
        ("a.mbox", "other", "it is not the file that was read"),
        ("d.mbox.gz", "longer", "it has grown, and is taken whole or not at all"),
        ("a.mbox", "longer", "it has grown, and what was read of it ended within a message"),
        ("f.txt", "longer", "it has grown, and what was read of it ended within a line"),
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
        // It keeps nobody from reading others, and is no row.
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
        "urlsift: --output parts: another run with --state is writing there; wait for it\n"
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
    assert!(other.contains("it was written with other options"), "{other}");
    let other = refusal(at, &[&["elsewhere", "c.eml"][..], &STATE].concat());
    assert!(other.contains("its parts are in "), "{other}");
    let other = refusal(at, &["parts", "c.eml", "--state", "new.json"]);
    assert!(other.contains("there is no such file, but "), "{other}");
    fs::write(at.join("state.json"), "{}").unwrap();
    let other = refusal(at, &[&["parts", "c.eml"][..], &STATE].concat());
    assert!(other.contains("it is no state of a scan"), "{other}");
}

#[test]
fn what_spans_files_goes_with_no_state() {
    let scratch = archive();
    for option in ["--unique", "--dedupe", "--max-count=3"] {
        let refused = refusal(scratch.path(), &[&["parts", "a.mbox", option][..], &STATE].concat());
        assert!(refused.contains("cannot be used with"), "{refused}");
    }
    let refused =
        refusal(scratch.path(), &[&["parts", "a.mbox", "--by=host"][..], &STATE].concat());
    assert!(refused.contains("--by counts URLs"), "{refused}");
    let refused = refusal(scratch.path(), &["parts", "-", "--state", "state.json"]);
    assert!(refused.contains("what is read must be files"), "{refused}");
}

/// Of a directory that holds the parts themselves, too.
#[test]
fn parts_and_state_are_no_input() {
    let scratch = archive();
    let at = scratch.path();
    go_on(at, &[".", "--hidden"]);
    let count = json(&at.join("state.json"))["counts"]["files"].clone();
    assert_eq!((count, go_on(at, &[".", "--hidden"])), (4.into(), 1));
}
