//! Checks the links of `AsciiDoc`, `MediaWiki` and TeX.

use super::{Links, WIKI_BRACKETS, starts_url};
use crate::edit::Edit;
use memchr::memmem;
use urlsift_core::Span;

impl Links<'_> {
    /// Reports `link:www.host.dom[text]` and images without a scheme in AsciiDoc.
    pub(super) fn check_asciidoc_links(&mut self, block: Span) {
        for at in memchr::memchr_iter(b'[', &self.text[block.range()]) {
            let at = block.start + at;
            let (line, start) = self.start_of_line_to(at);
            // A target contains no bracket.
            let is_end = |b: &u8| b.is_ascii_whitespace() || b"()<>,;|[".contains(b);
            let word = line.iter().rposition(is_end).map_or(0, |end| end + 1);
            let macros = [&b"link:"[..], b"image::", b"image:"];
            let Some(name) = macros.iter().find(|name| line[word..].starts_with(name)) else {
                continue;
            };
            let target = Span::new(start + word + name.len(), at);
            if !self.is_in_code(target.start) {
                self.report_target_without_scheme(target);
            }
        }
    }

    /// Reports `\href{www.host.dom}{text}` in TeX.
    pub(super) fn check_tex_links(&mut self, block: Span) {
        let end = self.text.len().min(block.end + b"href".len());
        for at in memmem::find_iter(&self.text[block.start..end], b"\\href") {
            let line = self.rest_of_line(block.start + at);
            let name = b"\\href".len();
            let blanks = line[name..].iter().take_while(|&&b| b == b' ').count();
            let open = name + blanks;
            if line.get(open) != Some(&b'{') {
                continue;
            }
            let Some(len) = memchr::memchr2(b'}', b'{', &line[open + 1..]) else { continue };
            let start = block.start + at + open + 1;
            self.report_target_without_scheme(Span::new(start, start + len));
        }
    }

    /// Reports `[[http://... text]]` and `[http://...|text]` in `MediaWiki`.
    pub(super) fn check_wiki_links(&mut self, block: Span) {
        for at in memchr::memchr_iter(b'[', &self.text[block.range()]) {
            let open = block.start + at;
            let start = open + 1;
            let line = self.rest_of_line(start);
            if !starts_url(line) || self.is_in_wiki_sample(open) {
                continue;
            }
            let is_end = |b: &u8| b.is_ascii_whitespace() || b"|[]<>\"".contains(b);
            let Some(len) = line.iter().position(is_end) else { continue };
            let Some(close) = memchr::memchr(b']', line) else { continue };
            let bar = line[len] == b'|';
            let is_doubled =
                self.byte_before(open) == Some(b'[') && line[close..].starts_with(b"]]");
            // A bar may be part of a query: `?titles=A|B&format=json`.
            let text = line.get(len + 1..close).unwrap_or_default();
            let is_label = bar && !text.iter().any(|b| b"/=&?|".contains(b)) && !text.is_empty();
            if !is_doubled && !is_label {
                continue;
            }
            let mut edits = Vec::new();
            if is_doubled {
                edits.push(Edit::delete(Span::new(open - 1, open)));
            }
            if is_label {
                edits.push(Edit::replace(Span::new(start + len, start + len + 1), b" "));
            }
            if is_doubled {
                edits.push(Edit::delete(Span::new(start + close, start + close + 1)));
            }
            let target = Span::new(start, start + len);
            self.report_fault(&WIKI_BRACKETS, target, &line[..len], edits);
        }
    }

    /// True if the line has a `<nowiki>` or `<pre>` before offset `at` that is not closed.
    pub(super) fn is_in_wiki_sample(&self, at: usize) -> bool {
        let (line, _) = self.start_of_line_to(at);
        let is_open = |open: &[u8], close: &[u8]| {
            memmem::rfind(line, open)
                .is_some_and(|from| memmem::find(&line[from..], close).is_none())
        };
        line.starts_with(b" ")
            || is_open(b"<nowiki>", b"</nowiki>")
            || is_open(b"<pre>", b"</pre>")
            || is_open(b"<code>", b"</code>")
    }
}
