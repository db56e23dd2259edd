//! The sets of rules for validating URLs.

/// A set of rules by which URLs are validated. The names are stable.
///
/// ```
/// use urlsift_core::Profile;
/// assert_eq!("rfc1738".parse(), Ok(Profile::Rfc1738));
/// assert_eq!(Profile::default().name(), "web");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// RFC 1738, strictly. Its grammar is corrected only where it contradicts itself.
    Rfc1738,
    /// The 1994 CERN draft, similar to RFC 1630. URLs are only validated, not split into parts,
    /// because the grammar is ambiguous.
    Cern1994,
    /// RFC 3986 with the current documents about each scheme.
    Rfc3986,
    /// URLs that work in practice: valid by RFC 3986 or RFC 1738, or an IRI. Some unescaped
    /// characters are allowed, and hosts must be valid in DNS.
    #[default]
    Web,
}

impl Profile {
    /// All profiles, oldest first, the default last.
    pub const ALL: [Self; 4] = [Self::Rfc1738, Self::Cern1994, Self::Rfc3986, Self::Web];

    /// Returns the stable name, as on the command line and in records: e.g. `web`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc1738 => "rfc1738",
            Self::Cern1994 => "cern1994",
            Self::Rfc3986 => "rfc3986",
            Self::Web => "web",
        }
    }
}

crate::named::by_name!(Profile);
