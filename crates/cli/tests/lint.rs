//! Tests `urlsift lint` as users run it: formats, exit status, fixes and settings.

mod common;

use common::output_of;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const FAULTY: &str = "See http:/www.host.dom/a and\nftp://joe:hunter2@ftp.host.dom/b now.\n";

fn urlsift(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_urlsift"))
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn piped(dir: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    output_of(command.args(args).current_dir(dir), input).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    dir
}

fn records(output: &Output) -> Vec<serde_json::Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn exit_codes() {
    let dir = folder(&[
        ("a", FAULTY.as_bytes()),
        ("b", b"http://www.host.dom/"),
        ("c", b"HTTP://www.host.dom/"),
    ]);
    let code = |args: &[&str]| urlsift(dir.path(), args).status.code();
    assert_eq!(code(&["lint", "a"]), Some(1));
    assert_eq!(code(&["lint", "b"]), Some(0));
    assert_eq!(code(&["lint", "c"]), Some(0));
    assert_eq!(code(&["lint", "--fail-on", "info", "c"]), Some(1));
    assert_eq!(code(&["lint", "--exit-zero", "a"]), Some(0));
    assert_eq!(code(&["lint", "b", "missing"]), Some(2));
    assert_eq!(code(&["lint", "--select", "no.such", "b"]), Some(2));
}

/// In a job without a terminal, standard input is `/dev/null`, an empty pipe or closed. `lint` must
/// not succeed there without checking anything.
#[test]
fn lint_without_paths_never_checks_nothing() {
    let dir = folder(&[("a", FAULTY.as_bytes()), ("empty", b"")]);
    let output = urlsift(dir.path(), &["lint"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stdout).contains("http:/www.host.dom/a"), "{output:?}");
    let shell = |script: &str| {
        let script = script.replace("urlsift", env!("CARGO_BIN_EXE_urlsift"));
        Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap()
    };
    assert_eq!(shell("urlsift lint <&-").status.code(), Some(1));
    for script in
        ["true | urlsift lint", "true | urlsift lint --fix", "urlsift lint --add-ignore < empty"]
    {
        let output = shell(script);
        assert_eq!(output.status.code(), Some(2), "{script}");
        assert!(text(&output.stderr).contains("run `urlsift lint .`"), "{output:?}");
    }
    for script in ["true | urlsift lint -", "true | urlsift lint --stdin-filename a.md"] {
        assert_eq!(shell(script).status.code(), Some(0), "{script}");
    }
    let output = shell("echo 'See http://h.dom/' | urlsift lint");
    assert_eq!(text(&output.stdout), "Nothing to report in standard input\n");
    let output = shell("urlsift lint < a");
    assert!(text(&output.stdout).contains("0 info in standard input"), "{output:?}");
    assert!(text(&shell("urlsift scan < /dev/null").stdout).contains("ftp.host.dom"));
}

#[test]
fn records_point_into_the_file() {
    let dir = folder(&[("a", FAULTY.as_bytes())]);
    let output = urlsift(dir.path(), &["lint", "--format", "jsonl", "a"]);
    let records = records(&output);
    let first = &records[0];
    assert_eq!(first["type"], "diagnostic");
    assert_eq!(first["code"], "scheme.single-slash");
    assert_eq!((&first["path"], &first["level"]), (&"a".into(), &"error".into()));
    assert_eq!((first["start"].as_u64(), first["end"].as_u64()), (Some(8), Some(10)));
    assert_eq!((first["line"].as_u64(), first["column"].as_u64()), (Some(1), Some(9)));
    assert_eq!(first["url"], "http:/www.host.dom/a");
    assert_eq!((&first["rfc"], &first["section"]), (&1738.into(), &"3.1".into()));
    let fix =
        serde_json::json!({"applicability":"safe","edits":[{"start":10,"end":10,"text":"/"}]});
    assert_eq!(first["fix"], fix);
    let last = &records[records.len() - 1];
    assert_eq!((&last["type"], &last["error"]), (&"summary".into(), &1.into()));
}

#[test]
fn passwords_show_in_no_format() {
    let dir = folder(&[("a", FAULTY.as_bytes())]);
    for format in ["text", "jsonl", "sarif", "github", "checkstyle"] {
        let output = urlsift(dir.path(), &["lint", "--select", "all", "--format", format, "a"]);
        let shown = text(&output.stdout) + &text(&output.stderr);
        assert!(shown.contains("security.password"), "{format}");
        assert!(!shown.contains("hunter2"), "{format}: {shown}");
    }
    let diff = urlsift(dir.path(), &["lint", "--diff", "--unsafe-fixes", "a"]);
    assert!(!text(&diff.stdout).contains("hunter2"));
    assert!(text(&diff.stderr).contains("a: left out of the diff"), "{}", text(&diff.stderr));
}

#[test]
fn sarif_is_valid() {
    let dir = folder(&[
        ("a b/\u{e9}.md", "[x](http:/www.host.dom/\u{1f600})\n".as_bytes()),
        ("c", FAULTY.as_bytes()),
    ]);
    let schema = include_str!("../../../corpus/lint/sarif-2.1.0.schema.json");
    let mut schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    // This pattern of the published schema is not a valid regular expression: it has an unmatched
    // bracket.
    for holder in ["run", "toolComponent"] {
        schema["definitions"][holder]["properties"]["language"]["pattern"] =
            "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$".into();
    }
    let schema = jsonschema::validator_for(&schema).unwrap();
    for args in [&["a b", "c"][..], &["c"], &["-g", "nothing"]] {
        let args = [&["lint", "--format", "sarif"], args].concat();
        let output = urlsift(dir.path(), &args);
        let log: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let errors: Vec<String> = schema.iter_errors(&log).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        for result in log["runs"][0]["results"].as_array().unwrap() {
            let place = &result["locations"][0]["physicalLocation"];
            for column in ["startLine", "startColumn", "endLine", "endColumn"] {
                assert!(place["region"][column].as_u64().unwrap() >= 1);
            }
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            assert!(matches!(uri, "a%20b/%C3%A9.md" | "c"), "{uri}");
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            let rule = &log["runs"][0]["tool"]["driver"]["rules"][index];
            assert_eq!(rule["id"], result["ruleId"]);
        }
    }
}

#[test]
fn reports_for_gitlab_and_reviewdog_are_valid() {
    let dir = folder(&[
        ("a b/\u{e9}.md", "[x](http:/www.host.dom/\u{1f600})\n".as_bytes()),
        ("c", FAULTY.as_bytes()),
        ("d", b"<URL:http://www.host.dom/a,\n http://www.host.dom/b> http://www.host.dom:0080/\n"),
    ]);
    for (format, schema) in [
        ("gitlab", include_str!("../../../corpus/lint/code-climate.schema.json")),
        ("rdjson", include_str!("../../../corpus/lint/rdjson.schema.json")),
    ] {
        let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        let schema = jsonschema::validator_for(&schema).unwrap();
        for args in [&["a b", "c", "d"][..], &["./c", "."], &["-g", "nothing"]] {
            let args = [&["lint", "--strict", "--format", format], args].concat();
            let output = urlsift(dir.path(), &args);
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let errors: Vec<String> = schema.iter_errors(&report).map(|e| e.to_string()).collect();
            assert!(errors.is_empty(), "{format}: {errors:?}");
            let items = if format == "gitlab" { &report } else { &report["diagnostics"] };
            let items = items.as_array().unwrap();
            assert_eq!(items.is_empty(), args.contains(&"nothing"), "{format}: {args:?}");
            let marks: Vec<_> =
                items.iter().filter_map(|item| item["fingerprint"].as_str()).collect();
            let unique: std::collections::HashSet<_> = marks.iter().collect();
            assert_eq!(unique.len(), marks.len());
        }
    }
}

#[test]
fn github_commands_are_one_line_each() {
    let dir = folder(&[("a,b:c", b"http:/www.host.dom/50%25\n" as &[u8])]);
    let output = urlsift(dir.path(), &["lint", "--format", "github", "a,b:c"]);
    assert_eq!(
        text(&output.stdout),
        "::error file=a%2Cb%3Ac,line=1,col=5,endColumn=7,title=scheme.single-slash::\
         one slash after the colon instead of two; write two slashes: \
         http://www.host.dom/50%2525\n"
    );
}

#[test]
fn checkstyle_nests_errors_in_files() {
    let dir = folder(&[("a&b", b"http:/www.host.dom/?a&b\n" as &[u8])]);
    let output = text(&urlsift(dir.path(), &["lint", "--format", "checkstyle", "a&b"]).stdout);
    let start = "<file name=\"a&amp;b\">\n    <error line=\"1\" column=\"5\" severity=\"error\"";
    assert!(output.contains(start), "{output}");
    assert!(output.ends_with("  </file>\n</checkstyle>\n"));
}

#[test]
fn fixes_keep_everything_else() {
    // A byte order mark, all kinds of line breaks, invalid UTF-8, and no final line break.
    let old = b"\xef\xbb\xbfa\xff http:/www.host.dom/\r\n\tb\x00\rc http://www.host.dom:80/\n\nd";
    let new = b"\xef\xbb\xbfa\xff http://www.host.dom/\r\n\tb\x00\rc http://www.host.dom/\n\nd";
    let dir = folder(&[("a", old)]);
    let path = dir.path().join("a");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o604)).unwrap();
    let output = urlsift(dir.path(), &["lint", "--diff", "a"]);
    assert!(output.stdout.starts_with(b"--- a/a\n+++ b/a\n"));
    assert_eq!(fs::read(&path).unwrap(), old);
    let output = urlsift(dir.path(), &["lint", "--fix", "a"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(fs::read(&path).unwrap(), new);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o604);
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    urlsift(dir.path(), &["lint", "--fix", "--unsafe-fixes", "a"]);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

/// Pages with all kinds of line breaks, bytes and names. The changes of one of them are left out of
/// the diff.
const PATCHED: [(&str, &[u8]); 7] = [
    ("d/a b.md", b"http:/www.h.org/\r\nb\r\nsee <http:/www.h.org/>\r\nand HTTP://www.h.org/\r\n"),
    ("d/\"q\".md", b"\xff\x1b[2J\0 http:/www.h.org/\n\xe2\x80\xae\n\n\n\n\n\n\n\n\nhttp:/www.h.org/ z"),
    ("d/a\tb\u{e9}\u{202e}.txt", b"x\ry http:/www.h.org/\rz"),
    (" a", b"http:/www.h.org/"),
    ("p.txt", b"use File::Find;\nmy @files;\nsee http:/www.h.org/\nb\n"),
    ("wrapped.txt", b"See <URL:http://www.h.org/a-\n  b~c|d>, <URL:http://www.h.org:80/\n  a|b\n  c>.\n"),
    ("s.md", b"HTTP://a:s3cr3t@www.h.org/\n\nc\nd HTTP://www.h.org/ \nftp://a:s3cr3t@www.h.org/\nc\n\n\n\n\nHTTP://www.h.org/\n"),
];

#[test]
fn a_diff_can_be_applied() {
    let tools: [&[&str]; 2] = [&["git", "apply", "-"], &["patch", "-p1", "--fuzz=0"]];
    for (tool, fix) in tools.iter().flat_map(|tool| [(tool, "--fix"), (tool, "--unsafe-fixes")]) {
        let missing = Command::new(tool[0]).arg("--version").output().is_err();
        if missing {
            continue;
        }
        let (patched, fixed) = (folder(&PATCHED), folder(&PATCHED));
        let args = ["lint", "--select", "all", "--diff", fix, "."];
        let diff = urlsift(patched.path(), &args);
        assert!(!text(&diff.stderr).contains("s3cr3t"));
        assert_eq!(memchr::memmem::find(&diff.stdout, b"s3cr3t"), None);
        assert!(
            text(&diff.stderr).contains("s.md: left out of the diff"),
            "{}",
            text(&diff.stderr)
        );
        let mut apply = Command::new(tool[0]);
        let applied = output_of(apply.args(&tool[1..]).current_dir(patched.path()), &diff.stdout);
        let applied = applied.unwrap();
        let said = text(&applied.stderr) + &String::from_utf8_lossy(&applied.stdout);
        assert!(applied.status.success(), "{said}{}", String::from_utf8_lossy(&diff.stdout));
        assert!(!said.contains("fuzz") && !said.contains("offset"), "{said}");
        urlsift(fixed.path(), &["lint", "--select", "all", fix, "."]);
        for (name, old) in PATCHED {
            let read = |dir: &TempDir| fs::read(dir.path().join(name)).unwrap();
            let (patched, fixed) = (read(&patched), read(&fixed));
            assert_ne!(fixed, old, "{name}");
            if name == "s.md" {
                assert!(patched.ends_with(b"\nhttp://www.h.org/\n"));
                assert!(patched.starts_with(b"HTTP://a:"));
            } else {
                assert_eq!(patched, fixed, "{name} {tool:?}");
            }
        }
    }
}

#[test]
fn only_what_is_reported_is_fixed() {
    // Both `port.default` and `char.unencoded` have the level info here.
    let old = "<http://www.host.dom:80/?a|b>\n";
    let fixed = |args: &[&str], settings: &str| {
        let dir = folder(&[("a", old.as_bytes()), ("urlsift.toml", settings.as_bytes())]);
        urlsift(dir.path(), &[&["lint", "--fix", "a"], args].concat());
        fs::read_to_string(dir.path().join("a")).unwrap()
    };
    let (all, without_port, encoded) = (
        "<http://www.host.dom/?a%7Cb>\n",
        "<http://www.host.dom/?a|b>\n",
        "<http://www.host.dom:80/?a%7Cb>\n",
    );
    assert_eq!(fixed(&[], ""), all);
    assert_eq!(fixed(&["--level", "warning"], ""), old);
    assert_eq!(fixed(&["--level", "info"], ""), all);
    assert_eq!(fixed(&["--select", "char."], ""), encoded);
    assert_eq!(fixed(&["--ignore", "port."], ""), encoded);
    assert_eq!(fixed(&[], "fixable = ['char.']"), encoded);
    assert_eq!(fixed(&[], "unfixable = ['char.']"), without_port);
    assert_eq!(fixed(&[], "unfixable = ['all']\nfixable = ['port.']"), without_port);
    assert_eq!(fixed(&[], "extend-unsafe-fixes = ['all']"), old);
    assert_eq!(fixed(&["--unsafe-fixes"], "extend-unsafe-fixes = ['all']"), all);
    assert_eq!(
        fixed(&[], "extend-unsafe-fixes = ['all']\nextend-safe-fixes = ['port.']"),
        without_port
    );
    let doubtful = "<http://www.host.dom/a.>\n";
    let dir = folder(&[
        ("a", doubtful.as_bytes()),
        ("urlsift.toml", b"extend-safe-fixes = ['link.trailing-punctuation']"),
    ]);
    urlsift(dir.path(), &["lint", "--fix", "a"]);
    assert_eq!(fs::read_to_string(dir.path().join("a")).unwrap(), "<http://www.host.dom/a>\n");
}

#[test]
fn add_ignore_silences_diagnostics() {
    let page = "see http:/www.host.dom/ and htp://www.foo.com/\n\n    htp://www.foo.com/\n";
    let dir = folder(&[("a.md", page.as_bytes()), ("b.txt", b"http:/www.host.dom/\n")]);
    let output = urlsift(dir.path(), &["lint", "--add-ignore", "--format", "concise", "."]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    // Diagnostics in a code block, or in a format without comments, remain.
    assert!(shown.starts_with("a.md:3:5: ") && shown.contains("\nb.txt:1:5: "), "{shown}");
    assert!(shown.contains("in 2 of 2 files; 1 ignore comment added; 1 fixable"), "{shown}");
    let path = dir.path().join("a.md");
    let new = page.replacen(
        ".com/\n",
        ".com/ <!-- urlsift: ignore[scheme.misspelt, scheme.single-slash] -->\n",
        1,
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), new);
    urlsift(dir.path(), &["lint", "--add-ignore", "."]);
    assert_eq!(fs::read_to_string(&path).unwrap(), new, "once is enough");
    let output = urlsift(dir.path(), &["lint", "--add-ignore", "--fix", "."]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn add_ignore_writes_only_comments() {
    let files = [
        ("a.css", "a { b: url(htp://www.foo.com/); }\nc { d: e; }\n", " /* CODES */"),
        ("a.scss", "a { b: url(htp://www.foo.com/); }\nc { d: e; }\n", " // CODES"),
        ("a.php", "<?php\n$a = 'htp://www.foo.com/';\n", " // CODES"),
        ("b.php", "<html>\n<?php\n$a = 'htp://www.foo.com/';\n", ""),
        ("a.json", "{\n\"a\": \"htp://www.foo.com/\"\n}\n", ""),
        ("a.sql", "select 'htp://www.foo.com/';\n", ""),
        ("a.tcl", "set u \"htp://www.foo.com/\"\n", ""),
        ("a.xml", "<a b=\"htp://www.foo.com/\"/>\n", ""),
    ];
    let dir = folder(&files.map(|(name, text, _)| (name, text.as_bytes())));
    urlsift(dir.path(), &["lint", "--add-ignore", "."]);
    for (name, text, comment) in files {
        let comment = comment.replace("CODES", "urlsift: ignore[scheme.misspelt]");
        let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix('\n') {
            Some(line) if line.contains("htp:") => format!("{line}{comment}\n"),
            _ => line.to_owned(),
        });
        let expected: String = lines.collect();
        assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), expected, "{name}");
    }
}

/// Puts faults of all kinds, in a thousand variants each, into documents of every format that has
/// comments.
#[test]
fn ignore_comments_silence_only_the_rules_they_name() {
    let faults = [
        "http:/www.h.org/",
        "htp://www.foo.com/",
        "[a] (http://www.h.org/b)",
        "(a)[http://www.h.org/b]",
        "[a](www.h.org/b)",
        "[a](http://www.h.org/b",
        "<URL:http://www.h.org/a",
        "www,h.org http://www.h.org:80/",
        "http://joe:s3cr3t@www.h.org/",
        "https://www.h.org/\u{200b}a",
    ];
    let marks = [
        "",
        " <b>",
        " $5",
        " {#id}",
        " `c`",
        "  ",
        " \\",
        " | x |",
        " -->",
        " {% x %}",
        " ...",
        " <!-- c -->",
    ];
    let starts = ["", "- ", "> ", "# ", "| a | ", "    ", "// ", "# ", "/* ", "x = \""];
    let all: String = faults
        .iter()
        .flat_map(|fault| marks.iter().map(move |mark| (fault, mark)))
        .enumerate()
        .map(|(at, (fault, mark))| {
            let start = starts[at * 7 % starts.len()];
            let end = if at % 3 == 0 { "\n" } else { "\n\n" };
            format!("{start}{fault}{mark}{end}")
        })
        .collect();
    let names = [
        "md", "mdx", "html", "rst", "adoc", "txt", "py", "rs", "js", "c", "css", "go", "sh",
        "json", "toml", "yaml",
    ];
    let files: Vec<_> = names.iter().map(|name| (format!("a.{name}"), &all)).collect();
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let dir = folder(&files);
    let first = urlsift(dir.path(), &["lint", "--add-ignore", "--format", "jsonl", "."]);
    let after: Vec<_> =
        names.map(|name| fs::read(dir.path().join(format!("a.{name}"))).unwrap()).into();
    for (name, after) in names.iter().zip(&after) {
        let has_comments = !["rst", "adoc", "txt", "json", "toml", "yaml"].contains(name);
        assert_eq!(after != all.as_bytes(), has_comments, "{name}");
    }
    let unused = |output: &Output| {
        let all = records(output);
        all.iter().filter(|it| it["code"] == "suppress.unused").count()
    };
    assert_eq!(unused(&first), 0);
    let second = urlsift(dir.path(), &["lint", "--add-ignore", "--format", "jsonl", "."]);
    // The summary counts the bytes of the files, which have become larger.
    let diagnostics = |output: &Output| {
        let all = records(output);
        all.into_iter().filter(|it| it["type"] == "diagnostic").collect::<Vec<_>>()
    };
    assert_eq!(diagnostics(&first), diagnostics(&second));
    for (name, after) in names.iter().zip(after) {
        assert_eq!(fs::read(dir.path().join(format!("a.{name}"))).unwrap(), after, "{name}");
    }
    // If every diagnostic can be ignored, none remains.
    let page = "a http:/www.h.org/ <b>\n\n[a] (http://www.h.org/b) $5\n";
    let dir = folder(&[("a.md", page.as_bytes())]);
    let output = urlsift(dir.path(), &["lint", "--add-ignore", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(urlsift(dir.path(), &["lint", "."]).status.code(), Some(0));
}

#[test]
fn carriage_returns_alone_end_lines() {
    let dir = folder(&[("a", b"x\ry http:/www.host.dom/\rz" as &[u8])]);
    let output = urlsift(dir.path(), &["lint", "a"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("--> a:2:7\n"), "{shown}");
    assert!(shown.contains("2 | y http:/www.host.dom/\n"), "{shown}");
}

#[test]
fn utf16_is_read_and_not_written() {
    let mut old = vec![0xff, 0xfe];
    old.extend("See http:/www.host.dom/ now.\n".encode_utf16().flat_map(u16::to_le_bytes));
    let dir = folder(&[("a", &old)]);
    let output = urlsift(dir.path(), &["lint", "--fix", "--format", "jsonl", "a"]);
    let first = &records(&output)[0];
    assert_eq!(
        (&first["code"], first["start"].as_u64()),
        (&"scheme.single-slash".into(), Some(18))
    );
    assert_eq!(fs::read(dir.path().join("a")).unwrap(), old);
}

#[test]
fn programs_and_pictures_are_linted_only_if_they_are_named() {
    let program = b"\x7fELF\0\0 see http:/www.host.dom/ now\n";
    let mut wide = vec![0xff, 0xfe];
    wide.extend("See http:/www.host.dom/ now.\n".encode_utf16().flat_map(u16::to_le_bytes));
    let dir = folder(&[("a", program), ("b.txt", FAULTY.as_bytes()), ("wide", &wide)]);
    let names = |args: &[&str]| -> Vec<String> {
        let lines = text(&urlsift(dir.path(), args).stdout);
        let of_faults = lines.lines().filter(|line| line.contains("[scheme.single-slash]"));
        of_faults.filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
    };
    let lint = ["lint", "--format", "concise"];
    assert_eq!(names(&[&lint[..], &["."]].concat()), ["b.txt", "wide"]);
    assert_eq!(names(&[&lint[..], &["a"]].concat()), ["a"]);
    assert_eq!(names(&[&lint[..], &["--input", "binary", "."]].concat()), ["a", "b.txt"]);
    // The size limit doesn't matter in this case.
    let small = urlsift(dir.path(), &["lint", "--max-size", "20", "."]);
    assert!(!text(&small.stderr).contains("a: not linted"), "{}", text(&small.stderr));
}

#[test]
fn binary_files_are_never_changed() {
    let pdf = b"%PDF-1.4\n1 0 obj<</URI(HTTP://www.host.dom/%7Ejoe http:/www.h.dom/)>>endobj\n";
    let late = [FAULTY.as_bytes(), &[b' '; 2000], b"\x01\0\0\x7f"].concat();
    let dir = folder(&[("a.pdf", pdf), ("b.bin", &late), ("c.txt", FAULTY.as_bytes())]);
    for args in [["--fix", "--unsafe-fixes"], ["--add-ignore", "-q"], ["--diff", "--unsafe-fixes"]]
    {
        for files in [&["."][..], &["a.pdf", "b.bin"]] {
            let output = urlsift(dir.path(), &[&["lint"], &args[..], files].concat());
            assert_eq!(fs::read(dir.path().join("a.pdf")).unwrap(), pdf, "{args:?}");
            assert_eq!(fs::read(dir.path().join("b.bin")).unwrap(), late, "{args:?}");
            let (shown, errors) = (text(&output.stdout), text(&output.stderr));
            assert!(!shown.contains("+++ b/a.pdf") && !shown.contains("+++ b/b.bin"), "{shown}");
            let note = "b.bin: not changed: it contains bytes that only binary files have";
            assert!(errors.contains(note), "{args:?}: {errors}");
        }
    }
    assert_ne!(fs::read(dir.path().join("c.txt")).unwrap(), FAULTY.as_bytes());
    // If there is nothing to fix in a binary file, no note is printed.
    fs::write(dir.path().join("b.bin"), [b' ', 1, 0, 0, 1].repeat(500)).unwrap();
    let output = urlsift(dir.path(), &["lint", "--fix", "b.bin"]);
    assert!(!text(&output.stderr).contains("not changed"), "{output:?}");
    let output = piped(dir.path(), &["lint", "--fix", "-"], pdf);
    assert_eq!(output.stdout, pdf);
}

/// A URL of more than 65,536 bytes is cut. A fix that shortens it would move the cut.
#[test]
fn overlong_urls_are_reported_and_not_changed() {
    let url = format!("see http://a.b/?u={}\n", "%68%74%74%70%3a%2f%2f".repeat(3500));
    let dir = folder(&[("a.txt", url.as_bytes())]);
    let output = urlsift(dir.path(), &["lint", "--diff", "--unsafe-fixes", "a.txt"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
    assert!(!text(&output.stderr).contains("bug"), "{}", text(&output.stderr));
}

#[test]
fn files_that_are_not_linted_as_text_are_named() {
    let packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xcb\x28";
    let dir = folder(&[
        ("a.txt.gz", packed),
        ("b", b"\x7fELF\0\0"),
        ("c.txt", b"none"),
        (".d.py", b"\x7fELF\0\0"),
    ]);
    fs::create_dir(dir.path().join("empty")).unwrap();
    // The user must not believe that a compressed file was linted. In a directory, it is skipped.
    let named = urlsift(dir.path(), &["lint", "a.txt.gz", "c.txt"]);
    assert_eq!(named.status.code(), Some(2));
    let expected =
        "urlsift: a.txt.gz: not linted: it is an archive or compressed; unpack it first\n";
    assert_eq!(text(&named.stderr), expected);
    for (args, errors, files) in [
        (&["b"][..], "urlsift: b: it is a binary file; it was linted as plain text\n", 1),
        (
            &["empty"],
            "urlsift: no files to lint; check the paths, the globs, and `exclude` in urlsift.toml\n",
            0,
        ),
        (&["c.txt"], "", 1),
        (&[".d.py"], "", 1),
        (&["."], "", 1),
        (&["b", "--input", "binary"], "", 1),
        (&["empty", "--quiet"], "", 0),
    ] {
        let output = urlsift(dir.path(), &[&["lint"][..], args].concat());
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), errors));
        let summary = text(&output.stdout);
        let expected = format!("Nothing to report in {files} file");
        assert!(summary.is_empty() || summary.starts_with(&expected), "{args:?}: {summary}");
    }
    let fixed = piped(dir.path(), &["lint", "--fix", "-"], packed);
    assert_eq!(fixed.stdout, packed, "compressed data passes through");
}

#[test]
fn unwritable_file_is_unchanged() {
    let dir = folder(&[("a", FAULTY.as_bytes())]);
    let path = dir.path().join("a");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let output = urlsift(dir.path(), &["lint", "--fix", "a"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("urlsift: a: not changed: the file is read-only"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    // With a file size limit of 0, writing the new text fails.
    let command = format!("ulimit -f 0; exec {} lint --fix a", env!("CARGO_BIN_EXE_urlsift"));
    let output =
        Command::new("sh").args(["-c", &command]).current_dir(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("not changed: cannot write the new text"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), FAULTY);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn target_of_link_is_fixed() {
    let dir = folder(&[("real/a", FAULTY.as_bytes())]);
    std::os::unix::fs::symlink("real/a", dir.path().join("l")).unwrap();
    urlsift(dir.path(), &["lint", "--fix", "l"]);
    assert!(fs::symlink_metadata(dir.path().join("l")).unwrap().is_symlink());
    let now = fs::read_to_string(dir.path().join("real/a")).unwrap();
    assert!(now.starts_with("See http://www"));
}

#[test]
fn stdin_filename_selects_settings() {
    let dir = folder(&[("urlsift.toml", b"ignore = ['port.']\n" as &[u8])]);
    let args = ["lint", "-", "--stdin-filename", "docs/x.md", "--format", "jsonl"];
    let input = b"`http:www.host.dom/` [a](<http://www.host.dom:81/a b>)\n";
    let found = records(&piped(dir.path(), &args, input));
    assert_eq!((&found[0]["path"], &found[0]["code"]), (&"docs/x.md".into(), &"char.space".into()));
    assert_eq!(found.len(), 2);
    let output = piped(dir.path(), &["lint", "-", "--fix"], FAULTY.as_bytes());
    assert_eq!(text(&output.stdout), FAULTY.replace("http:/w", "http://w"));
}

#[test]
fn configuration_is_found_upwards() {
    let dir = folder(&[
        ("urlsift.toml", b"profile = 'rfc1738'\n[per-file-ignores]\n'/b/x*' = ['char.']\n"),
        ("b/c/a", b"http://www.host.dom/~joe"),
        ("b/x", b"http://www.host.dom/~joe"),
        ("d/urlsift.toml", b"ignore = ['port.']\nselect = ['prt.']\n"),
        ("d/a", b""),
        ("other.toml", b"[levels]\n'port.' = 'error'\n"),
        ("e", b"http://www.host.dom:81/"),
    ]);
    let codes = |args: &[&str]| -> Vec<String> {
        let args = [&["lint", "--format", "jsonl"], args].concat();
        let all = records(&urlsift(dir.path(), &args));
        let text = |record: &serde_json::Value, key| record[key].as_str().unwrap().to_owned();
        all.iter()
            .filter(|record| record["type"] == "diagnostic")
            .map(|record| text(record, "code") + " " + &text(record, "level"))
            .collect()
    };
    assert_eq!(codes(&["b/c/a"]), ["char.unsafe error"]);
    assert!(codes(&["b/x"]).is_empty());
    assert!(codes(&["--no-config", "b/c/a"]).is_empty());
    assert!(codes(&["--profile", "rfc3986", "b/c/a"]).is_empty());
    assert_eq!(
        codes(&["--config", "other.toml", "e"]),
        ["port.reserved-range error"],
        "one thing of one byte"
    );
    assert_eq!(
        codes(&["--config", "other.toml", "--strict", "e"]),
        ["port.nondefault error", "port.reserved-range error"]
    );
    let output = urlsift(dir.path(), &["lint", "d/a", "e"]);
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("d/urlsift.toml:2: there is no rule `prt.`"), "{error}");
    assert!(text(&output.stdout).contains("port.reserved-range"), "the other file is linted");
}

#[test]
fn baseline_hides_known_diagnostics() {
    let dir = folder(&[("a", FAULTY.as_bytes())]);
    let before = urlsift(dir.path(), &["lint", "--format", "jsonl", "a"]);
    fs::write(dir.path().join("base.jsonl"), &before.stdout).unwrap();
    let args = ["lint", "--baseline", "base.jsonl", "--format", "jsonl", "a"];
    assert_eq!(urlsift(dir.path(), &args).status.code(), Some(0));
    fs::write(dir.path().join("a"), format!("new\n{FAULTY}http:/www.new.dom/\n")).unwrap();
    let after = records(&urlsift(dir.path(), &args));
    assert_eq!(after.len(), 2);
    assert_eq!(after[0]["url"], "http:/www.new.dom/");
}

#[test]
fn a_baseline_knows_a_link_by_its_target_and_a_comment_by_its_line() {
    let page =
        "[a] (http://www.h.org/b)\n\n[a](www.h.org)\n\n<!-- urlsift: ignore[port.default] -->\n";
    let dir = folder(&[("a.md", page.as_bytes())]);
    let before = urlsift(dir.path(), &["lint", "--format", "jsonl", "a.md"]);
    assert_eq!(records(&before)[0]["url"], "http://www.h.org/b");
    fs::write(dir.path().join("base.jsonl"), &before.stdout).unwrap();
    let left = |page: &str| {
        fs::write(dir.path().join("a.md"), page).unwrap();
        let args = ["lint", "--baseline", "base.jsonl", "--format", "jsonl", "a.md"];
        records(&urlsift(dir.path(), &args)).len() - 1
    };
    assert_eq!(left(&format!("new\n\n{page}")), 0);
    assert_eq!(left(&page.replace("org/b", "org/c")), 1);
    assert_eq!(left(&page.replace("(www.h.org)", "(www.i.org)")), 1);
    assert_eq!(left(&page.replace("<!--", "b <!--")), 1);
}

#[test]
fn a_baseline_does_not_depend_on_how_paths_are_spelt() {
    let dir = folder(&[("d/a", FAULTY.as_bytes())]);
    let root = dir.path().to_str().unwrap().to_owned();
    let inner = dir.path().join("d");
    for (place, spelt) in [(dir.path(), "d/a"), (dir.path(), "./d//../d/a"), (&*inner, "a")] {
        let before = urlsift(place, &["lint", "--format", "jsonl", spelt]);
        fs::write(place.join("base.jsonl"), &before.stdout).unwrap();
        let base = place.join("base.jsonl");
        let base = base.to_str().unwrap();
        let known = |from: &Path, path: &str| {
            urlsift(from, &["lint", "--baseline", base, path]).status.code() == Some(0)
        };
        assert!(known(dir.path(), "d/a") && known(dir.path(), "./d/a"), "{spelt}");
        assert!(known(dir.path(), &format!("{root}/d/a")), "{spelt}");
        assert!(known(&inner, "../d/a"), "{spelt}");
    }
}

#[test]
fn reports_of_linters_are_not_linted() {
    let dir = folder(&[("a", FAULTY.as_bytes())]);
    let lint = |format: &str| urlsift(dir.path(), &["lint", "--format", format, "."]);
    let (jsonl, sarif) = (lint("jsonl").stdout, lint("sarif").stdout);
    fs::write(dir.path().join("b.jsonl"), &jsonl).unwrap();
    fs::write(dir.path().join("c.sarif"), &sarif).unwrap();
    assert_eq!(lint("jsonl").stdout, jsonl);
    // Neither is the file that the output is written to.
    let output = dir.path().join("out");
    let status = Command::new(env!("CARGO_BIN_EXE_urlsift"))
        .args(["lint", "--format", "concise", "."])
        .current_dir(dir.path())
        .stdout(fs::File::create(&output).unwrap())
        .status();
    assert_eq!(status.unwrap().code(), Some(1));
    assert!(!fs::read_to_string(output).unwrap().contains("./out:"));
}

#[test]
fn error_in_settings_is_reported_once() {
    let dir =
        folder(&[("urlsift.toml", b"ignore = ['hots.']"), ("a", b"x"), ("b", b"x"), ("d/c", b"x")]);
    for threads in ["-j1", "-j3"] {
        let output = urlsift(dir.path(), &["lint", threads, "."]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stderr).matches("no rule `hots.`").count(), 1);
    }
}

#[test]
fn settings_are_shown() {
    let dir =
        folder(&[("urlsift.toml", b"profile = 'rfc3986'\nignore = ['host.label']"), ("d/a", b"")]);
    let shown = text(&urlsift(dir.path(), &["lint", "--show-settings", "d/a", "."]).stdout);
    assert_eq!(shown.matches("urlsift.toml\nprofile = \"rfc3986\"\n").count(), 2, "{shown}");
    assert_eq!(shown.matches("\n# off: \"host.label\" = \"error\"\n").count(), 2, "{shown}");
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let dir = folder(&[("a", FAULTY.as_bytes()), ("b", format!("new\n\n{FAULTY}").as_bytes())]);
    let prints = |path: &str| -> Vec<String> {
        let sarif = urlsift(dir.path(), &["lint", "--format", "sarif", path]).stdout;
        let sarif: serde_json::Value = serde_json::from_slice(&sarif).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
        results.map(|result| result["partialFingerprints"].to_string()).collect()
    };
    let before = prints("a");
    assert!(before.len() > 1 && before[0] != before[1]);
    assert_eq!(prints("b"), before);
}

#[test]
fn a_long_line_of_faults_is_shown_in_bounds() {
    let line = "http://www..host.dom/a ftp://joe:hunter2@host.dom/b ".repeat(4000);
    let dir = folder(&[("a", line.as_bytes())]);
    let output = text(&urlsift(dir.path(), &["lint", "a"]).stdout);
    assert!(!output.contains("hunter2"));
    assert_eq!(output.lines().filter(|line| line.starts_with(" --> a:1:")).count(), 20);
    let rest = output.lines().filter(|line| line.starts_with("a:1:"));
    assert_eq!(rest.count(), 8000 - 20);
    let records = records(&urlsift(dir.path(), &["lint", "--format", "jsonl", "a"]));
    let starts: Vec<u64> = records.iter().filter_map(|record| record["start"].as_u64()).collect();
    assert!(starts.len() == 8000 && starts.is_sorted());
}

#[test]
fn control_characters_are_never_raw() {
    let faulty = b"\x1b[31m http:/www.host.dom/\x9b\xe2\x80\xae \x07\n";
    let dir = folder(&[("a\x1b[2J", faulty as &[u8])]);
    let output = urlsift(dir.path(), &["lint", "--color", "never", "a\x1b[2J"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("\\x1b[31m http:/www.host.dom/\\x9b\\u{202e} \\x07"), "{shown}");
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
    let painted = text(&urlsift(dir.path(), &["lint", "--color", "always", "a\x1b[2J"]).stdout);
    assert!(painted.contains("\x1b[1;31merror[scheme.single-slash]\x1b[0m"), "{painted}");
}

#[test]
fn explain_is_the_rules_page() {
    let dir = folder(&[]);
    let page = include_str!("../../lint/RULES.md");
    assert_eq!(text(&urlsift(dir.path(), &["explain", "--all"]).stdout), page);
    let one = text(&urlsift(dir.path(), &["explain", "host.toplabel"]).stdout);
    assert!(one.starts_with("## `host.toplabel`\n") && page.contains(&one));
    let output = urlsift(dir.path(), &["explain", "host.toplevel"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("did you mean `host.toplabel`?"));
}

#[test]
fn mail_is_linted_and_never_rewritten() {
    let mail = b"From: joe@host.dom\nDate: Thu, 1 Dec 1994 10:00:00 +0000\n\
        Message-ID: <1@host.dom>\nContent-Transfer-Encoding: quoted-printable\n\n\
        See http:/www.host.dom/=\na?b=3Dc now.\n";
    let dir = folder(&[("1", mail as &[u8])]);
    let output = urlsift(dir.path(), &["lint", "--fix", "--format", "jsonl", "1"]);
    let first = &records(&output)[0];
    assert_eq!(first["code"], "scheme.single-slash");
    assert_eq!(first["url"], "http:/www.host.dom/a?b=c");
    assert_eq!(first["fix"]["applicability"], "display");
    assert_eq!(fs::read(dir.path().join("1")).unwrap(), mail);
}
