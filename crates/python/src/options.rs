//! Converts keyword arguments to the options of a scan, as listed in
//! `urlsift_records::option_table`.

use crate::arguments::{bool_argument, str_argument, str_list_argument, wrong_type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};
use urlsift_records::option_table::{self, OptionSpec, Scope, ValueKind};
use urlsift_records::{BadOption, Options};

/// Converts `given`, the keyword arguments of a function, to options. `function` is the function's
/// name, for error messages. With [`Scope::Text`], rejects options that have no effect on plain
/// text.
///
/// # Errors
///
/// Raises `TypeError` for an argument that does not exist or has the wrong type, and `ValueError`
/// for an invalid value. Both name the argument.
pub(crate) fn parse_options(
    function: &str,
    scope: Scope,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Options> {
    let mut options = Options::default();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let Some(spec) = option_table::find_option(option_name(&name)) else {
            let message = format!("{function}() got an unexpected keyword argument '{name}'");
            return Err(PyTypeError::new_err(message));
        };
        set_option(&mut options, scope, spec, (&name, &value))?;
    }
    Ok(options)
}

/// Returns the name of the option that a keyword argument sets. `with` is a Python keyword, so its
/// argument is called `with_`.
fn option_name(argument: &str) -> &str {
    match argument {
        "with" => "",
        "with_" => "with",
        other => other,
    }
}

/// Sets the option `spec` to the value of a keyword argument, whose name is shown in error
/// messages.
fn set_option(
    options: &mut Options,
    scope: Scope,
    spec: &OptionSpec,
    (name, value): (&str, &Bound<'_, PyAny>),
) -> PyResult<()> {
    if matches!(spec.kind, ValueKind::Key) && scope == Scope::Files {
        let key =
            crate::text::bytes_of_buffer(value).ok_or_else(|| wrong_type(name, "bytes", value))?;
        options.hash_key = Some(key.to_vec());
        return Ok(());
    }
    let text = match spec.kind {
        ValueKind::Flag => bool_argument(name, value)?.to_string(),
        ValueKind::FlagOrChoice(_) if !value.is_instance_of::<PyString>() => {
            bool_argument(name, value)?.to_string()
        }
        ValueKind::Expansion if value.is_none() => "none".to_owned(),
        ValueKind::Size | ValueKind::Expansion if value.is_instance_of::<PyInt>() => {
            value.str()?.to_string()
        }
        ValueKind::Size if !value.is_instance_of::<PyString>() => {
            return Err(wrong_type(name, "int or str", value));
        }
        ValueKind::Expansion if !value.is_instance_of::<PyString>() => {
            return Err(wrong_type(name, "int, str or None", value));
        }
        kind if kind.is_list() => str_list_argument(name, value)?.join(","),
        _ => str_argument(name, value)?,
    };
    let done = match scope {
        Scope::Text => options.set_for_text(spec.name, &text),
        Scope::Files => options.set(spec.name, &text),
    };
    done.map_err(|error| match error {
        BadOption::Value { value, reason, .. } => {
            PyValueError::new_err(format!("{name}: '{value}': {reason}"))
        }
        other => PyTypeError::new_err(other.to_string()),
    })
}
