//! Errors in words.

use super::decompress::Refusal;
use std::io;

/// An I/O error in words, and what to do about it.
pub(crate) fn explain(error: &io::Error) -> String {
    if let Some(refusal) = error.get_ref().filter(|inner| inner.is::<Refusal>()) {
        return refusal.to_string();
    }
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory; check the path",
        io::ErrorKind::PermissionDenied => {
            "permission denied; ask its owner for the right to read it"
        }
        io::ErrorKind::InvalidFilename => {
            "the path is too long for the system; start at a directory within it"
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error()) => {
            "too many files are open; try a smaller -j, or allow more (ulimit -n)"
        }
        io::ErrorKind::IsADirectory => "this is a directory; name a file",
        _ => return format!("cannot be read: {error}"),
    };
    advice.to_owned()
}
