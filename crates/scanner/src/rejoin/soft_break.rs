//! Soft breaks of quoted-printable that nobody decoded, told at first sight.
//!
//! In HTML mail that is read as it lies in the file, one URL in six goes over such a break. A look
//! at the ends of both lines settles nearly all of them, for a fifth of what it takes to describe
//! the lines (2026-11-21).

use super::site::Site;
use super::tail;
use crate::Rejoin;
use crate::text::blank::{line_break_at, trim_end};
use crate::text::line::{
    Margin, comment, ends_softly, is_quoted_printable, leader, line_at, line_before, margin,
};

/// Where the URL goes on behind the `=` of a soft break, if that is plain; for a site where it does
/// not plainly [end](super::early_reject::ends). Never says so where [`decide`](super::decide) would find
/// anything else by the long way.
pub(super) fn resume(site: &Site<'_>) -> Option<usize> {
    let text = site.input.text;
    let head = site.joined_so_far;
    let is_soft = ends_softly(head)
        && site.url.end == site.break_at
        && site.level == Rejoin::Likely
        && site.input.breaks.is_empty();
    if !is_soft {
        return None;
    }
    let resume = site.break_at + line_break_at(text, site.break_at);
    let (line, below) = line_at(text, resume);
    // Neither blank nor quote mark, no leader of a comment, and nothing that may close something.
    let is_plain = match line.first()? {
        b'a'..=b'z' | b'0'..=b'9' | b'_' | b'~' | b'&' | b'=' | b'+' => true,
        b'A'..=b'Z' => margin(line) == Margin::default(),
        b'/' | b'%' | b'-' | b'#' => leader(line).is_empty(),
        _ => false,
    };
    if !is_plain {
        return None;
    }
    // What opened before the URL matters to a token only that ends in a bracket.
    let (token, rest) = tail::split_token(trim_end(line));
    if token.ends_with(b")") || tail::is_furniture_token(token, rest, None) {
        return None;
    }
    let own = line_before(text, site.break_at);
    let start = site.break_at - own.len();
    let before = own.get(..site.url.start.checked_sub(start)?)?;
    if !comment(before.get(margin(before).len..)?).is_empty() {
        return None;
    }
    let is_encoded = (below > resume + line.len() && ends_softly(line))
        || is_quoted_printable(text, start, site.break_at);
    is_encoded.then_some(resume)
}
