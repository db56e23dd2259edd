//! The arguments of `urlsift scan`.

use super::hyperlink::HyperlinkFormat;
use super::lines::{Context, LineArgs};
use super::option::{OfScan, OptionArgs, option_full_help, option_help};
use super::paths::PathArgs;
use super::values::{By, ColorArg, Format, Unique};
use anyhow::{anyhow, bail};
use clap::{ArgAction, Args, FromArgMatches as _};
use std::path::{Path, PathBuf};
use urlsift_lint::most_similar;
use urlsift_records::table::{Columns, URLS};
use urlsift_records::{self as records, Detail, Size, With};
use urlsift_report::LinkTemplate;

/// Options of `scan`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
#[command(
    after_long_help = "Exit status: 0 if a URL was found, 1 if none was found, 2 on an error (even if other files were \
        scanned), 130 after SIGINT, 143 after SIGTERM."
)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,

    /// Scan the units in LIST, a list that `urlsift units` printed; `-` is standard input
    #[arg(
        long,
        value_name = "LIST",
        conflicts_with_all = ["paths", "refang"],
        hide_short_help = true,
        help_heading = "Input"
    )]
    pub(crate) units: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) find: OptionArgs<OfScan>,

    /// Report the URLs of messages with the same Message-ID only once
    ///
    /// The URLs of the first of these messages are reported, even if the others are in other files.
    #[arg(
        long,
        conflicts_with_all = ["count", "files_with_matches", "files_without_match", "quiet"],
        help_heading = "Which messages to scan"
    )]
    pub(crate) dedupe: bool,

    /// Print URLs in this format
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: Format,

    /// Print JSON Lines, as `--format jsonl` does
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) json: bool,

    /// Write to FILE instead of standard output
    ///
    /// FILE is created or replaced only when the output is complete. With `--format parquet`, FILE
    /// is a directory, in which several files are created.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Print nothing; exit with status 0 at the first URL
    ///
    /// The exit status is 0 if a URL is found, and 1 if none is found. With `--stats`, all of the
    /// input is read.
    #[arg(short, long, conflicts_with_all = ["output", "count", "files_with_matches"], help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Print at most NUM URLs of each file
    #[arg(short, long, value_name = "NUM", hide_short_help = true, help_heading = "Output")]
    pub(crate) max_count: Option<u64>,

    /// Print the path before each URL
    #[arg(short = 'H', long, overrides_with = "no_filename", help_heading = "Output")]
    pub(crate) with_filename: bool,

    /// Don't print paths (the default, except with `--count`)
    #[arg(
        short = 'I',
        long,
        overrides_with = "with_filename",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) no_filename: bool,

    /// Print the line number before each URL
    #[arg(short = 'n', long, help_heading = "Output")]
    pub(crate) line_number: bool,

    /// Print the column number before each URL; columns count bytes from 1
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) column: bool,

    /// Print the byte offset before each URL; offsets start at 0
    #[arg(short, long, hide_short_help = true, help_heading = "Output")]
    pub(crate) byte_offset: bool,

    #[command(flatten)]
    pub(crate) lines: LineArgs,

    /// Print the text of files, with each URL replaced by spaces
    ///
    /// Each byte of a URL becomes a space, except line breaks. Use this option to hide URLs from a
    /// spell checker: all other text keeps its position. It is meant for text files, because URLs
    /// in encoded text, such as base64, are not replaced.
    #[arg(
        long,
        conflicts_with_all = ["count", "files_with_matches", "files_without_match", "quiet", "by", "unique", "dedupe", "max_count", "units", "show_lines", "after_context", "before_context", "context"],
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) blank: bool,

    /// Print the number of URLs in each file that contains any
    #[arg(short, long, conflicts_with_all = ["files_with_matches", "files_without_match"], help_heading = "Output")]
    pub(crate) count: bool,

    /// Print only the paths of files with URLs
    #[arg(short = 'l', long, help_heading = "Output")]
    pub(crate) files_with_matches: bool,

    /// Print only the paths of files without URLs
    #[arg(
        long,
        conflicts_with = "files_with_matches",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) files_without_match: bool,

    /// Print a NUL byte after paths instead of a colon or line break
    #[arg(short = '0', long, hide_short_help = true, help_heading = "Output")]
    pub(crate) null: bool,

    /// Print each URL only once; URLs are compared by their normalized form
    ///
    /// `--unique` prints each URL when it is first found; `--unique=count` prints all of them at
    /// the end of the run, with the number of occurrences.
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "first",
        help_heading = "Output"
    )]
    pub(crate) unique: Option<Unique>,

    /// Count URLs by host, domain, scheme, year, month, list, sender, …
    ///
    /// With `--by`, each line has the number of URLs, the number of messages that contain them, the
    /// first and the last date of these messages, and the value. URLs without a value are counted
    /// as `-`. The most frequent value comes first, but years and months are sorted by time. To
    /// count by two properties, query a table made with `--format csv`.
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        // Several values are accepted here, so that the error for them can say what to do.
        action = ArgAction::Append,
        value_delimiter = ',',
        conflicts_with_all = ["count", "files_with_matches", "files_without_match", "quiet", "fields", "readings"],
        help_heading = "Output"
    )]
    pub(crate) by: Vec<By>,

    /// Print the names of the columns above the counts of `--by` or `--unique=count`
    ///
    /// This option applies to text output. CSV and TSV always have a header line.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) header: bool,

    /// Use at most this much memory for `--by`, `--unique` and `--dedupe`
    ///
    /// When this much memory is used, new URLs and messages are not remembered. Then `--unique` and
    /// `--dedupe` may print a URL again, and `--by`, `--unique=count` and `--count` leave out new
    /// groups and URLs. The number of affected URLs is reported.
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "1G",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) max_memory: Size,

    /// Use color and hyperlinks: auto, always or never
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) color: ColorArg,

    /// Print paths and positions as hyperlinks of this format
    ///
    /// FORMAT is `default`, `file`, `vscode` or another format name of ripgrep, or a template of
    /// `{path}`, `{line}`, `{column}`, `{host}` and `{wslprefix}`. Hyperlinks are printed only with
    /// color, and if the terminal supports them.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "none",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) hyperlink_format: HyperlinkFormat,

    /// Print each URL as soon as its line is complete
    ///
    /// By default, URLs from a pipe are printed when the pipe pauses at the end of a line.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) line_buffered: bool,

    /// Also print other readings, e.g. of URLs that were broken after a hyphen
    ///
    /// A hyphen at the end of a line may or may not be part of the URL. So the URL is printed with
    /// the hyphen and without it.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) readings: bool,

    /// Print URLs so that no program turns them into links: `hxxp://h[.]dom/`
    ///
    /// This option applies to text output only.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) defang: bool,

    /// Print only these columns of CSV, TSV or urls.parquet, in this order
    ///
    /// `urlsift schema urls` lists the columns. Separate several columns with commas.
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) fields: Vec<String>,

    /// Put an apostrophe before cells of CSV and TSV that a spreadsheet would read as formulas
    ///
    /// Such cells start with `=`, `+`, `-` or `@`.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) guard_formulas: bool,

    #[arg(
        long,
        value_name = "FILE",
        help = option_help("hash_key"),
        long_help = option_full_help("hash_key"),
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) hash_key: Option<PathBuf>,

    /// Don't report files that can't be read, or limits that were reached
    ///
    /// The exit status is 2 nevertheless if a file can't be read, and JSON Lines and tables contain
    /// the errors.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) no_messages: bool,

    /// Print statistics to standard error at the end: how much was read and found
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) stats: bool,

    /// Continue where the last run with this FILE ended, and read only new input
    ///
    /// The first run creates FILE. `--state` needs `-o DIR`, and `--format parquet` or
    /// `--format jsonl`. Each run adds parts to the output: urls-00001.parquet or urls-00001.jsonl,
    /// and so on.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["units", "unique", "dedupe", "max_count", "blank"],
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) state: Option<PathBuf>,

    /// With `--state`, start a new part after SIZE bytes of input
    ///
    /// If a run is killed, the next run reads at most SIZE bytes again.
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "256M",
        requires = "state",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) part_size: Size,

    /// Use NUM threads; 0 chooses the number automatically
    ///
    /// By default, urlsift uses two threads per core or 8, whichever is more. For a single file, it
    /// uses one per core. A NUM greater than four per core is reduced to four per core.
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Never show progress
    #[arg(long, hide_short_help = true)]
    pub(crate) no_progress: bool,

    /// The template for links from the report to messages.
    #[arg(skip)]
    pub(crate) link: Option<LinkTemplate>,
}

impl Default for ScanArgs {
    /// Returns the arguments that `urlsift scan` has if no options are given.
    fn default() -> Self {
        let command = Self::augment_args(clap::Command::new("scan"));
        let matches = command.get_matches_from(["scan"]);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

impl ScanArgs {
    /// Returns the output format that `--format` or `--json` selects.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Jsonl } else { self.format }
    }

    /// True if the scan must collect the data for a report: for the format `report`, and for
    /// Parquet output, which includes a report.
    pub(crate) fn collects_report(&self) -> bool {
        matches!(self.format(), Format::Parquet | Format::Report)
    }

    /// True if the output format is a table with one row per URL (CSV, TSV or Parquet).
    fn is_table(&self) -> bool {
        matches!(self.format(), Format::Csv | Format::Tsv | Format::Parquet)
    }

    /// Checks the combination of output options, and returns the directory for Parquet tables, or
    /// for the parts of a scan with `--state`. Returns `None` if the output is a single file.
    ///
    /// # Errors
    ///
    /// Fails if the format is Parquet and `-o` is missing or this build can't write Parquet. Also
    /// fails if another option can't be combined with the format.
    pub(crate) fn table_directory(&self) -> anyhow::Result<Option<&Path>> {
        if !self.by.is_empty() && matches!(self.format(), Format::Parquet | Format::Cdx) {
            bail!("--by counts URLs and needs --format text, jsonl, csv or tsv");
        }
        let is_counted =
            matches!(self.format(), Format::Parquet | Format::Cdx) || !self.by.is_empty();
        if is_counted && self.unique == Some(Unique::Count) {
            bail!(
                "--unique=count needs --format text, jsonl, csv or tsv, and no --by; use --by url to count URLs"
            );
        }
        if self.state.is_some() && self.format() == Format::Jsonl && !self.by.is_empty() {
            bail!("--by can't be combined with --state, because each run reads only new input");
        }
        let has_parts = self.state.is_some() && self.format() == Format::Jsonl;
        if self.format() != Format::Parquet && !has_parts {
            if self.state.is_some() {
                bail!("--state needs --format parquet or jsonl, and -o DIR");
            }
            return Ok(None);
        }
        if self.format() == Format::Parquet && cfg!(not(feature = "parquet")) {
            bail!(
                "this urlsift was built without Parquet; install it with `cargo install --locked --path \
                 crates/cli --features full`, or use --format csv"
            );
        }
        let is_list = self.count || self.files_with_matches || self.files_without_match;
        if is_list || self.quiet {
            bail!(
                "an output of several files can't be combined with -c, -l, --files-without-match or -q"
            );
        }
        self.output
            .as_deref()
            .map(Some)
            .ok_or_else(|| anyhow!("the output consists of several files; add -o DIR"))
    }

    /// Returns the numbers of context lines from `--show-lines`, `-A`, `-B` and `-C`. Returns
    /// `None` if none of these is given and no lines are printed.
    ///
    /// # Errors
    ///
    /// Fails if another option can't be combined with printing lines.
    pub(crate) fn context_lines(&self) -> anyhow::Result<Option<Context>> {
        let Some(context) = self.lines.context() else { return Ok(None) };
        if self.format() != Format::Text {
            bail!(
                "--show-lines, -A, -B and -C need --format text; other formats have the position of each URL in `line`, \
                 `start` and `end`"
            );
        }
        let others = [
            (self.find.options.mask_passwords, "--mask-passwords"),
            (self.find.options.mask_secrets, "--mask-secrets"),
            (self.defang, "--defang"),
            (self.readings, "--readings"),
            (self.unique.is_some(), "--unique"),
            (self.dedupe, "--dedupe"),
            (!self.by.is_empty(), "--by"),
            (self.units.is_some(), "--units"),
        ];
        if let Some((_, option)) = others.into_iter().find(|(is_set, _)| *is_set) {
            bail!(
                "{option} can't be combined with --show-lines, -A, -B or -C, which print lines unchanged"
            );
        }
        Ok(Some(context))
    }

    /// True if the text of files is printed with URLs replaced by spaces (`--blank`).
    ///
    /// # Errors
    ///
    /// Fails if the format is not text.
    pub(crate) fn blanks_urls(&self) -> anyhow::Result<bool> {
        if self.blank && self.format() != Format::Text {
            bail!("--blank prints text; remove --format or --json");
        }
        Ok(self.blank)
    }

    /// Returns the property by which `--by` counts URLs, or `None` if the option is not given.
    ///
    /// # Errors
    ///
    /// Fails if several properties are given.
    pub(crate) fn by(&self) -> anyhow::Result<Option<By>> {
        let first = self.by.first().copied();
        match self.by.iter().find(|by| Some(**by) != first) {
            None => Ok(first),
            Some(second) => bail!(
                "--by {},{}: URLs are counted by one property; to count by several, write a table with \
                 `--format csv`, and query it with a database",
                self.by[0].name(),
                second.name(),
            ),
        }
    }

    /// Returns the table columns that `--fields` selects, or all columns if the option is not
    /// given.
    ///
    /// # Errors
    ///
    /// Fails if a column is unknown or repeated, if the format has no columns, or if `--with` adds
    /// a field that tables don't have.
    pub(crate) fn columns(&self) -> anyhow::Result<Columns> {
        let is_missing = |field: &&With| !With::OF_TABLE.contains(field);
        if self.is_table()
            && let Some(field) = self.find.options.with.iter().find(is_missing)
        {
            let name = field.name();
            bail!("--with {name}: tables have no such column; {}", instead_of_column(name));
        }
        if self.fields.is_empty() {
            return Ok(Columns::default());
        }
        if self.format() == Format::Jsonl {
            bail!(
                "--fields needs --format csv, tsv or parquet; select the fields of JSON Lines with `jq`"
            );
        }
        if !self.is_table() {
            bail!("--fields needs --format csv, tsv or parquet");
        }
        let names: Vec<_> = self.fields.iter().map(|name| name.trim()).collect();
        Columns::by_names(&names).map_err(|name| {
            if URLS.iter().any(|column| column.name == name) {
                anyhow!("--fields: `{name}` is repeated; name each column once")
            } else {
                anyhow!("--fields: `{name}` is not a column; {}", instead_of_column(name))
            }
        })
    }

    /// Converts the arguments to the library's options, which include the fields that the output
    /// format needs. `detail` is the amount of detail that records need.
    pub(crate) fn library_options(&self, detail: Detail) -> records::Options {
        let mut options = self.find.options.clone();
        if self.is_table() {
            options.with.extend(With::OF_TABLE);
        }
        options.with.extend(self.by.contains(&By::Domain).then_some(With::Domain));
        options.with.extend(self.by.contains(&By::Sender).then_some(With::From));
        if self.format() == Format::Report {
            options.with.extend([With::Domain, With::Tld]);
        }
        options.report_messages = self.collects_report();
        options.quoted = self.collects_report();
        options.normalized = self.unique.is_some();
        options.detail = detail;
        options
    }
}

/// Returns the advice for the user who wants the column `name`, which tables don't have.
fn instead_of_column(name: &str) -> String {
    if name == "sender" || name == With::From.name() {
        "to get the sender, use the column `from_domain` or `from_hash`, or --format jsonl --with from"
            .to_owned()
    } else if With::ALL.iter().any(|field| field.name() == name) {
        format!("use --format jsonl --with {name}")
    } else {
        let columns = URLS.iter().map(|column| column.name);
        let similar = most_similar(name, columns);
        let hint = similar.map(|column| format!("did you mean `{column}`? "));
        format!("{}`urlsift schema urls` lists the columns", hint.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use urlsift_archive::unpack::Expansion;
    use urlsift_core::Profile;
    use urlsift_records::Forms;
    use urlsift_scanner::Form;

    fn scan(args: &[&str]) -> Result<ScanArgs, clap::Error> {
        let all = ["urlsift", "scan"].iter().chain(args);
        match Cli::try_parse_from(all)?.command {
            Command::Scan(args) => Ok(*args),
            other => panic!("not scan: {other:?}"),
        }
    }

    #[test]
    fn letters_of_ripgrep() {
        let args = scan(&["-Hnbc0", "-j3", "-g", "*.txt", "-g!x", "--column", "a", "-"]).unwrap();
        assert!(args.with_filename && args.line_number && args.byte_offset && args.count);
        assert!(args.null && args.column);
        assert_eq!(args.threads, 3);
        assert_eq!(args.paths.glob, ["*.txt", "!x"]);
        assert_eq!(args.paths.paths, [PathBuf::from("a"), PathBuf::from("-")]);
        let args = scan(&["-H", "-I", "-l"]).unwrap();
        assert!(args.no_filename && !args.with_filename && args.files_with_matches);
    }

    #[test]
    fn every_value_is_taken() {
        let args = scan(&["--unique", "x"]).unwrap();
        assert_eq!((args.unique, args.paths.paths.len()), (Some(Unique::First), 1));
        assert_eq!(scan(&["--unique=count"]).unwrap().unique, Some(Unique::Count));
        let options = |args: &[&str]| scan(args).unwrap().find.options;
        let only = Forms::only([Form::Bare, Form::Wrapped]);
        assert_eq!(options(&["--form", "bare,wrapped"]).forms, only);
        assert_eq!(options(&["--form", "bare", "--form", "wrapped"]).forms, only);
        let added = Forms::default().with_form(Form::Email).with_form(Form::Host);
        assert_eq!(options(&["--form", "+email,host"]).forms, added);
        assert_eq!(options(&["--form", "+email", "--form", "+host"]).forms, added);
        assert_eq!(options(&["--scheme=ftp://", "--scheme", "urn,z"]).schemes, ["ftp", "urn", "z"]);
        assert_eq!(options(&["--profile", "rfc1738"]).profile, Profile::Rfc1738);
        assert_eq!(options(&["--max-expand", "2G"]).limits.expand, Expansion::Bytes(2 << 30));
        assert_eq!(options(&["--max-window", "1G"]).limits.window, 1 << 30);
        for (option, values) in [
            ("--format", "text jsonl csv tsv parquet cdx"),
            ("--by", "host domain scheme year month newsgroup list url"),
            ("--malformed", "skip include only"),
            ("--input", "auto text mail html markdown rst asciidoc json xml tex man ipynb binary"),
            ("--headers", "none urls all"),
            ("--web-records", "pages all"),
            ("--rejoin", "off certain likely"),
            ("--color", "auto always never"),
            ("--sort", "none path modified accessed created"),
            ("--profile", "rfc1738 cern1994 rfc3986 web"),
        ] {
            for value in values.split(' ') {
                assert!(scan(&[option, value]).is_ok(), "{option} {value}");
            }
            assert!(scan(&[option, "nonsense"]).is_err(), "{option}");
        }
        for flag in [
            "--hidden",
            "--no-ignore",
            "--readings",
            "--mask-passwords",
            "--mask-secrets",
            "--with=domain,from_hash",
            "--without=quote,signature,footer",
            "--form=+relative",
            "--unwrap",
            "--resolve",
            "--dedupe",
            "--no-progress",
            "--since=1994",
            "--until=1995-02",
            "--newsgroup=comp.*",
            "--list=x",
            "--units=list",
        ] {
            assert!(scan(&[flag]).is_ok(), "{flag}");
        }
        for wrong in [
            "--schemeless",
            "--form=near-miss",
            "--form=+",
            "--since=yesterday",
            "--scheme=1a",
            "--encoding=ltin1",
            "--without=nowhere",
        ] {
            assert!(scan(&[wrong]).is_err(), "{wrong}");
        }
        assert!(scan(&["--units", "list", "path"]).is_err());
        assert!(scan(&["-c", "-l"]).is_err());
        assert!(scan(&["--max-expand", "lots"]).is_err());
    }
}
