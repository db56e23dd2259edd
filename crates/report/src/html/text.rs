//! Formats texts and numbers for HTML. Every text from an archive must be wrapped in [`Text`].

use std::fmt::{self, Write as _};
use urlsift_records::write::visible::escape_invisible;

/// A text that is displayed escaped for HTML and SVG, including quoted attribute values. Invisible
/// characters are shown as escape sequences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'t>(pub(super) &'t str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in escape_invisible(self.0).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A number that is displayed with commas between thousands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(pub(super) u64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_char(',')?;
            }
            f.write_char(digit)?;
        }
        Ok(())
    }
}

/// Formats a number followed by a noun, to which an `s` is added if necessary: `1 URL`, `2 URLs`.
pub(super) fn format_quantity(number: u64, singular: &str) -> String {
    format!("{} {singular}{}", Number(number), if number == 1 { "" } else { "s" })
}

/// Returns the date part of a time in RFC 3339 format, or an empty text for `None`.
pub(super) fn date_part(date: Option<&str>) -> &str {
    date.map_or("", |date| date.get(..10).unwrap_or(date))
}

/// A buffer that HTML is written to.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Appends formatted markup, as from `format_args!`. Texts from the archive in it must be
    /// wrapped in [`Text`].
    pub(super) fn push_formatted(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(text);
    }

    /// Appends markup without changing it.
    pub(super) fn push_raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Returns the markup written so far.
    pub(super) fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_is_escaped() {
        let text = Text("<script>'\"&\u{202e}\u{1b}\n</script>").to_string();
        assert_eq!(text, "&lt;script&gt;&#39;&quot;&amp;\\u{202e}\\x1b\\x0a&lt;/script&gt;");
    }

    #[test]
    fn numbers_have_thousands_separators() {
        let all = [0, 999, 1000, 1_234_567].map(|number| Number(number).to_string());
        assert_eq!(all, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            (format_quantity(1, "URL"), format_quantity(2, "URL")),
            ("1 URL".to_owned(), "2 URLs".to_owned())
        );
    }
}
