//! The arguments of `urlsift pick`.

use super::values::ColorArg;
use clap::Args;
use std::path::PathBuf;

/// Options of `pick`.
#[derive(Debug, Args)]
#[command(
    after_help = "Keys are read from the terminal, so you can pipe the message to standard input. URLs are opened with the commands in \
    $BROWSER, separated by `:`; in a command, `%s` is replaced by the URL, and a final `&` means not to wait for it. Without $BROWSER, \
    xdg-open is used, or open on macOS. URLs are never passed to a shell. You are asked before a URL with a scheme other than http, \
    https, ftp or mailto is opened.\n\n\
    Without a terminal, the URLs are printed as a numbered list."
)]
pub(crate) struct PickArgs {
    /// The message to read; by default, or with `-`, standard input
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,

    /// Show every occurrence of a URL, not only the first
    #[arg(short, long)]
    pub(crate) all: bool,

    /// Print the URLs as a numbered list and exit
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Show tokens as `***`; passwords are always shown as `***`
    ///
    /// Tokens are values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web
    /// Tokens, and keys with a known prefix. The URL that you choose is opened, copied or printed
    /// in full.
    #[arg(long)]
    pub(crate) mask_secrets: bool,

    /// Use color: auto, always or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorArg,
}
