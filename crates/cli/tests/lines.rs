//! Files that are not read to their end.

#![expect(missing_docs, reason = "one says what stands above")]

mod common;

use common::output_of;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

fn urlsift(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.arg("scan").args(args).current_dir(directory);
    command
}

fn printed(directory: &Path, args: &[&str]) -> String {
    let output = output_of(&mut urlsift(directory, args), b"").unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_file_is_not_read_behind_its_last_url() {
    let scratch = tempfile::tempdir().unwrap();
    let mut text = File::create(scratch.path().join("a.txt")).unwrap();
    write!(text, "http://host.dom/1 http://host.dom/2 http://host.dom/3\n").unwrap();
    // More than can be read in any time.
    text.set_len(1 << 40).unwrap();
    let message = "From a@b.dom Thu Dec  1 10:00:00 1994\nFrom: a@b.dom\n\nhttp://host.dom/\n\n";
    fs::write(scratch.path().join("a.mbox"), message.repeat(150_000)).unwrap();
    for (name, reading) in [("a.txt", "text"), ("a.mbox", "mail")] {
        for threads in ["-j1", "-j4"] {
            let args = ["--json", "-m2", "--input", reading, threads, name];
            let printed = printed(scratch.path(), &args);
            let summary: serde_json::Value =
                serde_json::from_str(printed.lines().last().unwrap()).unwrap();
            assert_eq!(printed.lines().count(), 3);
            assert_eq!(summary["urls"], 2);
            assert!(summary["bytes"].as_u64().unwrap() < 2 << 20, "{summary}");
        }
        assert_eq!(printed(scratch.path(), &["-c", "-m2", "--input", reading, name]), "2\n");
    }
}

#[test]
fn a_pipe_is_not_read_behind_its_last_url() {
    let scratch = tempfile::tempdir().unwrap();
    let mut command = urlsift(scratch.path(), &["-m3", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let line = b"http://host.dom/ and more\n".repeat(1000);
    let written = (0..10_000).take_while(|_| input.write_all(&line).is_ok()).count();
    drop(input);
    assert!(written < 10_000);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"http://host.dom/\n".repeat(3));
}
