//! Which URLs are found, and what stands for one as a whole.

use urlsift_core::Profile;
use urlsift_scanner::{Scanner, verdict};

/// Which URLs are found. A clone is two words, and shares the scanner's tables.
#[derive(Clone, Debug)]
pub struct Urls {
    pub(crate) scanner: Scanner,
    profile: Profile,
}

impl Urls {
    /// URLs as `scanner` finds them, in the normal form of `profile`.
    pub fn new(scanner: Scanner, profile: Profile) -> Self {
        Self { scanner, profile }
    }

    /// The token that stands for a URL as a whole: its normal form, or `url` as it is if it is not valid.
    ///
    /// ```
    /// let term = urlsift_tantivy::Urls::default().whole("HTTP://Host.Dom:80/%7ejoe");
    /// assert_eq!(term, "http://host.dom/~joe");
    /// ```
    pub fn whole(&self, url: &str) -> String {
        let normal = verdict(url.as_bytes(), self.profile).map(|url| url.normalized().into_owned());
        normal.ok().and_then(|url| String::from_utf8(url).ok()).unwrap_or_else(|| url.to_owned())
    }
}

/// Profile `web`, and a scanner with its default settings.
impl Default for Urls {
    fn default() -> Self {
        Self::new(Scanner::builder().build(), Profile::Web)
    }
}
