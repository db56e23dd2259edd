//! How the bytes of a text are to be read.
//!
//! The room that reads mail knows it, the room that finds URLs wants to know. Neither depends on the other, so the word
//! they share stands here.

/// How a text's bytes above 7F are to be read.
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

    /// The stable name: `utf-8` or `8bit`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::EightBit => "8bit",
        }
    }
}

crate::named::by_name!(Charset);
