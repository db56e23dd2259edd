//! Validates a candidate URL against the profile, and applies the filters on form, scheme and
//! validity.

use crate::host::{host_of_name, is_probably_host};
use crate::{Malformed, Options};
use std::borrow::Cow;
use urlsift_core::{
    Anatomy, Code, MapBuilder, Profile, Report, Span, SpanMap, Url, Violation, diagnose,
    diagnose_with_key, outline,
};
use urlsift_scanner::{Candidate, Form, NearMiss};

/// The escape sequence that browsers send for a space.
const ENCODED_BLANK: &[u8] = b"%20";

/// A URL prepared for validation. In the profile `web`, the spaces in an attribute value are
/// replaced by `%20`, as browsers do.
pub(crate) struct Judgeable<'u> {
    /// The URL to validate. It contains `%20` in place of each replaced space.
    pub(crate) url: Cow<'u, [u8]>,
    /// The offsets of the replaced spaces in the URL as written, in ascending order.
    blanks: Vec<usize>,
    /// The map from spans of `url` to spans of the URL as written.
    map: SpanMap,
}

impl<'u> Judgeable<'u> {
    /// Prepares `url`, which was written in the form `form`, for validation against `profile`.
    /// Takes linear time, and allocates memory only if a space must be replaced.
    #[inline]
    pub(crate) fn new(url: &'u [u8], form: Form, profile: Profile) -> Self {
        let is_value = matches!(form, Form::Attribute | Form::Relative);
        if is_value && profile == Profile::Web && url.contains(&b' ') {
            return Self::with_spaces_encoded(url);
        }
        Self { url: Cow::Borrowed(url), blanks: Vec::new(), map: SpanMap::identity() }
    }

    /// Returns the URL with the spaces after its authority replaced by `%20`.
    fn with_spaces_encoded(url: &'u [u8]) -> Self {
        let path = Anatomy::split(url).path.start;
        let blanks: Vec<_> = (path..url.len()).filter(|&at| url[at] == b' ').collect();
        if blanks.is_empty() {
            return Self { url: Cow::Borrowed(url), blanks, map: SpanMap::identity() };
        }
        let mut encoded = Vec::with_capacity(url.len() + 2 * blanks.len());
        let mut map = MapBuilder::new();
        let mut from = 0;
        for &blank in &blanks {
            encoded.extend_from_slice(&url[from..blank]);
            map.push_copied(from, blank - from);
            encoded.extend_from_slice(ENCODED_BLANK);
            map.push_replaced(Span::new(blank, blank + 1), ENCODED_BLANK.len());
            from = blank + 1;
        }
        encoded.extend_from_slice(&url[from..]);
        map.push_copied(from, url.len() - from);
        Self { url: Cow::Owned(encoded), blanks, map: map.finish() }
    }

    /// Converts a span of [`Self::url`], in which spaces are replaced, to a span of the URL as
    /// written.
    pub(crate) fn to_written_span(&self, span: Span) -> Span {
        self.map.to_source(span)
    }

    /// Returns a finding for each run of spaces that was replaced. The span of each finding refers
    /// to the URL as written.
    pub(crate) fn space_findings(&self) -> impl Iterator<Item = Report> {
        let code = Code::CharUnencoded;
        self.blanks.chunk_by(|one, next| one + 1 == *next).filter_map(move |run| {
            let span = Span::new(*run.first()?, *run.last()? + 1);
            Some(Report::new(code, span))
        })
    }
}

/// True if the scheme of the candidate is probably a misspelled known scheme, e.g. `htttp:`. Such a
/// URL counts as malformed even if it is valid in the profile.
pub(crate) fn is_misspelt(candidate: &Candidate<'_>) -> bool {
    candidate.near_miss() == Some(NearMiss::MisspeltScheme)
}

/// A URL and the result of validating it.
pub(crate) struct Judged<'u> {
    url: &'u [u8],
    profile: Profile,
    /// The parsed URL or the first violation. `Ok(None)` if the form has no scheme, so that there
    /// is nothing to validate.
    verdict: Result<Option<Url<'u>>, Violation>,
}

impl<'u> Judged<'u> {
    /// Validates `url`, which was written in the form `form`, against `profile`.
    pub(crate) fn new(url: &'u [u8], form: Form, profile: Profile) -> Self {
        let verdict = if form.claims_scheme() {
            urlsift_core::parse_reference(url, profile).map(Some)
        } else {
            Ok(None)
        };
        Self { url, profile, verdict }
    }

    /// True if the profile does not accept the URL.
    pub(crate) fn is_malformed(&self) -> bool {
        self.verdict.is_err()
    }

    /// Returns the parsed URL. Returns `None` if the URL is not valid, or if its form has no
    /// scheme, e.g. an email address.
    pub(crate) fn valid_url(&self) -> Option<&Url<'u>> {
        self.verdict.as_ref().ok()?.as_ref()
    }

    /// Returns the scheme of the URL, or `None` if the URL has no scheme.
    pub(crate) fn scheme(&self) -> Option<&'u str> {
        match &self.verdict {
            Ok(url) => url.as_ref().map(Url::scheme),
            Err(_) => scheme_before_colon(self.url),
        }
    }

    /// Returns the host of the URL, which was written in the form `form`. If the URL is invalid,
    /// returns the text in the position of the host. Returns `None` if there is no host.
    fn host_for_filter(&self, form: Form) -> Option<&'u [u8]> {
        let host = match &self.verdict {
            Ok(Some(url)) => url.host_span(),
            Ok(None) => host_of_name(self.url, form),
            Err(_) => Anatomy::split(self.url).host,
        };
        host.map(|host| &self.url[host.range()])
    }

    /// Calls `found` with each violation and finding of the URL. Returns the same as
    /// [`Judged::normalized_or_written`].
    pub(crate) fn report_violations(&self, found: impl FnMut(Report)) -> Cow<'u, [u8]> {
        match &self.verdict {
            Ok(None) => Cow::Borrowed(self.url),
            Ok(Some(url)) => diagnose_with_key(url, found),
            Err(_) => {
                diagnose(self.url, self.profile, found);
                Cow::Borrowed(self.url)
            }
        }
    }

    /// Returns the normalized form of a valid URL. Returns an invalid URL as written.
    pub(crate) fn normalized_or_written(&self) -> Cow<'u, [u8]> {
        self.valid_url().map_or(Cow::Borrowed(self.url), Url::key)
    }
}

impl Options {
    /// Returns how a scan with these options treats a candidate in plain text. The result is `None`
    /// if the candidate is not reported. Otherwise it is true if the candidate is valid in the
    /// profile.
    ///
    /// The result does not depend on the candidate's position. Takes linear time.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let options = urlsift_records::Options::default();
    /// let found = scanner.find_iter(b"At http://host.dom/ and http://host..dom/");
    /// let wanted: Vec<_> = found.map(|candidate| options.validity_if_selected(&candidate)).collect();
    /// assert_eq!(wanted, [Some(true), None]);
    /// ```
    pub fn validity_if_selected(&self, candidate: &Candidate<'_>) -> Option<bool> {
        let form = candidate.form();
        let url = candidate.url();
        if !self.selects_form(form) || !is_probably_host(&url, form) {
            return None;
        }
        let judged = Judged::new(&url, form, self.profile);
        let is_valid = !judged.is_malformed();
        let is_wanted = self.selects_scheme(&judged)
            && self.selects_url(&url, &judged, form)
            && self.selects_validity(!is_valid || is_misspelt(candidate));
        is_wanted.then_some(is_valid)
    }

    /// True if the options select URLs in the form `form`.
    pub(crate) fn selects_form(&self, form: Form) -> bool {
        self.finds_form(form)
    }

    /// True if the options select URLs with the scheme of `judged`.
    pub(crate) fn selects_scheme(&self, judged: &Judged<'_>) -> bool {
        self.schemes.is_empty()
            || judged.scheme().is_some_and(|scheme| {
                self.schemes.iter().any(|name| name.eq_ignore_ascii_case(scheme))
            })
    }

    /// True if the filter [`Options::urls`] accepts the URL `written`. `judged` is the verdict on
    /// this URL.
    pub(crate) fn selects_url(&self, written: &[u8], judged: &Judged<'_>, form: Form) -> bool {
        self.urls.is_empty()
            || self.urls.accepts(
                written,
                &judged.normalized_or_written(),
                judged.host_for_filter(form),
            )
    }

    /// True if the options select invalid URLs (if `malformed` is true) or valid URLs (if it is
    /// false).
    pub(crate) fn selects_validity(&self, malformed: bool) -> bool {
        match self.malformed {
            Malformed::Skip => !malformed,
            Malformed::Include => true,
            Malformed::Only => malformed,
        }
    }

    /// True if the options select exactly the valid URLs, without any other filter.
    pub(crate) fn selects_exactly_valid(&self) -> bool {
        self.malformed == Malformed::Skip
            && self.schemes.is_empty()
            && self.urls.is_empty()
            && !self.forms.replaces_defaults()
            && self.without.is_empty()
    }
}

/// Returns the part of `text` before its first colon. Returns `None` if that part doesn't have the
/// syntax of a scheme.
pub(crate) fn scheme_before_colon(text: &[u8]) -> Option<&str> {
    outline(text).scheme.and_then(|scheme| str::from_utf8(&text[scheme.range()]).ok())
}

#[cfg(test)]
mod tests {
    use super::{Judgeable, scheme_before_colon};
    use urlsift_core::{Profile, Span};
    use urlsift_scanner::Form;

    #[test]
    fn spaces_after_the_authority_are_encoded() {
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
            assert_eq!(judgeable.to_written_span(encoded), written, "{encoded:?}");
        }
        let places: Vec<_> = judgeable.space_findings().map(|report| report.span).collect();
        assert_eq!(places, [Span::new(14, 15), Span::new(16, 18)]);
    }

    #[test]
    fn scheme_is_the_text_before_the_colon() {
        assert_eq!(scheme_before_colon(b"http:x"), Some("http"));
        assert_eq!(scheme_before_colon(b"ht tp:x"), None);
        assert_eq!(scheme_before_colon(b":x"), None);
    }
}
