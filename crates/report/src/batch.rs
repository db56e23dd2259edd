//! Collects the data of records that the report counts, in the thread that finds them and in the
//! order of the input.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use urlsift_core::{Level, Secrets, Span, host_key, mask_spans, mask_spans_in};
use urlsift_records::Utc;
use urlsift_records::write::visible::escape_invisible_bytes;
use urlsift_records::{FileName, Message, Place, UrlRecord};

use crate::limits::URL_BYTES;
use crate::uses::truncate_name;

/// A range of bytes in a batch's text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Piece {
    start: u32,
    end: u32,
}

/// A URL in a [`Batch`], with the properties that the report counts.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The index of the file in [`Batch::files`].
    pub(crate) file: u32,
    /// The index of the message in [`Batch::messages`], or `None` if the URL is not in a message.
    pub(crate) message: Option<u32>,
    pub(crate) line: u64,
    pub(crate) scheme: Piece,
    pub(crate) url: Piece,
    pub(crate) normalized: Piece,
    pub(crate) host: Option<Piece>,
    pub(crate) domain: Option<Piece>,
    pub(crate) tld: Option<Piece>,
    pub(crate) form: &'static str,
    pub(crate) place: &'static str,
    /// True if software wrote the URL, according to its place. The subject is a header field that
    /// people write.
    pub(crate) is_added: bool,
    pub(crate) is_valid: bool,
    /// The text before the URL, the URL as written, and the text after it, in adjacent pieces. They
    /// still contain passwords, which [`Batch::masked_quote`] masks.
    pub(crate) quoted: [Piece; 3],
}

/// A message that contains URLs of a [`Batch`].
#[derive(Debug)]
pub(crate) struct UrlMessage {
    /// The offset of the message in the file.
    pub(crate) start: u64,
    pub(crate) date: Option<Utc>,
    pub(crate) id: Option<Piece>,
    /// The sender's address, if senders are counted.
    pub(crate) sender: Option<Piece>,
    /// The newsgroups and the mailing list, as a range of [`Batch::names`].
    pub(crate) names: Range<usize>,
}

/// A message in a [`Batch`], with or without URLs, with the properties that the report counts.
#[derive(Debug)]
pub(crate) struct MessageCount {
    /// The index of the file in [`Batch::files`].
    pub(crate) file: u32,
    /// The offset of the message in the file.
    pub(crate) start: u64,
    pub(crate) date: Option<Utc>,
    /// The field or other source that the date comes from.
    pub(crate) date_source: Option<&'static str>,
    /// The `Date` field as written, if the date comes from another source.
    pub(crate) date_raw: Option<Piece>,
    /// True if the message is not nested in another message.
    pub(crate) is_outermost: bool,
    /// The newsgroups and the mailing list, as a range of [`Batch::names`].
    pub(crate) names: Range<usize>,
}

/// An additional property of a URL, such as a fault. Such properties are stored separately, because
/// only a few URLs have any.
#[derive(Clone, Debug)]
pub(crate) enum Extra {
    /// The code and level of a violation or finding.
    Fault(&'static str, Level),
    /// The kind and grade of a join: layout that was dropped from the URL.
    Break(&'static str, &'static str),
    /// The name of an encoding that the URL was decoded from.
    Decoded(&'static str),
    /// An alternative reading.
    Reading(Piece),
}

/// A buffer for the results of scanning a unit or a part of it: URLs and messages, in order.
/// [`Collector`](crate::Collector) counts them.
///
/// Filling a batch costs about as much as writing the records. Memory is linear in the number of
/// records.
#[derive(Debug, Default)]
pub struct Batch {
    /// The texts that all [`Piece`]s refer to.
    text: Vec<u8>,
    /// The URLs, or `None` for a row that was [skipped](Batch::push_empty_row).
    pub(crate) rows: Vec<Option<Found>>,
    /// Additional data of URLs, each with the index of the URL in `rows`, in ascending order.
    pub(crate) extras: Vec<(u32, Extra)>,
    /// The files, each at least once, in the order of the records.
    pub(crate) files: Vec<Arc<FileName>>,
    /// The messages that contain URLs. The data is copied, so that a [`Message`] is dropped by the
    /// thread that made it.
    pub(crate) messages: Vec<UrlMessage>,
    /// The message that the last entry of `messages` was made from.
    last_message: Option<Arc<Message>>,
    /// All messages, including those without URLs.
    pub(crate) message_counts: Vec<MessageCount>,
    /// The names of the newsgroups and lists of all messages.
    pub(crate) names: Vec<Piece>,
}

impl Batch {
    /// Returns the number of rows: those with a URL, and those added by [`Batch::push_empty_row`].
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if the batch contains neither rows nor messages.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.message_counts.is_empty()
    }

    /// Returns the approximate memory use in bytes.
    pub fn memory_size(&self) -> usize {
        self.text.len()
            + self.rows.len() * size_of::<Found>()
            + self.messages.len() * size_of::<UrlMessage>()
            + self.message_counts.len() * size_of::<MessageCount>()
            + self.names.len() * size_of::<Piece>()
    }

    /// Removes all data but keeps the memory for reuse.
    pub fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
        self.extras.clear();
        self.files.clear();
        self.messages.clear();
        self.last_message = None;
        self.message_counts.clear();
        self.names.clear();
    }

    /// Adds a row with the record of a URL.
    ///
    /// The record must have [all fields](urlsift_records::Detail::Full), including the domain and
    /// top-level domain. The text around the URL is kept if the record [contains
    /// it](urlsift_records::Options::quoted).
    pub fn push_url(&mut self, record: &UrlRecord<'_>) {
        let number = to_u32(self.rows.len());
        let file = self.file_index(&record.file);
        let message = record.message.as_deref();
        if let Some(message) = message
            && self.last_message.as_ref().is_none_or(|known| !Arc::ptr_eq(known, message))
        {
            self.last_message = Some(Arc::clone(message));
            let message = UrlMessage {
                start: message.span.start,
                date: message.date,
                id: message.id.as_ref().map(|id| self.push_text(id)),
                sender: message.sender().map(|sender| self.push_text(truncate_name(&sender))),
                names: self.push_names(message),
            };
            self.messages.push(message);
        }
        for report in &*record.reports {
            self.extras.push((number, Extra::Fault(report.code.name(), report.level)));
        }
        for join in &*record.joins {
            self.extras.push((number, Extra::Break(join.kind.name(), join.grade.name())));
        }
        for layer in &*record.decoded {
            self.extras.push((number, Extra::Decoded(layer.name())));
        }
        for reading in &*record.other_readings {
            let reading = self.push_masked(reading);
            self.extras.push((number, Extra::Reading(reading)));
        }
        let url = self.push_masked(record.absolute_url());
        let normalized = match record.normalized.as_deref() {
            Some(form) if form != record.absolute_url() => self.push_masked(form),
            _ => url,
        };
        let host = record.host.as_deref().map(|host| self.push_text(&host_key(host)));
        // Only the URLs with the earliest dates are quoted in the report, so undated URLs need no
        // quote.
        let is_dated = message.is_some_and(|message| message.date.is_some());
        let quoted = record.quoted.as_ref().filter(|_| is_dated);
        let quoted = quoted.map_or_else(Default::default, |quoted| {
            [&quoted.before, &quoted.written, &quoted.after].map(|piece| self.push_text(piece))
        });
        // People write the `Subject`. Software writes the other header fields that are scanned.
        let is_subject =
            record.header_name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(b"subject"));
        let found = Found {
            file,
            message: message.map(|_| to_u32(self.messages.len() - 1)),
            line: record.line.unwrap_or_default(),
            scheme: self.push_text(record.scheme.as_deref().unwrap_or_default().as_bytes()),
            url,
            normalized,
            host,
            domain: record.domain.as_ref().map(|domain| self.push_text(domain.as_bytes())),
            tld: record.tld.as_ref().map(|tld| self.push_text(tld.as_bytes())),
            form: record.form.name(),
            place: record.place.name(),
            is_added: record.place.is_written_by_software()
                && !(record.place == Place::Header && is_subject),
            is_valid: record.is_valid(),
            quoted,
        };
        self.rows.push(Some(found));
    }

    /// Adds an empty row, so that row numbers are the same as in another table.
    pub fn push_empty_row(&mut self) {
        self.rows.push(None);
    }

    /// Adds a message. The arguments are the first two that
    /// [`Sink::message`](urlsift_records::Sink::message) receives.
    pub fn push_message(&mut self, file: &Arc<FileName>, message: &Message) {
        let file = self.file_index(file);
        let count = MessageCount {
            file,
            start: message.span.start,
            date: message.date,
            date_source: message.date_source.as_ref().map(|source| source.name()),
            date_raw: message.date_raw.as_ref().map(|raw| self.push_text(truncate_name(raw))),
            is_outermost: message.part.is_empty(),
            names: self.push_names(message),
        };
        self.message_counts.push(count);
    }

    /// Adds the names of a message's newsgroups and list to `names`, and returns their range.
    fn push_names(&mut self, message: &Message) -> Range<usize> {
        let start = self.names.len();
        for name in message.newsgroups.iter().chain(&message.list) {
            let name = self.push_text(truncate_name(name));
            self.names.push(name);
        }
        start..self.names.len()
    }

    /// Returns the index of `file` in `files`. Appends `file` if it is not the last entry, even if
    /// an earlier entry is the same file. Only the last entry is compared, because records of the
    /// same file are usually adjacent.
    fn file_index(&mut self, file: &Arc<FileName>) -> u32 {
        if self.files.last().is_none_or(|known| !Arc::ptr_eq(known, file)) {
            self.files.push(Arc::clone(file));
        }
        to_u32(self.files.len() - 1)
    }

    /// Returns the bytes of the batch's text that `piece` refers to.
    pub(crate) fn bytes_of(&self, piece: Piece) -> &[u8] {
        &self.text[piece.start as usize..piece.end as usize]
    }

    /// Returns the text before a URL, the URL as written, and the text after it, with passwords
    /// masked. Passwords are masked only here, because few of the quotes are shown.
    pub(crate) fn masked_quote(&self, found: &Found) -> [Cow<'_, [u8]>; 3] {
        let [before, _, after] = found.quoted;
        let text = self.bytes_of(Piece { start: before.start, end: after.end });
        let secrets = Secrets::Passwords.in_text(text);
        let within = |offset: u32| (offset - before.start) as usize;
        found.quoted.map(|Piece { start, end }| {
            mask_spans_in(text, Span::new(within(start), within(end)), &secrets)
        })
    }

    /// Returns the range in `extras` that contains the additional properties of row `number`. The
    /// search starts at index `search_start`, which is 0 or the end of the range for an earlier
    /// row.
    pub(crate) fn extras_of_row(&self, number: usize, search_start: usize) -> Range<usize> {
        let of = |extra: &(u32, Extra)| extra.0 as usize;
        let start = search_start
            + self.extras[search_start..].iter().take_while(|extra| of(extra) < number).count();
        let len = self.extras[start..].iter().take_while(|extra| of(extra) == number).count();
        start..start + len
    }

    /// Appends a text to the batch, and returns the piece that refers to it.
    pub(crate) fn push_text(&mut self, text: &[u8]) -> Piece {
        let start = to_u32(self.text.len());
        self.text.extend_from_slice(text);
        Piece { start, end: to_u32(self.text.len()) }
    }

    /// Appends a text from the archive with passwords masked, and returns the piece that refers to
    /// it. A long text is truncated.
    fn push_masked(&mut self, text: &[u8]) -> Piece {
        let text = &text[..text.len().min(2 * URL_BYTES)];
        let text = mask_spans(text, &Secrets::Passwords.in_text(text));
        self.push_text(&text)
    }
}

/// Formats a text from the archive for display. Invisible characters are escaped, except line
/// breaks and tabs.
pub(crate) fn to_displayed(text: &[u8]) -> String {
    let text: Cow<'_, [u8]> = escape_invisible_bytes(text, &['\n', '\t']);
    String::from_utf8_lossy(&text).into_owned()
}

/// Converts an index to 32 bits. A batch is far smaller than 4 GiB.
fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
