//! Checks that the output is never read as input, and that an output file appears only when it is
//! complete.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

fn urlsift(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(args).current_dir(directory).stdin(Stdio::null());
    command
}

/// Creates a directory with one text that contains one URL.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.txt"), "http://host.dom/a\n").unwrap();
    directory
}

#[test]
fn standard_output_is_not_read() {
    let directory = directory();
    let out = directory.path().join("out.txt");
    for args in [&["scan", "."][..], &["scan", ".", "--hidden", "--no-ignore", "-j1"]] {
        fs::write(&out, "http://host.dom/old\n").unwrap();
        let file = OpenOptions::new().append(true).open(&out).unwrap();
        let status = urlsift(directory.path(), args).stdout(file).status().unwrap();
        assert!(status.success());
        assert_eq!(fs::read_to_string(&out).unwrap(), "http://host.dom/old\nhttp://host.dom/a\n");
    }
}

#[test]
fn output_file_replaces_the_old_one_when_complete() {
    let directory = directory();
    let out = directory.path().join("out.txt");
    for old in [None, Some("http://host.dom/old\n")] {
        if let Some(old) = old {
            fs::write(&out, old).unwrap();
        }
        let run = urlsift(directory.path(), &["scan", ".", "--hidden", "-o", "out.txt", "--stats"]);
        let run = { run }.output().unwrap();
        assert!(run.status.success() && run.stdout.is_empty());
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert!(stderr.contains("1 URLs\n1 files\n0 errors\n"), "{stderr}");
        assert_eq!(stderr.contains("out.txt"), old.is_some(), "{stderr}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "http://host.dom/a\n");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
    let run = urlsift(directory.path(), &["scan", ".", "-o", "none/out.txt"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(errors.contains("--output none/out.txt") && !errors.contains(".urlsift-"), "{errors}");
    let run = urlsift(directory.path(), &["scan", ".", "-o", "/dev/null"]).status().unwrap();
    assert!(run.success());
}

#[test]
fn damaged_compressed_file_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    for (name, content, error) in [
        ("a.txt.gz", &b"garbage"[..], true),
        ("a.mbox.xz", b"\x1f\x8b\xff: \0", true),
        ("a.txt.bz2", b"see http://host.dom/", false),
        ("a.txt", b"garbage", false),
    ] {
        fs::write(directory.path().join(name), content).unwrap();
        let run = urlsift(directory.path(), &["scan", name]).output().unwrap();
        let errors = String::from_utf8_lossy(&run.stderr);
        let expected = format!("urlsift: {name}: it is not compressed, despite its name");
        assert_eq!(errors.starts_with(&expected), error, "{name}: {errors}");
        assert_eq!(run.status.code() == Some(2), error, "{name}");
    }
}

#[test]
fn a_character_device_on_standard_input_is_not_read() {
    let directory = directory();
    let run = urlsift(directory.path(), &["scan"]).output().unwrap();
    assert_eq!((run.status.code(), &run.stdout[..]), (Some(0), &b"http://host.dom/a\n"[..]));
    let text = File::open(directory.path().join("a.txt")).unwrap();
    let run = urlsift(directory.path(), &["scan"]).stdin(text).output().unwrap();
    assert_eq!(run.stdout, b"http://host.dom/a\n");
}

#[cfg(unix)]
#[test]
fn links_are_followed_with_the_option() {
    let directory = directory();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir(path("deep")).unwrap();
    std::os::unix::fs::symlink("../a.txt", path("deep/link.txt")).unwrap();
    std::os::unix::fs::symlink("..", path("deep/loop")).unwrap();
    std::os::unix::fs::symlink("none", path("deep/lost")).unwrap();
    let run = urlsift(directory.path(), &["scan", "-H", "."]).output().unwrap();
    assert_eq!(run.stdout, b"a.txt:http://host.dom/a\n");
    let run = urlsift(directory.path(), &["scan", "-HL", "."]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(run.stdout, b"a.txt:http://host.dom/a\ndeep/link.txt:http://host.dom/a\n");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(said.contains("deep/lost: broken link: its target does not exist"), "{said}");
    assert!(
        said.contains("deep/loop: link not followed: it leads to a directory that contains it"),
        "{said}"
    );
}

#[test]
fn unsupported_compression_is_reported() {
    let directory = directory();
    fs::write(directory.path().join("b.djvu"), "AT&TFORM\n(http://host.dom/b)\n").unwrap();
    let run = urlsift(directory.path(), &["scan", "."]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(run.stdout, b"http://host.dom/a\nhttp://host.dom/b\n");
    assert!(String::from_utf8_lossy(&run.stderr).contains("b.djvu: it is a DjVu document"));
}

#[test]
fn unreadable_formats_are_reported_once_each() {
    let directory = directory();
    let files: [(&str, &[u8]); 4] = [
        ("b.djvu", b"AT&TFORM\n"),
        ("c.djvu", b"AT&TFORM\n"),
        ("mail.pst", b"!BDN\0\0\0\0SM\x17\0"),
        ("z.djvu", b"AT&TFORM\n"),
    ];
    for (name, bytes) in files {
        fs::write(directory.path().join(name), bytes).unwrap();
    }
    let run = urlsift(directory.path(), &["scan", ".", "--json"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&run.stderr),
        "urlsift: b.djvu: it is a DjVu document; only its uncompressed parts were scanned; \
         convert it first (djvutxt) (and 2 other files)\n\
         urlsift: mail.pst: it is an Outlook mailbox (PST); only its uncompressed parts were \
         scanned; convert it first (readpst -r -D -o DIRECTORY FILE), and scan the directory\n"
    );
    let printed = String::from_utf8_lossy(&run.stdout);
    assert_eq!(printed.matches("\"code\":\"format.unreadable\"").count(), 4, "{printed}");
    assert!(printed.contains("\"errors\":4,") && printed.contains("\"unreadable\":4"), "{printed}");
    let run = urlsift(directory.path(), &["scan", ".", "--no-messages"]).output().unwrap();
    assert_eq!((run.status.code(), &*run.stdout), (Some(2), &b"http://host.dom/a\n"[..]));
    assert_eq!(run.stderr, b"");
}
