//! Knows the names of directories that contain test data.

/// Directories that contain test data. The documents in them are input for programs.
const DATA_OF_TESTS: [&str; 10] = [
    "__fixtures__",
    "__snapshots__",
    "__tests__",
    "fixture",
    "fixtures",
    "test_data",
    "test-data",
    "testdata",
    "testsuite",
    "test-fixtures",
];

/// Directories that contain tests. HTML pages in them are test data, but other documents may
/// describe the tests.
const TESTS_OF_PAGES: [&str; 3] = ["test", "tests", "spec"];

/// Directories that contain benchmarks.
const BENCHMARKS: [&str; 5] = ["bench", "benches", "benchmark", "benchmarking", "benchmarks"];

/// Words in the names of directories that contain data. They only count below a directory with
/// tests or benchmarks.
const DATA: [&str; 11] = [
    "case",
    "cases",
    "corpus",
    "data",
    "expected",
    "input",
    "inputs",
    "output",
    "resources",
    "sample",
    "samples",
];

/// True if the document at `path` is in a directory with test data. `is_page` is true for HTML. The
/// directories in `path` are separated by slashes.
pub(crate) fn is_in_test_data(path: &str, is_page: bool) -> bool {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut is_in_tests = false;
    directory.split('/').any(|it| {
        let is_data = is_in_tests && it.split(['-', '_']).any(|word| DATA.contains(&word));
        is_in_tests |= TESTS_OF_PAGES.contains(&it) || BENCHMARKS.contains(&it) || it == "t";
        is_data || DATA_OF_TESTS.contains(&it) || is_page && TESTS_OF_PAGES.contains(&it)
    })
}
