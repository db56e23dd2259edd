//! `urlsift explain`.

use clap::Args;

/// Options of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The codes of rules, such as `host.toplabel`; a room, such as `host.`, names all of its rules
    #[arg(value_name = "RULE", required_unless_present = "all")]
    pub(crate) rules: Vec<String>,

    /// Explain every rule, as a page in Markdown
    #[arg(long, conflicts_with = "rules")]
    pub(crate) all: bool,
}
