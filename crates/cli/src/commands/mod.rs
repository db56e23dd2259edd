//! The subcommands, one module each.

pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod parse;
#[cfg(feature = "pick")]
pub(crate) mod pick;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod scan;
pub(crate) mod schema;
#[cfg(feature = "server")]
pub(crate) mod server;
pub(crate) mod units;

use crate::exit::Exit;
use crate::io::output::stdout;
use std::io::{self, Write};

/// Prints `text`, which is the complete output of a subcommand, to standard output.
fn print_output(text: &[u8]) -> anyhow::Result<Exit> {
    let mut out = stdout()?;
    out.write_all(text)?;
    out.flush()?;
    Ok(Exit::Success)
}

/// True if writing failed because the program that reads the output has closed its end of the pipe,
/// as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}
