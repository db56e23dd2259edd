//! Finds faults of links outside the URL itself: malformed markup around a URL, or a target without
//! a scheme.
//!
//! The rules search the text itself, after the regions of its markup are known.

mod brackets;
mod definition;
mod foreign;
mod html;
mod labels;
mod local;
mod markdown;
mod meta;
mod other;
mod references;
mod rst;
mod target;
mod text;

pub(crate) use self::meta::*;

use self::labels::Labels;

use super::names::{is_top_level_domain, is_www_host, starts_with_host};
use super::{host_comma, scheme_separator};
use crate::context::{Context, Findings};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit, Fix};
use crate::example::{contains_placeholder, has_reserved_host};
use crate::language::Language;
use crate::markup::{self, Region, RegionKind};
use crate::place::SourceMap;
use crate::rule::{Meta, Rule};
use crate::tree::check::Local;
use memchr::memmem;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use urlsift_archive::{Definition, Outline, Reference};
use urlsift_core::Span;
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

/// The maximum number of bytes of a line that are searched in each direction.
const MAX_LINE_LEN: usize = 4096;

/// True if `text` starts with a common scheme, such as `https://` or `mailto:`.
fn starts_url(text: &[u8]) -> bool {
    [&b"https://"[..], b"http://", b"ftp://", b"mailto:"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    })
}

/// Returns the length of the host at the start of `text` if it starts with `www.`, and 0 otherwise.
fn www_host_len(text: &[u8]) -> usize {
    let host = &text[..dotted_host_len(text)];
    if is_www_host(host) { host.len() } else { 0 }
}

/// Returns the length of the link target at the start of `text`, which ends at white space or at an
/// unmatched `)`. The returned flag is true if it ends at a `)`.
fn link_target_len(text: &[u8]) -> (usize, bool) {
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
    /// The markup of the text, or of the documentation comments of a program.
    markup: Markup,
    regions: &'a [Region],
    /// The position of the text in the tree of files, or `None` if relative links are not checked.
    local: Option<Local<'a>>,
    /// All references without a definition.
    undefined_all: &'a [Reference],
    /// The references without a definition that start at or after `at`.
    undefined: &'a [Reference],
    /// The link definitions.
    definitions: &'a [Definition],
    /// The number of definitions that start before `at`.
    next_definition: usize,
    /// The labels of the definitions.
    labels: OnceCell<Labels>,
    /// The number of undefined labels that were compared with the definitions.
    compared: usize,
    /// The documentation comments of a program; `None` for other texts.
    docs: Option<Vec<Span>>,
    /// True if the text is a docstring. Its author may have meant another markup.
    is_docstring: bool,
    /// The start of the next block, or an offset after the text at the end.
    at: usize,
    /// The number of regions that start before `at`.
    next_region: usize,
    /// The number of documentation comments that start before `at`.
    next_doc: usize,
    /// The names of reference definitions: the texts between `[` and `]:`.
    defined: OnceCell<HashSet<&'a [u8]>>,
    /// The texts in square brackets, with the number of their occurrences.
    bracketed: OnceCell<HashMap<&'a [u8], u32>>,
    /// The names that reStructuredText refers to with `name_`.
    referenced: OnceCell<HashSet<&'a [u8]>>,
    /// True if the text is an example without real relative links.
    sample: OnceCell<bool>,
    /// The list that all-contributors writes, if there is one.
    contributors: OnceCell<Option<Span>>,
    /// The blocks of an AsciiDoc document that depend on an attribute.
    conditions: OnceCell<Vec<Span>>,
    out: Vec<Fault<'a>>,
}

/// A malformed link that was found: the diagnostic, and the target that the author intended.
pub(crate) struct Fault<'a> {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) target: Cow<'a, [u8]>,
}

impl<'a> Links<'a> {
    /// Starts a search of `text`. `outline` is the structure of its markup. `local` is the position
    /// of the text in the tree of files, or `None` if relative links are not checked.
    pub(crate) fn new(
        text: &'a [u8],
        dialect: Dialect,
        outline: &'a Outline,
        local: Option<Local<'a>>,
    ) -> Self {
        let (markup, docs) = match dialect {
            Dialect::Text(markup) => (markup, None),
            Dialect::Source(language) => {
                let markup = match language {
                    Language::Rust => Markup::Markdown,
                    Language::Python => Markup::Rst,
                    _ => Markup::Plain,
                };
                (markup, Some(markup::doc_comments(text, language)))
            }
        };
        Self {
            text,
            markup,
            regions: &outline.regions,
            local,
            undefined_all: &outline.undefined,
            undefined: &outline.undefined,
            definitions: &outline.definitions,
            next_definition: 0,
            labels: OnceCell::new(),
            compared: 0,
            docs,
            is_docstring: false,
            at: 0,
            next_region: 0,
            next_doc: 0,
            defined: OnceCell::new(),
            bracketed: OnceCell::new(),
            referenced: OnceCell::new(),
            sample: OnceCell::new(),
            contributors: OnceCell::new(),
            conditions: OnceCell::new(),
            out: Vec::new(),
        }
    }

    /// Returns an offset before which [`Links::next_block`] will find no more faults.
    pub(crate) fn next_fault_bound(&self) -> usize {
        self.at.saturating_sub(MAX_LINE_LEN)
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
        let regions = &self.regions[from..self.next_region];
        for &region in regions.iter().filter(|it| it.kind.is_whole_url()) {
            let before = self.out.len();
            if !self.is_relative_asset(region) {
                self.report_target_without_scheme(region.span);
            }
            if self.out.len() == before {
                self.check_local_target(region);
            }
            self.check_text(region);
        }
        if !self.is_docstring {
            self.report_host_commas(block);
            self.report_extra_slashes(block);
        }
        match (self.markup, &self.docs) {
            (Markup::Markdown | Markup::Mdx, _) => {
                self.check_markdown_links(block);
                self.check_rst_links_elsewhere(block);
                self.check_references();
            }
            (Markup::Rst, None) => {
                self.check_rst_links(block, regions);
                self.check_rst_definitions(block);
                self.check_markdown_links_elsewhere(block);
            }
            (Markup::Rst, Some(_)) => self.check_docstrings(),
            (Markup::AsciiDoc, _) => {
                self.check_asciidoc_links(block);
                self.check_asciidoc_macros(block);
                self.check_markdown_links_elsewhere(block);
                self.check_rst_links_elsewhere(block);
            }
            (Markup::MediaWiki, _) => {
                self.check_wiki_links(block);
                self.check_markdown_links_elsewhere(block);
            }
            (Markup::Org, _) => {
                self.check_org_links(block);
                self.check_markdown_links_elsewhere(block);
                self.check_rst_links_elsewhere(block);
            }
            (Markup::Texinfo, _) => self.check_texinfo_links(block),
            (Markup::Html, _) => self.check_quotes(block),
            (Markup::Plain, None) => {
                self.check_tex_links(block);
                self.check_attribute_blanks(block);
            }
            _ => {}
        }
        Some(self.out.drain(..))
    }

    /// Checks the links of the docstrings that start in the last block.
    fn check_docstrings(&mut self) {
        let docs = self.docs.as_deref().unwrap_or_default();
        let docs = &docs[self.next_doc..];
        let docs: Vec<Span> = docs.iter().take_while(|doc| doc.start < self.at).copied().collect();
        self.next_doc += docs.len();
        for doc in docs {
            let text = &self.text[doc.range()];
            let dialect = Dialect::Text(Markup::Rst);
            let outline = markup::outline(text, dialect);
            let mut links = Links::new(text, dialect, &outline, None);
            links.is_docstring = true;
            let place = SourceMap {
                source: &|span| span.shifted(doc.start),
                is_verbatim: &|_| true,
                max: Applicability::Safe,
            };
            while let Some(found) = links.next_block() {
                self.out.extend(found.map(|Fault { diagnostic, target }| Fault {
                    diagnostic: place.to_source(diagnostic),
                    target: Cow::Owned(target.into_owned()),
                }));
            }
        }
    }

    /// Adds a fault at `span`, and returns its diagnostic. `target` is the intended target of the
    /// link. The fix consists of `edits` and is unsafe. There is no fix if `edits` is empty.
    fn report_fault(
        &mut self,
        meta: &'static Meta,
        span: Span,
        target: impl Into<Cow<'a, [u8]>>,
        edits: Vec<Edit>,
    ) -> &mut Diagnostic {
        let mut diagnostic = meta.diagnostic_at(span);
        diagnostic.help = Some(meta.advice.into());
        if !edits.is_empty() {
            diagnostic.fix =
                Some(Fix { applicability: Applicability::Unsafe, edits: edits.into() });
        }
        let index = self.out.len();
        self.out.push(Fault { diagnostic, target: target.into() });
        &mut self.out[index].diagnostic
    }

    /// True if offset `at` is in code, or in a part of a program other than its documentation.
    fn is_in_code(&self, at: usize) -> bool {
        let is_code = markup::region_at(self.regions, at)
            .is_some_and(|region| region.kind.is_code() && !self.is_indented_list(region));
        let is_program = || {
            self.docs.as_ref().is_some_and(|docs| {
                let next = docs.partition_point(|doc| doc.start <= at);
                next.checked_sub(1).is_none_or(|last| docs[last].end <= at)
            })
        };
        is_code || is_program()
    }

    /// True if `region` is a list that Markdown reads as code, because its items are indented by
    /// four columns or more. Either people indented them by mistake, or they are the inner items of
    /// a list that is not part of the text.
    fn is_indented_list(&self, region: Region) -> bool {
        if region.kind != RegionKind::CodeBlock
            || !matches!(self.markup, Markup::Markdown | Markup::Mdx)
        {
            return false;
        }
        let (head, _) = self.start_of_line_to(region.span.start);
        let line = self.rest_of_line(region.span.start).trim_ascii_start();
        let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
        let marks: &[u8] = match digits {
            0 => b"-*+",
            1..=3 => b".)",
            _ => return false,
        };
        let [mark, item, ..] = line[digits..] else { return false };
        head.trim_ascii().is_empty() && marks.contains(&mark) && b" \t[".contains(&item)
    }

    /// True if offset `at` is in a value that the markup gives to the link.
    fn is_target(&self, at: usize) -> bool {
        markup::region_at(self.regions, at)
            .is_some_and(|region| region.kind == RegionKind::Destination)
    }

    /// Returns the byte before offset `at`, if there is one.
    fn byte_before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).map(|before| self.text[before])
    }

    /// True if the document defines `text` as the name of a link, as in `[text]: http://...`.
    fn is_link_name_defined(&self, text: &[u8]) -> bool {
        let defined = self.defined.get_or_init(|| {
            let ends = memmem::find_iter(self.text, b"]:");
            ends.filter_map(|end| {
                Some(&self.text[self.matching_open_bracket(end, *b"[]")? + 1..end])
            })
            .collect()
        });
        defined.contains(text)
    }

    /// True if `region` is an attribute with the path of a script, a style sheet or an image, such
    /// as `socket.io/socket.io.min.js`. Its first directory may look like a host.
    fn is_relative_asset(&self, region: Region) -> bool {
        let value = &self.text[region.span.range()];
        let path = value.split(|b| b"?#".contains(b)).next().unwrap_or_default();
        let endings = [&b".js"[..], b".mjs", b".css", b".png", b".jpg", b".gif", b".svg", b".ico"];
        region.kind == RegionKind::Attribute
            && www_host_len(value) == 0
            && endings.iter().any(|ending| path.ends_with(ending))
    }

    /// Reports the link target at `span` if it lacks a scheme, as `www.host.com` does.
    fn report_target_without_scheme(&mut self, span: Span) {
        let value = &self.text[span.range()];
        let len = dotted_host_len(value);
        let host = &value[..len];
        let rest = value.get(len..).unwrap_or_default();
        if len == 0
            || !matches!(rest.first(), None | Some(b'/' | b'?' | b'#'))
            || contains_placeholder(value)
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
                && !self.is_in_code(at)
                && is_top_level_domain(top.rsplit(|&b| b == b'.').next().unwrap_or_default())
            {
                let comma = Span::new(at + 3, at + 4);
                let host = [b"www.", top].concat();
                self.report_fault(&host_comma::META, comma, host, vec![Edit::replace(comma, b".")]);
            }
        }
    }

    /// Reports `http:///host`, `http:/\host` and `http:/ /host` in running text. In markup,
    /// `host.empty` and others report them.
    fn report_extra_slashes(&mut self, block: Span) {
        for at in memchr::memchr_iter(b':', &self.text[block.range()]) {
            let at = block.start + at;
            let rest = &self.text[at + 1..];
            if !matches!(rest, [b'/', b'/' | b'\\' | b' ', ..] | [b'\\', b'/', ..]) {
                continue;
            }
            let len = rest.iter().take(6).take_while(|b| b"/\\ ".contains(b)).count();
            let meta = match &rest[..len] {
                b"///" | b"////" | b"/////" | b"/\\" | b"\\/" => &EXTRA_SLASHES,
                b"/ /" | b"/ //" => &scheme_separator::BLANK_BEFORE_SLASHES.meta,
                _ => continue,
            };
            let word = self.text[..at].iter().rev().take(8);
            let scheme = word.take_while(|b| b.is_ascii_alphanumeric()).count();
            let start = at - scheme;
            let name = &self.text[start..at];
            let is_word = self.byte_before(start).is_some_and(|b| b"/.-_+\\".contains(&b));
            if is_word
                || ![&b"http"[..], b"https", b"ftp"].iter().any(|it| name.eq_ignore_ascii_case(it))
                || !starts_with_host(&rest[len..])
                || self.is_in_code(at)
                || markup::region_at(self.regions, at)
                    .is_some_and(|region| region.kind.is_whole_url())
            {
                continue;
            }
            let slashes = Span::new(at + 1, at + 1 + len);
            let host = &rest[len..];
            // Some programs write all slashes of a URL twice.
            let word = host.iter().position(u8::is_ascii_whitespace).unwrap_or(host.len());
            let word = &host[..word.min(MAX_LINE_LEN)];
            if len == 4 && memmem::find(word, b"//").is_some() {
                continue;
            }
            let target = [name, b"://", &host[..dotted_host_len(host)]].concat();
            // A text about such URLs uses the hosts that are reserved for examples.
            if has_reserved_host(&target) {
                continue;
            }
            let edits = vec![Edit::replace(slashes, b"//")];
            let diagnostic = self.report_fault(meta, slashes, target, edits);
            if meta.code != EXTRA_SLASHES.code {
                diagnostic.message = "there is a space between the slashes".into();
                diagnostic.help = Some("remove the space".into());
            }
        }
    }
}
