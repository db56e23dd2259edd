//! The text that a page shows, written.

use super::page_map::{Mark, PageMap};
use super::places::Places;
use super::reader::{Out, Reader};
use crate::simd::copy_html_text;
use urlsift_core::{BreakKind, Breaks};

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
/// their own line make are hard; those of `<br>` and preformatted text are not marked. So many elements of the latter stand open at its
/// start.
///
/// Time is linear.
pub(crate) fn shown<'t>(
    html: &'t [u8],
    base: usize,
    mut memory: Vec<u8>,
    breaks: &mut Breaks,
    preformatted: u32,
) -> Shown<'t> {
    memory.resize(memory.capacity(), 0);
    let mut out = Writer { memory, len: 0, source_end: 0, places: Places::default(), breaks };
    let mut reader = Reader::new(html, 0, preformatted);
    let mut marks = Vec::with_capacity(html.len() / Mark::STRIDE + 2);
    marks.push(Mark { preformatted, ..Mark::default() });
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
    /// Where the next bytes of the memory go.
    #[inline]
    fn room<const LEN: usize>(&mut self) -> Option<&mut [u8; LEN]> {
        if self.memory.len() < self.len + LEN {
            self.grow(LEN);
        }
        self.memory.get_mut(self.len..)?.first_chunk_mut()
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        const LEAST: usize = 4 << 10;
        self.memory.resize((self.memory.len() * 2).max(self.len + len).max(LEAST), 0);
    }
}

impl Out for Writer<'_> {
    #[inline]
    fn text(&mut self, html: &[u8], from: usize, is_text: bool, keeps_breaks: bool) -> usize {
        let rest = html.get(from..).unwrap_or_default();
        let copy = |room: &mut _| copy_html_text(rest, is_text, keeps_breaks, room);
        let len = self.room().map_or(0, copy);
        self.len += len;
        if len > 0 {
            self.source_end = from + len;
        }
        from + len
    }

    #[inline]
    fn replace(&mut self, bytes: &[u8], _from: usize, to: usize) {
        // The longest character.
        if let Some(room) = self.room::<4>() {
            room.iter_mut().zip(bytes).for_each(|(room, byte)| *room = *byte);
        }
        self.len += bytes.len();
        self.source_end = to;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::maps::OtherMap;
    use urlsift_core::{MapBuilder, Span, SpanMap};

    /// The text and its map, byte by byte and from the start.
    #[derive(Default)]
    struct Reference {
        text: Vec<u8>,
        map: MapBuilder,
    }

    impl Out for Reference {
        fn text(&mut self, html: &[u8], from: usize, is_text: bool, keeps_breaks: bool) -> usize {
            let is_mark = |byte: &u8| b"<&\r".contains(byte);
            let behind = from + usize::from(is_text);
            let to = html[behind..].iter().position(is_mark).map_or(html.len(), |at| behind + at);
            for (at, &byte) in html.iter().enumerate().take(to).skip(from) {
                if byte == b'\n' && !keeps_breaks {
                    self.replace(b" ", at, at + 1);
                } else {
                    self.text.push(byte);
                    self.map.copied(7 + at, 1);
                }
            }
            to
        }

        fn replace(&mut self, bytes: &[u8], from: usize, to: usize) {
            self.text.extend_from_slice(bytes);
            self.map.replaced(Span::new(7 + from, 7 + to), bytes.len());
        }
    }

    #[test]
    fn a_page_read_from_its_marks_is_the_same_page() {
        const PIECES: [&str; 24] = [
            "word ",
            "and more of the text that stands between two tags, which has to be long enough to pass a block\n",
            "\n",
            "\r\n",
            "<br>",
            "<p>",
            "</p>",
            "<PRE>",
            "</pre>",
            "<pre class=x>",
            "<b>",
            "</b>",
            "<img src='x'>",
            "&amp;",
            "&",
            "&#0",
            "<",
            "<joe@host.dom>",
            "<!-- a comment -->",
            "<script>a < b</script>",
            "<a href=\"http://host.dom/\" title='>'>",
            "<an-element-with-a-long-name>",
            "é",
            "<style>",
        ];
        let mut state = 1738_usize;
        let mut below = |most: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        for round in 0..300 {
            // A style that is never closed ends the text, so it is rare.
            let pieces = if round % 4 == 0 { PIECES.len() } else { PIECES.len() - 1 };
            let html: String = (0..below(200)).map(|_| PIECES[below(pieces)]).collect();
            let html = html.as_bytes();
            let mut out = Reference::default();
            let preformatted = u32::from(round % 3 == 0);
            let mut reader = Reader::new(html, 0, preformatted);
            while reader.step(&mut out) {}
            let (text, map): (_, SpanMap) = (out.text, out.map.finish());
            let memory = vec![0xFF; below(300)];
            let shown = shown(html, 7, memory, &mut Breaks::new(), preformatted);
            assert_eq!(shown.text(), text);
            if text.is_empty() {
                continue;
            }
            for _ in 0..200 {
                let start = below(text.len() + 2);
                let len = if below(2) == 0 { below(40) } else { below(2_000) };
                let span = Span::new(start, start + len);
                assert_eq!(shown.map.source(span), map.source(span), "{span:?}");
                assert_eq!(shown.map.is_verbatim(span), map.is_verbatim(span), "{span:?}");
                let pieces: Vec<_> =
                    map.pieces(span).filter(|(text, _)| !text.is_empty()).collect();
                assert_eq!(shown.map.pieces(span), pieces, "{span:?}");
            }
        }
    }
}
