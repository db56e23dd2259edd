//! How to decode the bytes of a text.
//!
//! The type is defined here because the crate that decodes mail and the one that finds URLs both
//! use it, and neither depends on the other.

/// How to decode the bytes of a text above 7F.
///
/// ```
/// use urlsift_core::Charset;
/// assert_eq!(Charset::default(), Charset::Utf8);
/// assert_eq!("8bit".parse(), Ok(Charset::EightBit));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Charset {
    /// UTF-8, or unlabelled; a byte that is not valid in UTF-8 is no letter and stops a URL.
    #[default]
    Utf8,
    /// A superset of US-ASCII of one byte a character, whichever; every byte above 7F stops a URL.
    EightBit,
}

impl Charset {
    /// All of them.
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
