//! A URL that owns its text.

use crate::parts::Parts;
use crate::{Profile, Url, Violation, parse_reference};
use alloc::boxed::Box;
use core::fmt;
use core::hash::{Hash, Hasher};

/// A [`Url`] that owns its text, to store or return it without a borrow. Create one with
/// `UrlBuf::from(url)` or `str::parse`.
///
/// ```
/// use std::collections::HashSet;
/// use urlsift_core::{Profile, UrlBuf, parse};
///
/// let mut seen = HashSet::new();
/// let text = String::from("http://h.dom/a");
/// seen.insert(UrlBuf::from(parse(text.as_bytes(), Profile::Web)?));
/// drop(text);
/// assert_eq!(seen.iter().next().unwrap().as_url().host(), Some(&b"h.dom"[..]));
/// assert_eq!("http://h.dom/#a".parse::<UrlBuf>()?.to_string(), "http://h.dom/#a");
/// # Ok::<(), urlsift_core::Violation>(())
/// ```
#[derive(Clone, Debug)]
pub struct UrlBuf {
    text: Box<[u8]>,
    profile: Profile,
    reference: bool,
    parts: Parts,
}

impl UrlBuf {
    /// Returns a borrowed [`Url`], without parsing the text again.
    pub fn as_url(&self) -> Url<'_> {
        let Self { ref text, profile, reference, parts } = *self;
        Url { text, profile, reference, parts }
    }
}

impl From<Url<'_>> for UrlBuf {
    fn from(url: Url<'_>) -> Self {
        let Url { text, profile, reference, parts } = url;
        Self { text: text.into(), profile, reference, parts }
    }
}

impl core::str::FromStr for UrlBuf {
    type Err = Violation;

    /// Parses a URL, with or without a fragment, in the default profile.
    fn from_str(text: &str) -> Result<Self, Violation> {
        parse_reference(text.as_bytes(), Profile::default()).map(Self::from)
    }
}

impl PartialEq for UrlBuf {
    fn eq(&self, other: &Self) -> bool {
        self.as_url() == other.as_url()
    }
}

impl Eq for UrlBuf {}

impl Hash for UrlBuf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_url().hash(state);
    }
}

impl fmt::Display for UrlBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_url().fmt(f)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for UrlBuf {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_url().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for UrlBuf {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text: alloc::string::String = serde::Deserialize::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
