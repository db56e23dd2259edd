//! Walks HTML parts and files, and splits them into documents.

use super::walker::{Flow, Frame, PageState, Stage, Walker, document_part_number};
use crate::content::Content;
use crate::decode::derived::Decoded;
use crate::decode::layer::Layer;
use crate::dialect::Dialect;
use crate::document::{Document, DocumentKind, Sink, Tags};
use crate::html::{self, AutomaticLink, Inside, OpenMarkup, Piece, Pieces, Places};
use crate::notation::javascript;
use crate::page;
use core::cell::RefCell;
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use memchr::memchr;
use urlsift_core::Charset;

/// The meaning of the text of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkTexts {
    /// The text and the target are separate.
    Kept,
    /// If the text is the URL of the target, software made the link from the text.
    MayBeUrls,
}

/// A decoder for the value of an attribute. Its second argument is the offset of the value in the
/// stage.
type Decode = fn(&[u8], usize) -> Decoded;

impl Walker<'_> {
    /// Walks the HTML part or file at `range`, which is one page, and sends its documents to the
    /// sink.
    pub(super) fn walk_html(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        let find = html::declared_charset;
        let label = self.charset_of_body(stage.slice(&range), content.charset, find);
        self.page = Some(self.pages);
        self.pages += 1;
        let flow = self.with_scannable_charset(stage, range, &label, Self::emit_page_or_sections);
        self.page = None;
        flow
    }

    /// Returns the state of the page after the earlier pieces of a long message. Returns `None` if
    /// the page doesn't start in one of them.
    pub(super) fn take_resumed_page(&mut self) -> Option<PageState> {
        self.piece_of_cut_body().filter(|piece| piece.is_resumed).map(|piece| piece.page.clone())
    }

    /// Sends the documents of a page to the sink. A page of a mail archive is read in three
    /// sections, because list software wrote what is before and after the message.
    fn emit_page_or_sections(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        charset: Charset,
    ) -> Flow {
        let shows_message = stage.message.is_some_and(|message| message.is_page);
        let is_whole = self.long.is_none() && !self.options.html_source;
        let html = stage.slice(&range);
        let article = if shows_message && is_whole { page::find_article(html) } else { None };
        let Some(article) = article else {
            return self.emit_page(stage, range, charset, LinkTexts::Kept);
        };
        // The base URL, which is in the first section, applies to the others, too.
        let base = if self.options.bases { html::find_base_url(html) } else { None };
        let bases: Vec<&[u8]> = stage.bases.iter().copied().chain(base.as_deref()).collect();
        let [start, end] = [article.start, article.end].map(|at| range.start + at);
        self.is_chrome = true;
        self.emit_page(stage, range.start..start, charset, LinkTexts::Kept)?;
        let stage = Stage { bases: &bases, ..*stage };
        self.is_chrome = false;
        self.emit_page(&stage, start..end, charset, LinkTexts::MayBeUrls)?;
        self.is_chrome = true;
        let flow = self.emit_page(&stage, end..range.end, charset, LinkTexts::Kept);
        self.is_chrome = false;
        flow
    }

    /// Sends the documents of a page, or of a section of one, to the sink: first the page's text, then the documents for
    /// those tags that the sink did not request while it read the text.
    fn emit_page(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        charset: Charset,
        links: LinkTexts,
    ) -> Flow {
        if self.options.html_source {
            return self.emit_document(stage, range, DocumentKind::Text(Dialect::Html), charset);
        }
        let decoded = stage.layers_with(Layer::Html);
        let resumed = self.take_resumed_page();
        let start = resumed
            .as_ref()
            .map_or(range.start, |page| first_offset_at_source(stage, &range, page.place));
        let html = stage.slice(&(start..range.end));
        let PageState { base, open, .. } = match resumed {
            Some(page) => page,
            None if self.options.bases => {
                PageState { base: html::find_base_url(html), ..PageState::default() }
            }
            None => PageState::default(),
        };
        let (rest_of, from) =
            open.inside.as_ref().map_or((0, 0), |inside| inside.find_content_end(html));
        let unclosed =
            self.save_page_state(stage, (start..range.end, from), &open, base.as_deref());
        let bases: Vec<&[u8]> = stage.bases.iter().copied().chain(base.as_deref()).collect();
        let kind = DocumentKind::Text(Dialect::Plain);
        let part = document_part_number(&self.part, stage, kind).to_owned();
        let mut tags = PageTags {
            stage: Stage { bases: &bases, ..*stage },
            outer_bases: stage.bases,
            start,
            charset,
            decoded: &decoded,
            frame: Frame {
                base: self.base,
                part: &part,
                page: self.page,
                is_chrome: self.is_chrome,
            },
            links,
            has_link_texts: self.options.link_texts,
            unclosed: unclosed.as_deref(),
            pieces: RefCell::new(Pieces::new(&[], Places::default())),
        };
        if let Some(piece) =
            open.inside.as_ref().and_then(|inside| inside.piece_of_range(html, 0..rest_of))
        {
            tags.emit_piece(piece, self.sink)?;
        }
        tags.start += from;
        let html = html.get(from..).unwrap_or_default();
        let memory = core::mem::take(&mut self.spare);
        let mut shown =
            html::displayed_text(html, tags.start, memory, &mut self.breaks, open.preformatted);
        let places = core::mem::take(&mut shown.places);
        tags.pieces = RefCell::new(Pieces::new(html, places));
        let quotations: Vec<_> = html::quotation_ranges(html, open.quotations)
            .into_iter()
            .map(|range| {
                let [from, to] =
                    [range.start, range.end].map(|at| stage.unit_offset_of(tags.start + at));
                from..to
            })
            .collect();
        let maps = stage.maps.with_inner_computed_map(&shown.map);
        let quotations = &*quotations;
        let inner = Stage { text: shown.text(), maps, decoded: &decoded, quotations, ..*stage };
        let flow =
            self.emit_document_with_tags(&inner, inner.whole_range(), kind, charset, Some(&tags));
        self.keep_spare_buffer(shown.into_buffer());
        self.breaks.clear();
        flow?;
        tags.emit_up_to(usize::MAX, self.sink)
    }

    /// Saves the state of a page for the next piece of the long message, if there is one. `html` is
    /// the range of this piece, and `open` is the state of the page at offset `from` of that range.
    /// Returns the name of the script or style that starts in this piece and ends in another one.
    fn save_page_state(
        &mut self,
        stage: &Stage<'_>,
        (html, from): (Range<usize>, usize),
        open: &OpenMarkup,
        base: Option<&[u8]>,
    ) -> Option<String> {
        let piece = self.piece_of_cut_body()?;
        piece.page.base = base.map(<[u8]>::to_vec);
        let (at, latest) = piece.next?;
        let within = |at| first_offset_at_source(stage, &html, at) - html.start;
        let text = stage.slice(&html);
        let (at, open) = open.resume_offset_and_state(text, from, (within(at), within(latest)));
        let start = html.start + at;
        piece.page.place = stage.unit_offset_of(start);
        let inside = match &open.inside {
            None => open.resume_offset_and_state(text, at, (text.len(), text.len())).1.inside,
            inside => inside.clone(),
        };
        piece.page.open = open;
        match inside {
            Some(Inside::Source(name)) => Some(name),
            _ => None,
        }
    }
}

/// Returns the first offset in `range` of the stage's text whose source is at or after offset `at`
/// of the unit. Uses binary search.
fn first_offset_at_source(stage: &Stage<'_>, range: &Range<usize>, at: usize) -> usize {
    let (mut from, mut to) = (range.start, range.end);
    while from < to {
        let middle = from + (to - from) / 2;
        if stage.unit_offset_of(middle) < at {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

/// The documents in the tags, comments and scripts of a page: see [`Tags`].
#[derive(Debug)]
struct PageTags<'p> {
    stage: Stage<'p>,
    /// The base URLs for the page's own `<base href>`, which is relative to them.
    outer_bases: &'p [&'p [u8]],
    /// The offset of the page in the stage's text.
    start: usize,
    charset: Charset,
    /// The layers of a value that contains character references.
    decoded: &'p [Layer],
    /// The properties that all documents of the page have in common.
    frame: Frame<'p>,
    /// The name of the script or style that ends in another piece of a long message.
    unclosed: Option<&'p str>,
    links: LinkTexts,
    /// True if documents include the text after attribute values.
    has_link_texts: bool,
    /// The pieces of the page that were not emitted yet.
    pieces: RefCell<Pieces<'p>>,
}

impl PageTags<'_> {
    /// Sends the document for one attribute value, comment or script of the page to `sink`, decoded
    /// if necessary. The document includes the text after the value if the options request it.
    fn emit_piece(&self, piece: Piece<'_>, sink: &mut Sink<'_>) -> Flow {
        if let (true, Piece::Attribute(_, value)) = (self.has_link_texts, &piece) {
            let after = self.stage.text.get(self.start + value.end..).unwrap_or_default();
            return self.emit_decoded_piece(piece, &mut |document| {
                sink(&Document { after, ..document.clone() })
            });
        }
        self.emit_decoded_piece(piece, sink)
    }

    /// Does the same as [`PageTags::emit_piece`], but without the text after the piece.
    fn emit_decoded_piece(&self, piece: Piece<'_>, sink: &mut Sink<'_>) -> Flow {
        let mut stage = self.stage;
        if matches!(piece, Piece::Attribute(html::BASE, _)) {
            stage.bases = self.outer_bases;
        }
        let mut frame = self.frame;
        if self.links == LinkTexts::MayBeUrls
            && let Piece::Attribute("a/href", value) = &piece
        {
            let value = self.start + value.start..self.start + value.end;
            match html::automatic_link(self.stage.text, value) {
                AutomaticLink::None => {}
                AutomaticLink::Url => return Continue(()),
                AutomaticLink::Address => frame.is_chrome = true,
            }
        }
        let is_broken = matches!(piece, Piece::Broken(_));
        let place = |piece: Range<usize>| self.start + piece.start..self.start + piece.end;
        // The source is used unchanged, or decoded if it contains character references.
        let (place, kind, decode): (_, _, Option<Decode>) = match piece {
            Piece::Comment(inside) | Piece::Broken(inside) => {
                let place = place(inside);
                if memchr(b':', stage.slice(&place)).is_none() {
                    return Continue(());
                }
                let text = DocumentKind::Text(Dialect::Html);
                let source = self.unclosed.filter(|_| is_broken).map(DocumentKind::Mention);
                (place, source.unwrap_or(text), None)
            }
            Piece::Source(name, inside) => (place(inside), DocumentKind::Mention(name), None),
            Piece::Mention(name, inside) => {
                let place = place(inside);
                let coded = memchr(b'&', stage.slice(&place)).is_some();
                (place, DocumentKind::Mention(name), coded.then_some(html::decode_text_attribute))
            }
            Piece::Attribute(name, inside) => {
                let place = place(inside);
                let coded = html::may_need_decoding(stage.slice(&place));
                (place, DocumentKind::Attribute(name), coded.then_some(html::decode_url_attribute))
            }
        };
        let Some(decode) = decode else {
            return self.emit_unreferenced_value(&stage, place, kind, frame, sink);
        };
        let Decoded { text, map } = decode(stage.slice(&place), place.start);
        let inner = Stage {
            text: &text,
            maps: stage.maps.with_inner_map(&map),
            decoded: self.decoded,
            ..stage
        };
        self.emit_unreferenced_value(&inner, inner.whole_range(), kind, frame, sink)
    }

    /// Sends the document for a value without character references to `sink`. In a script, and in
    /// an attribute that may contain JSON or a script, the escapes in string literals are decoded.
    fn emit_unreferenced_value(
        &self,
        stage: &Stage<'_>,
        place: Range<usize>,
        kind: DocumentKind<'_>,
        frame: Frame<'_>,
        sink: &mut Sink<'_>,
    ) -> Flow {
        let has_literals =
            matches!(kind, DocumentKind::Mention(name) if name == "script" || name.contains('/'));
        let made = if has_literals {
            javascript::decode_javascript(stage.slice(&place), place.start)
        } else {
            None
        };
        let Some(Decoded { text, map }) = made else {
            return frame.emit_document(stage, place, kind, self.charset, sink);
        };
        let decoded = stage.layers_with(Layer::Json);
        let inner = Stage {
            text: &text,
            maps: stage.maps.with_inner_map(&map),
            decoded: &decoded,
            ..*stage
        };
        frame.emit_document(&inner, inner.whole_range(), kind, self.charset, sink)
    }
}

impl Tags for PageTags<'_> {
    fn has_more(&self) -> bool {
        self.pieces.try_borrow().is_ok_and(|pieces| pieces.next_place().is_some())
    }

    fn emit_up_to(&self, last: usize, sink: &mut Sink<'_>) -> Flow {
        // A call from within the sink gets no more documents.
        let Ok(mut pieces) = self.pieces.try_borrow_mut() else { return Continue(()) };
        while let Some(place) = pieces.next_place() {
            let at = self.start + place;
            if last < usize::MAX && self.stage.unit_offset_of(at) > last {
                break;
            }
            pieces.pass_next_pieces(&mut |piece| self.emit_piece(piece, sink))?;
        }
        Continue(())
    }
}
