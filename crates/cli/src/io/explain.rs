//! Turns I/O errors into messages for the user.

use crate::platform;
use std::error::Error;
use std::{fmt, io};
use urlsift_archive::unpack::{Refusal, Trouble};
use urlsift_records::Size;

/// An I/O error whose text is a complete message for the user, to which [`explain`] adds nothing.
#[derive(Debug)]
struct Explained(String);

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Explained {}

/// Creates an I/O error with a complete message for the user. [`explain`] returns this message
/// unchanged.
pub(crate) fn error_with_message(text: String) -> io::Error {
    io::Error::other(Explained(text))
}

/// Returns the error message for a compressed stream that was not read to its end. `refusal` is the
/// reason.
fn explain_refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::TooBig(limit) => format!(
            "expands beyond {}; the data before that was scanned; raise the limit with --max-expand",
            Size(*limit)
        ),
        Refusal::TooWide(window) => format!(
            "needs a window larger than {} to decompress; raise the limit with --max-window",
            Size(*window)
        ),
        Refusal::EndsEarly => {
            format!("{refusal}; the data before that was scanned; fetch the file again")
        }
        Refusal::TooDeep(_) => refusal.to_string(),
        _ => format!("{refusal}; the data before that was scanned"),
    }
}

/// Returns the error message for an input that can't be read or doesn't have the expected format.
pub(crate) fn explain_trouble(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Read(error) => explain(error),
        Trouble::TarHeader(error) => {
            format!("{}; the bytes up to the next member were scanned as they are", explain(error))
        }
        _ => trouble.to_string(),
    }
}

/// Returns the error message for an I/O error: what happened, and what the user can do about it.
pub(crate) fn explain(error: &io::Error) -> String {
    if let Some(refusal) = Refusal::from_error(error) {
        return explain_refusal(refusal);
    }
    if let Some(explained) = error.get_ref().filter(|inner| inner.is::<Explained>()) {
        return explained.to_string();
    }
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory; check the path",
        io::ErrorKind::PermissionDenied => "permission denied; check the permissions of the file",
        io::ErrorKind::InvalidFilename => platform::BAD_PATH,
        _ if platform::is_too_many_open_files(error) => {
            "too many open files; use a smaller -j, or raise the limit with `ulimit -n`"
        }
        io::ErrorKind::IsADirectory => "is a directory; name a file",
        _ => return format!("cannot read: {error}"),
    };
    advice.to_owned()
}
