//! The evidence for and against a continuation, and what each piece of it weighs.
//!
//! This is the one room where the decision is made. Everything else here only describes what
//! stands at a break; [`WEIGHTS`] says what that is worth, and [`ENOUGH`] how much it takes. What admits of no
//! exception is no evidence, but told before, [`BreakContext::is_other_thing`], or, where it takes the layout, after:
//! [`BreakContext::breaks_word_midway`].

use super::ends::Ends;
use super::layout::Layout;
use super::tail::{Tail, has_suffix, is_another_url, is_closing, setting, split_token};
use crate::text::blank::trim_end;
use crate::text::line::{SHORTEST_FULL, columns};

/// A piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    OpenEnd,
    Hyphen,
    SlashEnd,
    Punctuated,
    InWord,
    HostBroken,
    Complete,
    Filled,
    HadRoom,
    InColumns,
    Overflows,
    Closes,
    Lone,
    Isolated,
    Suffix,
    Structured,
    Capital,
    Prose,
    Word,
    Common,
    Hangs,
    Chain,
}

use Feature as F;

/// What each piece of evidence weighs, none of it about a host or a file: about three times the log-odds that it adds, as
/// learned from judged breaks (docs/src/explanation/rejoining.md, `cargo run --example learn_joins`).
pub(super) const WEIGHTS: [(Feature, i32); 22] = [
    // What stands before the break.
    (F::OpenEnd, 3), // `= & ? % - _ + #`: nobody ends a URL so, and wrappers like to break there
    (F::Hyphen, 10), // one stands between two letters or digits
    (F::SlashEnd, 1), // the favourite place to break, but also how directories end
    (F::Punctuated, -8), // a comma or a bracket closes the sentence and the URL with it
    (F::InWord, -3), // between two letters or digits only a machine breaks
    (F::HostBroken, 5), // `http://`, or a host that a dot ends: there must be more
    (F::Complete, -12), // a file's suffix, or nothing but a host: it looks whole
    // The width of the line.
    (F::Filled, 4), // no line around is longer, or the token would not have fitted; not in justified text
    (F::HadRoom, -16), // the token would have fitted on the line: the writer broke it, not a wrapper
    (F::InColumns, -8), // a wide gap before the URL: a table or a signature in two columns
    (F::Overflows, 13), // a full line at a usual column, and the token is all of the next one
    // What stands after the break.
    (F::Closes, 12), // the bracket or quote that opened right before the URL closes right behind the token
    (F::Lone, 1),    // the token is all of its line
    (F::Isolated, 8), // and the line below is empty
    (F::Suffix, 16), // it ends in a file's suffix, which the URL so far did not have
    (F::Structured, 11), // it has a path, a query, an escape, or many words joined
    (F::Capital, -9), // it is a word and starts with a capital
    (F::Prose, -3),  // it is a word and more follows
    (F::Word, -4),   // it is a word and stands alone
    (F::Common, -4), // it is one that stands in every text, or the last of a sentence
    // What stands around.
    (F::Hangs, 8), // it starts with a slash, below the URL or further right
    (F::Chain, 5), // the URL came over a break before: what was broken once is broken again
];

/// The weight at which a continuation is four times as likely as an end: a wrong join is worse than a missed one.
pub(super) const ENOUGH: i32 = 7;

/// Below this weight no twin is looked for: the token is something else.
pub(super) const WORTH_A_LOOK: i32 = -6;

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence(u32);

impl Evidence {
    pub(super) fn note(&mut self, feature: Feature, holds: bool) {
        if holds {
            self.0 |= 1 << feature as u32;
        }
    }

    pub(super) const fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u32 != 0
    }

    /// Weighs what the end of the URL so far and the token say by themselves.
    pub(super) fn of_ends(ends: &Ends<'_>, is_chain: bool) -> Self {
        let Ends { head, tail, .. } = ends;
        let last = head.last().copied().unwrap_or_default();
        let first = tail.core.first().copied().unwrap_or_default();
        let is_word = ends.is_word();
        let mut evidence = Self::default();
        evidence.note(F::OpenEnd, ends.is_open());
        evidence.note(F::Hyphen, ends.is_at_hyphen());
        evidence.note(F::SlashEnd, last == b'/' && !head.ends_with(b"://"));
        let is_punctuated = is_closing(last) && !matches!(last, b'?' | b'.') && !ends.host_goes_on;
        evidence.note(F::Punctuated, is_punctuated);
        evidence.note(F::InWord, last.is_ascii_alphanumeric() && first.is_ascii_alphanumeric());
        evidence.note(F::HostBroken, ends.host_goes_on);
        evidence.note(F::Complete, ends.is_complete());
        evidence.note(F::Closes, ends.closes);
        evidence.note(F::Lone, tail.lone);
        let is_suffix = tail.has_suffix() && !has_suffix(ends.path);
        let is_structured = tail.is_structured();
        let counts = (is_suffix || is_structured) && !ends.leaves_fragment();
        evidence.note(F::Suffix, is_suffix && counts);
        evidence.note(F::Structured, is_structured && counts);
        evidence.note(F::Capital, is_word && tail.is_capitalised());
        evidence.note(F::Prose, is_word && !tail.lone);
        evidence.note(F::Word, is_word && tail.lone);
        evidence.note(F::Common, is_word && tail.is_common_word());
        evidence.note(F::Chain, is_chain);
        evidence
    }

    /// Whether what stands around can't tip the scales any more, given the evidence of a break's ends, and no twin is
    /// looked for. For a token that closes nothing.
    pub(super) fn is_hopeless(self, ends: &Ends<'_>) -> bool {
        let tail = &ends.tail;
        // All that [`BreakContext::weigh`] and [`BreakContext::weigh_width`] may add.
        let isolated = if tail.lone { gain(F::Isolated) } else { 0 };
        let hangs = if tail.core.starts_with(b"/") { gain(F::Hangs) } else { 0 };
        let most = self.weight() + isolated + hangs;
        most + width_at_most(tail) < ENOUGH && (most < WORTH_A_LOOK || !may_have_twin(self, ends))
    }

    /// The names of the features in it.
    pub(super) fn names(self) -> Vec<String> {
        let held = WEIGHTS.iter().filter(|(feature, _)| self.has(*feature));
        held.map(|(feature, _)| format!("{feature:?}")).collect()
    }

    /// The sum of the weights.
    pub(super) fn weight(self) -> i32 {
        let mut sum = 0;
        let mut rest = self.0;
        while rest != 0 {
            sum += WEIGHTS.get(rest.trailing_zeros() as usize).map_or(0, |(_, weight)| *weight);
            rest &= rest - 1;
        }
        sum
    }
}

/// All that is known of a break, its layout apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakContext<'t> {
    /// The end of the URL so far, and what the next line starts with.
    pub(super) ends: Ends<'t>,
    /// Whether the URL came over a break before.
    pub(super) is_chain: bool,
    /// The bytes of it that stand on this line.
    pub(super) piece: usize,
    /// What stands on the line before the URL, its margin left out.
    pub(super) before: &'t [u8],
    /// What stands on the line below the next one.
    pub(super) below: &'t [u8],
    /// What stands before the URL on its line, and before the next line's own text.
    pub(super) indents: [&'t [u8]; 2],
    /// What stands before the own text of the URL's line.
    pub(super) margin: &'t [u8],
    /// Whether nothing but quote marks stands before the next line's own text.
    pub(super) is_flush: bool,
}

impl BreakContext<'_> {
    /// Whether what stands around says that the next line is a thing of its own, whatever else speaks for a continuation.
    pub(super) fn is_other_thing(&self) -> bool {
        self.ends.is_series(self.below, self.hangs())
            || is_source_of_packages(self.before)
            || is_attribute(self.before)
            || self.ends.is_whole_file()
            || (self.ends.tail.sets() && self.is_value() && !self.ends.is_open())
            || (is_field(self.before) && is_field(self.ends.tail.core))
            || (self.ends.is_name_behind_slash() && !self.hangs())
            || self.is_title()
    }

    /// Whether the URL is what something is set to, in no quotation that goes on behind the break.
    fn is_value(&self) -> bool {
        setting(self.before).is_some() && !self.before.ends_with(b"\"")
    }

    /// Whether the next line is the title of the URL below it: each title of a list is indented, and its URL deeper.
    fn is_title(&self) -> bool {
        !self.is_flush
            && self.before.is_empty()
            && !self.is_below_url()
            && is_another_url(split_token(self.below).0)
    }

    /// Whether the next line starts no further left than the URL does.
    fn is_below_url(&self) -> bool {
        let [url, next] = self.indents;
        columns(next) >= columns(url)
    }

    /// Whether the next line is indented, and yet starts further left than the URL's line: no machine breaks a line so, it is
    /// what the next thing of a list is called. (A column is nothing: people put slashes so below each other.)
    fn is_outdented(&self) -> bool {
        !self.is_flush && columns(self.indents[1]) + 1 < columns(self.margin)
    }

    /// Weighs what stands around the break, beside the `evidence` of its ends.
    pub(super) fn weigh(&self, mut evidence: Evidence) -> Evidence {
        let in_columns = has_gap(self.before) && !self.ends.closes && !self.is_below_url();
        evidence.note(F::InColumns, in_columns);
        evidence.note(F::Hangs, self.hangs());
        evidence.note(F::Isolated, self.ends.tail.lone && self.below.is_empty());
        evidence
    }

    /// Whether the next line starts with a slash, and below the URL or further right.
    fn hangs(&self) -> bool {
        self.ends.tail.core.starts_with(b"/") && !self.before.is_empty() && self.is_below_url()
    }

    /// What [`Self::weigh_width`] can add at most, if the line takes so many columns.
    pub(super) fn width_at_most(&self, width: usize) -> i32 {
        if USUAL_COLUMNS.contains(&width) {
            width_at_most(&self.ends.tail)
        } else {
            gain(F::Filled)
        }
    }

    /// Weighs the width of the line, in columns.
    pub(super) fn weigh_width(&self, evidence: &mut Evidence, width: usize, layout: Layout) {
        let tail = &self.ends.tail;
        // With the token goes one byte of the punctuation after it: a wrapper keeps them together.
        let token = tail.core.len() + (tail.token.len() - tail.core.len()).min(1);
        let is_long = (SHORTEST_FULL..=LONGEST_FULL).contains(&width);
        let reaches = layout.longer == 0 && is_long;
        let fills = layout.wrap.is_some_and(|wrap| width <= wrap && width + token > wrap);
        // In justified text each line reaches the margin.
        let is_filled = (reaches || fills) && layout.equal < JUSTIFIED;
        let has_room = width + token <= layout.wrap.unwrap_or(USUAL_WRAP);
        // What was broken at one column and then at another leaves scraps between.
        let is_left_over = self.is_chain
            && self.before.is_empty()
            && self.piece <= LONGEST_SCRAP
            && (tail.lone || tail.is_structured() || tail.is_mixed());
        let explains_itself = tail.is_scrap()
            || (self.ends.closes && self.is_chain)
            || (self.ends.is_open() && !tail.is_word())
            || (self.ends.completes && tail.lone)
            || is_left_over;
        evidence.note(F::Filled, is_filled);
        let overflows = tail.lone && is_filled && USUAL_COLUMNS.contains(&width);
        let overflows = overflows && !evidence.has(F::Common) && !self.is_outdented();
        evidence.note(F::Overflows, overflows);
        evidence.note(F::HadRoom, has_room && !explains_itself);
    }

    /// Whether the URL would be broken within a word where no machine breaks it: at no margin that is seen or usual. What
    /// stands alone may have been broken elsewhere, and a bracket or a suffix says more than the margin. Asks for the
    /// width to have been weighed.
    pub(super) fn breaks_word_midway(&self, evidence: Evidence, width: usize) -> bool {
        let stands_alone = evidence.has(F::Isolated) && self.before.is_empty();
        let is_margin = evidence.has(F::Filled) || USUAL_COLUMNS.contains(&width);
        evidence.has(F::InWord)
            && !is_margin
            && !stands_alone
            && !self.is_chain
            && !self.ends.closes
            && !self.ends.completes
            && !self.ends.host_goes_on
    }
}

/// What [`BreakContext::weigh_width`] can add at most.
fn width_at_most(tail: &Tail<'_>) -> i32 {
    gain(F::Filled) + if tail.lone { gain(F::Overflows) } else { 0 }
}

/// What a feature can add.
fn gain(feature: Feature) -> i32 {
    WEIGHTS[feature as usize].1.max(0)
}

/// Whether a twin would say anything: none is looked for if a sentence seems to end before the break, or if the token
/// could stand behind the URL so far anywhere.
pub(super) fn may_have_twin(evidence: Evidence, ends: &Ends<'_>) -> bool {
    let is_dot = ends.head.ends_with(b".") && !ends.completes && !ends.host_goes_on;
    let may_end_sentence = is_dot && ends.tail.is_capitalised();
    !evidence.has(F::Punctuated) && !may_end_sentence && ends.tail.is_telling()
}

/// Nothing breaks lines that are longer.
const LONGEST_FULL: usize = 100;
/// Where texts are wrapped that do not show it.
const USUAL_WRAP: usize = 70;
/// The columns at which most machines break what is longer.
const USUAL_COLUMNS: std::ops::RangeInclusive<usize> = 71..=81;
/// So many lines of exactly one width are justified text.
const JUSTIFIED: usize = 5;
/// What two breaks leave between them is no longer.
const LONGEST_SCRAP: usize = 10;

/// Whether three blanks, or a tab within the line, part columns. After a label's colon they are
/// only its tabulation.
fn has_gap(before: &[u8]) -> bool {
    if before.len() < 2 {
        return false;
    }
    let gap =
        memchr::memmem::find(before, b"   ").into_iter().chain(memchr::memchr(b'\t', before)).min();
    gap.is_some_and(|at| at > 0 && !trim_end(&before[..at]).ends_with(b":"))
}

/// Whether the line is one of a description of a session, or of what is written like it: `a=…`.
const fn is_field(line: &[u8]) -> bool {
    matches!(line, [b'a'..=b'z', b'=', ..])
}

/// Whether the URL is the value of an attribute of HTML without quotes, which white space ends.
fn is_attribute(before: &[u8]) -> bool {
    let is = |name: &[u8]| {
        before.len().checked_sub(name.len()).is_some_and(|at| {
            before[at..].eq_ignore_ascii_case(name) && before[..at].last() == Some(&b' ')
        })
    };
    is(b"href=") || is(b"src=")
}

/// Whether a line of apt's list of sources leads up to the URL: the name of a release follows it.
fn is_source_of_packages(before: &[u8]) -> bool {
    let before = trim_end(before);
    let before = match before.iter().rposition(|byte| *byte == b'[') {
        Some(open) if before.ends_with(b"]") => trim_end(&before[..open]),
        _ => before,
    };
    [&b"deb"[..], b"deb-src"].iter().any(|word| {
        let rest = before.strip_suffix(*word);
        rest.is_some_and(|rest| {
            rest.last().is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'-')
        })
    })
}
