//! Reads `.gitmodules` and `.gitattributes`, which show that files of a repository may be absent
//! from a copy of it.

use super::ignored::Ignored;
use super::paths::{directories_above, directory_and_name, is_below, joined};
use std::collections::HashSet;
use std::path::Path;

/// True if the file called `name` is read here.
pub(super) fn is_settings(name: &str) -> bool {
    matches!(name, ".gitattributes" | ".gitmodules")
}

/// The parts of a repository that a copy may lack.
#[derive(Clone, Debug, Default)]
pub(super) struct Absent {
    /// The directories of submodules. Git leaves them empty by default.
    submodules: HashSet<Box<str>>,
    /// The files that Git leaves out of archives (`export-ignore`).
    unexported: Ignored,
}

impl Absent {
    /// Adds the content of the `.gitmodules` or `.gitattributes` at `path`.
    pub(super) fn add(&mut self, path: &str, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let (directory, name) = directory_and_name(path);
        if name == ".gitmodules" {
            let paths = text.lines().filter_map(|line| {
                let value = line.trim().strip_prefix("path")?.trim_start().strip_prefix('=')?;
                joined(directory, value.trim()).filter(|it| !it.is_empty())
            });
            self.submodules.extend(paths.map(Into::into));
            return;
        }
        let lines = text.lines().filter_map(|line| {
            let (pattern, attributes) = line.trim().split_once(char::is_whitespace)?;
            attributes.split_whitespace().any(|it| it == "export-ignore").then_some(pattern)
        });
        let patterns: Vec<&str> = lines.collect();
        if !patterns.is_empty() {
            self.unexported.add(path, patterns.join("\n").as_bytes());
        }
    }

    /// True if the file at `to`, which isn't in the tree, may be absent from this copy of the
    /// repository. The document at `from` links to it. `is_missing` returns true if the tree doesn't
    /// contain a path.
    pub(super) fn contains(&self, from: &str, to: &str, is_missing: impl Fn(&str) -> bool) -> bool {
        let to = to.trim_end_matches('/');
        let mut above = std::iter::once(to).chain(directories_above(to));
        // Copies of a repository often lack hidden directories, such as `.github`.
        let mut hidden = directories_above(to).filter(|it| {
            let name = directory_and_name(it).1;
            name.len() > 1 && name.starts_with('.')
        });
        !self.submodules.is_empty()
            && above.any(|it| self.submodules.contains(it) && !is_below(from, it))
            || hidden.any(&is_missing)
            || self.unexported.contains(to, is_missing)
    }
}

/// True if the document at `path` is the template of an issue or a merge request. Links in it are
/// relative to the page of the issue.
pub(super) fn is_issue_template(path: &str) -> bool {
    const NAMES: [&str; 5] = [
        "issue_template",
        "issue_templates",
        "merge_request_templates",
        "pull_request_template",
        "pull_request_templates",
    ];
    let is_template = |name: &str| NAMES.iter().any(|it| it.eq_ignore_ascii_case(name));
    let stem = Path::new(path).file_stem().and_then(|it| it.to_str()).unwrap_or_default();
    let mut directories = path.split('/').rev().skip(1);
    is_template(stem) || directories.any(is_template)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;

    #[test]
    fn absent_parts_of_a_repository_are_not_reported() {
        check_all(
            &[
                (".gitmodules", "[submodule \"mill\"]\n\tpath = lib/mill\n\turl = none\n"),
                (".gitattributes", "*.md text\n/tests export-ignore\n/x/** export-ignore\n"),
                (".hidden/e.md", ""),
                ("a.md", ""),
                ("lib/mill/b.md", ""),
            ],
            &[
                ("a.md", "lib/mill/README.md", false),
                ("a.md", "lib/wheel/README.md", true),
                ("lib/mill/b.md", "none.md", true),
                ("a.md", "tests/c.md", false),
                ("a.md", "x/d.md", false),
                ("a.md", ".github/d.md", false),
                ("a.md", ".hidden/d.md", true),
                ("a.md", "docs/tests.md", true),
            ],
        );
    }

    #[test]
    fn templates_of_issues_are_not_checked() {
        check_all(
            &[
                (".github/ISSUE_TEMPLATE/bug.md", ""),
                ("PULL_REQUEST_TEMPLATE.md", ""),
                ("a.md", ""),
            ],
            &[
                (".github/ISSUE_TEMPLATE/bug.md", "../none.md", false),
                ("PULL_REQUEST_TEMPLATE.md", "none.md", false),
                ("a.md", "none.md", true),
            ],
        );
    }
}
