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
use crate::bare::MAX_URL;
use crate::candidate::{Candidate, Form};
use crate::extent::{self, Reach};
use crate::rejoin::{self, Memo, Site};
use crate::scheme::{Shape, is_prefix_word, is_scheme_byte};
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
pub(crate) enum Usual<'t> {
    /// A URL, and the end of the text that is its own.
    Url(Candidate<'t>, usize),
    /// Nothing, and the `<` at this byte opens no wrapper.
    Nothing(usize),
}

/// The URL whose scheme ends at `colon`, or whose prefix `URL:` does, if it is a usual one; `None` if
/// that takes a closer look.
#[inline]
pub(crate) fn read<'t>(
    input: &Input<'t>,
    colon: usize,
    past: Past,
    reach: Reach<'_>,
    level: Rejoin,
    memo: &mut Memo,
) -> Option<Usual<'t>> {
    let text = input.text;
    let around = text.get(colon.checked_sub(REACH)?..)?.first_chunk::<{ REACH + 4 }>()?;
    let (len, shape) = match *around {
        [.., b':', b'/', b'/', host] if host.is_ascii_alphanumeric() => {
            (scheme_len(around)?, Shape::Host)
        }
        [.., b':', b'/', _, _] => return None,
        [.., b'u' | b'U', b'r' | b'R', b'l' | b'L', b':', _, _, _] => return prefixed(text, colon),
        _ => bare_scheme(around)?,
    };
    let start = colon - len;
    let before = start - 1;
    let mut opener = None;
    let mut outer = start;
    match BEFORE[usize::from(around[REACH - 1 - len])] {
        Before::Angle => match within(text, before, start, colon + 1, Form::Bracketed)? {
            Usual::Nothing(_) => {}
            Usual::Url(found, end) => {
                let fits = shape == Shape::Host
                    || shape::fits(shape, &text[colon + 1..end - 1], Place::Bracketed);
                return fits.then_some(Usual::Url(found, end));
            }
        },
        Before::Blank if ENDS_WORD[usize::from(around[REACH - 2 - len])] => {}
        Before::Opening => {}
        Before::Round => opener = Some(b'('),
        Before::Line
            if before == past.left
                || !wrapper::may_open_before(text, start, colon, reach.schemes) => {}
        Before::Apart
            if start >= past.floor
                && !wrapper::may_open_before(text, start, colon, reach.schemes) => {}
        Before::Blank | Before::Tab
            if start >= past.floor
                && !ends_prefix(text, before)
                && !wrapper::may_open_before(text, start, colon, reach.schemes) => {}
        Before::Colon => outer = outer_start(text, start, colon, past, reach)?,
        _ => return None,
    }

    let (mut end, bracket) = extent::of_url(text, colon + 1, start + MAX_URL, reach);
    if end - start >= MAX_URL {
        return None;
    }
    if level > Rejoin::Off
        && let Some(break_at) = line_end(text, end)
    {
        // A soft break of quoted-printable nearly always goes on.
        if bracket.is_some() || text[end - 1] == b'=' {
            return None;
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
            return None;
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
    let len = match url {
        [.., b'a'..=b'r' | b't'..=b'z' | b'/' | b'0'..=b'9'] => url.len(),
        _ => trim::trimmed_len(url, None),
    };
    let span = Span::new(start, start + len);
    let fits = if shape == Shape::Host {
        span.end > colon + 3
    } else {
        shape::fits(shape, text.get(colon + 1..span.end)?, Place::Bare)
    };
    let form = if outer < start { Form::Prefixed } else { Form::Bare };
    let whole = Span::new(outer, span.end);
    fits.then(|| Usual::Url(Candidate::new(text, whole, span, form), own))
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

/// What stands right before a URL, as far as that settles how it stands.
#[derive(Clone, Copy)]
enum Before {
    Other,
    Angle,
    Blank,
    /// An opening mark that does not matter to where the URL ends.
    Opening,
    Round,
    Line,
    Colon,
    Tab,
    /// Anything else that is no part of a scheme, parts no prefix from it, and marks no emphasis.
    Apart,
}

static BEFORE: [Before; 256] = {
    let mut table = [Before::Apart; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        if is_scheme_byte(byte) {
            table[byte as usize] = Before::Other;
        }
        byte += 1;
    }
    table[b'\'' as usize] = Before::Other;
    table[b'`' as usize] = Before::Other;
    table[b'*' as usize] = Before::Other;
    table[b'_' as usize] = Before::Other;
    table[b'#' as usize] = Before::Other;
    table[b'\t' as usize] = Before::Tab;
    table[b':' as usize] = Before::Colon;
    table[b'<' as usize] = Before::Angle;
    table[b' ' as usize] = Before::Blank;
    table[b'"' as usize] = Before::Opening;
    table[b'[' as usize] = Before::Opening;
    table[b'|' as usize] = Before::Opening;
    table[b'(' as usize] = Before::Round;
    table[b'\n' as usize] = Before::Line;
    table
};

/// Whether a byte ends a word: then no bracket and no prefix can stand before a blank behind it.
static ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b',' | b'.' | b';');
        byte += 1;
    }
    table
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
    if low & 0xFFFF_FFFF == tail(*b"\0\0\0\0http") {
        Some(4)
    } else if low & 0xFF_FFFF_FFFF == tail(*b"\0\0\0https") {
        Some(5)
    } else if low & 0xFF_FFFF == tail(*b"\0\0\0\0\0ftp") {
        Some(3)
    } else {
        None
    }
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
    match text.get(end)? {
        b'\n' => (end + 1 < text.len()).then_some(end),
        b' ' if text.get(end + 1).is_some_and(u8::is_ascii_graphic) => None,
        b' ' | b'\t' | b'\r' => bare::line_end(text, end),
        _ => None,
    }
}

/// The URL behind the prefix `<URL:` whose colon that is.
fn prefixed(text: &[u8], colon: usize) -> Option<Usual<'_>> {
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
    let run = after.iter().take_while(|&&byte| is_scheme_byte(byte)).count();
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
fn within(text: &[u8], open: usize, start: usize, from: usize, form: Form) -> Option<Usual<'_>> {
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
    Some(Usual::Url(Candidate::new(text, whole, Span::new(start, end), form), whole.end))
}

/// Nothing, if the wrapper that opens at `open` is not closed from byte `from` on.
fn unclosed(text: &[u8], open: usize, from: usize) -> Option<Usual<'_>> {
    let inside = text.get(from..text.len().min(open + MAX_WRAPPER))?;
    match memchr::memchr2(b'<', b'>', inside) {
        Some(close) if inside[close] == b'>' => None,
        _ => Some(Usual::Nothing(open)),
    }
}
