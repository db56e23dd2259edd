//! New files that replace existing ones, and their owner and extended attributes.

use super::super::temporary::{parent_directory, temporary_name_affixes};
use rustix::fs::{AtFlags, CWD};
use rustix::io::Errno;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Changes the owner of the file `to` to the owner in the metadata `from`. `to_meta` is the current
/// metadata of `to`.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn copy_owner(from: &Metadata, to: &File, to_meta: &Metadata) -> io::Result<()> {
    if (to_meta.uid(), to_meta.gid()) == (from.uid(), from.gid()) {
        return Ok(());
    }
    std::os::unix::fs::fchown(to, Some(from.uid()), Some(from.gid()))
}

/// Copies the extended attributes of the file `from`, which include access control lists, to the
/// file `to`. Removes all other extended attributes from `to`.
///
/// # Errors
///
/// Returns any error from the operating system.
pub(crate) fn copy_extended_attributes(from: &File, to: &File) -> io::Result<()> {
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

/// Returns the names of a file's extended attributes. Returns an empty list if the file system
/// doesn't support them.
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
    /// Creates a file in the directory of `target`, the path of the file that it will replace. The
    /// new file gets the permissions in `old`, the metadata of the existing file, or the default
    /// permissions if `old` is `None`.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn create(target: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let mode = old.map_or(0o666, |meta| meta.permissions().mode() & 0o777);
        let directory = parent_directory(target);
        if let Some(file) = open_unnamed(directory, mode) {
            return Ok(Self::Unnamed(file, directory.to_owned()));
        }
        let (prefix, suffix) = temporary_name_affixes(target);
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
                let opened = proc_path(&file);
                let (prefix, suffix) = temporary_name_affixes(target);
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

/// Creates a file without a name in a directory, with the permissions `mode`. Returns `None` if
/// that fails, if the file could not get a name later, and on systems other than Linux, which have
/// no such files.
fn open_unnamed(directory: &Path, mode: u32) -> Option<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = rustix::fs::open(directory, flags, Mode::from_raw_mode(mode)).ok()?;
        let file = File::from(file);
        // The file gets its name through /proc.
        std::fs::metadata(proc_path(&file)).is_ok().then_some(file)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (directory, mode);
        None
    }
}

/// Returns the path in /proc that refers to an open file.
fn proc_path(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(test)]
mod tests {
    use super::attribute_value;
    use crate::io::inputs::Inputs;
    use crate::io::replace::replace;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

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
