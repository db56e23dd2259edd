//! The usual URL, read at once.
//!
//! Nine URLs in ten are `http`, `https` or `ftp` with a host, or `mailto` or `news`, stand behind a
//! word, a quote or a bracket, and are not broken. For these the long way (look for a wrapper around, work out the
//! scheme, try its shape, balance brackets) comes to nothing at every step. Here each step is one
//! comparison that says whether it would; whatever fails one goes the long way, which gives the
//! same result for every URL that is usual. (A property test holds the two together.)
//!
//! Measured 2026-11-21 on link lists without rejoining: a URL costs 1,150 instructions the long way
//! and 590 with this, the trigger included.

use crate::anchor::MAX_PREFIX_BLANKS;
use crate::bare::{First, MAX_URL};
use crate::candidate::{Candidate, Form};
use crate::extent::{self, Reach};
use crate::rejoin::{self, Memo, Site};
use crate::scheme::{SCHEME_BYTE, Shape, is_prefix_word, is_scheme_byte};
use crate::shape::{self, Place};
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
}

/// A URL that was read at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    whole: Span,
    span: Span,
    form: Form,
    /// The end of the text that is its own.
    pub(crate) end: usize,
}

impl Taken {
    pub(crate) fn candidate<'t>(&self, text: &'t [u8]) -> Candidate<'t> {
        Candidate::new(text, self.whole, self.span, self.form)
    }
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
                Usual::Nothing(_) | Usual::Broken(_) => {}
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

    let (mut end, bracket) = extent::of_url(text, colon + 1, start + MAX_URL, reach);
    if end - start >= MAX_URL {
        return None;
    }
    let opener = (lead == b'(').then_some(lead);
    if level > Rejoin::Off
        && let Some(break_at) = line_end(text, end)
    {
        let has_bracket = bracket.is_some();
        let first = First { start, outer, colon, shape: Some(shape), end, has_bracket };
        // A soft break of quoted-printable nearly always goes on.
        if has_bracket || text[end - 1] == b'=' {
            return Some(Usual::Broken(first));
        }
        let site = Site {
            input,
            url: Span::new(start, end),
            break_at,
            opener,
            level,
            joined_so_far: &text[start..end],
        };
        if rejoin::decide(&site, memo).is_some() {
            return Some(Usual::Broken(first));
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
    fits.then_some(Usual::Url(Taken { whole, span, form, end: own }))
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

/// How many bytes before a colon are looked at: the longest scheme, and two that lead to it.
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
            | if apart { APART } else { 0 };
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// The eight bytes before the colon in small letters, as far as they are letters.
#[inline]
fn letters(around: &[u8; REACH + 4]) -> u64 {
    const CASE: u64 = 0x2020_2020_2020_2020;
    u64::from_be_bytes(*around.first_chunk().unwrap_or(&[0; REACH])) | CASE
}

/// A name as [`letters`] gives it.
const fn tail(name: [u8; REACH]) -> u64 {
    u64::from_be_bytes(name)
}

/// The length of `http`, `https` or `ftp`, in any case, if one ends at the colon. (Where it is the
/// end of a longer word, that shows in what stands before it.)
#[inline]
fn scheme_len(around: &[u8; REACH + 4]) -> Option<usize> {
    let low = letters(around);
    let http = usize::from(low & 0xFFFF_FFFF == tail(*b"\0\0\0\0http"));
    let https = usize::from(low & 0xFF_FFFF_FFFF == tail(*b"\0\0\0https"));
    let ftp = usize::from(low & 0xFF_FFFF == tail(*b"\0\0\0\0\0ftp"));
    let len = 4 * http + 5 * https + 3 * ftp;
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

/// The URL behind the prefix `<URL:` whose colon that is.
fn prefixed(text: &[u8], colon: usize) -> Option<Usual> {
    let open = colon.checked_sub(4)?;
    let head = text.get(open..colon)?.first_chunk::<4>()?;
    if u32::from_be_bytes(*head) | 0x0020_2020 != u32::from_be_bytes(*b"<url") {
        return None;
    }
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
    let mut end = from;
    loop {
        end = extent::plain(inside, end);
        match inside.get(end) {
            Some(b'>') => break,
            None | Some(b'<') => return Some(Usual::Nothing(open)),
            Some(..=b' ' | 0x7F..) => return unclosed(text, open, end),
            _ => end += 1,
        }
    }
    let whole = Span::new(open, end + 1);
    Some(Usual::Url(Taken { whole, span: Span::new(start, end), form, end: whole.end }))
}

/// Nothing, if the wrapper that opens at `open` is not closed from byte `from` on.
fn unclosed(text: &[u8], open: usize, from: usize) -> Option<Usual> {
    let inside = text.get(from..text.len().min(open + MAX_WRAPPER))?;
    match memchr::memchr2(b'<', b'>', inside) {
        Some(close) if inside[close] == b'>' => None,
        _ => Some(Usual::Nothing(open)),
    }
}
