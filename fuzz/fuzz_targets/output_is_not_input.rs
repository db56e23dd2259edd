//! Checks that no command line makes the command overwrite a file that it reads.
//!
//! Runs the built command (`URLSIFT`, or the one in `target`), so there are only a few hundred
//! executions per second.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The documents and lists in the scratch directory, with their contents.
const FILES: [(&str, &str); 6] = [
    ("notes.txt", "see http://h.dom/a and http:/h.dom/b now\n"),
    ("dir/other.txt", "see http://h.dom/other and http:/h.dom/b now\n"),
    ("list", "notes.txt\ndir/other.txt\n"),
    ("short", "soft.txt\n"),
    ("key", "secret"),
    ("u.toml", "# see http:/h.dom/c\n"),
];
/// The paths that can be given as arguments, for reading and writing.
const NAMES: [&str; 14] = [
    "notes.txt",
    "soft.txt",
    "hard.txt",
    "dir/other.txt",
    "dir",
    ".",
    "list",
    "short",
    "key",
    "u.toml",
    "new.txt",
    "lost",
    "dir/../notes.txt",
    "alone",
];
/// The arguments that make the command read a file, each with the file.
const READ: [(&str, &str); 9] = [
    ("notes.txt", "notes.txt"),
    ("soft.txt", "notes.txt"),
    ("hard.txt", "notes.txt"),
    ("dir/../notes.txt", "notes.txt"),
    ("dir/other.txt", "dir/other.txt"),
    ("list", "list"),
    ("short", "short"),
    ("key", "key"),
    ("u.toml", "u.toml"),
];

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Subcommand {
    Scan,
    Report,
    Lint,
    Units,
}

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Stdout {
    Null,
    /// Standard output is appended to a file, as with `>>`.
    File(u8),
}

#[derive(Arbitrary, Debug)]
struct CommandLine {
    subcommand: Subcommand,
    paths: Vec<u8>,
    output: Option<u8>,
    to_stdout: bool,
    files_from: Option<u8>,
    units: Option<u8>,
    key: Option<u8>,
    config: Option<u8>,
    fix: bool,
    add_ignore: bool,
    flags: u8,
    stdin: Option<u8>,
    stdout: Option<Stdout>,
}

fn name(number: u8) -> &'static str {
    NAMES[usize::from(number) % NAMES.len()]
}

/// Writes all files again.
fn set_up(directory: &Path) {
    let _ = fs::remove_dir_all(directory);
    for inner in ["dir", "alone"] {
        fs::create_dir_all(directory.join(inner)).unwrap();
    }
    for (name, text) in FILES {
        fs::write(directory.join(name), text).unwrap();
    }
    fs::hard_link(directory.join("notes.txt"), directory.join("hard.txt")).unwrap();
    fs::hard_link(directory.join("notes.txt"), directory.join("alone/x.txt")).unwrap();
    for (target, link) in [("notes.txt", "soft.txt"), ("dir/none.txt", "lost")] {
        std::os::unix::fs::symlink(target, directory.join(link)).unwrap();
    }
}

fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
        let built = ["release", "debug"].map(|profile| target.join(profile).join("urlsift"));
        let named = std::env::var_os("URLSIFT").map(PathBuf::from);
        named.into_iter().chain(built).find(|path| path.exists()).expect("the command is built")
    })
}

fuzz_target!(|line: CommandLine| {
    let directory = std::env::temp_dir().join(format!("urlsift-fuzz-{}", std::process::id()));
    set_up(&directory);
    let mut args: Vec<&str> = Vec::new();
    // The files that the command reads. The value is true for documents.
    let mut read: BTreeMap<&str, bool> = BTreeMap::new();
    let mut reading = |name: &'static str, is_document: bool| {
        if let Some(&(_, file)) = READ.iter().find(|(path, _)| *path == name) {
            let known = read.entry(file).or_insert(is_document);
            *known &= is_document;
        }
        name
    };
    args.push(match line.subcommand {
        Subcommand::Scan => "scan",
        Subcommand::Report => "report",
        Subcommand::Lint => "lint",
        Subcommand::Units => "units",
    });
    let is_scan = matches!(line.subcommand, Subcommand::Scan);
    let is_lint = matches!(line.subcommand, Subcommand::Lint);
    if is_scan && let Some(units) = line.units {
        args.extend(["--units", reading(name(units), false)]);
    } else {
        for &path in line.paths.iter().take(3) {
            args.push(reading(name(path), true));
        }
        if let Some(list) = line.files_from {
            args.extend(["--files-from", reading(name(list), false)]);
        }
    }
    if is_scan || matches!(line.subcommand, Subcommand::Report) {
        if line.to_stdout {
            args.extend(["-o", "/dev/stdout"]);
        } else if let Some(output) = line.output {
            args.extend(["-o", name(output)]);
        }
    }
    if is_scan {
        let flags = ["--stats", "--json", "-c", "--unique=count", "--by=host", "-q", "-l", "-j1"];
        args.push(flags[usize::from(line.flags) % flags.len()]);
        if let Some(key) = line.key {
            args.extend(["--hash-key", reading(name(key), false)]);
        }
    }
    if is_lint {
        if let Some(config) = line.config {
            args.extend(["--config", reading(name(config), false)]);
        }
        args.extend(line.fix.then_some("--unsafe-fixes"));
        args.extend(line.add_ignore.then_some("--add-ignore"));
    }
    let mut command = Command::new(binary());
    command.args(&args).current_dir(&directory).stderr(Stdio::piped());
    let stdin = line.stdin.map(name).filter(|name| directory.join(name).is_file());
    match stdin {
        Some(name) => command.stdin(fs::File::open(directory.join(name)).unwrap()),
        None => command.stdin(Stdio::null()),
    };
    let append =
        |name: &str| OpenOptions::new().append(true).create(true).open(directory.join(name));
    let appended = match line.stdout {
        Some(Stdout::File(number)) => append(name(number)).ok(),
        _ => None,
    };
    match appended {
        Some(file) => command.stdout(file),
        None => command.stdout(Stdio::null()),
    };
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    for (file, text) in FILES {
        let Ok(now) = fs::read_to_string(directory.join(file)) else {
            panic!("{args:?}: {file} is gone");
        };
        // Appending with `>>` keeps the old content, so this is not an overwrite.
        if now.starts_with(text) {
            continue;
        }
        let Some(&is_document) = read.get(file) else { continue };
        if is_lint && is_document {
            assert!(line.fix || line.add_ignore, "{args:?}: {file} was changed");
            continue;
        }
        assert!(is_document, "{args:?}: {file} was read and overwritten: {stderr}");
        let is_skipped = stderr.contains(": skipped, because the output is written to it");
        assert!(is_skipped, "{args:?}: {file} was overwritten: {stderr}");
    }
    for entry in fs::read_dir(&directory).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(!name.as_encoded_bytes().starts_with(b".urlsift-"), "{args:?}: {name:?} is left");
    }
});
