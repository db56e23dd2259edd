//! The walk through files whose texts can't be located in their bytes, such as TNEF. All documents
//! in such a file have the bounds of the file as their position.

use super::walker::{Flow, Stage, Walker};
use crate::content::{Content, MediaType, PackedItem};
use crate::decode::derived::{Decoded, Derived};
use crate::decode::layer::Layer;
use crate::dialect::Dialect;
use crate::document::DocumentKind;
use crate::limit::Limit;
use crate::mbox::MessageRange;
#[cfg(feature = "msg")]
use crate::outlook::msg;
use crate::outlook::{Attached, Attachment, Item, tnef};
#[cfg(feature = "pdf")]
use crate::pdf::PdfFile;
use core::ops::ControlFlow::{Break, Continue};
use core::ops::Range;
use urlsift_core::Charset;

impl Stage<'_> {
    /// Returns the name of the item `name` in the current item.
    fn nested_item(&self, name: &[u8]) -> Vec<u8> {
        let separator: &[u8] = if self.item.is_empty() { b"" } else { b"!/" };
        [self.item, separator, name].concat()
    }
}

/// The position of a packed file, and its layers.
#[derive(Clone, Copy)]
struct PackedFile<'p> {
    /// The bounds of the file in the text that contains it.
    range: (usize, usize),
    /// The layers of the stage, and the layer of the file's format.
    layers: &'p [Layer],
}

impl PackedFile<'_> {
    /// Returns a text of the file, with a map to the bounds of the file.
    fn text(&self, text: &[u8]) -> Decoded {
        let (start, end) = self.range;
        let mut out = Derived::new(text.len(), 0);
        out.push_replacement(text, start, end);
        out.finish()
    }
}

impl Walker<'_> {
    /// Walks the file at `range`, which is in a packed format. If it can't be read, its bytes are
    /// scanned as they are.
    pub(super) fn walk_packed_item(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        format: PackedItem,
    ) -> Flow {
        let bytes = stage.slice(&range);
        let limit = if stage.depth >= self.options.max_depth {
            Limit::Nesting
        } else if bytes.len() > self.options.max_message {
            Limit::Length
        } else {
            let read = match format {
                PackedItem::Tnef => tnef::read(bytes).map(|item| (Layer::Tnef, item)),
                #[cfg(feature = "msg")]
                PackedItem::Msg => msg::read(bytes).map(|item| (Layer::Msg, item)),
                #[cfg(feature = "pdf")]
                PackedItem::Pdf => match PdfFile::open(bytes) {
                    Some(file) => return self.walk_pdf(stage, range, &file),
                    None => None,
                },
                #[cfg(not(all(feature = "msg", feature = "pdf")))]
                _ => None,
            };
            match read {
                Some((layer, item)) => {
                    return self.walk_outlook_file(stage, range, (format, layer), &item);
                }
                None => Limit::Format,
            }
        };
        self.tally.limits.add(limit, 1);
        self.emit_binary(stage, range)
    }

    /// Walks a file of Outlook that contains the message `item`. `format` is the format of the
    /// file, and its layer.
    fn walk_outlook_file(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        (format, layer): (PackedItem, Layer),
        item: &Item<'_>,
    ) -> Flow {
        let stage = &stage.one_level_deeper();
        let layers = stage.layers_with(layer);
        let file = PackedFile { range: (range.start, range.end), layers: &layers };
        // In mail, a TNEF file contains parts of the same message.
        if format == PackedItem::Tnef && stage.message.is_some() {
            return self.walk_item_parts(file, stage, item);
        }
        if stage.message.is_none() {
            self.tally.messages += 1;
            self.parts = 0;
        }
        self.walk_item(file, stage, item)
    }

    /// Walks the pages of a PDF file: the text and the links of each.
    #[cfg(feature = "pdf")]
    fn walk_pdf(&mut self, stage: &Stage<'_>, range: Range<usize>, pdf: &PdfFile) -> Flow {
        let layers = stage.layers_with(Layer::Pdf);
        let file = PackedFile { range: (range.start, range.end), layers: &layers };
        pdf.visit_pages(|page| {
            let name = format!("page {}", page.number).into_bytes();
            // Links of the outline are on no page.
            let name =
                if page.number == 0 { stage.item.to_vec() } else { stage.nested_item(&name) };
            let stage = Stage { item: &name, ..*stage };
            self.tally.limits.add(Limit::Length, page.is_cut.into());
            let text = (page.text.as_bytes(), DocumentKind::Text(Dialect::Plain));
            let links = page.links.iter().map(|link| (&link[..], DocumentKind::Destination));
            for (text, kind) in core::iter::once(text).chain(links) {
                self.with_decoded_text(&stage, file.text(text), &layers, |walker, inner| {
                    walker.emit_document(inner, inner.whole_range(), kind, Charset::Utf8)
                })?;
            }
            Continue(())
        })
    }

    /// Sends the bytes at `range`, which are not text, to the sink.
    fn emit_binary(&mut self, stage: &Stage<'_>, range: Range<usize>) -> Flow {
        self.emit_document(stage, range, DocumentKind::Text(Dialect::Binary), Charset::Utf8)
    }

    /// Walks a message in a packed file. `stage` is the stage of the message that contains it.
    fn walk_item(&mut self, file: PackedFile<'_>, stage: &Stage<'_>, item: &Item<'_>) -> Flow {
        let header = [&item.header[..], b"\n"].concat();
        self.with_decoded_text(stage, file.text(&header), file.layers, |walker, inner| {
            let whole = inner.whole_range();
            let range = MessageRange::without_envelope(whole.clone());
            let message = walker.start_message_at(inner, range);
            walker.emit_message_start(inner, &message)?;
            let part = core::mem::take(&mut walker.part);
            let header = Stage { message: Some(&message), ..*inner };
            let stage = Stage { message: Some(&message), ..*stage };
            let flow = walker.walk_entity(&header, whole, MediaType::Text);
            let flow = match flow {
                Continue(()) => walker.walk_item_parts(file, &stage, item),
                stopped @ Break(()) => stopped,
            };
            walker.part = part;
            flow
        })
    }

    /// Walks the bodies and attachments of a message in a packed file. `stage` is that of the
    /// message.
    fn walk_item_parts(
        &mut self,
        file: PackedFile<'_>,
        stage: &Stage<'_>,
        item: &Item<'_>,
    ) -> Flow {
        let len = self.part.len();
        let mut number = 0_usize;
        for text in &item.texts {
            number += 1;
            self.start_item_part(len, number);
            let content = Content {
                kind: text.media,
                charset: text.charset.as_bytes(),
                ..Content::default()
            };
            let flow = self.with_decoded_text(
                stage,
                file.text(&text.bytes),
                file.layers,
                |walker, inner| walker.walk_body(inner, inner.whole_range(), &content),
            );
            self.part.truncate(len);
            flow?;
        }
        for attachment in &item.attachments {
            number += 1;
            self.parts += 1;
            if self.parts > self.options.max_parts {
                self.tally.limits.add(Limit::Parts, 1);
                break;
            }
            self.start_item_part(len, number);
            let flow = self.walk_attachment(file, stage, (attachment, number));
            self.part.truncate(len);
            flow?;
        }
        Continue(())
    }

    /// Appends the number of a part to the current one, which is `len` bytes long.
    fn start_item_part(&mut self, len: usize, number: usize) {
        if len > 0 {
            self.part.push('.');
        }
        self.part.push_str(&number.to_string());
    }

    /// Walks an attachment of a message in a packed file, which is its part `number`. `stage` is
    /// that of the message.
    fn walk_attachment(
        &mut self,
        file: PackedFile<'_>,
        stage: &Stage<'_>,
        (attachment, number): (&Attachment<'_>, usize),
    ) -> Flow {
        let unnamed = format!("attachment {number}");
        let name = if attachment.name.is_empty() { unnamed.as_bytes() } else { &attachment.name };
        let name = stage.nested_item(name);
        let stage = &Stage { item: &name, ..stage.one_level_deeper() };
        match &attachment.contents {
            Attached::Message(item) => self.walk_item(file, stage, item),
            Attached::File(bytes) => {
                let content = Content::of_file(&attachment.media_type, &attachment.name);
                // As in mail, pictures and programs contain no text.
                if content.kind == MediaType::Other {
                    return Continue(());
                }
                self.with_decoded_text(stage, file.text(bytes), file.layers, |walker, inner| {
                    walker.walk_body(inner, inner.whole_range(), &content)
                })
            }
        }
    }
}
