//! How far a URL's characters run.
//!
//! The extent is found with a wide grammar: what any profile could take for a URL. (A strict one
//! would stop at a `~` and call the stump valid.) It ends at blanks, controls, `< > " { } | \ ^`,
//! backquote, brackets other than an IP literal's, and HTML's references to such characters (`entity`). Two
//! URLs glued by a comma or by brackets are two extents. What bars, carets, braces and
//! square brackets mean is for `bar` to say.

mod bar;
mod entity;
pub(crate) mod known;
pub(crate) mod opener;
pub(crate) mod trim;

use crate::options::Engine;
use crate::scheme::syntax;
use crate::scheme::{Schemes, Shape, classic_shape, may_name_scheme, run_before};
use crate::simd::ByteSet;
use crate::text::iri;
use std::sync::LazyLock;
use urlsift_core::Charset;

/// The bytes that belong to a URL wherever they stand: RFC 1738's xchar, `#` and `~`, without `&`,
/// `:` and `[`, which need a look at their neighbours, and without the round brackets, which are
/// looked at again when the end is trimmed. Runs of a set end at the same byte by every engine, which is
/// checked for the sets as such.
static PLAIN: LazyLock<ByteSet> =
    LazyLock::new(|| ByteSet::new(Engine::default(), std::array::from_fn(is_plain)));

fn is_plain(byte: usize) -> bool {
    u8::try_from(byte).is_ok_and(|b| b.is_ascii_alphanumeric() || b"$-_.+!*',;/?@=#~%".contains(&b))
}

/// What decides how far an extent runs, beyond the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExtentRules<'s> {
    pub(crate) schemes: &'s Schemes,
    pub(crate) charset: Charset,
    /// Whether letters outside US-ASCII belong to URLs.
    pub(crate) iri: bool,
}

/// The end of the extent that goes on at byte `from`, at most at `limit`. `from` stands inside a
/// URL or right after its scheme's colon.
///
/// It depends on the bytes around each position alone, not on where the URL started, so every
/// start within one extent agrees about its end.
pub(crate) fn end(text: &[u8], from: usize, limit: usize, rules: ExtentRules<'_>) -> usize {
    of_url(text, from, limit, rules).0.min(limit)
}

/// The first byte from `from` on that does not belong to a URL wherever it stands, or is a bracket.
#[inline]
pub(crate) fn plain(text: &[u8], from: usize) -> usize {
    PLAIN.run(text, from)
}

/// The end of the extent that goes on at byte `from`, within `limit`, and whether a round bracket stands in it.
#[inline(always)]
pub(crate) fn of_url(
    text: &[u8],
    from: usize,
    limit: usize,
    rules: ExtentRules<'_>,
) -> (usize, bool) {
    let within = text.get(..limit).unwrap_or(text);
    let stop = PLAIN.run(within, from);
    match within.get(stop) {
        Some(b'&' | b':' | b'[' | b']' | b'|' | b'{' | b'}' | b'^' | b'(' | b')' | 0x80..) => {
            go_on(within, text, from, stop, rules)
        }
        _ => (stop, false),
    }
}

/// Follows an extent from `at` on, the first byte that needs a look; `within` is the text up to the
/// limit.
fn go_on(
    within: &[u8],
    text: &[u8],
    from: usize,
    mut at: usize,
    rules: ExtentRules<'_>,
) -> (usize, bool) {
    let mut bracket = None;
    let mut line = None;
    while let Some(byte) = within.get(at) {
        match byte {
            b'&' if entity::ends_at(text, at) => break,
            b'&' => at += 1,
            b'(' | b')' => {
                bracket = bracket.or(Some(at));
                at += 1;
            }
            b':' => {
                if let Some(start) = glued_at(text, at, rules.schemes)
                    && start > from
                {
                    // The glue itself may be a bracket.
                    return (start, bracket.is_some_and(|bracket| bracket < start));
                }
                at += 1;
            }
            b'[' => {
                let len = if follows_authority_mark(text, at) {
                    syntax::ip_literal_len(&text[at..])
                } else {
                    0
                };
                if len == 0
                    && !(rules.schemes.is_modern() && bar::opens_within(text, at, &mut line))
                {
                    break;
                }
                let round = || memchr::memchr2(b'(', b')', &text[at..at + len]);
                bracket = bracket.or_else(|| round().map(|within| at + within));
                at += len.max(1);
            }
            b']' if rules.schemes.is_modern() && bar::closes_within(text, at, &mut line) => at += 1,
            b'|' if rules.schemes.is_modern() && bar::is_within(text, at, &mut line) => at += 1,
            b'^' if rules.schemes.is_modern() && bar::is_caret_within(text, at, &mut line) => {
                at += 1;
            }
            b'{' if rules.schemes.is_modern() && bar::opens_name(text, at, &mut line) => at += 1,
            b'}' if rules.schemes.is_modern() && bar::closes_name(text, at, &mut line) => at += 1,
            0x80.. => match letter_len(text, at, rules) {
                0 => break,
                len => at += len,
            },
            _ => break,
        }
        at = PLAIN.run(within, at);
    }
    (at.min(within.len()), bracket.is_some())
}

/// The length of the character outside US-ASCII at byte `at`, if an extent goes on over it; else 0.
#[inline]
pub(crate) fn letter_len(text: &[u8], at: usize, rules: ExtentRules<'_>) -> usize {
    let is_read = rules.iri && rules.charset == Charset::Utf8;
    if is_read { iri::len_at(text, at) } else { 0 }
}

/// Whether byte `at` stands right after `//` or a user name's `@`, where an IP literal can.
fn follows_authority_mark(text: &[u8], at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(b"//") || before.ends_with(b"@"))
}

/// If the colon at byte `colon` belongs to a further URL that was glued to the one before it: where
/// that one starts. The glue is a comma, a bracket or a quote right before it; after anything else
/// (`/web/1996/http://…`, `?url=http://…`) a URL within a URL is part of it.
#[inline]
pub(crate) fn glued_at(text: &[u8], colon: usize, schemes: &Schemes) -> Option<usize> {
    let after = text.get(colon + 1..)?.strip_prefix(b"//")?;
    glue_before(text, colon, after, schemes)
}

fn glue_before(text: &[u8], colon: usize, after: &[u8], schemes: &Schemes) -> Option<usize> {
    let start = colon - run_before(text, colon);
    let name = &text[start..colon];
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    let glue = matches!(before, Some(b',' | b';' | b'|' | b'(' | b')' | b'\''));
    let is_start = glue
        && match classic_shape(name).or_else(|| schemes.shape(name)) {
            Some(Shape::Host) => syntax::host(after),
            Some(Shape::File) => after.first() == Some(&b'/') || syntax::host(after),
            // A list, whatever it is of.
            Some(Shape::Slashes | Shape::Named) | None => {
                before == Some(&b',') && may_name_scheme(name) && syntax::host(after)
            }
            _ => false,
        };
    is_start.then_some(start)
}
