//! Messages that follow one another in a file or are nested.

use super::walker::{Flow, Stage, Walker};
use crate::container::Container;
use crate::content::{Content, MediaType};
use crate::decode::derived::Derived;
use crate::limit::Limit;
use crate::mbox::{self, MessageRange};
use crate::message::Message;
use crate::{hypermail, mhonarc, pipermail, pipermail_page};
use core::ops::ControlFlow::Continue;
use urlsift_core::{FileSpan, Span};

/// Returns the header of the message that a page of a mail archive shows.
pub(super) fn page_header(page: &[u8]) -> Option<Vec<u8>> {
    hypermail::header(page)
        .or_else(|| mhonarc::header(page))
        .or_else(|| pipermail_page::header(page))
}

impl Walker<'_> {
    /// Walks a mailbox. A message's header is read first, because it gives the start of the body;
    /// the search for the next `From ` line can begin there.
    pub(super) fn mailbox(&mut self, stage: &Stage<'_>, container: Container) -> Flow {
        let mut messages = mbox::Messages::new(stage.text, container == Container::Mboxcl);
        let mut quoted = Vec::new();
        while let Some(header) = messages.header() {
            let header = self.read_header(stage.text, header, MediaType::Text);
            let range = if header.is_plain {
                messages.next_beyond(header.end, &mut quoted)
            } else {
                messages.next(&mut quoted)
            };
            let Some(range) = range else { break };
            let envelope = stage.slice(&(range.start..range.header));
            self.is_obscured = pipermail::is_obscured(envelope);
            let long = range.end - range.start > self.options.max_message;
            if !(quoted.is_empty() || long) {
                self.unquoted(stage, range, &quoted)?;
            } else if long || !header.is_plain {
                self.top_message(stage, range)?;
            } else {
                self.tally.messages += 1;
                self.parts = 0;
                let message = self.message_at(stage, range);
                self.start(stage, &message)?;
                let stage = Stage { message: Some(&message), ..*stage };
                self.after_header(&stage, range.header..range.end, &header, MediaType::Text)?;
            }
        }
        Continue(())
    }

    /// Walks a message after removing the first `>` of its `>From ` lines (mboxrd). In an mboxo
    /// file this also removes a `>` that the author wrote, which changes no URL.
    pub(super) fn unquoted(
        &mut self,
        stage: &Stage<'_>,
        range: MessageRange,
        quoted: &[usize],
    ) -> Flow {
        let mut text = Derived::new(range.end - range.start, 0);
        let mut from = range.start;
        for &mark in quoted {
            text.copy(stage.text, from, mark);
            from = mark + 1;
        }
        text.copy(stage.text, from, range.end);
        let header = range.header - range.start;
        self.derived(stage, text.finish(), stage.decoded, |walker, inner| {
            walker.top_message(inner, MessageRange { start: 0, header, end: inner.text.len() })
        })
    }

    /// Walks messages that follow one another.
    pub(super) fn sequence(
        &mut self,
        stage: &Stage<'_>,
        mut messages: impl Iterator<Item = MessageRange>,
    ) -> Flow {
        messages.try_for_each(|range| self.top_message(stage, range))
    }

    /// Walks a message that is not inside another one.
    pub(super) fn top_message(&mut self, stage: &Stage<'_>, range: MessageRange) -> Flow {
        self.tally.messages += 1;
        self.parts = 0;
        self.message(stage, range)
    }

    /// Walks an HTML file: a page, which may show one message. `header` is that message's header,
    /// put together from the page.
    pub(super) fn page_file(&mut self, stage: &Stage<'_>, header: Option<&[u8]>) -> Flow {
        let Some(header) = header else {
            return self.html(stage, stage.whole(), &Content::default());
        };
        self.tally.messages += 1;
        let range = MessageRange::without_envelope(stage.whole());
        let message = Message { header, is_page: true, ..self.message_at(stage, range) };
        self.start(stage, &message)?;
        let stage = Stage { message: Some(&message), ..*stage };
        self.html(&stage, stage.whole(), &Content::default())
    }

    fn message_at<'t>(&mut self, stage: &Stage<'t>, range: MessageRange) -> Message<'t> {
        let whole = Span::new(range.start, range.end);
        let span = FileSpan::based(self.base, stage.maps.source(whole));
        // Each piece of a long message is walked separately, without the messages in earlier
        // pieces. So its offset is used as its number.
        let number = if self.long.is_some() { span.start } else { self.messages };
        self.messages += 1;
        Message {
            number,
            header: stage.text.get(range.header..range.end).unwrap_or_default(),
            envelope: stage.text.get(range.start..range.header).unwrap_or_default(),
            is_page: false,
            span,
        }
    }

    /// Walks a message at any depth.
    pub(super) fn message(&mut self, stage: &Stage<'_>, range: MessageRange) -> Flow {
        let message = self.message_at(stage, range);
        self.start(stage, &message)?;
        let stage = Stage { message: Some(&message), ..*stage };
        if range.end - range.start > self.options.max_message {
            self.tally.limits.add(Limit::Length, 1);
            return self.raw_text(&stage, range.start..range.end);
        }
        let part = core::mem::take(&mut self.part);
        let flow = self.entity(&stage, range.header..range.end, MediaType::Text);
        self.part = part;
        flow
    }
}
