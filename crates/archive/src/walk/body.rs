//! Walks bodies: decodes transfer encodings, and charsets that can't be scanned in place.

use super::parts::Delimiters;
use super::walker::{Flow, Stage, Walker};
use crate::content::{Content, Encoding, MediaType};
use crate::decode::charset::{self, Coding};
use crate::decode::layer::Layer;
use crate::decode::quoted_printable::{self, Escapes};
use crate::decode::{base64, content_lines, flowed};
use crate::dialect::Dialect;
use crate::document::DocumentKind;
use crate::limit::Limit;
use crate::mbox::MessageRange;
use crate::notation::{Notation, xml};
use crate::options::Options;
use crate::pipermail;
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use memchr::memchr;
use std::borrow::Cow;
use urlsift_core::Charset;

impl Walker<'_> {
    /// Walks the body at `range`: decodes its transfer encoding if necessary, and sends its
    /// documents to the sink. `content` describes the body.
    pub(super) fn walk_body(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        if self.long.is_some() {
            return self.with_cut_marked(stage, &range.clone(), |walker| {
                walker.walk_whole_or_cut_body(stage, range, content)
            });
        }
        self.walk_whole_or_cut_body(stage, range, content)
    }

    /// Does the work of [`Walker::walk_body`], both for a whole body and for a piece of a long one.
    fn walk_whole_or_cut_body(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        let raw = stage.slice(&range);
        let composite = matches!(content.kind, MediaType::Multipart | MediaType::Digest)
            && content.encoding != Encoding::None;
        let (decoded, layer) = match content.encoding {
            // By RFC 2045 §6.4, a multipart body is not encoded. If its delimiters are readable, a
            // label that says otherwise is wrong.
            _ if composite
                && Delimiters::new(content.boundary).next_delimiter(raw, 0).is_some() =>
            {
                return self.walk_decoded_body(stage, range, content);
            }
            Encoding::None => return self.walk_decoded_body(stage, range, content),
            Encoding::Uuencode => return self.emit_raw_text(stage, range),
            Encoding::Base64 if content.kind == MediaType::Other => {
                // A picture contains no text, but a mislabeled part that isn't base64 is scanned as
                // it is.
                return if base64::has_no_colon(raw) {
                    Continue(())
                } else {
                    self.emit_raw_text(stage, range)
                };
            }
            Encoding::Base64 => {
                let memory = core::mem::take(&mut self.spare);
                (base64::decode_base64(raw, range.start, memory), Layer::Base64)
            }
            Encoding::QuotedPrintable => {
                if memchr(b'=', raw).is_none() {
                    return self.walk_decoded_body(stage, range, content);
                }
                let memory = core::mem::take(&mut self.spare);
                let text = quoted_printable::decode_quoted_printable(
                    raw,
                    range.start,
                    quoted_printable_escapes(content),
                    memory,
                );
                (text, Layer::QuotedPrintable)
            }
        };
        self.with_decoded_text(stage, decoded, &stage.layers_with(layer), |walker, inner| {
            walker.walk_decoded_body(inner, inner.whole_range(), content)
        })
    }

    /// Walks a body whose transfer encoding was decoded, in the way that its media type requires.
    fn walk_decoded_body(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        match content.kind {
            MediaType::Multipart | MediaType::Digest => self.walk_multipart(stage, range, content),
            MediaType::Message if stage.depth < self.options.max_depth => {
                self.walk_message(&stage.one_level_deeper(), MessageRange::without_envelope(range))
            }
            MediaType::Message => {
                self.tally.limits.add(Limit::Nesting, 1);
                self.emit_text(stage, range, content)
            }
            MediaType::Packed(format) => self.walk_packed_item(stage, range, format),
            MediaType::Html => self.walk_html(stage, range, content),
            MediaType::Gettext => {
                self.emit_notation(stage, range, Notation::Gettext, content.charset)
            }
            MediaType::Json => self.emit_notation(stage, range, Notation::Json, content.charset),
            MediaType::Xml => {
                let find = xml::declared_charset;
                let label = self.charset_of_body(stage.slice(&range), content.charset, find);
                self.emit_notation(stage, range, Notation::Xml, &label)
            }
            MediaType::ContentLines => {
                match content_lines::decode_content_lines(stage.slice(&range), range.start) {
                    None => self.emit_text(stage, range, content),
                    Some(made) => {
                        let layers = stage.layers_with(Layer::ContentLines);
                        self.with_decoded_text(stage, made, &layers, |walker, inner| {
                            walker.emit_text(inner, inner.whole_range(), content)
                        })
                    }
                }
            }
            _ => self.emit_text(stage, range, content),
        }
    }

    /// Calls `continue_with` with the text at `range`, in a charset that can be scanned. If text in
    /// the charset called `label` can be scanned, the text is passed unchanged. Otherwise, it is
    /// converted to UTF-8.
    pub(super) fn with_scannable_charset(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        label: &[u8],
        continue_with: impl FnOnce(&mut Self, &Stage<'_>, Range<usize>, Charset) -> Flow,
    ) -> Flow {
        let coding = charset::coding_of_label(charset_label(label, self.options));
        let coding = charset::coding_of_text(stage.slice(&range), coding);
        self.with_coding(stage, range, coding, continue_with)
    }

    /// Does the work of [`Walker::with_scannable_charset`] for a text whose coding is known.
    fn with_coding(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        coding: Coding,
        continue_with: impl FnOnce(&mut Self, &Stage<'_>, Range<usize>, Charset) -> Flow,
    ) -> Flow {
        match charset::decode_charset(stage.slice(&range), coding, range.start) {
            Ok((text, layer)) => {
                self.with_decoded_text(stage, text, &stage.layers_with(layer), |walker, inner| {
                    continue_with(walker, inner, inner.whole_range(), Charset::Utf8)
                })
            }
            Err(charset) => continue_with(self, stage, range, charset),
        }
    }

    /// Returns the label of the charset of `text`, an HTML page or an XML document: `label`, which
    /// is given outside of the text, or else the label that `find` finds in it. The text may be a
    /// piece of a long body, and the label in an earlier piece. Returns an empty label if there is
    /// none.
    pub(super) fn charset_of_body<'t>(
        &mut self,
        text: &'t [u8],
        label: &'t [u8],
        find: fn(&[u8]) -> Option<&[u8]>,
    ) -> Cow<'t, [u8]> {
        if !label.is_empty() {
            return Cow::Borrowed(label);
        }
        if let Some(page) = self.take_resumed_page() {
            return Cow::Owned(page.charset);
        }
        let label = find(text).unwrap_or_default();
        if let Some(piece) = self.piece_of_cut_body() {
            piece.page.charset = label.to_vec();
        }
        Cow::Borrowed(label)
    }

    /// Sends a text part to the sink. In texts from Pipermail, first restores the `@` in `mailto`
    /// URLs, which is written as ` at `.
    pub(super) fn emit_text(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        let made = if self.is_obscured {
            pipermail::restore_at_signs(stage.slice(&range), range.start)
        } else {
            None
        };
        match made {
            None => self.emit_restored_text(stage, range, content),
            Some(made) => self.with_decoded_text(
                stage,
                made,
                &stage.layers_with(Layer::Pipermail),
                |walker, inner| walker.emit_restored_text(inner, inner.whole_range(), content),
            ),
        }
    }

    /// Does the work of [`Walker::emit_text`] after the `@` in `mailto` URLs was restored: decodes
    /// the charset, and finds the soft breaks.
    fn emit_restored_text(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        let label = charset_label(content.charset, self.options);
        let mut coding = charset::coding_of_label(label);
        if content.kind == MediaType::Markdown {
            coding = charset::coding_of_text(stage.slice(&range), coding);
        }
        self.with_coding(stage, range, coding, |walker, stage, range, charset| {
            if content.kind == MediaType::Markdown {
                return walker.emit_markup(stage, range, Dialect::Markdown, charset);
            }
            if content.flowed && content.kind == MediaType::Text {
                flowed::push_line_breaks(stage.slice(&range), content.del_sp, &mut walker.breaks);
            }
            let flow =
                walker.emit_document(stage, range, DocumentKind::Text(Dialect::Plain), charset);
            walker.breaks.clear();
            flow
        })
    }
}

/// Returns the name of a text's charset: the name `label` that the text declares, or the charset in
/// `options` if `label` is empty.
pub(crate) fn charset_label<'l>(label: &'l [u8], options: &'l Options) -> &'l [u8] {
    match options.encoding {
        Some(encoding) if label.is_empty() => encoding.name().as_bytes(),
        _ => label,
    }
}

/// Returns the escapes to decode in a quoted-printable part, which depend on the part's charset and
/// media type.
fn quoted_printable_escapes(content: &Content<'_>) -> Escapes {
    let is = |name: &[u8]| content.charset.eq_ignore_ascii_case(name);
    match content.kind {
        // The charset is declared inside the body.
        MediaType::Multipart | MediaType::Digest | MediaType::Message => Escapes::Shifting,
        MediaType::Html | MediaType::Xml if is(b"") => Escapes::Shifting,
        MediaType::Other | MediaType::Packed(_) => Escapes::AnyByte,
        _ if is(b"us-ascii") || is(b"ascii") => Escapes::Ascii,
        _ if is(b"") => Escapes::Unlabelled,
        _ => charset::coding_of_label(content.charset).quoted_printable_escapes(),
    }
}
