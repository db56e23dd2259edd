//! HTML parts and files, taken apart into documents.

use super::walker::{Flow, Frame, Stage, Walker, part_of};
use crate::content::Content;
use crate::decode::derived::Decoded;
use crate::decode::layer::Layer;
use crate::dialect::Dialect;
use crate::document::{DocumentKind, Sink, Tags};
use crate::html::{self, Piece, Pieces};
use core::cell::RefCell;
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use memchr::memchr;
use urlsift_core::Charset;
use urlsift_core::Span;

type Decode = fn(&[u8], usize) -> Decoded;

impl Walker<'_> {
    /// Walks an HTML part or file, which is one page.
    pub(super) fn html(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        let (mut range, known) = (range, self.resumed_page());
        let label = match (content.charset, &known) {
            (b"", Some((label, _))) => label,
            (b"", None) => html::declared_charset(stage.slice(&range)).unwrap_or_default(),
            (label, _) => label,
        };
        if known.is_some() {
            range.start += html::next_tag(stage.slice(&range));
        } else if let Some(piece) = self.cut_piece() {
            piece.page.0 = label.to_vec();
        }
        self.page = Some(self.pages);
        self.pages += 1;
        let flow = self.in_charset(stage, range, label, Self::page);
        self.page = None;
        flow
    }

    /// What the start of the page says of the rest of it, if that start is in another piece of a long message.
    fn resumed_page(&mut self) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        self.cut_piece().filter(|piece| piece.is_resumed).map(|piece| piece.page.clone())
    }

    /// Hands over a page: its text, which brings along what its tags hold, and what of that nobody asked for.
    fn page(&mut self, stage: &Stage<'_>, range: Range<usize>, charset: Charset) -> Flow {
        let decoded = stage.and(Layer::Html);
        let html = stage.slice(&range);
        let base = match self.resumed_page() {
            _ if !self.options.bases => None,
            Some((_, base)) => base,
            None => html::base(html),
        };
        if let Some(piece) = self.cut_piece() {
            piece.page.1.clone_from(&base);
        }
        let bases: Vec<&[u8]> = stage.bases.iter().copied().chain(base.as_deref()).collect();
        let kind = DocumentKind::Text(Dialect::Plain);
        let part = part_of(&self.part, stage, kind).to_owned();
        let memory = core::mem::take(&mut self.spare);
        let mut shown = html::shown(html, range.start, memory, &mut self.breaks);
        let places = core::mem::take(&mut shown.places);
        let tags = PageTags {
            stage: Stage { bases: &bases, ..*stage },
            outer_bases: stage.bases,
            start: range.start,
            charset,
            decoded: &decoded,
            frame: Frame { base: self.base, part: &part, page: self.page },
            pieces: RefCell::new(Pieces::new(html, places)),
        };
        let maps = stage.maps.and_other(&shown.map);
        let inner = Stage { text: shown.text(), maps, decoded: &decoded, ..*stage };
        let flow = self.emit_with(&inner, inner.whole(), kind, charset, Some(&tags));
        self.keep(shown.into_memory());
        self.breaks.clear();
        flow?;
        tags.up_to(usize::MAX, self.sink)
    }
}

/// The documents of a page that are no text shown.
#[derive(Debug)]
struct PageTags<'p> {
    stage: Stage<'p>,
    /// What the page's own base is relative to.
    outer_bases: &'p [&'p [u8]],
    /// Where the page starts in the text at hand.
    start: usize,
    charset: Charset,
    /// What is undone where a value holds references.
    decoded: &'p [Layer],
    frame: Frame<'p>,
    pieces: RefCell<Pieces<'p>>,
}

impl PageTags<'_> {
    /// Hands over one piece.
    fn emit(&self, piece: Piece<'_>, sink: &mut Sink<'_>) -> Flow {
        let mut stage = self.stage;
        if matches!(piece, Piece::Attribute(html::BASE, _)) {
            stage.bases = self.outer_bases;
        }
        let place = |piece: Range<usize>| self.start + piece.start..self.start + piece.end;
        // The text as it stands, or where it holds references, what they stand for.
        let (place, kind, decode): (_, _, Option<Decode>) = match piece {
            Piece::Comment(inside) | Piece::Broken(inside) => {
                let place = place(inside);
                if memchr(b':', stage.slice(&place)).is_none() {
                    return Continue(());
                }
                (place, DocumentKind::Text(Dialect::Html), None)
            }
            Piece::Source(name, inside) => (place(inside), DocumentKind::Mention(name), None),
            Piece::Mention(name, inside) => {
                let place = place(inside);
                let coded = memchr(b'&', stage.slice(&place)).is_some();
                (place, DocumentKind::Mention(name), coded.then_some(html::mention))
            }
            Piece::Attribute(name, inside) => {
                let place = place(inside);
                let coded = html::is_coded(stage.slice(&place));
                (place, DocumentKind::Attribute(name), coded.then_some(html::attribute_value))
            }
        };
        let mut emit = |stage: &Stage<'_>, place, kind| {
            let document = self.frame.document(stage, place, kind, self.charset);
            document.map_or(Continue(()), |document| sink(&document))
        };
        let Some(decode) = decode else { return emit(&stage, place, kind) };
        let Decoded { text, map } = decode(stage.slice(&place), place.start);
        let inner =
            Stage { text: &text, maps: stage.maps.and(&map), decoded: self.decoded, ..stage };
        emit(&inner, inner.whole(), kind)
    }
}

impl Tags for PageTags<'_> {
    fn up_to(&self, last: usize, sink: &mut Sink<'_>) -> Flow {
        // Whoever asks from within gets nothing more.
        let Ok(mut pieces) = self.pieces.try_borrow_mut() else { return Continue(()) };
        while let Some(place) = pieces.place() {
            let at = self.start + place;
            if last < usize::MAX && self.stage.maps.source(Span::new(at, at + 1)).start > last {
                break;
            }
            pieces.next(&mut |piece| self.emit(piece, sink))?;
        }
        Continue(())
    }
}
