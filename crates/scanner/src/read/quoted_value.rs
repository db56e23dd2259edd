//! URLs that markup delimits in running text: the quoted values of HTML attributes, and the
//! destinations of Markdown links.
//!
//! Mail and notes contain pieces of markup. There, an ampersand is written `&amp;`, and nothing at
//! the end of a quoted value belongs to a sentence.

use crate::candidate::{Grade, JoinKind, Seam};
use urlsift_core::Span;

/// The maximum length of the value of an attribute, in bytes.
const MAX_VALUE: usize = 2048;
/// The maximum distance back to the start of the attribute's tag, in bytes.
const MAX_TAG: usize = 512;
/// The names of the usual attributes that contain a single URL.
const NAMES: [&[u8]; 8] =
    [b"href", b"src", b"action", b"cite", b"background", b"data", b"longdesc", b"formaction"];
/// The references that encode an ampersand.
const AMPERSANDS: [&[u8]; 6] = [b"&amp;", b"&AMP;", b"&#38;", b"&#038;", b"&#x26;", b"&#X26;"];

/// True if the bytes before byte `start` may open the value of an attribute or the destination of a
/// link. This is a fast filter.
#[inline(always)]
pub(crate) fn may_start_value(text: &[u8], start: usize) -> bool {
    start >= 2 && matches!(text[start - 2..start], [b'=', b'"' | b'\''] | [b']', b'('])
}

/// True if the URL `span`, which [`may_start_value`] precedes, may differ from its value: it
/// contains a reference, or doesn't end at the quote.
#[inline(never)]
pub(crate) fn may_differ(text: &[u8], span: Span) -> bool {
    memchr::memchr(b'&', &text[span.range()]).is_some()
        || text[span.start - 1] != b'(' && text.get(span.end) != Some(&text[span.start - 1])
}

/// Returns the end of the value that starts at byte `start`, if it is the quoted value of an HTML
/// attribute in a tag and contains only a URL.
pub(crate) fn value_end(text: &[u8], start: usize) -> Option<usize> {
    let quote = *text.get(start.checked_sub(1)?)?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let before = &text[start.saturating_sub(MAX_TAG)..start - 1];
    let before = before.strip_suffix(b"=")?;
    let (before, name) = before.split_at(before.iter().rposition(u8::is_ascii_whitespace)? + 1);
    if !NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)) {
        return None;
    }
    let tag = before.iter().rposition(|byte| matches!(byte, b'<' | b'>'))?;
    if before[tag] != b'<' || !before.get(tag + 1).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let value = &text[start..text.len().min(start + MAX_VALUE)];
    let len = value.iter().position(|&byte| byte <= b' ' || byte == quote)?;
    let is_url = value[len] == quote && !value[..len].iter().any(|byte| b"<>\\`".contains(byte));
    is_url.then_some(start + len)
}

/// True if the URL `span` is the destination of an inline link of Markdown, `[text](url)`.
pub(crate) fn is_destination(text: &[u8], span: Span) -> bool {
    text[..span.start].ends_with(b"](") && text.get(span.end) == Some(&b')')
}

/// Returns a break for each encoded ampersand in `span`, which drops all but its first byte.
pub(crate) fn seams_in_encoded_ampersands(text: &[u8], span: Span) -> Vec<Seam> {
    let value = &text[span.range()];
    let ampersands = memchr::memchr_iter(b'&', value);
    let seams = ampersands.filter_map(|at| {
        let reference = AMPERSANDS.iter().find(|known| value[at..].starts_with(known))?;
        let at = span.start + at;
        let gap = Span::new(at + 1, at + reference.len());
        Some(Seam::new(gap, Some(&b'&'), JoinKind::Escape, Grade::Certain))
    });
    seams.collect()
}

#[cfg(test)]
mod tests {
    use crate::Scanner;

    fn urls(text: &str) -> Vec<String> {
        let scanner = Scanner::builder().build();
        let found = scanner.find_iter(text.as_bytes());
        found.map(|found| String::from_utf8(found.url().into_owned()).unwrap()).collect()
    }

    #[test]
    fn quoted_value_of_an_attribute_is_taken_whole() {
        for (text, expected) in [
            (r#"<a href="http://h.dom/?a=1&amp;b=2">"#, "http://h.dom/?a=1&b=2"),
            (r#"<a href="http://h.dom/?a=1&#38;b=2&#x26;c">"#, "http://h.dom/?a=1&b=2&c"),
            (r#"<a class="x" HREF="http://h.dom/who?">"#, "http://h.dom/who?"),
            ("<a href='http://h.dom/Foo_Inc.'>", "http://h.dom/Foo_Inc."),
            (r#"<img src="http://h.dom/smile:)">"#, "http://h.dom/smile:)"),
            (r#"<img src="http://h.dom/a" />"#, "http://h.dom/a"),
            ("[a](http://h.dom/?a=1&amp;b=2) x", "http://h.dom/?a=1&b=2"),
        ] {
            assert_eq!(urls(text), [expected], "{text}");
        }
    }

    #[test]
    fn other_quotes_are_no_values() {
        for (text, expected) in [
            (r#"x="http://h.dom/?a=1&amp;b=2.""#, "http://h.dom/?a=1&amp;b=2"),
            (r#"> href="http://h.dom/who?""#, "http://h.dom/who"),
            (r#"<a href="http://h.dom/who? Foo">"#, "http://h.dom/who"),
            (r#"<a xhref="http://h.dom/who?">"#, "http://h.dom/who"),
            ("(http://h.dom/?a=1&amp;b=2)", "http://h.dom/?a=1&amp;b=2"),
        ] {
            assert_eq!(urls(text), [expected], "{text}");
        }
    }
}
