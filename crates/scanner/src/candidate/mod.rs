//! Candidates: the URLs found in a text, with their spans.

mod escapes;
mod form;
mod join_evidence;
pub(crate) mod quote_depths;
mod readings;
mod seam;
mod split;
mod target;

use crate::limits::MAX_URL;
use crate::scheme::{Schemes, corrected_scheme};
use crate::text::host::ends_in_host;
use std::borrow::Cow;
use urlsift_core::{Code, MapBuilder, Profile, Report, Span, SpanMap, Url, Violation, registry};

pub(crate) use escapes::escape_at;
pub use form::{Form, NearMiss};
pub use join_evidence::{JoinEvidence, JoinEvidenceSet};
pub use seam::{Grade, JoinKind, Seam};
pub(crate) use split::{LocatorUrl, Pieces, SplitUrl};

/// A URL found in a text, not yet validated. If options of the [`Builder`](crate::Builder) ask for
/// more, a candidate may also be an address, a host, or a string that is almost a URL.
///
/// A candidate borrows the text. If the URL is written in one piece, no allocation is needed.
///
/// ```
/// use urlsift_scanner::{Form, Scanner};
/// let text = b"> It is at <URL:http://host.dom/a\n> /b>.";
/// let found = Scanner::builder().build().find_iter(text).next().unwrap();
/// assert_eq!((&*found.url(), found.form()), (&b"http://host.dom/a/b"[..], Form::Wrapped));
/// assert_eq!((found.span_with_wrapper().range(), found.span().range()), (11..39, 16..38));
/// assert_eq!((found.quote_depth(), found.seams().len(), found.is_encoded()), (1, 1, false));
/// assert!(found.findings().is_empty() && !found.is_truncated());
/// ```
#[derive(Clone, Debug)]
pub struct Candidate<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) whole: Span,
    pub(crate) span: Span,
    pub(crate) form: Form,
    pub(crate) truncated: bool,
    /// True if the scheme is neither registered nor added by the user.
    pub(crate) is_unknown: bool,
    pub(crate) is_delimited: bool,
    pub(crate) near_miss: Option<NearMiss>,
    /// The breaks or pieces of a URL that isn't written in one piece. `None` for most candidates.
    pub(crate) split: Option<Box<SplitUrl>>,
}

impl<'t> Candidate<'t> {
    /// An empty candidate of an empty text.
    pub(crate) const NONE: Self = Self::new(&[], Span::new(0, 0), Span::new(0, 0), Form::Bare);

    pub(crate) const fn new(text: &'t [u8], whole: Span, span: Span, form: Form) -> Self {
        Self {
            text,
            whole,
            span,
            form,
            truncated: false,
            is_unknown: false,
            is_delimited: false,
            near_miss: None,
            split: None,
        }
    }

    /// Overwrites the candidate, one field at a time, with a URL that is written in one piece.
    #[inline(always)]
    pub(crate) fn fill(
        &mut self,
        text: &'t [u8],
        whole: Span,
        span: Span,
        form: Form,
        is_delimited: bool,
    ) {
        self.text = text;
        (self.whole, self.span, self.form) = (whole, span, form);
        (self.truncated, self.is_unknown, self.is_delimited) = (false, false, is_delimited);
        self.near_miss = None;
        // A test is cheaper than the call that drops `None`.
        if self.split.is_some() {
            self.split = None;
        }
    }

    /// Returns the candidate with `seams` as the breaks inside its URL.
    pub(crate) fn with_seams(self, seams: &[Seam]) -> Self {
        self.with_seams_reusing(seams, None)
    }

    /// Returns the candidate with `seams` as the breaks inside its URL, like
    /// [`with_seams`](Self::with_seams). Reuses `buffer`, the allocation of a candidate that is no
    /// longer used.
    pub(crate) fn with_seams_reusing(
        mut self,
        seams: &[Seam],
        buffer: Option<Box<SplitUrl>>,
    ) -> Self {
        let split = match seams {
            [] => return self,
            [seam] => SplitUrl::OneBreak(*seam),
            _ => SplitUrl::Breaks(seams.to_vec()),
        };
        self.set_split(split, buffer);
        self
    }

    /// Sets how the URL is split over the text (its breaks or pieces). Reuses `buffer`, the
    /// allocation of a candidate that is no longer used.
    #[inline]
    pub(crate) fn set_split(&mut self, split: SplitUrl, buffer: Option<Box<SplitUrl>>) {
        self.split = Some(match buffer {
            Some(mut buffer) => {
                *buffer = split;
                buffer
            }
            None => Box::new(split),
        });
    }

    /// Marks the candidate as one whose scheme `name` the scanner doesn't know. In profiles limited
    /// to RFC 1738, a registered scheme doesn't count as unknown.
    pub(crate) fn with_unknown_scheme(mut self, name: &[u8], schemes: &Schemes) -> Self {
        self.is_unknown = schemes.is_modern() || registry::find_entry(name).is_none();
        if self.is_unknown && corrected_scheme(name).is_some() {
            self.near_miss = Some(NearMiss::MisspeltScheme);
        }
        self
    }

    /// Marks the URL as part of quoted-printable text that was not decoded. Does nothing if the URL
    /// has no breaks.
    pub(crate) fn mark_encoded(mut self) -> Self {
        if !self.seams().is_empty() {
            self.split = Some(Box::new(SplitUrl::EncodedBreaks(self.seams().to_vec())));
        }
        self
    }

    /// True if the URL is in quoted-printable text that was not decoded. The equals signs at its
    /// line breaks are then not part of the URL, and its escapes (`=3D`) are decoded.
    pub fn is_encoded(&self) -> bool {
        matches!(self.split.as_deref(), Some(SplitUrl::EncodedBreaks(_)))
    }

    /// True if [`Candidate::readings`] returns more than one reading.
    pub fn is_ambiguous(&self) -> bool {
        self.is_encoded() || self.seams().iter().any(|seam| seam.hyphen)
    }

    /// Sets the URL that the locator denotes: `ftp://ftp.uu.net/pub` for `ftp.uu.net:/pub`.
    pub(crate) fn with_locator_url(mut self, locator: LocatorUrl) -> Self {
        self.split = Some(Box::new(SplitUrl::Locator(locator)));
        self
    }

    /// Returns the URL that the locator denotes, or `None` for candidates that aren't locators.
    pub(crate) fn locator_url(&self) -> Option<&LocatorUrl> {
        match self.split.as_deref() {
            Some(SplitUrl::Locator(locator)) => Some(locator),
            _ => None,
        }
    }

    /// Returns the breaks inside the URL for modification.
    pub(crate) fn seams_mut(&mut self) -> &mut [Seam] {
        match self.split.as_deref_mut() {
            Some(SplitUrl::OneBreak(seam)) => std::slice::from_mut(seam),
            Some(SplitUrl::Breaks(seams) | SplitUrl::EncodedBreaks(seams)) => seams,
            _ => &mut [],
        }
    }

    /// Returns the URL's span in the text, from its first to its last byte, including the breaks.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the span of the URL with the wrapper or prefix around it (`<URL:…>`). Several URLs
    /// in one wrapper share this span.
    pub fn span_with_wrapper(&self) -> Span {
        self.whole
    }

    /// Returns the form in which the URL is written.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the breaks inside the URL (line breaks and other layout), in order and without
    /// overlaps. Empty if the URL is written in one piece.
    pub fn seams(&self) -> &[Seam] {
        match self.split.as_deref() {
            Some(SplitUrl::OneBreak(seam)) => std::slice::from_ref(seam),
            Some(SplitUrl::Breaks(seams) | SplitUrl::EncodedBreaks(seams)) => seams,
            _ => &[],
        }
    }

    /// True if the URL continues in the text: it was cut at the maximum length, 65,536 bytes, or
    /// before a letter in an unknown charset.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// True if the URL was cut at the maximum length, 65,536 bytes.
    pub fn is_overlong(&self) -> bool {
        self.truncated && self.span.len() >= MAX_URL
    }

    /// True if the URL was cut inside its host, before a letter in an unknown charset. It is then
    /// the URL of another host.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let text = b"http://h\xE4user.dom/ http://h.dom/f\xE4lle";
    /// let found: Vec<_> = scanner.find_iter(text).map(|found| found.is_cut_in_host()).collect();
    /// assert_eq!(found, [true, false]);
    /// ```
    pub fn is_cut_in_host(&self) -> bool {
        self.truncated && !self.is_overlong() && ends_in_host(&self.url())
    }

    /// True if the scanner knows that the URL ends with its word: a US-ASCII blank, a control
    /// character other than ESC, `<`, `>` or `"` follows it, or follows the punctuation after it.
    ///
    /// This is a hint, which is free of cost. It may be false although such a character follows.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let text = b"At http://a.dom/, or http://b.dom/\xB7 there.";
    /// let found: Vec<_> = scanner.find_iter(text).map(|found| found.is_delimited()).collect();
    /// assert_eq!(found, [true, false]);
    /// ```
    #[inline]
    pub fn is_delimited(&self) -> bool {
        self.is_delimited
    }

    /// True if [`validate_found`] accepts [`Candidate::url`], i.e. if the URL is valid in
    /// `profile`.
    ///
    /// ```
    /// use urlsift_core::Profile;
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let text = b"At http://host.dom/path and http://host..dom/";
    /// let valid: Vec<_> = scanner.find_iter(text).map(|found| found.is_valid(Profile::Web)).collect();
    /// assert_eq!(valid, [true, false]);
    /// ```
    #[inline]
    pub fn is_valid(&self, profile: Profile) -> bool {
        match &self.split {
            None => is_valid(&self.text[self.span.range()], profile),
            Some(_) => self.is_valid_assembled(profile),
        }
    }

    /// Computes [`Candidate::is_valid`] for a URL that isn't written in one piece.
    #[inline(never)]
    fn is_valid_assembled(&self, profile: Profile) -> bool {
        /// The maximum length of a URL that is assembled on the stack, in bytes.
        const MAX_STACK_LEN: usize = 128;
        if let Some([head, tail]) = self.parts_around_only_seam() {
            let mut buffer = [0; MAX_STACK_LEN];
            if let Some(url) = buffer.get_mut(..head.len() + tail.len()) {
                let (start, end) = url.split_at_mut(head.len());
                start.copy_from_slice(head);
                end.copy_from_slice(tail);
                return is_valid(url, profile);
            }
        }
        is_valid(&self.url(), profile)
    }

    /// Returns the parts of the URL before and after its break. Returns `None` unless it has
    /// exactly one break.
    #[inline]
    fn parts_around_only_seam(&self) -> Option<[&'t [u8]; 2]> {
        match self.split.as_deref() {
            Some(SplitUrl::OneBreak(seam)) => Some([
                &self.text[self.span.start..seam.gap.start],
                &self.text[seam.gap.end..self.span.end],
            ]),
            _ => None,
        }
    }

    /// Returns the mistake in a [`Form::NearMiss`] or in a misspelled scheme, or `None` for other
    /// candidates.
    pub fn near_miss(&self) -> Option<NearMiss> {
        self.near_miss
    }

    /// Returns the URL without layout, the first of [`Candidate::readings`]. It is borrowed if the
    /// URL is written in one piece.
    ///
    /// For [`Form::Locator`] this is the ftp URL that the locator denotes. [`Form::Schemeless`],
    /// [`Form::Relative`], [`Form::Email`], [`Form::Host`] and [`Form::NearMiss`] are not URLs. For
    /// these forms, the text is returned as written.
    #[inline]
    pub fn url(&self) -> Cow<'t, [u8]> {
        if self.split.is_none() {
            return Cow::Borrowed(&self.text[self.span.range()]);
        }
        Cow::Owned(self.assemble_url())
    }

    /// Returns [`Candidate::url`] as a string. It is borrowed if the URL is UTF-8 and written in
    /// one piece. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub fn url_lossy(&self) -> Cow<'t, str> {
        match self.url() {
            Cow::Borrowed(url) => String::from_utf8_lossy(url),
            Cow::Owned(url) => Cow::Owned(
                String::from_utf8(url)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            ),
        }
    }

    /// Returns the URL, assembled from the pieces of the text between its breaks.
    #[inline(never)]
    fn assemble_url(&self) -> Vec<u8> {
        if let Some(locator) = self.locator_url() {
            let mut url = locator.scheme.as_bytes().to_vec();
            for piece in &locator.pieces {
                url.extend_from_slice(&self.text[piece.range()]);
            }
            return url;
        }
        let mut url = Vec::with_capacity(self.span.len());
        self.write_to(&mut url);
        url
    }

    /// Appends the bytes of [`Candidate::written_pieces`] to `to`.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let mut candidates = scanner.find_iter(b"<URL:http://host.dom/a/\n b.html>");
    /// let mut url = Vec::new();
    /// candidates.next().unwrap().write_to(&mut url);
    /// assert_eq!(url, b"http://host.dom/a/b.html");
    /// ```
    #[inline]
    pub fn write_to(&self, to: &mut Vec<u8>) {
        if self.split.is_none() {
            to.extend_from_slice(&self.text[self.span.range()]);
        } else {
            self.write_pieces_to(to);
        }
    }

    /// Appends the URL to `to`, like [`Candidate::write_to`], for a URL that consists of several
    /// pieces of the text.
    #[inline(never)]
    fn write_pieces_to(&self, to: &mut Vec<u8>) {
        if let Some([head, tail]) = self.parts_around_only_seam() {
            to.reserve(head.len() + tail.len());
            to.extend_from_slice(head);
            to.extend_from_slice(tail);
        } else if self.is_encoded() {
            self.written_pieces().for_each(|piece| to.extend_from_slice(piece));
        } else {
            self.piece_spans().for_each(|piece| to.extend_from_slice(&self.text[piece.range()]));
        }
    }

    /// Returns the pieces of the text between the breaks, with escapes decoded (see
    /// [`Candidate::is_encoded`]). For all forms but [`Form::Locator`], joining these pieces gives
    /// [`Candidate::url`].
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let mut candidates = scanner.find_iter(b"<URL:http://host.dom/a/\n b.html>");
    /// let candidate = candidates.next().unwrap();
    /// assert!(candidate.written_pieces().eq([&b"http://host.dom/a/"[..], b"b.html"]));
    /// ```
    pub fn written_pieces(&self) -> impl Iterator<Item = &'t [u8]> {
        self.piece_spans().flat_map(|piece| self.decoded_parts(piece))
    }

    /// Returns the bytes of `piece`, a span of the text, in parts. Each part is a slice of the
    /// text, or the byte that an escape encodes.
    fn decoded_parts(&self, piece: Span) -> impl Iterator<Item = &'t [u8]> {
        let text = self.text;
        escapes::split_at_escapes(text, piece, self.is_encoded()).map(move |part| {
            match part.escape {
                Some(byte) => escapes::byte_as_slice(byte),
                None => &text[part.span.range()],
            }
        })
    }

    /// Returns a map from offsets in [`Candidate::url`] to offsets in the text, to report positions
    /// inside the URL.
    pub fn span_map(&self) -> SpanMap {
        if let Some(locator) = self.locator_url() {
            let mut map = MapBuilder::new();
            map.push_replaced(Span::new(self.span.start, self.span.start), locator.scheme.len());
            for piece in &locator.pieces {
                map.push_copied(piece.start, piece.len());
            }
            return map.finish();
        }
        if self.split.is_none() {
            return SpanMap::cut_from(self.span.start);
        }
        let mut map = MapBuilder::new();
        let is_encoded = self.is_encoded();
        for part in self
            .piece_spans()
            .flat_map(|piece| escapes::split_at_escapes(self.text, piece, is_encoded))
        {
            match part.escape {
                Some(_) => map.push_replaced(part.span, 1),
                None => map.push_copied(part.span.start, part.span.len()),
            }
        }
        map.finish()
    }

    /// Returns the spans of the text between the URL's breaks, in order.
    fn piece_spans(&self) -> impl Iterator<Item = Span> {
        let starts = std::iter::once(self.span.start).chain(self.seams().iter().map(|s| s.gap.end));
        let ends = self.seams().iter().map(|s| s.gap.start).chain(std::iter::once(self.span.end));
        starts.zip(ends).map(|(start, end)| Span::new(start, end))
    }

    /// True if the hyphen before the break `seam` is not part of the preferred reading of the URL.
    pub(crate) fn drops_hyphen(&self, seam: &Seam) -> bool {
        seam.hyphen && self.text.get(seam.gap.start) == Some(&b'-')
    }

    /// Returns the findings about the way the URL is written in the text (such as
    /// `break.after-hyphen`), not about the URL itself. Their spans are within the URL.
    #[inline]
    pub fn findings(&self) -> Vec<Report> {
        if !self.is_unknown && self.seams().is_empty() { Vec::new() } else { self.all_findings() }
    }

    /// Computes [`Candidate::findings`] for any candidate. This is the slow path.
    fn all_findings(&self) -> Vec<Report> {
        let mut found = Vec::new();
        if self.is_unknown && self.form != Form::NearMiss {
            found.extend(self.scheme_finding());
        }
        let mut len = 0;
        for (piece, seam) in self.piece_spans().zip(self.seams()) {
            len += self.decoded_parts(piece).map(<[u8]>::len).sum::<usize>();
            let (code, span) = if seam.kind == JoinKind::NewsBracket {
                (Code::NewsBrackets, Span::new(0, len))
            } else if seam.hyphen {
                let kept = usize::from(!self.drops_hyphen(seam));
                (Code::BreakAfterHyphen, Span::new(len.saturating_sub(kept), len))
            } else if seam.kind.is_line_break() && self.text[piece.range()].last() == Some(&b'-') {
                (Code::WrapperSpaceAfterHyphen, Span::new(len - 1, len))
            } else {
                continue;
            };
            found.push(Report::new(code, span));
        }
        found
    }
}

impl Candidate<'_> {
    /// Returns the finding about the URL's unknown or misspelled scheme. Returns `None` if that
    /// isn't reported, e.g. for schemes that start with `x-`.
    fn scheme_finding(&self) -> Option<Report> {
        let url = self.url();
        let len = memchr::memchr(b':', &url)?;
        let code = match self.near_miss {
            Some(near_miss) => near_miss.code()?,
            None if url.get(..2).is_some_and(|head| head.eq_ignore_ascii_case(b"x-")) => {
                return None;
            }
            None => Code::SchemeUnknown,
        };
        Some(Report::new(code, Span::new(0, len)))
    }
}

/// True if [`validate_found`] accepts `url` in `profile`.
#[inline(never)]
fn is_valid(url: &[u8], profile: Profile) -> bool {
    urlsift_core::parse_reference(url, profile).is_ok()
}

/// Parses a URL that was found in text, and decides whether it is valid in `profile`. The URL may
/// have a fragment in any profile.
///
/// ```
/// use urlsift_core::Profile;
/// use urlsift_scanner::validate_found;
/// assert!(validate_found(b"http://host.dom/#a", Profile::Rfc1738).is_ok());
/// assert_eq!(validate_found(b"http://host..dom/", Profile::Web).unwrap_err().code.name(), "host.label");
/// ```
///
/// # Errors
///
/// Returns the first violation of the profile.
pub fn validate_found(url: &[u8], profile: Profile) -> Result<Url<'_>, Violation> {
    urlsift_core::parse_reference(url, profile)
}

#[cfg(test)]
mod tests {
    use crate::{Rejoin, Scanner};
    use urlsift_core::{Charset, Profile, Span};

    fn findings(text: &str) -> Vec<(&'static str, Span)> {
        let scanner = Scanner::builder().rejoin(Rejoin::Off).build();
        let candidate = scanner.find_iter(text.as_bytes()).next().unwrap();
        candidate.findings().iter().map(|report| (report.code.name(), report.span)).collect()
    }

    #[test]
    fn hyphens_before_breaks_are_reported() {
        assert_eq!(findings("<URL:http://h.dom/a-b>"), []);
        assert_eq!(
            findings("<URL:http://h.dom/a- b-\n c>"),
            [
                ("wrapper.space-after-hyphen", Span::new(14, 15)),
                ("break.after-hyphen", Span::new(16, 17))
            ]
        );
        assert_eq!(findings("<URL:http://h.dom/a-\n>"), []);
    }

    #[test]
    fn dropped_hyphen_is_in_the_second_reading() {
        let text = b"At http://h.dom/documents/introduction.html, or <URL:http://h.dom/documents/intro-\n duction.html>";
        let scanner = Scanner::builder().build();
        let candidate = scanner.find_iter(text).nth(1).unwrap();
        let readings = candidate.readings();
        assert_eq!(readings[0], b"http://h.dom/documents/introduction.html");
        assert_eq!(readings[1], b"http://h.dom/documents/intro-duction.html");
        assert_eq!(readings.len(), 2);
        assert_eq!(candidate.findings()[0].span, Span::new(28, 28));
        assert_eq!(text[candidate.seams()[0].gap.range()], b"-\n "[..]);
    }

    #[test]
    fn undecoded_text_is_the_last_reading_of_an_encoded_url() {
        let text = b"See http://h.dom/find?map=3Drivers&of=3Dthe&society=3Dfor&old=3Dmaps&and=\n=3Dmore\nand there is more=20\n";
        let scanner = Scanner::builder().build();
        let readings = scanner.find_iter(text).next().unwrap().readings();
        assert_eq!(
            readings[0],
            b"http://h.dom/find?map=rivers&of=the&society=for&old=maps&and=more"
        );
        assert_eq!(
            readings[1],
            b"http://h.dom/find?map=3Drivers&of=3Dthe&society=3Dfor&old=3Dmaps&and==3Dmore"
        );
        assert_eq!(readings.len(), 2);
    }

    #[test]
    fn at_most_sixteen_readings() {
        let text = format!("<URL:http://h.dom/a{}>", "-\nb".repeat(9));
        let scanner = Scanner::builder().rejoin(Rejoin::Off).build();
        let readings = scanner.find_iter(text.as_bytes()).next().unwrap().readings();
        assert_eq!(readings.len(), 16);
        assert_eq!(readings[15], b"http://h.dom/abbbb-b-b-b-b-b");
    }

    #[test]
    fn url_before_a_letter_in_an_unknown_charset_is_truncated() {
        let truncated = |text: &[u8], charset, profile| {
            let scanner = Scanner::builder().profile(profile).build();
            let input = crate::Input::new(text).charset(charset);
            let mut found = scanner.find(input);
            found.advance().map(|c| (c.url().into_owned(), c.is_truncated(), c.is_overlong()))
        };
        let url = || b"http://h.dom/f".to_vec();
        let in_web = |text: &[u8]| truncated(text, Charset::Utf8, Profile::Web);
        for text in
            [&b"http://h.dom/f\xE4lle"[..], b"<a>http://h.dom/f\xD0\xC1", b"http://h.dom/f\xFF"]
        {
            assert_eq!(in_web(text), Some((url(), true, false)), "{}", text.escape_ascii());
        }
        // Punctuation in another charset and in UTF-8, and letters after other punctuation.
        for text in [
            &b"http://h.dom/f\xA0x"[..],
            b"http://h.dom/f\x94",
            "http://h.dom/f\u{201d}".as_bytes(),
            b"http://h.dom/f,\xE4",
            b"http://h.dom/f \xE4",
        ] {
            assert_eq!(in_web(text), Some((url(), false, false)), "{}", text.escape_ascii());
        }
        let text = b"http://h.dom/f\xE4lle";
        assert_eq!(truncated(text, Charset::EightBit, Profile::Web), Some((url(), false, false)));
        assert_eq!(truncated(text, Charset::Utf8, Profile::Rfc1738), Some((url(), false, false)));
    }

    #[test]
    fn long_url_is_cut_and_its_rest_is_skipped() {
        let mut text = b"http://h.dom/".to_vec();
        text.resize(100_000, b'x');
        text.extend_from_slice(b"/http://h.dom/ http://h.dom/b");
        let scanner = Scanner::builder().build();
        let found: Vec<_> =
            scanner.find_iter(&text).map(|c| (c.span(), c.is_truncated())).collect();
        // The second one starts beyond the maximum length of the first.
        assert_eq!(
            found,
            [
                (Span::new(0, 65_536), true),
                (Span::new(100_001, 100_014), false),
                (Span::new(100_015, 100_029), false)
            ]
        );
    }
}
