//! Tests reading a public-inbox from repositories that are created with git. The tests are skipped
//! with a message if git is not installed.
#![cfg(feature = "git")]
#![expect(clippy::print_stdout, reason = "skipped tests are reported")]

mod common;

use common::output_of;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A commit: the files that it writes, or deletes if the text is `None`.
type Commit<'c> = &'c [(&'c str, Option<&'c str>)];

fn message(number: u32) -> String {
    format!(
        "From: joe@host.dom\nSubject: {number}\nMessage-ID: <{number}@host.dom>\n\
         Content-Transfer-Encoding: quoted-printable\n\nhttp://h=\nost.dom/{number}\n\n\
         From here on http://host.dom/{number}?a=3Db is all.\n"
    )
}

fn git(folder: &Path, args: &[&str], stdin: &[u8]) -> Option<Output> {
    let mut git = Command::new("git");
    let output = output_of(git.args(args).current_dir(folder).env_remove("GIT_DIR"), stdin)
        .map_err(|error| println!("skipped: cannot run git: {error}"))
        .ok()?;
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(output)
}

/// Creates the repository `name` in `folder` from commits. Returns `None` if git is missing.
fn repository(folder: &Path, name: &str, commits: &[Commit<'_>], packed: bool) -> Option<String> {
    git(folder, &["init", "-q", "--bare", "-b", "master", name], b"")?;
    let mut stream = String::new();
    for files in commits {
        stream.push_str("commit refs/heads/master\ncommitter Joe <joe@host.dom> 786276000 +0000\n");
        stream.push_str("data 1\nx\n");
        for (path, text) in *files {
            match text {
                Some(text) => {
                    let len = text.len();
                    write!(stream, "M 100644 inline {path}\ndata {len}\n{text}\n").unwrap();
                }
                None => writeln!(stream, "D {path}").unwrap(),
            }
        }
        stream.push('\n');
    }
    let path = folder.join(name);
    git(&path, &["fast-import", "--quiet"], stream.as_bytes())?;
    if packed {
        git(&path, &["gc", "-q"], b"")?;
        assert!(path.join("packed-refs").exists());
    }
    Some(path.to_str().unwrap().to_owned())
}

/// Runs a scan. Returns its JSON output, exit code and standard error.
fn scan(args: &[&str]) -> (Vec<Value>, Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_urlsift"))
        .args([&["scan", "--format", "jsonl"], args].concat())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let records = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (records, output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Returns the URLs of the records. Checks that each URL is at the offsets of its record in the
/// blob that `member` names.
fn urls(repository: &str, records: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    for record in records.iter().filter(|record| record["type"] == "url") {
        let blob = record["member"].as_str().unwrap();
        let bytes = git(Path::new(repository), &["cat-file", "blob", blob], b"").unwrap().stdout;
        let at = |name: &str| usize::try_from(record[name].as_u64().unwrap()).unwrap();
        let raw = String::from_utf8_lossy(&bytes[at("start")..at("end")]).into_owned();
        let url = record["url"].as_str().unwrap();
        assert_eq!(raw.replace("=\n", "").replace("=3D", "="), url);
        assert_eq!(record["path"], repository);
        let number = url.trim_end_matches("?a=b").rsplit('/').next().unwrap();
        assert_eq!(record["message"]["id"], format!("<{number}@host.dom>"));
        found.push(url.replace("http://host.dom/", ""));
    }
    found
}

#[test]
fn version_1_is_read_by_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = [1, 2, 3].map(message);
    let (a, b) =
        ("0a/11111111111111111111111111111111111111", "ff/22222222222222222222222222222222222222");
    let commits: [Commit<'_>; 3] = [
        &[(b, Some(&one)), (a, Some(&two))],
        &[("7f/33333333333333333333333333333333333333", Some(&three))],
        &[("7f/33333333333333333333333333333333333333", None)],
    ];
    for packed in [false, true] {
        let name = if packed { "packed.git" } else { "loose.git" };
        let Some(path) = repository(folder.path(), name, &commits, packed) else { return };
        for threads in ["1", "2"] {
            let (records, code, errors) = scan(&["-j", threads, &path]);
            assert_eq!(urls(&path, &records), ["2", "2?a=b", "1", "1?a=b"], "{errors}");
            let summary = records.last().unwrap();
            assert_eq!((&summary["messages"], &summary["files"]), (&2.into(), &1.into()));
            assert_eq!(code, Some(0));
        }
    }
}

#[test]
fn version_2_is_read_by_its_commits() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three, four] = [1, 2, 3, 4].map(message);
    let commits: [Commit<'_>; 7] = [
        &[("m", Some(&one))],
        &[("m", Some(&two))],
        &[("m", None), ("d", Some(&one))],
        &[("d", None), ("m", Some(&three))],
        // The tree can keep the file that was added last.
        &[("d", Some(&three))],
        &[("d", None), ("m", Some(&four))],
        // A purged message leaves a commit without files.
        &[("m", None)],
    ];
    for packed in [false, true] {
        let name = if packed { "packed.git" } else { "loose.git" };
        let Some(path) = repository(folder.path(), name, &commits, packed) else { return };
        let (records, code, errors) = scan(&[&path]);
        assert_eq!(urls(&path, &records), ["2", "2?a=b", "4", "4?a=b"], "{errors}");
        assert_eq!(code, Some(0));
        // If a directory contains a public-inbox, its files are read one by one.
        let (records, ..) = scan(&[folder.path().to_str().unwrap()]);
        assert!(records.iter().all(|record| record.get("member").is_none()));
    }
}

#[test]
fn bad_repositories_are_named_and_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let one = message(1);
    let commits: [Commit<'_>; 1] = [&[("m", Some(&one))]];
    let Some(good) = repository(folder.path(), "good.git", &commits, false) else { return };
    let empty = repository(folder.path(), "empty.git", &[], false).unwrap();
    let broken = repository(folder.path(), "broken.git", &commits, true).unwrap();
    for pack in fs::read_dir(Path::new(&broken).join("objects/pack")).unwrap() {
        fs::remove_file(pack.unwrap().path()).unwrap();
    }
    let lost = repository(folder.path(), "lost.git", &commits, false).unwrap();
    let blob = git(Path::new(&lost), &["rev-parse", "master:m"], b"").unwrap().stdout;
    let blob = String::from_utf8(blob).unwrap();
    let (start, end) = blob.trim().split_at(2);
    fs::remove_file(Path::new(&lost).join("objects").join(start).join(end)).unwrap();
    let code = repository(
        folder.path(),
        "code.git",
        &[&[("README", Some("Read http://host.dom/1"))]],
        false,
    );
    let code = code.unwrap();
    let (records, exit, errors) = scan(&[&empty, &broken, &lost, &code, &good]);
    let failed: Vec<_> = records.iter().filter(|record| record["type"] == "error").collect();
    let paths: Vec<_> = failed.iter().map(|record| record["path"].as_str().unwrap()).collect();
    assert_eq!(paths, [&empty, &broken, &lost], "{errors}");
    assert_eq!(failed[2]["member"], blob.trim());
    for path in paths {
        assert!(errors.lines().any(|line| line.contains(path)), "{errors}");
    }
    // Other repositories are read as directories.
    assert!(records.iter().all(|record| record["path"] != code));
    let records: Vec<_> = records.into_iter().filter(|record| record["path"] == good).collect();
    assert_eq!(urls(&good, &records), ["1", "1?a=b"]);
    assert_eq!(exit, Some(2));
}
