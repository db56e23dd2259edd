//! `urlsift pick`.

use super::values::ColorArg;
use clap::Args;
use std::path::PathBuf;

/// Options of `pick`.
#[derive(Debug, Args)]
#[command(
    after_help = "Keys are read from the terminal, so that the message may come by a pipe. Browsers are those of $BROWSER (commands with `:` \
    between them, `%s` for the URL, `&` behind one that is not waited for), else xdg-open, or open on macOS; no shell sees a URL. \
    Other schemes than http, https, ftp and mailto are opened when you say so.\n\n\
    Without a terminal the URLs are printed as a numbered list."
)]
pub(crate) struct PickArgs {
    /// The message; without it, or with `-`, standard input
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,

    /// Show a URL as often as it stands in the message
    #[arg(short, long)]
    pub(crate) all: bool,

    /// Print the numbered list, and ask nothing
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Show tokens as ***, too: values of parameters such as `token`, `api_key` or `X-Amz-Signature`, JSON Web Tokens, and keys
    /// known by their form. Passwords are never shown; the URL that you choose is
    /// handed on in full
    #[arg(long)]
    pub(crate) mask_secrets: bool,

    /// When to colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorArg,
}
