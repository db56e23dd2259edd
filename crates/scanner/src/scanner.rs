//! A scanner, and what it is told to look for.

use crate::options::{Engine, Rejoin, Settings};
use crate::pass::{Candidates, Rules};
use crate::read::attribute;
use crate::{Candidate, Input};
use std::sync::Arc;
use urlsift_core::Profile;

/// Says what a [`Scanner`] looks for.
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
    /// The profile whose known schemes and characters bound what is found. Default: `web`.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.0.profile = profile;
        self
    }

    /// How far bare URLs are followed over line breaks.
    #[must_use]
    pub fn rejoin(mut self, rejoin: Rejoin) -> Self {
        self.0.rejoin = rejoin;
        self
    }

    /// A further scheme to look for, also without `//`. In any case; a trailing colon is dropped.
    #[must_use]
    pub fn scheme(mut self, name: &str) -> Self {
        self.0.schemes.push(name.trim_end_matches(':').to_ascii_lowercase());
        self
    }

    /// Whether to report hosts without a scheme.
    #[must_use]
    pub fn schemeless(mut self, yes: bool) -> Self {
        self.0.schemeless = yes;
        self
    }

    /// Whether to report the locators of USENET before there were URLs.
    #[must_use]
    pub fn locators(mut self, yes: bool) -> Self {
        self.0.locators = yes;
        self
    }

    /// Whether to report e-mail addresses that are part of no URL.
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

    /// Whether to report hosts that are part of no URL, with the paths behind them: words with dots between them of
    /// which the last may be a top-level domain by its letters. Whether there is one of that name the caller must know.
    #[must_use]
    pub fn hosts(mut self, yes: bool) -> Self {
        self.0.hosts = yes;
        self
    }

    /// Whether to report what is nearly a URL.
    #[must_use]
    pub fn near_misses(mut self, yes: bool) -> Self {
        self.0.near_misses = yes;
        self
    }

    /// Which code reads the texts; the fastest that the machine has if this is not called.
    #[doc(hidden)]
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.0.engine = engine;
        self
    }

    /// The scanner.
    pub fn build(self) -> Scanner {
        Scanner(Arc::new(Rules::new(self.0)))
    }
}

/// Finds URLs in texts.
///
/// Built once and shared between threads: a clone is one pointer to the same tables. (They are behind a
/// pointer also because the objects of other languages, in which a scanner may lie, are not aligned as
/// tables may have to be.)
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
    /// A scanner with other than the default settings.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The candidates of a plain text, in text order, not overlapping. Time is linear in the text.
    pub fn find_iter<'s, 't>(&'s self, text: &'t [u8]) -> Candidates<'s, 't> {
        self.find(Input::new(text))
    }

    /// The candidates of a string. All their spans, those of wrappers and seams, too, start and end between characters,
    /// and what [`Candidate::url`] gives is UTF-8.
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

    /// The candidates of a text of which more is known.
    pub fn find<'s, 't>(&'s self, input: Input<'t>) -> Candidates<'s, 't> {
        Candidates::begin(&self.0, input, 0, usize::MAX)
    }

    /// A value taken whole from markup or a header field, as a URL; `None` if it has no scheme.
    ///
    /// Blanks around it, angle brackets, and the prefix `URL:` are no part of the URL, and neither is
    /// a line break inside with the blanks around it. Other blanks are: the value's own delimiters
    /// say that they are meant.
    ///
    /// ```
    /// use urlsift_scanner::Scanner;
    /// let scanner = Scanner::builder().build();
    /// let found = scanner.attribute(b" http://h.dom/a b ").unwrap();
    /// assert_eq!(&*found.url(), b"http://h.dom/a b");
    /// assert!(scanner.attribute(b"../up.html").is_none());
    /// ```
    pub fn attribute<'t>(&self, value: &'t [u8]) -> Option<Candidate<'t>> {
        attribute::read(value, &self.0.schemes)
    }

    /// A value taken whole from markup, as a link relative to the URL of its page: a path, a query, a fragment, or what starts
    /// with `//`. `None` if it is empty, or a colon in it ends what may be a scheme. What it means is told by
    /// [`resolve`](urlsift_core::resolve()).
    ///
    /// Blanks around it, and line breaks inside with the blanks around them, are no part of it. Linear.
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().build();
    /// assert_eq!(&*scanner.relative(b" ../up.html ").unwrap().url(), b"../up.html");
    /// assert!(scanner.relative(b"mailto:joe@host.dom").is_none());
    /// ```
    pub fn relative<'t>(&self, value: &'t [u8]) -> Option<Candidate<'t>> {
        attribute::relative(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scanner_is_one_pointer() {
        const fn is_shared<T: Send + Sync + Clone>() {}
        const { is_shared::<Scanner>() };
        assert_eq!(size_of::<Scanner>(), size_of::<usize>());
        assert_eq!(align_of::<Scanner>(), align_of::<usize>());
    }
}
