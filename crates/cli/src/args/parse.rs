//! `urlsift parse`.

use super::option::{choice, help};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use urlsift_core::{Profile, Secrets};

/// How `parse` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParseFormat {
    /// For people: one block a URL
    #[default]
    Text,
    /// For programs: one JSON object a URL
    Jsonl,
}

/// Options of `parse`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
#[command(after_help = "Exit: 0 if all are valid, 1 if one is not, 2 on an error.")]
pub(crate) struct ParseArgs {
    /// The URLs; `-`, or none at all when standard input is not a terminal, reads them from
    /// standard input, one a line
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<OsString>,

    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ParseFormat,

    /// The same as --format jsonl
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    #[arg(long, value_name = "PROFILE", default_value = "web", value_parser = choice::<Profile>("profile"), help = help("profile"))]
    pub(crate) profile: Profile,

    /// Let a fragment (`#...`) follow the URL, also where the profile's own grammar has none
    #[arg(long)]
    pub(crate) reference: bool,

    /// Show passwords as ***
    #[arg(long)]
    pub(crate) mask_passwords: bool,

    /// Show passwords and tokens as ***: also values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web
    /// Tokens, and keys known by their form. Implies --mask-passwords
    #[arg(long)]
    pub(crate) mask_secrets: bool,

    /// The URLs on standard input end with a NUL byte instead of a line break, so that they may
    /// hold any other byte
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}

impl ParseArgs {
    /// Which secrets are hidden, if any.
    pub(crate) fn hides(&self) -> Option<Secrets> {
        let passwords = self.mask_passwords.then_some(Secrets::Passwords);
        if self.mask_secrets { Some(Secrets::All) } else { passwords }
    }

    /// How to print.
    pub(crate) fn format(&self) -> ParseFormat {
        if self.json { ParseFormat::Jsonl } else { self.format }
    }
}
