//! What stands at a colon: the scheme before it, and what stands before that.

use crate::scheme::syntax::{self, Setting};
use crate::scheme::{
    Classic, MAX_SCHEME, Schemes, Shape, classic_shape, is_prefix_word, run_before,
};

/// How many blanks may stand between the prefix `URL:` and a URL without brackets.
pub(crate) const MAX_PREFIX_BLANKS: usize = 64;

/// The schemes before which anything is cut that was glued to them.
const COMMON: [&str; 3] = ["http", "https", "ftp"];

/// A scheme in running text, and the colon behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The scheme's first byte.
    pub(crate) start: usize,
    pub(crate) colon: usize,
    /// What must follow; `None` for an unknown scheme, which needs `//` and a letter or digit.
    pub(crate) shape: Option<Shape>,
}

/// The longest run of scheme characters before `colon`, from its first letter on; empty if there is
/// no letter in it or it is longer than any scheme.
fn scheme_start(text: &[u8], colon: usize) -> usize {
    let run = run_before(text, colon);
    if run > MAX_SCHEME {
        return colon;
    }
    let mut start = colon - run;
    // `ESC ( B` switches ISO-2022 text back to US-ASCII: its last byte is no letter. (Where a classic scheme is whole, it is.)
    let is_escape = run > 0 && text[..start].ends_with(b"\x1B(");
    if is_escape && classic_shape(&text[start..colon]).is_none() {
        start += 1;
    }
    start + text[start..colon].iter().take_while(|b| !b.is_ascii_alphabetic()).count()
}

/// As [`scheme_start`], without what is no part of a scheme ([`noise_len`]).
pub(crate) fn name_start(text: &[u8], colon: usize) -> usize {
    let start = scheme_start(text, colon);
    start + noise_len(text, start, colon)
}

/// The scheme that a bare URL at `colon` has, if one can start there. `name` is its [`name_start`], if that is known.
///
/// With `cut_glue`, letters that were glued to a classic scheme (`seehttp://`) are no part of it.
pub(crate) fn at(
    text: &[u8],
    colon: usize,
    name: Option<usize>,
    schemes: &Schemes,
    cut_glue: bool,
) -> Option<Anchor> {
    // Most words before a colon are no schemes, and only a few schemes go without slashes.
    let slashed = text.get(colon + 1) == Some(&b'/');
    if !slashed && !schemes.bare_ends(&text[..colon]) {
        return None;
    }
    let mut start = match name {
        _ if !cut_glue => scheme_start(text, colon),
        Some(start) => start,
        None => name_start(text, colon),
    };
    let name = &text[start..colon];
    if name.is_empty() || is_prefix_word(name) {
        return None;
    }
    let shape_of =
        |name: &[u8]| if slashed { schemes.shape(name) } else { schemes.bare_shape(name) };
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

/// How much of what looks like a scheme is none: dots that lead up to it (`Net......http://`), and the
/// last letter of an escape that nobody decoded (`href=3Dhttp://`, `url%3Dhttp://`).
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

/// How many bytes of `name` are those of an escape behind `head`: a font or character of roff's (`\fB`, `\*(Aq`), a line
/// break or tab in a program's string.
fn escape_len(head: &[u8], name: &[u8]) -> Option<usize> {
    let is_character = [&b"\\("[..], b"\\*(", b"\\f("].iter().any(|before| head.ends_with(before));
    match name {
        _ if is_character => Some(2),
        [b'f', b'A'..=b'Z' | b'1'..=b'9', ..] if head.ends_with(b"\\") => Some(2),
        [b'n' | b'r' | b't', ..] if head.ends_with(b"\\") => Some(1),
        _ => None,
    }
}

/// How many bytes are glued to the longest classic scheme that `name` ends with: letters, and before the schemes that
/// text is full of also digits, `.` and `-`. `news` is too common an ending of words, and `+` joins two schemes.
fn glue_len(name: &[u8]) -> Option<usize> {
    Classic::at_end(name)?;
    let most = name.len().min(Classic::LONGEST + 1);
    (name.len() - most + 1..name.len()).find(|&cut| {
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
    /// Whether what follows is a URL's beginning, as far as that shows without its end. (`mailto` and
    /// `news` are judged again when the end is known.)
    #[inline]
    pub(crate) fn accepts(&self, text: &[u8], iri: bool) -> bool {
        let rest = text.get(self.colon + 1..).unwrap_or_default();
        match self.shape {
            Some(Shape::Mailto | Shape::News) if !rest.starts_with(b"//") => true,
            Some(shape) => {
                syntax::fits(shape, rest, Setting::Bare)
                    && (iri || rest.get(2).is_none_or(u8::is_ascii))
            }
            None => {
                let letters =
                    text[self.start..self.colon].iter().filter(|b| b.is_ascii_alphabetic());
                letters.count() >= 2 && rest.strip_prefix(b"//").is_some_and(syntax::unknown)
            }
        }
    }

    /// The start of the prefix `URL:` right before the scheme, blanks of the same line allowed.
    #[inline]
    pub(crate) fn prefix(&self, text: &[u8]) -> Option<usize> {
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

/// How far before a prefix the URL is looked for that it may be a part of, in bytes.
const MAX_WORD: usize = 256;

/// Whether what stands before a prefix goes on in it: `http://h.dom/url: …`, `h.dom/my-url: …`.
fn ends_within_url(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(MAX_WORD)..];
    let is_end = |b: &u8| b.is_ascii_whitespace() || b"<>\"'(".contains(b);
    match near.iter().rposition(is_end) {
        Some(at) => is_like_url(&near[at + 1..]),
        None => near.len() == MAX_WORD || is_like_url(near),
    }
}

/// Whether a word names a scheme, or a host and a path.
fn is_like_url(word: &[u8]) -> bool {
    memchr::memmem::find(word, b"://").is_some()
        || memchr::memchr(b'.', word).is_some_and(|dot| word[dot..].contains(&b'/'))
}
