//! Writes a mended file in the place of the old one: whole or not at all.

use anyhow::{Context as _, bail};
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Puts `new` in the place of the file at `path`, which held `old` when it was read.
///
/// The new text is written to a file beside it that has no name before it is whole, gets one for as long as a rename
/// takes, and then takes the old one's: no reader ever sees half of it, a failure leaves the file as it was, and so
/// does a kill, after which nothing lies about. (Where the file system knows no files without a name, what was
/// written so far stays behind a kill.) Mode, owner, access lists and extended attributes are kept. Through a
/// symbolic link its target is written. Whether somebody else wrote to the file is looked at right before the
/// rename; what is written between that look and the rename is lost.
///
/// # Errors
///
/// When the file is no regular one, has other names (hard links), may not be written, has changed
/// meanwhile, or the writing fails. The file is as it was in every case.
pub(crate) fn replace(path: &Path, old: &[u8], new: &[u8]) -> anyhow::Result<()> {
    let target: PathBuf = fs::canonicalize(path)?;
    let meta = fs::metadata(&target)?;
    if !meta.is_file() {
        bail!("not changed: it is no regular file");
    }
    if meta.nlink() > 1 {
        bail!("not changed: it has other names (hard links), which would keep the old text");
    }
    if meta.permissions().readonly() {
        bail!("not changed: it is read-only");
    }
    // Also asks the system, which knows of mounts and access lists.
    let before = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&target)
        .context("not changed: it may not be written")?;
    let directory = target.parent().unwrap_or(Path::new("/"));
    let mut beside =
        Beside::create(directory).context("not changed: nothing can be written beside it")?;
    let failed = "not changed: the new text could not be written";
    let file = beside.file();
    file.write_all(new).context(failed)?;
    let made = file.metadata().context(failed)?;
    if (made.uid(), made.gid()) != (meta.uid(), meta.gid()) {
        std::os::unix::fs::fchown(&*file, Some(meta.uid()), Some(meta.gid()))
            .context("not changed: its owner could not be kept")?;
    }
    // A new owner may have cleared bits of the mode, and an access list says what the mode means.
    file.set_permissions(meta.permissions()).context(failed)?;
    keep_attributes(&before, file)
        .context("not changed: its access list or extended attributes could not be kept")?;
    file.sync_all().context(failed)?;
    let is_same = |now: &fs::Metadata| {
        let of = |meta: &fs::Metadata| {
            (meta.dev(), meta.ino(), meta.size(), meta.mtime(), meta.mtime_nsec())
        };
        of(now) == of(&meta)
    };
    if fs::read(&target).ok().as_deref() != Some(old)
        || !fs::metadata(&target).is_ok_and(|now| is_same(&now))
    {
        bail!("not changed: it was changed by someone else meanwhile");
    }
    beside.take_name(&target).context(failed)
}

/// Gives `to` the extended attributes of `from`, and no others: access lists are among them.
fn keep_attributes(from: &File, to: &File) -> io::Result<()> {
    let (kept, made) = (attributes(from)?, attributes(to)?);
    for name in made.iter().filter(|name| !kept.contains(name)) {
        rustix::fs::fremovexattr(to, name.as_slice())?;
    }
    for name in &kept {
        let (old, new) = (attribute(from, name)?, attribute(to, name).unwrap_or_default());
        if old != new || !made.contains(name) {
            rustix::fs::fsetxattr(to, name.as_slice(), &old, rustix::fs::XattrFlags::empty())?;
        }
    }
    Ok(())
}

/// The names of the extended attributes of a file; none where the file system has none.
fn attributes(file: &File) -> io::Result<Vec<Vec<u8>>> {
    let mut names = vec![0; 64 << 10];
    match rustix::fs::flistxattr(file, names.as_mut_slice()) {
        Ok(len) => {
            let names = names[..len].split(|&b| b == 0).filter(|name| !name.is_empty());
            Ok(names.map(<[u8]>::to_vec).collect())
        }
        Err(rustix::io::Errno::NOTSUP) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn attribute(file: &File, name: &[u8]) -> io::Result<Vec<u8>> {
    let mut value = vec![0; 64 << 10];
    let len = rustix::fs::fgetxattr(file, name, value.as_mut_slice())?;
    value.truncate(len);
    Ok(value)
}

/// A file in the same directory as another one.
enum Beside {
    Unnamed(File, PathBuf),
    Named(NamedTempFile),
}

impl Beside {
    fn create(directory: &Path) -> io::Result<Self> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        match rustix::fs::open(directory, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => Ok(Self::Unnamed(file.into(), directory.to_owned())),
            Err(_) => Self::named(directory).map(Self::Named),
        }
    }

    fn named(directory: &Path) -> io::Result<NamedTempFile> {
        tempfile::Builder::new().prefix(".urlsift-").tempfile_in(directory)
    }

    fn file(&mut self) -> &mut File {
        match self {
            Self::Unnamed(file, _) => file,
            Self::Named(file) => file.as_file_mut(),
        }
    }

    /// Gives the file the name of another one, which is gone then.
    fn take_name(self, target: &Path) -> io::Result<()> {
        match self {
            Self::Named(file) => file.persist(target).map(drop).map_err(|error| error.error),
            Self::Unnamed(file, directory) => {
                // No system call puts a file without a name in the place of one that has it.
                let opened = format!("/proc/self/fd/{}", file.as_raw_fd());
                let linked =
                    tempfile::Builder::new().prefix(".urlsift-").make_in(&directory, |path| {
                        let follow = AtFlags::SYMLINK_FOLLOW;
                        Ok(rustix::fs::linkat(CWD, &opened, CWD, path, follow)?)
                    })?;
                linked.into_temp_path().persist(target).map_err(|error| error.error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::replace;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn mode_is_kept_and_nothing_is_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&file, b"old", b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_refused_stays_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "other").unwrap();
        let error = replace(&file, b"old", b"new").unwrap_err().to_string();
        assert!(error.contains("by someone else"), "{error}");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let error = replace(&file, b"other", b"new").unwrap_err().to_string();
        assert!(error.contains("read-only"), "{error}");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        fs::hard_link(&file, dir.path().join("b")).unwrap();
        let error = replace(&file, b"other", b"new").unwrap_err().to_string();
        assert!(error.contains("hard links"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"other");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn attributes_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "old").unwrap();
        let file = fs::File::open(&path).unwrap();
        let flags = rustix::fs::XattrFlags::empty();
        if rustix::fs::fsetxattr(&file, "user.mime_type", b"text/plain", flags).is_err() {
            return;
        }
        // Reading and writing for the user 1 besides, which the mode shows as the group's rights.
        let acl = [
            &2_u32.to_le_bytes()[..],
            b"\x01\0\x06\0\xff\xff\xff\xff\x02\0\x06\0\x01\0\0\0\x04\0\0\0\xff\xff\xff\xff",
            b"\x10\0\x06\0\xff\xff\xff\xff\x20\0\x04\0\xff\xff\xff\xff",
        ]
        .concat();
        let has_lists =
            rustix::fs::fsetxattr(&file, "system.posix_acl_access", &acl, flags).is_ok();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        replace(&path, b"old", b"new").unwrap();
        let file = fs::File::open(&path).unwrap();
        assert_eq!(super::attribute(&file, b"user.mime_type").unwrap(), b"text/plain");
        if has_lists {
            assert_eq!(super::attribute(&file, b"system.posix_acl_access").unwrap(), acl);
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode(), mode);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_leads_to_its_target() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("a"), dir.path().join("l"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("a", &link).unwrap();
        replace(&link, b"old", b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }
}
