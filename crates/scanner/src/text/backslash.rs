//! Backslashes that markup puts into a URL and that are not part of it. roff writes `\-` for a
//! hyphen and `\:` where a line may break, TeX and Markdown write `\_`, and JSON writes `\/`.
//!
//! If the URL ended at the backslash, it would be valid but point elsewhere.

use super::host::ends_in_host;
use memchr::memmem;
use std::sync::LazyLock;

/// The maximum distance between an escaped bracket `\(` and its partner `\)`, in bytes.
const REACH: usize = 64;
/// The characters that markup escapes within URLs. Before other characters a backslash has a
/// meaning of its own: `\n`, `\(em`, `\*(Aq`.
const ESCAPED: &[u8] = b"-_#./=?@";

/// Returns the offset at which the URL continues after the backslash at byte `at`, or `None` if the
/// URL ends there. In `a\-b` the URL continues at the `-`, in `a\:b` at the `b`.
///
/// Takes constant time, or time linear in the length of a run of escapes.
pub(crate) fn skip_escapes(text: &[u8], at: usize) -> Option<usize> {
    let mut resume = resume_after_escape(text, at)?;
    while let Some(next) = resume_after_escape(text, resume) {
        resume = next;
    }
    Some(resume)
}

/// Returns the offset at which the URL continues after a folded line (RFC 8792), whose backslash is
/// at byte `at`. Returns `None` if this isn't a fold.
///
/// A fold is a backslash at the end of a line, and a second one after the indentation of the next
/// line (section 8.2). If a note before the text announces folds, the second backslash may be
/// missing (section 7.2).
pub(crate) fn resume_folded(text: &[u8], at: usize) -> Option<usize> {
    /// The maximum indentation, in bytes.
    const MAX_INDENT: usize = 72;
    let rest = text.get(at..)?.strip_prefix(b"\\")?;
    let line_break = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    let next = &rest[line_break..];
    let indent = next.iter().take(MAX_INDENT).take_while(|byte| **byte == b' ').count();
    let resume = at + 1 + line_break + indent;
    match next.get(indent..)? {
        [b'\\', after @ ..] => continues_url(after).then_some(resume + 1),
        after => {
            let is_word = after.first().is_some_and(u8::is_ascii_graphic);
            (is_word && is_fold_announced(text, at)).then_some(resume)
        }
    }
}

/// True if a note of RFC 8792 before byte `at` says that a backslash at the end of a line folds the
/// line.
fn is_fold_announced(text: &[u8], at: usize) -> bool {
    static NOTE: LazyLock<memmem::Finder<'static>> =
        LazyLock::new(|| memmem::Finder::new(b"'\\' line wrapping per"));
    /// The maximum distance of the note, in bytes: two pages of an RFC.
    const MAX_DISTANCE: usize = 8192;
    NOTE.find(&text[at.saturating_sub(MAX_DISTANCE)..at]).is_some()
}

/// Returns the offset at which the URL that starts at byte `start` continues after a doubled
/// backslash at byte `at`. In a string literal, two backslashes encode a single one
/// (`"http://h\\.dom/"`). Returns `None` if the URL isn't at the start of a string literal.
pub(crate) fn resume_doubled(text: &[u8], start: usize, at: usize) -> Option<usize> {
    let quote = start.checked_sub(1).map(|quote| text[quote])?;
    let rest = text.get(at..)?.strip_prefix(b"\\\\")?;
    let is_escape = matches!(quote, b'"' | b'\'')
        && (starts_with_dot_and_name(rest) || matches!(rest, [b'/' | b'-', ..]));
    is_escape.then_some(at + 2)
}

/// True if a backslash that is not part of the URL comes right after the `//` that follows `colon`,
/// and a letter or digit after that (`http://\:h.dom/`).
pub(crate) fn host_follows_escape(text: &[u8], colon: usize) -> bool {
    let authority = colon + 1 + b"//".len();
    text[colon + 1..].starts_with(b"//\\")
        && skip_escapes(text, authority).is_some_and(|at| text[at].is_ascii_alphanumeric())
}

/// Returns the offset at which the URL continues after the single escape (a backslash with the
/// character after it) at byte `at`. Returns `None` if the URL ends there.
fn resume_after_escape(text: &[u8], at: usize) -> Option<usize> {
    let [b'\\', escaped, rest @ ..] = text.get(at..)? else { return None };
    let (escape, character) = (at + 2, at + 1);
    let continues_url = continues_url(rest);
    match *escaped {
        // In roff, a position where a line may break.
        b':' => (continues_url || starts_with_dot_and_name(rest)).then_some(escape),
        // In roff an empty string, which is used before full stops; in TeX an ampersand.
        b'&' if rest.starts_with(b".") || rest.starts_with(b"\\") => Some(escape),
        b'&' => continues_url.then_some(character),
        b'%' => {
            rest.iter().take(2).filter(|byte| byte.is_ascii_hexdigit()).nth(1).map(|_| character)
        }
        // Elsewhere it is a space, in roff and in TeX.
        b'~' => (continues_url && text[..at].ends_with(b"/")).then_some(character),
        b'/' => Some(character),
        b'(' => has_closing_escape(rest).then_some(character),
        b')' => ends_in_opening_escape(&text[..at]).then_some(character),
        // In an authority, the `@` would make what follows the host. Browsers take the backslash
        // for a slash, so that the host of `http://a.dom\@b.dom/` is `a.dom`.
        b'@' if ends_in_authority(&text[..at]) => None,
        byte if ESCAPED.contains(&byte) => continues_url.then_some(character),
        _ => None,
    }
}

/// True if a URL can continue with `rest`, the text after an escape.
fn continues_url(rest: &[u8]) -> bool {
    match rest {
        [b'\\', escaped, ..] => escaped.is_ascii_punctuation(),
        [byte, ..] => byte.is_ascii_alphanumeric() || b"/%~$+=&#_-?".contains(byte),
        [] => false,
    }
}

/// True if `rest` starts with a dot and a letter or digit.
fn starts_with_dot_and_name(rest: &[u8]) -> bool {
    matches!(rest, [b'.', byte, ..] if byte.is_ascii_alphanumeric())
}

/// True if the last word of `head` is a URL that ends in its authority.
fn ends_in_authority(head: &[u8]) -> bool {
    /// The maximum length of the authority, in bytes.
    const MAX_LEN: usize = 512;
    let near = &head[head.len().saturating_sub(MAX_LEN)..];
    let word = near.iter().rposition(|byte| *byte <= b' ').map_or(0, |blank| blank + 1);
    ends_in_host(&near[word..])
}

/// True if an escaped closing bracket `\)` is in the first word of `rest`, within [`REACH`] bytes.
fn has_closing_escape(rest: &[u8]) -> bool {
    let near = &rest[..rest.len().min(REACH)];
    let word = near.iter().position(|byte| *byte <= b' ').unwrap_or(near.len());
    memmem::find(&near[..word], b"\\)").is_some()
}

/// True if the last word of `head` contains an escaped opening bracket `\(`, within [`REACH`] bytes
/// of the end.
fn ends_in_opening_escape(head: &[u8]) -> bool {
    let near = &head[head.len().saturating_sub(REACH)..];
    let word = near.iter().rposition(|byte| *byte <= b' ').map_or(0, |blank| blank + 1);
    memmem::rfind(&near[word..], b"\\(").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(text: &str) -> Option<&str> {
        skip_escapes(text.as_bytes(), text.find('\\')?).map(|at| &text[at..])
    }

    #[test]
    fn markup_backslashes_are_skipped() {
        assert_eq!(rest(r"a\-b"), Some("-b"));
        assert_eq!(rest(r"a\:b"), Some("b"));
        assert_eq!(rest(r"a\:.b"), Some(".b"));
        assert_eq!(rest(r"a\:\-b"), Some("-b"));
        assert_eq!(rest(r"a\&.b"), Some(".b"));
        assert_eq!(rest(r"a\&b=c"), Some("&b=c"));
        assert_eq!(rest(r"a\%20b"), Some("%20b"));
        assert_eq!(rest(r"/\~u"), Some("~u"));
        assert_eq!(rest(r"mailto:a\@b"), Some("@b"));
        assert_eq!(rest(r"a_\(b\)"), Some(r"(b\)"));
        assert_eq!(skip_escapes(br"a_\(b\)", 5), Some(6));
    }

    #[test]
    fn other_backslashes_end_the_url() {
        for text in [
            r"a\n",
            r"a\",
            r"a\\b",
            r"a\- b",
            r"a\~b",
            r"a\(em b",
            r"a\*(Aq",
            r"a\fR",
            r"a\)",
            r"a\%s",
            r"http://a.dom\@b.dom/",
        ] {
            assert_eq!(rest(text), None, "{text}");
        }
    }
}
