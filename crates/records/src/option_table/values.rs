//! Functions that parse the values of options.

use crate::{MessageFilter, Options};
use urlsift_archive::JsonFieldName;
use urlsift_core::Scheme;

/// Returns the name of the scheme in `text`, which may end with `:` or `://`.
///
/// ```
/// use urlsift_records::option_table::parse_scheme_name;
/// assert_eq!(parse_scheme_name("ftp://").as_deref(), Ok("ftp"));
/// assert!(parse_scheme_name("1a").unwrap_err().starts_with("`1a` is not a scheme"));
/// ```
///
/// # Errors
///
/// Returns a message if the name is not a valid scheme.
pub fn parse_scheme_name(text: &str) -> Result<&str, String> {
    let name = text.strip_suffix("://").or_else(|| text.strip_suffix(':')).unwrap_or(text);
    Scheme::may_be_named(name.as_bytes()).then_some(name).ok_or_else(|| {
        format!("`{text}` is not a scheme; write a letter, then letters, digits, `+`, `.` and `-`")
    })
}

/// Parses `value` and stores the result in `to`. Returns a message if the value is invalid.
pub(super) fn parse_into<T: std::str::FromStr<Err: std::fmt::Display>>(
    value: &str,
    to: &mut T,
) -> Result<(), String> {
    *to = value.parse().map_err(|error: T::Err| error.to_string())?;
    Ok(())
}

/// Parses the name of a JSON field and stores it in `to`. Returns an error message if the name is
/// too long.
pub(super) fn parse_field_name_into(value: &str, to: &mut JsonFieldName) -> Result<(), String> {
    *to = JsonFieldName::new(value).ok_or("the name is longer than 63 bytes")?;
    Ok(())
}

/// Parses `true` or `false` and stores the result in `to`. Returns a message for all other values.
pub(super) fn parse_flag_into(value: &str, to: &mut bool) -> Result<(), String> {
    *to = value.parse().map_err(|_| "write true or false")?;
    Ok(())
}

/// Parses a list of values separated by commas, and stores the values in `to`. Returns a message if
/// one is invalid.
pub(super) fn parse_list_into<T: std::str::FromStr<Err: std::fmt::Display>>(
    value: &str,
    to: &mut Vec<T>,
) -> Result<(), String> {
    let parsed: Result<_, T::Err> = split_list(value).map(str::parse).collect();
    *to = parsed.map_err(|error| error.to_string())?;
    Ok(())
}

/// Replaces the message filter in `options` by the result of `change`, which receives the current
/// filter.
pub(super) fn update_message_filter(
    options: &mut Options,
    change: impl FnOnce(MessageFilter) -> Result<MessageFilter, String>,
) -> Result<(), String> {
    options.messages = change(options.messages.clone())?;
    Ok(())
}

/// Returns `filter`, or an error message if its `since` is later than its `until`.
pub(super) fn check_order(filter: MessageFilter) -> Result<MessageFilter, String> {
    if filter.is_reversed() {
        return Err("`since` is later than `until`, so no message can match".to_owned());
    }
    Ok(filter)
}

/// Returns the items of a list separated by commas. Skips empty items.
pub(crate) fn split_list(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').filter(|item| !item.is_empty())
}

/// Returns the items of a list separated by commas, as owned strings.
pub(super) fn split_list_to_strings(value: &str) -> Vec<String> {
    split_list(value).map(str::to_owned).collect()
}
