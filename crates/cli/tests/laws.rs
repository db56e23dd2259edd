//! Checks that a file gives the same records, byte for byte, as a whole, in units, from a stream
//! and from a compressed stream, with any number of threads.

mod common;

use common::output_of;
use proptest::prelude::*;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Run {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

fn run<A: AsRef<OsStr>>(args: &[A], stdin: &[u8]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    let output = output_of(command.args(args), stdin).unwrap();
    Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
    }
}

/// Returns the URL records of a run, without their paths.
fn records(run: &Run, path: &str) -> Vec<String> {
    let path = format!("\"path\":{},", serde_json::to_string(path).unwrap());
    let urls = run.stdout.lines().filter(|line| line.starts_with("{\"type\":\"url\""));
    urls.map(|line| line.replacen(&path, "", 1)).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// Scans a file in every way, checks that the records are always the same, and returns them.
fn every_way(bytes: &[u8], input: &str, sizes: &[usize]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, bytes).unwrap();
    let name = file.to_str().unwrap();
    let scan = ["scan", "--format", "jsonl", "--malformed", "include", "--input", input];
    let with = |more: &[&str]| {
        [&scan[..], more].concat().iter().map(|&arg| arg.to_owned()).collect::<Vec<String>>()
    };
    let whole = run(&with(&["-j1", name]), b"");
    let expected = records(&whole, name);
    for threads in ["-j2", "-j7"] {
        let other = run(&with(&[threads, name]), b"");
        assert_eq!(other.stdout, whole.stdout, "{threads}");
    }
    for threads in ["-j1", "-j3"] {
        assert_eq!(records(&run(&with(&[threads, "-"]), bytes), "-"), expected, "stream {threads}");
    }
    assert_eq!(records(&run(&with(&["-"]), &gzip(bytes)), "-"), expected, "gzip");
    for size in sizes {
        for format in ["jsonl", "tsv"] {
            let size = size.to_string();
            let args = ["units", name, "--size", &size, "--input", input, "--format", format];
            let units = run(&args, b"");
            assert_eq!(units.code, Some(0), "{}", units.stderr);
            let split = run(&with(&["-j2", "--units", "-"]), units.stdout.as_bytes());
            assert_eq!(split.stderr, "");
            assert_eq!(records(&split, name), expected, "units of {size}, {format}");
        }
    }
    expected
}

/// Returns lines of prose with URLs of all forms, some of them broken. The text is always the same.
fn prose(lines: usize) -> String {
    let mut out = String::new();
    for n in 0..lines {
        match n % 7 {
            0 => writeln!(out, "See http://www.host{n}.dom/a/b/{n}.html for the rest.").unwrap(),
            1 => {
                write!(out, "> It is at <URL:ftp://ftp.host.dom/pub/\n> doc/{n}-\n> x.txt> now.\n")
                    .unwrap();
            }
            2 => {
                out +=
                    "Nothing but words stands on this line, and no more on the next one: a b c.\n";
            }
            3 => {
                writeln!(out, "mailto:joe{n}@host.dom, news:comp.group{n}; http://bad.dom:x/{n}")
                    .unwrap();
            }
            4 => out += "\n\n",
            5 => write!(out, "URL:gopher://g.host.dom/1{n} {}", "word ".repeat(n % 50)).unwrap(),
            _ => out += "From here on it is only text, whatever it looks like.\n",
        }
    }
    out
}

fn mailbox(messages: usize) -> String {
    let mut out = String::new();
    for n in 0..messages {
        let day = n % 28 + 1;
        write!(
            out,
            "From joe@host.dom Thu Dec {day:2} 10:00:00 1994\nFrom: joe@host.dom\n\
             Date: {day} Dec 1994 10:00:00 +0100\nMessage-ID: <{n}@host.dom>\nSubject: {n}\n"
        )
        .unwrap();
        if n % 5 == 0 {
            out += "Content-Transfer-Encoding: quoted-printable\n\n";
            write!(out, "http://www.host=\n.dom/?a=3D{n} and\n").unwrap();
        } else {
            out.push('\n');
        }
        out += &prose(n % 11).replace("\nFrom ", "\n>From ");
        out += "\n";
    }
    out
}

#[test]
fn a_text_is_the_same_in_every_way() {
    let small = prose(300);
    assert!(every_way(small.as_bytes(), "text", &[97, 1000, 5000]).len() > 200);
}

#[test]
fn a_text_of_many_units_is_the_same_in_every_way() {
    let big = prose(95_000);
    assert!(big.len() > 5 << 20);
    assert!(every_way(big.as_bytes(), "text", &[700_000]).len() > 40_000);
}

#[test]
fn a_text_of_one_line_is_the_same_in_every_way() {
    let mut line = prose(40_000).replace('\n', " ");
    line.truncate(3 << 20);
    assert!(every_way(line.as_bytes(), "text", &[1_000_000]).len() > 20_000);
}

#[test]
fn a_mailbox_is_the_same_in_every_way() {
    let small = mailbox(60);
    assert!(every_way(small.as_bytes(), "auto", &[1, 500, 5000]).len() > 100);
    let big = mailbox(16_000);
    assert!(big.len() > 5 << 20);
    assert!(every_way(big.as_bytes(), "auto", &[800_000]).len() > 30_000);
}

#[test]
fn a_listserv_notebook_is_the_same_in_every_way() {
    let rule = "=".repeat(73);
    let notebook: String = mailbox(60)
        .lines()
        .map(|line| if line.starts_with("From joe") { &rule } else { line })
        .flat_map(|line| [line, "\r\n"])
        .collect();
    let found = every_way(notebook.as_bytes(), "auto", &[1, 500, 5000]);
    assert!(found.len() > 100);
    assert!(found.iter().all(|record| record.contains("\"message\":{\"id\":\"<")));
}

#[test]
fn order_is_that_of_the_input() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..300 {
        let text = format!("http://host.dom/{n}\n").repeat(if n == 150 { 150_000 } else { 1 });
        fs::write(folder.path().join(n.to_string()), text).unwrap();
    }
    let scan = |threads: &str| {
        run(&[OsStr::new("scan"), OsStr::new(threads), folder.path().as_os_str()], b"").stdout
    };
    let one = scan("-j1");
    let first: Vec<_> = one.lines().take(3).collect();
    assert_eq!(first, ["http://host.dom/0", "http://host.dom/1", "http://host.dom/2"]);
    assert_eq!(one.lines().count(), 299 + 150_000);
    for threads in ["-j2", "-j8"] {
        assert!(scan(threads) == one, "{threads}");
    }
}

/// Files listed by a directory are read ahead; files that are named one by one are not.
#[test]
fn files_are_the_same_listed_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let blocks =
        [0, 1, 40, 511, 512, 513, 1024, 3000, 8000, 20_000, 32_767, 32_768, 32_769, 300_000];
    let mut paths = vec![OsString::from("scan"), "-H".into(), "-j1".into()];
    for (n, &len) in (0..600).zip(blocks.iter().cycle()) {
        let url = format!("http://host.dom/{n}/{len}\n");
        let text: Vec<u8> = url.bytes().cycle().take(len).collect();
        let path = folder.path().join(n.to_string());
        fs::write(&path, if n % 29 == 3 { gzip(&text) } else { text }).unwrap();
        paths.push(path.into());
    }
    let named = run(&paths, b"");
    assert!(named.stdout.lines().count() > 600_000, "{}", named.stdout.lines().count());
    for threads in ["-j1", "-j2", "-j8"] {
        let args = ["scan".as_ref(), "-H".as_ref(), threads.as_ref(), folder.path().as_os_str()];
        let listed = run(&args, b"");
        assert!(listed.stdout == named.stdout, "{threads}");
        assert_eq!((listed.stderr, listed.code), (named.stderr.clone(), named.code), "{threads}");
    }
}

#[test]
fn other_files_are_scanned_when_one_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good");
    fs::write(&good, "http://host.dom/\n").unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("link", &link).unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "http://other.dom/\n").unwrap();
    fs::set_permissions(&secret, std::os::unix::fs::PermissionsExt::from_mode(0o0)).unwrap();
    // The superuser can read every file.
    let refused = usize::from(fs::read(&secret).is_err());
    let paths: Vec<PathBuf> = vec!["scan".into(), link, secret, good];
    let run = run(&paths, b"");
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.ends_with("http://host.dom/\n"), "{}", run.stdout);
    assert_eq!(run.stderr.lines().count(), 1 + refused, "{}", run.stderr);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, prose(20_000)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_urlsift"))
        .args([OsStr::new("scan"), file.as_os_str()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn signals_end_with_what_was_found() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_urlsift"))
            .args(["scan", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // Write enough bytes for a unit to be scanned. Then the stream stays open without further
        // bytes.
        input.write_all(&prose(40_000).into_bytes()).unwrap();
        input.flush().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        std::thread::sleep(std::time::Duration::from_millis(50));
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}");
        assert!(output.stdout.starts_with(b"http://www.host0.dom/a/b/0.html\n"), "{signal}");
    }
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name)
}

#[test]
fn completions_and_manuals_are_made() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let made = run(&["completions", shell], b"");
        assert!(made.code == Some(0) && made.stdout.contains("max-expand"), "{shell}");
    }
    let overview = run(&["man"], b"");
    assert!(overview.stdout.contains(".TH urlsift 1") && overview.stdout.contains("scan"));
    for name in ["scan", "lint", "parse", "explain", "units", "completions", "man"] {
        let page = run(&["man", name], b"");
        assert_eq!(page.code, Some(0), "{name}");
        assert!(page.stdout.contains(".SH OPTIONS"), "{name}");
    }
}

#[test]
fn nothing_in_the_corpus_panics() {
    for input in ["auto", "text", "mail", "html", "markdown", "rst", "binary"] {
        // Without optional features, Outlook messages and PDF files are reported as unreadable.
        let args: [&OsStr; 10] = [
            "scan".as_ref(),
            "--glob=!*.msg".as_ref(),
            "--glob=!*.pdf".as_ref(),
            "--input".as_ref(),
            input.as_ref(),
            "--format".as_ref(),
            "jsonl".as_ref(),
            "--headers".as_ref(),
            "all".as_ref(),
            corpus("").into_os_string().leak(),
        ];
        let run = run(&args, b"");
        // Compressed pages are cut if web archives are read as such.
        let is_said = |line: &str| line.contains("pages were read only in part");
        let others: Vec<&str> = run.stderr.lines().filter(|line| !is_said(line)).collect();
        assert_eq!((run.code, others), (Some(0), vec![]), "{input}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn records_parse_and_lead_back(parts in prop::collection::vec(
        prop_oneof![
            "[ -~\n]{0,30}",
            Just("http://host.dom/a ".to_owned()),
            Just("<URL:ftp://h.dom/x-\n y>".to_owned()),
            Just("> <http://h.dom/\n> b> \u{e9}\u{3042}".to_owned()),
            Just("mailto:joe@h.dom\n".to_owned()),
        ],
        0..40,
    )) {
        let text = parts.concat();
        let args =
            ["scan", "-", "--format", "jsonl", "--input", "text", "--malformed", "include"];
        let run = run(&args, text.as_bytes());
        let mut last = 0;
        for line in run.stdout.lines() {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            if record["type"] == "summary" {
                continue;
            }
            let at = |value: &serde_json::Value| usize::try_from(value.as_u64().unwrap()).unwrap();
            let (start, end) = (at(&record["start"]), at(&record["end"]));
            prop_assert!(last <= start);
            last = end;
            let mut url = Vec::new();
            let mut from = start;
            for join in record["joins"].as_array().unwrap() {
                url.extend_from_slice(&text.as_bytes()[from..at(&join["start"])]);
                from = at(&join["end"]);
            }
            url.extend_from_slice(&text.as_bytes()[from..end]);
            let url = String::from_utf8(url).unwrap();
            prop_assert!(
                record["readings"].as_array().unwrap().iter().any(|reading| *reading == *url),
                "{line}"
            );
            let before = &text.as_bytes()[..start];
            let breaks = before.split(|&byte| byte == b'\n').count() - 1;
            prop_assert_eq!(at(&record["line"]), breaks + 1);
            let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            prop_assert_eq!(at(&record["column"]), start - line_start + 1);
        }
    }
}
