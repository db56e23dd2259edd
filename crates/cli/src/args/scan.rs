//! `urlsift scan`.

use super::find::FindArgs;
use super::hyperlink::HyperlinkFormat;
use super::lines::{Context, LineArgs};
use super::names::{WITH, one_of};
use super::paths::PathArgs;
use super::read::ReadArgs;
use super::size::Size;
use super::values::{By, ColorArg, Format, Unique};
use anyhow::{anyhow, bail};
use clap::{Args, FromArgMatches as _};
use std::path::{Path, PathBuf};
use urlsift_records::table::{Columns, URLS};
use urlsift_records::{self as records, Detail, With};

/// Options of `scan`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
#[command(
    after_help = "Without PATH, a pipe or file on standard input is read, else the current directory.\n\n\
        Exit: 0 found, 1 nothing found, 2 an error (also when other files went well), \
        130 or 143 on signals."
)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,

    #[command(flatten)]
    pub(crate) read: ReadArgs,

    /// How to print
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: Format,

    /// The same as --format jsonl
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) json: bool,

    /// Write to FILE, which is there when all of it is written; with --format parquet, to files in that directory
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Print nothing: the exit code says whether there is a URL, and the first one ends the run unless --stats counts all
    #[arg(short, long, conflicts_with_all = ["output", "count", "files_with_matches"], help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Stop reading a file when N of its URLs are printed
    #[arg(short, long, value_name = "N", help_heading = "Output")]
    pub(crate) max_count: Option<u64>,

    /// Print the path before each URL
    #[arg(short = 'H', long, overrides_with = "no_filename", help_heading = "Output")]
    pub(crate) with_filename: bool,

    /// Do not print the path (the default, but for -c)
    #[arg(short = 'I', long, overrides_with = "with_filename", help_heading = "Output")]
    pub(crate) no_filename: bool,

    /// Print the line number before each URL, from 1
    #[arg(short = 'n', long, help_heading = "Output")]
    pub(crate) line_number: bool,

    /// Print the column before each URL, in bytes from 1
    #[arg(long, help_heading = "Output")]
    pub(crate) column: bool,

    /// Print the byte offset before each URL, from 0
    #[arg(short, long, help_heading = "Output")]
    pub(crate) byte_offset: bool,

    #[command(flatten)]
    pub(crate) lines: LineArgs,

    /// Print only the number of URLs in each file that has any
    #[arg(short, long, conflicts_with_all = ["files_with_matches", "files_without_match"], help_heading = "Output")]
    pub(crate) count: bool,

    /// Print only the paths of files that hold URLs
    #[arg(short = 'l', long, help_heading = "Output")]
    pub(crate) files_with_matches: bool,

    /// Print only the paths of files that hold no URL
    #[arg(long, conflicts_with = "files_with_matches", help_heading = "Output")]
    pub(crate) files_without_match: bool,

    /// Print a NUL byte after paths instead of a colon or line break
    #[arg(short = '0', long, help_heading = "Output")]
    pub(crate) null: bool,

    /// When to colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = "Output")]
    pub(crate) color: ColorArg,

    /// Make what stands before URLs and lines, and paths, links to the place in the file, where there is colour and the terminal knows
    /// links: `default`, `file`, `vscode` and others that ripgrep has, or a template of {path}, {line},
    /// {column}, {host} and {wslprefix}
    #[arg(long, value_name = "FORMAT", default_value = "none", help_heading = "Output")]
    pub(crate) hyperlink_format: HyperlinkFormat,

    /// Print each URL as soon as its line is there; without it, as soon as a pipe that is read pauses
    /// behind a line
    #[arg(long, help_heading = "Output")]
    pub(crate) line_buffered: bool,

    /// Print the other readings of URLs broken after a hyphen too
    #[arg(long, help_heading = "Output")]
    pub(crate) readings: bool,

    /// Report each URL once, compared by its normalised form; --unique=count also counts
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

    /// Print what URLs have in common and how many have it: their count, the number of their messages, the first and last
    /// date, and the key, the most frequent first
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        conflicts_with_all = ["count", "files_with_matches", "files_without_match", "quiet", "fields", "readings"],
        help_heading = "Output"
    )]
    pub(crate) by: Option<By>,

    /// How much memory --by may use for what it counts. When it is used up, URLs that belong to none of the groups met
    /// until then are not counted, and their number is reported
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "1G",
        requires = "by",
        help_heading = "Output"
    )]
    pub(crate) max_memory: Size,

    /// Of messages with the same Message-ID, in one file or several, report only what stands in the first
    #[arg(
        long,
        conflicts_with_all = ["count", "files_with_matches", "files_without_match", "quiet"],
        help_heading = "Output"
    )]
    pub(crate) dedupe: bool,

    /// Show passwords as ***
    #[arg(long, help_heading = "Output")]
    pub(crate) mask_passwords: bool,

    /// Show passwords and tokens as ***: also values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web
    /// Tokens, and keys known by their form. Implies --mask-passwords
    #[arg(long, help_heading = "Output")]
    pub(crate) mask_secrets: bool,

    /// Print URLs so that nothing makes links of them: `hxxp://h[.]dom/`. Of text only
    #[arg(long, help_heading = "Output")]
    pub(crate) defang: bool,

    /// Print only these columns of CSV, TSV or urls.parquet, in this order: names as `urlsift schema urls` lists them
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Output")]
    pub(crate) fields: Vec<String>,

    /// Put an apostrophe before cells of CSV and TSV that a spreadsheet would take for a formula: those that
    /// start with `=`, `+`, `-` or `@`
    #[arg(long, help_heading = "Output")]
    pub(crate) guard_formulas: bool,

    /// Add these fields to JSON Lines (tables have columns for the first five); people are named only where that is asked for
    #[arg(
        long,
        value_parser = one_of(WITH),
        value_name = "FIELD",
        value_delimiter = ',',
        help_heading = "Output"
    )]
    pub(crate) with: Vec<With>,

    /// Tell where links led that a gateway rewrote, as `target` in JSON Lines: Outlook's Safe Links, Proofpoint's URL
    /// Defense, Barracuda's Link Protection, redirectors of Google and Facebook, and a proxy. Asks nobody
    #[arg(long, help_heading = "Output")]
    pub(crate) unwrap: bool,

    /// The key of `from_hash`: the bytes of FILE, but for a line break at its end. Without one, who guesses an
    /// address can tell by the hash that it is the one
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) hash_key: Option<PathBuf>,

    /// The same as `--with from_domain`
    #[arg(long, help_heading = "Output")]
    pub(crate) from_domain: bool,

    #[command(flatten)]
    pub(crate) find: FindArgs,

    /// Scan the units listed in this file (`-` is standard input), as printed by `urlsift units`
    #[arg(long, value_name = "LIST", conflicts_with = "paths")]
    pub(crate) units: Option<PathBuf>,

    /// Go on where a run with this file ended: of the input only what is new is read. FILE is made by the first run. Only
    /// with --format parquet -o DIR, to which tables are added in parts, urls-00001.parquet and so on
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["units", "unique", "dedupe", "max_count"],
        help_heading = "Output"
    )]
    pub(crate) state: Option<PathBuf>,

    /// With --state, how many bytes of input make a part: so much is read again after a run was killed
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "256M",
        requires = "state",
        help_heading = "Output"
    )]
    pub(crate) part_size: Size,

    /// The number of threads, at most four for each core; 0 means max(8, 2 × cores), for a single file one for each core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// At the end say on standard error what was read and found
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,

    /// Never show progress
    #[arg(long)]
    pub(crate) no_progress: bool,
}

impl Default for ScanArgs {
    /// What holds where no option says otherwise.
    fn default() -> Self {
        let command = Self::augment_args(clap::Command::new("scan"));
        let matches = command.get_matches_from(["scan"]);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

impl ScanArgs {
    /// How to print.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Jsonl } else { self.format }
    }

    /// Whether all is counted for a report, too.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self.format(), Format::Parquet | Format::Report)
    }

    /// Whether URLs are rows of a table.
    fn is_table(&self) -> bool {
        matches!(self.format(), Format::Csv | Format::Tsv | Format::Parquet)
    }

    /// The directory that tables are written to, if they are.
    ///
    /// # Errors
    ///
    /// There is none, this program writes no Parquet, or something is asked for that is no table.
    pub(crate) fn tables(&self) -> anyhow::Result<Option<&Path>> {
        if self.by.is_some() && matches!(self.format(), Format::Parquet | Format::Cdx) {
            bail!("--by counts URLs: as text, JSON Lines, CSV or TSV");
        }
        let is_counted =
            matches!(self.format(), Format::Parquet | Format::Cdx) || self.by.is_some();
        if is_counted && self.unique == Some(Unique::Count) {
            bail!(
                "--unique=count prints URLs, as text, JSON Lines, CSV or TSV; --by url counts them, too"
            );
        }
        if self.format() != Format::Parquet {
            if self.state.is_some() {
                bail!("--state adds to tables in parts: it goes with --format parquet -o DIR");
            }
            return Ok(None);
        }
        if cfg!(not(feature = "parquet")) {
            bail!(
                "this urlsift was built without Parquet; to have it, install it with `cargo install --locked --path \
                 crates/cli --features full`, or take --format csv"
            );
        }
        let is_list = self.count || self.files_with_matches || self.files_without_match;
        if is_list || self.quiet {
            bail!(
                "--format parquet writes tables: -c, -l, --files-without-match and -q print none"
            );
        }
        self.output.as_deref().map(Some).ok_or_else(|| {
            anyhow!("--format parquet writes several files: name a directory with -o DIR")
        })
    }

    /// How many lines are printed around those that hold URLs, if lines are printed.
    ///
    /// # Errors
    ///
    /// Something is asked for that lines do not have.
    pub(crate) fn lines(&self) -> anyhow::Result<Option<Context>> {
        let Some(context) = self.lines.context() else { return Ok(None) };
        if self.format() != Format::Text {
            bail!(
                "--show-lines, -A, -B and -C print lines of text; other formats tell where each URL stands: in `line`, \
                 `start` and `end`"
            );
        }
        let others = [
            (self.mask_passwords, "--mask-passwords"),
            (self.mask_secrets, "--mask-secrets"),
            (self.defang, "--defang"),
            (self.readings, "--readings"),
            (self.unique.is_some(), "--unique"),
            (self.dedupe, "--dedupe"),
            (self.by.is_some(), "--by"),
            (self.units.is_some(), "--units"),
        ];
        if let Some((_, option)) = others.into_iter().find(|(is_set, _)| *is_set) {
            bail!(
                "{option} does not go with --show-lines, -A, -B or -C: these print the lines of a file as they are"
            );
        }
        Ok(Some(context))
    }

    /// The columns to print.
    ///
    /// # Errors
    ///
    /// A name that no column has, or that stands twice, or a format without columns.
    pub(crate) fn columns(&self) -> anyhow::Result<Columns> {
        if self.fields.is_empty() {
            return Ok(Columns::default());
        }
        if self.format() == Format::Jsonl {
            bail!(
                "--fields chooses columns: of --format csv, tsv or parquet; a record of JSON Lines has all its fields, \
                 and `jq` chooses some"
            );
        }
        if !self.is_table() {
            bail!("--fields needs a format with columns: --format csv, tsv or parquet");
        }
        let names: Vec<_> = self.fields.iter().map(|name| name.trim()).collect();
        Columns::named(&names).map_err(|name| {
            let how = if URLS.iter().any(|column| column.name == name) {
                "stands there twice"
            } else {
                "is no column; `urlsift schema urls` lists them"
            };
            anyhow!("--fields: `{name}` {how}")
        })
    }

    /// What is asked for, as the library takes it.
    ///
    /// # Errors
    ///
    /// A date that cannot be read.
    pub(crate) fn options(&self, detail: Detail) -> anyhow::Result<records::Options> {
        let mut options = records::Options::default();
        self.find.set(&mut options)?;
        options.encoding = self.read.encoding;
        options.mask_passwords = self.mask_passwords;
        options.mask_secrets = self.mask_secrets;
        options.with.clone_from(&self.with);
        options.with.extend(self.from_domain.then_some(With::FromDomain));
        if self.is_table() {
            options.with.extend(With::OF_TABLE);
        }
        options.with.extend((self.by == Some(By::Domain)).then_some(With::Domain));
        if self.format() == Format::Report {
            options.with.extend([With::Domain, With::Tld]);
        }
        options.tell_messages = self.is_counted();
        options.quoted = self.is_counted();
        options.unwrap = self.unwrap;
        options.normalized = self.unique.is_some();
        options.detail = detail;
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use urlsift_archive::unpack::Expansion;
    use urlsift_core::Profile;

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
        assert_eq!(scan(&["--form", "bare,wrapped"]).unwrap().find.form.len(), 2);
        assert_eq!(scan(&["--scheme=ftp", "--scheme", "urn,z"]).unwrap().find.scheme.len(), 3);
        assert_eq!(scan(&["--profile", "rfc1738"]).unwrap().find.rules.profile, Profile::Rfc1738);
        assert_eq!(
            scan(&["--max-expand", "2G"]).unwrap().read.max_expand,
            Expansion::Bytes(2 << 30)
        );
        assert_eq!(scan(&["--max-window", "1G"]).unwrap().read.max_window, Size(1 << 30));
        for (option, values) in [
            ("--format", "text jsonl csv tsv parquet cdx"),
            ("--by", "host domain scheme year month newsgroup list url"),
            ("--malformed", "skip include only"),
            ("--input", "auto text mail html markdown rst json xml tex man ipynb binary"),
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
            "--schemeless",
            "--locators",
            "--mask-passwords",
            "--mask-secrets",
            "--from-domain",
            "--with=domain,from_hash",
            "--unwrap",
            "--resolve",
            "--dedupe",
            "--no-quoted",
            "--no-signature",
            "--no-footer",
            "--no-progress",
            "--since=1994",
            "--until=1995-02",
            "--newsgroup=comp.*",
            "--list=x",
            "--units=list",
        ] {
            assert!(scan(&[flag]).is_ok(), "{flag}");
        }
        assert!(scan(&["--units", "list", "path"]).is_err());
        assert!(scan(&["-c", "-l"]).is_err());
        assert!(scan(&["--max-expand", "lots"]).is_err());
    }
}
