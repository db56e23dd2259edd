//! Checks texts that look like mistakes but are meant, and similar texts that are mistakes.

use urlsift_archive::Reading;
use urlsift_lint::{Applicability, Config, Level, Linter};

/// Returns the rules and levels of the diagnostics in `text`, the content of a file called `name`.
fn lint(name: &str, text: &str) -> Vec<(&'static str, Level)> {
    let linter = Linter::new(Config::default());
    let found = linter.lint_file(text.as_bytes(), Some(name.as_bytes()), Reading::Auto);
    found.diagnostics.iter().map(|found| (found.code, found.level)).collect()
}

#[test]
fn names_that_look_like_urls_are_not_misspelled() {
    for text in ["The ht://Dig system", "ht://Check is a tool.", "<h1>ht://Dig</h1>"] {
        assert_eq!(lint("a.html", text), [], "{text}");
    }
    for text in [
        "At htp://localhost:8080/ now.",
        "At ht://localhost now.",
        "At ht://dig.host.dom now.",
        "At ht://dig/a now.",
        "At ht://dig:8080 now.",
        "At htps://host/x now.",
        "At htpp://dig now.",
    ] {
        let found = lint("a.txt", text);
        assert!(found.iter().any(|found| found.0 == "scheme.misspelt"), "{text}: {found:?}");
    }
}

#[test]
fn obfuscated_addresses_are_info() {
    for text in [
        "<a href=\"mailto:joe -at- host.dom\">Joe</a>",
        "<a href=\"mailto:joe dot mill at host dot dom\">Joe</a>",
        "<a href=\"mailto:joe\">mailto:joe</a> -at- host.dom",
        "<a href=\"mailto:joe\">Joe</a> at host.dom",
    ] {
        let found = lint("a.html", text);
        assert!(found.iter().all(|found| found.1 == Level::Info), "{text}: {found:?}");
        let linter = Linter::new(Config::default());
        let found = linter.lint_file(text.as_bytes(), Some(b"a.html"), Reading::Auto).diagnostics;
        let fixes = found.iter().filter_map(|found| found.fix.as_ref());
        assert!(
            fixes.map(|fix| fix.applicability).all(|it| it == Applicability::Display),
            "{text}"
        );
    }
    let found = lint("a.cmake", "# <a href=\"mailto:joe dot mill at host dot dom\">Joe</a>\n");
    assert_eq!(found, [("link.inner-blank", Level::Info)]);
    let found = lint("a.cmake", "# <a href=\"mailto:joe mill@host.dom\">Joe</a>\n");
    assert_eq!(found, [("link.inner-blank", Level::Error)]);
    for text in [
        "<a href=\"mailto:joe mill@host.dom\">Joe</a>",
        "<a href=\"mailto:joe\">Joe</a> or Pat",
        "<a href=\"mailto:joe\">Joe</a>, at noon",
    ] {
        let found = lint("a.html", text);
        assert!(found.iter().any(|found| found.1 >= Level::Warning), "{text}: {found:?}");
    }
}

#[test]
fn markdown_in_docstrings_is_info() {
    let text = "See [the mill](https://www.rivermill.com/a).\n\n:param x: the wheel\n";
    let code = "link.foreign-markup";
    assert_eq!(lint("a.py", &["\"\"\"", text, "\"\"\"\n"].concat()), [(code, Level::Info)]);
    assert_eq!(lint("a.rst", text), [(code, Level::Error)]);
    let rst = "See `the mill <https://www.rivermill.com/a>`_.\n";
    assert_eq!(lint("a.md", rst), [(code, Level::Error)]);
}

#[test]
fn semicolon_ends_a_url_before_a_line_break() {
    let text = |end: &str| {
        format!(
            "```\nsource = \"http://www.host.dom/pub/tex/awards{end}\n          z3950/Voyager.html\"\n\
             http://www.host.dom/pub/tex/awards{end}z3950/Voyager.html\n```\n"
        )
    };
    assert_eq!(lint("a.md", &text(";")), []);
    assert_eq!(lint("a.md", &text("/")), [("break.in-code", Level::Warning)]);
}

#[test]
fn passwords_of_examples_are_not_reported() {
    for text in ["imap://victoria:secret@foo.com", "http://jschmoe:xyzzy@www.mill.net:8000/a"] {
        let found = lint("a.txt", text);
        assert!(found.iter().all(|found| found.0 != "security.password"), "{text}: {found:?}");
    }
    let found = lint("a.txt", "imap://victoria:sesame7@mill.com");
    assert_eq!(found, [("security.password", Level::Warning)]);
}

#[test]
fn obsolete_messages_of_a_catalog_are_skipped() {
    let head = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";
    let message = |mark: &str| {
        format!("{head}{mark}msgid \"a\"\n{mark}msgstr \"See http:/www.host.dom/a now.\"\n")
    };
    assert_eq!(lint("hu.po", &message("#~ ")), []);
    assert_eq!(lint("hu.po", &message("")), [("scheme.single-slash", Level::Error)]);
}

#[test]
fn document_names_are_not_hosts() {
    for text in [
        "They have the form http:foo.html now.",
        "See http:/foo.htm now.",
        "<a href=\"http:foo.php\">a</a>",
    ] {
        let found = lint("a.html", text);
        let grave = |found: &&(&str, Level)| found.1 >= Level::Warning && found.0 != "ciss.slashes";
        assert_eq!(found.iter().find(grave), None, "{text}");
    }
    assert_eq!(lint("a.txt", "See http:www.host.dom now."), [("scheme.no-slashes", Level::Error)]);
    let found = lint("a.txt", "See http:/www.host.dom/foo.html now.");
    assert_eq!(found, [("scheme.single-slash", Level::Error)]);
}

#[test]
fn escaped_colon_belongs_to_the_name_of_a_target() {
    let text = ".. _Mills\\: an overview: https://www.rivermill.com/a\n";
    assert_eq!(lint("a.rst", text), []);
    let text = ".. _Mills: an overview: https://www.rivermill.com/a\n";
    assert_eq!(lint("a.rst", text), [("link.malformed-definition", Level::Error)]);
}

#[test]
fn parameters_of_texinfo_macros_are_not_urls() {
    let head = "\\input texinfo\n@setfilename a.info\n@settitle A\n";
    let link = "@uref{mailto:\\mail\\, \\mail\\}\n";
    let text = format!("{head}@macro email{{mail}}\n{link}@end macro\n");
    assert_eq!(lint("a.texi", &text), []);
    let found = lint("a.texi", &format!("{head}@macro b{{}}\n@end macro\n{link}"));
    assert!(!found.is_empty());
}

/// Returns the number of safe fixes in `text`, the content of a file called `name`.
fn count_safe_fixes(name: &str, text: &str) -> usize {
    let linter = Linter::new(Config::default());
    let found = linter.lint_file(text.as_bytes(), Some(name.as_bytes()), Reading::Auto);
    let fixes = found.diagnostics.iter().filter_map(|found| found.fix.as_ref());
    fixes.filter(|fix| fix.applicability == Applicability::Safe).count()
}

#[test]
fn substitutions_of_rst_are_not_escaped() {
    for (name, text, count) in [
        ("a.rst", "See https://www.host.dom/mill/|version|/a.html there.\n", 0),
        ("a.rst", "`The mill <https://www.host.dom/mill/|release|>`__ is here.\n", 0),
        ("a.rst", "`The mill <https://www.host.dom/a.(png|gif|jpg)>`__ is here.\n", 1),
        ("a.md", "[The mill](https://www.host.dom/mill/|version|/a.html) is here.\n", 1),
    ] {
        assert_eq!(count_safe_fixes(name, text), count, "{text}");
    }
}

#[test]
fn names_of_drivers_keep_their_case() {
    assert_eq!(lint("a.txt", "Connect to dbi:Oracle://www.host.dom/mill now.\n"), []);
    for text in ["Connect to Oracle://www.host.dom/mill now.\n", "At:HTTP://www.host.dom/mill\n"] {
        assert_eq!(lint("a.txt", text), [("scheme.uppercase", Level::Info)]);
    }
}
