//! The character sets that the URL finder distinguishes.
//!
//! The type is defined here because the crate that decodes mail and the crate that finds URLs both
//! use it and don't depend on each other.

/// The interpretation of the non-ASCII bytes of a text.
///
/// ```
/// use urlsift_core::Charset;
/// assert_eq!(Charset::default(), Charset::Utf8);
/// assert_eq!("8bit".parse(), Ok(Charset::EightBit));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Charset {
    /// UTF-8, or no declared charset. A URL ends before a byte that is not valid UTF-8.
    #[default]
    Utf8,
    /// Any single-byte superset of US-ASCII, such as ISO 8859-1. A URL ends before every non-ASCII
    /// byte.
    EightBit,
}

impl Charset {
    /// Every charset.
    pub const ALL: [Self; 2] = [Self::Utf8, Self::EightBit];

    /// Returns the stable name: `utf-8` or `8bit`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::EightBit => "8bit",
        }
    }
}

crate::named::by_name!(Charset);
