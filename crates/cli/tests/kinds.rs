//! Checks that the detected format of a file doesn't depend on how it is read or on pauses in a
//! pipe.

mod common;

use common::output_of;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use urlsift_archive::Head;

/// Documents whose format is recognized late: the name, the start, a line that is repeated, the
/// end, and a URL that is found only if the format is recognized.
const LATE: [(&str, &str, &str, &str, &str); 4] = [
    (
        "a",
        "Received: x\n",
        " folded\n",
        concat!("Content-Transfer-Encoding: base64\n\n", "aHR0cDovL3d3dy4uZGVlcC5kb20vIAo=\n"),
        "http://www..deep.dom/",
    ),
    (
        "a.eml",
        "X-B: x\n",
        " folded\n",
        concat!("Content-Transfer-Encoding: base64\n\n", "aHR0cDovL3d3dy4uZGVlcC5kb20vIAo=\n"),
        "http://www..deep.dom/",
    ),
    (
        "a.html",
        "text\n",
        "word\n",
        "<a href=\"http://www..deep.dom/a b\">x</a>\n",
        "http://www..deep.dom/a b",
    ),
    (
        "a",
        "<html>\n",
        "word\n",
        "<a href=\"http://www..deep.dom/a b\">x</a>\n",
        "http://www..deep.dom/a b",
    ),
];

fn command(args: &[&str], path: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(args).arg(path);
    command
}

/// Returns the URLs of the records or diagnostics in an output.
fn urls(output: &[u8]) -> Vec<String> {
    let lines = std::str::from_utf8(output).unwrap().lines();
    let values = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let found = values.filter(|value| matches!(value["type"].as_str(), Some("url" | "diagnostic")));
    found.filter_map(|value| value["url"].as_str().map(str::to_owned)).collect()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

#[test]
fn files_packed_files_units_and_lint_agree() {
    const SCAN: [&str; 5] = ["scan", "--format", "jsonl", "--malformed", "include"];
    for (name, start, line, end, url) in LATE {
        for len in [1000, Head::LEN - 2000, Head::LEN + 2000, (1 << 20) - 4000] {
            // If the name doesn't help and the format is visible only after the examined bytes, the
            // document is plain text in every case.
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            let document = [start, &line.repeat(len / line.len()), end].concat();
            fs::write(&path, &document).unwrap();
            let scanned = urls(&command(&SCAN, &path).output().unwrap().stdout);
            let is_known = len < Head::LEN || start != "Received: x\n";
            assert_eq!(scanned.iter().any(|it| it == url), is_known, "{name} {start} {len}");
            let gz = folder.path().join(format!("{name}.gz"));
            fs::write(&gz, packed(document.as_bytes())).unwrap();
            let way =
                |mut command: Command, stdin: &[u8]| output_of(&mut command, stdin).unwrap().stdout;
            assert_eq!(urls(&way(command(&SCAN, &gz), b"")), scanned, "gz {name} {start} {len}");
            let listed = way(command(&["units", "--size", "64K"], &path), b"");
            let units = way(command(&[&SCAN[..], &["--units"]].concat(), Path::new("-")), &listed);
            assert_eq!(urls(&units), scanned, "units {name} {start} {len}");
            if name == "a" {
                let stdin = way(command(&SCAN, Path::new("-")), document.as_bytes());
                assert_eq!(urls(&stdin), scanned, "stdin {start} {len}");
            }
            let linted = way(command(&["lint", "--format", "jsonl"], &path), b"");
            let is_linted = urls(&linted).iter().any(|it| it.contains("deep"));
            assert_eq!(is_linted, is_known || end.starts_with('<'), "lint {name} {start} {len}");
        }
    }
}

#[test]
fn pause_does_not_change_the_type() {
    let first_lines = [
        (
            "Received: x\n",
            "From: joe@h.dom\nContent-Transfer-Encoding: base64\n\naHR0cDovL2RlZXAuZG9tLyA=\n",
        ),
        ("\n", "<html><a href='http&#58;//deep.dom/'>x</a>\n"),
        ("<!-- a\n", "--><html><a href='http&#58;//deep.dom/'>x</a>\n"),
        ("[\n", "{\"a\":\"http:\\/\\/deep.dom\\/\"}]\n"),
    ];
    for (first, rest) in first_lines {
        let scan = ["scan", "--format", "jsonl"];
        let expected =
            output_of(&mut command(&scan, Path::new("-")), [first, rest].concat().as_bytes());
        let mut paused = command(&scan, Path::new("-"));
        let mut child = paused.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(first.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        input.write_all(rest.as_bytes()).unwrap();
        drop(input);
        let found = urls(&child.wait_with_output().unwrap().stdout);
        assert_eq!(found, urls(&expected.unwrap().stdout), "{first}");
        assert!(found[0].starts_with("http://deep.dom"), "{first} {found:?}");
    }
}
