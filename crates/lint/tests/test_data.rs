//! Checks the levels of diagnostics in documents that are test data.

use std::path::Path;
use urlsift_archive::Reading;
use urlsift_lint::{Applicability, Judge, Level, Settings};

/// Lints a text at `path` in a project with the settings `settings`. Returns the level of its
/// diagnostic, and the text with safe fixes.
fn lint(settings: &str, path: &str) -> (Option<Level>, String) {
    let root = Path::new("/home/tests/mill");
    let settings = Settings::parse(settings, root).unwrap();
    let judge = Judge::new(settings, Some(root.join(Settings::NAME)));
    let (path, text) = (root.join(path), b"At http:/www.host.dom/ now.");
    let mut level = None;
    judge.lint_parts(&path, text, Reading::Auto, &mut |part| {
        level = part.diagnostics.first().map(|found| found.level);
    });
    let fixed = judge.fix(&path, text, Reading::Auto, Applicability::Safe, Level::Info);
    (level, String::from_utf8(fixed.applied.text).unwrap())
}

#[test]
fn test_data_has_remarks_and_is_not_fixed() {
    let (level, text) = lint("", "tests/fixtures/a.txt");
    assert_eq!((level, &text[..]), (Some(Level::Info), "At http:/www.host.dom/ now."));
    for path in ["a.txt", "docs/a.txt", "tests/README.txt"] {
        let (level, text) = lint("", path);
        assert_eq!((level, &text[..]), (Some(Level::Error), "At http://www.host.dom/ now."));
    }
}

#[test]
fn configured_rules_keep_their_levels_in_test_data() {
    for settings in [
        "strict = true",
        "select = ['scheme.']",
        "extend-select = ['scheme.single-slash']",
        "levels = { 'scheme.' = 'error' }",
    ] {
        let (level, text) = lint(settings, "tests/a.txt");
        let wanted = (Some(Level::Error), "At http://www.host.dom/ now.");
        assert_eq!((level, &text[..]), wanted, "{settings}");
    }
}
