//! The settings of `lint` for each file, from the options and the files `urlsift.toml`.
//!
//! The nearest `urlsift.toml` in the directory of a file or above it applies. Options on the
//! command line take precedence: single values replace those of the file, and lists are added to
//! those of the file. `--select` replaces the list of the file.

use crate::args::LintArgs;
use crate::io::explain::explain;
use crate::io::open::{Input, read_config_file};
use anyhow::{Context as _, Error, anyhow};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urlsift_core::Secrets;
use urlsift_lint::{Judge, NearestSettings, Selector, Settings};
use urlsift_records::option_table::parse_scheme_name;

/// A lookup of the settings that apply to a file to lint, from the options and the files
/// `urlsift.toml`.
pub(crate) struct Finder<'a> {
    args: &'a LintArgs,
    /// The settings if there is no `urlsift.toml` or none is read.
    default: Arc<Judge>,
    /// The settings from each `urlsift.toml`. `None` if a file has errors, which were reported.
    nearest: NearestSettings<Option<Arc<Judge>>>,
}

impl<'a> Finder<'a> {
    /// Prepares the settings from the command-line options, and reads the settings file that
    /// `--config` names.
    ///
    /// # Errors
    ///
    /// Returns an error if an option is not valid, or if the file can't be read or has errors.
    pub(crate) fn new(args: &'a LintArgs) -> anyhow::Result<Self> {
        let settings = args.config.as_deref().map_or_else(|| Ok(Settings::default()), read)?;
        let default = build_judge(args, settings, args.config.clone())?;
        Ok(Self { args, default, nearest: NearestSettings::default() })
    }

    /// Returns the file name under which standard input is linted. This is the value of
    /// `--stdin-filename`, by default `-`.
    pub(crate) fn name_of_stdin(&self) -> PathBuf {
        self.args.stdin_filename.clone().unwrap_or_else(|| "-".into())
    }

    /// Returns the settings for the file at `path`. If the nearest `urlsift.toml` has errors,
    /// returns them for the first of its files, and `None` for its other files.
    ///
    /// # Errors
    ///
    /// Returns the errors in the nearest `urlsift.toml`, unless they were already returned.
    pub(crate) fn settings_for(&mut self, path: &Path) -> anyhow::Result<Option<Arc<Judge>>> {
        if self.args.no_config || self.args.config.is_some() {
            return Ok(Some(Arc::clone(&self.default)));
        }
        let (args, mut fault) = (self.args, None);
        let mut read = |file: &Path| {
            let judge = match read_config_file(file) {
                Ok(text) => String::from_utf8(text)
                    .with_context(|| format!("{} cannot be read", file.display()))
                    .and_then(|text| build_judge(args, parse(file, &text)?, Some(file.to_owned()))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
                Err(error) => Err(anyhow!("{}: {}", file.display(), explain(&error))),
            };
            Some(judge.map_err(|error| fault = Some(error)).ok())
        };
        let directory = absolute(path);
        let directory = directory.parent().unwrap_or(Path::new("/"));
        let found = self.nearest.nearest(directory, &Some(Arc::clone(&self.default)), &mut read);
        fault.map_or(Ok(found), Err)
    }
}

/// Returns the absolute form of `path`, or `path` itself if the current directory can't be
/// determined.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads a text file that the user has named in an option.
///
/// # Errors
///
/// Fails if the file can't be read or is not UTF-8.
pub(crate) fn read_option_file(path: &Path) -> io::Result<String> {
    io::read_to_string(Input::open(path)?)
}

fn read(path: &Path) -> anyhow::Result<Settings> {
    let text =
        read_option_file(path).with_context(|| format!("{} cannot be read", path.display()))?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> anyhow::Result<Settings> {
    Settings::parse(text, absolute(path).parent().unwrap_or(Path::new("/")))
        .map_err(|error| anyhow!("{}:{error}", path.display()))
}

/// Combines the settings from a settings file with the command-line options, which take precedence.
/// `file` is the settings file, if there is one.
fn build_judge(
    args: &LintArgs,
    mut settings: Settings,
    file: Option<PathBuf>,
) -> anyhow::Result<Arc<Judge>> {
    let selectors = |option: &str, names: &[String]| {
        names
            .iter()
            .map(|name| Selector::new(name).map_err(|error| anyhow!("{option}: {error}")))
            .collect::<anyhow::Result<Vec<_>>>()
    };
    let config = &mut settings.config;
    if let Some(profile) = args.profile {
        config.profile = profile;
    }
    if let Some(rejoin) = args.rejoin {
        config.rejoin = rejoin;
    }
    if !args.select.is_empty() {
        config.select = selectors("--select", &args.select)?;
    }
    config.extend_select.extend(selectors("--extend-select", &args.extend_select)?);
    config.ignore.extend(selectors("--ignore", &args.ignore)?);
    for name in &args.scheme {
        config.schemes.push(parse_scheme_name(name).map_err(Error::msg)?.to_owned());
    }
    config.strict |= args.strict;
    config.verbatim |= args.verbatim;
    config.hides =
        config.hides.max(Secrets::from_flags(true, args.mask_secrets).unwrap_or_default());
    Ok(Arc::new(Judge::new(settings, file)))
}
