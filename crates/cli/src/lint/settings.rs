//! What `lint` is told, by its options and by `urlsift.toml`.
//!
//! The nearest `urlsift.toml` at or above a file holds for it. Options of the command line come on
//! top: single values replace those of the file, lists are added to them, but a `--select` replaces
//! the file's.

use crate::args::LintArgs;
use anyhow::{Context as _, anyhow, bail};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use toml::Spanned;
use urlsift_core::{Level, Profile};
use urlsift_lint::{Config, Linter, Selector};
use urlsift_scanner::Rejoin;

const NAME: &str = "urlsift.toml";

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    profile: Option<Spanned<String>>,
    rejoin: Option<Spanned<String>>,
    #[serde(default)]
    select: Vec<Spanned<String>>,
    #[serde(default)]
    extend_select: Vec<Spanned<String>>,
    #[serde(default)]
    ignore: Vec<Spanned<String>>,
    #[serde(default)]
    schemes: Vec<Spanned<String>>,
    #[serde(default)]
    levels: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    per_file_ignores: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
}

/// What holds for the files below one `urlsift.toml`, or for those below none.
pub(crate) struct Settings {
    pub(crate) linter: Linter,
    /// Files, and the rules that are silent in them.
    per_file: Vec<(Gitignore, Vec<Selector>)>,
}

impl Settings {
    /// Whether a rule is silent in a file.
    pub(crate) fn silences(&self, path: &Path, code: &str) -> bool {
        if self.per_file.is_empty() {
            return false;
        }
        let absolute = std::path::absolute(path);
        let path = absolute.as_deref().unwrap_or(path);
        self.per_file.iter().any(|(glob, selectors)| {
            selectors.iter().any(|selector| selector.names(code))
                && glob.matched_path_or_any_parents(path, false).is_ignore()
        })
    }
}

/// Finds the settings of each file; each `urlsift.toml` is read once.
pub(crate) struct Finder<'a> {
    args: &'a LintArgs,
    /// By directory; `None` is that of no file at all.
    by_directory: Mutex<HashMap<PathBuf, Arc<Settings>>>,
    by_file: Mutex<HashMap<Option<PathBuf>, Arc<Settings>>>,
}

impl<'a> Finder<'a> {
    /// # Errors
    ///
    /// What is wrong with the options, or with the file that `--config` names.
    pub(crate) fn new(args: &'a LintArgs) -> anyhow::Result<Self> {
        let finder = Self {
            args,
            by_directory: Mutex::new(HashMap::new()),
            by_file: Mutex::new(HashMap::new()),
        };
        // Options are judged even if no file is.
        finder.settings(args.config.clone())?;
        Ok(finder)
    }

    /// The settings for a file.
    ///
    /// # Errors
    ///
    /// What is wrong with its `urlsift.toml`.
    pub(crate) fn of(&self, path: &Path) -> anyhow::Result<Arc<Settings>> {
        if self.args.no_config || self.args.config.is_some() {
            return self.settings(self.args.config.clone());
        }
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let directory = absolute.parent().unwrap_or(Path::new("/")).to_owned();
        let lock = || self.by_directory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&directory) {
            return Ok(Arc::clone(known));
        }
        let nearest = directory.ancestors().map(|dir| dir.join(NAME)).find(|file| file.is_file());
        let settings = self.settings(nearest)?;
        lock().insert(directory, Arc::clone(&settings));
        Ok(settings)
    }

    fn settings(&self, file: Option<PathBuf>) -> anyhow::Result<Arc<Settings>> {
        let mut known = self.by_file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(settings) = known.get(&file) {
            return Ok(Arc::clone(settings));
        }
        let (mut config, per_file) = match &file {
            None => (Config::default(), Vec::new()),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("{} cannot be read", path.display()))?;
                let directory = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let directory = directory.parent().unwrap_or(Path::new("/")).to_owned();
                read(&text, &directory).map_err(|error| anyhow!("{}:{error}", path.display()))?
            }
        };
        self.apply_options(&mut config)?;
        let settings = Arc::new(Settings { linter: Linter::new(config), per_file });
        known.insert(file, Arc::clone(&settings));
        Ok(settings)
    }

    fn apply_options(&self, config: &mut Config) -> anyhow::Result<()> {
        let args = self.args;
        let selectors = |option: &str, names: &[String]| {
            names
                .iter()
                .map(|name| Selector::new(name).map_err(|error| anyhow!("{option}: {error}")))
                .collect::<anyhow::Result<Vec<_>>>()
        };
        if let Some(profile) = args.profile {
            config.profile = profile;
        }
        if let Some(rejoin) = args.rejoin {
            config.rejoin = rejoin.into();
        }
        if !args.select.is_empty() {
            config.select = selectors("--select", &args.select)?;
        }
        config.extend_select.extend(selectors("--extend-select", &args.extend_select)?);
        config.ignore.extend(selectors("--ignore", &args.ignore)?);
        config.schemes.extend(args.scheme.iter().cloned());
        for scheme in &config.schemes {
            if !is_scheme(scheme) {
                bail!("`{scheme}` is no scheme: letters, digits, `+`, `.` and `-`, a letter first");
            }
        }
        Ok(())
    }
}

fn is_scheme(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

type Read = (Config, Vec<(Gitignore, Vec<Selector>)>);

/// What a file says; its patterns are relative to `directory`. An error starts with its line.
fn read(text: &str, directory: &Path) -> Result<Read, String> {
    let at = |span: Range<usize>| {
        let before = text.get(..span.start).unwrap_or(text);
        before.bytes().filter(|&b| b == b'\n').count() + 1
    };
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, at);
        format!("{line}: {}", error.message().trim_end())
    })?;
    let wrong = |span: Range<usize>, message: String| format!("{}: {message}", at(span));
    let selector = |name: &Spanned<String>| {
        Selector::new(name.get_ref()).map_err(|error| wrong(name.span(), error.to_string()))
    };
    let selectors =
        |names: &[Spanned<String>]| names.iter().map(selector).collect::<Result<Vec<_>, _>>();
    let mut config = Config {
        select: selectors(&file.select)?,
        extend_select: selectors(&file.extend_select)?,
        ignore: selectors(&file.ignore)?,
        ..Config::default()
    };
    if let Some(name) = &file.profile {
        config.profile = name.get_ref().parse::<Profile>().map_err(|error| {
            wrong(name.span(), format!("profile `{}`: {error}", name.get_ref()))
        })?;
    }
    if let Some(name) = &file.rejoin {
        config.rejoin = match name.get_ref().as_str() {
            "off" => Rejoin::Off,
            "certain" => Rejoin::Certain,
            "likely" => Rejoin::Likely,
            other => {
                let message = format!("rejoin `{other}`: it is one of off, certain, likely");
                return Err(wrong(name.span(), message));
            }
        };
    }
    for name in &file.schemes {
        if !is_scheme(name.get_ref()) {
            return Err(wrong(name.span(), format!("`{}` is no scheme", name.get_ref())));
        }
        config.schemes.push(name.get_ref().clone());
    }
    for (rules, level) in &file.levels {
        let level = match level.get_ref().as_str() {
            "info" => Level::Info,
            "warning" => Level::Warning,
            "error" => Level::Error,
            other => {
                let message = format!("level `{other}`: it is one of info, warning, error");
                return Err(wrong(level.span(), message));
            }
        };
        config.levels.push((selector(rules)?, level));
    }
    // The more particular name holds, wherever it stands in the file.
    config.levels.sort_by_key(|(selector, _)| selector.weight());
    let mut per_file = Vec::new();
    for (pattern, rules) in &file.per_file_ignores {
        let mut glob = GitignoreBuilder::new(directory);
        let built = glob
            .add_line(None, pattern.get_ref())
            .and_then(|builder| builder.build())
            .map_err(|error| wrong(pattern.span(), error.to_string()))?;
        per_file.push((built, selectors(rules)?));
    }
    Ok((config, per_file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text, Path::new("/")).err().unwrap_or_default()
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(
            error("profile = 'web'\nignroe = []\n").split(',').next().unwrap(),
            "2: unknown field `ignroe`"
        );
        assert_eq!(
            error("ignore = [\n  'port.',\n  'prot.default',\n]"),
            "3: there is no rule `prot.default`; did you mean `port.default`?"
        );
        assert!(
            error("\nprofile = 'rfc2396'").starts_with("2: profile `rfc2396`: no such profile")
        );
        assert!(error("rejoin = 'maybe'").starts_with("1: rejoin `maybe`"));
        assert!(error("[levels]\n'host.' = 'fatal'").starts_with("2: level `fatal`"));
        assert!(error("schemes = ['a b']").starts_with("1: `a b` is no scheme"));
        assert!(error("profile = ").starts_with("1: "));
    }

    #[test]
    fn patterns_are_relative_to_the_file() {
        let (config, per_file) = read(
            "[levels]\n'host.underscore' = 'error'\n'host.' = 'info'\n[per-file-ignores]\n'docs/*.md' = ['port.']\n",
            Path::new("/a"),
        )
        .unwrap();
        let level = |code| config.level(urlsift_lint::rule(code).unwrap().meta());
        assert_eq!(level("host.underscore"), Some(Level::Error));
        assert_eq!(level("host.char"), Some(Level::Info));
        let settings = Settings { linter: Linter::new(config), per_file };
        assert!(settings.silences(Path::new("/a/docs/x.md"), "port.default"));
        assert!(!settings.silences(Path::new("/a/docs/x.md"), "host.char"));
        assert!(!settings.silences(Path::new("/a/b/docs/x.md"), "port.default"));
    }
}
