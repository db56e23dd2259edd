//! The registry of scheme names: those that IANA lists, and some unregistered names in wide use.

mod entry;
mod list;

pub use entry::{Registered, Rfc1738, Status};

use crate::scheme::Scheme;
use list::{LISTED, search_name};

/// Returns all entries of the registry, sorted by the length of their names, then alphabetically.
///
/// ```
/// use urlsift_core::registry;
/// assert!(registry::all_entries().iter().any(|entry| entry.name == "gopher"));
/// ```
pub fn all_entries() -> &'static [Registered] {
    &TABLE
}

/// Returns the entry of the scheme called `name`, ignoring case, or `None` if it is not in the
/// registry.
///
/// Takes logarithmic time in the number of names of that length. Doesn't allocate.
///
/// ```
/// use urlsift_core::registry::{self, Rfc1738};
/// let entry = registry::find_entry(b"Tn3270").unwrap();
/// assert_eq!((entry.name, entry.slashes), ("tn3270", true));
/// assert_eq!(entry.rfc1738, Rfc1738::Reserved);
/// assert_eq!(registry::find_entry(b"frobnicate"), None);
/// ```
pub fn find_entry(name: &[u8]) -> Option<&'static Registered> {
    let start = usize::from(*STARTS.get(name.len())?);
    let end = usize::from(*STARTS.get(name.len() + 1)?);
    let key = first_bytes_as_number(name);
    let first = start + KEYS.get(start..end)?.partition_point(|&other| other < key);
    let alike = KEYS[first..end].iter().take_while(|&&other| other == key);
    let mut alike = alike.zip(&TABLE[first..]).map(|(_, entry)| entry);
    alike.find(|entry| entry.name.as_bytes().eq_ignore_ascii_case(name))
}

/// Packs the first eight bytes of a name, in lower case, into a number. These numbers have the same
/// order as the names.
const fn first_bytes_as_number(name: &[u8]) -> u64 {
    let (mut key, mut at) = (0, 0);
    while at < size_of::<u64>() {
        let byte = if at < name.len() { name[at].to_ascii_lowercase() } else { 0 };
        key = key << 8 | byte as u64;
        at += 1;
    }
    key
}

/// The result of [`first_bytes_as_number`] for each name in [`TABLE`]. Comparing these takes a
/// tenth of the time of comparing names.
static KEYS: [u64; TABLE.len()] = {
    let (mut keys, mut at) = ([0; TABLE.len()], 0);
    while at < keys.len() {
        keys[at] = first_bytes_as_number(TABLE[at].name.as_bytes());
        at += 1;
    }
    keys
};

/// Returns the registry entry of a scheme, or `None` for [`Scheme::Other`].
pub(crate) const fn entry_of(scheme: Scheme) -> Option<&'static Registered> {
    match search_name(&TABLE, scheme.name()) {
        Ok(at) => Some(&TABLE[at]),
        Err(_) => None,
    }
}

/// The length of the longest name, in bytes.
const MAX_NAME_LEN: usize = TABLE[TABLE.len() - 1].name.len();

/// For each length, the index in [`TABLE`] of the first name of that length.
static STARTS: [u16; MAX_NAME_LEN + 2] = first_index_by_len();

/// Computes [`STARTS`]: for each length, the index of the first name of that length.
#[expect(clippy::cast_possible_truncation, reason = "the table has a few hundred entries")]
const fn first_index_by_len() -> [u16; MAX_NAME_LEN + 2] {
    let mut starts = [0; MAX_NAME_LEN + 2];
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

/// All entries in order: those of `schemes.tsv`, and the schemes of this crate that it doesn't
/// list.
static TABLE: [Registered; LISTED.len() + UNLISTED] = {
    let mut table = [LISTED[0]; LISTED.len() + UNLISTED];
    let (mut filled, mut at) = (0, 0);
    while filled < LISTED.len() {
        table[filled] = LISTED[filled];
        filled += 1;
    }
    while at < Scheme::ALL.len() {
        if let (Some(entry), Err(mut place)) =
            (unlisted_entry_at(at), search_name(&table, Scheme::ALL[at].name()))
        {
            // Ignore the slots that aren't filled yet.
            place = if place < filled { place } else { filled };
            filled += 1;
            let mut moved = entry;
            while place < filled {
                (moved, table[place]) = (table[place], moved);
                place += 1;
            }
        }
        at += 1;
    }
    table
};

/// The number of schemes of this crate that `schemes.tsv` doesn't list.
const UNLISTED: usize = {
    let (mut count, mut at) = (0, 0);
    while at < Scheme::ALL.len() {
        count += unlisted_entry_at(at).is_some() as usize;
        at += 1;
    }
    count
};

/// Returns a new entry for the scheme at index `at` of [`Scheme::ALL`] if `schemes.tsv` doesn't
/// list this scheme, otherwise `None`.
const fn unlisted_entry_at(at: usize) -> Option<Registered> {
    let scheme = Scheme::ALL[at];
    let rfc1738 = if scheme.is_rfc1738() { Rfc1738::Production } else { Rfc1738::Unknown };
    let slashes = scheme.needs_slashes();
    match search_name(&LISTED, scheme.name()) {
        Err(_) if !scheme.name().is_empty() => {
            Some(Registered { name: scheme.name(), status: Status::Unregistered, slashes, rfc1738 })
        }
        _ => None,
    }
}
