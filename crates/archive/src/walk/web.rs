//! Web archives: the pages in their records.

use super::walker::{Flow, Stage, Walker};
use crate::content::{Content, MediaType};
use crate::decode::layer::Layer;
use crate::detect::{Container, detect};
use crate::options::Reading;
use crate::web::{WebFormat, WebPiece, WebPieces, WebRecord, WebRecords, http};
use core::ops::ControlFlow::Continue;
use core::ops::Range;

/// So much of a body without a type is looked at to tell whether it is text.
const LOOK: usize = 1024;

/// A packed body is unpacked to so many times its length, but always to so many bytes. (Pages expand five times, and what a
/// megabyte of zeros is packed to is shorter than most headers.)
const TIMES: usize = 100;
const LEAST: usize = 64 << 10;

impl Walker<'_> {
    /// Walks a web archive.
    pub(super) fn web(&mut self, stage: &Stage<'_>, format: WebFormat) -> Flow {
        for piece in WebPieces::new(format, stage.text) {
            match piece {
                WebPiece::Record(record) => self.web_record(stage, &record)?,
                WebPiece::Stray(line) => self.filling(stage, line)?,
            }
        }
        Continue(())
    }

    fn web_record(&mut self, stage: &Stage<'_>, record: &WebRecord<'_>) -> Flow {
        let base = [record.page.uri];
        let bases: &[&[u8]] = if self.options.bases { &base } else { &[] };
        let stage = Stage { web: Some(&record.page), bases, ..*stage };
        let all = self.options.web_records == WebRecords::All;
        match record.page.kind {
            b"response" => match http::response(stage.text, &record.block) {
                Some(response) => self.web_response(&stage, &response),
                // An answer by another protocol, a name server's for example.
                None if all => self.raw_text(&stage, record.block.clone()),
                None => Continue(()),
            },
            b"conversion" => self.web_block(&stage, record),
            b"resource" if all => self.web_block(&stage, record),
            _ if all => self.raw_text(&stage, record.block.clone()),
            _ => Continue(()),
        }
    }

    /// Walks a record that is a page as it stands.
    fn web_block(&mut self, stage: &Stage<'_>, record: &WebRecord<'_>) -> Flow {
        self.web_body(stage, record.block.clone(), content(record.content_type))
    }

    /// Walks what a server answered, its codings undone.
    fn web_response(&mut self, stage: &Stage<'_>, response: &http::Response<'_>) -> Flow {
        let body = response.body.clone();
        let content = content(response.content_type);
        if content.is_some_and(|content| content.kind == MediaType::Other) {
            return Continue(());
        }
        let made = if response.is_chunked {
            http::unchunked(stage.slice(&body), body.start)
        } else {
            None
        };
        match made {
            Some(made) => self.derived(stage, made, &stage.and(Layer::Chunked), |walker, inner| {
                walker.web_packed(inner, inner.whole(), &response.packing, content)
            }),
            None => self.web_packed(stage, body, &response.packing, content),
        }
    }

    fn web_packed(
        &mut self,
        stage: &Stage<'_>,
        body: Range<usize>,
        packing: &str,
        content: Option<Content<'_>>,
    ) -> Flow {
        let bytes = stage.slice(&body);
        let most = (bytes.len().saturating_mul(TIMES)).max(LEAST).min(self.options.max_message);
        match http::unpacked(bytes, packing, body.start, most) {
            Some((made, layer)) => self.derived(stage, made, &stage.and(layer), |walker, inner| {
                walker.web_body(inner, inner.whole(), content)
            }),
            None => self.web_body(stage, body, content),
        }
    }

    /// Hands over a body, by what is said of it or else by what it looks like.
    fn web_body(
        &mut self,
        stage: &Stage<'_>,
        body: Range<usize>,
        content: Option<Content<'_>>,
    ) -> Flow {
        let bytes = stage.slice(&body);
        let head = bytes.get(..bytes.len().min(LOOK)).unwrap_or_default();
        let content = content.unwrap_or_else(|| {
            let is_html = detect(head, None, Reading::Auto) == Container::Html;
            let kind = if is_html { MediaType::Html } else { MediaType::Text };
            Content { kind, ..Content::default() }
        });
        match content.kind {
            MediaType::Other => Continue(()),
            MediaType::Html => self.html(stage, body, &content),
            // Programs, pictures and packed bodies without a type, or of a wrong one.
            _ if content.charset.is_empty() && head.contains(&0) => Continue(()),
            _ => self.text(stage, body, &content),
        }
    }
}

/// What a `Content-Type` says, if there is one.
fn content(content_type: &[u8]) -> Option<Content<'_>> {
    let mut content = Content::default();
    content.set_type(content_type);
    (!content_type.is_empty()).then_some(content)
}
