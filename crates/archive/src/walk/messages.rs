//! The walk through messages: mailboxes, other sequences of messages, nested messages, and pages of
//! mail archives.

use super::walker::{Flow, Stage, Walker};
use crate::container::Container;
use crate::content::{Content, MediaType};
use crate::decode::derived::Derived;
use crate::limit::Limit;
use crate::mbox::{self, MessageRange};
use crate::message::Message;
use crate::{hypermail, mhonarc, page, pipermail, pipermail_page};
use core::ops::ControlFlow::Continue;
use urlsift_core::{FileSpan, Span};

/// Builds a mail header for the message that a page of a mail archive shows (Hypermail, MHonArc or
/// Pipermail). Returns `None` for other pages.
pub(super) fn rebuild_page_header(page: &[u8]) -> Option<Vec<u8>> {
    hypermail::rebuild_hypermail_header(page)
        .or_else(|| mhonarc::rebuild_mhonarc_header(page))
        .or_else(|| pipermail_page::rebuild_pipermail_header(page))
}

impl Walker<'_> {
    /// Walks the messages of a mailbox. A message's header is read first, because the search for
    /// the next `From ` line can then start at the body.
    pub(super) fn walk_mailbox(&mut self, stage: &Stage<'_>, container: Container) -> Flow {
        let mut messages = mbox::Messages::new(stage.text, container == Container::Mboxcl);
        let mut quoted = Vec::new();
        while let Some(header) = messages.next_header() {
            let header = self.read_header(stage.text, header, MediaType::Text);
            let range = if header.is_plain {
                messages.next_after_header(header.end, &mut quoted)
            } else {
                messages.next_message(&mut quoted)
            };
            let Some(range) = range else { break };
            let envelope = stage.slice(&(range.start..range.header));
            self.is_obscured = pipermail::has_obscured_address(envelope);
            let long = range.end - range.start > self.options.max_message;
            if !(quoted.is_empty() || long) {
                self.walk_message_without_from_quotes(stage, range, &quoted)?;
            } else if long || !header.is_plain {
                self.walk_top_message(stage, range)?;
            } else {
                self.tally.messages += 1;
                self.parts = 0;
                let message = self.start_message_at(stage, range);
                self.emit_message_start(stage, &message)?;
                let stage = Stage { message: Some(&message), ..*stage };
                self.walk_after_header(&stage, range.header..range.end, &header, MediaType::Text)?;
            }
        }
        Continue(())
    }

    /// Walks a message after removing the first `>` of its `>From ` lines (mboxrd). In an mboxo
    /// file, this also removes a `>` that the author wrote. That changes no URL.
    ///
    /// `quoted` has the offsets of the `>` to remove.
    pub(super) fn walk_message_without_from_quotes(
        &mut self,
        stage: &Stage<'_>,
        range: MessageRange,
        quoted: &[usize],
    ) -> Flow {
        let mut text = Derived::new(range.end - range.start, 0);
        let mut from = range.start;
        for &mark in quoted {
            text.push_copy(stage.text, from, mark);
            from = mark + 1;
        }
        text.push_copy(stage.text, from, range.end);
        let header = range.header - range.start;
        self.with_decoded_text(stage, text.finish(), stage.decoded, |walker, inner| {
            walker.walk_top_message(inner, MessageRange { start: 0, header, end: inner.text.len() })
        })
    }

    /// Walks the messages of a sequence, whose ranges in the text `messages` returns.
    pub(super) fn walk_sequence(
        &mut self,
        stage: &Stage<'_>,
        mut messages: impl Iterator<Item = MessageRange>,
    ) -> Flow {
        messages.try_for_each(|range| self.walk_top_message(stage, range))
    }

    /// Walks the message at `range`, which is not inside another one, and counts it.
    pub(super) fn walk_top_message(&mut self, stage: &Stage<'_>, range: MessageRange) -> Flow {
        self.tally.messages += 1;
        self.parts = 0;
        self.walk_message(stage, range)
    }

    /// Walks an HTML file. If the page shows a message, `header` is that message's header as
    /// [`rebuild_page_header`] built it. An attachment of a message is not counted as a message.
    pub(super) fn walk_page_file(&mut self, stage: &Stage<'_>, header: Option<&[u8]>) -> Flow {
        let path_date = self.options.attachment_date.filter(|_| header.is_none());
        let Some(header) = header.or(path_date.map(|_| &b""[..])) else {
            let is_whole = self.long.is_none() && !self.options.html_source;
            self.is_chrome = is_whole && page::is_archive_index(stage.text);
            let flow = self.walk_html(stage, stage.whole_range(), &Content::default());
            self.is_chrome = false;
            return flow;
        };
        self.tally.messages += u64::from(path_date.is_none());
        let range = MessageRange::without_envelope(stage.whole_range());
        let message =
            Message { header, is_page: true, path_date, ..self.start_message_at(stage, range) };
        self.emit_message_start(stage, &message)?;
        let stage = Stage { message: Some(&message), ..*stage };
        self.walk_html(&stage, stage.whole_range(), &Content::default())
    }

    /// Returns the message at `range` of the stage's text, and adds 1 to the number of messages so
    /// far.
    pub(super) fn start_message_at<'t>(
        &mut self,
        stage: &Stage<'t>,
        range: MessageRange,
    ) -> Message<'t> {
        let whole = Span::new(range.start, range.end);
        let span = FileSpan::from_base(self.base, stage.maps.to_unit_span(whole));
        // Each piece of a long message is walked separately, so the number of messages in earlier
        // pieces is unknown. The offset of the message is used as its number instead.
        let number = if self.long.is_some() { span.start } else { self.messages };
        self.messages += 1;
        Message {
            number,
            header: stage.text.get(range.header..range.end).unwrap_or_default(),
            envelope: stage.text.get(range.start..range.header).unwrap_or_default(),
            is_page: false,
            outer: stage.message,
            path_date: None,
            span,
        }
    }

    /// Walks the message at `range`, which may be inside another one, and sends its documents to
    /// the sink.
    pub(super) fn walk_message(&mut self, stage: &Stage<'_>, range: MessageRange) -> Flow {
        let message = self.start_message_at(stage, range);
        self.emit_message_start(stage, &message)?;
        let stage = Stage { message: Some(&message), ..*stage };
        if range.end - range.start > self.options.max_message {
            self.tally.limits.add(Limit::Length, 1);
            return self.emit_raw_text(&stage, range.start..range.end);
        }
        let part = core::mem::take(&mut self.part);
        let flow = self.walk_entity(&stage, range.header..range.end, MediaType::Text);
        self.part = part;
        flow
    }
}
