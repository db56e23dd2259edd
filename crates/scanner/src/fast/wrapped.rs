//! The URL in a wrapper, if nothing else is in it.

use super::classes::{FIRM, HOST, LINE_END, is};
use super::plain::{is_plain_name, plain_host};
use super::{CASE, Past, Taken, Usual, ends_at_line, tail};
use crate::candidate::{Form, NO_HOST};
use crate::extent::trim;
use crate::extent::{self, Reach};
use crate::limits::MAX_WRAPPER;
use crate::rejoin::Memo;
use crate::scheme::{SCHEME_BYTE, Shape, is_prefix_word};
use crate::simd::Survey;
use crate::{Input, Rejoin};
use urlsift_core::Span;

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
    let plain_host = plain_host(text, len, host, end, &survey, false);
    Some(Usual::Url(enclosed(open, Span::new(start, end), Form::Wrapped, plain_host)))
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

/// Whether the colon is that of the prefix `<URL:`.
#[inline]
fn is_prefix(text: &[u8], colon: usize) -> bool {
    let head = colon.checked_sub(4).and_then(|open| text.get(open..)?.first_chunk::<4>());
    head.is_some_and(|head| u32::from_be_bytes(*head) | 0x0020_2020 == u32::from_be_bytes(*b"<url"))
}

/// The URL behind the prefix `<URL:` whose colon that is.
pub(super) fn prefixed(text: &[u8], colon: usize) -> Option<Usual> {
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
pub(super) fn within(
    text: &[u8],
    open: usize,
    start: usize,
    from: usize,
    form: Form,
) -> Option<Usual> {
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
    Some(Usual::Url(enclosed(open, Span::new(start, end), form, 0)))
}

/// The `mailto` or `news` URL that starts at byte `start`, behind a `<`, and its name at `name`, if that is a
/// plain one and `>` stands behind it.
pub(super) fn bracketed_name(
    text: &[u8],
    start: usize,
    name: usize,
    shape: Shape,
    reach: Reach<'_>,
) -> Option<Taken> {
    let mut survey = Survey::default();
    extent::survey(text, name, reach, &mut survey)?;
    let end = name + survey.run;
    if text.get(end) != Some(&b'>') || !is_plain_name(&text[name..end], shape, &survey) {
        return None;
    }
    Some(enclosed(start - 1, Span::new(start, end), Form::Bracketed, NO_HOST))
}

/// The URL at `span` in the wrapper that opens at `open` and closes right behind it.
#[inline]
fn enclosed(open: usize, span: Span, form: Form, plain_host: u8) -> Taken {
    let whole = Span::new(open, span.end + 1);
    Taken { whole, span, form, end: whole.end, plain_host, is_broken: false }
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
