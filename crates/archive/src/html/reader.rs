//! A reader for the text that a page shows, which can start at any mark.

use super::display::{Display, ShownTag, content_of_element, display_of_element, read_bare_tag};
use super::open::update_preformatted;
use super::tag_content::Content;
use super::text::{LineBreaks, decode_reference_or_line_break};
use super::token::{PlainTag, Token, Tokens, read_plain_tag};
use super::within::Within;
use memchr::{memchr, memchr2};

/// The maximum length of text that is read in one step in elements without tags.
const STEP: usize = 256;

/// A receiver of the text of a page, in order and without gaps. One implementation writes the text,
/// another one only maps offsets.
pub(super) trait TextReceiver {
    /// True if [`copy_text`](Self::copy_text) also handles references and plain tags.
    const HANDLES_MARKUP: bool;

    /// Copies text from `html[from..]`, at most up to the next [mark](crate::simd::next_html_mark).
    /// Line breaks become spaces unless `preformatted`, the number of open preformatted elements,
    /// is positive. If `is_text` is true, the first byte is text even if it is a mark.
    ///
    /// Returns the offset at which the copy stopped. It is after `from` if there is text at `from`.
    fn copy_text(
        &mut self,
        html: &[u8],
        from: usize,
        is_text: bool,
        preformatted: &mut u32,
    ) -> usize;

    /// Copies `html[from..to]`. Line breaks become spaces unless the text is `preformatted`.
    fn copy_range(&mut self, html: &[u8], from: usize, to: usize, preformatted: bool);

    /// Replaces `html[from..to]` by `bytes`.
    fn push_replacement(&mut self, bytes: &[u8], from: usize, to: usize);

    /// True if the receiver needs no more text.
    fn is_done(&self) -> bool {
        false
    }

    /// Records that markup which may contain more than text starts at `place`.
    fn record_place(&mut self, _place: usize) {}

    /// Records that markup which is never closed starts at `place`. It isn't text.
    fn record_unclosed(&mut self, _place: usize) {}

    /// Marks the next `count` bytes as line breaks that end a paragraph.
    fn mark_hard_breaks(&mut self, _count: usize) {}
}

/// Returns how the element of the plain tag at offset `place` is displayed. If the tag is a start
/// tag with attributes, records its place in `out`.
#[inline]
pub(super) fn record_plain_tag(
    tag: PlainTag,
    place: usize,
    out: &mut impl TextReceiver,
) -> ShownTag {
    if tag.has_attributes && !tag.closes {
        out.record_place(place);
    }
    ShownTag { display: display_of_element(tag.element), closes: tag.closes, end: tag.end }
}

/// A reader for the text that a page shows. Each step passes some text to a [`TextReceiver`].
#[derive(Debug)]
pub(super) struct Reader<'t> {
    html: &'t [u8],
    tokens: Tokens<'t>,
    /// The number of open preformatted elements.
    preformatted: u32,
    /// The offset of the next step.
    from: usize,
    /// True if the byte at that offset is known to be text, not markup.
    is_text: bool,
}

impl<'t> Reader<'t> {
    /// Returns a reader that resumes at offset `from`, where a step ended. `preformatted` and
    /// `within` are the reader's [state](Self::resume_state) there.
    pub(super) fn new(html: &'t [u8], from: usize, preformatted: u32, within: Within) -> Self {
        let tokens = Tokens::resume_within(html, within);
        Self { html, tokens, preformatted, from, is_text: false }
    }

    /// Returns the state from which another reader can resume. It consists of the offset of the
    /// next step, the number of open preformatted elements, and the open element whose content is
    /// not plain markup.
    #[inline]
    pub(super) const fn resume_state(&self) -> (usize, u32, Within) {
        (self.from, self.preformatted, self.tokens.open_element())
    }

    /// Passes some text to `out`, and the text that replaces the tag after it. Returns true if
    /// there is more.
    #[inline]
    pub(super) fn pass_next_text<O: TextReceiver>(&mut self, out: &mut O) -> bool {
        let html = self.html;
        if let Some(end) = self.tokens.open_element().end_of_text_around(self.from) {
            return self.pass_text_without_tags(end, out);
        }
        let mark = out.copy_text(html, self.from, self.is_text, &mut self.preformatted);
        (self.from, self.is_text) = (mark, false);
        if out.is_done() {
            return false;
        }
        let Some(&byte) = html.get(mark) else { return false };
        if byte != b'<' {
            // Before any other byte, the text reached the limit of one step.
            if matches!(byte, b'&' | b'\r') {
                self.pass_character(mark, out);
            }
            return true;
        }
        let known = if O::HANDLES_MARKUP { None } else { read_bare_tag(html, mark) };
        let tag = match known {
            Some(tag) => tag,
            None => match self.read_tag(mark, out) {
                Ok(tag) => tag,
                Err(has_more) => return has_more,
            },
        };
        self.pass_tag_replacement(tag.display_at(html, mark), tag.closes, mark, tag.end, out);
        self.from = tag.end;
        if self.tokens.is_at_raw_content() {
            return !out.is_done() && self.skip_raw_content();
        }
        true
    }

    /// Passes some text to `out`, inside an element without tags whose content ends at offset
    /// `end`. Returns true if there is more.
    fn pass_text_without_tags(&mut self, end: usize, out: &mut impl TextReceiver) -> bool {
        let (html, from) = (self.html, self.from);
        let mut to = end.min(from + STEP);
        let skipped = usize::from(core::mem::take(&mut self.is_text));
        let text = html.get(from + skipped..to).unwrap_or_default();
        let has_references = self.tokens.open_element().decodes_references();
        let special = if has_references { memchr2(b'&', b'\r', text) } else { memchr(b'\r', text) };
        if let Some(len) = special {
            to = from + skipped + len;
        }
        out.copy_range(html, from, to, self.preformatted > 0);
        self.from = to;
        if special.is_some() && !out.is_done() {
            self.pass_character(to, out);
        }
        !out.is_done()
    }

    /// Decodes the character reference or carriage return at offset `mark`, and passes the result
    /// to `out`. If an `&` at that offset starts no reference, leaves it to the next step, which
    /// reads it as text.
    fn pass_character(&mut self, mark: usize, out: &mut impl TextReceiver) {
        let rest = self.html.get(mark..).unwrap_or_default();
        let Some((character, len)) = decode_reference_or_line_break(rest, LineBreaks::Kept) else {
            self.is_text = true;
            return;
        };
        if let Some(character) = character {
            out.push_replacement(character.encode_utf8(&mut [0; 4]).as_bytes(), mark, mark + len);
        }
        self.from = mark + len;
    }

    /// Returns the tag that starts with the `<` at offset `mark`. If the markup there may contain
    /// more than text, records its place in `out`. If there is no tag, returns `Err(true)` if there
    /// is more to read, and `Err(false)` if not.
    fn read_tag(&mut self, mark: usize, out: &mut impl TextReceiver) -> Result<ShownTag, bool> {
        if let Some(tag) = read_plain_tag(self.html, mark) {
            return Ok(record_plain_tag(tag, mark, out));
        }
        match self.tokens.parse_markup_at(mark) {
            None if self.tokens.reads_rest_as_text() => {
                out.record_unclosed(mark);
                Err(false)
            }
            None => {
                self.is_text = true;
                Err(true)
            }
            Some(Token::Tag { whole, name, element, closes }) => {
                let has_attributes = whole.len() > name.len() + 2;
                if !closes && (has_attributes || content_of_element(element) != Content::Markup) {
                    out.record_place(mark);
                }
                Ok(ShownTag { display: display_of_element(element), closes, end: whole.end })
            }
            Some(_) => {
                out.record_place(mark);
                self.from = self.tokens.next_offset();
                Err(true)
            }
        }
    }

    /// Skips the content of the script or style whose start tag was the last token. Returns true if
    /// there is more.
    fn skip_raw_content(&mut self) -> bool {
        self.tokens.skip_raw_content();
        self.from = self.tokens.next_offset();
        !self.tokens.reads_rest_as_text()
    }

    /// Passes the text that replaces the tag at `from..to` to `out`: line breaks, a space or
    /// nothing. `closes` is true for an end tag.
    #[inline]
    fn pass_tag_replacement(
        &mut self,
        display: Display,
        closes: bool,
        from: usize,
        to: usize,
        out: &mut impl TextReceiver,
    ) {
        let (bytes, len) = display.tag_replacement();
        if display == Display::Preformatted {
            update_preformatted(&mut self.preformatted, closes);
        }
        if display.is_block() {
            out.mark_hard_breaks(len);
        }
        if len > 0 {
            out.push_replacement(bytes.get(..len).unwrap_or_default(), from, to);
        }
    }
}
