//! Finds the extent of a URL: the run of its characters.
//!
//! The extent follows a permissive grammar, which includes everything that any profile might accept
//! as a URL. (A strict grammar would stop at a `~` and call the rest valid.) It ends at blanks,
//! controls, `< > " { } | \ ^`, backquote, brackets other than an IP literal's, and HTML references
//! to such characters (`entity`). Two URLs glued by a comma or by brackets are two extents. The
//! exceptions for bars, carets and braces are in `bar`, and those for square brackets in
//! `label`.

mod bar;
pub(crate) mod encoded_end;
mod entity;
pub(crate) mod known;
mod label;
pub(crate) mod opener;
mod placeholder;
pub(crate) mod stump;
pub(crate) mod trim;

use crate::options::Engine;
use crate::scheme::anchor::COMMON;
use crate::scheme::syntax;
use crate::scheme::{Schemes, Shape, classic_shape, may_name_scheme, scheme_run_len_before};
use crate::simd::ByteSet;
use crate::text::iri;
use std::sync::LazyLock;
use urlsift_core::Charset;

/// The bytes that belong to a URL regardless of their neighbors: RFC 1738's xchar, `#` and `~`.
/// Without `&`, `:` and `[`, whose neighbors decide, and without the round brackets and `*`, which
/// are checked again when the end is trimmed. Tests of [`ByteSet`] check that all engines find the same
/// end of a run.
static PLAIN: LazyLock<ByteSet> =
    LazyLock::new(|| ByteSet::new(Engine::default(), std::array::from_fn(is_plain_url_byte)));

/// True if the byte always belongs to a URL, whatever comes before and after it.
fn is_plain_url_byte(byte: usize) -> bool {
    u8::try_from(byte).is_ok_and(|b| b.is_ascii_alphanumeric() || b"$-_.+!',;/?@=#~%".contains(&b))
}

/// The settings of the scanner that decide where the extent of a URL (its run of URL characters)
/// ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExtentRules<'s> {
    pub(crate) schemes: &'s Schemes,
    pub(crate) charset: Charset,
    /// True if letters outside US-ASCII belong to URLs.
    pub(crate) iri: bool,
    /// True if square brackets after a URL always contain its label, as in AsciiDoc.
    pub(crate) has_labels: bool,
}

/// Returns the end of the extent (run of URL characters) that contains byte `from`, at most
/// `limit`. `from` must be inside a URL or right after its scheme's colon.
///
/// The end depends only on the bytes around each offset, not on where the URL started. So all
/// starts within one extent give the same end.
pub(crate) fn extent_end(text: &[u8], from: usize, limit: usize, rules: ExtentRules<'_>) -> usize {
    extent_end_and_marks(text, from, limit, rules).0.min(limit)
}

/// Returns the offset of the first byte at or after `from` that is not a plain URL byte. A plain
/// byte belongs to a URL regardless of its neighbors.
#[inline]
pub(crate) fn plain_url_bytes_end(text: &[u8], from: usize) -> usize {
    PLAIN.run_end(text, from)
}

/// Returns the end of the extent (run of URL characters) that contains byte `from`, at most
/// `limit`. Also returns true if a round bracket or `*` is in the bytes from `from` up to that end.
#[inline(always)]
pub(crate) fn extent_end_and_marks(
    text: &[u8],
    from: usize,
    limit: usize,
    rules: ExtentRules<'_>,
) -> (usize, bool) {
    let within = text.get(..limit).unwrap_or(text);
    let stop = PLAIN.run_end(within, from);
    match within.get(stop) {
        Some(
            b'&'
            | b':'
            | b'['
            | b']'
            | b'|'
            | b'{'
            | b'}'
            | b'^'
            | b'`'
            | b'('
            | b')'
            | b'*'
            | 0x80..,
        ) => follow_extent(within, text, from, stop, rules),
        _ => (stop, false),
    }
}

/// Returns the same as [`extent_end_and_marks`], starting at byte `at`. All bytes in `from..at`
/// are plain URL bytes. `within` is the text up to the limit.
fn follow_extent(
    within: &[u8],
    text: &[u8],
    from: usize,
    mut at: usize,
    rules: ExtentRules<'_>,
) -> (usize, bool) {
    let mut mark = None;
    let mut line = None;
    while let Some(byte) = within.get(at) {
        match byte {
            b'&' if entity::ends_url_at(text, at) => break,
            b'&' => at += 1,
            b'(' if rules.schemes.is_modern() && starts_command(text, at) => break,
            b'(' | b')' | b'*' => {
                mark = mark.or(Some(at));
                at += 1;
            }
            b':' => {
                if let Some(start) = glued_url_start(text, at, rules.schemes)
                    && start > from
                {
                    // The glue itself may be a bracket.
                    return (start, mark.is_some_and(|mark| mark < start));
                }
                at += 1;
            }
            b'[' => {
                let len = if may_start_ip_literal_at(text, at) {
                    syntax::ip_literal_len(&text[at..])
                } else {
                    0
                };
                if len == 0 {
                    if !rules.schemes.is_modern() || rules.has_labels {
                        break;
                    }
                    if let Some(end) = label::extent_end_in_json(text, at, &mut line) {
                        at = end;
                        break;
                    }
                    if !label::opens_bracket_in_url(text, at, &mut line) {
                        break;
                    }
                }
                let round = || memchr::memchr2(b'(', b')', &text[at..at + len]);
                mark = mark.or_else(|| round().map(|within| at + within));
                at += len.max(1);
            }
            b']' if rules.schemes.is_modern()
                && label::closes_bracket_in_url(text, at, &mut line) =>
            {
                at += 1;
            }
            b'|' if rules.schemes.is_modern() && bar::is_bar_in_url(text, at, &mut line) => at += 1,
            b'^' if rules.schemes.is_modern() && bar::is_caret_in_url(text, at, &mut line) => {
                at += 1;
            }
            b'`' if rules.schemes.is_modern() && bar::is_backquote_in_url(text, at, &mut line) => {
                at += 1;
            }
            b'{' if rules.schemes.is_modern() => {
                if let Some(end) = label::extent_end_in_json(text, at, &mut line) {
                    at = end;
                    break;
                }
                if !bar::opens_placeholder(text, at, &mut line) {
                    break;
                }
                at += 1;
            }
            b'}' if rules.schemes.is_modern() && bar::closes_placeholder(text, at, &mut line) => {
                at += 1;
            }
            0x80.. => match non_ascii_url_char_len(text, at, rules) {
                0 if rules.iri && rules.charset == Charset::Utf8 => {
                    match bar::quoted_word_len(text, at, &mut line) {
                        0 => break,
                        len => at += len,
                    }
                }
                0 => break,
                len => at += len,
            },
            _ => break,
        }
        at = PLAIN.run_end(within, at);
    }
    (at.min(within.len()), mark.is_some())
}

/// True if the bracket at byte `at` starts a shell command with arguments: `$(uname -s)`.
fn starts_command(text: &[u8], at: usize) -> bool {
    /// The maximum length of the command's name, in bytes.
    const MAX_NAME: usize = 64;
    text[..at].ends_with(b"$") && {
        let near = &text[at..text.len().min(at + MAX_NAME)];
        matches!(near.iter().find(|byte| matches!(byte, b')' | ..=b' ')), Some(b' '))
    }
}

/// Returns the length in bytes of the non-ASCII character at byte `at` if it continues a URL;
/// otherwise 0.
#[inline]
pub(crate) fn non_ascii_url_char_len(text: &[u8], at: usize, rules: ExtentRules<'_>) -> usize {
    let is_read = rules.iri && rules.charset == Charset::Utf8;
    if is_read { iri::url_char_len_at(text, at) } else { 0 }
}

/// True if byte `at` comes right after `//`, or after the `@` of a user name, where an IP literal
/// can start.
fn may_start_ip_literal_at(text: &[u8], at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(b"//") || before.ends_with(b"@"))
}

/// Returns the start of the URL whose scheme ends at `colon`, if only a single punctuation mark
/// separates that URL from another one before it: `http://a/,http://b/`. The mark is a comma,
/// semicolon, bar, round bracket or apostrophe, or `!:` between an image and its link in Textile.
/// Nothing separates the two if the first one ends with its host: `http://h.domhttp://h.dom`.
///
/// After any other byte (`/web/1996/http://…`, `?url=http://…`), a URL within a URL is part of it,
/// and the result is `None`.
#[inline]
pub(crate) fn glued_url_start(text: &[u8], colon: usize, schemes: &Schemes) -> Option<usize> {
    let after = text.get(colon + 1..)?.strip_prefix(b"//")?;
    glued_start_before(text, colon, after, schemes)
}

/// Returns the same as [`glued_url_start`], given `after`, the text after `://`. Returns `None` if
/// no other URL is right before this one.
fn glued_start_before(text: &[u8], colon: usize, after: &[u8], schemes: &Schemes) -> Option<usize> {
    let start = colon - scheme_run_len_before(text, colon);
    let name = &text[start..colon];
    if schemes.is_modern()
        && let Some(len) = host_len_before_scheme(text, start, name)
        && syntax::starts_with_host(after)
    {
        return Some(start + len);
    }
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    let glue = matches!(before, Some(b',' | b';' | b'|' | b'(' | b')' | b'\''))
        || text[..start].ends_with(b"!:");
    let is_start = glue
        && match classic_shape(name).or_else(|| schemes.shape_of(name)) {
            Some(Shape::Host) => syntax::starts_with_host(after),
            Some(Shape::File) => after.first() == Some(&b'/') || syntax::starts_with_host(after),
            // A list of URLs with any scheme.
            Some(Shape::Slashes | Shape::Named) | None => {
                before == Some(&b',') && may_name_scheme(name) && syntax::starts_with_host(after)
            }
            _ => false,
        };
    is_start.then_some(start)
}

/// Returns the length of the host at the start of `name`, a run of scheme characters from byte
/// `start` on, if a common scheme follows the host: 5 for `h.domhttp`. Returns `None` if `name` is
/// not such a host.
///
/// `latex2html` writes the text of a link and the URL of its footnote like this.
fn host_len_before_scheme(text: &[u8], start: usize, name: &[u8]) -> Option<usize> {
    if !text[..start].ends_with(b"://") {
        return None;
    }
    let host = COMMON.iter().find_map(|scheme| {
        let (host, end) = name.split_at(name.len().checked_sub(scheme.len())?);
        end.eq_ignore_ascii_case(scheme.as_bytes()).then_some(host)
    })?;
    let is_host = host.contains(&b'.') && host.last().is_some_and(u8::is_ascii_alphanumeric);
    is_host.then_some(host.len())
}
