//! `urlsift explain`.

use crate::args::ExplainArgs;
use crate::exit::Exit;
use std::io::Write;
use urlsift_lint::{RULES, Selector, explain, explain_all};

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let mut out = super::stdout()?;
    if args.all {
        out.write_all(explain_all().as_bytes())?;
        out.flush()?;
        return Ok(Exit::Success);
    }
    let mut first = true;
    for name in &args.rules {
        let selector = Selector::new(name)
            .map_err(|error| anyhow::anyhow!("{error}; `urlsift explain --all` lists them"))?;
        for &rule in RULES.iter().filter(|rule| selector.names(rule.meta().code)) {
            if !std::mem::take(&mut first) {
                writeln!(out)?;
            }
            out.write_all(explain(rule).as_bytes())?;
        }
    }
    out.flush()?;
    Ok(Exit::Success)
}
