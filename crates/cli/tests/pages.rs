//! Runs every `console` block of README.md and of the pages in docs/src, and compares the output
//! with the page.
//!
//! The blocks of a page run in order in one scratch directory, so a block can read files that
//! earlier blocks have created. The directory contains a copy of the repository's `corpus`.
//!
//! A line that starts with `$ ` is a shell command, and lines that start with `> ` continue it. The
//! lines up to the next command are the output, including standard error. `[..]` matches any text
//! within a line, and a line `...` matches any number of lines.
//!
//! A block after a comment `<!-- needs: ... -->` needs an optional feature or another program. It
//! is only run with `PAGES=all`, as in `.ci/docs`.
//!
//! Another test lints the pages.
//!
//! `PAGES=overwrite cargo test -p urlsift --test pages` rewrites the expected output.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// True if the environment variable `PAGES` has this value.
fn is_mode(mode: &str) -> bool {
    env::var_os("PAGES").is_some_and(|value| value == mode)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns README.md and all pages of the book.
fn pages(root: &Path) -> Vec<PathBuf> {
    let mut pages = vec![root.join("README.md")];
    let mut directories = vec![root.join("docs/src")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// True if `text` matches `pattern`, in which `[..]` matches any text.
fn line_matches(pattern: &str, text: &str) -> bool {
    let pieces: Vec<&str> = pattern.split("[..]").collect();
    let [first, middle @ .., last] = &*pieces else { return pattern == text };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for piece in middle {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

/// True if the lines `found` match the lines `expected`, in which `...` matches any number of
/// lines.
fn output_matches(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skip| output_matches(rest, &found[skip..])),
        Some((line, rest)) => found
            .split_first()
            .is_some_and(|(text, found)| line_matches(line, text) && output_matches(rest, found)),
    }
}

/// Runs one command in the scratch directory and returns what it prints on both streams.
fn run(command: &str, directory: &Path) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_urlsift")).parent().unwrap().to_owned();
    let paths = env::join_paths(
        [bin].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(directory)
        .env("PATH", paths.unwrap())
        .env("LC_ALL", "C.UTF-8")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs the blocks of one page. Returns the page with the actual output, and the differences.
fn check(text: &str, directory: &Path) -> (String, Vec<String>) {
    let (mut page, mut faults) = (String::new(), Vec::new());
    let (mut lines, mut needs_others) = (text.lines().peekable(), false);
    while let Some(line) = lines.next() {
        writeln!(page, "{line}").unwrap();
        if !line.trim().is_empty() && line != "```console" {
            needs_others = line.starts_with("<!-- needs:") && !is_mode("all");
        }
        if line != "```console" || needs_others {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != "```") {
            let Some(command) = line.strip_prefix("$ ") else {
                faults.push(format!("not a command: {line}"));
                continue;
            };
            writeln!(page, "{line}").unwrap();
            let mut command = command.to_owned();
            while let Some(more) =
                lines.next_if(|line| line.starts_with("> ") && command.ends_with('\\'))
            {
                writeln!(page, "{more}").unwrap();
                command.push('\n');
                command.push_str(&more[2..]);
            }
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                expected.push(line);
            }
            let printed = run(&command, directory);
            let found: Vec<&str> = printed.lines().collect();
            if output_matches(&expected, &found) {
                for line in expected {
                    writeln!(page, "{line}").unwrap();
                }
            } else {
                page.push_str(&printed);
                if !printed.is_empty() && !printed.ends_with('\n') {
                    page.push('\n');
                }
                faults.push(format!(
                    "$ {command}\n-- expected\n{}\n-- printed\n{printed}",
                    expected.join("\n")
                ));
            }
        }
    }
    (page, faults)
}

#[test]
#[cfg(unix)]
fn console_blocks_print_what_the_pages_show() {
    let (root, mut all) = (root(), String::new());
    for path in pages(&root) {
        let text = fs::read_to_string(&path).unwrap();
        if !text.contains("```console") {
            continue;
        }
        let scratch = tempfile::tempdir().unwrap();
        copy(&root.join("corpus"), &scratch.path().join("corpus"));
        let (page, faults) = check(&text, scratch.path());
        if is_mode("overwrite") {
            fs::write(&path, page).unwrap();
        } else if !faults.is_empty() {
            write!(all, "\n== {}\n{}", path.display(), faults.join("\n")).unwrap();
        }
    }
    assert!(all.is_empty(), "{all}");
}

/// Runs the commands with which `.ci/docs` lints the pages and notes.
#[test]
#[cfg(unix)]
fn pages_and_notes_pass_lint() {
    let root = root();
    let script = fs::read_to_string(root.join(".ci/docs")).unwrap();
    let commands: Vec<_> =
        script.lines().filter(|line| line.starts_with("urlsift lint ")).collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        let printed = run(command, &root);
        assert!(printed.starts_with("Nothing to report"), "{printed}");
    }
}

#[test]
fn patterns_match_as_described() {
    assert!(
        line_matches("a[..]c", "a b c") && line_matches("ab", "ab") && line_matches("[..]", "")
    );
    assert!(!line_matches("a[..]c", "a b") && !line_matches("ab", "abc"));
    assert!(output_matches(&["a", "...", "c"], &["a", "b", "c"]) && output_matches(&["..."], &[]));
    assert!(!output_matches(&["a", "...", "c"], &["a", "b"]) && !output_matches(&[], &["a"]));
}
