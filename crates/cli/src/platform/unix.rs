//! Functions for Linux, macOS and other Unix systems.

use super::file_id::FileId;
use super::temporary::{parent_directory, temporary_name};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use signal_hook::consts::SIGXFSZ;
use signal_hook::iterator::Signals;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString, c_int};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, IsTerminal as _};
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::NamedTempFile;

/// The error message for a path that the operating system rejects.
pub(crate) const BAD_PATH: &str =
    "the path is too long for the system; run urlsift in a directory further down";

/// Returns the bytes of a path or argument, in the form in which they are printed.
pub(crate) fn bytes(text: &(impl AsRef<OsStr> + ?Sized)) -> Cow<'_, [u8]> {
    Cow::Borrowed(text.as_ref().as_bytes())
}

/// Converts a path to bytes, in the form in which they are printed.
pub(crate) fn into_bytes(path: PathBuf) -> Vec<u8> {
    path.into_os_string().into_vec()
}

/// Converts the printed bytes of a path back to the path. Reverses [`bytes`].
pub(crate) fn path(bytes: &[u8]) -> Cow<'_, Path> {
    Cow::Borrowed(Path::new(OsStr::from_bytes(bytes)))
}

/// Converts the printed bytes of a path or argument back to it. Reverses [`bytes`].
pub(crate) fn os_string(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// Returns the host name of this machine.
pub(crate) fn host_name() -> Vec<u8> {
    rustix::system::uname().nodename().to_bytes().to_vec()
}

/// Converts a path to the path part of a `file:` URI. Both are in the form in which [`bytes`]
/// returns paths.
pub(crate) fn uri_path(path: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(path)
}

/// Returns a path as text with `/` between its components, for output that other programs read.
pub(crate) fn slashed(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Returns the bytes of a path with `/` between its components.
pub(crate) fn slashed_bytes(path: &Path) -> Cow<'_, [u8]> {
    bytes(path)
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
pub(crate) fn open(path: &Path) -> io::Result<File> {
    // `File::open` is slower as soon as there are several threads.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = rustix::io::retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()))?;
    Ok(File::from(file))
}

/// Reads bytes at offset `at` of a file into `room`. Returns the number of bytes read, which is 0
/// at the end. Afterwards, the file's cursor is unspecified.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn read_at(file: &File, room: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(room, at)
}

/// True if an open file is a regular file, and not a directory, pipe or device.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn is_regular(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}

/// Returns the identity of the file at a path, given its metadata. Two paths with the same identity
/// refer to the same file.
pub(crate) fn id_at(_: &Path, meta: &Metadata) -> Option<FileId> {
    Some((meta.dev(), meta.ino()))
}

/// Returns the identity of an open file, or `None` if it is not a regular file.
pub(crate) fn id_of(file: &File) -> Option<FileId> {
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

/// Waits until a read of `file` would not block, for at most the duration `within`, which must be
/// less than a second. Returns false if the time has passed.
///
/// # Errors
///
/// Returns any error from the operating system, e.g. if a signal was received.
pub(crate) fn is_ready(file: &File, within: Duration) -> io::Result<bool> {
    let time = Timespec { tv_sec: 0, tv_nsec: within.subsec_nanos().into() };
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

/// Reads bytes at the cursor of a file, but only those that the system has cached in memory, so
/// that the read doesn't wait for the disk. Returns the number of bytes read.
///
/// # Errors
///
/// Fails with [`WouldBlock`](io::ErrorKind::WouldBlock) if none of the bytes are in memory, and
/// with [`Unsupported`](io::ErrorKind::Unsupported) if the system can't tell. Returns any other
/// error of the read.
pub(crate) fn read_cached(file: &File, room: &mut [u8]) -> io::Result<usize> {
    // This offset means that the cursor is used and moved.
    read_without_waiting(file, room, u64::MAX)
}

/// True if the system has cached the start of the file in memory, so that reading it doesn't wait
/// for the disk.
pub(crate) fn is_cached(file: &File) -> bool {
    read_without_waiting(file, &mut [0], 0).is_ok()
}

/// Reads bytes at offset `at` of a file, but only those that are cached in memory. Fails in the
/// same cases as [`read_cached`].
fn read_without_waiting(file: &File, room: &mut [u8], at: u64) -> io::Result<usize> {
    #[cfg(target_os = "linux")]
    {
        use rustix::io::{ReadWriteFlags, preadv2};
        let read = preadv2(file, &mut [io::IoSliceMut::new(room)], at, ReadWriteFlags::NOWAIT);
        read.map_err(|error| match error {
            Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL => io::ErrorKind::Unsupported.into(),
            error => error.into(),
        })
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, room, at);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Returns the maximum number of files that the process may have open, or `None` if there is no
/// limit.
pub(crate) fn max_open_files() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// True if the error says that the process has too many files open.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::MFILE.raw_os_error())
}

/// Returns standard input as a file. Unlike [`io::stdin`], it has no buffer, into which all bytes
/// would be copied once more.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// True if a command without paths should read standard input: it is a pipe, a file or a device.
/// False for a terminal or a directory.
///
/// Programs that run without a user often have the device `/dev/null` as standard input.
pub(crate) fn stdin_is_input() -> bool {
    // Check the file descriptor: a minimal container has neither /dev/stdin nor /proc.
    !io::stdin().is_terminal()
        && rustix::fs::fstat(io::stdin())
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) != FileType::Directory)
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
pub(crate) fn stdout_id() -> Option<FileId> {
    id_of(&stdout().ok()?)
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
pub(crate) fn survive_large_files() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// Returns a duplicate of the file descriptor of standard output, so that it can be written to
/// directly.
///
/// # Errors
///
/// Fails if standard output is closed.
pub(crate) fn stdout_file() -> io::Result<File> {
    stdout()
}

/// Returns a duplicate of the file descriptor of standard error, so that it can be written to
/// directly.
///
/// # Errors
///
/// Fails if standard error is closed.
pub(crate) fn stderr_file() -> io::Result<File> {
    Ok(File::from(io::stderr().as_fd().try_clone_to_owned()?))
}

/// Returns the open file to which a path such as `/dev/stdout`, `/dev/fd/3` or `/proc/self/fd/3`
/// refers. Returns `None` for all other paths.
///
/// Opening such a path by name would write from the start of the file, and overwrite the output of
/// other programs.
pub(crate) fn opened_descriptor(path: &Path) -> Option<io::Result<File>> {
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
        1 => stdout_file(),
        2 => stderr_file(),
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
    fs::OpenOptions::new().append(true).open(format!("/dev/fd/{number}"))
}

/// Opens a directory, so that it can be passed to [`sync_directory`].
///
/// # Errors
///
/// Returns any error from the operating system.
#[cfg(feature = "parquet")]
pub(crate) fn open_directory(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Flushes the entries of an open directory to disk, so that renamed files keep their new names
/// after a crash.
///
/// # Errors
///
/// Returns any error from the operating system.
#[cfg(feature = "parquet")]
pub(crate) fn sync_directory(directory: &File) -> io::Result<()> {
    directory.sync_all()
}

/// Opens a file for locking a directory. A process that locks this file uses the directory
/// exclusively.
///
/// # Errors
///
/// Returns any error from the operating system.
#[cfg(feature = "parquet")]
pub(crate) fn open_lock(directory: &Path) -> io::Result<File> {
    open_directory(directory)
}

/// Changes the owner of the file `to` to the owner in the metadata `from`. `made` is the current
/// metadata of `to`.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn keep_owner(from: &Metadata, to: &File, made: &Metadata) -> io::Result<()> {
    if (made.uid(), made.gid()) == (from.uid(), from.gid()) {
        return Ok(());
    }
    std::os::unix::fs::fchown(to, Some(from.uid()), Some(from.gid()))
}

/// Copies the extended attributes of the file `from` to the file `to`, and removes all others from
/// `to`. They include access control lists.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn keep_attributes(from: &File, to: &File) -> io::Result<()> {
    let (kept, made) = (attribute_names(from)?, attribute_names(to)?);
    for name in made.iter().filter(|name| !kept.contains(name)) {
        rustix::fs::fremovexattr(to, name.as_slice())?;
    }
    for name in &kept {
        let (old, new) =
            (attribute_value(from, name)?, attribute_value(to, name).unwrap_or_default());
        if old != new || !made.contains(name) {
            rustix::fs::fsetxattr(to, name.as_slice(), &old, rustix::fs::XattrFlags::empty())?;
        }
    }
    Ok(())
}

/// Returns the names of a file's extended attributes. Empty if the file system doesn't support
/// them.
fn attribute_names(file: &File) -> io::Result<Vec<Vec<u8>>> {
    let mut names = vec![0; 64 << 10];
    match rustix::fs::flistxattr(file, names.as_mut_slice()) {
        Ok(len) => {
            let names = names[..len].split(|&b| b == 0).filter(|name| !name.is_empty());
            Ok(names.map(<[u8]>::to_vec).collect())
        }
        Err(Errno::NOTSUP) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the value of the extended attribute `name` of a file.
fn attribute_value(file: &File, name: &[u8]) -> io::Result<Vec<u8>> {
    let mut value = vec![0; 64 << 10];
    let len = rustix::fs::fgetxattr(file, name, value.as_mut_slice())?;
    value.truncate(len);
    Ok(value)
}

/// A new file that will replace another file in the same directory. Until it is complete, it has no
/// name, or a temporary name on file systems that require one.
pub(crate) enum Temporary {
    /// A file without a name, and the directory that it will be in.
    Unnamed(File, PathBuf),
    /// A file with a temporary name.
    Named(NamedTempFile),
}

impl Temporary {
    /// Creates a file in the directory of `target`, which it will replace. It gets the permissions
    /// of `old`, the metadata of the existing file, or the default permissions.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn create(target: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let mode = old.map_or(0o666, |meta| meta.permissions().mode() & 0o777);
        let directory = parent_directory(target);
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        if let Ok(file) = rustix::fs::open(directory, flags, Mode::from_raw_mode(mode)) {
            let file = File::from(file);
            // Without /proc, the file could not get a name later.
            if fs::metadata(own_path(&file)).is_ok() {
                return Ok(Self::Unnamed(file, directory.to_owned()));
            }
        }
        let (prefix, suffix) = temporary_name(target);
        let mut builder = tempfile::Builder::new();
        // The file is opened here, because errors of `tempfile_in` show the temporary name.
        let create = |path: &Path| {
            OpenOptions::new().read(true).write(true).create_new(true).mode(mode).open(path)
        };
        builder.prefix(&prefix).suffix(suffix).make_in(directory, create).map(Self::Named)
    }

    /// Returns the open file, for writing its contents.
    pub(crate) fn file(&self) -> &File {
        match self {
            Self::Unnamed(file, _) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// Gives the file its final name, `target`, and thus replaces any existing file of that name.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn rename_to(self, target: &Path) -> io::Result<()> {
        match self {
            Self::Named(file) => file.persist(target).map(drop).map_err(|error| error.error),
            Self::Unnamed(file, directory) => {
                // No system call replaces an existing file with a file that has no name, so it
                // first gets a temporary name.
                let opened = own_path(&file);
                let (prefix, suffix) = temporary_name(target);
                let linked = tempfile::Builder::new().prefix(&prefix).suffix(suffix).make_in(
                    &directory,
                    |path| {
                        let follow = AtFlags::SYMLINK_FOLLOW;
                        Ok(rustix::fs::linkat(CWD, &opened, CWD, path, follow)?)
                    },
                )?;
                linked.into_temp_path().persist(target).map_err(|error| error.error)
            }
        }
    }
}

/// Returns the path in /proc that refers to an open file.
fn own_path(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Opens the controlling terminal of the process, even if standard input and output are redirected.
/// Returns `None` if there is no terminal, or if `$TERM` says that it can't move its cursor.
#[cfg(feature = "pick")]
pub(crate) fn terminal() -> Option<File> {
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
pub(crate) fn detach(command: &mut std::process::Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(test)]
mod tests {
    use super::{attribute_value, short_read_means_end};
    use crate::io::inputs::Inputs;
    use crate::io::replace::replace;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    #[cfg(target_os = "linux")]
    fn proc_does_not_read_whole() {
        assert!(!short_read_means_end("/proc/self".as_ref()));
        assert!(!short_read_means_end("/none".as_ref()));
    }

    #[test]
    fn mode_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&file, b"old", b"new", &Inputs::default()).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    #[expect(clippy::print_stdout, reason = "skipped checks are reported")]
    fn attributes_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "old").unwrap();
        let file = fs::File::open(&path).unwrap();
        let flags = rustix::fs::XattrFlags::empty();
        if let Err(error) = rustix::fs::fsetxattr(&file, "user.mime_type", b"text/plain", flags) {
            println!("skipped: no extended attributes here: {error}");
            return;
        }
        // This also lets user 1 read and write, which the mode shows as permissions of the group.
        let acl = [
            &2_u32.to_le_bytes()[..],
            b"\x01\0\x06\0\xff\xff\xff\xff\x02\0\x06\0\x01\0\0\0\x04\0\0\0\xff\xff\xff\xff",
            b"\x10\0\x06\0\xff\xff\xff\xff\x20\0\x04\0\xff\xff\xff\xff",
        ]
        .concat();
        let set = rustix::fs::fsetxattr(&file, "system.posix_acl_access", &acl, flags);
        if let Err(error) = set {
            println!("access lists skipped: not supported here: {error}");
        }
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        replace(&path, b"old", b"new", &Inputs::default()).unwrap();
        let file = fs::File::open(&path).unwrap();
        assert_eq!(attribute_value(&file, b"user.mime_type").unwrap(), b"text/plain");
        if set.is_ok() {
            assert_eq!(attribute_value(&file, b"system.posix_acl_access").unwrap(), acl);
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode(), mode);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn target_of_link_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("a"), dir.path().join("l"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("a", &link).unwrap();
        replace(&link, b"old", b"new", &Inputs::default()).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }
}
