//! Reads `.gitignore` files. A file that Git ignores is made by a build, so it isn't known whether
//! it exists.

use self::patterns::Patterns;
use super::paths::{directories_above, directory_and_name, slash_after};
use std::collections::HashMap;
use std::path::Path;

/// True if the file at `path` contains patterns of files that Git ignores.
pub(super) fn is_gitignore(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == ".gitignore")
}

/// The `.gitignore` files of a tree, by their directories.
#[derive(Clone, Debug, Default)]
pub(super) struct Ignored {
    #[cfg_attr(not(feature = "project"), allow(clippy::zero_sized_map_values))]
    files: HashMap<Box<str>, Patterns>,
    /// The files in directories above the root, each with the path from there to the root.
    above: Vec<(Box<str>, Patterns)>,
}

/// Matches paths with the patterns of a `.gitignore` file.
#[cfg(feature = "project")]
mod patterns {
    use ignore::Match;
    use ignore::gitignore::{Gitignore, GitignoreBuilder};
    use std::sync::OnceLock;

    /// The patterns of a `.gitignore` file, or those with `export-ignore` in a `.gitattributes`
    /// file. They are parsed when they are first needed, i.e. when the target of a link isn't in
    /// the tree.
    #[derive(Clone, Debug)]
    pub(super) struct Patterns {
        text: Box<str>,
        parsed: OnceLock<Gitignore>,
    }

    impl Patterns {
        pub(super) fn new(text: &[u8]) -> Self {
            Self { text: String::from_utf8_lossy(text).into(), parsed: OnceLock::new() }
        }

        fn parsed(&self) -> &Gitignore {
            self.parsed.get_or_init(|| {
                let mut patterns = GitignoreBuilder::new("");
                for line in self.text.lines() {
                    // Git skips malformed patterns, too.
                    let _ = patterns.add_line(None, line);
                }
                patterns.build().unwrap_or_else(|_| Gitignore::empty())
            })
        }

        /// Finds the innermost part of `path` that a pattern matches. Returns its length and true if Git
        /// ignores it, or `None` if no pattern matches. `is_directory` is true if `path` may be a
        /// directory.
        pub(super) fn find(&self, path: &str, mut is_directory: bool) -> Option<(usize, bool)> {
            let mut rest = path;
            loop {
                match self.parsed().matched(rest, is_directory) {
                    Match::Ignore(_) => return Some((rest.len(), true)),
                    Match::Whitelist(_) => return Some((rest.len(), false)),
                    Match::None => {}
                }
                rest = rest.rsplit_once('/')?.0;
                is_directory = true;
            }
        }
    }
}

/// Without the feature `project`, no pattern matches.
#[cfg(not(feature = "project"))]
mod patterns {
    #[derive(Clone, Debug)]
    pub(super) struct Patterns;

    impl Patterns {
        pub(super) fn new(_text: &[u8]) -> Self {
            Self
        }

        #[allow(clippy::unused_self)] // the other `find` uses it
        pub(super) fn find(&self, _path: &str, _is_directory: bool) -> Option<(usize, bool)> {
            None
        }
    }
}

impl Ignored {
    /// Adds the `.gitignore` at `path`.
    pub(super) fn add(&mut self, path: &str, text: &[u8]) {
        let directory = directory_and_name(path).0;
        self.files.insert(directory.into(), Patterns::new(text));
    }

    /// Adds a `.gitignore` in a directory above the root. `to_root` is the path from there to the
    /// root.
    pub(super) fn add_above(&mut self, to_root: &str, text: &[u8]) {
        self.above.push((to_root.into(), Patterns::new(text)));
    }

    /// True if Git ignores the file at `path` or a directory above it. `is_missing` returns true if
    /// the tree doesn't contain a path. A directory that the tree contains isn't ignored.
    pub(super) fn contains(&self, path: &str, is_missing: impl Fn(&str) -> bool) -> bool {
        let whole = path.trim_end_matches('/');
        let name = directory_and_name(whole).1;
        let may_be_directory = whole.len() < path.len() || !name.contains('.');
        for directory in directories_above(whole) {
            let Some(patterns) = self.files.get(directory) else { continue };
            let root = slash_after(directory).len();
            let found = patterns.find(&whole[root..], may_be_directory);
            if let Some((len, is_ignored)) = found {
                return is_ignored && is_missing(&whole[..root + len]);
            }
        }
        for (to_root, patterns) in &self.above {
            let path = format!("{to_root}/{whole}");
            if let Some((len, is_ignored)) = patterns.find(&path, may_be_directory) {
                let ignored = path.get(to_root.len() + 1..len).unwrap_or_default();
                return is_ignored && !ignored.is_empty() && is_missing(ignored);
            }
        }
        false
    }
}

#[cfg(test)]
#[cfg(feature = "project")]
mod tests {
    use super::super::Tree;
    use super::super::tests::check_all;
    use crate::slug::Slug;
    use std::path::Path;

    #[test]
    fn ignored_files_are_not_reported() {
        check_all(
            &[
                (".gitignore", "# made\n/api/\n*.pdf.md\n!b.pdf.md\n/kept/\n"),
                ("docs/.gitignore", "c.md\n[\n"),
                ("docs/d.md", ""),
                ("kept/e.md", ""),
            ],
            &[
                ("docs/d.md", "../api/f.md", false),
                ("docs/d.md", "../api/", false),
                ("docs/d.md", "api/f.md", true),
                ("docs/d.md", "a.pdf.md", false),
                ("docs/d.md", "b.pdf.md", true),
                ("docs/d.md", "c.md", false),
                ("kept/e.md", "c.md", true),
                // The directory is in the tree, so the file should be, too.
                ("kept/e.md", "f.md", true),
            ],
        );
    }

    #[test]
    fn patterns_above_the_root_count() {
        let mut tree = Tree::new("/t/docs".into(), Slug::GitHub);
        tree.add_file("a.md".as_ref(), Some(b""));
        tree.add_gitignore_above("/t".as_ref(), b"/docs/b.md\n/c.md\n");
        tree.add_gitignore_above("/u".as_ref(), b"d.md\n");
        for (reference, is_reported) in [("b.md", false), ("c.md", true), ("d.md", true)] {
            let local = tree.local(Path::new("/t/docs/a.md")).unwrap();
            assert_eq!(local.check(reference.as_bytes()).is_some(), is_reported, "{reference}");
        }
        // The whole tree is ignored, but the user lints it nevertheless.
        tree.add_gitignore_above("/".as_ref(), b"/t/\n");
        let local = tree.local(Path::new("/t/docs/a.md")).unwrap();
        assert!(local.check(b"e.md").is_some());
    }
}
