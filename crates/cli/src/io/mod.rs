//! Files and streams: which there are, and the bytes in them.

pub(crate) mod archive_members;
pub(crate) mod buffer;
pub(crate) mod decompress;
pub(crate) mod explain;
mod ignore_rules;
pub(crate) mod open;
pub(crate) mod output;
#[cfg(feature = "git")]
pub(crate) mod public_inbox;
pub(crate) mod replace;
mod uncompress;
pub(crate) mod walk;
