//! `urlsift explain`.

use crate::args::ExplainArgs;
use crate::exit::Exit;

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let _ = args;
    anyhow::bail!("`urlsift explain` is not there yet")
}
