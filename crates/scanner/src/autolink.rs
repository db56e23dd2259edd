//! Converts plain text to HTML with links.

use crate::{Form, Scanner, validate_found};

impl Scanner {
    /// The schemes of the URLs that [`Scanner::autolink`] makes links of. A URL of another scheme,
    /// such as `javascript`, may be unsafe to follow.
    pub const LINK_SCHEMES: [&str; 5] = ["http", "https", "ftp", "mailto", "news"];

    /// Converts a plain text to HTML: escapes it, and makes a link of each URL that is valid in
    /// the scanner's profile and has one of the [`Scanner::LINK_SCHEMES`]. Takes linear time.
    ///
    /// A URL that is broken over lines becomes one link, whose text contains the line break. If the
    /// text contains no scheme (see [`Builder::schemeless`](crate::Builder::schemeless)), the target
    /// starts with the scheme that the form implies. To make links in another way, use
    /// [`Candidate::href`](crate::Candidate::href) and [`Candidate::span`](crate::Candidate::span).
    ///
    /// ```
    /// let scanner = urlsift_scanner::Scanner::builder().schemeless(true).build();
    /// assert_eq!(
    ///     scanner.autolink("A & B: www.host.dom/?a&b, or <http://host.dom/>"),
    ///     "A &amp; B: <a href=\"http://www.host.dom/?a&amp;b\">www.host.dom/?a&amp;b</a>, or \
    ///      &lt;<a href=\"http://host.dom/\">http://host.dom/</a>&gt;"
    /// );
    /// ```
    pub fn autolink(&self, text: &str) -> String {
        let mut html = String::with_capacity(text.len() + text.len() / 4);
        let mut end = 0;
        for found in self.find_str(text) {
            let href = found.href();
            let is_link = found.form() != Form::NearMiss
                && Self::LINK_SCHEMES.contains(&found.scheme().as_str())
                && validate_found(&href, self.0.settings.profile).is_ok();
            if !is_link {
                continue;
            }
            let span = found.span();
            push_escaped(&text[end..span.start], &mut html);
            html.push_str("<a href=\"");
            push_escaped(&String::from_utf8_lossy(&href), &mut html);
            html.push_str("\">");
            push_escaped(&text[span.range()], &mut html);
            html.push_str("</a>");
            end = span.end;
        }
        push_escaped(&text[end..], &mut html);
        html
    }
}

/// Appends `text` to `html`, escaped for element content and for attributes in quotation marks.
fn push_escaped(text: &str, html: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        html.push_str(&rest[..at]);
        html.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        });
        rest = &rest[at + 1..];
    }
    html.push_str(rest);
}

#[cfg(test)]
mod tests {
    use crate::Scanner;

    fn linked(text: &str) -> String {
        Scanner::builder().emails(true).scheme("javascript").build().autolink(text)
    }

    #[test]
    fn unsafe_and_invalid_urls_are_text() {
        assert_eq!(linked("javascript:alert(1)"), "javascript:alert(1)");
        assert_eq!(linked("file:///etc/motd"), "file:///etc/motd");
        assert_eq!(linked("http://h..dom/"), "http://h..dom/");
    }

    #[test]
    fn markup_in_text_and_urls_is_escaped() {
        assert_eq!(
            linked("<b>\"it's\"</b> & é"),
            "&lt;b&gt;&quot;it&#39;s&quot;&lt;/b&gt; &amp; é"
        );
        let html = linked("http://h.dom/o'b\"><script>");
        assert!(
            html.starts_with("<a href=\"http://h.dom/o&#39;b\">http://h.dom/o&#39;b</a>&quot;")
        );
        assert!(!html.contains("<script"));
    }

    #[test]
    fn broken_urls_are_one_link() {
        assert_eq!(
            linked("<URL:http://h.dom/\n a>"),
            "&lt;URL:<a href=\"http://h.dom/a\">http://h.dom/\n a</a>&gt;"
        );
        assert_eq!(linked("joe@h.dom"), "<a href=\"mailto:joe@h.dom\">joe@h.dom</a>");
    }
}
