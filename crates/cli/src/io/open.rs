//! Opens files, never waiting for one that a stranger put there, and knows where a short read tells that one ends.

use super::explain::{explain, refusal};
use crate::signals;
use anyhow::{anyhow, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd as _;
use std::path::Path;

/// Opens a file to be read. Of a pipe or device nothing is read yet, and nobody waits for who writes to it.
///
/// # Errors
///
/// What the system says.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    // Without the standard library, whose way is a longer one as soon as there are threads.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = rustix::io::retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()))?;
    Ok(File::from(file))
}

/// Refuses what is no regular file, where nobody has named it.
///
/// # Errors
///
/// That it is none, or what the system says.
pub(crate) fn require_regular(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() {
        return Ok(());
    }
    Err(refusal("it is no regular file, and is not read unless it is named".to_owned()))
}

/// The most bytes that a file of rules or settings may have.
const MOST: u64 = 16 << 20;

/// Reads a file of rules or settings that was found, not named: it must be a regular one.
///
/// # Errors
///
/// That it is none or too long, or what the system says.
pub(crate) fn read_found(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    require_regular(&file)?;
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(refusal("it is longer than 16 MiB; rules and settings are not".to_owned()));
    }
    Ok(bytes)
}

/// The key that a file holds: its bytes, but for line breaks at its end.
///
/// # Errors
///
/// That there is none, or what the system says.
pub(crate) fn read_key(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut key = Vec::new();
    // A device would never end.
    Input::open(path)
        .and_then(|input| input.take(MOST).read_to_end(&mut key))
        .map_err(|error| anyhow!("{}: {}", path.display(), explain(&error)))?;
    while let Some(b'\n' | b'\r') = key.last() {
        key.pop();
    }
    if key.is_empty() {
        bail!("{}: it is empty, and no key", path.display());
    }
    Ok(key)
}

/// An input that the user names, of any kind: where it has to be waited for, a signal ends that.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) file: File,
    /// Whether it may have to be waited for.
    waits: bool,
}

impl Input {
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::new(open(path)?)
    }

    /// Standard input, without the buffer of the standard library, which is a copy more.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn stdin() -> io::Result<Self> {
        Self::new(File::from(io::stdin().as_fd().try_clone_to_owned()?))
    }

    fn new(file: File) -> io::Result<Self> {
        let waits = !file.metadata()?.is_file();
        Ok(Self { file, waits })
    }

    /// A file that a directory lists as a regular one.
    pub(crate) fn listed(file: File) -> Self {
        Self { file, waits: false }
    }

    /// Whether it may have to be waited for.
    pub(crate) fn waits(&self) -> bool {
        self.waits
    }

    /// What tells that it pauses, where it may have to be waited for.
    ///
    /// # Errors
    ///
    /// The system gives no more descriptors.
    pub(crate) fn pauses(&self) -> io::Result<Option<Pauses>> {
        self.waits.then(|| self.file.try_clone().map(Pauses)).transpose()
    }

    /// Waits until there is something to read, or the end.
    fn wait(&self) -> io::Result<()> {
        let nap = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        loop {
            if signals::stopped() {
                return Err(refusal("a signal came before its end".to_owned()));
            }
            match poll(&mut [PollFd::new(&self.file, PollFlags::IN)], Some(&nap)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Read for Input {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.waits {
                self.wait()?;
            }
            match self.file.read(room) {
                // Somebody else has read it.
                Err(error) if self.waits && error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// Tells when an input pauses.
#[derive(Debug)]
pub(crate) struct Pauses(File);

impl Pauses {
    /// Whether nothing comes within a second's so many thousandths; the end is something.
    pub(crate) fn for_millis(&self, millis: u32) -> bool {
        let time = Timespec { tv_sec: 0, tv_nsec: i64::from(millis.min(999)) * 1_000_000 };
        poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&time)) == Ok(0)
    }
}

/// What tells that a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A read that gives nothing.
    Nothing,
    /// A read that gives less than was asked for. That saves one read in two, a twentieth of the time on
    /// spools. Where the medium fails a read is cut short, too, but between two of its blocks: there it is
    /// asked once more. The file must have been read from its start.
    Short,
}

/// No medium has smaller blocks.
const BLOCK: usize = 512;

impl End {
    /// What tells it of the regular files in a directory: most file systems give all there is in one go, but not
    /// `/proc`, say.
    pub(crate) fn within(directory: &Path) -> Self {
        #[cfg(target_os = "linux")]
        {
            // As statfs(2) numbers them: ext2 to ext4, XFS, Btrfs, tmpfs, F2FS. They keep files in the page cache.
            const KNOWN: [u64; 5] = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010];
            let kind = rustix::fs::statfs(directory).ok().and_then(|s| s.f_type.try_into().ok());
            if kind.is_some_and(|kind: u64| KNOWN.contains(&kind)) {
                return Self::Short;
            }
        }
        let _ = directory;
        Self::Nothing
    }

    /// Whether `read` bytes, of `wanted`, tell that the file has no more.
    pub(super) fn is_told_by(self, read: usize, wanted: usize) -> bool {
        self == Self::Short && read < wanted && !read.is_multiple_of(BLOCK)
    }
}

#[cfg(test)]
mod tests {
    use super::End;
    use std::path::Path;

    #[test]
    #[cfg(target_os = "linux")]
    fn not_all_file_systems_show_ends() {
        assert_eq!(End::within(Path::new("/proc/self")), End::Nothing);
        assert_eq!(End::within(Path::new("/none")), End::Nothing);
    }
}
