//! Checks relative links against the files of a directory tree and the anchors in them.
//!
//! The caller reads the files and fills a [`Tree`]. The linter itself only looks up paths and
//! anchors in this tree.

mod anchors;
mod build;
pub(crate) mod check;
mod directives;
mod docusaurus;
mod elsewhere;
mod generators;
mod ignored;
pub(crate) mod includes;
mod inputs;
mod mkdocs;
mod packages;
mod paths;
mod repository;
mod sites;
mod sphinx;
mod template;
mod vendored;

use self::anchors::Anchors;
use self::build::{BuildScripts, is_build_script};
use self::docusaurus::Docusaurus;
use self::ignored::{Ignored, is_gitignore};
use self::inputs::Inputs;
use self::mkdocs::MkDocs;
use self::packages::Packages;
use self::paths::{DOCUMENTS, PAGES, has_extension, is_below, joined, slashed};
use self::repository::Absent;
use self::sites::Sites;
use self::sphinx::Copies;
use self::vendored::Projects;
use crate::dialect::{Dialect, Markup};
use crate::slug::Slug;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use urlsift_archive::{Head, Reading, detect};

/// The paths of a directory tree, and the anchors of its documents.
///
/// Without the feature `project`, the `.gitignore` files of the tree are not read. A link to a file
/// that Git ignores is then reported if the file doesn't exist.
///
/// ```
/// use urlsift_lint::{Slug, Tree};
/// let mut tree = Tree::new("/home/joe/docs".into(), Slug::GitHub);
/// tree.add_file("a.md".as_ref(), Some(b"# The mill\n"));
/// tree.add_file("wheel.png".as_ref(), None);
/// assert!(tree.contains("/home/joe/docs/a.md".as_ref()));
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    root: PathBuf,
    slug: Slug,
    /// The files and directories, by their paths relative to the root, with slashes.
    entries: HashMap<Box<str>, Entry>,
    /// The labels of reStructuredText and MyST, in lower case.
    labels: HashSet<Box<str>>,
    /// The directories that contain the settings of a generator other than those in [`Slug`].
    generated: HashSet<Box<str>>,
    /// The directories that contain the settings of Sphinx.
    sphinx: HashSet<Box<str>>,
    packages: Packages,
    scripts: BuildScripts,
    ignored: Ignored,
    sites: Sites,
    mkdocs: MkDocs,
    docusaurus: Docusaurus,
    /// The directories that contain a file which may be the settings of Hugo or Zola.
    content: HashSet<Box<str>>,
    copies: Copies,
    absent: Absent,
    /// The documents that a document in a directory above includes.
    parts: HashSet<Box<str>>,
    inputs: Inputs,
    projects: Projects,
    /// The links that leave each directory.
    leaving: HashMap<Box<str>, Vec<LeavingLink>>,
    /// The names of all files with an extension, without the extension.
    stems: OnceLock<HashSet<Box<str>>>,
    /// The directories that contain a script or an image, each with the kind of the file.
    asset_directories: OnceLock<HashSet<Box<str>>>,
    /// The directories that were copied from another tree.
    copied: OnceLock<HashSet<Box<str>>>,
    /// True if the root is the root of a Git repository.
    is_repository: bool,
}

/// A link in a Markdown document that starts with `../`.
#[derive(Clone, Debug)]
struct LeavingLink {
    /// The name of the document.
    document: Box<str>,
    /// The target as written, without a fragment.
    target: Box<str>,
}

#[derive(Clone, Debug)]
enum Entry {
    Directory,
    /// A directory whose content is not known.
    Opaque,
    File,
    Document(Anchors),
}

impl Tree {
    /// Creates an empty tree. `root` is the absolute path of its directory.
    pub fn new(root: PathBuf, slug: Slug) -> Self {
        Self {
            root,
            slug,
            entries: HashMap::new(),
            labels: HashSet::new(),
            generated: HashSet::new(),
            sphinx: HashSet::new(),
            packages: Packages::default(),
            scripts: BuildScripts::default(),
            ignored: Ignored::default(),
            sites: Sites::default(),
            mkdocs: MkDocs::default(),
            docusaurus: Docusaurus::default(),
            content: HashSet::new(),
            copies: Copies::default(),
            absent: Absent::default(),
            parts: HashSet::new(),
            inputs: Inputs::default(),
            projects: Projects::default(),
            leaving: HashMap::new(),
            stems: OnceLock::new(),
            asset_directories: OnceLock::new(),
            copied: OnceLock::new(),
            is_repository: false,
        }
    }

    /// Returns the absolute path of the root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// True if the tree contains the file or directory at `path`, which must be absolute.
    pub fn contains(&self, path: &Path) -> bool {
        self.local(path).is_some()
    }

    /// True if [`Tree::add_file`] needs the content of the file at `path`: it is a document, a
    /// build script, the settings of a generator, or one of Git's settings.
    pub fn needs_content(path: &Path) -> bool {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        Self::is_document(path) || is_gitignore(path) || is_settings(name) || is_build_script(name)
    }

    fn is_document(path: &Path) -> bool {
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        has_extension(&PAGES, extension) || has_extension(&DOCUMENTS, extension)
    }

    /// Adds `text`, the content of the file at `path`, which isn't a document.
    fn add_settings(&mut self, path: &str, text: &[u8]) {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if is_gitignore(path.as_ref()) {
            self.ignored.add(path, text);
        } else if repository::is_settings(name) {
            self.absent.add(path, text);
        } else if mkdocs::is_settings(name) {
            self.mkdocs.add_settings(path, text);
        } else if docusaurus::is_settings(name) {
            self.docusaurus.add_settings(directory, text);
        } else if name == sphinx::SETTINGS {
            self.copies.add_settings(path, text);
        } else {
            self.note_gi_docgen(path, text);
            self.scripts.add(text);
        }
    }

    /// Adds a directory. `path` is relative to the root. Set `is_opaque` to true if you don't add
    /// the content of the directory. Links to paths in it are then not reported.
    pub fn add_directory(&mut self, path: &Path, is_opaque: bool) {
        self.note_generator(path);
        let relative = slashed(path);
        self.sites.note(&relative);
        self.copied.take();
        let entry = if is_opaque { Entry::Opaque } else { Entry::Directory };
        self.entries.insert(relative.into(), entry);
    }

    /// Adds a file. `path` is relative to the root. `text` is the content of the file. If it is
    /// `None`, the anchors of the file are not known.
    pub fn add_file(&mut self, path: &Path, text: Option<&[u8]>) {
        self.note_generator(path);
        let relative = slashed(path);
        self.packages.note(&relative);
        self.sites.note(&relative);
        self.inputs.note(&relative);
        self.projects.note(&relative);
        self.stems.take();
        self.asset_directories.take();
        self.copied.take();
        if let Some(text) = text.filter(|_| !Self::is_document(path)) {
            self.add_settings(&relative, text);
        }
        let document = text.filter(|_| Self::is_document(path));
        let entry = document.map_or(Entry::File, |text| {
            let name = path.file_name().map(std::ffi::OsStr::as_encoded_bytes);
            let container = detect(Head::of(text), name, Reading::Auto);
            match Dialect::of_file(container, name, Reading::Auto) {
                // Nothing is known about the anchors of a text without markup.
                Some(Dialect::Text(markup)) if markup != Markup::Plain => {
                    if markup != Markup::Html {
                        self.note_parts(&relative, text);
                    }
                    match markup {
                        Markup::Html => self.sites.note_page(&relative, text),
                        Markup::Markdown | Markup::Mdx => {
                            self.sites.note_markdown(text);
                            self.note_leaving_links(&relative, text);
                        }
                        _ => {}
                    }
                    let labels = &mut self.labels;
                    let label = &mut |label: String| {
                        labels.insert(label.into());
                    };
                    Entry::Document(Anchors::collect(text, markup, self.slug, label))
                }
                _ => Entry::File,
            }
        });
        self.entries.insert(relative.into(), entry);
    }

    /// Returns the paths of the programs that may name documents, relative to the root: programs
    /// next to the documents of tests, and scripts in the settings of `MkDocs`.
    ///
    /// Call this after all files were added. Pass the content of each program to
    /// [`Tree::add_program`].
    pub fn programs(&self) -> Vec<PathBuf> {
        let scripts = self.mkdocs.scripts().filter(|path| self.entries.contains_key(*path));
        self.inputs.programs().chain(scripts).map(PathBuf::from).collect()
    }

    /// Adds the documents that a program names. `path`, one of [`Tree::programs`], is relative to
    /// the root, and `text` is the content of the program.
    pub fn add_program(&mut self, path: &Path, text: &[u8]) {
        let relative = slashed(path);
        self.inputs.add_program(&relative, text);
        self.mkdocs.add_script(&relative, text);
    }

    /// Adds the `.gitignore` of a directory above the root. `directory` is the absolute path of
    /// this directory, and `text` is the content of the file.
    ///
    /// Add the files of inner directories first. Don't add files from outside the repository. For
    /// files in the tree, call [`Tree::add_file`].
    pub fn add_gitignore_above(&mut self, directory: &Path, text: &[u8]) {
        if let Ok(to_root) = self.root.strip_prefix(directory) {
            self.ignored.add_above(&slashed(to_root), text);
        }
    }

    /// Records the documents in deeper directories that the document at `path` includes.
    fn note_parts(&mut self, path: &str, text: &[u8]) {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        for part in includes::included_paths(text) {
            let whole = joined(directory, part).unwrap_or_default();
            let is_deeper =
                |(above, _): (&str, &str)| is_below(above, directory) && above != directory;
            if whole.rsplit_once('/').is_some_and(is_deeper) && !self.parts.contains(&*whole) {
                self.parts.insert(whole.into());
            }
        }
    }

    /// Returns all names in the tree that have an extension, each without its extension.
    fn stems(&self) -> &HashSet<Box<str>> {
        self.stems.get_or_init(|| {
            let names = self.entries.keys().filter_map(|path| path.rsplit('/').next());
            names.filter_map(|name| Some(name.rsplit_once('.')?.0.into())).collect()
        })
    }

    /// Returns `path` relative to the root, with slashes. Returns `None` if it is outside the root
    /// directory.
    fn relative<'p>(&self, path: &'p Path) -> Option<std::borrow::Cow<'p, str>> {
        let path = path.strip_prefix(&self.root).ok()?;
        path.to_str().map(|path| {
            if std::path::MAIN_SEPARATOR == '/' {
                path.into()
            } else {
                path.replace(std::path::MAIN_SEPARATOR, "/").into()
            }
        })
    }
}

/// True if a file called `name` contains settings that the tree reads.
fn is_settings(name: &str) -> bool {
    repository::is_settings(name)
        || mkdocs::is_settings(name)
        || docusaurus::is_settings(name)
        || name == sphinx::SETTINGS
}

#[cfg(test)]
mod tests {
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
        let file = |path: &str| Some(Broken::File(path.to_owned()));
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
                ("t/data/c.html", "<p>"),
                ("docs/samples/d.md", ""),
                ("test/e.md", ""),
                ("doc/f.html", "<html>\n<!-- Generated by javadoc (1.8) -->\n"),
            ],
            &[
                ("test/afl_cases/a.md", "none.md", false),
                ("bench/samples/b.md", "none.md", false),
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

    /// Checks links in a tree with these files, whose texts are given if they are documents.
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
        for mark in
            ["PKG-INFO", "package.json", "aclocal.m4", "Cargo.toml.orig", "changelog.Debian.gz"]
        {
            check_all(&[&files[..], &[(mark, "")]].concat(), &links(false));
        }
        check_all(
            &[&files[..], &[("package.json", ""), (".gitignore", "")]].concat(),
            &links(true),
        );
        check_all(&[&files[..], &[("PKG-INFO", ""), (".git", "")]].concat(), &links(false));
    }

    #[test]
    fn innermost_package_decides_what_is_left_out() {
        let paths =
            ["PKG-INFO", "e.md", "f.md", "g.md", "a/package.json", "a/b.md", "a/c.md", "a/d.md"];
        let files = paths.map(|path| (path, ""));
        let links =
            [("a/b.md", "h.md", false), ("a/b.md", "../h.md", true), ("e.md", "h.md", false)];
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
}
