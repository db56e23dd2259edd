//! Selects the URLs to report by host, domain and text.

use crate::patterns::Patterns;
use urlsift_core::host_key;

/// A filter that selects the URLs to report, by host, domain and text. The default filter accepts
/// all URLs.
///
/// In a pattern, `*` matches any bytes, `?` matches one byte, and a `!` at the start negates the
/// pattern. Case is ignored. A property is accepted if both of these are true:
///
/// - No negated pattern matches it.
/// - At least one of the other patterns matches it, or there are no other patterns.
///
/// ```
/// use urlsift_records::{Input, Options, Scan, UrlFilter};
/// let mut options = Options::default();
/// options.urls = UrlFilter::default()
///     .domains(vec!["host.dom".to_owned()])
///     .hosts(vec!["!old.*".to_owned()])
///     .texts(vec!["*.html".to_owned()]);
/// let text = b"http://www.host.dom/a.html http://old.host.dom/a.html http://host.dom/b http://a.dom/a.html";
/// let mut found = Vec::new();
/// Scan::new(options).read(Input::from_bytes("a.txt", text), &mut found).unwrap();
/// assert_eq!(found.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct UrlFilter {
    hosts: Patterns,
    domains: Patterns,
    texts: Patterns,
}

impl UrlFilter {
    /// Accepts only URLs whose host matches the patterns. Patterns and hosts are compared in lower
    /// case and with A-labels (`xn--...`).
    #[must_use]
    pub fn hosts(mut self, patterns: Vec<String>) -> Self {
        self.hosts = Patterns::new(patterns, host_pattern);
        self
    }

    /// Accepts only URLs whose host is in one of these domains, e.g. `host.dom` or `www.host.dom`
    /// for the pattern `host.dom`. The patterns are compared as in [`UrlFilter::hosts`].
    #[must_use]
    pub fn domains(mut self, patterns: Vec<String>) -> Self {
        let all = patterns.into_iter().flat_map(|pattern| {
            let within = match pattern.strip_prefix('!') {
                Some(domain) => format!("!*.{domain}"),
                None => format!("*.{pattern}"),
            };
            [pattern, within]
        });
        self.domains = Patterns::new(all.collect(), host_pattern);
        self
    }

    /// Accepts only URLs that match the patterns. A pattern must match the whole URL, either as
    /// written or in its normalized form.
    #[must_use]
    pub fn texts(mut self, patterns: Vec<String>) -> Self {
        self.texts = Patterns::new(patterns, |pattern| pattern.into());
        self
    }

    /// True if the filter accepts all URLs.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.domains.is_empty() && self.texts.is_empty()
    }

    /// True if the filter accepts the URL `written`, whose normalized form is `normalized`. `host`
    /// is `None` if the URL has no host.
    pub(crate) fn accepts(&self, written: &[u8], normalized: &[u8], host: Option<&[u8]>) -> bool {
        let key = host.map(host_key);
        let host = key.as_deref().map(|key| key.strip_suffix(b".").unwrap_or(key));
        (self.texts.is_empty() || self.texts.accept(&[written, normalized]))
            && (self.hosts.is_empty() || self.hosts.accept(host.as_slice()))
            && (self.domains.is_empty() || self.domains.accept(host.as_slice()))
    }
}

/// Converts each label of a host pattern to lower case and to an A-label, as [`host_key`] does.
fn host_pattern(pattern: &str) -> Vec<u8> {
    let labels: Vec<_> = pattern.split('.').map(|label| host_key(label.as_bytes())).collect();
    labels.join(&b'.')
}

#[cfg(test)]
mod tests {
    use super::UrlFilter;

    #[test]
    fn hosts_and_domains_are_compared_by_their_key() {
        let hosts = |pattern: &str| UrlFilter::default().hosts(vec![pattern.to_owned()]);
        let domains = |pattern: &str| UrlFilter::default().domains(vec![pattern.to_owned()]);
        for (filter, host, is_accepted) in [
            (hosts("www.host.dom"), "WWW.Host.dom.", true),
            (hosts("host.dom"), "www.host.dom", false),
            (hosts("*.host.dom"), "www.host.dom", true),
            (hosts("*.xn--p1ai"), "www.Пример.рф", true),
            (hosts("*.Пример.рф"), "www.xn--e1afmkfd.xn--p1ai", true),
            (domains("host.dom"), "www.host.dom", true),
            (domains("host.dom"), "host.dom", true),
            (domains("host.dom"), "ghost.dom", false),
            (domains("!host.dom"), "a.host.dom", false),
            (domains("!host.dom"), "b.dom", true),
            (domains("*.ac.uk"), "www.a.ac.uk", true),
            (domains("*.ac.uk"), "ac.uk", false),
            (domains("dom"), "a.host.dom", true),
            (domains("пример.рф"), "www.xn--e1afmkfd.xn--p1ai", true),
        ] {
            let is = filter.accepts(b"", b"", Some(host.as_bytes()));
            assert_eq!(is, is_accepted, "{filter:?} {host}");
        }
        assert!(!hosts("*").accepts(b"news:a.b", b"news:a.b", None));
        assert!(hosts("!a").accepts(b"news:a.b", b"news:a.b", None));
    }
}
