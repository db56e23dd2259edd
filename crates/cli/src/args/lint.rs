//! `urlsift lint`.

use clap::Args;

/// Options of `lint`.
#[derive(Debug, Args)]
pub(crate) struct LintArgs {}
