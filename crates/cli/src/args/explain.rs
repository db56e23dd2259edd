//! The arguments of `urlsift explain`.

use clap::Args;

/// Options of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Explain these rules: codes such as `host.toplabel`, or groups such as `host.`
    #[arg(value_name = "RULE", required_unless_present_any = ["all", "list"])]
    pub(crate) rules: Vec<String>,

    /// Explain all rules, as a page in Markdown
    #[arg(long, conflicts_with = "rules")]
    pub(crate) all: bool,

    /// List all rules: the code and a short description of each
    #[arg(long, conflicts_with_all = ["rules", "all"])]
    pub(crate) list: bool,
}
