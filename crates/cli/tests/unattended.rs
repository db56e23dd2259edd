//! Tests runs without a user: signals interrupt every wait, pipes and devices in directories never
//! block, read and write errors are reported, and the output contains no escape sequences from the
//! input.

use std::fs;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    command.args(args).current_dir(dir).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(dir: &Path, args: &[&str]) -> Output {
    let started = Instant::now();
    let mut child = command(dir, args).spawn().unwrap();
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let reading = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("{args:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut stderr = Vec::new();
    err.read_to_end(&mut stderr).unwrap();
    Output { status, stdout: reading.join().unwrap(), stderr }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn kill(child: &Child, signal: &str) {
    let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
}

#[test]
fn pipes_in_directories_do_not_block() {
    for name in [".gitignore", ".ignore", ".rgignore", ".git/info/exclude", "urlsift.toml"] {
        let dir = folder(&[("a.txt", "see http://h.dom/a now\n"), (".git/info/x", "")]);
        fifo(&dir.path().join(name));
        fifo(&dir.path().join("b.txt"));
        for subcommand in ["scan", "lint", "units"] {
            let of_lint = name == "urlsift.toml";
            let output = run(dir.path(), &[subcommand, "."]);
            let stderr = text(&output.stderr);
            if of_lint != (subcommand == "lint") && of_lint {
                assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{name}");
                continue;
            }
            assert_eq!(output.status.code(), Some(2), "{subcommand} {name}: {stderr}");
            assert!(stderr.contains(name) && stderr.contains("not a regular file"), "{stderr}");
            assert!(!stderr.contains("b.txt"), "{stderr}");
            let stdout = text(&output.stdout);
            assert!(
                subcommand == "lint" || stdout.contains("a.txt") || stdout.contains("/a"),
                "{subcommand} {name}: {stdout}"
            );
        }
    }
}

#[test]
fn pipes_that_are_named_are_read() {
    let dir = folder(&[("a.txt", "see http://h.dom/a now\n")]);
    let shell = |script: &str| {
        let script = script.replace("URLSIFT", env!("CARGO_BIN_EXE_urlsift"));
        let output = Command::new("bash").args(["-c", &script]).current_dir(dir.path()).output();
        text(&output.unwrap().stdout)
    };
    for script in [
        "URLSIFT scan <(cat a.txt)",
        "URLSIFT scan <(gzip -c a.txt)",
        "cat a.txt | URLSIFT scan /dev/stdin",
        "URLSIFT scan /dev/stdin < a.txt",
        "URLSIFT scan --units <(echo a.txt)",
        "mkfifo p; (sleep 0.2; cat a.txt > p) & URLSIFT scan p",
    ] {
        assert_eq!(shell(script), "http://h.dom/a\n", "{script}");
    }
    assert!(shell("URLSIFT lint <(echo http://h..dom/)").contains("host.label"));
    let listed = shell("URLSIFT lint --config <(echo 'ignore = [\"all\"]') a.txt");
    assert!(listed.starts_with("Nothing"), "{listed}");
}

/// Output is printed when the input pauses. It is the same as for the complete input.
#[test]
fn lines_are_printed_when_the_input_pauses() {
    let mail = |number: u32| {
        format!("From a Thu Dec  1 10:00:00 1994\nSubject: x\n\nSee http://h.dom/{number}\n\n")
    };
    // The start of a message is recognized only after enough of the message was read.
    let long = mail(2) + &"More.\n".repeat(200);
    let logged: [(&[&str], [&str; 2], &str); 4] = [
        (&[], ["GET http://h.dom/1 x\n", ""], "half of http://h.dom/2\n"),
        (&["--line-buffered"], ["http://h.dom/1\n", ""], "and http://h.dom/2\n"),
        (&["/dev/stdin"], ["see http://h.do", "m/1\n"], "http://h.dom/2\n"),
        (&["--input", "mail"], [&mail(1), &long], "More.\n"),
    ];
    for (args, [first, second], rest) in logged {
        let dir = folder(&[]);
        let args = [&["scan", "-n"], args].concat();
        let mut child = command(dir.path(), &args).stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(first.as_bytes()).unwrap();
        // A line that is not complete may still change.
        std::thread::sleep(Duration::from_millis(400));
        input.write_all(second.as_bytes()).unwrap();
        let mut output = child.stdout.take().unwrap();
        let (sender, printed) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 1000];
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                sender.send(text(&buffer[..read])).unwrap();
            }
        });
        let early = printed.recv_timeout(Duration::from_secs(20)).expect("nothing is printed");
        assert!(early.contains("http://h.dom/1\n"), "{args:?}: {early}");
        input.write_all(rest.as_bytes()).unwrap();
        drop(input);
        let late: String = printed.iter().collect();
        assert!(child.wait().unwrap().success());
        let all = early + &late;
        assert!(all.contains("http://h.dom/2\n"), "{args:?}: {all}");
        let lines = all.lines().map(|line| line.split_once(':').unwrap().0.parse::<u32>().unwrap());
        assert!(lines.is_sorted(), "{args:?}: {all}");
    }
}

#[test]
fn pipe_and_file_give_the_same_names() {
    let dir = folder(&[]);
    fs::write(dir.path().join("a.7z"), b"7z\xBC\xAF\x27\x1C packed").unwrap();
    let packed = fs::File::open(dir.path().join("a.7z")).unwrap();
    let output = command(dir.path(), &["scan"]).stdin(packed).output().unwrap();
    assert!(text(&output.stderr).contains("-: it is a 7-Zip archive"), "{output:?}");
}

/// A signal ends every wait within a second, with the exit status that is usual in shells.
#[test]
fn signal_ends_every_wait() {
    let dir = folder(&[("a.txt", "see http://h.dom/a now\n")]);
    let large = fs::File::create(dir.path().join("large.txt")).unwrap();
    for _ in 0..40 {
        (&large).write_all(&b"http://h.dom/a http://h.dom/b\n".repeat(10_000)).unwrap();
    }
    fifo(&dir.path().join("pipe"));
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        for args in [
            &["scan", "pipe", "a.txt"][..],
            &["scan", "a.txt", "pipe", "-j1"],
            &["scan", "--units", "pipe"],
            &["scan", "-"],
            &["scan", "--units", "-"],
            &["lint", "pipe", "a.txt"],
            &["lint", "-"],
            &["lint", "--config", "pipe", "a.txt"],
            &["lint", "--baseline", "pipe", "a.txt"],
            // Nobody reads the output.
            &["scan", "large.txt"],
            &["scan", "--format", "jsonl", "large.txt"],
        ] {
            let mut child = command(dir.path(), args).stdin(Stdio::piped()).spawn().unwrap();
            // Standard input stays open without data.
            let input = child.stdin.take();
            std::thread::sleep(Duration::from_millis(250));
            assert!(child.try_wait().unwrap().is_none(), "{args:?} did not wait");
            kill(&child, signal);
            let since = Instant::now();
            while child.try_wait().unwrap().is_none() {
                assert!(since.elapsed() < Duration::from_millis(2500), "{args:?} goes on");
                std::thread::sleep(Duration::from_millis(5));
            }
            let status = child.wait().unwrap();
            assert_eq!(status.code(), Some(code), "{args:?}");
            drop(input);
        }
    }
}

#[test]
fn what_was_found_before_a_signal_is_printed() {
    let dir = folder(&[("a.txt", "see http://h.dom/a now\n")]);
    fifo(&dir.path().join("pipe"));
    let child =
        command(dir.path(), &["scan", "--format", "jsonl", "a.txt", "pipe"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    kill(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(143));
    assert!(stdout.contains("http://h.dom/a") && stdout.contains("\"errors\":1"), "{stdout}");
    assert!(text(&output.stderr).contains("pipe: interrupted by a signal"));
}

#[test]
fn write_failure_is_an_error() {
    let dir = folder(&[("a.txt", "see http://h..dom/a now\n")]);
    for args in [
        &["--version"][..],
        &["--help"],
        &["scan", "--help"],
        &["man"],
        &["schema", "scan"],
        &["completions", "bash"],
        &["explain", "--all"],
        &["scan", "--malformed", "include", "a.txt"],
        &["scan", "--format", "jsonl", "a.txt"],
        &["scan", "--format", "csv", "a.txt"],
        &["scan", "--format", "tsv", "a.txt"],
        &["lint", "a.txt"],
        &["lint", "--diff", "--unsafe-fixes", "a.txt"],
        &["lint", "--format", "jsonl", "a.txt"],
        &["lint", "--format", "sarif", "a.txt"],
        &["parse", "http://h.dom/"],
        &["units", "a.txt"],
    ] {
        let full: OwnedFd = fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into();
        let output = command(dir.path(), args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains("urlsift: "), "{args:?}");
        // A closed pipe is not an error.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let code = command(dir.path(), args).stdout(writer).output().unwrap().status.code();
        assert!(code == Some(0) || args[0] == "lint" && code == Some(1), "{args:?}: {code:?}");
    }
}

#[test]
fn read_errors_are_reported_and_the_rest_is_scanned() {
    let dir = folder(&[("a.txt", "see http://h.dom/a now\n"), ("b.txt", "http://h.dom/b\n")]);
    let mut cases = vec!["nothing.txt"];
    if cfg!(target_os = "linux") {
        // The first page of this file is not mapped, so reading it fails.
        cases.push("/proc/self/mem");
    }
    for threads in ["-j1", "-j4"] {
        for bad in &cases {
            let args = ["scan", threads, "--format", "jsonl", "a.txt", bad, "b.txt"];
            let output = run(dir.path(), &args);
            assert_eq!(output.status.code(), Some(2), "{bad}");
            let stdout = text(&output.stdout);
            assert!(
                stdout.contains("http://h.dom/a") && stdout.contains("http://h.dom/b"),
                "{bad}"
            );
            let lines: Vec<_> = stdout.lines().collect();
            let told = lines.iter().filter(|line| line.starts_with("{\"type\":\"error\""));
            assert!(told.clone().count() == 1 && told.clone().all(|line| line.contains(bad)));
            assert!(lines.last().unwrap().contains("\"errors\":1"), "{stdout}");
            assert!(text(&output.stderr).contains(bad));
        }
    }
}

/// A text is skipped if messages are selected, even if it is long. This is not an error, but stderr
/// has the number of such files.
#[test]
fn long_text_that_is_skipped_is_not_an_error() {
    let dir = folder(&[("a.txt", &"http://h.dom/a and more\n".repeat(100_000))]);
    let output = run(dir.path(), &["scan", "--since", "1994", "a.txt"]);
    let note = "urlsift: 1 file without messages was skipped; add --undated keep to scan text without a date, too\n";
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), note));
    let quiet = run(dir.path(), &["scan", "--since", "1994", "a.txt", "--no-messages"]);
    assert_eq!(text(&quiet.stderr), "");
    let kept = run(dir.path(), &["scan", "--since", "1994", "--undated", "keep", "a.txt", "-c"]);
    assert_eq!((text(&kept.stdout).as_str(), text(&kept.stderr).as_str()), ("100000\n", ""));
}

/// Symbolic links are counted apart from devices, with the option that follows them.
#[cfg(unix)]
#[test]
fn skipped_links_are_counted_with_advice() {
    let dir = folder(&[("a.txt", "http://h.dom/\n")]);
    std::os::unix::fs::symlink("a.txt", dir.path().join("b.txt")).unwrap();
    let output = run(dir.path(), &["scan", "--stats", "."]);
    assert!(text(&output.stderr).contains("\n1 symbolic links skipped (use -L)\n"));
    let output = run(dir.path(), &["scan", "--stats", "-L", "."]);
    assert!(!text(&output.stderr).contains("symbolic"));
}

/// If there are too few file descriptors, either every URL is found or an error names the file.
#[test]
fn nothing_is_lost_with_few_descriptors() {
    let names: Vec<String> = (0..200).map(|n| format!("spool/{n}")).collect();
    let texts: Vec<String> = (0..200).map(|n| format!("http://h.dom/{n}\n")).collect();
    let files: Vec<_> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let dir = folder(&files);
    let mut whole = 0;
    for most in [6, 7, 8, 9, 10, 12, 16, 20, 40] {
        let script =
            format!("ulimit -n {most}; exec '{}' scan -H -j8 spool", env!("CARGO_BIN_EXE_urlsift"));
        let output = Command::new("bash").args(["-c", &script]).current_dir(dir.path()).output();
        let output = output.unwrap();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        if stdout.lines().count() == files.len() {
            assert_eq!(output.status.code(), Some(0), "{most}: {stderr}");
            whole += 1;
            continue;
        }
        assert_eq!(output.status.code(), Some(2), "{most}: {stderr}");
        let is_whole_refused = stdout.is_empty() && !stderr.is_empty();
        for name in &names {
            let is_told = stderr.contains(&format!("{name}: ")) || stderr.contains("spool: ");
            assert!(is_whole_refused || is_told || stdout.contains(&format!("{name}:")), "{name}");
        }
    }
    assert!(whole >= 2, "{whole}");
}

#[test]
fn too_many_threads_are_reduced() {
    let dir = folder(&[("a.txt", "http://h.dom/a\n")]);
    let started = Instant::now();
    let output = run(dir.path(), &["scan", "-j3000", "a.txt"]);
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(0), "http://h.dom/a\n")
    );
    assert!(text(&output.stderr).contains("-j 3000 is reduced to"));
    assert!(started.elapsed() < Duration::from_secs(5));
}

/// The system has no memory for the stacks of the threads.
#[test]
fn too_few_threads_are_an_error_that_names_the_option() {
    let dir = folder(&[("a.txt", "http://h.dom/a\n"), ("b.txt", "http://h.dom/b\n")]);
    let errors = (12_000..60_000).step_by(3000).filter(|most| {
        let command = env!("CARGO_BIN_EXE_urlsift");
        let script = format!("ulimit -v {most}; exec '{command}' scan -j8 .");
        let mut bash = Command::new("bash");
        // If there is no memory for a backtrace, the standard library can wait forever.
        bash.args(["-c", &script]).current_dir(dir.path()).env("RUST_BACKTRACE", "0");
        let output = bash.output().unwrap();
        output.status.code() == Some(2) && text(&output.stderr).contains("try a smaller -j")
    });
    assert!(errors.count() > 0);
}

#[test]
fn a_directory_too_deep_for_a_path_is_an_error_that_names_it() {
    let dir = folder(&[("z.txt", "http://h.dom/z\n")]);
    let name = "d".repeat(250);
    let script = format!("for i in {{1..20}}; do mkdir {name} && cd {name} || exit 1; done");
    assert!(
        Command::new("bash")
            .args(["-c", &script])
            .current_dir(dir.path())
            .status()
            .unwrap()
            .success()
    );
    let output = run(dir.path(), &["scan", "."]);
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(2), "http://h.dom/z\n")
    );
    let stderr = text(&output.stderr);
    assert!(stderr.contains(&name) && stderr.contains("too long"), "{stderr}");
    let remove = Command::new("rm").args(["-rf", &name]).current_dir(dir.path()).status();
    assert!(remove.unwrap().success());
}

/// A directory is removed during the scan, and files grow and shrink. The run must not panic.
#[test]
fn trees_may_change_while_they_are_scanned() {
    let files: Vec<(String, String)> =
        (0..400).map(|n| (format!("t/{}/{n}", n % 7), "http://h.dom/x\n".repeat(2000))).collect();
    let files: Vec<_> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    for delay in [0, 5, 20, 60] {
        let dir = folder(&files);
        let root = dir.path().to_owned();
        let spoil = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(delay));
            for n in 0..400 {
                let path = root.join(format!("t/{}/{n}", n % 7));
                if n % 3 == 0 {
                    let _ = fs::OpenOptions::new().write(true).open(&path).map(|f| f.set_len(7));
                } else if n % 3 == 1 {
                    let _ = fs::OpenOptions::new()
                        .append(true)
                        .open(&path)
                        .map(|mut f| f.write_all(b"more\n"));
                } else {
                    let _ = fs::remove_file(&path);
                }
            }
            let _ = fs::remove_dir_all(root.join("t/3"));
        });
        let output = run(dir.path(), &["scan", "-j3", "t"]);
        spoil.join().unwrap();
        let (code, stderr) = (output.status.code(), text(&output.stderr));
        assert!(
            code == Some(0) && stderr.is_empty() || code == Some(2) && !stderr.is_empty(),
            "{stderr}"
        );
        assert!(stderr.lines().all(|line| line.starts_with("urlsift: t/")), "{stderr}");
        assert!(text(&output.stdout).lines().all(|url| "http://h.dom/x".starts_with(url)));
    }
}

#[test]
fn a_fix_that_is_killed_leaves_whole_files() {
    let (old, new) =
        ("see http://h.dom:80/a now\n".repeat(400), "see http://h.dom/a now\n".repeat(400));
    let names: Vec<String> = (0..30).map(|n| format!("{n}.txt")).collect();
    let mut seen = [0, 0];
    for round in 0..24 {
        let files: Vec<_> = names.iter().map(|name| (name.as_str(), old.as_str())).collect();
        let dir = folder(&files);
        let mut child = command(dir.path(), &["lint", "--fix", "-j2", "."]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(4 * round));
        kill(&child, if round % 2 == 0 { "KILL" } else { "TERM" });
        drop((child.stdout.take(), child.stderr.take()));
        child.wait().unwrap();
        for name in &names {
            let text = fs::read_to_string(dir.path().join(name)).unwrap();
            assert!(text == old || text == new, "{name} is torn");
            seen[usize::from(text == new)] += 1;
        }
    }
    assert!(seen[0] > 0, "{seen:?}");
}

#[test]
fn two_fixes_at_once_lose_nothing() {
    let (old, new) =
        ("see http:/www.h.dom/a now\n".repeat(200), "see http://www.h.dom/a now\n".repeat(200));
    let names: Vec<String> = (0..40).map(|n| format!("{n}.txt")).collect();
    for _ in 0..4 {
        let files: Vec<_> = names.iter().map(|name| (name.as_str(), old.as_str())).collect();
        let dir = folder(&files);
        let start = || command(dir.path(), &["lint", "--fix", "-j2", "."]).spawn().unwrap();
        for child in [start(), start()] {
            let output = child.wait_with_output().unwrap();
            let stderr = text(&output.stderr);
            // The second run either finds the file fixed or reports that it was changed.
            assert!(
                stderr
                    .lines()
                    .all(|line| line.ends_with("another program has changed the file meanwhile")),
                "{stderr}"
            );
        }
        for name in &names {
            assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), new, "{name}");
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), names.len(), "copies are left");
    }
}

/// Output for people contains no escape sequences or bidirectional marks.
#[test]
fn a_terminal_gets_no_commands() {
    let unseen = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let evil = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{2066}\u{85}\u{7f}";
    let mail = format!(
        "From joe@h.dom Thu Dec  1 10:00:00 1994\nFrom: joe@h.dom\nMessage-ID: <{evil}@h.dom>\n\
         Newsgroups: a{evil}\nList-Id: <{evil}.h.dom>\nDate: 1 Dec 1994 10:00:00 +0100\n\
         Subject: {evil}\n\nsee <URL:http://h.dom/a{evil}b> {evil} http://h.dom:80/{evil}c now\n"
    );
    let page = format!("# x\n{evil} http://h.dom:80/a{evil} <URL:http://h.dom/a b{evil}>\n");
    let name = "b\u{1b}[31m\u{202e}.md";
    let dir = folder(&[("a.mbox", &mail), (name, &page)]);
    for args in [
        &["scan", "--format", "jsonl", "--malformed", "include", "."][..],
        &["scan", "--format", "csv", "--malformed", "include", "."],
        &["scan", "--format", "tsv", "--malformed", "include", "."],
        &["lint", "."],
        &["lint", "--select", "all", "--format", "jsonl", "."],
        &["lint", "--select", "all", "--format", "sarif", "."],
        &["lint", "--select", "all", "--format", "github", "."],
        &["lint", "--select", "all", "--format", "checkstyle", "."],
        &["units", "."],
    ] {
        let output = run(dir.path(), args);
        for (what, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            let shown = text(bytes);
            let bad: Vec<char> = shown.chars().filter(|&c| unseen(c)).collect();
            assert!(bad.is_empty(), "{args:?} {what}: {bad:?}");
        }
        assert!(!output.stdout.is_empty(), "{args:?}");
    }
    // Errors in the keys of settings files that are found or named.
    fs::write(dir.path().join("urlsift.toml"), "\"\\u001b[2J\\u202e\" = 1\n").unwrap();
    for args in [&["lint", "."][..], &["lint", "--config", "urlsift.toml", "."]] {
        let output = run(dir.path(), args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("urlsift.toml:1") && !stderr.chars().any(unseen), "{stderr:?}");
    }
}

#[test]
fn rows_of_tables_are_lines() {
    let dir = folder(&[("=a\tb\\c.txt", "see http://h.dom/a now\n")]);
    let rows = |args: &[&str]| {
        let output = run(dir.path(), &[&["scan"], args, &["."]].concat());
        text(&output.stdout).lines().nth(1).unwrap().to_owned()
    };
    let tsv = rows(&["--format", "tsv"]);
    assert!(tsv.starts_with("=a\\tb\\\\c.txt\t\thttp://h.dom/a\t"), "{tsv:?}");
    assert_eq!(tsv.matches('\t').count(), 46);
    assert!(rows(&["--format", "tsv", "--guard-formulas"]).starts_with("'=a\\tb"));
    assert!(rows(&["--format", "csv"]).starts_with("=a\tb\\c.txt,"));
    assert!(rows(&["--format", "csv", "--guard-formulas"]).starts_with("'=a\tb\\c.txt,"));
}
