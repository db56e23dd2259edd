//! Reads the settings of `MkDocs`, which list pages that its plugins may generate, and the scripts
//! that generate them.

use super::paths::{DOCUMENTS, directories_above, directory_and_name, has_extension, joined};
use std::collections::{BTreeMap, HashSet};

/// The maximum length in bytes of a path in the settings or in a script.
const MAX_PATH_LEN: usize = 256;

/// The documents that plugins of `MkDocs` may generate in a tree, and the scripts that generate
/// them.
#[derive(Clone, Debug, Default)]
pub(super) struct MkDocs {
    /// The documents in the navigation of a site, and those that scripts name.
    pages: HashSet<Box<str>>,
    /// The directories that the scripts of the plugin `gen-files` name. The scripts may write
    /// documents there.
    directories: HashSet<Box<str>>,
    /// The scripts of the plugin `gen-files`, each with the directory of its site's documents.
    scripts: BTreeMap<Box<str>, Box<str>>,
}

/// True if the file called `name` contains the settings of `MkDocs`.
pub(super) fn is_settings(name: &str) -> bool {
    matches!(name, "mkdocs.yml" | "mkdocs.yaml")
}

impl MkDocs {
    /// Adds the pages and scripts in `settings`, the content of the file at `path`.
    pub(super) fn add_settings(&mut self, path: &str, settings: &[u8]) {
        let Ok(settings) = std::str::from_utf8(settings) else { return };
        let base = directory_and_name(path).0;
        let value = settings.lines().find_map(|line| line.strip_prefix("docs_dir:"));
        let documents = value.map_or("docs", unquoted);
        let Some(documents) = joined(base, documents) else { return };
        // The name of the top-level key whose value contains the line.
        let mut section = "";
        let mut is_list_of_scripts = false;
        for line in settings.lines() {
            let is_key = line.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            if is_key && let Some((name, _)) = line.split_once(':') {
                section = name;
                continue;
            }
            let line = line.trim();
            let Some(value) = last_value(line) else { continue };
            match section {
                "nav" if is_document(value) => {
                    self.pages.extend(joined(&documents, value).map(Into::into));
                }
                "plugins" if line.starts_with("scripts:") || line.contains("gen-files:") => {
                    is_list_of_scripts = true;
                }
                "plugins" if is_list_of_scripts => {
                    is_list_of_scripts = value.rsplit_once('.').is_some_and(|(_, it)| it == "py");
                    let script = joined(base, value).filter(|_| is_list_of_scripts);
                    self.scripts.extend(script.map(|it| (it.into(), (*documents).into())));
                }
                _ => {}
            }
        }
    }

    /// Returns the paths of the scripts that the settings name.
    pub(super) fn scripts(&self) -> impl Iterator<Item = &str> {
        self.scripts.keys().map(|path| &**path)
    }

    /// Adds the documents and directories that `script`, the content of the file at `path`, names in
    /// quotes. Does nothing if no settings name the script.
    pub(super) fn add_script(&mut self, path: &str, script: &[u8]) {
        let Some(documents) = self.scripts.get(path) else { return };
        let Ok(script) = std::str::from_utf8(script) else { return };
        for line in script.lines() {
            // Paths contain no quotes, so every text between two quotes may be one.
            for text in line.split(['"', '\'']).skip(1) {
                // In `api/{name}.md`, only the directory is known.
                let fixed = text.split('{').next().unwrap_or_default();
                let is_path = !fixed.is_empty()
                    && fixed.len() <= MAX_PATH_LEN
                    && fixed.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/".contains(&b));
                if !is_path {
                    continue;
                }
                let is_whole = fixed.len() == text.len();
                let fixed =
                    if is_whole { fixed } else { fixed.rsplit_once('/').unwrap_or(("", "")).0 };
                let Some(whole) = joined(documents, fixed) else { continue };
                let whole = whole.trim_end_matches('/');
                if is_document(whole) {
                    self.pages.insert(whole.into());
                } else if whole.len() > documents.len() {
                    self.directories.insert(whole.into());
                }
            }
        }
    }

    /// True if a plugin may generate the document at `path`.
    pub(super) fn may_make(&self, path: &str) -> bool {
        self.pages.contains(path)
            || !self.directories.is_empty()
                && directories_above(path).any(|it| self.directories.contains(it))
    }
}

/// True if `path` has the extension of a document and at most [`MAX_PATH_LEN`] bytes.
fn is_document(path: &str) -> bool {
    path.len() <= MAX_PATH_LEN
        && path.rsplit_once('.').is_some_and(|(_, it)| has_extension(&DOCUMENTS, it))
}

/// Returns the value at the end of a line in a list, such as `- Title: a.md`. Returns `None` for a
/// comment.
fn last_value(line: &str) -> Option<&str> {
    let value = line.trim_start_matches(['-', ' ']);
    if value.starts_with('#') {
        return None;
    }
    Some(unquoted(value.rsplit_once(": ").map_or(value, |(_, it)| it)))
}

/// Returns `value` without a comment after it, blanks and quotes.
pub(super) fn unquoted(value: &str) -> &str {
    let value = value.split_once(" #").map_or(value, |(it, _)| it);
    value.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;
    use super::*;

    const SETTINGS: &str = "\
docs_dir: 'pages' # not docs
nav:
  - Start: index.md
  - \"The mill: a guide\": 'mill/guide.md'
  - Reference:
    # - old.md
    - ref/wheel.md # generated
plugins:
  - search
  - gen-files:
      scripts:
      - tools/make.py
theme: a.md
";

    #[test]
    fn pages_in_the_navigation_are_not_reported() {
        let files = [("site/mkdocs.yml", SETTINGS), ("site/pages/a.md", ""), ("b.md", "")];
        check_all(
            &files,
            &[
                ("site/pages/a.md", "mill/guide.md", false),
                ("site/pages/a.md", "ref/wheel.md#turning", false),
                ("b.md", "site/pages/ref/wheel.md", false),
                ("site/pages/a.md", "ref/none.md", true),
                ("site/pages/a.md", "old.md", true),
                ("b.md", "ref/wheel.md", true),
            ],
        );
        check_all(
            &[("mkdocs.yml", "nav:\n- Mill: c.md\n- d.md\nextra:\n- e.md\n"), ("docs/a.md", "")],
            &[
                ("docs/a.md", "c.md", false),
                ("docs/a.md", "d.md", false),
                ("docs/a.md", "e.md", true),
            ],
        );
    }

    #[test]
    fn pages_that_a_script_writes_are_not_reported() {
        let script = "PLACE = \"api/parts\"\nwith open(f\"lists/{name}.md\", 'w') as out:\n";
        let files = [("mkdocs.yml", SETTINGS), ("pages/a.md", ""), ("tools/make.py", script)];
        let links = |is_reported| {
            [
                ("pages/a.md", "api/parts/none.md", is_reported),
                ("pages/a.md", "lists/none.md", is_reported),
                ("pages/a.md", "api/none.md", true),
                ("pages/a.md", "none.md", true),
            ]
        };
        check_all(&files, &links(false));
        // The settings name no script.
        check_all(&[("mkdocs.yml", ""), ("pages/a.md", ""), files[2]], &links(true));
    }

    #[test]
    fn values_are_the_ends_of_lines() {
        for (line, expected) in [
            ("- a.md", Some("a.md")),
            ("- b: 'c.md' # d", Some("c.md")),
            ("- # - a.md", None),
            ("- e: f: g.md", Some("g.md")),
        ] {
            assert_eq!(last_value(line), expected, "{line}");
        }
    }
}
