//! Texts and numbers as they stand in HTML. Every text of an archive goes through [`Text`].

use std::fmt::{self, Write as _};
use urlsift_records::write::visible::clean;

/// A text in HTML or SVG, also within the quotes of an attribute: nothing of it is markup, and what nobody sees is escaped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'t>(pub(super) &'t str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in clean(self.0).chars() {
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

/// A number with commas between thousands.
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

/// A number of things, by the word for one of them.
pub(super) fn things(number: u64, one: &str) -> String {
    format!("{} {one}{}", Number(number), if number == 1 { "" } else { "s" })
}

/// The day of a date.
pub(super) fn day(date: Option<&str>) -> &str {
    date.map_or("", |date| date.get(..10).unwrap_or(date))
}

/// HTML in the making.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Appends what `format_args!` makes.
    pub(super) fn add(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(text);
    }

    /// Appends markup.
    pub(super) fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        let text = Text("<script>'\"&\u{202e}\u{1b}\n</script>").to_string();
        assert_eq!(text, "&lt;script&gt;&#39;&quot;&amp;\\u{202e}\\x1b\\x0a&lt;/script&gt;");
    }

    #[test]
    fn numbers() {
        let all = [0, 999, 1000, 1_234_567].map(|number| Number(number).to_string());
        assert_eq!(all, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((things(1, "URL"), things(2, "URL")), ("1 URL".to_owned(), "2 URLs".to_owned()));
    }
}
