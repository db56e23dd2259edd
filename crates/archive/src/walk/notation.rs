//! The walk through files in formats with escapes, such as JSON and program source.

use super::walker::{Flow, Stage, Walker};
use crate::decode::layer::Layer;
use crate::dialect::Dialect;
use crate::document::DocumentKind;
use crate::limit::Limit;
use crate::notation::{Notation, jupyter};
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use urlsift_core::Charset;

impl Walker<'_> {
    /// Walks a file in a format with escapes, such as JSON, piece by piece. In a Jupyter notebook,
    /// the pieces are the cells and the JSON between them.
    pub(super) fn walk_notation(&mut self, stage: &Stage<'_>, notation: Notation) -> Flow {
        let max_len = self.options.max_message;
        let is_long = stage.text.len() > max_len;
        let notation = if is_long { notation.for_long_text() } else { notation };
        let layers = stage.layers_with(notation.layer());
        if notation != Notation::Jupyter {
            let mut pieces = notation.split_into_pieces(stage.text, max_len);
            return pieces
                .try_for_each(|range| self.emit_notation_piece(stage, range, notation, &layers));
        }
        let json = stage.layers_with(Layer::Json);
        let mut from = 0;
        for cell in jupyter::notebook_cells(stage.text) {
            let whole = cell.map.to_source(urlsift_core::Span::new(0, cell.text.len()));
            if cell.text.is_empty() || whole.start < from {
                continue;
            }
            self.emit_notation_piece(stage, from..whole.start, Notation::Json, &json)?;
            let maps = stage.maps.with_inner_map(&cell.map);
            let inner = Stage { text: &cell.text, maps, decoded: &layers, ..*stage };
            if cell.is_program {
                let kind = DocumentKind::Text(Dialect::Plain);
                self.emit_document(&inner, inner.whole_range(), kind, Charset::Utf8)?;
            } else {
                self.emit_markup(&inner, inner.whole_range(), Dialect::Markdown, Charset::Utf8)?;
            }
            from = whole.end;
        }
        self.emit_notation_piece(stage, from..stage.text.len(), Notation::Json, &json)
    }

    /// Sends the text at `range`, which declares no charset, to the sink. It is read in the charset
    /// that the options give, or else in UTF-8.
    fn emit_unlabelled(&mut self, stage: &Stage<'_>, range: Range<usize>) -> Flow {
        self.with_scannable_charset(stage, range, b"", |walker, stage, range, charset| {
            walker.emit_document(stage, range, DocumentKind::Text(Dialect::Plain), charset)
        })
    }

    /// Sends a piece of a file to the sink, with its escapes decoded. A piece that is longer than
    /// `max_message` is not decoded.
    pub(super) fn emit_notation_piece(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        notation: Notation,
        layers: &[Layer],
    ) -> Flow {
        if range.is_empty() {
            return Continue(());
        }
        let raw = stage.slice(&range);
        let is_long = raw.len() > self.options.max_message;
        self.tally.limits.add(Limit::Length, is_long.into());
        let made = (!is_long).then(|| notation.decode_escapes(raw, range.start, &mut self.spare));
        match made.flatten() {
            None => self.emit_unlabelled(stage, range),
            Some(made) => self.with_decoded_text(stage, made, layers, |walker, inner| {
                walker.emit_unlabelled(inner, inner.whole_range())
            }),
        }
    }
}
