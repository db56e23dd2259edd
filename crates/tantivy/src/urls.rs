//! The token filter's settings, and the token for a whole URL.

use urlsift_core::{Profile, host_key};
use urlsift_scanner::{Scanner, validate_found};

/// A token filter that finds URLs; add it last to an analyzer. Clones share the scanner's tables,
/// so they are cheap.
#[derive(Clone, Debug)]
pub struct Urls {
    pub(crate) scanner: Scanner,
    profile: Profile,
}

impl Urls {
    /// Creates a filter that finds URLs with `scanner` and normalizes them by `profile`.
    pub fn new(scanner: Scanner, profile: Profile) -> Self {
        Self { scanner, profile }
    }

    /// Returns the token for a whole URL: its normalized form, or `url` itself if it is not valid.
    ///
    /// ```
    /// let term = urlsift_tantivy::Urls::default().url_key("HTTP://Host.Dom:80/%7ejoe");
    /// assert_eq!(term, "http://host.dom/~joe");
    /// ```
    pub fn url_key(&self, url: &str) -> String {
        let key = validate_found(url.as_bytes(), self.profile).map(|url| url.key().into_owned());
        key.ok().and_then(|url| String::from_utf8(url).ok()).unwrap_or_else(|| url.to_owned())
    }

    /// Returns the token for a host: in lower case, and in A-labels if it is internationalized.
    ///
    /// ```
    /// assert_eq!(urlsift_tantivy::Urls::host_key("Bücher.Example"), "xn--bcher-kva.example");
    /// ```
    pub fn host_key(host: &str) -> String {
        String::from_utf8_lossy(&host_key(host.to_lowercase().as_bytes())).into_owned()
    }
}

/// Creates a filter with a default scanner and the profile `web`.
impl Default for Urls {
    fn default() -> Self {
        Self::new(Scanner::builder().build(), Profile::Web)
    }
}
