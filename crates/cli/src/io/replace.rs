//! Writes a mended file in the place of the old one: whole or not at all.

use crate::io::inputs::Inputs;
use crate::platform::{self, Beside};
use anyhow::{Context as _, bail};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Puts `new` in the place of the file at `path`, which held `old` when it was read.
///
/// The new text is written to a file beside it that has no name before it is whole, gets one for as long as a rename
/// takes, and then takes the old one's: no reader ever sees half of it, a failure leaves the file as it was, and so
/// does a kill, after which nothing lies about. (Where the file system knows no files without a name, what was
/// written so far stays behind a kill, as `.urlsift-NAME-XXXXXX.tmp`.) Mode, owner, access lists and extended attributes are kept, but on
/// Windows the access list is that of new files in the directory. Through a symbolic link its target is written.
/// Whether somebody else wrote to the file is looked at right before the rename; what is written between that look and
/// the rename is lost.
///
/// # Errors
///
/// When the file is no regular one, is named by an option that says what to read, has other names (hard links), may not be written, has changed
/// meanwhile, or the writing fails. The file is as it was in every case.
pub(crate) fn replace(path: &Path, old: &[u8], new: &[u8], inputs: &Inputs) -> anyhow::Result<()> {
    platform::survive_large_files()?;
    let target: PathBuf = fs::canonicalize(path)?;
    let meta = fs::metadata(&target)?;
    if !meta.is_file() {
        bail!("not changed: it is no regular file");
    }
    inputs.keep(&target)?;
    if platform::names(&target, &meta)? > 1 {
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
    let beside = Beside::create(&target, Some(&meta))
        .context("not changed: nothing can be written beside it")?;
    let failed = "not changed: the new text could not be written";
    let mut file = beside.file();
    file.write_all(new).context(failed)?;
    let made = file.metadata().context(failed)?;
    platform::keep_owner(&meta, file, &made).context("not changed: its owner could not be kept")?;
    // A new owner may have cleared bits of the mode, and an access list says what the mode means.
    file.set_permissions(meta.permissions()).context(failed)?;
    platform::keep_attributes(&before, file)
        .context("not changed: its access list or extended attributes could not be kept")?;
    file.sync_all().context(failed)?;
    // Some systems replace no file that is open.
    drop(before);
    let state =
        |meta: &fs::Metadata| (platform::id_at(&target, meta), meta.len(), meta.modified().ok());
    let was = state(&meta);
    if fs::read(&target).ok().as_deref() != Some(old)
        || !fs::metadata(&target).is_ok_and(|now| state(&now) == was)
    {
        bail!("not changed: it was changed by someone else meanwhile");
    }
    beside.take_name(&target).context(failed)
}

#[cfg(test)]
mod tests {
    use super::replace;
    use crate::io::inputs::Inputs;
    use std::fs;
    use std::path::Path;

    #[test]
    fn nothing_is_left_behind() {
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
    fn what_is_refused_stays_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "other").unwrap();
        let error = replace(&file, b"old", b"new", &Inputs::default()).unwrap_err().to_string();
        assert!(error.contains("by someone else"), "{error}");
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
