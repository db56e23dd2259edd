//! Sets options by name from text values, for the command and for bindings to other languages.

use crate::Options;
use crate::option_table::{self, Choice, OptionSpec, Scope, ValueKind};
use std::fmt::{self, Display};

/// The error for an option that can't be set to the given value.
///
/// ```
/// use urlsift_records::{BadOption, Options};
/// let error = Options::default().set("profil", "web").unwrap_err();
/// assert_eq!(error, BadOption::Name("profil".to_owned()));
/// assert_eq!(error.to_string(), "there is no option 'profil'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadOption {
    /// No option has this name.
    Name(String),
    /// The option with this name has no effect on plain text.
    Scope(String),
    /// The value is not valid for the option.
    Value {
        /// The name of the option.
        name: String,
        /// The value.
        value: String,
        /// The reason.
        reason: String,
    },
}

impl Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "there is no option '{name}'"),
            Self::Scope(name) => write!(f, "option '{name}' has no effect on plain text"),
            Self::Value { name, value, reason } => write!(f, "{name}: '{value}': {reason}"),
        }
    }
}

impl std::error::Error for BadOption {}

impl Options {
    /// Sets the option called `name` to a value that is given as text.
    ///
    /// The value is a name, number or date, `true` or `false`, or a list separated by commas. It
    /// replaces the previous value, also for lists. [`OPTIONS`](option_table::OPTIONS) lists the
    /// options and their values.
    ///
    /// ```
    /// use urlsift_records::Options;
    ///
    /// let mut options = Options::default();
    /// options.set("scheme", "ftp,gopher")?;
    /// options.set("form", "+email")?;
    /// options.set("mask_passwords", "true")?;
    /// assert_eq!(options.schemes.len(), 2);
    /// let error = options.set("rejoin", "always").unwrap_err();
    /// assert_eq!(error.to_string(), "rejoin: 'always': write one of off, certain, likely");
    /// assert!(options.set("rejion", "off").is_err());
    /// # Ok::<_, urlsift_records::BadOption>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`BadOption`] if there is no such option or the value is not valid. The options are
    /// unchanged in this case.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        self.set_in_scope(Scope::Files, name, value)
    }

    /// Sets an option like [`Options::set`], but only if the option and the value have an effect on
    /// plain text. Use it if no files are scanned.
    ///
    /// ```
    /// use urlsift_records::{BadOption, Options};
    ///
    /// let mut options = Options::default();
    /// options.set_for_text("rejoin", "off")?;
    /// let error = options.set_for_text("headers", "all").unwrap_err();
    /// assert_eq!(error, BadOption::Scope("headers".to_owned()));
    /// assert!(options.set_for_text("form", "relative").is_err());
    /// # Ok::<_, BadOption>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Options::set`], and [`BadOption::Scope`] or [`BadOption::Value`] if
    /// the option or the value has an effect only on files.
    pub fn set_for_text(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        self.set_in_scope(Scope::Text, name, value)
    }

    /// Sets the option called `name`, if both the option and the value have an effect in `scope`.
    fn set_in_scope(&mut self, scope: Scope, name: &str, value: &str) -> Result<(), BadOption> {
        let spec =
            option_table::find_option(name).ok_or_else(|| BadOption::Name(name.to_owned()))?;
        if !spec.scope.is_within(scope) {
            return Err(BadOption::Scope(name.to_owned()));
        }
        let done = spec.check_names(scope, value).and_then(|()| (spec.set)(self, value));
        done.map_err(|reason| BadOption::Value {
            name: name.to_owned(),
            value: value.to_owned(),
            reason,
        })
    }
}

impl Scope {
    /// True if an option or value of this scope has an effect in the scope `other`.
    fn is_within(self, other: Self) -> bool {
        self == Self::Text || other == Self::Files
    }
}

impl OptionSpec {
    /// Checks that all names in `value` are choices of the option. Values of options without
    /// choices aren't checked.
    ///
    /// # Errors
    ///
    /// Returns the reason if a name is unknown, has no effect in the scope, or isn't supported by
    /// this build.
    fn check_names(&self, scope: Scope, value: &str) -> Result<(), String> {
        match self.kind {
            ValueKind::FlagOrChoice(_) if matches!(value, "true" | "false") => Ok(()),
            ValueKind::FlagOrChoice(all) | ValueKind::Choice(all) => {
                check_choice(all, value, scope)
            }
            ValueKind::Choices(all) => {
                option_table::split_list(value).try_for_each(|name| check_choice(all, name, scope))
            }
            ValueKind::Forms(all) => option_table::split_list(value).try_for_each(|name| {
                check_choice(all, name.strip_prefix('+').unwrap_or(name), scope)
            }),
            _ => Ok(()),
        }
    }
}

impl Choice {
    /// True if this build of the library supports the choice. Some choices need a feature of the
    /// crate.
    pub const fn is_supported(&self) -> bool {
        cfg!(feature = "psl") || !self.needs_suffixes
    }

    /// True if this build of the library supports the choice, and the choice has an effect in
    /// `scope`.
    pub fn is_supported_in(&self, scope: Scope) -> bool {
        self.scope.is_within(scope) && self.is_supported()
    }
}

/// Checks that `name` is one of the choices `all` and has an effect in `scope`. Returns an error
/// message if it doesn't.
fn check_choice(all: &[Choice], name: &str, scope: Scope) -> Result<(), String> {
    match all.iter().find(|choice| choice.name == name) {
        Some(choice) if !choice.is_supported() => {
            Err(format!("'{name}' needs the Public Suffix List, which this build does not include"))
        }
        Some(choice) if !choice.is_supported_in(scope) => {
            Err(format!("'{name}' has no effect on plain text"))
        }
        Some(_) => Ok(()),
        None => {
            let names: Vec<_> = all
                .iter()
                .filter(|choice| choice.is_supported_in(scope))
                .map(|choice| choice.name)
                .collect();
            Err(format!("write one of {}", names.join(", ")))
        }
    }
}
