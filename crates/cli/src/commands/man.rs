//! `urlsift man`: manual pages, made from the definitions of the options, with what these cannot say behind them.

use crate::args::{Cli, ManArgs};
use crate::exit::Exit;
use anyhow::anyhow;
use clap::CommandFactory;
use clap_mangen::Man;

/// Of the page of a subcommand: what to type, and what comes of it.
type Example = (&'static str, &'static str);

const SCAN: &[Example] = &[
    ("urlsift scan spool/", "Every URL of a news spool, one a line."),
    (
        "urlsift scan list.mbox.gz --format jsonl",
        "With message, date and place, one JSON object a line.",
    ),
    (
        "urlsift scan mail/ --since 1994 --until 1996 --unique=count",
        "Each URL of three years once, with its number.",
    ),
    ("urlsift scan -n -C 2 notes/", "The lines that URLs stand in, with two around each."),
    ("curl -s https://host.dom/ | urlsift scan --input html", "The URLs of a page."),
];
const LINT: &[Example] = &[
    ("urlsift lint README.md docs/", "What is wrong with the URLs of documents."),
    ("urlsift lint --diff docs/", "What --fix would change."),
    (
        "urlsift lint --format sarif docs/ > lint.sarif",
        "For a service that shows faults beside the code.",
    ),
];
const REPORT: &[Example] = &[
    ("urlsift report list.mbox -o report.html", "An archive at a glance, for a browser."),
    (
        "urlsift scan spool/ --format parquet -o run && urlsift report run -o report.html",
        "The same of a run that has written its tables.",
    ),
];
const PARSE: &[Example] = &[
    (
        "urlsift parse 'gopher://host.dom/7sel%09query'",
        "The parts of a URL, and what a client sends.",
    ),
    ("urlsift parse --profile rfc1738 - < urls.txt", "The verdicts on a list of URLs."),
];
const EXPLAIN: &[Example] = &[
    ("urlsift explain host.toplabel", "What a code means, and where that is written."),
    ("urlsift explain --list", "All codes."),
];
const UNITS: &[Example] = &[(
    "urlsift units --size 64M archive.mbox | split -n l/8 - part.",
    "Work for eight machines: each runs urlsift scan --units on its part.",
)];

/// What to type, by subcommand.
fn examples(subcommand: &str) -> &'static [Example] {
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

const FILES: &[Example] = &[
    ("urlsift.toml", "The settings of lint for the files in its directory and below."),
    (
        ".gitignore, .ignore, .rgignore",
        "Rules for files and directories that are left out, as ripgrep heeds them.",
    ),
];

/// A section of pairs, as troff writes them.
fn section(page: &mut Vec<u8>, title: &str, pairs: &[Example]) {
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
    let mut cli = Cli::command();
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
                anyhow!("there is no subcommand `{name}`; there are {}", names.join(", "))
            })?;
            found.display_name(format!("urlsift-{name}"))
        }
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    section(&mut page, "EXAMPLES", examples(name));
    section(&mut page, "FILES", FILES);
    page.extend_from_slice(
        format!(".SH \"SEE ALSO\"\n{}\n", see_also.replace('-', "\\-")).as_bytes(),
    );
    super::print(&page)
}
