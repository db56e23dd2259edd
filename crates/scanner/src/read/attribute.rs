//! Whole values from markup or a header field, read as URLs.

use crate::candidate::{Candidate, Form, Grade, JoinKind, Seam};
use crate::limits::MAX_URL;
use crate::scheme::{Schemes, is_prefix_word, is_scheme_byte, may_name_scheme};
use crate::text::blank;
use urlsift_core::Charset;
use urlsift_core::Span;

/// Reads the whole `value` as a URL: see
/// [`Scanner::read_attribute`](crate::Scanner::read_attribute). Returns `None` if the value has no
/// scheme.
pub(crate) fn read_absolute<'t>(value: &'t [u8], schemes: &Schemes) -> Option<Candidate<'t>> {
    let mut whole = trim_span(value, Span::new(0, value.len()));
    if value[whole.range()].starts_with(b"<") && value[whole.range()].ends_with(b">") {
        whole = trim_span(value, Span::new(whole.start + 1, whole.end - 1));
    }
    let mut span = whole;
    while value[span.range()].get(..3).is_some_and(is_prefix_word)
        && value.get(span.start + 3) == Some(&b':')
    {
        span = trim_span(value, Span::new(span.start + 4, span.end));
    }
    let is_known = has_known_scheme(&value[span.range()], schemes)?;
    let mut found = build_candidate(value, whole, span, Form::Attribute);
    let span = found.span;
    if !is_known && let Some(colon) = memchr::memchr(b':', &value[span.range()]) {
        found = found.with_unknown_scheme(&value[span.start..span.start + colon], schemes);
    }
    Some(found)
}

/// Reads the whole `value` as a relative link: see
/// [`Scanner::read_relative`](crate::Scanner::read_relative). Returns `None` if it isn't one.
pub(crate) fn read_relative(value: &[u8]) -> Option<Candidate<'_>> {
    let span = trim_span(value, Span::new(0, value.len()));
    let link = &value[span.range()];
    // RFC 3986 §4.2: a colon in the first segment would end a scheme.
    let first = link.iter().position(|byte| b":/?#".contains(byte));
    let is_one = !link.is_empty() && first.is_none_or(|at| link[at] != b':');
    is_one.then(|| build_candidate(value, span, span, Form::Relative))
}

/// Creates the candidate for the bytes of `value` at `span`. The URL omits the line breaks in it,
/// and is truncated at [`MAX_URL`] bytes. `whole` is the span with a wrapper or prefix.
fn build_candidate(value: &[u8], whole: Span, mut span: Span, form: Form) -> Candidate<'_> {
    let truncated = span.len() > MAX_URL;
    if truncated {
        span.end = span.start + MAX_URL;
    }
    let found = Candidate::new(value, whole, span, form).with_seams(&line_break_seams(value, span));
    Candidate { truncated, ..found }
}

/// Returns true if `url` has a scheme that the scanner knows, false if it has an unknown one, and
/// `None` if it has no scheme. A host and port (`localhost:8080/`), a drive (`C:\`) and a path in
/// source code (`std::path`) only look like a scheme.
fn has_known_scheme(url: &[u8], schemes: &Schemes) -> Option<bool> {
    let run = url.iter().take_while(|&&b| is_scheme_byte(b)).count();
    let Some((b':', rest)) = url.get(run..).and_then(|r| r.split_first()).map(|(b, r)| (*b, r))
    else {
        return None;
    };
    if !may_name_scheme(&url[..run]) {
        return None;
    }
    let is_known = schemes.shape_of(&url[..run]).is_some();
    if is_known || rest.starts_with(b"//") {
        return Some(is_known);
    }
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let port = digits > 0 && matches!(rest.get(digits), None | Some(b'/' | b'?' | b'#'));
    let is_path = rest.first() == Some(&b':');
    let is_one =
        !port && !is_path && !rest.is_empty() && !rest.iter().any(|&b| blank::is_ascii_blank(b));
    is_one.then_some(false)
}

/// Returns `span` without the blanks at both of its ends.
fn trim_span(value: &[u8], span: Span) -> Span {
    let Span { mut start, mut end } = span;
    while start < end
        && let len @ 1.. = blank::blank_len_at(value, start, Charset::Utf8)
    {
        start = (start + len).min(end);
    }
    while start < end
        && let len @ 1.. = blank::blank_len_before(value, end, Charset::Utf8)
    {
        end = end.saturating_sub(len).max(start);
    }
    Span::new(start, end)
}

/// Returns the line breaks inside `span` as breaks in the URL, each with the ASCII blanks around
/// it.
fn line_break_seams(value: &[u8], span: Span) -> Vec<Seam> {
    let mut seams: Vec<Seam> = Vec::new();
    let mut at = span.start;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &value[at..span.end]) {
        let line_break = at + found;
        let blanks = |b: &&u8| blank::is_ascii_blank(**b);
        let before = value[at..line_break].iter().rev().take_while(blanks).count();
        let after = value[line_break..span.end].iter().take_while(blanks).count();
        let gap = Span::new(line_break - before, line_break + after);
        let last = value[..gap.start].last();
        seams.push(Seam::new(gap, last, JoinKind::Wrapper, Grade::Certain));
        at = gap.end;
    }
    seams
}

#[cfg(test)]
mod tests {
    use crate::{Form, Scanner};

    fn url(value: &str) -> Option<String> {
        let scanner = Scanner::builder().build();
        let found = scanner.read_attribute(value.as_bytes())?;
        assert_eq!(found.form(), Form::Attribute);
        Some(String::from_utf8(found.url().into_owned()).unwrap())
    }

    #[test]
    fn value_is_read_whole() {
        for (value, expected) in [
            ("http://h.dom/a.", "http://h.dom/a."),
            (" \n http://h.dom/a \t", "http://h.dom/a"),
            ("<http://h.dom/a>", "http://h.dom/a"),
            ("<URL:http://h.dom/a>", "http://h.dom/a"),
            ("URL: http://h.dom/a", "http://h.dom/a"),
            ("http://h.dom/a b", "http://h.dom/a b"),
            ("http://h.dom/a\r\n  b", "http://h.dom/ab"),
            ("http://h.dom/日本|x", "http://h.dom/日本|x"),
            ("mailto:joe", "mailto:joe"),
            ("news:x", "news:x"),
            ("javascript:void(0)", "javascript:void(0)"),
            ("urn:isbn:0451450523", "urn:isbn:0451450523"),
        ] {
            assert_eq!(url(value).as_deref(), Some(expected), "{value:?}");
        }
    }

    #[test]
    fn lookalike_scheme_is_rejected() {
        for value in ["std::path::Path", "Vec::new", "localhost:8080/", "C:\\a", "a:", "foo: a"] {
            assert_eq!(url(value), None, "{value:?}");
        }
        assert_eq!(url("foo:a").as_deref(), Some("foo:a"));
    }

    #[test]
    fn relative_link_has_no_scheme() {
        let scanner = Scanner::builder().build();
        for (value, expected) in [
            ("a.html", Some("a.html")),
            ("\n ../a b?c:d#e ", Some("../a b?c:d#e")),
            ("//h.dom/a\n  /b", Some("//h.dom/a/b")),
            ("#a:b", Some("#a:b")),
            ("./a:b", Some("./a:b")),
            ("", None),
            (" ", None),
            ("a:b", None),
            ("http://h.dom/", None),
            ("javascript: a", None),
            ("C:\\dir", None),
            ("h.dom:80/x", None),
            (":x", None),
        ] {
            let found = scanner.read_relative(value.as_bytes());
            assert!(found.as_ref().is_none_or(|found| found.form() == Form::Relative));
            let url = found.map(|found| String::from_utf8(found.url().into_owned()).unwrap());
            assert_eq!(url.as_deref(), expected, "{value:?}");
        }
        let long = "a".repeat(70_000);
        let found = scanner.read_relative(long.as_bytes()).unwrap();
        assert!(found.is_truncated() && found.span().len() == 65_536);
    }

    #[test]
    fn value_without_scheme_is_none() {
        for value in [
            "",
            "  ",
            "a.html",
            "../a:b",
            "#a:b",
            "?a=b:c",
            "//h.dom/",
            "C:\\dir",
            "h.dom:80/x",
            "Re: a b",
            ":x",
            "<>",
            "<",
        ] {
            assert_eq!(url(value), None, "{value:?}");
        }
    }
}
