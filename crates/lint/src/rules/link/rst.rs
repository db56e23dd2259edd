//! Checks the links of reStructuredText.

use super::{Links, MAX_LINE_LEN, MISSING_UNDERSCORE, NO_BLANK, starts_url};
use crate::edit::Edit;
use crate::example::contains_placeholder;
use crate::markup::{self, Region, RegionKind};
use memchr::memmem;
use urlsift_core::Span;

/// The maximum length of a link, in bytes.
const MAX_LEN: usize = 2048;

/// A text and the URL in angle brackets after it, as in `` `text <http://...>`_ ``. The closing ``
/// `_ `` may be missing.
pub(super) struct Embedded {
    /// The offset of the backquote before the text, if there is one.
    pub(super) tick: Option<usize>,
    /// The span of the URL.
    pub(super) target: Span,
}

impl Links<'_> {
    /// Checks `` `text<http://...>`_ ``, and links without this ending.
    pub(super) fn check_rst_links(&mut self, block: Span, regions: &[Region]) {
        for region in regions.iter().filter(|region| region.kind == RegionKind::Destination) {
            let Some(open) = region.span.start.checked_sub(1) else { continue };
            let Some(before) = self.byte_before(open) else { continue };
            let embedded = self.text[open] == b'<' && self.text.get(region.span.end) == Some(&b'>');
            let target = &self.text[region.span.range()];
            if embedded && !before.is_ascii_whitespace() && before != b'`' && starts_url(target) {
                let bracket = Span::new(open, open + 1);
                self.report_fault(&NO_BLANK, bracket, target, vec![Edit::insert(open, b" ")]);
            }
        }
        for at in memchr::memchr_iter(b'>', &self.text[block.range()]) {
            self.check_end_of_link(block.start + at);
        }
    }

    /// Returns the text and URL that end in the `>` at offset `close`.
    pub(super) fn embedded_target(&self, close: usize) -> Option<Embedded> {
        let from = close.saturating_sub(MAX_LEN);
        let before = &self.text[from..close];
        let open = from + memchr::memrchr(b'<', before)?;
        let target = Span::new(open + 1, close);
        let url = &self.text[target.range()];
        let is_end = |b: &u8| b.is_ascii_whitespace() || *b == b'`';
        if !starts_url(url) || url.iter().any(is_end) || contains_placeholder(url) {
            return None;
        }
        let head = &self.text[from..open];
        let from = from + memmem::rfind(head, b"\n\n").map_or(0, |at| at + 2);
        let tick = memchr::memrchr(b'`', &self.text[from..open]).map(|at| from + at);
        Some(Embedded { tick, target })
    }

    /// Reports a fault after the target of a link, e.g. a missing underscore. `close` is the offset
    /// of the `>` that ends the target.
    fn check_end_of_link(&mut self, close: usize) {
        let rest = &self.text[close + 1..];
        if !matches!(rest.first(), Some(b'`' | b'_')) {
            return;
        }
        let Some(Embedded { tick, target }) = self.embedded_target(close) else { return };
        let url = &self.text[target.range()];
        let ends_word = |rest: &[u8]| {
            rest.first().is_none_or(|b| !b.is_ascii_alphanumeric() && !b"`_".contains(b))
        };
        let Some(tick) = tick else {
            // `text <http://...>`_`
            let is_complete = rest.starts_with(b"`_") && !self.is_target(target.start);
            if is_complete && !self.is_in_code(close) {
                self.report_fault(&MISSING_UNDERSCORE, target, url.to_vec(), Vec::new());
            }
            return;
        };
        let inner = &self.text[tick + 1..target.start - 1];
        let before = self.byte_before(tick).unwrap_or(b'\n');
        let is_doubled = before == b'`';
        let is_literal = markup::region_at(self.regions, close).is_some_and(|region| {
            region.kind == RegionKind::CodeBlock
                || region.kind == RegionKind::CodeSpan && !is_doubled
        });
        if is_literal || inner.first().is_some_and(u8::is_ascii_whitespace) {
            return;
        }
        let mut edits = Vec::new();
        if is_doubled {
            // ``text <http://...>``_
            let outer = tick.checked_sub(2).map(|at| self.text[at]);
            if !rest.starts_with(b"``_") || outer == Some(b'`') {
                return;
            }
            edits.push(Edit::delete(Span::new(tick - 1, tick)));
            edits.push(Edit::delete(Span::new(close + 1, close + 2)));
        } else {
            // A role such as `:doc:` comes before the backquote, and a word means that the
            // backquote closes something else.
            let opens = before.is_ascii_whitespace()
                || b"'\"([{<-/".contains(&before)
                || before == b':'
                    && !self.byte_before(tick - 1).is_some_and(|b| b.is_ascii_alphanumeric())
                || !before.is_ascii();
            if !opens {
                return;
            }
            let underscores = rest.iter().take_while(|&&b| b == b'_').count();
            match rest {
                [b'`', b'`', b'_', ..] => edits.push(Edit::delete(Span::new(close + 1, close + 2))),
                [b'`', b'_' | b'`', ..] => return,
                [b'`', b' ', b'_', after @ ..] if ends_word(after) => {
                    edits.push(Edit::delete(Span::new(close + 2, close + 3)));
                }
                [b'`', b':', role @ ..] if is_role(role) => return,
                [b'`', ..] => edits.push(Edit::insert(close + 2, b"_")),
                _ if rest[underscores..].starts_with(b"`") => {
                    let after = &rest[underscores + 1..];
                    edits.push(Edit::delete(Span::new(close + 1, close + 1 + underscores)));
                    if !after.starts_with(b"_") {
                        let end = close + 2 + underscores;
                        edits.push(Edit::insert(end, b"__"[..underscores.min(2)].to_vec()));
                    }
                }
                _ if underscores <= 2 && ends_word(&rest[underscores..]) => {
                    edits.push(Edit::insert(close + 1, b"`"));
                }
                _ => return,
            }
        }
        // `text<http://...>`
        if inner.last().is_some_and(|b| !b.is_ascii_whitespace()) {
            edits.insert(usize::from(is_doubled), Edit::insert(target.start - 1, b" "));
        }
        self.report_fault(&MISSING_UNDERSCORE, target, url.to_vec(), edits);
    }

    /// True if offset `at` is in the content of a `raw` directive, which is in another markup, or
    /// in a comment.
    pub(super) fn is_in_raw_or_comment(&self, at: usize) -> bool {
        let (line, start) = self.start_of_line_to(at);
        let indent = line.iter().take_while(|b| b.is_ascii_whitespace()).count();
        if is_comment(&line[indent..]) {
            return true;
        }
        if indent == 0 {
            return false;
        }
        let from = start.saturating_sub(MAX_LINE_LEN);
        for line in self.text[from..start].rsplit(|&b| b == b'\n') {
            let body = line.trim_ascii();
            let outer = line.len() - line.trim_ascii_start().len();
            if !body.is_empty() && outer < indent {
                return body.starts_with(b".. raw::") || is_comment(body);
            }
        }
        false
    }
}

/// True if a line without its indentation starts a comment, and not a directive, a target, a
/// footnote or a substitution.
fn is_comment(line: &[u8]) -> bool {
    match line.strip_prefix(b"..") {
        Some([]) => true,
        Some([b' ', rest @ ..]) => {
            let is_other = rest.first().is_some_and(|b| b"_[|".contains(b));
            rest.starts_with(b"..") || !is_other && memmem::find(rest, b"::").is_none()
        }
        _ => false,
    }
}

/// True if `text` is the rest of a role after its first colon, such as `role:`.
fn is_role(text: &[u8]) -> bool {
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || b"-_.+".contains(b);
    let len = text.iter().take_while(is_name).count();
    len > 0 && text.get(len) == Some(&b':')
}
