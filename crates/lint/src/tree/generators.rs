//! Knows what site generators make of a tree, and what they read in other ways than a browser.

use super::anchors::Anchors;
use super::hugo::{CONTENT_SETTINGS, HUGO};
use super::paths::{
    IMAGES, PAGES, directories_above, directory_and_name, has_extension, is_below, slashed,
};
use super::sites::starts_at_letter;
use super::{Entry, Tree};
use crate::slug::Slug;
use std::path::Path;

/// The names of settings files and directories of other site generators than those in [`Slug`]. It
/// isn't known which pages these generators make.
const GENERATORS: [&str; 30] = [
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
    ".eleventy.js",
    "antora-playbook.yml",
    "book.json",
    "docfx.json",
    "eleventy.config.js",
    "eleventy.config.mjs",
    "mint.json",
    "myst.yml",
    "nanoc.yaml",
    "pelicanconf.py",
    "_pkgdown.yml",
    "_pkgdown.yaml",
    "_toc.yml",
];

/// The file extensions of documents from which site generators make pages.
const SOURCES: [&str; 11] =
    ["md", "mdx", "markdown", "rst", "adoc", "asciidoc", "org", "txt", "ipynb", "html", "htm"];

/// The directories to which Sphinx and its extensions write files that are not in the source.
const SPHINX_OUTPUTS: [&str; 5] = ["_downloads", "_images", "_modules", "_sources", "_static"];

/// The directories that generators of reference pages and galleries create in the source. If such a
/// directory is in the tree, its content is known.
const GENERATED: [&str; 7] =
    ["_autosummary", "_build", "_generated", "apidocs", "autoapi", "gen_modules", "generated"];

/// Directories that contain parts of pages, which generators assemble, or copies of page sources.
const TEMPLATES: [&str; 4] = ["_includes", "_layouts", "_sources", "_templates"];

/// Directories that Sphinx copies to the root of the site (with its option `html_extra_path`),
/// or to `_static`.
const COPIED: [&str; 4] = ["_extra", "_static", "extra", "html_extra"];

/// The extensions of files that images are generated from.
const DRAWINGS: [&str; 14] = [
    "svg", "dot", "gv", "dia", "fig", "xcf", "puml", "plantuml", "mmd", "drawio", "odg", "eps",
    "pic", "uml",
];

/// Words before the extension that mark a file as a template, as in `a.in.html`.
const TEMPLATE_INFIXES: [&str; 3] = ["in", "prefix", "tmpl"];

/// The extensions that a template or a compressed copy adds to a file's name, as in `a.html.in`.
const TEMPLATE_EXTENSIONS: [&str; 9] =
    ["in", "tmpl", "template", "tpl", "erb", "j2", "jinja", "mustache", "gz"];

/// The extensions of files that MyST links to. A name with another extension, such as
/// `package.Class`, is a cross-reference.
const FILES: [&str; 41] = [
    "asc", "bib", "bmp", "c", "cff", "cfg", "conf", "cpp", "css", "csv", "gif", "gz", "h", "ico",
    "in", "ini", "ipynb", "jpeg", "jpg", "js", "json", "lock", "log", "mp4", "png", "ps1", "py",
    "pyi", "rs", "sh", "svg", "tar", "toml", "ts", "tsv", "txt", "webp", "xml", "yaml", "yml",
    "zip",
];

impl Tree {
    /// If `path` belongs to the settings of a generator, records its directory. If `path` is `.git`
    /// in the root, records that the tree is a repository.
    pub(super) fn note_generator(&mut self, path: &Path) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let parent = slashed(path.parent().unwrap_or(Path::new("")));
        if name == ".git" && parent.is_empty() {
            self.is_repository = true;
        }
        if GENERATORS.contains(&name) || HUGO.contains(&name) && self.slug != Slug::Hugo {
            if super::docusaurus::is_settings(name) {
                self.docusaurus.add(&parent);
            }
            self.generated.insert(parent.into());
        } else if CONTENT_SETTINGS.contains(&name) && self.slug != Slug::Hugo {
            self.content.insert(parent.into());
        } else if name == super::sphinx::SETTINGS {
            self.sphinx.insert(parent.into());
        }
    }

    /// If the file at `path` contains the settings of gi-docgen, records its directory. `text` is the
    /// content of the file.
    pub(super) fn note_gi_docgen(&mut self, path: &str, text: &[u8]) {
        let (directory, name) = directory_and_name(path);
        if name.contains(".toml.") && memchr::memmem::find(text, b"content_files").is_some() {
            self.generated.insert(directory.into());
        }
    }

    /// True if `path` is in a directory with the settings of a generator in [`GENERATORS`], or in
    /// the directory `content` of Hugo or Zola.
    pub(super) fn is_generated(&self, path: &str) -> bool {
        let is_content = |directory: &str| {
            let (above, name) = directory_and_name(directory);
            name == "content" && self.content.contains(above)
        };
        directories_above(path)
            .any(|it| self.generated.contains(it) || is_content(it) || self.docusaurus.contains(it))
    }

    /// True if Sphinx makes a page of the document at `path`.
    pub(super) fn is_sphinx(&self, path: &str) -> bool {
        // Other programs have a `conf.py`, too, but no start page next to it.
        let has_start = |directory: &str| {
            let start = if directory.is_empty() { "index" } else { &format!("{directory}/index") };
            ["rst", "md", "txt"]
                .iter()
                .any(|it| self.entries.contains_key(&*format!("{start}.{it}")))
        };
        self.slug == Slug::Sphinx
            || directories_above(path).any(|it| self.sphinx.contains(it) && has_start(it))
    }

    /// True if the tree contains settings of Sphinx, but not in a directory above the document at
    /// `path`. Such a document, e.g. a README, is only displayed in the repository.
    pub(super) fn is_outside_of_sphinx(&self, path: &str) -> bool {
        !self.sphinx.is_empty() && !directories_above(path).any(|it| self.sphinx.contains(it))
    }

    /// True if the target `to` of a link in the document at `from` is outside the mdBook that
    /// contains the document. A site may have several books, and their sources may be elsewhere.
    pub(super) fn leaves_book(&self, from: &str, to: &str) -> bool {
        let directories = from.rmatch_indices('/').map(|(at, _)| &from[..at]);
        let is_book = |it: &&str| self.entries.contains_key(&*format!("{it}/SUMMARY.md"));
        directories.into_iter().find(is_book).is_some_and(|book| !is_below(to, book) && to != book)
    }

    /// True if a generator may write the file at `path`, to which a source document links.
    pub(super) fn is_output(&self, from: &str, path: &str) -> bool {
        let is_sphinx = self.is_sphinx(from);
        let directories = path.match_indices('/').map(|(at, _)| &path[..at]);
        directories.into_iter().any(|directory| {
            let name = directory_and_name(directory).1;
            let is_generated = GENERATED.contains(&name) || name.starts_with("auto_");
            is_sphinx && SPHINX_OUTPUTS.contains(&name)
                || is_generated && !self.entries.contains_key(directory)
        })
    }

    /// True if `path`, the target of a link that starts with a slash, may be a page of a site. This
    /// is the case if it has no extension, and the first directory in it isn't in the tree.
    pub(super) fn may_be_route(&self, path: &str) -> bool {
        let name = directory_and_name(path.trim_end_matches('/')).1;
        let first = path.split('/').next().unwrap_or_default();
        // `page-1.2` has no extension.
        let is_plain = |(_, extension): (&str, &str)| extension.bytes().all(|b| b.is_ascii_digit());
        name.rsplit_once('.').is_none_or(is_plain) && !self.entries.contains_key(first)
    }

    /// True if a build script of the tree names the file at `path`, which isn't in the tree. If the
    /// script only has a pattern such as `%s.html`, the tree must also contain a file with the same
    /// name and another extension.
    pub(super) fn is_built(&self, path: &str) -> bool {
        let name = directory_and_name(path).1;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        self.scripts.contains(path, || self.stems().contains(stem))
    }

    /// True if pages are also made of the Markdown document at `path` by Sphinx, mdBook or pandoc. The
    /// document at `from` links to it. Sphinx's pages don't count if Sphinx makes no page of `from`,
    /// because readers follow the link in the repository.
    pub(super) fn runs_other_generator(&self, from: &str, path: &str) -> bool {
        let is_book = |directory: &str| {
            let summary = format!("{directory}/SUMMARY.md");
            self.entries.contains_key(summary.trim_start_matches('/'))
        };
        self.scripts.run_pandoc_on(path)
            || self.is_sphinx(path) && ![from, path].iter().any(|it| self.is_outside_of_sphinx(it))
            || directories_above(path).any(is_book)
    }

    /// True if a program other than that in [`Slug`] may make the ID `fragment` from a heading of the
    /// Markdown document at `path`.
    pub(super) fn may_be_made(&self, path: &str, anchors: &Anchors, fragment: &str) -> bool {
        (self.scripts.run_pandoc() || self.is_generated(path))
            && starts_at_letter(anchors, fragment)
            || self.sites.gitbook_may_make(anchors, fragment)
    }

    /// True if pandoc may make one page of the document at `path` and of another one that contains
    /// the anchor `fragment`.
    pub(super) fn is_in_joined_page(&self, path: &str, fragment: &str) -> bool {
        let joined = || {
            let inputs = self.entries.iter().filter(|it| self.scripts.is_input_of_pandoc(it.0));
            let anchors = inputs.filter_map(|(_, entry)| match entry {
                Entry::Document(anchors) => Some(anchors),
                _ => None,
            });
            anchors.flat_map(Anchors::iter).map(Box::from).collect()
        };
        self.scripts.is_input_of_pandoc(path)
            && self.joined_anchors.get_or_init(joined).contains(fragment)
    }

    /// Returns the file from which a generator may make the page at `path`, e.g. `a.md` for
    /// `a.html`.
    pub(super) fn source_of(&self, path: &str) -> Option<&Entry> {
        let stem = path.strip_suffix('/').unwrap_or(path);
        let stems = [".html", ".htm", ".xhtml", ".md", ".gz"];
        let stem = stems.iter().find_map(|it| stem.strip_suffix(it)).unwrap_or(stem);
        let with = |name: String| self.entries.get(&*name);
        let found = SOURCES.iter().find_map(|extension| with(format!("{stem}.{extension}")));
        found
            .or_else(|| {
                let extensions = TEMPLATE_EXTENSIONS.iter().chain(&["xz", "rst.txt"]);
                extensions.into_iter().find_map(|it| with(format!("{path}.{it}")))
            })
            .or_else(|| {
                let (stem, extension) = path.rsplit_once('.')?;
                let is_image = has_extension(&IMAGES, extension);
                let drawings = DRAWINGS.iter().filter(|_| is_image);
                drawings.into_iter().find_map(|it| with(format!("{stem}.{it}"))).or_else(|| {
                    // E.g. `a.in.html` for `a.html`.
                    TEMPLATE_INFIXES.iter().find_map(|it| with(format!("{stem}.{it}.{extension}")))
                })
            })
            .or_else(|| self.entries.get(stem))
    }

    /// True if the content of a directory above `path` is not known.
    pub(super) fn is_below_opaque(&self, path: &str) -> bool {
        path.match_indices('/')
            .any(|(at, _)| matches!(self.entries.get(&path[..at]), Some(Entry::Opaque)))
    }
}

/// True if pages are made from the document at `path`, so that its links may be relative to another
/// directory. Its name has a second extension (`index.html.in`, `index.in.html`), or it is in a
/// directory of templates.
pub(super) fn is_part_of_pages(path: &str) -> bool {
    let (directory, name) = directory_and_name(path);
    let is_source = || {
        let stem = name.rsplit_once('.').map_or("", |(stem, _)| stem);
        let extension = stem.rsplit_once('.').map_or("", |(_, extension)| extension);
        has_extension(&PAGES, extension)
            || has_extension(&PAGES, name.rsplit_once('.').map_or("", |(_, it)| it))
                && TEMPLATE_INFIXES.contains(&extension)
    };
    is_template_part(directory) || is_source()
}

/// True if `directory` contains parts of pages.
pub(super) fn is_template_part(directory: &str) -> bool {
    directory.split('/').any(|it| TEMPLATES.contains(&it))
}

/// True if Sphinx copies the HTML page at `path` to another directory.
pub(super) fn is_copied(path: &str) -> bool {
    let directory = directory_and_name(path).0;
    directory.split('/').any(|it| COPIED.contains(&it))
}

/// True if MyST reads `path`, a target with the extension `extension`, as the dotted name of a
/// program item or label, such as `package.module.Class`.
pub(super) fn is_cross_reference(path: &str, extension: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    path.split('.').all(is_name) && !FILES.contains(&extension)
}
