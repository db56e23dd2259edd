//! `<URL:...>` and `<scheme:...>`: the wrappers of RFC 1738's Appendix and the drafts before and
//! after it.
//!
//! Within a wrapper all white space is layout, and so are the quote marks that a mailer put before
//! its lines. A wrapper ends at its `>`, at most [`MAX_WRAPPER`] bytes after the `<`. If a `<` or a
//! blank line comes before that, the opening bracket is plain text.

use crate::candidate::{Candidate, Form, Grade, JoinKind, Seam};
use crate::limits::MAX_WRAPPER;
use crate::scheme::syntax::{self, Setting};
use crate::scheme::{Schemes, Shape, is_prefix_word, is_scheme_byte};
use crate::text::backslash;
use crate::text::blank;
use crate::text::page;
use crate::text::quote;
use crate::text::terminal;
use crate::text::undecoded::{self, Encoding};
use crate::{Input, Rejoin};
use std::borrow::Cow;
use urlsift_core::{Charset, Span};

/// The kind of layout between two characters of a wrapper's content. The kinds are ordered: if a
/// gap is of several kinds, the last one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum GapKind {
    /// A backslash that isn't part of the URL.
    Escape,
    /// The code of a terminal.
    Ansi,
    /// A blank.
    Blank,
    /// A line break.
    Line,
    /// A soft break of quoted-printable that was not decoded, with its equals sign.
    Soft,
    /// Page furniture: the footer, form feed and header between two pages.
    Page,
}

/// Layout in a wrapper, right before byte `index` of its content.
#[derive(Clone, Copy, Debug)]
struct Gap {
    index: usize,
    span: Span,
    layout: GapKind,
}

/// The text between a wrapper's brackets, with the layout removed.
#[derive(Debug)]
struct Content<'t> {
    joined: Cow<'t, [u8]>,
    /// The offset in the text of the first byte, if no gap is before it.
    base: usize,
    gaps: Vec<Gap>,
    /// True if a gap is a soft break of quoted-printable.
    is_encoded: bool,
    /// The offset of the closing bracket.
    close: usize,
}

impl Content<'_> {
    /// Returns the offset in the text of byte `index` of the content.
    fn offset_in_text(&self, index: usize) -> usize {
        let after = self.gaps.partition_point(|gap| gap.index <= index);
        match after.checked_sub(1).and_then(|i| self.gaps.get(i)) {
            Some(gap) => gap.span.end + (index - gap.index),
            None => self.base + index,
        }
    }

    /// Returns the gaps right before the bytes `from..to` of the content.
    fn gaps_before(&self, from: usize, to: usize) -> &[Gap] {
        let first = self.gaps.partition_point(|gap| gap.index < from);
        let last = self.gaps.partition_point(|gap| gap.index < to);
        self.gaps.get(first..last).unwrap_or_default()
    }
}

impl Content<'_> {
    /// True if the first `end` bytes of the content contain running text: at least `words`
    /// lower-case words in a row on one line.
    ///
    /// This shows that a `<` isn't the start of a wrapper and that the `>` belongs to some later
    /// sentence. By contrast, a selector with blanks (`gopher://h.dom/Information Services/…`) has
    /// capitals, slashes or digits.
    fn starts_with_prose(&self, end: usize, words: usize) -> bool {
        let mut side_by_side = 0;
        let gaps = self.gaps_before(0, end);
        for (at, gap) in gaps.iter().enumerate() {
            let word_end = gaps.get(at + 1).map_or(end, |next| next.index);
            let word = self.joined.get(gap.index..word_end).unwrap_or_default();
            let word = word.strip_suffix(b",").or(word.strip_suffix(b".")).unwrap_or(word);
            let plain = word.len() > 1 && word.iter().all(u8::is_ascii_lowercase);
            side_by_side = match (plain, gap.layout) {
                (false, _) => 0,
                (true, GapKind::Blank) => side_by_side + 1,
                (true, _) => 1,
            };
            if side_by_side == words {
                return true;
            }
        }
        false
    }
}

/// Returns the URLs of the wrapper that opens with the `<` at byte `open`, in order. Returns
/// [`WrapperUrls::None`] if there is no wrapper or no URL in it.
///
/// Allocates only if there is layout inside, or more than one URL.
pub(crate) fn read_wrapper<'t>(
    input: &Input<'t>,
    open: usize,
    schemes: &Schemes,
    rejoin: Rejoin,
) -> WrapperUrls<'t> {
    let has_escapes = rejoin > Rejoin::Off && schemes.is_modern();
    let Some(content) = read_content(input, open, rejoin, has_escapes) else {
        return WrapperUrls::None;
    };
    let whole = Span::new(open, content.close + 1);
    let prefixed = url_prefix_len(&content.joined);
    let joined = &content.joined[..end_before_label(&content)];
    let mut found = WrapperUrls::None;
    let mut start = prefixed;
    let mut form = if prefixed > 0 { Form::Wrapped } else { Form::Bracketed };
    while start < joined.len() {
        let next =
            end_and_next_start(&content, start, schemes).filter(|&(end, _)| end < joined.len());
        let (mut end, following) = next.unwrap_or((joined.len(), joined.len()));
        if next.is_some() && matches!(joined[start..end].last(), Some(b',' | b';')) {
            end -= 1;
        }
        if is_url_in_wrapper(&content, start, end, form, schemes) {
            let mut url = build_candidate(input.text, &content, whole, (start, end), form);
            if let (run, None) = scheme_len_and_shape(&joined[start..], schemes) {
                url = url.with_unknown_scheme(&joined[start..start + run], schemes);
            }
            found.push(url);
        } else if form == Form::Bracketed {
            return found;
        }
        let prefix = joined.get(following..).map_or(0, url_prefix_len);
        if prefix > 0 {
            form = Form::Wrapped;
        }
        start = following + prefix;
    }
    found
}

/// Returns the length of the content without a label. In Slack's `<url|label>` this is the offset
/// of the bar, otherwise the whole length. Slack doesn't write the prefix `URL:`.
fn end_before_label(content: &Content<'_>) -> usize {
    let has_prefix = url_prefix_len(&content.joined) > 0;
    let label = if has_prefix { None } else { label_start(content) };
    label.unwrap_or(content.joined.len())
}

/// Returns the offset of the bar before a label (`<url|label>`), or `None` if there is no label. In
/// a query or before a slash, the bar may belong to the URL (`<http://h.dom/?family=A|B>`,
/// `<file:///C|/a>`). A label must then contain a blank, or be the URL without its scheme.
fn label_start(content: &Content<'_>) -> Option<usize> {
    let joined = &*content.joined;
    let bar = memchr::memchr(b'|', joined)?;
    let (url, label) = (joined.get(..bar)?, joined.get(bar + 1..)?);
    let name = url.iter().take_while(|&&b| is_scheme_byte(b)).count();
    let rest = url.get(name..)?.strip_prefix(b":")?;
    let rest = rest.strip_prefix(b"//").unwrap_or(rest);
    let may_be_in_url = || label.starts_with(b"/") || memchr::memchr(b'?', url).is_some();
    let has_blank = || {
        content.gaps_before(bar + 2, joined.len()).iter().any(|gap| gap.layout == GapKind::Blank)
    };
    (!label.is_empty() && (!may_be_in_url() || has_blank() || label == rest)).then_some(bar)
}

/// The URLs of one wrapper: none, one or several.
#[derive(Debug)]
pub(crate) enum WrapperUrls<'t> {
    None,
    One(Candidate<'t>),
    Many(Vec<Candidate<'t>>),
}

impl<'t> WrapperUrls<'t> {
    /// Adds a URL of the wrapper after those added before.
    fn push(&mut self, candidate: Candidate<'t>) {
        *self = match std::mem::replace(self, Self::None) {
            Self::None => Self::One(candidate),
            Self::One(first) => Self::Many(vec![first, candidate]),
            Self::Many(mut all) => {
                all.push(candidate);
                Self::Many(all)
            }
        };
    }
}

/// Returns the length of the prefix `URL:` with which `joined` starts, including repetitions of the
/// prefix, or 0 if there is none.
fn url_prefix_len(joined: &[u8]) -> usize {
    let mut len = 0;
    while joined.get(len..len + 3).is_some_and(is_prefix_word) && joined.get(len + 3) == Some(&b':')
    {
        len += 4;
    }
    len
}

/// Returns the content of the wrapper that opens at byte `open`, or `None` if it isn't a wrapper.
/// If `has_escapes` is true, backslashes that aren't part of the URL are dropped.
fn read_content<'t>(
    input: &Input<'t>,
    open: usize,
    rejoin: Rejoin,
    has_escapes: bool,
) -> Option<Content<'t>> {
    let text = input.text;
    let limit = text.len().min(open + MAX_WRAPPER);
    let inside = text.get(open + 1..limit)?;
    // Without a `>`, or with a `<` before it, there is no wrapper, regardless of layout.
    let close = memchr::memchr2(b'<', b'>', inside)? + open + 1;
    if text[close] == b'<' {
        return None;
    }
    // The common case: one line. If it contains no blanks, it needs no copy.
    let body = &text[open + 1..close];
    let trimmed = body.trim_ascii();
    if !trimmed.iter().any(|&b| b <= b' ' || b >= 0x80 || b == b'\\')
        && (trimmed.len() == body.len() || !body.contains(&b'\n'))
    {
        let base = open + 1 + (body.len() - body.trim_ascii_start().len());
        return (!trimmed.is_empty()).then(|| Content {
            joined: Cow::Borrowed(trimmed),
            base,
            gaps: Vec::new(),
            is_encoded: false,
            close,
        });
    }
    collect_content(input, open, limit, rejoin, has_escapes)
}

/// True if a byte in a wrapper is always content, never layout or a bracket.
const fn is_content_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'\\')
}

/// Returns the same as [`read_content`] for a wrapper that contains layout, or `None` if it isn't a
/// wrapper. `limit` is the end of the text that may belong to the wrapper.
fn collect_content<'t>(
    input: &Input<'t>,
    open: usize,
    limit: usize,
    rejoin: Rejoin,
    has_escapes: bool,
) -> Option<Content<'t>> {
    let text = input.text;
    let mut collector = Collector {
        input,
        open,
        limit,
        rejoin,
        has_escapes,
        joined: Vec::new(),
        gaps: Vec::new(),
        encoding: Encoding::Unknown,
        pending: None,
        marks: None,
        has_lost_marks: false,
    };
    let mut at = open + 1;
    while at < limit {
        let line_break = blank::line_break_len_at(text, at);
        if line_break > 0 {
            at = collector.skip_line_break(at, line_break)?;
            continue;
        }
        let blank = blank::blank_len_at(text, at, input.charset);
        if blank > 0 {
            collector.pending.get_or_insert((at, GapKind::Blank));
            at += blank;
            continue;
        }
        match text[at] {
            b'<' => return None,
            b'>' => return collector.close(at),
            _ => {}
        }
        collector.end_gap(at)?;
        if let Some(resume) = terminal::resume_after_codes(text, open + 1, at) {
            collector.add_gap(at, resume, GapKind::Ansi);
            at = resume;
            continue;
        }
        at = collector.skip_escape(at);
        let rest = text.get(at..limit).unwrap_or_default();
        let run = rest.iter().take_while(|&&byte| is_content_byte(byte)).count().max(1);
        collector.joined.extend_from_slice(&text[at..at + run]);
        at += run;
    }
    None
}

/// The state of reading, byte by byte, the content of a wrapper that contains layout.
struct Collector<'i, 't> {
    input: &'i Input<'t>,
    /// The offset of the opening bracket.
    open: usize,
    /// The end of the text that may belong to the wrapper.
    limit: usize,
    rejoin: Rejoin,
    has_escapes: bool,
    /// The content so far, and the layout inside it.
    joined: Vec<u8>,
    gaps: Vec<Gap>,
    encoding: Encoding,
    /// The start and the kind of the layout right before the current byte.
    pending: Option<(usize, GapKind)>,
    /// The quote marks (such as `> `) of the line on which the wrapper opens. They are read at the
    /// first line break in the wrapper.
    marks: Option<quote::Marks<'t>>,
    /// True if this line has fewer quote marks than the first one.
    has_lost_marks: bool,
}

impl<'t> Collector<'_, 't> {
    /// Skips the line break of `len` bytes at byte `at`, and the quote marks or page furniture
    /// after it. Returns the offset after the skipped bytes, or `None` if they show that there is
    /// no wrapper.
    fn skip_line_break(&mut self, at: usize, len: usize) -> Option<usize> {
        let (text, open) = (self.input.text, self.open);
        let marks =
            &*self.marks.get_or_insert_with(|| quote::Marks::marks_before(text, open, self.rejoin));
        let line_end = self.pending.map_or(at, |(start, _)| start);
        if self.rejoin == Rejoin::Likely
            && is_soft_break(text, &self.joined, Span::new(line_end, at), self.encoding)
        {
            self.joined.pop();
            self.pending = Some((line_end - 1, GapKind::Soft));
        } else if self.has_escapes && ends_in_continuation(text, open + 1, line_end) {
            self.joined.pop();
            self.pending = Some((line_end - 1, GapKind::Line));
        }
        let next = at + len;
        let mut resume = marks.skip_repeated(text, next);
        if self.has_escapes
            && self.joined.ends_with(b"\"")
            && let Some(inside) =
                start_of_next_literal(text, Span::new(line_end, resume), self.input.charset)
        {
            self.joined.pop();
            self.pending = Some((line_end - 1, GapKind::Line));
            resume = inside;
        }
        let (start, layout) = self.pending.unwrap_or((at, GapKind::Line));
        let mut added = GapKind::Line;
        if is_rest_of_line_blank(self.input, resume)? {
            if self.rejoin == Rejoin::Off {
                return None;
            }
            resume = page::skip_furniture(self.input, next, self.limit, marks)?;
            added = GapKind::Page;
        }
        self.has_lost_marks = self.rejoin > Rejoin::Off && marks.are_lost(text, next);
        self.pending = Some((start, layout.max(added)));
        Some(resume)
    }

    /// Ends the layout before byte `at`, if there is any, and adds it to the gaps. Returns `None`
    /// if a blank separates two words on a line that lacks the quote marks of the others.
    ///
    /// Then there is no wrapper: such a line is the text of a reply, whereas a part of a URL is a
    /// single word.
    fn end_gap(&mut self, at: usize) -> Option<()> {
        let Some((start, layout)) = self.pending.take() else { return Some(()) };
        if self.has_lost_marks && layout == GapKind::Blank {
            return None;
        }
        self.encoding = self.encoding.after_break(&self.joined, self.input.text[start] == b'=');
        self.gaps.push(Gap { index: self.joined.len(), span: Span::new(start, at), layout });
        Some(())
    }

    /// Skips the backslashes at byte `at` that aren't part of the URL. Returns the offset of the
    /// next byte of the URL.
    fn skip_escape(&mut self, at: usize) -> usize {
        if !self.has_escapes || self.input.text[at] != b'\\' {
            return at;
        }
        let Some(resume) = backslash::skip_escapes(self.input.text, at) else { return at };
        self.add_gap(at, resume, GapKind::Escape);
        resume
    }

    /// Adds the layout at `start..end` inside the URL. If other layout is right before it, the two
    /// become one gap.
    fn add_gap(&mut self, start: usize, end: usize, layout: GapKind) {
        match self.gaps.last_mut() {
            Some(gap) if gap.span.end == start => gap.span.end = end,
            _ => {
                let span = Span::new(start, end);
                self.gaps.push(Gap { index: self.joined.len(), span, layout });
            }
        }
    }

    /// Returns the content up to the `>` at byte `close`, or `None` if that `>` doesn't close the
    /// wrapper.
    fn close(self, close: usize) -> Option<Content<'t>> {
        let is_encoded = self.encoding == Encoding::QuotedPrintable;
        let (joined, base) = (Cow::Owned(self.joined), self.open + 1);
        let content = Content { joined, base, gaps: self.gaps, is_encoded, close };
        let layout = self.pending.map(|(_, layout)| layout);
        is_closing_bracket(self.input, &content, layout, self.rejoin).then_some(content)
    }
}

/// True if the `>` after the content is the closing bracket of a wrapper. `layout` is the layout
/// right before the `>`. A `>` that starts a line or is between blanks is more likely a quote mark
/// or a sign.
fn is_closing_bracket(
    input: &Input<'_>,
    content: &Content<'_>,
    layout: Option<GapKind>,
    rejoin: Rejoin,
) -> bool {
    let is_sign = layout.is_some_and(|layout| layout >= GapKind::Line)
        || layout.is_some()
            && blank::blank_len_at(input.text, content.close + 1, input.charset) > 0;
    let words = if is_sign { 2 } else { 3 };
    // A label may be prose, but the URL before it may not.
    let is_prose =
        rejoin > Rejoin::Off && content.starts_with_prose(end_before_label(content), words);
    !content.joined.is_empty() && !is_prose
}

/// True if the line that ends at byte `end` ends in a backslash that continues the line, as in
/// strings of C and Python. Only the text from byte `start` on counts.
fn ends_in_continuation(text: &[u8], start: usize, end: usize) -> bool {
    text[start..end].ends_with(b"\\") && !text[start..end].ends_with(b"\\\\")
}

/// Returns the offset after the opening quote of the string literal that continues the one before
/// `line_break`, as in C and Python (`"<http://h/a"`, `"b>"`). Returns `None` if a quote is missing
/// or a blank line is between the literals.
fn start_of_next_literal(text: &[u8], line_break: Span, charset: Charset) -> Option<usize> {
    let before = text.get(..line_break.start)?.strip_suffix(b"\"")?;
    let quote = blank::skip_blanks_on_line(text, line_break.end, charset);
    let is_literal = !before.ends_with(b"\\") && text.get(quote) == Some(&b'"');
    is_literal.then_some(quote + 1)
}

/// True if the line ends in a soft break of quoted-printable that was not decoded. `joined` is the
/// wrapper's content so far, and `blanks` is the span of the blanks right before the line break.
/// `encoding` is the encoding that earlier breaks showed.
fn is_soft_break(text: &[u8], joined: &[u8], blanks: Span, encoding: Encoding) -> bool {
    if !undecoded::may_break_softly(joined, encoding) {
        return false;
    }
    if encoding == Encoding::QuotedPrintable {
        return text[blanks.range()].iter().all(|byte| matches!(byte, b' ' | b'\t'));
    }
    let at = blanks.end;
    blanks.is_empty()
        && blank::line_start(text, at)
            .is_some_and(|start| undecoded::is_soft_break(text, joined, start, at))
}

/// Returns true if the rest of the line from byte `at` on is blank, and false if it contains
/// anything else. Returns `None` if only blanks follow up to the end of the text.
fn is_rest_of_line_blank(input: &Input<'_>, at: usize) -> Option<bool> {
    let end = blank::skip_blanks_on_line(input.text, at, input.charset);
    (end < input.text.len()).then(|| blank::line_break_len_at(input.text, end) > 0)
}

/// Finds the next URL in a wrapper that contains several. Given the start of a URL in the content,
/// returns its end, and the start of the next URL including its prefix (`URL:`). Returns `None` if
/// there is no next URL.
fn end_and_next_start(
    content: &Content<'_>,
    start: usize,
    schemes: &Schemes,
) -> Option<(usize, usize)> {
    let joined = &*content.joined;
    content.gaps_before(start + 1, joined.len()).iter().map(|gap| (gap.index, gap.layout)).find_map(
        |(index, layout)| {
            let rest = &joined[index..];
            let prefixed = url_prefix_len(rest) > 0
                && content.gaps_before(index + 1, index + 4).is_empty()
                && rest.get(url_prefix_len(rest)).is_some_and(u8::is_ascii_alphabetic);
            let (run, shape) = scheme_len_and_shape(rest, schemes);
            let again = layout == GapKind::Blank
                && shape.is_some()
                && rest[run..].starts_with(b"://")
                && content.gaps_before(index + 1, index + run + 3).is_empty();
            (prefixed || again).then_some((index, index))
        },
    )
}

/// Returns the length of the run of scheme characters that `text` starts with. If the run is a
/// known scheme and a colon follows it, also returns the syntax that must follow the colon.
fn scheme_len_and_shape(text: &[u8], schemes: &Schemes) -> (usize, Option<Shape>) {
    let run = text.iter().take_while(|&&b| is_scheme_byte(b)).count();
    let shape = if text.get(run) == Some(&b':') { schemes.shape_of(&text[..run]) } else { None };
    (run, shape)
}

/// True if the bytes `start..end` of the content are a URL by the rules for wrappers of the form
/// `form`.
fn is_url_in_wrapper(
    content: &Content<'_>,
    start: usize,
    end: usize,
    form: Form,
    schemes: &Schemes,
) -> bool {
    let Some(url) = content.joined.get(start..end) else { return false };
    let (run, shape) = scheme_len_and_shape(url, schemes);
    if run == 0
        || url.get(run) != Some(&b':')
        || run + 1 == url.len()
        || is_prefix_word(&url[..run])
    {
        return false;
    }
    let rest = &url[run + 1..];
    let unbroken = |to: usize| content.gaps_before(start + 1, start + to).is_empty();
    if form == Form::Wrapped {
        return shape.is_some() || unbroken(run + 1);
    }
    match shape {
        Some(shape @ (Shape::Mailto | Shape::News | Shape::Opaque | Shape::Named))
            if !rest.starts_with(b"//") =>
        {
            // `<news: the latest>` is prose, so only line breaks may occur inside these, and blanks
            // after the colon.
            let is_at_colon = |gap: &&Gap| gap.index == start + run + 1;
            let blanks = |gap: &&Gap| gap.layout == GapKind::Blank;
            let gaps = content.gaps_before(start + 1, end);
            let mut inside = gaps.iter().filter(blanks).filter(|gap| !is_at_colon(gap));
            // A single word after a blank must be as clearly a URL as in running text (unlike
            // `<news: today>`).
            let is_split = gaps.iter().filter(blanks).any(|gap| is_at_colon(&gap));
            let setting = if is_split { Setting::Bare } else { Setting::Bracketed };
            inside.next().is_none() && syntax::fits_shape(shape, rest, setting)
        }
        Some(shape) if syntax::fits_shape(shape, rest, Setting::Bracketed) => true,
        Some(Shape::Host | Shape::File | Shape::Slashes) => false,
        _ => {
            let letters = url[..run].iter().filter(|b| b.is_ascii_alphabetic()).count();
            letters >= 2
                && url[0].is_ascii_alphabetic()
                && rest.strip_prefix(b"//").is_some_and(syntax::fits_unknown_scheme)
                && unbroken(run + 4)
        }
    }
}

/// Creates the candidate for the bytes `start..end` of the content. `whole` is the span of the
/// wrapper in the text.
fn build_candidate<'t>(
    text: &'t [u8],
    content: &Content<'_>,
    whole: Span,
    (start, end): (usize, usize),
    form: Form,
) -> Candidate<'t> {
    let span = Span::new(content.offset_in_text(start), content.offset_in_text(end - 1) + 1);
    let seams: Vec<_> = content
        .gaps_before(start + 1, end)
        .iter()
        .map(|gap| {
            // A typesetter's hyphen occurs only before a line break.
            let last = content.joined[..gap.index].last().filter(|_| gap.layout > GapKind::Blank);
            let (kind, grade) = match gap.layout {
                GapKind::Page => (JoinKind::PageBreak, Grade::Certain),
                GapKind::Soft => (JoinKind::Wrapper, Grade::Likely),
                GapKind::Escape => (JoinKind::Escape, Grade::Certain),
                GapKind::Ansi => (JoinKind::Ansi, Grade::Certain),
                _ => (JoinKind::Wrapper, Grade::Certain),
            };
            Seam::new(gap.span, last, kind, grade)
        })
        .collect();
    let candidate = Candidate::new(text, whole, span, form).with_seams(&seams);
    if content.is_encoded { candidate.mark_encoded() } else { candidate }
}
