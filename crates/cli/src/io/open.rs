//! Opens files without blocking on pipes or devices in directories, and detects ends of files from
//! short reads.

use super::explain::{explain, refusal};
use crate::platform::{self, is_regular, open};
use crate::signals;
use anyhow::{anyhow, bail};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;
use urlsift_lint::Settings;

/// Checks that a file that was found in a directory is a regular one.
///
/// # Errors
///
/// Returns an error if it is not, or any error of the system.
pub(crate) fn require_regular(file: &File) -> io::Result<()> {
    if is_regular(file)? {
        return Ok(());
    }
    Err(refusal("not a regular file; name it explicitly to read it".to_owned()))
}

/// The maximum size of a file of ignore rules or settings, in bytes.
const MOST: u64 = Settings::MOST_BYTES;

/// Reads a file of ignore rules or settings that was found in a directory. It must be a regular
/// file.
///
/// # Errors
///
/// Returns an error if it is not a regular file or too large, or any error of the system.
pub(crate) fn read_found(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    require_regular(&file)?;
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        let most = MOST >> 20;
        return Err(refusal(format!(
            "larger than {most} MiB, the limit for ignore rules and settings"
        )));
    }
    Ok(bytes)
}

/// Reads a key from a file: its bytes without line breaks at the end.
///
/// # Errors
///
/// Returns an error if the file is empty or can't be read.
pub(crate) fn read_key(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut key = Vec::new();
    // A device might never end.
    Input::open(path)
        .and_then(|input| input.take(MOST).read_to_end(&mut key))
        .map_err(|error| anyhow!("{}: {}", path.display(), explain(&error)))?;
    while let Some(b'\n' | b'\r') = key.last() {
        key.pop();
    }
    if key.is_empty() {
        bail!("{}: the file is empty; write a key to it", path.display());
    }
    Ok(key)
}

/// An input of any kind that the user named. A signal interrupts a blocked read.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) file: File,
    /// True if a read may block.
    waits: bool,
}

impl Input {
    /// Opens a file of any kind.
    ///
    /// # Errors
    ///
    /// Returns any error of the system.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::new(open(path)?)
    }

    /// Opens standard input.
    ///
    /// # Errors
    ///
    /// Returns any error of the system.
    pub(crate) fn stdin() -> io::Result<Self> {
        Self::new(platform::stdin()?)
    }

    fn new(file: File) -> io::Result<Self> {
        let waits = !is_regular(&file)?;
        Ok(Self { file, waits })
    }

    /// Wraps a file that a directory lists as a regular one.
    pub(crate) fn listed(file: File) -> Self {
        Self { file, waits: false }
    }

    /// Returns the size in bytes, or `None` if the input is not a regular file.
    ///
    /// # Errors
    ///
    /// Returns any error of the system.
    pub(crate) fn len(&self) -> io::Result<Option<u64>> {
        if self.waits { Ok(None) } else { self.file.metadata().map(|meta| Some(meta.len())) }
    }

    /// True if the input is a directory.
    pub(crate) fn is_directory(&self) -> bool {
        self.waits && self.file.metadata().is_ok_and(|meta| meta.is_dir())
    }

    /// True if a read may block.
    pub(crate) fn waits(&self) -> bool {
        self.waits
    }

    /// Returns a detector of pauses, or `None` if reads never block.
    ///
    /// # Errors
    ///
    /// Returns an error if the process has no file descriptors left.
    pub(crate) fn pauses(&self) -> io::Result<Option<Pauses>> {
        self.waits.then(|| self.file.try_clone().map(Pauses)).transpose()
    }

    /// Waits until there are bytes to read, or the end of the input.
    fn wait(&self) -> io::Result<()> {
        let nap = Duration::from_millis(100);
        loop {
            if signals::stopped() {
                return Err(refusal(
                    "interrupted by a signal before the end of the input".to_owned(),
                ));
            }
            match platform::is_ready(&self.file, nap) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
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
                // Another process has read the bytes.
                Err(error) if self.waits && error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// A detector of pauses in an input.
#[derive(Debug)]
pub(crate) struct Pauses(File);

impl Pauses {
    /// True if neither bytes nor the end of the input arrive within `millis` milliseconds (at most
    /// 999).
    pub(crate) fn for_millis(&self, millis: u32) -> bool {
        let time = Duration::from_millis(millis.min(999).into());
        platform::is_ready(&self.0, time).is_ok_and(|is_ready| !is_ready)
    }
}

/// The sign that a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A read that returns 0 bytes.
    Nothing,
    /// A read that returns fewer bytes than requested. That saves every second read, a twentieth of
    /// the time on spools. A failing medium also cuts a read short, but between two of its blocks,
    /// so a read that ends there is repeated. The file must have been read from its start.
    Short,
}

/// The smallest block size of any medium, in bytes.
const BLOCK: usize = 512;

impl End {
    /// Returns the sign of the end for regular files in a directory.
    pub(crate) fn within(directory: &Path) -> Self {
        if platform::reads_whole(directory) { Self::Short } else { Self::Nothing }
    }

    /// True if a read of `read` bytes, where `wanted` were requested, shows that the file ends.
    pub(crate) fn is_shown_by(self, read: usize, wanted: usize) -> bool {
        self == Self::Short && read < wanted && !read.is_multiple_of(BLOCK)
    }
}
