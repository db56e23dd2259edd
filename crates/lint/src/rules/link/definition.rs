//! Checks lines that look like definitions of link targets.

use super::{Links, MALFORMED_DEFINITION, starts_url};
use crate::edit::Edit;
use std::collections::{HashMap, HashSet};
use urlsift_core::Span;

/// The maximum length of the name of a definition, in bytes.
const MAX_NAME_LEN: usize = 256;

/// True if the text `name` between `.. _` and a URL contains the colon that ends the name of a
/// target, and other text after it. In `.. _the mill\: a guide: https://...`, the colon with the
/// backslash belongs to the name.
fn has_text_after_colon(name: &[u8]) -> bool {
    memchr::memmem::find_iter(name, b": ").any(|at| !name[..at].ends_with(b"\\"))
}

impl<'a> Links<'a> {
    /// Checks lines that start with `..` or `__` in reStructuredText.
    pub(super) fn check_rst_definitions(&mut self, block: Span) {
        let first = if block.start == 0 { Some(0) } else { None };
        let breaks = memchr::memchr_iter(b'\n', &self.text[block.range()]);
        for start in first.into_iter().chain(breaks.map(|at| block.start + at + 1)) {
            let line = self.rest_of_line(start);
            let indent = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            let body = line[indent..].trim_ascii_end();
            if body.starts_with(b"..") || body.starts_with(b"__") {
                self.check_rst_definition(start + indent, body);
            }
        }
    }

    /// Checks one line. `body` is its text, which starts at offset `start`.
    fn check_rst_definition(&mut self, start: usize, body: &'a [u8]) {
        let Some(url_at) = (2..body.len()).find(|&at| starts_url(&body[at..])) else { return };
        let (head, url) = body.split_at(url_at);
        if url.iter().any(u8::is_ascii_whitespace) || self.is_in_code(start + url_at) {
            return;
        }
        let gap = Span::new(start + head.trim_ascii_end().len(), start + url_at);
        let edits = if let Some(name) = head.strip_prefix(b"__") {
            // `__https://...`
            if !name.is_empty() {
                return;
            }
            vec![Edit::replace(gap, b" ")]
        } else if let Some(name) = head.strip_prefix(b".. _") {
            let is_separated = name.ends_with(b" ");
            let name = name.trim_ascii_end();
            let is_quoted = name.starts_with(b"`");
            let bare = name.strip_suffix(b":").unwrap_or(name);
            if is_quoted && !bare[1..].contains(&b'`') {
                Vec::new()
            } else if bare.ends_with(b":") {
                // `.. _name:: https://...`
                vec![Edit::delete(Span::new(gap.start - 1, gap.start))]
            } else if has_text_after_colon(name) {
                // In `.. _name: <https://...>`, no colon is missing. The line is reported without a
                // fix, because there is other text before the URL.
                Vec::new()
            } else if bare.len() == name.len() {
                vec![Edit::insert(gap.start, b":")]
            } else if is_separated {
                return;
            } else {
                vec![Edit::insert(gap.start, b" ")]
            }
        } else if head.starts_with(b".._") {
            vec![Edit::insert(start + 2, b" ")]
        } else if let Some(name) = head.strip_prefix(b".. ") {
            // Without the underscore, the line is a comment, unless something refers to the name.
            let name = name.trim_ascii().strip_suffix(b":").unwrap_or_default();
            if name.is_empty() || name.ends_with(b":") || !self.refers_to(name) {
                return;
            }
            vec![Edit::insert(start + 3, b"_")]
        } else {
            return;
        };
        let target = Span::new(start + url_at, start + body.len());
        self.report_fault(&MALFORMED_DEFINITION, target, url, edits);
    }

    /// True if a reStructuredText document refers to `name`, as in `name_` or `` `name`_ ``.
    fn refers_to(&self, name: &[u8]) -> bool {
        let name = name.strip_prefix(b"`").and_then(|it| it.strip_suffix(b"`")).unwrap_or(name);
        let names = self.referenced.get_or_init(|| {
            let is_name = |b: &&u8| b.is_ascii_alphanumeric() || b"-.+:".contains(b);
            let mut names = HashSet::new();
            for at in memchr::memchr_iter(b'_', self.text) {
                let from = at.saturating_sub(MAX_NAME_LEN);
                let before = &self.text[from..at];
                let name = match before {
                    [inner @ .., b'`'] => {
                        memchr::memrchr(b'`', inner).map(|open| &inner[open + 1..])
                    }
                    _ => Some(
                        &before[before.len() - before.iter().rev().take_while(is_name).count()..],
                    ),
                };
                names.extend(name.filter(|name| !name.is_empty()));
            }
            names
        });
        names.contains(name)
    }

    /// Checks `[name]https://...` and similar lines in Markdown. `bracket` is the offset of the
    /// `]`.
    pub(super) fn check_markdown_definition(&mut self, bracket: usize) {
        let (head, _) = self.start_of_line_to(bracket);
        let indent = head.iter().take_while(|&&b| b == b' ').count();
        let rest = self.rest_of_line(bracket + 1).trim_ascii_end();
        let is_mark = |b: &&u8| b" :;(<".contains(b);
        let lead = rest.iter().take(4).take_while(is_mark).count();
        let (marks, url) = rest.split_at(lead);
        let is_definition = matches!(
            marks,
            b"" | b" " | b" :" | b" : " | b":(" | b": (" | b";" | b"; " | b"<" | b" <"
        );
        let url = match marks.last() {
            Some(b'(') => url.strip_suffix(b")"),
            Some(b'<') => url.strip_suffix(b">"),
            _ => Some(url),
        };
        let Some(url) = url.filter(|url| is_definition && starts_url(url)) else { return };
        let Some(name) = head.get(indent + 1..) else { return };
        let is_name = head[indent] == b'[' && !name.is_empty() && !name.contains(&b'[');
        if indent > 3
            || !is_name
            || url.iter().any(u8::is_ascii_whitespace)
            || self.docs.is_some()
            || self.is_in_code(bracket)
            // `[1]` is a mark of a list of sources, and `[INFO]` the start of a line in a log.
            || !name.iter().any(u8::is_ascii_lowercase)
            || matches!(name, b"x" | [b'^', ..])
        {
            return;
        }
        let is_referenced = self.bracketed_count(name) > 1;
        if !is_referenced && !marks.is_empty() {
            return;
        }
        let from = bracket + 1 + lead;
        let target = Span::new(from, from + url.len());
        let mut edits = match marks.last() {
            Some(b'(') => vec![Edit::delete(Span::new(target.end, target.end + 1))],
            _ => Vec::new(),
        };
        let opening = from - usize::from(marks.ends_with(b"<"));
        edits.insert(0, Edit::replace(Span::new(bracket + 1, opening), b": "));
        self.report_fault(&MALFORMED_DEFINITION, target, url.to_vec(), edits);
    }

    /// Returns how many times `[text]` occurs in the text.
    fn bracketed_count(&self, text: &[u8]) -> u32 {
        let counts = self.bracketed.get_or_init(|| {
            let mut counts = HashMap::new();
            for open in memchr::memchr_iter(b'[', self.text) {
                let rest = &self.text[open + 1..];
                let rest = &rest[..rest.len().min(MAX_NAME_LEN)];
                let end = rest.iter().position(|b| b"[]\n".contains(b));
                if let Some(end) = end.filter(|&end| rest[end] == b']') {
                    *counts.entry(&rest[..end]).or_default() += 1;
                }
            }
            counts
        });
        counts.get(text).copied().unwrap_or_default()
    }
}
