//! Counts URLs and messages by name and year, for the tables of top-level domains and lists.

use crate::batch::to_displayed;
use crate::data::{Grid, NameCounts};
use crate::limits;
use crate::names::{Interner, Map};
use std::cmp::Reverse;

/// Counts of URLs and messages by name and year, in a table of limited size. New names are ignored
/// when the table is full.
#[derive(Debug, Default)]
pub(crate) struct Years {
    /// The names.
    names: Interner,
    /// The number of URLs by name and year. Year 0 means no date.
    urls: Map<(u32, u16), u64>,
    /// The number of messages by name.
    messages: Map<u32, u64>,
    /// True if names were ignored because the table was full.
    is_lossy: bool,
}

impl Years {
    /// Counts a URL under a name and year, unless the name is new and there are already `max_names`
    /// names. Year 0 means no date.
    pub(crate) fn count_url(&mut self, name: &[u8], year: u16, max_names: usize) {
        match self.names.intern_within(name, max_names) {
            Some(number) => *self.urls.entry((number, year)).or_default() += 1,
            None => self.is_lossy = true,
        }
    }

    /// Counts a message that contains `urls` URLs under a name. Does nothing if the name is new and
    /// the table is full. Year 0 means no date.
    pub(crate) fn count_message(&mut self, name: &[u8], year: u16, urls: u64) {
        let Some(number) = self.names.intern_within(name, limits::LISTS) else {
            self.is_lossy = true;
            return;
        };
        *self.messages.entry(number).or_default() += 1;
        if urls > 0 {
            *self.urls.entry((number, year)).or_default() += urls;
        }
    }

    /// Returns the counts as a grid with one row for each name. Names with the most URLs come
    /// first.
    pub(crate) fn to_grid(&self) -> Grid {
        let mut rows: Vec<_> = (0..)
            .take(self.names.len())
            .map(|number| NameCounts {
                name: to_displayed(self.names.name_of(number)),
                messages: self.messages.get(&number).copied().unwrap_or_default(),
                ..NameCounts::default()
            })
            .collect();
        for (&(number, year), &urls) in &self.urls {
            let row = &mut rows[number as usize];
            row.urls += urls;
            row.years.push((year, urls));
        }
        rows.sort_by(|one, other| {
            (Reverse((one.urls, one.messages)), &one.name)
                .cmp(&(Reverse((other.urls, other.messages)), &other.name))
        });
        rows.truncate(limits::ROWS);
        for row in &mut rows {
            row.years.sort_unstable();
        }
        Grid { names: self.names.len() as u64, at_least: self.is_lossy, rows }
    }
}
