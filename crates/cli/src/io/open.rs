//! Opens files, never waiting for one that a stranger put there, and knows where a short read tells that one ends.

use super::explain::{explain, refusal};
use crate::platform::{self, is_regular, open};
use crate::signals;
use anyhow::{anyhow, bail};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;
use urlsift_lint::Settings;

/// Refuses what is no regular file, where nobody has named it.
///
/// # Errors
///
/// That it is none, or what the system says.
pub(crate) fn require_regular(file: &File) -> io::Result<()> {
    if is_regular(file)? {
        return Ok(());
    }
    Err(refusal("it is no regular file, and is not read unless it is named".to_owned()))
}

/// The most bytes that a file of rules or settings may have.
const MOST: u64 = Settings::MOST_BYTES;

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
        let most = MOST >> 20;
        return Err(refusal(format!("it is longer than {most} MiB; rules and settings are not")));
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

    /// Standard input.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn stdin() -> io::Result<Self> {
        Self::new(platform::stdin()?)
    }

    fn new(file: File) -> io::Result<Self> {
        let waits = !is_regular(&file)?;
        Ok(Self { file, waits })
    }

    /// A file that a directory lists as a regular one.
    pub(crate) fn listed(file: File) -> Self {
        Self { file, waits: false }
    }

    /// How many bytes it has, if it is a regular file.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn len(&self) -> io::Result<Option<u64>> {
        if self.waits { Ok(None) } else { self.file.metadata().map(|meta| Some(meta.len())) }
    }

    /// Whether it is nothing that can be read.
    pub(crate) fn is_directory(&self) -> bool {
        self.waits && self.file.metadata().is_ok_and(|meta| meta.is_dir())
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
        let nap = Duration::from_millis(100);
        loop {
            if signals::stopped() {
                return Err(refusal("a signal came before its end".to_owned()));
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
        let time = Duration::from_millis(millis.min(999).into());
        platform::is_ready(&self.0, time).is_ok_and(|is_ready| !is_ready)
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
    /// What tells it of the regular files in a directory.
    pub(crate) fn within(directory: &Path) -> Self {
        if platform::reads_whole(directory) { Self::Short } else { Self::Nothing }
    }

    /// Whether `read` bytes, of `wanted`, tell that the file has no more.
    pub(crate) fn is_told_by(self, read: usize, wanted: usize) -> bool {
        self == Self::Short && read < wanted && !read.is_multiple_of(BLOCK)
    }
}
