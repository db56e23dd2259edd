//! Recognizes documents that aren't maintained in the tree: those in copies of other projects, and
//! those in generated clients of web services.

use super::paths::{directories_above, directory_and_name};
use std::collections::{HashMap, HashSet};

/// The names, without an extension, of texts that projects have in their root, with their kinds.
const TEXTS: [(&str, u8); 7] = [
    ("changelog", CHANGES),
    ("changes", CHANGES),
    ("copying", LICENSE),
    ("licence", LICENSE),
    ("license", LICENSE),
    ("news", CHANGES),
    ("readme", README),
];

/// Build scripts and settings that projects have in their root.
const FILES: [&str; 10] = [
    "Cargo.toml",
    "CMakeLists.txt",
    "configure",
    "configure.ac",
    "go.mod",
    "Makefile",
    "meson.build",
    "package.json",
    "pyproject.toml",
    "setup.py",
];

/// The names of files that client generators write to the root of their output.
const GENERATORS: [&str; 2] = [".openapi-generator-ignore", ".swagger-codegen-ignore"];

/// The file extensions of texts.
const TEXT_EXTENSIONS: [&str; 6] = ["adoc", "markdown", "md", "org", "rst", "txt"];

/// Directories that contain copies of other projects, each in a directory of its own.
///
/// They may be called `external` or `deps`, too, because a directory below them counts only if a
/// file such as `README` shows that it is a project. `INSTALLED` in `elsewhere.rs` lists only the
/// directories that may be missing.
const COPIES: [&str; 15] = [
    "3rd-party",
    "3rd_party",
    "3rdparty",
    "deps",
    "extern",
    "external",
    "externals",
    "node_modules",
    "submodules",
    "subprojects",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
];

/// Words before a version that don't name a project, as in `version-1.2`.
const NO_PROJECTS: [&str; 5] = ["release", "releases", "ver", "version", "versions"];

/// The projects in a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Projects {
    /// The directories that look like the root of a project, because they contain a file such as
    /// `README`. The value has the bits of the kinds of these files, e.g. [`LICENSE`].
    roots: HashMap<Box<str>, u8>,
    /// The directories that contain a generated client.
    clients: HashSet<Box<str>>,
}

impl Projects {
    /// Records the directory of the file at `path` if the name of the file shows that the directory
    /// is the root of a project.
    pub(super) fn note(&mut self, path: &str) {
        let (directory, name) = directory_and_name(path);
        if GENERATORS.contains(&name) {
            self.clients.insert(directory.into());
        }
        let mark = mark_of(name);
        if mark == 0 {
            return;
        }
        match self.roots.get_mut(directory) {
            Some(marks) => *marks |= mark,
            None => drop(self.roots.insert(directory.into(), mark)),
        }
    }

    /// True if the document at `path` belongs to a generated client.
    pub(super) fn contain_client(&self, path: &str) -> bool {
        !self.clients.is_empty() && directories_above(path).any(|it| self.clients.contains(it))
    }

    /// True if the file at `path` is in a project that was copied into another one. This is a
    /// directory below one such as `vendor`, a directory with the name and version of a project,
    /// such as `zlib-1.2.3`, or a directory below `test` that has a README, a license and a build
    /// script of its own.
    pub(super) fn contain_copy(&self, path: &str) -> bool {
        let mut marked = directories_above(path).filter_map(|it| Some((it, *self.roots.get(it)?)));
        marked.any(|(root, marks)| {
            let (above, name) = directory_and_name(root);
            let is_in_project = || directories_above(root).any(|it| self.roots.contains_key(it));
            let is_in_tests = || above.split('/').any(|it| matches!(it, "test" | "tests"));
            above.split('/').any(|it| COPIES.contains(&it))
                || has_version(name) && is_in_project()
                || marks & COMPLETE == COMPLETE && is_in_tests()
        })
    }
}

/// The bits of the kinds of files that a project has in its root: a README, a license, a build
/// script, and a change log.
const README: u8 = 1;
const LICENSE: u8 = 2;
const BUILD: u8 = 4;
const CHANGES: u8 = 8;

/// The kinds of files that a complete project has.
const COMPLETE: u8 = README | LICENSE | BUILD;

/// Returns the bit of the kind of the file called `name`, or 0 if projects have no such file in
/// their root.
fn mark_of(name: &str) -> u8 {
    if FILES.contains(&name) {
        return BUILD;
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if !extension.is_empty() && !TEXT_EXTENSIONS.contains(&extension) {
        return 0;
    }
    let kind = TEXTS.iter().find(|(text, _)| text.eq_ignore_ascii_case(stem));
    kind.map_or(0, |(_, kind)| *kind)
}

/// True if `name` is the name of a project and a version with a dot.
fn has_version(name: &str) -> bool {
    let is_digit = |b: &u8| b.is_ascii_digit();
    name.match_indices(['-', '_']).any(|(at, _)| {
        let version = &name[at + 1..];
        let version = version.strip_prefix('v').unwrap_or(version).as_bytes();
        let digits = version.iter().take_while(|b| is_digit(b)).count();
        let project = &name[..at];
        digits > 0
            && version.get(digits) == Some(&b'.')
            && version.get(digits + 1).is_some_and(is_digit)
            && project.starts_with(|c: char| c.is_ascii_alphabetic())
            && !NO_PROJECTS.contains(&project)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;
    use super::has_version;

    #[test]
    fn links_in_copies_of_other_projects_are_not_reported() {
        check_all(
            &[
                ("README.md", ""),
                ("util/zlib-1.2.3/ChangeLog", ""),
                ("util/zlib-1.2.3/doc/a.md", "# A\n"),
                ("util/mill-1.2/b.md", ""),
                ("src/third_party/wheel/LICENSE.txt", ""),
                ("src/third_party/wheel/doc/c.md", ""),
                ("third_party/README.md", ""),
                ("src/dam/README.md", ""),
                ("docs/version-1.2/README.md", ""),
                ("src/test/wheel/README", ""),
                ("src/test/wheel/LICENSE", ""),
                ("src/test/wheel/CMakeLists.txt", ""),
                ("src/test/wheel/docs/e.md", ""),
                ("src/test/README", ""),
                ("src/test/Makefile", ""),
                ("src/test/f.md", ""),
            ],
            &[
                ("src/test/wheel/docs/e.md", "none.md", false),
                ("src/test/f.md", "none.md", true),
                ("util/zlib-1.2.3/doc/a.md", "none.md", false),
                ("util/zlib-1.2.3/doc/a.md", "#none", false),
                ("src/third_party/wheel/doc/c.md", "none.md", false),
                // Nothing shows that there is a project in the directory.
                ("util/mill-1.2/b.md", "none.md", true),
                ("third_party/README.md", "none.md", true),
                ("src/dam/README.md", "none.md", true),
                ("docs/version-1.2/README.md", "none.md", true),
            ],
        );
    }

    #[test]
    fn links_in_generated_clients_are_not_reported() {
        check_all(
            &[("a/.swagger-codegen-ignore", ""), ("a/docs/b.md", "# B\n"), ("c.md", "")],
            &[
                ("a/docs/b.md", "none.md", false),
                ("a/docs/b.md", "#none", false),
                ("c.md", "none.md", true),
            ],
        );
    }

    #[test]
    fn unpacked_projects_next_to_each_other_are_not_copies() {
        check_all(
            &[("mill-1.2/README.md", ""), ("wheel-1.0/README.md", "")],
            &[("mill-1.2/README.md", "none.md", true)],
        );
    }

    #[test]
    fn versions_contain_a_dot() {
        for name in ["zlib-1.2.3", "mill_v1.0", "a-b-2.1-rc1", "wheel-1.0.tar"] {
            assert!(has_version(name), "{name}");
        }
        for name in ["zlib", "python-3", "1.2.3", "v-1.2", "version-1.2", "-1.2", "2024-1.2"] {
            assert_eq!(has_version(name), name == "v-1.2", "{name}");
        }
    }
}
