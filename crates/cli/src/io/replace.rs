//! Writes a mended file in the place of the old one: whole or not at all.

use anyhow::{Context as _, bail};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Puts `new` in the place of the file at `path`, which held `old` when it was read.
///
/// The new text is written beside the file and then takes its name, so that no reader ever sees
/// half of it and a failure leaves the file as it was. Mode and owner are kept. Through a symbolic
/// link its target is written.
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
    fs::OpenOptions::new()
        .write(true)
        .open(&target)
        .context("not changed: it may not be written")?;
    let directory = target.parent().unwrap_or(Path::new("/"));
    let mut beside = tempfile::Builder::new()
        .prefix(".urlsift-")
        .tempfile_in(directory)
        .context("not changed: nothing can be written beside it")?;
    let failed = "not changed: the new text could not be written";
    beside.write_all(new).context(failed)?;
    beside.as_file().set_permissions(meta.permissions()).context(failed)?;
    let made = beside.as_file().metadata().context(failed)?;
    if (made.uid(), made.gid()) != (meta.uid(), meta.gid()) {
        std::os::unix::fs::fchown(beside.as_file(), Some(meta.uid()), Some(meta.gid()))
            .context("not changed: its owner could not be kept")?;
        // Changing the owner may have cleared bits of the mode.
        beside.as_file().set_permissions(meta.permissions()).context(failed)?;
    }
    beside.as_file().sync_all().context(failed)?;
    if fs::read(&target).ok().as_deref() != Some(old) {
        bail!("not changed: it was changed by someone else meanwhile");
    }
    beside.persist(&target).context(failed)?;
    Ok(())
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
