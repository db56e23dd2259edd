//! Near misses: strings that a person recognizes as a URL, but no program does, such as
//! `http//host`.
//!
//! If enabled, near misses are found in the same pass as URLs. Those with an anchor are read at the
//! anchor. For the others (`http//host`, `http;//host`) the pass searches for *literals*: fixed
//! strings such as `http//`, all of them at once. The same search finds hosts without a scheme
//! (`www.`).

use crate::candidate::{Candidate, Form, NearMiss};
use crate::extent::{ExtentRules, trim};
use crate::limits::MAX_URL;
use crate::limits::MAX_WRAPPER;
use crate::rejoin::Cache;
use crate::scheme::syntax;
use crate::scheme::{
    CLASSIC, Classic, MAX_SCHEME, Schemes, Shape, classic_shape, corrected_scheme, is_prefix_word,
    is_scheme_byte,
};
use crate::text::blank;
use crate::text::host;
use aho_corasick::{
    AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, Anchored, Match, MatchKind, StartKind,
};
use memchr::memchr2_iter;
use std::sync::OnceLock;
use urlsift_core::Span;

/// The maximum number of blanks between `//` and a host.
const MAX_BLANKS: usize = 8;

/// The kind of candidate that starts with a literal (a fixed string such as `http//` or `www.`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    /// A near miss with this mistake.
    Miss(NearMiss),
    /// A host without a scheme: the literal is its first label, `www.` or `ftp.`.
    HostLabel,
}

/// The literals (fixed strings such as `http//` or `www.`) to search for, and the automata that
/// find them.
#[derive(Clone, Debug)]
pub(crate) struct Literals {
    patterns: Vec<String>,
    kinds: Vec<Literal>,
    /// The length of the longest pattern, in bytes.
    max_len: usize,
    /// True if each pattern is a scheme with a colon or slash after it.
    has_marks: bool,
    /// Uses a prefilter that skips to the next occurrence of a rare byte. Fast for prose.
    prefiltered: AhoCorasick,
    /// Visits each byte. Fast for text that is full of such bytes. Built when such text is first
    /// seen.
    unfiltered: OnceLock<Option<AhoCorasick>>,
}

/// The number of bytes that are searched before an automaton is chosen again.
const BLOCK: usize = 4096;
/// The number of bytes at the start of a block that decide which automaton to use; a multiple of
/// 64.
const SAMPLE: usize = 256;
/// The minimum number of colons and slashes in a sample of a list of links. Skipping to the next
/// colon or slash takes as long as visiting about thirty bytes.
const DENSE_COUNT: usize = 16;

impl Literals {
    /// Builds the search for the literals of the features `near_misses` and `schemeless`. Returns
    /// `None` if both are false.
    pub(crate) fn new(near_misses: bool, schemeless: bool) -> Option<Self> {
        let mut patterns = Vec::new();
        let mut kinds = Vec::new();
        if near_misses {
            for scheme in CLASSIC.iter().filter(|classic| classic.shape == Shape::Host) {
                for (tail, miss) in [
                    ("//", NearMiss::NoColon),
                    (";//", NearMiss::Semicolon),
                    (":\\\\", NearMiss::Backslashes),
                    (":", NearMiss::NoSlashes),
                    (".//", NearMiss::ColonMistyped),
                    (",//", NearMiss::ColonMistyped),
                    ("\u{ff1a}//", NearMiss::ColonMistyped),
                    (":://", NearMiss::ColonMistyped),
                    ("//:", NearMiss::ColonMistyped),
                    ("/:/", NearMiss::ColonMistyped),
                    (":/:", NearMiss::ColonMistyped),
                    (": //", NearMiss::BlankBeforeSlashes),
                    (":  //", NearMiss::BlankBeforeSlashes),
                    (" ://", NearMiss::BlankBeforeSlashes),
                ] {
                    patterns.push(format!("{}{tail}", scheme.name));
                    kinds.push(Literal::Miss(miss));
                }
            }
            for pasted in
                ["http", "https"].map(|outer| ["http", "https"].map(|inner| [outer, inner]))
            {
                patterns.extend(pasted.map(|[outer, inner]| format!("{outer}:{inner}://")));
                kinds.extend([Literal::Miss(NearMiss::DoubledScheme); 2]);
            }
        }
        if schemeless {
            patterns.extend(["www.".to_owned(), "ftp.".to_owned()]);
            kinds.extend([Literal::HostLabel; 2]);
        }
        if patterns.is_empty() {
            return None;
        }
        let prefiltered = automaton_builder().build(&patterns).ok()?;
        let max_len = patterns.iter().map(String::len).max()?;
        let (has_marks, unfiltered) = (!schemeless, OnceLock::new());
        Some(Self { patterns, kinds, max_len, has_marks, prefiltered, unfiltered })
    }

    /// Returns the span and the kind of the next literal at or after byte `from` of the text, or
    /// `None` if there is none.
    pub(crate) fn next_literal(&self, text: &[u8], from: usize) -> Option<(Span, Literal)> {
        let mut from = from;
        while from < text.len() {
            let end = text.len().min(from + BLOCK);
            // A literal that starts in the block may end after it.
            let reach = text.len().min(end + self.max_len);
            let is_dense = is_dense(&text[from..end]);
            let found = if is_dense || !self.has_marks {
                self.faster_automaton(is_dense).find(search_input(text, from, reach))
            } else {
                self.find_by_colon_or_slash(text, from, reach)
            };
            if let Some(found) = found.filter(|found| found.start() < end) {
                let kind = *self.kinds.get(found.pattern().as_usize())?;
                return Some((Span::new(found.start(), found.end()), kind));
            }
            from = end;
        }
        None
    }

    /// Returns the first literal that starts in `from..reach` of the text, or `None` if there is
    /// none. Searches for colons and slashes, since each literal contains one. In text with few of
    /// them, this is faster than an automaton.
    fn find_by_colon_or_slash(&self, text: &[u8], from: usize, reach: usize) -> Option<Match> {
        memchr2_iter(b':', b'/', &text[from..reach]).map(|at| from + at).find_map(|mark| {
            let before = &text[from..mark];
            let name = match before {
                [name @ .., b';' | b'.' | b',' | b' '] | [name @ .., 0xEF, 0xBC, 0x9A] => name,
                _ => before,
            };
            Classic::scheme_at_end(name)?;
            let start = mark.saturating_sub(self.max_len).max(from);
            let end = reach.min(mark + self.max_len);
            self.prefiltered
                .find(search_input(text, start, end))
                .filter(|found| found.start() <= mark)
        })
    }

    /// Returns the automaton that is faster for the text ahead. `is_dense` is true if that text
    /// contains many colons and slashes.
    fn faster_automaton(&self, is_dense: bool) -> &AhoCorasick {
        if !is_dense {
            return &self.prefiltered;
        }
        let unfiltered = self.unfiltered.get_or_init(|| {
            let mut builder = automaton_builder();
            builder.kind(Some(AhoCorasickKind::DFA)).prefilter(false);
            builder.build(&self.patterns).ok()
        });
        unfiltered.as_ref().unwrap_or(&self.prefiltered)
    }
}

/// True if a block of text looks like a list of links, i.e. contains many colons and slashes.
fn is_dense(block: &[u8]) -> bool {
    // The counts of 64 bytes fit into a byte, so that this loop is vectorized.
    let sample = block.get(..SAMPLE).unwrap_or_default();
    let marks =
        |piece: &[u8; 64]| -> u8 { piece.iter().map(|b| u8::from(matches!(b, b':' | b'/'))).sum() };
    sample.as_chunks().0.iter().map(|piece| usize::from(marks(piece))).sum::<usize>() >= DENSE_COUNT
}

/// Returns the automaton's input for a search of the bytes `from..to` of `text`.
fn search_input(text: &[u8], from: usize, to: usize) -> aho_corasick::Input<'_> {
    aho_corasick::Input::new(text).range(from..to).anchored(Anchored::No)
}

/// The start of a near miss, or of a host without a scheme, whose end is not known yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NonUrlStart {
    pub(crate) start: usize,
    /// The offset after the part that was already read, from which the extent is read.
    from: usize,
    pub(crate) form: Form,
    miss: Option<NearMiss>,
}

/// Returns a builder for automata that ignore case and return the leftmost, longest literal.
fn automaton_builder() -> AhoCorasickBuilder {
    let mut builder = AhoCorasick::builder();
    builder
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .start_kind(StartKind::Unanchored);
    builder
}

/// Returns the near miss or host that starts with the literal at the span `at`. Returns `None` if
/// the literal is part of another word, or if no host follows.
pub(crate) fn start_at_literal(text: &[u8], at: Span, literal: Literal) -> Option<NonUrlStart> {
    let before = at.start.checked_sub(1).and_then(|i| text.get(i)).copied();
    let is_glue = |b: u8| is_scheme_byte(b) || matches!(b, b'/' | b'@' | b'_' | b'%' | 0x80..);
    if before.is_some_and(is_glue) {
        // A dash or an emphasis mark may come before it, if nothing is glued to that.
        let is_alone = || at.start < 2 || !is_glue(text[at.start - 2]);
        let is_mark = matches!(before, Some(b'-' | b'_')) && literal == Literal::HostLabel;
        if !(is_mark && is_alone()) {
            return None;
        }
    }
    match literal {
        Literal::HostLabel => {
            let host = host::dotted_host_len(&text[at.start..]);
            let dots = memchr::memchr_iter(b'.', &text[at.start..at.start + host]).count();
            let mailbox = text.get(at.start + host) == Some(&b'@');
            (dots >= 2 && !mailbox).then_some(NonUrlStart {
                start: at.start,
                from: at.start + host,
                form: Form::Schemeless,
                miss: None,
            })
        }
        Literal::Miss(miss) => {
            let host_at = at.end + text[at.end..].iter().take_while(|&&b| b == b'\\').count();
            // `http:localhost` is how some programs name a port.
            let named = if miss == NearMiss::NoSlashes && host_at == at.end {
                host::dotted_host_len
            } else {
                host::host_len
            };
            let host = named(&text[host_at..]);
            if host == 0
                || text[at.start..at.end].ends_with(b":") && text[host_at..].starts_with(b"//")
            {
                return None;
            }
            // A single backslash is the same fault as two.
            let miss = if host_at > at.end { NearMiss::Backslashes } else { miss };
            Some(NonUrlStart {
                start: at.start,
                from: host_at + host,
                form: Form::NearMiss,
                miss: Some(miss),
            })
        }
    }
}

/// Returns the near miss whose scheme ends at the anchor `colon`, or `None` if there is none.
/// `start` is the start of the possible scheme.
pub(crate) fn near_miss_at_colon(
    schemes: &Schemes,
    text: &[u8],
    start: usize,
    colon: usize,
) -> Option<NonUrlStart> {
    let name = &text[start..colon];
    let rest = &text[colon + 1..];
    if name.is_empty() {
        return None;
    }
    let miss = |from: usize, miss: NearMiss| {
        Some(NonUrlStart { start, from, form: Form::NearMiss, miss: Some(miss) })
    };
    let Some(shape) = classic_shape(name) else {
        let after = rest.strip_prefix(b"//")?;
        let host = host::dotted_host_len(after);
        // In binary formats, a code may precede the URL, such as a MARC 21 subfield
        // (`\x1Fuhttp://host`).
        let follows_control = start > 0
            && text[start - 1].is_ascii_control()
            && !text[start - 1].is_ascii_whitespace();
        let is_misspelt = host > 0
            && !follows_control
            && schemes.shape_of(name).is_none()
            && corrected_scheme(name).is_some();
        return if is_misspelt { miss(colon + 3 + host, NearMiss::MisspeltScheme) } else { None };
    };
    match shape {
        Shape::Mailto => {
            let after = rest.strip_prefix(b"//")?;
            syntax::fits_shape(Shape::Mailto, after, syntax::Setting::Bare)
                .then_some(())
                .and_then(|()| miss(colon + 3, NearMiss::MailtoSlashes))
        }
        Shape::News => {
            let id = rest.strip_prefix(b"<")?;
            let len = id.iter().take(256).position(|&b| b == b'>' || blank::is_ascii_blank(b))?;
            let valid = id[len] == b'>' && id[..len].contains(&b'@');
            let end = colon + 2 + len + 1;
            if valid { miss(end, NearMiss::NewsBrackets) } else { None }
        }
        Shape::Host => {
            let Some(after) = rest.strip_prefix(b"//") else {
                let host = host::host_len(rest.strip_prefix(b"/")?);
                return if host > 0 { miss(colon + 2 + host, NearMiss::SingleSlash) } else { None };
            };
            let blanks = after.iter().take(MAX_BLANKS).take_while(|&&b| b == b' ').count();
            let second = &after[blanks..];
            let inner = second.iter().take(MAX_SCHEME).take_while(|&&b| is_scheme_byte(b)).count();
            let doubled = matches!(classic_shape(&second[..inner]), Some(Shape::Host))
                && second[inner..].starts_with(b"://")
                && if blanks == 0 {
                    syntax::starts_with_host(&second[inner + 3..])
                } else {
                    host::host_len(&second[inner + 3..]) > 0
                };
            if doubled {
                return miss(colon + 3 + blanks + inner + 3, NearMiss::DoubledScheme);
            }
            let host = if blanks > 0 { host::host_len(second) } else { 0 };
            if host > 0 {
                miss(colon + 3 + blanks + host, NearMiss::BlankAfterSlashes)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Returns the near miss `<URL:host.dom/path>` whose `<` is at byte `open`, or `None` if there is
/// none. Call this only if the wrapper contains no URL.
pub(crate) fn wrapped_host(text: &[u8], open: usize) -> Option<Candidate<'_>> {
    let content = text.get(open + 1..text.len().min(open + MAX_WRAPPER))?;
    let len = memchr::memchr2(b'<', b'>', content).filter(|&at| content[at] == b'>')?;
    let close = open + 1 + len;
    let content = content[..len].trim_ascii_start();
    let (word, rest) = content.split_at_checked(3)?;
    let inner = rest.strip_prefix(b":").filter(|_| is_prefix_word(word))?.trim_ascii_start();
    let start = close - inner.len();
    let url = inner.trim_ascii_end();
    let slashes = url.iter().take_while(|&&b| b == b'/').count();
    let host = host::dotted_host_len(&url[slashes..]);
    let ended = matches!(url.get(slashes + host), None | Some(b'/' | b':' | b'?' | b'#'));
    let one_word = !url.iter().any(|&b| b <= b' ');
    (host > 0 && slashes <= 2 && ended && one_word).then(|| Candidate {
        near_miss: Some(NearMiss::MissingScheme),
        ..Candidate::new(
            text,
            Span::new(open, close + 1),
            Span::new(start, start + url.len()),
            Form::NearMiss,
        )
    })
}

/// Returns the offset of the `<` right before the prefix of the URL `found` (`<URL:http://host`),
/// or `None` if the URL has no such prefix. This wrapper isn't closed, otherwise the URL would have
/// been found as a wrapped one.
pub(crate) fn unclosed_wrapper(text: &[u8], found: &Candidate<'_>) -> Option<usize> {
    if found.form != Form::Prefixed {
        return None;
    }
    let head = text.get(..found.whole.start)?.trim_ascii_end();
    (head.last() == Some(&b'<')).then(|| head.len() - 1)
}

impl NonUrlStart {
    /// Creates the start of a match from the span of a host. A path may follow it.
    pub(crate) fn of_host(host: Span) -> Self {
        Self { start: host.start, from: host.end, form: Form::Host, miss: None }
    }

    /// Reads the rest of the match, which ends by the same rules as a bare URL. Returns the
    /// candidate, and the end offset of the text that it covers.
    pub(crate) fn read_rest<'t>(
        &self,
        text: &'t [u8],
        rules: ExtentRules<'_>,
        cache: &mut Cache,
    ) -> (Candidate<'t>, usize) {
        let limit = self.start + MAX_URL;
        let mut end = self.from;
        // Only a port may follow a host's colon; anything else isn't part of the host.
        let colon =
            text.get(end) == Some(&b':') && !text.get(end + 1).is_some_and(u8::is_ascii_digit);
        let is_host = matches!(self.form, Form::Schemeless | Form::Host);
        if self.miss != Some(NearMiss::NewsBrackets) && !(colon && is_host) {
            end = cache.cached_extent_end(text, end, limit, rules).0;
        }
        while self.miss == Some(NearMiss::Backslashes)
            && text.get(end) == Some(&b'\\')
            && end < limit
        {
            end = cache.cached_extent_end(text, end + 1, limit, rules).0;
        }
        let truncated = end >= limit;
        let trimmed = if truncated {
            end
        } else {
            trim::trimmed_end(text, self.start, Span::new(self.start, end), true)
        };
        let span = Span::new(self.start, trimmed.max(self.start + 1));
        let candidate = Candidate {
            near_miss: self.miss,
            truncated,
            ..Candidate::new(text, span, span, self.form)
        };
        (candidate, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_by_their_marks() {
        let words = [
            "http", "HTTPS", "ftp", "x", " ", ";", ".", ",", ":", "/", "//", "\\\\", "\u{ff1a}",
            "\n", "://", ":/:", "wais", "a",
        ];
        let literals = Literals::new(true, false).unwrap();
        let mut state = 1_u64;
        let mut next = |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(state >> 33).unwrap() % most
        };
        let mut count = 0;
        for _ in 0..20_000 {
            let text: String = (0..next(12)).map(|_| words[next(words.len())]).collect();
            let from = next(text.len() + 1);
            let reach = from + next(text.len() - from + 1);
            let text = text.as_bytes();
            let found = literals.find_by_colon_or_slash(text, from, reach);
            assert_eq!(
                found,
                literals.prefiltered.find(search_input(text, from, reach)),
                "{text:?}"
            );
            count += usize::from(found.is_some());
        }
        assert!(count > 500, "{count}");
    }
}
