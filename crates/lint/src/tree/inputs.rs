//! Recognizes documents that are the input of tests, because a program next to them names them.

use super::paths::{DOCUMENTS, PAGES, directories_above, has_extension};
use memchr::memmem;
use std::collections::{BTreeMap, HashSet};
use std::ops::Bound;

/// Directories that contain tests.
const TESTS: [&str; 6] = ["fixtures", "spec", "t", "test", "testdata", "tests"];

/// The file extensions of programs.
const PROGRAMS: [&str; 30] = [
    "c", "cc", "cjs", "clj", "cpp", "cs", "el", "ex", "exs", "go", "hs", "java", "jl", "js", "kt",
    "lua", "mjs", "ml", "php", "pl", "pm", "py", "r", "rb", "rs", "sh", "swift", "t", "ts", "tsx",
];

/// The documents in the directories of tests.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    /// The names of the documents in each directory of tests, and those that a program names.
    documents: BTreeMap<Box<str>, Vec<Box<str>>>,
    /// The programs in directories of tests.
    programs: Vec<Box<str>>,
    /// The paths of the documents that a program names in quotes.
    named: HashSet<Box<str>>,
}

impl Inputs {
    /// Records the file at `path` if it is a program or a document in a directory of tests. A
    /// README describes the tests.
    pub(super) fn note(&mut self, path: &str) {
        let Some((directory, name)) = path.rsplit_once('/') else { return };
        let Some((stem, extension)) = name.rsplit_once('.') else { return };
        let is_document = has_extension(&DOCUMENTS, extension) || has_extension(&PAGES, extension);
        let is_program = has_extension(&PROGRAMS, extension);
        if !is_document && !is_program || outermost(directory).is_none() {
            return;
        }
        if is_program {
            self.programs.push(path.into());
        } else if !stem.eq_ignore_ascii_case("readme") {
            self.documents.entry(directory.into()).or_default().push(name.into());
        }
    }

    /// Returns the programs that may name documents: those in the directory of a document, or in a
    /// directory of tests above it.
    pub(super) fn programs(&self) -> impl Iterator<Item = &str> {
        let mut directories: HashSet<&str> = HashSet::new();
        for directory in self.documents.keys() {
            let Some(top) = outermost(directory) else { continue };
            let above = std::iter::once(&**directory).chain(directories_above(directory));
            directories.extend(above.take_while(|it| it.len() >= top.len()));
        }
        self.programs.iter().map(|path| &**path).filter(move |path| {
            path.rsplit_once('/').is_some_and(|(directory, _)| directories.contains(directory))
        })
    }

    /// Records the documents that `program`, the content of the file at `path`, names in quotes.
    /// They are in the directory of the program or below it.
    pub(super) fn add_program(&mut self, path: &str, program: &[u8]) {
        let Some((directory, _)) = path.rsplit_once('/') else { return };
        let first = self.documents.range::<str, _>((Bound::Included(directory), Bound::Unbounded));
        let below = first.take_while(|(it, _)| it.starts_with(directory));
        let below = below.filter(|(it, _)| {
            it.len() == directory.len() || it.as_bytes()[directory.len()] == b'/'
        });
        for (directory, names) in below {
            for name in names.iter().filter(|name| is_in_quotes(program, name.as_bytes())) {
                self.named.insert(format!("{directory}/{name}").into());
            }
        }
    }

    /// True if a program names the document at `path`.
    pub(super) fn contains(&self, path: &str) -> bool {
        self.named.contains(path)
    }
}

/// Returns the outermost directory of tests that is `directory` or contains it.
fn outermost(directory: &str) -> Option<&str> {
    let mut end = 0;
    for part in directory.split('/') {
        end += part.len();
        if TESTS.contains(&part) {
            return Some(&directory[..end]);
        }
        end += 1;
    }
    None
}

/// True if `program` contains `name` at the end of a text in quotes, alone or after a directory.
fn is_in_quotes(program: &[u8], name: &[u8]) -> bool {
    let is_quote = |b: &u8| b"\"'`".contains(b);
    memmem::find_iter(program, name).any(|at| {
        let before = at.checked_sub(1).map(|before| &program[before]);
        before.is_some_and(|b| is_quote(b) || b"/\\".contains(b))
            && program.get(at + name.len()).is_some_and(is_quote)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;
    use super::*;

    #[test]
    fn input_of_tests_is_not_reported() {
        check_all(
            &[
                ("tests/a.md", ""),
                ("tests/b.md", ""),
                ("tests/parts/c.md", ""),
                ("tests/README.md", ""),
                ("tests/mill.el", "(find-file \"a.md\")(find-file \"parts/c.md\")\"README.md\""),
                ("docs/d.md", ""),
                ("docs/d.py", "'d.md'"),
                ("tests2/e.md", ""),
                ("tests/parts/f.py", "b.md'"),
            ],
            &[
                ("tests/a.md", "none.md", false),
                ("tests/a.md", "#none", false),
                ("tests/b.md", "none.md", true),
                ("tests/parts/c.md", "none.md", false),
                ("tests/README.md", "none.md", true),
                ("docs/d.md", "none.md", true),
                ("tests2/e.md", "none.md", true),
            ],
        );
    }

    #[test]
    fn only_programs_near_documents_are_read() {
        let mut inputs = Inputs::default();
        for path in ["t/a/b.md", "t/a/c.t", "t/d.t", "t/e/f.t", "g/h.t", "t/e/README.md"] {
            inputs.note(path);
        }
        let programs: Vec<_> = inputs.programs().collect();
        assert_eq!(programs, ["t/a/c.t", "t/d.t"]);
    }

    #[test]
    fn names_end_at_quotes() {
        for (program, expected) in [
            (&b"read('a.md')"[..], true),
            (b"read(`t/a.md`)", true),
            (b"read('a.md.gz')", false),
            (b"read('ba.md')", false),
            (b"a.md", false),
        ] {
            assert_eq!(is_in_quotes(program, b"a.md"), expected);
        }
    }
}
