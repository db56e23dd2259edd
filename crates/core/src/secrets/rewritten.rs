//! Finds secrets in the targets of rewritten links. Mail gateways replace links with their own,
//! e.g. `https://urldefense.proofpoint.com/v2/url?u=http-3A__h`. Some use an encoding of their own,
//! so the target must be decoded before it is searched.

use crate::rewriters::{DEPTH, Derived, next_gateway_host, undo_rewriting};
use crate::{Span, simd};
use alloc::vec::Vec;
use core::iter;

/// A function that returns the secrets that are visible in a URL without decoding rewritten links,
/// in no particular order.
type FindVisible<'a> = &'a dyn Fn(&[u8]) -> Vec<Span>;

/// The maximum length of a rewritten link, in bytes. The rest of a longer link is ignored.
const MAX_LINK: usize = 65_536;
/// The maximum number of gateway hosts to try in one run of text.
const MAX_TRIED: usize = 8;

/// Appends to `found` the spans of secrets in `text` that are only visible after decoding a link
/// that a mail gateway rewrote. `find_visible` finds the secrets in decoded text.
///
/// Takes linear time: each run of text is read a bounded number of times, and a target is shorter
/// than its link.
pub(super) fn find_in_rewritten_links(
    text: &[u8],
    find_visible: FindVisible<'_>,
    found: &mut Vec<Span>,
) {
    find_in_targets(text, find_visible, 0, found);
    find_in_encoded_runs(text, find_visible, found);
}

/// Appends the spans of secrets in runs of text that contain a percent-encoded `.` or `-`. Names of
/// gateways and token parameters in such runs can only be recognized after decoding.
///
/// Takes linear time: each run is decoded at most `DEPTH` times.
fn find_in_encoded_runs(text: &[u8], find_visible: FindVisible<'_>, found: &mut Vec<Span>) {
    let mut from = 0;
    while let Some(escape) = first_encoded_mark(&text[from..]) {
        let escape = from + escape;
        let earliest = from.max(escape.saturating_sub(MAX_LINK));
        let before = text[earliest..escape].iter().rposition(|&byte| is_run_end(byte));
        let start = before.map_or(earliest, |before| earliest + before + 1);
        from = link_end(text, escape).max(escape + 1);
        let mut run = Derived::copied_from(text, Span::new(start, from));
        for _ in 0..DEPTH {
            run = run.percent_decoded();
            let mut inside = find_visible(&run.bytes);
            find_in_targets(&run.bytes, find_visible, 0, &mut inside);
            found.extend(inside.iter().flat_map(|secret| run.source_spans(*secret)));
            if first_encoded_mark(&run.bytes).is_none() && !run.bytes.contains(&b'%') {
                break;
            }
        }
    }
}

/// Returns the offset of the first `.` or `-` that is percent-encoded once or several times (`%2E`,
/// `%252E`), or `None` if there is none.
fn first_encoded_mark(text: &[u8]) -> Option<usize> {
    let is_mark = |at: usize| {
        let mut rest = &text[at + 1..];
        while let Some(after) = rest.strip_prefix(b"25") {
            rest = after;
        }
        matches!(rest, [b'2', b'E' | b'e' | b'D' | b'd', ..])
    };
    percent_signs(text).find(|&at| is_mark(at))
}

/// Returns the offsets of all percent signs.
fn percent_signs(text: &[u8]) -> impl Iterator<Item = usize> {
    let next = |from| simd::find_in_class(text, from, |bytes| simd::equal_to(bytes, b'%'));
    iter::successors(next(0), move |at| next(at + 1))
}

/// True if a link ends before this byte, which is a space, a bracket, a comma or another delimiter
/// that gateways always encode.
fn is_run_end(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'<' | b'>' | b'"' | b'`' | b'\'' | b',' | b'|')
        || matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}')
}

/// Appends to `found` the spans of secrets in the targets of rewritten links in `text`. Also
/// searches links nested in those targets. `depth` is the number of links that contain `text`.
fn find_in_targets(
    text: &[u8],
    find_visible: FindVisible<'_>,
    depth: usize,
    found: &mut Vec<Span>,
) {
    let (mut at, mut run, mut tried) = (0, Span::default(), 0);
    while let Some(host) = next_gateway_host(text, at) {
        at = host.end;
        if host.start >= run.end {
            (run, tried) = (Span::new(host.start, link_end(text, host.start)), 0);
        }
        tried += 1;
        if tried > MAX_TRIED {
            at = run.end.max(at);
            continue;
        }
        let link = normalized_link(text, host, run.end);
        let Some(target) =
            link.as_ref().and_then(|link| Some(undo_rewriting(&link.bytes)?.composed_with(link)))
        else {
            continue;
        };
        let all = target.source_spans(Span::new(0, target.bytes.len()));
        at = all.map(|source| source.end).fold(at, usize::max);
        let mut inside = find_visible(&target.bytes);
        if depth + 1 < DEPTH {
            find_in_targets(&target.bytes, find_visible, depth + 1, &mut inside);
        }
        found.extend(inside.iter().flat_map(|secret| target.source_spans(*secret)));
    }
}

/// Returns the link whose host is at the span `host` and which ends at byte `end`, with `https://`
/// in front of the host. Line breaks are removed. If the slash after the host is percent-encoded,
/// the link is decoded.
///
/// Returns `None` if neither a path nor a port follows the host.
fn normalized_link(text: &[u8], host: Span, end: usize) -> Option<Derived> {
    let mut link = Derived::default();
    let mut at = host.start;
    while at < end {
        match text[at..] {
            [b'\n', ..] => at = line_break_end(text, at),
            // `\/` in JSON.
            [b'\r', ..] | [b'\\', b'/', ..] => at += 1,
            _ => {
                link.push_copy(text, Span::new(at, at + 1));
                at += 1;
            }
        }
    }
    let host_len = host.end - host.start;
    for _ in 0..DEPTH {
        match link.bytes.get(host_len) {
            Some(b'%') => link = link.percent_decoded(),
            Some(b'/' | b':') => {
                link.insert_prefix(b"https://");
                return Some(link);
            }
            _ => return None,
        }
    }
    None
}

/// Returns the end of a possible link that starts at byte `start`. The link ends at a delimiter
/// (see [`is_run_end`]), at a line break before an empty line, or after [`MAX_LINK`] bytes.
fn link_end(text: &[u8], start: usize) -> usize {
    let limit = text.len().min(start + MAX_LINK);
    let mut at = start;
    while at < limit {
        match text[at] {
            b'\r' if text.get(at + 1) == Some(&b'\n') => at += 1,
            b'\n' => {
                let next = line_break_end(text, at);
                if text.get(next).is_none_or(|byte| matches!(byte, b'\n' | b'\r')) {
                    return at;
                }
                at = next;
            }
            byte if is_run_end(byte) => return at,
            _ => at += 1,
        }
    }
    limit
}

/// Returns the offset after the line break at `at` and the quote marks and spaces that follow it.
fn line_break_end(text: &[u8], at: usize) -> usize {
    let after_break = text.get(at + 1..).unwrap_or_default();
    let marks = after_break.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>' | b'|'));
    (at + 1 + marks.count()).min(text.len())
}
