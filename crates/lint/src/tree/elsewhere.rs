//! Finds the targets of links that are elsewhere in the tree, because a build or an installation
//! copies documents or the files that they display.

use super::paths::{
    DOCUMENTS, IMAGES, directories_above, directory_and_name, has_extension, is_below, joined,
    last_two_components, slash_after,
};
use super::{LeavingLink, Tree};
use memchr::memmem;
use std::collections::HashSet;

/// Directories that contain the sources of pages, or files that are copied to the pages. They are
/// next to a generator's settings.
const CONTENT: [&str; 10] = [
    "docs",
    "content",
    "source",
    "src",
    "pages",
    "static",
    "public",
    "docs/static",
    "docs/public",
    "website/docs",
];

/// Directories that package managers fill, so that they are absent from a fresh copy of a
/// repository.
///
/// This isn't the list of directories that contain copies of other projects, `COPIES` in
/// `vendored.rs`. Most of those are in the repository, and a link into a missing `external` or
/// `deps` is broken.
const INSTALLED: [&str; 7] = [
    "3rdparty",
    "bower_components",
    "node_modules",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
];

impl Tree {
    /// True if the file at `path`, which isn't in the tree, may have been left out of the package
    /// that contains the document at `from`.
    pub(super) fn is_left_out(&self, from: &str, path: &str) -> bool {
        let files = self.entries.keys().map(|path| &**path);
        self.packages.leave_out(files, from, path)
    }

    /// True if `path`, a link in the document at `from`, leads to a file when it is resolved in one
    /// of the [`CONTENT`] directories of a generator instead. The document must be outside that
    /// directory: the generator may copy the document there, or the file to the pages.
    pub(super) fn is_in_content(&self, from: &str, path: &str) -> bool {
        let path = without_parents(path);
        let contains = |whole: String| self.entries.contains_key(&*whole);
        if self.is_generated(from)
            && pages_of_antora(from).and_then(|it| joined(&it, path)).is_some_and(contains)
            || resources_of_maven(from).and_then(|it| joined(&it, path)).is_some_and(contains)
        {
            return true;
        }
        self.generated.iter().filter(|directory| is_below(from, directory)).any(|directory| {
            CONTENT.iter().map(|content| slash_after(directory) + content).any(|content| {
                let has = |whole: String| {
                    self.entries.contains_key(&*whole) || self.source_of(&whole).is_some()
                };
                !is_below(from, &content) && joined(&content, path).is_some_and(has)
            })
        })
    }

    /// True if `path`, a link to an image, style sheet or script in the HTML page at `from`, would
    /// lead to a file if the page were in a directory above. Pages made from `DocBook` are often
    /// installed there.
    pub(super) fn is_in_parent(&self, from: &str, path: &str) -> bool {
        let path = without_parents(path);
        from.rmatch_indices('/')
            .skip(1)
            .take(8)
            .filter_map(|(at, _)| joined(&from[..at], path))
            .any(|whole| self.entries.contains_key(&*whole))
            || from.contains('/') && self.entries.contains_key(path)
    }

    /// True if `path`, a link in the document at `from`, leads to a file from the start page of a
    /// docsify site.
    pub(super) fn is_in_docsify(&self, from: &str, path: &str) -> bool {
        self.sites
            .docsify_roots(from)
            .filter_map(|directory| joined(directory, path.trim_start_matches('/')))
            .any(|whole| self.entries.contains_key(&*whole) || self.source_of(&whole).is_some())
    }

    /// True if the file at `path`, to which the document at `from` links, is in a directory whose
    /// files Hugo copies to the pages of the site.
    pub(super) fn is_in_hugo(&self, from: &str, path: &str) -> bool {
        let path = without_parents(path.trim_start_matches('/'));
        let mut targets = self.hugo.directories_of(from).filter_map(|it| joined(it, path));
        targets.any(|whole| self.entries.contains_key(&*whole))
    }

    /// True if a link probably leads to a page that Hugo generates from a document, as `a/readme/`
    /// leads to the page of `a/README.md`. `path` is the link in the document at `from`. `whole` is
    /// the path that it leads to.
    ///
    /// The link must be in lower case and end with a slash, as Hugo's addresses do, and `from` must
    /// be a page of Hugo. The target may be outside the site.
    pub(super) fn is_page_of_hugo(&self, from: &str, path: &str, whole: &str) -> bool {
        let is_page = path.ends_with('/') && !path.contains(char::is_uppercase);
        is_page
            && self.hugo.has_page(from)
            && self.lower_pages().contains(&*whole.trim_end_matches('/').to_lowercase())
    }

    /// Returns the paths of all documents, in lower case and without the extension.
    fn lower_pages(&self) -> &HashSet<Box<str>> {
        self.lower_pages.get_or_init(|| {
            let paths = self.entries.keys().filter_map(|path| path.rsplit_once('.'));
            let pages = paths.filter(|(_, extension)| has_extension(&DOCUMENTS, extension));
            pages.map(|(stem, _)| stem.to_lowercase().into()).collect()
        })
    }

    /// True if Git ignores the file at `path`, which isn't in the tree, or a directory above it that
    /// isn't in the tree either.
    pub(super) fn is_ignored(&self, path: &str) -> bool {
        self.ignored.contains(path, |path| !self.entries.contains_key(path))
    }

    /// True if `path`, a link in the document at `from`, leads to a file when it is resolved as
    /// Docusaurus does.
    pub(super) fn is_in_docusaurus(&self, from: &str, path: &str) -> bool {
        self.docusaurus.targets(from, path).any(|whole| self.entries.contains_key(&*whole))
    }

    /// True if the file at `to`, which isn't in the tree, may be absent from this copy of the
    /// repository. The document at `from` links to it. Package managers fill directories such as
    /// `vendor`.
    pub(super) fn is_absent(&self, from: &str, to: &str) -> bool {
        let is_missing = |path: &str| !self.entries.contains_key(path);
        self.absent.contains(from, to, is_missing)
            || directories_above(to).any(|directory| {
                INSTALLED.contains(&directory_and_name(directory).1) && is_missing(directory)
            })
    }

    /// True if a program may write the script, style sheet, page or image at `path`, which isn't in
    /// the tree. This is the case if its name marks it as minified (`a.min.js`), or if the tree
    /// contains its source. It is also the case for a script if its directory exists and contains
    /// no other script, and likewise for an image.
    pub(super) fn is_made_for_page(&self, path: &str) -> bool {
        let Some((stem, extension)) = path.rsplit_once('.') else { return false };
        let sources: &[&str] = match extension {
            "js" | "mjs" | "wasm" => {
                &["c", "cc", "coffee", "cpp", "elm", "jsx", "ml", "rs", "ts", "tsx"]
            }
            "css" => &["less", "sass", "scss", "styl"],
            // In `package.html`, for javadoc.
            "html" => &["java"],
            _ => &[],
        };
        let directory = directory_and_name(path).0;
        let exists = directory.is_empty() || self.entries.contains_key(directory);
        let is_alone = |kind: &str| {
            exists && !self.asset_directories().contains(&*format!("{directory}/*{kind}"))
        };
        (stem.rsplit_once('.').is_some_and(|(_, it)| it == "min") && !sources.is_empty())
            || sources.iter().any(|it| self.entries.contains_key(&*format!("{stem}.{it}")))
            || asset_kind(extension).is_some_and(is_alone)
    }

    /// True if the tree doesn't contain the directory of the file at `whole`, to which the link
    /// `path` in the page at `from` leads. Programs write whole directories of pages and images, such
    /// as `api/index.html`, for other pages to link to.
    pub(super) fn is_in_missing_directory(&self, from: &str, path: &str, whole: &str) -> bool {
        whole.rsplit_once('/').is_some_and(|(it, _)| !self.entries.contains_key(it))
            && path.rsplit_once('/').is_some_and(|(it, _)| !self.is_in_parent(from, it))
    }

    /// True if the file at `path`, which isn't in the tree, is an image that is probably stored
    /// elsewhere, such as in the repository of a site. This is the case if its directory isn't in the
    /// tree either, and no image in the tree has the same name. Always false for an image in the
    /// root.
    pub(super) fn is_kept_elsewhere(&self, path: &str) -> bool {
        let (directory, name) = directory_and_name(path);
        is_image(name)
            && !directory.is_empty()
            && !self.entries.contains_key(directory)
            && !self.image_names().contains(name)
    }

    /// Returns the file names, without directories, of all images in the tree.
    fn image_names(&self) -> &HashSet<Box<str>> {
        self.image_names.get_or_init(|| {
            let names = self.entries.keys().map(|path| directory_and_name(path).1);
            names.filter(|name| is_image(name)).map(Box::from).collect()
        })
    }

    /// Returns the directories that contain a script or an image, each with the kind of the file.
    fn asset_directories(&self) -> &HashSet<Box<str>> {
        self.asset_directories.get_or_init(|| {
            let assets = self.entries.keys().filter_map(|path| {
                let kind = asset_kind(path.rsplit_once('.')?.1)?;
                let directory = directory_and_name(path).0;
                Some(format!("{directory}/*{kind}").into())
            });
            assets.collect()
        })
    }

    /// True if the document at `from` is in a directory that was copied from another tree, and the
    /// target `to` is outside of the directory, so that it was left out.
    pub(super) fn is_copied_directory(&self, from: &str, to: &str) -> bool {
        let directory = directory_and_name(from).0;
        !is_below(to, directory) && self.copied().contains(directory)
    }

    /// Returns the directories that were copied from another tree. At least three links of their
    /// documents leave the directory, none of them leads to a file, and the targets aren't elsewhere
    /// in the tree either. Otherwise the directory may have been moved, which breaks its links.
    fn copied(&self) -> &HashSet<Box<str>> {
        /// The minimum number of different targets, and of documents with such links.
        const MIN: (usize, usize) = (3, 2);
        self.copied.get_or_init(|| {
            let mut endings: HashSet<&str> = HashSet::new();
            if !self.leaving.is_empty() {
                for path in self.entries.keys() {
                    endings.extend([directory_and_name(path).1, last_two_components(path)]);
                }
            }
            let is_copied = |directory: &str, links: &[LeavingLink]| {
                let (mut targets, mut documents) = (HashSet::new(), HashSet::new());
                for LeavingLink { document, target: path } in links {
                    // A path outside the tree may be a page of the repository, such as
                    // `../../issues`.
                    let whole = joined(directory, path).filter(|it| !self.is_on_forge(it));
                    let Some(whole) = whole else { continue };
                    let whole = whole.trim_end_matches('/');
                    let ending = last_two_components(without_parents(path).trim_end_matches('/'));
                    if is_below(whole, directory) {
                        continue;
                    }
                    if self.entries.contains_key(whole) || endings.contains(ending) {
                        return false;
                    }
                    targets.insert(whole.to_owned());
                    documents.insert(document);
                }
                targets.len() >= MIN.0 && documents.len() >= MIN.1
            };
            let copied =
                self.leaving.iter().filter(|(directory, links)| is_copied(directory, links));
            copied.map(|(directory, _)| directory.clone()).collect()
        })
    }

    /// Records the links of the Markdown document at `path` that leave its directory.
    pub(super) fn note_leaving_links(&mut self, path: &str, text: &[u8]) {
        let (directory, name) = directory_and_name(path);
        if directory.is_empty() {
            return;
        }
        for at in memmem::find_iter(text, b"](../") {
            let target = &text[at + 2..];
            let len = target.iter().position(|b| b.is_ascii_whitespace() || b")#?".contains(b));
            let target = len.and_then(|len| std::str::from_utf8(&target[..len]).ok());
            let Some(target) = target.filter(|it| it.len() < 256) else { continue };
            let links = self.leaving.entry(directory.into()).or_default();
            links.push(LeavingLink { document: name.into(), target: target.into() });
        }
    }
}

/// True if `name` has one of the extensions in [`IMAGES`].
fn is_image(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| has_extension(&IMAGES, extension))
}

/// Returns the kind of the files with this extension, if they are scripts or images.
fn asset_kind(extension: &str) -> Option<&'static str> {
    match extension {
        "js" | "mjs" | "wasm" => Some("script"),
        "avif" | "bmp" | "jxl" => Some("image"),
        _ => has_extension(&IMAGES, extension).then_some("image"),
    }
}

/// Returns `path` without `../` and `./` at its start.
fn without_parents(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("../").or_else(|| path.strip_prefix("./")) {
        path = rest;
    }
    path
}

/// Returns the directory in which Antora resolves the links of the document at `from`: the directory
/// `pages` of its module.
fn pages_of_antora(from: &str) -> Option<String> {
    if let Some((module, _)) = from.split_once("/pages/") {
        return Some(format!("{module}/pages"));
    }
    // The navigation (`nav.adoc`) and the directory `partials` are next to `pages`, not in it.
    let modules = if from.starts_with("modules/") { 0 } else { from.find("/modules/")? + 1 };
    let module = modules + "modules/".len();
    let len = from[module..].find('/')?;
    Some(format!("{}/pages", &from[..module + len]))
}

/// Returns the directory from which Maven copies files next to the page that it makes of the
/// document at `from`.
fn resources_of_maven(from: &str) -> Option<String> {
    const SITE: &str = "src/site/";
    let site = from.find(SITE).filter(|&at| at == 0 || from.as_bytes()[at - 1] == b'/')?;
    let site = site + SITE.len();
    // The first directory below is named for the markup.
    let below = from[site..].split_once('/')?.1;
    Some(format!("{}resources/{}", &from[..site], directory_and_name(below).0))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;

    #[test]
    fn assets_that_programs_write_are_not_reported() {
        check_all(
            &[
                ("web/a.html", "<p>"),
                ("web/b.ts", ""),
                ("web/c.scss", ""),
                ("web/js/d.js", ""),
                ("web/js/e.cc", ""),
                ("web/f.md", ""),
                ("web/g.java", ""),
            ],
            &[
                ("web/a.html", "g.html", false),
                ("web/a.html", "none.html", true),
                ("web/a.html", "b.js", false),
                ("web/a.html", "none.js", false),
                ("web/a.html", "c.css", false),
                ("web/a.html", "none.css", true),
                ("web/a.html", "js/none.js", true),
                ("web/a.html", "js/e.js", false),
                ("web/a.html", "js/none.min.js", false),
                ("web/a.html", "none.png", false),
                ("web/f.md", "none.png", true),
            ],
        );
    }

    #[test]
    fn packages_that_are_not_installed_are_not_reported() {
        let links = |is_reported| {
            [
                ("a.md", "vendor/mill.md", is_reported),
                ("a.md", "external/mill.md", true),
                ("a.md", "lib/mill.md", true),
            ]
        };
        check_all(&[("a.md", "")], &links(false));
        check_all(&[("a.md", ""), ("vendor/b.md", "")], &links(true));
    }

    #[test]
    fn directories_that_programs_write_are_not_reported() {
        check_all(
            &[("www/a.html", "<p>"), ("www/b/c.html", "<p>"), ("d.md", "")],
            &[
                ("www/a.html", "api/index.html", false),
                ("www/a.html", "b/none.html", true),
                ("www/b/c.html", "../none.html", true),
                ("www/a.html", "favicon.ico", false),
                ("d.md", "api/none.md", true),
            ],
        );
    }

    #[test]
    fn links_out_of_copied_directories_are_not_reported() {
        let files = [
            ("help/cli/a.md", "[a](../x/b.md) [c](../../y/d.md#e)"),
            ("help/cli/f.md", "[g](../h/) [i](../../../issues)"),
        ];
        let links = |is_reported| {
            [
                ("help/cli/a.md", "../x/b.md", is_reported),
                ("help/cli/f.md", "../h/", is_reported),
                ("help/cli/a.md", "j.md", true),
            ]
        };
        check_all(&files, &links(false));
        // One of the targets exists, here or elsewhere.
        check_all(&[&files[..], &[("y/d.md", "")]].concat(), &links(true));
        check_all(&[&files[..], &[("z/x/b.md", "")]].concat(), &links(true));
        // Only one document has such links.
        check_all(
            &[("help/cli/a.md", "[a](../x) [b](../y) [c](../z)")],
            &[("help/cli/a.md", "../x", true)],
        );
    }
}
