//! The text that a page shows, read from any place of it on.

use super::display::{Display, display};
use super::names::Name;
use super::page_map::{Mark, PageMap};
use super::places::Places;
use super::text::{LineBreaks, special};
use super::token::{Token, Tokens};
use crate::simd::{HtmlMarks, copy_blanked};
use urlsift_core::{BreakKind, Breaks};

/// What takes the text of a page piece by piece, in order and without gaps: who writes it, and who only asks where it stands.
pub(super) trait Out {
    /// The text `html[from..to]` as it stands, but for its line breaks: they are blanks, unless they are kept.
    fn text(&mut self, html: &[u8], from: usize, to: usize, keeps_breaks: bool);

    /// `bytes` in the place of `html[from..to]`.
    fn replace(&mut self, bytes: &[u8], from: usize, to: usize);

    /// Up to where text that starts at `from` is to be read in one step, which is behind `from`.
    fn limit(&self, from: usize) -> usize;

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

/// Reads the text of a page, step by step.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    html: &'t [u8],
    tokens: Tokens<'t>,
    marks: HtmlMarks<'t>,
    /// How many elements around are preformatted.
    preformatted: u32,
    /// From where on nothing was handed over yet, and nothing looked at.
    from: usize,
    at: usize,
}

impl<'t> Reader<'t> {
    /// From a place on where a step ended.
    pub(super) fn new(html: &'t [u8], from: usize, preformatted: u32) -> Self {
        let (tokens, marks) = (Tokens::new(html), HtmlMarks::new(html, from));
        Self { html, tokens, marks, preformatted, from, at: from }
    }

    /// Where the next step starts, and how many elements around are preformatted.
    #[inline]
    pub(super) const fn place(&self) -> (usize, u32) {
        (self.from, self.preformatted)
    }

    /// Hands over some text and what ends it. Returns whether there is more.
    #[inline]
    pub(super) fn step(&mut self, out: &mut impl Out) -> bool {
        let html = self.html;
        let limit = out.limit(self.from).min(html.len());
        let mark = self.marks.next(self.at, limit);
        let end = mark.unwrap_or(limit);
        if self.from < end {
            out.text(html, self.from, end, self.preformatted > 0);
        }
        (self.from, self.at) = (end, end);
        let Some(mark) = mark else { return end < html.len() };
        if html.get(mark) != Some(&b'<') {
            let rest = html.get(mark..).unwrap_or_default();
            let Some((character, len)) = special(rest, LineBreaks::Kept) else {
                self.at += 1;
                return true;
            };
            if let Some(character) = character {
                out.replace(character.encode_utf8(&mut [0; 4]).as_bytes(), mark, mark + len);
            }
            (self.from, self.at) = (mark + len, mark + len);
            return true;
        }
        if let Some(tag) = self.tokens.plain_tag(mark) {
            if tag.has_attributes && !tag.closes {
                out.place(mark);
            }
            self.show(tag.element, tag.closes, mark, tag.end, out);
            (self.from, self.at) = (tag.end, tag.end);
            return true;
        }
        self.markup(mark, out)
    }

    /// Hands over what the markup shows that starts with the `<` at `mark`. Returns whether there is more.
    fn markup(&mut self, mark: usize, out: &mut impl Out) -> bool {
        match self.tokens.markup_at(mark) {
            None if self.tokens.is_broken() => {
                out.broken(mark);
                return false;
            }
            // No markup, but a character of the text.
            None => {
                self.at += 1;
                return true;
            }
            Some(Token::Tag { whole, name, element, closes }) => {
                let has_attributes = whole.len() > name.len() + 2;
                if !closes && (has_attributes || self.tokens.is_raw()) {
                    out.place(mark);
                }
                self.show(element, closes, whole.start, whole.end, out);
                if out.is_done() {
                    return false;
                }
                self.tokens.pass_raw();
                if self.tokens.is_broken() {
                    return false;
                }
            }
            Some(_) => out.place(mark),
        }
        (self.from, self.at) = (self.tokens.place(), self.tokens.place());
        true
    }

    /// Hands over what a tag shows.
    #[inline]
    fn show(&mut self, element: Name, closes: bool, from: usize, to: usize, out: &mut impl Out) {
        let display = display(element);
        let shown: &[u8] = match display {
            Display::Inline => return,
            Display::Space => b" ",
            Display::Line => b"\n",
            Display::Block(true) => {
                out.hard_breaks(2);
                b"\n\n"
            }
            Display::Block(false) | Display::Preformatted => {
                out.hard_breaks(1);
                b"\n"
            }
        };
        if display == Display::Preformatted {
            self.preformatted =
                if closes { self.preformatted.saturating_sub(1) } else { self.preformatted + 1 };
        }
        out.replace(shown, from, to);
    }
}

/// The text that a page shows, and what is known of it.
#[derive(Debug)]
pub(crate) struct Shown<'t> {
    /// The text, and memory behind it.
    memory: Vec<u8>,
    /// Where it stands in the page.
    pub map: PageMap<'t>,
    /// Where the page holds more than that.
    pub places: Places,
}

impl Shown<'_> {
    pub(crate) fn text(&self) -> &[u8] {
        self.memory.get(..self.map.len()).unwrap_or_default()
    }

    /// The memory of the text, which is done with.
    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.memory
    }
}

/// The text that `html` shows, in the memory of an old one, where `html` starts at `base` in the text at hand. Breaks that elements of
/// their own line make are hard; those of `<br>` and preformatted text are not marked.
///
/// Time is linear.
pub(crate) fn shown<'t>(
    html: &'t [u8],
    base: usize,
    mut memory: Vec<u8>,
    breaks: &mut Breaks,
) -> Shown<'t> {
    memory.resize(memory.capacity(), 0);
    let mut out = Writer { memory, len: 0, source_end: 0, places: Places::default(), breaks };
    let mut reader = Reader::new(html, 0, 0);
    let mut marks = Vec::with_capacity(html.len() / Mark::STRIDE + 1);
    let mut last = 0;
    while reader.step(&mut out) {
        let (source, preformatted) = reader.place();
        if source - last >= Mark::STRIDE {
            marks.push(Mark { derived: out.len, source, preformatted });
            last = source;
        }
    }
    let map = PageMap::new(html, base, marks, out.len, out.source_end);
    Shown { memory: out.memory, map, places: out.places }
}

/// Writes the text.
struct Writer<'b> {
    /// The text, and memory behind it, so that text is copied by whole vectors.
    memory: Vec<u8>,
    len: usize,
    /// Where the source of its last byte ends.
    source_end: usize,
    places: Places,
    breaks: &'b mut Breaks,
}

impl Writer<'_> {
    /// Where text goes of which there are `len` bytes, and some room behind them.
    #[inline]
    fn room(&mut self, len: usize) -> &mut [u8] {
        const SLACK: usize = 32;
        if self.memory.len() < self.len + len + SLACK {
            self.grow(len + SLACK);
        }
        self.memory.get_mut(self.len..).unwrap_or_default()
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        const LEAST: usize = 4 << 10;
        self.memory.resize((self.memory.len() * 2).max(self.len + len).max(LEAST), 0);
    }
}

impl Out for Writer<'_> {
    #[inline]
    fn text(&mut self, html: &[u8], from: usize, to: usize, keeps_breaks: bool) {
        let room = self.room(to - from);
        if !keeps_breaks {
            copy_blanked(html, from, to, room);
        } else if let Some((text, room)) = html.get(from..to).zip(room.get_mut(..to - from)) {
            room.copy_from_slice(text);
        }
        self.len += to - from;
        self.source_end = to;
    }

    #[inline]
    fn replace(&mut self, bytes: &[u8], _from: usize, to: usize) {
        for (room, byte) in self.room(bytes.len()).iter_mut().zip(bytes) {
            *room = *byte;
        }
        self.len += bytes.len();
        self.source_end = to;
    }

    /// So that there are marks within long text, too.
    #[inline]
    fn limit(&self, from: usize) -> usize {
        from + Mark::STRIDE
    }

    #[inline]
    fn place(&mut self, place: usize) {
        self.places.push(place);
    }

    fn broken(&mut self, place: usize) {
        self.places.end_at(place);
    }

    #[inline]
    fn hard_breaks(&mut self, count: usize) {
        (self.len..self.len + count).for_each(|at| self.breaks.push(at, BreakKind::Hard));
    }
}
