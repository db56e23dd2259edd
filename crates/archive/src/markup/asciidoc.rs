//! Finds the regions of `AsciiDoc`: listings, literals, and the targets of `http://host/[text]`.
//!
//! No available parser gives byte offsets, so this module recognizes the few constructs that matter
//! for URLs.

use super::region::{Region, RegionKind};
use crate::decode::derived::Decoded;
use crate::notation::unescape::{self, Replacement};
use memchr::memmem;
use urlsift_core::Span;

/// Returns the code blocks, code spans and link targets of an `AsciiDoc` text, not yet in order.
pub(super) fn asciidoc_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    // The line that ends the open listing, and the offset after the line that starts it.
    let mut listing: Option<(&[u8], usize)> = None;
    let mut literal: Option<usize> = None;
    let mut after_blank = true;
    let mut at = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        let start = at;
        at += line.len();
        let body = line.trim_ascii_end();
        if let Some((delimiter, from)) = listing {
            if body == delimiter {
                regions.push(Region { span: Span::new(from, start), kind: RegionKind::CodeBlock });
                listing = None;
            }
            continue;
        }
        if let Some(from) = literal {
            if !body.is_empty() {
                continue;
            }
            regions.push(Region { span: Span::new(from, start), kind: RegionKind::CodeBlock });
            literal = None;
        }
        if let Some(delimiter) = closing_line_of_listing(body) {
            listing = Some((delimiter, at));
        } else if after_blank && line.starts_with(b" ") && !body.is_empty() && !is_list_item(body) {
            literal = Some(start);
        } else {
            push_inline_regions(line, start, &mut regions);
        }
        after_blank = body.is_empty();
    }
    if let Some(from) = listing.map(|(_, from)| from).or(literal) {
        regions.push(Region { span: Span::new(from, text.len()), kind: RegionKind::CodeBlock });
    }
    regions
}

/// Returns an `AsciiDoc` link target without the backslashes that prevent formatting or a
/// replacement, such as that of `...`. Returns `None` if it has no such backslashes.
/// `source_offset` is the target's offset in the text.
pub(super) fn decode_asciidoc_target(raw: &[u8], source_offset: usize) -> Option<Decoded> {
    unescape::decode_escapes_with(
        raw,
        source_offset,
        &mut Vec::new(),
        unescape::find_backslash,
        |raw, at| {
            raw.get(at + 1)
                .is_some_and(|next| b".-_*#^~+`".contains(next))
                .then_some((Replacement::Nothing, 1))
        },
    )
}

/// Returns the line that ends the listing, literal block, passthrough or comment that `line` opens.
/// Returns `None` if the line opens none.
fn closing_line_of_listing(line: &[u8]) -> Option<&[u8]> {
    // The name of a language may follow the backquotes.
    let ticks = line.iter().take_while(|&&b| b == b'`').count();
    if ticks >= 3 {
        return line.get(..ticks);
    }
    let first = *line.first()?;
    let all = line.iter().all(|&b| b == first);
    (all && line.len() >= 4 && b"-.+/".contains(&first)).then_some(line)
}

/// True if a line starts an item of an `AsciiDoc` list.
fn is_list_item(line: &[u8]) -> bool {
    let body = line.trim_ascii_start();
    let marks = body.iter().take_while(|b| b"*-.".contains(b)).count();
    marks > 0 && body.get(marks) == Some(&b' ')
}

/// Adds the code spans and link targets of a line to `regions`. `line_start` is the line's offset
/// in the text.
fn push_inline_regions(line: &[u8], line_start: usize, regions: &mut Vec<Region>) {
    let mut ticks = memchr::memchr_iter(b'`', line);
    while let (Some(open), Some(close)) = (ticks.next(), ticks.next()) {
        regions.push(Region {
            span: Span::new(line_start + open, line_start + close),
            kind: RegionKind::CodeSpan,
        });
    }
    let mut from = 0;
    while let Some(colon) = memmem::find(&line[from..], b"://").map(|at| from + at) {
        let name = line[from..colon].iter().rev().take_while(|b| b.is_ascii_alphabetic()).count();
        let start = colon - name;
        if let Some(end) = passthrough_end(line, start).filter(|_| name > 0) {
            let span = Span::new(line_start + start, line_start + end);
            regions.push(Region { span, kind: RegionKind::Destination });
            from = end;
            continue;
        }
        let len = line[colon..].iter().position(|b| b.is_ascii_whitespace() || b"[]<>".contains(b));
        let end = colon + len.unwrap_or(line.len() - colon);
        if name > 0 && line.get(end) == Some(&b'[') {
            let span = Span::new(line_start + start, line_start + end);
            regions.push(Region { span, kind: RegionKind::Destination });
        }
        from = end.max(colon + 3);
    }
}

/// Returns the end of the link target at byte `start` of the line if passthrough marks enclose it,
/// as in `link:++http://h.dom/a b++[text]`. Such a target may contain blanks and brackets. Returns
/// `None` if there are no such marks.
fn passthrough_end(line: &[u8], start: usize) -> Option<usize> {
    /// The maximum length of a target, in bytes.
    const MAX_LEN: usize = 2048;
    let closers: [&[u8]; 3] = [b"+++[", b"++[", b"$$["];
    let close = closers.into_iter().find(|close| {
        let open = &close[..close.len() - 1];
        line[..start].strip_suffix(open).is_some_and(|head| head.ends_with(b"link:"))
    })?;
    let near = &line[start..line.len().min(start + MAX_LEN)];
    memmem::find(near, close).map(|len| start + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listing_with_a_language_ends_at_backquotes() {
        use RegionKind::{CodeBlock, Destination};
        let text = "```ruby\nhttp://h/a[b]\n```\nhttp://h/c[d]\n";
        let found: Vec<_> =
            crate::markup::markup_regions(text.as_bytes(), crate::Dialect::AsciiDoc)
                .into_iter()
                .map(|region| (&text[region.span.range()], region.kind))
                .collect();
        assert_eq!(found, [("http://h/a[b]\n", CodeBlock), ("http://h/c", Destination)]);
    }

    #[test]
    fn listings_and_targets_are_found() {
        use RegionKind::{CodeBlock, CodeSpan, Destination};
        let text = "See https://h.dom/a[the mill] and `http://h/b`.\n\n----\nhttp://h/c\n----\n\n  http://h/d\n\nimage::http://h/e.png[]\n";
        let found: Vec<_> =
            crate::markup::markup_regions(text.as_bytes(), crate::Dialect::AsciiDoc)
                .into_iter()
                .map(|region| (text[region.span.range()].trim(), region.kind))
                .collect();
        assert_eq!(
            found,
            [
                ("https://h.dom/a", Destination),
                ("`http://h/b", CodeSpan),
                ("http://h/c", CodeBlock),
                ("http://h/d", CodeBlock),
                ("http://h/e.png", Destination),
            ]
        );
    }
}
