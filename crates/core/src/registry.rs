//! The registry of scheme names: those that IANA lists, and some in wide use that it does not.

mod entry;
mod table;

pub use entry::{Registered, Rfc1738, Status};

use crate::scheme::Scheme;
use core::cmp::Ordering;
use entry::entry;
use table::LISTED;

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

/// The entry of a scheme of the table; `None` for [`Scheme::Other`].
pub(crate) const fn entry_of(scheme: Scheme) -> Option<&'static Registered> {
    let mut at = 0;
    while at < TABLE.len() {
        if matches!(compare(TABLE[at].name, scheme.name()), Ordering::Equal) {
            return Some(&TABLE[at]);
        }
        at += 1;
    }
    None
}

/// The length in bytes of the longest name.
const LONGEST: usize = TABLE[TABLE.len() - 1].name.len();

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

/// All names in their order: the list's, and those that have a row among the schemes but are not listed.
static TABLE: [Registered; LISTED.len() + UNLISTED] = {
    let mut table = [LISTED[0]; LISTED.len() + UNLISTED];
    let mut filled = 0;
    while filled < LISTED.len() {
        table[filled] = LISTED[filled];
        filled += 1;
    }
    let mut at = 0;
    while at < Scheme::ALL.len() {
        if is_unlisted(Scheme::ALL[at]) {
            let mut place = filled;
            let entry = of_row(Scheme::ALL[at]);
            while place > 0 && matches!(compare(entry.name, table[place - 1].name), Ordering::Less)
            {
                table[place] = table[place - 1];
                place -= 1;
            }
            table[place] = entry;
            filled += 1;
        }
        at += 1;
    }
    table
};

/// How many schemes have a row but are not listed.
const UNLISTED: usize = {
    let (mut count, mut at) = (0, 0);
    while at < Scheme::ALL.len() {
        count += is_unlisted(Scheme::ALL[at]) as usize;
        at += 1;
    }
    count
};

const fn is_unlisted(scheme: Scheme) -> bool {
    let mut at = 0;
    while at < LISTED.len() {
        if matches!(compare(LISTED[at].name, scheme.name()), Ordering::Equal) {
            return false;
        }
        at += 1;
    }
    !scheme.name().is_empty()
}

const fn of_row(scheme: Scheme) -> Registered {
    let rfc1738 = if scheme.is_rfc1738() { Rfc1738::Production } else { Rfc1738::Unknown };
    entry(scheme.name(), Status::Unregistered, scheme.needs_slashes(), rfc1738)
}

/// The order of the table: by length, then by letters.
const fn compare(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return if one.len() < other.len() { Ordering::Less } else { Ordering::Greater };
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return if one[at] < other[at] { Ordering::Less } else { Ordering::Greater };
        }
        at += 1;
    }
    Ordering::Equal
}
