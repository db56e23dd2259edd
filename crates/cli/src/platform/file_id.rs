//! The identity of a file.

/// The numbers of the device and of the file on it: equal for all names of a file.
pub(crate) type FileId = (u64, u64);
