//! Where a scan's output goes: standard output, or a file that is there when all of it is written.

use crate::platform::{self, FileId};
use anyhow::Context as _;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Bytes that are written in one go.
const ROOM: usize = 64 << 10;

/// Standard output, written in large pieces.
pub(crate) fn stdout() -> io::Result<impl Write + Send + use<>> {
    Ok(BufWriter::with_capacity(ROOM, platform::stdout()?))
}

pub(crate) enum Output {
    Stdout,
    /// What is no regular file is written as it stands: a pipe, a device.
    Special(File),
    /// Written beside, and renamed when complete.
    Beside {
        beside: NamedTempFile,
        path: PathBuf,
    },
}

impl Output {
    /// The file at `path`, or standard output.
    ///
    /// # Errors
    ///
    /// It cannot be written, or nothing beside it.
    pub(crate) fn new(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Stdout) };
        let failed = || format!("--output {}: it cannot be written", path.display());
        // Through a link its target is written.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let known = fs::metadata(&target).ok();
        if known.as_ref().is_some_and(|meta| !meta.is_file()) {
            let file = OpenOptions::new().write(true).open(&target).with_context(failed)?;
            return Ok(Self::Special(file));
        }
        let prefix = beside(&target);
        let mut beside = tempfile::Builder::new();
        platform::with_rights(beside.prefix(&prefix), known.as_ref());
        let beside = beside.tempfile_in(parent(&target)).with_context(failed)?;
        Ok(Self::Beside { beside, path: target })
    }

    /// The files that it goes to, and the one that it will replace: none of them is input.
    pub(crate) fn ids(&self) -> Vec<FileId> {
        let ids = match self {
            Self::Stdout => [platform::stdout_id(), None],
            Self::Special(_) => [None, None],
            Self::Beside { beside, path } => {
                let replaced = fs::metadata(path).ok().filter(fs::Metadata::is_file);
                let replaced = replaced.and_then(|meta| platform::id_at(path, &meta));
                [platform::id_of(beside.as_file()), replaced]
            }
        };
        ids.into_iter().flatten().collect()
    }

    /// What is written to it.
    ///
    /// # Errors
    ///
    /// The system gives no more descriptors.
    pub(crate) fn writer(&self) -> io::Result<Box<dyn Write + Send>> {
        let file = match self {
            Self::Stdout => return Ok(Box::new(stdout()?)),
            Self::Special(file) => file,
            Self::Beside { beside, .. } => beside.as_file(),
        };
        Ok(Box::new(BufWriter::with_capacity(ROOM, file.try_clone()?)))
    }

    /// Writes all of it at once.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn fill(&self, text: &[u8]) -> io::Result<()> {
        let mut writer = self.writer()?;
        writer.write_all(text)?;
        writer.flush()
    }

    /// Gives the file its name. One that is not complete is gone when this is dropped.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn complete(self) -> anyhow::Result<()> {
        if let Self::Beside { beside, path } = self {
            beside.persist(&path).with_context(|| format!("--output {}", path.display()))?;
        }
        Ok(())
    }

    /// Gives the file its name, as [`Output::complete`] does, when it is on the disk, and returns when its name is, too.
    ///
    /// # Errors
    ///
    /// What the system says.
    #[cfg(feature = "parquet")]
    pub(crate) fn keep(self) -> anyhow::Result<()> {
        let Self::Beside { beside, path } = &self else { return self.complete() };
        let failed = || format!("--output {}", path.display());
        beside.as_file().sync_all().with_context(failed)?;
        let directory = platform::open_directory(parent(path)).with_context(failed)?;
        self.complete()?;
        platform::sync_directory(&directory).context("--output")
    }
}

/// The directory that a file is in.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What the name begins with that a file has before it is complete.
pub(crate) fn beside(path: &Path) -> OsString {
    let mut name = OsString::from(".urlsift-");
    name.push(path.file_name().unwrap_or_default());
    name.push("-");
    name
}
