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

/// Returns the bytes of a path or argument, as they are printed.
pub(crate) fn bytes(text: &(impl AsRef<OsStr> + ?Sized)) -> Cow<'_, [u8]> {
    Cow::Borrowed(text.as_ref().as_bytes())
}

/// Converts a path to its bytes, as they are printed.
pub(crate) fn into_bytes(path: PathBuf) -> Vec<u8> {
    path.into_os_string().into_vec()
}

/// Converts bytes that were printed for a path back to the path.
pub(crate) fn path(bytes: &[u8]) -> Cow<'_, Path> {
    Cow::Borrowed(Path::new(OsStr::from_bytes(bytes)))
}

/// Converts bytes that were printed for a path or argument back to it.
pub(crate) fn os_string(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// Returns the host name of the machine.
pub(crate) fn host_name() -> Vec<u8> {
    rustix::system::uname().nodename().to_bytes().to_vec()
}

/// Returns the path of a file URI for a path, both in printed bytes.
pub(crate) fn uri_path(path: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(path)
}

/// Returns a path with `/` as the separator, for output that other programs read.
pub(crate) fn slashed(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Returns the bytes of a path with `/` as the separator.
pub(crate) fn slashed_bytes(path: &Path) -> Cow<'_, [u8]> {
    bytes(path)
}

/// Returns the absolute path of a directory, in the same form as [`std::path::absolute`].
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn full_path(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// Opens a file for reading. Does not block, even on a pipe or device.
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

/// Reads bytes at offset `at` of a file into `room`, and returns their number. The cursor of the
/// file is unspecified afterwards.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn read_at(file: &File, room: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(room, at)
}

/// True if a file is a regular file, i.e. not a directory, pipe or device.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn is_regular(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.is_file())
}

/// Returns the identity of the file at a path with this metadata.
pub(crate) fn id_at(_: &Path, meta: &Metadata) -> Option<FileId> {
    Some((meta.dev(), meta.ino()))
}

/// Returns the identity of an open file, or `None` if it is not a regular file.
pub(crate) fn id_of(file: &File) -> Option<FileId> {
    let meta = file.metadata().ok().filter(Metadata::is_file)?;
    Some((meta.dev(), meta.ino()))
}

/// Returns the number of hard links to a file.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn link_count(_: &Path, meta: &Metadata) -> io::Result<u64> {
    Ok(meta.nlink())
}

/// Waits until there are bytes to read or the input has ended, for at most the time `within`, which
/// is less than a second. Returns true if one of these is the case.
///
/// # Errors
///
/// Returns any error from the operating system, e.g. if a signal was received.
pub(crate) fn is_ready(file: &File, within: Duration) -> io::Result<bool> {
    let time = Timespec { tv_sec: 0, tv_nsec: within.subsec_nanos().into() };
    Ok(poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&time))? > 0)
}

/// True if reads of regular files in a directory return fewer bytes than requested only at the end
/// of the file. This is so on most file systems, but not on `/proc`.
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

/// Asks the system to load the first `len` bytes of a file, because they will be read soon. Does
/// nothing on systems other than Linux.
pub(crate) fn request_read_ahead(file: &File, len: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Advice, fadvise};
        let _ = fadvise(file, 0, std::num::NonZero::new(len as u64), Advice::WillNeed);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, len);
}

/// Reads bytes from the cursor of a file that the system has in memory, without waiting for the
/// disk. May return fewer bytes than the file contains.
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

/// True if the start of a file is in memory, so that reading it needs no disk access.
pub(crate) fn is_cached(file: &File) -> bool {
    read_without_waiting(file, &mut [0], 0).is_ok()
}

/// Reads bytes at offset `at` if they are in memory. Fails as [`read_cached`] does.
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

/// Returns the maximum number of open files, or `None` if there is no limit.
pub(crate) fn max_open_files() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// True if an error occurred because too many files are open.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::MFILE.raw_os_error())
}

/// Returns standard input without the buffer of the standard library, which would copy all bytes
/// once more.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// True if standard input should be read by default: it is a pipe, a file, or a device other than a
/// terminal. Programs that run without a user often have `/dev/null`. False for a terminal or
/// directory.
pub(crate) fn stdin_is_input() -> bool {
    // Check the file descriptor: a minimal container has neither /dev/stdin nor /proc.
    !io::stdin().is_terminal()
        && rustix::fs::fstat(io::stdin())
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) != FileType::Directory)
}

/// Returns standard output without the line buffering of the standard library, which would search
/// all output for line breaks.
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

/// Returns a function that blocks until one of `signals` is received and returns its number.
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

/// Makes writes beyond the file size limit fail. Otherwise the signal SIGXFSZ would end the
/// process.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn survive_large_files() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// Returns a duplicate of the file descriptor of standard output.
///
/// # Errors
///
/// Fails if standard output is closed.
pub(crate) fn stdout_file() -> io::Result<File> {
    stdout()
}

/// Returns a duplicate of the file descriptor of standard error.
///
/// # Errors
///
/// Fails if standard error is closed.
pub(crate) fn stderr_file() -> io::Result<File> {
    Ok(File::from(io::stderr().as_fd().try_clone_to_owned()?))
}

/// Returns the open file that a path such as `/dev/stdout`, `/dev/fd/3` or `/proc/self/fd/3` refers
/// to, or `None` for other paths. Opening such a path instead would start at the beginning of the
/// file and overwrite the output of other programs.
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

/// Returns a duplicate of a file descriptor that the process was started with.
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

/// Opens a directory, to pass it to [`sync_directory`].
///
/// # Errors
///
/// Returns any error from the operating system.
#[cfg(feature = "parquet")]
pub(crate) fn open_directory(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Flushes the entries of a directory to disk.
///
/// # Errors
///
/// Returns any error from the operating system.
#[cfg(feature = "parquet")]
pub(crate) fn sync_directory(directory: &File) -> io::Result<()> {
    directory.sync_all()
}

/// Opens the file that a process locks to use a directory exclusively.
///
/// # Errors
///
/// Returns any error from the operating system.
#[cfg(feature = "parquet")]
pub(crate) fn open_lock(directory: &Path) -> io::Result<File> {
    open_directory(directory)
}

/// Sets the owner of `to` to the owner in the metadata `from`. `made` is the metadata of `to`.
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

/// Gives `to` exactly the extended attributes of `from`, which include access lists.
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

/// Returns the names of the extended attributes of a file. Empty if the file system doesn't support
/// extended attributes.
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

/// Returns the value of an extended attribute.
fn attribute_value(file: &File, name: &[u8]) -> io::Result<Vec<u8>> {
    let mut value = vec![0; 64 << 10];
    let len = rustix::fs::fgetxattr(file, name, value.as_mut_slice())?;
    value.truncate(len);
    Ok(value)
}

/// A new file in the same directory as the file that it will replace. Until it is complete, it has
/// no name if the file system supports that, otherwise a temporary name.
pub(crate) enum Temporary {
    /// A file without a name, and the directory that it will be in.
    Unnamed(File, PathBuf),
    /// A file with a temporary name.
    Named(NamedTempFile),
}

impl Temporary {
    /// Creates a file that will replace `target`. It gets the permissions in the metadata `old`, or
    /// the default permissions.
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

    /// Returns the open file, to write to it.
    pub(crate) fn file(&self) -> &File {
        match self {
            Self::Unnamed(file, _) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// Renames the file to `target`. An existing file of that name is replaced.
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

/// Returns the path of an open file in /proc.
fn own_path(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Opens the controlling terminal, even if standard input and output are redirected. Returns `None`
/// if there is none, or if its cursor can't be moved.
#[cfg(feature = "pick")]
pub(crate) fn terminal() -> Option<File> {
    let term = std::env::var_os("TERM").unwrap_or_default();
    if term.is_empty() || term == "dumb" { None } else { open_terminal().ok() }
}

/// Opens the controlling terminal for reading and writing.
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

/// Prevents a background program from receiving the Ctrl-C that the user types in this program.
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
