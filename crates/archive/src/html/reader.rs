//! The text that a page shows, read from any place of it on.

use super::display::{Display, ShownTag, bare_tag, content, display};
use super::open::count_preformatted;
use super::tag_content::Content;
use super::text::{LineBreaks, special};
use super::token::{PlainTag, Token, Tokens, plain_tag};
use super::within::Within;
use memchr::{memchr, memchr2};

/// How much of a text without tags is read in one step.
const STEP: usize = 256;

/// What takes the text of a page piece by piece, in order and without gaps: who writes it, and who only asks where it stands.
pub(super) trait Out {
    /// Whether [`text`](Self::text) also takes references and plain tags.
    const TAKES_MORE: bool;

    /// Takes some of the text `html[from..]` as it stands, at most up to [a mark](crate::simd::next_html_mark), but for its line breaks: they are blanks,
    /// unless so many elements around are `preformatted`. What stands first is text with `is_text`, whatever it is. Returns up to where; it is behind `from`
    /// where text stands there.
    fn text(&mut self, html: &[u8], from: usize, is_text: bool, preformatted: &mut u32) -> usize;

    /// Takes `html[from..to]` as it is, but for its line breaks: they are blanks, unless they are `preformatted`.
    fn copy(&mut self, html: &[u8], from: usize, to: usize, preformatted: bool);

    /// `bytes` in the place of `html[from..to]`.
    fn replace(&mut self, bytes: &[u8], from: usize, to: usize);

    /// Whether nothing more is wanted.
    fn is_done(&self) -> bool {
        false
    }

    /// At `place` starts what may hold more than text.
    fn place(&mut self, _place: usize) {}

    /// At `place` starts what is never closed, and is no text.
    fn broken(&mut self, _place: usize) {}

    /// The next `count` bytes are line breaks at which a paragraph ends.
    fn hard_breaks(&mut self, _count: usize) {}
}

/// How a plain tag that starts at `place` is shown, which may hold more.
#[inline]
pub(super) fn plain(tag: PlainTag, place: usize, out: &mut impl Out) -> ShownTag {
    if tag.has_attributes && !tag.closes {
        out.place(place);
    }
    ShownTag { display: display(tag.element), closes: tag.closes, end: tag.end }
}

/// Reads the text of a page, step by step.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    html: &'t [u8],
    tokens: Tokens<'t>,
    /// How many elements around are preformatted.
    preformatted: u32,
    /// From where on nothing was handed over yet, and whether what stands there is known to be no markup, but a character of the text.
    from: usize,
    is_text: bool,
}

impl<'t> Reader<'t> {
    /// From a place on where a step ended.
    pub(super) fn new(html: &'t [u8], from: usize, preformatted: u32, within: Within) -> Self {
        let tokens = Tokens::resumed(html, within);
        Self { html, tokens, preformatted, from, is_text: false }
    }

    /// Where the next step starts, how many elements around are preformatted, and what it is within.
    #[inline]
    pub(super) const fn place(&self) -> (usize, u32, Within) {
        (self.from, self.preformatted, self.tokens.within())
    }

    /// Hands over some text and what ends it. Returns whether there is more.
    #[inline]
    pub(super) fn step<O: Out>(&mut self, out: &mut O) -> bool {
        let html = self.html;
        if let Some(end) = self.tokens.within().text_end(self.from) {
            return self.text_without_tags(end, out);
        }
        let mark = out.text(html, self.from, self.is_text, &mut self.preformatted);
        (self.from, self.is_text) = (mark, false);
        if out.is_done() {
            return false;
        }
        let Some(&byte) = html.get(mark) else { return false };
        if byte != b'<' {
            // Else it is so much text that it is enough for once.
            if matches!(byte, b'&' | b'\r') {
                self.character(mark, out);
            }
            return true;
        }
        let known = if O::TAKES_MORE { None } else { bare_tag(html, mark) };
        let tag = match known {
            Some(tag) => tag,
            None => match self.tag(mark, out) {
                Ok(tag) => tag,
                Err(goes_on) => return goes_on,
            },
        };
        self.show(tag.display, tag.closes, mark, tag.end, out);
        self.from = tag.end;
        if self.tokens.is_raw() {
            return !out.is_done() && self.pass_raw();
        }
        true
    }

    /// Hands over some of the text of an element that holds no tags, which goes on to `end`. Returns whether there is more.
    fn text_without_tags(&mut self, end: usize, out: &mut impl Out) -> bool {
        let (html, from) = (self.html, self.from);
        let mut to = end.min(from + STEP);
        let skipped = usize::from(core::mem::take(&mut self.is_text));
        let text = html.get(from + skipped..to).unwrap_or_default();
        let has_references = self.tokens.within().has_references();
        let special = if has_references { memchr2(b'&', b'\r', text) } else { memchr(b'\r', text) };
        if let Some(len) = special {
            to = from + skipped + len;
        }
        out.copy(html, from, to, self.preformatted > 0);
        self.from = to;
        if special.is_some() && !out.is_done() {
            self.character(to, out);
        }
        !out.is_done()
    }

    /// Hands over what the character at `mark` says, which may be a reference.
    fn character(&mut self, mark: usize, out: &mut impl Out) {
        let rest = self.html.get(mark..).unwrap_or_default();
        let Some((character, len)) = special(rest, LineBreaks::Kept) else {
            self.is_text = true;
            return;
        };
        if let Some(character) = character {
            out.replace(character.encode_utf8(&mut [0; 4]).as_bytes(), mark, mark + len);
        }
        self.from = mark + len;
    }

    /// The tag that starts with the `<` at `mark`, or whether there is more behind what is none.
    fn tag(&mut self, mark: usize, out: &mut impl Out) -> Result<ShownTag, bool> {
        if let Some(tag) = plain_tag(self.html, mark) {
            return Ok(plain(tag, mark, out));
        }
        match self.tokens.markup_at(mark) {
            None if self.tokens.is_broken() => {
                out.broken(mark);
                Err(false)
            }
            None => {
                self.is_text = true;
                Err(true)
            }
            Some(Token::Tag { whole, name, element, closes }) => {
                let has_attributes = whole.len() > name.len() + 2;
                if !closes && (has_attributes || content(element) != Content::Markup) {
                    out.place(mark);
                }
                Ok(ShownTag { display: display(element), closes, end: whole.end })
            }
            Some(_) => {
                out.place(mark);
                self.from = self.tokens.place();
                Err(true)
            }
        }
    }

    /// Passes over a script or style of which the tag was the last token. Returns whether there is more.
    fn pass_raw(&mut self) -> bool {
        self.tokens.pass_raw();
        self.from = self.tokens.place();
        !self.tokens.is_broken()
    }

    /// Hands over what a tag shows.
    #[inline]
    fn show(&mut self, display: Display, closes: bool, from: usize, to: usize, out: &mut impl Out) {
        let (bytes, len) = display.shown();
        if display == Display::Preformatted {
            count_preformatted(&mut self.preformatted, closes);
        }
        if display.is_block() {
            out.hard_breaks(len);
        }
        if len > 0 {
            out.replace(bytes.get(..len).unwrap_or_default(), from, to);
        }
    }
}
