//! Options of JavaScript, which come as names and texts.

use std::fmt::Display;
use std::str::FromStr;
use wasm_bindgen::JsError;

/// The value that `text` names.
pub(crate) fn named<T: FromStr<Err: Display>>(name: &str, text: &str) -> Result<T, JsError> {
    text.parse().map_err(|error| wrong(name, format_args!("'{text}': {error}")))
}

/// The value of an option that is on or off.
pub(crate) fn flag(name: &str, text: &str) -> Result<bool, JsError> {
    named(name, text)
}

/// What is said of a value that an option cannot have.
pub(crate) fn wrong(name: &str, error: impl Display) -> JsError {
    JsError::new(&format!("{name}: {error}"))
}

/// What is said of an option that there is not.
pub(crate) fn unknown(name: &str) -> JsError {
    JsError::new(&format!("there is no option '{name}'"))
}
