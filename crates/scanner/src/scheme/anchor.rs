//! The scheme before a colon, and what comes before the scheme.

use crate::scheme::syntax::{self, Setting};
use crate::scheme::{
    Classic, MAX_SCHEME, Schemes, Shape, classic_shape, is_prefix_word, scheme_run_len_before,
};
use crate::text::blank;
use crate::text::host::dotted_host_len;
use crate::text::line;
use crate::text::quote::margin_of;

/// The maximum number of blanks between the prefix `URL:` and a URL without brackets.
pub(crate) const MAX_PREFIX_BLANKS: usize = 64;

/// The schemes before which glued digits, `.` and `-` are cut off, too: `x-http://h.dom/` gives
/// `http://h.dom/`.
pub(crate) const COMMON: [&str; 3] = ["http", "https", "ftp"];

/// The scheme in front of a colon in running text, where a bare URL may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The offset of the scheme's first byte.
    pub(crate) start: usize,
    pub(crate) colon: usize,
    /// The syntax required after the colon; `None` for an unknown scheme, which needs `//` and a
    /// letter or digit.
    pub(crate) shape: Option<Shape>,
}

/// Returns the start of the longest run of scheme characters before `colon` that starts with a
/// letter. Returns `colon` if the run contains no letter or is longer than any scheme.
fn scheme_start(text: &[u8], colon: usize) -> usize {
    let run = scheme_run_len_before(text, colon);
    if run > MAX_SCHEME {
        return colon;
    }
    let mut start = colon - run;
    // `ESC ( B` switches ISO-2022 text back to US-ASCII, so its last byte isn't a letter of the
    // scheme. (It is one if the whole run is a classic scheme.)
    let is_escape = run > 0 && text[..start].ends_with(b"\x1B(");
    if is_escape && classic_shape(&text[start..colon]).is_none() {
        start += 1;
    }
    start + text[start..colon].iter().take_while(|b| !b.is_ascii_alphabetic()).count()
}

/// Returns the start of the scheme before `colon`, like [`scheme_start`]. Leader dots and the
/// remains of escapes at its start are skipped (see [`noise_len`]).
pub(crate) fn scheme_start_without_noise(text: &[u8], colon: usize) -> usize {
    let start = scheme_start(text, colon);
    start + noise_len(text, start, colon)
}

/// Returns the offset of the `//` on the next line, for a URL that is broken between its scheme's
/// colon and the slashes. Returns `None` if `colon` isn't followed by such a break.
///
/// After quote marks and indentation, the next line must start with the slashes and a host that
/// contains a dot.
pub(crate) fn slashes_on_next_line(text: &[u8], colon: usize) -> Option<usize> {
    let is_soft = *text.get(colon + 1)? == b'=';
    let after = colon + 1 + usize::from(is_soft);
    if !matches!(text.get(after)?, b'\n' | b'\r' | b' ') {
        return None;
    }
    Classic::scheme_at_end(&text[..colon]).filter(|scheme| COMMON.contains(&scheme.name))?;
    let break_at = line::line_end_after_blanks(text, after)?;
    let next = break_at + blank::line_break_len_at(text, break_at);
    let (line, _) = line::line_at(text, next);
    let own = &line[margin_of(line).len..];
    let host = own.strip_prefix(b"//").map_or(0, dotted_host_len);
    (host > 0).then_some(next + line.len() - own.len())
}

/// Returns the start of a bare URL whose scheme ends at byte `colon`. Returns `None` if no URL can
/// start there. `known_start` is the result of [`scheme_start_without_noise`], or `None` if it was not
/// called.
///
/// If `cut_glue` is true, letters that touch a classic scheme (`seehttp://`) are cut off.
pub(crate) fn anchor_at(
    text: &[u8],
    colon: usize,
    known_start: Option<usize>,
    schemes: &Schemes,
    cut_glue: bool,
) -> Option<Anchor> {
    // Most words before a colon aren't schemes, and few schemes work without slashes.
    let slashed = text.get(colon + 1) == Some(&b'/')
        || (schemes.is_modern() && slashes_on_next_line(text, colon).is_some());
    if !slashed && !schemes.ends_with_bare_scheme(&text[..colon]) {
        return None;
    }
    let mut start = match known_start {
        _ if !cut_glue => scheme_start(text, colon),
        Some(start) => start,
        None => scheme_start_without_noise(text, colon),
    };
    let name = &text[start..colon];
    if name.is_empty() || is_prefix_word(name) {
        return None;
    }
    let shape_of = |name: &[u8]| {
        if slashed { schemes.shape_of(name) } else { schemes.shape_without_slashes(name) }
    };
    let mut shape = shape_of(name);
    if shape.is_none()
        && cut_glue
        && let Some(cut) = escape_len(&text[..start], name)
            .filter(|cut| name.get(*cut..).is_some_and(|rest| shape_of(rest).is_some()))
            .or_else(|| glue_len(name))
    {
        start += cut;
        shape = shape_of(&text[start..colon]);
    }
    (slashed || shape.is_some()).then_some(Anchor { start, colon, shape })
}

/// Returns the number of bytes at the start of a possible scheme, `start..colon`, that aren't part
/// of it. These are leader dots (`Net......http://`), or the last letter of an undecoded escape
/// (`href=3Dhttp://`, `url%3Dhttp://`).
fn noise_len(text: &[u8], start: usize, colon: usize) -> usize {
    let name = &text[start..colon];
    if let Some(dots) = name.windows(2).rposition(|two| two == b"..") {
        return dots + 2;
    }
    let is_escaped = || {
        let head = start.checked_sub(2).and_then(|from| text.get(from..=start));
        match head {
            Some([b'%', digits @ ..]) => digits.iter().all(u8::is_ascii_hexdigit),
            Some([b'=', digits @ ..]) => {
                digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'))
            }
            _ => false,
        }
    };
    usize::from(name.len() > 3 && is_escaped() && classic_shape(&name[1..]).is_some())
}

/// Returns the number of bytes at the start of `name` that belong to an escape that starts in
/// `head`. The escape is a roff font or character (`\fB`, `\*(Aq`), a line break or tab in a string
/// literal, or TeX's `\verb+`. Returns `None` if there is no such escape.
fn escape_len(head: &[u8], name: &[u8]) -> Option<usize> {
    let is_character = [&b"\\("[..], b"\\*(", b"\\f("].iter().any(|before| head.ends_with(before));
    match name {
        _ if is_character => Some(2),
        [b'f', b'A'..=b'Z' | b'1'..=b'9', ..] if head.ends_with(b"\\") => Some(2),
        [b'v', b'e', b'r', b'b', b'+', ..] if head.ends_with(b"\\") => Some(5),
        [b'n' | b'r' | b't', ..] if head.ends_with(b"\\") => Some(1),
        _ => None,
    }
}

/// Returns the number of bytes to cut off at the start of `name`, e.g. 3 for `seehttp`. These are
/// the bytes before the longest classic scheme that `name` ends with. Returns `None` if nothing is
/// cut off.
///
/// Letters are cut off, and before the [`COMMON`] schemes also digits, `.` and `-`. Nothing is cut
/// off before `news`, which is the end of many words, nor at `+`, which joins two schemes.
fn glue_len(name: &[u8]) -> Option<usize> {
    Classic::scheme_at_end(name)?;
    let max_len = name.len().min(Classic::MAX_LEN + 1);
    (name.len() - max_len + 1..name.len()).find(|&cut| {
        let scheme = &name[cut..];
        let is_common =
            || COMMON.iter().any(|common| common.as_bytes().eq_ignore_ascii_case(scheme));
        match name[cut - 1] {
            b'+' => false,
            letter if letter.is_ascii_alphabetic() => {
                classic_shape(scheme).is_some_and(|shape| shape != Shape::News)
            }
            _ => is_common(),
        }
    })
}

impl Anchor {
    /// True if the text after the colon starts like a URL. `mailto` and `news` are always accepted
    /// here, and checked when the end of the URL is known. If `iri` is true, a host may start with
    /// a non-ASCII letter.
    #[inline]
    pub(crate) fn is_followed_by_url(&self, text: &[u8], iri: bool) -> bool {
        let rest = text.get(self.colon + 1..).unwrap_or_default();
        match self.shape {
            Some(Shape::Mailto | Shape::News) if !rest.starts_with(b"//") => true,
            Some(shape) => {
                syntax::fits_shape(shape, rest, Setting::Bare)
                    && (iri || rest.get(2).is_none_or(u8::is_ascii))
            }
            None => {
                let letters =
                    text[self.start..self.colon].iter().filter(|b| b.is_ascii_alphabetic());
                letters.count() >= 2
                    && !self.is_end_of_identifier(text)
                    && rest.strip_prefix(b"//").is_some_and(syntax::fits_unknown_scheme)
            }
        }
    }

    /// True if the scheme is the end of an identifier with an underscore, such as `app_scheme`. No
    /// scheme contains an underscore.
    fn is_end_of_identifier(&self, text: &[u8]) -> bool {
        let head = text[..self.start].strip_suffix(b"_");
        head.and_then(<[u8]>::last).is_some_and(u8::is_ascii_alphanumeric)
    }

    /// Returns the start of the prefix `URL:` right before the scheme, or `None` if there is none.
    /// Blanks on the same line may come between the two.
    #[inline]
    pub(crate) fn prefix_start(&self, text: &[u8]) -> Option<usize> {
        let head = text.get(..self.start)?;
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let blanks =
            head.iter().rev().take(MAX_PREFIX_BLANKS).take_while(|byte| is_blank(byte)).count();
        let head = head.get(..self.start - blanks)?.strip_suffix(b":")?;
        let word = head.len().checked_sub(3)?;
        let alone = !word.checked_sub(1).is_some_and(|i| head[i].is_ascii_alphanumeric());
        (is_prefix_word(&head[word..]) && alone && !ends_within_url(&head[..word])).then_some(word)
    }
}

/// The maximum distance searched before a prefix for a URL that it may be part of, in bytes.
const MAX_WORD: usize = 256;

/// True if `before`, the text up to a `URL:`, shows that this isn't a prefix but the end of another
/// URL: `http://h.dom/url: …`, `h.dom/my-url: …`.
fn ends_within_url(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(MAX_WORD)..];
    let is_end = |b: &u8| b.is_ascii_whitespace() || b"<>\"'(".contains(b);
    match near.iter().rposition(is_end) {
        Some(at) => is_like_url(&near[at + 1..]),
        None => near.len() == MAX_WORD || is_like_url(near),
    }
}

/// True if `word` contains a scheme with slashes, or a host and a path.
fn is_like_url(word: &[u8]) -> bool {
    memchr::memmem::find(word, b"://").is_some()
        || memchr::memchr(b'.', word).is_some_and(|dot| word[dot..].contains(&b'/'))
}
