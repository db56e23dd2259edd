//! The files that a command reads, which its output must not overwrite.

use crate::args::PathArgs;
use crate::io::explain::explain;
use crate::io::open::Input;
use crate::platform::{self, FileId};
use anyhow::bail;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The files that the command line names for reading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// The files and directories to read, and `-` for standard input, as named by the user.
    paths: Vec<PathBuf>,
    /// Files that options read, such as the file of `--files-from`, each with the name of the
    /// option.
    lists: Vec<(&'static str, PathBuf)>,
}

impl Inputs {
    /// Returns the inputs that `args` name, including those listed by `--files-from`. Without any,
    /// standard input or the current directory is read.
    ///
    /// # Errors
    ///
    /// Fails if the list of `--files-from` can't be read.
    pub(crate) fn new(args: &PathArgs) -> anyhow::Result<Self> {
        let mut paths = args.paths.clone();
        if let Some(list) = &args.files_from {
            paths.extend(listed_paths(list)?);
        } else if paths.is_empty() {
            paths.push(if platform::stdin_is_input() { "-".into() } else { ".".into() });
        }
        Ok(Self { paths, ..Self::default() }
            .with_option_file("--files-from", args.files_from.as_deref()))
    }

    /// Returns inputs that consist of one path.
    pub(crate) fn from_path(path: &Path) -> Self {
        Self { paths: vec![path.to_owned()], ..Self::default() }
    }

    /// Adds a file that the option `option` reads, if there is one.
    #[must_use]
    pub(crate) fn with_option_file(mut self, option: &'static str, path: Option<&Path>) -> Self {
        self.lists.extend(path.map(|path| (option, path.to_owned())));
        self
    }

    /// Checks that no option reads the file `target`, which is about to be fixed in place.
    ///
    /// # Errors
    ///
    /// Returns an error that names the option, if one does.
    pub(crate) fn check_not_read(&self, target: &Path) -> anyhow::Result<()> {
        let target = regular_file_id(target);
        match self.lists.iter().find(|(_, path)| target.is_some() && input_id(path) == target) {
            Some((option, _)) => bail!("not changed: {option} reads this file"),
            None => Ok(()),
        }
    }

    /// Returns the paths to read, as named by the user.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Checks that `outputs` replace neither the only input nor a file that an option reads. Must
    /// be called before anything is opened for writing.
    ///
    /// If there are several inputs, an input that is also an output is allowed here, and the walk
    /// skips it.
    ///
    /// # Errors
    ///
    /// Returns an error that names the file.
    pub(crate) fn check_outputs(&self, outputs: &[FileId]) -> anyhow::Result<()> {
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

/// Returns the error for a run whose only input is also its output.
pub(crate) fn only_input_error(path: &Path) -> anyhow::Error {
    anyhow::anyhow!(
        "{}: the only input is also the output; write the output to another file",
        path.display()
    )
}

/// Returns the identity of the regular file that is read as `path`, which can be `-` for standard
/// input.
pub(crate) fn input_id(path: &Path) -> Option<FileId> {
    if path.as_os_str() == "-" {
        platform::id_of(&platform::stdin().ok()?)
    } else {
        regular_file_id(path)
    }
}

/// Returns the identity of the regular file at `path`, or `None` if there is none.
pub(crate) fn regular_file_id(path: &Path) -> Option<FileId> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    platform::id_at(path, &meta)
}

/// Reads a list of paths. They are terminated by NUL bytes if the list contains any, otherwise by
/// line breaks.
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
        .map(|line| platform::path(line).into_owned())
        .collect())
}
