//! Lints the URLs of a text.

use crate::setting::{invalid_value_error, parse_setting};
use urlsift_core::{Scheme, Secrets};
use urlsift_lint::{Applicability, Config, Dialect, Lines, Linter, Selector, apply};
use wasm_bindgen::prelude::*;

/// A linter with its settings, which include the markup of the texts. `js/lint.js` wraps this as
/// `Linter`.
#[wasm_bindgen]
#[derive(Default)]
pub struct Judge {
    config: Config,
    dialect: Dialect,
    /// The linter for `config`, built on first use.
    linter: Option<Linter>,
}

#[wasm_bindgen]
impl Judge {
    #[wasm_bindgen(constructor)]
    #[allow(missing_docs, reason = "its type says it")]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets an option by its name. Lists are comma-separated. Fails if there is no such option or
    /// the value is not valid.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), JsError> {
        self.linter = None;
        let config = &mut self.config;
        let list = || value.split(',').filter(|item| !item.is_empty());
        let selectors = || {
            let all: Result<_, _> = list().map(Selector::new).collect();
            all.map_err(|error| invalid_value_error(name, error))
        };
        match name {
            "dialect" => self.dialect = parse_setting(name, value)?,
            "profile" => config.profile = parse_setting(name, value)?,
            "rejoin" => config.rejoin = parse_setting(name, value)?,
            "select" => config.select = selectors()?,
            "ignore" => config.ignore = selectors()?,
            "scheme" => {
                if let Some(given) = list().find(|name| !Scheme::may_be_named(name.as_bytes())) {
                    return Err(invalid_value_error(name, format_args!("'{given}' is no scheme")));
                }
                config.schemes = list().map(str::to_owned).collect();
            }
            "strict" => config.strict = parse_setting(name, value)?,
            "mask_secrets" => {
                config.hides =
                    Secrets::from_flags(true, parse_setting(name, value)?).unwrap_or_default();
            }
            _ => return Err(JsError::new(&format!("there is no option '{name}'"))),
        }
        Ok(())
    }

    /// Returns the text with all safe fixes applied. If `unsafely` is true, unsafe fixes are
    /// applied as well.
    pub fn fix(&mut self, text: &str, unsafely: bool) -> String {
        let least = if unsafely { Applicability::Unsafe } else { Applicability::Safe };
        let dialect = self.dialect;
        let linter = self.linter();
        let applied = apply::apply_until_stable(text.as_bytes(), least, |text| {
            linter.lint(text, dialect).diagnostics
        });
        String::from_utf8_lossy(&applied.text).into_owned()
    }

    /// Returns the records of `urlsift lint` for a text, one line of JSON each. Positions are in
    /// bytes.
    pub fn lint(&mut self, text: &str) -> String {
        let text = text.as_bytes();
        let dialect = self.dialect;
        let linted = self.linter().lint(text, dialect);
        let lines = Lines::new(text);
        let mut out = Vec::new();
        for found in &linted.diagnostics {
            found.write_json(b"", &lines, &linted.secrets, &mut out);
        }
        String::from_utf8_lossy(&out).into_owned()
    }
}

impl Judge {
    /// Returns the linter, which is built if a setting has changed.
    fn linter(&mut self) -> &Linter {
        self.linter.get_or_insert_with(|| Linter::new(self.config.clone()))
    }
}
