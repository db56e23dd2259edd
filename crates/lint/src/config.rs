//! What the linter is told. Plain data: reading a file is the caller's affair.

use crate::diagnostic::Diagnostic;
use crate::edit::Applicability;
use crate::registry;
use crate::rule::{Meta, Usually};
use core::fmt;
use urlsift_core::{Level, Profile, Secrets};
use urlsift_scanner::Rejoin;

/// Names rules: `port.default` one of them, `security.` or `security` all of that room, `all` all.
///
/// ```
/// use urlsift_lint::Selector;
/// let room = Selector::new("port.")?;
/// assert!(room.names("port.default") && !room.names("host.label"));
/// assert!(Selector::new("port.default")?.weight() > room.weight());
/// # Ok::<(), urlsift_lint::UnknownRule>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(String);

/// A selector that no rule answers to.
///
/// ```
/// let error = urlsift_lint::Selector::new("port.defualt").unwrap_err();
/// assert_eq!(error.nearest, Some("port.default"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownRule {
    /// As it was written.
    pub name: String,
    /// The rule that was probably meant.
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
    /// Reads a selector.
    ///
    /// # Errors
    ///
    /// When no rule answers to it.
    pub fn new(name: &str) -> Result<Self, UnknownRule> {
        let selector = Self(name.trim().to_owned());
        if registry::RULES.iter().any(|rule| selector.names(rule.meta().code)) {
            return Ok(selector);
        }
        Err(UnknownRule { name: selector.0.clone(), nearest: registry::nearest(&selector.0) })
    }

    /// Whether the rule of that code is among those named.
    pub fn names(&self, code: &str) -> bool {
        let name = self.0.as_str();
        name == "all"
            || name == code
            || code
                .strip_prefix(name)
                .is_some_and(|rest| name.ends_with('.') || rest.starts_with('.'))
    }

    /// How particular it is: the longer name the more, `all` least. For sorting.
    pub fn weight(&self) -> usize {
        if self.0 == "all" { 0 } else { self.0.trim_end_matches('.').len() }
    }
}

/// Hosts or URLs that are left alone. A `*` stands for any bytes; letters are compared without regard to case.
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
    /// The host, or a domain that it is in: `host.dom` also names `www.host.dom`.
    Host(String),
    /// The whole URL.
    Url(String),
}

impl Pattern {
    /// Whether a URL, or its host, is meant. At worst the product of both lengths.
    fn matches(&self, url: &[u8], host: &[u8]) -> bool {
        match self {
            Self::Url(pattern) => glob(pattern.as_bytes(), url),
            Self::Host(pattern) => {
                let dots = host.iter().enumerate().filter(|&(_, &b)| b == b'.');
                let mut starts = core::iter::once(0).chain(dots.map(|(at, _)| at + 1));
                starts.any(|start| glob(pattern.as_bytes(), &host[start..]))
            }
        }
    }
}

/// Whether `text` is `pattern`, each `*` of which stands for any bytes.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            back = Some((p, t));
            p += 1;
        } else if pattern.get(p).is_some_and(|b| b.eq_ignore_ascii_case(&text[t])) {
            p += 1;
            t += 1;
        } else if let Some((star, from)) = back {
            back = Some((star, from + 1));
            p = star + 1;
            t = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&b| b == b'*')
}

/// What the linter is told.
///
/// A rule runs if `select` names it (if `select` is empty: if it runs by default), unless `ignore`
/// names it at least as particularly: `ignore = ["port."]` with `select = ["port.default"]` leaves
/// `port.default` on.
///
/// ```
/// use urlsift_core::Profile;
/// use urlsift_lint::{Config, Level, Selector, rule};
/// let mut config = Config::default();
/// assert!(!config.is_strict() && Config::new(Profile::Rfc1738).is_strict());
/// config.levels = vec![(Selector::new("host.")?, Level::Info)];
/// assert_eq!(config.level(rule("host.label").unwrap().meta()), Some(Level::Info));
/// # Ok::<(), urlsift_lint::UnknownRule>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The rules that URLs are judged by.
    pub profile: Profile,
    /// How far bare URLs are followed over line breaks.
    pub rejoin: Rejoin,
    /// Only these rules run; if empty, those that run by default.
    pub select: Vec<Selector>,
    /// These run as well.
    pub extend_select: Vec<Selector>,
    /// These do not.
    pub ignore: Vec<Selector>,
    /// Other levels than the rules' own; the last that names a rule holds.
    pub levels: Vec<(Selector, Level)>,
    /// Further schemes to look for, also without `//`.
    pub schemes: Vec<String>,
    /// Every rule speaks at its own level, of every URL: also in program text, of examples and of templates.
    /// The profiles of the standards ask for it by themselves.
    pub strict: bool,
    /// Every rule that runs looks at the URLs in program text, too, not only those for slips in the scheme.
    pub verbatim: bool,
    /// Hosts and URLs of which nothing is said.
    pub exclude: Vec<Pattern>,
    /// Only the fixes of these rules are made; if empty, those of all rules.
    pub fixable: Vec<Selector>,
    /// The fixes of these rules are shown and never made.
    pub unfixable: Vec<Selector>,
    /// The unsafe fixes of these rules are made as safe ones are.
    pub extend_safe_fixes: Vec<Selector>,
    /// The safe fixes of these rules are made only together with unsafe ones.
    pub extend_unsafe_fixes: Vec<Selector>,
    /// Which secrets are shown as `***`. Passwords always are.
    pub hides: Secrets,
}

impl Config {
    /// What runs by default, by the rules of a profile.
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

    /// Whether everything is said that can be.
    pub fn is_strict(&self) -> bool {
        self.strict || self.profile != Profile::Web
    }

    /// Whether a rule runs.
    pub fn enables(&self, meta: &Meta) -> bool {
        let weight = |selectors: &[Selector]| {
            selectors.iter().filter(|s| s.names(meta.code)).map(Selector::weight).max()
        };
        let by_default = meta.default && (self.is_strict() || meta.usually != Usually::Nothing);
        let selected =
            if self.select.is_empty() { by_default.then_some(0) } else { weight(&self.select) };
        let selected = selected.max(weight(&self.extend_select));
        match (selected, weight(&self.ignore)) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(on), Some(off)) => on > off,
        }
    }

    /// Whether a rule is asked for by a selector.
    fn asks_for(&self, meta: &Meta) -> bool {
        self.select.iter().chain(&self.extend_select).any(|selector| selector.names(meta.code))
    }

    /// The level that a rule is given, where it is not its own.
    pub fn level(&self, meta: &Meta) -> Option<Level> {
        self.levels.iter().rev().find(|(s, _)| s.names(meta.code)).map(|&(_, level)| level)
    }

    /// The level of what a rule says at `own` level. `bare`: whether nothing delimits the URL up to there; `plain`: whether
    /// no markup makes a link of it.
    pub(crate) fn level_of(&self, meta: &Meta, own: Level, bare: bool, plain: bool) -> Level {
        let remark = match meta.usually {
            Usually::Same | Usually::Nothing => false,
            Usually::Remark => true,
            Usually::RemarkIfBare => bare,
            Usually::RemarkInPlainText => plain,
        };
        self.level(meta).unwrap_or(if remark && !self.is_strict() && !self.asks_for(meta) {
            Level::Info
        } else {
            own
        })
    }

    /// Returns how far a fix of the rule of that code is trusted where the rule trusts it as far as `own`.
    ///
    /// Of two selectors that name the rule the longer one wins, and at a tie the more careful one.
    ///
    /// ```
    /// use urlsift_lint::{Applicability, Config, Selector};
    ///
    /// let mut config = Config::default();
    /// config.unfixable = vec![Selector::new("port.")?];
    /// config.extend_unsafe_fixes = vec![Selector::new("escape.")?];
    /// let trust = |code| config.trust(code, Applicability::Safe);
    /// assert_eq!(trust("port.default"), Applicability::Display);
    /// assert_eq!(trust("escape.needless"), Applicability::Unsafe);
    /// assert_eq!(trust("host.uppercase"), Applicability::Safe);
    /// # Ok::<(), urlsift_lint::UnknownRule>(())
    /// ```
    pub fn trust(&self, code: &str, own: Applicability) -> Applicability {
        let weight = |selectors: &[Selector]| {
            selectors.iter().filter(|s| s.names(code)).map(Selector::weight).max()
        };
        let all = if self.fixable.is_empty() { Some(0) } else { None };
        if weight(&self.fixable).or(all) <= weight(&self.unfixable) {
            return Applicability::Display;
        }
        let (safe, careful) = (weight(&self.extend_safe_fixes), weight(&self.extend_unsafe_fixes));
        match own {
            Applicability::Unsafe if safe > careful => Applicability::Safe,
            Applicability::Safe if careful.is_some() && careful >= safe => Applicability::Unsafe,
            own => own,
        }
    }

    /// Trusts the fix of a diagnostic as far as [`Config::trust`] says.
    pub(crate) fn settle(&self, diagnostic: &mut Diagnostic) {
        if let Some(fix) = &mut diagnostic.fix {
            fix.applicability = self.trust(diagnostic.code, fix.applicability);
        }
    }

    /// Whether nothing is to be said of `url`, whose host is `host`.
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
    fn the_more_particular_selector_wins() {
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
    fn the_last_level_holds() {
        let selector = |name| Selector::new(name).unwrap();
        let config = Config {
            levels: vec![(selector("all"), Level::Info), (selector("host."), Level::Error)],
            ..Config::default()
        };
        let level = |code| config.level(registry::rule(code).unwrap().meta());
        assert_eq!(level("host.underscore"), Some(Level::Error));
        assert_eq!(level("port.default"), Some(Level::Info));
    }

    #[test]
    fn a_name_in_no_room_is_an_error() {
        let error = Selector::new("port.defualt").unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no rule `port.defualt`; did you mean `port.default`?"
        );
        assert!(Selector::new("hos").is_err());
        assert!(Selector::new("").is_err());
    }
}
