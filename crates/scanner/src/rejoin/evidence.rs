//! The evidence for and against a continuation, and what each piece of it weighs.
//!
//! This is the one room where the decision is made. Everything else here only describes what
//! stands at a break; [`WEIGHTS`] says what that is worth, and [`ENOUGH`] how much it takes.

use super::layout::Layout;
use super::tail::{Tail, has_suffix, is_closing, joined_has_suffix};
use crate::text::blank::trim_end;
use crate::text::line::SHORTEST_FULL;

/// A piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    OpenEnd,
    SlashEnd,
    HostBroken,
    Complete,
    Root,
    Punctuated,
    InWord,
    Filled,
    SameWidth,
    HadRoom,
    SticksOut,
    InColumns,
    Closes,
    Lone,
    Suffix,
    Structured,
    Mixed,
    Delimiter,
    Prose,
    Word,
    OtherThing,
    Series,
    Margin,
    StandsAlone,
    Chain,
}

use Feature as F;

/// What each piece of evidence weighs. At most 25, none of them about a host or a file.
pub(super) const WEIGHTS: [(Feature, i32); 25] = [
    // What stands before the break.
    (F::OpenEnd, 5), // `= & ? % - _ + #`: nobody ends a URL so, and wrappers like to break there
    (F::SlashEnd, 1), // the favourite place to break, but also how directories end
    (F::HostBroken, 6), // `http://` or a host without a dot: there must be more
    (F::Complete, -5), // a file's suffix, or nothing but a host: it looks whole
    (F::Root, -3),   // `http://host/`: most of these are whole too
    (F::Punctuated, -6), // a full stop, comma or bracket closes the sentence and the URL with it
    (F::InWord, -3), // between two letters only a machine breaks, and it breaks at one column
    // The width of the line.
    (F::Filled, 2),     // no line around is longer: it reaches the margin
    (F::SameWidth, 3),  // and others stop at exactly that column: a machine's doing
    (F::HadRoom, -5), // the token would have fitted on the line: the writer broke it, not a wrapper
    (F::SticksOut, -3), // the line passes the margin: this text's wrapper leaves URLs whole
    (F::InColumns, -4), // a wide gap before the URL: a table or a signature in two columns
    // What stands after the break.
    (F::Closes, 7), // the bracket or quote that opened right before the URL closes right after the token
    (F::Lone, 3),   // the token is all of its line
    (F::Suffix, 3), // it ends in a file's suffix, which the URL so far did not have
    (F::Structured, 3), // it has a path, a query or an escape in it
    (F::Mixed, 3),  // it mixes letters and digits as names of files do
    (F::Delimiter, 4), // it starts with `/ ? = & # % _ ~ .`, which the URL so far does not end with
    (F::Prose, -7), // it is a word and more words follow
    (F::Word, -4),  // it is a word and stands alone: a name, a greeting
    (F::OtherThing, -9), // it is a number, a date, an address, a header, a call, a path of its own
    // What stands around.
    (F::Series, -8),      // the line below it is of the same kind: a list of things
    (F::Margin, -3),      // quote marks lost or an indentation that does not fit
    (F::StandsAlone, -2), // the URL so far stands whole elsewhere nearby
    (F::Chain, 2),        // the URL came over a break before: what was broken once is broken again
];

/// The weight at which a continuation is the better reading.
pub(super) const ENOUGH: i32 = 5;

/// Below this weight no twin is looked for: the token is something else.
pub(super) const WORTH_A_LOOK: i32 = -3;

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
    /// The URL so far, on this line and those before it.
    pub(super) head: &'t [u8],
    /// Whether it came over a break before.
    pub(super) is_chain: bool,
    /// What stands on the line before the URL, its margin left out.
    pub(super) before: &'t [u8],
    /// What opened before the URL and has not closed.
    pub(super) opener: Option<u8>,
    /// What the next line starts with.
    pub(super) tail: Tail<'t>,
    /// What stands on the line below that one.
    pub(super) below: &'t [u8],
    /// Whether the margins of the two lines go together.
    pub(super) goes_with: bool,
    /// Whether the next line starts no further left than the URL does.
    pub(super) below_url: bool,
}

impl BreakContext<'_> {
    /// Weighs what stands right at the break.
    pub(super) fn weigh(&self) -> Evidence {
        let Self { head, tail, before, .. } = *self;
        let core = tail.core;
        let first = core.first().copied().unwrap_or_default();
        let url = Parts::of(head);
        // The bracket must stand right before the URL: within a sentence in brackets a URL and the
        // sentence may end anywhere.
        let closes = tail.closes
            && !core.is_empty()
            && (before.is_empty() || self.opener.is_some_and(|opener| before.ends_with(&[opener])));
        let goes_deeper = matches!(first, b'/' | b'?' | b'#' | b':');
        let is_host = url.path.is_empty() && !url.host_broken;
        let has_more = url.path.contains(&b'?') || url.path.contains(&b'#');
        let has_own_suffix = has_suffix(url.path);
        let joined_has_suffix = joined_has_suffix(url.path, &tail);
        let cut_suffix = tail.is_scrap() && joined_has_suffix;
        let is_file = !has_more && !cut_suffix && has_own_suffix;

        let mut evidence = of_ends(head, &tail, closes, self.is_chain);
        let open_end = evidence.has(F::OpenEnd);
        evidence.note(
            F::HostBroken,
            url.host_broken && core.contains(&b'.') && first.is_ascii_alphanumeric(),
        );
        evidence.note(F::Complete, (is_host || is_file) && !goes_deeper && !open_end);
        evidence.note(F::Root, url.path == b"/");
        evidence.note(F::InColumns, has_gap(before) && !self.below_url);
        evidence.note(F::Closes, closes);
        evidence.note(F::Suffix, joined_has_suffix && !has_own_suffix);
        evidence.note(
            F::OtherThing,
            (tail.is_host() && !url.path.is_empty() && !open_end) || repeats(url.path, core),
        );
        evidence.note(F::Series, is_series(&tail, self.below));
        evidence.note(F::Margin, !self.goes_with);
        evidence
    }

    /// What [`Self::weigh_width`] can add at most: a short line reaches no margin, and can only be
    /// full if the token is long.
    pub(super) fn width_at_most(&self, width: usize) -> i32 {
        let may_reach = self.is_chain || (SHORTEST_FULL..=LONGEST_FULL).contains(&width);
        let [filled, same_width] = [F::Filled, F::SameWidth].map(|f| WEIGHTS[f as usize].1);
        if may_reach { filled + same_width } else { filled }
    }

    /// Weighs the width of the line, in columns, and that of the line before if the URL came from it.
    pub(super) fn weigh_width(
        &self,
        evidence: &mut Evidence,
        width: usize,
        before: Option<usize>,
        layout: Layout,
    ) {
        let Self { tail, .. } = *self;
        // With the token goes one byte of the punctuation after it: a wrapper keeps them together.
        let token = tail.core.len() + (tail.token.len() - tail.core.len()).min(1);
        let is_long = (SHORTEST_FULL..=LONGEST_FULL).contains(&width);
        let reaches = layout.longer == 0 && is_long;
        let fills = layout.wrap.is_some_and(|wrap| width <= wrap && width + token > wrap);
        let has_room = width + token <= layout.wrap.unwrap_or(USUAL_WRAP);
        let has_open_end = self.head.last().is_some_and(|last| is_open_end(*last));
        let explains_itself = tail.is_scrap() || (has_open_end && !tail.is_word());
        evidence.note(F::Filled, reaches || fills);
        evidence.note(F::SameWidth, (reaches && layout.equal > 0) || before == Some(width));
        evidence.note(F::HadRoom, has_room && !explains_itself);
        evidence.note(
            F::SticksOut,
            layout.wrap.is_some_and(|wrap| width > wrap.max(LONGEST_WRAP)) && layout.equal == 0,
        );
    }
}

/// Weighs what the end of the URL so far and the token say by themselves.
fn of_ends(head: &[u8], tail: &Tail<'_>, closes: bool, is_chain: bool) -> Evidence {
    let last = head.last().copied().unwrap_or_default();
    let first = tail.core.first().copied().unwrap_or_default();
    let open_end = is_open_end(last);
    let is_word = tail.is_word() && !tail.is_scrap();
    let mut evidence = Evidence::default();
    evidence.note(F::OpenEnd, open_end);
    evidence.note(F::SlashEnd, last == b'/' && !head.ends_with(b"://"));
    evidence.note(F::Punctuated, is_closing(last) && last != b'?');
    evidence.note(F::InWord, last.is_ascii_alphanumeric() && first.is_ascii_alphanumeric());
    evidence.note(F::Lone, tail.lone);
    evidence.note(F::Structured, tail.is_structured());
    evidence.note(F::Mixed, tail.is_mixed());
    evidence.note(
        F::Delimiter,
        matches!(first, b'/' | b'?' | b'=' | b'&' | b'#' | b'%' | b'_' | b'~' | b'.')
            && tail.core.len() > 1
            && last != first,
    );
    evidence.note(F::Prose, is_word && !tail.lone && !closes);
    evidence.note(F::Word, is_word && tail.lone && !closes && (!open_end || tail.is_capitalised()));
    evidence.note(
        F::OtherThing,
        (tail.is_other_thing() && !closes)
            || (tail.is_number() && !closes && !open_end)
            || matches!(first, b'-' | b'+'),
    );
    evidence.note(F::Chain, is_chain);
    evidence
}

/// Whether no more than the ends of both lines need be weighed, since nothing else could tip the scales and no
/// twin is looked for. For a token that closes nothing.
pub(super) fn is_hopeless(head: &[u8], tail: &Tail<'_>, is_chain: bool) -> bool {
    let evidence = of_ends(head, tail, false, is_chain);
    let weight = |feature: Feature| WEIGHTS[feature as usize].1;
    // All that [`BreakContext::weigh`] and [`BreakContext::weigh_width`] may add.
    let has_host = memchr::memchr(b'.', head).is_some();
    let host = if has_host { 0 } else { weight(F::HostBroken) };
    let most = evidence.weight() + weight(F::Suffix) + host;
    most + weight(F::Filled) + weight(F::SameWidth) < ENOUGH
        && (most < WORTH_A_LOOK || evidence.has(F::Punctuated) || !tail.is_telling())
}

/// Nothing breaks lines that are longer.
const LONGEST_FULL: usize = 100;
/// Where texts are wrapped that do not show it.
const USUAL_WRAP: usize = 70;
/// Hardly a text is wrapped further out.
const LONGEST_WRAP: usize = 80;

/// Whether hardly a URL ends with this byte.
pub(super) const fn is_open_end(last: u8) -> bool {
    matches!(last, b'=' | b'&' | b'?' | b'%' | b'-' | b'_' | b'+' | b'#')
}

/// The parts of a URL that is not yet whole.
struct Parts<'t> {
    path: &'t [u8],
    host_broken: bool,
}

impl<'t> Parts<'t> {
    fn of(head: &'t [u8]) -> Self {
        // Slashes follow the first colon, or nothing would be weighed.
        let colon = head.iter().position(|byte| *byte == b':').unwrap_or(head.len());
        let rest = head.get(colon + 3..).unwrap_or_default();
        let host =
            rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
        Self { path: &rest[host..], host_broken: host == rest.len() && !rest.contains(&b'.') }
    }
}

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

/// Whether the token starts as the URL's last segment does: the file is named once more.
fn repeats(path: &[u8], core: &[u8]) -> bool {
    let Some(head) = core.first_chunk::<4>() else { return false };
    let name = path.rsplit(|&byte| matches!(byte, b'/' | b'=' | b'?')).next().unwrap_or_default();
    name.first_chunk::<4>().is_some_and(|name| name.eq_ignore_ascii_case(head))
}

/// Whether the line below is one token of the same kind: the token is one of a list.
fn is_series(tail: &Tail<'_>, below: &[u8]) -> bool {
    if !tail.lone || below.is_empty() || !tail.has_suffix() {
        return false;
    }
    let next = Tail::new(below, None);
    next.lone && next.has_suffix()
}
