//! A place in a text that holds a URL.

mod escapes;
mod parted;
pub(crate) mod quote_depths;
mod readings;
mod seam;

use crate::scheme::{Schemes, meant_scheme};
use std::borrow::Cow;
use urlsift_core::{Code, MapBuilder, Profile, Report, Span, SpanMap, Url, Violation, registry};

pub(crate) use escapes::without_blanks;
pub(crate) use parted::{Meant, Parted, Pieces};
pub use seam::{Grade, JoinKind, Seam};

/// How a URL stands in its text. The names are a contract; there will be more.
///
/// ```
/// use urlsift_scanner::{Form, Scanner};
/// let scanner = Scanner::builder().schemeless(true).build();
/// let text = b"<URL:http://a.dom/> <http://b.dom/> URL:http://c.dom/ http://d.dom/ www.e.dom";
/// let forms: Vec<_> = scanner.find_iter(text).map(|found| found.form()).collect();
/// assert_eq!(forms, [Form::Wrapped, Form::Bracketed, Form::Prefixed, Form::Bare, Form::Schemeless]);
/// assert_eq!("near-miss".parse(), Ok(Form::NearMiss));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Form {
    /// `<URL:...>`: the wrapper of RFC 1738's Appendix.
    Wrapped,
    /// `<scheme:...>`: the wrapper without its prefix.
    Bracketed,
    /// `URL:scheme:...`: the prefix without the wrapper.
    Prefixed,
    /// A URL in running text.
    Bare,
    /// A value taken whole from markup or a header field.
    Attribute,
    /// `www.host.dom/path`, asked for by [`Builder::schemeless`](crate::Builder::schemeless).
    Schemeless,
    /// `host.dom:/path`, asked for by [`Builder::locators`](crate::Builder::locators).
    Locator,
    /// A value taken whole from markup that is relative to the URL of its page: see
    /// [`Scanner::relative`](crate::Scanner::relative).
    Relative,
    /// An e-mail address, asked for by [`Builder::emails`](crate::Builder::emails).
    Email,
    /// `host.dom/path`, asked for by [`Builder::hosts`](crate::Builder::hosts).
    Host,
    /// No URL, but nearly: see [`NearMiss`]; asked for by [`Builder::near_misses`](crate::Builder::near_misses).
    NearMiss,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Wrapped,
        Self::Bracketed,
        Self::Prefixed,
        Self::Bare,
        Self::Attribute,
        Self::Schemeless,
        Self::Locator,
        Self::Relative,
        Self::Email,
        Self::Host,
        Self::NearMiss,
    ];

    /// The stable name, as in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrapped => "wrapped",
            Self::Bracketed => "bracketed",
            Self::Prefixed => "prefixed",
            Self::Bare => "bare",
            Self::Attribute => "attribute",
            Self::Schemeless => "schemeless",
            Self::Locator => "locator",
            Self::Relative => "relative",
            Self::Email => "email",
            Self::Host => "host",
            Self::NearMiss => "near-miss",
        }
    }

    /// Whether what stands in that form is to be a URL, with its scheme: only then is there something to judge.
    ///
    /// ```
    /// use urlsift_scanner::Form;
    /// assert!(Form::Bare.claims_scheme());
    /// assert!(!Form::Schemeless.claims_scheme());
    /// ```
    pub const fn claims_scheme(self) -> bool {
        !matches!(self, Self::Schemeless | Self::Locator | Self::Email | Self::Host)
    }
}

urlsift_core::by_name!(Form);

/// What is wrong with a near miss.
///
/// ```
/// use urlsift_scanner::{NearMiss, Scanner};
/// let scanner = Scanner::builder().near_misses(true).build();
/// let found = scanner.find_iter(br"At http:\\host.dom\a").next().unwrap();
/// assert_eq!(found.near_miss(), Some(NearMiss::Backslashes));
/// assert_eq!(NearMiss::Backslashes.code(), None, "no record is made of it");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NearMiss {
    /// `http:/host`
    SingleSlash,
    /// `http:\\host`
    Backslashes,
    /// `http//host`
    NoColon,
    /// `http;//host`
    Semicolon,
    /// `http:host`
    NoSlashes,
    /// `htttp://host`
    MisspeltScheme,
    /// `mailto://joe@host`
    MailtoSlashes,
    /// `http://http://host`, `http:http://host` or `http:// http://host`
    DoubledScheme,
    /// `http.//host`, `http:://host` or `http//:host`
    ColonMistyped,
    /// `http: //host`
    BlankBeforeSlashes,
    /// `http:// host`
    BlankAfterSlashes,
    /// `news:<id@host>`
    NewsBrackets,
    /// `<URL:host.dom/path>`
    MissingScheme,
    /// `<URL:http://host` and no `>`
    UnclosedWrapper,
}

impl NearMiss {
    /// The finding that says the same of a URL in records; `None` where no record is made of such a near miss.
    pub const fn code(self) -> Option<Code> {
        match self {
            Self::MisspeltScheme => Some(Code::SchemeMisspelt),
            Self::NewsBrackets => Some(Code::NewsBrackets),
            _ => None,
        }
    }
}

/// A place that holds a URL, found in a text and not yet judged.
///
/// Borrows the text. A candidate without breaks holds no allocation, and is small: link lists are
/// full of candidates.
///
/// ```
/// use urlsift_scanner::{Form, Scanner};
/// let text = b"> It is at <URL:http://host.dom/a\n> /b>.";
/// let found = Scanner::builder().build().find_iter(text).next().unwrap();
/// assert_eq!((&*found.url(), found.form()), (&b"http://host.dom/a/b"[..], Form::Wrapped));
/// assert_eq!((found.whole().range(), found.span().range()), (11..39, 16..38));
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
    /// Whether its scheme is in no registry and not named by the user.
    pub(crate) is_unknown: bool,
    pub(crate) near_miss: Option<NearMiss>,
    /// What is not written in one piece, of which there is little.
    pub(crate) parted: Option<Box<Parted>>,
}

impl<'t> Candidate<'t> {
    /// The empty text's empty part.
    pub(crate) const NONE: Self = Self::new(&[], Span::new(0, 0), Span::new(0, 0), Form::Bare);

    pub(crate) const fn new(text: &'t [u8], whole: Span, span: Span, form: Form) -> Self {
        let (truncated, is_unknown) = (false, false);
        Self { text, whole, span, form, truncated, is_unknown, near_miss: None, parted: None }
    }

    /// Sets the breaks inside the URL.
    pub(crate) fn broken(self, seams: &[Seam]) -> Self {
        self.broken_within(seams, None)
    }

    /// Sets the breaks inside the URL, in the room of a candidate that is no longer looked at.
    pub(crate) fn broken_within(mut self, seams: &[Seam], room: Option<Box<Parted>>) -> Self {
        let parted = match seams {
            [] => return self,
            [seam] => Parted::Once(*seam),
            _ => Parted::Broken(seams.to_vec()),
        };
        self.part(parted, room);
        self
    }

    /// Sets how it differs from what is written, in the room of a candidate that is no longer looked at.
    #[inline]
    pub(crate) fn part(&mut self, parted: Parted, room: Option<Box<Parted>>) {
        self.parted = Some(match room {
            Some(mut room) => {
                *room = parted;
                room
            }
            None => Box::new(parted),
        });
    }

    /// Sets what there is to say of a scheme `name` that the scanner does not know. What one that goes by the
    /// registry does not know is not in it.
    pub(crate) fn of_unknown_scheme(mut self, name: &[u8], schemes: &Schemes) -> Self {
        self.is_unknown = schemes.is_modern() || registry::known(name).is_none();
        if self.is_unknown && meant_scheme(name).is_some() {
            self.near_miss = Some(NearMiss::MisspeltScheme);
        }
        self
    }

    /// Says that a broken URL stands in quoted-printable that was not decoded.
    pub(crate) fn encoded(mut self) -> Self {
        if !self.seams().is_empty() {
            self.parted = Some(Box::new(Parted::Encoded(self.seams().to_vec())));
        }
        self
    }

    /// Whether it stands in quoted-printable that was not decoded when the text was made: the equals signs at its
    /// breaks are layout, and its escapes (`=3D`) are read as what they stand for.
    pub fn is_encoded(&self) -> bool {
        matches!(self.parted.as_deref(), Some(Parted::Encoded(_)))
    }

    /// Sets the URL that a locator means.
    pub(crate) fn meaning(mut self, meant: Meant) -> Self {
        self.parted = Some(Box::new(Parted::Meant(meant)));
        self
    }

    /// What a locator means.
    pub(crate) fn meant(&self) -> Option<&Meant> {
        match self.parted.as_deref() {
            Some(Parted::Meant(meant)) => Some(meant),
            _ => None,
        }
    }

    pub(crate) fn seams_mut(&mut self) -> &mut [Seam] {
        match self.parted.as_deref_mut() {
            Some(Parted::Once(seam)) => std::slice::from_mut(seam),
            Some(Parted::Broken(seams) | Parted::Encoded(seams)) => seams,
            _ => &mut [],
        }
    }

    /// The URL's bytes in the text, first to last, covering the breaks.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The URL with its wrapper or prefix. URLs that share a wrapper share this span.
    pub fn whole(&self) -> Span {
        self.whole
    }

    /// How it stands in the text.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The bytes of layout inside, in order, not overlapping.
    pub fn seams(&self) -> &[Seam] {
        match self.parted.as_deref() {
            Some(Parted::Once(seam)) => std::slice::from_ref(seam),
            Some(Parted::Broken(seams) | Parted::Encoded(seams)) => seams,
            _ => &[],
        }
    }

    /// Whether it was cut at the greatest length that is looked at, 65,536 bytes.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Whether [`verdict`] accepts [`Candidate::url`].
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
        match &self.parted {
            None => is_valid(&self.text[self.span.range()], profile),
            Some(_) => self.is_valid_put_together(profile),
        }
    }

    /// [`Candidate::is_valid`] of what is not written in one piece.
    #[inline(never)]
    fn is_valid_put_together(&self, profile: Profile) -> bool {
        /// What is longer is put together in memory of its own.
        const SHORT: usize = 128;
        if let Some([head, tail]) = self.halves() {
            let mut room = [0; SHORT];
            if let Some(url) = room.get_mut(..head.len() + tail.len()) {
                let (start, end) = url.split_at_mut(head.len());
                start.copy_from_slice(head);
                end.copy_from_slice(tail);
                return is_valid(url, profile);
            }
        }
        is_valid(&self.url(), profile)
    }

    /// What stands before the break and behind it, if that is all there is to the URL.
    #[inline]
    fn halves(&self) -> Option<[&'t [u8]; 2]> {
        match self.parted.as_deref() {
            Some(Parted::Once(seam)) => Some([
                &self.text[self.span.start..seam.gap.start],
                &self.text[seam.gap.end..self.span.end],
            ]),
            _ => None,
        }
    }

    /// What is wrong: for [`Form::NearMiss`], and for a URL whose scheme is misspelt.
    pub fn near_miss(&self) -> Option<NearMiss> {
        self.near_miss
    }

    /// The URL without layout: borrowed where there is none. The first of [`Candidate::readings`].
    ///
    /// For [`Form::Locator`] this is the ftp URL that is meant; for [`Form::Schemeless`], [`Form::Relative`], [`Form::Email`],
    /// [`Form::Host`] and [`Form::NearMiss`], which are none, what is written.
    #[inline]
    pub fn url(&self) -> Cow<'t, [u8]> {
        if self.parted.is_none() {
            return Cow::Borrowed(&self.text[self.span.range()]);
        }
        Cow::Owned(self.put_together())
    }

    /// [`Candidate::url`] as text: borrowed where it is in one piece and UTF-8, as it is in a string. Any byte that is not
    /// UTF-8 is replaced by U+FFFD.
    pub fn url_lossy(&self) -> Cow<'t, str> {
        match self.url() {
            Cow::Borrowed(url) => String::from_utf8_lossy(url),
            Cow::Owned(url) => Cow::Owned(
                String::from_utf8(url)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            ),
        }
    }

    /// The URL from its pieces.
    #[inline(never)]
    fn put_together(&self) -> Vec<u8> {
        if let Some(meant) = self.meant() {
            let mut url = meant.scheme.as_bytes().to_vec();
            for piece in &meant.pieces {
                url.extend_from_slice(&self.text[piece.range()]);
            }
            return url;
        }
        let mut url = Vec::with_capacity(self.span.len());
        self.write_to(&mut url);
        url
    }

    /// Appends what [`Candidate::written`] gives.
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
        if self.parted.is_none() {
            to.extend_from_slice(&self.text[self.span.range()]);
        } else {
            self.write_pieces_to(to);
        }
    }

    #[inline(never)]
    fn write_pieces_to(&self, to: &mut Vec<u8>) {
        if let Some([head, tail]) = self.halves() {
            to.reserve(head.len() + tail.len());
            to.extend_from_slice(head);
            to.extend_from_slice(tail);
        } else if self.is_encoded() {
            self.written().for_each(|piece| to.extend_from_slice(piece));
        } else {
            self.pieces().for_each(|piece| to.extend_from_slice(&self.text[piece.range()]));
        }
    }

    /// The pieces of the text between the breaks, escapes decoded ([`Candidate::is_encoded`]). For all forms but [`Form::Locator`] they are what
    /// [`Candidate::url`] puts together.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let mut candidates = scanner.find_iter(b"<URL:http://host.dom/a/\n b.html>");
    /// let candidate = candidates.next().unwrap();
    /// assert!(candidate.written().eq([&b"http://host.dom/a/"[..], b"b.html"]));
    /// ```
    pub fn written(&self) -> impl Iterator<Item = &'t [u8]> {
        self.pieces().flat_map(|piece| self.parts_of(piece))
    }

    /// What a piece of the text is in the URL, part by part.
    fn parts_of(&self, piece: Span) -> impl Iterator<Item = &'t [u8]> {
        let text = self.text;
        escapes::parts(text, piece, self.is_encoded()).map(move |part| match part.escape {
            Some(byte) => escapes::written(byte),
            None => &text[part.span.range()],
        })
    }

    /// The map from [`Candidate::url`] to the text.
    pub fn map(&self) -> SpanMap {
        if let Some(meant) = self.meant() {
            let mut map = MapBuilder::new();
            map.replaced(Span::new(self.span.start, self.span.start), meant.scheme.len());
            for piece in &meant.pieces {
                map.copied(piece.start, piece.len());
            }
            return map.finish();
        }
        if self.parted.is_none() {
            return SpanMap::cut_from(self.span.start);
        }
        let mut map = MapBuilder::new();
        let is_encoded = self.is_encoded();
        for part in self.pieces().flat_map(|piece| escapes::parts(self.text, piece, is_encoded)) {
            match part.escape {
                Some(_) => map.replaced(part.span, 1),
                None => map.copied(part.span.start, part.span.len()),
            }
        }
        map.finish()
    }

    /// The spans of the text between the breaks.
    fn pieces(&self) -> impl Iterator<Item = Span> {
        let starts = std::iter::once(self.span.start).chain(self.seams().iter().map(|s| s.gap.end));
        let ends = self.seams().iter().map(|s| s.gap.start).chain(std::iter::once(self.span.end));
        starts.zip(ends).map(|(start, end)| Span::new(start, end))
    }

    /// Whether the URL was read without the hyphen at this break.
    pub(crate) fn drops_hyphen(&self, seam: &Seam) -> bool {
        seam.hyphen && self.text.get(seam.gap.start) == Some(&b'-')
    }

    /// The findings that concern the place, not the URL itself (`break.after-hyphen`), with spans
    /// within the URL.
    #[inline]
    pub fn findings(&self) -> Vec<Report> {
        if !self.is_unknown && self.seams().is_empty() { Vec::new() } else { self.all_findings() }
    }

    fn all_findings(&self) -> Vec<Report> {
        let mut found = Vec::new();
        if self.is_unknown && self.form != Form::NearMiss {
            found.extend(self.finding_of_scheme());
        }
        let mut len = 0;
        for (piece, seam) in self.pieces().zip(self.seams()) {
            len += self.parts_of(piece).map(<[u8]>::len).sum::<usize>();
            let (code, span) = if seam.kind == JoinKind::NewsBracket {
                (Code::NewsBrackets, Span::new(0, len))
            } else if seam.hyphen {
                let kept = usize::from(!self.drops_hyphen(seam));
                (Code::BreakAfterHyphen, Span::new(len.saturating_sub(kept), len))
            } else if seam.kind != JoinKind::Escape
                && self.text[piece.range()].last() == Some(&b'-')
            {
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
    /// What is to be said of a scheme that is not known.
    fn finding_of_scheme(&self) -> Option<Report> {
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

/// Whether [`verdict`] accepts the URL.
#[inline(never)]
fn is_valid(url: &[u8], profile: Profile) -> bool {
    urlsift_core::parse_reference(url, profile).is_ok()
}

/// Judges a URL found in text: as a reference, since a fragment is part of what text gives.
///
/// ```
/// use urlsift_core::Profile;
/// use urlsift_scanner::verdict;
/// assert!(verdict(b"http://host.dom/#a", Profile::Rfc1738).is_ok());
/// assert_eq!(verdict(b"http://host..dom/", Profile::Web).unwrap_err().code.name(), "host.label");
/// ```
///
/// # Errors
///
/// The first violation.
pub fn verdict(url: &[u8], profile: Profile) -> Result<Url<'_>, Violation> {
    urlsift_core::parse_reference(url, profile)
}

#[cfg(test)]
mod tests {
    use crate::{Rejoin, Scanner};
    use urlsift_core::Span;

    fn findings(text: &str) -> Vec<(&'static str, Span)> {
        let scanner = Scanner::builder().rejoin(Rejoin::Off).build();
        let candidate = scanner.find_iter(text.as_bytes()).next().unwrap();
        candidate.findings().iter().map(|report| (report.code.name(), report.span)).collect()
    }

    #[test]
    fn hyphens_before_layout_are_pointed_at() {
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
    fn a_hyphen_that_was_dropped_can_be_had_back() {
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
    fn at_most_sixteen_readings() {
        let text = format!("<URL:http://h.dom/a{}>", "-\nb".repeat(9));
        let scanner = Scanner::builder().rejoin(Rejoin::Off).build();
        let readings = scanner.find_iter(text.as_bytes()).next().unwrap().readings();
        assert_eq!(readings.len(), 16);
        assert_eq!(readings[15], b"http://h.dom/abbbb-b-b-b-b-b");
    }

    #[test]
    fn a_long_url_is_cut_and_the_rest_is_passed_over() {
        let mut text = b"http://h.dom/".to_vec();
        text.resize(100_000, b'x');
        text.extend_from_slice(b"/http://h.dom/ http://h.dom/b");
        let scanner = Scanner::builder().build();
        let found: Vec<_> =
            scanner.find_iter(&text).map(|c| (c.span(), c.is_truncated())).collect();
        // The second stands further from the first than a URL is long.
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
