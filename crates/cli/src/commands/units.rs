//! `urlsift units`.

use crate::args::UnitsArgs;
use crate::exit::Exit;

pub(crate) fn run(args: &UnitsArgs) -> anyhow::Result<Exit> {
    let _ = args;
    anyhow::bail!("`urlsift units` is not there yet")
}
