//! What the linter is told. Plain data: reading a file is the caller's affair.

use crate::registry;
use crate::rule::Meta;
use core::fmt;
use urlsift_core::{Level, Profile};
use urlsift_scanner::Rejoin;

/// Names rules: `port.default` one of them, `security.` or `security` all of that room, `all` all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(String);

/// A selector that no rule answers to.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// What the linter is told.
///
/// A rule runs if `select` names it (if `select` is empty: if it runs by default), unless `ignore`
/// names it at least as particularly: `ignore = ["port."]` with `select = ["port.default"]` leaves
/// `port.default` on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
}

impl Config {
    /// Whether a rule runs.
    pub fn enables(&self, meta: &Meta) -> bool {
        let weight = |selectors: &[Selector]| {
            selectors.iter().filter(|s| s.names(meta.code)).map(Selector::weight).max()
        };
        let selected =
            if self.select.is_empty() { meta.default.then_some(0) } else { weight(&self.select) };
        let selected = selected.max(weight(&self.extend_select));
        match (selected, weight(&self.ignore)) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(on), Some(off)) => on > off,
        }
    }

    /// The level that a rule is given, where it is not its own.
    pub fn level(&self, meta: &Meta) -> Option<Level> {
        self.levels.iter().rev().find(|(s, _)| s.names(meta.code)).map(|&(_, level)| level)
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
