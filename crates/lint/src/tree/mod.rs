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
mod hugo;
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
use self::hugo::Hugo;
use self::ignored::{Ignored, is_gitignore};
use self::inputs::Inputs;
use self::mkdocs::MkDocs;
use self::packages::Packages;
use self::paths::{DOCUMENTS, PAGES, directory_and_name, has_extension, is_below, joined, slashed};
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
    hugo: Hugo,
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
    /// The paths of all documents, in lower case and without the extension.
    lower_pages: OnceLock<HashSet<Box<str>>>,
    /// The names of all images.
    image_names: OnceLock<HashSet<Box<str>>>,
    /// The directories that contain scripts or images, with the kind appended: `js/*script` and
    /// `img/*image`.
    asset_directories: OnceLock<HashSet<Box<str>>>,
    /// The directories that were copied from another tree.
    copied: OnceLock<HashSet<Box<str>>>,
    /// The anchors of all documents from which pandoc may make one page.
    joined_anchors: OnceLock<HashSet<Box<str>>>,
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
            hugo: Hugo::default(),
            content: HashSet::new(),
            copies: Copies::default(),
            absent: Absent::default(),
            parts: HashSet::new(),
            inputs: Inputs::default(),
            projects: Projects::default(),
            leaving: HashMap::new(),
            stems: OnceLock::new(),
            lower_pages: OnceLock::new(),
            image_names: OnceLock::new(),
            asset_directories: OnceLock::new(),
            copied: OnceLock::new(),
            joined_anchors: OnceLock::new(),
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
        let (directory, name) = directory_and_name(path);
        if is_gitignore(path.as_ref()) {
            self.ignored.add(path, text);
        } else if repository::is_settings(name) {
            self.absent.add(path, text);
        } else if mkdocs::is_settings(name) {
            self.mkdocs.add_settings(path, text);
        } else if docusaurus::is_settings(name) {
            self.docusaurus.add_settings(directory, text);
        } else if hugo::is_settings(name) {
            self.hugo.add_settings(path, text);
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
        self.lower_pages.take();
        self.image_names.take();
        self.asset_directories.take();
        self.copied.take();
        self.joined_anchors.take();
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
        let directory = directory_and_name(path).0;
        let included = includes::included_paths(text).map(str::to_owned);
        for part in included.chain(includes::parts_of_slate(text)) {
            let whole = joined(directory, &part).unwrap_or_default();
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

/// True if a file called `name` may contain settings of `MkDocs`, Docusaurus, Hugo or Sphinx, or is
/// `.gitattributes` or `.gitmodules`.
fn is_settings(name: &str) -> bool {
    repository::is_settings(name)
        || mkdocs::is_settings(name)
        || docusaurus::is_settings(name)
        || hugo::is_settings(name)
        || name == sphinx::SETTINGS
}

#[cfg(test)]
mod tests;
