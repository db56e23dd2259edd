//! The configuration of the linter as plain data. The module `settings` reads it from a file.

use crate::diagnostic::Diagnostic;
use crate::edit::Applicability;
use crate::registry;
use crate::rule::{LenientLevel, Meta};
use core::fmt;
use urlsift_core::{Level, Profile, Secrets};
use urlsift_scanner::Rejoin;

/// A selector of rules: a code such as `port.default`, a group such as `security.` or `security`,
/// or `all`.
///
/// ```
/// use urlsift_lint::Selector;
/// let group = Selector::new("port.")?;
/// assert!(group.matches("port.default") && !group.matches("host.label"));
/// assert!(Selector::new("port.default")?.specificity() > group.specificity());
/// # Ok::<(), urlsift_lint::UnknownRule>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(String);

/// The error for a selector that matches no rule.
///
/// ```
/// let error = urlsift_lint::Selector::new("port.defualt").unwrap_err();
/// assert_eq!(error.nearest, Some("port.default"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownRule {
    /// The selector as given.
    pub name: String,
    /// The rule with the most similar name, if one is similar enough.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no rule `{}`", self.name)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for UnknownRule {}

impl Selector {
    /// Parses the name of a rule or group, and checks that it matches at least one rule.
    ///
    /// # Errors
    ///
    /// Returns an error if the selector matches no rule.
    pub fn new(name: &str) -> Result<Self, UnknownRule> {
        let selector = Self(name.trim().to_owned());
        if registry::RULES.iter().any(|rule| selector.matches(rule.meta().code)) {
            return Ok(selector);
        }
        Err(UnknownRule {
            name: selector.0.clone(),
            nearest: registry::most_similar_rule(&selector.0),
        })
    }

    /// True if the selector matches the rule with the code `code`.
    pub fn matches(&self, code: &str) -> bool {
        let name = self.0.as_str();
        name == "all"
            || name == code
            || code
                .strip_prefix(name)
                .is_some_and(|rest| name.ends_with('.') || rest.starts_with('.'))
    }

    /// Returns the specificity of the selector, which decides between several selectors that match
    /// a rule: the most specific one wins. It is the length of the selector's name, and 0 for
    /// `all`.
    pub fn specificity(&self) -> usize {
        if self.0 == "all" { 0 } else { self.0.trim_end_matches('.').len() }
    }
}

/// A pattern of hosts or URLs that are not linted. `*` matches any number of bytes. ASCII case is
/// ignored.
///
/// ```
/// use urlsift_lint::{Config, Pattern, lint};
/// let mut config = Config::default();
/// let text = b"At http://www..host.dom/ now.";
/// assert_eq!(lint(text, &config).len(), 1);
/// config.exclude = vec![Pattern::Url("http://www..host.*".to_owned())];
/// assert!(lint(text, &config).is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pattern {
    /// A pattern of a host, or of a domain that contains the host: `host.dom` also matches
    /// `www.host.dom`.
    Host(String),
    /// A pattern of a complete URL.
    Url(String),
}

impl Pattern {
    /// True if the pattern matches the whole of `url` or of `host`. In the worst case, takes time
    /// proportional to the product of the lengths.
    fn matches(&self, url: &[u8], host: &[u8]) -> bool {
        match self {
            Self::Url(pattern) => matches_glob(pattern.as_bytes(), url),
            Self::Host(pattern) => {
                let dots = host.iter().enumerate().filter(|&(_, &b)| b == b'.');
                let mut starts = core::iter::once(0).chain(dots.map(|(at, _)| at + 1));
                starts.any(|start| matches_glob(pattern.as_bytes(), &host[start..]))
            }
        }
    }
}

/// True if `pattern` matches the whole of `text`. Each `*` in the pattern matches any number of
/// bytes.
fn matches_glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    // The last star, and the end of the bytes that it has matched so far.
    let mut backtrack: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            backtrack = Some((p, t));
            p += 1;
        } else if pattern.get(p).is_some_and(|b| b.eq_ignore_ascii_case(&text[t])) {
            p += 1;
            t += 1;
        } else if let Some((star, from)) = backtrack {
            backtrack = Some((star, from + 1));
            p = star + 1;
            t = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&b| b == b'*')
}

/// The configuration of a [`Linter`](crate::Linter).
///
/// A rule runs if `select` matches it or, with an empty `select`, if it is on by default. `ignore`
/// turns a rule off unless `select` or `extend_select` is more specific: `ignore = ["port."]` with
/// `select = ["port.default"]` leaves `port.default` on.
///
/// ```
/// use urlsift_core::Profile;
/// use urlsift_lint::{Config, Level, Selector, rule};
/// let mut config = Config::default();
/// assert!(!config.is_strict() && Config::new(Profile::Rfc1738).is_strict());
/// config.levels = vec![(Selector::new("host.")?, Level::Info)];
/// assert_eq!(config.configured_level(rule("host.label").unwrap().meta()), Some(Level::Info));
/// # Ok::<(), urlsift_lint::UnknownRule>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The standard that URLs are checked against.
    pub profile: Profile,
    /// When bare URLs that are broken over lines are rejoined.
    pub rejoin: Rejoin,
    /// The only rules to run; if empty, those that are on by default.
    pub select: Vec<Selector>,
    /// Additional rules to run.
    pub extend_select: Vec<Selector>,
    /// Rules to skip.
    pub ignore: Vec<Selector>,
    /// Levels of rules, instead of their own. The last match wins.
    pub levels: Vec<(Selector, Level)>,
    /// Additional schemes to find, even without `//`.
    pub schemes: Vec<String>,
    /// True to report URLs in code, examples, templates and test data like all others, and every
    /// rule at its level in strict mode. A rule may still report an info if its description says
    /// so, as `security.token` does for example hosts. All profiles except `web` imply this.
    pub strict: bool,
    /// True to check URLs in code with all rules, not only with those for mistyped schemes.
    pub verbatim: bool,
    /// Hosts and URLs that are not reported.
    pub exclude: Vec<Pattern>,
    /// The only rules whose fixes are applied; if empty, all rules.
    pub fixable: Vec<Selector>,
    /// Rules whose fixes are shown but never applied.
    pub unfixable: Vec<Selector>,
    /// Rules whose unsafe fixes count as safe.
    pub extend_safe_fixes: Vec<Selector>,
    /// Rules whose safe fixes count as unsafe.
    pub extend_unsafe_fixes: Vec<Selector>,
    /// The kinds of secrets that are shown as `***`. Passwords always are.
    pub hides: Secrets,
}

impl Config {
    /// Returns the default configuration with the given profile.
    ///
    /// ```
    /// use urlsift_core::Profile;
    /// use urlsift_lint::{Config, Selector, rule};
    ///
    /// let mut config = Config::new(Profile::Web);
    /// config.ignore = vec![Selector::new("port.")?];
    /// config.extend_select = vec![Selector::new("port.default")?];
    /// let runs = |code| config.enables(rule(code).unwrap().meta());
    /// assert!(runs("port.default") && !runs("port.nondefault"));
    /// # Ok::<(), urlsift_lint::UnknownRule>(())
    /// ```
    pub fn new(profile: Profile) -> Self {
        Self { profile, ..Self::default() }
    }

    /// True in strict mode, in which every rule reports at its own level. This is the case if
    /// `strict` is set, or if the profile is not `web`.
    pub fn is_strict(&self) -> bool {
        self.strict || self.profile != Profile::Web
    }

    /// True if this configuration turns on the rule that `meta` describes.
    pub fn enables(&self, meta: &Meta) -> bool {
        let weight = |selectors: &[Selector]| {
            selectors.iter().filter(|s| s.matches(meta.code)).map(Selector::specificity).max()
        };
        let by_default =
            meta.default && (self.is_strict() || meta.lenient_level != LenientLevel::Off);
        let selected =
            if self.select.is_empty() { by_default.then_some(0) } else { weight(&self.select) };
        let selected = selected.max(weight(&self.extend_select));
        match (selected, weight(&self.ignore)) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(on), Some(off)) => on > off,
        }
    }

    /// True if the user selected the rule that `meta` describes, i.e. if `select` or
    /// `extend_select` matches the rule.
    fn selects(&self, meta: &Meta) -> bool {
        self.select.iter().chain(&self.extend_select).any(|selector| selector.matches(meta.code))
    }

    /// True if the rule may report remarks: outside of strict mode, if the user didn't select it.
    fn is_lenient(&self, meta: &Meta) -> bool {
        !self.is_strict() && !self.selects(meta)
    }

    /// Returns the level that `levels` sets for a rule, or `None` if the rule keeps its own level.
    pub fn configured_level(&self, meta: &Meta) -> Option<Level> {
        self.levels.iter().rev().find(|(s, _)| s.matches(meta.code)).map(|&(_, level)| level)
    }

    /// Returns the level at which a diagnostic is reported. `rule_level` is the level that the rule
    /// gave to it.
    ///
    /// `is_bare` is true if nothing delimits the URL up to the fault. `is_plain_text` is true if
    /// the markup doesn't turn bare URLs into links.
    pub(crate) fn effective_level(
        &self,
        meta: &Meta,
        rule_level: Level,
        is_bare: bool,
        is_plain_text: bool,
    ) -> Level {
        let remark = match meta.lenient_level {
            LenientLevel::Unchanged | LenientLevel::Off => false,
            LenientLevel::Info => true,
            LenientLevel::InfoIfBare => is_bare,
            LenientLevel::InfoInPlainText => is_plain_text,
        };
        self.configured_level(meta).unwrap_or(if remark && self.is_lenient(meta) {
            Level::Info
        } else {
            rule_level
        })
    }

    /// Lowers the level of the diagnostic to info, and its fix is then only displayed. Has no
    /// effect in strict mode, and for rules that are selected or have a configured level.
    #[cfg(feature = "project")]
    pub(crate) fn lower_to_remark(&self, diagnostic: &mut Diagnostic) {
        let Some(rule) = registry::rule(diagnostic.code) else { return };
        let meta = rule.meta();
        if !self.is_lenient(meta) || self.configured_level(meta).is_some() {
            return;
        }
        diagnostic.level = Level::Info;
        if let Some(fix) = &mut diagnostic.fix {
            fix.applicability = Applicability::Display;
        }
    }

    /// Returns the configured applicability of a fix. `rule_applicability` is the applicability
    /// that the rule called `code` gave it.
    ///
    /// If selectors of several settings match the rule, the longest one wins. In a tie, the lower
    /// applicability wins.
    ///
    /// ```
    /// use urlsift_lint::{Applicability, Config, Selector};
    ///
    /// let mut config = Config::default();
    /// config.unfixable = vec![Selector::new("port.")?];
    /// config.extend_unsafe_fixes = vec![Selector::new("escape.")?];
    /// let trust = |code| config.configured_applicability(code, Applicability::Safe);
    /// assert_eq!(trust("port.default"), Applicability::Display);
    /// assert_eq!(trust("escape.needless"), Applicability::Unsafe);
    /// assert_eq!(trust("host.uppercase"), Applicability::Safe);
    /// # Ok::<(), urlsift_lint::UnknownRule>(())
    /// ```
    pub fn configured_applicability(
        &self,
        code: &str,
        rule_applicability: Applicability,
    ) -> Applicability {
        let weight = |selectors: &[Selector]| {
            selectors.iter().filter(|s| s.matches(code)).map(Selector::specificity).max()
        };
        let all = if self.fixable.is_empty() { Some(0) } else { None };
        if weight(&self.fixable).or(all) <= weight(&self.unfixable) {
            return Applicability::Display;
        }
        let (safe, careful) = (weight(&self.extend_safe_fixes), weight(&self.extend_unsafe_fixes));
        match rule_applicability {
            Applicability::Unsafe if safe > careful => Applicability::Safe,
            Applicability::Safe if careful.is_some() && careful >= safe => Applicability::Unsafe,
            own => own,
        }
    }

    /// Changes the applicability of the diagnostic's fix as the configuration says. See
    /// [`Config::configured_applicability`].
    pub(crate) fn apply_configured_applicability(&self, diagnostic: &mut Diagnostic) {
        if let Some(fix) = &mut diagnostic.fix {
            fix.applicability = self.configured_applicability(diagnostic.code, fix.applicability);
        }
    }

    /// True if one of the `exclude` patterns matches `url` or its host `host`, so that the URL is
    /// not linted.
    pub(crate) fn excludes(&self, url: &[u8], host: &[u8]) -> bool {
        self.exclude.iter().any(|pattern| pattern.matches(url, host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(names: &[&str]) -> Vec<Selector> {
        names.iter().map(|name| Selector::new(name).unwrap()).collect()
    }

    fn enabled(config: &Config, code: &str) -> bool {
        config.enables(registry::rule(code).unwrap().meta())
    }

    #[test]
    fn more_specific_selector_wins() {
        let mut config = Config::default();
        assert!(enabled(&config, "port.default"));
        assert!(!enabled(&config, "wrapper.missing-prefix"));
        config.ignore = selectors(&["port."]);
        assert!(!enabled(&config, "port.default"));
        config.extend_select = selectors(&["port.default", "wrapper"]);
        assert!(enabled(&config, "port.default"));
        assert!(!enabled(&config, "port.nondefault"));
        assert!(enabled(&config, "wrapper.missing-prefix"));
        config.select = selectors(&["host."]);
        assert!(!enabled(&config, "escape.lowercase"));
        assert!(enabled(&config, "host.uppercase"));
        config.ignore = selectors(&["all"]);
        assert!(enabled(&config, "host.uppercase"));
    }

    #[test]
    fn last_level_wins() {
        let selector = |name| Selector::new(name).unwrap();
        let config = Config {
            levels: vec![(selector("all"), Level::Info), (selector("host."), Level::Error)],
            ..Config::default()
        };
        let level = |code| config.configured_level(registry::rule(code).unwrap().meta());
        assert_eq!(level("host.underscore"), Some(Level::Error));
        assert_eq!(level("port.default"), Some(Level::Info));
    }

    #[test]
    fn unknown_name_is_an_error() {
        let error = Selector::new("port.defualt").unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no rule `port.defualt`; did you mean `port.default`?"
        );
        assert!(Selector::new("hos").is_err());
        assert!(Selector::new("").is_err());
    }
}
