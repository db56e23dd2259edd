//! The link target of a URL as written, and its scheme, host and normalized form.

use super::validate_found;
use crate::{Candidate, Form};
use std::borrow::Cow;
use urlsift_core::Profile;

impl Form {
    /// Returns the scheme of the link target ([`Form::href`]) of `url`, in lower case. `url` must
    /// have been found in this form. Returns an empty string for a relative reference, which has no
    /// scheme.
    ///
    /// ```
    /// use urlsift_scanner::Form;
    /// assert_eq!(Form::Bare.scheme(b"HTTP://host.dom/"), "http");
    /// assert_eq!(Form::Email.scheme(b"joe@host.dom"), "mailto");
    /// ```
    pub fn scheme(self, url: &[u8]) -> String {
        let href = self.href(url);
        let len =
            href.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(byte));
        match len {
            Some(len) if href[len] == b':' => {
                String::from_utf8_lossy(&href[..len]).to_ascii_lowercase()
            }
            _ => String::new(),
        }
    }

    /// Returns the host of `url` as written. `url` must have been found in this form. Returns
    /// `None` if it has no host, or if the link target isn't valid in `profile`. Takes linear time.
    ///
    /// ```
    /// use urlsift_scanner::{Form, Profile};
    /// let host = Form::Schemeless.host(b"www.Host.dom:80/a", Profile::Web);
    /// assert_eq!(host, Some(&b"www.Host.dom"[..]));
    /// ```
    pub fn host(self, url: &[u8], profile: Profile) -> Option<&[u8]> {
        let href = self.href(url);
        let span = validate_found(&href, profile).ok()?.host_span()?;
        let added = href.len() - url.len();
        url.get(span.start.checked_sub(added)?..span.end - added)
    }

    /// Returns the normalized form of `url`, which was found in this form. It is the same for
    /// equivalent URLs. With the feature `idna`, internationalized hosts are in A-labels. A `url`
    /// that isn't valid in `profile` or whose form has no scheme is returned unchanged. Takes linear
    /// time.
    ///
    /// ```
    /// use urlsift_scanner::{Form, Profile};
    /// let normalized = Form::Bare.normalized(b"HTTP://Host.Dom:80/%7ejoe", Profile::Web);
    /// assert_eq!(&*normalized, b"http://host.dom/~joe");
    /// ```
    pub fn normalized(self, url: &[u8], profile: Profile) -> Cow<'_, [u8]> {
        if !self.claims_scheme() {
            return Cow::Borrowed(url);
        }
        let Ok(url) = validate_found(url, profile) else { return Cow::Borrowed(url) };
        #[cfg(feature = "idna")]
        let normalized = url.key();
        #[cfg(not(feature = "idna"))]
        let normalized = url.normalized();
        normalized
    }
}

/// ```
/// use urlsift_scanner::{Profile, Scanner};
/// let scanner = Scanner::builder().schemeless(true).build();
/// let mut found = scanner.find_str("HTTP://Host.Dom:80/%7ejoe and www.Host.Dom/a");
/// let first = found.next().unwrap();
/// assert_eq!(&*first.normalized(Profile::Web), b"http://host.dom/~joe");
/// assert_eq!((first.scheme(), first.host(Profile::Web).as_deref()), ("http".into(), Some(&b"Host.Dom"[..])));
/// assert_eq!(&*found.next().unwrap().href(), b"http://www.Host.Dom/a");
/// ```
impl<'t> Candidate<'t> {
    /// Returns the link target: [`Form::href`] of [`Candidate::url`].
    pub fn href(&self) -> Cow<'t, [u8]> {
        self.of_url(Form::href)
    }

    /// Returns the scheme of the link target, in lower case: [`Form::scheme`].
    pub fn scheme(&self) -> String {
        self.form.scheme(&self.url())
    }

    /// Returns the host as written, or `None` if the URL has none or isn't valid in `profile`:
    /// [`Form::host`].
    pub fn host(&self, profile: Profile) -> Option<Cow<'t, [u8]>> {
        match self.url() {
            Cow::Borrowed(url) => self.form.host(url, profile).map(Cow::Borrowed),
            Cow::Owned(url) => {
                self.form.host(&url, profile).map(|host| Cow::Owned(host.to_owned()))
            }
        }
    }

    /// Returns the normalized form, which is the same for equivalent URLs: [`Form::normalized`].
    pub fn normalized(&self, profile: Profile) -> Cow<'t, [u8]> {
        self.of_url(|form, url| form.normalized(url, profile))
    }

    /// Returns the result of `convert` for the form and the URL. It borrows the text if the URL
    /// does and `convert` doesn't copy it.
    fn of_url(&self, convert: impl Fn(Form, &[u8]) -> Cow<'_, [u8]>) -> Cow<'t, [u8]> {
        match self.url() {
            Cow::Borrowed(url) => convert(self.form, url),
            Cow::Owned(url) => Cow::Owned(convert(self.form, &url).into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scanner;

    #[test]
    fn hosts_are_those_of_the_link_target() {
        let host = |form: Form, url: &'static str| {
            form.host(url.as_bytes(), Profile::Web).map(|host| str::from_utf8(host).unwrap())
        };
        assert_eq!(host(Form::Bare, "http://joe@H.dom:80/"), Some("H.dom"));
        assert_eq!(host(Form::Schemeless, "ftp.h.dom/a"), Some("ftp.h.dom"));
        assert_eq!(host(Form::Host, "h.dom"), Some("h.dom"));
        assert_eq!(host(Form::Email, "joe@h.dom"), None);
        assert_eq!(host(Form::Bare, "mailto:joe@h.dom"), None);
        assert_eq!(host(Form::Bare, "http://h..dom/"), None);
        assert_eq!(host(Form::Relative, "a/b.html"), None);
    }

    #[test]
    fn relative_references_have_no_scheme() {
        assert_eq!(Form::Relative.scheme(b"a/b:c"), "");
        assert_eq!(Form::Relative.scheme(b"a"), "");
        assert_eq!(Form::Schemeless.scheme(b"FTP.h.dom"), "ftp");
    }

    #[test]
    fn broken_urls_are_converted_in_one_piece() {
        let scanner = Scanner::builder().build();
        let found = scanner.find_iter(b"<URL:HTTP://Ho\n st.dom/a>").next().unwrap();
        assert_eq!(found.host(Profile::Web).as_deref(), Some(&b"Host.dom"[..]));
        assert_eq!(&*found.normalized(Profile::Web), b"http://host.dom/a");
        assert_eq!((found.scheme(), &*found.href()), ("http".into(), &b"HTTP://Host.dom/a"[..]));
    }
}
