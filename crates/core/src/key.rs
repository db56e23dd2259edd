//! Keys: one byte string for all spellings of a URL or a host.

use crate::normal_form::{may_have_u_labels, to_a_labels};
use crate::{NormalForm, Profile, Report, Url, diagnose_normalized};
use alloc::borrow::Cow;

impl<'u> Url<'u> {
    /// Returns the URL's key, which is the same byte string for all spellings of the URL. Use it
    /// for de-duplication, grouping and index terms. The key is the [normal
    /// form](crate::normalize()) with A-labels in the host ([`NormalForm::a_labels`]). Takes linear
    /// time, and allocates only if the key is not a prefix of the URL as written.
    ///
    /// ```
    /// use urlsift_core::{Profile, parse};
    /// let key = |url: &str| parse(url.as_bytes(), Profile::Web).unwrap().key().into_owned();
    /// assert_eq!(key("http://ПРИМЕР.РФ:80"), b"http://xn--e1afmkfd.xn--p1ai/");
    /// assert_eq!(key("http://пример.рф/"), key("http://XN--E1AFMKFD.xn--p1ai/"));
    /// ```
    pub fn key(&self) -> Cow<'u, [u8]> {
        self.key_of_normal_form(self.normalized())
    }

    /// Returns the key of the URL, given its normal form `normal`.
    fn key_of_normal_form(&self, normal: Cow<'u, [u8]>) -> Cow<'u, [u8]> {
        if self.profile == Profile::Cern1994 || !self.host().is_some_and(may_have_u_labels) {
            return normal;
        }
        NormalForm { a_labels: true, ..NormalForm::default() }
            .comparison_key_of_normalized(normal, self.kind())
    }
}

/// Calls `found` with the same findings as [`diagnose_parsed`](crate::diagnose_parsed), and returns
/// the same key as [`Url::key`]. Often one pass over the bytes is enough for both.
///
/// ```
/// use urlsift_core::{Profile, diagnose_with_key, parse_reference};
/// let url = parse_reference("http://bücher.dom:80/".as_bytes(), Profile::Web).unwrap();
/// let mut codes = Vec::new();
/// let key = diagnose_with_key(&url, |report| codes.push(report.code.name()));
/// assert_eq!(codes, ["iri.non-ascii", "port.default"]);
/// assert_eq!(*key, *b"http://xn--bcher-kva.dom/");
/// ```
pub fn diagnose_with_key<'u>(url: &Url<'u>, found: impl FnMut(Report)) -> Cow<'u, [u8]> {
    url.key_of_normal_form(diagnose_normalized(url, found))
}

/// Returns the key of a host name, which is the same for all spellings of the name. It is in lower
/// case, and in A-labels if the name can be converted to them.
///
/// The host in [`Url::key`] is spelled this way, except for escapes of ASCII characters.
///
/// ```
/// use urlsift_core::host_key;
/// assert_eq!(&*host_key("www.Пример.рф".as_bytes()), b"www.xn--e1afmkfd.xn--p1ai");
/// assert_eq!(&*host_key(b"Host.DOM"), b"host.dom");
/// ```
pub fn host_key(host: &[u8]) -> Cow<'_, [u8]> {
    if let Some(labels) = to_a_labels(host) {
        return Cow::Owned(labels);
    }
    let has_upper = host.iter().any(u8::is_ascii_uppercase);
    if has_upper { Cow::Owned(host.to_ascii_lowercase()) } else { Cow::Borrowed(host) }
}
