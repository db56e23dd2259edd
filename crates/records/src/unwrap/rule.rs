//! What rules are made of: a link in its parts.

use std::borrow::Cow;
use urlsift_core::{Anatomy, decode_escapes};

/// How one gateway writes links.
pub(super) struct Rule {
    /// The target of a link that the gateway wrote.
    pub(super) undo: fn(&Link<'_>) -> Option<Vec<u8>>,
    /// Links, and where they led.
    #[cfg_attr(not(test), expect(dead_code, reason = "they document the rule, and test it"))]
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// Links of similar looks that are none of its own.
    #[cfg_attr(not(test), expect(dead_code, reason = "they document the rule, and test it"))]
    pub(super) others: &'static [&'static str],
}

/// A URL of http or https in its parts.
pub(super) struct Link<'u> {
    url: &'u [u8],
    parts: Anatomy,
    /// The host, in lower case.
    pub(super) host: Cow<'u, str>,
}

impl<'u> Link<'u> {
    pub(super) fn of(url: &'u [u8]) -> Option<Self> {
        let parts = Anatomy::of(url);
        let scheme = url.get(parts.scheme.range())?;
        if !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https") {
            return None;
        }
        let host = str::from_utf8(url.get(parts.host?.range())?).ok()?;
        let is_lower = !host.bytes().any(|b| b.is_ascii_uppercase());
        let host = if is_lower { host.into() } else { host.to_ascii_lowercase().into() };
        Some(Self { url, parts, host })
    }

    /// The path, with its first slash.
    pub(super) fn path(&self) -> &'u [u8] {
        self.url.get(self.parts.path.range()).unwrap_or_default()
    }

    /// What stands behind the host and port.
    pub(super) fn behind_host(&self) -> &'u [u8] {
        self.url.get(self.parts.path.start..).unwrap_or_default()
    }

    /// The value of a field of the query, as written. Its `&` may be written as HTML does.
    pub(super) fn field(&self, name: &str) -> Option<&'u [u8]> {
        let query = self.url.get(self.parts.query?.range())?;
        query.split(|&b| b == b'&').find_map(|field| {
            let field = field.strip_prefix(b"amp;").unwrap_or(field);
            field.strip_prefix(name.as_bytes())?.strip_prefix(b"=")
        })
    }
}

/// The bytes with their percent-escapes decoded.
pub(super) fn decoded(text: &[u8]) -> Vec<u8> {
    decode_escapes(text).into_owned()
}
