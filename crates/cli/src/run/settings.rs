//! The settings of `lint` for each file, from the options and the files `urlsift.toml`.
//!
//! The nearest `urlsift.toml` in the directory of a file or above it applies. Options on the
//! command line take precedence: single values replace those of the file, and lists are added to
//! those of the file. `--select` replaces the list of the file.

use crate::args::LintArgs;
use crate::io::explain::explain;
use crate::io::open::{Input, read_config_file};
use crate::run::local;
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
    /// The settings if there is no `urlsift.toml` or none is read, before their first use.
    unused_default: Option<Judge>,
    /// The same settings after their first use, when the trees of files were read.
    default: Option<Arc<Judge>>,
    nearest: NearestSettings<Nearest>,
}

/// The settings that apply to a directory.
#[derive(Clone)]
enum Nearest {
    /// There is no `urlsift.toml`.
    Default,
    /// The nearest `urlsift.toml` has errors, which were reported.
    Invalid,
    /// The settings from the nearest `urlsift.toml`.
    File(Arc<Judge>),
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
        let default = Some(build_judge(args, settings, args.config.clone())?);
        let nearest = NearestSettings::default();
        Ok(Self { args, unused_default: default, default: None, nearest })
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
            return Ok(Some(self.default()));
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
            let root = absolute(file).parent().map(Path::to_owned);
            Some(match judge {
                Ok(judge) => Nearest::File(with_trees(args, judge, root.as_slice())),
                Err(error) => {
                    fault = Some(error);
                    Nearest::Invalid
                }
            })
        };
        let directory = absolute(path);
        let directory = directory.parent().unwrap_or(Path::new("/"));
        let found = self.nearest.nearest(directory, &Nearest::Default, &mut read);
        match (fault, found) {
            (Some(fault), _) => Err(fault),
            (None, Nearest::Default) => Ok(Some(self.default())),
            (None, Nearest::Invalid) => Ok(None),
            (None, Nearest::File(judge)) => Ok(Some(judge)),
        }
    }

    /// Returns the settings for files without `urlsift.toml`.
    fn default(&mut self) -> Arc<Judge> {
        let (args, unused) = (self.args, &mut self.unused_default);
        let default = self.default.get_or_insert_with(|| {
            let judge = unused.take().unwrap_or_default();
            let is_local = args.local.is_some() || judge.settings().local.is_some();
            let roots = if is_local { local::roots(args) } else { Vec::new() };
            with_trees(args, judge, &roots)
        });
        Arc::clone(default)
    }
}

/// Adds the trees of files to `judge` if relative links are checked.
fn with_trees(args: &LintArgs, judge: Judge, roots: &[PathBuf]) -> Arc<Judge> {
    let local = judge.settings().local;
    if local.is_none() && args.local.is_none() {
        return Arc::new(judge);
    }
    let slug = args.local.flatten().or(local).unwrap_or_default();
    let trees = roots.iter().map(|root| local::read_tree(root, slug, args.max_size.0)).collect();
    Arc::new(judge.with_trees(trees))
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
    let directory = absolute(path);
    let directory = directory.parent().unwrap_or(Path::new("/"));
    let mut read = |file: &Path| {
        let text = read_config_file(file).map_err(|error| explain(&error))?;
        String::from_utf8(text).map_err(|error| error.to_string())
    };
    Settings::parse_extending(text, directory, &mut read)
        .map_err(|error| anyhow!("{}:{error}", path.display()))
}

/// Combines the settings from a settings file with the command-line options, which take precedence.
/// `file` is the settings file, if there is one.
fn build_judge(
    args: &LintArgs,
    mut settings: Settings,
    file: Option<PathBuf>,
) -> anyhow::Result<Judge> {
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
    Ok(Judge::new(settings, file))
}
