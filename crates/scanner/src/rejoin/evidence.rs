//! The evidence for and against a continuation, and the weight of each piece of it.
//!
//! The decision is made in this module; the other modules only describe the text around a break.
//! [`WEIGHTS`] gives the weight of each feature, and [`THRESHOLD`] the sum that is required. Rules
//! without exceptions are not features. They are checked before
//! ([`BreakContext::next_line_is_separate_item`]) or, if they need the layout, after
//! ([`BreakContext::breaks_word_midway`]).

use super::ends::Ends;
use super::layout::Layout;
use super::tail::{
    Tail, assignment_prefix_len, is_another_url, is_closing, is_drawn_line, split_token,
    starts_with_bracketed,
};
use crate::text::blank::trim_blanks_at_end;
use crate::text::line::{MIN_FULL_WIDTH, width_in_columns};
use crate::{JoinEvidence, JoinEvidenceSet};

/// A piece of evidence for or against the continuation of a URL after a line break. [`WEIGHTS`]
/// describes each feature.
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
    Completes,
    LoneWord,
    LoneNumber,
}

use Feature as F;

impl Feature {
    /// Returns the feature as evidence for a join, or `None` if the feature is evidence against a
    /// join.
    const fn for_join(self) -> Option<JoinEvidence> {
        Some(match self {
            F::OpenEnd => JoinEvidence::OpenEnd,
            F::Hyphen => JoinEvidence::Hyphen,
            F::SlashEnd => JoinEvidence::SlashEnd,
            F::HostBroken => JoinEvidence::HostBroken,
            F::Filled => JoinEvidence::FullLine,
            F::Overflows => JoinEvidence::Overflow,
            F::Closes => JoinEvidence::ClosingBracket,
            F::Lone => JoinEvidence::Alone,
            F::Isolated => JoinEvidence::Isolated,
            F::Suffix => JoinEvidence::FileSuffix,
            F::Structured => JoinEvidence::UrlStructure,
            F::Hangs => JoinEvidence::HangingSlash,
            F::Chain => JoinEvidence::EarlierBreak,
            F::Completes => JoinEvidence::Completion,
            F::Punctuated
            | F::InWord
            | F::Complete
            | F::HadRoom
            | F::InColumns
            | F::Capital
            | F::Prose
            | F::Word
            | F::Common
            | F::LoneWord
            | F::LoneNumber => return None,
        })
    }
}

/// The weight of each feature, in the order of [`Feature`]. None is about a particular host or
/// file. A weight is about three times the log-odds that the feature adds, as learned from judged
/// breaks (docs/src/explanation/rejoining.md, `cargo run --example learn_joins`).
pub(super) const WEIGHTS: [(Feature, i32); 25] = [
    // Before the break.
    (F::OpenEnd, 3), // `= & ? % - _ + #`: URLs hardly end so, and programs often break lines there
    (F::Hyphen, 10), // a hyphen or an underscore between two letters or digits
    (F::SlashEnd, 1), // wrappers like to break here, but directories also end with a slash
    (F::Punctuated, -8), // a comma or a bracket closes the sentence, and the URL with it
    (F::InWord, -3), // only software breaks between two letters or digits
    (F::HostBroken, 5), // `http://`, or a host that ends with a dot: more must follow
    (F::Complete, -12), // a file's suffix, or only a host: the URL looks whole
    // The width of the line.
    (F::Filled, 4), // no line around is longer, or the token would not have fit; not in justified text
    (F::HadRoom, -16), // the token would have fit on the line, so the author broke it, not a program
    (F::InColumns, -8), // a wide gap before the URL: a table or a signature in two columns
    (F::Overflows, 13), // a full line at a usual column, and the token is alone on the next one
    // After the break.
    (F::Closes, 12), // the bracket or quote that opened right before the URL closes right after the token
    (F::Lone, 1),    // the token is alone on its line
    (F::Isolated, 9), // and the line below is empty, drawn, or contains more of the URL
    (F::Suffix, 16), // the token ends in a file's suffix, and the URL so far does not
    (F::Structured, 11), // the token has a path, a query, an escape, or many words joined
    (F::Capital, -9), // the token is a word and starts with a capital
    (F::Prose, -3),  // the token is a word and more follows on its line
    (F::Word, -4),   // the token is a word, alone on its line
    (F::Common, -4), // the token is a very common word, or the last one of a sentence
    // Around the break.
    (F::Hangs, 8), // the token starts with a slash, below the URL or further right
    (F::Chain, 5), // the URL continued over an earlier break; URLs that are broken once are often broken again
    // These, and that of `Isolated`, were set by hand: from the 95 breaks of seven mailing lists
    // whose weight was close to the threshold (2026-11-26).
    (F::Completes, 16), // the token ends a gateway's link, a line number, an escape or a suffix
    (F::LoneWord, -5),  // a word alone on its line, below a URL that ends with a slash
    (F::LoneNumber, -5), // a number alone on its line: of a page, a footnote or an item
];

/// The weight at which a continuation is four times as likely as an end. The bar is this high
/// because a wrong join is worse than a missed one.
pub(super) const THRESHOLD: i32 = 7;

/// The minimum weight at which a twin (the joined URL, unbroken nearby) is looked up. Below it, the
/// token is clearly not part of the URL.
pub(super) const TWIN_THRESHOLD: i32 = -6;

/// The set of the features that are present at one line break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence(u32);

impl Evidence {
    /// Adds `feature` to the set if `condition` is true; otherwise does nothing.
    pub(super) fn set_if(&mut self, feature: Feature, condition: bool) {
        if condition {
            self.0 |= 1 << feature as u32;
        }
    }

    /// Removes `feature` from the set if `condition` is true; otherwise does nothing.
    fn clear_if(&mut self, feature: Feature, condition: bool) {
        if condition {
            self.0 &= !(1 << feature as u32);
        }
    }

    /// True if the set contains `feature`.
    pub(super) const fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u32 != 0
    }

    /// Returns the features that the two sides of a break have by themselves. `is_chain` is true if
    /// the URL already continued over an earlier break.
    pub(super) fn from_ends(ends: &Ends<'_>, is_chain: bool) -> Self {
        let Ends { head, tail, .. } = ends;
        let last = head.last().copied().unwrap_or_default();
        let first = tail.core.first().copied().unwrap_or_default();
        let is_word = ends.token_is_word();
        let mut evidence = Self::default();
        evidence.set_if(F::OpenEnd, ends.is_url_probably_incomplete());
        evidence.set_if(F::Hyphen, ends.is_at_joint());
        evidence.set_if(F::SlashEnd, last == b'/' && !head.ends_with(b"://"));
        let is_punctuated =
            is_closing(last) && !matches!(last, b'?' | b'.') && !ends.host_continues;
        evidence.set_if(F::Punctuated, is_punctuated);
        evidence.set_if(F::InWord, last.is_ascii_alphanumeric() && first.is_ascii_alphanumeric());
        evidence.set_if(F::HostBroken, ends.host_continues);
        evidence.set_if(F::Complete, ends.url_looks_complete());
        evidence.set_if(F::Closes, ends.closes);
        evidence.set_if(F::Lone, tail.is_alone);
        let is_suffix = ends.token_adds_suffix();
        let is_structured = tail.is_structured() || ends.is_within_joined_words();
        let counts = (is_suffix || is_structured) && !ends.leaves_fragment();
        evidence.set_if(F::Suffix, is_suffix && counts);
        evidence.set_if(F::Structured, is_structured && counts);
        evidence.set_if(F::Capital, is_word && tail.is_capitalized());
        evidence.set_if(F::Prose, is_word && !tail.is_alone);
        evidence.set_if(F::Word, is_word && tail.is_alone);
        evidence.set_if(F::Common, is_word && tail.is_common_word());
        let is_lone_number = tail.is_lone_number() && !last.is_ascii_digit();
        // In text from PDF files, a page number may be alone on the line after a directory.
        evidence.set_if(F::Chain, is_chain && !(is_lone_number && last == b'/'));
        evidence.set_if(F::Completes, ends.token_certainly_completes_url());
        evidence.set_if(F::LoneWord, is_word && tail.is_alone && last == b'/');
        evidence.set_if(F::LoneNumber, is_lone_number);
        evidence
    }

    /// True if the URL certainly ends at the break, regardless of the surrounding lines. These
    /// lines can't raise the weight to the threshold, and no twin (the joined URL in one piece
    /// nearby) would be looked up.
    ///
    /// Call this only for a token that closes no bracket or quote.
    pub(super) fn cannot_join(self, ends: &Ends<'_>) -> bool {
        let tail = &ends.tail;
        // The most that [`BreakContext::with_context_features`] and
        // [`BreakContext::add_width_features`] can add.
        let isolated = if tail.is_alone { max_gain(F::Isolated) } else { 0 };
        let hangs = if tail.core.starts_with(b"/") { max_gain(F::Hangs) } else { 0 };
        let gain = isolated + hangs;
        let weight = self.weight();
        weight + gain + max_width_gain(tail) < THRESHOLD
            && (weight + self.lone_weight() + gain < TWIN_THRESHOLD || !may_have_twin(self, ends))
    }

    /// Returns the sum of weights that decides whether to look for a twin (the joined URL in one
    /// piece nearby). A word or a number alone on its line doesn't count here, since a twin
    /// outweighs it.
    pub(super) fn weight_for_twin(self) -> i32 {
        self.weight() + self.lone_weight()
    }

    /// Returns the weight that [`Feature::LoneWord`] and [`Feature::LoneNumber`] subtract if they
    /// are in the set, as a positive number.
    fn lone_weight(self) -> i32 {
        let of = |feature| if self.has(feature) { -WEIGHTS[feature as usize].1 } else { 0 };
        of(F::LoneWord) + of(F::LoneNumber)
    }

    /// Returns the features in the set.
    fn features(self) -> impl Iterator<Item = Feature> {
        WEIGHTS.iter().map(|(feature, _)| *feature).filter(move |feature| self.has(*feature))
    }

    /// Returns the names of the features in the set.
    pub(super) fn names(self) -> Vec<String> {
        self.features().map(|feature| format!("{feature:?}")).collect()
    }

    /// Returns the features in the set that are evidence for a join.
    pub(super) fn for_join(self) -> JoinEvidenceSet {
        self.features()
            .filter_map(Feature::for_join)
            .fold(JoinEvidenceSet::EMPTY, JoinEvidenceSet::with)
    }

    /// Returns the sum of the weights of all features in the set.
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

/// Properties of the text around a line break. The features of the break are computed from these
/// properties and from the [`Layout`] of the surrounding lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakContext<'t> {
    /// The end of the URL so far, and the token that starts the next line.
    pub(super) ends: Ends<'t>,
    /// True if the URL already continued over an earlier break.
    pub(super) is_chain: bool,
    /// The length of the URL's part on this line, in bytes.
    pub(super) piece: usize,
    /// The line up to the URL, without the margin.
    pub(super) before: &'t [u8],
    /// The text of the second line after the break.
    pub(super) below: &'t [u8],
    /// The URL's line up to the URL, and the next line up to its text.
    pub(super) indents: [&'t [u8]; 2],
    /// The bytes before the text of the URL's line: indentation and quote marks.
    pub(super) margin: &'t [u8],
    /// True if only quote marks precede the next line's text.
    pub(super) is_flush: bool,
    /// True if the lines are in a diff, and the next line starts with `+` or `-`.
    pub(super) is_in_diff: bool,
}

impl BreakContext<'_> {
    /// True if the text around the break shows that the next line is an item of its own, regardless
    /// of the weights.
    pub(super) fn next_line_is_separate_item(&self) -> bool {
        self.ends.token_is_list_item(self.below, self.next_line_hangs())
            || is_apt_source_line(self.before)
            || self.next_line_is_reference()
            || ends_in_unquoted_attribute(self.before)
            || self.ends.url_ends_in_whole_file_suffix()
            || (self.ends.tail.assigns_value()
                && self.is_url_assigned_value()
                && !self.ends.is_url_probably_incomplete())
            || (is_sdp_field(self.before) && is_sdp_field(self.ends.tail.core))
            || (self.ends.token_is_name_after_slash() && !self.next_line_hangs())
            || self.next_line_is_title()
            || self.next_line_is_record()
            || self.is_in_diff
    }

    /// True if the URL is the repository in `git fetch`, `git pull` or `git push`, so that the next
    /// line is probably a branch or tag. False if the break may be inside the URL: in the host,
    /// after a byte other than a letter or digit, before a slash, or before a token that ends in
    /// `.git`.
    fn next_line_is_reference(&self) -> bool {
        let Ends { head, tail, .. } = self.ends;
        let before = trim_blanks_at_end(self.before);
        [&b"git fetch"[..], b"git pull", b"git push"]
            .iter()
            .any(|command| before.ends_with(command))
            && head.last().is_some_and(u8::is_ascii_alphanumeric)
            && !self.ends.host_continues
            && !tail.core.starts_with(b"/")
            && !tail.core.ends_with(b".git")
    }

    /// True if the URL is the last field of a record whose fields are separated by commas,
    /// semicolons or bars (`name,0,http://h.dom/`), and the next line looks like such a record: it
    /// has a URL after a separator, or at least as many separators as are before the URL (two or
    /// more).
    fn next_line_is_record(&self) -> bool {
        let Some(separator @ (b',' | b';' | b'|')) = self.before.last() else { return false };
        let Tail { token, rest, .. } = self.ends.tail;
        let count = |text: &[u8]| memchr::memchr_iter(*separator, text).count();
        let fields = count(self.before);
        let has_url = |text: &[u8]| text.split(|b| b == separator).skip(1).any(is_another_url);
        fields > 1 && count(token) + count(rest) >= fields || has_url(token) || has_url(rest)
    }

    /// True if the URL is a value assigned to a name (`name=http://…`), and isn't in a quotation
    /// that may continue after the break.
    fn is_url_assigned_value(&self) -> bool {
        assignment_prefix_len(self.before).is_some() && !self.before.ends_with(b"\"")
    }

    /// True if the next line is the title of the URL on the line below it. The text is then a list
    /// of titles, each with its URL indented further.
    fn next_line_is_title(&self) -> bool {
        !self.is_flush
            && self.before.is_empty()
            && !self.next_line_reaches_url_column()
            && is_another_url(split_token(self.below).0)
    }

    /// True if the text of the next line starts at or to the right of the column where the URL
    /// starts.
    fn next_line_reaches_url_column(&self) -> bool {
        let [url, next] = self.indents;
        width_in_columns(next) >= width_in_columns(url)
    }

    /// True if the next line is indented, but by at least two columns less than the URL's line.
    /// Such a line is the title of the next item of a list, because software doesn't reduce the
    /// indentation of a continued line.
    ///
    /// A difference of one column doesn't count, since people align slashes that way.
    fn next_line_is_outdented(&self) -> bool {
        !self.is_flush && width_in_columns(self.indents[1]) + 1 < width_in_columns(self.margin)
    }

    /// Returns `evidence`, the features of the two sides of the break, with the features of the
    /// surrounding text added.
    pub(super) fn with_context_features(&self, mut evidence: Evidence) -> Evidence {
        let in_columns = has_column_gap(self.before)
            && !self.ends.closes
            && !self.next_line_reaches_url_column();
        evidence.set_if(F::InColumns, in_columns);
        // The underscore after `_http://…_` ends the emphasis.
        let ends_emphasis = self.before.ends_with(b"_") && self.ends.head.ends_with(b"_");
        evidence.clear_if(F::Hyphen, ends_emphasis);
        evidence.set_if(F::Hangs, self.next_line_hangs());
        let is_isolated = self.ends.tail.is_alone
            && (self.below.is_empty()
                || self.is_scrap_before_rest()
                || (is_drawn_line(self.below) && !self.ends.token_is_word()));
        evidence.set_if(F::Isolated, is_isolated);
        evidence
    }

    /// True if the token after the break is only a few bytes, and the rest of the URL seems to be
    /// on the line below. Text that was wrapped twice, at two widths, looks like that.
    fn is_scrap_before_rest(&self) -> bool {
        let is_scrap = self.ends.tail.core.len() <= MAX_RESIDUE && !self.ends.token_is_word();
        is_scrap && {
            let rest = Tail::new(self.below, None);
            rest.is_alone && rest.is_structured() && !is_another_url(rest.token)
        }
    }

    /// True if the next line starts with a slash, at or to the right of the column where the URL
    /// starts.
    fn next_line_hangs(&self) -> bool {
        self.ends.tail.core.starts_with(b"/")
            && !self.before.is_empty()
            && self.next_line_reaches_url_column()
    }

    /// Returns the maximum weight that [`Self::add_width_features`] can add for a line that is
    /// `width` columns wide.
    pub(super) fn max_width_gain(&self, width: usize) -> i32 {
        if USUAL_COLUMNS.contains(&width) {
            max_width_gain(&self.ends.tail)
        } else {
            max_gain(F::Filled)
        }
    }

    /// Adds to `evidence` the features that depend on the width of the URL's line, in columns.
    pub(super) fn add_width_features(&self, evidence: &mut Evidence, width: usize, layout: Layout) {
        let tail = &self.ends.tail;
        // A wrapper keeps the token and the punctuation after it together, so one byte of it
        // counts.
        let token = tail.core.len() + (tail.token.len() - tail.core.len()).min(1);
        let is_long = (MIN_FULL_WIDTH..=MAX_FULL_WIDTH).contains(&width);
        let reaches = layout.longer == 0 && is_long;
        let fills = layout.wrap.is_some_and(|wrap| width <= wrap && width + token > wrap);
        // In justified text every line reaches the margin, so a full line shows nothing.
        let is_filled = (reaches || fills) && layout.equal < MIN_JUSTIFIED_LINES;
        let has_room = width + token <= layout.wrap.unwrap_or(USUAL_WRAP);
        // A text that is wrapped at one column and then at another has short remains of lines in
        // between.
        let is_left_over = self.is_chain
            && self.before.is_empty()
            && self.piece <= MAX_SCRAP
            && (tail.is_alone || tail.is_structured() || tail.mixes_letters_and_digits());
        let explains_itself = tail.is_scrap()
            || (self.ends.host_continues && self.ends.token_certainly_completes_url())
            || (self.ends.closes && self.is_chain)
            || (self.ends.is_url_probably_incomplete() && !tail.is_word())
            || (self.ends.token_completes_url() && tail.is_alone)
            || is_left_over;
        evidence.set_if(F::Filled, is_filled);
        let overflows = tail.is_alone && is_filled && USUAL_COLUMNS.contains(&width);
        let overflows = overflows && !evidence.has(F::Common) && !self.next_line_is_outdented();
        evidence.set_if(F::Overflows, overflows);
        evidence.set_if(F::HadRoom, has_room && !explains_itself);
    }

    /// True if the token after the break looks like a label, and the line before it isn't full. The
    /// token may then be a separate item. Call [`Self::add_width_features`] first.
    pub(super) fn is_doubtful(&self, evidence: Evidence) -> bool {
        !evidence.has(F::Filled) && !self.ends.closes && self.ends.tail.starts_with_label()
    }

    /// True if the break is inside a word of the URL, at a column where software breaks no line.
    /// This is a column other than the margin of the text and the usual ones.
    ///
    /// False if the URL is alone, since it may have been broken before at another column. Also
    /// false if a bracket or a suffix is better evidence. Call [`Self::add_width_features`] first.
    pub(super) fn breaks_word_midway(&self, evidence: Evidence, width: usize) -> bool {
        let stands_alone = evidence.has(F::Isolated) && self.before.is_empty();
        let is_margin = evidence.has(F::Filled) || USUAL_COLUMNS.contains(&width);
        evidence.has(F::InWord)
            && !is_margin
            && !stands_alone
            && !self.is_chain
            && !self.ends.closes
            && !self.ends.token_completes_url()
            && !self.ends.host_continues
    }
}

/// Returns the maximum weight that [`BreakContext::add_width_features`] can add, for a line of any
/// width.
fn max_width_gain(tail: &Tail<'_>) -> i32 {
    max_gain(F::Filled) + if tail.is_alone { max_gain(F::Overflows) } else { 0 }
}

/// Returns the maximum weight that `feature` can add: its weight, or 0 if that is negative.
fn max_gain(feature: Feature) -> i32 {
    WEIGHTS[feature as usize].1.max(0)
}

/// True if a twin (the joined URL in one piece nearby) would be evidence for a join. False if a
/// sentence seems to end before the break, or if the token might follow the URL by chance.
pub(super) fn may_have_twin(evidence: Evidence, ends: &Ends<'_>) -> bool {
    let is_dot = ends.head.ends_with(b".") && !ends.token_completes_url() && !ends.host_continues;
    let may_end_sentence = is_dot && ends.tail.is_capitalized();
    let is_distinctive = ends.tail.is_distinctive()
        || ends.is_within_word()
        // The whole URL follows in brackets: `http://h.dom/` + `a (http://h.dom/a)`.
        || starts_with_bracketed(ends.tail.rest, ends.head);
    !evidence.has(F::Punctuated) && !may_end_sentence && is_distinctive
}

/// The maximum width of lines that are wrapped, in columns.
pub(super) const MAX_FULL_WIDTH: usize = 100;
/// The wrap column assumed for text that doesn't show one.
const USUAL_WRAP: usize = 70;
/// The columns at which most software breaks long lines.
const USUAL_COLUMNS: std::ops::RangeInclusive<usize> = 71..=81;
/// The minimum number of lines of exactly the same width in justified text.
const MIN_JUSTIFIED_LINES: usize = 5;
/// The maximum length, in bytes, of a token that is alone on its line because a text that was
/// already wrapped was wrapped again.
const MAX_RESIDUE: usize = 6;
/// The maximum length of the short remains of a URL between two breaks, in bytes.
const MAX_SCRAP: usize = 10;

/// True if `before`, the text of a line before the URL, contains a gap that separates columns of a
/// table. Such a gap is three spaces, or a tab after the start of the text. After a label's colon
/// it only aligns the value and doesn't count.
fn has_column_gap(before: &[u8]) -> bool {
    if before.len() < 2 {
        return false;
    }
    let gap =
        memchr::memmem::find(before, b"   ").into_iter().chain(memchr::memchr(b'\t', before)).min();
    gap.is_some_and(|at| at > 0 && !trim_blanks_at_end(&before[..at]).ends_with(b":"))
}

/// True if `line` is a field of a session description (SDP) or looks like one: `a=…`.
const fn is_sdp_field(line: &[u8]) -> bool {
    matches!(line, [b'a'..=b'z', b'=', ..])
}

/// True if `before`, the text before the URL, shows that the URL is the value of an HTML attribute
/// without quotes. White space ends such a value.
fn ends_in_unquoted_attribute(before: &[u8]) -> bool {
    let is = |name: &[u8]| {
        before.len().checked_sub(name.len()).is_some_and(|at| {
            before[at..].eq_ignore_ascii_case(name) && before[..at].last() == Some(&b' ')
        })
    };
    is(b"href=") || is(b"src=")
}

/// True if `before`, the text before the URL, shows that the line is from apt's `sources.list`,
/// where the name of a release follows the URL.
fn is_apt_source_line(before: &[u8]) -> bool {
    let before = trim_blanks_at_end(before);
    let before = match before.iter().rposition(|byte| *byte == b'[') {
        Some(open) if before.ends_with(b"]") => trim_blanks_at_end(&before[..open]),
        _ => before,
    };
    [&b"deb"[..], b"deb-src"].iter().any(|word| {
        let rest = before.strip_suffix(*word);
        rest.is_some_and(|rest| {
            rest.last().is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'-')
        })
    })
}
