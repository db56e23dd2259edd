//! Names of temporary files: files that are being written and are not complete yet.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The start and the end of the name of a temporary file. The whole name is
/// `.urlsift-NAME-XXXXXX.tmp`, where NAME is the name of the file that it will become. Walks skip
/// such files.
const TEMPORARY: (&str, &str) = (".urlsift-", ".tmp");

/// The maximum length in bytes of NAME. Longer names are left out, because file systems limit the
/// length of the whole name.
const MAX_NAME: usize = 200;

/// Returns the directory part of `path`. For a path without a directory, such as `a.txt`, returns
/// `.`.
pub(crate) fn parent_directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns a prefix and a suffix for the name of a temporary file that will replace `path`. A
/// random text is inserted between them.
pub(crate) fn temporary_name_affixes(path: &Path) -> (OsString, &'static str) {
    let (start, end) = TEMPORARY;
    let mut prefix = OsString::from(start);
    let name = path.file_name().filter(|name| name.len() <= MAX_NAME).unwrap_or_default();
    prefix.push(name);
    prefix.push("-");
    (prefix, end)
}

/// True if `name` is the name of a temporary file of urlsift. A killed run may leave such files,
/// and walks skip them.
pub(crate) fn is_temporary_name(name: &OsStr) -> bool {
    let (start, end) = TEMPORARY;
    let name = name.as_encoded_bytes();
    name.len() > start.len() + end.len()
        && name.starts_with(start.as_bytes())
        && name.ends_with(end.as_bytes())
}
