//! Opens the files that the command writes. Outputs are opened by [`Output::new`], and files that
//! are fixed in place by `replace`. Both first check that no input would be overwritten
//! ([`Inputs::check_outputs_overwrite_no_input`]).

use crate::io::inputs::{Inputs, regular_file_id};
use crate::platform::{self, FileId, Temporary, parent_directory};
use anyhow::{Context as _, bail};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The size of the output buffer in bytes.
const ROOM: usize = 64 << 10;
/// The maximum number of symbolic links that are followed to find an output. Linux has the same
/// limit.
const MAX_LINKS: usize = 40;

/// Returns a buffered writer to standard output. Doesn't check whether standard output is
/// redirected to one of the inputs; [`Output::new`] does.
pub(crate) fn stdout() -> io::Result<impl Write + Send + use<>> {
    platform::ignore_file_size_signal()?;
    Ok(BufWriter::with_capacity(ROOM, platform::stdout()?))
}

/// The file to which an output path refers.
enum Target {
    /// A file that is already open: the path names one (`-`, `/dev/stdout`), or the shell has
    /// redirected standard output or standard error to the file at the path.
    Opened(File),
    /// A path at which a file is created or replaced.
    Path(PathBuf),
}

impl Target {
    /// Finds the file to which an output path refers; `-` is standard output. Follows symbolic
    /// links, even if the last target does not exist yet.
    fn resolve(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return platform::duplicate_stdout().map(Self::Opened);
        }
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            if let Some(opened) = platform::file_of_descriptor_path(&path) {
                return opened.map(Self::Opened);
            }
            let Ok(link) = fs::read_link(&path) else { break };
            path = parent_directory(&path).join(link);
        }
        // A file that the shell has opened is neither truncated nor replaced, because other
        // programs may write to it, too.
        let is_regular = fs::metadata(&path).is_ok_and(|meta| meta.is_file());
        for standard in [platform::duplicate_stdout(), platform::duplicate_stderr()] {
            if is_regular
                && let Ok(standard) = standard
                && platform::file_id_of(&standard)
                    .is_some_and(|it| regular_file_id(&path) == Some(it))
            {
                return Ok(Self::Opened(standard));
            }
        }
        Ok(Self::Path(path))
    }

    /// Returns the identity of the file, or `None` if there is no regular file yet.
    fn regular_file_id(&self) -> Option<FileId> {
        match self {
            Self::Opened(file) => platform::file_id_of(file),
            Self::Path(path) => regular_file_id(path),
        }
    }
}

/// Checks that the output paths don't overwrite the only input. Returns the identities of the
/// existing regular files that will be replaced or appended to, so that the walk can skip them. In
/// `outputs`, `None` means standard output.
///
/// # Errors
///
/// Fails if the only input, or a file that an option reads, is also an output.
pub(crate) fn check_outputs_and_get_ids(
    outputs: &[Option<PathBuf>],
    inputs: &Inputs,
) -> anyhow::Result<Vec<FileId>> {
    let id = |output: &Option<PathBuf>| match output {
        Some(path) => Target::resolve(path).ok()?.regular_file_id(),
        None => platform::stdout_file_id(),
    };
    let ids: Vec<FileId> = outputs.iter().filter_map(id).collect();
    inputs.check_outputs_overwrite_no_input(&ids)?;
    Ok(ids)
}

/// An open output of a command: standard output, or a file.
pub(crate) enum Output {
    /// Standard output.
    Stdout,
    /// A pipe, a device, or a file that the shell has opened. It is written from the current
    /// position.
    InPlace(File),
    /// A file that is written under a temporary name in the same directory and renamed when it is
    /// complete.
    Temporary { temporary: Temporary, path: PathBuf },
}

impl Output {
    /// Opens the output file at `path`, or standard output if `path` is `None`. A new file gets its
    /// final name only in [`Output::rename_to_final_name`].
    ///
    /// # Errors
    ///
    /// Fails if the file is the only input or is read by an option, or if it can't be written.
    pub(crate) fn new(path: Option<&Path>, inputs: &Inputs) -> anyhow::Result<Self> {
        platform::ignore_file_size_signal()?;
        let Some(path) = path else {
            inputs.check_outputs_overwrite_no_input(&Vec::from_iter(platform::stdout_file_id()))?;
            return Ok(Self::Stdout);
        };
        let failed = || format!("--output {}: cannot write the file", path.display());
        let target = Target::resolve(path).with_context(failed)?;
        inputs.check_outputs_overwrite_no_input(&Vec::from_iter(target.regular_file_id()))?;
        let path = match target {
            Target::Opened(file) => return Ok(Self::InPlace(file)),
            Target::Path(path) => path,
        };
        let known = fs::metadata(&path).ok();
        if known.as_ref().is_some_and(fs::Metadata::is_dir) {
            bail!(
                "--output {}: is a directory; name a file (only `scan --format parquet`, or `scan --format jsonl` \
                 with --state, writes to a directory)",
                path.display()
            );
        }
        if known.as_ref().is_some_and(|meta| !meta.is_file()) {
            let file = OpenOptions::new().write(true).open(&path).with_context(failed)?;
            return Ok(Self::InPlace(file));
        }
        let temporary = Temporary::create(&path, known.as_ref()).with_context(failed)?;
        Ok(Self::Temporary { temporary, path })
    }

    /// Returns the path of the existing file that [`Output::rename_to_final_name`] will replace.
    /// Returns `None` if no file will be replaced.
    pub(crate) fn replaced_path(&self) -> Option<&Path> {
        match self {
            Self::Temporary { path, .. } if path.exists() => Some(path),
            _ => None,
        }
    }

    /// Returns a buffered writer to the output. Flush the writer before
    /// [`Output::rename_to_final_name`] is called.
    ///
    /// # Errors
    ///
    /// Fails if the process has no file descriptors left.
    pub(crate) fn writer(&self) -> io::Result<Box<dyn Write + Send>> {
        let file = match self {
            Self::Stdout => return Ok(Box::new(stdout()?)),
            Self::InPlace(file) => file,
            Self::Temporary { temporary, .. } => temporary.file(),
        };
        Ok(Box::new(BufWriter::with_capacity(ROOM, file.try_clone()?)))
    }

    /// Writes `text` as the whole contents of the output, and flushes it.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn write_contents(&self, text: &[u8]) -> io::Result<()> {
        let mut writer = self.writer()?;
        writer.write_all(text)?;
        writer.flush()
    }

    /// Completes the output: renames the temporary file to its final name. If an output is dropped
    /// without this call, its temporary file is removed.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn rename_to_final_name(self) -> anyhow::Result<()> {
        if let Self::Temporary { temporary, path } = self {
            temporary.rename_to(&path).with_context(|| format!("--output {}", path.display()))?;
        }
        Ok(())
    }

    /// Completes the output like [`Output::rename_to_final_name`], and also flushes the file's
    /// contents and directory entry to disk.
    ///
    /// # Errors
    ///
    /// Returns any error from the operating system.
    pub(crate) fn sync_and_rename_to_final_name(self) -> anyhow::Result<()> {
        let Self::Temporary { temporary, path } = &self else { return self.rename_to_final_name() };
        let failed = || format!("--output {}", path.display());
        temporary.file().sync_all().with_context(failed)?;
        let directory = platform::open_directory(parent_directory(path)).with_context(failed)?;
        self.rename_to_final_name()?;
        platform::sync_directory(&directory).context("--output")
    }
}
