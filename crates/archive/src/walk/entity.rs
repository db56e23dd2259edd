//! Headers: what they say of the body, and the fields that are scanned.

use super::walker::{Flow, ScannedField, Stage, Walker};
use crate::content::{Content, Encoding, MediaType};
use crate::decode::derived::{Decoded, Derived};
use crate::decode::encoded_word;
use crate::decode::layer::Layer;
use crate::document::DocumentKind;
use crate::header::{self, Role, ValueMarks};
use crate::mbox::MessageRange;
use crate::options::Headers;
use crate::simd;
use core::ops::ControlFlow::Continue;
use core::ops::Range;
use memchr::memchr;
use urlsift_core::Charset;

/// What the header of an entity, a message or a part of one, says of the body after it.
pub(super) struct EntityHeader<'t> {
    content: Content<'t>,
    /// Whether the subject says that the body is a digest.
    is_digest: bool,
    /// Whether it has a subject, as a part has none.
    is_mail: bool,
    /// Where the body starts.
    pub end: usize,
    /// See [`header::Fields::is_plain`].
    pub is_plain: bool,
}

impl Walker<'_> {
    /// Reads the header at `start`. Nothing is handed over yet, since the message around it may
    /// not be known to its end: what is to be scanned is kept in [`Walker::scanned`].
    pub(super) fn read_header<'t>(
        &mut self,
        text: &'t [u8],
        start: usize,
        default: MediaType,
    ) -> EntityHeader<'t> {
        self.scanned.clear();
        let mut content = Content { kind: default, ..Content::default() };
        let (mut is_digest, mut is_mail) = (false, false);
        let (headers, scanned) = (self.options.headers, &mut self.scanned);
        let wanted = |first| headers == Headers::All || header::may_have_role(first);
        let (end, is_plain) = header::walk(text, start, wanted, |field| {
            if field.is_stray() {
                if memchr(b':', field.value()).is_some() {
                    let value = field.value_at();
                    scanned.push(ScannedField { name: 0..0, value, encoded: false });
                }
                return;
            }
            let role = header::role(&field);
            match role {
                Role::ContentType => content.set_type(field.value()),
                Role::TransferEncoding => content.set_encoding(field.value()),
                Role::Subject => {
                    is_mail = true;
                    is_digest = names_a_digest(text, field.value_at());
                }
                _ => {}
            }
            let is_wanted = match headers {
                Headers::None => false,
                Headers::Urls => role == Role::Url || role == Role::Subject,
                Headers::All => !header::is_identifier(field.name()),
            };
            if is_wanted {
                let ValueMarks { encoded, colon } = header::value_marks(text, field.value_at());
                if encoded || colon {
                    let (name, value) = (field.named_at(), field.value_at());
                    scanned.push(ScannedField { name, value, encoded });
                }
            }
        });
        EntityHeader { content, is_digest, is_mail, end, is_plain }
    }

    /// Walks a header and the body after it: a message or a part of one.
    pub(super) fn entity(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        default: MediaType,
    ) -> Flow {
        let Some(text) = stage.text.get(..range.end) else { return Continue(()) };
        let header = self.read_header(text, range.start, default);
        self.after_header(stage, range, &header, default)
    }

    /// Walks an entity whose header was just read.
    pub(super) fn after_header(
        &mut self,
        stage: &Stage<'_>,
        range: Range<usize>,
        header: &EntityHeader<'_>,
        default: MediaType,
    ) -> Flow {
        if default == MediaType::Message && header.is_mail {
            // A digest whose parts lack the empty line before the message: this header is its own.
            return self.message(&stage.deeper(), MessageRange::without_envelope(range));
        }
        if !self.scanned.is_empty() {
            let scanned = core::mem::take(&mut self.scanned);
            let flow = scanned.iter().try_for_each(|field| self.field(stage, field));
            self.scanned = scanned;
            flow?;
        }
        let named = self.named_bases(stage, range.start..header.end);
        let bases: Vec<&[u8]>;
        let mut stage = *stage;
        if !named.is_empty() {
            bases = stage.bases.iter().copied().chain(named.iter().map(Vec::as_slice)).collect();
            stage.bases = &bases;
        }
        let content = &header.content;
        let body = header.end..range.end;
        let is_plain = content.kind == MediaType::Text && content.encoding == Encoding::None;
        if header.is_digest && is_plain {
            return self.digest(&stage, body, content);
        }
        self.body(&stage, body, content)
    }

    /// What the header at `range` says links are relative to (RFC 2110 §4), if that is asked for.
    fn named_bases(&self, stage: &Stage<'_>, range: Range<usize>) -> Vec<Vec<u8>> {
        if !self.options.bases {
            return Vec::new();
        }
        let header = stage.slice(&range);
        let value = |name| Some(unfolded(header::find(header, name)?.trim_ascii(), 0).text);
        ["Content-Base", "Content-Location"].into_iter().filter_map(value).collect()
    }

    /// Hands over a field's value, or a stray line.
    fn field(&mut self, stage: &Stage<'_>, field: &ScannedField) -> Flow {
        let ScannedField { name, value, encoded } = field;
        if name.is_empty() {
            return self.raw_text(stage, value.clone());
        }
        let kind = DocumentKind::Header(stage.slice(name));
        let len = self.part.len();
        if len > 0 {
            self.part.push_str(".0");
        }
        let raw = stage.slice(value);
        let go_on = |walker: &mut Self, inner: &Stage<'_>| {
            walker.emit(inner, inner.whole(), kind, Charset::Utf8)
        };
        let flow = if *encoded {
            let text = encoded_word::decode(raw, value.start);
            self.derived(stage, text, &stage.and(Layer::EncodedWords), go_on)
        } else if is_folded_url(raw) {
            self.derived(stage, unfolded(raw, value.start), stage.decoded, go_on)
        } else {
            self.emit(stage, value.clone(), kind, Charset::Utf8)
        };
        self.part.truncate(len);
        flow
    }
}

/// Whether the subject `text[subject]` says that the message is a digest.
fn names_a_digest(text: &[u8], subject: Range<usize>) -> bool {
    let Range { start, end } = subject;
    // By the rarest letter; a search for the word would cost more than the subject is long.
    simd::find_g(text, subject).any(|g| {
        let word = text.get(g.saturating_sub(2).max(start)..(g + 4).min(end));
        word.is_some_and(|word| word.eq_ignore_ascii_case(b"digest"))
    })
}

/// Whether a field's value is one URL folded over lines, without brackets that would say so.
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

/// The value without any white space (RFC 2557 §4.4.2 folds URLs so).
fn unfolded(value: &[u8], base: usize) -> Decoded {
    let mut out = Derived::new(value.len(), base);
    let mut at = 0;
    while at < value.len() {
        let rest = value.get(at..).unwrap_or_default();
        let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        out.copy(value, at, at + len);
        at += len + 1;
    }
    out.finish()
}
