//! The usual URL, read at once.
//!
//! Nine URLs in ten are `http`, `https` or `ftp` with a host, or `mailto` or `news`, stand behind a
//! word, a quote or a bracket, and are not broken. For these the long way (look for a wrapper around,
//! work out the scheme, try its shape, balance brackets) comes to nothing at every step. Here each
//! step is one comparison that says whether it would; whatever fails one goes the long way, which
//! gives the same result for every URL that is usual. (A property test holds the two together.)
//!
//! There are two short ways. [`web`] and [`wrapped_web`] are for what fills link lists; they end a URL
//! by one survey of its bytes, which also tells whether it is valid. [`read`] is for the rest.
//!
//! Measured 2026-11-21 on link lists (AVX2): a URL that is found, judged and printed costs 870
//! instructions; 1,180 with [`read`] and a parser that looks at each byte again.
#![expect(
    clippy::needless_bitwise_bool,
    reason = "what the processor cannot guess is worked out: one branch more cost a tenth of the time"
)]

use crate::anchor::MAX_PREFIX_BLANKS;
use crate::bare::{First, MAX_URL};
use crate::candidate::{Candidate, Form};
use crate::extent::{self, Reach};
use crate::rejoin::{self, Memo, Site};
use crate::scheme::{SCHEME_BYTE, Shape, is_prefix_word, is_scheme_byte};
use crate::shape::{self, Place};
use crate::trigger::Survey;
use crate::wrapper::{self, MAX_WRAPPER};
use crate::{Input, Rejoin, bare, trim};
use urlsift_core::Span;

/// What the pass knows of the text before a colon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// Where the last URL ended.
    pub(crate) left: usize,
    /// No URL starts before this byte.
    pub(crate) floor: usize,
    /// The last `<` that turned out to open no wrapper.
    pub(crate) plain: Option<usize>,
}

/// What is at a colon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Usual {
    Url(Taken),
    /// A URL that goes on on the next line, or may.
    Broken(First),
    /// Nothing, and the `<` at this byte opens no wrapper.
    Nothing(usize),
    /// The `<` at this byte opens no wrapper, and the URL stands behind the prefix that follows it.
    Unclosed(usize, Taken),
}

/// A URL that was read at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    whole: Span,
    span: Span,
    form: Form,
    /// The end of the text that is its own.
    pub(crate) end: usize,
    /// See [`Candidate::plain_host`].
    plain_host: u8,
    /// Whether it may go on on the next line. Then this is its first line.
    pub(crate) is_broken: bool,
}

impl Taken {
    /// The first line of a web URL whose scheme ends at `colon`.
    pub(crate) const fn first(&self, colon: usize) -> First {
        let (start, end) = (self.span.start, self.span.end);
        First { start, outer: start, colon, shape: Some(Shape::Host), end, has_bracket: false }
    }

    pub(crate) fn candidate<'t>(&self, text: &'t [u8]) -> Candidate<'t> {
        let candidate = Candidate::new(text, self.whole, self.span, self.form);
        Candidate { plain_host: self.plain_host, ..candidate }
    }
}

/// The `http`, `https` or `ftp` URL whose scheme ends at `colon`, if all of its bytes belong to it
/// wherever they stand, and it is clear that it begins and ends here, or stands between brackets:
/// eight URLs in ten. Where it may go on on the next line that is told; `None` if it takes a closer look.
///
/// This is most of what is done for a link list. Each step is one that the processor can do ahead of
/// the one before.
#[inline(always)]
pub(crate) fn web(
    input: &Input<'_>,
    colon: usize,
    past: &Past,
    reach: Reach<'_>,
    level: Rejoin,
    memo: &mut Memo,
) -> Option<Taken> {
    let text = input.text;
    let around = text.get(colon.checked_sub(REACH)?..)?.first_chunk::<{ REACH + 4 }>()?;
    let [.., b':', b'/', b'/', first] = *around else { return None };
    let low = letters(around);
    let secure = usize::from(low & 0xFF == u64::from(b's'));
    let is_http = low >> (8 * secure) & 0xFFFF_FFFF == tail(*b"\0\0\0\0http");
    let mut len = 4 + secure;
    if !(is(first, HOST) & is_http) {
        if !is(first, HOST) || low & 0xFF_FFFF != tail(*b"\0\0\0\0\0ftp") {
            return None;
        }
        len = 3;
    }
    let start = colon - len;
    let (lead, before) = (around[REACH - 1 - len], around[REACH - 2 - len]);
    let clear = (is(lead, BLANK) & is(before, WORD_END))
        | is(lead, OPENING)
        | ((lead == b'\n') & ((start - 1 == past.left) | reach.schemes.parts_web(before)));
    let is_glued = (lead == b',') & (start >= past.floor);
    let mut clear = clear | is_glued;
    if !(clear | (lead == b'<')) {
        // An empty line before, or a bracket that is no quote mark: those stand at a line's start.
        let further = around[REACH - 3 - len];
        clear = lead == b'\n'
            && match before {
                b'\n' | b'\r' => reach.schemes.parts_web(further),
                b'>' => further != b'>' && !is(further, LINE_END),
                _ => false,
            };
        if !clear {
            return None;
        }
    }
    let head = Head { start, colon, lead, clear, has_port: false };
    let mut survey = Survey::default();
    extent::survey(text, colon + 3, reach, &mut survey)?;
    let end = colon + 3 + survey.run;
    if *text.get(end)? == b':' && !text[end + 1..].starts_with(b"//") {
        return with_port(input, &head, &mut survey, reach, level, memo);
    }
    surveyed(input, &head, &survey, reach, level, memo)
}

/// What stands at a web URL's scheme.
#[derive(Clone, Copy, Debug)]
struct Head {
    start: usize,
    colon: usize,
    /// The byte before the URL.
    lead: u8,
    /// Whether neither wrapper nor prefix nor more of the scheme can stand before it.
    clear: bool,
    /// As for [`plain_host`].
    has_port: bool,
}

/// Reads on as [`web`] does where a colon stands at the end of the survey, and no `//` behind it.
#[inline(never)]
fn with_port(
    input: &Input<'_>,
    head: &Head,
    survey: &mut Survey,
    reach: Reach<'_>,
    level: Rejoin,
    memo: &mut Memo,
) -> Option<Taken> {
    let text = input.text;
    let behind = head.colon + 3 + survey.run + 1;
    let mut more = Survey::default();
    extent::survey(text, behind, reach, &mut more)?;
    let rest = text.get(behind..behind + more.run)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let has_port = matches!(rest.get(digits), None | Some(b'/' | b'?' | b'#'));
    if !survey.go_on(&more) {
        return None;
    }
    surveyed(input, &Head { has_port, ..*head }, survey, reach, level, memo)
}

/// The web URL that was surveyed.
#[inline(always)]
fn surveyed(
    input: &Input<'_>,
    head: &Head,
    survey: &Survey,
    reach: Reach<'_>,
    level: Rejoin,
    memo: &mut Memo,
) -> Option<Taken> {
    let text = input.text;
    let Head { start, colon, lead, clear, has_port } = *head;
    let host = colon + 3;
    let mut end = host + survey.run;
    let next = *text.get(end)?;
    let mut span = Span::new(start, end);
    let (form, own, whole);
    // Another `<` before a `>`: the one before the URL opens no wrapper.
    if clear || next == b'<' {
        let opener = (lead == b'(').then_some(lead);
        if !is(next, GOES_ON) {
            own = end;
        } else if lead == b'(' && next == b')' {
            // The bracket before the URL closes behind it.
            own = behind_bracket(text, end, start + MAX_URL, reach);
        } else if next == b':'
            && let Some(glued) = extent::glued_at(text, end, reach.schemes)
            && glued > host
        {
            // Another URL is glued to it.
            (own, end, span.end) = (glued, glued, glued);
        } else {
            return None;
        }
        if own - start >= MAX_URL {
            return None;
        }
        if level > Rejoin::Off
            && text.get(own).is_some_and(|&next| is(next, LINE_END))
            && !(own > end && line_end(text, own).is_none()
                || own == end && ends_at_line(input, span, opener, level, memo))
        {
            let (whole, form) = (span, Form::Bare);
            let broken = Taken { whole, span, form, end, plain_host: 0, is_broken: true };
            return (own == end).then_some(broken);
        }
        let url = text.get(start..end)?;
        if !is(*url.last()?, FIRM) {
            span.end = start + trim::trimmed_len(url, None);
        }
        (form, whole) = (Form::Bare, span);
    } else {
        if end - host > MAX_WRAPPER - 16 || next != b'>' {
            return None;
        }
        (form, own, whole) = (Form::Bracketed, end + 1, Span::new(start - 1, end + 1));
    }
    let plain_host = plain_host(text, colon - start, host, span.end, survey, has_port);
    (span.end > host).then_some(Taken { whole, span, form, end: own, plain_host, is_broken: false })
}

/// The `http`, `https` or `ftp` URL in the wrapper `<URL:...>` whose prefix ends at `colon`, if nothing else
/// is in it, and all of its bytes belong to the URL wherever they stand. If it is not closed, the URL
/// that stands behind the prefix alone. `None` if that takes a closer look.
#[inline]
pub(crate) fn wrapped_web(
    input: &Input<'_>,
    colon: usize,
    past: &Past,
    reach: Reach<'_>,
    level: Rejoin,
    memo: &mut Memo,
) -> Option<Usual> {
    let text = input.text;
    if !is_prefix(text, colon) {
        return None;
    }
    let (open, start) = (colon - 4, colon + 1);
    let head = u64::from_be_bytes(*text.get(start..)?.first_chunk()?) | CASE;
    let len = match head >> 32 == tail(*b"\0\0\0\0http") {
        true => 4 + usize::from(head >> 24 & 0xFF == u64::from(b's')),
        false if head >> 40 == tail(*b"\0\0\0\0\0ftp") => 3,
        false => return None,
    };
    let host = start + len + 3;
    if text.get(start + len..host) != Some(b"://") {
        return None;
    }
    let mut survey = Survey::default();
    extent::survey(text, host, reach, &mut survey)?;
    let end = host + survey.run;
    if !(1..MAX_WRAPPER - 16).contains(&survey.run) {
        return None;
    }
    if *text.get(end)? != b'>' {
        return unclosed_web(input, colon, host, &survey, past, level, memo);
    }
    let (whole, span) = (Span::new(open, end + 1), Span::new(start, end));
    let plain_host = plain_host(text, len, host, end, &survey, false);
    let (form, end) = (Form::Wrapped, whole.end);
    Some(Usual::Url(Taken { whole, span, form, end, plain_host, is_broken: false }))
}

/// As [`wrapped_web`], where no `>` stands behind the URL whose host starts at byte `host`.
#[inline(never)]
fn unclosed_web(
    input: &Input<'_>,
    colon: usize,
    host: usize,
    survey: &Survey,
    past: &Past,
    level: Rejoin,
    memo: &mut Memo,
) -> Option<Usual> {
    let text = input.text;
    let (open, start, end) = (colon - 4, colon + 1, host + survey.run);
    let next = *text.get(end)?;
    if next > b' ' && next != b'<' || !is_unclosed(text, open, end) {
        return None;
    }
    let mut span = Span::new(start, end);
    // What a look at the line's end does not settle is left to the URL's own colon.
    let ends =
        level == Rejoin::Off || !is(next, LINE_END) || ends_at_line(input, span, None, level, memo);
    if !is(text[end - 1], FIRM) {
        span.end = start + trim::trimmed_len(&text[span.range()], None);
    }
    if !ends || open < past.floor || !is(text[host], HOST) {
        return Some(Usual::Nothing(open));
    }
    let (whole, form) = (Span::new(open + 1, span.end), Form::Prefixed);
    let plain_host = plain_host(text, host - start - 3, host, span.end, survey, false);
    let url = Taken { whole, span, form, end, plain_host, is_broken: false };
    Some(Usual::Unclosed(open, url))
}

/// Whether the URL ends at `url.end`, where a blank or a line break stands.
fn ends_at_line(
    input: &Input<'_>,
    url: Span,
    opener: Option<u8>,
    level: Rejoin,
    memo: &mut Memo,
) -> bool {
    let text = input.text;
    let Some(break_at) = line_end(text, url.end) else { return true };
    let joined_so_far = &text[url.range()];
    // A soft break of quoted-printable nearly always goes on.
    !joined_so_far.ends_with(b"=")
        && rejoin::decide(&Site { input, url, break_at, opener, level, joined_so_far }, memo)
            .is_none()
}

/// The URL whose scheme ends at `colon`, or whose prefix `URL:` does, if it is a usual one; `None` if
/// that takes a closer look.
///
/// What varies from URL to URL is looked up or counted where it can be, since the processor cannot
/// guess it.
#[inline]
pub(crate) fn read(
    input: &Input<'_>,
    colon: usize,
    past: Past,
    reach: Reach<'_>,
    level: Rejoin,
    memo: &mut Memo,
) -> Option<Usual> {
    let text = input.text;
    let around = text.get(colon.checked_sub(REACH)?..)?.first_chunk::<{ REACH + 4 }>()?;
    let (len, shape) = match *around {
        [.., b':', b'/', b'/', host] if is(host, HOST) => (scheme_len(around)?, Shape::Host),
        [.., b':', b'/', _, _] => return None,
        [.., b'u' | b'U', b'r' | b'R', b'l' | b'L', b':', _, _, _] => return prefixed(text, colon),
        _ => bare_scheme(around)?,
    };
    let start = colon - len;
    let before = start - 1;
    let lead = around[REACH - 1 - len];
    let mut outer = start;
    let follows_word = is(lead, BLANK) & is(around[REACH - 2 - len], WORD_END);
    if !(follows_word | is(lead, OPENING)) {
        let may_open = || wrapper::may_open_before(text, start, colon, reach.schemes);
        match lead {
            b'<' => match within(text, before, start, colon + 1, Form::Bracketed)? {
                Usual::Nothing(_) | Usual::Unclosed(..) | Usual::Broken(_) => {}
                Usual::Url(url) => {
                    let fits = shape == Shape::Host
                        || shape::fits(shape, &text[colon + 1..url.span.end], Place::Bracketed);
                    return fits.then_some(Usual::Url(url));
                }
            },
            b'\n' if before == past.left || !may_open() => {}
            b' ' | b'\t' if start >= past.floor && !ends_prefix(text, before) && !may_open() => {}
            b':' => outer = outer_start(text, start, colon, past, reach)?,
            _ if is(lead, APART) && start >= past.floor && !may_open() => {}
            _ => return None,
        }
    }

    let host = colon + 3;
    let mut survey = Survey::default();
    let is_surveyed =
        shape == Shape::Host && extent::survey(text, host, reach, &mut survey).is_some();
    let ends = |at: usize| text.get(at).is_some_and(|&next| !is(next, GOES_ON));
    let (mut end, bracket) = if is_surveyed && ends(host + survey.run) {
        (host + survey.run, None)
    } else {
        extent::of_url(text, colon + 1, start + MAX_URL, reach)
    };
    if end - start >= MAX_URL {
        return None;
    }
    let opener = (lead == b'(').then_some(lead);
    if level > Rejoin::Off && line_end(text, end).is_some() {
        let has_bracket = bracket.is_some();
        if has_bracket || !ends_at_line(input, Span::new(start, end), opener, level, memo) {
            let shape = Some(shape);
            return Some(Usual::Broken(First { start, outer, colon, shape, end, has_bracket }));
        }
    }
    let own = end;
    if let Some(bracket) = bracket {
        // The bracket before the URL closes at the first closing one, unless another opened.
        if opener.is_none() || text[bracket] != b')' {
            return None;
        }
        end = bracket;
    }
    let url = &text[start..end];
    let len = if is(*url.last()?, FIRM) { url.len() } else { trim::trimmed_len(url, None) };
    let span = Span::new(start, start + len);
    let fits = if shape == Shape::Host {
        span.end > colon + 3
    } else {
        shape::fits(shape, text.get(colon + 1..span.end)?, Place::Bare)
    };
    let form = if outer < start { Form::Prefixed } else { Form::Bare };
    let whole = Span::new(outer, span.end);
    let is_web = || matches!(&text[start..colon], b"http" | b"https" | b"ftp");
    let plain_host = if is_surveyed && span.end <= host + survey.run && is_web() {
        plain_host(text, colon - start, host, span.end, &survey, false)
    } else {
        0
    };
    fits.then_some(Usual::Url(Taken { whole, span, form, end: own, plain_host, is_broken: false }))
}

/// The length of the host name of a URL, if that is a plain one by what was seen from the host to its
/// end; else 0. The scheme is the `http`, `https` or `ftp` of `scheme` bytes; `has_port` says whether the
/// first colon, if it stands right behind the host, leads to a port.
#[inline(always)]
fn plain_host(
    text: &[u8],
    scheme: usize,
    host: usize,
    end: usize,
    survey: &Survey,
    has_port: bool,
) -> u8 {
    let rest = end.saturating_sub(host);
    let len = survey.name_len(rest);
    let next = text.get(host + len);
    let ends = (len == rest)
        | matches!(next, Some(b'/' | b'?' | b'#'))
        | (has_port & (next == Some(&b':')));
    // An ftp URL has no query. What looks like one is for RFC 1738 to say.
    let has_query = (scheme == b"ftp".len()) & survey.has_question();
    let plain = ends && !survey.has_hashes(rest) && !has_query;
    u8::try_from(len).unwrap_or(0) * u8::from(plain)
}

/// The end of the extent of which the bracket at byte `bracket` closes the first URL.
#[inline(always)]
fn behind_bracket(text: &[u8], bracket: usize, limit: usize, reach: Reach<'_>) -> usize {
    // Mostly a comma, a full stop or nothing follows.
    let next = text.get(bracket + 1).copied().unwrap_or(b' ');
    let at = bracket + 1 + usize::from(matches!(next, b',' | b'.' | b';'));
    match text.get(at) {
        Some(b' ' | b'\n' | b'\r' | b'\t' | b'<' | b'"') => at,
        _ => extent::end(text, bracket, limit, reach),
    }
}

/// So many bytes behind a URL are looked at with it.
pub(crate) const ROOM: usize = 64;

/// See [`Candidate::plain_host`], of the URL of `len` bytes that `text` starts with. Its scheme has
/// `scheme` bytes, and [`ROOM`] bytes follow it.
pub(crate) fn plain_host_of(text: &[u8], scheme: usize, len: usize, reach: Reach<'_>) -> u8 {
    let host = scheme + 3;
    if !matches!(text.get(..host), Some(b"http://" | b"https://" | b"ftp://")) {
        return 0;
    }
    let mut survey = Survey::default();
    match extent::survey(text, host, reach, &mut survey) {
        Some(()) if len <= host + survey.run => plain_host(text, scheme, host, len, &survey, false),
        _ => 0,
    }
}

/// Where the prefix `URL:` starts that stands right before byte `start`, behind another colon, or
/// `start` if it is no prefix; `None` if a wrapper or a quote may open before it.
fn outer_start(
    text: &[u8],
    start: usize,
    colon: usize,
    past: Past,
    reach: Reach<'_>,
) -> Option<usize> {
    let may_open = || wrapper::may_open_before(text, start, colon, reach.schemes);
    let word = start.checked_sub(4)?;
    if !is_prefix_word(&text[word..word + 3]) {
        return (start >= past.floor && !may_open()).then_some(start);
    }
    let before = word.checked_sub(1)?;
    let apart = match text[before] {
        b'<' => past.plain == Some(before),
        b' ' | b'\n' | b'"' | b'[' | b':' | b',' => !may_open(),
        _ => false,
    };
    (word >= past.floor && apart).then_some(word)
}

/// Whether the prefix `URL:` may stand before the blank, and further blanks.
fn ends_prefix(text: &[u8], blank: usize) -> bool {
    let head = &text[blank.saturating_sub(MAX_PREFIX_BLANKS)..blank];
    let word = head.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    word.is_none_or(|last| {
        head[last] == b':'
            && last.checked_sub(3).is_none_or(|from| is_prefix_word(&head[from..last]))
    })
}

/// How many bytes before a colon are looked at: the longest scheme, and two that lead to it; with a
/// scheme of five letters, three.
const REACH: usize = 8;

/// Whether `byte` is one of a set of [`CLASSES`].
#[inline]
const fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

/// What a host may start with, as far as hosts are usual.
const HOST: u8 = 1;
/// A blank within a line.
const BLANK: u8 = 2;
/// What ends a word: then no bracket and no prefix can stand before a blank behind it.
const WORD_END: u8 = 4;
/// Opening marks that stand right before a URL.
const OPENING: u8 = 8;
/// What is never cut off at a URL's end.
const FIRM: u8 = 16;
/// What may belong to a URL, by what stands beside it.
const GOES_ON: u8 = 128;
/// What a line may end with, behind a URL.
const LINE_END: u8 = 32;
/// Anything that stands before a URL, is no part of its scheme, parts no prefix from it, marks no
/// emphasis, and is no quote that closes behind it.
const APART: u8 = 64;

static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        let alphanumeric = byte.is_ascii_alphanumeric();
        let apart = !is_scheme_byte(byte)
            && !matches!(
                byte,
                b'\'' | b'`' | b'*' | b'_' | b'#' | b'\t' | b':' | b'<' | b' ' | b'\n'
            );
        table[byte as usize] = if alphanumeric { HOST } else { 0 }
            | if byte == b' ' { BLANK } else { 0 }
            | if alphanumeric || matches!(byte, b',' | b'.' | b';') { WORD_END } else { 0 }
            | if matches!(byte, b'"' | b'[' | b'|' | b'(') { OPENING } else { 0 }
            | if matches!(byte, b'a'..=b'r' | b't'..=b'z' | b'/' | b'0'..=b'9') { FIRM } else { 0 }
            | if matches!(byte, b'\n' | b'\r' | b' ' | b'\t') { LINE_END } else { 0 }
            | if apart { APART } else { 0 }
            | if matches!(byte, b':' | b'[' | b'(' | b')' | 0x80..) { GOES_ON } else { 0 };
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// What makes eight letters small.
const CASE: u64 = 0x2020_2020_2020_2020;

/// The eight bytes before the colon in small letters, as far as they are letters.
#[inline]
fn letters(around: &[u8; REACH + 4]) -> u64 {
    u64::from_be_bytes(*around.first_chunk().unwrap_or(&[0; REACH])) | CASE
}

/// A name as [`letters`] gives it.
const fn tail(name: [u8; REACH]) -> u64 {
    u64::from_be_bytes(name)
}

/// The length of `http`, `https`, `ftp`, `gopher` or `telnet`, in any case, if one ends at the colon. (Where it is the
/// end of a longer word, that shows in what stands before it.)
#[inline]
fn scheme_len(around: &[u8; REACH + 4]) -> Option<usize> {
    let low = letters(around);
    let http = usize::from(low & 0xFFFF_FFFF == tail(*b"\0\0\0\0http"));
    let https = usize::from(low & 0xFF_FFFF_FFFF == tail(*b"\0\0\0https"));
    let ftp = usize::from(low & 0xFF_FFFF == tail(*b"\0\0\0\0\0ftp"));
    let six = low & 0xFFFF_FFFF_FFFF;
    let six = usize::from((six == tail(*b"\0\0gopher")) | (six == tail(*b"\0\0telnet")));
    let len = 4 * http + 5 * https + 3 * ftp + 6 * six;
    (len > 0).then_some(len)
}

/// As [`scheme_len`], for the schemes that go without slashes.
#[inline]
fn bare_scheme(around: &[u8; REACH + 4]) -> Option<(usize, Shape)> {
    let low = letters(around);
    if low & 0xFFFF_FFFF_FFFF == tail(*b"\0\0mailto") {
        Some((6, Shape::Mailto))
    } else if low & 0xFFFF_FFFF == tail(*b"\0\0\0\0news") {
        Some((4, Shape::News))
    } else {
        None
    }
}

/// As [`bare::line_end`], which most URLs need not ask.
#[inline]
fn line_end(text: &[u8], end: usize) -> Option<usize> {
    let next = *text.get(end)?;
    let after = *text.get(end + 1)?;
    if next == b'\n' {
        return Some(end);
    }
    // A blank and a word.
    if !is(next, LINE_END) || (next == b' ') & after.is_ascii_graphic() {
        return None;
    }
    bare::line_end(text, end)
}

/// Whether the colon is that of the prefix `<URL:`.
#[inline]
pub(crate) fn is_prefix(text: &[u8], colon: usize) -> bool {
    let head = colon.checked_sub(4).and_then(|open| text.get(open..)?.first_chunk::<4>());
    head.is_some_and(|head| u32::from_be_bytes(*head) | 0x0020_2020 == u32::from_be_bytes(*b"<url"))
}

/// The URL behind the prefix `<URL:` whose colon that is.
fn prefixed(text: &[u8], colon: usize) -> Option<Usual> {
    if !is_prefix(text, colon) {
        return None;
    }
    let open = colon - 4;
    let start = colon + 1;
    let after = text.get(start..)?;
    if let [b'<' | b'>', ..] = after {
        return Some(Usual::Nothing(open));
    }
    let run = after.iter().take_while(|&&byte| SCHEME_BYTE[usize::from(byte)]).count();
    match after[run..] {
        [b':', first, ..] if first != b'>' && run > 0 && !is_prefix_word(&after[..run]) => {
            within(text, open, start, start + run + 1, Form::Wrapped)
        }
        _ => unclosed(text, open, start),
    }
}

/// The wrapper that opens at `open`, if all that is left of it from byte `from` on is the URL that
/// starts at `start`, on one line, without layout or anything outside US-ASCII. Nothing if it is not
/// closed.
fn within(text: &[u8], open: usize, start: usize, from: usize, form: Form) -> Option<Usual> {
    let inside = text.get(..text.len().min(open + MAX_WRAPPER))?;
    let mut end = extent::plain(inside, from);
    loop {
        match inside.get(end) {
            Some(b'>') => break,
            None | Some(b'<') => return Some(Usual::Nothing(open)),
            Some(..=b' ' | 0x7F..) => return unclosed(text, open, end),
            _ => end = extent::plain(inside, end + 1),
        }
    }
    let whole = Span::new(open, end + 1);
    let span = Span::new(start, end);
    Some(Usual::Url(Taken { whole, span, form, end: whole.end, plain_host: 0, is_broken: false }))
}

/// Nothing, if the wrapper that opens at `open` is not closed from byte `from` on.
fn unclosed(text: &[u8], open: usize, from: usize) -> Option<Usual> {
    is_unclosed(text, open, from).then_some(Usual::Nothing(open))
}

/// Whether another `<` stands before the first `>` from byte `from` on, or no `>` near enough for the
/// wrapper that opens at `open`.
fn is_unclosed(text: &[u8], open: usize, from: usize) -> bool {
    let inside = text.get(from..text.len().min(open + MAX_WRAPPER)).unwrap_or_default();
    memchr::memchr2(b'<', b'>', inside).is_none_or(|close| inside[close] == b'<')
}
