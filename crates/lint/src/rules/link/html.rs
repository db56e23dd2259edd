//! Checks the quotes of HTML attributes that contain URLs.

use super::{Links, UNBALANCED_QUOTES, starts_url};
use crate::edit::Edit;
use memchr::memmem;
use urlsift_core::Span;

impl Links<'_> {
    /// Reports values that are not closed, as in `<a href="http://host>`, values after an empty
    /// one, as in `<a href=""http://host">`, and values with curly quotes.
    pub(super) fn check_quotes(&mut self, block: Span) {
        for at in memchr::memchr_iter(b'=', &self.text[block.range()]) {
            let at = block.start + at;
            let Some(&quote @ (b'"' | b'\'')) = self.text.get(at + 1) else {
                self.check_curly_quotes(at);
                continue;
            };
            let is_name = self.byte_before(at).is_some_and(|b| b.is_ascii_alphabetic());
            let doubled = usize::from(self.text.get(at + 2) == Some(&quote));
            let start = at + 2 + doubled;
            if !is_name || !starts_url(self.text.get(start..).unwrap_or_default()) {
                continue;
            }
            let line = self.rest_of_line(start);
            let is_end = |b: &u8| b.is_ascii_whitespace() || b"\"'<>".contains(b);
            let len = line.iter().position(is_end).unwrap_or(line.len());
            let (url, rest) = line.split_at(len);
            if self.is_in_code(at) {
                continue;
            }
            let edits = if doubled > 0 {
                if rest.first() != Some(&quote) || rest.get(1) == Some(&quote) {
                    continue;
                }
                vec![Edit::delete(Span::new(at + 1, at + 2))]
            } else if rest.first() == Some(&quote) {
                // `<a href="http://host"">`
                if rest.get(1) != Some(&quote) || !matches!(rest.get(2), Some(b'>' | b' ')) {
                    continue;
                }
                vec![Edit::delete(Span::new(start + len, start + len + 1))]
            } else if let [b'"' | b'\'', b'>', after @ ..] = rest {
                // `<a href="http://host'>`
                if after.iter().find(|&&b| b == quote || b == b'<') != Some(&b'<') {
                    continue;
                }
                vec![Edit::replace(Span::new(start + len, start + len + 1), vec![quote])]
            } else {
                // The value is closed if the next quote comes before the next tag.
                let next = rest.iter().find(|&&b| b == quote || b == b'<');
                if rest.first() != Some(&b'>') || next != Some(&b'<') {
                    continue;
                }
                vec![Edit::insert(start + len, vec![quote])]
            };
            let target = Span::new(start, start + len);
            self.report_fault(&UNBALANCED_QUOTES, target, url, edits);
        }
    }

    /// Reports a value in curly quotes, as in `<a href=“http://host”>`. `at` is the offset of the
    /// `=`.
    fn check_curly_quotes(&mut self, at: usize) {
        const PAIRS: [(&str, &str); 3] =
            [("\u{201c}", "\u{201d}"), ("\u{201d}", "\u{201d}"), ("\u{2033}", "\u{2033}")];
        let rest = self.rest_of_line(at + 1);
        let Some((open, close)) = PAIRS.iter().find(|(it, _)| rest.starts_with(it.as_bytes()))
        else {
            return;
        };
        let value = &rest[open.len()..];
        let (head, _) = self.start_of_line_to(at);
        let is_in_tag =
            memchr::memchr2_iter(b'<', b'>', head).next_back().is_some_and(|at| head[at] == b'<');
        if !is_in_tag || !starts_url(value) || self.is_in_code(at) {
            return;
        }
        let Some(len) = memmem::find(value, close.as_bytes()) else { return };
        let start = at + 1 + open.len();
        let target = Span::new(start, start + len);
        let edits = vec![
            Edit::replace(Span::new(at + 1, start), b"\""),
            Edit::replace(Span::new(target.end, target.end + close.len()), b"\""),
        ];
        self.report_fault(&UNBALANCED_QUOTES, target, &value[..len], edits);
    }
}
