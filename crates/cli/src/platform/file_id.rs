//! Identifies files regardless of their names.

/// The identity of a file: the numbers of its device and of the file on the device. All names of a
/// file have the same identity.
pub(crate) type FileId = (u64, u64);
