//! Finds the targets of links that are elsewhere in the tree, because a build or an installation
//! copies documents or the files that they display.

use super::Tree;
use super::paths::{is_below, joined, slash_after};

/// Directories that contain the sources of pages, or files that are copied to the pages. They are
/// next to a generator's settings.
const CONTENT: [&str; 10] = [
    "docs",
    "content",
    "source",
    "src",
    "pages",
    "static",
    "public",
    "docs/static",
    "docs/public",
    "website/docs",
];

impl Tree {
    /// True if the file at `path`, which isn't in the tree, may have been left out of the package
    /// that contains the document at `from`.
    pub(super) fn is_left_out(&self, from: &str, path: &str) -> bool {
        let files = self.entries.keys().map(|path| &**path);
        !self.is_repository && self.packages.leave_out(files, from, path)
    }

    /// True if `path`, a link in the document at `from`, leads to a file when it is resolved in one
    /// of the [`CONTENT`] directories of a generator instead. The document must be outside that
    /// directory: the generator may copy the document there, or the file to the pages. With Antora,
    /// the link is resolved in the directory `pages` that contains the document.
    pub(super) fn is_in_content(&self, from: &str, path: &str) -> bool {
        let path = without_parents(path);
        // Antora resolves links in the directory `pages` of the module.
        let pages = from.find("/pages/").and_then(|at| joined(&from[..at + 6], path));
        if self.is_generated(from) && pages.is_some_and(|it| self.entries.contains_key(&*it)) {
            return true;
        }
        self.generated.iter().filter(|directory| is_below(from, directory)).any(|directory| {
            CONTENT.iter().map(|content| slash_after(directory) + content).any(|content| {
                let has = |whole: String| {
                    self.entries.contains_key(&*whole) || self.source_of(&whole).is_some()
                };
                !is_below(from, &content) && joined(&content, path).is_some_and(has)
            })
        })
    }

    /// True if `path`, a link to an image, style sheet or script in the HTML page at `from`, would
    /// lead to a file if the page were in a directory above. Pages made from `DocBook` are often
    /// installed there.
    pub(super) fn is_in_parent(&self, from: &str, path: &str) -> bool {
        let path = without_parents(path);
        from.rmatch_indices('/')
            .skip(1)
            .take(8)
            .filter_map(|(at, _)| joined(&from[..at], path))
            .any(|whole| self.entries.contains_key(&*whole))
            || from.contains('/') && self.entries.contains_key(path)
    }
}

/// Returns `path` without `../` and `./` at its start.
fn without_parents(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("../").or_else(|| path.strip_prefix("./")) {
        path = rest;
    }
    path
}
