//! What the profile says of a candidate, and whether the filters let it pass.

use crate::host::is_name_known;
use crate::{Malformed, Options};
use std::borrow::Cow;
use urlsift_core::{
    Anatomy, Code, MapBuilder, Profile, Report, Span, SpanMap, Url, Violation, diagnose,
    diagnose_normalized, outline,
};
use urlsift_scanner::{Candidate, Form, NearMiss};

/// What browsers send for a blank.
const ENCODED_BLANK: &[u8] = b"%20";

/// A URL as it is judged. Browsers encode the blanks of a value that markup delimits, so profile `web` does, too.
pub(crate) struct Judgeable<'u> {
    /// The URL with `%20` for each of those blanks.
    pub(crate) url: Cow<'u, [u8]>,
    /// Where these stand in the URL as written, ascending.
    blanks: Vec<usize>,
    /// From there to the URL as written.
    map: SpanMap,
}

impl<'u> Judgeable<'u> {
    /// Linear in `url`; allocates only where there is such a blank.
    #[inline]
    pub(crate) fn new(url: &'u [u8], form: Form, profile: Profile) -> Self {
        let is_value = matches!(form, Form::Attribute | Form::Relative);
        if is_value && profile == Profile::Web && url.contains(&b' ') {
            return Self::encoded(url);
        }
        Self { url: Cow::Borrowed(url), blanks: Vec::new(), map: SpanMap::identity() }
    }

    fn encoded(url: &'u [u8]) -> Self {
        let path = Anatomy::of(url).path.start;
        let blanks: Vec<_> = (path..url.len()).filter(|&at| url[at] == b' ').collect();
        if blanks.is_empty() {
            return Self { url: Cow::Borrowed(url), blanks, map: SpanMap::identity() };
        }
        let mut encoded = Vec::with_capacity(url.len() + 2 * blanks.len());
        let mut map = MapBuilder::new();
        let mut from = 0;
        for &blank in &blanks {
            encoded.extend_from_slice(&url[from..blank]);
            map.copied(from, blank - from);
            encoded.extend_from_slice(ENCODED_BLANK);
            map.replaced(Span::new(blank, blank + 1), ENCODED_BLANK.len());
            from = blank + 1;
        }
        encoded.extend_from_slice(&url[from..]);
        map.copied(from, url.len() - from);
        Self { url: Cow::Owned(encoded), blanks, map: map.finish() }
    }

    /// Where a span of [`Self::url`] stands in the URL as written.
    pub(crate) fn written(&self, span: Span) -> Span {
        self.map.source(span)
    }

    /// The findings about the blanks: one for each run of them, within the URL as written.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Report> {
        let code = Code::CharUnencoded;
        self.blanks.chunk_by(|one, next| one + 1 == *next).filter_map(move |run| {
            let span = Span::new(*run.first()?, *run.last()? + 1);
            Some(Report::new(code, span))
        })
    }
}

/// Whether the candidate is only nearly a URL, for its scheme, although the profile may have nothing against it.
pub(crate) fn is_misspelt(candidate: &Candidate<'_>) -> bool {
    candidate.near_miss() == Some(NearMiss::MisspeltScheme)
}

/// What the profile says of a candidate.
pub(crate) struct Judged<'u> {
    url: &'u [u8],
    profile: Profile,
    /// `Ok(None)`: it claims no scheme, so that there is nothing to judge.
    verdict: Result<Option<Url<'u>>, Violation>,
}

impl<'u> Judged<'u> {
    pub(crate) fn new(url: &'u [u8], form: Form, profile: Profile) -> Self {
        let verdict = if form.claims_scheme() {
            urlsift_core::parse_reference(url, profile).map(Some)
        } else {
            Ok(None)
        };
        Self { url, profile, verdict }
    }

    pub(crate) fn is_malformed(&self) -> bool {
        self.verdict.is_err()
    }

    /// The URL in its parts, if it is one.
    pub(crate) fn accepted(&self) -> Option<&Url<'u>> {
        self.verdict.as_ref().ok()?.as_ref()
    }

    pub(crate) fn scheme(&self) -> Option<&'u str> {
        match &self.verdict {
            Ok(url) => url.as_ref().map(Url::scheme),
            Err(_) => scheme_of(self.url),
        }
    }

    /// Says everything there is to say, and returns what [`Judged::normalized`] returns.
    pub(crate) fn report(&self, found: impl FnMut(Report)) -> Cow<'u, [u8]> {
        match &self.verdict {
            Ok(None) => Cow::Borrowed(self.url),
            Ok(Some(url)) => diagnose_normalized(url, found),
            Err(_) => {
                diagnose(self.url, self.profile, found);
                Cow::Borrowed(self.url)
            }
        }
    }

    /// The form to compare by: normalised if it is a URL, else as written.
    pub(crate) fn normalized(&self) -> Cow<'u, [u8]> {
        self.accepted().map_or(Cow::Borrowed(self.url), Url::normalized)
    }
}

impl Options {
    /// Whether a candidate of a plain text is valid, if it is one that a scan of that text would make a record of, wherever
    /// in it it stands. Linear in the URL.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let options = urlsift_records::Options::default();
    /// let found = scanner.find_iter(b"At http://host.dom/ and http://host..dom/");
    /// let wanted: Vec<_> = found.map(|candidate| options.wants(&candidate)).collect();
    /// assert_eq!(wanted, [Some(true), None]);
    /// ```
    pub fn wants(&self, candidate: &Candidate<'_>) -> Option<bool> {
        let form = candidate.form();
        let url = candidate.url();
        if !self.wants_form(form) || !is_name_known(&url, form) {
            return None;
        }
        let judged = Judged::new(&url, form, self.profile);
        let is_valid = !judged.is_malformed();
        let is_wanted =
            self.wants_scheme(&judged) && self.wants_verdict(!is_valid || is_misspelt(candidate));
        is_wanted.then_some(is_valid)
    }

    /// Whether URLs in that form are wanted.
    pub(crate) fn wants_form(&self, form: Form) -> bool {
        self.finds(form)
    }

    /// Whether URLs of that scheme are wanted.
    pub(crate) fn wants_scheme(&self, judged: &Judged<'_>) -> bool {
        self.schemes.is_empty()
            || judged.scheme().is_some_and(|scheme| {
                self.schemes.iter().any(|name| name.eq_ignore_ascii_case(scheme))
            })
    }

    /// Whether URLs of that verdict are wanted.
    pub(crate) fn wants_verdict(&self, malformed: bool) -> bool {
        match self.malformed {
            Malformed::Skip => !malformed,
            Malformed::Include => true,
            Malformed::Only => malformed,
        }
    }

    /// Whether it depends on the profile's verdict alone if a URL is wanted.
    pub(crate) fn wants_all_valid(&self) -> bool {
        self.malformed == Malformed::Skip
            && self.schemes.is_empty()
            && !self.forms.is_exclusive()
            && self.without.is_empty()
    }
}

/// What stands before the first colon, if that can be a scheme at all.
pub(crate) fn scheme_of(text: &[u8]) -> Option<&str> {
    outline(text).scheme.and_then(|scheme| str::from_utf8(&text[scheme.range()]).ok())
}

#[cfg(test)]
mod tests {
    use super::{Judgeable, scheme_of};
    use urlsift_core::{Profile, Span};
    use urlsift_scanner::Form;

    #[test]
    fn blanks_of_a_value_are_encoded_behind_its_authority() {
        let encoded = |url, profile| Judgeable::new(url, Form::Attribute, profile).url.into_owned();
        assert_eq!(encoded(b"http://h.dom/a b  c", Profile::Web), b"http://h.dom/a%20b%20%20c");
        assert_eq!(
            encoded(b"mailto:a@b.dom?subject=c d", Profile::Web),
            b"mailto:a@b.dom?subject=c%20d"
        );
        assert_eq!(encoded(b"http://h .dom/a", Profile::Web), b"http://h .dom/a");
        assert_eq!(encoded(b"http://h.dom/a b", Profile::Rfc3986), b"http://h.dom/a b");
        let judgeable = Judgeable::new(b"http://h.dom/a b  c#d", Form::Attribute, Profile::Web);
        for (encoded, written) in
            [((13, 14), (13, 14)), ((14, 17), (14, 15)), ((17, 18), (15, 16)), ((24, 27), (18, 21))]
        {
            let (encoded, written) =
                (Span::new(encoded.0, encoded.1), Span::new(written.0, written.1));
            assert_eq!(judgeable.written(encoded), written, "{encoded:?}");
        }
        let places: Vec<_> = judgeable.findings().map(|report| report.span).collect();
        assert_eq!(places, [Span::new(14, 15), Span::new(16, 18)]);
    }

    #[test]
    fn schemes_of_anything() {
        assert_eq!(scheme_of(b"http:x"), Some("http"));
        assert_eq!(scheme_of(b"ht tp:x"), None);
        assert_eq!(scheme_of(b":x"), None);
    }
}
