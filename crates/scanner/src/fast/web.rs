//! The web URL in running text or between brackets: eight URLs in ten.
#![expect(
    clippy::needless_bitwise_bool,
    reason = "what the processor cannot guess is worked out: one branch more cost a tenth of the time"
)]

use super::classes::{BLANK, FIRM, GOES_ON, HOST, LINE_END, OPENING, WORD_END, is};
use super::plain::plain_host;
use super::{Past, REACH, Taken, ends_at_line, is_apart, letters, line_end, tail};
use crate::candidate::Form;
use crate::extent::trim;
use crate::extent::{self, Reach};
use crate::limits::MAX_URL;
use crate::limits::MAX_WRAPPER;
use crate::rejoin::Memo;
use crate::simd::Survey;
use crate::{Input, Rejoin, rejoin};
use urlsift_core::Span;

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
        clear = is_apart(text, start, colon, past, reach.schemes);
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
        if !is(next, GOES_ON) || next >= 0x80 && extent::letter_len(text, end, reach) == 0 {
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
        // A URL that was surveyed holds no further `://`.
        let may_end_at_once = input.breaks.is_empty() && text[end - 1] != b'=';
        if level > Rejoin::Off
            && text.get(own).is_some_and(|&next| is(next, LINE_END))
            && !(own == end && may_end_at_once && rejoin::ends_at_once(text, end))
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
