//! Checks relative links against the files of a directory tree and the anchors in them.
//!
//! The caller reads the files and fills a [`Tree`]. The linter itself only looks up paths and
//! anchors in this tree.

use crate::dialect::{Dialect, Markup};
use crate::example::contains_placeholder;
use crate::slug::{Slug, Uniquifier};
use memchr::memmem;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use urlsift_archive::{Anchor, Head, Reading, anchors, detect};

/// The file extensions of documents whose anchors are collected.
const DOCUMENTS: [&str; 11] =
    ["adoc", "asciidoc", "htm", "html", "markdown", "md", "mdown", "mdx", "mkd", "rst", "xhtml"];

/// The file extensions of documents from which site generators make pages.
const SOURCES: [&str; 11] =
    ["md", "mdx", "markdown", "rst", "adoc", "asciidoc", "org", "txt", "ipynb", "html", "htm"];

/// The names of settings files and directories of other site generators than those in [`Slug`]. It
/// isn't known which pages these generators make.
const GENERATORS: [&str; 17] = [
    "mkdocs.yml",
    "mkdocs.yaml",
    "_config.yml",
    "_config.yaml",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "docusaurus.config.mjs",
    "astro.config.mjs",
    "astro.config.ts",
    "gatsby-config.js",
    "antora.yml",
    "nuxt.config.js",
    "nuxt.config.ts",
    ".vitepress",
    ".vuepress",
    "_quarto.yml",
    "zensical.toml",
];

/// Texts that show that a generator includes other files, which may contain anchors.
const INCLUDES: [&[u8]; 10] = [
    b"{{#include",
    b"{{%",
    b"{{<",
    b"{% include",
    b"{%",
    b"--8<--",
    b".. include::",
    b".. auto",
    b"include::",
    b"```{include}",
];

/// The paths of a directory tree, and the anchors of its documents.
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
    /// The directories that contain the settings of a generator in [`GENERATORS`].
    generated: Vec<Box<str>>,
    /// True if the root is the root of a Git repository.
    is_repository: bool,
}

#[derive(Clone, Debug)]
enum Entry {
    Directory,
    /// A directory whose content is not known.
    Opaque,
    File,
    Document(Anchors),
}

/// The sorted anchors of a document.
#[derive(Clone, Debug, Default)]
struct Anchors {
    text: Box<str>,
    /// The end of each anchor in `text`.
    ends: Box<[u32]>,
    /// True if the document may have other anchors, e.g. because it includes other files.
    is_partial: bool,
    /// True if the document is HTML, whose anchors don't depend on a style of heading IDs.
    is_html: bool,
}

impl Anchors {
    fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..self.ends[index] as usize]
    }

    fn contains(&self, anchor: &str) -> bool {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle).cmp(anchor) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }

    /// Returns the anchor that has the same letters and digits as `anchor`. Returns `None` if there
    /// are several.
    fn similar(&self, anchor: &str) -> Option<&str> {
        /// The maximum number of anchors that are compared with `anchor`. Later anchors are
        /// ignored.
        const MAX: usize = 512;
        let wanted = letters(anchor);
        let mut all = (0..self.ends.len().min(MAX)).map(|index| self.get(index));
        let found = all.find(|known| letters(known) == wanted)?;
        all.all(|known| letters(known) != wanted).then_some(found)
    }
}

/// Returns the letters and digits of an anchor in lower case.
fn letters(anchor: &str) -> String {
    anchor.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The position of a document in a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local<'t> {
    tree: &'t Tree,
    /// The path of the document relative to the root.
    path: &'t str,
}

/// A fault of a relative link: the file or anchor doesn't exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// No file has this path, which is relative to the root.
    File(String),
    /// The document with this path doesn't contain the anchor. The second text is the similar
    /// anchor that the document contains, if any.
    Anchor(String, Option<String>),
}

impl Tree {
    /// Creates an empty tree. `root` is the absolute path of its directory.
    pub fn new(root: PathBuf, slug: Slug) -> Self {
        Self { root, slug, entries: HashMap::new(), generated: Vec::new(), is_repository: false }
    }

    /// Returns the absolute path of the root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// True if the tree contains the file or directory at `path`, which must be absolute.
    pub fn contains(&self, path: &Path) -> bool {
        self.relative(path).is_some_and(|path| self.entries.contains_key(&*path))
    }

    /// True if [`Tree::add_file`] needs the content of the file at `path`.
    pub fn is_document(path: &Path) -> bool {
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        DOCUMENTS.iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// Adds a directory. `path` is relative to the root. Set `is_opaque` to true if you don't add
    /// the content of the directory. Links to paths in it are then not reported.
    pub fn add_directory(&mut self, path: &Path, is_opaque: bool) {
        self.note_generator(path);
        let entry = if is_opaque { Entry::Opaque } else { Entry::Directory };
        self.entries.insert(slashed(path).into(), entry);
    }

    /// Adds a file. `path` is relative to the root. `text` is the content of the file. If it is
    /// `None`, the anchors of the file are not known.
    pub fn add_file(&mut self, path: &Path, text: Option<&[u8]>) {
        self.note_generator(path);
        let entry = text.map_or(Entry::File, |text| {
            let name = path.file_name().map(std::ffi::OsStr::as_encoded_bytes);
            let container = detect(Head::of(text), name, Reading::Auto);
            match Dialect::of_file(container, name, Reading::Auto) {
                Some(Dialect::Text(markup)) => self.document(text, markup),
                _ => Entry::File,
            }
        });
        self.entries.insert(slashed(path).into(), entry);
    }

    /// If `path` belongs to the settings of a generator, records its directory. If `path` is `.git`
    /// in the root, records that the tree is a repository.
    fn note_generator(&mut self, path: &Path) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let parent = slashed(path.parent().unwrap_or(Path::new("")));
        if name == ".git" && parent.is_empty() {
            self.is_repository = true;
        }
        if GENERATORS.contains(&name) {
            self.generated.push(parent.into());
        }
    }

    fn document(&self, text: &[u8], markup: Markup) -> Entry {
        let is_html = markup == Markup::Html;
        let mut all: Vec<String> = Vec::new();
        let mut ids = Uniquifier::default();
        let mut is_partial =
            !is_html && INCLUDES.iter().any(|mark| memmem::find(text, mark).is_some());
        anchors(text, markup, &mut |anchor| match anchor {
            Anchor::Id(id) => {
                let id = String::from_utf8_lossy(id);
                if markup == Markup::Rst {
                    all.extend(Slug::Sphinx.id(&id, &id));
                }
                all.push(id.into_owned());
            }
            Anchor::Heading { text, source } => {
                let own = if markup == Markup::Rst { Slug::Sphinx } else { self.slug };
                match own.id(text, source) {
                    Some(id) if own == Slug::Sphinx => all.push(id),
                    Some(id) => all.push(ids.unique(&id)),
                    None => is_partial = true,
                }
                // mdBook replaces two hyphens with a dash, except in code or if this is turned off.
                if own == Slug::Mdbook && text.contains("--") {
                    all.extend(own.id(&text.replace("--", ""), source));
                }
                // In Sphinx, Markdown is read by MyST, which can also make GitHub's IDs.
                if own == Slug::Sphinx {
                    all.extend(Slug::GitHub.id(text, source));
                }
                if markup == Markup::AsciiDoc {
                    all.extend(
                        Slug::Sphinx
                            .id(text, source)
                            .map(|id| format!("_{}", id.replace('-', "_"))),
                    );
                }
            }
            _ => {}
        });
        all.sort_unstable();
        all.dedup();
        let mut joined = String::new();
        let ends = all
            .iter()
            .map_while(|anchor| {
                joined.push_str(anchor);
                u32::try_from(joined.len()).ok()
            })
            .collect();
        Entry::Document(Anchors { text: joined.into(), ends, is_partial, is_html })
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

    /// Calls `f` with the position of the file at `path` in the tree, or with `None` if the tree
    /// doesn't contain the file. `path` must be absolute.
    pub(crate) fn with_local<T>(&self, path: &Path, f: impl FnOnce(Option<Local<'_>>) -> T) -> T {
        let path = self.relative(path).filter(|path| self.entries.contains_key(&**path));
        f(path.as_deref().map(|path| Local { tree: self, path }))
    }

    /// True if `path` is in a directory with the settings of a generator in [`GENERATORS`].
    fn is_generated(&self, path: &str) -> bool {
        self.generated.iter().any(|directory| {
            path.strip_prefix(&**directory)
                .is_some_and(|rest| directory.is_empty() || rest.starts_with('/'))
        })
    }

    /// Returns the file from which a generator may make the page at `path`, e.g. `a.md` for
    /// `a.html`.
    fn source_of(&self, path: &str) -> Option<&Entry> {
        let stem = path.strip_suffix('/').unwrap_or(path);
        let stems = [".html", ".htm", ".xhtml", ".md", ".gz"];
        let stem = stems.iter().find_map(|it| stem.strip_suffix(it)).unwrap_or(stem);
        let with = |name: String| self.entries.get(&*name);
        let found = SOURCES.iter().find_map(|extension| with(format!("{stem}.{extension}")));
        found
            .or_else(|| {
                ["gz", "xz", "in", "rst.txt"].iter().find_map(|it| with(format!("{path}.{it}")))
            })
            .or_else(|| self.entries.get(stem))
    }

    /// True if the content of a directory above `path` is not known.
    fn is_below_opaque(&self, path: &str) -> bool {
        path.match_indices('/')
            .any(|(at, _)| matches!(self.entries.get(&path[..at]), Some(Entry::Opaque)))
    }
}

/// Returns `path` with slashes between its parts.
fn slashed(path: &Path) -> String {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    names.collect::<Vec<_>>().join("/")
}

impl Local<'_> {
    /// Returns the fault of `reference`, the target of a link. Returns `None` in these cases:
    ///
    /// - The target is not a relative link.
    /// - The file and anchor exist in the tree.
    /// - It isn't known whether they exist.
    pub(crate) fn check(&self, reference: &[u8]) -> Option<Broken> {
        let reference = std::str::from_utf8(reference).ok()?.trim();
        if !is_relative(reference) || contains_placeholder(reference.as_bytes()) {
            return None;
        }
        let (rest, fragment) = match reference.split_once('#') {
            Some((rest, fragment)) => (rest, Some(fragment)),
            None => (reference, None),
        };
        let (path, query) = rest.split_once('?').map_or((rest, None), |(it, q)| (it, Some(q)));
        let path = decoded(path)?;
        if path.is_empty() {
            if query.is_some() {
                return None;
            }
            let entry = self.tree.entries.get(self.path);
            return self.check_anchor(self.path, entry?, fragment?);
        }
        let base = self.path.rsplit_once('/').map_or("", |(base, _)| base);
        let whole = match path.strip_prefix('/') {
            // On GitHub and GitLab, a path that starts with a slash is relative to the repository.
            Some(rest)
                if self.tree.is_repository
                    && matches!(self.tree.slug, Slug::GitHub | Slug::GitLab)
                    && !self.is_page()
                    && !self.tree.is_generated(self.path) =>
            {
                joined("", rest)?
            }
            Some(_) => return None,
            None => joined(base, &path)?,
        };
        if whole.is_empty() {
            return None;
        }
        match self.tree.entries.get(whole.trim_end_matches('/')) {
            Some(entry @ Entry::Document(_)) => self.check_anchor(&whole, entry, fragment?),
            Some(_) => None,
            None => self.check_missing(&path, &whole, fragment),
        }
    }

    /// True if the document is an HTML page.
    fn is_page(&self) -> bool {
        let entry = self.tree.entries.get(self.path);
        matches!(entry, Some(Entry::Document(anchors)) if anchors.is_html)
    }

    /// Checks a link to `whole`, a path that is not in the tree. `path` is the path as written.
    fn check_missing(&self, path: &str, whole: &str, fragment: Option<&str>) -> Option<Broken> {
        let (tree, is_page) = (self.tree, self.is_page());
        if let Some(source) = tree.source_of(whole) {
            return self.check_anchor(whole, source, fragment?).filter(|_| !is_page);
        }
        // `a/b.md` becomes `a/b/index.html` on many sites.
        let own = self.path.rsplit_once('.').map_or(self.path, |(stem, _)| stem);
        let from_page = joined(own, path);
        if tree.is_below_opaque(whole)
            || from_page
                .is_some_and(|it| tree.entries.contains_key(&*it) || tree.source_of(&it).is_some())
        {
            return None;
        }
        let name = whole.rsplit('/').next().unwrap_or_default();
        let extension = name.rsplit_once('.').map(|(_, it)| it.to_ascii_lowercase());
        let is_known = match extension.as_deref() {
            _ if is_page => !whole.ends_with('/'),
            None => {
                matches!(tree.slug, Slug::GitHub | Slug::GitLab) && !tree.is_generated(self.path)
            }
            // Programs generate files with these extensions.
            Some(
                "html" | "htm" | "xhtml" | "php" | "asp" | "aspx" | "jsp" | "cgi" | "do" | "pdf",
            ) => false,
            Some("md" | "mdx" | "rst" | "adoc" | "markdown") => true,
            Some(_) => tree.slug != Slug::Hugo && !tree.is_generated(self.path),
        };
        is_known.then(|| Broken::File(whole.to_owned()))
    }

    /// Checks a link to the anchor `fragment` of `entry`, the file at `path`.
    fn check_anchor(&self, path: &str, entry: &Entry, fragment: &str) -> Option<Broken> {
        let Entry::Document(anchors) = entry else { return None };
        let raw = fragment;
        let fragment = decoded(fragment)?;
        let fragment = fragment.strip_prefix("user-content-").unwrap_or(&fragment);
        if anchors.is_partial
            || is_special(fragment)
            || anchors.contains(fragment)
            || anchors.contains(raw)
        {
            return None;
        }
        let similar = anchors.similar(fragment);
        let is_unsure = self.tree.is_generated(path) || path.ends_with("adoc");
        if similar.is_some() && is_unsure {
            return None;
        }
        Some(Broken::Anchor(path.to_owned(), similar.map(str::to_owned)))
    }
}

/// True if the anchor of a fragment isn't expected in the source of a document. Such fragments are
/// the top of a page, lines of code, notes, numbered IDs of docutils, names of program items, and
/// states of a script.
fn is_special(fragment: &str) -> bool {
    let starts_with_number = |prefix: &str| {
        fragment.strip_prefix(prefix).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit() || c == ':')
        })
    };
    fragment.is_empty()
        || fragment.eq_ignore_ascii_case("top")
        || ["L", "fn", "fnref", "id", "index-"].iter().any(|it| starts_with_number(it))
        || ["module-", "cmdoption-", "envvar-", "term-", "footnote"]
            .iter()
            .any(|prefix| fragment.starts_with(prefix))
        || fragment.contains([':', '=', '/', '!', '.', '~', '*', ','])
}

/// True if `reference` may be a path relative to the document or to the root. It must have neither
/// a scheme nor a host, and must not start with an alias of a build tool.
fn is_relative(reference: &str) -> bool {
    let Some(first) = reference.bytes().next() else { return false };
    let scheme = reference.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b));
    let has_scheme = reference.as_bytes().get(scheme.count()) == Some(&b':');
    let path = reference.split(['#', '?']).next().unwrap_or_default();
    !has_scheme
        && !reference.starts_with("//")
        && !b"~@$%&*<>{}[]()|!\\'\"`^".contains(&first)
        && !path.contains(['<', '>', '{', '}', '|', '*', '\\', '"', '\n', '@', ':', '$', '`'])
        && !path.starts_with("...")
        && path.len() < 1024
}

/// Returns `text` with percent escapes decoded, or `None` if the result is not UTF-8 or contains a
/// NUL.
fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).ok().filter(|it| !it.contains('\0'))
}

/// Resolves `path` against the directory `base`. Returns `None` if the result is outside the tree.
fn joined(base: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    let mut whole = parts.join("/");
    if path.ends_with('/') && !whole.is_empty() {
        whole.push('/');
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
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
            ("docs/guide.txt.gz", ""),
        ] {
            let is_document = Tree::is_document(path.as_ref());
            tree.add_file(path.as_ref(), is_document.then_some(text.as_bytes()));
        }
        tree
    }

    #[test]
    fn missing_files_and_anchors_are_found() {
        let tree = tree();
        let file = |path: &str| Some(Broken::File(path.to_owned()));
        let anchor = |path: &str, near: Option<&str>| {
            Some(Broken::Anchor(path.to_owned(), near.map(str::to_owned)))
        };
        for (from, reference, expected) in [
            ("README.md", "docs/b.md", file("docs/b.md")),
            ("README.md", "docs/none", file("docs/none")),
            ("README.md", "docs/Wheel.png", file("docs/Wheel.png")),
            ("README.md", "/docs/none.md", file("docs/none.md")),
            ("docs/d.md", "./../LICENSE", file("LICENSE")),
            ("docs/p.html", "q.html", file("docs/q.html")),
            ("README.md", "#The-Mill", anchor("README.md", Some("the-mill"))),
            ("README.md", "#wheel", anchor("README.md", None)),
            ("README.md", "docs/a%20b.md#a-b", anchor("docs/a b.md", Some("a--b"))),
            ("docs/d.md", "c.rst#none", anchor("docs/c.rst", None)),
            ("docs/p.html", "#y", anchor("docs/p.html", None)),
        ] {
            tree.with_local(&Path::new("/t").join(from), |local| {
                assert_eq!(local.unwrap().check(reference.as_bytes()), expected, "{reference}");
            });
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
                    "<none>",
                    "@/none.md",
                    "...",
                ][..],
            ),
            ("docs/c.rst", &["c/../d.md", "../README.md#the-mill"][..]),
            ("docs/p.html", &["#x", "/none.html", "none/"][..]),
        ] {
            for reference in references {
                tree.with_local(&Path::new("/t").join(from), |local| {
                    assert_eq!(local.unwrap().check(reference.as_bytes()), None, "{reference}");
                });
            }
        }
    }

    #[test]
    fn pages_of_unknown_generators_are_not_reported() {
        let mut tree = tree();
        tree.add_file("mkdocs.yml".as_ref(), None);
        tree.with_local(Path::new("/t/README.md"), |local| {
            let local = local.unwrap();
            assert_eq!(local.check(b"docs/none"), None);
            assert_eq!(local.check(b"#The-Mill"), None);
            assert!(local.check(b"docs/none.md").is_some());
        });
    }

    #[test]
    fn files_outside_the_tree_have_no_place() {
        tree().with_local(Path::new("/u/README.md"), |local| assert!(local.is_none()));
    }
}
