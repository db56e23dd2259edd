//! What `lint` is told, by its options and by the files `urlsift.toml`.
//!
//! The nearest `urlsift.toml` at or above a file holds for it. Options of the command line come on
//! top: single values replace those of the file, lists are added to them, but a `--select` replaces
//! the file's.

use crate::args::LintArgs;
use crate::io::explain::explain;
use crate::io::open::{Input, read_found};
use anyhow::{Context as _, Error, anyhow};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urlsift_core::Secrets;
use urlsift_lint::{Judge, NearestSettings, Selector, Settings};
use urlsift_records::option_table::scheme;

/// Finds what holds for each file.
pub(crate) struct Finder<'a> {
    args: &'a LintArgs,
    /// Where no `urlsift.toml` is looked for, or none is found.
    default: Arc<Judge>,
    /// `None` where something is wrong with the settings, which has been said.
    nearest: NearestSettings<Option<Arc<Judge>>>,
}

impl<'a> Finder<'a> {
    /// # Errors
    ///
    /// What is wrong with the options, or with the file that `--config` names.
    pub(crate) fn new(args: &'a LintArgs) -> anyhow::Result<Self> {
        let settings = args.config.as_deref().map_or_else(|| Ok(Settings::default()), read)?;
        let default = judge(args, settings, args.config.clone())?;
        Ok(Self { args, default, nearest: NearestSettings::default() })
    }

    /// The name of standard input.
    pub(crate) fn stdin_name(&self) -> PathBuf {
        self.args.stdin_filename.clone().unwrap_or_else(|| "-".into())
    }

    /// What holds for a file; nothing if something is wrong with its settings that has been said before.
    ///
    /// # Errors
    ///
    /// Which `urlsift.toml` has something wrong in it, and what that is; once for each.
    pub(crate) fn of(&mut self, path: &Path) -> anyhow::Result<Option<Arc<Judge>>> {
        if self.args.no_config || self.args.config.is_some() {
            return Ok(Some(Arc::clone(&self.default)));
        }
        let (args, mut fault) = (self.args, None);
        let mut read = |file: &Path| {
            let judge = match read_found(file) {
                Ok(text) => String::from_utf8(text)
                    .with_context(|| format!("{} cannot be read", file.display()))
                    .and_then(|text| judge(args, parse(file, &text)?, Some(file.to_owned()))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
                Err(error) => Err(anyhow!("{}: {}", file.display(), explain(&error))),
            };
            Some(judge.map_err(|error| fault = Some(error)).ok())
        };
        let directory = absolute(path);
        let directory = directory.parent().unwrap_or(Path::new("/"));
        let found = self.nearest.of(directory, &Some(Arc::clone(&self.default)), &mut read);
        fault.map_or(Ok(found), Err)
    }
}

/// The path from the root; as it is where nobody knows that.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The text of a file that an option names.
///
/// # Errors
///
/// What the system says, or that it is no UTF-8.
pub(crate) fn read_named(path: &Path) -> io::Result<String> {
    io::read_to_string(Input::open(path)?)
}

fn read(path: &Path) -> anyhow::Result<Settings> {
    let text = read_named(path).with_context(|| format!("{} cannot be read", path.display()))?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> anyhow::Result<Settings> {
    Settings::parse(text, absolute(path).parent().unwrap_or(Path::new("/")))
        .map_err(|error| anyhow!("{}:{error}", path.display()))
}

/// What a file says, with the options on top.
fn judge(
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
        config.schemes.push(scheme(name).map_err(Error::msg)?.to_owned());
    }
    config.strict |= args.strict;
    config.verbatim |= args.verbatim;
    config.hides = if args.mask_secrets { Secrets::All } else { Secrets::Passwords };
    Ok(Arc::new(Judge::new(settings, file)))
}
