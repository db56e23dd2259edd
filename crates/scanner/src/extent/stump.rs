//! Recognizes stumps: URLs that are cut off in the middle. A stump is valid, but points elsewhere.

use super::placeholder;
use crate::text::host::ends_in_host;
use crate::text::iri;
use crate::text::line::line_at;

/// The maximum number of bytes that are read after the URL.
const REACH: usize = 128;

/// The maximum distance back to the start of a regular expression, in bytes.
const PATTERN_REACH: usize = 64;

/// True if a URL can be cut right before `byte`. The URL before it may then be a stump: a URL that
/// ends in its middle.
#[inline(always)]
pub(crate) const fn may_follow_stump(byte: u8) -> bool {
    matches!(byte, b'\\' | b'<' | b'&' | b'{' | b'(')
}

/// True if `url`, which ends at byte `end` of the text, is a stump: the text after it shows that it
/// ends in its middle.
///
/// - A character class of a regular expression follows: `http://h.dom/a\d+`, `http://h.dom:\\d+/`.
/// - A doubled backslash escapes a delimiter: `http://h\\.dom`, `http://h.dom/a\\|b`.
/// - A string literal encodes a further character of the URL: `http://h.dom/r\u00e9sum\u00e9`.
/// - An optional parameter of a path follows: `http://h.dom/:name\?b`.
/// - A tag is in the middle of the host: `http://www.exam<b>ple</b>.dom`.
/// - A placeholder follows: `http://h.dom/<user>/a`, `http://h.dom/&lt;user&gt;`.
/// - Code follows: `http://h.dom/<%= a %>`, `http://h.dom/{{ a }}`, `http://h.dom/${a + b}`,
///   `http://h.dom/$(uname -s)`.
pub(crate) fn is_stump(text: &[u8], url: &[u8], end: usize) -> bool {
    if !text.get(end).is_some_and(|&byte| may_follow_stump(byte)) {
        return false;
    }
    let follows = &text[end..text.len().min(end + REACH)];
    match follows {
        [b'\\', class @ ..] | [b'\\', b'\\', class @ ..] if starts_with_class(class) => true,
        [b'\\', escape @ ..] if encodes_url_character(url, escape) => true,
        [b'\\', b'\\', byte, ..] if ends_in_host(url) => {
            // After other escapes, such as that of a line break, the URL may well be over.
            byte.is_ascii_graphic() && !b"nrt\"'\\/:".contains(byte)
        }
        [b'\\', b'\\', b'.' | b'?' | b'|' | b'+' | b'^', next, ..] => {
            next.is_ascii_graphic() && !b"\"'`<>".contains(next)
        }
        [b'\\', b'?', ..] => ends_in_parameter(url),
        [b'<', b'%' | b'?', ..] => true,
        [b'<', rest @ ..] => {
            ends_in_host(url) && tag_splits_host(rest) || placeholder::follows(url, follows)
        }
        [b'&', ..] => placeholder::follows(url, follows),
        [b'{', rest @ ..] => starts_with_code(url, rest),
        [b'(', ..] => url.ends_with(b"$"),
        _ => false,
    }
}

/// True if `escape`, the text after a backslash, encodes a character that would continue `url`, as
/// string literals do: `u00e9`, `xe9`, `U000000e9`, `u{e9}`. Delimiters don't count, because the
/// URL may end before them (`http://h.dom/\u003c/a\u003e`).
fn encodes_url_character(url: &[u8], escape: &[u8]) -> bool {
    /// The length in bytes of the end of the URL that is read. A character continues a URL or not
    /// depending on the characters right before it.
    const CONTEXT: usize = 16;
    let (digits, len) = match escape {
        [b'u', b'{', rest @ ..] => (rest, memchr::memchr(b'}', &rest[..rest.len().min(7)])),
        [b'x', rest @ ..] => (rest, Some(2)),
        [b'u', rest @ ..] => (rest, Some(4)),
        [b'U', rest @ ..] => (rest, Some(8)),
        _ => return false,
    };
    let digits = len.and_then(|len| digits.get(..len)).unwrap_or_default();
    let code = digits.iter().try_fold(0_u32, |code, byte| {
        char::from(*byte).to_digit(16).map(|digit| code << 4 | digit)
    });
    let Some(character) = code.filter(|_| !digits.is_empty()).and_then(char::from_u32) else {
        return false;
    };
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    let mut near = url[url.len().saturating_sub(CONTEXT)..].to_vec();
    let at = near.len();
    near.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    iri::url_char_len_at(&near, at) > 0
}

/// True if the brace between `url` and `rest` starts code in a template or string literal, and not
/// the label of the URL: `{{ a }}`, `{{- a }}`, `{% a %}`, `${a + b}`, `#{a["b"]}`.
fn starts_with_code(url: &[u8], rest: &[u8]) -> bool {
    let (line, _) = line_at(rest, 0);
    match rest {
        [b'{', b' ' | b'-', ..] => memchr::memmem::find(line, b"}}").is_some(),
        [b'%', b' ' | b'-', ..] => memchr::memmem::find(line, b"%}").is_some(),
        _ => matches!(url, [.., b'$' | b'#']) && memchr::memchr(b'}', line).is_some(),
    }
}

/// True if `url` ends with a parameter in the notation of routers, such as `/:name`. A `\?` after
/// it marks the parameter as optional, or is a question mark that the pattern escapes.
pub(crate) fn ends_in_parameter(url: &[u8]) -> bool {
    let name = url.iter().rev().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    name > 0 && url[..url.len() - name].ends_with(b"/:")
}

/// True if `class`, the text after a backslash, is a character class of a regular expression with a
/// quantifier or the end of a group after it: `d+`, `w{`, `s*)`.
fn starts_with_class(class: &[u8]) -> bool {
    match class {
        // The size of a roff font: `\s+2`.
        [b's', b'+', b'0'..=b'9', ..] => false,
        [b'd' | b'D' | b'w' | b'W' | b's' | b'S', next, ..] => b"+*?{)]$|".contains(next),
        _ => false,
    }
}

/// True if the URL at `outer..end`, which contains an escaped dot (`http://h\.dom/`), is part of a
/// regular expression. The evidence is an anchor, a group or a character class before the URL on
/// its line, or an anchor at its end.
pub(crate) fn is_in_pattern(text: &[u8], outer: usize, end: usize) -> bool {
    let head = &text[outer.saturating_sub(PATTERN_REACH)..outer];
    let line = memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1);
    let head = &head[line..];
    head.ends_with(b"^")
        || memchr::memmem::find(head, b"(?").is_some()
        || text[..end].ends_with(b"$") && matches!(text.get(end), Some(b'"' | b'\'' | b'`'))
        || memchr::memchr_iter(b'\\', head).any(|at| starts_with_class(&head[at + 1..]))
}

/// True if `rest`, the text after a `<`, shows that a formatting tag is in the middle of a host.
/// After the tag come letters, the closing tag, a dot and a letter.
fn tag_splits_host(rest: &[u8]) -> bool {
    const NAMES: [&[u8]; 8] = [b"b", b"i", b"u", b"em", b"strong", b"wbr", b"mark", b"span"];
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_format = NAMES.iter().any(|name| name.eq_ignore_ascii_case(&rest[..len]));
    let Some(close) = memchr::memchr(b'>', rest).filter(|_| is_format) else { return false };
    let after = &rest[close + 1..];
    let name = after.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let after = &after[name..];
    let tag = match after {
        [b'<', b'/', tag @ ..] => memchr::memchr(b'>', tag).map_or(0, |len| 2 + len + 1),
        _ => 0,
    };
    name > 0 && matches!(&after[tag..], [b'.', byte, ..] if byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::{is_in_pattern, is_stump};

    #[test]
    fn stump_of_a_host_is_recognized() {
        let is = |url: &str, rest: &str| {
            is_stump([url, rest].concat().as_bytes(), url.as_bytes(), url.len())
        };
        for rest in
            [r"\\.dom", r"\\d+/", "<b>ple</b>.com", "<wbr>ple.com", "<span x='y'>a</span>.b"]
        {
            assert!(is("http://www.exam", rest), "{rest}");
        }
        for rest in
            ["", " x", r"\n", r"\\n", "\\\"", "<br>ple", "<b>bold</b> text", "</a>.", "<p>a.b"]
        {
            assert!(!is("http://www.exam", rest), "{rest}");
        }
        assert!(!is("mailto:a@b", "<b>c</b>.d"));
    }

    #[test]
    fn stump_of_a_pattern_is_recognized() {
        let is = |url: &str, rest: &str| {
            is_stump([url, rest].concat().as_bytes(), url.as_bytes(), url.len())
        };
        for (url, rest) in [
            ("http://h.dom:(?:", r"\d+)/"),
            ("http://h.dom/v", r"\d{2}/x"),
            ("http://h.dom/v", r"\\d+/x"),
            ("http://h.dom/a", r"\w*"),
            ("http://h.dom/a", r"\\|b"),
            ("http://h.dom/a", r"\\.b"),
            ("http://h.dom/:name", r"\?foo"),
        ] {
            assert!(is(url, rest), "{url}{rest}");
        }
        for (url, rest) in [
            ("http://h.dom/a", r"\s+2"),
            ("http://h.dom/a", r"\s0"),
            ("http://h.dom/a", r"\dir\x"),
            ("http://h.dom/a", r"\n"),
            ("http://h.dom/a", "\\\\"),
            ("http://h.dom/a", r"\\[2pt]"),
            ("http://h.dom/a", r"\\."),
            ("http://h.dom/name", r"\?foo"),
        ] {
            assert!(!is(url, rest), "{url}{rest}");
        }
    }

    #[test]
    fn escaped_dot_in_a_pattern_is_recognized() {
        let is = |text: &str| {
            let start = text.find("http").unwrap();
            let end = start + text[start..].find(['"', ' ']).unwrap_or(text.len() - start);
            is_in_pattern(text.as_bytes(), start, end)
        };
        for text in [
            r#""^http://h\.dom/a" "#,
            r#"'(?m)^Home\s*=\s*"http://h\.dom/a""#,
            r#"r"http://h\.dom/a$""#,
            r"(?:http://h\.dom/a",
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            r"see http://h\.dom/a ",
            "\\s*\nhttp://h\\.dom/a",
            r"\s-1http://h\.dom/",
            "x http://a$ ",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}
