//! Reads headers: the properties of the body that they declare, and the fields that are scanned.

use super::walker::{Flow, ScannedField, Stage, Walker};
use crate::content::{self, Content, Encoding, MediaType};
use crate::decode::derived::{Decoded, Derived};
use crate::decode::encoded_word;
use crate::decode::layer::Layer;
use crate::document::DocumentKind;
use crate::field_names::{Role, field_role, is_identifier_field, may_have_role};
use crate::header::{self, Field, ValueMarks};
use crate::limit::Limit;
use crate::mbox::MessageRange;
use crate::options::Headers;
use crate::simd;
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use memchr::memchr;
use urlsift_core::Charset;

/// The header of an entity (a message or a part of a message), with the properties of the body
/// after it.
pub(crate) struct EntityHeader<'t> {
    pub content: Content<'t>,
    /// True if the subject contains the word `digest`, so that the body may be a plain-text digest.
    is_digest: bool,
    /// True if the header contains a subject, which only messages have, not parts.
    pub is_mail: bool,
    /// The offset of the body.
    pub end: usize,
    /// True if the header is plain: see [`header::Fields::has_only_usual_lines`].
    pub is_plain: bool,
}

impl<'t> EntityHeader<'t> {
    fn new(default: MediaType) -> Self {
        let content = Content { kind: default, ..Content::default() };
        Self { content, is_digest: false, is_mail: false, end: 0, is_plain: false }
    }

    /// Reads the header at the start of `text` without collecting fields to scan. `default` is the
    /// media type if the header gives none.
    pub(crate) fn read(text: &'t [u8], default: MediaType) -> Self {
        let mut parsed = Self::new(default);
        let (end, is_plain) = header::visit_fields(text, 0, may_have_role, |field| {
            if !field.is_stray() {
                parsed.apply_field(text, field_role(&field), &field);
            }
        });
        Self { end, is_plain, ..parsed }
    }

    /// Updates the properties with the value of `field`, a header field with the role `role`.
    fn apply_field(&mut self, text: &[u8], role: Role, field: &Field<'t>) {
        match role {
            Role::ContentType => self.content.apply_content_type(field.value()),
            Role::Disposition => self.content.set_disposition(field.value()),
            Role::TransferEncoding => self.content.apply_transfer_encoding(field.value()),
            Role::Subject => {
                self.is_mail = true;
                self.is_digest = subject_contains_digest(text, field.value_range());
            }
            _ => {}
        }
    }
}

impl Walker<'_> {
    /// Reads the header at offset `start` of `text`. Sends nothing to the sink, because the end of
    /// the message may not be known yet. The fields to scan are collected in [`Walker::scanned`].
    pub(super) fn read_header<'t>(
        &mut self,
        text: &'t [u8],
        start: usize,
        default: MediaType,
    ) -> EntityHeader<'t> {
        self.scanned.clear();
        let mut parsed = EntityHeader::new(default);
        let (headers, scanned) = (self.options.headers, &mut self.scanned);
        let may_be_scanned = |first| headers == Headers::All || may_have_role(first);
        let (end, is_plain) = header::visit_fields(text, start, may_be_scanned, |field| {
            if field.is_stray() {
                if memchr(b':', field.value()).is_some() {
                    let value = field.value_range();
                    scanned.push(ScannedField {
                        name: 0..0,
                        value,
                        encoded: false,
                        external: false,
                    });
                }
                return;
            }
            let role = field_role(&field);
            if role == Role::Other && headers != Headers::All {
                return;
            }
            parsed.apply_field(text, role, &field);
            let external = role == Role::ContentType && content::has_external_url(field.value());
            let is_scanned = match headers {
                Headers::None => false,
                Headers::Urls => role == Role::Url || role == Role::Subject || external,
                Headers::All => !is_identifier_field(field.name()),
            };
            if is_scanned {
                let ValueMarks { encoded, colon } =
                    header::find_value_marks(text, field.value_range());
                if encoded || colon {
                    let (name, value) = (field.name_range(), field.value_range());
                    scanned.push(ScannedField { name, value, encoded, external });
                }
            }
        });
        EntityHeader { end, is_plain, ..parsed }
    }

    /// Walks the entity at `range`: a message or a part of one, which consists of a header and a
    /// body. `default` is the media type if the header gives none.
    pub(super) fn walk_entity(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        default: MediaType,
    ) -> Flow {
        let Some(text) = stage.text.get(..range.end) else { return Continue(()) };
        let header = self.read_header(text, range.start, default);
        self.walk_after_header(stage, range, &header, default)
    }

    /// Does the work of [`Walker::walk_entity`] after [`Walker::read_header`] has returned
    /// `header`.
    pub(super) fn walk_after_header(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        header: &EntityHeader<'_>,
        default: MediaType,
    ) -> Flow {
        if default == MediaType::Message && header.is_mail {
            // In this digest, the blank line before the header of a message is missing. So this
            // header belongs to the message, not to the part.
            return self
                .walk_message(&stage.one_level_deeper(), MessageRange::without_envelope(range));
        }
        if header::is_cut_by_max_len(stage.text, range.start, header.end) {
            self.tally.limits.add(Limit::Header, 1);
        }
        if !self.scanned.is_empty() {
            let scanned = core::mem::take(&mut self.scanned);
            let flow = scanned.iter().try_for_each(|field| self.emit_field(stage, field));
            self.scanned = scanned;
            flow?;
        }
        let named = self.base_urls_in_header(stage, range.start..header.end);
        let bases: Vec<&[u8]>;
        let mut stage = *stage;
        if !named.is_empty() {
            bases = stage.bases.iter().copied().chain(named.iter().map(Vec::as_slice)).collect();
            stage.bases = &bases;
        }
        let content = &header.content;
        let body = header.end..range.end;
        let is_plain = content.kind == MediaType::Text && content.encoding == Encoding::None;
        if header.is_digest && is_plain && !self.is_cut_body(&stage, &body) {
            return self.walk_digest(&stage, body, content);
        }
        self.walk_body(&stage, body, content)
    }

    /// Returns the base URLs in the header at `range` (RFC 2110 §4), `Content-Base` and
    /// `Content-Location`. Returns an empty list if the options don't ask for base URLs.
    fn base_urls_in_header(&self, stage: &Stage<'_>, range: Range<usize>) -> Vec<Vec<u8>> {
        if !self.options.bases {
            return Vec::new();
        }
        let header = stage.slice(&range);
        let value = |name| {
            Some(remove_white_space(header::find_field_value(header, name)?.trim_ascii(), 0).text)
        };
        ["Content-Base", "Content-Location"].into_iter().filter_map(value).collect()
    }

    /// Sends the value of a header field or a stray line to the sink, decoded if necessary.
    fn emit_field(&mut self, stage: &Stage<'_>, field: &ScannedField) -> Flow {
        let ScannedField { name, value, encoded, external } = field;
        if name.is_empty() {
            return self.emit_raw_text(stage, value.clone());
        }
        let kind = DocumentKind::Header(stage.slice(name));
        let len = self.part.len();
        if len > 0 {
            self.part.push_str(".0");
        }
        let raw = stage.slice(value);
        let continue_with = |walker: &mut Self, inner: &Stage<'_>| {
            walker.emit_document(inner, inner.whole_range(), kind, Charset::Utf8)
        };
        let flow = if *external {
            self.emit_external_url(stage, value, kind)
        } else if *encoded {
            let text = encoded_word::decode_encoded_words(raw, value.start);
            self.with_decoded_text(
                stage,
                text,
                &stage.layers_with(Layer::EncodedWords),
                continue_with,
            )
        } else if is_folded_url(raw) {
            self.with_decoded_text(
                stage,
                remove_white_space(raw, value.start),
                stage.decoded,
                continue_with,
            )
        } else {
            self.emit_document(stage, value.clone(), kind, Charset::Utf8)
        };
        self.part.truncate(len);
        flow
    }

    /// Sends the URL of an external body to the sink. The `Content-Type` value at the range `value`
    /// contains the URL. White space inside the URL is dropped (RFC 2017 §3).
    fn emit_external_url(
        &mut self,
        stage: &Stage<'_>,
        value: &Range<usize>,
        kind: DocumentKind<'_>,
    ) -> Flow {
        let raw = stage.slice(value);
        let pieces = content::external_url_ranges(raw);
        let mut out = Derived::new(raw.len(), value.start);
        for piece in &pieces {
            let words = raw.get(piece.clone()).unwrap_or_default();
            let mut at = piece.start;
            for word in words.split(u8::is_ascii_whitespace) {
                out.push_copy(raw, at, at + word.len());
                at += word.len() + 1;
            }
        }
        let layers = stage.layers_with(Layer::Rfc2231);
        let decoded = if pieces.len() > 1 { &layers } else { stage.decoded };
        self.with_decoded_text(stage, out.finish(), decoded, |walker, inner| {
            walker.emit_document(inner, inner.whole_range(), kind, Charset::Utf8)
        })
    }
}

/// True if the subject `text[subject]` contains the word `digest`.
fn subject_contains_digest(text: &[u8], subject: Range<usize>) -> bool {
    let Range { start, end } = subject;
    // Search for the rarest letter of the word. Starting a search for the whole word would take
    // longer than reading the subject.
    simd::find_letter_g(text, subject).any(|g| {
        let word = text.get(g.saturating_sub(2).max(start)..(g + 4).min(end));
        word.is_some_and(|word| word.eq_ignore_ascii_case(b"digest"))
    })
}

/// True if the value of a field is a single URL that is folded over several lines and not in angle
/// brackets.
fn is_folded_url(value: &[u8]) -> bool {
    if memchr(b'\n', value).is_none() {
        return false;
    }
    let value = value.trim_ascii();
    value.first() != Some(&b'<')
        && value
            .split(|&b| b == b'\n')
            .all(|line| !line.trim_ascii().iter().any(|b| matches!(b, b' ' | b'\t' | b'<' | b',')))
}

/// Returns a header value without any white space, as RFC 2557 §4.4.2 requires for folded URLs.
/// `source_offset` is the offset of the value in the map's source.
fn remove_white_space(value: &[u8], source_offset: usize) -> Decoded {
    let mut out = Derived::new(value.len(), source_offset);
    let mut at = 0;
    while at < value.len() {
        let rest = value.get(at..).unwrap_or_default();
        let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        out.push_copy(value, at, at + len);
        at += len + 1;
    }
    out.finish()
}
