//! Limits for packed files from untrusted sources. A small file may expand without end, or require
//! gigabytes of memory for its window.

use super::compression::Compression;
use std::error::Error;
use std::{fmt, io};

/// A limit for the decompressed length of a file.
///
/// ```
/// use urlsift_archive::unpack::Expansion;
/// assert_eq!(Expansion::Unlimited.max_len(1), u64::MAX);
/// assert_eq!(Expansion::Bytes(4096).max_len(1 << 20), 4096);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expansion {
    /// The limit is this number of bytes.
    Bytes(u64),
    /// This multiple of the packed length, but at least [`Expansion::FLOOR`].
    Times(u64),
    /// No limit.
    Unlimited,
}

impl Expansion {
    /// The length in bytes that every file may expand to if the limit is a ratio. Small files of
    /// one repeated byte are common and harmless.
    pub const FLOOR: u64 = 256 << 20;

    /// Returns the maximum decompressed length, in bytes, of a file that is `compressed` bytes
    /// long.
    ///
    /// ```
    /// use urlsift_archive::unpack::Expansion;
    /// assert_eq!(Expansion::Times(100).max_len(10 << 20), 1000 << 20);
    /// assert_eq!(Expansion::Times(100).max_len(1), Expansion::FLOOR);
    /// assert_eq!(Expansion::Bytes(1 << 30).max_len(1), 1 << 30);
    /// ```
    pub fn max_len(self, compressed: u64) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Times(times) => compressed.saturating_mul(times).max(Self::FLOOR),
            Self::Unlimited => u64::MAX,
        }
    }
}

/// The limits for unpacking a file.
///
/// ```
/// use urlsift_archive::unpack::{Expansion, Limits};
/// let mut limits = Limits::default();
/// limits.expand = Expansion::Times(1000);
/// limits.window = 1 << 20;
/// assert_eq!(limits.expand.max_len(1 << 30), 1000 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The limit for the unpacked length of the file. For an archive, it applies to the sum of the
    /// members.
    pub expand: Expansion,
    /// The maximum size of the window, that is, of the recent output that a decoder must keep, in
    /// bytes.
    pub window: u64,
}

impl Default for Limits {
    /// Returns the defaults of the command: 100 times the packed length, and a window of 128 MiB.
    fn default() -> Self {
        Self { expand: Expansion::Times(100), window: 128 << 20 }
    }
}

/// The reason why a packed stream can't be read further. It is the inner error of the [`io::Error`]
/// that the reader returns. The reader has returned all data before the error.
///
/// ```
/// use urlsift_archive::unpack::Refusal;
/// assert_eq!(Refusal::TooBig(1000).to_string(), "expands beyond 1000 bytes");
/// let error = std::io::Error::from(Refusal::EndsEarly);
/// assert_eq!(Refusal::from_error(&error), Some(&Refusal::EndsEarly));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The data expands beyond this number of bytes.
    TooBig(u64),
    /// The data requires a window of more than this number of bytes.
    TooWide(u64),
    /// The data is compressed more than this number of times.
    TooDeep(usize),
    /// The packed data ends early.
    EndsEarly,
    /// The packed data is damaged. Contains the decoder's message.
    Damaged(String),
    /// This library was built without a decoder for the format.
    NotBuilt(Compression),
}

impl Refusal {
    /// Returns the refusal that is the inner error of `error`, if there is one.
    ///
    /// ```
    /// use std::io::{Read, repeat};
    /// use urlsift_archive::unpack::{Compression, Expansion, Limits, Refusal};
    ///
    /// let mut limits = Limits::default();
    /// limits.expand = Expansion::Bytes(1000);
    /// let mut stream = limits.decompress(Compression::Tar, repeat(b'a'), None).unwrap();
    /// let error = stream.read_to_end(&mut Vec::new()).unwrap_err();
    /// assert_eq!(Refusal::from_error(&error), Some(&Refusal::TooBig(1000)));
    /// ```
    pub fn from_error(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooBig(limit) => write!(f, "expands beyond {limit} bytes"),
            Self::TooWide(window) => {
                write!(f, "needs a window of more than {window} bytes to be unpacked")
            }
            Self::TooDeep(layers) => {
                write!(f, "is compressed more than {layers} times; unpack it first")
            }
            Self::EndsEarly => f.write_str("the compressed data end early"),
            Self::Damaged(text) => write!(f, "the compressed data are damaged ({text})"),
            Self::NotBuilt(kind) => {
                write!(f, "this build cannot read {} data", kind.name())
            }
        }
    }
}

impl Error for Refusal {}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        Self::other(refusal)
    }
}
