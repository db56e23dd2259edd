//! Parses options from JavaScript, which are passed as names and strings.

use std::fmt::Display;
use std::str::FromStr;
use wasm_bindgen::JsError;

/// Parses `text` as the value of the option called `name`. An error names the option.
pub(crate) fn parse_setting<T: FromStr<Err: Display>>(
    name: &str,
    text: &str,
) -> Result<T, JsError> {
    text.parse().map_err(|error| invalid_value_error(name, format_args!("'{text}': {error}")))
}

/// Returns the error for an invalid value of the option called `name`.
pub(crate) fn invalid_value_error(name: &str, error: impl Display) -> JsError {
    JsError::new(&format!("{name}: {error}"))
}
