//! Checks the links of `AsciiDoc`, `MediaWiki`, Org, Texinfo, TeX and XML.

use super::{
    EDGE_BLANK, EMPTY_TARGET, Links, MISSING_BRACKET, WIKI_BRACKETS, starts_url, www_host_len,
};
use crate::edit::Edit;
use crate::example::{contains_placeholder, is_obfuscated_address};
use crate::markup::RegionKind;
use crate::rules::link_inner_blank;
use memchr::memmem;
use urlsift_core::{Level, Span};

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

    /// Reports `\href{www.host.dom}{text}`, `\href{http://... ...}{text}` and
    /// `\href{}{http://...}` in TeX, and the second also in `\url`.
    pub(super) fn check_tex_links(&mut self, block: Span) {
        for at in memchr::memchr_iter(b'\\', &self.text[block.range()]) {
            let at = block.start + at;
            let names = [&b"\\href"[..], b"\\url"];
            let Some(name) = names.iter().find(|name| self.text[at..].starts_with(name)) else {
                continue;
            };
            let line = self.rest_of_line(at);
            let blanks = line[name.len()..].iter().take_while(|&&b| b == b' ').count();
            let open = name.len() + blanks;
            if line.get(open) != Some(&b'{') {
                continue;
            }
            let Some(len) = memchr::memchr2(b'}', b'{', &line[open + 1..]) else { continue };
            let start = at + open + 1;
            let after = &line[open + 1 + len..];
            if len > 0 {
                // `\url` shows the text as it is.
                if *name == b"\\href" {
                    self.report_target_without_scheme(Span::new(start, start + len));
                }
                self.check_blanks(Span::new(start, start + len));
            } else if let Some(text) = after.strip_prefix(b"}{")
                && starts_url(text)
                && let Some(len) = memchr::memchr2(b'}', b'{', text)
            {
                let link = Span::new(at, start + b"}{}".len() + len);
                self.report_fault(&EMPTY_TARGET, link, &text[..len], Vec::new());
            }
        }
    }

    /// Reports spaces in the values of attributes that contain a URL, as in
    /// `<link href="http://host.com/a b"/>`.
    pub(super) fn check_attribute_blanks(&mut self, block: Span) {
        /// The names of attributes that contain a single URL, without their namespaces.
        const NAMES: [&[u8]; 9] =
            [b"href", b"src", b"url", b"uri", b"action", b"cite", b"poster", b"about", b"resource"];
        for at in memchr::memchr_iter(b'=', &self.text[block.range()]) {
            let at = block.start + at;
            let Some(&quote @ (b'"' | b'\'')) = self.text.get(at + 1) else { continue };
            let line = self.rest_of_line(at + 2);
            let Some(len) = memchr::memchr(quote, line) else { continue };
            let is_tag = matches!(line.get(len + 1), Some(b' ' | b'/' | b'>' | b'?'));
            if !is_tag || !line[..len].contains(&b' ') || !starts_url(line[..len].trim_ascii()) {
                continue;
            }
            let (head, _) = self.start_of_line_to(at);
            let is_end = |b: &u8| b.is_ascii_whitespace() || *b == b':';
            let name = &head[head.iter().rposition(is_end).map_or(0, |end| end + 1)..];
            let is_in_tag = memchr::memchr2_iter(b'<', b'>', head)
                .next_back()
                .is_none_or(|at| head[at] == b'<');
            if is_in_tag && NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)) {
                self.check_blanks(Span::new(at + 2, at + 2 + len));
            }
        }
    }

    /// Reports spaces inside and around the URL in `value`. Does nothing if a second URL follows.
    fn check_blanks(&mut self, value: Span) {
        let text = &self.text[value.range()];
        let lead = text.iter().take_while(|&&b| b == b' ').count();
        let url = text.trim_ascii();
        if !starts_url(url) || contains_placeholder(url) {
            return;
        }
        let start = value.start + lead;
        let inner = memchr::memchr(b' ', url);
        if let Some(len) = inner {
            let gap = url[len..].iter().take_while(|&&b| b == b' ').count();
            let rest = &url[len + gap..];
            if memmem::find(rest, b"://").is_none() {
                let blank = Span::new(start + len, start + len + gap);
                let is_obfuscated = is_obfuscated_address(url);
                let diagnostic =
                    self.report_fault(&link_inner_blank::META, blank, &url[..len], Vec::new());
                if is_obfuscated {
                    diagnostic.level = Level::Info;
                }
            }
        } else if url.len() < text.len() {
            let spaces = [Span::new(value.start, start), Span::new(start + url.len(), value.end)];
            let edits = spaces.into_iter().filter(|it| !it.is_empty()).map(Edit::delete).collect();
            self.report_fault(&EDGE_BLANK, value, url, edits);
        }
    }

    /// Reports `[[http://... text]]` and `[http://...|text]` in `MediaWiki`.
    pub(super) fn check_wiki_links(&mut self, block: Span) {
        for at in memchr::memchr_iter(b'[', &self.text[block.range()]) {
            let open = block.start + at;
            let start = open + 1;
            let line = self.rest_of_line(start);
            let www = www_host_len(line);
            if www == 0 && !starts_url(line) || self.is_in_wiki_sample(open) {
                continue;
            }
            let is_end = |b: &u8| b.is_ascii_whitespace() || b"|[]<>\"".contains(b);
            if www > 0 {
                // `[www.host.dom text]`
                let len = line.iter().position(is_end).filter(|&len| line[len] == b' ');
                let is_closed =
                    memchr::memchr2(b']', b'[', line).is_some_and(|at| line[at] == b']');
                if let Some(len) = len.filter(|_| is_closed && self.byte_before(open) != Some(b'['))
                {
                    self.report_target_without_scheme(Span::new(start, start + len));
                }
                continue;
            }
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

    /// Reports `[[www.host.dom][text]]` and `[http://...][text]` in Org.
    pub(super) fn check_org_links(&mut self, block: Span) {
        for at in memchr::memchr_iter(b'[', &self.text[block.range()]) {
            let open = block.start + at;
            let line = self.rest_of_line(open + 1);
            let Some(len) = memchr::memchr(b']', line) else { continue };
            if self.is_in_code(open) {
                continue;
            }
            let target = Span::new(open + 1, open + 1 + len);
            let is_doubled = self.byte_before(open) == Some(b'[');
            if is_doubled && www_host_len(line) > 0 && !self.is_target(open + 1) {
                self.report_target_without_scheme(target);
            } else if !is_doubled
                && starts_url(line)
                && let [b']', b'[', text @ ..] = &line[len..]
                && let Some(text_len) = memchr::memchr2(b']', b'[', text)
                && text[text_len] == b']'
                && !line[..len].contains(&b' ')
                && !contains_placeholder(&line[..len])
            {
                let end = target.end + b"][".len() + text_len + 1;
                let edits = vec![Edit::insert(open, b"["), Edit::insert(end, b"]")];
                self.report_fault(&MISSING_BRACKET, target, &line[..len], edits);
            }
        }
    }

    /// Reports `@url{www.host.dom}` and `@uref{http://... ...}` in Texinfo.
    pub(super) fn check_texinfo_links(&mut self, block: Span) {
        let regions = self.regions;
        let first = regions.partition_point(|region| region.span.start < block.start);
        let regions = regions[first..].iter().take_while(|region| region.span.start < block.end);
        for region in regions.filter(|region| region.kind == RegionKind::Destination) {
            self.check_blanks(region.span);
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
