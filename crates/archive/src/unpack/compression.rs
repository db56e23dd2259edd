//! Detects compressed files and archives by their first bytes.

use memchr::memrchr;

/// A compression or archive format.
///
/// ```
/// use urlsift_archive::unpack::Compression;
/// assert!(Compression::Zip.is_archive() && !Compression::Gzip.is_archive());
/// assert_eq!("gzip".parse(), Ok(Compression::Gzip));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// gzip (RFC 1952), with any number of members.
    Gzip,
    /// bzip2, with any number of streams.
    Bzip2,
    /// xz, with any number of streams.
    Xz,
    /// zstd (RFC 8878), with any number of frames.
    Zstd,
    /// lz4, with any number of frames.
    Lz4,
    /// lzip, with any number of members.
    Lzip,
    /// The format of the Unix program `compress` (`.Z`).
    Compress,
    /// A zip archive, whose members may be compressed.
    Zip,
    /// A tar archive, which is not compressed.
    Tar,
    /// An ar archive, such as a Debian package. It is not compressed.
    Ar,
}

impl Compression {
    /// All formats.
    pub const ALL: [Self; 10] = [
        Self::Gzip,
        Self::Bzip2,
        Self::Xz,
        Self::Zstd,
        Self::Lz4,
        Self::Lzip,
        Self::Compress,
        Self::Zip,
        Self::Tar,
        Self::Ar,
    ];

    /// Returns the usual name of the format, such as `gzip`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
            Self::Lz4 => "lz4",
            Self::Lzip => "lzip",
            Self::Compress => "compress",
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::Ar => "ar",
        }
    }

    /// True if the format has members, which [`visit_members`](crate::unpack::visit_members) reads.
    pub const fn is_archive(self) -> bool {
        matches!(self, Self::Zip | Self::Tar | Self::Ar)
    }

    /// True if this library was built with a decoder for the format.
    pub const fn is_readable(self) -> bool {
        match self {
            Self::Gzip => cfg!(feature = "gz"),
            Self::Bzip2 => cfg!(feature = "bz2"),
            Self::Xz => cfg!(feature = "xz"),
            Self::Zstd => cfg!(feature = "zstd"),
            Self::Lz4 => cfg!(feature = "lz4"),
            Self::Lzip => cfg!(feature = "lzip"),
            Self::Compress | Self::Ar => true,
            Self::Zip => cfg!(feature = "zip"),
            Self::Tar => cfg!(feature = "tar"),
        }
    }
}

urlsift_core::by_name!(Compression);

/// Returns the format of the file that starts with `head`, or `None` if it is not packed. `head`
/// must have at least 512 bytes, or be the whole file.
///
/// ```
/// use urlsift_archive::unpack::{Compression, detect_compression};
/// assert_eq!(detect_compression(b"\x1f\x8b\x08\0"), Some(Compression::Gzip));
/// assert_eq!(detect_compression(b"plain text"), None);
/// ```
pub fn detect_compression(head: &[u8]) -> Option<Compression> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    if starts(b"\x1f\x8b\x08") {
        Some(Compression::Gzip)
    } else if starts(b"BZh")
        && head.get(3).is_some_and(|level| (b'1'..=b'9').contains(level))
        && matches!(head.get(4..10), Some(b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90"))
    {
        Some(Compression::Bzip2)
    } else if starts(b"\xfd7zXZ\0") {
        Some(Compression::Xz)
    } else if starts(b"\x28\xb5\x2f\xfd") {
        Some(Compression::Zstd)
    } else if starts(b"\x04\x22\x4d\x18") || starts(b"\x02\x21\x4c\x18") {
        Some(Compression::Lz4)
    } else if starts(b"LZIP\x01") {
        Some(Compression::Lzip)
    } else if starts(b"\x1f\x9d")
        && head.get(2).is_some_and(|flags| (9..=16).contains(&(flags & 0x1F)))
    {
        Some(Compression::Compress)
    } else if starts(b"PK\x03\x04") {
        Some(Compression::Zip)
    } else if starts(b"!<arch>\n") {
        Some(Compression::Ar)
    } else if head.get(257..262) == Some(b"ustar") {
        Some(Compression::Tar)
    } else {
        None
    }
}

/// Returns a file's name without the extension of its compression, or the whole name if it has no
/// such extension.
///
/// ```
/// use urlsift_archive::unpack::strip_compression_suffix;
/// assert_eq!(strip_compression_suffix(b"page.html.gz"), b"page.html");
/// assert_eq!(strip_compression_suffix(b"page.html"), b"page.html");
/// ```
pub fn strip_compression_suffix(name: &[u8]) -> &[u8] {
    match memrchr(b'.', name).and_then(|dot| name.split_at_checked(dot)) {
        Some((inner, extension)) if EXTENSIONS.contains(&extension) => inner,
        _ => name,
    }
}

/// The extensions of compressed files.
const EXTENSIONS: [&[u8]; 7] = [b".gz", b".bz2", b".xz", b".zst", b".lz4", b".lz", b".Z"];
