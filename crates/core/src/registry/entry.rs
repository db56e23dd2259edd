//! What is known of a scheme's name.

/// A scheme name with what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Registered {
    /// The name in lower case.
    pub name: &'static str,
    /// Its place in the registry.
    pub status: Status,
    /// Whether `//` and an authority usually follow its colon.
    pub slashes: bool,
    /// What RFC 1738 has of it.
    pub rfc1738: Rfc1738,
}

/// How a scheme is registered, RFC 7595 §3 and §4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// By a standard, or reviewed like one.
    Permanent,
    /// Claimed by someone.
    Provisional,
    /// No longer in use.
    Historical,
    /// In wide use, but not in the registry.
    Unregistered,
}

/// What RFC 1738 has of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rfc1738 {
    /// A production in §5.
    Production,
    /// A name that §4 reserves, without a syntax.
    Reserved,
    /// Nothing.
    Unknown,
}
