//! How each document is read for URLs: whole, as running text, or not at all.
//!
//! | document | to scan | to lint |
//! |---|---|---|
//! | text | running text | running text |
//! | HTML attribute that holds a URL | whole, else running text | whole |
//! | the same with a relative link and a base | whole, and as running text | |
//! | header field made for URLs, of one word | whole, else running text | whole, else running text |
//! | any other header field (`Subject`, lists) | running text | running text |
//! | mention (script, style, other attribute) | running text | not read: pieces of programs are no faults |
//!
//! A file that is one text is not taken apart for its documents: see [`source_text`]. The linter reads HTML in mail as its source, too
//! ([`Options::html_source`](archive::Options::html_source)), and so meets none of its attributes and mentions.

use std::ops::ControlFlow::{self, Continue};
use urlsift_archive::{self as archive, Container, Document, DocumentKind, Notation, is_for_urls};
use urlsift_scanner::{Candidate, Input, Scanner};

/// What documents are read for.
///
/// ```
/// use urlsift_archive::{Container, Dialect};
/// use urlsift_records::dispatch::{Purpose, source_text};
/// // Links of a page are mended in its source.
/// assert_eq!(source_text(Container::Html, Purpose::Lint), Some(Dialect::Html));
/// assert_eq!(source_text(Container::Html, Purpose::Scan), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// To report every URL.
    Scan,
    /// To report faults, at places where they can be mended.
    Lint,
}

/// How a document is read.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
/// use urlsift_records::dispatch::{Purpose, Way, dispatch};
///
/// let mut whole = Vec::new();
/// documents(b"<a href='http://host.dom/'>b</a>", Container::Html, 0, &Options::default(), &mut |document| {
///     if let Way::Whole { value, .. } = dispatch(document, Purpose::Scan) {
///         whole.push(value.to_vec());
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(whole, [b"http://host.dom/"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Way<'d> {
    /// Not at all.
    Skip,
    /// The text as a whole is one URL if it starts with a scheme. If it does not, URLs are looked
    /// for in `otherwise`.
    Whole {
        /// The value that may be a URL.
        value: &'d [u8],
        /// The value as running text, where that is to be tried.
        otherwise: Option<Input<'d>>,
    },
    /// Running text in which URLs stand, and the markup that it is written in.
    Text(Input<'d>, archive::Dialect),
}

/// The way in which `document` is read. Constant time, but for a look at the value of a header
/// field.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
/// use urlsift_records::dispatch::{Purpose, Way, dispatch};
///
/// let mut skipped = 0;
/// let raw = b"<script>see('http://host.dom/')</script>";
/// documents(raw, Container::Html, 0, &Options::default(), &mut |document| {
///     skipped += usize::from(matches!(dispatch(document, Purpose::Lint), Way::Skip));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(skipped, 1, "pieces of programs are no faults");
/// ```
pub fn dispatch<'d>(document: &Document<'d>, purpose: Purpose) -> Way<'d> {
    let input = input(document);
    let whole = |otherwise| Way::Whole { value: document.text, otherwise };
    match (document.kind, purpose) {
        // A relative link may hold an absolute URL: `/go?to=http://host.dom/`.
        (DocumentKind::Attribute(_), Purpose::Scan) => whole(Some(input)),
        (DocumentKind::Attribute(_), Purpose::Lint) => whole(None),
        (DocumentKind::Mention(_), Purpose::Lint) | (DocumentKind::Message, _) => Way::Skip,
        (DocumentKind::Header(name), _)
            if is_word(document.text) && is_for_urls(name, document.text) =>
        {
            whole(Some(input))
        }
        (DocumentKind::Text(dialect), _) => Way::Text(input, written_in(dialect)),
        _ => Way::Text(input, archive::Dialect::Plain),
    }
}

/// The markup of a file whose own bytes are the one text to be read, or `None` if it is taken apart
/// into documents. Of HTML and formats with escapes, the source is linted, because that is where the fixes go.
///
/// ```
/// use urlsift_archive::{Container, Dialect};
/// use urlsift_records::dispatch::{Purpose, source_text};
/// let text = Container::Text(Dialect::Markdown);
/// assert_eq!(source_text(text, Purpose::Scan), Some(Dialect::Markdown));
/// assert_eq!(source_text(Container::Mbox, Purpose::Scan), None);
/// ```
pub fn source_text(container: Container, purpose: Purpose) -> Option<archive::Dialect> {
    match (container, purpose) {
        (Container::Text(dialect), Purpose::Lint) => Some(written_in(dialect)),
        (Container::Text(dialect), Purpose::Scan) => Some(dialect),
        (Container::Html, Purpose::Lint) => Some(archive::Dialect::Html),
        (Container::Escaped(notation), Purpose::Lint) => Some(match notation {
            Notation::Jupyter => archive::Dialect::Jupyter,
            _ => archive::Dialect::Plain,
        }),
        _ => None,
    }
}

/// The markup: texts amid other bytes have none.
fn written_in(dialect: archive::Dialect) -> archive::Dialect {
    if dialect == archive::Dialect::Binary { archive::Dialect::Plain } else { dialect }
}

/// Hands every candidate of `document` to `found`, in text order, until it breaks, each with the document that it
/// stands in: the text of an HTML page brings along what the tags before each candidate hold. Linear in the text.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
/// use urlsift_records::dispatch::{Purpose, candidates};
///
/// let raw = b"Subject: (http://a.dom/)\nX-URL: http://b.dom/(x)\n\nhttp://c.dom/.\n";
/// let scanner = urlsift_scanner::Scanner::builder().build();
/// let mut urls = Vec::new();
/// documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
///     candidates(&scanner, document, Purpose::Scan, &mut |_, found| {
///         urls.push(found.url().into_owned());
///         ControlFlow::Continue(())
///     })
/// });
/// assert_eq!(urls, [&b"http://a.dom/"[..], b"http://b.dom/(x)", b"http://c.dom/"]);
/// ```
pub fn candidates(
    scanner: &Scanner,
    document: &Document<'_>,
    purpose: Purpose,
    found: &mut impl FnMut(&Document<'_>, &Candidate<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let input = match dispatch(document, purpose) {
        Way::Skip => return Continue(()),
        Way::Text(input, _) => input,
        Way::Whole { value, otherwise } => {
            if let Some(candidate) = scanner.attribute(value) {
                return found(document, &candidate);
            }
            let Some(input) = otherwise else { return Continue(()) };
            if !document.origin.bases.is_empty()
                && matches!(document.kind, DocumentKind::Attribute(_))
                && let Some(candidate) = scanner.relative(value)
            {
                found(document, &candidate)?;
            }
            input
        }
    };
    let mut all = scanner.find(input);
    while let Some(candidate) = all.advance() {
        document
            .tags_before(candidate.span(), &mut |tag| candidates(scanner, tag, purpose, found))?;
        found(document, candidate)?;
    }
    Continue(())
}

/// The document's text, with what the scanner is to know of it.
fn input<'d>(document: &Document<'d>) -> Input<'d> {
    Input::new(document.text).breaks(document.breaks).charset(document.charset)
}

/// Whether a field's value is one word, and neither a list nor in angle brackets.
fn is_word(value: &[u8]) -> bool {
    !value.trim_ascii().iter().any(|byte| byte.is_ascii_whitespace() || b"<>\",".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{Purpose, candidates};
    use std::ops::ControlFlow;
    use urlsift_archive::{Container, Options, documents};
    use urlsift_scanner::{Form, Scanner};

    fn found(raw: &str, container: Container, purpose: Purpose) -> Vec<(String, Form)> {
        let scanner = Scanner::builder().build();
        let mut all = Vec::new();
        documents(raw.as_bytes(), container, 0, &Options::default(), &mut |document| {
            candidates(&scanner, document, purpose, &mut |_, found| {
                all.push((String::from_utf8(found.url().into_owned()).unwrap(), found.form()));
                ControlFlow::Continue(())
            })
        });
        all
    }

    #[test]
    fn a_field_made_for_urls_is_taken_whole_and_others_are_prose() {
        for (field, expected) in [
            ("X-URL: http://h.dom/a.", &[("http://h.dom/a.", Form::Attribute)][..]),
            ("X-URL: (http://h.dom/a)", &[("http://h.dom/a", Form::Bare)]),
            ("Subject: http://h.dom/a.", &[("http://h.dom/a", Form::Bare)]),
            ("Subject: Re:Profiling", &[]),
            ("Subject: conf:mideast.levant", &[]),
            ("Subject: news:comp.lang.c", &[("news:comp.lang.c", Form::Bare)]),
            (
                "List-Unsubscribe: <http://h.dom/a>, <http://h.dom/b>",
                &[("http://h.dom/a", Form::Bracketed), ("http://h.dom/b", Form::Bracketed)],
            ),
        ] {
            let raw = format!("From: a@b.dom\n{field}\n\n");
            let expected: Vec<_> = expected.iter().map(|&(u, f)| (u.to_owned(), f)).collect();
            for purpose in [Purpose::Scan, Purpose::Lint] {
                assert_eq!(found(&raw, Container::Message, purpose), expected, "{field}");
            }
        }
    }

    #[test]
    fn html_is_read_for_its_purpose() {
        let raw = "<a href='/go?to=http://a.dom/'>x</a><script>go('http://b.dom/')</script>";
        assert_eq!(found(raw, Container::Html, Purpose::Lint), []);
        let urls: Vec<_> = found(raw, Container::Html, Purpose::Scan);
        let urls: Vec<_> = urls.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(urls, ["http://a.dom/", "http://b.dom/"]);
    }
}
