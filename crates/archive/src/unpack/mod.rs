//! Detects packed files by their first bytes, and reads them as streams, within limits.
//!
//! [`detect_compression`] detects the format of a file, [`Limits::decompress`] reads compressed
//! files, and [`visit_members`] reads archives. The supported formats depend on the features `gz`,
//! `bz2`, `xz`, `zstd`, `lz4`, `lzip`, `zip` and `tar`; `unpack` enables all of them. Files of the
//! programs `compress` (`.Z`) and `ar` can always be read. If the feature for a format is off, the
//! error is [`Refusal::NotBuilt`].
//!
//! ```
//! # #[cfg(feature = "gz")] {
//! use std::io::Read;
//! use urlsift_archive::unpack::{Compression, Limits, detect_compression};
//!
//! // The output of `gzip` for empty input.
//! let packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
//! let kind = detect_compression(packed).unwrap();
//! assert_eq!(kind, Compression::Gzip);
//! let mut text = Vec::new();
//! Limits::default().decompress(kind, &packed[..], Some(20)).unwrap().read_to_end(&mut text).unwrap();
//! assert_eq!(text, b"");
//! # }
//! ```

mod ar;
mod compression;
mod decompress;
mod dot_z;
mod limits;
mod members;
#[cfg_attr(
    not(all(feature = "gz", feature = "zstd")),
    allow(
        dead_code,
        unreachable_code,
        unused_variables,
        unused_mut,
        reason = "nothing is packed in pieces"
    )
)]
mod pieces;
mod unreadable;

pub use compression::{Compression, detect_compression, strip_compression_suffix};
pub use decompress::Decompressed;
pub use limits::{Expansion, Limits, Refusal};
pub use members::{Contents, ReadSeek, Trouble, visit_members};
pub use pieces::{PieceStart, Pieces};
pub(crate) use unreadable::{OLE, is_msg};
pub use unreadable::{Unreadable, UnreadableFormat, detect_unreadable};
