//! The parts and the meaning of a URL as plain data, in the order records print them.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// One value among the [`Fields`] of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'u> {
    /// The part is absent (an empty part is `Bytes(b"")`).
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number, such as an effective port.
    Number(u64),
    /// A part as written, or decoded octets (conventionally UTF-8).
    Bytes(Cow<'u, [u8]>),
    /// Text that this crate made.
    Text(String),
    /// Several values, in order.
    List(Vec<Self>),
}

/// Names and values in a fixed order: the `components` or the `semantics` of a URL.
pub type Fields<'u> = Vec<(&'static str, Value<'u>)>;

/// A part as written, or [`Value::Null`].
pub(crate) fn optional(part: Option<&[u8]>) -> Value<'_> {
    part.map_or(Value::Null, |part| Value::Bytes(Cow::Borrowed(part)))
}

/// A part as written.
pub(crate) fn written(part: &[u8]) -> Value<'_> {
    Value::Bytes(Cow::Borrowed(part))
}

/// Several parts as written.
pub(crate) fn list<'u>(parts: impl Iterator<Item = &'u [u8]>) -> Value<'u> {
    Value::List(parts.map(written).collect::<Vec<_>>())
}

/// The number that the digits are; `None` above 2^32 or so, where no field of ours reaches.
pub(crate) fn decimal(digits: &[u8]) -> Option<u32> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}
