//! The subcommand `server`: runs the language server on standard input and output.

use crate::exit::Exit;
use std::io;

pub(crate) fn run() -> anyhow::Result<Exit> {
    let ended = urlsift_server::serve(io::stdin(), super::stdout()?)?;
    // The protocol requires status 1 if the editor exits without a shutdown request.
    Ok(if ended { Exit::Success } else { Exit::Nothing })
}
