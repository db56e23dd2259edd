//! Functions for Linux, macOS and other Unix systems.

mod new_file;

pub(crate) use self::new_file::{Temporary, copy_extended_attributes, copy_owner};

use super::file_id::FileId;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use signal_hook::consts::SIGXFSZ;
use signal_hook::iterator::Signals;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString, c_int};
use std::fs::{DirEntry, File, Metadata};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{DirEntryExt as _, FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The error message for a path that the operating system rejects.
pub(crate) const BAD_PATH: &str =
    "the path is too long for the system; run urlsift in a directory further down";

/// Returns the bytes of a path or argument, in the form in which they are printed.
pub(crate) fn printed_bytes(text: &(impl AsRef<OsStr> + ?Sized)) -> Cow<'_, [u8]> {
    Cow::Borrowed(text.as_ref().as_bytes())
}

/// Converts a path to bytes, in the form in which they are printed.
pub(crate) fn into_printed_bytes(path: PathBuf) -> Vec<u8> {
    path.into_os_string().into_vec()
}

/// Converts the printed bytes of a path back to the path. Reverses [`printed_bytes`].
pub(crate) fn path_from_printed(bytes: &[u8]) -> Cow<'_, Path> {
    Cow::Borrowed(Path::new(OsStr::from_bytes(bytes)))
}

/// Converts the printed bytes of a path or argument back to an [`OsString`]. Reverses
/// [`printed_bytes`].
pub(crate) fn os_string_from_printed(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// Returns the host name of this machine.
pub(crate) fn host_name() -> Vec<u8> {
    rustix::system::uname().nodename().to_bytes().to_vec()
}

/// Converts a path to the path part of a `file:` URI. Both are in the form in which
/// [`printed_bytes`] returns paths.
pub(crate) fn uri_path(path: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(path)
}

/// Returns a path as text with `/` between its components, for output that other programs read.
pub(crate) fn with_slashes(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Returns the bytes of a path with `/` between its components.
pub(crate) fn bytes_with_slashes(path: &Path) -> Cow<'_, [u8]> {
    printed_bytes(path)
}

/// Returns the absolute path of the directory `path`, with symbolic links resolved.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn full_path(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// Opens a file for reading. Opening and reading don't block, even if the file is a pipe or device.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn open_without_blocking(path: &Path) -> io::Result<File> {
    open_at(rustix::fs::CWD, path.as_os_str().as_bytes())
}

/// Opens a file of `directory` for reading, like [`open_without_blocking`].
fn open_at(directory: impl AsFd, path: &[u8]) -> io::Result<File> {
    // `File::open` is slower as soon as there are several threads.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let directory = directory.as_fd();
    let open = || rustix::fs::openat(directory, path, flags, Mode::empty());
    Ok(File::from(rustix::io::retry_on_intr(open)?))
}

/// Opens one file after the other. Keeps the directory of the last file open, so that the system
/// doesn't look up the whole path of the next file again.
#[derive(Debug, Default)]
pub(crate) struct FileOpener {
    /// The path of the last file's directory, up to and including the slash.
    parent: Vec<u8>,
    /// The descriptor of that directory. `None` until a second file in a row is opened in it, or if
    /// the directory can't be opened.
    directory: Option<OwnedFd>,
}

impl FileOpener {
    /// Opens a file like [`open_without_blocking`].
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn open(&mut self, path: &Path) -> io::Result<File> {
        let bytes = path.as_os_str().as_bytes();
        let name_start = memchr::memrchr(b'/', bytes).map_or(0, |slash| slash + 1);
        let (parent, name) = bytes.split_at(name_start);
        if parent.is_empty() {
            return open_without_blocking(path);
        }
        if parent != self.parent {
            self.directory = None;
            self.parent.clear();
            self.parent.extend_from_slice(parent);
            return open_without_blocking(path);
        }
        if self.directory.is_none() {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            self.directory = rustix::fs::open(parent, flags, Mode::empty()).ok();
        }
        match &self.directory {
            Some(directory) => open_at(directory, name),
            None => open_without_blocking(path),
        }
    }
}

/// Reads bytes at offset `at` of a file into `buffer`. Returns the number of bytes read, which is 0
/// at the end of the file. May move the file's cursor: Windows does, Unix does not.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(buffer, at)
}

/// True if an open file is a regular file, and not a directory, pipe or device.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn is_regular_file(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}

/// Returns the inode number that the directory lists for `entry`. Returns `None` on systems whose
/// directories don't list it. The number may be wrong on some file systems, such as overlays, and if
/// another file is mounted there.
pub(crate) fn listed_file_number(entry: &DirEntry) -> Option<u64> {
    Some(entry.ino())
}

/// True if one of the files in `ids` may be mounted on another file, i.e. appears in its place. The
/// directory then still lists the inode number of the file that is hidden.
pub(crate) fn may_be_mounted(ids: &[FileId]) -> bool {
    if ids.is_empty() {
        return false;
    }
    #[cfg(target_os = "linux")]
    {
        let Ok(mounts) = std::fs::read("/proc/self/mountinfo") else { return true };
        mounts.split(|byte| *byte == b'\n').any(|mount| {
            // The third field is the device, and the fifth one the path (proc_pid_mountinfo(5)).
            let mut fields = mount.split(|byte| *byte == b' ').skip(2);
            let device = fields.next().and_then(parse_device);
            // Files on other devices are not checked, because such a device may not respond.
            let path = fields.nth(1).filter(|_| ids.iter().any(|(own, _)| device == Some(*own)));
            path.is_some_and(|path| {
                let path = PathBuf::from(OsString::from_vec(decode_octal_escapes(path)));
                let meta = std::fs::symlink_metadata(path).ok();
                meta.is_some_and(|meta| meta.is_file() && ids.contains(&(meta.dev(), meta.ino())))
            })
        })
    }
    #[cfg(not(target_os = "linux"))]
    true
}

/// Parses the numbers of a device, such as `8:1`.
#[cfg(target_os = "linux")]
fn parse_device(field: &[u8]) -> Option<u64> {
    let (major, minor) = std::str::from_utf8(field).ok()?.split_once(':')?;
    Some(rustix::fs::makedev(major.parse().ok()?, minor.parse().ok()?))
}

/// Decodes the escapes of blanks and backslashes, such as `\040`, in a list of mounts.
#[cfg(target_os = "linux")]
fn decode_octal_escapes(path: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path;
    while let [first, after @ ..] = rest {
        let code = after.get(..3).filter(|_| *first == b'\\');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 8).ok());
        decoded.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    decoded
}

/// Returns the identity of a file, from the file's metadata `meta`. Two paths with the same
/// identity refer to the same file. Never returns `None` on Unix.
pub(crate) fn file_id_at(_: &Path, meta: &Metadata) -> Option<FileId> {
    Some((meta.dev(), meta.ino()))
}

/// Returns the identity of an open file, or `None` if it is not a regular file.
pub(crate) fn file_id_of(file: &File) -> Option<FileId> {
    let meta = file.metadata().ok().filter(Metadata::is_file)?;
    Some((meta.dev(), meta.ino()))
}

/// Returns the number of hard links to the file with the metadata `meta`.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn link_count(_: &Path, meta: &Metadata) -> io::Result<u64> {
    Ok(meta.nlink())
}

/// Waits until a read of `file` would not block, for at most the duration `timeout`, which must be
/// less than a second. Returns false if the time has passed.
///
/// # Errors
///
/// Returns any error from the operating system, e.g. if a signal was received.
pub(crate) fn wait_until_readable(file: &File, timeout: Duration) -> io::Result<bool> {
    let time = Timespec { tv_sec: 0, tv_nsec: timeout.subsec_nanos().into() };
    Ok(poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&time))? > 0)
}

/// True if a read that returns fewer bytes than requested proves the end of the file, for regular
/// files in `directory`. This holds on most file systems, but not on `/proc`.
pub(crate) fn short_read_means_end(directory: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        // The numbers of ext2 to ext4, XFS, Btrfs, tmpfs and F2FS in statfs(2). These file systems
        // keep files in the page cache.
        const KNOWN: [u64; 5] = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010];
        let kind = rustix::fs::statfs(directory).ok().and_then(|s| s.f_type.try_into().ok());
        kind.is_some_and(|kind: u64| KNOWN.contains(&kind))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = directory;
        false
    }
}

/// Asks the system to load the first `len` bytes of a file into memory, because they will be read
/// soon. Does nothing on systems other than Linux.
pub(crate) fn request_read_ahead(file: &File, len: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Advice, fadvise};
        let _ = fadvise(file, 0, std::num::NonZero::new(len as u64), Advice::WillNeed);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, len);
}

/// True if the system has cached the start of the file in memory, so that reading it doesn't wait
/// for the disk.
pub(crate) fn is_start_cached(file: &File) -> bool {
    read_at_if_cached(file, &mut [0], 0).is_ok()
}

/// Reads bytes at offset `at` of a file into `buffer`, but only those that the system has cached in
/// memory, so that the read doesn't wait for the disk. Returns the number of bytes read.
///
/// # Errors
///
/// Fails with [`WouldBlock`](io::ErrorKind::WouldBlock) if none of the bytes are in memory, and
/// with [`Unsupported`](io::ErrorKind::Unsupported) if the system can't say which bytes are in
/// memory. Returns any other error of the read.
pub(crate) fn read_at_if_cached(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    #[cfg(target_os = "linux")]
    {
        use rustix::io::{ReadWriteFlags, preadv2};
        let read = preadv2(file, &mut [io::IoSliceMut::new(buffer)], at, ReadWriteFlags::NOWAIT);
        read.map_err(|error| match error {
            Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL => io::ErrorKind::Unsupported.into(),
            error => error.into(),
        })
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, buffer, at);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Returns the maximum number of files that the process may have open, or `None` if there is no
/// limit.
pub(crate) fn max_open_files() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// True if the error says that the process has too many files open.
pub(crate) fn is_too_many_open_files(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::MFILE.raw_os_error())
}

/// Returns standard input as a file. Unlike [`io::stdin`], the file has no buffer, which would copy
/// all bytes once more.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// True if a command without paths should read standard input: it is a pipe, a socket, a file or a
/// block device. False for a directory and for a character device, such as a terminal.
///
/// Programs that run without a user often have the character device `/dev/null` as standard input.
/// Rust's runtime also opens it in place of a closed descriptor.
pub(crate) fn should_read_stdin() -> bool {
    // Check the file descriptor: a minimal container has neither /dev/stdin nor /proc.
    rustix::fs::fstat(io::stdin()).is_ok_and(|stat| {
        let kind = FileType::from_raw_mode(stat.st_mode);
        !matches!(kind, FileType::Directory | FileType::CharacterDevice)
    })
}

/// Returns standard output as a file. Unlike [`io::stdout`], it doesn't search the output for line
/// breaks to flush after each line.
///
/// # Errors
///
/// Fails if the process has no file descriptors left.
pub(crate) fn stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Returns the identity of the file that standard output is redirected to, or `None` if standard
/// output is not a regular file.
pub(crate) fn stdout_file_id() -> Option<FileId> {
    file_id_of(&stdout().ok()?)
}

/// Returns a function that waits for one of `signals` and returns the number of the signal that the
/// process received.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn signal_waiter(
    signals: [c_int; 2],
) -> io::Result<impl FnOnce() -> Option<c_int> + Send> {
    let mut signals = Signals::new(signals)?;
    Ok(move || signals.forever().next())
}

/// Makes a write fail if it exceeds the limit on the size of files. By default, the system would
/// end the process with the signal SIGXFSZ.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn ignore_file_size_signal() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// Returns a duplicate of the file descriptor of standard output, so that it can be written to
/// directly.
///
/// # Errors
///
/// Fails if standard output is closed.
pub(crate) fn duplicate_stdout() -> io::Result<File> {
    stdout()
}

/// Returns a duplicate of the file descriptor of standard error, so that it can be written to
/// directly.
///
/// # Errors
///
/// Fails if standard error is closed.
pub(crate) fn duplicate_stderr() -> io::Result<File> {
    Ok(File::from(io::stderr().as_fd().try_clone_to_owned()?))
}

/// Returns the open file to which a path such as `/dev/stdout`, `/dev/fd/3` or `/proc/self/fd/3`
/// refers. Returns `None` for all other paths.
///
/// Opening such a path by name would write from the start of the file, and overwrite the output of
/// other programs.
pub(crate) fn file_of_descriptor_path(path: &Path) -> Option<io::Result<File>> {
    let path = path.as_os_str().as_bytes();
    let number = match path {
        b"/dev/stdin" => 0,
        b"/dev/stdout" => 1,
        b"/dev/stderr" => 2,
        _ => {
            let of_process = |pid: &str| path.strip_prefix(format!("/proc/{pid}/fd/").as_bytes());
            let own = std::process::id().to_string();
            let number = path.strip_prefix(b"/dev/fd/");
            let number =
                number.or_else(|| of_process("self")).or_else(|| of_process("thread-self"));
            let number = number.or_else(|| of_process(&own));
            str::from_utf8(number?).ok()?.parse().ok()?
        }
    };
    Some(match number {
        0 => stdin(),
        1 => duplicate_stdout(),
        2 => duplicate_stderr(),
        _ => duplicate_descriptor(number),
    })
}

/// Returns a duplicate of the file descriptor `number`, which the process got from its parent.
fn duplicate_descriptor(number: i32) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
        let process = pidfd_open(getpid(), PidfdFlags::empty())?;
        Ok(File::from(pidfd_getfd(&process, number, PidfdGetfdFlags::empty())?))
    }
    // On other systems, opening the path duplicates the file descriptor.
    #[cfg(not(target_os = "linux"))]
    std::fs::OpenOptions::new().append(true).open(format!("/dev/fd/{number}"))
}

/// Opens a directory, so that it can be passed to [`sync_directory`].
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn open_directory(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Flushes the entries of an open directory to disk, so that renamed files keep their new names
/// after a crash.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn sync_directory(directory: &File) -> io::Result<()> {
    directory.sync_all()
}

/// Opens a file for locking a directory. A process that locks this file uses the directory
/// exclusively.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn open_lock_file(directory: &Path) -> io::Result<File> {
    open_directory(directory)
}

/// Opens the controlling terminal of the process, even if standard input and output are redirected.
/// Returns `None` if there is no terminal, or if `$TERM` says that it can't move its cursor.
#[cfg(feature = "pick")]
pub(crate) fn open_usable_terminal() -> Option<File> {
    let term = std::env::var_os("TERM").unwrap_or_default();
    if term.is_empty() || term == "dumb" { None } else { open_terminal().ok() }
}

/// Opens the controlling terminal of the process for reading and writing.
///
/// # Errors
///
/// Fails if there is no controlling terminal.
#[cfg(feature = "pick")]
pub(crate) fn open_terminal() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/tty")
}

/// The separator between the commands in `$BROWSER`.
#[cfg(feature = "pick")]
pub(crate) const LIST_SEPARATOR: u8 = b':';

/// The system's command to open a URL. The URL is appended as the last argument.
#[cfg(feature = "pick")]
pub(crate) const OPENER: &[&str] =
    if cfg!(target_os = "macos") { &["open"] } else { &["xdg-open"] };

/// Prevents a Ctrl-C that the user types in this program from also reaching the background program
/// that `command` starts.
#[cfg(feature = "pick")]
pub(crate) fn shield_from_ctrl_c(command: &mut std::process::Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn proc_does_not_read_whole() {
        use super::short_read_means_end;
        assert!(!short_read_means_end("/proc/self".as_ref()));
        assert!(!short_read_means_end("/none".as_ref()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn lists_of_mounts_are_parsed() {
        use super::{decode_octal_escapes, may_be_mounted, parse_device};
        assert_eq!(decode_octal_escapes(b"/a\\040b\\134\\9"), b"/a b\\\\9");
        assert_eq!(parse_device(b"8:1"), Some(rustix::fs::makedev(8, 1)));
        assert_eq!(parse_device(b"8"), None);
        assert!(!may_be_mounted(&[]));
    }
}
