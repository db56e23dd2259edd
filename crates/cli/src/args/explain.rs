//! `urlsift explain`.

use clap::Args;

/// Options of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {}
