//! The subcommand `server`: runs the language server on standard input and output.

use crate::args::PathArgs;
use crate::exit::Exit;
use crate::io::inputs::Inputs;
use crate::io::walk::{Walk, WalkItem};
use crate::run::local::read_tree;
use std::io;
use std::path::{Path, PathBuf};
use urlsift_server::Host;

/// The maximum size of a document whose headings are read, in bytes.
const MAX_DOCUMENT_LEN: u64 = 32 << 20;

pub(crate) fn run() -> anyhow::Result<Exit> {
    let host = Host { read_tree: |root, slug| read_tree(root, slug, MAX_DOCUMENT_LEN), list_files };
    let ended = urlsift_server::serve(io::stdin(), super::stdout()?, host)?;
    // The protocol requires status 1 if the editor exits without a shutdown request.
    Ok(if ended { Exit::Success } else { Exit::Nothing })
}

/// Returns the files in `directory` that `urlsift lint` reads.
fn list_files(directory: &Path) -> Vec<PathBuf> {
    let args = PathArgs::default();
    let walk = Walk::new(&args, &Inputs::from_path(directory));
    let files = walk.into_iter().flatten().filter_map(|item| match item {
        WalkItem::File { path, .. } => Some(path),
        _ => None,
    });
    files.collect()
}
