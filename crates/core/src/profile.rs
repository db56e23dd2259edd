//! Which documents a URL is judged by.

/// The set of rules that a URL is judged by. The names are a contract.
///
/// ```
/// use urlsift_core::Profile;
/// assert_eq!("rfc1738".parse(), Ok(Profile::Rfc1738));
/// assert_eq!(Profile::default().name(), "web");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// RFC 1738, strictly; its printed grammar is corrected only where it contradicts itself.
    Rfc1738,
    /// The draft of 1994, close to RFC 1630. Verdicts only: its grammar is ambiguous in its parts.
    Cern1994,
    /// RFC 3986 with the scheme documents of today.
    Rfc3986,
    /// URLs that still work in practice: RFC 3986 or RFC 1738, IRIs, a few repairs, and the rules
    /// of DNS.
    #[default]
    Web,
}

impl Profile {
    /// All profiles, oldest first, the default last.
    pub const ALL: [Self; 4] = [Self::Rfc1738, Self::Cern1994, Self::Rfc3986, Self::Web];

    /// Returns the stable name, as on the command line and in records.
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
