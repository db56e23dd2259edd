//! The fast path: reads common URLs at once.
//!
//! Nine URLs in ten have one of a few schemes, come after a word, a quote or a bracket, and contain
//! nothing unusual. The readers in `read` handle every case, and most of their checks find nothing.
//! Here [`prefilter`] rejects colons where nothing starts, and [`read_fast`] reads the common URL;
//! everything else is left to the readers. Both call the same functions as the readers. They only
//! decide which checks can be skipped.

mod context;
pub(crate) mod prefilter;

use crate::candidate::{Candidate, Form};
use crate::extent::{ExtentRules, stump, trim};
use crate::limits::{MAX_URL, MAX_WRAPPER};
use crate::read::bare::{self, FirstLine};
use crate::read::quoted_value;
use crate::read::starred;
use crate::rejoin::{self, BreakSite, Cache, Continuation};
use crate::scheme::anchor::Anchor;
use crate::scheme::syntax::{self, Setting};
use crate::scheme::{Classic, classic_shape, is_prefix_word, is_scheme_byte};
use crate::table::table;
use crate::text::line;
use crate::text::undecoded;
use crate::{Input, Rejoin};
use context::Context;
pub(crate) use context::PassState;
use urlsift_core::{Span, registry};

/// Possible addresses longer than this, in bytes, are left to the general readers.
const LONG_ADDRESS: usize = 512;

/// True for US-ASCII letters and digits. One of these right after the slashes always starts a host;
/// other bytes need another check.
static STARTS_HOST: [bool; 256] = table!(|byte| byte.is_ascii_alphanumeric());

/// The class of bytes that need another check if they come right after a URL, because the URL may be
/// cut off there or continue after them. Most URLs end at a blank, a quotation mark or a closing
/// bracket, which aren't in this class.
const SPECIAL: u8 = 1;
/// The class of bytes that delimit the word in which a URL is written.
const DELIMITER: u8 = 2;
/// The class of bytes that may follow a URL at the end of its line. See [`line::may_end_line`].
const LINE_END: u8 = 4;

/// Maps the byte right after a URL to its classes, as a bit mask.
static AFTER_URL: [u8; 256] = table!(|byte| {
    let is_special = bare::may_start_layout(byte) || stump::may_follow_stump(byte) || byte >= 0x80;
    let is_delimiter = match byte {
        b'<' | b'>' | b'"' => true,
        0x1B | 0x80.. => false,
        _ => !byte.is_ascii_graphic(),
    };
    (if is_special { SPECIAL } else { 0 })
        | (if is_delimiter { DELIMITER } else { 0 })
        | (if line::may_end_line(byte) { LINE_END } else { 0 })
});

/// The result of the fast path at one colon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    /// A complete URL, which is stored in `found`. The number is the end of the text that it covers,
    /// including the closing punctuation that was trimmed.
    Url(usize),
    /// A URL that continues, or may continue, on the next line.
    Continued(FirstLine, Continuation),
    /// No URL, and the `<` at this byte doesn't open a wrapper.
    Nothing(usize),
}

/// Reads the URL whose scheme, or whose prefix `URL:`, ends at `colon`. Returns `None` if the case
/// isn't simple enough, so that the general readers must decide.
///
/// For [`Outcome::Url`], `found` becomes the URL. For other results, its content is unspecified. It
/// is filled in place, because copying a URL right after its parts were stored stalls the processor.
#[inline(always)]
pub(crate) fn read_fast<'t>(
    input: &Input<'t>,
    colon: usize,
    pass: &PassState,
    rules: ExtentRules<'_>,
    level: Rejoin,
    cache: &mut Cache,
    found: &mut Candidate<'t>,
) -> Option<Outcome> {
    let text = input.text;
    let head = text.get(..colon)?;
    if head.last_chunk::<3>().is_some_and(|word| is_prefix_word(word)) {
        return read_prefixed_url(text, colon, found);
    }
    // (If the scheme is only the end of a longer word, the byte before it shows that.)
    let has_slash = text.get(colon + 1) == Some(&b'/');
    let scheme = Classic::scheme_at_end(head).filter(|classic| classic.has_slashes == has_slash)?;
    let start = colon - scheme.name.len();
    let anchor = Anchor { start, colon, shape: Some(scheme.shape) };
    let following = text.get(colon + 1..colon + 4)?;
    let has_host = matches!(following, [b'/', b'/', host] if STARTS_HOST[usize::from(*host)]);
    if !has_host && !anchor.is_followed_by_url(text, rules.iri) {
        return None;
    }
    let context = Context::classify(text, &anchor, pass, rules)?;
    if context == Context::Angle
        && let url @ Outcome::Url(_) =
            read_simple_wrapper(text, start - 1, start, colon + 1, Form::Bracketed, found)?
    {
        let inside = &text[colon + 1..found.span.end];
        return syntax::fits_shape(scheme.shape, inside, Setting::Bracketed).then_some(url);
    }
    let outer = if context == Context::Prefixed { anchor.prefix_start(text)? } else { start };
    let (end, has_mark) = cache.cached_extent_end(text, colon + 1, start + MAX_URL, rules);
    let first = FirstLine { start, outer, colon, shape: anchor.shape, end, has_mark };
    if end - start >= MAX_URL || first.is_address() && end - colon > LONG_ADDRESS {
        return None;
    }
    let after = text.get(end).map_or(DELIMITER, |&byte| AFTER_URL[usize::from(byte)]);
    if after & SPECIAL != 0
        && text.get(end).is_some_and(|&byte| bare::may_start_layout(byte))
        && let Some(next) = bare::continuation_after_escape(text, start, end, level, rules)
    {
        return Some(Outcome::Continued(first, next));
    }
    if has_mark && level > Rejoin::Off && starred::may_be_starred(text, start, end) {
        return None;
    }
    if after & LINE_END != 0
        && let Some(next) = continuation_after_first_line(input, &first, level, cache)
    {
        return Some(Outcome::Continued(first, next));
    }
    if after & SPECIAL != 0
        && (text.get(end).is_some_and(|&byte| stump::may_follow_stump(byte))
            && stump::is_stump(text, &text[start..end], end)
            || bare::ends_at_unknown_letter(text, end, rules))
    {
        return None;
    }
    let trimmed = trim::trimmed_end(text, outer, Span::new(start, end), first.has_mark);
    let span = Span::new(start, trimmed);
    if quoted_value::may_start_value(text, start) && quoted_value::may_differ(text, span)
        || trimmed == end && ends_with_escape(text, end)
    {
        return None;
    }
    let (form, whole) = match context {
        Context::Prefixed => (Form::Prefixed, Span::new(outer, trimmed)),
        _ => (Form::Bare, span),
    };
    let rest = text.get(colon + 1..trimmed)?;
    let fits = if scheme.has_slashes {
        rest.len() > b"//".len()
    } else {
        syntax::fits_shape(scheme.shape, rest, Setting::Bare)
    };
    if !fits {
        return None;
    }
    found.fill(text, whole, span, form, after & DELIMITER != 0);
    Some(Outcome::Url(end))
}

/// True if the text before byte `end` ends with the escape of a blank in quoted-printable.
#[inline(always)]
fn ends_with_escape(text: &[u8], end: usize) -> bool {
    matches!(text[..end], [.., b'=', b'2', b'0'] | [.., b'=', b'0', b'9'])
}

/// Returns where a URL continues after the line break at the end of its first line, `first`.
/// Returns `None` if it ends there.
#[inline(always)]
fn continuation_after_first_line(
    input: &Input<'_>,
    first: &FirstLine,
    level: Rejoin,
    cache: &mut Cache,
) -> Option<Continuation> {
    let break_at = line::line_end_after_blanks(input.text, first.end)?;
    let url = Span::new(first.start, first.end);
    let joined_so_far = &input.text[url.range()];
    let FirstLine { outer, has_mark, .. } = *first;
    let encoding = undecoded::Encoding::Unknown;
    let site = BreakSite { input, url, break_at, outer, has_mark, level, joined_so_far, encoding };
    rejoin::decide_with_cache(&site, cache)
}

/// Reads the URL that follows the prefix `URL:` whose colon is at `colon`. Returns `None` if the
/// case isn't simple enough for the fast path.
#[inline(never)]
fn read_prefixed_url<'t>(
    text: &'t [u8],
    colon: usize,
    found: &mut Candidate<'t>,
) -> Option<Outcome> {
    let open = colon.checked_sub(4).filter(|&open| text[open] == b'<')?;
    let start = colon + 1;
    let after = text.get(start..)?;
    if let [b'<' | b'>', ..] = after {
        return Some(Outcome::Nothing(open));
    }
    let run = after.iter().take_while(|&&byte| is_scheme_byte(byte)).count();
    match after[run..] {
        [b':', first, ..] if first != b'>' && !is_prefix_word(&after[..run]) => {
            let name = &after[..run];
            let from = start + run + 1;
            let outcome = read_simple_wrapper(text, open, start, from, Form::Wrapped, found)?;
            // The general readers add details for an unknown scheme.
            let is_known = classic_shape(name).is_some() || registry::find_entry(name).is_some();
            (is_known || matches!(outcome, Outcome::Nothing(_))).then_some(outcome)
        }
        _ => nothing_if_unclosed(text, open, start),
    }
}

/// Reads the wrapper (`<URL:…>` or `<…>`) that opens at byte `open`, if the rest of it is simple.
/// From byte `from` on it must contain only the URL that starts at `start`, in printable ASCII
/// without white space.
///
/// Returns [`Outcome::Nothing`] if the wrapper isn't closed, and `None` if the general readers must
/// decide.
fn read_simple_wrapper<'t>(
    text: &'t [u8],
    open: usize,
    start: usize,
    from: usize,
    form: Form,
    found: &mut Candidate<'t>,
) -> Option<Outcome> {
    let inside = text.get(from..text.len().min(open + MAX_WRAPPER))?;
    let Some(len) = memchr::memchr2(b'<', b'>', inside) else {
        return Some(Outcome::Nothing(open));
    };
    let url = &inside[..len];
    if inside[len] == b'<' {
        return Some(Outcome::Nothing(open));
    }
    // The general readers must decide about white space and non-ASCII characters, about a
    // backslash, which may be an escape that is not part of the URL, and about a `|`, after which
    // the link text may follow, as in `<url|text>`.
    if !url.iter().all(u8::is_ascii_graphic) || memchr::memchr2(b'\\', b'|', url).is_some() {
        return None;
    }
    let span = Span::new(start, from + len);
    let whole = Span::new(open, span.end + 1);
    // It is all US-ASCII, and the `>` follows it.
    found.fill(text, whole, span, form, true);
    Some(Outcome::Url(whole.end))
}

/// Returns [`Outcome::Nothing`] if the wrapper that opens at byte `open` isn't closed: another `<`
/// comes before the first `>` from byte `from` on, or there is no `>` within [`MAX_WRAPPER`] bytes.
/// Returns `None` if the wrapper is closed.
fn nothing_if_unclosed(text: &[u8], open: usize, from: usize) -> Option<Outcome> {
    let inside = text.get(from..text.len().min(open + MAX_WRAPPER))?;
    let closes = memchr::memchr2(b'<', b'>', inside).is_some_and(|close| inside[close] == b'>');
    (!closes).then_some(Outcome::Nothing(open))
}
