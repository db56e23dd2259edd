//! Checks that two threads scan 16 MB of hostile mail within 400 MB of address space, and find
//! every URL.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

const HEAD: &str = "From: a@h.dom\nMessage-ID: <1@h.dom>\nMIME-Version: 1.0\n";
const SIZE: usize = 16 << 20;

/// Scans the mail with limited memory, and checks that there are `urls` records.
fn assert_scanned(name: &str, mail: &str, urls: usize) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.eml");
    fs::write(&path, mail).unwrap();
    let output = Command::new("sh")
        .args([
            "-c",
            r#"ulimit -v 400000; "$0" scan -j2 --format jsonl "$1" | grep -c '"type":"url"'"#,
        ])
        .arg(env!("CARGO_BIN_EXE_urlsift"))
        .arg(&path)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        urls.to_string(),
        "{name}: {stderr}"
    );
}

#[test]
fn a_line_of_urls() {
    let urls = SIZE / 13;
    assert_scanned("plain", &format!("{HEAD}\n{}\n", "http://h/abc ".repeat(urls)), urls);
}

#[test]
fn the_text_of_an_html_page() {
    let urls = SIZE / 13;
    let mail = format!("{HEAD}Content-Type: text/html\n\n{}\n", "http://h/abc ".repeat(urls));
    assert_scanned("html", &mail, urls);
}

#[test]
fn a_long_field_in_every_record() {
    let long = "x".repeat(128 << 10);
    let mail = format!(
        "From: a@h.dom\nMessage-ID: <{long}@h.dom>\nNewsgroups: {long}\nDate: {long}\n\n{}",
        "http://h/abc\n".repeat(12_000)
    );
    assert_scanned("fields", &mail, 12_000);
}

#[test]
fn a_subject_of_encoded_words() {
    let words = SIZE / 31;
    let subject = "\n =?utf-8?q?http://h/abc_?= x".repeat(words);
    let mail = format!("From: a@h.dom\nSubject: x{subject}\n\nhttp://h/abc\n");
    // A header longer than the limit ends, and the text after it is read as a body.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.eml");
    fs::write(&path, mail).unwrap();
    let status = Command::new("sh")
        .args(["-c", r#"ulimit -v 400000; exec "$0" scan -j2 --format jsonl "$1" > /dev/null"#])
        .arg(env!("CARGO_BIN_EXE_urlsift"))
        .arg(&path)
        .status()
        .unwrap();
    assert!(status.success());
}
