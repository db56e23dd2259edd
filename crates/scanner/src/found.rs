//! Candidates that own a copy of their text.

use crate::candidate::{Candidate, Form, SplitUrl};
use std::borrow::Cow;
use urlsift_core::{FileSpan, Profile, Span};

/// A [`Candidate`] that owns a copy of the bytes it covers, so that it outlives the text. Its
/// offsets are those in the original text.
///
/// ```
/// use urlsift_scanner::Scanner;
///
/// let scanner = Scanner::builder().build();
/// let text = String::from("> at <URL:http://host.dom/\n> a.html>");
/// let found = scanner.find_iter(text.as_bytes()).next().unwrap().into_owned();
/// drop(text);
/// assert_eq!(&*found.url(), b"http://host.dom/a.html");
/// assert_eq!((found.span().start, found.span().end), (10, 35));
/// assert_eq!((found.span_with_wrapper().start, found.quote_depth()), (5, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Found {
    /// Offset in the original text of the first byte of `text`.
    base: u64,
    /// The bytes of the candidate, wrapper or prefix included.
    text: Box<[u8]>,
    candidate: Candidate<'static>,
    quote_depth: u32,
}

impl Found {
    /// Returns the URL without the line breaks and other layout inside it, like [`Candidate::url`].
    pub fn url(&self) -> Cow<'_, [u8]> {
        match &self.candidate.split {
            None => Cow::Borrowed(&self.text[self.candidate.span.range()]),
            Some(_) => Cow::Owned(self.candidate().url().into_owned()),
        }
    }

    /// Returns the span of the URL in the original text, from its first byte to its last, without
    /// the wrapper or prefix.
    pub fn span(&self) -> FileSpan {
        FileSpan::from_base(self.base, self.candidate.span)
    }

    /// Returns the span of the URL in the original text, including its wrapper or prefix.
    pub fn span_with_wrapper(&self) -> FileSpan {
        FileSpan::from_base(self.base, self.candidate.whole)
    }

    /// Returns the form in which the URL is written in the text.
    pub fn form(&self) -> Form {
        self.candidate.form
    }

    /// True if [`validate_found`](crate::validate_found) accepts the URL, i.e. if it is valid in
    /// `profile`.
    pub fn is_valid(&self, profile: Profile) -> bool {
        self.candidate().is_valid(profile)
    }

    /// Returns the number of quote marks before the line that the URL starts on, like
    /// [`Candidate::quote_depth`].
    pub fn quote_depth(&self) -> u32 {
        self.quote_depth
    }

    /// Returns the match as a [`Candidate`], to call the methods that [`Found`] lacks. The spans of
    /// the candidate count from the start of [`Found::span_with_wrapper`].
    ///
    /// [`Candidate::quote_depth`] doesn't work on this candidate, because the text before the
    /// candidate isn't kept. Use [`Found::quote_depth`] instead.
    pub fn candidate(&self) -> Candidate<'_> {
        self.candidate.clone().with_text(&self.text)
    }
}

impl Candidate<'_> {
    /// Converts the candidate into one that owns a copy of the bytes it covers.
    pub fn into_owned(self) -> Found {
        self.into_found(0)
    }

    /// Converts the candidate into one that owns a copy of the bytes it covers. `base` is the
    /// offset of its text in the whole input.
    pub(crate) fn into_found(mut self, base: u64) -> Found {
        let quote_depth = self.quote_depth();
        let Span { start, end } = self.whole;
        let text = self.text[start..end].into();
        self.move_offsets_back(start);
        Found { base: base + start as u64, text, candidate: self.with_text(&[]), quote_depth }
    }

    /// Returns the candidate with its text replaced by `text`, which must have the same bytes at
    /// the candidate's spans.
    ///
    /// To keep a candidate for longer than its buffer, replace its text by an empty one. Before you
    /// use the candidate again, give it the real text back.
    pub fn with_text(self, text: &[u8]) -> Candidate<'_> {
        Candidate { text, ..self }
    }

    /// Marks the candidate's URL as cut at the end of its text: see
    /// [`is_truncated`](Candidate::is_truncated).
    #[must_use]
    pub fn mark_truncated(self) -> Self {
        Self { truncated: true, ..self }
    }

    /// Subtracts `by` from all offsets of the candidate.
    fn move_offsets_back(&mut self, by: usize) {
        let moved = |span: &mut Span| *span = Span::new(span.start - by, span.end - by);
        moved(&mut self.whole);
        moved(&mut self.span);
        match self.split.as_deref_mut() {
            Some(SplitUrl::Locator(locator)) => locator.pieces.iter_mut().for_each(moved),
            _ => self.seams_mut().iter_mut().for_each(|seam| moved(&mut seam.gap)),
        }
    }
}

/// Serializes these fields, named as in the command's records: `url` (invalid UTF-8 becomes
/// U+FFFD), `start` and `end` (of the URL, in bytes), `form` and `quote_depth`.
#[cfg(feature = "serde")]
impl serde::Serialize for Found {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FileSpan { start, end } = self.span();
        let url = String::from_utf8_lossy(&self.url()).into_owned();
        serialize_fields(serializer, &url, (start, end), self.form(), self.quote_depth())
    }
}

/// Serializes the same fields as for [`Found`].
#[cfg(feature = "serde")]
impl serde::Serialize for Candidate<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Span { start, end } = self.span();
        serialize_fields(
            serializer,
            &self.url_lossy(),
            (start as u64, end as u64),
            self.form(),
            self.quote_depth(),
        )
    }
}

#[cfg(feature = "serde")]
fn serialize_fields<S: serde::Serializer>(
    serializer: S,
    url: &str,
    (start, end): (u64, u64),
    form: Form,
    quote_depth: u32,
) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeStruct;
    let mut found = serializer.serialize_struct("Found", 5)?;
    found.serialize_field("url", url)?;
    found.serialize_field("start", &start)?;
    found.serialize_field("end", &end)?;
    found.serialize_field("form", &form)?;
    found.serialize_field("quote_depth", &quote_depth)?;
    found.end()
}
