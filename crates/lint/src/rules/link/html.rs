//! Checks the quotes of HTML attributes that contain URLs.

use super::{Links, UNBALANCED_QUOTES, starts_url};
use crate::edit::Edit;
use urlsift_core::Span;

impl Links<'_> {
    /// Reports values that are not closed, as in `<a href="http://host>`, and values after an
    /// empty one, as in `<a href=""http://host">`.
    pub(super) fn check_quotes(&mut self, block: Span) {
        for at in memchr::memchr_iter(b'=', &self.text[block.range()]) {
            let at = block.start + at;
            let Some(&quote @ (b'"' | b'\'')) = self.text.get(at + 1) else { continue };
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
                if rest.first() != Some(&quote) {
                    continue;
                }
                vec![Edit::delete(Span::new(at + 1, at + 2))]
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
}
