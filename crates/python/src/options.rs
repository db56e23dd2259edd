//! What is to be found: the options of the command by their names, as keyword arguments.

use crate::arguments::{boolean, one_of, size, string, strings, wrong_value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlsift_archive::unpack::{Expansion, Limits};
use urlsift_archive::{Encoding, Headers, Notation, Reading};
use urlsift_core::Profile;
use urlsift_lint::is_scheme;
use urlsift_records::{Malformed, MessageFilter, Options, Place, With};
use urlsift_scanner::{Form, Rejoin};

pub(crate) const PROFILES: [(&str, Profile); 4] = [
    (Profile::Rfc1738.name(), Profile::Rfc1738),
    (Profile::Cern1994.name(), Profile::Cern1994),
    (Profile::Rfc3986.name(), Profile::Rfc3986),
    (Profile::Web.name(), Profile::Web),
];

pub(crate) const REJOIN: [(&str, Rejoin); 3] = [
    (Rejoin::Off.name(), Rejoin::Off),
    (Rejoin::Certain.name(), Rejoin::Certain),
    (Rejoin::Likely.name(), Rejoin::Likely),
];

const MALFORMED: [(&str, Malformed); 3] =
    [("skip", Malformed::Skip), ("include", Malformed::Include), ("only", Malformed::Only)];

const HEADERS: [(&str, Headers); 3] =
    [("none", Headers::None), ("urls", Headers::Urls), ("all", Headers::All)];

const INPUT: [(&str, Reading); 11] = [
    ("auto", Reading::Auto),
    ("text", Reading::Text),
    ("mail", Reading::Mail),
    ("html", Reading::Html),
    ("markdown", Reading::Markdown),
    ("rst", Reading::Rst),
    ("json", Reading::Escaped(Notation::Json)),
    ("xml", Reading::Escaped(Notation::Xml)),
    ("tex", Reading::Escaped(Notation::Tex)),
    ("man", Reading::Escaped(Notation::Man)),
    ("ipynb", Reading::Escaped(Notation::Jupyter)),
];

const FORMS: [(&str, Form); 7] = [
    (Form::Wrapped.name(), Form::Wrapped),
    (Form::Bracketed.name(), Form::Bracketed),
    (Form::Prefixed.name(), Form::Prefixed),
    (Form::Bare.name(), Form::Bare),
    (Form::Attribute.name(), Form::Attribute),
    (Form::Schemeless.name(), Form::Schemeless),
    (Form::Locator.name(), Form::Locator),
];

const WITHOUT: [(&str, Place); 6] = [
    (Place::Body.name(), Place::Body),
    (Place::Quote.name(), Place::Quote),
    (Place::Signature.name(), Place::Signature),
    (Place::Footer.name(), Place::Footer),
    (Place::Header.name(), Place::Header),
    (Place::Attribute.name(), Place::Attribute),
];

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
            "profile" => options.profile = one_of(name, &text()?, &PROFILES)?,
            "rejoin" => options.rejoin = one_of(name, &text()?, &REJOIN)?,
            "malformed" => options.malformed = one_of(name, &text()?, &MALFORMED)?,
            "headers" => options.headers = one_of(name, &text()?, &HEADERS)?,
            "input" => self.reading = one_of(name, &text()?, &INPUT)?,
            "encoding" => {
                let label = text()?;
                let wrong = || wrong_value(name, format!("no charset is named '{label}'"));
                options.encoding = Some(Encoding::named(&label).ok_or_else(wrong)?);
            }
            "schemes" => options.schemes = schemes(name, value)?,
            "forms" => options.forms = each_of(name, &texts()?, &FORMS)?,
            "without" => options.without = each_of(name, &texts()?, &WITHOUT)?,
            "extra" => {
                options.with = each_of(name, &texts()?, &With::ALL.map(|it| (it.name(), it)))?;
            }
            "max_expand" if value.is_none() => self.limits.expand = Expansion::Unlimited,
            "max_expand" => self.limits.expand = Expansion::Bytes(size(name, value)?),
            "max_window" => self.limits.window = size(name, value)?,
            "schemeless" => options.schemeless = flag()?,
            "locators" => options.locators = flag()?,
            "mask_passwords" => options.mask_passwords = flag()?,
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
    match names.iter().find(|scheme| !is_scheme(scheme)) {
        Some(wrong) => Err(wrong_value(name, format!("'{wrong}' is no scheme"))),
        None => Ok(names),
    }
}

fn each_of<T: Copy>(name: &str, given: &[String], rows: &[(&str, T)]) -> PyResult<Vec<T>> {
    given.iter().map(|given| one_of(name, given, rows)).collect()
}
