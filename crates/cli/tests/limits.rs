//! Checks that every limit that is reached is counted in the summary and in `--stats`, and reported
//! once on standard error.

use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(directory: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(args).current_dir(directory).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the limits in the summary, which is the last line of an output.
fn limits(output: &Output) -> Value {
    let text = text(&output.stdout);
    let summary: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    summary["limits"].clone()
}

const HEAD: &str = "From: a@h.dom\nMessage-ID: <1@h.dom>\nMIME-Version: 1.0\n";

/// Returns a message of multiparts nested to this depth.
fn nested(levels: usize) -> String {
    let mut mail = HEAD.to_owned();
    for level in 0..levels {
        let _ = write!(mail, "Content-Type: multipart/mixed; boundary=b{level}x\n\n--b{level}x\n");
    }
    mail + "Content-Type: text/plain\n\nsee http://h.dom/a\n"
}

/// Returns a message of messages nested to this depth.
fn forwarded(levels: usize) -> String {
    let inner = "Content-Type: message/rfc822\n\nFrom: b@h.dom\nMIME-Version: 1.0\n";
    HEAD.to_owned() + &inner.repeat(levels) + "\nsee http://h.dom/a\n"
}

/// Returns a message with this number of parts.
fn parts(count: usize) -> String {
    let part = "--x\nContent-Transfer-Encoding: quoted-printable\n\nsee http://h.dom/=61\n";
    format!("{HEAD}Content-Type: multipart/mixed; boundary=x\n\n{}--x--\n", part.repeat(count))
}

/// Returns a message whose header is so long that its last field is read as part of the body.
fn long_header() -> String {
    let fields = "X-Filling: some words to fill a line of a header with, and then some more\n";
    format!("{HEAD}{}Subject: x\n\nsee http://h.dom/a\n", fields.repeat(20_000))
}

#[test]
fn each_limit_of_mail_is_counted_and_named_once() {
    let directory = tempfile::tempdir().unwrap();
    for (name, mail, below, said) in [
        ("nesting", nested(40), nested(30), "nested more than 32 levels deep"),
        ("nesting", forwarded(40), forwarded(30), "nested more than 32 levels deep"),
        ("parts", parts(10_020), parts(9_990), "more than 10000 parts"),
        ("header", long_header(), HEAD.to_owned() + "\nx\n", "longer than 1M"),
        (
            "url",
            format!("{HEAD}\nhttp://h.dom/{}\n", "a".repeat(70_000)),
            format!("{HEAD}\nhttp://h.dom/{}\n", "a".repeat(60_000)),
            "cut at 65536 bytes",
        ),
    ] {
        // The result is the same in a mailbox and in a separate file.
        let mbox = |mail: &str| format!("From a Thu Dec  1 10:00:00 1994\n{mail}\n").repeat(2);
        for (file, mail, count) in [("a.eml", mail.clone(), 1), ("a.mbox", mbox(&mail), 2)] {
            fs::write(directory.path().join(file), mail).unwrap();
            let output = run(directory.path(), &["scan", "--json", file]);
            assert_eq!(limits(&output), serde_json::json!({ name: count }), "{file}");
            let stderr = text(&output.stderr);
            assert!(stderr.contains(said) && stderr.lines().count() == 1, "{name}: {stderr}");
            let output = run(directory.path(), &["scan", "--stats", file]);
            let stats = format!("{count} cut at a limit: {name}\n");
            assert!(text(&output.stderr).contains(&stats), "{output:?}");
            if name == "url" {
                continue;
            }
            let output = run(directory.path(), &["lint", "--json", file]);
            assert_eq!(limits(&output), serde_json::json!({ name: count }), "lint {file}");
            let stderr = text(&output.stderr);
            assert!(stderr.contains(said) && stderr.lines().count() == 1, "{name}: {stderr}");
        }
        for (file, mail) in [("a.eml", below.clone()), ("a.mbox", mbox(&below))] {
            fs::write(directory.path().join(file), mail).unwrap();
            for subcommand in ["scan", "lint"] {
                let output = run(directory.path(), &[subcommand, "--json", file]);
                assert_eq!(limits(&output), Value::Null, "{subcommand} {name} in {file}");
                assert_eq!(text(&output.stderr), "", "{subcommand} {name} in {file}");
            }
        }
    }
}

#[test]
fn each_limit_of_compression_is_an_error_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let mut layers = b"see http://h.dom/a now\n".to_vec();
    for layer in 1..=6 {
        let mut gzip = Command::new("gzip");
        let gzip = gzip.arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = gzip.spawn().unwrap();
        child.stdin.take().unwrap().write_all(&layers).unwrap();
        layers = child.wait_with_output().unwrap().stdout;
        fs::write(directory.path().join("a.gz"), &layers).unwrap();
        let output = run(directory.path(), &["scan", "--json", "a.gz"]);
        if layer <= 4 {
            assert!(output.status.success(), "{layer}: {output:?}");
            assert_eq!(limits(&output), Value::Null);
            continue;
        }
        assert_eq!(output.status.code(), Some(2), "{layer}");
        assert_eq!(limits(&output), serde_json::json!({ "packing": 1 }), "{layer}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains("a.gz: is compressed more than 4 times"), "{stderr}");
    }
    fs::write(directory.path().join("big"), "x\n".repeat(200_000)).unwrap();
    let gzip = Command::new("gzip").arg("big").current_dir(directory.path()).status();
    assert!(gzip.unwrap().success());
    let output = run(directory.path(), &["scan", "--json", "--max-expand", "1K", "big.gz"]);
    assert_eq!(limits(&output), serde_json::json!({ "expansion": 1 }));
    assert!(text(&output.stderr).contains("--max-expand"), "{output:?}");
}

#[test]
fn groups_beyond_the_memory_are_left_out_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let hosts: String = (0..500).map(|n| format!("http://h{n}.dom/ http://h0.dom/\n")).collect();
    fs::write(directory.path().join("a.txt"), hosts).unwrap();
    let args = ["scan", "--by", "host", "--json", "a.txt"];
    let output = run(directory.path(), &args);
    assert_eq!(limits(&output), Value::Null);
    assert_eq!(text(&output.stdout).lines().count(), 501);
    let output = run(directory.path(), &[&args[..], &["--max-memory", "20K"]].concat());
    let lines = text(&output.stdout);
    let listed = lines.lines().count() as u64 - 1;
    assert!((10..400).contains(&listed), "{listed}");
    assert_eq!(limits(&output), serde_json::json!({ "groups": 500 - listed }));
    assert!(text(&output.stderr).contains("--max-memory"), "{output:?}");
    // Groups that are already listed are counted to the end.
    assert!(lines.starts_with(r#"{"type":"group","by":"host","key":"h0.dom","count":501,"#));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn urls_beyond_the_memory_may_be_printed_again_and_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let urls: String = (0..500).map(|n| format!("http://h{n}.dom/ http://h0.dom/\n")).collect();
    fs::write(directory.path().join("a.txt"), urls.repeat(2)).unwrap();
    let messages: String = (0..500)
        .map(|n| {
            format!(
                "From a Thu Jan  1 00:00:00 1998\nMessage-ID: <{n}@h.dom>\n\nhttp://h{n}.dom/\n\n"
            )
        })
        .collect();
    fs::write(directory.path().join("a.mbox"), messages.repeat(2)).unwrap();
    for (args, is_whole) in [
        (["scan", "--unique", "--json", "a.txt"], false),
        (["scan", "--unique=count", "--json", "a.txt"], true),
        (["scan", "--dedupe", "--json", "a.mbox"], false),
    ] {
        let output = run(directory.path(), &args);
        assert_eq!(limits(&output), Value::Null, "{args:?}");
        assert_eq!(text(&output.stdout).lines().count(), 501, "{args:?}");
        let output = run(directory.path(), &[&args[..], &["--max-memory", "20K"]].concat());
        let listed = text(&output.stdout).lines().count() as u64 - 1;
        let known = if is_whole { listed } else { 1000 - listed };
        assert!((10..450).contains(&known), "{args:?}: {listed}");
        // Each of the others occurs twice.
        assert_eq!(limits(&output), serde_json::json!({ "unique": 2 * (500 - known) }), "{args:?}");
        assert!(text(&output.stderr).contains("--max-memory"), "{args:?}: {output:?}");
        // The first URL is remembered to the end.
        let first = text(&output.stdout).lines().filter(|line| line.contains("/h0.dom/")).count();
        assert_eq!((first, output.status.code()), (1, Some(0)), "{args:?}");
    }
    let args = ["scan", "-c", "--unique", "--max-memory", "20K", "a.txt", "a.txt"];
    let output = run(directory.path(), &args);
    // The memory is free again for the next file.
    let lines = text(&output.stdout);
    let counts: Vec<&str> = lines.lines().filter_map(|line| line.strip_prefix("a.txt:")).collect();
    assert!(counts.len() == 2 && counts[0] == counts[1] && counts[0] != "500", "{output:?}");
}

/// A pipe on file descriptor 0 is read even without /proc and /dev.
#[test]
#[cfg(target_os = "linux")]
#[expect(clippy::print_stdout, reason = "says why nothing was tested")]
fn a_pipe_is_read_without_proc_and_dev() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    // The program and its libraries are copied.
    let program = env!("CARGO_BIN_EXE_urlsift");
    let listed = Command::new("ldd").arg(program).output().unwrap();
    let listed = text(&listed.stdout);
    let libraries = listed.split_whitespace().filter(|word| word.starts_with('/'));
    for file in libraries.chain([program]) {
        let to = root.join(file.trim_start_matches('/'));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(file, to).unwrap();
    }
    fs::write(root.join("a.txt"), "see http://h.dom/file now\n").unwrap();
    let chroot = |args: &[&str], input: &str| {
        let mut command = Command::new("unshare");
        command.args(["-r", "chroot"]).arg(root).arg(program).args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let _ = child.stdin.take()?.write_all(input.as_bytes());
        child.wait_with_output().ok()
    };
    let works = chroot(&["--version"], "").is_some_and(|output| output.status.success());
    if !works {
        println!("not tested, because no user may change the root here");
        return;
    }
    let piped = "see http://h.dom/pipe and http:/h.dom/b now\n";
    let output = chroot(&["scan"], piped).unwrap();
    assert_eq!(text(&output.stdout), "http://h.dom/pipe\n", "{output:?}");
    let output = chroot(&["lint"], piped).unwrap();
    assert!(text(&output.stdout).contains("single-slash"), "{output:?}");
    let output = chroot(&["parse"], "http://h.dom/\n").unwrap();
    assert!(output.status.success(), "{output:?}");
    // An output file gets its name without /proc.
    let output = chroot(&["scan", "a.txt", "-o", "out.txt"], "").unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(root.join("out.txt")).unwrap(), "http://h.dom/file\n");
    let output = chroot(&["lint", "--unsafe-fixes", "-"], piped).unwrap();
    assert!(text(&output.stdout).starts_with("see http://h.dom/pipe and http://h.dom/b"));
}
