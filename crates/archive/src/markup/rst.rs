//! Finds the regions of reStructuredText: literal text, embedded targets and target lines.
//!
//! No available parser gives byte offsets, so this module recognizes the few constructs that matter
//! for URLs, as specified by docutils.

use super::region::{Region, RegionKind};
use crate::decode::derived::Decoded;
use crate::notation::unescape::{self, Replacement};
use urlsift_core::Span;

/// Decodes a link target of reStructuredText as docutils does: removes white space and decodes
/// backslash escapes. Returns `None` if it has neither. `source_offset` is the target's offset in
/// the text.
pub(super) fn decode_rst_target(raw: &[u8], source_offset: usize) -> Option<Decoded> {
    let find = |text: &[u8]| text.iter().position(|b| *b == b'\\' || b.is_ascii_whitespace());
    unescape::decode_escapes_with(raw, source_offset, &mut Vec::new(), find, |raw, at| {
        match raw.get(at..)? {
            [b'\\', next, ..] if next.is_ascii_whitespace() => Some((Replacement::Nothing, 2)),
            [b'\\', next, ..] if next.is_ascii() => Some((Replacement::Char(char::from(*next)), 2)),
            _ => Some((Replacement::Nothing, 1)),
        }
    })
}

/// Returns the literal text and link targets of a reStructuredText document, not yet in order.
pub(super) fn rst_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    // The open literal block: the indentation of the paragraph before it, and its start.
    let mut literal: Option<(usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        let start = at;
        at += line.len();
        let body = line.trim_ascii();
        let indent = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        if let Some((outer, from)) = literal {
            if body.is_empty() || indent > outer {
                continue;
            }
            regions.push(Region { span: Span::new(from, start), kind: RegionKind::CodeBlock });
            literal = None;
        }
        if is_code_directive(body) || (body.ends_with(b"::") && !body.starts_with(b"..")) {
            literal = Some((indent + list_mark_len(body), at));
        }
        push_inline_regions(text, start, line, &mut regions);
        push_target_definition(text, start, line, &mut regions);
    }
    if let Some((_, from)) = literal {
        regions.push(Region { span: Span::new(from, text.len()), kind: RegionKind::CodeBlock });
    }
    regions
}

/// Returns the length of the list mark at the start of `line`, including the spaces after it, or 0
/// if there is none. The paragraph of a list item is indented by this length.
fn list_mark_len(line: &[u8]) -> usize {
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    let is_letter = line.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'#');
    let number = digits.max(usize::from(is_letter));
    let mark = match line.get(number) {
        Some(b'-' | b'*' | b'+') if number == 0 => 1,
        Some(b'.' | b')') if matches!(number, 1..=3) => number + 1,
        _ => return 0,
    };
    let blanks = line.get(mark..).unwrap_or_default().iter().take_while(|&&b| b == b' ').count();
    if blanks == 0 { 0 } else { mark + blanks }
}

/// The directives whose content is code or literal text, from docutils, Sphinx and its common
/// extensions.
const CODE: [&[u8]; 22] = [
    b"code",
    b"code-block",
    b"code-tab",
    b"command-output",
    b"console",
    b"digraph",
    b"doctest",
    b"graph",
    b"graphviz",
    b"ipython",
    b"jupyter-execute",
    b"mermaid",
    b"parsed-literal",
    b"plot",
    b"productionlist",
    b"program-output",
    b"prompt",
    b"sourcecode",
    b"testcleanup",
    b"testcode",
    b"testoutput",
    b"testsetup",
];

/// True if a line starts a directive whose content is code, such as `.. doctest:: name`.
fn is_code_directive(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b".. ") else { return false };
    let Some(end) = memchr::memmem::find(rest, b"::") else { return false };
    let name = rest[..end].trim_ascii();
    // `.. code:: python`, or with a domain `.. py:code::`.
    let name = name.rsplit(|&b| b == b':').next().unwrap_or(name);
    CODE.contains(&name)
}

/// Adds the literal text in double backquotes and the targets of embedded links to `regions`.
/// `line` starts at offset `line_start` of `text`. An embedded link may continue on the following
/// lines.
fn push_inline_regions(text: &[u8], line_start: usize, line: &[u8], regions: &mut Vec<Region>) {
    let mut at = 0;
    while let Some(tick) = memchr::memchr(b'`', &line[at..]).map(|n| at + n) {
        if line[tick..].starts_with(b"``") {
            let Some(len) = memchr::memmem::find(&line[tick + 2..], b"``") else { return };
            let span = Span::new(line_start + tick + 2, line_start + tick + 2 + len);
            regions.push(Region { span, kind: RegionKind::CodeSpan });
            at = tick + len + 4;
            continue;
        }
        // The closing backquote may be on one of the next lines of the paragraph.
        let rest = &text[line_start + tick + 1..];
        let limit = rest.len().min(2048);
        let Some(close) = memchr::memchr(b'`', &rest[..limit]) else { return };
        let inner = &rest[..close];
        if rest.get(close + 1) == Some(&b'_')
            && inner.ends_with(b">")
            && let Some(open) = memchr::memrchr(b'<', inner)
        {
            let base = line_start + tick + 1;
            let span = Span::new(base + open + 1, base + close - 1);
            regions.push(Region { span, kind: RegionKind::Destination });
        }
        at = tick + 1 + close + 1;
        if at >= line.len() {
            return;
        }
    }
}

/// Adds the link target of a line to `regions` if the line has the form `.. _name: target` or `__
/// target`. `line` starts at offset `line_start` of `text`. The target may continue on the
/// following lines.
fn push_target_definition(text: &[u8], line_start: usize, line: &[u8], regions: &mut Vec<Region>) {
    let indent = line.len() - line.trim_ascii_start().len();
    let body = &line[indent..];
    let (rest, lead) = match (body.strip_prefix(b".. _"), body.strip_prefix(b"__")) {
        (Some(rest), _) => (rest, 4),
        (_, Some(rest)) if rest.starts_with(b" ") => (rest, 2),
        _ => return,
    };
    let name_end = if lead == 2 {
        Some(0)
    } else if rest.first() == Some(&b'`') {
        memchr::memmem::find(rest, b"`:").map(|n| n + 1)
    } else {
        rest.iter().enumerate().position(|(n, &b)| b == b':' && (n == 0 || rest[n - 1] != b'\\'))
    };
    let Some(colon) = name_end else { return };
    let value = &rest[colon + 1..];
    let blanks = value.len() - value.trim_ascii_start().len();
    let from = line_start + indent + lead + colon + 1 + blanks;
    let value = value.trim_ascii();
    // `.. _a: b_` refers to another target.
    let is_alias = value.ends_with(b"_") && !value.ends_with(b"\\_") && !value.contains(&b'/');
    if !is_alias && !value.contains(&b' ') {
        // The target continues on lines with a deeper indentation.
        let mut end = from + value.len();
        let mut next = line_start + line.len();
        for line in text.get(next..).unwrap_or_default().split_inclusive(|&b| b == b'\n') {
            let deeper = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            let body = line.trim_ascii();
            if deeper <= indent || body.is_empty() || body.contains(&b' ') {
                break;
            }
            end = next + deeper + body.len();
            next += line.len();
        }
        let from = from + text[from..end].len() - text[from..end].trim_ascii_start().len();
        let span = Span::new(from, end);
        regions.push(Region { span, kind: RegionKind::Destination });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        for (text, url) in [
            (r".. _a: http://h/b\_", "http://h/b_"),
            (r"`a <http://h/b\_c>`_", "http://h/b_c"),
            (r".. _a: http://h/\\b", r"http://h/\b"),
            (".. _a:\n   http://h/b/\n   c", "http://h/b/c"),
            ("__ http://h/b\\*", "http://h/b*"),
        ] {
            let region = crate::markup_regions(text.as_bytes(), crate::Dialect::Rst)[0];
            let made = crate::decode_region_text(text.as_bytes(), region, crate::Dialect::Rst);
            assert_eq!(made.unwrap().0, url.as_bytes(), "{text}");
        }
        assert!(crate::markup_regions(b".. _a: b_", crate::Dialect::Rst).is_empty());
    }

    #[test]
    fn literals_and_targets() {
        use RegionKind::{CodeBlock, CodeSpan, Destination};
        let text = "See ``http://h/a`` and `x\ny <http://h/b>`_, or::\n\n  http://h/c\n\nz\n\n.. _n: http://h/d\n.. _`a: b`: http://h/e\n";
        let found: Vec<_> = crate::markup::markup_regions(text.as_bytes(), crate::Dialect::Rst)
            .into_iter()
            .map(|region| (text[region.span.range()].trim(), region.kind))
            .collect();
        assert_eq!(
            found,
            [
                ("http://h/a", CodeSpan),
                ("http://h/b", Destination),
                ("http://h/c", CodeBlock),
                ("http://h/d", Destination),
                ("http://h/e", Destination),
            ]
        );
    }
}
