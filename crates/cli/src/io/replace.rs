//! Replaces a file atomically with its fixed version.

use crate::io::inputs::Inputs;
use crate::platform::{self, Temporary};
use anyhow::{Context as _, bail};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Replaces the contents of the file at `path` with `new`. `old` is the text that was read from the
/// file and fixed.
///
/// The new text is written to a file in the same directory. This file has no name until it is
/// complete, and is then renamed. A reader never sees a partial file, and an error or a kill leaves
/// the old file unchanged. On file systems without unnamed files, a kill leaves the partial file as
/// `.urlsift-NAME-XXXXXX.tmp`.
///
/// The mode, owner, access lists and extended attributes are kept. On Windows, the new file gets
/// the access control list of its directory. If `path` is a symbolic link, its target is replaced.
/// Changes by other programs are detected right before the rename; a change between that check and
/// the rename is lost.
///
/// # Errors
///
/// Fails if the file is not a regular file, is read by another option, has several hard links, is
/// read-only, has changed, or can't be written. The file is unchanged after every error.
pub(crate) fn replace(path: &Path, old: &[u8], new: &[u8], inputs: &Inputs) -> anyhow::Result<()> {
    platform::ignore_file_size_signal()?;
    let target: PathBuf = fs::canonicalize(path)?;
    let meta = fs::metadata(&target)?;
    if !meta.is_file() {
        bail!("not changed: not a regular file");
    }
    inputs.check_not_read_by_option(&target)?;
    if platform::link_count(&target, &meta)? > 1 {
        bail!("not changed: the file has hard links, which would keep the old content");
    }
    if meta.permissions().readonly() {
        bail!("not changed: the file is read-only");
    }
    // Opening the file also checks for read-only mounts and access lists.
    let before = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&target)
        .context("not changed: cannot open the file for writing")?;
    let temporary = Temporary::create(&target, Some(&meta))
        .context("not changed: cannot create a temporary file in its directory")?;
    let failed = "not changed: cannot write the new text";
    let mut file = temporary.file();
    file.write_all(new).context(failed)?;
    let made = file.metadata().context(failed)?;
    platform::copy_owner(&meta, file, &made)
        .context("not changed: cannot preserve the file's owner")?;
    // Set the mode after the owner, because changing the owner may clear bits of the mode, and
    // before the access list.
    file.set_permissions(meta.permissions()).context(failed)?;
    platform::copy_extended_attributes(&before, file)
        .context("not changed: cannot preserve the access control list or extended attributes")?;
    file.sync_all().context(failed)?;
    // Some systems can't replace a file that is open.
    drop(before);
    let state = |meta: &fs::Metadata| {
        (platform::file_id_at(&target, meta), meta.len(), meta.modified().ok())
    };
    let was = state(&meta);
    if fs::read(&target).ok().as_deref() != Some(old)
        || !fs::metadata(&target).is_ok_and(|now| state(&now) == was)
    {
        bail!("not changed: another program has changed the file meanwhile");
    }
    temporary.rename_to(&target).context(failed)
}

#[cfg(test)]
mod tests {
    use super::replace;
    use crate::io::inputs::Inputs;
    use std::fs;
    use std::path::Path;

    #[test]
    fn no_temporary_file_remains() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "old").unwrap();
        replace(&file, b"old", b"new", &Inputs::default()).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    fn set_read_only(file: &Path, to: bool) {
        let mut permissions = fs::metadata(file).unwrap().permissions();
        permissions.set_readonly(to);
        fs::set_permissions(file, permissions).unwrap();
    }

    #[test]
    fn file_is_unchanged_after_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "other").unwrap();
        let error = replace(&file, b"old", b"new", &Inputs::default()).unwrap_err().to_string();
        assert!(error.contains("another program"), "{error}");
        set_read_only(&file, true);
        let error = replace(&file, b"other", b"new", &Inputs::default()).unwrap_err().to_string();
        assert!(error.contains("read-only"), "{error}");
        set_read_only(&file, false);
        fs::hard_link(&file, dir.path().join("b")).unwrap();
        let error = replace(&file, b"other", b"new", &Inputs::default()).unwrap_err().to_string();
        assert!(error.contains("hard links"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"other");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
