//! Describes the messages and web archive records that contain the candidates, and selects messages.

use crate::Options;
use crate::message::MessageFiller;
use crate::record::{FileName, Message, Page, Tally};
use crate::scan::{Scan, Sink};
use std::collections::VecDeque;
use std::sync::Arc;
use urlsift_archive::{self as archive, Document};

/// The maximum number of message descriptions to keep for reuse. Usually only one message is in use
/// at a time; a nested message needs another.
const MAX_SPARE: usize = 4;

/// A message whose record is passed to the sink after all URLs of the message.
#[derive(Debug, Default)]
struct PendingMessage {
    /// The number of the message in the unit.
    number: u64,
    message: Message,
    /// The number of URLs reported in the message so far.
    urls: u64,
}

/// The messages and web archive records of a unit, up to those that contain the current candidate.
#[derive(Debug)]
pub(super) struct Messages<'s> {
    options: &'s Options,
    /// The number and offset of the last message that was checked by the filter for messages, and
    /// true if the filter accepts it.
    checked: Option<((u64, u64), bool)>,
    /// The message that contains the current candidate: its number and its description.
    message: Option<(u64, Arc<Message>)>,
    /// The web archive record that contains the current candidate: its number and its description.
    page: Option<(u64, Arc<Page>)>,
    /// Messages that were not yet reported to the sink, ordered by number: the current top-level
    /// message and those nested in it. Only the first `pending_count` are valid; the others are
    /// kept for reuse.
    pending: Vec<PendingMessage>,
    /// The number of valid entries in `pending`.
    pending_count: usize,
    /// Descriptions of earlier messages, oldest first. An entry is reused if no record references
    /// it.
    spare: VecDeque<Arc<Message>>,
    filler: MessageFiller<'s>,
}

impl<'s> Messages<'s> {
    pub(super) fn new(scan: &'s Scan) -> Self {
        Self {
            options: &scan.options,
            checked: None,
            message: None,
            page: None,
            pending: Vec::new(),
            pending_count: 0,
            spare: VecDeque::new(),
            filler: MessageFiller::new(&scan.options, &scan.senders),
        }
    }

    /// Returns the description of the message that contains the current candidate.
    #[inline]
    pub(super) fn message(&self) -> Option<&Arc<Message>> {
        self.message.as_ref().map(|(_, message)| message)
    }

    /// Returns the description of the web archive record that contains the current candidate.
    #[inline]
    pub(super) fn page(&self) -> Option<&Arc<Page>> {
        self.page.as_ref().map(|(_, page)| page)
    }

    /// True if the message filter accepts `message`. If the filter restricts dates, also counts
    /// messages without a date in `tally`. The last result is cached, because a message may have
    /// many parts.
    pub(super) fn accepts(&mut self, message: &archive::Message<'_>, tally: &mut Tally) -> bool {
        let this = (message.number, message.span.start);
        if let Some((_, is_wanted)) = self.checked.filter(|(last, _)| *last == this) {
            return is_wanted;
        }
        let checked = self.options.messages.check(message);
        tally.undated += u64::from(checked.misses_date);
        self.checked = Some((this, checked.is_wanted));
        checked.is_wanted
    }

    /// Adds `message` to the pending messages. `part` is its part number in the message that
    /// contains it.
    pub(super) fn start(&mut self, message: &archive::Message<'_>, part: &str) {
        if self.pending.len() == self.pending_count {
            self.pending.push(PendingMessage::default());
        }
        let pending = &mut self.pending[self.pending_count];
        (pending.number, pending.urls) = (message.number, 0);
        self.filler.describe_into(&mut pending.message, message, part);
        self.pending_count += 1;
    }

    /// Adds `urls` to the number of URLs of the message `number`, if it is pending.
    pub(super) fn add_urls(&mut self, number: u64, urls: u64) {
        if let Some(at) = self.pending_index(number) {
            self.pending[at].urls += urls;
        }
    }

    /// Passes the records of all pending messages to the sink. Call this when the messages have
    /// ended.
    pub(super) fn report(&mut self, file: &Arc<FileName>, sink: &mut impl Sink) {
        for PendingMessage { message, urls, .. } in &self.pending[..self.pending_count] {
            sink.message(file, message, *urls);
        }
        self.pending_count = 0;
        self.pending.truncate(MAX_SPARE);
    }

    /// Returns the index in `pending` of the message with the number `message_number`. Returns
    /// `None` if that message is not pending.
    fn pending_index(&self, message_number: u64) -> Option<usize> {
        self.pending[..self.pending_count]
            .binary_search_by_key(&message_number, |known| known.number)
            .ok()
    }

    /// Sets `self.page` to the description of `web`, the web archive record that contains the
    /// current document. Does nothing if `self.page` already describes this record.
    fn update_page(&mut self, web: Option<&archive::WebPage<'_>>) {
        let known = self.page.as_ref().map(|(number, _)| *number);
        if known != web.map(|web| web.number) {
            let page = |web: &archive::WebPage<'_>| Arc::new(Page::new(web, self.options));
            self.page = web.map(|web| (web.number, page(web)));
        }
    }

    /// Sets `self.message` and `self.page` to the descriptions of the message and the web archive
    /// record that contain `document`. Does nothing if they already describe them.
    pub(super) fn update(&mut self, document: &Document<'_>) {
        let archive::Origin { message, part, web, .. } = document.origin;
        self.update_page(web);
        let Some(message) = message else {
            self.message = None;
            return;
        };
        let number = message.number;
        if let Some((known_number, known)) = &mut self.message
            && *known_number == number
        {
            if known.part != part {
                part.clone_into(&mut Arc::make_mut(known).part);
            }
            return;
        }
        let mut description = self.take_spare_message();
        let filled = Arc::make_mut(&mut description);
        match self.pending_index(number) {
            Some(at) => {
                filled.clone_from(&self.pending[at].message);
                part.clone_into(&mut filled.part);
            }
            None => self.filler.describe_into(filled, message, part),
        }
        self.message = Some((number, description));
    }

    /// Returns a message description that can be overwritten, because no record refers to it. The
    /// current description is kept for reuse.
    fn take_spare_message(&mut self) -> Arc<Message> {
        if self.spare.len() == MAX_SPARE {
            self.spare.pop_front();
        }
        self.spare.extend(self.message.take().map(|(_, known)| known));
        let free = self.spare.iter().position(|known| Arc::strong_count(known) == 1);
        free.and_then(|at| self.spare.remove(at)).unwrap_or_default()
    }
}
