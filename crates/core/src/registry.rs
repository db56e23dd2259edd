//! The registry of scheme names: those that IANA lists, and some in wide use that it does not.

mod table;

use table::TABLE;

/// A scheme name with what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// All names, the shorter first, those of one length in alphabetical order.
pub fn all() -> &'static [Registered] {
    &TABLE
}

/// The entry of that name, in any case.
///
/// Logarithmic in the number of names of that length; no allocation.
///
/// ```
/// use urlsift_core::registry::{self, Rfc1738};
/// let entry = registry::known(b"Tn3270").unwrap();
/// assert_eq!((entry.name, entry.slashes), ("tn3270", true));
/// assert_eq!(entry.rfc1738, Rfc1738::Reserved);
/// assert_eq!(registry::known(b"frobnicate"), None);
/// ```
pub fn known(name: &[u8]) -> Option<&'static Registered> {
    let of_length = TABLE
        .get(usize::from(*STARTS.get(name.len())?)..usize::from(*STARTS.get(name.len() + 1)?))?;
    let found = of_length
        .binary_search_by(|entry| entry.name.bytes().cmp(name.iter().map(u8::to_ascii_lowercase)));
    found.ok().and_then(|at| of_length.get(at))
}

/// The longest registered name that `bytes` end with, in any case: what is left of `seehttp` when a
/// word is glued to a scheme.
///
/// At most [`LONGEST`] look-ups.
///
/// ```
/// use urlsift_core::registry;
/// assert_eq!(registry::known_suffix(b"seeHTTPS").unwrap().name, "https");
/// assert_eq!(registry::known_suffix(b"see"), None);
/// ```
pub fn known_suffix(bytes: &[u8]) -> Option<&'static Registered> {
    (1..=LONGEST.min(bytes.len())).rev().find_map(|length| known(&bytes[bytes.len() - length..]))
}

/// The length in bytes of the longest name.
pub const LONGEST: usize = TABLE[TABLE.len() - 1].name.len();

/// Where in the table the names of each length start.
static STARTS: [u16; LONGEST + 2] = starts();

#[expect(clippy::cast_possible_truncation, reason = "the table has a few hundred entries")]
const fn starts() -> [u16; LONGEST + 2] {
    let mut starts = [0; LONGEST + 2];
    let mut length = 0;
    let mut at = 0;
    while length < starts.len() {
        while at < TABLE.len() && TABLE[at].name.len() < length {
            at += 1;
        }
        starts[length] = at as u16;
        length += 1;
    }
    starts
}

const fn entry(name: &'static str, status: Status, slashes: bool, rfc1738: Rfc1738) -> Registered {
    Registered { name, status, slashes, rfc1738 }
}
