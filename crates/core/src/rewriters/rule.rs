//! The types of gateway rules and of the links that they decode.

use super::derived::Derived;
use crate::{Anatomy, Span};
use alloc::borrow::Cow;

/// A decoder for the links that one mail gateway or redirector rewrote. It returns the original
/// URLs of these links.
pub(super) struct Rule {
    /// The gateway's hosts, in lower case, if its links have their own encoding. A name that starts
    /// with a dot matches hosts with one more label before it, such as
    /// `us-west-2.protection.sophos.com`. Empty if the links are only percent-encoded, because
    /// passwords in such links are found without decoding them.
    pub(super) hosts: &'static [&'static str],
    /// Returns the original URL, or `None` if the gateway didn't write the link.
    pub(super) undo: fn(&Link<'_>) -> Option<Derived>,
    /// Pairs of a rewritten link and its original URL.
    #[cfg_attr(not(test), expect(dead_code, reason = "they document the rule, and test it"))]
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// Similar links that the gateway didn't write.
    #[cfg_attr(not(test), expect(dead_code, reason = "they document the rule, and test it"))]
    pub(super) others: &'static [&'static str],
}

/// An http or https URL, split into parts.
pub(super) struct Link<'u> {
    pub(super) url: &'u [u8],
    parts: Anatomy,
    /// The host, in lower case.
    pub(super) host: Cow<'u, str>,
}

impl<'u> Link<'u> {
    /// Splits the link `url` into parts. Returns `None` if its scheme is not http or https.
    pub(super) fn parse(url: &'u [u8]) -> Option<Self> {
        let parts = Anatomy::split(url);
        let scheme = url.get(parts.scheme.range())?;
        if !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https") {
            return None;
        }
        let host = core::str::from_utf8(url.get(parts.host?.range())?).ok()?;
        let is_lower = !host.bytes().any(|b| b.is_ascii_uppercase());
        let host = if is_lower { host.into() } else { host.to_ascii_lowercase().into() };
        Some(Self { url, parts, host })
    }

    /// Returns the link's path, including its first slash.
    pub(super) fn path(&self) -> &'u [u8] {
        self.url.get(self.parts.path.range()).unwrap_or_default()
    }

    /// Returns the bytes of the link at `span`.
    pub(super) fn bytes_at(&self, span: Span) -> &'u [u8] {
        self.url.get(span.range()).unwrap_or_default()
    }

    /// Returns a copy of the bytes at `span` that records their offsets in the link.
    pub(super) fn copy_at(&self, span: Span) -> Derived {
        Derived::copied_from(self.url, span)
    }

    /// Returns the span from the end of the link's authority to the end of the link.
    pub(super) fn after_host(&self) -> Span {
        Span::new(self.parts.path.start.min(self.url.len()), self.url.len())
    }

    /// Returns the span of the value of the query field called `name`, or `None` if there is no
    /// such field. Fields may be separated by `&` or `&amp;`.
    pub(super) fn query_field(&self, name: &str) -> Option<Span> {
        let query = self.parts.query?;
        let mut start = query.start;
        self.bytes_at(query).split(|&b| b == b'&').find_map(|field| {
            let end = start + field.len();
            start = end + 1;
            let field = field.strip_prefix(b"amp;").unwrap_or(field);
            let value = field.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
            Some(Span::new(end - value.len(), end))
        })
    }

    /// Returns the span of the value of the query field called `name`, or `None` if there is no
    /// such field. If it is the last field, the span includes the link's fragment, because some
    /// gateways don't encode the `#` of the original URL.
    pub(super) fn query_field_with_fragment(&self, name: &str) -> Option<Span> {
        let field = self.query_field(name)?;
        let is_last = self.parts.query.is_some_and(|query| query.end == field.end);
        Some(Span::new(field.start, if is_last { self.url.len() } else { field.end }))
    }

    /// Returns the percent-decoded value of the query field called `name`, or `None` if there is no
    /// such field.
    pub(super) fn decoded_query_field(&self, name: &str) -> Option<Derived> {
        Some(self.copy_at(self.query_field(name)?).percent_decoded())
    }
}
