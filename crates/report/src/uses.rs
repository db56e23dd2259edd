//! Counts the uses of names, such as hosts, in a table of bounded size.

use crate::data::{Use, Uses};
use crate::limits::{NAME_BYTES, ROWS};
use crate::names::{Interner, Map};
use hashbrown::DefaultHashBuilder;
use std::cmp::Reverse;
use urlsift_records::Utc;

/// The maximum mean length in bytes of names in a table. A table with longer names counts as full
/// earlier.
const MEAN_BYTES: usize = 64;

/// The counts of one name: its URLs, its messages, and its first and last date.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    urls: u64,
    different: u32,
    messages: u32,
    first: Option<Utc>,
    last: Option<Utc>,
    /// The key of the last message that used the name.
    message: u64,
}

/// One use of a name: a URL in a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) date: Option<Utc>,
    /// The key of the message, or `None` if the URL is not in a message.
    pub(crate) message: Option<u64>,
    /// True if no equal URL was seen before.
    pub(crate) is_different: bool,
}

/// A table that counts the uses of names, such as hosts. When it is full, the half of the names
/// with the fewest uses is dropped.
#[derive(Debug)]
pub(crate) struct UseTable {
    /// The maximum number of names.
    most: usize,
    names: Interner,
    /// The counts, indexed by the numbers of the names.
    known: Vec<Known>,
    /// The number of uses by name number and year.
    years: Map<(u32, u16), u32>,
    /// True if uses are counted by year.
    has_years: bool,
    /// True if names were dropped.
    is_lossy: bool,
}

impl UseTable {
    pub(crate) fn new(most: usize, has_years: bool) -> Self {
        Self {
            most,
            names: Interner::default(),
            known: Vec::new(),
            years: Map::default(),
            has_years,
            is_lossy: false,
        }
    }

    /// Returns the interner that contains the names of the table.
    pub(crate) fn interner(&mut self) -> &mut Interner {
        &mut self.names
    }

    /// Counts a use of a name. Returns true if the date of this use is earlier than those of all
    /// earlier calls for the name.
    pub(crate) fn count_use(&mut self, name: &[u8], seen: &Seen) -> bool {
        let number = self.names.intern(name);
        self.count_use_of_number(number, seen)
    }

    /// Does the same as [`Self::count_use`], and returns the same value, for the name with this
    /// number in [`Self::interner`].
    pub(crate) fn count_use_of_number(&mut self, number: u32, seen: &Seen) -> bool {
        if number as usize == self.known.len() {
            self.known.push(Known::default());
        }
        let known = &mut self.known[number as usize];
        known.urls += 1;
        known.different += u32::from(seen.is_different);
        if let Some(message) = seen.message.filter(|&message| message != known.message) {
            known.message = message;
            known.messages += 1;
        }
        let mut is_first = false;
        if let Some(date) = seen.date {
            is_first = known.first.is_none_or(|first| date < first);
            known.first = known.first.min(Some(date)).or(Some(date));
            known.last = known.last.max(Some(date));
            if self.has_years {
                *self.years.entry((number, date.year())).or_default() += 1;
            }
        }
        if self.names.len() > self.most || self.names.total_len() > self.most * MEAN_BYTES {
            self.drop_least_used_half();
        }
        is_first
    }

    /// Drops the half of the names with the fewest uses. Among equals, the newest names are
    /// dropped.
    fn drop_least_used_half(&mut self) {
        self.is_lossy = true;
        let mut kept = self.most_used(self.names.len() / 2);
        kept.sort_unstable();
        let mut names = self.names.empty_with_same_seed();
        let mut known = Vec::with_capacity(kept.len());
        let mut moved = Map::with_capacity_and_hasher(kept.len(), DefaultHashBuilder::default());
        for number in kept {
            moved.insert(number, names.intern(self.names.name_of(number)));
            known.push(self.known[number as usize]);
        }
        let years = std::mem::take(&mut self.years).into_iter();
        self.years = years
            .filter_map(|((number, year), urls)| Some(((*moved.get(&number)?, year), urls)))
            .collect();
        (self.names, self.known) = (names, known);
    }

    /// Returns the numbers of the `count` names with the most uses, in descending order of uses.
    /// Among equals, the oldest names come first.
    fn most_used(&self, count: usize) -> Vec<u32> {
        let by_uses = |&number: &u32| (Reverse(self.known[number as usize].urls), number);
        let mut numbers: Vec<_> = (0..).take(self.known.len()).collect();
        if count < numbers.len() {
            numbers.select_nth_unstable_by_key(count, by_uses);
            numbers.truncate(count);
        }
        numbers.sort_unstable_by_key(by_uses);
        numbers
    }

    /// Returns the dates of the first uses of all names. Names without a date are skipped.
    pub(crate) fn first_dates(&self) -> impl Iterator<Item = Utc> + '_ {
        self.known.iter().filter_map(|known| known.first)
    }

    /// True if names were dropped, so that the counts are lower bounds.
    pub(crate) fn is_lossy(&self) -> bool {
        self.is_lossy
    }

    /// Returns the counts of the names with the most uses, at most [`ROWS`] names.
    pub(crate) fn to_uses(&self) -> Uses {
        let most = self.most_used(ROWS);
        // Collected only for these names, because there may be a million others.
        let mut years: Map<u32, Vec<(u16, u64)>> =
            most.iter().map(|&number| (number, Vec::new())).collect();
        for (&(number, year), &urls) in &self.years {
            if let Some(years) = years.get_mut(&number) {
                years.push((year, urls.into()));
            }
        }
        let most = most.into_iter().map(|number| {
            let Known { urls, different, messages, first, last, .. } = self.known[number as usize];
            let mut years = years.remove(&number).unwrap_or_default();
            years.sort_unstable();
            Use {
                name: to_lossy_string(self.names.name_of(number)),
                urls,
                different: different.into(),
                messages: messages.into(),
                first: first.map(|date| date.to_string()),
                last: last.map(|date| date.to_string()),
                years,
            }
        });
        Uses { names: self.names.len() as u64, at_least: self.is_lossy, most: most.collect() }
    }
}

/// Converts a name to a string, with invalid UTF-8 replaced.
pub(crate) fn to_lossy_string(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// Truncates a name to [`NAME_BYTES`] bytes. Names that are equal after this are counted together.
pub(crate) fn truncate_name(name: &[u8]) -> &[u8] {
    &name[..name.len().min(NAME_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Seen = Seen { date: None, message: Some(1), is_different: true };

    #[test]
    fn frequent_names_stay_in_a_full_table() {
        let mut table = UseTable::new(100, true);
        for number in 0..1000_u32 {
            table.count_use(format!("host-{number}").as_bytes(), &SEEN);
            table.count_use(b"often", &Seen { message: Some(number.into()), ..SEEN });
            if number > 900 {
                table.count_use(b"late", &SEEN);
            }
        }
        let uses = table.to_uses();
        assert!(uses.at_least && uses.names <= 101, "{}", uses.names);
        let first: Vec<_> = uses.most.iter().take(2).map(|u| (u.name.as_str(), u.urls)).collect();
        assert_eq!(first[0], ("often", 1000));
        assert_eq!(first[1].0, "late");
        assert!(first[1].1 > 50);
        assert_eq!(uses.most.len(), ROWS.min(usize::try_from(uses.names).unwrap()));
    }

    #[test]
    fn first_and_last() {
        let mut table = UseTable::new(100, true);
        for (date, is_first) in [("1995", true), ("1994", true), ("1996", false), ("1994", false)] {
            let date = Utc::parse(format!("{date}-01-02T00:00:00Z").as_bytes());
            assert_eq!(table.count_use(b"h", &Seen { date, ..SEEN }), is_first);
        }
        let uses = table.to_uses();
        let known = &uses.most[0];
        assert_eq!(known.first.as_deref(), Some("1994-01-02T00:00:00Z"));
        assert_eq!(known.last.as_deref(), Some("1996-01-02T00:00:00Z"));
        assert_eq!(known.years, [(1994, 2), (1995, 1), (1996, 1)]);
        assert_eq!((known.messages, known.urls), (1, 4));
    }
}
