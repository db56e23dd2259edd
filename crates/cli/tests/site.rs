//! Checks the generated pages of the documentation: the pages of the commands and of the lint
//! rules. `PAGES=overwrite cargo test -p urlsift --test site` rewrites them.
#![cfg_attr(
    any(not(unix), not(feature = "server"), feature = "pick"),
    expect(dead_code, reason = "the pages of the commands show the default features")
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// The subcommands that have a page, in the order of the table of contents.
const COMMANDS: [&str; 10] = [
    "scan",
    "lint",
    "report",
    "parse",
    "explain",
    "units",
    "schema",
    "server",
    "completions",
    "man",
];

fn reference() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/reference")
}

fn urlsift(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    let output = command.args(args).stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Compares a page with the expected text, or rewrites the page if that was requested.
fn check(path: &Path, wanted: &str) {
    if env::var_os("PAGES").is_some_and(|value| value == "overwrite") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, wanted).unwrap();
    }
    let page = fs::read_to_string(path).unwrap_or_default();
    assert!(page == wanted, "{} is out of date: run with PAGES=overwrite", path.display());
}

/// Escapes what Markdown would read as HTML or emphasis outside of code.
fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for (index, piece) in text.split('`').enumerate() {
        if index > 0 {
            shown.push('`');
        }
        let is_code = index % 2 == 1;
        if is_code {
            shown.push_str(piece);
        } else {
            shown.push_str(&piece.replace('<', "\\<").replace('*', "\\*").replace('[', "\\["));
        }
    }
    shown
}

/// Converts the output of `urlsift COMMAND --help` to a page.
fn command_page(command: &str) -> String {
    let help = urlsift(&[command, "--help"]);
    let mut page = format!("# urlsift {command}\n\n");
    let mut paragraph = String::new();
    let flush = |page: &mut String, paragraph: &mut String| {
        if !paragraph.is_empty() {
            writeln!(page, "{}\n", escaped(paragraph)).unwrap();
            paragraph.clear();
        }
    };
    for line in help.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text.is_empty() {
            flush(&mut page, &mut paragraph);
        } else if let Some(usage) = line.strip_prefix("Usage: ") {
            flush(&mut page, &mut paragraph);
            write!(page, "```text\n{usage}\n```\n\n").unwrap();
        } else if indent == 0 && line.ends_with(':') && line.len() < 60 {
            flush(&mut page, &mut paragraph);
            write!(page, "## {}\n\n", &line[..line.len() - 1]).unwrap();
        } else if (1..=6).contains(&indent)
            && (text.starts_with('-') || text.starts_with(['<', '[']))
        {
            flush(&mut page, &mut paragraph);
            write!(page, "### `{text}`\n\n").unwrap();
        } else if let Some(value) = text.strip_prefix("- ") {
            flush(&mut page, &mut paragraph);
            let (name, meaning) = value.split_once(':').unwrap_or((value, ""));
            paragraph = format!("- `{name}`: {}", meaning.trim_start());
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(text);
        }
    }
    flush(&mut page, &mut paragraph);
    // Join the items of each list, so that no blank lines separate them.
    let mut joined = String::new();
    let mut lines = page.trim_end().lines().peekable();
    let mut is_item = false;
    while let Some(line) = lines.next() {
        let between_items =
            line.is_empty() && is_item && lines.peek().is_some_and(|next| next.starts_with("- "));
        if !between_items {
            joined.push_str(line);
            joined.push('\n');
            is_item = line.starts_with("- ");
        }
    }
    joined
}

#[test]
#[cfg(all(unix, feature = "server", not(feature = "pick")))]
fn commands_are_documented_as_their_help_says() {
    let directory = reference().join("commands");
    let mut index = "# Commands\n\n| command | |\n|---|---|\n".to_owned();
    for command in COMMANDS {
        let help = urlsift(&[command, "--help"]);
        let about = help.lines().next().unwrap_or_default();
        writeln!(index, "| [`urlsift {command}`]({command}.md) | {} |", escaped(about)).unwrap();
        check(&directory.join(command).with_extension("md"), &command_page(command));
    }
    index += "\nIf an option accepts a list, separate the values with commas, or repeat the option. \
              `urlsift help COMMAND` prints the help of a command, and `urlsift man COMMAND` prints its manual page.\n\n\
              [`urlsift pick`](../../guides/mail-clients.md) is a menu for mail clients (feature `pick`).\n";
    check(&directory.join("index.md"), &index);
}

/// Returns the code of each rule in the table at the start of `urlsift explain --all`.
fn rule_codes(all: &str) -> Vec<&str> {
    let rows = all.lines().filter_map(|line| line.strip_prefix("| [`"));
    rows.filter_map(|row| Some(row.split_once('`')?.0)).collect()
}

#[test]
fn each_rule_has_a_page() {
    let directory = reference().join("rules");
    let all = urlsift(&["explain", "--all"]);
    let codes = rule_codes(&all);
    assert!(codes.len() > 50, "{}", codes.len());
    let mut index = "# Lint rules\n\n`urlsift lint` reports violations of all these rules. `urlsift parse` and `urlsift scan` report those of the rules \
                     that are part of a profile. [urlsift.toml](../config.md) selects rules and changes their levels.\n\n"
        .to_owned();
    let mut contents = String::new();
    for line in all.lines().filter(|line| line.starts_with('|')) {
        let row = match line.strip_prefix("| [`").and_then(|row| row.split_once("`](#")) {
            Some((code, rest)) => {
                let rest = rest.split_once(')').map_or("", |(_, rest)| rest);
                format!("| [`{code}`]({code}.md){rest}")
            }
            None => line.to_owned(),
        };
        writeln!(index, "{row}").unwrap();
    }
    check(&directory.join("index.md"), &index);
    for code in codes {
        writeln!(contents, "  - [{code}](reference/rules/{code}.md)").unwrap();
        let page = urlsift(&["explain", code]);
        let lines = page.lines().map(|line| match line.strip_prefix("##") {
            Some(rest) => format!("#{rest}"),
            None => line.to_owned(),
        });
        let page = lines.collect::<Vec<_>>().join("\n");
        check(&directory.join(format!("{code}.md")), &format!("{}\n", page.trim_end()));
    }
    let summary = reference().join("../SUMMARY.md");
    let text = fs::read_to_string(&summary).unwrap();
    let (begin, end) = ("- [Lint rules](reference/rules/index.md)\n", "- [urlsift.toml]");
    let (before, rest) = text.split_once(begin).unwrap();
    let after = rest.split_once(end).unwrap().1;
    check(&summary, &format!("{before}{begin}{contents}{end}{after}"));
}
