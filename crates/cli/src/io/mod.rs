//! Files and streams: listing, reading and writing them.

pub(crate) mod explain;
mod ignore_rules;
pub(crate) mod inputs;
pub(crate) mod open;
pub(crate) mod output;
pub(crate) mod packed_read;
#[cfg(feature = "git")]
pub(crate) mod public_inbox;
pub(crate) mod replace;
pub(crate) mod shared_file;
pub(crate) mod walk;
