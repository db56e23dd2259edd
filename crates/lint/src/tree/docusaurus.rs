//! Reads the settings of Docusaurus, which name the directories of its documents.

use super::Tree;
use super::paths::{is_below, joined, slash_after};

/// True if the file called `name` contains the settings of Docusaurus.
pub(super) fn is_settings(name: &str) -> bool {
    matches!(name, "docusaurus.config.js" | "docusaurus.config.ts" | "docusaurus.config.mjs")
}

impl Tree {
    /// Records the directories of documents of the site whose settings are in `directory`. `settings`
    /// is the content of the file, if it is known.
    pub(super) fn note_docusaurus(&mut self, directory: &str, settings: Option<&[u8]>) {
        // Docusaurus is often set up in a directory next to `docs`, which contains the documents.
        let above = directory.rsplit_once('/').map_or("", |(above, _)| above);
        let mut contents: Vec<String> =
            [directory, above].iter().map(|it| slash_after(it) + "docs").collect();
        let settings = settings.and_then(|it| std::str::from_utf8(it).ok()).unwrap_or_default();
        for (at, key) in settings.match_indices("path:") {
            let value = settings[at + key.len()..].trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
            let Some(quote) = quote else { continue };
            let value = value[1..].split(quote).next().unwrap_or_default();
            let content = joined(directory, value).filter(|it| !it.is_empty());
            contents.extend(content.map(|it| it.trim_end_matches('/').to_owned()));
        }
        for content in contents {
            self.generated.insert(content.as_str().into());
            self.docusaurus.insert(content.into());
        }
    }

    /// True if `path`, a link in the document at `from`, leads to a file when it is resolved in the
    /// directory of documents of a Docusaurus site, as Docusaurus does unless it starts with a dot.
    pub(super) fn is_in_docusaurus(&self, from: &str, path: &str) -> bool {
        !path.starts_with('.')
            && self.docusaurus.iter().filter(|content| is_below(from, content)).any(|content| {
                joined(content, path.trim_start_matches('/'))
                    .is_some_and(|it| self.entries.contains_key(&*it))
            })
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
