//! The parser of `urlsift.toml`, which configures the linter for a directory tree.

use crate::config::{Config, Pattern, Selector};
use crate::slug::Slug;
use core::fmt;
use core::marker::PhantomData;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use urlsift_core::{Level, Profile, Scheme, Secrets};
use urlsift_scanner::Rejoin;

/// The fields of a `urlsift.toml` as read from the file, before the names in it are checked.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    extend: Option<Name>,
    profile: Option<Name>,
    rejoin: Option<Name>,
    select: Vec<Name>,
    extend_select: Vec<Name>,
    ignore: Vec<Name>,
    schemes: Vec<Name>,
    levels: BTreeMap<Name, Name>,
    strict: Option<bool>,
    verbatim: Option<bool>,
    mask_secrets: Option<bool>,
    exclude: Table<Exclude>,
    fixable: Vec<Name>,
    unfixable: Vec<Name>,
    extend_safe_fixes: Vec<Name>,
    extend_unsafe_fixes: Vec<Name>,
    overrides: Vec<Table<Override>>,
    per_file_ignores: BTreeMap<Name, Vec<Name>>,
    local: Option<Table<LocalTable>>,
}

/// A TOML table with the fields of `T`. Rejects arrays, from which the `Deserialize` implementation
/// of `T` would read the fields in order.
#[derive(Debug, Default)]
struct Table<T>(T);

/// A table of the settings file, for error messages.
trait Described {
    /// The text after "expected" in the error message for a value of another type, with an example.
    const DESCRIPTION: &str;
}

impl Described for LocalTable {
    const DESCRIPTION: &str = "a table, e.g. `local = { slug = \"mdbook\" }`";
}

impl Described for Exclude {
    const DESCRIPTION: &str = "a table, e.g. `exclude = { files = [\"docs/\"] }`";
}

impl Described for Override {
    const DESCRIPTION: &str = "a table, e.g. `[[overrides]]`";
}

impl<'de, T: Deserialize<'de> + Described> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfTable<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de> + Described> Visitor<'de> for OfTable<T> {
            type Value = Table<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::DESCRIPTION)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Table<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Table)
            }
        }

        deserializer.deserialize_map(OfTable(PhantomData))
    }
}

/// Replaces Serde's names for types in an error message with those of TOML.
fn with_names_of_toml(message: &str) -> String {
    message
        .replace("invalid type: sequence", "invalid type: array")
        .replace("invalid type: map", "invalid type: table")
        .replace("expected a sequence", "expected an array, e.g. `[\"...\"]`")
        .replace("expected a map", "expected a table")
}

/// The table `local` as read from the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct LocalTable {
    slug: Option<Name>,
}

/// The hosts, URLs and files for which nothing is reported.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Exclude {
    hosts: Vec<String>,
    urls: Vec<String>,
    files: Vec<Name>,
}

/// One entry of `overrides` as read from the file, before the names in it are checked.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Override {
    files: Vec<Name>,
    profile: Option<Name>,
    select: Vec<Name>,
    extend_select: Vec<Name>,
    ignore: Vec<Name>,
    levels: BTreeMap<Name, Name>,
    strict: Option<bool>,
    verbatim: Option<bool>,
}

type Name = Spanned<String>;

/// The settings in a `urlsift.toml`: a general [`Config`], and overrides for certain files.
///
/// ```
/// use urlsift_lint::Settings;
/// let text = "[exclude]\nfiles = ['old/']\n[per-file-ignores]\n'*.md' = ['port.']\n";
/// let settings = Settings::parse(text, "/home/joe".as_ref())?;
/// assert!(settings.excludes("/home/joe/old/a.txt".as_ref()));
/// assert!(settings.turns_off_rule("/home/joe/a.md".as_ref(), "port.default"));
/// let overriding = settings.matching_overrides("/home/joe/a.md".as_ref());
/// assert!(overriding.is_empty() && settings.config_with_overrides(&overriding) == settings.config);
/// # Ok::<(), urlsift_lint::BadSettings>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// The general configuration, without overrides.
    pub config: Config,
    /// The style of heading IDs, or `None` if relative links are not checked.
    pub local: Option<Slug>,
    /// Patterns of files, and the rules to skip in them.
    per_file: Vec<(Gitignore, Vec<Selector>)>,
    /// Patterns of files that are not linted.
    excluded: Vec<Gitignore>,
    /// Patterns of files, and the settings for them.
    overrides: Vec<(Gitignore, Overriding)>,
}

/// Settings that apply only to certain files. `select` and single values replace those of the
/// general settings. The other lists are added to the general ones.
#[derive(Clone, Debug)]
struct Overriding {
    profile: Option<Profile>,
    select: Vec<Selector>,
    extend_select: Vec<Selector>,
    ignore: Vec<Selector>,
    levels: Vec<(Selector, Level)>,
    strict: Option<bool>,
    verbatim: Option<bool>,
}

impl Overriding {
    /// Applies these settings to `config`.
    fn apply(&self, config: &mut Config) {
        config.profile = self.profile.unwrap_or(config.profile);
        if !self.select.is_empty() {
            config.select.clone_from(&self.select);
        }
        config.extend_select.extend_from_slice(&self.extend_select);
        config.ignore.extend_from_slice(&self.ignore);
        config.levels.extend_from_slice(&self.levels);
        config.strict = self.strict.unwrap_or(config.strict);
        config.verbatim = self.verbatim.unwrap_or(config.verbatim);
    }
}

/// The error for an invalid `urlsift.toml`, with its line.
///
/// ```
/// let error = urlsift_lint::Settings::parse("profile = 'wep'", "/home/joe".as_ref()).unwrap_err();
/// assert_eq!(error.line, 1);
/// assert!(error.to_string().starts_with("1: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadSettings {
    /// The number of the faulty line, 1-based.
    pub line: usize,
    /// A description of the error.
    pub message: String,
}

impl fmt::Display for BadSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl core::error::Error for BadSettings {}

impl Settings {
    /// The name of the settings file. The nearest such file in the directory of a linted file, or
    /// in a directory above it, applies.
    pub const NAME: &str = "urlsift.toml";

    /// The maximum size of a settings file, in bytes. Callers must reject longer files.
    pub const MOST_BYTES: u64 = 16 << 20;

    /// The maximum length of a chain of files that extend each other.
    const MAX_EXTENDED: usize = 16;

    /// Parses `text`, the content of a settings file. `directory` is the absolute path of the
    /// file's directory. The file patterns in the settings are relative to it.
    ///
    /// Fails if the file contains `extend`. Use [`Settings::parse_extending`] for such files.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text.
    ///
    /// ```
    /// use urlsift_lint::Settings;
    ///
    /// let directory = "/home/joe".as_ref();
    /// let settings = Settings::parse("profile = 'rfc1738'", directory)?;
    /// assert_eq!(settings.config.profile.name(), "rfc1738");
    /// let error = Settings::parse("profile = 'web'\nprofil = 'web'", directory).unwrap_err();
    /// assert_eq!(error.line, 2);
    /// # Ok::<(), urlsift_lint::BadSettings>(())
    /// ```
    pub fn parse(text: &str, directory: &Path) -> Result<Self, BadSettings> {
        Self::parse_extending(text, directory, &mut |_| Err("not supported here".to_owned()))
    }

    /// Parses `text` like [`Settings::parse`], and the files that it extends. `read` returns the
    /// content of the file at a path from `extend`, or the reason why the file can't be read.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text or in the files that it extends.
    ///
    /// ```
    /// use urlsift_lint::Settings;
    ///
    /// let mut read = |file: &std::path::Path| {
    ///     assert_eq!(file, "/home/joe/../all.toml");
    ///     Ok("profile = 'rfc1738'\nstrict = false".to_owned())
    /// };
    /// let text = "extend = '../all.toml'\nstrict = true";
    /// let config = Settings::parse_extending(text, "/home/joe".as_ref(), &mut read)?.config;
    /// assert!(config.strict && config.profile.name() == "rfc1738");
    /// # Ok::<(), urlsift_lint::BadSettings>(())
    /// ```
    pub fn parse_extending(
        text: &str,
        directory: &Path,
        read: &mut dyn FnMut(&Path) -> Result<String, String>,
    ) -> Result<Self, BadSettings> {
        Self::read_settings(text, directory, directory, read, Self::MAX_EXTENDED)
    }

    /// Parses the content of a file in the directory `own`. File patterns are relative to
    /// `directory`. `depth` is the maximum length of the chain of files that this file extends.
    fn read_settings(
        text: &str,
        directory: &Path,
        own: &Path,
        read: &mut dyn FnMut(&Path) -> Result<String, String>,
        depth: usize,
    ) -> Result<Self, BadSettings> {
        let to_error = |(span, message): (Range<usize>, String)| {
            let before = text.get(..span.start).unwrap_or(text);
            BadSettings { line: before.matches('\n').count() + 1, message }
        };
        let file: File = toml::from_str(text)
            .map_err(|error| {
                (error.span().unwrap_or_default(), with_names_of_toml(error.message().trim_end()))
            })
            .map_err(to_error)?;
        let mut extend = |name: &str| {
            let path = own.join(name);
            let depth = depth.checked_sub(1).ok_or("the files extend each other")?;
            let text = read(&path).map_err(|error| format!("extend `{name}`: {error}"))?;
            let own = path.parent().unwrap_or(own);
            Self::read_settings(&text, directory, own, read, depth)
                .map_err(|error| format!("extend `{name}`: {error}"))
        };
        let base = file.extend.as_ref().map(|name| parse_name(name, &mut extend)).transpose();
        let base = base.map_err(to_error)?.unwrap_or_default();
        base.extended_by(file, directory).map_err(to_error)
    }

    /// Applies the settings in `file` to `self`, the settings of the file that it extends. Replaces
    /// single values and `select`, and combines other lists.
    fn extended_by(mut self, file: File, directory: &Path) -> Result<Self, (Range<usize>, String)> {
        let selectors = |names: &[Name]| {
            names.iter().map(|name| parse_name(name, parse_selector)).collect::<Result<Vec<_>, _>>()
        };
        let config = &mut self.config;
        if !file.select.is_empty() {
            config.select = selectors(&file.select)?;
        }
        for (list, names) in [
            (&mut config.extend_select, &file.extend_select),
            (&mut config.ignore, &file.ignore),
            (&mut config.fixable, &file.fixable),
            (&mut config.unfixable, &file.unfixable),
            (&mut config.extend_safe_fixes, &file.extend_safe_fixes),
            (&mut config.extend_unsafe_fixes, &file.extend_unsafe_fixes),
        ] {
            list.extend(selectors(names)?);
        }
        config.levels.extend(parse_levels(&file.levels)?);
        sort_levels(&mut config.levels);
        config.strict = file.strict.unwrap_or(config.strict);
        config.verbatim = file.verbatim.unwrap_or(config.verbatim);
        if let Some(mask_secrets) = file.mask_secrets {
            config.hides = Secrets::from_flags(true, mask_secrets).unwrap_or_default();
        }
        if let Some(name) = &file.profile {
            config.profile = parse_name(name, parse_profile)?;
        }
        if let Some(name) = &file.rejoin {
            config.rejoin = parse_name(name, parse_rejoin)?;
        }
        for name in &file.schemes {
            config.schemes.push(parse_name(name, parse_scheme)?);
        }
        let Table(exclude) = file.exclude;
        config.exclude.extend(exclude.hosts.into_iter().map(Pattern::Host));
        config.exclude.extend(exclude.urls.into_iter().map(Pattern::Url));
        let glob = |patterns: &[Name]| compile_patterns(directory, patterns);
        if !exclude.files.is_empty() {
            self.excluded.push(glob(&exclude.files)?);
        }
        for (pattern, rules) in &file.per_file_ignores {
            self.per_file.push((glob(std::slice::from_ref(pattern))?, selectors(rules)?));
        }
        for Table(one) in &file.overrides {
            let overriding = Overriding {
                profile: one
                    .profile
                    .as_ref()
                    .map(|name| parse_name(name, parse_profile))
                    .transpose()?,
                select: selectors(&one.select)?,
                extend_select: selectors(&one.extend_select)?,
                ignore: selectors(&one.ignore)?,
                levels: parse_levels(&one.levels)?,
                strict: one.strict,
                verbatim: one.verbatim,
            };
            self.overrides.push((glob(&one.files)?, overriding));
        }
        if let Some(Table(table)) = &file.local {
            let slug = table.slug.as_ref().map(|name| parse_name(name, parse_slug)).transpose()?;
            self.local = Some(slug.or(self.local).unwrap_or_default());
        }
        Ok(self)
    }

    /// True if the settings exclude the file at `path` from linting. `path` must be absolute.
    pub fn excludes(&self, path: &Path) -> bool {
        self.excluded.iter().any(|glob| matches_any_pattern(glob, path))
    }

    /// Returns the indexes of the overrides that apply to the file at `path`, which must be
    /// absolute. [`Settings::config_with_overrides`] returns the resulting configuration.
    pub fn matching_overrides(&self, path: &Path) -> Vec<usize> {
        let all = self.overrides.iter().enumerate();
        all.filter(|(_, (glob, _))| matches_any_pattern(glob, path)).map(|(at, _)| at).collect()
    }

    /// Returns the configuration with some overrides applied in order. `overriding` contains their
    /// indexes.
    pub fn config_with_overrides(&self, overriding: &[usize]) -> Config {
        let mut config = self.config.clone();
        for (_, one) in overriding.iter().filter_map(|&at| self.overrides.get(at)) {
            one.apply(&mut config);
        }
        config
    }

    /// True if the settings turn off the rule `code` for the file at `path`, which must be
    /// absolute.
    pub fn turns_off_rule(&self, path: &Path, code: &str) -> bool {
        self.per_file.iter().any(|(glob, selectors)| {
            selectors.iter().any(|selector| selector.matches(code))
                && matches_any_pattern(glob, path)
        })
    }
}

/// True if one of the patterns in `glob` matches `path`. False if `path` is outside the directory
/// of the patterns.
fn matches_any_pattern(glob: &Gitignore, path: &Path) -> bool {
    path.starts_with(glob.path()) && glob.matched_path_or_any_parents(path, false).is_ignore()
}

/// Compiles patterns in the syntax of `.gitignore`. They are relative to `directory`. An error has
/// the span of the faulty pattern in the settings file.
fn compile_patterns(
    directory: &Path,
    patterns: &[Name],
) -> Result<Gitignore, (Range<usize>, String)> {
    let mut globs = GitignoreBuilder::new(directory);
    for pattern in patterns {
        parse_name(pattern, |line| {
            globs.add_line(None, line).map(drop).map_err(|error| error.to_string())
        })?;
    }
    globs.build().map_err(|error| (Range::default(), error.to_string()))
}

type Levels = Vec<(Selector, Level)>;

/// Parses the levels of rules. The most specific rule is last, so that it wins regardless of its
/// position in the file.
fn parse_levels(names: &BTreeMap<Name, Name>) -> Result<Levels, (Range<usize>, String)> {
    let pairs = names.iter().map(|(rules, name)| {
        Ok((parse_name(rules, parse_selector)?, parse_name(name, parse_level)?))
    });
    let mut levels = pairs.collect::<Result<Levels, _>>()?;
    sort_levels(&mut levels);
    Ok(levels)
}

/// Sorts levels by the specificity of their rules. The order of equal rules doesn't change, so the
/// last one applies.
fn sort_levels(levels: &mut Levels) {
    levels.sort_by_key(|(selector, _)| selector.specificity());
}

/// Parses a name from the settings file with `read`. If that fails, the error also contains the
/// span of the name.
fn parse_name<T>(
    name: &Name,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<T, (Range<usize>, String)> {
    read(name.get_ref()).map_err(|message| (name.span(), message))
}

fn parse_selector(name: &str) -> Result<Selector, String> {
    Selector::new(name).map_err(|error| error.to_string())
}

fn parse_profile(name: &str) -> Result<Profile, String> {
    name.parse().map_err(|error| format!("profile `{name}`: {error}"))
}

fn parse_slug(name: &str) -> Result<Slug, String> {
    name.parse().map_err(|error| format!("slug `{name}`: {error}"))
}

fn parse_rejoin(name: &str) -> Result<Rejoin, String> {
    let found = Rejoin::ALL.into_iter().find(|rejoin| rejoin.name() == name);
    found.ok_or_else(|| format!("rejoin `{name}`: expected off, certain or likely"))
}

fn parse_level(name: &str) -> Result<Level, String> {
    let levels = [Level::Info, Level::Warning, Level::Error];
    let found = levels.into_iter().find(|level| level.name() == name);
    found.ok_or_else(|| format!("level `{name}`: expected info, warning or error"))
}

fn parse_scheme(name: &str) -> Result<String, String> {
    Scheme::may_be_named(name.as_bytes())
        .then(|| name.to_owned())
        .ok_or_else(|| format!("`{name}` is not a valid scheme"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Settings::parse(text, Path::new("/")).err().unwrap().to_string()
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
        assert!(error("\nprofile = 'rfc2396'").starts_with("2: profile `rfc2396`: no such name"));
        assert!(error("rejoin = 'maybe'").starts_with("1: rejoin `maybe`"));
        assert!(error("[levels]\n'host.' = 'fatal'").starts_with("2: level `fatal`"));
        assert!(error("schemes = ['a b']").starts_with("1: `a b` is not a valid scheme"));
        assert!(error("profile = ").starts_with("1: "));
    }

    #[test]
    fn wrong_types_are_explained_in_terms_of_toml() {
        for (text, message) in [
            (
                "exclude = ['docs/']",
                "1: invalid type: array, expected a table, e.g. `exclude = { files = [\"docs/\"] }`",
            ),
            (
                "exclude = [['h.dom']]",
                "1: invalid type: array, expected a table, e.g. `exclude = { files = [\"docs/\"] }`",
            ),
            (
                "\nlocal = true",
                "2: invalid type: boolean `true`, expected a table, e.g. `local = { slug = \"mdbook\" }`",
            ),
            (
                "overrides = ['a']",
                "1: invalid type: string \"a\", expected a table, e.g. `[[overrides]]`",
            ),
            (
                "ignore = 'port.'",
                "1: invalid type: string \"port.\", expected an array, e.g. `[\"...\"]`",
            ),
            (
                "[exclude]\nfiles = 'docs/'",
                "2: invalid type: string \"docs/\", expected an array, e.g. `[\"...\"]`",
            ),
            ("levels = ['a']", "1: invalid type: array, expected a table"),
        ] {
            assert_eq!(error(text), message);
        }
    }

    #[test]
    fn extending_file_takes_precedence() {
        let files = |path: &Path| match path.to_str().unwrap() {
            "/a/base/all.toml" => Ok("extend = 'more.toml'\nstrict = true\nignore = ['port.']\n\
                [levels]\n'host.underscore' = 'info'\n[per-file-ignores]\n'*.md' = ['host.']\n\
                [local]\nslug = 'hugo'\n"
                .to_owned()),
            "/a/base/more.toml" => Ok("profile = 'rfc1738'\nignore = ['host.char']\n".to_owned()),
            "/a/base/loop.toml" => Ok("extend = 'loop.toml'".to_owned()),
            "/a/base/bad.toml" => Ok("\nprofile = 'wep'".to_owned()),
            _ => Err("no such file".to_owned()),
        };
        let parse = |text: &str| Settings::parse_extending(text, Path::new("/a"), &mut { files });
        let text = "extend = 'base/all.toml'\nstrict = false\nignore = ['escape.']\n\
            [levels]\n'host.' = 'error'\n[local]\n";
        let settings = parse(text).unwrap();
        let config = &settings.config;
        assert_eq!((config.strict, config.profile), (false, Profile::Rfc1738));
        assert_eq!(config.ignore.len(), 3);
        assert_eq!(settings.local, Some(Slug::Hugo));
        let level = |code| config.configured_level(crate::rule(code).unwrap().meta());
        assert_eq!(level("host.underscore"), Some(Level::Info));
        assert_eq!(level("host.char"), Some(Level::Error));
        assert!(settings.turns_off_rule(Path::new("/a/x.md"), "host.char"));
        for (name, message) in [
            ("none", "1: extend `base/none.toml`: no such file"),
            ("bad", "1: extend `base/bad.toml`: 2: profile `wep`"),
            ("loop", "the files extend each other"),
        ] {
            let error = parse(&format!("extend = 'base/{name}.toml'")).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn patterns_are_relative_to_the_file() {
        let settings = Settings::parse(
            "[levels]\n'host.underscore' = 'error'\n'host.' = 'info'\n[per-file-ignores]\n'docs/*.md' = ['port.']\n",
            Path::new("/a"),
        )
        .unwrap();
        let level = |code| settings.config.configured_level(crate::rule(code).unwrap().meta());
        assert_eq!(level("host.underscore"), Some(Level::Error));
        assert_eq!(level("host.char"), Some(Level::Info));
        assert!(settings.turns_off_rule(Path::new("/a/docs/x.md"), "port.default"));
        assert!(!settings.turns_off_rule(Path::new("/a/docs/x.md"), "host.char"));
        assert!(!settings.turns_off_rule(Path::new("/a/b/docs/x.md"), "port.default"));
        assert!(!settings.turns_off_rule(Path::new("/b/docs/x.md"), "port.default"));
    }

    #[test]
    fn tokens_are_masked_on_request() {
        for (text, hides) in [
            ("", Secrets::Passwords),
            ("mask-secrets = false", Secrets::Passwords),
            ("mask-secrets = true", Secrets::All),
        ] {
            let settings = Settings::parse(text, Path::new("/")).unwrap();
            assert_eq!(settings.config.hides, hides, "{text}");
        }
    }

    #[test]
    fn files_can_be_excluded_and_overridden() {
        let settings = Settings::parse(
            "[exclude]\nhosts = ['host.dom']\nurls = ['*/old/*']\nfiles = ['vendor/']\n\
             [[overrides]]\nfiles = ['rfc/*.txt']\nstrict = true\nlevels = { 'port.' = 'error' }\n",
            Path::new("/a"),
        )
        .unwrap();
        assert!(settings.excludes(Path::new("/a/vendor/x/y.md")));
        assert!(!settings.excludes(Path::new("/a/x.md")));
        let excludes =
            |url: &str, host: &str| settings.config.excludes(url.as_bytes(), host.as_bytes());
        assert!(excludes("http://www.Host.dom/", "www.Host.dom"));
        assert!(!excludes("http://otherhost.dom/", "otherhost.dom"));
        assert!(excludes("http://x.dom/old/a", "x.dom"));
        let none = settings.matching_overrides(Path::new("/a/x.txt"));
        assert!(none.is_empty());
        let config =
            settings.config_with_overrides(&settings.matching_overrides(Path::new("/a/rfc/x.txt")));
        assert!(config.strict && !settings.config.strict);
        let port = crate::rule("port.default").unwrap().meta();
        assert_eq!(
            (config.configured_level(port), settings.config.configured_level(port)),
            (Some(Level::Error), None)
        );
    }
}
