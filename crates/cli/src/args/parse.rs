//! The arguments of `urlsift parse`.

use super::option::{library_value_parser, option_help};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use urlsift_core::{Profile, Secrets};

/// The output formats of `urlsift parse`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParseFormat {
    /// For people: one block per URL
    #[default]
    Text,
    /// For programs: one JSON object per URL
    Jsonl,
}

/// Options of `parse`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
#[command(after_help = "Exit status: 0 if all URLs are valid, 1 if any is invalid, 2 on an error.")]
pub(crate) struct ParseArgs {
    /// URLs to parse; `-` reads them from standard input, one per line
    ///
    /// Without URL, standard input is read unless it is a terminal.
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<OsString>,

    /// Print URLs in this format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ParseFormat,

    /// Print JSON Lines, as `--format jsonl` does
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    #[arg(long, value_name = "PROFILE", default_value = "web", value_parser = library_value_parser::<Profile>("profile"), help = option_help("profile"))]
    pub(crate) profile: Profile,

    /// Allow a fragment (`#...`) after the URL even if the profile doesn't
    #[arg(long)]
    pub(crate) reference: bool,

    /// Show passwords as `***`
    #[arg(long)]
    pub(crate) mask_passwords: bool,

    /// Show passwords and tokens as `***`
    ///
    /// Tokens are values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web
    /// Tokens, and keys with a known prefix. This option implies `--mask-passwords`.
    #[arg(long)]
    pub(crate) mask_secrets: bool,

    /// Read URLs that end with NUL bytes instead of line breaks
    ///
    /// URLs on standard input may then contain line breaks.
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}

impl ParseArgs {
    /// Returns the kinds of secrets to mask in the output, or `None` if no secrets are masked.
    pub(crate) fn hidden_secrets(&self) -> Option<Secrets> {
        Secrets::from_flags(self.mask_passwords, self.mask_secrets)
    }

    /// Returns the output format that `--format` or `--json` selects.
    pub(crate) fn format(&self) -> ParseFormat {
        if self.json { ParseFormat::Jsonl } else { self.format }
    }
}
