//! Checks that the page of `report` is the same for any number of threads, and appears only when it
//! is complete.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::tempdir;

fn urlsift(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_urlsift"))
        .args(args)
        .current_dir(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus")))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn the_same_for_any_number_of_threads() {
    let one = urlsift(&["report", "mail", "cli", "--dedupe", "-j1"]);
    let page = String::from_utf8(one.stdout).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for _ in 0..3 {
        let other = urlsift(&["report", "mail", "cli", "--dedupe", "-j4"]);
        assert_eq!(String::from_utf8(other.stdout).unwrap().replace("-j4", "-j1"), page);
    }
}

#[test]
fn the_page_is_there_when_it_is_complete_and_names_errors() {
    let directory = tempdir().unwrap();
    let page = directory.path().join("report.html");
    let name = page.to_str().unwrap();
    let output = urlsift(&["report", "cli/list.mbox", "cli/gone", "-o", name]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("www.host.dom") && text.contains("cli/gone"), "{text}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    // The page is never an input of the next run. Here, it would be the only input.
    let output = urlsift(&["report", directory.path().to_str().unwrap(), "-o", name]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn no_page_is_written_if_nothing_could_be_read() {
    let directory = tempdir().unwrap();
    let page = directory.path().join("report.html");
    let name = page.to_str().unwrap();
    for old in [false, true] {
        if old {
            fs::write(&page, "old").unwrap();
        }
        let output = urlsift(&["report", "cli/gone", "-o", name]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("cli/gone: no such file"));
        assert_eq!(fs::read_to_string(&page).ok().as_deref(), old.then_some("old"));
    }
    let output = urlsift(&["report", "cli/gone"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[test]
fn of_a_run_that_wrote_none() {
    let directory = tempdir().unwrap();
    fs::write(directory.path().join("run.json"), "{\"complete\":true}").unwrap();
    let name = directory.path().to_str().unwrap();
    let output = urlsift(&["report", name]);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("report.json"), "{errors}");
    for (report, what) in [
        ("{\"schema\":1}", "has not finished"),
        ("{\"schema\":99}", "version 99"),
        ("[", "cannot read the report"),
    ] {
        fs::write(directory.path().join("report.json"), report).unwrap();
        let output = urlsift(&["report", name]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && errors.contains(what), "{errors}");
    }
    fs::write(directory.path().join("report.json"), "{\"schema\":1,\"complete\":true,\"urls\":1}")
        .unwrap();
    let output = urlsift(&["report", name]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"<!DOCTYPE html>"));
}

#[test]
fn senders_and_links_are_added_on_request() {
    let plain = String::from_utf8(urlsift(&["report", "cli/list.mbox"]).stdout).unwrap();
    assert!(!plain.contains("ann@other.dom") && !plain.contains("id=\"senders\""));
    let link = "https://lists.dom/{id}/";
    let output = urlsift(&["report", "cli/list.mbox", "--senders", "--link", link]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("id=\"senders\"") && page.contains(">ann@other.dom</th>"));
    let first = "href=\"https://lists.dom/1@host.dom/\"><code>&lt;1@host.dom&gt;</code></a>";
    assert!(page.contains(first), "{page}");
}

#[cfg(feature = "parquet")]
#[test]
fn of_a_run_with_tables() {
    let directory = tempdir().unwrap();
    let name = directory.path().to_str().unwrap();
    let paths = ["cli/list.mbox", "mail"];
    let scan =
        ["scan", "--malformed", "include", "--mask-passwords", "--format", "parquet", "-o", name];
    urlsift(&[&scan[..], &paths].concat());
    let of_run = String::from_utf8(urlsift(&["report", name]).stdout).unwrap();
    let direct = String::from_utf8(urlsift(&[&["report"], &paths[..]].concat()).stdout).unwrap();
    let body = |page: &str| page.split_once("<nav").unwrap().1.to_owned();
    assert_eq!(body(&of_run), body(&direct));
}
