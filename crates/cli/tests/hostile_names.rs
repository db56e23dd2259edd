//! Checks that no output of any subcommand contains a control character of a file name or header
//! field.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A name with ESC, BEL, a line break, DEL, and U+009B, the one-character CSI.
const EVIL: &str = "\u{1b}]0;x\u{7}\n\u{7f}\u{9b}2J";

fn run(directory: &Path, args: &[&str], stdin: &str) -> Output {
    use std::io::Write as _;
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(args).current_dir(directory).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that doesn't read its input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

/// Returns the control characters of an output, except those that end its lines and fields.
fn controls(output: &[u8]) -> Vec<char> {
    let text = String::from_utf8_lossy(output);
    text.chars().filter(|&c| c.is_control() && c != '\n' && c != '\t').collect()
}

#[test]
fn no_output_has_control_characters_of_names_or_headers() {
    let header = EVIL.replace('\n', "");
    let mail = format!(
        "From joe@h.dom Thu Dec  1 10:00:00 1994\nFrom: {header} <joe@h.dom>\n\
         Message-ID: <{header}@h.dom>\nNewsgroups: a{header}\nList-Id: <{header}.h.dom>\n\
         Subject: {header} =?utf-8?q?=1b]0;y=07?= http://h.dom/s\nDate: {header}\n\
         X-URL: http://h.dom/{header}\n\nsee http://h.dom/a and http:/h.dom/b\n"
    );
    let page = format!("see http:/h.dom/c and <a href=\"http://h.dom/{header}\">x</a>\n");
    let directory = tempfile::tempdir().unwrap();
    let inside = directory.path().join(format!("in{EVIL}side"));
    fs::create_dir(&inside).unwrap();
    let [mail_name, page_name] = ["mbox", "html"].map(|end| format!("b{EVIL}.{end}"));
    fs::write(inside.join(&mail_name), &mail).unwrap();
    fs::write(inside.join(&page_name), &page).unwrap();
    fs::write(inside.join("urlsift.toml"), "strict = true\n").unwrap();
    let name = inside.to_str().unwrap();
    let file = inside.join(&mail_name);
    let file = file.to_str().unwrap();
    let missing = format!("none{EVIL}");
    let runs: Vec<Vec<&str>> = vec![
        vec!["scan", "-H", "-n", name],
        vec!["scan", "-l", name],
        vec!["scan", "-c", name],
        vec!["scan", "--files-without-match", name],
        vec!["scan", "--headers", "all", "--malformed", "include", name],
        vec!["scan", "--json", "--with", "from,subject,organization", name],
        vec!["scan", "--format", "csv", name],
        vec!["scan", "--format", "tsv", name],
        vec!["scan", "--format", "cdx", name],
        vec!["scan", "--by", "newsgroup", name],
        vec!["scan", "--by", "list", "--format", "jsonl", name],
        vec!["scan", "--unique=count", name],
        vec!["scan", "--color", "never", "-H", "--stats", name],
        vec!["scan", &missing],
        vec!["scan", name, "-o", &missing, "--stats"],
        vec!["scan", name, "-o", name],
        vec!["scan", "--units", &missing],
        vec!["scan", "--files-from", &missing],
        vec!["scan", "--hash-key", &missing],
        vec!["scan", "--glob", &header, "--since", &header, name],
        vec!["report", name],
        vec!["report", &missing],
        vec!["lint", name],
        vec!["lint", "--format", "concise", name],
        vec!["lint", "--format", "jsonl", name],
        vec!["lint", "--format", "sarif", name],
        vec!["lint", "--format", "github", name],
        vec!["lint", "--format", "gitlab", name],
        vec!["lint", "--format", "checkstyle", name],
        vec!["lint", "--format", "rdjson", name],
        vec!["lint", "--statistics", name],
        vec!["lint", "--show-settings", name, file],
        vec!["lint", "--diff", "--unsafe-fixes", name],
        vec!["lint", "--stdin-filename", &missing],
        vec!["lint", "--stdin-filename", &missing, "--diff", "--unsafe-fixes"],
        vec!["lint", "--config", &missing, name],
        vec!["lint", "--baseline", &missing, name],
        vec!["lint", &missing],
        vec!["units", name],
        vec!["units", "--format", "tsv", name],
        vec!["units", &missing],
        vec!["parse", &header],
        vec!["parse", "--json", &header],
        vec!["explain", &header],
        vec!["man", &header],
        #[cfg(feature = "pick")]
        vec!["pick", "--list", file],
        #[cfg(feature = "pick")]
        vec!["pick", "--list", &missing],
    ];
    let mut bad = Vec::new();
    for args in runs {
        let output = run(directory.path(), &args, &page);
        for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            // The lines of a patch must be exact, so only the file names in it are checked.
            let names: Vec<u8>;
            let is_patch = args.contains(&"--diff") && stream == "stdout";
            let bytes = if is_patch {
                let lines = bytes.split_inclusive(|byte| *byte == b'\n');
                names = lines
                    .filter(|line| line.starts_with(b"--- ") || line.starts_with(b"+++ "))
                    .flatten()
                    .copied()
                    .collect();
                assert!(!names.is_empty(), "{args:?}");
                &names
            } else {
                bytes
            };
            let found = controls(bytes);
            // A name must not break a line, either.
            let torn = String::from_utf8_lossy(bytes).contains("\n\u{7f}");
            if !found.is_empty() || torn {
                bad.push(format!("{args:?} {stream}: {found:?} {torn}"));
            }
        }
        assert!(!(output.stdout.is_empty() && output.stderr.is_empty()), "{args:?}");
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn units_of_a_hostile_name_are_found_again() {
    let directory = tempfile::tempdir().unwrap();
    let name = format!("b{EVIL}\\\t.txt");
    fs::write(directory.path().join(&name), "see http://h.dom/a now\n").unwrap();
    for format in ["jsonl", "tsv"] {
        let list = run(directory.path(), &["units", "--format", format, &name], "");
        assert_eq!(memchr::memchr_iter(b'\n', &list.stdout).count(), 1, "{list:?}");
        let list = String::from_utf8(list.stdout).unwrap();
        let found = run(directory.path(), &["scan", "--units", "-"], &list);
        assert_eq!(found.stdout, b"http://h.dom/a\n", "{format}: {list:?} {found:?}");
    }
}
