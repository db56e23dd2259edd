//! The files that a command reads, which its output must not overwrite.

use crate::args::PathArgs;
use crate::io::explain::explain;
use crate::io::open::Input;
use crate::platform::{self, FileId};
use anyhow::bail;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The files that a command reads: the paths to scan or lint, and the files that options name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// The files and directories to read, and `-` for standard input, as named by the user.
    paths: Vec<PathBuf>,
    /// Files that options read, such as the file of `--files-from`, each with the name of the
    /// option.
    lists: Vec<(&'static str, PathBuf)>,
}

impl Inputs {
    /// Collects the inputs that the arguments name, including the paths listed in the file of
    /// `--files-from`. If no paths are given, the input is standard input or the current directory.
    ///
    /// # Errors
    ///
    /// Fails if the list of `--files-from` can't be read.
    pub(crate) fn new(args: &PathArgs) -> anyhow::Result<Self> {
        let mut paths = args.paths.clone();
        if let Some(list) = &args.files_from {
            paths.extend(listed_paths(list)?);
        } else if paths.is_empty() {
            paths.push(if platform::should_read_stdin() { "-".into() } else { ".".into() });
        }
        Ok(Self { paths, ..Self::default() }
            .with_option_file("--files-from", args.files_from.as_deref()))
    }

    /// Returns inputs that consist of one path only.
    pub(crate) fn from_path(path: &Path) -> Self {
        Self { paths: vec![path.to_owned()], ..Self::default() }
    }

    /// Adds `path`, a file that is read because of the option called `option`. Adds nothing if
    /// `path` is `None`.
    #[must_use]
    pub(crate) fn with_option_file(mut self, option: &'static str, path: Option<&Path>) -> Self {
        self.lists.extend(path.map(|path| (option, path.to_owned())));
        self
    }

    /// Checks that the file `target` is not read by an option, such as `--config`. Call this before
    /// `target` is fixed in place.
    ///
    /// # Errors
    ///
    /// Returns an error that names the option which reads the file.
    pub(crate) fn check_not_read_by_option(&self, target: &Path) -> anyhow::Result<()> {
        let target = regular_file_id(target);
        match self.lists.iter().find(|(_, path)| target.is_some() && input_id(path) == target) {
            Some((option, _)) => {
                bail!(
                    "not changed: {option} reads this file; to change it, run again without {option}"
                )
            }
            None => Ok(()),
        }
    }

    /// Returns the paths to read, exactly as the user gave them.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Checks that the output files `outputs` don't overwrite the only input, or a file that an
    /// option reads. Call this before any file is opened for writing.
    ///
    /// If there are several inputs, one of them may also be an output. The walk skips that input.
    ///
    /// # Errors
    ///
    /// Returns an error that names the input which would be overwritten.
    pub(crate) fn check_outputs_overwrite_no_input(
        &self,
        outputs: &[FileId],
    ) -> anyhow::Result<()> {
        // Usually there is no such file yet.
        if outputs.is_empty() {
            return Ok(());
        }
        let is_output = |path: &Path| input_id(path).is_some_and(|id| outputs.contains(&id));
        if let Some((option, path)) = self.lists.iter().find(|(_, path)| is_output(path)) {
            bail!("{}: {option} reads this file; write the output to another", path.display());
        }
        match &self.paths[..] {
            [path, ..] if self.paths.iter().all(|path| is_output(path)) => {
                Err(only_input_error(path))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the error for a run whose only input, `path`, is also its output.
pub(crate) fn only_input_error(path: &Path) -> anyhow::Error {
    anyhow::anyhow!(
        "{}: the only input is also the output; write the output to another file",
        path.display()
    )
}

/// Returns the identity of the input at `path`; `-` means standard input. Returns `None` if the
/// input is not a regular file.
pub(crate) fn input_id(path: &Path) -> Option<FileId> {
    if path.as_os_str() == "-" {
        platform::file_id_of(&platform::stdin().ok()?)
    } else {
        regular_file_id(path)
    }
}

/// Returns the identity of the regular file at `path`, or `None` if there is no regular file.
pub(crate) fn regular_file_id(path: &Path) -> Option<FileId> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    platform::file_id_at(path, &meta)
}

/// Reads the list of paths for `--files-from`. Paths end with NUL bytes if the list contains any,
/// otherwise with line breaks.
fn listed_paths(list: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    let input = if list.as_os_str() == "-" { Input::stdin() } else { Input::open(list) };
    let read = input.and_then(|mut input| input.read_to_end(&mut bytes));
    read.map_err(|error| anyhow::anyhow!("--files-from {}: {}", list.display(), explain(&error)))?;
    let end = if bytes.contains(&0) { 0 } else { b'\n' };
    let lines = bytes.split(|&byte| byte == end);
    let lines = lines
        .map(|line| if end == b'\n' { line.strip_suffix(b"\r").unwrap_or(line) } else { line });
    Ok(lines
        .filter(|line| !line.is_empty())
        .map(|line| platform::path_from_printed(line).into_owned())
        .collect())
}
