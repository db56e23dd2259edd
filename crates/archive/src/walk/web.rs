//! The walk through web archives: the records and the pages in them.

use super::long::LongRecord;
use super::walker::{Flow, Stage, Walker};
use crate::container::Container;
use crate::content::{Content, MediaType};
use crate::decode::layer::Layer;
use crate::detect::detect;
use crate::head::Head;
use crate::limit::Limit;
use crate::options::{Options, Reading};
use crate::web::http::{self, Rest};
use crate::web::{WebFormat, WebPiece, WebPieces, WebRecord, WebRecords, parse_first_record};
use core::ops::ControlFlow::Continue;
use core::ops::Range;

/// The number of bytes at the start of a body that are examined to decide if it is text.
const HEAD_LEN: usize = 1024;

/// The maximum unpacked length of a body, as a multiple of its packed length. This protects against
/// decompression bombs: a megabyte of zeros is packed into fewer bytes than most headers have. Real
/// pages expand by a factor of about five.
const MAX_RATIO: usize = 100;
/// Bodies are always unpacked up to this length in bytes, even if [`MAX_RATIO`] allows less.
const MIN_LIMIT: usize = 64 << 10;

impl Walker<'_> {
    /// Walks the records of a web archive, and the lines between them.
    pub(super) fn walk_web_archive(&mut self, stage: &Stage<'_>, format: WebFormat) -> Flow {
        for piece in WebPieces::new(format, stage.text) {
            match piece {
                WebPiece::Record(record) => self.walk_web_record(stage, &record)?,
                WebPiece::Stray(line) => self.emit_text_between_parts(stage, line)?,
            }
        }
        Continue(())
    }

    /// Walks a record of a web archive, and sends its documents to the sink.
    fn walk_web_record(&mut self, stage: &Stage<'_>, record: &WebRecord<'_>) -> Flow {
        self.with_record_stage(stage, record, |walker, stage| {
            walker.walk_record_content(stage, record)
        })
    }

    /// Calls `continue_with` with the stage of a record: its page, and the page's URL as the base
    /// for links.
    fn with_record_stage(
        &mut self,
        stage: &Stage<'_>,
        record: &WebRecord<'_>,
        continue_with: impl FnOnce(&mut Self, &Stage<'_>) -> Flow,
    ) -> Flow {
        let base = [record.page.uri];
        let bases: &[&[u8]] = if self.options.bases { &base } else { &[] };
        continue_with(self, &Stage { web: Some(&record.page), bases, ..*stage })
    }

    /// Walks one piece of a record that is too long for memory. `long` contains the facts about the
    /// record.
    pub(super) fn walk_record_piece(&mut self, stage: &Stage<'_>, long: &LongRecord) -> Flow {
        let Some(mut record) = parse_first_record(long.format, stage.text) else {
            return self.emit_raw_text(stage, stage.whole_range());
        };
        record.block.end = stage.text.len();
        let body = long.body..stage.text.len();
        self.with_record_stage(stage, &record, |walker, stage| {
            let content = match WebReading::choose(stage.text, &record, walker.options) {
                WebReading::Skipped => return Continue(()),
                WebReading::Raw(_) => return walker.emit_raw_text(stage, body),
                WebReading::Coded(response, content) if long.is_encoded => {
                    // This body can only be decoded from its start, so the pieces after this one
                    // are not read.
                    let is_open = walker.long.as_ref().is_some_and(|piece| !piece.is_last);
                    return walker.walk_coded_response(stage, &response, content, is_open);
                }
                WebReading::Body(_, content) | WebReading::Coded(_, content) => content,
            };
            // `long.kind` was determined from the start of the body, which may not be in this
            // piece.
            let Some(kind) = long.kind else { return Continue(()) };
            let content = Content { kind, ..content.unwrap_or_default() };
            walker.with_cut_marked(stage, &body.clone(), |walker| {
                walker.walk_text_body(stage, body, &content)
            })
        })
    }

    /// Walks the content of a record as [`WebReading::choose`] decides.
    fn walk_record_content(&mut self, stage: &Stage<'_>, record: &WebRecord<'_>) -> Flow {
        match WebReading::choose(stage.text, record, self.options) {
            WebReading::Skipped => Continue(()),
            WebReading::Raw(block) => self.emit_raw_text(stage, block),
            WebReading::Body(body, content) => self.walk_record_body(stage, body, content),
            WebReading::Coded(response, content) => {
                self.walk_coded_response(stage, &response, content, false)
            }
        }
    }

    /// Walks a server's response after removing its transfer and content codings. `is_open` is true
    /// if the end of the body is not in memory.
    fn walk_coded_response(
        &mut self,
        stage: &Stage<'_>,
        response: &http::Response<'_>,
        content: Option<Content<'_>>,
        is_open: bool,
    ) -> Flow {
        let body = response.body.clone();
        let made = if response.is_chunked {
            http::join_chunks(stage.slice(&body), body.start)
        } else {
            None
        };
        let Some((made, ends)) = made else {
            return self.walk_packed_body(
                stage,
                body,
                (response.packing.as_str(), is_open),
                content,
            );
        };
        self.with_decoded_text(stage, made, &stage.layers_with(Layer::Chunked), |walker, inner| {
            let packing = (response.packing.as_str(), is_open && !ends);
            walker.walk_packed_body(inner, inner.whole_range(), packing, content)
        })
    }

    /// Walks a body after unpacking it. `packing` is the content coding of the body, and `is_open`
    /// is true if the end of the body is not in memory.
    fn walk_packed_body(
        &mut self,
        stage: &Stage<'_>,
        body: Range<usize>,
        (packing, is_open): (&str, bool),
        content: Option<Content<'_>>,
    ) -> Flow {
        let bytes = stage.slice(&body);
        let max_len =
            (bytes.len().saturating_mul(MAX_RATIO)).max(MIN_LIMIT).min(self.options.max_message);
        let Some((made, layer, rest)) = http::unpack_body(bytes, packing, body.start, max_len)
        else {
            return self.with_cut_page(stage, is_open, |walker, stage| {
                walker.walk_record_body(stage, body, content)
            });
        };
        let is_cut = match rest {
            Rest::None => false,
            Rest::Missing => is_open,
            Rest::OverLimit => true,
        };
        self.with_cut_page(stage, is_cut, |walker, stage| {
            walker.with_decoded_text(stage, made, &stage.layers_with(layer), |walker, inner| {
                walker.walk_record_body(inner, inner.whole_range(), content)
            })
        })
    }

    /// Calls `continue_with` with the stage of a page. If `is_cut` is true, only the start of the
    /// page was read, and the page is marked as cut.
    fn with_cut_page(
        &mut self,
        stage: &Stage<'_>,
        is_cut: bool,
        continue_with: impl FnOnce(&mut Self, &Stage<'_>) -> Flow,
    ) -> Flow {
        let mut page = stage.web.copied().filter(|_| is_cut);
        if let Some(page) = &mut page {
            page.is_cut = true;
        }
        continue_with(self, &Stage { web: page.as_ref().or(stage.web), ..*stage })
    }

    /// Walks a body, if its declared type or its first bytes show that it is text.
    fn walk_record_body(
        &mut self,
        stage: &Stage<'_>,
        body: Range<usize>,
        content: Option<Content<'_>>,
    ) -> Flow {
        match readable_content(stage.slice(&body), content) {
            None => Continue(()),
            Some(content) => {
                // Only these count toward the limit: other bodies are not scanned in any case.
                let is_cut = stage.web.is_some_and(|page| page.is_cut);
                self.tally.limits.add(Limit::Page, is_cut.into());
                self.walk_text_body(stage, body, &content)
            }
        }
    }

    /// Walks a body that is text, with the properties `content`.
    fn walk_text_body(
        &mut self,
        stage: &Stage<'_>,
        body: Range<usize>,
        content: &Content<'_>,
    ) -> Flow {
        match content.kind {
            MediaType::Html => self.walk_html(stage, body, content),
            _ => self.emit_text(stage, body, content),
        }
    }
}

/// The method for reading a record of a web archive, which depends on its type and content.
pub(crate) enum WebReading<'t> {
    /// The record is skipped.
    Skipped,
    /// The block at this range is scanned as plain text.
    Raw(Range<usize>),
    /// The body at this range has no coding. The content is its declared type; `None` if no type is
    /// declared.
    Body(Range<usize>, Option<Content<'t>>),
    /// The body of a server's response with a transfer or content coding. The content is its
    /// declared type; `None` if no type is declared.
    Coded(http::Response<'t>, Option<Content<'t>>),
}

impl<'t> WebReading<'t> {
    /// Decides how to read a record of `text`. The end of the record may be missing from `text`.
    pub(crate) fn choose(text: &'t [u8], record: &WebRecord<'t>, options: &Options) -> Self {
        let all = options.web_records == WebRecords::All;
        let block = record.block.start..record.block.end.min(text.len());
        match record.page.kind {
            b"response" => match http::parse_response(text, &block) {
                Some(response) => {
                    let content = parse_declared_content(response.content_type);
                    if content.is_some_and(|content| content.kind == MediaType::Other) {
                        Self::Skipped
                    } else if response.is_chunked || !response.packing.is_empty() {
                        Self::Coded(response, content)
                    } else {
                        Self::Body(response.body, content)
                    }
                }
                // A response in another protocol, for example from a name server.
                None if all => Self::Raw(block),
                None => Self::Skipped,
            },
            b"conversion" => Self::Body(block, parse_declared_content(record.content_type)),
            b"resource" if all => Self::Body(block, parse_declared_content(record.content_type)),
            _ if all => Self::Raw(block),
            _ => Self::Skipped,
        }
    }
}

/// Returns the content type of a body: the declared one, or one guessed from the body's first
/// bytes. Returns `None` if the body is not text.
pub(crate) fn readable_content<'t>(
    body: &[u8],
    content: Option<Content<'t>>,
) -> Option<Content<'t>> {
    // Only the start is examined, because a long body isn't in memory as a whole.
    let head = body.get(..HEAD_LEN).unwrap_or(body);
    let content = content.unwrap_or_else(|| {
        let is_html = detect(Head::new(head, head.len() < body.len()), None, Reading::Auto)
            == Container::Html;
        let kind = if is_html { MediaType::Html } else { MediaType::Text };
        Content { kind, ..Content::default() }
    });
    // True for executables, images and packed bodies whose type is missing or wrong.
    let is_binary = || content.charset.is_empty() && head.contains(&0);
    match content.kind {
        MediaType::Other => None,
        MediaType::Html => Some(content),
        _ => (!is_binary()).then_some(content),
    }
}

/// Parses the declared content type of a record. Returns `None` if it is empty.
fn parse_declared_content(content_type: &[u8]) -> Option<Content<'_>> {
    let mut content = Content::default();
    content.apply_content_type(content_type);
    (!content_type.is_empty()).then_some(content)
}
