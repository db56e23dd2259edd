//! Functions for Windows. Paths are printed as UTF-8, with U+FFFD for invalid code units. A path
//! that was printed with U+FFFD can't be opened.

use super::file_id::FileId;
use super::temporary::{parent_directory, temporary_name_affixes};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString, c_int};
use std::fs::{DirEntry, File, Metadata, OpenOptions};
use std::io::{self, IsTerminal as _, Write};
use std::os::windows::fs::{FileExt as _, OpenOptionsExt as _};
use std::os::windows::io::AsHandle as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::NamedTempFile;
use winapi_util::HandleRef;
use winapi_util::file::{information, typ};

pub(crate) const BAD_PATH: &str =
    "the path is not valid; check it, and use `-g *.txt` to select files by name";

pub(crate) fn printed_bytes(text: &(impl AsRef<OsStr> + ?Sized)) -> Cow<'_, [u8]> {
    match text.as_ref().to_string_lossy() {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

pub(crate) fn into_printed_bytes(path: PathBuf) -> Vec<u8> {
    match path.into_os_string().into_string() {
        Ok(text) => text.into_bytes(),
        Err(other) => printed_bytes(&other).into_owned(),
    }
}

pub(crate) fn path_from_printed(bytes: &[u8]) -> Cow<'_, Path> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => Cow::Borrowed(Path::new(text)),
        Cow::Owned(text) => Cow::Owned(text.into()),
    }
}

pub(crate) fn os_string_from_printed(bytes: Vec<u8>) -> OsString {
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned().into(),
    }
}

/// Returns the host name of this machine, or an empty name if it is unknown.
pub(crate) fn host_name() -> Vec<u8> {
    std::env::var_os("COMPUTERNAME").map_or_else(Vec::new, |name| printed_bytes(&name).into_owned())
}

pub(crate) fn uri_path(path: &[u8]) -> Cow<'_, [u8]> {
    let has_drive =
        matches!(path, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let before: &[u8] = if has_drive { b"/" } else { b"" };
    let slashed = path.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte });
    before.iter().copied().chain(slashed).collect()
}

pub(crate) fn with_slashes(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy().replace('\\', "/").into()
}

pub(crate) fn bytes_with_slashes(path: &Path) -> Cow<'_, [u8]> {
    Cow::Owned(with_slashes(path).into_owned().into_bytes())
}

/// Returns the absolute path of the directory `path`. Doesn't use [`Path::canonicalize`], which
/// returns a path of the form `\\?\C:\`.
pub(crate) fn full_path(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path)
}

pub(crate) fn open_without_blocking(path: &Path) -> io::Result<File> {
    // The standard library opens files so that others can still rename or remove them.
    File::open(path).map_err(|error| {
        let is_directory = error.kind() == io::ErrorKind::PermissionDenied && path.is_dir();
        if is_directory { io::ErrorKind::IsADirectory.into() } else { error }
    })
}

#[derive(Debug, Default)]
pub(crate) struct FileOpener;

impl FileOpener {
    #[expect(clippy::unused_self, reason = "on Unix, the last directory is kept open")]
    pub(crate) fn open(&mut self, path: &Path) -> io::Result<File> {
        open_without_blocking(path)
    }
}

pub(crate) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek_read(buffer, at)
}

/// True if an open file is a regular file. A file without metadata counts as a pipe, e.g. a file
/// that a program of another subsystem has opened.
pub(crate) fn is_regular_file(file: &File) -> io::Result<bool> {
    Ok(typ(file)?.is_disk() && file.metadata().is_ok_and(|meta| meta.is_file()))
}

/// Always returns true. The result doesn't matter, because directories on Windows list no inode
/// numbers.
pub(crate) fn may_be_mounted(_: &[FileId]) -> bool {
    true
}

pub(crate) fn listed_file_number(_: &DirEntry) -> Option<u64> {
    None
}

pub(crate) fn file_id_at(path: &Path, _: &Metadata) -> Option<FileId> {
    id(&open_unread(path).ok()?)
}

pub(crate) fn file_id_of(file: &File) -> Option<FileId> {
    if is_regular_file(file).ok()? { id(file) } else { None }
}

fn id(file: &File) -> Option<FileId> {
    let information = information(file).ok()?;
    Some((information.volume_serial_number(), information.file_index()))
}

/// Opens a file or directory only to query its metadata, not for reading.
fn open_unread(path: &Path) -> io::Result<File> {
    const FILE_READ_ATTRIBUTES: u32 = 0x80;
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    let mut options = OpenOptions::new();
    options.access_mode(FILE_READ_ATTRIBUTES).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    options.open(path)
}

pub(crate) fn link_count(path: &Path, _: &Metadata) -> io::Result<u64> {
    Ok(information(&open_unread(path)?)?.number_of_links())
}

/// Always returns true, because Windows can't tell in advance whether a read of an arbitrary file
/// would block. A signal during a blocked read therefore ends the process.
pub(crate) fn wait_until_readable(_: &File, _: Duration) -> io::Result<bool> {
    Ok(true)
}

pub(crate) fn short_read_means_end(_: &Path) -> bool {
    false
}

/// Does nothing, because Windows has no function to request read-ahead of a file.
pub(crate) fn request_read_ahead(_: &File, _: usize) {}

/// Always fails, because Windows doesn't say which files are cached in memory.
pub(crate) fn read_at_if_cached(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Always returns false, because Windows doesn't say which files are cached in memory.
pub(crate) fn is_start_cached(_: &File) -> bool {
    false
}

pub(crate) fn max_open_files() -> Option<u64> {
    None
}

pub(crate) fn is_too_many_open_files(error: &io::Error) -> bool {
    const ERROR_TOO_MANY_OPEN_FILES: i32 = 4;
    error.raw_os_error() == Some(ERROR_TOO_MANY_OPEN_FILES)
}

pub(crate) fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

pub(crate) fn should_read_stdin() -> bool {
    // If there is no standard input at all, its type is an error. Consoles and NUL are character
    // devices.
    typ(HandleRef::stdin()).is_ok_and(|kind| kind.is_disk() || kind.is_pipe())
}

/// Returns standard output. Output to a console is written by the standard library, which handles
/// the encoding.
pub(crate) fn stdout() -> io::Result<Stdout> {
    let stdout = io::stdout();
    if stdout.is_terminal() {
        return Ok(Stdout::Console(Utf8::new(stdout)));
    }
    duplicate_stdout().map(Stdout::File)
}

/// Standard output: either a file or pipe, or a console, which accepts only UTF-8.
pub(crate) enum Stdout {
    File(File),
    Console(Utf8<io::Stdout>),
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Console(console) => console.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Console(console) => console.flush(),
        }
    }
}

/// A writer that replaces invalid UTF-8 in its input by U+FFFD, and passes the result to another
/// writer. A character may be split between two writes.
pub(crate) struct Utf8<W> {
    out: W,
    /// The start of a character whose other bytes have not been written yet.
    begun: Vec<u8>,
}

impl<W> Utf8<W> {
    fn new(out: W) -> Self {
        Self { out, begun: Vec::new() }
    }
}

impl<W: Write> Write for Utf8<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.begun);
        text.extend_from_slice(bytes);
        let mut rest = text.as_slice();
        while let Err(error) = str::from_utf8(rest) {
            let (valid, tail) = rest.split_at(error.valid_up_to());
            self.out.write_all(valid)?;
            let Some(len) = error.error_len() else {
                self.begun = tail.to_vec();
                return Ok(bytes.len());
            };
            self.out.write_all("\u{fffd}".as_bytes())?;
            rest = &tail[len..];
        }
        self.out.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

pub(crate) fn stdout_file_id() -> Option<FileId> {
    match stdout().ok()? {
        Stdout::File(file) => file_id_of(&file),
        Stdout::Console(_) => None,
    }
}

/// Returns a function that waits for one of `signals` by polling. Windows can't wait for a signal,
/// since it calls the signal handlers in a separate thread.
pub(crate) fn signal_waiter(
    signals: [c_int; 2],
) -> io::Result<impl FnOnce() -> Option<c_int> + Send> {
    let came = Arc::new(AtomicUsize::new(0));
    for signal in signals {
        let number = usize::try_from(signal).unwrap_or(1);
        signal_hook::flag::register_usize(signal, Arc::clone(&came), number)?;
    }
    Ok(move || {
        loop {
            match came.load(Ordering::Relaxed) {
                0 => thread::sleep(Duration::from_millis(100)),
                number => return c_int::try_from(number).ok(),
            }
        }
    })
}

/// Does nothing, because on Windows a write beyond the size limit fails anyway.
pub(crate) fn ignore_file_size_signal() -> io::Result<()> {
    Ok(())
}

pub(crate) fn duplicate_stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

pub(crate) fn duplicate_stderr() -> io::Result<File> {
    Ok(File::from(io::stderr().as_handle().try_clone_to_owned()?))
}

/// Always returns `None`, because on Windows no path refers to a file descriptor of the process.
pub(crate) fn file_of_descriptor_path(_: &Path) -> Option<io::Result<File>> {
    None
}

pub(crate) fn open_directory(path: &Path) -> io::Result<File> {
    open_unread(path)
}

/// Does nothing, because Windows has no function to flush the entries of a directory.
pub(crate) fn sync_directory(_: &File) -> io::Result<()> {
    Ok(())
}

/// Opens a file inside `directory` for locking, because Windows can't lock a directory itself.
pub(crate) fn open_lock_file(directory: &Path) -> io::Result<File> {
    let name = directory.join(".urlsift-lock");
    OpenOptions::new().create(true).truncate(false).write(true).open(name)
}

/// Does nothing, because on Windows the owner of a new file is the user who creates it.
pub(crate) fn copy_owner(_: &Metadata, _: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Does nothing, because on Windows a new file gets the access control list of its directory.
pub(crate) fn copy_extended_attributes(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}

pub(crate) struct Temporary(NamedTempFile);

impl Temporary {
    pub(crate) fn create(target: &Path, _: Option<&Metadata>) -> io::Result<Self> {
        let (prefix, suffix) = temporary_name_affixes(target);
        let mut builder = tempfile::Builder::new();
        let created = builder.prefix(&prefix).suffix(suffix).tempfile_in(parent_directory(target));
        // The whole error would show the temporary name.
        created.map(Self).map_err(|error| error.kind().into())
    }

    pub(crate) fn file(&self) -> &File {
        self.0.as_file()
    }

    pub(crate) fn rename_to(self, target: &Path) -> io::Result<()> {
        self.0.into_temp_path().persist(target).map_err(|error| error.error)
    }
}

#[cfg(feature = "pick")]
pub(crate) fn open_usable_terminal() -> Option<File> {
    open_terminal().ok()
}

#[cfg(feature = "pick")]
pub(crate) fn open_terminal() -> io::Result<File> {
    File::options().read(true).write(true).open("CONOUT$")
}

#[cfg(feature = "pick")]
pub(crate) const LIST_SEPARATOR: u8 = b';';

/// The command to open a URL, which is appended as the last argument. It uses no shell, which would
/// interpret the URL.
#[cfg(feature = "pick")]
pub(crate) const OPENER: &[&str] = &["rundll32.exe", "url.dll,FileProtocolHandler"];

#[cfg(feature = "pick")]
pub(crate) fn shield_from_ctrl_c(command: &mut std::process::Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

#[cfg(test)]
mod tests {
    use super::{Utf8, uri_path};
    use std::io::Write as _;

    #[test]
    fn consoles_get_utf8() {
        let mut out = Utf8::new(Vec::new());
        for piece in [&b"a\xffb\xe2\x82"[..], b"\xacc\xe2", b"d\xe2\x82\xff", b"\n"] {
            out.write_all(piece).unwrap();
        }
        assert_eq!(str::from_utf8(&out.out), Ok("a\u{fffd}b\u{20ac}c\u{fffd}d\u{fffd}\u{fffd}\n"));
    }

    #[test]
    fn paths_in_uris_have_slashes() {
        assert_eq!(&*uri_path(br"a\b c"), b"a/b c");
        assert_eq!(&*uri_path(br"C:\a\b"), b"/C:/a/b");
        assert_eq!(&*uri_path(b"-"), b"-");
    }
}
