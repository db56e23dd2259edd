//! URLs in running text, with or without the prefix `URL:`.

use super::quoted_value;
use super::starred::{self, Starred};
use crate::candidate::{Candidate, Form, Grade, JoinKind, Pieces, Seam};
use crate::extent::encoded_end::len_without_encoded_end;
use crate::extent::{self, ExtentRules, stump, trim};
use crate::limits::{MAX_GAP, MAX_URL};
use crate::rejoin::{self, BreakSite, Cache, Continuation};
use crate::scheme::Shape;
use crate::scheme::anchor::Anchor;
use crate::scheme::syntax::{self, Setting};
use crate::text::backslash;
use crate::text::iri;
use crate::text::line;
use crate::text::terminal;
use crate::text::undecoded::{self, Encoding};
use crate::{Input, Rejoin};
use urlsift_core::{Charset, Span};

/// The maximum number of line breaks in a bare URL.
const MAX_BREAKS: usize = 64;

/// The result of reading a bare URL (one without a wrapper) at an anchor.
pub(crate) struct BareUrl<'t> {
    /// `None` if the text at the anchor turned out not to be a URL.
    pub(crate) candidate: Option<Candidate<'t>>,
    /// The end of the extent, before anything was trimmed. No other URL starts before this offset.
    pub(crate) end: usize,
    /// True if the extent is longer than the maximum length of a URL.
    pub(crate) truncated: bool,
}

/// The part of a bare URL that is on its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstLine {
    /// The offset of the URL's first byte.
    pub(crate) start: usize,
    /// The start of the prefix `URL:`, or of the URL if there is no prefix.
    pub(crate) outer: usize,
    pub(crate) colon: usize,
    pub(crate) shape: Option<Shape>,
    /// The end of the extent on this line.
    pub(crate) end: usize,
    /// True if the extent contains a round bracket or `*`.
    pub(crate) has_mark: bool,
}

impl FirstLine {
    /// True if the URL is a mail address or a newsgroup, which can be checked only when its end is
    /// known.
    #[inline]
    pub(crate) fn is_address(&self) -> bool {
        matches!(self.shape, Some(Shape::Mailto | Shape::News))
    }

    /// True if `url`, the part of the URL read so far, can't become an address or a newsgroup,
    /// whatever comes after it.
    ///
    /// The search for the end takes time linear in the length of the URL, and many schemes may
    /// start before the same end. This check avoids such searches.
    fn cannot_be_address(&self, text: &[u8], url: &[u8]) -> bool {
        let Some(shape) = self.shape.filter(|_| self.is_address()) else { return false };
        let colon = self.colon - self.start;
        let Some(rest) = url.get(colon + 1..) else { return false };
        let decisive = syntax::decisive_len(shape, rest);
        // After a letter, only the possessive `s` is ever trimmed.
        let is_kept = |byte: &u8| byte.is_ascii_alphabetic() && *byte != b's';
        let mut following = rest.iter().skip(decisive);
        let Some(kept) = following.position(is_kept) else { return false };
        let head = &url[..=colon + 1 + decisive + kept];
        let len = trim::len_without_sentence_end(text, self.outer, self.end, head, self.has_mark);
        head.get(colon + 1..len).is_none_or(|rest| !syntax::fits_shape(shape, rest, Setting::Bare))
    }
}

/// Reads the bare URL that starts at `anchor`, and joins it over line breaks if there is as much
/// evidence as `level` requires.
pub(crate) fn read_bare_url<'t>(
    input: &Input<'t>,
    anchor: &Anchor,
    rules: ExtentRules<'_>,
    level: Rejoin,
    cache: &mut Cache,
) -> BareUrl<'t> {
    let text = input.text;
    let Anchor { start, colon, shape } = *anchor;
    let outer = anchor.prefix_start(text).unwrap_or(start);
    if level > Rejoin::Off
        && rules.schemes.is_modern()
        && quoted_value::may_start_value(text, start)
        && let Some(end) = quoted_value::value_end(text, start)
    {
        return build_value(text, anchor, outer, end, rules);
    }
    let limit = start + MAX_URL;
    let (end, has_mark) = cache.cached_extent_end(text, colon + 1, limit, rules);
    let first = FirstLine { start, outer, colon, shape, end, has_mark };
    if end < limit && cache.is_quick() && first.cannot_be_address(text, &text[start..end]) {
        return BareUrl { candidate: None, end, truncated: false };
    }
    read_after_first_line(input, &first, None, rules, level, cache)
}

/// Returns the URL that is the whole value of an attribute, up to byte `end`.
fn build_value<'t>(
    text: &'t [u8],
    anchor: &Anchor,
    outer: usize,
    end: usize,
    rules: ExtentRules<'_>,
) -> BareUrl<'t> {
    let span = Span::new(anchor.start, end);
    let rest = &text[anchor.colon + 1..end];
    let fits = match anchor.shape {
        Some(shape) => syntax::fits_shape(shape, rest, Setting::Bracketed),
        None => rest.len() > b"//".len(),
    };
    let form = if outer < anchor.start { Form::Prefixed } else { Form::Bare };
    let candidate = fits.then(|| {
        let seams = quoted_value::seams_in_encoded_ampersands(text, span);
        let found = Candidate::new(text, Span::new(outer, end), span, form).with_seams(&seams);
        match anchor.shape {
            Some(_) => found,
            None => found.with_unknown_scheme(&text[anchor.start..anchor.colon], rules.schemes),
        }
    });
    BareUrl { candidate, end, truncated: false }
}

/// Reads the rest of a bare URL after its first line, `first`. `next` is where it continues on the
/// next line, if that is already known.
pub(crate) fn read_after_first_line<'t>(
    input: &Input<'t>,
    first: &FirstLine,
    next: Option<Continuation>,
    rules: ExtentRules<'_>,
    level: Rejoin,
    cache: &mut Cache,
) -> BareUrl<'t> {
    let mut pieces = cache.take_pieces();
    let bare = join_lines(input, first, next, rules, level, cache, &mut pieces);
    cache.keep_pieces(pieces);
    bare
}

/// The state of reading a URL at the end of the last line that was added to it.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// The end of the extent on the last line.
    end: usize,
    has_mark: bool,
    /// The text's encoding, as the breaks in the URL show it.
    encoding: Encoding,
}

/// Joins the lines of a bare URL, as long as each one continues on the next. `known` is where the
/// first line continues, if that is already known.
fn join_lines<'t>(
    input: &Input<'t>,
    first: &FirstLine,
    mut known: Option<Continuation>,
    rules: ExtentRules<'_>,
    level: Rejoin,
    cache: &mut Cache,
    pieces: &mut Pieces,
) -> BareUrl<'t> {
    let text = input.text;
    let FirstLine { start, outer, end, has_mark, .. } = *first;
    pieces.joined.clear();
    pieces.seams.clear();
    if level > Rejoin::Off
        && has_mark
        && starred::may_be_starred(text, start, end)
        && let Some(found) = starred::find_starred_layout(text, start)
    {
        return build_candidate(
            text,
            first,
            join_without_marks(text, start, &found, pieces),
            pieces,
            rules,
        );
    }
    let mut line = start;
    let mut reach = Reach { end, has_mark, encoding: Encoding::Unknown };
    while pieces.seams.len() < MAX_BREAKS {
        let Reach { end, has_mark, encoding } = reach;
        let url = pieces.url(&text[start..end]);
        if url.len() >= MAX_URL {
            break;
        }
        let after_line_break = |cache: &mut Cache| {
            let break_at =
                (level > Rejoin::Off).then(|| line::line_end_after_blanks(text, end)).flatten()?;
            let site = BreakSite {
                input,
                url: Span::new(line, end),
                break_at,
                outer,
                has_mark,
                level,
                joined_so_far: url,
                encoding,
            };
            rejoin::decide(&site, cache)
        };
        let Some(next) = known
            .take()
            .or_else(|| continuation_after_escape(text, start, end, level, rules))
            .or_else(|| {
                let is_scheme = end - first.colon <= 2;
                is_scheme.then(|| rejoin::continuation_before_slashes(text, end, level)).flatten()
            })
            .or_else(|| after_line_break(cache))
        else {
            break;
        };
        let limit = next.resume + (MAX_URL - url.len());
        let (next_end, mark) = extent::extent_end_and_marks(text, next.resume, limit, rules);
        let next_end = next_end.min(limit);
        // If the part on the next line contains the start of another URL, that part belongs to the
        // other URL. So a match depends on one line break before it at most.
        let far = next.resume - end > MAX_GAP;
        if far
            || next_end == next.resume
            || contains_url_start(text, Span::new(next.resume, next_end), rules)
        {
            break;
        }
        let piece = &text[next.resume..next_end];
        let encoding = encoding.after_break(url, next.cut > 0);
        let gap = Span::new(end - next.cut, next.resume);
        let mut seam = Seam::new(gap, url.last(), next.kind, next.grade);
        seam.evidence = next.evidence;
        if seam.hyphen
            && let Some(break_at) = line::line_end_after_blanks(text, end)
            && rejoin::drops_hyphen(input, url, piece, break_at, cache)
        {
            seam.gap.start -= 1;
        }
        pieces.append_after_break(&text[start..end], end - seam.gap.start, seam, piece);
        if next.kind.is_line_break() {
            line = next.resume;
        }
        reach = Reach { end: next_end, has_mark: has_mark || mark, encoding };
        let so_far = FirstLine { has_mark: reach.has_mark, ..*first };
        if cache.is_quick() && so_far.cannot_be_address(text, &pieces.joined) {
            return BareUrl { candidate: None, end: first.end, truncated: false };
        }
    }
    build_candidate(text, first, reach, pieces, rules)
}

/// Joins the pieces of a URL between the `**` marks in it, which are layout.
fn join_without_marks(text: &[u8], start: usize, found: &Starred, pieces: &mut Pieces) -> Reach {
    let Starred { gaps, end } = found;
    let first = gaps.first().map_or(*end, |gap| gap.start);
    let ends = gaps.iter().skip(1).map(|gap| gap.start).chain([*end]);
    for (&gap, piece_end) in gaps.iter().zip(ends) {
        let seam = Seam::new(gap, None, JoinKind::Twin, Grade::Certain);
        pieces.append_after_break(&text[start..first], 0, seam, &text[gap.end..piece_end]);
    }
    let has_mark = memchr::memchr3(b'(', b')', b'*', &pieces.joined).is_some();
    Reach { end: *end, has_mark, encoding: Encoding::Unknown }
}

/// Trims the joined URL and creates the candidate for it. The result has no candidate if the URL is
/// too short for its scheme.
fn build_candidate<'t>(
    text: &'t [u8],
    first: &FirstLine,
    reach: Reach,
    pieces: &mut Pieces,
    rules: ExtentRules<'_>,
) -> BareUrl<'t> {
    let FirstLine { start, outer, colon, shape, end: first_end, .. } = *first;
    let Reach { end, has_mark, encoding } = reach;
    let is_encoded = encoding == Encoding::QuotedPrintable;
    let is_broken = !pieces.seams.is_empty();
    let url = pieces.url(&text[start..end]);
    let continues = || extent::extent_end(text, iri::char_start(text, end), end + 1, rules) > end;
    let truncated = url.len() >= MAX_URL && continues();
    let mut len = url.len();
    if !truncated && !is_broken {
        len = trim::trimmed_end(text, outer, Span::new(start, end), has_mark) - start;
        if len == url.len() && undecoded::ends_with_encoded_blank(text, url, end) {
            len = trim::trimmed_len(&url[..len - b"=20".len()], None);
        }
    } else if !truncated {
        len = trim::len_without_sentence_end(text, outer, end, url, has_mark);
        if is_encoded {
            len = len_without_encoded_end(&url[..len]);
        }
    }
    let fits = match shape {
        Some(shape @ (Shape::Mailto | Shape::News)) => url
            .get(colon + 1 - start..len)
            .is_some_and(|r| syntax::fits_shape(shape, r, Setting::Bare)),
        Some(Shape::Named) => len > colon + 1 - start,
        _ => len > colon + 3 - start,
    };
    let has_escaped_dot = || {
        let mut gaps = pieces.seams.iter().map(|seam| seam.gap);
        gaps.any(|gap| text[gap.range()] == *b"\\" && text.get(gap.end) == Some(&b'.'))
    };
    let fits = fits
        && !stump::is_stump(text, url, end)
        && !(has_escaped_dot() && stump::is_in_pattern(text, outer, end));
    let url_len = url.len();
    let candidate = fits.then(|| {
        let span = Span::new(start, drop_seams_after(&mut pieces.seams, start, len));
        let form = if outer < start { Form::Prefixed } else { Form::Bare };
        let whole = Span::new(outer, span.end);
        let mut candidate = Candidate::new(text, whole, span, form);
        if !is_broken && rules.schemes.is_modern() && quoted_value::is_destination(text, span) {
            candidate =
                candidate.with_seams(&quoted_value::seams_in_encoded_ampersands(text, span));
        }
        if !pieces.seams.is_empty() {
            candidate = candidate.with_seams_reusing(&pieces.seams, pieces.split.take());
        }
        if shape.is_none() {
            candidate = candidate.with_unknown_scheme(&text[start..colon], rules.schemes);
        }
        if is_encoded {
            candidate = candidate.mark_encoded();
        }
        let is_cut = truncated || len == url_len && ends_at_unknown_letter(text, end, rules);
        Candidate { truncated: is_cut, ..candidate }
    });
    let read_end = if is_broken { first_end } else { end };
    let end =
        candidate.as_ref().map_or(read_end, |c| c.span.end.max(read_end)).max(end.min(first_end));
    BareUrl { candidate, end, truncated }
}

/// True if layout inside a URL may start with `byte`: a backslash, or the first byte of a terminal
/// code.
#[inline(always)]
pub(crate) const fn may_start_layout(byte: u8) -> bool {
    byte == b'\\' || terminal::is_code_start(byte)
}

/// Returns where the URL at `start..end` continues after a backslash or terminal codes that
/// interrupt it without being part of it. Returns `None` if the URL ends there.
#[inline(never)]
pub(crate) fn continuation_after_escape(
    text: &[u8],
    start: usize,
    end: usize,
    level: Rejoin,
    rules: ExtentRules<'_>,
) -> Option<Continuation> {
    match text.get(end)? {
        b'\\' if level > Rejoin::Off && rules.schemes.is_modern() => {
            let is_parameter =
                text.get(end + 1) == Some(&b'?') && stump::ends_in_parameter(&text[start..end]);
            if is_parameter {
                return None;
            }
            backslash::skip_escapes(text, end)
                .or_else(|| backslash::resume_doubled(text, start, end))
                .map(Continuation::after_escape)
                .or_else(|| backslash::resume_folded(text, end).map(Continuation::after_fold))
        }
        byte if terminal::is_code_start(*byte) => {
            terminal::resume_after_codes(text, start, end).map(Continuation::after_terminal_codes)
        }
        _ => None,
    }
}

/// True if the URL that ends at byte `end` is probably cut off there, before a letter in an
/// undeclared charset of one byte per character. The byte at `end` is then not valid UTF-8 and at
/// least 0xC0. Most such charsets have letters from 0xC0 on, and punctuation below.
#[inline(always)]
pub(crate) fn ends_at_unknown_letter(text: &[u8], end: usize, rules: ExtentRules<'_>) -> bool {
    text.get(end).is_some_and(|byte| *byte >= 0xC0)
        && rules.iri
        && rules.charset == Charset::Utf8
        && iri::char_at(text, end).is_none()
}

/// Removes the breaks after the first `len` bytes of the URL that starts at byte `start`. Returns
/// the offset in the text at which these bytes end.
fn drop_seams_after(seams: &mut Vec<Seam>, start: usize, len: usize) -> usize {
    let mut left = len;
    let mut from = start;
    for at in 0..seams.len() {
        let piece = seams[at].gap.start - from;
        if left <= piece {
            seams.truncate(at);
            break;
        }
        left -= piece;
        from = seams[at].gap.end;
    }
    from + left
}

/// True if a URL could start inside `span`, which is part of an extent (run of URL characters).
fn contains_url_start(text: &[u8], span: Span, rules: ExtentRules<'_>) -> bool {
    memchr::memchr_iter(b':', &text[span.range()]).any(|at| {
        let colon = span.start + at;
        let Some(anchor) = crate::scheme::anchor::anchor_at(text, colon, None, rules.schemes, true)
        else {
            return false;
        };
        let rest = &text[colon + 1..span.end];
        match anchor.shape {
            Some(shape @ (Shape::Mailto | Shape::News | Shape::Named)) => {
                syntax::fits_shape(shape, rest, Setting::Bare)
            }
            _ => anchor.is_followed_by_url(text, rules.iri) || rest == b"//",
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::Form;
    use crate::candidate::Seam;
    use crate::options::Engine;
    use crate::pass::State;
    use crate::{Candidate, Input, Scanner};
    use proptest::prelude::*;
    use urlsift_core::Span;

    fn fields(found: &Candidate<'_>) -> (Span, Span, Form, bool, Vec<Seam>) {
        let seams = found.seams().to_vec();
        (found.whole, found.span, found.form, found.truncated, seams)
    }

    #[test]
    fn hyphen_is_dropped_if_url_occurs_nearby_without_it() {
        let text = "http://a.b/c-\nd.html\n".repeat(10_000) + "http://a.b/cd.html\n";
        let scanner = Scanner::builder().build();
        let found: Vec<_> = scanner.find_iter(text.as_bytes()).collect();
        for found in found.iter().step_by(199) {
            let (input, state) =
                (Input::new(text.as_bytes()), State::starting_at(found.whole.start));
            let again = scanner.find_from(input, state, Some(usize::MAX)).next();
            assert_eq!(Some(fields(found)), again.as_ref().map(fields));
        }
        let joined = |at: usize| found[at].url().into_owned();
        assert_eq!(
            [joined(0), joined(9_999)],
            [&b"http://a.b/c-d.html"[..], b"http://a.b/cd.html"]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn early_rejection_of_long_address_is_correct(
            before in "[(',*a ]{0,2}(URL:)?",
            scheme in "mailto:|news:",
            letters in 0_usize..550,
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "mailto:", "news:", "a", "s", "'s", "(", ")", "'", ",", "*", ".", "@", "@b", "a.b:", "=20", "#", "[", "\u{2019}", "x-\n", "x\\", "=\n", "\n",
            ][..]), 0..12),
            (at, times) in (0_usize..12, 100_usize..600),
        ) {
            let mut text = [&before, &scheme, &"a".repeat(letters)].map(String::as_str).concat();
            for (number, piece) in pieces.iter().enumerate() {
                text += &piece.repeat(if number == at { times } else { 1 });
            }
            let found = |engine| {
                let scanner = Scanner::builder().engine(engine).build();
                scanner.find_iter(text.as_bytes()).map(|found| fields(&found)).collect::<Vec<_>>()
            };
            prop_assert_eq!(found(Engine::default()), found(Engine::Reference));
        }

        #[test]
        fn earlier_reads_do_not_affect_later_ones(
            // Enough repeated lines to be handled as one block, and then others.
            unit in proptest::sample::select(&[
                "http://a.b/c-;d;", "(URL:http://a.b/c-;d);", "*http://a.b/c=;&d.*;", "http://a.b/c-;http://a.b/d-;e;", "http://a.b/c/;d;", "> http://a.b/c/;>> d/;",
                "http://a.b/c/;d;http://a.b/c/;e;f g h;", ",http://a.b/c-;d,e;", "http://a.b/c:/;/;", "http://a.b/c-;d\\;",
            ][..]),
            times in proptest::sample::select(&[3, 20, 700][..]),
            lines in proptest::collection::vec(proptest::sample::select(&[
                "", "d", "d-", "e", "h.html", "http://a.b/c-;d", "http://a.b/c-;d", "http://a.b/c-;d-;e", "(URL:http://a.b/c-;d);", "(URL:http://a.b/c-;d).",
                "*http://a.b/c=;&d.*", "**http://a.b/c=;&d.*", "URL: http://a.b/c-;d", "http://a.b/c-; d", "http://a.b/c- ;d", "> http://a.b/c-;> d",
                "http://a.b/c-;http://a.b/d-;e", "http://a.b/cd", "http://a.b/c-d", "http://a.b/c=&d", "a b c d e f g", "http://a.b/c-;dhttp://a.b/",
                "http://a.b/c/;d", "http://a.b/c/;d", "http://a.b/c/d", "http://a.b/c/;e", "> http://a.b/c/;>> d/", "> http://a.b/c/;>> d/", ">> d/", "> e", "/* http://a.b/c/",
                "* http://a.b/c/;* d", " * http://a.b/c/; * d/e", "http://a.b/c/=;d", "a=3D",
            ][..]), 0..60),
            line_break in proptest::sample::select(&["\n", "\r\n"][..]),
        ) {
            let before = unit.repeat(times).replace(';', line_break);
            let text = before.clone() + &lines.join(";").replace(';', line_break);
            let scanner = Scanner::builder().build();
            let mut all = scanner.find_iter(text.as_bytes());
            while let Some(found) = all.advance() {
                // A search through the whole text for each candidate would be slow.
                if found.span.start + 200 > before.len() {
                    let input = Input::new(text.as_bytes());
                    let mut again = scanner.find_from(input, State::starting_at(found.whole.start), Some(usize::MAX));
                    prop_assert_eq!(Some(fields(found)), again.next().as_ref().map(fields));
                }
            }
        }
    }
}
