//! What the subcommands do, one file each.

pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod parse;
pub(crate) mod scan;
pub(crate) mod schema;
#[cfg(feature = "server")]
pub(crate) mod server;
pub(crate) mod units;

use crate::exit::Exit;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

/// Standard output without the line buffering of the standard library, which costs a search for
/// line breaks in everything that is written.
pub(crate) fn stdout() -> io::Result<impl Write + Send> {
    let fd = io::stdout().as_fd().try_clone_to_owned()?;
    Ok(io::BufWriter::with_capacity(64 << 10, File::from(fd)))
}

/// Prints all that a subcommand has to say.
fn print(text: &[u8]) -> anyhow::Result<Exit> {
    let mut out = stdout()?;
    out.write_all(text)?;
    out.flush()?;
    Ok(Exit::Success)
}

/// Whether an error means that nobody reads the output any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}
