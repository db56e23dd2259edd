//! Options of JavaScript, which come as names and texts.

use std::fmt::Display;
use std::str::FromStr;
use wasm_bindgen::JsError;

/// The value that `text` names.
pub(crate) fn named<T: FromStr<Err: Display>>(name: &str, text: &str) -> Result<T, JsError> {
    text.parse().map_err(|error| wrong(name, format_args!("'{text}': {error}")))
}

/// What is said of a value that an option cannot have.
pub(crate) fn wrong(name: &str, error: impl Display) -> JsError {
    JsError::new(&format!("{name}: {error}"))
}
