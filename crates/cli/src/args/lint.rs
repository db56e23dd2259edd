//! `urlsift lint`.

use super::names::{LEVELS, one_of};
use super::option::{choice, help};
use super::paths::PathArgs;
use super::values::ColorArg;
use clap::{ArgAction, Args, ValueEnum};
use std::path::PathBuf;
use urlsift_archive::Reading;
use urlsift_core::{Level, Profile};
use urlsift_records::Size;
use urlsift_scanner::Rejoin;

/// How `lint` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// For people: the lines at fault, and what to do
    #[default]
    Text,
    /// One line a fault: `file:line:column: error[code] text`
    Concise,
    /// One JSON object a line
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands, which GitHub shows beside the lines
    Github,
    /// GitLab's code quality report
    Gitlab,
    /// Reviewdog's diagnostic format
    Rdjson,
    /// Checkstyle XML, which many build servers read
    Checkstyle,
}

/// Options of `lint`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
#[command(
    after_help = "Exit: 0 nothing at or above --fail-on, 1 something, 2 an error (also when other \
        files went well)."
)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,

    #[arg(long, value_parser = choice::<Reading>("input"), value_name = "FORMAT", default_value = "auto", help = help("input"))]
    pub(crate) input: Reading,

    /// The name that standard input goes by: it is shown, tells the markup, and finds urlsift.toml
    #[arg(long, value_name = "NAME")]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: LintFormat,

    /// The same as --format jsonl
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) json: bool,

    /// When to colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = "Output")]
    pub(crate) color: ColorArg,

    /// Show tokens as ***, too: values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web Tokens, and keys
    /// known by their form. Passwords are never shown
    #[arg(long, help_heading = "Output")]
    pub(crate) mask_secrets: bool,

    /// Leave out what is below this level
    #[arg(
        long,
        value_parser = one_of(LEVELS),
        value_name = "LEVEL",
        default_value = "info",
        help_heading = "Output"
    )]
    pub(crate) level: Level,

    /// Print diagnostics and errors, and nothing else
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Print how often each rule spoke, in place of the diagnostics
    #[arg(long, conflicts_with_all = ["format", "json", "diff"], help_heading = "Output")]
    pub(crate) statistics: bool,

    /// End with 1 if anything of this level or above is found
    #[arg(
        long,
        value_parser = one_of(LEVELS),
        value_name = "LEVEL",
        default_value = "warning",
        help_heading = "Output"
    )]
    pub(crate) fail_on: Level,

    /// End with 0 whatever is found
    #[arg(long, help_heading = "Output")]
    pub(crate) exit_zero: bool,

    /// Leave out what this output of `lint --format jsonl` holds, to adopt lint on an old tree
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write the safe fixes into the files; standard input is printed mended
    #[arg(long, help_heading = "Fixes")]
    pub(crate) fix: bool,

    /// Write the unsafe fixes too, which may change which resource a URL names
    #[arg(long, help_heading = "Fixes")]
    pub(crate) unsafe_fixes: bool,

    /// Silence what is found by comments behind its lines, where they can stand; the rest is printed
    #[arg(
        long,
        conflicts_with_all = ["fix", "unsafe_fixes", "diff", "baseline"],
        help_heading = "Fixes"
    )]
    pub(crate) add_ignore: bool,

    /// Print what the fixes would change, and change nothing
    #[arg(long, help_heading = "Fixes")]
    pub(crate) diff: bool,

    /// Validate by web, rfc3986, rfc1738 or cern1994 [default: web]
    #[arg(long, value_name = "PROFILE", value_parser = choice::<Profile>("profile"), help_heading = "Rules")]
    pub(crate) profile: Option<Profile>,

    /// Run only these rules: a code, a room such as `security.`, or `all`
    #[arg(long, value_name = "RULE", value_delimiter = ',', action = ArgAction::Append, help_heading = "Rules")]
    pub(crate) select: Vec<String>,

    /// Run these rules as well
    #[arg(long, value_name = "RULE", value_delimiter = ',', action = ArgAction::Append, help_heading = "Rules")]
    pub(crate) extend_select: Vec<String>,

    /// Do not run these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', action = ArgAction::Append, help_heading = "Rules")]
    pub(crate) ignore: Vec<String>,

    /// Say everything: every rule at its own level, also in program text, of examples and of templates
    #[arg(long, help_heading = "Rules")]
    pub(crate) strict: bool,

    /// Look at the URLs in program text as at others, not only for slips in the scheme
    #[arg(long, help_heading = "Rules")]
    pub(crate) verbatim: bool,

    /// Look for this scheme too, also without `//`
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) scheme: Vec<String>,

    /// Join URLs across line breaks: off, certain or likely [default: likely]
    #[arg(long, value_parser = choice::<Rejoin>("rejoin"), value_name = "GRADE", help_heading = "Rules")]
    pub(crate) rejoin: Option<Rejoin>,

    /// Read this file, and no urlsift.toml
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Rules")]
    pub(crate) config: Option<PathBuf>,

    /// Read no urlsift.toml
    #[arg(long, help_heading = "Rules")]
    pub(crate) no_config: bool,

    /// Print what holds for each path, and lint nothing
    #[arg(long, help_heading = "Rules")]
    pub(crate) show_settings: bool,

    /// Do not lint files that are larger
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    pub(crate) max_size: Size,

    /// The number of threads, at most four for each core; 0 chooses
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

impl LintArgs {
    /// How to print.
    pub(crate) fn format(&self) -> LintFormat {
        if self.json { LintFormat::Jsonl } else { self.format }
    }

    /// Whether fixes are made, or shown.
    pub(crate) fn mends(&self) -> bool {
        self.fix || self.unsafe_fixes || self.diff
    }

    /// Whether standard input is printed as it is to be.
    pub(crate) fn prints_text(&self) -> bool {
        self.writes() && !self.diff
    }

    /// Whether files are written.
    pub(crate) fn writes(&self) -> bool {
        self.fix || self.unsafe_fixes || self.add_ignore
    }
}
