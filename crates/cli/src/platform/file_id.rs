//! What tells files apart.

/// A file, whatever its name: the numbers of its device and of the file there.
pub(crate) type FileId = (u64, u64);
