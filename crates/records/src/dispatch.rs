//! Decides how each document is searched for URLs: as one URL, as running text, or not at all.
//!
//! | document | `Purpose::Scan` | `Purpose::Lint` |
//! |---|---|---|
//! | text | running text | running text |
//! | HTML attribute that contains a URL | whole, else running text | whole |
//! | HTML attribute with a relative link and a base | whole, and as running text | |
//! | one-word header field made for URLs | whole, else running text | whole, else running text |
//! | any other header field (`Subject`, lists) | running text | running text |
//! | link destination in a markup language | whole, else running text | |
//! | mention (script, style, other attribute) | running text | skipped, because it may be code |
//!
//! A document is one text with its kind, e.g. a mail body or an attribute value; the archive crate
//! splits files into documents. Files that consist of a single text are not split: for the linter,
//! see [`source_dialect`]. The linter also reads HTML and markup in mail as source
//! ([`Options::html_source`](archive::Options::html_source)), so it gets no attributes, link
//! destinations or mentions from such parts.

use std::ops::ControlFlow::{self, Continue};
use urlsift_archive::{
    self as archive, Container, Document, DocumentKind, Notation, is_field_for_urls,
};
use urlsift_scanner::{Candidate, Input, Scanner};

/// The reason for reading a document: to extract its URLs or to lint them.
///
/// The example at [`dispatch`] shows a document that is read for one of them only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Extract every URL.
    Scan,
    /// Report faults at positions in the source, where they can be fixed.
    Lint,
}

/// The way in which a document is searched for URLs. It is the result of [`dispatch`].
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
/// use urlsift_records::dispatch::{Purpose, SearchMode, dispatch};
///
/// let mut whole = Vec::new();
/// documents(b"<a href='http://host.dom/'>b</a>", Container::Html, 0, &Options::default(), &mut |document| {
///     if let SearchMode::Whole { value, .. } = dispatch(document, Purpose::Scan) {
///         whole.push(value.to_vec());
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(whole, [b"http://host.dom/"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum SearchMode<'d> {
    /// The document is not searched.
    Skip,
    /// The whole text of the document is one URL if it starts with a scheme. Otherwise, the text in
    /// `otherwise` is searched for URLs.
    Whole {
        /// The text of the document, which may be a URL.
        value: &'d [u8],
        /// The same text as input for the scanner, or `None` if the text must not be searched.
        otherwise: Option<Input<'d>>,
    },
    /// The document is running text that may contain URLs. The dialect is its markup.
    Text(Input<'d>, archive::Dialect),
}

/// Returns the way to search `document` for URLs. It depends on `purpose`: extracting URLs or
/// linting.
///
/// Takes constant time, except for header fields, whose value is checked in linear time.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
/// use urlsift_records::dispatch::{Purpose, SearchMode, dispatch};
///
/// let mut skipped = 0;
/// let raw = b"<script>see('http://host.dom/')</script>";
/// documents(raw, Container::Html, 0, &Options::default(), &mut |document| {
///     skipped += usize::from(matches!(dispatch(document, Purpose::Lint), SearchMode::Skip));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(skipped, 1, "code fragments are not linted");
/// ```
pub fn dispatch<'d>(document: &Document<'d>, purpose: Purpose) -> SearchMode<'d> {
    let input = scanner_input(document);
    let whole = |otherwise| SearchMode::Whole { value: document.text, otherwise };
    match (document.kind, purpose) {
        // A relative link can contain an absolute URL, e.g. `/go?to=http://host.dom/`.
        (DocumentKind::Attribute(_) | DocumentKind::Destination, Purpose::Scan) => {
            whole(Some(input))
        }
        (DocumentKind::Attribute(_) | DocumentKind::Destination, Purpose::Lint) => whole(None),
        (DocumentKind::Mention(_), Purpose::Lint) | (DocumentKind::Message, _) => SearchMode::Skip,
        (DocumentKind::Header(name), _)
            if is_single_word(document.text) && is_field_for_urls(name, document.text) =>
        {
            whole(Some(input))
        }
        (DocumentKind::Text(dialect), _) => SearchMode::Text(input, dialect_or_plain(dialect)),
        _ => SearchMode::Text(input, archive::Dialect::Plain),
    }
}

/// Returns the markup of a file that is linted as a single text. Returns `None` if the file is
/// split into documents.
///
/// The linter reads HTML and formats with escape sequences as source text, because its fixes apply
/// to the source. Gettext catalogs are an exception: they are decoded and never fixed.
///
/// ```
/// use urlsift_archive::{Container, Dialect};
/// use urlsift_records::dispatch::source_dialect;
/// assert_eq!(source_dialect(Container::Markup(Dialect::Markdown)), Some(Dialect::Markdown));
/// assert_eq!(source_dialect(Container::Html), Some(Dialect::Html));
/// assert_eq!(source_dialect(Container::Mbox), None);
/// ```
pub fn source_dialect(container: Container) -> Option<archive::Dialect> {
    match container {
        Container::Text(dialect) | Container::Markup(dialect) => Some(dialect_or_plain(dialect)),
        Container::Html => Some(archive::Dialect::Html),
        Container::Escaped(Notation::Jupyter) => Some(archive::Dialect::Jupyter),
        // Fixes must not change the messages of a catalog: programs look them up by their text.
        Container::Escaped(Notation::Gettext) => None,
        Container::Escaped(_) => Some(archive::Dialect::Plain),
        _ => None,
    }
}

/// Returns `dialect`, except for text embedded in binary data, which is searched as plain text.
fn dialect_or_plain(dialect: archive::Dialect) -> archive::Dialect {
    if dialect == archive::Dialect::Binary { archive::Dialect::Plain } else { dialect }
}

/// Calls `on_candidate` for every candidate (possible URL) in `document`, in text order, until
/// `on_candidate` breaks.
///
/// The first argument of `on_candidate` is the document that contains the candidate. This is
/// usually `document`. In the text of an HTML page, it can also be the document of an attribute
/// value, because the values of a page's tags are searched with its text.
///
/// Takes linear time.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
/// use urlsift_records::dispatch::{Purpose, for_each_candidate};
///
/// let raw = b"Subject: (http://a.dom/)\nX-URL: http://b.dom/(x)\n\nhttp://c.dom/.\n";
/// let scanner = urlsift_scanner::Scanner::builder().build();
/// let mut urls = Vec::new();
/// documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
///     for_each_candidate(&scanner, document, Purpose::Scan, &mut |_, found| {
///         urls.push(found.url().into_owned());
///         ControlFlow::Continue(())
///     })
/// });
/// assert_eq!(urls, [&b"http://a.dom/"[..], b"http://b.dom/(x)", b"http://c.dom/"]);
/// ```
pub fn for_each_candidate(
    scanner: &Scanner,
    document: &Document<'_>,
    purpose: Purpose,
    on_candidate: &mut impl FnMut(&Document<'_>, &Candidate<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let input = match dispatch(document, purpose) {
        SearchMode::Skip => return Continue(()),
        SearchMode::Text(input, _) => input,
        SearchMode::Whole { value, otherwise } => {
            if let Some(candidate) = scanner.read_attribute(value) {
                return on_candidate(document, &candidate);
            }
            let Some(input) = otherwise else { return Continue(()) };
            if !document.origin.bases.is_empty()
                && matches!(document.kind, DocumentKind::Attribute(_))
                && let Some(candidate) = scanner.read_relative(value)
            {
                on_candidate(document, &candidate)?;
            }
            input
        }
    };
    let mut all = scanner.find(input);
    while let Some(candidate) = all.advance() {
        document.send_tags_before(candidate.span(), &mut |tag| {
            for_each_candidate(scanner, tag, purpose, on_candidate)
        })?;
        on_candidate(document, candidate)?;
    }
    Continue(())
}

/// Returns the text of a document as input for the scanner, with information about its line breaks
/// and charset.
pub(crate) fn scanner_input<'d>(document: &Document<'d>) -> Input<'d> {
    let has_labels =
        matches!(document.kind, DocumentKind::Text(dialect) if dialect.has_url_labels());
    Input::new(document.text).breaks(document.breaks).charset(document.charset).labels(has_labels)
}

/// True if `value`, the value of a header field, is a single word without angle brackets, quotation
/// marks or commas.
fn is_single_word(value: &[u8]) -> bool {
    !value.trim_ascii().iter().any(|byte| byte.is_ascii_whitespace() || b"<>\",".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{Purpose, for_each_candidate};
    use std::ops::ControlFlow;
    use urlsift_archive::{Container, Options, documents};
    use urlsift_scanner::{Form, Scanner};

    fn found(raw: &str, container: Container, purpose: Purpose) -> Vec<(String, Form)> {
        let scanner = Scanner::builder().build();
        let mut all = Vec::new();
        documents(raw.as_bytes(), container, 0, &Options::default(), &mut |document| {
            for_each_candidate(&scanner, document, purpose, &mut |_, found| {
                all.push((String::from_utf8(found.url().into_owned()).unwrap(), found.form()));
                ControlFlow::Continue(())
            })
        });
        all
    }

    #[test]
    fn url_header_is_read_whole_and_others_as_text() {
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
    fn html_dispatch_depends_on_purpose() {
        let raw = "<a href='/go?to=http://a.dom/'>x</a><script>go('http://b.dom/')</script>";
        assert_eq!(found(raw, Container::Html, Purpose::Lint), []);
        let urls: Vec<_> = found(raw, Container::Html, Purpose::Scan);
        let urls: Vec<_> = urls.iter().map(|(url, _)| url.as_str()).collect();
        assert_eq!(urls, ["http://a.dom/", "http://b.dom/"]);
    }
}
