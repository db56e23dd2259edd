//! Bytes from files and streams, into buffers that are used again.
//!
//! Reading into one buffer a worker beats mapping (each small file costs its own page tables, and
//! a mapped file counts as resident; to map a big one window by window costs as much as to copy it)
//! and reading whole files (fresh pages must be zeroed first).
#![allow(
    unsafe_code,
    reason = "files are read into memory that nobody zeroes, that is mapped twice, or many at once"
)]

mod ring;
mod volley;

pub(crate) use ring::Ring;
pub(crate) use volley::Volley;

use rustix::fs::{CWD, Mode, OFlags};
use std::fs::File;
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The first size of a worker's buffer: measured best with 64 KiB to 1 MiB about equal.
pub(crate) const BUFFER: usize = 256 << 10;
/// A file up to this size is read and scanned as a whole.
pub(crate) const WHOLE: usize = 1 << 20;

/// The directory of the file that was opened last.
///
/// The next files are opened from there: to walk a path of some names anew for each takes a twelfth
/// of the time in which a small file is opened, read and closed.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// With the slash at its end, or empty for the working directory. `None` before the first file.
    path: Option<Vec<u8>>,
    /// Open as soon as a second file comes from it; and whether a file in it is at its end where a read gives
    /// less than was asked for.
    directory: Option<(OwnedFd, bool)>,
}

impl Folder {
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

    /// A directory, open, and whether its files show their ends. `None` if it cannot be opened.
    fn enter(&mut self, folder: &[u8]) -> Option<(BorrowedFd<'_>, bool)> {
        self.move_to(folder);
        self.directory()
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

    /// As [`Folder::enter`], for the directory at hand.
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
    /// A read that gives less than was asked for, see [`Folder::shows_ends`]. That saves one read in
    /// two, a twentieth of the time on spools. Where the medium fails a read is cut short, too, but
    /// between two of its blocks: there it is asked once more. The file must have been read from its start.
    Short,
}

/// No medium has smaller blocks.
const BLOCK: usize = 512;

impl End {
    /// Whether `read` bytes, of `wanted`, tell that the file has no more.
    fn is_told_by(self, read: usize, wanted: usize) -> bool {
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

/// A buffer that is filled anew for each file or unit.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// What was read, and behind it bytes that were read or zeroed before and mean nothing.
    bytes: Vec<u8>,
    filled: usize,
}

impl Buffer {
    /// What was read last.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Forgets what was read.
    pub(crate) fn clear(&mut self) {
        self.filled = 0;
    }

    /// Appends bytes that were read elsewhere.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.truncate(self.filled);
        self.bytes.extend_from_slice(bytes);
        self.filled = self.bytes.len();
    }

    /// Makes room for `len` bytes in all, so that as many can be read without moving any.
    fn reserve(&mut self, len: usize) {
        self.bytes.truncate(self.filled);
        self.bytes.reserve_exact(len.saturating_sub(self.filled));
    }

    /// Appends the file's bytes from `at` on, until there are `len` or the file ends.
    ///
    /// # Errors
    ///
    /// What the system says. What was read before is kept.
    pub(crate) fn append_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        let first = self.filled;
        self.append(len, End::Nothing, |buffer, filled| {
            let offset = at + (filled - first) as u64;
            rustix::io::pread(file, buffer, offset).map(|(read, _)| read.len())
        })?;
        Ok(())
    }

    /// Reads the file on until there are `len` bytes or it ends, which `end` tells. Returns whether it ended.
    ///
    /// # Errors
    ///
    /// What the system says. What was read before is kept.
    pub(crate) fn fill_from(&mut self, file: &File, len: usize, end: End) -> io::Result<bool> {
        let read = |buffer: &mut [MaybeUninit<u8>], _| {
            rustix::io::read(file, buffer).map(|(read, _)| read.len())
        };
        self.append(len, end, read)
    }

    /// Appends what `read` puts into the room that it is given, until there are `len` bytes or it
    /// gives none. `read` is told how much there is. Returns whether the end has come.
    #[inline]
    fn append(
        &mut self,
        len: usize,
        end: End,
        mut read: impl FnMut(&mut [MaybeUninit<u8>], usize) -> rustix::io::Result<usize>,
    ) -> io::Result<bool> {
        self.reserve(len);
        while self.filled < len {
            // No longer than asked for, whatever the capacity.
            let room = &mut self.bytes.spare_capacity_mut()[..len - self.filled];
            match read(room, self.filled) {
                Ok(0) => return Ok(true),
                Ok(read) => {
                    self.filled += read.min(len - self.filled);
                    // SAFETY: the vector was as long as `filled` said before, and its capacity is at
                    // least `len`. The system has written the bytes between.
                    unsafe { self.bytes.set_len(self.filled) };
                    if end.is_told_by(self.filled, len) {
                        return Ok(true);
                    }
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(false)
    }

    /// As [`Buffer::fill_from`] for what is no file. The room is zeroed once, when it grows.
    ///
    /// # Errors
    ///
    /// What the input says. What was read before is kept.
    pub(crate) fn fill(&mut self, input: &mut impl Read, len: usize) -> io::Result<bool> {
        while self.filled < len {
            if self.bytes.len() < len && self.filled == self.bytes.len() {
                self.bytes.resize((self.filled * 2).clamp(BUFFER, len.max(BUFFER)), 0);
            }
            let end = self.bytes.len().min(len);
            match input.read(&mut self.bytes[self.filled..end]) {
                Ok(0) => return Ok(true),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Replaces the contents by the file's bytes from `at` on, `len` of them or fewer at its end.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn read_at(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        self.filled = 0;
        self.append_at(file, at, len)
    }

    /// Gives back the memory of an unusually large input.
    pub(crate) fn shrink(&mut self) {
        if self.bytes.capacity() > 2 * WHOLE {
            self.filled = self.filled.min(WHOLE);
            self.bytes.truncate(WHOLE);
            self.bytes.shrink_to(WHOLE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BUFFER, Buffer, End, Folder};
    use std::fs::File;
    use std::io::{Error, Read, Seek, Write};
    use std::mem::MaybeUninit;

    #[test]
    fn filling_stops_at_the_limit_and_at_the_end() {
        let mut buffer = Buffer::default();
        let mut input = &b"0123456789"[..];
        assert!(!buffer.fill(&mut (&mut input).take(4), 4).unwrap());
        assert_eq!(buffer.bytes(), b"0123");
        assert!(buffer.fill(&mut input, 100).unwrap());
        assert_eq!(buffer.bytes(), b"0123456789");
        buffer.clear();
        buffer.extend(b"ab");
        assert_eq!(buffer.bytes(), b"ab");
    }

    #[test]
    fn files_of_a_folder_are_opened_as_by_their_paths() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name).into_os_string().into_encoded_bytes();
        std::fs::create_dir(root.path().join("sub")).unwrap();
        for name in ["a", "b", "sub/a"] {
            std::fs::write(root.path().join(name), name).unwrap();
        }
        let mut folder = Folder::default();
        for name in ["a", "b", "sub/a", "b", "a", "none", "a", "sub/none", "sub/", "sub/a"] {
            let read = |file: File| std::io::read_to_string(file);
            let (path, by_path) = (path(name), File::open(root.path().join(name)));
            let (found, expected) = (folder.open(&path).and_then(read), by_path.and_then(read));
            let kinds =
                (found.as_ref().map_err(Error::kind), expected.as_ref().map_err(Error::kind));
            assert_eq!(kinds.0, kinds.1, "{name}");
        }
    }

    #[test]
    fn a_short_read_shows_the_end_but_between_blocks() {
        let broken = rustix::io::Errno::IO;
        for (end, len, asked, ended) in [
            (End::Short, 100, 1, Ok(true)),
            (End::Short, 513, 1, Ok(true)),
            (End::Short, 512, 2, Err(broken.kind())),
            (End::Short, 2000, 1, Ok(false)),
            (End::Nothing, 100, 2, Err(broken.kind())),
        ] {
            let mut buffer = Buffer::default();
            let mut times = 0;
            let read = buffer.append(2000, end, |room, _| {
                times += 1;
                room[..len].fill(MaybeUninit::new(b'x'));
                if times == 1 { Ok(len) } else { Err(broken) }
            });
            assert_eq!(read.map_err(|error| error.kind()), ended, "{end:?} {len}");
            assert_eq!((times, buffer.bytes().len()), (asked, len), "{end:?} {len}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn not_all_file_systems_show_ends() {
        let mut folder = Folder::default();
        for _ in 0..2 {
            folder.open(b"/proc/self/status").unwrap();
            assert!(!folder.shows_ends());
        }
    }

    #[test]
    fn files_and_streams_fill_the_same_buffer() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        file.rewind().unwrap();
        let mut buffer = Buffer::default();
        buffer.fill(&mut &b"ab"[..], 2).unwrap();
        assert!(!buffer.fill_from(&file, 5, End::Nothing).unwrap());
        assert_eq!(buffer.bytes(), b"ab012");
        buffer.append_at(&file, 8, 6).unwrap();
        assert_eq!(buffer.bytes(), b"ab0128");
        buffer.clear();
        buffer.extend(b"28");
        assert!(buffer.fill(&mut &b"x"[..], 9).unwrap());
        assert_eq!(buffer.bytes(), b"28x");
        assert!(buffer.fill_from(&file, BUFFER, End::Nothing).unwrap());
        assert_eq!(buffer.bytes(), b"28x3456789");
        buffer.read_at(&file, 9, 5).unwrap();
        assert_eq!(buffer.bytes(), b"9");
        buffer.shrink();
        assert_eq!(buffer.bytes(), b"9");
    }
}
