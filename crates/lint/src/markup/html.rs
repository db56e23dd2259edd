//! HTML source: the values of attributes that hold URLs, and what is code.
//!
//! A tokenizer for tags only, after the HTML standard's states, with byte offsets; it never fails,
//! and what it takes for a tag starts with `<` and a letter.

use super::region::{Region, RegionKind, Value};
use urlsift_core::{MapBuilder, Span, SpanMap};

/// Attributes whose value is one URL, on whatever element.
const URL_ATTRIBUTES: [&[u8]; 14] = [
    b"href",
    b"src",
    b"action",
    b"cite",
    b"data",
    b"background",
    b"longdesc",
    b"codebase",
    b"formaction",
    b"poster",
    b"profile",
    b"usemap",
    b"manifest",
    b"classid",
];

/// Elements whose content is not markup.
const RAW: [&[u8]; 2] = [b"script", b"style"];

/// Elements whose content is program text.
const CODE: [&[u8]; 4] = [b"code", b"samp", b"kbd", b"xmp"];

pub(super) fn regions(text: &[u8]) -> Vec<Region> {
    read(text, |_| {})
}

/// Gives each tag and comment to `tag`.
pub(super) fn read(text: &[u8], mut tag: impl FnMut(Span)) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut code_from: Option<(usize, usize)> = None;
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &text[at..]).map(|n| at + n) {
        let rest = &text[open..];
        if rest.starts_with(b"<!--") {
            at = memchr::memmem::find(&rest[4..], b"-->").map_or(text.len(), |n| open + n + 7);
            tag(Span::new(open, at));
            continue;
        }
        let closing = rest.get(1) == Some(&b'/');
        let name_at = open + 1 + usize::from(closing);
        if !text.get(name_at).is_some_and(u8::is_ascii_alphabetic) {
            at = open + 1;
            continue;
        }
        let name_end = end_of(text, name_at, |b| b.is_ascii_whitespace() || b == b'>' || b == b'/');
        let name = text[name_at..name_end].to_ascii_lowercase();
        // `<http://host/>` is no tag: no element has a colon and slashes.
        if name.ends_with(b":") {
            at = name_end;
            continue;
        }
        at = attributes(text, name_end, &mut regions);
        tag(Span::new(open, at));
        if CODE.contains(&name.as_slice()) {
            code_from = match (code_from, closing) {
                (None, false) => Some((at, 1)),
                (Some((from, depth)), false) => Some((from, depth + 1)),
                (Some((from, 1)), true) => {
                    regions
                        .push(Region { span: Span::new(from, open), kind: RegionKind::CodeSpan });
                    None
                }
                (Some((from, depth)), true) => Some((from, depth - 1)),
                (None, true) => None,
            };
        }
        if !closing && RAW.contains(&name.as_slice()) {
            let end = raw_end(text, at, &name);
            regions.push(Region { span: Span::new(at, end), kind: RegionKind::CodeBlock });
            at = end;
        }
    }
    regions
}

/// Reads the attributes from `at` on and returns the offset behind the tag's `>`.
fn attributes(text: &[u8], mut at: usize, regions: &mut Vec<Region>) -> usize {
    loop {
        at = end_of(text, at, |b| !b.is_ascii_whitespace() && b != b'/');
        match text.get(at) {
            Some(b'>') => return at + 1,
            // At `<` the tag is unclosed, and what follows is markup again.
            None | Some(b'<') => return at,
            Some(_) => {}
        }
        let name_end = end_of(text, at + 1, |b| {
            b.is_ascii_whitespace() || matches!(b, b'=' | b'>' | b'/' | b'<')
        });
        let name = Span::new(at, name_end);
        let equals = end_of(text, name_end, |b| !b.is_ascii_whitespace());
        if text.get(equals) != Some(&b'=') {
            at = name_end;
            continue;
        }
        let start = end_of(text, equals + 1, |b| !b.is_ascii_whitespace());
        let value = if let Some(&quote @ (b'"' | b'\'')) = text.get(start) {
            let end = end_of(text, start + 1, |b| b == quote);
            at = (end + 1).min(text.len());
            Span::new((start + 1).min(end), end)
        } else {
            at = end_of(text, start, |b| b.is_ascii_whitespace() || b == b'>');
            Span::new(start, at)
        };
        let is_url =
            URL_ATTRIBUTES.iter().any(|known| text[name.range()].eq_ignore_ascii_case(known));
        if is_url && value.len() <= 65_536 {
            let span = trimmed(text, value);
            regions.push(Region { span, kind: RegionKind::Attribute });
        }
    }
}

fn trimmed(text: &[u8], span: Span) -> Span {
    let bytes = &text[span.range()];
    let lead = bytes.len() - bytes.trim_ascii_start().len();
    Span::new(span.start + lead, span.start + lead + bytes.trim_ascii().len())
}

fn end_of(text: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.iter().position(|&b| stop(b)).map_or(text.len(), |n| from + n)
}

fn raw_end(text: &[u8], from: usize, name: &[u8]) -> usize {
    let mut at = from;
    while let Some(next) = memchr::memmem::find(&text[at..], b"</").map(|n| at + n) {
        let rest = &text[next + 2..];
        if rest.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name)) {
            return next;
        }
        at = next + 2;
    }
    text.len()
}

/// The character references that occur in URLs.
const NAMED: [(&[u8], u8); 5] =
    [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];

/// `raw`, which stands at `base` in its text, with its character references decoded.
pub(super) fn decode(raw: &[u8], base: usize) -> Value<'_> {
    if !raw.contains(&b'&') {
        return Value { text: raw.into(), map: SpanMap::cut_from(base) };
    }
    let mut text = Vec::with_capacity(raw.len());
    let mut map = MapBuilder::new();
    let mut at = 0;
    while at < raw.len() {
        let (decoded, len) = reference(&raw[at..]).unwrap_or((vec![raw[at]], 1));
        if len == 1 {
            map.copied(base + at, 1);
        } else {
            map.replaced(Span::new(base + at, base + at + len), decoded.len());
        }
        text.extend_from_slice(&decoded);
        at += len;
    }
    Value { text: text.into(), map: map.finish() }
}

fn reference(rest: &[u8]) -> Option<(Vec<u8>, usize)> {
    if let Some((name, byte)) = NAMED.iter().find(|(name, _)| rest.starts_with(name)) {
        return Some((vec![*byte], name.len()));
    }
    let digits = rest.strip_prefix(b"&#")?;
    let end = digits.iter().take(9).position(|&b| b == b';')?;
    let number = std::str::from_utf8(&digits[..end]).ok()?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    Some((char::from_u32(code)?.to_string().into_bytes(), end + 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, RegionKind)> {
        crate::markup::regions(text.as_bytes(), urlsift_archive::Dialect::Html)
            .into_iter()
            .map(|region| (&text[region.span.range()], region.kind))
            .collect()
    }

    #[test]
    fn values_quoted_and_bare() {
        use RegionKind::{Attribute, CodeBlock, CodeSpan};
        assert_eq!(
            found("<A HREF='a b' x=1 src = \" c \"><img src=d><!-- <a href=e> --><p/href=f>"),
            [("a b", Attribute), ("c", Attribute), ("d", Attribute), ("f", Attribute)]
        );
        assert_eq!(found("<code>x <code>y</code> z</code>")[0].1, CodeSpan);
        assert_eq!(found("<script>a<b</script><a href=c>"), [("a<b", CodeBlock), ("c", Attribute)]);
        assert_eq!(found("a < b <http://h/> <a href=\"unclosed"), [("unclosed", Attribute)]);
        assert_eq!(found("<a href="), []);
        assert_eq!(found("<a href=\""), []);
    }

    #[test]
    fn references_are_decoded_and_mapped() {
        let value = decode(b"a?b&amp;c&#x41;&d", 10);
        assert_eq!(&*value.text, b"a?b&cA&d");
        assert_eq!(value.map.source(Span::new(3, 4)), Span::new(13, 18));
        assert_eq!(value.map.source(Span::new(4, 5)), Span::new(18, 19));
        assert!(value.map.is_verbatim(Span::new(6, 8)));
    }
}
