//! Checks the statements about urlsift and other crates in docs/src/explanation/comparison.md.

use std::fs;
use urlsift_benches::peers;
use urlsift_core::Profile;
use urlsift_scanner::Scanner;

/// Returns the URLs that urlsift reports by default.
fn urlsift(text: &str) -> Vec<String> {
    let scanner = Scanner::builder().build();
    let valid = scanner.find_str(text).filter(|found| found.is_valid(Profile::Web));
    valid.map(|found| found.url_lossy().into_owned()).collect()
}

/// Returns the lines that another crate's function writes.
fn lines(write: impl FnOnce(&mut Vec<u8>)) -> Vec<String> {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn examples_in_the_comparison_are_true() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/explanation/comparison.md");
    let page = fs::read_to_string(page).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 10);
    let mut wrong = Vec::new();
    for row in rows.into_iter().filter(|row| !row.starts_with("| `https?")) {
        let text = row.split('`').nth(1).unwrap().replace("\\n", "\n");
        let bytes = text.as_bytes();
        let found = [
            urlsift(&text),
            lines(|out| {
                peers::find_by_linkify(bytes, out).unwrap();
            }),
            lines(|out| {
                peers::find_by_regex(peers::QUICK_PATTERN, bytes, out).unwrap();
            }),
        ];
        let cell = |urls: &Vec<String>| match urls.as_slice() {
            [] => "—".to_owned(),
            urls => urls.iter().map(|url| format!("`{url}`")).collect::<Vec<_>>().join(" ␣ "),
        };
        let [urlsift, linkify, regex] = found.each_ref().map(cell);
        let text = text.replace('\n', "\\n");
        let held = format!("| `{text}` | {urlsift} | {linkify} | {regex} |");
        if held != row {
            wrong.push(held);
        }
    }
    assert!(wrong.is_empty(), "instead:\n{}", wrong.join("\n"));
}
