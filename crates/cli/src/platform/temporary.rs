//! The names of files that aren't complete yet.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// How a temporary file is called: `.urlsift-NAME-XXXXXX.tmp`, where NAME is that of the file that it becomes. Walks
/// skip such names.
const TEMPORARY: (&str, &str) = (".urlsift-", ".tmp");

/// The longest NAME in the name of a temporary file, so that the whole stays within what file systems allow.
const MAX_NAME: usize = 200;

/// Returns the directory that a file is in.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns what the name of the temporary file for `path` starts and ends with.
pub(crate) fn temporary_name(path: &Path) -> (OsString, &'static str) {
    let (start, end) = TEMPORARY;
    let mut prefix = OsString::from(start);
    let name = path.file_name().filter(|name| name.len() <= MAX_NAME).unwrap_or_default();
    prefix.push(name);
    prefix.push("-");
    (prefix, end)
}

/// True if a file of this name is a temporary file that a killed run left.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let (start, end) = TEMPORARY;
    let name = name.as_encoded_bytes();
    name.len() > start.len() + end.len()
        && name.starts_with(start.as_bytes())
        && name.ends_with(end.as_bytes())
}
