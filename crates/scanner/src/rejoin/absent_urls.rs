//! URLs that were looked for and do not stand around a break.
//!
//! A URL that is broken again and again is looked for again and again, each time where it was looked for before and a
//! little further on. Only what is new is searched.

use memchr::memmem;
use urlsift_core::Span;

/// How many URLs are remembered.
const SLOTS: usize = 16;
/// How much further than is asked for the text is searched: the search for a few bytes costs as much as this.
const AHEAD: usize = 2048;

/// The URLs that were looked for last and not found.
#[derive(Clone, Debug, Default)]
pub(super) struct AbsentUrls {
    known: Vec<Absent>,
    /// How many there were.
    count: usize,
}

/// What a URL is made of.
pub(super) type Pieces<'u> = (&'u [u8], &'u [u8]);

/// A URL that does not stand in an area.
#[derive(Clone, Debug, Default)]
struct Absent {
    url: Vec<u8>,
    area: Span,
    number: usize,
}

/// One of the URLs, which may be forgotten meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Absence {
    slot: usize,
    number: usize,
}

impl AbsentUrls {
    /// The URL that both pieces make, if it is remembered as those.
    pub(super) fn find(&self, pieces: Pieces<'_>) -> Option<Absence> {
        let slot = slot(pieces);
        let is_it = |absent: &&Absent| absent.url.strip_prefix(pieces.0) == Some(pieces.1);
        let absent = self.known.get(slot).filter(is_it)?;
        Some(Absence { slot, number: absent.number })
    }

    /// Remembers that the URL `url`, which both pieces make, does not stand in an area.
    pub(super) fn keep(&mut self, url: &[u8], pieces: Pieces<'_>, area: Span) -> Absence {
        self.known.resize_with(SLOTS, Absent::default);
        self.count += 1;
        let absence = Absence { slot: slot(pieces), number: self.count };
        let absent = &mut self.known[absence.slot];
        absent.url.clear();
        absent.url.extend_from_slice(url);
        (absent.area, absent.number) = (area, absence.number);
        absence
    }

    /// Whether the URL does not stand in the window `low..high` either. May say no where it does not.
    pub(super) fn lacks(&mut self, absence: Absence, text: &[u8], low: usize, high: usize) -> bool {
        let Some(absent) = self.known.get_mut(absence.slot) else { return false };
        let Absent { ref url, area, number } = *absent;
        if number != absence.number || low < area.start || low > area.end {
            return false;
        }
        if high <= area.end {
            return true;
        }
        let to = text.len().min(high + AHEAD);
        let is_absent = memmem::find(&text[area.end.saturating_sub(url.len())..to], url).is_none();
        if is_absent {
            absent.area.end = to;
        } else {
            // Else the same bytes would be found again at the next break, and at the one behind that.
            absent.url.clear();
            absent.number = 0;
        }
        is_absent
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

/// The slot of a URL that two pieces make. It goes by where they meet: that is where URLs that are looked for together
/// differ.
fn slot((head, tail): Pieces<'_>) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let end = head.last_chunk().map_or(0, |end| u64::from_le_bytes(*end));
    let last = tail.last().map_or(0, |last| u64::from(*last));
    let mixed = (end ^ last ^ (tail.len() as u64) << 8).wrapping_mul(FACTOR);
    (mixed >> 32) as usize % SLOTS
}
