//! The subcommand `man`: prints manual pages. They are generated from the definitions of the
//! options, and contain examples.

use crate::args::{Cli, ManArgs};
use crate::exit::Exit;
use anyhow::anyhow;
use clap_mangen::Man;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command, Stdio};

/// An entry in a list of a manual page: a command or file, and its description.
type Entry = (&'static str, &'static str);

const SCAN: &[Entry] = &[
    ("urlsift scan spool/", "Print every URL in a news spool, one per line."),
    (
        "urlsift scan list.mbox.gz --format jsonl",
        "Print one JSON object per URL, with its message, date and position.",
    ),
    (
        "urlsift scan mail/ --since 1994 --until 1996 --unique=count",
        "Print each URL from 1994 to 1996 once, with the number of times it occurs.",
    ),
    (
        "urlsift scan -n -C 2 notes/",
        "Print the lines that contain URLs, with two lines of context.",
    ),
    ("curl -s https://host.dom/ | urlsift scan --input html", "Print the URLs in a web page."),
];
const LINT: &[Entry] = &[
    ("urlsift lint README.md docs/", "Check the URLs in documents."),
    ("urlsift lint --diff docs/", "Show what --fix would change."),
    (
        "urlsift lint --format sarif docs/ > lint.sarif",
        "Write SARIF for a service that shows the diagnostics next to the code.",
    ),
];
const REPORT: &[Entry] = &[
    ("urlsift report list.mbox -o report.html", "Summarize an archive in an HTML page."),
    (
        "urlsift scan spool/ --format parquet -o run && urlsift report run -o report.html",
        "Write Parquet tables, then summarize them in an HTML page.",
    ),
];
const PARSE: &[Entry] = &[
    (
        "urlsift parse 'gopher://host.dom/7sel%09query'",
        "Show the parts of a URL and what a client would send.",
    ),
    ("urlsift parse --profile rfc1738 - < urls.txt", "Check a list of URLs against RFC 1738."),
];
const EXPLAIN: &[Entry] = &[
    ("urlsift explain host.toplabel", "Explain a rule and name its section of the standard."),
    ("urlsift explain --list", "List all rules."),
];
const UNITS: &[Entry] = &[(
    "urlsift units --size 64M archive.mbox | split -n l/8 - part.",
    "Divide an archive among eight machines; each scans its part with urlsift scan --units.",
)];

/// Returns the examples for the manual page of a subcommand, or an empty slice if it has no
/// examples.
fn subcommand_examples(subcommand: &str) -> &'static [Entry] {
    match subcommand {
        "urlsift" | "scan" => SCAN,
        "lint" => LINT,
        "report" => REPORT,
        "parse" => PARSE,
        "explain" => EXPLAIN,
        "units" => UNITS,
        _ => &[],
    }
}

/// The files that urlsift reads by default.
const FILES: &[Entry] = &[
    ("urlsift.toml", "Settings of urlsift lint for the files in the same directory and below."),
    (".gitignore, .ignore, .rgignore", "Rules for files and directories to skip, as in ripgrep."),
];

/// Appends a section to a manual page in troff format. Each entry of `pairs` is a term and its
/// description. Appends nothing if there are no entries.
fn push_section(page: &mut Vec<u8>, title: &str, pairs: &[Entry]) {
    if pairs.is_empty() {
        return;
    }
    page.extend_from_slice(format!(".SH {title}\n").as_bytes());
    for (head, text) in pairs {
        let [head, text] = [head, text].map(|text| text.replace('\\', "\\e").replace('-', "\\-"));
        page.extend_from_slice(format!(".TP\n\\fB\\&{head}\\fR\n\\&{text}\n").as_bytes());
    }
}

pub(crate) fn run(args: &ManArgs) -> anyhow::Result<Exit> {
    let mut cli = Cli::command_with_help();
    cli.build();
    let names = cli.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help");
    let see_also: Vec<_> = names.map(|name| format!("urlsift-{name}(1)")).collect();
    let see_also = format!("urlsift(1), {}, rg(1)", see_also.join(", "));
    let name = args.subcommand.as_deref().unwrap_or("urlsift");
    let command = match &args.subcommand {
        None => cli,
        Some(name) => {
            let found = cli.find_subcommand(name).cloned().ok_or_else(|| {
                let names: Vec<_> = cli.get_subcommands().map(clap::Command::get_name).collect();
                anyhow!("unknown subcommand `{name}`; choose one of: {}", names.join(", "))
            })?;
            found.display_name(format!("urlsift-{name}"))
        }
    };
    let mut page = Vec::new();
    Man::new(command)
        // Quotes, because `Man` writes an empty date as nothing, and then the source is in its
        // place.
        .date("\"\"")
        .source(concat!("urlsift ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands")
        .render(&mut page)?;
    push_section(&mut page, "EXAMPLES", subcommand_examples(name));
    push_section(&mut page, "FILES", FILES);
    page.extend_from_slice(
        format!(".SH \"SEE ALSO\"\n{}\n", see_also.replace('-', "\\-")).as_bytes(),
    );
    if io::stdout().is_terminal() && is_shown_by_man(&page) {
        return Ok(Exit::Success);
    }
    super::print_output(&page)
}

/// Shows a manual page in a pager, with the program `man`. Returns false if there is no such
/// program, or it can't read a page from its standard input.
fn is_shown_by_man(page: &[u8]) -> bool {
    let mut man = Command::new("man");
    man.args(["-l", "-"]).stdin(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = man.spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        // Fails if the user leaves the pager before it has read the whole page.
        let _ = input.write_all(page);
    }
    child.wait().is_ok_and(|status| status.success())
}
