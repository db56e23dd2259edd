//! Finds the regions of Markdown, with the parser pulldown-cmark.
//!
//! The parser returns only the span of a whole link. This module searches for the target from the
//! end of the link text on, and compares it with the parsed target.

use super::region::{Region, RegionKind};
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use urlsift_core::Span;

/// The maximum number of bytes that are parsed at once. The parser's tree can need twenty times as
/// much memory.
const MAX_CHUNK_LEN: usize = 2 << 20;

/// Returns the code, autolinks, link targets and HTML attributes of a Markdown text, not yet in
/// order.
pub(super) fn regions(text: &[u8]) -> Vec<Region> {
    // The parser requires UTF-8. Each invalid byte is replaced by one `?`, so that offsets don't
    // change.
    let mut owned = String::new();
    let text = if let Ok(text) = std::str::from_utf8(text) {
        text
    } else {
        for chunk in text.utf8_chunks() {
            owned.push_str(chunk.valid());
            owned.extend(chunk.invalid().iter().map(|_| '?'));
        }
        owned.as_str()
    };
    let (mut regions, mut base) = (Vec::new(), 0);
    while let Some(rest) = text.get(base..).filter(|rest| !rest.is_empty()) {
        let chunk = first_chunk(rest);
        let first = regions.len();
        push_regions(chunk, &mut regions);
        regions[first..].iter_mut().for_each(|region| region.span = region.span.shifted(base));
        base += chunk.len();
    }
    regions
}

/// Returns the first chunk of `text` to parse: the whole text if it is short enough, otherwise
/// whole paragraphs, or whole words if a paragraph is too long.
fn first_chunk(text: &str) -> &str {
    if text.len() <= MAX_CHUNK_LEN {
        return text;
    }
    let longest = &text[..text.floor_char_boundary(MAX_CHUNK_LEN)];
    let end =
        longest.rfind("\n\n").map(|at| at + 2).or_else(|| longest.rfind(' ').map(|at| at + 1));
    end.map_or(longest, |end| &longest[..end])
}

/// Appends the code, autolinks, link targets and HTML attributes of a chunk of Markdown to
/// `regions`.
fn push_regions(text: &str, regions: &mut Vec<Region>) {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let parser = Parser::new_ext(text, options);
    for (_, definition) in parser.reference_definitions().iter() {
        if let Some(colon) = text[definition.span.clone()].find("]:") {
            let from = definition.span.start + colon + 2;
            push_target(text, from, definition.span.end, &definition.dest, regions);
        }
    }
    // The open links: the end of the last element inside, and the parsed target of an inline link.
    let mut open: Vec<(usize, Option<CowStr<'_>>)> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(
                Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
            ) => {
                if link_type == LinkType::Autolink {
                    let inner = Span::new(range.start + 1, (range.end - 1).max(range.start + 1));
                    regions.push(Region { span: inner, kind: RegionKind::Autolink });
                }
                let inline = link_type == LinkType::Inline;
                open.push((range.start + 1, inline.then_some(dest_url)));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some((inner_end, Some(dest))) = open.pop()
                    && let Some(rest) = text.as_bytes().get(inner_end..range.end)
                    && let Some(close) = rest.windows(2).position(|two| two == b"](")
                {
                    push_target(text, inner_end + close + 2, range.end, &dest, regions);
                }
                if let Some((end, _)) = open.last_mut() {
                    *end = range.end;
                }
            }
            Event::Code(_) => {
                regions.push(Region { span: range.clone().into(), kind: RegionKind::CodeSpan });
                if let Some((end, _)) = open.last_mut() {
                    *end = range.end;
                }
            }
            Event::Start(Tag::CodeBlock(_)) => {
                regions.push(Region { span: range.into(), kind: RegionKind::CodeBlock });
            }
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                let base = range.start;
                let inner = super::html::regions(&text.as_bytes()[range]);
                regions.extend(
                    inner.into_iter().map(|region| Region {
                        span: region.span.shifted(base),
                        kind: region.kind,
                    }),
                );
            }
            _ => {
                if let Some((end, _)) = open.last_mut() {
                    *end = (*end).max(range.end);
                }
            }
        }
    }
}

/// Returns the regions of an MDX text: those of Markdown, and the blocks of `import` and `export`
/// lines as code.
pub(super) fn mdx(text: &[u8]) -> Vec<Region> {
    let mut regions = regions(text);
    let (mut at, mut is_program) = (0, false);
    for line in text.split_inclusive(|&b| b == b'\n') {
        is_program = !line.trim_ascii().is_empty()
            && (is_program || line.starts_with(b"import ") || line.starts_with(b"export "));
        if is_program {
            let span = Span::new(at, at + line.len());
            regions.push(Region { span, kind: RegionKind::CodeBlock });
        }
        at += line.len();
    }
    regions
}

/// Adds the target that starts, after white space, at offset `from`. `read` is the parsed target. A
/// target with backslashes is skipped, because its bytes are not verbatim; the scanner handles it.
fn push_target(text: &str, from: usize, end: usize, read: &str, regions: &mut Vec<Region>) {
    let Some(rest) = text.get(from..end) else { return };
    let start = from + (rest.len() - rest.trim_start().len());
    let rest = &text[start..end];
    let span = if let Some(inner) = rest.strip_prefix('<') {
        let len = inner.find('>').unwrap_or(inner.len());
        Span::new(start + 1, start + 1 + len)
    } else if rest.starts_with(read) {
        Span::new(start, start + read.len())
    } else {
        let len = rest.find(|c: char| c.is_whitespace() || c == ')').unwrap_or(rest.len());
        Span::new(start, start + len)
    };
    if !text[span.range()].contains('\\') {
        regions.push(Region { span, kind: RegionKind::Destination });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, RegionKind)> {
        crate::markup::regions(
            text.as_bytes(),
            crate::dialect::Dialect::Text(crate::dialect::Markup::Markdown),
        )
        .into_iter()
        .map(|region| (&text[region.span.range()], region.kind))
        .collect()
    }

    #[test]
    fn long_text_is_parsed_in_chunks() {
        for piece in ["[x](http://h/abc) `c`\n\n", "`c` [x](http://h/abc) é "] {
            let count = MAX_CHUNK_LEN * 2 / piece.len() + 7;
            let text = piece.repeat(count);
            let found = found(&text);
            assert_eq!(found.len(), count * 2, "{piece}");
            assert!(
                found.iter().all(|(text, _)| ["http://h/abc", "`c`"].contains(text)),
                "{piece}"
            );
        }
    }

    #[test]
    fn targets_of_every_kind_are_found() {
        use RegionKind::{Autolink, CodeBlock, CodeSpan, Destination};
        assert_eq!(
            found(
                "[a](http://h/(x) \"t\") ![b]( <http://h/a b> )\n\n[c]: http://h/c\n[c] <http://h/d>"
            ),
            [
                ("http://h/(x)", Destination),
                ("http://h/a b", Destination),
                ("http://h/c", Destination),
                ("http://h/d", Autolink),
            ]
        );
        assert_eq!(found("[`x](`](http://h/)"), [("`x](`", CodeSpan), ("http://h/", Destination)]);
        assert_eq!(
            found("[![i](http://h/i)](http://h/o)"),
            [("http://h/i", Destination), ("http://h/o", Destination)]
        );
        assert_eq!(found("```\nhttp://h/\n```\n")[0].1, CodeBlock);
        assert_eq!(found("<a href=\"http://h/?a&amp;b\">x</a>")[0].0, "http://h/?a&amp;b");
        assert_eq!(found("[a](http://h/?a&amp;b)")[0].0, "http://h/?a&amp;b");
    }

    #[test]
    fn invalid_utf8_does_not_shift_offsets() {
        let text = b"\xff\xfe [a](http://h/)";
        let regions = crate::markup::regions(
            text,
            crate::dialect::Dialect::Text(crate::dialect::Markup::Markdown),
        );
        assert_eq!(&text[regions[0].span.range()], b"http://h/");
    }
}
