//! What the profile says of a candidate, and whether the filters let it pass.

use crate::{Malformed, Options};
use urlsift_core::{Profile, Report, Url, Violation, diagnose, diagnose_parsed, outline};
use urlsift_scanner::Form;

/// What the profile says of a candidate.
pub(crate) struct Judged<'u> {
    url: &'u [u8],
    profile: Profile,
    /// `Ok(None)`: it claims no scheme, so that there is nothing to judge.
    verdict: Result<Option<Url<'u>>, Violation>,
}

impl<'u> Judged<'u> {
    pub(crate) fn new(url: &'u [u8], form: Form, profile: Profile) -> Self {
        let verdict = match form {
            Form::Schemeless | Form::Locator => Ok(None),
            _ => urlsift_core::parse_reference(url, profile).map(Some),
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

    /// Says everything there is to say.
    pub(crate) fn report(&self, found: impl FnMut(Report)) {
        match &self.verdict {
            Ok(None) => {}
            Ok(Some(url)) => diagnose_parsed(url, found),
            Err(_) => diagnose(self.url, self.profile, found),
        }
    }

    /// The form to compare by: normalised if it is a URL, else as written.
    pub(crate) fn normalized(&self) -> Vec<u8> {
        self.accepted().map_or_else(|| self.url.to_vec(), |url| url.normalized().into_owned())
    }
}

impl Options {
    /// Whether URLs in that form are wanted.
    pub(crate) fn wants_form(&self, form: Form) -> bool {
        self.forms.is_empty() || self.forms.contains(&form)
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
        self.malformed == Malformed::Skip && self.schemes.is_empty() && self.forms.is_empty()
    }
}

/// What stands before the first colon, if that can be a scheme at all.
pub(crate) fn scheme_of(text: &[u8]) -> Option<&str> {
    outline(text).scheme.and_then(|scheme| str::from_utf8(&text[scheme.range()]).ok())
}

#[cfg(test)]
mod tests {
    use super::scheme_of;

    #[test]
    fn schemes_of_anything() {
        assert_eq!(scheme_of(b"http:x"), Some("http"));
        assert_eq!(scheme_of(b"ht tp:x"), None);
        assert_eq!(scheme_of(b":x"), None);
    }
}
