//! Backslashes that markup puts into a URL and that are no part of it: roff writes `\-` for a hyphen and `\:` where a
//! line may break, TeX and Markdown write `\_`, JSON `\/`.
//!
//! A URL that ended there would be valid and lead elsewhere.

use memchr::memmem;

/// How far the other one of a pair of escaped brackets is sought, in bytes.
const REACH: usize = 64;
/// The characters that are escaped so within URLs. (Before others a backslash means something: `\n`, `\(em`, `\*(Aq`.)
const ESCAPED: &[u8] = b"-_#./=?@";

/// Where the URL that reaches to the backslash at byte `at` goes on, without what is no part of it; `None` if it ends
/// there. Constant time, but for a row of such backslashes, which is linear.
pub(crate) fn resume(text: &[u8], at: usize) -> Option<usize> {
    let mut resume = behind(text, at)?;
    while let Some(next) = behind(text, resume) {
        resume = next;
    }
    Some(resume)
}

/// Whether the authority behind the scheme's `colon` starts with such a backslash (`http://\:h.dom/`).
pub(crate) fn may_start(text: &[u8], colon: usize) -> bool {
    let authority = colon + 1 + b"//".len();
    text[colon + 1..].starts_with(b"//\\")
        && resume(text, authority).is_some_and(|at| text[at].is_ascii_alphanumeric())
}

/// Where the URL goes on behind the one escape at byte `at`.
fn behind(text: &[u8], at: usize) -> Option<usize> {
    let [b'\\', escaped, rest @ ..] = text.get(at..)? else { return None };
    let (escape, character) = (at + 2, at + 1);
    let goes_on = goes_on(rest);
    match *escaped {
        // A place where a line may break, in roff.
        b':' => (goes_on || is_suffix(rest)).then_some(escape),
        // Nothing in roff, which puts it before full stops; an ampersand in TeX.
        b'&' if rest.starts_with(b".") || rest.starts_with(b"\\") => Some(escape),
        b'&' => goes_on.then_some(character),
        b'%' => {
            rest.iter().take(2).filter(|byte| byte.is_ascii_hexdigit()).nth(1).map(|_| character)
        }
        // In roff and TeX it is a blank elsewhere.
        b'~' => (goes_on && text[..at].ends_with(b"/")).then_some(character),
        b'/' => Some(character),
        b'(' => is_closed(rest).then_some(character),
        b')' => opens_before(&text[..at]).then_some(character),
        byte if ESCAPED.contains(&byte) => goes_on.then_some(character),
        _ => None,
    }
}

/// Whether a URL goes on with these bytes.
fn goes_on(rest: &[u8]) -> bool {
    match rest {
        [b'\\', escaped, ..] => escaped.is_ascii_punctuation(),
        [byte, ..] => byte.is_ascii_alphanumeric() || b"/%~$+=&#_-?".contains(byte),
        [] => false,
    }
}

/// Whether a dot and what belongs to it stand here.
fn is_suffix(rest: &[u8]) -> bool {
    matches!(rest, [b'.', byte, ..] if byte.is_ascii_alphanumeric())
}

/// Whether an escaped bracket closes soon within the word.
fn is_closed(rest: &[u8]) -> bool {
    let near = &rest[..rest.len().min(REACH)];
    let word = near.iter().position(|byte| *byte <= b' ').unwrap_or(near.len());
    memmem::find(&near[..word], b"\\)").is_some()
}

/// Whether an escaped bracket that opens stands shortly before, within the word.
fn opens_before(head: &[u8]) -> bool {
    let near = &head[head.len().saturating_sub(REACH)..];
    let word = near.iter().rposition(|byte| *byte <= b' ').map_or(0, |blank| blank + 1);
    memmem::rfind(&near[word..], b"\\(").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(text: &str) -> Option<&str> {
        resume(text.as_bytes(), text.find('\\')?).map(|at| &text[at..])
    }

    #[test]
    fn what_markup_puts_in_is_passed_over() {
        assert_eq!(rest(r"a\-b"), Some("-b"));
        assert_eq!(rest(r"a\:b"), Some("b"));
        assert_eq!(rest(r"a\:.b"), Some(".b"));
        assert_eq!(rest(r"a\:\-b"), Some("-b"));
        assert_eq!(rest(r"a\&.b"), Some(".b"));
        assert_eq!(rest(r"a\&b=c"), Some("&b=c"));
        assert_eq!(rest(r"a\%20b"), Some("%20b"));
        assert_eq!(rest(r"/\~u"), Some("~u"));
        assert_eq!(rest(r"a_\(b\)"), Some(r"(b\)"));
        assert_eq!(resume(br"a_\(b\)", 5), Some(6));
    }

    #[test]
    fn what_ends_a_url_ends_it() {
        for text in [
            r"a\n", r"a\", r"a\\b", r"a\- b", r"a\~b", r"a\(em b", r"a\*(Aq", r"a\fR", r"a\)",
            r"a\%s",
        ] {
            assert_eq!(rest(text), None, "{text}");
        }
    }
}
