//! `urlsift server`.

use crate::exit::Exit;
use std::io;

pub(crate) fn run() -> anyhow::Result<Exit> {
    let ended = urlsift_server::serve(io::stdin(), super::stdout()?)?;
    // The protocol asks for 1 where the editor goes without a word.
    Ok(if ended { Exit::Success } else { Exit::Nothing })
}
