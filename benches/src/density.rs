//! Measures the density of colons, lines and URLs in texts. It determines the cost of a scan.

use memchr::{memchr_iter, memmem};
use regex::bytes::Regex;
use std::fmt;

/// The counts for one or more texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Density {
    bytes: usize,
    lines: usize,
    colons: usize,
    slashed: usize,
    urls: usize,
    url_bytes: usize,
    wrapped: usize,
    quoted: usize,
    high: usize,
}

impl Density {
    /// Counts a text.
    ///
    /// # Panics
    ///
    /// Never panics, because the patterns are constant and valid.
    pub fn add(&mut self, text: &[u8]) {
        let urls = Regex::new(crate::peers::COMPARABLE).expect("a constant pattern");
        self.bytes += text.len();
        self.lines += memchr_iter(b'\n', text).count();
        self.colons += memchr_iter(b':', text).count();
        self.slashed += memmem::find_iter(text, "://").count();
        for url in urls.find_iter(text) {
            self.urls += 1;
            self.url_bytes += url.len();
        }
        self.wrapped += memmem::find_iter(text, "<URL:").count();
        self.quoted += memmem::find_iter(text, "\n>").count();
        self.high += text.iter().filter(|byte| !byte.is_ascii()).count();
    }
}

impl fmt::Display for Density {
    /// Formats a row of the table in `benches/README.md`.
    #[expect(clippy::cast_precision_loss, reason = "means for readers")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per = |n: usize| self.bytes as f64 / n.max(1) as f64;
        let percent = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        write!(
            f,
            "{:.1} | {:.1} | {:.0} | {:.0} | {:.1} | {:.0} | {:.1} % | {:.2} %",
            per(self.lines),
            per(self.colons),
            per(self.slashed),
            per(self.urls),
            self.url_bytes as f64 / self.urls.max(1) as f64,
            per(self.wrapped),
            percent(self.quoted, self.lines),
            percent(self.high, self.bytes),
        )
    }
}
