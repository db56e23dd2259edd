//! Recognizes documents that are test data by their path. Their URLs are input for programs, and
//! are often malformed on purpose.

use crate::test_data::is_in_test_data;
use std::path::{Component, Path};

/// Further directories that contain tests. Relative links in the documents below them are checked,
/// but malformed URLs there are often intended.
const TESTS: [&str; 7] =
    ["autotests", "cassettes", "examplefiles", "t", "test", "testing", "tests"];

/// Directories that contain documentation. A directory below them, such as `docs/testing`, is a
/// chapter about tests.
const DOCUMENTATION: [&str; 8] =
    ["book", "content", "doc", "docs", "documentation", "guides", "pages", "website"];

/// The directory in which Maven's JXR plug-in lists the source code of tests. Its files are test data
/// even below `docs`.
const LISTINGS: &str = "xref-test";

/// The beginnings of the names of documents that describe the files next to them.
const DESCRIPTIONS: [&str; 3] = ["changelog", "contributing", "readme"];

/// True if the document at `path` is test data, because a directory in the path contains tests or
/// their data, or because it is a test of `CUnit` (`.testc`). `path` is relative to the root of the
/// project: the project itself may be in a directory called `tests`.
///
/// Documents that describe the data, such as `README.md`, aren't test data.
pub(crate) fn is_test_data(path: &Path) -> bool {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    let mut parts: Vec<_> = names.collect();
    let Some(name) = parts.pop() else { return false };
    let name = name.to_ascii_lowercase();
    if DESCRIPTIONS.iter().any(|start| name.starts_with(start)) {
        return false;
    }
    let is_program_of_tests = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("testc"));
    if is_program_of_tests || parts.iter().any(|part| part == LISTINGS) {
        return true;
    }
    let is = |names: &[&str], part: &str| names.contains(&part);
    // `unit-tests`, `tests_of_links`, `test_input`
    let has_tests = |part: &str| part.split(['-', '_']).any(|it| it == "test" || it == "tests");
    parts
        .iter()
        .take_while(|part| !is(&DOCUMENTATION, part))
        .any(|part| is(&TESTS, part) || has_tests(part))
        || is_in_test_data(&format!("{}/{name}", parts.join("/")), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_data_is_known_by_its_directories() {
        for path in [
            "tests/a.md",
            "src/backup/tests/plain.txt",
            "a/tests/SHIFT_JIS/a.xml",
            "testing/unit/a.py",
            "integration-tests/a.html",
            "tests/integration/cassettes/a.json",
            "docs/fixtures/a.md",
            "a/testdata/a.txt",
            "../a/test/a.md",
            "link-test/a.html",
            "test_of_links/a.txt",
            "docs/xref-test/a/b.html",
            "cunit/charset.testc",
        ] {
            assert!(is_test_data(path.as_ref()), "{path}");
        }
        for path in [
            "a.md",
            "tests.md",
            "docs/testing/a.md",
            "docs/tests/a.md",
            "tests/README.md",
            "tests/fixtures/readme.txt",
            "spec/a.html",
            "latest/a.md",
            "contest/a.md",
            "cunit/a.c",
            "2012/link-test-server.md",
            "docs/link-test/a.md",
            "data/a.md",
            "",
        ] {
            assert!(!is_test_data(path.as_ref()), "{path}");
        }
    }
}
