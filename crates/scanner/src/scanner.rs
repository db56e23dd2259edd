//! The scanner and its builder.

use crate::options::{Engine, Rejoin, Settings};
use crate::pass::{Candidates, Rules};
use crate::read::attribute;
use crate::{Candidate, Input};
use std::sync::Arc;
use urlsift_core::Profile;

/// The options of a [`Scanner`]: set them with its methods, then call [`Builder::build`].
///
/// ```
/// use urlsift_core::Profile;
/// use urlsift_scanner::{Rejoin, Scanner};
/// let scanner = Scanner::builder()
///     .profile(Profile::Rfc3986)
///     .rejoin(Rejoin::Off)
///     .scheme("tel")
///     .locators(true)
///     .build();
/// let found = scanner.find_iter(b"Call tel:+1-2 or see ftp.host.dom:/pub/a");
/// let urls: Vec<_> = found.map(|found| found.url_lossy().into_owned()).collect();
/// assert_eq!(urls, ["tel:+1-2", "ftp://ftp.host.dom/pub/a"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder(Settings);

impl Builder {
    /// Sets the profile, which determines which schemes are known and which characters a URL may
    /// contain. Default: `web`.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.0.profile = profile;
        self
    }

    /// Sets how much evidence is needed to join a bare URL over a line break. Default:
    /// [`Rejoin::Likely`].
    #[must_use]
    pub fn rejoin(mut self, rejoin: Rejoin) -> Self {
        self.0.rejoin = rejoin;
        self
    }

    /// Adds a scheme to search for. Its URLs are found with and without `//` (`tel:+1-2`). Case
    /// doesn't matter, and a trailing colon is dropped.
    #[must_use]
    pub fn scheme(mut self, name: &str) -> Self {
        self.0.schemes.push(name.trim_end_matches(':').to_ascii_lowercase());
        self
    }

    /// Restricts the matches to URLs of these schemes. An empty list restricts nothing. Schemes that
    /// the scanner doesn't know are added to the search, as [`Builder::scheme`] does. A match without
    /// a scheme counts as one of the scheme that its form implies: see [`Candidate::scheme`]. Near
    /// misses and [`Scanner::read_attribute`] are not restricted.
    ///
    /// ```
    /// use urlsift_scanner::Scanner;
    /// let scanner = Scanner::builder().only_schemes(["http", "https"]).build();
    /// let found = scanner.find_iter(b"ftp://h.dom/a, HTTP://h.dom/b, mailto:joe@h.dom");
    /// let urls: Vec<_> = found.map(|found| found.url()).collect();
    /// assert_eq!(urls, [&b"HTTP://h.dom/b"[..]]);
    /// ```
    #[must_use]
    pub fn only_schemes<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let names = names.into_iter().map(|name| name.trim_end_matches(':').to_ascii_lowercase());
        self.0.only_schemes.extend(names);
        self
    }

    /// Sets whether hosts without a scheme are reported, such as `www.h.dom/a`. Default: false.
    #[must_use]
    pub fn schemeless(mut self, yes: bool) -> Self {
        self.0.schemeless = yes;
        self
    }

    /// Sets whether ftp locators, as they were written before there were URLs, are reported
    /// (`ftp.uu.net:/pub/x`). Default: false.
    #[must_use]
    pub fn locators(mut self, yes: bool) -> Self {
        self.0.locators = yes;
        self
    }

    /// Sets whether email addresses that are not part of a URL are reported. Default: false.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().emails(true).build();
    /// let found: Vec<_> = scanner.find_iter(b"mailto:joe@h.dom or ann@h.dom").map(|found| found.url()).collect();
    /// assert_eq!(found, [&b"mailto:joe@h.dom"[..], b"ann@h.dom"]);
    /// ```
    #[must_use]
    pub fn emails(mut self, yes: bool) -> Self {
        self.0.emails = yes;
        self
    }

    /// Sets whether hosts that are not part of a URL are reported, together with their paths.
    /// Default: false.
    ///
    /// A host is two or more words with dots between them, the last of which has the form of a
    /// top-level domain. The caller must check that the domain exists.
    #[must_use]
    pub fn hosts(mut self, yes: bool) -> Self {
        self.0.hosts = yes;
        self
    }

    /// Sets whether strings that are almost URLs are reported, such as `http:/host`: see
    /// [`NearMiss`](crate::NearMiss). Default: false.
    #[must_use]
    pub fn near_misses(mut self, yes: bool) -> Self {
        self.0.near_misses = yes;
        self
    }

    /// Sets the implementation that scans the texts. Default: the fastest that the machine
    /// supports. All engines find the same matches; choose one only to compare speeds or to check
    /// an engine.
    ///
    /// ```
    /// use urlsift_scanner::{Engine, Scanner};
    /// for &engine in Engine::all() {
    ///     let scanner = Scanner::builder().engine(engine).build();
    ///     let found: Vec<_> = scanner.find_iter(b"At http://host.dom/.").map(|it| it.url()).collect();
    ///     assert_eq!(found, [&b"http://host.dom/"[..]]);
    /// }
    /// ```
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.0.engine = engine;
        self
    }

    /// Builds the scanner, with the tables for these options.
    pub fn build(self) -> Scanner {
        Scanner(Arc::new(Rules::new(self.0)))
    }
}

/// A scanner that finds URLs in texts.
///
/// Build it once and share it between threads: a clone is one pointer to the same tables. (Another
/// reason for the pointer: an object of another language that contains a scanner may not have the
/// alignment that the tables need.)
///
/// ```
/// let scanner = urlsift_scanner::Scanner::builder().build();
/// let other = scanner.clone();
/// let thread = std::thread::spawn(move || other.find_iter(b"http://host.dom/").count());
/// assert_eq!((scanner.find_iter(b"no URL").count(), thread.join().unwrap()), (0, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Scanner(pub(crate) Arc<Rules>);

impl Scanner {
    /// Returns a builder with the default settings.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Returns an iterator over the URLs in a plain text, in text order and without overlaps. Takes
    /// linear time in the length of the text.
    pub fn find_iter<'s, 't>(&'s self, text: &'t [u8]) -> Candidates<'s, 't> {
        self.find(Input::new(text))
    }

    /// Returns an iterator over the URLs in a string, like [`Scanner::find_iter`]. All their spans,
    /// including those of wrappers and breaks, start and end at character boundaries, and
    /// [`Candidate::url`] returns UTF-8.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// let text = "„http://host.dom/café“";
    /// let found = scanner.find_str(text).next().unwrap();
    /// assert_eq!(&text[found.span().range()], "http://host.dom/café");
    /// assert_eq!(found.url_lossy(), "http://host.dom/café");
    /// ```
    pub fn find_str<'s, 't>(&'s self, text: &'t str) -> Candidates<'s, 't> {
        self.find_iter(text.as_bytes())
    }

    /// Returns an iterator over the URLs in `input`, a text with its charset and line breaks. For
    /// plain text, [`Scanner::find_iter`] is enough.
    pub fn find<'s, 't>(&'s self, input: Input<'t>) -> Candidates<'s, 't> {
        Candidates::begin(&self.0, input, 0, usize::MAX)
    }

    /// Reads a whole value from markup (such as an `href`) or from a header field as one URL.
    /// Returns `None` if the value has no scheme.
    ///
    /// Blanks around the URL, angle brackets, the prefix `URL:`, and line breaks with the blanks
    /// around them are not part of the URL. Other blanks are part of it, because the value has its
    /// own delimiters.
    ///
    /// ```
    /// use urlsift_scanner::Scanner;
    /// let scanner = Scanner::builder().build();
    /// let found = scanner.read_attribute(b" http://h.dom/a b ").unwrap();
    /// assert_eq!(&*found.url(), b"http://h.dom/a b");
    /// assert!(scanner.read_attribute(b"../up.html").is_none());
    /// ```
    pub fn read_attribute<'t>(&self, value: &'t [u8]) -> Option<Candidate<'t>> {
        attribute::read_absolute(value, &self.0.schemes)
    }

    /// Reads a whole value from markup as a link relative to the URL of its page. The link is a
    /// path, a query, a fragment, or a reference that starts with `//`.
    ///
    /// Returns `None` if the value is empty or seems to start with a scheme. To get the absolute
    /// URL, pass the link to [`resolve`](urlsift_core::resolve()).
    ///
    /// Blanks around the link, and line breaks with the blanks around them, are not part of it.
    /// Takes linear time in the length of the value.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// assert_eq!(&*scanner.read_relative(b" ../up.html ").unwrap().url(), b"../up.html");
    /// assert!(scanner.read_relative(b"mailto:joe@host.dom").is_none());
    /// ```
    pub fn read_relative<'t>(&self, value: &'t [u8]) -> Option<Candidate<'t>> {
        attribute::read_relative(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scanner_is_one_pointer() {
        const fn is_shared<T: Send + Sync + Clone>() {}
        const { is_shared::<Scanner>() };
        assert_eq!(size_of::<Scanner>(), size_of::<usize>());
        assert_eq!(align_of::<Scanner>(), align_of::<usize>());
    }
}
