//! Checks a relative link in a document of a [`Tree`].

use super::anchors::Kind;
use super::paths::{DOCUMENTS, IMAGES, PAGES, directory_and_name, has_extension, joined};
use super::repository::is_issue_template;
use super::{Entry, Tree, generators};
use crate::example::contains_placeholder;
use crate::slug::Slug;
use crate::test_data;
use std::path::Path;
use urlsift_core::decode_escapes;

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
    /// No file has the path `path`, which is relative to the root.
    File {
        path: String,
        /// True if the file is an image that is probably stored elsewhere; see
        /// [`Tree::is_kept_elsewhere`].
        is_kept_elsewhere: bool,
    },
    /// The document at `path` doesn't contain the anchor.
    Anchor {
        path: String,
        /// The similar anchor that the document contains, if any.
        similar: Option<String>,
        /// True if only the case of the anchor is wrong, and only GitHub, which ignores the case,
        /// shows the document.
        is_found_on_github: bool,
    },
}

impl Tree {
    /// Returns the position of the file or directory at `path` in the tree, or `None` if the tree
    /// doesn't contain it. `path` must be absolute.
    pub(crate) fn local(&self, path: &Path) -> Option<Local<'_>> {
        let (path, _) = self.entries.get_key_value(&*self.relative(path)?)?;
        Some(Local { tree: self, path })
    }
}

impl Local<'_> {
    /// Returns the fault of `reference`, the target of a link. Returns `None` in these cases:
    ///
    /// - The target is not a relative link.
    /// - The file and anchor exist in the tree.
    /// - It isn't known whether they exist.
    pub(crate) fn check(&self, reference: &[u8]) -> Option<Broken> {
        let broken = self.find_fault(reference)?;
        // Few links have a fault, so this is checked last.
        (!self.is_foreign()).then_some(broken)
    }

    /// True if the document is the input of a test, is included in another document, belongs to
    /// another project or a generated client, or is the template of an issue or a merge request.
    /// The targets of its links are then unknown.
    fn is_foreign(&self) -> bool {
        self.tree.inputs.contains(self.path)
            || self.tree.parts.contains(self.path)
            || self.tree.projects.contain_copy(self.path)
            || self.tree.projects.contain_client(self.path)
            || is_issue_template(self.path)
    }

    /// Returns the fault of `reference`. Doesn't check whether the document
    /// [is foreign](Self::is_foreign).
    fn find_fault(&self, reference: &[u8]) -> Option<Broken> {
        let reference = std::str::from_utf8(reference).ok()?.trim();
        if !is_relative(reference)
            || contains_placeholder(reference.as_bytes())
            || self.is_template()
        {
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
        let whole = self.resolved(&path)?;
        if whole.is_empty() || self.tree.leaves_book(self.path, &whole) {
            return None;
        }
        match self.tree.entries.get(whole.trim_end_matches('/')) {
            Some(entry @ Entry::Document(_)) => self.check_anchor(&whole, entry, fragment?),
            Some(_) => None,
            // A link with a query leads to a program, not to a file.
            None if query.is_some() && self.is_page() => None,
            None => self.check_missing(&path, &whole, fragment),
        }
    }

    /// True if `reference` is a relative link to another file of the tree.
    pub(crate) fn leads_to_file(&self, reference: &[u8]) -> bool {
        let Some(reference) = std::str::from_utf8(reference).ok().map(str::trim) else {
            return false;
        };
        let path = reference.split(['#', '?']).next().unwrap_or_default();
        let whole =
            decoded(path).filter(|path| is_relative(path)).and_then(|it| self.resolved(&it));
        whole.is_some_and(|whole| {
            let whole = whole.trim_end_matches('/');
            self.tree.entries.contains_key(whole) || self.tree.source_of(whole).is_some()
        })
    }

    /// True if the document is a change log. Its entries are about old releases, so files and
    /// sections that they link to may have been removed since.
    pub(crate) fn is_change_log(&self) -> bool {
        let name = directory_and_name(self.path).1;
        let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        matches!(&*stem, "changelog" | "changes" | "history" | "news" | "releases")
    }

    /// True if the tree knows the anchors of the text.
    pub(crate) fn is_document(&self) -> bool {
        matches!(self.tree.entries.get(self.path), Some(Entry::Document(_)))
    }

    /// Returns the path relative to the root that `path`, a link in the document, leads to. Returns
    /// `None` if it is outside the tree, or relative to the root of an unknown site.
    fn resolved(&self, path: &str) -> Option<String> {
        let base = directory_and_name(self.path).0;
        match path.strip_prefix('/') {
            // On GitHub and GitLab, a path that starts with a slash is relative to the repository.
            Some(rest)
                if self.tree.is_repository
                    && matches!(self.tree.slug, Slug::GitHub | Slug::GitLab)
                    && !self.is_page()
                    && !self.tree.is_generated(self.path) =>
            {
                joined("", rest)
            }
            Some(_) => None,
            None => joined(base, path),
        }
    }

    /// True if the document is a template, is copied to another directory, or is test data. The
    /// targets of its links are then unknown.
    fn is_template(&self) -> bool {
        let kind = self.kind();
        let is_page = kind == Kind::Page;
        kind == Kind::Template
            || matches!(kind, Kind::Page | Kind::Other) && generators::is_part_of_pages(self.path)
            || kind == Kind::Markdown && generators::is_template_part(self.path)
            || test_data::is_in_test_data(self.path, is_page)
            || is_page
                && (generators::is_copied(self.path) || self.tree.copies.contain(self.path))
                && self.tree.is_sphinx(self.path)
    }

    /// True if the document is an HTML page.
    fn is_page(&self) -> bool {
        self.kind() == Kind::Page
    }

    fn kind(&self) -> Kind {
        match self.tree.entries.get(self.path) {
            Some(Entry::Document(anchors)) => anchors.kind,
            _ => Kind::Other,
        }
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
            || tree.is_output(self.path, whole)
            || tree.is_in_docusaurus(self.path, path)
            || tree.is_absent(self.path, whole)
            || !is_page && tree.is_on_forge(whole)
            || tree.is_left_out(self.path, whole)
                && !(is_page && tree.packages.is_debian(self.path))
            || tree.is_in_content(self.path, path)
            || tree.is_in_docsify(self.path, path)
            || tree.is_in_hugo(self.path, path)
            || std::iter::once(whole)
                .chain(from_page.as_deref())
                .any(|it| tree.is_page_of_hugo(self.path, path, it))
            || !is_page && tree.is_copied_directory(self.path, whole)
            || path.starts_with('/') && tree.may_be_route(whole)
            || tree.is_built(whole)
            || tree.mkdocs.may_make(whole)
            || tree.is_ignored(whole)
            || is_page
                && (is_for_editor(whole)
                    || is_asset(whole) && tree.is_in_parent(self.path, path)
                    || tree.is_made_for_page(whole)
                    || tree.is_in_missing_directory(self.path, path, whole)
                    || whole.ends_with("favicon.ico"))
            || from_page
                .is_some_and(|it| tree.entries.contains_key(&*it) || tree.source_of(&it).is_some())
        {
            return None;
        }
        let name = directory_and_name(whole).1;
        let extension = name.rsplit_once('.').map(|(_, it)| it.to_ascii_lowercase());
        let is_known = match extension.as_deref() {
            _ if is_page => !whole.ends_with('/'),
            None => {
                matches!(tree.slug, Slug::GitHub | Slug::GitLab) && !tree.is_generated(self.path)
            }
            // Programs generate files with these extensions.
            Some("php" | "asp" | "aspx" | "jsp" | "cgi" | "do" | "pdf") => false,
            Some(extension) if has_extension(&PAGES, extension) => false,
            Some(extension) if has_extension(&DOCUMENTS, extension) => true,
            Some(extension)
                if self.kind() == Kind::Markdown
                    && tree.is_sphinx(self.path)
                    && generators::is_cross_reference(path, extension) =>
            {
                false
            }
            Some(_) => tree.slug != Slug::Hugo && !tree.is_generated(self.path),
        };
        is_known.then(|| Broken::File {
            path: whole.to_owned(),
            is_kept_elsewhere: tree.is_kept_elsewhere(whole),
        })
    }

    /// Checks a link to the anchor `fragment` of `entry`, the file at `path`.
    fn check_anchor(&self, path: &str, entry: &Entry, fragment: &str) -> Option<Broken> {
        let Entry::Document(anchors) = entry else { return None };
        let raw = fragment;
        let fragment = decoded(fragment)?;
        let fragment = fragment.strip_prefix("user-content-").unwrap_or(&fragment);
        // MkDocs replaces non-ASCII letters in heading IDs with ASCII letters.
        if anchors.has_non_ascii_heading && fragment.is_ascii() && self.tree.is_generated(path) {
            return None;
        }
        if is_special(fragment)
            || is_special_in(path, fragment)
            || anchors.may_contain(fragment)
            || anchors.may_contain(raw)
            || self.is_label(path, fragment)
            || anchors.kind == Kind::Markdown && self.tree.may_be_made(path, anchors, fragment)
            || path == self.path && self.tree.is_in_joined_page(path, fragment)
        {
            return None;
        }
        let similar = anchors.similar(fragment);
        // An unknown program makes an HTML page of the document.
        let is_made = anchors.kind != Kind::Page && has_extension(&PAGES, extension_of(path));
        let is_unsure = self.tree.is_generated(path)
            || self.tree.sites.is_docsify(path)
            || is_made && !self.tree.scripts.run_pandoc()
            || path.ends_with("adoc");
        if similar.is_some() && is_unsure {
            return None;
        }
        // A script in GitHub's pages also finds an anchor if the case differs. In the pages of
        // other programs, the case must match. A link from a document outside Sphinx's sources
        // leads to GitHub's page, even if Sphinx generates a page from the target.
        let lower = fragment.to_lowercase();
        let is_outside = |path: &str| self.tree.is_outside_of_sphinx(path);
        let is_on_github = self.tree.slug == Slug::GitHub
            || self.tree.slug == Slug::Sphinx && (is_outside(path) || is_outside(self.path));
        let is_found_on_github = is_on_github
            && anchors.kind == Kind::Markdown
            && !self.tree.runs_other_generator(self.path, path)
            && (similar.is_some_and(|id| *id == *lower) || anchors.may_contain(&lower));
        let similar = similar.map(str::to_owned);
        Some(Broken::Anchor { path: path.to_owned(), similar, is_found_on_github })
    }

    /// True if MyST resolves `fragment` as a cross-reference: the link leads to the document itself
    /// (`path`), and `fragment` is a label in any document of the tree, or the name of a document.
    fn is_label(&self, path: &str, fragment: &str) -> bool {
        let is_document = || {
            let whole = joined(directory_and_name(path).0, fragment);
            whole.is_some_and(|it| matches!(self.tree.source_of(&it), Some(Entry::Document(_))))
        };
        path == self.path
            && self.kind() == Kind::Markdown
            && (self.tree.labels.contains(&*fragment.to_lowercase()) || is_document())
            && self.tree.is_sphinx(path)
    }
}

impl Tree {
    /// True if `path`, which isn't in the tree, is a page of a repository on GitHub or GitLab, such
    /// as `blob/main/a.md` or `joe/mill/issues`.
    pub(super) fn is_on_forge(&self, path: &str) -> bool {
        const PAGES: [&str; 16] = [
            "actions",
            "blob",
            "commit",
            "commits",
            "compare",
            "discussions",
            "issues",
            "labels",
            "milestones",
            "pull",
            "pulls",
            "raw",
            "releases",
            "security",
            "tree",
            "wiki",
        ];
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.take(3).map(|end| &path[..end]).any(|parent| {
            let name = directory_and_name(parent).1;
            PAGES.contains(&name) && !self.entries.contains_key(parent)
        })
    }
}

/// True if the page of the file at `path` contains the anchor `fragment` or resolves it with a
/// script, although the source contains no such anchor.
fn is_special_in(path: &str, fragment: &str) -> bool {
    let name = directory_and_name(path).1;
    // GitHub displays the README below the files of a directory, with this ID.
    let is_readme = || name.split('.').next().is_some_and(|it| it.eq_ignore_ascii_case("readme"));
    // The source pages of rustdoc highlight ranges of lines.
    let is_lines = |(first, last): (&str, &str)| {
        [first, last].iter().all(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()))
    };
    fragment == "readme" && is_readme()
        || name.ends_with(".rs.html") && fragment.split_once('-').is_some_and(is_lines)
}

/// True if the anchor of a fragment isn't expected in the source of a document. Such fragments are
/// the top of a page, lines of code, notes, numbered IDs of docutils, names of program items, states
/// of a script, and values that contain markup. A lone `#` is used for links without target.
fn is_special(fragment: &str) -> bool {
    let starts_with_number = |prefix: &str| {
        fragment.strip_prefix(prefix).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit() || c == ':')
        })
    };
    matches!(fragment, "" | "#")
        || fragment.eq_ignore_ascii_case("top")
        || ["L", "fn", "fnref", "id", "index-"].iter().any(|it| starts_with_number(it))
        || ["__tabbed_", "module-", "cmdoption-", "envvar-", "term-", "footnote"]
            .iter()
            .any(|prefix| fragment.starts_with(prefix))
        || fragment.contains([':', '=', '/', '!', '.', '~', '*', ',', '<'])
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
        && !b"~@$%&*<>{}[]()|!\\'\"`^,".contains(&first)
        && !is_example_name(path)
        && !path.contains(['<', '>', '{', '}', '|', '*', '\\', '"', '\n', '@', ':', '$', '`'])
        && !path.starts_with("...")
        && path.len() < 1024
}

/// True if `path` is a placeholder name, as in `[text](url)` or `![](path/to/image.png)`.
fn is_example_name(path: &str) -> bool {
    const NAMES: [&str; 21] = [
        "bar",
        "baz",
        "destination",
        "document",
        "example",
        "file",
        "filename",
        "foo",
        "href",
        "image",
        "img",
        "link",
        "page",
        "path",
        "picture",
        "qux",
        "relative-path",
        "relative-url",
        "target",
        "uri",
        "url",
    ];
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    NAMES.iter().any(|name| stem.eq_ignore_ascii_case(name))
        || path.starts_with("path/to/")
        || path.contains("/path/to/")
}

/// True if `path` is a file that Microsoft Word writes for itself, such as `a_files/filelist.xml`.
/// Browsers don't read such files.
fn is_for_editor(path: &str) -> bool {
    path.contains("_files/") && matches!(extension_of(path), "xml" | "thmx" | "mso")
}

/// True if `path` is an image, style sheet or script, or another file that pages display.
fn is_asset(path: &str) -> bool {
    let extension = extension_of(path);
    has_extension(&IMAGES, extension) || has_extension(&["css", "ico", "js"], extension)
}

/// Returns the text after the last dot in `path`, or an empty string if there is no dot.
fn extension_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns `text` with percent escapes decoded, or `None` if the result is not UTF-8 or contains a
/// NUL.
fn decoded(text: &str) -> Option<String> {
    let bytes = decode_escapes(text.as_bytes()).into_owned();
    String::from_utf8(bytes).ok().filter(|it| !it.contains('\0'))
}
