//! `urlsift explain`.

use clap::Args;

/// Options of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The codes of rules, such as `host.toplabel`; a room, such as `host.`, names all of its rules
    #[arg(value_name = "RULE", required_unless_present_any = ["all", "list"])]
    pub(crate) rules: Vec<String>,

    /// Explain every rule, as a page in Markdown
    #[arg(long, conflicts_with = "rules")]
    pub(crate) all: bool,

    /// List the codes of all rules, each with what it is about
    #[arg(long, conflicts_with_all = ["rules", "all"])]
    pub(crate) list: bool,
}
