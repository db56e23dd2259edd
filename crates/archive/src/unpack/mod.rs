//! Packed files: told by their first bytes, read as streams, within limits.
//!
//! [`compression()`] says how a file is packed, [`Limits::decompress`] reads what is compressed, [`visit_members`] what an
//! archive holds. Which kinds can be read is a matter of features: `gz`, `bz2`, `xz`, `zstd`, `lz4`, `lzip`, `zip`, `tar`,
//! or `unpack` for all of them; what `compress` made (`.Z`) can always be read. A kind whose feature is off is refused by
//! an error that says so ([`Refusal::NotBuilt`]).
//!
//! ```
//! # #[cfg(feature = "gz")] {
//! use std::io::Read;
//! use urlsift_archive::unpack::{Compression, Limits, compression};
//!
//! // What `gzip` makes of no bytes.
//! let packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
//! let kind = compression(packed).unwrap();
//! assert_eq!(kind, Compression::Gzip);
//! let mut text = Vec::new();
//! Limits::default().decompress(kind, &packed[..], Some(20)).unwrap().read_to_end(&mut text).unwrap();
//! assert_eq!(text, b"");
//! # }
//! ```

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

pub use compression::{Compression, compression, unread, without_ending};
pub use decompress::Decompressed;
pub use limits::{Expansion, Limits, Refusal};
pub use members::{Contents, ReadSeek, Trouble, visit_members};
pub use pieces::{PieceStart, Pieces};
