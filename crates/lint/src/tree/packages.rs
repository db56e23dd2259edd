//! Recognizes unpacked packages. They contain documents that link to files which were left out of
//! the package, e.g. from `README.md` to `CONTRIBUTING.md`.

use super::paths::{directories_above, directory_and_name};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// Files that Rust and Python packages contain, but repositories don't.
const MARKS: [&str; 3] = [".cargo_vcs_info.json", "Cargo.toml.orig", "PKG-INFO"];

/// If a directory and its direct subdirectories contain at least this many files with an extension,
/// files with this extension were not left out of the package.
const MIN_SIBLINGS: u32 = 3;

/// The packages in a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Packages {
    /// The directories that contain one of [`MARKS`].
    marked: HashSet<Box<str>>,
    /// The directories that contain `changelog.Debian.gz`.
    debian: HashSet<Box<str>>,
    /// The directories that contain `package.json` or `aclocal.m4`. They are npm packages or
    /// release archives made with Automake, or their sources.
    unless_source: HashSet<Box<str>>,
    /// The directories that contain `.gitignore`, which npm packages and release archives lack.
    sources: HashSet<Box<str>>,
    /// The numbers of files in a directory and directly below it, by directory and extension.
    siblings: OnceLock<HashMap<Box<str>, u32>>,
}

impl Packages {
    /// Records the directory of the file at `path` if the name of the file shows that the directory
    /// is a package or a repository.
    pub(super) fn note(&mut self, path: &str) {
        let (directory, name) = directory_and_name(path);
        let list = match name {
            _ if MARKS.contains(&name) => &mut self.marked,
            "changelog.Debian.gz" => &mut self.debian,
            "package.json" | "aclocal.m4" => &mut self.unless_source,
            ".gitignore" => &mut self.sources,
            _ => return,
        };
        list.insert(directory.into());
    }

    /// Returns the directory of the innermost package that contains the file at `path`.
    fn package_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let is_source = || directories_above(path).any(|it| self.sources.contains(it));
        directories_above(path).find(|&directory| {
            self.marked.contains(directory)
                || self.debian.contains(directory)
                || self.unless_source.contains(directory) && !is_source()
        })
    }

    /// True if the document at `path` is in a Debian package. HTML pages in such packages are
    /// complete manuals from which nothing was left out.
    pub(super) fn is_debian(&self, path: &str) -> bool {
        directories_above(path).any(|directory| self.debian.contains(directory))
    }

    /// True if the file at `path`, which isn't in the tree, may have been left out of the package
    /// that contains the document at `from`. `files` are the paths in the tree.
    pub(super) fn leave_out<'f>(
        &self,
        files: impl Iterator<Item = &'f str>,
        from: &str,
        path: &str,
    ) -> bool {
        let Some(package) = self.package_of(from) else { return false };
        if directory_and_name(path).0 == package {
            return true;
        }
        let siblings = self.siblings.get_or_init(|| {
            let mut siblings = HashMap::new();
            for path in files {
                let (directory, extension) = directory_and_extension(path);
                let above = directory.rsplit_once('/').map(|(above, _)| above);
                for directory in [Some(directory), above].into_iter().flatten() {
                    *siblings.entry(pattern(directory, extension)).or_default() += 1;
                }
            }
            siblings
        });
        let (directory, extension) = directory_and_extension(path);
        // A target without an extension is a directory, or a mistake in a link to a document.
        let extension =
            if extension.is_empty() { directory_and_extension(from).1 } else { extension };
        siblings.get(&pattern(directory, extension)).is_none_or(|count| *count < MIN_SIBLINGS)
    }
}

/// Returns the directory and the extension of the file at `path`.
fn directory_and_extension(path: &str) -> (&str, &str) {
    let (directory, name) = directory_and_name(path);
    (directory, name.rsplit_once('.').map_or("", |(_, extension)| extension))
}

/// Returns a pattern for the files in a directory that have an extension, e.g. `docs/*.md`.
fn pattern(directory: &str, extension: &str) -> Box<str> {
    format!("{directory}/*.{extension}").into()
}
