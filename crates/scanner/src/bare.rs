//! URLs in running text, with the prefix `URL:` or without.

use crate::anchor::Anchor;
use crate::candidate::{Candidate, Form, Seam};
use crate::extent::{self, Reach};
use crate::rejoin::{self, Memo, Site};
use crate::scheme::Shape;
use crate::shape::{self, Place};
use crate::trim;
use crate::{Input, Rejoin, blank};
use std::borrow::Cow;
use urlsift_core::Span;

/// The greatest length of a URL, in bytes. What is longer is cut.
pub(crate) const MAX_URL: usize = 65_536;

/// How many line breaks a bare URL is followed over.
const MAX_BREAKS: usize = 64;

/// How much layout may stand at a break. With this, the breaks, and the longest URL, all that a URL
/// covers lies within [`AFTER`](crate::AFTER) bytes of its start.
const MAX_GAP: usize = 1024;

/// How far back on its line an opening bracket is sought.
const OPENER_REACH: usize = 256;

/// A bare URL, and how far the text is its own.
pub(crate) struct Bare<'t> {
    /// `None` if what was read is too little to be a URL after all.
    pub(crate) candidate: Option<Candidate<'t>>,
    /// The end of the extent, before anything was trimmed: no other URL starts before it.
    pub(crate) end: usize,
    /// Whether the extent went on beyond the greatest length.
    pub(crate) truncated: bool,
}

/// Reads the URL at `anchor`.
pub(crate) fn read<'t>(
    input: &Input<'t>,
    anchor: &Anchor,
    reach: Reach<'_>,
    level: Rejoin,
    memo: &mut Memo,
) -> Bare<'t> {
    let text = input.text;
    let start = anchor.start;
    let prefix = anchor.prefix(text);
    let outer = prefix.unwrap_or(start);
    let limit = start + MAX_URL;
    let first_end = extent::end(text, anchor.colon + 1, limit, reach);
    let mut end = first_end;
    let mut url = Cow::Borrowed(&text[start..end]);
    let mut seams: Vec<Seam> = Vec::new();
    let mut line = start;
    while level > Rejoin::Off && seams.len() < MAX_BREAKS && url.len() < MAX_URL {
        let Some(break_at) = line_end(text, end) else { break };
        let site = Site {
            input,
            url: Span::new(line, end),
            break_at,
            opener: opener(text, outer, &url),
            level,
            joined_so_far: &url,
        };
        let Some(next) = rejoin::decide(&site, memo) else { break };
        let limit = next.resume + (MAX_URL - url.len());
        let next_end = extent::end(text, next.resume, limit, reach);
        // A tail that holds a URL of its own is left to that one, so that no place depends on more
        // than one line break before it.
        let far = next.resume - end > MAX_GAP;
        if far
            || next_end == next.resume
            || holds_url(text, Span::new(next.resume, next_end), reach)
        {
            break;
        }
        let piece = &text[next.resume..next_end];
        let hyphen = url.last() == Some(&b'-');
        let dropped = hyphen && rejoin::hyphen_dropped_by_twin(input, &url, piece, break_at, memo);
        let cut = next.cut + usize::from(dropped);
        seams.push(Seam {
            gap: Span::new(end - cut, next.resume),
            hyphen,
            kind: next.kind,
            grade: next.grade,
        });
        let kept = url.len() - cut;
        url.to_mut().truncate(kept);
        url.to_mut().extend_from_slice(piece);
        (line, end) = (next.resume, next_end);
    }

    let truncated = url.len() >= MAX_URL && extent::end(text, end, end + 1, reach) > end;
    let mut len = url.len();
    if !truncated {
        len = trim::closed(&url, opener(text, outer, &url));
        len = trim::trimmed_len(&url[..len], emphasis(text, outer));
    }
    let read_end = if seams.is_empty() { end } else { first_end };
    let fits = match anchor.shape {
        Some(shape @ (Shape::Mailto | Shape::News)) => url
            .get(anchor.colon + 1 - start..len)
            .is_some_and(|r| shape::fits(shape, r, Place::Bare)),
        Some(Shape::Named) => len > anchor.colon + 1 - start,
        _ => len > anchor.colon + 3 - start,
    };
    let candidate = fits.then(|| {
        let span = Span::new(start, cut_seams(&mut seams, start, len));
        let form = if prefix.is_some() { Form::Prefixed } else { Form::Bare };
        let whole = Span::new(outer, span.end);
        Candidate { truncated, ..Candidate::new(text, whole, span, form).broken(seams) }
    });
    let end =
        candidate.as_ref().map_or(read_end, |c| c.span.end.max(read_end)).max(end.min(first_end));
    Bare { candidate, end, truncated }
}

/// Where what runs from `start` to `end` in the text ends without what belongs to the sentence.
pub(crate) fn trimmed_end(text: &[u8], start: usize, end: usize) -> usize {
    let url = &text[start..end];
    let closed = trim::closed(url, opener(text, start, url));
    start + trim::trimmed_len(&url[..closed], emphasis(text, start))
}

/// Drops the seams that lie behind the URL's first `len` bytes, and gives the text offset where it
/// then ends.
fn cut_seams(seams: &mut Vec<Seam>, start: usize, len: usize) -> usize {
    let mut left = len;
    let mut from = start;
    for at in 0..seams.len() {
        let piece = seams[at].gap.start - from;
        if left <= piece {
            seams.truncate(at);
            break;
        }
        left -= piece;
        from = seams[at].gap.end;
    }
    from + left
}

/// If only blanks follow on the line from byte `end` on, and a further line does: where it breaks.
pub(crate) fn line_end(text: &[u8], end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let blanks = rest.iter().take(MAX_GAP).take_while(|b| matches!(b, b' ' | b'\t'));
    let at = end + blanks.count();
    let len = blank::line_break_at(text, at);
    (len > 0 && at + len < text.len()).then_some(at)
}

/// Whether a URL could start inside the span, which is part of an extent.
fn holds_url(text: &[u8], span: Span, reach: Reach<'_>) -> bool {
    memchr::memchr_iter(b':', &text[span.range()]).any(|at| {
        let colon = span.start + at;
        let Some(anchor) = crate::anchor::at(text, colon, reach.schemes, true) else {
            return false;
        };
        let rest = &text[colon + 1..span.end];
        match anchor.shape {
            Some(shape @ (Shape::Mailto | Shape::News | Shape::Named)) => {
                shape::fits(shape, rest, Place::Bare)
            }
            _ => anchor.accepts(text, reach.iri) || rest == b"//",
        }
    })
}

/// The bracket or quote that opened before the URL and decides where it closes: the byte right
/// before it or, if the URL holds a closing bracket too many, one that is still open on its line.
fn opener(text: &[u8], outer: usize, url: &[u8]) -> Option<u8> {
    let before = outer.checked_sub(1).and_then(|at| text.get(at)).copied();
    if matches!(before, Some(b'(' | b'\'' | b'`')) {
        return before;
    }
    if !url.contains(&b')') || trim::closed(url, Some(b'(')) == url.len() {
        return None;
    }
    let line = text.get(outer.saturating_sub(OPENER_REACH)..outer).unwrap_or_default();
    let mut closed = 0_usize;
    for byte in line.iter().rev() {
        match byte {
            b'\n' | b'\r' => break,
            b')' => closed += 1,
            b'(' if closed == 0 => return Some(b'('),
            b'(' => closed -= 1,
            _ => {}
        }
    }
    None
}

/// The mark of emphasis right before the URL, and how many of it stand there.
fn emphasis(text: &[u8], outer: usize) -> Option<(u8, usize)> {
    let head = text.get(outer.saturating_sub(3)..outer)?;
    let mark = *head.last()?;
    matches!(mark, b'*' | b'_' | b'#')
        .then(|| (mark, head.iter().rev().take_while(|&&b| b == mark).count()))
}
