//! What is counted of records, in the order of a unit, made where they are found.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use urlsift_core::{Level, Secrets, Span, hidden, hidden_in};
use urlsift_records::Utc;
use urlsift_records::write::visible::clean_bytes;
use urlsift_records::{FileName, Message, Place, UrlRecord};

use crate::limits::URL_BYTES;
use crate::uses::start_of;

/// Bytes of the batch's text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Piece {
    start: u32,
    end: u32,
}

/// What is counted of a URL.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) file: u32,
    /// The number of its message, if it stands in one.
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
    /// Whether software wrote it.
    pub(crate) is_added: bool,
    pub(crate) is_valid: bool,
    /// What stands before it, itself, and what stands behind it, side by side: [`Batch::quoted`] has it without passwords.
    pub(crate) quoted: [Piece; 3],
}

/// What is known of the message that a URL stands in.
#[derive(Debug)]
pub(crate) struct UrlMessage {
    /// Where it starts in the file.
    pub(crate) start: u64,
    pub(crate) date: Option<Utc>,
    pub(crate) id: Option<Piece>,
    /// Its newsgroups and its list, among the names of all.
    pub(crate) names: Range<usize>,
}

/// What is counted of a message.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) file: u32,
    /// Where it starts in the file.
    pub(crate) start: u64,
    pub(crate) date: Option<Utc>,
    /// What told the date.
    pub(crate) date_source: Option<&'static str>,
    pub(crate) date_raw: Option<Piece>,
    /// Whether it stands in no part of another.
    pub(crate) is_outermost: bool,
    /// Its newsgroups and its list, among the names of all.
    pub(crate) names: Range<usize>,
}

/// What only few URLs have.
#[derive(Clone, Debug)]
pub(crate) enum Extra {
    Fault(&'static str, Level),
    Break(&'static str, &'static str),
    Decoded(&'static str),
    /// Another reading.
    Reading(Piece),
}

/// What is counted of the records of a unit, or of a piece of one, in their order.
///
/// Costs about as much as writing them. Memory is linear in the records.
#[derive(Debug, Default)]
pub struct Batch {
    text: Vec<u8>,
    /// `None` for what is no URL and has a place among them all the same.
    pub(crate) rows: Vec<Option<Found>>,
    /// What else there is to say of a URL, by its number.
    pub(crate) extras: Vec<(u32, Extra)>,
    pub(crate) files: Vec<Arc<FileName>>,
    /// The messages that URLs stand in: whoever made a [`Message`] is the one to drop it, and not whoever counts.
    pub(crate) messages: Vec<UrlMessage>,
    /// What the last of them was made of.
    last_message: Option<Arc<Message>>,
    /// All messages, also those without URLs.
    pub(crate) told: Vec<Told>,
    /// The names of their newsgroups and lists.
    pub(crate) names: Vec<Piece>,
}

impl Batch {
    /// How many URLs it has, and places that are none.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.told.is_empty()
    }

    /// How many bytes it takes, roughly.
    pub fn size(&self) -> usize {
        self.text.len()
            + self.rows.len() * size_of::<Found>()
            + self.messages.len() * size_of::<UrlMessage>()
            + self.told.len() * size_of::<Told>()
            + self.names.len() * size_of::<Piece>()
    }

    /// Empties it, but keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
        self.extras.clear();
        self.files.clear();
        self.messages.clear();
        self.last_message = None;
        self.told.clear();
        self.names.clear();
    }

    /// Adds a URL, of which all [fields](urlsift_records::Detail::Full) are known, with domain and top-level domain. Its line is
    /// quoted if the record [has it](urlsift_records::Options::quoted).
    pub fn url(&mut self, record: &UrlRecord<'_>) {
        let number = index(self.rows.len());
        let file = self.file(&record.file);
        let message = record.message.as_deref();
        if let Some(message) = message
            && self.last_message.as_ref().is_none_or(|known| !Arc::ptr_eq(known, message))
        {
            self.last_message = Some(Arc::clone(message));
            let message = UrlMessage {
                start: message.span.start,
                date: message.date,
                id: message.id.as_ref().map(|id| self.push(id)),
                names: self.names_of(message),
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
            let reading = self.shown(reading);
            self.extras.push((number, Extra::Reading(reading)));
        }
        let url = self.shown(record.absolute());
        let normalized = match record.normalized.as_deref() {
            Some(form) if form != record.absolute() => self.shown(form),
            _ => url,
        };
        let host = record.host.as_deref().map(|host| {
            let host = self.push(host);
            self.text[host.start as usize..].make_ascii_lowercase();
            host
        });
        // Lines are shown of the hosts that were seen first, by the date of their messages.
        let is_dated = message.is_some_and(|message| message.date.is_some());
        let quoted = record.quoted.as_ref().filter(|_| is_dated);
        let quoted = quoted.map_or_else(Default::default, |quoted| {
            [&quoted.before, &quoted.written, &quoted.after].map(|piece| self.push(piece))
        });
        // `Subject` is written by people; the other fields that are scanned are filled in by software.
        let is_subject =
            record.header_name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(b"subject"));
        let found = Found {
            file,
            message: message.map(|_| index(self.messages.len() - 1)),
            line: record.line.unwrap_or_default(),
            scheme: self.push(record.scheme.as_deref().unwrap_or_default().as_bytes()),
            url,
            normalized,
            host,
            domain: record.domain.as_ref().map(|domain| self.push(domain.as_bytes())),
            tld: record.tld.as_ref().map(|tld| self.push(tld.as_bytes())),
            form: record.form.name(),
            place: record.place.name(),
            is_added: match record.place {
                Place::Footer => true,
                Place::Header => !is_subject,
                _ => false,
            },
            is_valid: record.is_valid(),
            quoted,
        };
        self.rows.push(Some(found));
    }

    /// Keeps a place free for what is no URL, so that numbers go along with those of another table.
    pub fn skip(&mut self) {
        self.rows.push(None);
    }

    /// Adds a message, as [`Sink::message`](urlsift_records::Sink::message) takes it.
    pub fn message(&mut self, file: &Arc<FileName>, message: &Message) {
        let file = self.file(file);
        let told = Told {
            file,
            start: message.span.start,
            date: message.date,
            date_source: message.date_source.as_ref().map(|source| source.name()),
            date_raw: message.date_raw.as_ref().map(|raw| self.push(start_of(raw))),
            is_outermost: message.part.is_empty(),
            names: self.names_of(message),
        };
        self.told.push(told);
    }

    /// Adds the names of a message's newsgroups and its list.
    fn names_of(&mut self, message: &Message) -> Range<usize> {
        let start = self.names.len();
        for name in message.newsgroups.iter().chain(&message.list) {
            let name = self.push(start_of(name));
            self.names.push(name);
        }
        start..self.names.len()
    }

    /// The number of a file; most often it is that of the record before.
    fn file(&mut self, file: &Arc<FileName>) -> u32 {
        if self.files.last().is_none_or(|known| !Arc::ptr_eq(known, file)) {
            self.files.push(Arc::clone(file));
        }
        index(self.files.len() - 1)
    }

    pub(crate) fn piece(&self, piece: Piece) -> &[u8] {
        &self.text[piece.start as usize..piece.end as usize]
    }

    /// What stands before a URL, itself, and what stands behind it, without passwords. Few lines of all are ever shown.
    pub(crate) fn quoted(&self, found: &Found) -> [Cow<'_, [u8]>; 3] {
        let [before, _, after] = found.quoted;
        let text = self.piece(Piece { start: before.start, end: after.end });
        let secrets = Secrets::Passwords.in_text(text);
        let within = |offset: u32| (offset - before.start) as usize;
        found.quoted.map(|Piece { start, end }| {
            hidden_in(text, Span::new(within(start), within(end)), &secrets)
        })
    }

    /// What else there is to say of the URL of that number; `from` is where the extras of the URLs before it end.
    pub(crate) fn extras(&self, number: usize, from: usize) -> Range<usize> {
        let of = |extra: &(u32, Extra)| extra.0 as usize;
        let start =
            from + self.extras[from..].iter().take_while(|extra| of(extra) < number).count();
        let len = self.extras[start..].iter().take_while(|extra| of(extra) == number).count();
        start..start + len
    }

    fn push(&mut self, text: &[u8]) -> Piece {
        let start = index(self.text.len());
        self.text.extend_from_slice(text);
        Piece { start, end: index(self.text.len()) }
    }

    /// A text of the archive without passwords, and not longer than anybody wants to read.
    fn shown(&mut self, text: &[u8]) -> Piece {
        let text = &text[..text.len().min(2 * URL_BYTES)];
        let text = hidden(text, &Secrets::Passwords.in_text(text));
        self.push(&text)
    }
}

/// A text of the archive, for people: what nobody sees is escaped, but for line breaks and tabs.
pub(crate) fn shown(text: &[u8]) -> String {
    let text: Cow<'_, [u8]> = clean_bytes(text, &['\n', '\t']);
    String::from_utf8_lossy(&text).into_owned()
}

/// A batch is far smaller than 4 GiB.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
