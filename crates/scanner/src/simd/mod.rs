//! What is done byte by byte, by the vectors of the machine.

pub(crate) mod arch;
mod byteset;
mod look_behind;
pub(crate) mod url_masks;

pub(crate) use byteset::Set;
pub(crate) use look_behind::{BLOCK, Behind};
pub(crate) use url_masks::{Survey, Surveyor};
