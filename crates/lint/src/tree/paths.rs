//! Paths relative to the root of a tree, with slashes between their parts.

use std::path::{Component, Path};

/// The file extensions of HTML pages.
pub(super) const PAGES: [&str; 3] = ["htm", "html", "xhtml"];

/// The file extensions of documents in markup other than HTML. Their anchors are collected, too.
pub(super) const DOCUMENTS: [&str; 7] = ["adoc", "asciidoc", "markdown", "md", "mdx", "mkd", "rst"];

/// The file extensions of images that pages display.
pub(super) const IMAGES: [&str; 6] = ["gif", "jpeg", "jpg", "png", "svg", "webp"];

/// True if `extensions` contains `extension` in any case.
pub(super) fn has_extension(extensions: &[&str], extension: &str) -> bool {
    extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns `path` with slashes between its parts.
pub(super) fn slashed(path: &Path) -> String {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    names.collect::<Vec<_>>().join("/")
}

/// True if `path` is in the directory `directory`, or the directory is the root.
pub(super) fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| directory.is_empty() || rest.starts_with('/'))
}

/// Splits `path` into its directory, which is empty if that is the root, and its name.
pub(super) fn directory_and_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Returns the last two components of `path`, or the only one.
pub(super) fn last_two_components(path: &str) -> &str {
    path.rmatch_indices('/').nth(1).map_or(path, |(at, _)| &path[at + 1..])
}

/// Returns the directories that contain the file at `path`, from the innermost one to the root,
/// which is the empty path.
pub(super) fn directories_above(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[..at]).chain([""])
}

/// Resolves `path` against the directory `base`. Returns `None` if the result is outside the tree.
pub(super) fn joined(base: &str, path: &str) -> Option<String> {
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

/// Returns the directory with a slash after its name, or an empty string for the root.
pub(super) fn slash_after(directory: &str) -> String {
    if directory.is_empty() { String::new() } else { format!("{directory}/") }
}
