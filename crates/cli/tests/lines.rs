//! Tests the output of lines with URLs, and that files are not read after the last URL needed.

mod common;

use common::output_of;
use std::fmt::Write as _;
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

/// Returns the expected output of `--show-lines`, `-A`, `-B` and `-C`. The text must not contain a
/// URL that spans several lines.
fn expected(text: &str, before: usize, after: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_found = |at: usize| lines[at].contains("http://");
    let mut out = String::new();
    let mut last = None;
    for at in 0..lines.len() {
        let near = at.saturating_sub(after)..(at + before + 1).min(lines.len());
        if !near.into_iter().any(is_found) {
            continue;
        }
        if before + after > 0 && last.is_some_and(|last| last + 1 < at) {
            out.push_str("--\n");
        }
        let mark = if is_found(at) { ':' } else { '-' };
        writeln!(out, "{}{mark}{}", at + 1, lines[at]).unwrap();
        last = Some(at);
    }
    out
}

/// The text is so large that it is read in several steps or as several units.
#[test]
fn lines_around_urls_do_not_depend_on_how_a_file_is_read() {
    let scratch = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for number in 0..120_000 {
        let url = if number % 977 < 2 || number % 5003 == 0 { "at http://host.dom/" } else { "no" };
        writeln!(text, "This is line {number}, {url}{number} of a text that has many of them")
            .unwrap();
    }
    let header = "From a@b.dom Thu Dec  1 10:00:00 1994\nFrom: a@b.dom\nSubject: s\n\n";
    let mut mail = String::new();
    for body in text.as_bytes().chunks(50_000).map(String::from_utf8_lossy) {
        writeln!(mail, "{header}{body}\n").unwrap();
    }
    for (name, text) in [("a.txt", &text), ("a.mbox", &mail)] {
        fs::write(scratch.path().join(name), text).unwrap();
        let packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut packed = packed;
        packed.write_all(text.as_bytes()).unwrap();
        let gzip = format!("{name}.gz");
        fs::write(scratch.path().join(&gzip), packed.finish().unwrap()).unwrap();
        for (before, after) in [(0, 0), (2, 0), (0, 3), (1, 1)] {
            let numbers = [before.to_string(), after.to_string()];
            let args = ["--show-lines", "-n", "-B", &numbers[0], "-A", &numbers[1]];
            for file in [name, &*gzip] {
                for threads in ["-j1", "-j4"] {
                    let printed = printed(scratch.path(), &[&args[..], &[threads, file]].concat());
                    assert!(printed == expected(text, before, after), "{file} {args:?} {threads}");
                }
            }
        }
    }
}

/// A very long line is printed in pieces. Pieces without a URL are left out.
#[test]
fn a_long_line_takes_bounded_memory() {
    let scratch = tempfile::tempdir().unwrap();
    let mut text = vec![b'x'; 40 << 20];
    for at in [0, 20 << 20] {
        text[at..at + 18].copy_from_slice(b" http://host.dom/ ");
    }
    fs::write(scratch.path().join("a.txt"), text).unwrap();
    let printed = printed(scratch.path(), &["-C1", "-n", "a.txt"]);
    assert_eq!(printed.matches("http://host.dom/").count(), 2);
    assert!(
        printed
            .lines()
            .all(|line| line.starts_with("1:") || line.starts_with("1-") || line == "--")
    );
    assert!(printed.len() < 10 << 20, "{}", printed.len());
}

#[test]
fn file_is_not_read_after_its_last_url() {
    let scratch = tempfile::tempdir().unwrap();
    let mut text = File::create(scratch.path().join("a.txt")).unwrap();
    writeln!(text, "http://host.dom/1 http://host.dom/2 http://host.dom/3").unwrap();
    // The file is too large to be read as a whole.
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
fn pipe_is_not_read_after_its_last_url() {
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

/// Not a transcript, because `trycmd` drops escape sequences.
#[test]
fn links_contain_positions() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = scratch.path().canonicalize().unwrap();
    fs::write(directory.join("a b.txt"), "one\nat http://host.dom/\nthree\n").unwrap();
    let directory = directory.display();
    let link = |place: &str, text: &str| {
        format!("\x1b]8;;x:{directory}/a%20b.txt#{place}\x1b\\{text}\x1b]8;;\x1b\\")
    };
    let (path, number) = ("\x1b[35ma b.txt\x1b[0m", "\x1b[32m2\x1b[0m");
    let found = link("2:4", &format!("{path}:{number}"));
    let marked = "at \x1b[1;31mhttp://host.dom/\x1b[0m";
    for (args, expected) in [
        (&["-Hn"][..], format!("{found}:http://host.dom/\n")),
        (&["-Hn", "--show-lines"], format!("{found}:{marked}\n")),
        (&["-H", "-A1"], format!("{}:{marked}\n{}-three\n", link("2:4", path), link("3:1", path))),
        (&["-l"], format!("{}\n", link("1:1", path))),
        // Standard input gets no hyperlink.
        (&[], "http://host.dom/\n".to_owned()),
    ] {
        let always = ["--color=always", "--hyperlink-format=x:{path}#{line}:{column}", "a b.txt"];
        assert_eq!(printed(scratch.path(), &[args, &always].concat()), expected, "{args:?}");
    }
}
