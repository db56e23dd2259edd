//! The walk through files in formats with escapes, such as JSON and program source.

use super::walker::{Flow, Stage, Walker};
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
        if notation != Notation::Jupyter {
            let label = notation.declared_charset(stage.text);
            let mut pieces = notation.split_into_pieces(stage.text, max_len);
            return pieces.try_for_each(|range| self.emit_notation(stage, range, notation, label));
        }
        let layers = stage.layers_with(notation.layer());
        let mut from = 0;
        for cell in jupyter::notebook_cells(stage.text) {
            let whole = cell.map.to_source(urlsift_core::Span::new(0, cell.text.len()));
            if cell.text.is_empty() || whole.start < from {
                continue;
            }
            self.emit_notation(stage, from..whole.start, Notation::Json, b"")?;
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
        self.emit_notation(stage, from..stage.text.len(), Notation::Json, b"")
    }

    /// Sends the text at `range`, a file or a piece of one, to the sink: decodes its charset, which is
    /// called `label`, and its escapes. The escapes of a text that is longer than `max_message` are
    /// not decoded.
    pub(super) fn emit_notation(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        notation: Notation,
        label: &[u8],
    ) -> Flow {
        if range.is_empty() {
            return Continue(());
        }
        let is_long = range.len() > self.options.max_message;
        self.tally.limits.add(Limit::Length, is_long.into());
        self.with_scannable_charset(stage, range, label, |walker, stage, range, charset| {
            let raw = stage.slice(&range);
            let memory = &mut walker.spare;
            let made = (!is_long).then(|| notation.decode_escapes(raw, range.start, memory));
            let kind = DocumentKind::Text(Dialect::Plain);
            match made.flatten() {
                None => walker.emit_document(stage, range, kind, charset),
                Some(made) => {
                    let layers = stage.layers_with(notation.layer());
                    walker.with_decoded_text(stage, made, &layers, |walker, inner| {
                        walker.emit_document(inner, inner.whole_range(), kind, charset)
                    })
                }
            }
        })
    }
}
