//! Recognizes sites that resolve links, or make heading IDs, by rules of their own: docsify,
//! `GitBook`, and pages that pandoc or kramdown makes.

use super::anchors::Anchors;
use super::paths::{directories_above, directory_and_name};
use memchr::memmem;
use std::collections::HashSet;

/// Files of docsify that are displayed on several pages.
const SHARED: [&str; 3] = ["_coverpage.md", "_navbar.md", "_sidebar.md"];

/// The settings of `GitBook`: a file and a directory.
const GITBOOK: [&str; 2] = [".gitbook.yaml", ".gitbook"];

/// The tags of `GitBook`'s blocks, after `{% `.
const GITBOOK_TAGS: [&[u8]; 5] = [b"hint", b"tabs", b"tab ", b"content-ref", b"endhint"];

/// Words that `GitBook` writes in heading IDs for `<`, `>`, `|` and `&`.
const GITBOOK_WORDS: [&str; 5] = ["less", "greater", "than", "or", "and"];

/// The maximum number of anchors of a document that are compared with a fragment. Later anchors are
/// ignored.
const MAX_COMPARED: usize = 4096;

/// The sites in a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    /// The directories with a start page of docsify. Links in a site are relative to its directory.
    /// Directories whose start page sets docsify's `relativePath` to true are left out.
    docsify: HashSet<Box<str>>,
    /// True if `GitBook` publishes documents of the tree.
    is_gitbook: bool,
}

impl Sites {
    /// Records the site to which the file or directory at `path` belongs, if its name shows it.
    pub(super) fn note(&mut self, path: &str) {
        let name = directory_and_name(path).1;
        self.is_gitbook |= GITBOOK.contains(&name);
    }

    /// Records the site that starts with the HTML page at `path`, if there is one.
    pub(super) fn note_page(&mut self, path: &str, page: &[u8]) {
        let (directory, name) = directory_and_name(path);
        if name != "index.html" || memmem::find(page, b"$docsify").is_none() {
            return;
        }
        let is_set = |at: usize| {
            let value = page[at + "relativePath".len()..].trim_ascii_start();
            value.strip_prefix(b":").is_some_and(|it| it.trim_ascii_start().starts_with(b"true"))
        };
        if !memmem::find_iter(page, b"relativePath").any(is_set) {
            self.docsify.insert(directory.into());
        }
    }

    /// Records the site to which a Markdown document belongs, if its content shows it.
    pub(super) fn note_markdown(&mut self, text: &[u8]) {
        self.is_gitbook |= memmem::find_iter(text, b"{% ")
            .any(|at| GITBOOK_TAGS.iter().any(|tag| text[at + 3..].starts_with(tag)));
    }

    /// Returns the directories above the document at `path` that contain a start page of docsify.
    /// The links in the document may be relative to any of them.
    ///
    /// Returns none unless docsify displays the document on several pages, as it does a sidebar. In
    /// other documents, links relative to a start page don't work for readers of the repository.
    pub(super) fn docsify_roots<'p>(&self, path: &'p str) -> impl Iterator<Item = &'p str> {
        let is_shared = SHARED.contains(&directory_and_name(path).1);
        let roots = directories_above(path).filter(|it| self.docsify.contains(*it));
        roots.filter(move |_| is_shared)
    }

    /// True if docsify displays the document at `path`.
    pub(super) fn is_docsify(&self, path: &str) -> bool {
        directories_above(path).any(|directory| self.docsify.contains(directory))
    }

    /// True if `GitBook` may make the ID `fragment` from a heading. `anchors` are the anchors of the
    /// document by the rules of GitHub.
    pub(super) fn gitbook_may_make(&self, anchors: &Anchors, fragment: &str) -> bool {
        fn letters(id: &str) -> impl Iterator<Item = char> {
            let words = id.split('-').filter(|word| !GITBOOK_WORDS.contains(word));
            words.flat_map(str::chars)
        }
        self.is_gitbook
            && anchors.iter().take(MAX_COMPARED).any(|id| letters(id).eq(letters(fragment)))
    }
}

/// True if pandoc or kramdown makes the ID `fragment` from a heading. `anchors` are the anchors of
/// the document by the rules of GitHub. These programs drop everything before the first letter.
/// Pandoc also writes one hyphen for several.
pub(super) fn starts_at_letter(anchors: &Anchors, fragment: &str) -> bool {
    anchors.iter().take(MAX_COMPARED).any(|id| {
        let id = id.trim_start_matches(|c: char| !c.is_alphabetic());
        id == fragment || without_double_hyphens(id).eq(fragment.chars())
    })
}

/// Returns the characters of `id`, with one hyphen for several in a row.
fn without_double_hyphens(id: &str) -> impl Iterator<Item = char> {
    let mut last = ' ';
    id.chars().filter(move |&c| {
        let before = std::mem::replace(&mut last, c);
        c != '-' || before != '-'
    })
}

#[cfg(test)]
mod tests {
    use super::super::Tree;
    use super::super::check::Broken;
    use super::super::tests::check_all;
    use crate::slug::Slug;
    use std::path::Path;

    #[test]
    fn shared_files_of_docsify_link_from_the_start_page() {
        let page = "<script>window.$docsify = { name: 'mill' }</script>";
        let relative = "<script>window.$docsify = { relativePath: true }</script>";
        let files = |page| {
            [
                ("docs/index.html", page),
                ("docs/zh/_sidebar.md", ""),
                ("docs/zh/a.md", "# A & B\n"),
                ("docs/zh/b.md", ""),
            ]
        };
        let links = |is_reported| {
            [
                ("docs/zh/_sidebar.md", "zh/a.md", is_reported),
                ("docs/zh/_sidebar.md", "zh/none.md", true),
                ("docs/zh/b.md", "zh/a.md", true),
                ("docs/zh/a.md", "#a-b", is_reported),
            ]
        };
        check_all(&files(page), &links(false));
        check_all(&files(relative), &links(true));
        check_all(&files("<p>"), &links(true));
    }

    #[test]
    fn heading_ids_of_gitbook_are_known() {
        let text = "# `--level=<low|high>`\n";
        let links = |is_reported| {
            [
                ("a.md", "#level-less-than-low-or-high-greater-than", is_reported),
                ("a.md", "#levels", true),
            ]
        };
        check_all(&[("a.md", text)], &links(true));
        check_all(&[("a.md", text), ("b.md", "{% hint style=\"info\" %}\n")], &links(false));
        check_all(&[("a.md", text), (".gitbook.yaml", "")], &links(false));
    }

    #[test]
    fn heading_ids_of_pandoc_are_known() {
        let text = "# 2.1. Set & get\n";
        let links = |is_reported| {
            [("a.md", "#set-get", is_reported), ("a.md", "#Set-get", true), ("a.md", "#get", true)]
        };
        check_all(&[("a.md", text)], &links(true));
        check_all(&[("a.md", text), ("Makefile", "a.html:\n\tpandoc a.md\n")], &links(false));
    }

    #[test]
    fn pandoc_may_make_one_page_of_several_documents() {
        let script =
            "PARTS = b.md c.md\na.html: a.md\n\tpandoc -o a.html a.md $(addprefix d/,$(PARTS))\n";
        check_all(
            &[
                ("a.md", "# Mill\n"),
                ("d/b.md", "# Wheel\n"),
                ("d/e.md", "# Dam\n"),
                ("Makefile", script),
                ("build.sh", "cp e.md out\n"),
            ],
            &[
                ("d/b.md", "#mill", false),
                ("a.md", "#wheel", false),
                ("a.md", "d/b.md#mill", true),
                ("d/b.md", "#dam", true),
                ("d/e.md", "#mill", true),
            ],
        );
    }

    #[test]
    fn pandoc_reads_a_readme_only_if_a_script_names_it() {
        for (script, expected) in [("pandoc a.md", true), ("pandoc README.md", false)] {
            let mut tree = Tree::new("/t".into(), Slug::GitHub);
            tree.add_file("README.md".as_ref(), Some(b"# Mill\n"));
            tree.add_file("Makefile".as_ref(), Some(script.as_bytes()));
            let local = tree.local(Path::new("/t/README.md")).unwrap();
            let Some(Broken::Anchor { is_found_on_github, .. }) = local.check(b"#Mill") else {
                panic!("{script}");
            };
            assert_eq!(is_found_on_github, expected, "{script}");
        }
    }

    #[test]
    fn links_outside_of_sphinx_lead_to_the_repository() {
        for slug in [Slug::GitHub, Slug::Sphinx] {
            let mut tree = Tree::new("/t".into(), slug);
            for path in ["README.md", "docs/index.md", "docs/a.md", "docs/conf.py"] {
                tree.add_file(path.as_ref(), Some(b"# Mill\n"));
            }
            for (from, reference, expected) in [
                ("README.md", "docs/a.md#Mill", true),
                ("README.md", "#Mill", true),
                ("docs/index.md", "a.md#Mill", false),
                ("docs/a.md", "#Mill", false),
            ] {
                let local = tree.local(&Path::new("/t").join(from)).unwrap();
                let Some(Broken::Anchor { is_found_on_github, .. }) =
                    local.check(reference.as_bytes())
                else {
                    panic!("{from}: {reference}");
                };
                assert_eq!(is_found_on_github, expected, "{slug:?} {from}: {reference}");
            }
        }
    }

    #[test]
    fn case_of_anchors_matters_outside_of_github() {
        let is_found_on_github = |files: &[&str], slug| {
            let mut tree = Tree::new("/t".into(), slug);
            tree.add_file("a.md".as_ref(), Some(b"# Mill\n"));
            for file in files {
                tree.add_file(file.as_ref(), Some(b"pandoc"));
            }
            match tree.local(Path::new("/t/a.md")).unwrap().check(b"#Mill") {
                Some(Broken::Anchor { is_found_on_github, .. }) => is_found_on_github,
                other => panic!("{other:?}"),
            }
        };
        assert!(is_found_on_github(&[], Slug::GitHub));
        for (files, slug) in [
            (&[][..], Slug::GitLab),
            (&["Makefile"], Slug::GitHub),
            (&["SUMMARY.md"], Slug::GitHub),
            (&["conf.py", "index.md"], Slug::GitHub),
        ] {
            assert!(!is_found_on_github(files, slug), "{files:?} {slug:?}");
        }
    }
}
