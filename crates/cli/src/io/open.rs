//! Opens files from the directory that holds them, and knows where a short read tells that a file ends.

use rustix::fs::{CWD, Mode, OFlags};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The directory of the file that was opened last.
///
/// The next files are opened from there: to walk a path of some names anew for each takes a twelfth
/// of the time in which a small file is opened, read and closed.
#[derive(Debug, Default)]
pub(crate) struct DirHandle {
    /// With the slash at its end, or empty for the working directory. `None` before the first file.
    path: Option<Vec<u8>>,
    /// Open as soon as a second file comes from it; and whether a file in it is at its end where a read gives
    /// less than was asked for.
    directory: Option<(OwnedFd, bool)>,
}

impl DirHandle {
    /// The directory in a file's path, as above, and its name there.
    fn parts(path: &[u8]) -> (&[u8], &[u8]) {
        path.split_at(memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1))
    }

    /// Opens a file to be read.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn open(&mut self, path: &[u8]) -> io::Result<File> {
        let (folder, name) = Self::parts(path);
        let from = if self.move_to(folder) {
            self.directory().and_then(|(from, _)| open(from, name, OFlags::empty()).ok())
        } else {
            None
        };
        // What cannot be opened from there is tried by its path, which also says what the matter is.
        from.map_or_else(|| open(CWD, path, OFlags::empty()), Ok)
    }

    /// Makes that directory the one at hand. Returns whether it was so before.
    fn move_to(&mut self, folder: &[u8]) -> bool {
        let stays = self.path.as_deref() == Some(folder);
        if !stays {
            let path = self.path.get_or_insert_default();
            path.clear();
            path.extend_from_slice(folder);
            self.directory = None;
        }
        stays
    }

    /// The directory at hand, open, and whether its files show their ends.
    fn directory(&mut self) -> Option<(BorrowedFd<'_>, bool)> {
        if self.directory.is_none() {
            let path = self.path.as_deref()?;
            let path = if path.is_empty() { b"." } else { path };
            let directory = open(CWD, path, OFlags::DIRECTORY).ok().map(OwnedFd::from)?;
            let shows_ends = shows_ends(&directory);
            self.directory = Some((directory, shows_ends));
        }
        self.directory.as_ref().map(|(directory, shows_ends)| (directory.as_fd(), *shows_ends))
    }

    /// Whether the file that was opened last is at its end where a read gives less than was asked for, if it is
    /// a regular file: most file systems give all there is in one go, but not `/proc`, say.
    pub(crate) fn shows_ends(&self) -> bool {
        self.directory.as_ref().is_some_and(|&(_, shows_ends)| shows_ends)
    }
}

/// Whether a directory lies on one of the file systems that keep their files in the system's page cache.
fn shows_ends(directory: &OwnedFd) -> bool {
    #[cfg(target_os = "linux")]
    {
        // As statfs(2) numbers them: ext2 to ext4, XFS, Btrfs, tmpfs, F2FS.
        const KNOWN: [u64; 5] = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010];
        let kind = rustix::fs::fstatfs(directory).ok().and_then(|stat| stat.f_type.try_into().ok());
        kind.is_some_and(|kind: u64| KNOWN.contains(&kind))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = directory;
        false
    }
}

/// What tells that a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A read that gives nothing.
    Nothing,
    /// A read that gives less than was asked for, see [`DirHandle::shows_ends`]. That saves one read in
    /// two, a twentieth of the time on spools. Where the medium fails a read is cut short, too, but
    /// between two of its blocks: there it is asked once more. The file must have been read from its start.
    Short,
}

/// No medium has smaller blocks.
const BLOCK: usize = 512;

impl End {
    /// Whether `read` bytes, of `wanted`, tell that the file has no more.
    pub(super) fn is_told_by(self, read: usize, wanted: usize) -> bool {
        self == Self::Short && read < wanted && !read.is_multiple_of(BLOCK)
    }
}

/// Without the standard library, whose way is a longer one as soon as there are threads.
fn open(from: impl AsFd, path: &[u8], flags: OFlags) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | flags;
    let from = from.as_fd();
    let opened = rustix::io::retry_on_intr(|| rustix::fs::openat(from, path, flags, Mode::empty()));
    Ok(File::from(opened?))
}

#[cfg(test)]
mod tests {
    use super::DirHandle;
    use std::fs::File;
    use std::io::Error;

    #[test]
    fn files_of_a_directory_are_opened_as_by_their_paths() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name).into_os_string().into_encoded_bytes();
        std::fs::create_dir(root.path().join("sub")).unwrap();
        for name in ["a", "b", "sub/a"] {
            std::fs::write(root.path().join(name), name).unwrap();
        }
        let mut handle = DirHandle::default();
        for name in ["a", "b", "sub/a", "b", "a", "none", "a", "sub/none", "sub/", "sub/a"] {
            let read = |file: File| std::io::read_to_string(file);
            let (path, by_path) = (path(name), File::open(root.path().join(name)));
            let (found, expected) = (handle.open(&path).and_then(read), by_path.and_then(read));
            let kinds =
                (found.as_ref().map_err(Error::kind), expected.as_ref().map_err(Error::kind));
            assert_eq!(kinds.0, kinds.1, "{name}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn not_all_file_systems_show_ends() {
        let mut handle = DirHandle::default();
        for _ in 0..2 {
            handle.open(b"/proc/self/status").unwrap();
            assert!(!handle.shows_ends());
        }
    }
}
