//! The arguments of `urlsift lint`.

use super::names::{LEVELS, SLUGS, named_value_parser};
use super::option::{library_value_parser, option_help};
use super::paths::PathArgs;
use super::values::ColorArg;
use clap::{ArgAction, Args, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;
use urlsift_archive::Reading;
use urlsift_core::{Level, Profile};
use urlsift_lint::{Selector, Slug, UnknownRule};
use urlsift_records::Size;
use urlsift_scanner::Rejoin;

/// The output formats of `urlsift lint`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// For people: the lines with faults, and how to fix them
    #[default]
    Text,
    /// One line per diagnostic: `file:line:column: error[code] text`
    Concise,
    /// One JSON object per line
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands, which GitHub shows next to the lines
    Github,
    /// A GitLab Code Quality report
    Gitlab,
    /// The diagnostic format of reviewdog
    Rdjson,
    /// Checkstyle XML, for build servers
    Checkstyle,
}

/// A condition under which the exit status of `lint` is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FailOn {
    /// There is a diagnostic of this level or above.
    Level(Level),
    /// There is a diagnostic of one of these rules.
    Rules(Selector),
}

impl FromStr for FailOn {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        match LEVELS.iter().find(|(level, ..)| *level == name) {
            Some(&(_, level, _)) => Ok(Self::Level(level)),
            None => Selector::new(name).map(Self::Rules),
        }
    }
}

/// Options of `lint`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
#[command(
    after_help = "Exit status: 0 if there are no diagnostics at or above the level of --fail-on, 1 if \
        there are, 2 on an error (even if other files were linted)."
)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,

    #[arg(long, value_parser = library_value_parser::<Reading>("input"), value_name = "FORMAT", default_value = "auto", help = option_help("input"))]
    pub(crate) input: Reading,

    /// Treat standard input as a file of this name
    ///
    /// The name is printed in diagnostics, determines the format, and selects the urlsift.toml that
    /// applies.
    #[arg(long, value_name = "NAME")]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// Print diagnostics in this format
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: LintFormat,

    /// Print JSON Lines, as `--format jsonl` does
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) json: bool,

    /// Use color: auto, always or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = "Output")]
    pub(crate) color: ColorArg,

    /// Show tokens as `***`; passwords are always shown as `***`
    ///
    /// Tokens are values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web
    /// Tokens, and keys with a known prefix.
    #[arg(long, help_heading = "Output")]
    pub(crate) mask_secrets: bool,

    /// Report only diagnostics of this level or above
    #[arg(
        long,
        value_parser = named_value_parser(LEVELS),
        value_name = "LEVEL",
        default_value = "info",
        help_heading = "Output"
    )]
    pub(crate) level: Level,

    /// Print only diagnostics and errors, without a summary or progress
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Print the number of diagnostics of each rule instead of the diagnostics
    #[arg(long, conflicts_with_all = ["format", "json", "diff"], help_heading = "Output")]
    pub(crate) statistics: bool,

    /// Exit with status 1 if there are diagnostics of this level or above, or of these rules
    ///
    /// Specify a level (info, warning or error), rules, or both, separated by commas:
    /// `--fail-on error,link.missing-file`. A rule is a code, a group such as `link.`, or `all`.
    #[arg(
        long,
        value_name = "LEVEL|RULE",
        value_delimiter = ',',
        default_value = "warning",
        help_heading = "Output"
    )]
    pub(crate) fail_on: Vec<FailOn>,

    /// Exit with status 0 even if there are diagnostics
    #[arg(long, help_heading = "Output")]
    pub(crate) exit_zero: bool,

    /// Skip the diagnostics in FILE, the output of an earlier `lint --format jsonl`
    ///
    /// So only new faults are reported, e.g. when you start to lint an existing repository.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) baseline: Option<PathBuf>,

    /// Apply safe fixes to the files
    ///
    /// For standard input, the fixed text is printed instead.
    #[arg(long, help_heading = "Fixes")]
    pub(crate) fix: bool,

    /// Apply unsafe fixes as well as safe ones
    ///
    /// Unsafe fixes may change the resource that a URL identifies.
    #[arg(long, help_heading = "Fixes")]
    pub(crate) unsafe_fixes: bool,

    /// Silence all diagnostics found, by adding ignore comments to the files
    ///
    /// A comment is added to the end of each line on which a diagnostic starts. This works in
    /// Markdown, MDX and HTML files, in CSS, and in source code with line comments. In other
    /// formats, and on lines that can't have a comment, the diagnostics are printed.
    #[arg(
        long,
        conflicts_with_all = ["fix", "unsafe_fixes", "diff", "baseline"],
        help_heading = "Fixes"
    )]
    pub(crate) add_ignore: bool,

    /// Print the changes that fixes would make, without writing files
    ///
    /// By default, these are the safe fixes. With `--unsafe-fixes`, they include the unsafe fixes.
    #[arg(long, help_heading = "Fixes")]
    pub(crate) diff: bool,

    /// Validate URLs against web, rfc3986, rfc1738 or cern1994 [default: web]
    #[arg(long, value_name = "PROFILE", value_parser = library_value_parser::<Profile>("profile"), help_heading = "Rules")]
    pub(crate) profile: Option<Profile>,

    /// Run only these rules: codes, groups such as `security.`, or `all`
    ///
    /// Separate several rules with commas, or give the option several times. Without this option,
    /// the default rules run.
    #[arg(long, value_name = "RULE", value_delimiter = ',', action = ArgAction::Append, help_heading = "Rules")]
    pub(crate) select: Vec<String>,

    /// Run these rules in addition to the selected ones
    ///
    /// Write rules as for `--select`: codes, groups such as `security.`, or `all`.
    #[arg(long, value_name = "RULE", value_delimiter = ',', action = ArgAction::Append, help_heading = "Rules")]
    pub(crate) extend_select: Vec<String>,

    /// Don't run these rules
    ///
    /// Write rules as for `--select`: codes, groups such as `security.`, or `all`.
    #[arg(long, value_name = "RULE", value_delimiter = ',', action = ArgAction::Append, help_heading = "Rules")]
    pub(crate) ignore: Vec<String>,

    /// Report every rule at its own level, even in code, examples, templates and test data
    ///
    /// Without `--strict`, faults in code, examples, templates and test data are skipped or have level info.
    /// With it, a rule still reports an info where its description says so, for example for a missing
    /// file in a change log. All profiles except web imply `--strict`.
    #[arg(long, help_heading = "Rules")]
    pub(crate) strict: bool,

    /// Check URLs in code with all rules, not only with those for mistyped schemes
    #[arg(long, help_heading = "Rules")]
    pub(crate) verbatim: bool,

    /// Also find URLs of this scheme, even without `//`
    ///
    /// Separate several schemes with commas, or give the option several times.
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) scheme: Vec<String>,

    /// Join URLs across line breaks: off, certain or likely [default: likely]
    #[arg(long, value_parser = library_value_parser::<Rejoin>("rejoin"), value_name = "GRADE", help_heading = "Rules")]
    pub(crate) rejoin: Option<Rejoin>,

    /// Check that relative links lead to existing files and anchors
    ///
    /// Links are looked up in the directory that contains the `urlsift.toml` that applies. Without
    /// a `urlsift.toml`, they are looked up in the repository that contains the given path or,
    /// outside a repository, in the given directory. SLUG is the program that generates pages from
    /// the documents: github, mdbook, sphinx, hugo or gitlab. It determines the heading IDs
    /// [default: the one in urlsift.toml, or github].
    #[arg(
        long,
        value_parser = named_value_parser(SLUGS),
        value_name = "SLUG",
        num_args = 0..=1,
        require_equals = true,
        help_heading = "Rules"
    )]
    #[expect(clippy::option_option, reason = "the value of the option is optional")]
    pub(crate) local: Option<Option<Slug>>,

    /// Read the settings from FILE instead of urlsift.toml
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Rules")]
    pub(crate) config: Option<PathBuf>,

    /// Don't read urlsift.toml
    #[arg(long, help_heading = "Rules")]
    pub(crate) no_config: bool,

    /// Print the settings for each path, without linting
    #[arg(long, help_heading = "Rules")]
    pub(crate) show_settings: bool,

    /// Report an error for files larger than this instead of linting them
    ///
    /// To skip such files without an error, use `--max-filesize`.
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    pub(crate) max_size: Size,

    /// Use NUM threads; 0 uses one per core
    ///
    /// A NUM greater than four per core is reduced to four per core.
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = 0)]
    pub(crate) threads: usize,
}

impl LintArgs {
    /// Returns the output format that `--format` or `--json` selects.
    pub(crate) fn format(&self) -> LintFormat {
        if self.json { LintFormat::Jsonl } else { self.format }
    }

    /// True if fixes must be computed, because an option applies them or prints them as a diff.
    pub(crate) fn computes_fixes(&self) -> bool {
        self.fix || self.unsafe_fixes || self.diff
    }

    /// True if, for standard input, the command prints the changed text to standard output instead
    /// of diagnostics.
    pub(crate) fn prints_fixed_text(&self) -> bool {
        self.changes_files() && !self.diff
    }

    /// True if the command changes files: it applies fixes or adds suppression comments.
    pub(crate) fn changes_files(&self) -> bool {
        self.fix || self.unsafe_fixes || self.add_ignore
    }
}
