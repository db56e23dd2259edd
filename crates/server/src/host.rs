//! The functions of the program that runs the server.

use std::path::{Path, PathBuf};
use urlsift_lint::{Slug, Tree};

/// Functions that read directories for the server. The program that runs the server provides them.
///
/// ```
/// use urlsift_server::Host;
/// // A server that lints only open documents, and checks no relative links.
/// assert!((Host::NONE.list_files)("/home/joe".as_ref()).is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Reads the directory tree that relative links are checked against.
    pub read_tree: fn(&Path, Slug) -> Tree,
    /// Returns the files in a directory that are linted as parts of a workspace.
    pub list_files: fn(&Path) -> Vec<PathBuf>,
}

impl Host {
    /// Functions that find no files.
    pub const NONE: Self = Self {
        read_tree: |root, slug| Tree::new(root.to_owned(), slug),
        list_files: |_| Vec::new(),
    };
}
