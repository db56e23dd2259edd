//! Writes the text that a page shows.

use super::display::{Display, ShownTag, read_bare_tag};
use super::open::update_preformatted;
use super::page_map::{Mark, PageMap};
use super::places::Places;
use super::reader::{Reader, TextReceiver, record_plain_tag};
use super::text::{LineBreaks, decode_reference_or_line_break};
use super::token::read_plain_tag;
use super::within::Within;
use crate::simd::{HTML_ROOM, LineFeeds, copy_html_text};
use memchr::memchr2;
use urlsift_core::{BreakKind, Breaks};

/// The text that a page shows, with the map to the page and the places of its markup.
#[derive(Debug)]
pub(crate) struct Shown<'t> {
    /// The text, followed by unused bytes.
    memory: Vec<u8>,
    /// The map from the text to the page.
    pub map: PageMap<'t>,
    /// The offsets at which the page contains more than text.
    pub places: Places,
}

impl Shown<'_> {
    /// Returns the displayed text.
    pub(crate) fn text(&self) -> &[u8] {
        self.memory.get(..self.map.len()).unwrap_or_default()
    }

    /// Returns the buffer of the text for reuse.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.memory
    }
}

/// Returns the text that the page `html` shows, written into `buffer`. `source_offset` is the
/// offset of `html` in the text that contains it; `preformatted` is the number of preformatted
/// elements open at its start.
///
/// Adds the line breaks of block elements to `breaks` as hard breaks. The line breaks of `<br>` and
/// of preformatted text are not added.
///
/// Takes linear time.
pub(crate) fn displayed_text<'t>(
    html: &'t [u8],
    source_offset: usize,
    mut buffer: Vec<u8>,
    breaks: &mut Breaks,
    preformatted: u32,
) -> Shown<'t> {
    buffer.resize(buffer.capacity(), 0);
    let mut marks = Vec::with_capacity(html.len() / Mark::STRIDE + 2);
    marks.push(Mark { preformatted, ..Mark::default() });
    let places = Places::default();
    let mut out = Writer {
        memory: buffer,
        len: 0,
        source_end: 0,
        places,
        breaks,
        marks,
        last: 0,
        special: 0,
        within: Within::NOTHING,
    };
    out.special = next_reference_or_cr(html, 0);
    let mut reader = Reader::new(html, 0, preformatted, Within::NOTHING);
    while reader.pass_next_text(&mut out) {
        let (source, preformatted, within) = reader.resume_state();
        out.within = within;
        out.add_mark_if_due(source, preformatted);
    }
    let map = PageMap::new(html, source_offset, out.marks, out.len, out.source_end);
    Shown { memory: out.memory, map, places: out.places }
}

/// Returns the offset of the first `&` or carriage return at or after `from`, or the length of
/// `html` if there is none.
#[inline(never)]
fn next_reference_or_cr(html: &[u8], from: usize) -> usize {
    let rest = html.get(from..).unwrap_or_default();
    memchr2(b'&', b'\r', rest).map_or(html.len(), |at| from + at)
}

/// The maximum number of bytes written in one step: text, and the text for a tag or reference after
/// it.
const STEP_LEN: usize = HTML_ROOM + 4;

/// Decodes the `&` or carriage return at the start of `text`. Returns the bytes of the result, the
/// number of them that are used, and the number of bytes read. Returns `None` if `text` is empty.
#[inline(never)]
fn decode_reference_or_cr(text: &[u8]) -> Option<([u8; 4], usize, usize)> {
    let mut bytes = [*text.first()?, 0, 0, 0];
    Some(match decode_reference_or_line_break(text, LineBreaks::Kept) {
        None => (bytes, 1, 1),
        Some((None, read)) => (bytes, 0, read),
        Some((Some(character), read)) => {
            let shown = character.encode_utf8(&mut bytes).len();
            (bytes, shown, read)
        }
    })
}

/// Writes `bytes` at offset `at` of `buffer`, which is as long as one step.
#[inline]
fn write_at<const LEN: usize>(buffer: &mut [u8; STEP_LEN], at: usize, bytes: [u8; LEN]) {
    if let Some(target) = buffer.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *target = bytes;
    }
}

/// Grows the buffer so that [`STEP_LEN`] bytes can be written after its first `len` bytes.
#[cold]
fn grow_for_step(memory: &mut Vec<u8>, len: usize) {
    const MIN_LEN: usize = 4 << 10;
    memory.resize((memory.len() * 2).max(len + STEP_LEN).max(MIN_LEN), 0);
}

/// A receiver that writes the displayed text of a page and its map, as a [`Reader`] passes the text
/// to it.
struct Writer<'b> {
    /// The text, followed by unused bytes, so that text can be copied in whole vectors.
    memory: Vec<u8>,
    /// The length of the text in `memory`, in bytes.
    len: usize,
    /// The offset in the page at which the source of the last byte ends.
    source_end: usize,
    places: Places,
    breaks: &'b mut Breaks,
    /// The offsets at which a reader can resume.
    marks: Vec<Mark>,
    /// The offset in the page of the last mark.
    last: usize,
    /// The offset of the next `&` or carriage return: see [`next_reference_or_cr`].
    special: usize,
    /// The open element whose content is not plain markup, at the offset that was reached.
    within: Within,
}

impl Writer<'_> {
    /// Adds a mark, at which a reader can resume, at offset `source` of the page. Does nothing if
    /// the last mark is less than [`Mark::STRIDE`] bytes before it.
    #[inline]
    fn add_mark_if_due(&mut self, source: usize, preformatted: u32) {
        if source - self.last >= Mark::STRIDE {
            let within = self.within;
            self.marks.push(Mark { derived: self.len, source, preformatted, within });
            self.last = source;
        }
    }

    /// Returns the plain tag that starts at offset `at`, if there is one, and records its place if
    /// it has attributes.
    #[inline]
    fn read_and_record_plain_tag(&mut self, html: &[u8], at: usize) -> Option<ShownTag> {
        read_plain_tag(html, at).map(|tag| record_plain_tag(tag, at, self))
    }

    /// Writes the text from offset `at` on, including references and plain tags. Returns the offset
    /// at which other markup starts. The state is in local variables, so that most of it can stay
    /// in registers.
    fn write_text_run(&mut self, html: &[u8], mut at: usize, preformatted: &mut u32) -> usize {
        let mut memory = core::mem::take(&mut self.memory);
        let (mut len, mut source_end, mut special) = (self.len, self.source_end, self.special);
        let mut line_feeds = LineFeeds::keep_if(*preformatted > 0);
        let mut next_mark = self.last + Mark::STRIDE;
        loop {
            if special < at {
                special = next_reference_or_cr(html, at);
            }
            let buffer = memory.get_mut(len..).and_then(<[u8]>::first_chunk_mut::<STEP_LEN>);
            let Some(buffer) = buffer else {
                grow_for_step(&mut memory, len);
                continue;
            };
            let rest = html.get(at..).unwrap_or_default();
            let text = buffer
                .first_chunk_mut()
                .map_or(0, |buffer| copy_html_text(rest, line_feeds, special - at, buffer));
            at += text;
            if text > 0 {
                source_end = at;
            }
            len += text;
            if at == special {
                let Some((bytes, shown, read)) = html.get(at..).and_then(decode_reference_or_cr)
                else {
                    break;
                };
                write_at(buffer, text, bytes);
                len += shown;
                at += read;
                if shown > 0 {
                    source_end = at;
                }
            } else if text < HTML_ROOM {
                let Some(tag) =
                    read_bare_tag(html, at).or_else(|| self.read_and_record_plain_tag(html, at))
                else {
                    break;
                };
                let (bytes, shown) = tag.display_at(html, at).tag_replacement();
                if tag.display.is_block() {
                    if tag.display == Display::Preformatted {
                        update_preformatted(preformatted, tag.closes);
                        line_feeds = LineFeeds::keep_if(*preformatted > 0);
                    }
                    (len..len + shown).for_each(|at| self.breaks.push(at, BreakKind::Hard));
                }
                write_at(buffer, text, bytes);
                len += shown;
                at = tag.end;
                if shown > 0 {
                    source_end = at;
                }
            }
            if at >= next_mark {
                let within = self.within;
                self.marks.push(Mark {
                    derived: len,
                    source: at,
                    preformatted: *preformatted,
                    within,
                });
                next_mark = at + Mark::STRIDE;
            }
        }
        self.last = next_mark - Mark::STRIDE;
        (self.memory, self.len, self.source_end, self.special) = (memory, len, source_end, special);
        at
    }
}

impl TextReceiver for Writer<'_> {
    const HANDLES_MARKUP: bool = true;

    fn copy_text(
        &mut self,
        html: &[u8],
        from: usize,
        is_text: bool,
        preformatted: &mut u32,
    ) -> usize {
        let mut at = from;
        if is_text {
            at += 1;
            self.push_replacement(html.get(from..at).unwrap_or_default(), from, at);
        }
        self.write_text_run(html, at, preformatted)
    }

    fn copy_range(&mut self, html: &[u8], from: usize, to: usize, preformatted: bool) {
        let text = html.get(from..to).unwrap_or_default();
        while self.memory.len() < self.len + text.len() {
            grow_for_step(&mut self.memory, self.len);
        }
        let buffer = self.memory.get_mut(self.len..).unwrap_or_default();
        for (written, &byte) in buffer.iter_mut().zip(text) {
            *written = if byte == b'\n' && !preformatted { b' ' } else { byte };
        }
        self.len += text.len();
        if !text.is_empty() {
            self.source_end = to;
        }
    }

    #[inline]
    fn push_replacement(&mut self, bytes: &[u8], _from: usize, to: usize) {
        // `bytes` is one character, which has at most four bytes in UTF-8.
        if self.memory.len() < self.len + 4 {
            grow_for_step(&mut self.memory, self.len);
        }
        if let Some(buffer) = self.memory.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<4>)
        {
            buffer.iter_mut().zip(bytes).for_each(|(written, byte)| *written = *byte);
        }
        self.len += bytes.len();
        self.source_end = to;
    }

    #[inline]
    fn record_place(&mut self, place: usize) {
        self.places.push(place);
    }

    fn record_unclosed(&mut self, place: usize) {
        self.places.push_unclosed(place);
    }

    #[inline]
    fn mark_hard_breaks(&mut self, count: usize) {
        (self.len..self.len + count).for_each(|at| self.breaks.push(at, BreakKind::Hard));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::maps::OtherMap;
    use urlsift_core::{MapBuilder, Span, SpanMap};

    /// A receiver that writes the text and its map byte by byte, from the start.
    #[derive(Default)]
    struct Reference {
        text: Vec<u8>,
        map: MapBuilder,
    }

    impl TextReceiver for Reference {
        const HANDLES_MARKUP: bool = false;

        fn copy_text(
            &mut self,
            html: &[u8],
            from: usize,
            is_text: bool,
            preformatted: &mut u32,
        ) -> usize {
            let is_mark = |byte: &u8| b"<&\r".contains(byte);
            let behind = from + usize::from(is_text);
            let to = html[behind..].iter().position(is_mark).map_or(html.len(), |at| behind + at);
            self.copy_range(html, from, to, *preformatted > 0);
            to
        }

        fn copy_range(&mut self, html: &[u8], from: usize, to: usize, preformatted: bool) {
            for (at, &byte) in html.iter().enumerate().take(to).skip(from) {
                if byte == b'\n' && !preformatted {
                    self.push_replacement(b" ", at, at + 1);
                } else {
                    self.text.push(byte);
                    self.map.push_copied(7 + at, 1);
                }
            }
        }

        fn push_replacement(&mut self, bytes: &[u8], from: usize, to: usize) {
            self.text.extend_from_slice(bytes);
            self.map.push_replaced(Span::new(7 + from, 7 + to), bytes.len());
        }
    }

    #[test]
    fn end_of_a_link_or_of_verbatim_text_ends_its_url() {
        for (html, expected) in [
            ("<a href='http://h/a'>http://h/a</a>b", "http://h/a b"),
            ("<A HREF='x'>see http://h/a</A>\u{304b}", "see http://h/a \u{304b}"),
            ("<a href='x'><b>http://h/a</b></a>b", "http://h/a b"),
            ("<a href='x'>http://h/a_</a>(b)", "http://h/a_(b)"),
            ("<a href='x'>a</a>b <i>http://h/a</i>b", "ab http://h/ab"),
            ("<a href='x'>http://h/a is</a>b", "http://h/a isb"),
            (
                "<tt>http://h/a</tt>\u{304b} <CODE class=x>http://h/a</CODE>b",
                "http://h/a \u{304b} http://h/a b",
            ),
            ("http://h/a</abbr>b", "http://h/ab"),
        ] {
            let shown = displayed_text(html.as_bytes(), 0, Vec::new(), &mut Breaks::new(), 0);
            assert_eq!(String::from_utf8_lossy(shown.text()), expected, "{html}");
        }
    }

    #[test]
    fn reading_from_marks_gives_the_same_text() {
        const PIECES: [&str; 38] = [
            "http://host.dom/a",
            "</a>",
            "b",
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
            "<title>",
            "</TITLE>",
            "<textarea name='x'>",
            "</textarea >",
            "<xmp>",
            "</xmp>",
            "<noscript>",
            "</noscript>",
            "<iframe src='x'>",
            "</iframe>",
            "<style>b</style>",
            "<style>",
        ];
        let mut state = 1738_usize;
        let mut below = |limit: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        for round in 0..300 {
            // A style that is never closed ends the text, so it is used in few rounds.
            let pieces = if round % 4 == 0 { PIECES.len() } else { PIECES.len() - 1 };
            let html: String = (0..below(200)).map(|_| PIECES[below(pieces)]).collect();
            let html = html.as_bytes();
            let mut out = Reference::default();
            let preformatted = u32::from(round % 3 == 0);
            let mut reader = Reader::new(html, 0, preformatted, Within::NOTHING);
            while reader.pass_next_text(&mut out) {}
            let (text, map): (_, SpanMap) = (out.text, out.map.finish());
            let memory = vec![0xFF; below(300)];
            let shown = displayed_text(html, 7, memory, &mut Breaks::new(), preformatted);
            assert_eq!(shown.text(), text);
            if text.is_empty() {
                continue;
            }
            for _ in 0..200 {
                let start = below(text.len() + 2);
                let len = if below(2) == 0 { below(40) } else { below(2_000) };
                let span = Span::new(start, start + len);
                assert_eq!(shown.map.to_source_span(span), map.to_source(span), "{span:?}");
                assert_eq!(shown.map.is_verbatim(span), map.is_verbatim(span), "{span:?}");
                let pieces: Vec<_> =
                    map.copied_pieces(span).filter(|(text, _)| !text.is_empty()).collect();
                assert_eq!(shown.map.copied_pieces(span), pieces, "{span:?}");
            }
        }
    }
}
