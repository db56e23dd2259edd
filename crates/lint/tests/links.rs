//! Checks the malformed links of `corpus/lint/links/*.toml`: at least nine in ten of each kind are
//! reported, correct links are not, and fixes produce the expected text.

use serde::Deserialize;
use std::path::Path;
use urlsift_archive::Reading;
use urlsift_core::Level;
use urlsift_lint::{Applicability, Config, Dialect, Judge, Linter, Settings, Slug, Tree, apply};

#[derive(Deserialize)]
struct File {
    kind: Vec<Kind>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    name: String,
    dialect: String,
    bad: Vec<Bad>,
    good: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bad {
    text: String,
    mended: Option<String>,
}

#[test]
fn malformed_links_are_found() {
    check("malformed.toml");
}

#[test]
fn links_with_broken_markup_are_found() {
    check("markup.toml");
}

#[test]
fn undefined_references_and_duplicates_are_found() {
    check("references.toml");
}

#[test]
fn useless_definitions_are_info() {
    let linter = Linter::new(Config::default());
    for (text, code) in [
        ("See it.\n\n[a]: https://www.rivermill.com/a\n", "link.unused-definition"),
        (
            "See [a].\n\n[a]: https://www.rivermill.com/a\n[a]: https://www.rivermill.com/a\n",
            "link.duplicate-definition",
        ),
    ] {
        let found = linter.lint(text.as_bytes(), "markdown".parse().unwrap()).diagnostics;
        let found: Vec<_> = found.iter().map(|d| (d.code, d.level)).collect();
        assert_eq!(found, [(code, Level::Info)], "{text}");
    }
    // These definitions may be used in other files, or are comments.
    for text in [
        "[a]: https://www.rivermill.com/a\n[b]: https://www.rivermill.com/b\n",
        "[//]: # (a comment)\n\nA text.\n",
        "[comment]: <> (a comment)\n\nA text.\n",
    ] {
        let found = linter.lint(text.as_bytes(), "markdown".parse().unwrap()).diagnostics;
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn relative_links_are_checked_in_every_markup() {
    let files = [
        (
            "a.md",
            "[a](b.md) ![c](d.png)\n\n[e]: a.rst#none\n\nSee [e] and <a href='f.txt'>it</a>.\n",
        ),
        (
            "a.rst",
            "Title\n=====\n\n`a <b.md>`_ `c <d_>`__ `e <#title>`_ `f <#g>`_\n\n.. _d: a.md\n",
        ),
        ("a.adoc", "= A\n\nlink:b.txt[b] and link:a.md[c], xref:d[] and xref:a.adoc#e[f]\n"),
        (
            "a.html",
            "<a href=b.html>c</a> <a href='#d'>e</a> <p id=f><a href='#f'>g</a> <a href=a.md>h</a>",
        ),
    ];
    let mut tree = Tree::new("/tree".into(), Slug::GitHub);
    for (path, text) in files {
        tree.add_file(path.as_ref(), Some(text.as_bytes()));
    }
    let judge = Judge::new(Settings::default(), None).with_trees([tree].into());
    let mut found = Vec::new();
    for (path, text) in files {
        let full = Path::new("/tree").join(path);
        judge.lint_parts(&full, text.as_bytes(), Reading::Auto, &mut |part| {
            let local = part.diagnostics.iter().filter(|d| d.code.starts_with("link.missing-"));
            found.extend(local.map(|d| format!("{path}: {}", &text[d.span.range()])));
        });
    }
    assert_eq!(
        found,
        [
            "a.md: b.md",
            "a.md: d.png",
            "a.md: none",
            "a.md: f.txt",
            "a.rst: b.md",
            "a.rst: g",
            "a.adoc: b.txt",
            "a.adoc: e",
            "a.html: b.html",
            "a.html: d",
        ]
    );
}

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/lint/links").join(name);
    let file: File = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let linter = Linter::new(Config::default());
    let (mut wrong, mut caught, mut all) = (Vec::new(), 0, 0);
    for kind in &file.kind {
        let dialect = kind.dialect.parse::<Dialect>().unwrap();
        let lint = |text: &[u8]| linter.lint(text, dialect).diagnostics;
        let mended = |text: &str, least| {
            let applied = apply::apply_until_stable(text.as_bytes(), least, lint);
            String::from_utf8(applied.text).unwrap()
        };
        let loud = |text: &str| {
            let found = lint(text.as_bytes());
            let grave = found.iter().filter(|d| d.level >= Level::Warning);
            grave.map(|d| d.code).collect::<Vec<_>>()
        };
        let mut missed = Vec::new();
        for bad in &kind.bad {
            if loud(&bad.text).is_empty() {
                missed.push(&bad.text);
                continue;
            }
            let made = mended(&bad.text, Applicability::Unsafe);
            let safely = mended(&bad.text, Applicability::Safe);
            if bad.mended.as_ref().is_some_and(|want| *want != made) {
                wrong.push(format!("{}: {:?} becomes {made:?}", kind.name, bad.text));
            }
            if safely != bad.text && safely != made {
                wrong.push(format!("{}: {:?} becomes {safely:?} at first", kind.name, bad.text));
            }
        }
        assert!(kind.bad.len() >= 8 && kind.good.len() >= 4, "{}", kind.name);
        all += kind.bad.len();
        caught += kind.bad.len() - missed.len();
        if missed.len() * 10 > kind.bad.len() + 5 {
            wrong.push(format!("{}: misses {missed:#?}", kind.name));
        }
        for good in &kind.good {
            let (found, made) = (loud(good), mended(good, Applicability::Unsafe));
            if !found.is_empty() || made != *good {
                wrong.push(format!("{}: {good:?} gives {found:?} and becomes {made:?}", kind.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{caught} of {all}\n{}", wrong.join("\n"));
    assert!(caught * 20 >= all * 19, "{caught} of {all}");
}

#[test]
fn relative_url_of_rfc_1808_is_info() {
    let linter = Linter::new(Config::default());
    for (text, dialect, level) in [
        ("Read <URL:http:g> and <http:?y>.", "plain", Level::Info),
        ("See <URL:http:\\\\visit> now.", "plain", Level::Error),
        ("<a href=\"http:\\\\visit\">a</a>", "html", Level::Error),
    ] {
        let found = linter.lint(text.as_bytes(), dialect.parse().unwrap()).diagnostics;
        assert!(!found.is_empty(), "{text}");
        assert!(found.iter().all(|d| (d.code, d.level) == ("ciss.slashes", level)), "{found:?}");
    }
}

#[test]
fn span_of_an_unclosed_link_ends_with_its_target() {
    let text = b"[](https://www.rivermill.com/a";
    let found = Linter::new(Config::default()).lint(text, "markdown".parse().unwrap()).diagnostics;
    let link = found.iter().find(|d| d.code == "link.empty-text").unwrap();
    assert_eq!(link.span.range(), 0..text.len());
}

#[test]
fn wrong_case_of_anchor_is_info_for_github() {
    let text = b"# Mill\n\n[a](#Mill) [b](#mil)\n";
    for (slug, level) in [(Slug::GitHub, Level::Info), (Slug::Mdbook, Level::Warning)] {
        let mut tree = Tree::new("/tree".into(), slug);
        tree.add_file("a.md".as_ref(), Some(text));
        let judge = Judge::new(Settings::default(), None).with_trees([tree].into());
        let mut found = Vec::new();
        judge.lint_parts("/tree/a.md".as_ref(), text, Reading::Auto, &mut |part| {
            found.extend(part.diagnostics.iter().map(|d| (d.code, d.level)));
        });
        let code = "link.missing-anchor";
        assert_eq!(found, [(code, level), (code, Level::Warning)], "{slug:?}");
    }
}

#[test]
fn missing_targets_are_info_in_pages_and_change_logs() {
    let page = "<!DOCTYPE html><p><a href='b.md'>b</a> <a href='none.md'>c</a> <a href='#d'>d</a>";
    let text = "[b](b.md) [c](none.md) [d](#d)\n";
    for (name, text, level) in [
        ("a.html", page, Level::Info),
        ("CHANGES.md", text, Level::Info),
        ("a.md", text, Level::Warning),
    ] {
        let mut tree = Tree::new("/tree".into(), Slug::GitHub);
        tree.add_file(name.as_ref(), Some(text.as_bytes()));
        tree.add_file("b.md".as_ref(), Some(b""));
        let judge = Judge::new(Settings::default(), None).with_trees([tree].into());
        let mut found = Vec::new();
        let path = Path::new("/tree").join(name);
        judge.lint_parts(&path, text.as_bytes(), Reading::Auto, &mut |part| {
            found.extend(part.diagnostics.iter().map(|d| (d.code, d.level)));
        });
        let expected = [("link.missing-file", level), ("link.missing-anchor", level)];
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn missing_image_is_info_if_its_directory_is_missing() {
    let text = b"![a](img/a.png) ![b](pictures/b.png) ![wheel](pictures/wheel.png)\n\
        [c](docs/c.md) [d](b.md)\n";
    let mut tree = Tree::new("/tree".into(), Slug::GitHub);
    tree.add_directory("img".as_ref(), false);
    tree.add_file("a.md".as_ref(), Some(text));
    tree.add_file("img/wheel.png".as_ref(), None);
    tree.add_file("b.md".as_ref(), Some(b""));
    let judge = Judge::new(Settings::default(), None).with_trees([tree].into());
    let mut found = Vec::new();
    judge.lint_parts("/tree/a.md".as_ref(), text, Reading::Auto, &mut |part| {
        found.extend(part.diagnostics.iter().map(|d| d.level));
    });
    assert_eq!(found, [Level::Warning, Level::Info, Level::Warning, Level::Warning]);
}

#[test]
fn iris_in_rdf_are_not_validated() {
    let linter = Linter::new(Config::default());
    let text =
        b"<http://a.dom/b.> <file://c> <file:///d;p?q> <http://h.dom/a b> <http:/e.dom/f> .\n";
    for (dialect, expected) in [
        ("rdf", &["scheme.single-slash"][..]),
        (
            "plain",
            &[
                "link.trailing-punctuation",
                "path.missing",
                "query.char",
                "wrapper.inner-blank",
                "scheme.single-slash",
            ],
        ),
    ] {
        let found = linter.lint(text, dialect.parse().unwrap()).diagnostics;
        let found: Vec<_> = found.iter().map(|d| d.code).collect();
        assert_eq!(found, expected, "{dialect}");
    }
}
