//! Errors in words.

use crate::platform;
use std::error::Error;
use std::{fmt, io};
use urlsift_archive::unpack::{Refusal, Trouble};
use urlsift_records::Size;

/// An error that says all there is to say: complete sentences for people.
#[derive(Debug)]
struct Told(String);

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Told {}

/// An error with a text that says all there is to say.
pub(crate) fn refusal(text: String) -> io::Error {
    io::Error::other(Told(text))
}

/// Why a packed stream was not read on, and what to do about it.
fn explain_refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::TooBig(limit) => format!(
            "expands beyond {}; what came before was scanned; allow more with --max-expand",
            Size(*limit)
        ),
        Refusal::TooWide(window) => format!(
            "needs a window of more than {} to be unpacked; allow it with --max-window",
            Size(*window)
        ),
        Refusal::EndsEarly => {
            format!("{refusal}; what came before was scanned; fetch the file again")
        }
        Refusal::TooDeep(_) => refusal.to_string(),
        _ => format!("{refusal}; what came before was scanned"),
    }
}

/// Why something was not read, or not as what it was meant to be, and what to do about it.
pub(crate) fn explain_trouble(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Read(error) => explain(error),
        Trouble::TarHeader(error) => format!(
            "{}; what follows was scanned as it stands, up to the next member",
            explain(error)
        ),
        _ => trouble.to_string(),
    }
}

/// An I/O error in words, and what to do about it.
pub(crate) fn explain(error: &io::Error) -> String {
    if let Some(refusal) = Refusal::of(error) {
        return explain_refusal(refusal);
    }
    if let Some(told) = error.get_ref().filter(|inner| inner.is::<Told>()) {
        return told.to_string();
    }
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory; check the path",
        io::ErrorKind::PermissionDenied => {
            "permission denied; ask its owner for the right to read it"
        }
        io::ErrorKind::InvalidFilename => platform::BAD_PATH,
        _ if platform::is_too_many_open(error) => {
            "too many files are open; try a smaller -j, or allow more (ulimit -n)"
        }
        io::ErrorKind::IsADirectory => "this is a directory; name a file",
        _ => return format!("cannot be read: {error}"),
    };
    advice.to_owned()
}
