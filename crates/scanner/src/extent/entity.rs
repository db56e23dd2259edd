//! HTML character references in running text. A reference to a delimiter or blank ends a URL.

/// The names of characters that URLs don't contain, except the apostrophe. (`amp` is not in the
/// list, because URLs contain ampersands.)
const NAMES: [&[u8]; 13] = [
    b"lt", b"gt", b"quot", b"nbsp", b"rdquo", b"ldquo", b"rsquo", b"lsquo", b"laquo", b"raquo",
    b"hellip", b"mdash", b"ndash",
];
/// The maximum length of a reference after its ampersand, in bytes.
const MAX_REFERENCE: usize = 8;

/// True if the ampersand at byte `at` starts an HTML character reference to a character that ends a
/// URL, such as `&lt;`. The reference itself may be escaped: `&amp;lt;`.
pub(super) fn ends_url_at(text: &[u8], at: usize) -> bool {
    const ESCAPED: &[u8] = b"&amp;";
    let is_escaped = text.get(at..).is_some_and(|reference| reference.starts_with(ESCAPED));
    // In `&amp;lt;`, the second semicolon ends the inner reference, and the first one precedes it.
    reference_ends_url_at(text, if is_escaped { at + ESCAPED.len() - 1 } else { at })
}

/// True if a reference to a character that ends a URL starts at byte `at`. This byte is its
/// ampersand or, if the reference is escaped, the `;` of `&amp;`. Only the text after byte `at` is
/// read.
fn reference_ends_url_at(text: &[u8], at: usize) -> bool {
    let near = text.get(at + 1..text.len().min(at + 1 + MAX_REFERENCE)).unwrap_or_default();
    let first = near.first().map(u8::to_ascii_lowercase);
    if !matches!(first, Some(b'#' | b'l' | b'g' | b'q' | b'a' | b'n' | b'r' | b'h' | b'm')) {
        return false;
    }
    let Some(len) = memchr::memchr(b';', near) else { return false };
    let after = text.get(at + 1 + len + 1);
    match &near[..len] {
        [b'#', number @ ..] => parse_code_point(number).is_some_and(|code| is_url_end(code, after)),
        name if name.eq_ignore_ascii_case(b"apos") => is_url_end(u32::from(b'\''), after),
        name => NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)),
    }
}

/// Parses the number in a numeric character reference and returns the code point, or `None` if it
/// isn't a number. `number` is the text after the `#`: decimal digits, or an `x` and hexadecimal
/// digits.
fn parse_code_point(number: &[u8]) -> Option<u32> {
    let number = std::str::from_utf8(number).ok()?;
    match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    }
}

/// True if a reference to the character `code` ends a URL. `after` is the byte after the reference:
/// an apostrophe before a letter doesn't end the URL.
fn is_url_end(code: u32, after: Option<&u8>) -> bool {
    match char::from_u32(code) {
        Some('\'') => !after.is_some_and(u8::is_ascii_alphabetic),
        Some(c) => {
            matches!(c, '<' | '>' | '"') || c <= ' ' || !c.is_ascii() && !c.is_alphanumeric()
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::ends_url_at;

    #[test]
    fn references_to_delimiters_end_a_url() {
        for end in [
            "&lt;",
            "&GT;",
            "&quot;",
            "&#34;",
            "&#x3E;",
            "&#39;",
            "&apos;.",
            "&nbsp;x",
            "&#160;",
            "&#8221;",
            "&amp;lt;",
            "&amp;quot;",
            "&amp;#39;",
            "&amp;nbsp;",
        ] {
            assert!(ends_url_at(end.as_bytes(), 0), "{end}");
        }
        for part in [
            "&amp;",
            "&amp;amp;lt;",
            "&amp;lt=1",
            "&amp;b;",
            "&lt=1",
            "&#38;b",
            "&#x2F;",
            "&#39;s",
            "&name=x;",
            "&#",
            "&",
            "&#233;",
        ] {
            assert!(!ends_url_at(part.as_bytes(), 0), "{part}");
        }
    }
}
