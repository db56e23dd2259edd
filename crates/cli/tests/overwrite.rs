//! Checks that no command overwrites its input, and that no output is lost or left incomplete.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The text of each document. `lint --fix` would change it.
const TEXT: &str = "see http://h.dom/a and http:/h.dom/b now\n";

/// Creates a directory that contains a document under three names, a second document, and lists of
/// paths.
fn directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("notes.txt"), TEXT).unwrap();
    fs::hard_link(path("notes.txt"), path("hard.txt")).unwrap();
    std::os::unix::fs::symlink("notes.txt", path("soft.txt")).unwrap();
    fs::create_dir(path("dir")).unwrap();
    fs::write(path("dir/other.txt"), "see http://h.dom/other now\n").unwrap();
    fs::create_dir(path("alone")).unwrap();
    fs::hard_link(path("notes.txt"), path("alone/x.txt")).unwrap();
    fs::write(path("list"), "notes.txt\n").unwrap();
    fs::write(path("both"), "soft.txt\ndir/other.txt\n").unwrap();
    fs::write(path("key"), "secret").unwrap();
    directory
}

fn shell(directory: &Path, script: &str) -> Output {
    let script = script.replace("urlsift", env!("CARGO_BIN_EXE_urlsift"));
    Command::new("bash").args(["-c", &script]).current_dir(directory).output().unwrap()
}

fn read(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name)).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns the names of the files in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_output_that_is_the_only_input_is_refused() {
    for script in [
        "urlsift scan notes.txt -o notes.txt",
        "urlsift scan notes.txt -o notes.txt --stats",
        "urlsift scan notes.txt -o notes.txt --json",
        "urlsift scan notes.txt -o notes.txt --format csv",
        "urlsift scan notes.txt -o notes.txt --format cdx",
        "urlsift scan notes.txt -o notes.txt --by host",
        "urlsift scan notes.txt -o notes.txt -c",
        "urlsift scan notes.txt -o ./dir/../notes.txt",
        "urlsift scan notes.txt -o soft.txt",
        "urlsift scan notes.txt -o hard.txt",
        "urlsift scan soft.txt -o notes.txt",
        "urlsift scan hard.txt -o notes.txt",
        "urlsift scan notes.txt soft.txt hard.txt -o notes.txt",
        "urlsift scan alone -o notes.txt",
        "urlsift scan --files-from list -o notes.txt",
        "urlsift scan --files-from list -o list",
        "urlsift scan --files-from list dir -o list",
        "urlsift scan --units list -o notes.txt",
        "urlsift scan --units list -o list",
        "urlsift scan --hash-key key notes.txt -o key",
        "urlsift scan - -o notes.txt < notes.txt",
        "urlsift scan -o notes.txt < soft.txt",
        "urlsift report notes.txt -o notes.txt",
        "urlsift report --files-from list -o list",
        "urlsift scan notes.txt >> notes.txt",
        "urlsift scan notes.txt -o /dev/stdout >> notes.txt",
        "urlsift scan notes.txt -o soft.txt >> hard.txt",
        "urlsift scan < notes.txt >> notes.txt",
        "urlsift report notes.txt >> notes.txt",
        "urlsift lint notes.txt >> soft.txt",
        "urlsift lint - < notes.txt >> notes.txt",
        "urlsift lint --json --baseline list dir >> list",
        "urlsift units notes.txt >> notes.txt",
        "urlsift units --files-from list >> list",
        "urlsift parse < notes.txt >> notes.txt",
        "urlsift parse http://h.dom/ - < notes.txt >> notes.txt",
    ] {
        let directory = directory();
        let before = names(directory.path());
        let output = shell(directory.path(), script);
        assert_eq!(output.status.code(), Some(2), "{script}: {output:?}");
        let said = stderr(&output);
        assert!(said.starts_with("urlsift: ") && said.contains(": "), "{script}: {said}");
        let all = ["notes.txt", "hard.txt", "alone/x.txt"].map(|name| read(&directory, name));
        assert_eq!(all, [TEXT; 3], "{script}");
        assert_eq!(read(&directory, "list"), "notes.txt\n", "{script}");
        assert_eq!(read(&directory, "key"), "secret", "{script}");
        assert!(directory.path().join("soft.txt").is_symlink(), "{script}");
        assert_eq!(names(directory.path()), before, "{script}");
    }
}

#[test]
fn an_output_among_other_inputs_is_skipped_and_named() {
    for (script, named) in [
        ("urlsift scan notes.txt dir/other.txt -o notes.txt", "notes.txt"),
        ("urlsift scan soft.txt dir -o notes.txt", "soft.txt"),
        ("urlsift scan hard.txt dir/other.txt -o soft.txt", "hard.txt"),
        ("urlsift scan --files-from both -o notes.txt", "soft.txt"),
        ("urlsift scan --units both -o notes.txt", "soft.txt"),
        ("urlsift scan dir - -o notes.txt < notes.txt", "-"),
        ("urlsift scan alone dir -o notes.txt", "alone/x.txt"),
        ("urlsift scan -j1 alone dir -o notes.txt", "alone/x.txt"),
    ] {
        let directory = directory();
        for _ in 0..2 {
            let output = shell(directory.path(), script);
            assert_eq!(output.status.code(), Some(0), "{script}: {output:?}");
            let said = stderr(&output);
            // After the first run, only the other names have the old text.
            if said.is_empty() {
                assert!(script.contains("hard.txt") || script.contains("alone"), "{script}");
                break;
            }
            let name = format!("urlsift: {named}: skipped, because the output is written to it\n");
            assert_eq!(said, name, "{script}");
            assert_eq!(read(&directory, "notes.txt"), "http://h.dom/other\n", "{script}");
        }
    }
    for (script, code) in [
        ("urlsift scan . >> notes.txt", 0),
        ("urlsift lint . >> notes.txt", 0),
        ("urlsift units . >> notes.txt", 0),
        ("urlsift report . >> notes.txt", 0),
    ] {
        let directory = directory();
        let output = shell(directory.path(), script);
        assert_eq!(output.status.code(), Some(code), "{script}: {output:?}");
        assert!(stderr(&output).contains(": skipped, because"), "{script}: {output:?}");
        let written = read(&directory, "notes.txt");
        let added = written.strip_prefix(TEXT).expect("the old text is there");
        assert!(!added.contains("h.dom/a") && !added.is_empty(), "{script}: {added}");
    }
}

#[test]
fn files_that_options_read_are_not_fixed() {
    let directory = directory();
    let settings = "# see http:/h.dom/a\n";
    fs::write(directory.path().join("u.toml"), settings).unwrap();
    fs::create_dir_all(directory.path().join("http:/h.dom")).unwrap();
    fs::write(directory.path().join("http:/h.dom/a"), "nothing\n").unwrap();
    let list = "paths\nhttp:/h.dom/a\n";
    fs::write(directory.path().join("paths"), list).unwrap();
    for script in [
        "urlsift lint --unsafe-fixes --fix --config u.toml u.toml",
        "urlsift lint --unsafe-fixes --fix --files-from paths",
        "urlsift lint --unsafe-fixes --fix --files-from ./dir/../paths dir",
    ] {
        let output = shell(directory.path(), script);
        assert_eq!(read(&directory, "u.toml"), settings, "{script}");
        assert_eq!(read(&directory, "paths"), list, "{script}");
        assert_eq!(output.status.code(), Some(2), "{script}: {output:?}");
        assert!(stderr(&output).contains("not changed: --"), "{script}: {output:?}");
    }
    let output = shell(directory.path(), "urlsift lint --unsafe-fixes --fix u.toml");
    assert_ne!(read(&directory, "u.toml"), settings, "{output:?}");
}

#[test]
fn broken_link_as_output_creates_its_target() {
    let directory = directory();
    let path = |name: &str| directory.path().join(name);
    std::os::unix::fs::symlink("dir/new.txt", path("link")).unwrap();
    std::os::unix::fs::symlink("link", path("chain")).unwrap();
    for script in ["urlsift scan notes.txt -o chain", "urlsift report notes.txt -o chain"] {
        let output = shell(directory.path(), script);
        assert!(output.status.success(), "{script}: {output:?}");
        assert!(path("link").is_symlink() && path("chain").is_symlink(), "{script}");
        assert!(read(&directory, "dir/new.txt").contains("http://h.dom/a"), "{script}");
        fs::remove_file(path("dir/new.txt")).unwrap();
    }
}

#[test]
fn an_open_file_is_written_at_its_position() {
    for (script, log) in [
        ("{ echo head; urlsift scan dir -o /dev/stdout; echo foot; } > log", "head\nURL\nfoot\n"),
        ("{ echo head; urlsift scan dir -o log; echo foot; } > log", "head\nURL\nfoot\n"),
        ("{ echo head; urlsift scan dir; echo foot; } >> log", "old\nhead\nURL\nfoot\n"),
        (
            "{ echo head; urlsift scan dir -o /dev/stdout; echo foot; } >> log",
            "old\nhead\nURL\nfoot\n",
        ),
        (
            "{ echo head >&2; urlsift scan dir -o /dev/stderr; echo foot >&2; } 2> log",
            "head\nURL\nfoot\n",
        ),
        (
            "{ echo head >&7; urlsift scan dir -o /dev/fd/7; echo foot >&7; } 7> log",
            "head\nURL\nfoot\n",
        ),
        (
            "ln -s /dev/stdout out; { echo head; urlsift scan dir -o out; echo foot; } > log",
            "head\nURL\nfoot\n",
        ),
        ("urlsift scan dir -o /dev/stdout | cat > log", "URL\n"),
        ("urlsift scan dir -o - | cat > log; [ ! -e - ]", "URL\n"),
        ("urlsift scan dir -o >(cat > log; echo > end); until [ -e end ]; do :; done", "URL\n"),
        ("mkfifo p; cat p > log & urlsift scan dir -o p; wait", "URL\n"),
        ("urlsift scan dir -o /dev/null", "old\n"),
    ] {
        let directory = directory();
        fs::write(directory.path().join("log"), "old\n").unwrap();
        let output = shell(directory.path(), script);
        assert!(output.status.success(), "{script}: {output:?}");
        let expected = log.replace("URL", "http://h.dom/other");
        assert_eq!(read(&directory, "log"), expected, "{script}");
    }
    let directory = directory();
    let output = shell(directory.path(), "urlsift scan dir -o /dev/full");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_file_that_grows_too_large_is_an_error_and_leaves_nothing() {
    let directory = directory();
    let many: String = (0..5000).map(|n| format!("http:/h.dom/{n} http://h.dom/{n}\n")).collect();
    fs::write(directory.path().join("many.md"), &many).unwrap();
    fs::write(directory.path().join("out"), "old\n").unwrap();
    let before = names(directory.path());
    for script in [
        "urlsift scan many.md -o out",
        "urlsift scan many.md --json -o out",
        "urlsift report many.md -o out",
        "urlsift lint --unsafe-fixes --fix many.md",
        "urlsift lint --add-ignore many.md",
        "urlsift scan many.md > printed",
        "urlsift lint many.md > printed",
    ] {
        let output = shell(directory.path(), &format!("ulimit -f 8; {script}"));
        assert_eq!(output.status.code(), Some(2), "{script}: {output:?}");
        assert!(!output.stderr.is_empty(), "{script}");
        assert_eq!(read(&directory, "out"), "old\n", "{script}");
        assert_eq!(read(&directory, "many.md"), many, "{script}");
        let _ = fs::remove_file(directory.path().join("printed"));
        assert_eq!(names(directory.path()), before, "{script}");
    }
}

#[test]
fn leftovers_of_a_killed_run_are_not_read() {
    let directory = directory();
    let left = directory.path().join("dir/.urlsift-out.txt-abc123.tmp");
    fs::write(&left, "http://h.dom/left http:/h.dom/b\n").unwrap();
    for script in ["urlsift scan --hidden dir", "urlsift scan -g '*.tmp' -g '*.txt' dir"] {
        let output = shell(directory.path(), script);
        assert_eq!(output.stdout, b"http://h.dom/other\n", "{script}");
    }
    for script in ["urlsift lint --hidden dir", "urlsift units --hidden dir"] {
        let output = shell(directory.path(), script);
        assert_eq!(output.status.code(), Some(0), "{script}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains(".tmp"), "{script}");
    }
    fs::remove_file(left).unwrap();
    // The run waits for the rest of the pipe when it is killed.
    let script = "mkfifo p; urlsift scan p -o dir/out.txt & sleep 9 > p & sleep 0.3; kill -9 %1; kill %2; ls -A dir";
    let output = shell(directory.path(), script);
    let listed = String::from_utf8(output.stdout).unwrap();
    let left: Vec<&str> = listed.lines().filter(|name| *name != "other.txt").collect();
    let is_temporary =
        |name: &str| name.starts_with(".urlsift-") && name.strip_suffix(".tmp").is_some();
    assert!(left.len() <= 1 && left.into_iter().all(is_temporary), "{listed}");
}

/// Tests with tables, and with the state file of a scan that can be resumed.
#[cfg(feature = "parquet")]
mod tables {
    use super::{TEXT, directory, names, read, shell, stderr};
    use std::fs;
    use std::path::Path;
    use tempfile::TempDir;

    /// The names in a directory of tables that is written at once.
    const WRITTEN: [&str; 5] =
        ["urls.parquet", "messages.parquet", "files.parquet", "run.json", "report.json"];

    /// Makes a directory in which a table's name in `tables` refers to `target`, by a `link`.
    fn with_link(name: &str, link: &str, target: &str) -> TempDir {
        let directory = directory();
        let path = |name: &str| directory.path().join(name);
        fs::create_dir(path("tables")).unwrap();
        let name = path("tables").join(name);
        match link {
            "hard" => fs::hard_link(path(target), name).unwrap(),
            _ => std::os::unix::fs::symlink(Path::new("..").join(target), name).unwrap(),
        }
        directory
    }

    /// Checks that no file has changed that a command may read.
    fn assert_unchanged(directory: &TempDir, case: &str) {
        let all = ["notes.txt", "hard.txt", "alone/x.txt"].map(|name| read(directory, name));
        assert_eq!(all, [TEXT; 3], "{case}");
        assert_eq!(read(directory, "list"), "notes.txt\n", "{case}");
        assert_eq!(read(directory, "key"), "secret", "{case}");
    }

    #[test]
    fn a_table_that_is_the_only_input_is_refused() {
        for name in WRITTEN {
            for link in ["hard", "symbolic"] {
                for (script, target) in [
                    ("urlsift scan notes.txt", "notes.txt"),
                    ("urlsift scan hard.txt soft.txt", "notes.txt"),
                    ("urlsift scan --files-from list", "notes.txt"),
                    ("urlsift scan --files-from list dir", "list"),
                    ("urlsift scan --units list", "list"),
                    ("urlsift scan --hash-key key dir", "key"),
                    ("urlsift scan - < notes.txt", "notes.txt"),
                ] {
                    let directory = with_link(name, link, target);
                    let script = script.replace("scan", "scan --format parquet -o tables");
                    let case = format!("{script}; {name} is a {link} link");
                    let before = names(&directory.path().join("tables"));
                    let output = shell(directory.path(), &script);
                    assert_eq!(output.status.code(), Some(2), "{case}: {output:?}");
                    assert!(stderr(&output).starts_with("urlsift: "), "{case}: {output:?}");
                    assert_unchanged(&directory, &case);
                    assert_eq!(names(&directory.path().join("tables")), before, "{case}");
                }
            }
        }
    }

    #[test]
    fn a_table_among_other_inputs_is_skipped_and_named() {
        for name in WRITTEN {
            let directory = with_link(name, "hard", "dir/other.txt");
            let script = "urlsift scan --format parquet -o tables notes.txt dir/other.txt";
            let output = shell(directory.path(), script);
            assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
            let said = "urlsift: dir/other.txt: skipped, because the output is written to it\n";
            assert_eq!(stderr(&output), said, "{name}");
            assert_unchanged(&directory, name);
        }
    }

    #[test]
    fn a_state_that_is_an_input_is_refused() {
        for (script, state) in [
            ("urlsift scan notes.txt", "notes.txt"),
            ("urlsift scan notes.txt", "soft.txt"),
            ("urlsift scan notes.txt", "hard.txt"),
            ("urlsift scan soft.txt", "notes.txt"),
            ("urlsift scan alone", "notes.txt"),
            ("urlsift scan --files-from list", "notes.txt"),
            ("urlsift scan --files-from list", "list"),
            ("urlsift scan --hash-key key dir", "key"),
            // There are other inputs, but it is not a state.
            ("urlsift scan notes.txt dir", "notes.txt"),
        ] {
            let directory = directory();
            let script = format!("{script} --format parquet -o tables --state {state}");
            let output = shell(directory.path(), &script);
            assert_eq!(output.status.code(), Some(2), "{script}: {output:?}");
            assert!(stderr(&output).starts_with("urlsift: "), "{script}: {output:?}");
            assert_unchanged(&directory, &script);
        }
    }

    #[test]
    fn files_of_a_run_with_a_state_are_never_lost() {
        let begin = "urlsift scan dir --format parquet -o tables --state state";
        let parts = ["urls", "messages", "files"].map(|table| format!("{table}-00001.parquet"));
        for (input, code) in [
            ("state", 2),
            ("tables/run.json", 2),
            // Nothing is new in `dir`.
            ("state dir", 1),
            ("tables/urls-00001.parquet", 1),
            ("tables", 1),
            (". state", 0),
        ] {
            let directory = directory();
            let tables = directory.path().join("tables");
            assert!(shell(directory.path(), begin).status.success());
            let before = parts.clone().map(|name| fs::read(tables.join(name)).unwrap());
            let script = begin.replace("dir", input);
            let output = shell(directory.path(), &script);
            assert_eq!(output.status.code(), Some(code), "{script}: {output:?}");
            let after = parts.clone().map(|name| fs::read(tables.join(name)).unwrap());
            assert!(before == after, "{script}");
            assert!(read(&directory, "state").starts_with("{\n  \"type\": \"state\""), "{script}");
            assert!(read(&directory, "tables/run.json").contains("\"run\""), "{script}");
            assert_unchanged(&directory, &script);
        }
        // A part that the state doesn't list is removed, but not if it is to be read.
        for name in ["urls-00002.parquet", "files-00009.parquet"] {
            for link in ["hard", "symbolic"] {
                let directory = directory();
                assert!(shell(directory.path(), begin).status.success());
                let part = directory.path().join("tables").join(name);
                match link {
                    "hard" => fs::hard_link(directory.path().join("notes.txt"), &part).unwrap(),
                    _ => std::os::unix::fs::symlink("../notes.txt", &part).unwrap(),
                }
                for input in ["notes.txt".to_owned(), format!("tables/{name}")] {
                    let script = begin.replace("dir", &input);
                    let output = shell(directory.path(), &script);
                    assert_eq!(output.status.code(), Some(2), "{script}: {output:?}");
                    assert!(part.exists(), "{script}");
                    assert_unchanged(&directory, &script);
                }
            }
        }
    }
}
