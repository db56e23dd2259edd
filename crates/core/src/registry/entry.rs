//! The entries of the scheme registry.

/// An entry of the scheme registry: a name and its properties.
///
/// ```
/// use urlsift_core::registry::{self, Status};
/// let entry = registry::find_entry(b"FTP").unwrap();
/// assert_eq!((entry.name, entry.status, entry.slashes), ("ftp", Status::Permanent, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Registered {
    /// The name in lower case.
    pub name: &'static str,
    /// The registration status.
    pub status: Status,
    /// True if URLs of the scheme usually have `//` and an authority after the colon.
    pub slashes: bool,
    /// The scheme's role in RFC 1738.
    pub rfc1738: Rfc1738,
}

/// The registration status of a scheme (RFC 7595 §3 and §4).
///
/// ```
/// use urlsift_core::registry::{Status, find_entry};
/// assert_eq!(find_entry(b"wais").unwrap().status.name(), "historical");
/// assert_eq!("provisional".parse(), Ok(Status::Provisional));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Registered by a standard, or after expert review.
    Permanent,
    /// Registered without review.
    Provisional,
    /// Registered, but no longer in use.
    Historical,
    /// In wide use, but not registered with IANA.
    Unregistered,
}

/// The status of a scheme in RFC 1738.
///
/// ```
/// use urlsift_core::registry::{Rfc1738, find_entry};
/// assert_eq!(find_entry(b"gopher").unwrap().rfc1738, Rfc1738::Production);
/// assert_eq!(find_entry(b"https").unwrap().rfc1738, Rfc1738::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rfc1738 {
    /// The scheme has a production in §5.
    Production,
    /// The name is reserved in §4, without a syntax.
    Reserved,
    /// RFC 1738 doesn't mention the scheme.
    Unknown,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] =
        [Self::Permanent, Self::Provisional, Self::Historical, Self::Unregistered];

    /// Returns the name: `permanent`, `provisional`, `historical` or `unregistered`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Permanent => "permanent",
            Self::Provisional => "provisional",
            Self::Historical => "historical",
            Self::Unregistered => "unregistered",
        }
    }
}

impl Rfc1738 {
    /// Every value.
    pub const ALL: [Self; 3] = [Self::Production, Self::Reserved, Self::Unknown];

    /// Returns the name: `production`, `reserved` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Reserved => "reserved",
            Self::Unknown => "unknown",
        }
    }
}

crate::named::by_name!(Status, Rfc1738);
