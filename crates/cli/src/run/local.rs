//! Reads the directory trees against which `lint` checks relative links.

use crate::args::LintArgs;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use urlsift_lint::{Slug, Tree};

/// The directories whose content is not read. A link to any path in them is accepted.
const OPAQUE: [&str; 5] = [".git", ".hg", ".svn", "node_modules", "target"];

/// Reads the tree in the directory `root`, an absolute path. Documents longer than `max_size` bytes
/// are added without their anchors. Files that can't be read are skipped, because linting them
/// reports the error.
pub(crate) fn read_tree(root: &Path, slug: Slug, max_size: u64) -> Tree {
    let mut tree = Tree::new(root.to_owned(), slug);
    let mut text = Vec::new();
    // Git applies the files in directories above, up to the root of the repository.
    let repository = root.ancestors().position(|it| it.join(".git").exists()).unwrap_or(0);
    for directory in root.ancestors().skip(1).take(repository) {
        text.clear();
        if read_into(&directory.join(".gitignore"), max_size, &mut text) {
            tree.add_gitignore_above(directory, &text);
        }
    }
    let mut open = vec![PathBuf::new()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = fs::read_dir(root.join(&directory)) else {
            tree.add_directory(&directory, true);
            continue;
        };
        let mut entries = entries.flatten().peekable();
        // Git keeps no empty directories. They are submodules, or programs write files there.
        if entries.peek().is_none() && !directory.as_os_str().is_empty() {
            tree.add_directory(&directory, true);
        }
        for entry in entries {
            let name = entry.file_name();
            let path = directory.join(&name);
            let Ok(kind) = entry.file_type() else { continue };
            let is_directory = if kind.is_symlink() {
                // If the target is missing, it may be a directory of another package.
                fs::metadata(entry.path()).map_or(true, |target| target.is_dir())
            } else {
                kind.is_dir()
            };
            if is_directory {
                let is_opaque =
                    kind.is_symlink() || OPAQUE.iter().any(|it| name.to_str() == Some(*it));
                tree.add_directory(&path, is_opaque);
                if !is_opaque {
                    open.push(path);
                }
                continue;
            }
            text.clear();
            let is_read = kind.is_file()
                && Tree::needs_content(&path)
                && read_into(&entry.path(), max_size, &mut text);
            tree.add_file(&path, is_read.then_some(&text));
        }
    }
    for program in tree.programs() {
        text.clear();
        if read_into(&root.join(&program), max_size, &mut text) {
            tree.add_program(&program, &text);
        }
    }
    tree
}

/// Reads a file of at most `max_size` bytes into `text`. Returns true on success.
fn read_into(path: &Path, max_size: u64, text: &mut Vec<u8>) -> bool {
    let read = fs::File::open(path)
        .and_then(|file| file.take(max_size.saturating_add(1)).read_to_end(text));
    read.is_ok() && text.len() as u64 <= max_size
}

/// Returns the directories of the trees for the paths that the user has named, if no `urlsift.toml`
/// applies: the repository that contains a path, or else the named directory.
pub(crate) fn roots(args: &LintArgs) -> Vec<PathBuf> {
    let mut paths = args.paths.paths.clone();
    if paths.is_empty() {
        paths.push(args.stdin_filename.clone().unwrap_or_else(|| ".".into()));
    }
    let mut roots: Vec<PathBuf> = Vec::new();
    for path in paths {
        let full = normalized(&std::path::absolute(&path).unwrap_or(path));
        let own = if full.is_dir() { full.as_path() } else { full.parent().unwrap_or(&full) };
        let repository = own.ancestors().find(|it| it.join(".git").exists());
        roots.push(repository.unwrap_or(own).to_owned());
    }
    // A tree that contains another one replaces it.
    roots.sort();
    roots.dedup_by(|path, above| path.starts_with(above));
    roots
}

/// Returns an absolute path without `.` and `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                out.pop();
            }
            _ => out.push(part),
        }
    }
    out
}
