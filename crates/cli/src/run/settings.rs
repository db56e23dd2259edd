//! What `lint` is told, by its options and by the files `urlsift.toml`.
//!
//! The nearest `urlsift.toml` at or above a file holds for it. Options of the command line come on
//! top: single values replace those of the file, lists are added to them, but a `--select` replaces
//! the file's.

use crate::args::{LintArgs, NO_SCHEME};
use crate::io::explain::explain;
use crate::io::open::{Input, read_found};
use anyhow::{Context as _, anyhow, bail};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_core::Scheme;
use urlsift_lint::{Linter, Selector, Settings};

/// What holds for a file: the linters, and what its `urlsift.toml` says of single files.
pub(crate) struct Judge {
    pub(crate) settings: Settings,
    /// Where these come from.
    pub(crate) file: Option<PathBuf>,
    /// By the overrides of the settings that hold.
    linters: Mutex<HashMap<Vec<usize>, Arc<Linter>>>,
}

impl Judge {
    /// The linter for the file at an absolute path.
    pub(crate) fn linter(&self, path: &Path) -> Arc<Linter> {
        let overriding = self.settings.overriding(path);
        let mut linters = self.linters.lock().unwrap_or_else(PoisonError::into_inner);
        let linter = linters.entry(overriding).or_insert_with_key(|overriding| {
            Arc::new(Linter::new(self.settings.overridden(overriding)))
        });
        Arc::clone(linter)
    }
}

/// Finds what holds for each file.
pub(crate) struct Finder<'a> {
    args: &'a LintArgs,
    /// Where no `urlsift.toml` is looked for, or none is found.
    default: Arc<Judge>,
    /// `None` where something is wrong with the settings, which has been said.
    by_directory: HashMap<PathBuf, Option<Arc<Judge>>>,
}

impl<'a> Finder<'a> {
    /// # Errors
    ///
    /// What is wrong with the options, or with the file that `--config` names.
    pub(crate) fn new(args: &'a LintArgs) -> anyhow::Result<Self> {
        let settings = args.config.as_deref().map_or_else(|| Ok(Settings::default()), read)?;
        let default = judge(args, settings, args.config.clone())?;
        Ok(Self { args, default, by_directory: HashMap::new() })
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
        self.below(absolute(path).parent().unwrap_or(Path::new("/")))
    }

    fn below(&mut self, directory: &Path) -> anyhow::Result<Option<Arc<Judge>>> {
        if let Some(judge) = self.by_directory.get(directory) {
            return Ok(judge.clone());
        }
        let file = directory.join(Settings::NAME);
        let found = match (read_found(&file), directory.parent()) {
            (Ok(text), _) => String::from_utf8(text)
                .with_context(|| format!("{} cannot be read", file.display()))
                .and_then(|text| judge(self.args, parse(&file, &text)?, Some(file.clone())))
                .map(Some),
            (Err(error), above) if error.kind() == io::ErrorKind::NotFound => match above {
                Some(above) => self.below(above),
                None => Ok(Some(Arc::clone(&self.default))),
            },
            (Err(error), _) => Err(anyhow!("{}: {}", file.display(), explain(&error))),
        };
        let known = found.as_ref().ok().cloned().flatten();
        self.by_directory.insert(directory.to_owned(), known);
        found
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
    if let Some(scheme) = args.scheme.iter().find(|scheme| !Scheme::may_be_named(scheme.as_bytes()))
    {
        bail!("`{scheme}` {NO_SCHEME}");
    }
    config.schemes.extend(args.scheme.iter().cloned());
    config.strict |= args.strict;
    config.verbatim |= args.verbatim;
    Ok(Arc::new(Judge { settings, file, linters: Mutex::default() }))
}
