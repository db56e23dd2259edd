//! Converts arguments from Python. `name` is the argument's name for error messages.

use arrow_schema::ArrowError;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use urlsift_records::fields::Field;

/// Returns the `TypeError` for an argument that has the wrong type. It says that the argument
/// called `name` must be `expected`, not the type of its value `given`.
pub(crate) fn wrong_type(name: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let given =
        given.get_type().name().map_or("something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} must be {expected}, not {given}"))
}

/// Returns a `ValueError` that says what is wrong with the argument `name`.
pub(crate) fn wrong_value(name: &str, message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{name}: {message}"))
}

/// Returns a `ValueError` with the message of an Arrow error.
pub(crate) fn arrow_error(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Converts `given`, the value of the argument called `name`, to a string. Raises `TypeError` if
/// the value is not a str.
pub(crate) fn str_argument(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    given.extract().map_err(|_| wrong_type(name, "str", given))
}

/// Converts `given`, the value of the argument called `name`, to a boolean. Raises `TypeError` if
/// the value is not a bool.
pub(crate) fn bool_argument(name: &str, given: &Bound<'_, PyAny>) -> PyResult<bool> {
    given.extract().map_err(|_| wrong_type(name, "bool", given))
}

/// Converts `given`, the value of the argument called `name`, to a list. Raises `TypeError` if the
/// value is neither a str nor an iterable of str.
pub(crate) fn str_list_argument(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if given.is_instance_of::<PyString>() {
        return Ok(vec![str_argument(name, given)?]);
    }
    let wrong = |_| wrong_type(name, "str or an iterable of str", given);
    given.try_iter().map_err(wrong)?.map(|item| str_argument(name, &item?)).collect()
}

/// Returns the element of `all` called `given`, as determined by `name_of`. If there is none,
/// raises a `ValueError` for the argument `name` that lists the valid names.
pub(crate) fn value_with_name<T: Copy>(
    name: &str,
    given: &str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    let found = all.iter().find(|value| name_of(**value) == given);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|value| format!("'{}'", name_of(*value))).collect();
        wrong_value(name, format!("'{given}' is not one of {}", names.join(", ")))
    })
}

/// Returns the value of `field` in `dict`, the result of a `to_dict` method. Raises `ValueError` if
/// the value is missing, and `TypeError` if it has the wrong type.
pub(crate) fn required_item<'py, T: FromPyObjectOwned<'py>>(
    dict: &Bound<'py, PyDict>,
    field: &Field,
) -> PyResult<T> {
    let value = dict.get_item(field.name)?;
    let value = value.ok_or_else(|| wrong_value(field.name, "is missing"))?;
    value.extract().map_err(Into::into)
}
