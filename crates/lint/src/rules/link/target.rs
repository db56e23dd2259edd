//! Checks the parentheses of Markdown links: targets with quotes or spaces around them, and empty
//! targets and texts.

use super::super::names::is_www_host;
use super::{
    EDGE_BLANK, EMPTY_TARGET, EMPTY_TEXT, Links, WRAPPED_TARGET, link_target_len, starts_url,
};
use crate::edit::{Applicability, Edit};
use crate::example::contains_placeholder;
use crate::markup;
use memchr::memmem;
use urlsift_core::{Level, Span};

/// Pairs of quotes and brackets that people write around a target.
const WRAPPERS: [(&str, &str); 8] = [
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("\u{201c}", "\u{201d}"),
    ("\u{2018}", "\u{2019}"),
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
];

impl Links<'_> {
    /// Reports the faults in the parentheses of a link. `bracket` is the offset of the `]`, and a
    /// `(` must follow it.
    pub(super) fn check_target(&mut self, bracket: usize) {
        if self.is_in_code(bracket) {
            return;
        }
        let start = bracket + 2;
        let line = self.rest_of_line(start);
        let blanks = line.iter().take_while(|&&b| b == b' ').count();
        let inner = &line[blanks..];
        let is_empty = inner.starts_with(b")") || inner.starts_with(b"<>)");
        let wrapper = wrapper_of_target(inner);
        // The search for the other bracket is slow in a line with thousands of brackets.
        if !is_empty && !starts_url(inner) && wrapper.is_none() && self.docs.is_none() {
            return;
        }
        let Some(from) = self.matching_open_bracket(bracket, *b"[]") else { return };
        let text = self.text[from + 1..bracket].trim_ascii();
        if is_empty {
            let len = blanks + if inner.starts_with(b")") { 1 } else { 3 };
            self.check_empty_target(Span::new(from, start + len), text);
        } else if starts_url(inner) {
            let (len, is_closed) = link_target_len(inner);
            if text.is_empty() {
                let end = start + blanks + len + usize::from(is_closed);
                self.report_empty_text(Span::new(from, end), &inner[..len], is_closed);
            } else {
                self.check_edges(start, blanks, len);
                self.check_doubled_parenthesis(from, start + blanks, len);
            }
            if self.docs.is_none() || !is_closed {
                return;
            }
        } else if let Some(wrapper) = wrapper {
            self.check_wrapped_target(from, start + blanks, wrapper);
        }
        if self.docs.is_some() {
            // The comments of a program have no regions of link targets.
            let (len, is_closed) = link_target_len(inner);
            if is_closed {
                self.report_target_without_scheme(Span::new(start + blanks, start + blanks + len));
            }
        }
    }

    /// Reports a link with an empty target, as in `[http://...]()` or `[text]()`. `link` is the
    /// span of the whole link, and `text` is the text between its square brackets. Does nothing for
    /// an image, a template, or an expression of a program such as `[this]() {`.
    fn check_empty_target(&mut self, link: Span, text: &[u8]) {
        let is_url =
            (starts_url(text) || is_www_host(text)) && !text.iter().any(u8::is_ascii_whitespace);
        let is_image = self.byte_before(link.start) == Some(b'!');
        if is_image || contains_placeholder(text) {
            return;
        }
        if !is_url {
            let letters = text.iter().filter(|b| b.is_ascii_alphabetic() || !b.is_ascii()).count();
            let is_text = letters > 1
                && text != b"this"
                && !text.iter().any(|b| b"=&*$<>[]{}\\|".contains(b));
            let rest = self.rest_of_line(link.end).trim_ascii_start();
            let is_program = matches!(rest.first(), Some(b'{' | b'-' | b'=' | b'(' | b';'));
            if is_text && !is_program && self.docs.is_none() && !self.is_after_word(link.start) {
                let diagnostic = self.report_fault(&EMPTY_TARGET, link, text.to_vec(), Vec::new());
                diagnostic.level = Level::Warning;
            }
            return;
        }
        let mut edits = Vec::new();
        if starts_url(text) && !text.iter().any(|b| b"<>".contains(b)) {
            edits.push(Edit::replace(link, [b"<", text, b">"].concat()));
        }
        let text = text.to_vec();
        self.report_fault(&EMPTY_TARGET, link, text, edits);
    }

    /// Reports a link without text, as in `[](http://...)`. Does nothing for an image, after a
    /// word, or if the target is a template.
    ///
    /// `link` is the span from the opening bracket to the byte after the target. `is_closed` is
    /// true if this byte is the closing parenthesis, so that `link` is the whole link. If it is
    /// false, for example because a title follows the target, the fault has no fix.
    fn report_empty_text(&mut self, link: Span, target: &[u8], is_closed: bool) {
        let is_image = self.byte_before(link.start) == Some(b'!');
        if is_image || self.is_after_word(link.start) || contains_placeholder(target) {
            return;
        }
        let mut edits = Vec::new();
        if is_closed && !target.iter().any(|b| b"<>\\".contains(b)) {
            edits.push(Edit::replace(link, [b"<", target, b">"].concat()));
        }
        self.report_fault(&EMPTY_TEXT, link, target.to_vec(), edits);
    }

    /// Reports spaces around a target, as in `[text]( http://... )`. `start` is the offset after
    /// the opening parenthesis, and `blanks` is the number of spaces there. `len` is the length of
    /// the target in bytes.
    fn check_edges(&mut self, start: usize, blanks: usize, len: usize) {
        let target = Span::new(start + blanks, start + blanks + len);
        let rest = self.rest_of_line(target.end);
        let after = rest.iter().take_while(|&&b| b == b' ').count();
        let url = &self.text[target.range()];
        let is_closed = rest.get(after) == Some(&b')');
        if blanks + after == 0 || !is_closed || contains_placeholder(url) {
            return;
        }
        // Markdown reads the link, so the spaces can be removed.
        let is_link = self.is_target(target.start) || self.docs.is_some();
        let is_list = || markup::region_at(self.regions, start).is_some_and(|it| it.kind.is_code());
        if !is_link && !is_list() {
            return;
        }
        let spaces = [Span::new(start, target.start), Span::new(target.end, target.end + after)];
        let edits = spaces.into_iter().filter(|span| !span.is_empty()).map(Edit::delete).collect();
        let whole = Span::new(start, target.end + after);
        let diagnostic = self.report_fault(&EDGE_BLANK, whole, url.to_vec(), edits);
        if let Some(fix) = diagnostic.fix.as_mut().filter(|_| is_link) {
            fix.applicability = Applicability::Safe;
        }
    }

    /// Reports a second closing parenthesis, as in `[text](http://...))`. Does nothing if the
    /// paragraph has an open parenthesis before the link, at whose `[` `link_start` is. `start` is
    /// the offset of the target, and `len` is its length.
    fn check_doubled_parenthesis(&mut self, link_start: usize, start: usize, len: usize) {
        let end = start + len;
        let rest = self.rest_of_line(end);
        let is_doubled = rest.starts_with(b"))") && rest.get(2) != Some(&b')');
        if !is_doubled
            || !self.is_target(start)
            || contains_placeholder(&self.text[start..end])
            || self.is_in_parentheses(link_start)
        {
            return;
        }
        let extra = Span::new(end + 1, end + 2);
        let url = self.text[start..end].to_vec();
        let diagnostic = self.report_fault(&WRAPPED_TARGET, extra, url, vec![Edit::delete(extra)]);
        diagnostic.level = Level::Warning;
        diagnostic.message = "there are two closing parentheses after the link target".into();
        diagnostic.help = Some("remove one of the parentheses".into());
    }

    /// Reports a target in quotes or brackets, as in `[text]("http://...")`. `link_start` is the
    /// offset of the `[` of the link, `start` is the offset of the opening quote or bracket, and
    /// `(open, close)` are the opening and closing characters.
    fn check_wrapped_target(
        &mut self,
        link_start: usize,
        start: usize,
        (open, close): (&str, &str),
    ) {
        let inner = &self.rest_of_line(start)[open.len()..];
        let (len, _) = link_target_len(inner);
        let close_at = if open == "(" {
            inner.get(len).map(|_| len)
        } else {
            memmem::find(&inner[..len], close.as_bytes())
        };
        let end = close_at.unwrap_or(len);
        let after = &inner[end..];
        let target = Span::new(start + open.len(), start + open.len() + end);
        let url = &inner[..end];
        if url.is_empty() || contains_placeholder(url) {
            return;
        }
        let is_closed_twice = close_at.is_some() && after[close.len()..].starts_with(b")");
        // In `(see [text]((http://...))`, the last parenthesis closes the one before the link.
        let closes_outer = is_closed_twice
            && open == "("
            && self.is_in_parentheses(link_start)
            && !self.closes_bracket_in_paragraph(target.end + 2, *b"()");
        let edits = if is_closed_twice && !closes_outer {
            let closing = Span::new(target.end, target.end + close.len());
            vec![Edit::delete(Span::new(start, target.start)), Edit::delete(closing)]
        } else if closes_outer
            || close_at.is_none() && after.starts_with(b")")
            || open == "("
                && close_at.is_some()
                && !self.closes_bracket_in_paragraph(target.end + 1, *b"()")
        {
            // `[text]("http://...)` or `[text]((http://...)`
            vec![Edit::delete(Span::new(start, target.start))]
        } else if open == "[" && after.starts_with(b"](") {
            // `[text]([http://...](http://...))`
            Vec::new()
        } else {
            return;
        };
        self.report_fault(&WRAPPED_TARGET, target, url.to_vec(), edits);
    }
}

/// Returns the quotes or brackets around the link target at the start of `text`. Returns `None` if
/// `text` doesn't start with one of them and a target.
fn wrapper_of_target(text: &[u8]) -> Option<(&'static str, &'static str)> {
    let &(open, close) = WRAPPERS.iter().find(|(open, _)| text.starts_with(open.as_bytes()))?;
    let inner = &text[open.len()..];
    let is_reference =
        || [&b"/"[..], b"#", b"./", b"../"].iter().any(|path| inner.starts_with(path));
    (starts_url(inner) || open == "(" && is_reference()).then_some((open, close))
}
