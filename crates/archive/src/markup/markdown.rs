//! Finds the regions of Markdown, with the parser pulldown-cmark.
//!
//! The parser returns only the span of a whole link. This module searches for the destination from
//! the end of the link text on, and compares it with the parsed one.

use super::region::{Region, RegionKind};
use crate::decode::derived::Decoded;
use crate::html::entity;
use crate::notation::unescape::{self, Replacement};
use memchr::memchr2;
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use urlsift_core::Span;

/// The maximum number of bytes that are parsed at once. The parser's tree can need twenty times as
/// much memory.
const MAX_CHUNK_LEN: usize = 2 << 20;

/// Returns the code, autolinks, link targets and HTML attributes of a Markdown text, not yet in
/// order.
pub(super) fn markdown_regions(text: &[u8]) -> Vec<Region> {
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
    let byte_order_mark = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let (mut regions, mut base) = (Vec::new(), byte_order_mark);
    while let Some(rest) = text.get(base..).filter(|rest| !rest.is_empty()) {
        let chunk = first_chunk(rest);
        let first = regions.len();
        push_regions(chunk, &mut regions);
        for region in regions.get_mut(first..).unwrap_or_default() {
            region.span = region.span.shifted(base);
        }
        base += chunk.len();
    }
    regions
}

/// Returns the first chunk of `text` to parse. This is the whole text if it is short enough.
/// Otherwise, it consists of whole paragraphs, or of whole words if a paragraph is too long.
fn first_chunk(text: &str) -> &str {
    if text.len() <= MAX_CHUNK_LEN {
        return text;
    }
    let boundary = (0..=MAX_CHUNK_LEN).rev().find(|&at| text.is_char_boundary(at));
    let longest = &text[..boundary.unwrap_or_default()];
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
        if let Some(colon) = text.get(definition.span.clone()).and_then(|whole| whole.find("]:")) {
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
                let inner =
                    super::html::html_regions(text.as_bytes().get(range).unwrap_or_default());
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
pub(super) fn mdx_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = markdown_regions(text);
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

/// Adds the link destination between the offsets `from` and `end` to `regions`. White space may
/// precede the destination. `parsed` is the destination that the parser returned. If the text
/// doesn't decode to `parsed`, nothing is added, so that the destination is read as running text.
fn push_target(text: &str, from: usize, end: usize, parsed: &str, regions: &mut Vec<Region>) {
    let span = destination_span(text.as_bytes(), from, end);
    let raw = text.as_bytes().get(span.range()).unwrap_or_default();
    let decoded = decode_markdown_destination(raw, 0);
    if decoded.as_ref().map_or(raw, |decoded| &decoded.text) == parsed.as_bytes() {
        regions.push(Region { span, kind: RegionKind::Destination });
    }
}

/// Returns the span of the link destination between the offsets `from` and `end`, after any white
/// space (`CommonMark` 0.31 §6.3). It is in angle brackets, or ends at white space or an unbalanced
/// closing parenthesis.
fn destination_span(text: &[u8], from: usize, end: usize) -> Span {
    let text = text.get(..end).unwrap_or(text);
    let mut start = from;
    let mut is_line_start = false;
    while let Some(&byte) = text.get(start) {
        // In a block quote, the mark of the next line is not part of the link.
        if !(byte.is_ascii_whitespace() || is_line_start && byte == b'>') {
            break;
        }
        is_line_start = byte == b'\n' || is_line_start && byte == b' ';
        start += 1;
    }
    let is_bracketed = text.get(start) == Some(&b'<');
    start += usize::from(is_bracketed);
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if text.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'>' if is_bracketed => break,
            _ if is_bracketed => {}
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ if byte.is_ascii_whitespace() => break,
            _ => {}
        }
        at += 1;
    }
    Span::new(start, at.min(text.len()))
}

/// Decodes the backslash escapes and character references in a link destination. Returns `None` if
/// it has none. `source_offset` is the destination's offset in the text.
pub(super) fn decode_markdown_destination(raw: &[u8], source_offset: usize) -> Option<Decoded> {
    unescape::decode_escapes_with(
        raw,
        source_offset,
        &mut Vec::new(),
        |text| memchr2(b'\\', b'&', text),
        parse_escape_at,
    )
}

/// Returns the replacement for the backslash escape or character reference at offset `at`, and its
/// length in bytes (`CommonMark` 0.31 §2.4, §2.5). Returns `None` if there is neither.
fn parse_escape_at(raw: &[u8], at: usize) -> Option<(Replacement, usize)> {
    let rest = raw.get(at..)?;
    match rest {
        [b'\\', next, ..] if next.is_ascii_punctuation() => {
            Some((Replacement::Char(char::from(*next)), 2))
        }
        [b'&', ..] => {
            let (c, len) = entity::parse_character_reference(rest)?;
            (rest.get(len - 1) == Some(&b';')).then_some((Replacement::Char(c), len))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, RegionKind)> {
        crate::markup::markup_regions(text.as_bytes(), crate::Dialect::Markdown)
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
    fn destinations_are_decoded() {
        for (text, url) in [
            (r"[a](http://h/b\(c\(d\))", Some("http://h/b(c(d)")),
            (r"[a](http://h/b\)\:)", Some("http://h/b):")),
            (r"[a](<http://h/b\>c>)", Some("http://h/b>c")),
            ("[a](http://h/?b&amp;c&#x3D;1)", Some("http://h/?b&c=1")),
            (r"[a](http://h/b\d)", None),
            ("[a](http://h/?b&copy=1)", None),
            (r"[a]: http://h/b\_c", Some("http://h/b_c")),
            (r"| a |\n|-|\n| [b](http://h/c\|d) |", Some("http://h/c|d")),
            ("> [a](\n> http://h/b_.)", None),
            ("[a](http://h/b_(c_(d)).)", None),
            (r"<file:///c:\a\_b>", None),
        ] {
            let text = text.replace(r"\n", "\n");
            let all = crate::markup_regions(text.as_bytes(), crate::Dialect::Markdown);
            assert_eq!(all.len(), 1, "{text}");
            let made = crate::decode_region_text(text.as_bytes(), all[0], crate::Dialect::Markdown);
            let made = made.map(|(text, _)| String::from_utf8(text).unwrap());
            assert_eq!(made.as_deref(), url, "{text}");
        }
    }

    #[test]
    fn invalid_utf8_does_not_shift_offsets() {
        let text = b"\xff\xfe [a](http://h/)";
        let regions = crate::markup::markup_regions(text, crate::Dialect::Markdown);
        assert_eq!(&text[regions[0].span.range()], b"http://h/");
    }
}
