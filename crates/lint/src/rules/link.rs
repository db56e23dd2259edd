//! Finds faults of links outside the URL itself: malformed markup around a URL, or a target without
//! a scheme.
//!
//! The rules search the text itself, after the regions of its markup are known.

use super::names::{is_top_level_domain, is_www_host};
use super::{host_comma, link_inner_blank};
use crate::context::{Context, Findings};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit, Fix};
use crate::example::is_template;
use crate::markup::{self, Region, RegionKind};
use crate::rule::{Meta, On, Rule};
use memchr::memmem;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use urlsift_core::{Level, Span};
use urlsift_scanner::dotted_host_len;

/// A rule whose faults are found by [`Links`], which searches the whole text. Its [`Rule::check`]
/// does nothing.
pub(crate) struct Text(pub(crate) &'static Meta);

impl Rule for Text {
    fn meta(&self) -> &Meta {
        self.0
    }

    fn check(&self, _: &Context<'_>, _: &mut Findings) {}
}

pub(crate) static MISSING_SCHEME: Meta = Meta::new(
    "link.missing-scheme",
    Level::Error,
    On::Text,
    "the link target has no scheme",
)
.source(3986, "4.5")
.what("The target of a link starts with `www.`, or with a host in a well-known top-level domain.")
.why("Without a scheme, the target of a link is a path relative to the page. So a link to `www.host.com` leads to a page of this name on your own site, which doesn't exist.")
.advice("write `https://` before the host")
.texts("[the mill](www.host.com/visit)", "[the mill](https://www.host.com/visit)")
.dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static BLANK_BEFORE_TARGET: Meta = Meta::new(
    "link.blank-before-target",
    Level::Error,
    On::Text,
    "the link target doesn't directly follow the link text",
)
.what("In Markdown, a space separates `[text]` from `(target)`, or the parentheses are full-width characters.")
.why("Markdown shows the brackets and the URL instead of a link.")
.advice("write `[text](target)` without a space")
.texts("See [the mill] (https://host.com/a).", "See [the mill](https://host.com/a).")
.dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static REVERSED: Meta = Meta::new(
    "link.reversed",
    Level::Error,
    On::Text,
    "the brackets and parentheses of the link are swapped",
)
.what("In Markdown, the link text is in parentheses and the target in brackets.")
.why("Markdown shows the brackets and the URL instead of a link.")
.advice("write `[text](target)`")
.texts("See (the mill)[https://host.com/a].", "See [the mill](https://host.com/a).")
.dialect(Dialect::Text(Markup::Markdown))
.fix(Applicability::Unsafe);

pub(crate) static UNCLOSED: Meta =
    Meta::new("link.unclosed", Level::Error, On::Text, "the link target is not closed")
        .what("In Markdown, `](` and a URL are not followed by `)`.")
        .why("Markdown shows the brackets and the URL instead of a link.")
        .advice("write `)` right after the target")
        .texts(
            "See [the mill](https://host.com/a for more.",
            "See [the mill](https://host.com/a) for more.",
        )
        .dialect(Dialect::Text(Markup::Markdown))
        .fix(Applicability::Unsafe);

pub(crate) static NO_BLANK: Meta = Meta::new(
    "link.no-blank-before-target",
    Level::Error,
    On::Text,
    "missing space between the link text and its target",
)
.what("In reStructuredText, the `<` of an embedded target follows the link text without a space.")
.why("Without the space, reStructuredText reads all of the text as the name of a target that is defined elsewhere. No such target exists.")
.advice("write a space before `<`")
.texts("See `the mill<https://host.com/a>`_.", "See `the mill <https://host.com/a>`_.")
.dialect(Dialect::Text(Markup::Rst))
.fix(Applicability::Unsafe);

/// The maximum number of bytes of a line that are searched in each direction.
const MAX_LINE_LEN: usize = 4096;

/// True if `text` starts with a common scheme, such as `https://` or `mailto:`.
fn starts_url(text: &[u8]) -> bool {
    [&b"https://"[..], b"http://", b"ftp://", b"mailto:"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    })
}

/// Returns the length of the link target at the start of `text`, which ends at white space or at an
/// unmatched `)`. The returned flag is true if it ends at a `)`.
fn target_len(text: &[u8]) -> (usize, bool) {
    let mut depth = 0;
    let end = text.iter().position(|&b| {
        depth += i32::from(b == b'(') - i32::from(b == b')');
        depth < 0 || b.is_ascii_whitespace()
    });
    (end.unwrap_or(text.len()), depth < 0)
}

/// The number of bytes that are searched at once. The faults of a block are in memory at the same
/// time.
const BLOCK_LEN: usize = 16 << 10;

/// A search of a text for malformed links, one block after another.
///
/// The search takes linear time in texts without long lines. In a line with many brackets, at most
/// 4,096 bytes are searched for each bracket.
pub(crate) struct Links<'a> {
    text: &'a [u8],
    dialect: Dialect,
    regions: &'a [Region],
    /// The start of the next block, or an offset after the text at the end.
    at: usize,
    /// The number of regions that start before `at`.
    next_region: usize,
    /// The names of reference definitions: the texts between `[` and `]:`.
    defined: OnceCell<HashSet<&'a [u8]>>,
    out: Vec<Fault<'a>>,
}

/// A malformed link that was found: the diagnostic, and the target that the author intended.
pub(crate) struct Fault<'a> {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) target: Cow<'a, [u8]>,
}

impl<'a> Links<'a> {
    /// Starts a search of `text`. `regions` are the regions of its markup, in order.
    pub(crate) fn new(text: &'a [u8], dialect: Dialect, regions: &'a [Region]) -> Self {
        let (defined, out) = (OnceCell::new(), Vec::new());
        Self { text, dialect, regions, at: 0, next_region: 0, defined, out }
    }

    /// Returns an offset before which [`Links::next_block`] will find no more faults.
    pub(crate) fn next_fault_bound(&self) -> usize {
        self.at.saturating_sub(1)
    }

    /// Searches the next block of the text. Returns its faults in no particular order, or `None`
    /// after the last block.
    pub(crate) fn next_block(&mut self) -> Option<std::vec::Drain<'_, Fault<'a>>> {
        if self.at > self.text.len() {
            return None;
        }
        let block = Span::new(self.at, self.text.len().min(self.at + BLOCK_LEN));
        self.at = if block.end < self.text.len() { block.end } else { usize::MAX };
        let from = self.next_region;
        let starts_here = |region: &&Region| region.span.start < self.at;
        self.next_region += self.regions[from..].iter().take_while(starts_here).count();
        for region in self.regions[from..self.next_region].iter().filter(|it| it.kind.is_whole()) {
            self.report_missing_scheme(region.span);
        }
        self.report_host_commas(block);
        match self.dialect {
            Dialect::Text(Markup::Markdown | Markup::Mdx) => self.check_markdown_links(block),
            Dialect::Text(Markup::Rst) => {
                self.check_rst_links(&self.regions[from..self.next_region]);
            }
            _ => {}
        }
        Some(self.out.drain(..))
    }

    /// Adds a fault at `span`. `target` is the intended target of the link. The fix consists of
    /// `edits` and is unsafe. There is no fix if `edits` is empty.
    fn report_fault(
        &mut self,
        meta: &'static Meta,
        span: Span,
        target: impl Into<Cow<'a, [u8]>>,
        edits: Vec<Edit>,
    ) {
        let mut diagnostic = meta.diagnostic_at(span);
        diagnostic.help = Some(meta.advice.into());
        if !edits.is_empty() {
            diagnostic.fix =
                Some(Fix { applicability: Applicability::Unsafe, edits: edits.into() });
        }
        self.out.push(Fault { diagnostic, target: target.into() });
    }

    /// True if offset `at` is in code, where links are not checked.
    fn is_code(&self, at: usize) -> bool {
        markup::at(self.regions, at).is_some_and(|region| region.kind.is_code())
    }

    /// Returns the bytes from offset `at` to the end of its line.
    fn line_from(&self, at: usize) -> &'a [u8] {
        let rest = self.text.get(at..).unwrap_or_default();
        let rest = &rest[..rest.len().min(MAX_LINE_LEN)];
        &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())]
    }

    /// Returns the bytes from the start of the line to offset `at`, and the offset at which they
    /// start.
    fn line_to(&self, at: usize) -> (&'a [u8], usize) {
        let from = at.saturating_sub(MAX_LINE_LEN);
        let head = &self.text[from..at];
        let start = memchr::memrchr(b'\n', head).map_or(from, |end| from + end + 1);
        (&self.text[start..at], start)
    }

    /// Reports the link target at `span` if it lacks a scheme, as `www.host.com` does.
    fn report_missing_scheme(&mut self, span: Span) {
        let value = &self.text[span.range()];
        let len = dotted_host_len(value);
        let host = &value[..len];
        let rest = value.get(len..).unwrap_or_default();
        if len == 0
            || !matches!(rest.first(), None | Some(b'/' | b'?' | b'#'))
            || is_template(value)
        {
            return;
        }
        let mut labels = host.rsplit(|&b| b == b'.');
        let top = labels.next().unwrap_or_default();
        // `index.html.de` is a page in German, and `notes.org` may be a file of Emacs.
        let is_file =
            |label: &[u8]| [&b"html"[..], b"htm", b"txt", b"md", b"js", b"css"].contains(&label);
        // `jdk.net/Socket.html` is a page in a directory.
        let path = rest.split(|b| b"?#".contains(b)).next().unwrap_or_default();
        let is_page = path.ends_with(b".html") || path.ends_with(b".htm");
        let generic = [&b"com"[..], b"net", b"edu", b"gov", b"io", b"dev"].contains(&top);
        let is_host = is_www_host(host)
            || !is_page
                && is_top_level_domain(top)
                && !labels.any(is_file)
                && (generic || rest.len() > 1);
        if is_host {
            let at = Span::new(span.start, span.start + len);
            self.report_fault(
                &MISSING_SCHEME,
                at,
                value,
                vec![Edit::insert(span.start, b"https://")],
            );
        }
    }

    /// Reports hosts in `block` that contain a comma instead of a dot, such as `www,host.com`.
    fn report_host_commas(&mut self, block: Span) {
        let end = self.text.len().min(block.end + b"www".len());
        for at in memmem::find_iter(&self.text[block.start..end], b"www,") {
            let at = block.start + at;
            let before = at.checked_sub(1).map(|before| self.text[before]);
            let starts_word =
                before.is_none_or(|b| !b.is_ascii_alphanumeric() && !b"/.-_@,".contains(&b));
            let host = &self.text[at + 4..];
            let top = &host[..dotted_host_len(host)];
            if starts_word
                && !self.is_code(at)
                && is_top_level_domain(top.rsplit(|&b| b == b'.').next().unwrap_or_default())
            {
                let comma = Span::new(at + 3, at + 4);
                let host = [b"www.", top].concat();
                self.report_fault(&host_comma::META, comma, host, vec![Edit::replace(comma, b".")]);
            }
        }
    }

    /// Checks the Markdown links in `block` for syntax errors.
    fn check_markdown_links(&mut self, block: Span) {
        for at in memchr::memchr2_iter(b']', b')', &self.text[block.range()]) {
            let at = block.start + at;
            let rest = &self.text[at + 1..];
            match (self.text[at], rest.first()) {
                (b']', Some(b'(')) if starts_url(&rest[1..]) => self.check_unclosed_target(at),
                (b']', Some(b' ')) => {
                    let blanks = rest.iter().take(3).take_while(|&&b| b == b' ').count();
                    if rest.get(blanks) == Some(&b'(') {
                        self.check_separated_target(at, blanks, 1, b")");
                    }
                }
                (b']', Some(0xef)) if rest.starts_with("\u{ff08}".as_bytes()) => {
                    self.check_separated_target(at, 0, 3, "\u{ff09}".as_bytes());
                }
                (b')', Some(b'[')) if starts_url(&rest[1..]) => self.check_reversed_link(at),
                _ => {}
            }
        }
    }

    /// Returns the offset of the opening bracket that matches the closing bracket at offset
    /// `close`. Returns `None` if the line contains none. `pair` is the opening and the closing
    /// bracket.
    fn matching_open_bracket(&self, close: usize, pair: [u8; 2]) -> Option<usize> {
        let (line, start) = self.line_to(close);
        let mut depth = 0;
        for (at, &b) in line.iter().enumerate().rev() {
            if b == pair[1] {
                depth += 1;
            } else if b == pair[0] {
                if depth == 0 {
                    let is_escaped = at > 0 && line[at - 1] == b'\\';
                    return (!is_escaped).then_some(start + at);
                }
                depth -= 1;
            }
        }
        None
    }

    /// Reports a link target after `[text](` that is not closed or contains a space. `bracket` is
    /// the offset of the `]`.
    fn check_unclosed_target(&mut self, bracket: usize) {
        let start = bracket + 2;
        let parsed = markup::at(self.regions, start);
        if parsed.is_some_and(|region| region.kind != RegionKind::Autolink) {
            return;
        }
        if self.matching_open_bracket(bracket, *b"[]").is_none() {
            return;
        }
        let line = self.line_from(start);
        let (word, is_closed) = target_len(line);
        // The target is closed, so there is another reason why this is not a link.
        if is_closed || is_template(&line[..word]) {
            return;
        }
        let gap = line[word..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let rest = &line[word + gap..];
        let (more, closed) = target_len(rest);
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
        let next = self.line_from(start + line.len() + 1).trim_ascii_start();
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
        let line = self.line_from(start);
        if !starts_url(line) || self.is_code(bracket) {
            return;
        }
        let Some(end) = memmem::find(line, close) else { return };
        if is_template(&line[..end]) {
            return;
        }
        let Some(from) = self.matching_open_bracket(bracket, *b"[]") else { return };
        let text = &self.text[from + 1..bracket];
        let before = from.checked_sub(1).map(|before| self.text[before]);
        let is_word = before.is_some_and(|b| b.is_ascii_alphanumeric() || b"])_".contains(&b));
        let is_mark = text.iter().all(|b| b.is_ascii_digit() || b" xX.^*".contains(b))
            || text.starts_with(b"^");
        if is_word || is_mark || line[..end].contains(&b' ') || self.is_defined(text) {
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

    /// True if the document defines `text` as the name of a link, as in `[text]: http://...`.
    fn is_defined(&self, text: &[u8]) -> bool {
        let defined = self.defined.get_or_init(|| {
            let ends = memmem::find_iter(self.text, b"]:");
            ends.filter_map(|end| {
                Some(&self.text[self.matching_open_bracket(end, *b"[]")? + 1..end])
            })
            .collect()
        });
        defined.contains(text)
    }

    /// Reports a link with the brackets exchanged, as in `(text)[http://...]`. `close` is the
    /// offset of the `)`.
    fn check_reversed_link(&mut self, close: usize) {
        let start = close + 2;
        if self.is_code(close) || self.is_code(start) {
            return;
        }
        let line = self.line_from(start);
        let Some(end) = memchr::memchr(b']', line) else { return };
        let Some(open) = self.matching_open_bracket(close, *b"()") else { return };
        let before = open.checked_sub(1).map(|before| self.text[before]);
        let is_call = before.is_some_and(|b| b.is_ascii_alphanumeric() || b"])_".contains(&b));
        if is_call
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

    /// Checks the reStructuredText links in `regions`, such as `` `text <http://...>`_ ``, for a
    /// missing space before the `<`.
    fn check_rst_links(&mut self, regions: &[Region]) {
        for region in regions.iter().filter(|region| region.kind == RegionKind::Destination) {
            let Some(open) = region.span.start.checked_sub(1) else { continue };
            let Some(&before) = open.checked_sub(1).and_then(|at| self.text.get(at)) else {
                continue;
            };
            let embedded = self.text[open] == b'<' && self.text.get(region.span.end) == Some(&b'>');
            let target = &self.text[region.span.range()];
            if embedded && !before.is_ascii_whitespace() && before != b'`' && starts_url(target) {
                let bracket = Span::new(open, open + 1);
                self.report_fault(&NO_BLANK, bracket, target, vec![Edit::insert(open, b" ")]);
            }
        }
    }
}
