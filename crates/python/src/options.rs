//! What is to be found: the options of the command by their names, as keyword arguments.

use crate::arguments::{boolean, one_of, size, string, strings, wrong_value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlsift_archive::unpack::{Expansion, Limits};
use urlsift_archive::{Encoding, Headers, Reading, WebRecords};
use urlsift_core::{Profile, Scheme};
use urlsift_records::{Malformed, MessageFilter, Options, Place, With};
use urlsift_scanner::{Form, Rejoin};

/// What a scanner is told: for records, and for reading files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) options: Options,
    pub(crate) reading: Reading,
    pub(crate) limits: Limits,
}

impl Settings {
    /// Reads the keyword arguments of `function`.
    ///
    /// # Errors
    ///
    /// `TypeError` for an argument that there is not or that has another type, `ValueError` for a value that it
    /// cannot have. Both name it.
    pub(crate) fn of(function: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut settings = Self::default();
        let mut messages = MessageFilter::default();
        for (name, value) in given.into_iter().flatten() {
            let name: String = name.extract()?;
            settings.take(function, &name, &value, &mut messages)?;
        }
        settings.options.messages = messages;
        Ok(settings)
    }

    fn take(
        &mut self,
        function: &str,
        name: &str,
        value: &Bound<'_, PyAny>,
        messages: &mut MessageFilter,
    ) -> PyResult<()> {
        let options = &mut self.options;
        let text = || string(name, value);
        let flag = || boolean(name, value);
        let texts = || strings(name, value);
        match name {
            "profile" => options.profile = one_of(name, &text()?, &Profile::ALL, Profile::name)?,
            "rejoin" => options.rejoin = one_of(name, &text()?, &Rejoin::ALL, Rejoin::name)?,
            "malformed" => {
                options.malformed = one_of(name, &text()?, &Malformed::ALL, Malformed::name)?;
            }
            "headers" => options.headers = one_of(name, &text()?, &Headers::ALL, Headers::name)?,
            "input" => self.reading = one_of(name, &text()?, &Reading::ALL, Reading::name)?,
            "encoding" => {
                let label = text()?;
                let wrong = || wrong_value(name, format!("no charset is named '{label}'"));
                options.encoding = Some(Encoding::named(&label).ok_or_else(wrong)?);
            }
            "schemes" => options.schemes = schemes(name, value)?,
            "forms" => {
                // Records have no near misses.
                let mut forms = Form::ALL.to_vec();
                forms.retain(|form| *form != Form::NearMiss);
                options.forms = each_of(name, &texts()?, &forms, Form::name)?;
            }
            "web_records" => {
                options.web_records = one_of(name, &text()?, &WebRecords::ALL, WebRecords::name)?;
            }
            "without" => options.without = each_of(name, &texts()?, &Place::ALL, Place::name)?,
            "extra" => options.with = each_of(name, &texts()?, &With::ALL, With::name)?,
            "max_expand" if value.is_none() => self.limits.expand = Expansion::Unlimited,
            "max_expand" => self.limits.expand = Expansion::Bytes(size(name, value)?),
            "max_window" => self.limits.window = size(name, value)?,
            "schemeless" => options.schemeless = flag()?,
            "locators" => options.locators = flag()?,
            "emails" => options.emails = flag()?,
            "hosts" => options.hosts = flag()?,
            "mask_passwords" => options.mask_passwords = flag()?,
            "mask_secrets" => options.mask_secrets = flag()?,
            "refang" => options.refang = flag()?,
            "resolve" => options.resolve = flag()?,
            "unwrap" => options.unwrap = flag()?,
            "hash_key" => {
                let key = crate::text::bytes(value);
                let wrong = || crate::arguments::wrong_type(name, "bytes", value);
                options.hash_key = Some(key.ok_or_else(wrong)?.to_vec());
            }
            "since" | "until" => {
                let date = text()?;
                let filter = std::mem::take(messages);
                let filter =
                    if name == "since" { filter.since(&date) } else { filter.until(&date) };
                *messages = filter.map_err(|error| wrong_value(name, error))?;
            }
            "undated" => *messages = std::mem::take(messages).undated(flag()?),
            "newsgroups" => *messages = std::mem::take(messages).newsgroups(texts()?),
            "lists" => *messages = std::mem::take(messages).lists(texts()?),
            _ => {
                let message = format!("{function}() got an unexpected keyword argument '{name}'");
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(())
    }
}

/// Names of schemes.
pub(crate) fn schemes(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let names = strings(name, given)?;
    match names.iter().find(|scheme| !Scheme::may_be_named(scheme.as_bytes())) {
        Some(wrong) => Err(wrong_value(name, format!("'{wrong}' is no scheme"))),
        None => Ok(names),
    }
}

fn each_of<T: Copy>(
    name: &str,
    given: &[String],
    all: &[T],
    name_of: fn(T) -> &'static str,
) -> PyResult<Vec<T>> {
    given.iter().map(|given| one_of(name, given, all, name_of)).collect()
}
