//! Finds the regions of Markdown, with the parser pulldown-cmark.
//!
//! The parser returns only the span of a whole link. This module searches for the destination from
//! the end of the link text on, and compares it with the parsed one.

use super::references::{Collector, Reference, ReferenceForm};
use super::region::{Region, RegionKind};
use crate::decode::derived::Decoded;
use crate::html::entity;
use crate::notation::unescape::{self, Replacement};
use core::ops::Range;
use memchr::memchr2;
use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use urlsift_core::Span;

/// The maximum number of bytes that are parsed at once. The parser's tree can need twenty times as
/// much memory.
const MAX_CHUNK_LEN: usize = 2 << 20;

/// Returns the code, autolinks, link targets and HTML attributes of a Markdown text, not yet in
/// order.
pub(super) fn markdown_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    for_each_chunk(text, &mut |chunk, base| {
        let first = regions.len();
        push_regions(chunk, &mut regions, None);
        for region in regions.get_mut(first..).unwrap_or_default() {
            region.span = region.span.shifted(base);
        }
    });
    regions
}

/// Returns the regions of a Markdown text, as [`markdown_regions`] does, and adds its references
/// and definitions to `collector`.
pub(super) fn regions_and_references(text: &[u8], collector: &mut Collector) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut chunks = 0;
    for_each_chunk(text, &mut |chunk, base| {
        let first = regions.len();
        let (definitions, references) = (collector.definitions.len(), collector.undefined.len());
        push_regions(chunk, &mut regions, Some(collector));
        for region in regions.get_mut(first..).unwrap_or_default() {
            region.span = region.span.shifted(base);
        }
        collector.finish_chunk(chunk, base, definitions, references);
        chunks += 1;
    });
    if chunks > 1 {
        collector.resolve_across_chunks(text);
    }
    regions
}

/// Passes the chunks of a text, each with its offset in the text, to `take`.
pub(super) fn for_each_chunk(text: &[u8], take: &mut dyn FnMut(&str, usize)) {
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
    let mut base = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    while let Some(rest) = text.get(base..).filter(|rest| !rest.is_empty()) {
        let chunk = first_chunk(rest);
        take(chunk, base);
        base += chunk.len();
    }
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

/// The Markdown extensions that the parser supports.
pub(super) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES).union(Options::ENABLE_STRIKETHROUGH);

/// Appends the code, autolinks, link targets and HTML attributes of a chunk of Markdown to
/// `regions`. If `collector` is given, also collects the references and definitions.
fn push_regions(text: &str, regions: &mut Vec<Region>, mut collector: Option<&mut Collector>) {
    let mut undefined = Vec::new();
    let is_collecting = collector.is_some();
    let note_undefined = |link: BrokenLink<'_>| {
        let form = match link.link_type {
            LinkType::Reference => ReferenceForm::Full,
            LinkType::Collapsed => ReferenceForm::Collapsed,
            _ => ReferenceForm::Shortcut,
        };
        if is_collecting {
            let Range { start, mut end } = link.span;
            // The parser's span ends before the empty brackets.
            if form == ReferenceForm::Collapsed && text[end..].starts_with("[]") {
                end += 2;
            }
            undefined.push(Reference { whole: Span::new(start, end), form });
        }
        None
    };
    let parser = Parser::new_with_broken_link_callback(text, OPTIONS, Some(note_undefined));
    let mut defined = Vec::new();
    for (_, definition) in parser.reference_definitions().iter() {
        if let Some(colon) = text.get(definition.span.clone()).and_then(|whole| whole.find("]:")) {
            let from = definition.span.start + colon + 2;
            push_target(text, from, definition.span.end, &definition.dest, regions);
            if is_collecting {
                defined.push(Span::from(definition.span.clone()));
            }
        }
    }
    let first = collector.as_ref().map_or(0, |it| it.definitions.len());
    if let Some(collector) = &mut collector {
        defined.sort_unstable_by_key(|span| span.start);
        collector.find_candidates(text, defined);
    }
    // The open links: the end of the last element inside, and the parsed target of an inline link.
    let mut open: Vec<(usize, Option<CowStr<'_>>)> = Vec::new();
    let mut events = parser.into_offset_iter();
    while let Some((event, range)) = events.next() {
        if let Some(collector) = &mut collector {
            match &event {
                Event::Start(
                    Tag::Link { link_type, id, .. } | Tag::Image { link_type, id, .. },
                ) => {
                    let refers = matches!(
                        link_type,
                        LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut
                    );
                    if refers && let Some(used) = events.reference_definitions().get(id) {
                        collector.mark_used(used.span.start, first);
                    }
                    collector.pass(range.start, range.start + 1);
                }
                // Definitions may be in a paragraph, but not in text or code.
                Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) => {
                    collector.pass(range.start, range.end);
                }
                Event::Start(_) | Event::End(_) => {}
                _ => collector.pass(range.start, range.end),
            }
        }
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
    drop(events);
    if let Some(collector) = collector {
        collector.undefined.append(&mut undefined);
    }
}

/// Adds the regions that only MDX has: blocks that start with `import` or `export`, as code.
pub(super) fn push_mdx_code(text: &[u8], regions: &mut Vec<Region>) {
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
    fn references_and_definitions_are_matched() {
        let text = "[a][b] ![c][] [d] [e]\n\n[E]: f\n[g]: h\n[G]: i\nj\n[g]: k\n";
        let outline = crate::outline(text.as_bytes(), crate::Dialect::Markdown);
        let bytes = text.as_bytes();
        let undefined: Vec<_> = outline
            .undefined
            .iter()
            .map(|it| (&text[it.whole.range()], &text[it.label(bytes).range()]))
            .collect();
        for reference in [("[a][b]", "b"), ("![c][]", "c"), ("[d]", "d")] {
            assert!(undefined.contains(&reference), "{reference:?} of {undefined:?}");
        }
        assert!(!undefined.contains(&("[e]", "e")));
        let definitions: Vec<_> = outline
            .definitions
            .iter()
            .map(|it| (&text[it.label(bytes).range()], it.is_used, it.is_duplicate))
            .collect();
        assert_eq!(definitions, [("E", true, false), ("g", true, false), ("G", false, true)]);
    }

    #[test]
    fn references_to_other_chunks_are_defined() {
        let filler = "x\n\n".repeat(MAX_CHUNK_LEN / 3);
        let text = format!("[a] [b][c]\n\n{filler}[A]: d\n");
        let outline = crate::outline(text.as_bytes(), crate::Dialect::Markdown);
        assert!(outline.undefined.iter().all(|it| text[it.whole.range()].ends_with("[c]")));
        assert!(outline.definitions[0].is_used);
    }

    #[test]
    fn invalid_utf8_does_not_shift_offsets() {
        let text = b"\xff\xfe [a](http://h/)";
        let regions = crate::markup::markup_regions(text, crate::Dialect::Markdown);
        assert_eq!(&text[regions[0].span.range()], b"http://h/");
    }
}
