//! Opens files without blocking on pipes and devices, and detects the end of a file from short
//! reads.

use super::explain::{error_with_message, explain};
use crate::platform::{self, is_regular_file, open_without_blocking};
use crate::signals;
use anyhow::{anyhow, bail};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;
use urlsift_lint::Settings;
use urlsift_records::input::Buffer;

/// Checks that an open file is a regular file, and not a device or pipe. Call this for files found
/// in directories. Files that the user names may be of any kind.
///
/// # Errors
///
/// Fails if `file` is not a regular file, and returns any error from the operating system.
pub(crate) fn check_is_regular_file(file: &File) -> io::Result<()> {
    if is_regular_file(file)? {
        return Ok(());
    }
    Err(error_with_message(
        "not a regular file; a pipe or device is only read if you name it as an input".to_owned(),
    ))
}

/// The maximum size, in bytes, of a key and of files that [`read_config_file`] reads.
const MOST: u64 = Settings::MOST_BYTES;

/// Returns the contents of a file that was found in a directory, e.g. an ignore file or a settings
/// file. Unlike [`std::fs::read`], it rejects files that are too large, and never waits for a pipe
/// or device.
///
/// # Errors
///
/// Fails if the file is not a regular file or is larger than [`MOST`], and returns any error from
/// the operating system.
pub(crate) fn read_config_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_without_blocking(path)?;
    check_is_regular_file(&file)?;
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        let most = MOST >> 20;
        return Err(error_with_message(format!(
            "larger than {most} MiB, the limit for ignore rules and settings"
        )));
    }
    Ok(bytes)
}

/// Reads the key for `--hash-key` from a file. Line breaks at the end of the file are not part of
/// the key.
///
/// # Errors
///
/// Fails if the file is empty or can't be read.
pub(crate) fn read_key(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut key = Vec::new();
    // The limit is for devices, which might never end.
    Input::open(path)
        .and_then(|input| input.take(MOST).read_to_end(&mut key))
        .map_err(|error| anyhow!("{}: {}", path.display(), explain(&error)))?;
    while let Some(b'\n' | b'\r') = key.last() {
        key.pop();
    }
    if key.is_empty() {
        bail!("{}: the file contains no key; write one to it", path.display());
    }
    Ok(key)
}

/// An open input that the user named: a file, a pipe or a device. If the process receives a signal,
/// a blocked read fails.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) file: File,
    /// True if reads can block, because the input is not a regular file.
    waits: bool,
}

impl Input {
    /// Opens the file, pipe or device at `path` for reading.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::new(open_without_blocking(path)?)
    }

    /// Returns standard input as an input.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn stdin() -> io::Result<Self> {
        Self::new(platform::stdin()?)
    }

    fn new(file: File) -> io::Result<Self> {
        let waits = !is_regular_file(&file)?;
        Ok(Self { file, waits })
    }

    /// Wraps an open file that a directory listing reported as a regular file. Unlike the other
    /// constructors, doesn't check the kind of the file again.
    pub(crate) fn from_listed_file(file: File) -> Self {
        Self { file, waits: false }
    }

    /// Returns the size of the input in bytes, or `None` if the input is not a regular file.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn len(&self) -> io::Result<Option<u64>> {
        if self.waits { Ok(None) } else { self.file.metadata().map(|meta| Some(meta.len())) }
    }

    /// True if the path that was opened is a directory, which can't be read.
    pub(crate) fn is_directory(&self) -> bool {
        self.waits && self.file.metadata().is_ok_and(|meta| meta.is_dir())
    }

    /// True if reads can block, because the input is a pipe, device or directory and not a regular
    /// file.
    pub(crate) fn can_block(&self) -> bool {
        self.waits
    }

    /// Returns a detector of pauses in the input, or `None` for a regular file, whose reads never
    /// block.
    ///
    /// # Errors
    ///
    /// Fails if the process has no file descriptors left.
    pub(crate) fn pause_detector(&self) -> io::Result<Option<Pauses>> {
        self.waits.then(|| self.file.try_clone().map(Pauses)).transpose()
    }

    /// Waits until bytes can be read or the input ends. Fails if the process receives a signal.
    fn wait_until_readable(&self) -> io::Result<()> {
        let nap = Duration::from_millis(100);
        loop {
            if signals::must_stop() {
                return Err(error_with_message(
                    "interrupted by a signal before the end of the input".to_owned(),
                ));
            }
            match platform::wait_until_readable(&self.file, nap) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.waits {
                self.wait_until_readable()?;
            }
            match self.file.read(buffer) {
                // Another process has read the bytes meanwhile.
                Err(error) if self.waits && error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// A detector of pauses in an input, e.g. in a pipe whose writer has nothing to write for now.
#[derive(Debug)]
pub(crate) struct Pauses(File);

impl Pauses {
    /// Waits for input for up to `millis` milliseconds (at most 999). Returns true if the input
    /// pauses for this time: neither bytes nor the end of the input arrive.
    pub(crate) fn pauses_for_millis(&self, millis: u32) -> bool {
        let time = Duration::from_millis(millis.min(999).into());
        platform::wait_until_readable(&self.0, time).is_ok_and(|is_ready| !is_ready)
    }
}

/// Reads bytes at offset `at` of a regular file into `buffer`. Returns the number of bytes read,
/// which is 0 at the end of the file.
///
/// A few files of the system, e.g. in `/proc`, have no offsets and are read at their cursor. So read
/// each file in order, without gaps.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn read_in_order(mut file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    match platform::read_at(file, buffer, at) {
        Err(error) if error.kind() == io::ErrorKind::NotSeekable => file.read(buffer),
        read => read,
    }
}

/// The method to detect the end of a regular file while reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The file ends when a read returns 0 bytes.
    Nothing,
    /// The file ends when a read returns fewer bytes than requested. This saves every second read,
    /// which is a twentieth of the time on news spools.
    ///
    /// A failing medium also cuts reads short, but at a multiple of its block size. A read that
    /// ends at such a multiple is therefore repeated. The file must have been read from its start.
    Short,
}

/// The smallest block size of any medium, in bytes.
const BLOCK: usize = 512;

impl End {
    /// Returns the method to detect the end of the regular files in `directory`.
    pub(crate) fn for_directory(directory: &Path) -> Self {
        if platform::short_read_means_end(directory) { Self::Short } else { Self::Nothing }
    }

    /// True if the end of the file can be inferred from a read that returned `read` of `requested`
    /// bytes.
    fn is_end_after_short_read(self, read: usize, requested: usize) -> bool {
        self == Self::Short && read < requested && !read.is_multiple_of(BLOCK)
    }

    /// Fills `buffer` by calling `read`, until it contains `len` bytes or the file ends. Returns
    /// true if the file has ended.
    ///
    /// The buffer must be empty or contain the start of the file. `read` gets a slice to fill, and
    /// the offset in the file of the bytes to read.
    ///
    /// # Errors
    ///
    /// Returns any error of `read`. The bytes that were read before the error stay in the buffer.
    pub(crate) fn fill_buffer(
        self,
        buffer: &mut Buffer,
        len: usize,
        mut read: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
    ) -> io::Result<bool> {
        buffer.fill_with(
            len,
            |read, wanted| self.is_end_after_short_read(read, wanted),
            |free, at| read(free, at as u64),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, End};
    use std::io;

    #[cfg(unix)]
    #[test]
    fn file_without_offsets_is_read_at_its_cursor() {
        use std::io::Write as _;
        use std::os::fd::OwnedFd;
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"abcdef").unwrap();
        drop(writer);
        let file = std::fs::File::from(OwnedFd::from(reader));
        let mut bytes = [0; 4];
        for (at, expected) in [(0, &b"abcd"[..]), (4, b"ef"), (6, b"")] {
            let read = super::read_in_order(&file, &mut bytes, at).unwrap();
            assert_eq!(&bytes[..read], expected);
        }
    }

    #[test]
    fn short_read_shows_the_end_except_between_blocks() {
        let broken = io::ErrorKind::Other;
        for (end, len, asked, ended) in [
            (End::Short, 100, 1, Ok(true)),
            (End::Short, 513, 1, Ok(true)),
            (End::Short, 512, 2, Err(broken)),
            (End::Short, 2000, 1, Ok(false)),
            (End::Nothing, 100, 2, Err(broken)),
        ] {
            let mut buffer = Buffer::default();
            let mut times = 0_u64;
            let read = end.fill_buffer(&mut buffer, 2000, |free, at| {
                assert_eq!(at, times * len as u64);
                times += 1;
                free[..len].fill(b'x');
                if times == 1 { Ok(len) } else { Err(broken.into()) }
            });
            assert_eq!(read.map_err(|error| error.kind()), ended, "{end:?} {len}");
            assert_eq!((times, buffer.bytes().len()), (asked, len), "{end:?} {len}");
        }
    }
}
