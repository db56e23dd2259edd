//! Finds links in the markup of another language.

use super::rst::Embedded;
use super::{FOREIGN_MARKUP, Links, link_target_len, starts_url};
use crate::dialect::Markup;
use crate::edit::Edit;
use crate::example::contains_placeholder;
use crate::markup::{self, RegionKind};
use memchr::memmem;
use urlsift_core::{Level, Span};

impl Links<'_> {
    /// Reports Markdown links in other markup.
    pub(super) fn check_markdown_links_elsewhere(&mut self, block: Span) {
        // Many projects write Markdown in docstrings.
        let may_be_meant = self.is_docstring && !self.is_surely_rst();
        for at in memchr::memchr_iter(b']', &self.text[block.range()]) {
            let bracket = block.start + at;
            let rest = &self.text[bracket + 1..];
            let blanks = usize::from(rest.starts_with(b" "));
            if rest.get(blanks) == Some(&b'(') {
                if may_be_meant || !starts_url(&rest[blanks + 1..]) {
                    continue;
                }
                self.check_markdown_link_elsewhere(bracket, blanks);
            } else if let [b'[', url @ ..] = rest
                && starts_url(url)
                && self.markup == Markup::Rst
            {
                self.check_square_target(bracket, 0);
            }
        }
    }

    /// True if a docstring contains roles, fields or links of reStructuredText.
    fn is_surely_rst(&self) -> bool {
        const MARKS: [&[u8]; 8] = [
            b">`_",
            b":param ",
            b":return",
            b":rtype",
            b":class:`",
            b":func:`",
            b":meth:`",
            b":mod:`",
        ];
        MARKS.iter().any(|mark| memmem::find(self.text, mark).is_some())
    }

    /// Checks one link. `bracket` is the offset of the `]`, and `blanks` the number of spaces
    /// after it.
    fn check_markdown_link_elsewhere(&mut self, bracket: usize, blanks: usize) {
        let start = bracket + blanks + 2;
        let (len, is_closed) = link_target_len(self.rest_of_line(start));
        let target = Span::new(start, start + len);
        let url = &self.text[target.range()];
        let Some(from) = self.matching_open_bracket(bracket, *b"[]") else { return };
        let text = &self.text[from + 1..bracket];
        if !is_closed
            || text.trim_ascii().is_empty()
            || contains_placeholder(url)
            || url.iter().any(|b| b"[]<>`".contains(b))
            || self.is_in_code(bracket)
            || self.is_in_code(from)
            || self.is_after_word(from)
            || self.markup == Markup::Rst && self.is_in_raw_or_comment(from)
            || self.markup == Markup::MediaWiki && self.is_in_wiki_sample(from)
            // `[1] (http://...)` is a mark before a note in parentheses.
            || blanks > 0 && !text.contains(&b' ')
        {
            return;
        }
        let is_image = self.byte_before(from) == Some(b'!');
        let after = self.text.get(target.end + 1).copied().unwrap_or(b'\n');
        let is_plain = !text.iter().any(|b| b"`*|<>[]\\".contains(b)) && !is_image;
        let (before, between, end) = match self.markup {
            Markup::Org => ("[[", "][", "]]"),
            Markup::Rst => ("`", " <", ">`_"),
            Markup::AsciiDoc => ("", "[", "]"),
            _ => ("[", " ", "]"),
        };
        let mut edits = Vec::new();
        // In reStructuredText, inline markup ends before white space or punctuation, and doesn't
        // nest.
        let is_nested =
            self.markup == Markup::Rst && (after.is_ascii_alphanumeric() || after == b'*');
        if is_plain && !is_nested {
            let (first, second) =
                if self.markup == Markup::Rst { (text, url) } else { (url, text) };
            let link = [before.as_bytes(), first, between.as_bytes(), second, end.as_bytes()];
            edits.push(Edit::replace(Span::new(from, target.end + 1), link.concat()));
        }
        let is_docstring = self.is_docstring;
        let diagnostic = self.report_fault(&FOREIGN_MARKUP, target, url.to_vec(), edits);
        // Many projects write Markdown in docstrings, and configure Sphinx or another tool for it.
        if is_docstring {
            diagnostic.level = Level::Info;
        }
    }

    /// Reports reStructuredText links in other markup.
    pub(super) fn check_rst_links_elsewhere(&mut self, block: Span) {
        let end = self.text.len().min(block.end + b"`_".len());
        for at in memmem::find_iter(&self.text[block.start..end], b">`_") {
            let close = block.start + at;
            let underscores =
                self.text[close + 2..].iter().take(3).take_while(|&&b| b == b'_').count();
            let after = self.text.get(close + 2 + underscores);
            if underscores > 2 || after.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'`') {
                continue;
            }
            let Some(Embedded { tick: Some(tick), target }) = self.embedded_target(close) else {
                continue;
            };
            // Both Markdown and AsciiDoc read the part in backquotes as code, Org as text.
            let region = markup::region_at(self.regions, close);
            let is_span = region.is_some_and(|region| {
                region.kind == RegionKind::CodeSpan && region.span.start == tick
            }) || region.is_none() && self.markup == Markup::Org;
            let text = &self.text[tick + 1..target.start - 1];
            if !is_span || text.trim_ascii().is_empty() || self.byte_before(tick) == Some(b'`') {
                continue;
            }
            let url = &self.text[target.range()];
            let kept = text.trim_ascii_end();
            let text_end = tick + 1 + kept.len();
            let link = Span::new(tick, close + 2 + underscores);
            let edits = if self.markup == Markup::AsciiDoc {
                vec![Edit::replace(link, [url, b"[", kept, b"]"].concat())]
            } else if self.markup == Markup::Org {
                vec![Edit::replace(link, [b"[[", url, b"][", kept, b"]]"].concat())]
            } else if kept.iter().chain(url).any(|b| b"[]()\\".contains(b)) {
                Vec::new()
            } else {
                vec![
                    Edit::replace(Span::new(tick, tick + 1), b"["),
                    Edit::replace(Span::new(text_end, target.start), b"]("),
                    Edit::replace(Span::new(close, link.end), b")"),
                ]
            };
            self.report_fault(&FOREIGN_MARKUP, target, url.to_vec(), edits);
        }
    }
}
