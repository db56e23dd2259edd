//! Options by name, as texts: what C, JavaScript and others hand over.

use crate::{MessageFilter, Options};
use std::fmt::{self, Display};
use std::str::FromStr;
use urlsift_archive::Encoding;
use urlsift_core::Scheme;
use urlsift_scanner::Form;

/// An option cannot be set as was asked.
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
    /// There is no option of that name.
    Name(String),
    /// The option cannot have that value.
    Value {
        /// The option.
        name: String,
        /// What it was to be.
        value: String,
        /// What is wrong with that.
        reason: String,
    },
}

impl Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "there is no option '{name}'"),
            Self::Value { name, value, reason } => write!(f, "{name}: '{value}': {reason}"),
        }
    }
}

impl std::error::Error for BadOption {}

impl Options {
    /// Sets the option of that name: that of `urlsift scan`, with `_` for `-`, in the plural where it is a list. A list is
    /// separated by commas, and takes the place of the one before; what is on or off is `true` or `false`.
    ///
    /// | options | values |
    /// |---|---|
    /// | `profile` `rejoin` `malformed` `headers` `web_records` | the names of [`Profile`](urlsift_core::Profile), [`Rejoin`](urlsift_scanner::Rejoin), [`Malformed`](crate::Malformed), [`Headers`](urlsift_archive::Headers), [`WebRecords`](urlsift_archive::WebRecords) |
    /// | `schemes` `forms` `without` `with` | lists: schemes, and the names of [`Form`], [`Place`](crate::Place), [`With`](crate::With) |
    /// | `newsgroups` `lists` | lists of patterns: see [`MessageFilter`] |
    /// | `since` `until` | dates: see [`MessageFilter::since`] |
    /// | `encoding` | a charset: see [`Encoding::named`] |
    /// | `schemeless` `locators` `emails` `hosts` `refang` `resolve` `mask_passwords` `mask_secrets` `unwrap` `undated` | `true`, `false` |
    ///
    /// ```
    /// use urlsift_records::Options;
    ///
    /// let mut options = Options::default();
    /// options.set("schemes", "ftp,gopher")?;
    /// options.set("mask_passwords", "true")?;
    /// assert_eq!(options.schemes.len(), 2);
    /// let error = options.set("rejoin", "always").unwrap_err();
    /// assert_eq!(error.to_string(), "rejoin: 'always': no such name: it is one of off, certain, likely");
    /// assert!(options.set("rejion", "off").is_err());
    /// # Ok::<_, urlsift_records::BadOption>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BadOption`]: nothing is set then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadOption> {
        let given = Given { name, value };
        match name {
            "profile" => self.profile = given.one(value)?,
            "rejoin" => self.rejoin = given.one(value)?,
            "malformed" => self.malformed = given.one(value)?,
            "headers" => self.headers = given.one(value)?,
            "web_records" => self.web_records = given.one(value)?,
            "schemes" => {
                let wrong = given.list().find(|name| !Scheme::may_be_named(name.as_bytes()));
                if let Some(wrong) = wrong {
                    return Err(given.wrong(format_args!("'{wrong}' is no scheme")));
                }
                self.schemes = given.list().map(str::to_owned).collect();
            }
            "forms" => {
                self.forms = given.each()?;
                if self.forms.contains(&Form::NearMiss) {
                    self.forms.clear();
                    return Err(given.wrong("records have no near misses"));
                }
            }
            "without" => self.without = given.each()?,
            "with" => self.with = given.each()?,
            "newsgroups" => {
                let patterns = given.list().map(str::to_owned).collect();
                self.filter(|filter| Ok(filter.newsgroups(patterns)))?;
            }
            "lists" => {
                let patterns = given.list().map(str::to_owned).collect();
                self.filter(|filter| Ok(filter.lists(patterns)))?;
            }
            "undated" => {
                let pass = given.one(value)?;
                self.filter(|filter| Ok(filter.undated(pass)))?;
            }
            "since" => self.filter(|it| it.since(value).map_err(|error| given.wrong(error)))?,
            "until" => self.filter(|it| it.until(value).map_err(|error| given.wrong(error)))?,
            "encoding" => {
                let known = Encoding::named(value);
                self.encoding = Some(known.ok_or_else(|| given.wrong("no charset has that name"))?);
            }
            "schemeless" => self.schemeless = given.one(value)?,
            "locators" => self.locators = given.one(value)?,
            "emails" => self.emails = given.one(value)?,
            "hosts" => self.hosts = given.one(value)?,
            "refang" => self.refang = given.one(value)?,
            "resolve" => self.resolve = given.one(value)?,
            "mask_passwords" => self.mask_passwords = given.one(value)?,
            "mask_secrets" => self.mask_secrets = given.one(value)?,
            "unwrap" => self.unwrap = given.one(value)?,
            _ => return Err(BadOption::Name(name.to_owned())),
        }
        Ok(())
    }

    fn filter(
        &mut self,
        change: impl FnOnce(MessageFilter) -> Result<MessageFilter, BadOption>,
    ) -> Result<(), BadOption> {
        self.messages = change(self.messages.clone())?;
        Ok(())
    }
}

/// An option as it was given.
struct Given<'g> {
    name: &'g str,
    value: &'g str,
}

impl<'g> Given<'g> {
    fn one<T: FromStr<Err: Display>>(&self, value: &str) -> Result<T, BadOption> {
        value.parse().map_err(|error| self.wrong(error))
    }

    fn list(&self) -> impl Iterator<Item = &'g str> + use<'g> {
        self.value.split(',').filter(|item| !item.is_empty())
    }

    fn each<T: FromStr<Err: Display>>(&self) -> Result<Vec<T>, BadOption> {
        self.list().map(|item| self.one(item)).collect()
    }

    fn wrong(&self, reason: impl Display) -> BadOption {
        let reason = reason.to_string();
        BadOption::Value { name: self.name.to_owned(), value: self.value.to_owned(), reason }
    }
}
