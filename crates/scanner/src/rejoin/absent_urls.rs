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
    /// Where in it the pieces meet.
    join: usize,
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
        absent.join = pieces.0.len();
        (absent.area, absent.number) = (area, absence.number);
        absence
    }

    /// If the URL does not stand in the window `low..high` either: how far it is known not to, at least to `high`. May say no
    /// where it does not.
    pub(super) fn lacks(
        &mut self,
        absence: Absence,
        text: &[u8],
        low: usize,
        high: usize,
    ) -> Option<usize> {
        let absent = self.known.get_mut(absence.slot)?;
        let Absent { ref url, join, area, number } = *absent;
        if number != absence.number || low < area.start || low > area.end {
            return None;
        }
        if high <= area.end {
            return Some(area.end);
        }
        let to = text.len().min(high + AHEAD);
        if stands(&text[area.end.saturating_sub(url.len())..to], url, join) {
            // Else the same bytes would be found again at the next break, and at the one behind that.
            absent.url.clear();
            absent.number = 0;
            return None;
        }
        absent.area.end = to;
        Some(to)
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

/// Whether a URL of which two pieces meet at byte `join` stands in the text. Where it is broken again and again both pieces
/// stand everywhere, but seldom side by side: it is known by the bytes that meet.
fn stands(text: &[u8], url: &[u8], join: usize) -> bool {
    let from = join.saturating_sub(1);
    let meeting = &url[from..url.len().min(join + 1)];
    let mut places = memmem::find_iter(text, meeting);
    for place in places.by_ref().take(MOST_PLACES) {
        let start = place.checked_sub(from);
        if start.is_some_and(|start| text[start..].starts_with(url)) {
            return true;
        }
    }
    places
        .next()
        .is_some_and(|place| memmem::find(&text[place.saturating_sub(from)..], url).is_some())
}

/// Where the bytes that meet stand side by side more often than that, a URL is known by all of its bytes.
const MOST_PLACES: usize = 8;

/// The slot of a URL that two pieces make. It goes by where they meet: that is where URLs that are looked for together
/// differ.
fn slot((head, tail): Pieces<'_>) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let end = head.last_chunk().map_or(0, |end| u64::from_le_bytes(*end));
    let last = tail.last().map_or(0, |last| u64::from(*last));
    let mixed = (end ^ last ^ (tail.len() as u64) << 8).wrapping_mul(FACTOR);
    (mixed >> 32) as usize % SLOTS
}
