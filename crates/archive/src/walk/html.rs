//! HTML parts and files, taken apart into documents.

use super::walker::{Flow, Stage, Walker};
use crate::content::Content;
use crate::decode::charset::Charset;
use crate::decode::derived::Decoded;
use crate::decode::layer::Layer;
use crate::document::{Dialect, DocumentKind};
use crate::html::{self, Piece};
use core::ops::ControlFlow::{Break, Continue};
use core::ops::Range;
use memchr::memchr;

type Decode = fn(&[u8], usize) -> Decoded;

impl Walker<'_> {
    /// Walks an HTML part or file, which is one page.
    pub(super) fn html(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        let label = match content.charset {
            b"" => html::declared_charset(stage.slice(&range)).unwrap_or_default(),
            label => label,
        };
        self.page = Some(self.pages);
        self.pages += 1;
        let flow = self.in_charset(stage, range, label, Self::page);
        self.page = None;
        flow
    }

    /// Hands over a page: attributes and comments as they come, then the text.
    fn page(&mut self, stage: &Stage<'_>, range: Range<usize>, charset: Charset) -> Flow {
        let decoded = stage.and(Layer::Html);
        let mut breaks = Vec::new();
        let taken = html::take_apart(stage.slice(&range), range.start, &mut breaks, |piece| {
            let place = |piece: Range<usize>| range.start + piece.start..range.start + piece.end;
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
            let Some(decode) = decode else { return self.emit(stage, place, kind, charset) };
            let text = decode(stage.slice(&place), place.start);
            self.derived(stage, text, &decoded, |walker, inner| {
                walker.emit(inner, inner.whole(), kind, charset)
            })
        });
        let shown = match taken {
            Continue(shown) => shown,
            Break(()) => return Break(()),
        };
        self.breaks = breaks;
        let flow = self.derived(stage, shown, &decoded, |walker, inner| {
            walker.emit(inner, inner.whole(), DocumentKind::Text(Dialect::Plain), charset)
        });
        self.breaks.clear();
        flow
    }
}
