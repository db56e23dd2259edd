//! Walks texts in a markup language: the running text, and the values that the markup delimits.

use super::walker::{Flow, Frame, Stage, Walker, document_part_number};
use crate::decode::derived::Derived;
use crate::dialect::Dialect;
use crate::document::{DocumentKind, Sink, Tags};
use crate::markup::{self, Region};
use core::cell::Cell;
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use urlsift_core::Charset;

impl Walker<'_> {
    /// Sends a text in a markup language to the sink. Link destinations and attributes are replaced
    /// by a space in the running text, and attached to it as documents of their own.
    ///
    /// A text that is too long to be parsed, or of which only a piece is available, is sent as
    /// plain text.
    pub(super) fn emit_markup(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        dialect: Dialect,
        charset: Charset,
    ) -> Flow {
        let kind = DocumentKind::Text(dialect);
        let text = stage.slice(&range);
        let is_piece = self.long.as_ref().is_some_and(|piece| piece.is_in_cut);
        let is_source = self.options.html_source || self.options.refang;
        if is_source || is_piece || text.len() > self.options.max_message {
            return self.emit_document(stage, range, kind, charset);
        }
        let values = markup::url_value_regions(text, dialect);
        if values.is_empty() {
            return self.emit_document(stage, range, kind, charset);
        }
        let mut made = Derived::reusing_buffer(core::mem::take(&mut self.spare), range.start);
        let mut from = 0;
        for Region { span, .. } in &values {
            made.push_copy(text, from, span.start);
            made.push_replacement(b" ", span.start, span.end);
            from = span.end;
        }
        made.push_copy(text, from, text.len());
        let made = made.finish();
        let part = document_part_number(&self.part, stage, kind).to_owned();
        let tags = Values {
            stage: *stage,
            start: range.start,
            dialect,
            charset,
            regions: values,
            next: Cell::new(0),
            frame: Frame { base: self.base, part: &part, page: self.page, is_chrome: false },
        };
        let maps = stage.maps.with_inner_map(&made.map);
        let inner = Stage { text: &made.text, maps, ..*stage };
        let flow =
            self.emit_document_with_tags(&inner, inner.whole_range(), kind, charset, Some(&tags));
        self.keep_spare_buffer(made.text);
        flow?;
        tags.emit_up_to(usize::MAX, self.sink)
    }
}

/// The values that the markup of a text delimits, such as link destinations: see [`Tags`].
#[derive(Debug)]
struct Values<'v> {
    stage: Stage<'v>,
    /// The offset of the text in that of the stage.
    start: usize,
    dialect: Dialect,
    charset: Charset,
    regions: Vec<Region>,
    /// The index of the first value that was not emitted.
    next: Cell<usize>,
    frame: Frame<'v>,
}

impl Values<'_> {
    /// Sends the document for the value of `region` to `sink`, decoded if necessary.
    fn emit_value(&self, region: Region, sink: &mut Sink<'_>) -> Flow {
        let kind = DocumentKind::Destination;
        let span = region.span.shifted(self.start);
        let region = Region { span, ..region };
        let Some((made, layer)) = markup::decode_region(self.stage.text, region, self.dialect)
        else {
            return self.frame.emit_document(&self.stage, span.range(), kind, self.charset, sink);
        };
        let layers = self.stage.layers_with(layer);
        let maps = self.stage.maps.with_inner_map(&made.map);
        let inner = Stage { text: &made.text, maps, decoded: &layers, ..self.stage };
        self.frame.emit_document(&inner, inner.whole_range(), kind, self.charset, sink)
    }
}

impl Tags for Values<'_> {
    fn has_more(&self) -> bool {
        self.next.get() < self.regions.len()
    }

    fn emit_up_to(&self, last: usize, sink: &mut Sink<'_>) -> Flow {
        while let Some(&region) = self.regions.get(self.next.get()) {
            let at = self.start + region.span.start;
            if last < usize::MAX && self.stage.unit_offset_of(at) > last {
                break;
            }
            self.next.set(self.next.get() + 1);
            self.emit_value(region, sink)?;
        }
        Continue(())
    }
}
