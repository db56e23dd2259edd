//! Checks the brackets and parentheses of Markdown links.

use super::{
    BLANK_BEFORE_TARGET, Links, MISSING_BRACKET, REVERSED, SQUARE_BRACKETS, UNCLOSED,
    link_target_len, starts_url, www_host_len,
};
use crate::dialect::Markup;
use crate::edit::Edit;
use crate::example::contains_placeholder;
use crate::markup::{self, Region, RegionKind};
use crate::rules::link_inner_blank;
use memchr::memmem;
use urlsift_core::Span;

/// The maximum length of a link text whose closing bracket is missing, in bytes.
const MAX_TEXT_LEN: usize = 300;

impl Links<'_> {
    /// Checks the Markdown links in `block` for syntax errors.
    pub(super) fn check_markdown_links(&mut self, block: Span) {
        for at in memchr::memchr3_iter(b'(', b')', b']', &self.text[block.range()]) {
            let at = block.start + at;
            let rest = &self.text[at + 1..];
            match (self.text[at], rest) {
                (b'(', _) if starts_url(rest) => self.check_missing_bracket(at),
                (b')', [b'[', inner @ ..]) if starts_url(inner) => self.check_reversed_link(at),
                (b']', [b'(', inner @ ..]) => {
                    if starts_url(inner) {
                        self.check_unclosed_target(at);
                    }
                    self.check_target(at);
                }
                (b']', [b' ' | b'[', ..]) => {
                    let blanks = rest.iter().take(3).take_while(|&&b| b == b' ').count();
                    match rest.get(blanks) {
                        Some(b'(') => self.check_separated_target(at, blanks, 1, b")"),
                        Some(b'[') if blanks < 2 => self.check_square_target(at, blanks),
                        _ => self.check_markdown_definition(at),
                    }
                }
                (b']', [0xef, ..]) if rest.starts_with("\u{ff08}".as_bytes()) => {
                    self.check_separated_target(at, 0, 3, "\u{ff09}".as_bytes());
                }
                (b']', [b'h' | b'f' | b'm' | b':' | b';' | b'<', ..]) => {
                    self.check_markdown_definition(at);
                }
                _ => {}
            }
        }
    }

    /// Checks `[text][http://...]`. `bracket` is the offset of the first `]`, and `blanks` the
    /// number of spaces after it.
    pub(super) fn check_square_target(&mut self, bracket: usize, blanks: usize) {
        let start = bracket + blanks + 2;
        let line = self.rest_of_line(start);
        let has_scheme = starts_url(line);
        if !has_scheme && www_host_len(line) == 0
            || self.is_in_code(bracket)
            || self.is_target(start)
        {
            return;
        }
        let (len, _) = link_target_len(line);
        let end = memchr::memchr(b']', &line[..len]).unwrap_or(len);
        let url = &line[..end];
        let is_closed = match line.get(end) {
            Some(b']') => !matches!(line.get(end + 1), Some(b'(' | b'[' | b':')),
            Some(b')') => blanks == 0,
            _ => false,
        };
        let Some(from) = self.matching_open_bracket(bracket, *b"[]") else { return };
        let text = &self.text[from + 1..bracket];
        if !is_closed
            || text.trim_ascii().is_empty()
            || self.is_after_word(from)
            || blanks > 0 && is_mark(text)
            || contains_placeholder(url)
            || self.is_link_name_defined(url)
        {
            return;
        }
        let target = Span::new(start, start + end);
        let opening = if has_scheme { &b"("[..] } else { b"(https://" };
        let edits = vec![
            Edit::replace(Span::new(bracket + 1, start), opening),
            Edit::replace(Span::new(target.end, target.end + 1), b")"),
        ];
        // No fix for reStructuredText, which has another syntax for links.
        let edits = if self.markup == Markup::Rst { Vec::new() } else { edits };
        self.report_fault(&SQUARE_BRACKETS, target, url, edits);
    }

    /// Checks `[text(http://...)`. `open` is the offset of the `(`.
    fn check_missing_bracket(&mut self, open: usize) {
        let before = self.byte_before(open).unwrap_or(b' ');
        if before == b']' || self.is_in_code(open) || self.is_target(open + 1) {
            return;
        }
        let start = open + 1;
        let line = self.rest_of_line(start);
        let (len, is_closed) = link_target_len(line);
        // `[text}(http://...)`
        let pair = match before {
            b'}' => Some(*b"{}"),
            b')' => Some(*b"()"),
            b'>' => Some(*b"<>"),
            _ => None,
        };
        if !is_closed || contains_placeholder(&line[..len]) {
            return;
        }
        let Some(from) = self.matching_open_bracket(open, *b"[]") else { return };
        // The bracket belongs to the text: `[text (more)(http://...)`.
        let pair = pair.filter(|&pair| !is_balanced(&self.text[from + 1..open], pair));
        let text = &self.text[from + 1..open - usize::from(pair.is_some())];
        if text.len() > MAX_TEXT_LEN
            || text.first().is_none_or(|b| b.is_ascii_whitespace() || *b == b'^')
            || is_mark(text)
            || !is_balanced(text, *b"()")
            || pair.is_some_and(|pair| !is_balanced(text, pair))
            || self.is_after_word(from)
        {
            return;
        }
        let gap = Span::new(from + 1 + text.trim_ascii_end().len(), start);
        let mut edits = vec![Edit::replace(gap, b"](")];
        let after = start + len + 1;
        if !text.contains(&b'[')
            && (before.is_ascii_alphanumeric() || before == b'`')
            && self.text.get(after) == Some(&b']')
            && !matches!(self.text.get(after + 1), Some(b'(' | b'[' | b':'))
        {
            // `[text(http://...)]`
            edits.push(Edit::delete(Span::new(after, after + 1)));
        } else if self.closes_bracket_in_paragraph(after, *b"[]") {
            // The bracket may close a later part of the text: `[see (http://...) there]`.
            return;
        }
        self.report_fault(&MISSING_BRACKET, Span::new(start, start + len), &line[..len], edits);
    }

    /// Reports a link target after `[text](` that is not closed or contains a space. `bracket` is
    /// the offset of the `]`.
    fn check_unclosed_target(&mut self, bracket: usize) {
        let start = bracket + 2;
        let parsed = markup::region_at(self.regions, start);
        let is_text =
            |region: Region| region.kind == RegionKind::Autolink || self.is_indented_list(region);
        if parsed.is_some_and(|region| !is_text(region)) {
            return;
        }
        let line = self.rest_of_line(start);
        let (word, is_closed) = link_target_len(line);
        // If the target is closed, there is another reason why this is not a link.
        if is_closed
            || contains_placeholder(&line[..word])
            || self.matching_open_bracket(bracket, *b"[]").is_none()
        {
            return;
        }
        let gap = line[word..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let rest = &line[word + gap..];
        let (more, closed) = link_target_len(rest);
        let piece = &rest[..more];
        if closed && piece.first().is_none_or(|b| b"\"'(=<".contains(b)) {
            return;
        }
        let blank = Span::new(start + word, start + word + gap);
        if line.starts_with(b"mailto:") && rest.contains(&b')') {
            let edits = vec![Edit::replace(blank, b"%20")];
            self.report_fault(&link_inner_blank::META, blank, &line[..word], edits);
            return;
        }
        if closed && !piece.contains(&b'[') {
            let certain = piece.starts_with(b"/") || matches!(line[word - 1], b'/' | b'.');
            let edits = if certain { vec![Edit::delete(blank)] } else { Vec::new() };
            let whole = [&line[..word], piece].concat();
            self.report_fault(&link_inner_blank::META, blank, whole, edits);
            return;
        }
        // A title would have to be closed as well.
        if piece.first().is_some_and(|b| b"\"'".contains(b)) {
            return;
        }
        // `[text](http://host/a）`, with a full-width parenthesis.
        let full_width = ["\u{ff08}".as_bytes(), "\u{ff09}".as_bytes()];
        if let Some(end) = memmem::find(&line[..word], full_width[1]) {
            if memmem::find(&line[..end], full_width[0]).is_none() {
                let close = Span::new(start + end, start + end + full_width[1].len());
                let edits = vec![Edit::replace(close, b")")];
                self.report_fault(&UNCLOSED, Span::new(bracket + 1, start), &line[..end], edits);
            }
            return;
        }
        // The target continues on the next line, so Markdown doesn't make a link of it, but no
        // parenthesis is missing.
        let next = self.rest_of_line(start + line.len() + 1).trim_ascii_start();
        let first = next.iter().position(|b| b.is_ascii_whitespace() || *b == b')');
        if rest.is_empty() && first.is_some_and(|at| next[at] == b')') {
            self.report_fault(&UNCLOSED, Span::new(bracket + 1, start), &line[..word], Vec::new());
            return;
        }
        let kept =
            line[..word].iter().rposition(|b| !b",.;:]|*".contains(b)).map_or(0, |at| at + 1);
        let (opening, edits) =
            (Span::new(bracket + 1, start), vec![Edit::insert(start + kept, b")")]);
        self.report_fault(&UNCLOSED, opening, &line[..kept], edits);
    }

    /// Reports a link whose target is separated from its text, as in `[text] (http://...)`.
    /// `bracket` is the offset of the `]`, and `blanks` is the number of spaces after it.
    ///
    /// `open` is the length of the opening parenthesis in bytes, and `close` is the closing one.
    fn check_separated_target(&mut self, bracket: usize, blanks: usize, open: usize, close: &[u8]) {
        let start = bracket + 1 + blanks + open;
        let line = self.rest_of_line(start);
        if !starts_url(line) || self.is_in_code(bracket) {
            return;
        }
        let Some(end) = memmem::find(line, close) else { return };
        if contains_placeholder(&line[..end]) {
            return;
        }
        let Some(from) = self.matching_open_bracket(bracket, *b"[]") else { return };
        let text = &self.text[from + 1..bracket];
        if self.is_after_word(from)
            || is_mark(text)
            || line[..end].contains(&b' ')
            || self.is_link_name_defined(text)
        {
            return;
        }
        let gap = Span::new(bracket + 1, start);
        let edits = if open == 1 {
            vec![Edit::delete(Span::new(gap.start, start - 1))]
        } else {
            let close = Span::new(start + end, start + end + close.len());
            vec![Edit::replace(gap, b"("), Edit::replace(close, b")")]
        };
        self.report_fault(&BLANK_BEFORE_TARGET, gap, &line[..end], edits);
    }

    /// Reports a link with the brackets exchanged, as in `(text)[http://...]`. `close` is the
    /// offset of the `)`.
    fn check_reversed_link(&mut self, close: usize) {
        let start = close + 2;
        if self.is_in_code(close) || self.is_in_code(start) {
            return;
        }
        let line = self.rest_of_line(start);
        let (len, is_closed) = link_target_len(line);
        // `[![text](image)[http://...)`
        let follows_target = close.checked_sub(1).is_some_and(|before| self.is_target(before));
        if is_closed && !line[..len].contains(&b']') && follows_target {
            if self.matching_open_bracket(close, *b"[]").is_some() {
                let gap = Span::new(close + 1, start);
                let edits = vec![Edit::replace(gap, b"](")];
                let target = Span::new(start, start + len);
                self.report_fault(&MISSING_BRACKET, target, &line[..len], edits);
            }
            return;
        }
        let Some(end) = memchr::memchr(b']', line) else { return };
        let Some(open) = self.matching_open_bracket(close, *b"()") else { return };
        if self.is_after_word(open)
            || open + 1 == close
            || line[..end].contains(&b' ')
            || matches!(line.get(end + 1), Some(b'(' | b'['))
        {
            return;
        }
        let at = |from: usize, len: usize| Span::new(from, from + len);
        let edits = vec![
            Edit::replace(at(open, 1), b"["),
            Edit::replace(at(close, 2), b"]("),
            Edit::replace(at(start + end, 1), b")"),
        ];
        self.report_fault(&REVERSED, at(close, 2), &line[..end], edits);
    }
}

/// True if each bracket in `text` has its counterpart. `pair` is the opening and the closing
/// bracket.
fn is_balanced(text: &[u8], pair: [u8; 2]) -> bool {
    let mut depth = 0_i32;
    text.iter().all(|b| {
        depth += i32::from(*b == pair[0]) - i32::from(*b == pair[1]);
        depth >= 0
    }) && depth == 0
}

/// True if a text in brackets is a mark such as `1`, `x` or `^note`, and not the text of a link.
fn is_mark(text: &[u8]) -> bool {
    text.iter().all(|b| b.is_ascii_digit() || b" xX.^*".contains(b)) || text.starts_with(b"^")
}
