//! The parts and meaning of a URL as plain data, in the order in which records print them.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The value of a field in [`Fields`].
///
/// ```
/// use urlsift_core::{Profile, Value, parse};
/// let url = parse(b"ftp://host.dom/a", Profile::Rfc1738)?;
/// let fields = url.components().unwrap();
/// assert_eq!(fields[0], ("user", Value::Null));
/// assert_eq!(fields[2], ("host", Value::Bytes(b"host.dom".into())));
/// # Ok::<(), urlsift_core::Violation>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'u> {
    /// The part is absent (an empty part is `Bytes(b"")`).
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, such as an effective port.
    Number(u64),
    /// A part of the URL as written, or decoded octets (conventionally UTF-8).
    Bytes(Cow<'u, [u8]>),
    /// A text that is not part of the URL, such as the name of a kind.
    Text(String),
    /// Several values, in order.
    List(Vec<Self>),
}

/// Field names and values in a fixed order: the result of
/// [`Url::components`](crate::Url::components) or [`Url::semantics`](crate::Url::semantics).
///
/// ```
/// use urlsift_core::{Profile, Value, parse};
/// let url = parse(b"gopher://host.dom/00a", Profile::Rfc1738)?;
/// let meaning = url.semantics().unwrap();
/// assert_eq!(meaning[0], ("port", Value::Number(70)));
/// # Ok::<(), urlsift_core::Violation>(())
/// ```
pub type Fields<'u> = Vec<(&'static str, Value<'u>)>;

/// Returns a part of a URL, as written, as the value of a field. An absent part is [`Value::Null`].
pub(crate) fn value_or_null(part: Option<&[u8]>) -> Value<'_> {
    part.map_or(Value::Null, |part| Value::Bytes(Cow::Borrowed(part)))
}

/// Returns a part of a URL, as written, as the value of a field.
pub(crate) fn verbatim_value(part: &[u8]) -> Value<'_> {
    Value::Bytes(Cow::Borrowed(part))
}

/// Returns several parts of a URL, as written, as one list value.
pub(crate) fn list_value<'u>(parts: impl Iterator<Item = &'u [u8]>) -> Value<'u> {
    Value::List(parts.map(verbatim_value).collect::<Vec<_>>())
}

/// Parses a decimal number. Returns `None` if it exceeds 32 bits, which is more than any field
/// allows.
pub(crate) fn parse_decimal(digits: &[u8]) -> Option<u32> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}
