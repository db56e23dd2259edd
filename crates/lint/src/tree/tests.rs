//! Tests of whole trees, and helpers for the tests of the other modules.

use super::check::Broken;
use super::*;

fn tree() -> Tree {
    let mut tree = Tree::new("/t".into(), Slug::GitHub);
    tree.add_directory(".git".as_ref(), true);
    tree.add_directory("docs".as_ref(), false);
    tree.add_directory("far".as_ref(), true);
    for (path, text) in [
        ("README.md", "# The mill\n\n## The mill\n\n<a name=\"Old\"></a>\n"),
        ("docs/a b.md", "# A & B\n"),
        ("docs/c.rst", "Title one\n=========\n\n.. _my label:\n"),
        ("docs/d.md", "# D\n\n{{#include e.md}}\n"),
        ("docs/p.html", "<p id=x>"),
        ("docs/wheel.png", ""),
        ("docs/%+1", ""),
        ("docs/plain.html", "The wheel turns.\n"),
        ("docs/guide.txt.gz", ""),
    ] {
        let is_read = Tree::needs_content(path.as_ref());
        tree.add_file(path.as_ref(), is_read.then_some(text.as_bytes()));
    }
    tree
}

#[test]
fn missing_files_and_anchors_are_found() {
    let tree = tree();
    let missing = |path: &str, is_kept_elsewhere| {
        Some(Broken::File { path: path.to_owned(), is_kept_elsewhere })
    };
    let file = |path: &str| missing(path, false);
    let anchor = |path: &str, near: Option<&str>| {
        Some(Broken::Anchor {
            path: path.to_owned(),
            similar: near.map(str::to_owned),
            is_found_on_github: near == Some("the-mill"),
        })
    };
    for (from, reference, expected) in [
        ("README.md", "docs/b.md", file("docs/b.md")),
        ("README.md", "docs/none", file("docs/none")),
        ("README.md", "docs/Wheel.png", file("docs/Wheel.png")),
        ("README.md", "img/dam.png", missing("img/dam.png", true)),
        // An image with this name is in another directory.
        ("README.md", "img/wheel.png", file("img/wheel.png")),
        ("README.md", "img/dam.md", file("img/dam.md")),
        ("README.md", "dam.png", file("dam.png")),
        ("README.md", "/docs/none.md", file("docs/none.md")),
        ("README.md", "/docs/none", file("docs/none")),
        ("README.md", "/LICENSE.md", file("LICENSE.md")),
        ("docs/d.md", "./../LICENSE", file("LICENSE")),
        ("docs/p.html", "q.html", file("docs/q.html")),
        ("README.md", "#The-Mill", anchor("README.md", Some("the-mill"))),
        ("README.md", "#wheel", anchor("README.md", None)),
        ("README.md", "docs/a%20b.md#a-b", anchor("docs/a b.md", Some("a--b"))),
        ("docs/d.md", "c.rst#none", anchor("docs/c.rst", None)),
        ("docs/p.html", "#y", anchor("docs/p.html", None)),
    ] {
        let local = tree.local(&Path::new("/t").join(from)).unwrap();
        assert_eq!(local.check(reference.as_bytes()), expected, "{reference}");
    }
}

#[test]
fn other_links_are_not_reported() {
    let tree = tree();
    for (from, references) in [
        (
            "README.md",
            &[
                "docs",
                "docs/",
                "./docs/c.rst",
                "docs/a%20b.md#a--b",
                "#the-mill",
                "#the-mill-1",
                "#Old",
                "#old:~:text=x",
                "#",
                "#top",
                "",
                "docs/c.rst#title-one",
                "docs/c#my-label",
                "docs/c.html",
                "api/none.html",
                "../../issues",
                "http:none",
                "//host/none",
                "mailto:joe@host.dom",
                "joe@host.dom",
                "{{ none }}.md",
                "$none.md",
                "?a",
                "docs/d.md#none",
                "far/none.md",
                "docs/wheel.png?raw=true",
                "docs/guide.txt",
                "docs/p.html#x",
                "docs/plain.html#none",
                "docs/%+1",
                "<none>",
                "@/none.md",
                "...",
                "/route/page",
                "/route/",
                "/route-1.2",
            ][..],
        ),
        ("docs/c.rst", &["c/../d.md", "../README.md#the-mill"][..]),
        ("docs/p.html", &["#x", "/none.html", "none/"][..]),
    ] {
        for reference in references {
            let local = tree.local(&Path::new("/t").join(from)).unwrap();
            assert_eq!(local.check(reference.as_bytes()), None, "{reference}");
        }
    }
}

#[test]
fn pages_of_unknown_generators_are_not_reported() {
    let mut tree = tree();
    tree.add_file("mkdocs.yml".as_ref(), None);
    let local = tree.local(Path::new("/t/README.md")).unwrap();
    assert_eq!(local.check(b"docs/none"), None);
    assert_eq!(local.check(b"#The-Mill"), None);
    assert!(local.check(b"docs/none.md").is_some());
    for (slug, is_reported) in [(Slug::GitHub, false), (Slug::Hugo, true)] {
        let mut tree = Tree::new("/t".into(), slug);
        tree.add_file("hugo.toml".as_ref(), None);
        tree.add_file("a.md".as_ref(), Some(b"# A b\n"));
        let found = tree.local(Path::new("/t/a.md")).unwrap().check(b"#A-b");
        assert_eq!(found.is_some(), is_reported, "{slug:?}");
    }
}

#[test]
fn files_that_a_build_makes_are_not_reported() {
    check_all(
        &[
            ("Makefile", "www/a.html: b.txt\n\tmake $(OUT)/%.png\n\tcp g/*.gif www/NEWS\n"),
            ("src/h.gif.txt", ""),
            ("www/index.html", "<p>"),
            ("src/c.dat", ""),
            ("www/i.png", ""),
        ],
        &[
            ("www/index.html", "a.html", false),
            ("www/index.html", "b.html", true),
            ("www/index.html", "c.png", false),
            ("www/index.html", "d.png", true),
            ("www/index.html", "h.gif", true),
            ("www/index.html", "NEWS", false),
            ("www/index.html", "../NEWS", true),
            ("www/index.html", "e.html?f=g", false),
        ],
    );
}

#[test]
fn data_of_tests_is_not_reported() {
    check_all(
        &[
            ("test/afl_cases/a.md", ""),
            ("bench/samples/b.md", ""),
            ("benchmarking/samples/c.md", ""),
            ("t/data/c.html", "<p>"),
            ("docs/samples/d.md", ""),
            ("test/e.md", ""),
            ("doc/f.html", "<html>\n<!-- Generated by javadoc (1.8) -->\n"),
        ],
        &[
            ("test/afl_cases/a.md", "none.md", false),
            ("bench/samples/b.md", "none.md", false),
            ("benchmarking/samples/c.md", "none.md", false),
            ("t/data/c.html", "none.html", false),
            ("docs/samples/d.md", "none.md", true),
            ("test/e.md", "none.md", true),
            ("doc/f.html", "none.html", false),
        ],
    );
}

#[test]
fn documents_next_to_docusaurus_are_sources_of_pages() {
    check_all(
        &[("a/website/docusaurus.config.ts", ""), ("a/docs/b.md", ""), ("a/c.md", "")],
        &[
            ("a/docs/b.md", "route", false),
            ("a/c.md", "none", true),
            ("a/docs/b.md", "none.md", true),
        ],
    );
}

#[test]
fn pages_of_gi_docgen_are_known() {
    let files = [("doc/a.md", "# B & c\n\n## d\n\n## d\n"), ("doc/img/e.png", "")];
    let links = |is_reported| {
        [
            ("doc/a.md", "#b-c", is_reported),
            ("doc/a.md", "#d_1", is_reported),
            ("doc/a.md", "e.png", is_reported),
            ("doc/a.md", "none.md", true),
        ]
    };
    check_all(&files, &links(true));
    let settings = "content_images = [\n  'img/e.png',\n]\ncontent_files = []\n";
    check_all(&[&files[..], &[("doc/mill.toml.in", settings)]].concat(), &links(false));
}

#[test]
fn heading_ids_in_content_of_a_site_may_follow_other_rules() {
    let files = [("docs/content/a.md", "# --mill=WHEEL\n"), ("docs/b.md", "# --mill=WHEEL\n")];
    let links = |is_reported| {
        [
            ("docs/content/a.md", "#mill-wheel", is_reported),
            ("docs/content/a.md", "#none", true),
            ("docs/b.md", "#mill-wheel", true),
        ]
    };
    check_all(&files, &links(true));
    check_all(&[&files[..], &[("docs/config.json", "{}")]].concat(), &links(false));
}

/// Checks links in a tree that contains `files`, each with its path and content. A link has the
/// path of its document, its target, and true if it must be reported.
pub(super) fn check_all(files: &[(&str, &str)], links: &[(&str, &str, bool)]) {
    let mut tree = Tree::new("/t".into(), Slug::GitHub);
    for (path, text) in files {
        for directory in Path::new(path).ancestors().skip(1).filter(|it| *it != Path::new("")) {
            tree.add_directory(directory, false);
        }
        let is_read = Tree::needs_content(path.as_ref());
        tree.add_file(path.as_ref(), is_read.then_some(text.as_bytes()));
    }
    for program in tree.programs() {
        let text = files.iter().find(|(path, _)| Path::new(path) == program).unwrap().1;
        tree.add_program(&program, text.as_bytes());
    }
    for (from, reference, is_reported) in links {
        let local = tree.local(&Path::new("/t").join(from)).unwrap();
        let found = local.check(reference.as_bytes());
        assert_eq!(found.is_some(), *is_reported, "{from}: {reference}");
    }
}

#[test]
fn files_that_packages_leave_out_are_not_reported() {
    let files = [("README.md", ""), ("docs/a.md", ""), ("docs/b.md", ""), ("docs/c.md", "")];
    let links = |is_reported| {
        [
            ("README.md", "CONTRIBUTING.md", is_reported),
            ("docs/a.md", "../tests/a.rs", is_reported),
            ("README.md", "docs/none.md", true),
        ]
    };
    check_all(&files, &links(true));
    for mark in ["PKG-INFO", "package.json", "aclocal.m4", "Cargo.toml.orig", "changelog.Debian.gz"]
    {
        check_all(&[&files[..], &[(mark, "")]].concat(), &links(false));
    }
    check_all(&[&files[..], &[("package.json", ""), (".gitignore", "")]].concat(), &links(true));
    check_all(&[&files[..], &[("PKG-INFO", ""), (".git", "")]].concat(), &links(false));
}

#[test]
fn innermost_package_decides_what_is_left_out() {
    let paths =
        ["PKG-INFO", "e.md", "f.md", "g.md", "a/package.json", "a/b.md", "a/c.md", "a/d.md"];
    let files = paths.map(|path| (path, ""));
    let links = [("a/b.md", "h.md", false), ("a/b.md", "../h.md", true), ("e.md", "h.md", false)];
    check_all(&files, &links);
}

#[test]
fn copied_files_are_not_reported() {
    check_all(
        &[
            ("mkdocs.yml", ""),
            ("docs/a.md", "# \u{dc}ber\n\n[](){ #empty } b{#c\\_d}\n"),
            ("docs/b/c.md", "::: mill.wheel\n"),
            ("docs/b/d.md", "::: tip\n"),
            ("src/rules/e.md", ""),
            ("lib/index.html", "<p>"),
            ("lib/C/index.html", "<p>"),
            ("lib/images/a.png", ""),
            ("lib/b.in.html", ""),
            ("lib/c.dot", ""),
        ],
        &[
            ("src/rules/e.md", "../a.md", false),
            ("src/rules/e.md", "../none.md", true),
            ("docs/b/d.md", "a.md", true),
            ("docs/a.md", "#uber", false),
            ("docs/a.md", "#empty", false),
            ("docs/a.md", "#c_d", false),
            ("docs/a.md", "b/c.md#mill.wheel", false),
            ("docs/a.md", "b/c.md#none", false),
            ("docs/a.md", "b/d.md#none", true),
            ("lib/C/index.html", "images/a.png", false),
            ("lib/C/index.html", "images/b.png", true),
            ("lib/index.html", "b.html", false),
            ("lib/index.html", "c.png", false),
        ],
    );
}

#[test]
fn examples_and_pages_of_repositories_are_not_reported() {
    check_all(
        &[("a/b.md", ""), ("tests/c.html", "<p>"), ("tests/c.md", ""), ("fixtures/d.md", "")],
        &[
            ("a/b.md", "url", false),
            ("a/b.md", "path/to/file.md", false),
            ("a/b.md", "example.md", false),
            ("a/b.md", "../blob/main/x.md", false),
            ("a/b.md", "../joe/mill/issues/5", false),
            ("a/b.md", "mill.md", true),
            ("tests/c.html", "none.html", false),
            ("tests/c.md", "none.md", true),
            ("fixtures/d.md", "none.md", false),
        ],
    );
}

#[test]
fn files_outside_the_tree_have_no_place() {
    assert!(tree().local(Path::new("/u/README.md")).is_none());
}
