//! `urlsift lint`.

use crate::args::LintArgs;
use crate::exit::Exit;

pub(crate) fn run(args: &LintArgs) -> anyhow::Result<Exit> {
    let _ = args;
    anyhow::bail!("`urlsift lint` is not there yet")
}
