//! Breaks that stand as an earlier one did.
//!
//! Footers of mailing lists, logs and lists that a program wrote break one URL at one place again and again. What
//! is decided at a break rests, but for twins and layout, on four lines: those on both sides, the one above and the one
//! below. Where these are byte for byte those of an earlier break, they are not weighed anew; where the decision rests on
//! more than that, nothing is remembered of it.

use super::absent_urls::Absence;
use super::followed::Followed;
use super::site::{BreakSite, Continuation, Held};
use crate::Rejoin;
use crate::text::blank::line_break_at;
use crate::text::line::{self, Encoding, line_at, line_before};

/// How many breaks are remembered.
const SLOTS: usize = 16;
/// The most bytes of the four lines: so few that no line is cut where it is looked at.
const LONGEST: usize = 1024;

/// The breaks that were weighed last, each at the slot that the bytes at it tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    slots: Vec<Slot>,
    /// Whether any break is remembered.
    is_any: bool,
    /// The slot of the earlier break as which the last one stood that was asked for, and where that one is.
    found: Option<(usize, usize)>,
}

/// What was weighed last of all breaks that share a slot: its bytes at the break, and, once they came twice, all of it. Most
/// breaks come once.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    bytes: u64,
    repeat: Option<Repeat>,
}

/// A break that was weighed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeat {
    at: usize,
    place: Place,
    /// How many bytes of the four lines stand before the break, the line break above them included, and how many behind.
    before: usize,
    after: usize,
    /// How many of them the line before it takes.
    line: usize,
    /// On what else the decision rests.
    pub(super) grounds: Grounds,
    /// Where they are known to hold.
    pub(super) held: Held,
    /// Where the URL goes on, counted from the break, if it does.
    next: Option<Continuation>,
    /// What became of the URL then, if that is known.
    pub(super) followed: Option<Followed>,
}

/// Where a URL stands, counted back from the break, and how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    outer: usize,
    start: usize,
    end: usize,
    has_bracket: bool,
    level: Rejoin,
}

/// What a decision rests on, beside the four lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grounds {
    /// That no twin stands around.
    pub(super) without_twin: Option<Absence>,
    /// That no line around is prose.
    pub(super) without_prose: bool,
    /// On more of the text.
    pub(super) more: bool,
}

impl Grounds {
    /// Whether more was looked at than the four lines, and no more than is noted.
    pub(super) const fn are_costly(&self) -> bool {
        (self.without_twin.is_some() || self.without_prose) && !self.more
    }
}

impl Repeats {
    /// Whether any break is remembered.
    pub(super) const fn is_any(&self) -> bool {
        self.is_any
    }

    /// The earlier break that stood as this one does.
    pub(super) fn find(&mut self, site: &BreakSite<'_>) -> Option<&mut Repeat> {
        self.found = None;
        let (text, at) = (site.input.text, site.break_at);
        let bytes = bytes_at(text, at);
        let number = slot(bytes);
        let slot = self.slots.get_mut(number).filter(|slot| slot.bytes == bytes)?;
        let repeat = slot.repeat.as_mut()?;
        let lines = |at: usize| text.get(at.checked_sub(repeat.before)?..at + repeat.after);
        if Some(repeat.place) != Place::of(site) || lines(at)? != lines(repeat.at)? {
            return None;
        }
        self.found = Some((number, at));
        Some(repeat)
    }

    /// The break that [`Self::find`] was asked for last, and the earlier one that stood as it does, if there is one and the URL
    /// goes on at `resume` behind both.
    pub(super) fn found(&mut self, resume: usize) -> Option<(usize, &mut Repeat)> {
        let (number, at) = self.found?;
        let repeat = self.slots.get_mut(number)?.repeat.as_mut()?;
        (repeat.decision(at)?.resume == resume).then_some((at, repeat))
    }

    /// Remembers what was decided at the break.
    #[inline(never)]
    pub(super) fn keep(
        &mut self,
        site: &BreakSite<'_>,
        grounds: Grounds,
        next: Option<Continuation>,
    ) {
        let (text, at) = (site.input.text, site.break_at);
        let bytes = bytes_at(text, at);
        self.slots.resize(SLOTS, Slot::default());
        let slot = &mut self.slots[slot(bytes)];
        if slot.bytes != bytes {
            *slot = Slot { bytes, repeat: None };
        } else if let Some(place) = Place::of(site)
            && let Some((before, line, after)) = lines_around(text, at)
            && place.outer <= line
        {
            let next = next.map(|next| Continuation { resume: next.resume - at, ..next });
            let (held, followed) = (Held::default(), None);
            slot.repeat =
                Some(Repeat { at, place, before, after, line, grounds, held, next, followed });
            self.is_any = true;
        }
    }
}

impl Repeat {
    /// The start of the line before the break at byte `at` if it stands as this one does.
    pub(super) fn line_start(&self, at: usize) -> usize {
        at - self.line
    }

    /// What is decided at the break at byte `at` if it stands as this one does.
    pub(super) fn decision(&self, at: usize) -> Option<Continuation> {
        self.next.map(|next| Continuation { resume: at + next.resume, ..next })
    }
}

impl Place {
    /// `None` where more than the line before the break tells what stands before it.
    fn of(site: &BreakSite<'_>) -> Option<Self> {
        let BreakSite { input, url, break_at, outer, has_bracket, level, .. } = *site;
        let is_all = input.breaks.is_empty()
            && site.encoding == Encoding::Unknown
            && input.text.get(url.range()).is_some_and(|url| std::ptr::eq(url, site.joined_so_far));
        is_all.then(|| Self {
            outer: break_at - outer,
            start: break_at - url.start,
            end: break_at - url.end,
            has_bracket,
            level,
        })
    }
}

/// The bytes on both sides of a break, as one number.
fn bytes_at(text: &[u8], at: usize) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (before, after) = text.split_at(at);
    let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    (word(before.last_chunk()).rotate_left(32) ^ word(after.first_chunk())).wrapping_mul(FACTOR)
}

/// The slot of a break with these bytes.
const fn slot(bytes: u64) -> usize {
    (bytes >> 32) as usize % SLOTS
}

/// How far the four lines around a break reach back, how far the one before it does, and how far they go on; `None` where one is missing or they are too long.
fn lines_around(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let start = at - line_before(text, at).len();
    let above = line::above(text, start)?;
    let from = (above - line_before(text, above).len()).checked_sub(1)?;
    let (_, below) = line_at(text, at + line_break_at(text, at));
    let (_, to) = line_at(text, below);
    let is_whole = to - from <= LONGEST && matches!(text[to - 1], b'\n' | b'\r');
    is_whole.then_some((at - from, at - start, to - at))
}
