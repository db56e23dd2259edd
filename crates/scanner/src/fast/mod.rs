//! The usual URL, read at once.
//!
//! Nine URLs in ten are `http`, `https` or `ftp` with a host, or `mailto` or `news`, stand behind a
//! word, a quote or a bracket, and are not broken. For these the long way (look for a wrapper around,
//! work out the scheme, try its shape, balance brackets) comes to nothing at every step. Here each
//! step is one comparison that says whether it would; whatever fails one goes the long way, which
//! gives the same result for every URL that is usual. (A property test holds the two together.)
//!
//! There are two short ways. [`web()`] and [`wrapped_web`] are for what fills link lists; they end a URL
//! by one survey of its bytes, which also tells whether it is valid. [`read`] is for the rest.
//!
//! Measured 2026-11-21 on link lists (AVX2): a URL that is found, judged and printed costs 870
//! instructions; 1,180 with [`read`] and a parser that looks at each byte again.

mod classes;
mod plain;
pub(crate) mod prefilter;
mod web;
mod wrapped;

pub(crate) use plain::{ROOM, plain_host_of};
pub(crate) use web::web;
pub(crate) use wrapped::wrapped_web;

use crate::candidate::{Candidate, Form, NO_HOST};
use crate::extent::trim;
use crate::extent::{self, Reach};
use crate::limits::MAX_URL;
use crate::read::bare;
use crate::read::bare::First;
use crate::read::wrapper;
use crate::rejoin::{self, Memo, Site};
use crate::scheme::anchor::MAX_PREFIX_BLANKS;
use crate::scheme::syntax::{self, Place};
use crate::scheme::{Schemes, Shape, is_prefix_word};
use crate::simd::Survey;
use crate::{Input, Rejoin};
use classes::{APART, BLANK, FIRM, GOES_ON, HOST, LINE_END, OPENING, WORD_END, is};
use plain::{is_plain_name, plain_host_by};
use urlsift_core::Span;
use wrapped::{bracketed_name, prefixed, within};

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
    let edge;
    let around = if let Some(around) = around(text, colon) {
        around
    } else {
        edge = around_edge(text, colon)?;
        &edge
    };
    let (len, shape) = match *around {
        [.., b':', b'/', b'/', host] if is(host, HOST) => (scheme_len(around)?, Shape::Host),
        [.., b':', b'/', _, _] => return None,
        [.., b'u' | b'U', b'r' | b'R', b'l' | b'L', b':', _, _, _] => return prefixed(text, colon),
        _ => bare_scheme(around)?,
    };
    let start = colon - len;
    let lead = around[REACH - 1 - len];
    let mut outer = start;
    let follows_word = is(lead, BLANK) & is(around[REACH - 2 - len], WORD_END);
    if !(follows_word | is(lead, OPENING)) {
        match lead {
            b'<' if shape != Shape::Host
                && let Some(url) = bracketed_name(text, start, colon + 1, shape, reach) =>
            {
                return Some(Usual::Url(url));
            }
            b'<' => match within(text, start - 1, start, colon + 1, Form::Bracketed)? {
                Usual::Nothing(_) | Usual::Unclosed(..) | Usual::Broken(_) => {}
                Usual::Url(url) => {
                    let fits = shape == Shape::Host
                        || syntax::fits(shape, &text[colon + 1..url.span.end], Place::Bracketed);
                    return fits.then_some(Usual::Url(url));
                }
            },
            b':' => outer = outer_start(text, start, colon, past, reach)?,
            _ if is_apart(text, start, colon, &past, reach.schemes) => {}
            _ => return None,
        }
    }

    let has_slashes = shape == Shape::Host;
    let name = colon + if has_slashes { 3 } else { 1 };
    let mut survey = Survey::default();
    let is_surveyed = extent::survey(text, name, reach, &mut survey).is_some();
    let ends = |at: usize| text.get(at).is_some_and(|&next| !is(next, GOES_ON));
    let (mut end, bracket) = if is_surveyed && ends(name + survey.run) {
        (name + survey.run, None)
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
    let form = if outer < start { Form::Prefixed } else { Form::Bare };
    let whole = Span::new(outer, span.end);
    let rest = text.get(name..span.end)?;
    let is_seen = is_surveyed && rest.len() <= survey.run;
    let is_plain_name = !has_slashes && is_seen && is_plain_name(rest, shape, &survey);
    let plain_host = if is_plain_name {
        NO_HOST
    } else if has_slashes && is_seen {
        plain_host_by(text, start..colon, span.end, &survey)
    } else {
        0
    };
    let fits = if has_slashes {
        !rest.is_empty()
    } else {
        is_plain_name || syntax::fits(shape, rest, Place::Bare)
    };
    fits.then_some(Usual::Url(Taken { whole, span, form, end: own, plain_host, is_broken: false }))
}

/// Whether it is plain by what stands before byte `start` that no wrapper, no prefix and no earlier URL
/// has a part in what starts there; for a lead other than a bracket.
#[inline(never)]
fn is_apart(text: &[u8], start: usize, colon: usize, past: &Past, schemes: &Schemes) -> bool {
    let Some(before) = start.checked_sub(1) else { return false };
    let may_open = || wrapper::may_open_before(text, start, colon, schemes);
    match text[before] {
        b'\n' => before == past.left || !may_open(),
        b' ' | b'\t' => start >= past.floor && !ends_prefix(text, before) && !may_open(),
        lead => is(lead, APART) && start >= past.floor && !may_open(),
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

/// The bytes before a colon, itself, and three behind it, if there are as many.
#[inline(always)]
fn around(text: &[u8], colon: usize) -> Option<&[u8; REACH + 4]> {
    text.get(colon.checked_sub(REACH)?..)?.first_chunk()
}

/// The same at the start of a text: it is as if a word and a blank stood before. Such texts are the fields of
/// headers and the attributes of tags.
#[cold]
fn around_edge(text: &[u8], colon: usize) -> Option<[u8; REACH + 4]> {
    let blank = (REACH - 1).checked_sub(colon)?;
    let mut around = [b'a'; REACH + 4];
    around[blank] = b' ';
    around[blank + 1..].copy_from_slice(text.get(..colon + 4)?);
    Some(around)
}

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
