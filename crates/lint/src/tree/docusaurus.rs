//! Reads the settings of Docusaurus, which name the directories of its documents.

use super::paths::{directory_and_name, is_below, joined, slash_after};
use std::collections::HashSet;

/// The directories that contain the documents of Docusaurus sites.
#[derive(Clone, Debug, Default)]
pub(super) struct Docusaurus {
    contents: HashSet<Box<str>>,
}

/// True if the file called `name` contains the settings of Docusaurus.
pub(super) fn is_settings(name: &str) -> bool {
    matches!(name, "docusaurus.config.js" | "docusaurus.config.ts" | "docusaurus.config.mjs")
}

impl Docusaurus {
    /// Records the directories that contain a site's documents by default: `docs` in `directory`,
    /// which contains the settings of the site, and `docs` next to `directory`.
    pub(super) fn add(&mut self, directory: &str) {
        // Docusaurus is often set up in a directory next to `docs`, which contains the documents.
        let above = directory_and_name(directory).0;
        let contents = [directory, above].map(|it| (slash_after(it) + "docs").into());
        self.contents.extend(contents);
    }

    /// Records the directories that `settings`, the content of a file in `directory`, names.
    pub(super) fn add_settings(&mut self, directory: &str, settings: &[u8]) {
        let settings = std::str::from_utf8(settings).unwrap_or_default();
        for (at, key) in settings.match_indices("path:") {
            let value = settings[at + key.len()..].trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
            let Some(quote) = quote else { continue };
            let value = value[1..].split(quote).next().unwrap_or_default();
            let content = joined(directory, value).filter(|it| !it.is_empty());
            self.contents.extend(content.map(|it| it.trim_end_matches('/').into()));
        }
    }

    /// True if `directory` is itself recorded as the directory of a site's documents. False for the
    /// directories inside one.
    pub(super) fn contains(&self, directory: &str) -> bool {
        self.contents.contains(directory)
    }

    /// Returns the targets of `path`, a link in the document at `from`, in the directory of documents.
    /// Docusaurus looks there, too, unless the link starts with a dot.
    pub(super) fn targets(&self, from: &str, path: &str) -> impl Iterator<Item = String> {
        let is_relative = path.starts_with('.');
        let contents = self.contents.iter().filter(move |it| !is_relative && is_below(from, it));
        contents.filter_map(move |content| joined(content, path.trim_start_matches('/')))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;

    #[test]
    fn links_may_be_relative_to_the_documents() {
        let settings = "docs: { routeBasePath: '/', path: \"../md\" }";
        check_all(
            &[
                ("doc/website/docusaurus.config.js", settings),
                ("doc/md/a/b.md", ""),
                ("doc/md/c.md", ""),
                ("doc/d.md", ""),
            ],
            &[
                ("doc/md/a/b.md", "c.md", false),
                ("doc/md/a/b.md", "/c.md", false),
                ("doc/md/a/b.md", "./c.md", true),
                ("doc/md/a/b.md", "none.md", true),
                ("doc/md/a/b.md", "route", false),
                ("doc/d.md", "c.md", true),
            ],
        );
    }
}
