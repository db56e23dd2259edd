//! What lint needs of the file system: settings, a baseline, and files rewritten.

pub(crate) mod baseline;
pub(crate) mod mend;
pub(crate) mod settings;
