//! The description of a message or web archive page in the record of a URL.

use crate::fields::{Field, message as field};
use crate::sender::{SenderHasher, Senders};
use crate::{Options, With};
use urlsift_archive::{self as archive, DateSource, Utc};
use urlsift_core::FileSpan;

/// The description of the message that contains a URL, as in the URL's record.
///
/// ```
/// use urlsift_records::{Input, Options, Scan};
/// let raw = b"From: a@host.dom\nMessage-ID: <1@host.dom>\nDate: 1 Dec 1994 10:00 GMT\n\nhttp://host.dom/\n";
/// let mut found = Vec::new();
/// Scan::new(Options::default()).read(Input::from_bytes("1.eml", raw), &mut found)?;
/// let message = found[0].message.as_ref().unwrap();
/// assert_eq!(message.id.as_deref(), Some(&b"<1@host.dom>"[..]));
/// assert_eq!(message.date.unwrap().to_string(), "1994-12-01T10:00:00Z");
/// assert_eq!(message.part, "1");
/// # Ok::<(), urlsift_archive::unpack::Trouble>(())
/// ```
#[derive(Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Message {
    /// The Message-ID, including the angle brackets.
    pub id: Option<Vec<u8>>,
    /// The date the message was sent, or `None` if it has no readable date.
    pub date: Option<Utc>,
    /// The header field or other source that the date comes from.
    pub date_source: Option<DateSource>,
    /// The `Date` field as written, if the date comes from another source.
    pub date_raw: Option<Vec<u8>>,
    /// The newsgroups that the message was posted to.
    pub newsgroups: Vec<Vec<u8>>,
    /// The identifier of the mailing list, from `List-Id`.
    pub list: Option<Vec<u8>>,
    /// The Message-ID of the message that this one replies to.
    pub in_reply_to: Option<Vec<u8>>,
    /// The domain of the sender's address, if requested with [`With::FromDomain`].
    pub from_domain: Option<Vec<u8>>,
    /// A hash of the sender's address, if requested with [`With::FromHash`].
    pub from_hash: Option<String>,
    /// The `From` field, decoded, if requested with [`With::From`].
    pub from: Option<Vec<u8>>,
    /// The subject, decoded, if requested with [`With::Subject`].
    pub subject: Option<Vec<u8>>,
    /// The number of the body part that contains the URL: see [`archive::Origin::part`].
    pub part: String,
    /// The position of the message in the file, including the envelope line.
    pub span: FileSpan,
    /// The names of the fields above that are incomplete, because the header field is longer than
    /// 4,096 bytes.
    pub cut: Vec<&'static str>,
}

impl Message {
    /// Returns the first address in [`Message::from`], in lower case. If the field contains no
    /// address, returns the whole field in lower case. Returns `None` if [`Message::from`] is
    /// `None`.
    ///
    /// ```
    /// use urlsift_records::{Input, Options, Scan, With};
    /// let mut options = Options::default();
    /// options.with = vec![With::From];
    /// let raw = b"From: Joe <Joe@Host.dom>\nDate: 1 Dec 1994\n\nhttp://host.dom/\n";
    /// let mut found = Vec::new();
    /// Scan::new(options).read(Input::from_bytes("1.eml", raw), &mut found)?;
    /// let message = found[0].message.as_ref().unwrap();
    /// assert_eq!(message.sender().as_deref(), Some(&b"joe@host.dom"[..]));
    /// # Ok::<(), urlsift_archive::unpack::Trouble>(())
    /// ```
    pub fn sender(&self) -> Option<Vec<u8>> {
        let from = self.from.as_deref()?;
        let address =
            archive::parse_address(from).map(|(local, domain)| [local, b"@", domain].concat());
        Some(address.unwrap_or_else(|| from.to_vec()).to_ascii_lowercase())
    }
}

/// The description of the web archive record (WARC, WET or ARC) that contains a URL, as in the
/// URL's record.
///
/// ```
/// use urlsift_records::{Input, Options, Scan};
/// let raw = b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.dom/\r\n\
///             Content-Type: text/plain\r\nContent-Length: 13\r\n\r\nhttp://b.dom/\r\n\r\n";
/// let mut found = Vec::new();
/// Scan::new(Options::default()).read(Input::from_bytes("a.warc", raw), &mut found)?;
/// let page = found[0].page.as_ref().unwrap();
/// assert_eq!((&*page.kind, page.uri.as_deref()), (&b"conversion"[..], Some(&b"http://a.dom/"[..])));
/// # Ok::<(), urlsift_archive::unpack::Trouble>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Page {
    /// The URL of the page.
    pub uri: Option<Vec<u8>>,
    /// The date the page was fetched.
    pub date: Option<Utc>,
    /// The identifier of the record, without angle brackets.
    pub id: Option<Vec<u8>>,
    /// The type of the web archive record: `response` or `conversion`.
    pub kind: Vec<u8>,
    /// True if only the start of the body was read, because the decompressed body exceeds a limit.
    pub is_cut: bool,
}

impl Page {
    /// Creates the description of `page`. The secrets that `options` selects are masked in it.
    pub(crate) fn new(page: &archive::WebPage<'_>, options: &Options) -> Self {
        let shown = |text: &[u8]| {
            (!text.is_empty()).then(|| truncate_field(&options.mask_for_display(text)).to_vec())
        };
        Self {
            uri: shown(page.uri),
            date: page.date(),
            id: shown(page.id),
            kind: truncate_field(page.kind).to_vec(),
            is_cut: page.is_cut,
        }
    }
}

/// The maximum number of bytes that a record contains of a header field. The limit matters because
/// the field is repeated in the record of every URL of the message.
const MAX_FIELD_LEN: usize = 4096;

impl Clone for Message {
    fn clone(&self) -> Self {
        let mut new = Self::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, other: &Self) {
        self.id.clone_from(&other.id);
        self.date = other.date;
        self.date_source = other.date_source;
        self.date_raw.clone_from(&other.date_raw);
        self.newsgroups.clone_from(&other.newsgroups);
        self.list.clone_from(&other.list);
        self.in_reply_to.clone_from(&other.in_reply_to);
        self.from_domain.clone_from(&other.from_domain);
        self.from_hash.clone_from(&other.from_hash);
        self.from.clone_from(&other.from);
        self.subject.clone_from(&other.subject);
        self.part.clone_from(&other.part);
        self.span = other.span;
        self.cut.clone_from(&other.cut);
    }
}

/// A builder for the descriptions of messages. It reuses the memory of earlier descriptions.
#[derive(Debug)]
pub(crate) struct MessageFiller<'s> {
    options: &'s Options,
    senders: Senders<'s>,
    /// Buffers for texts that are not in use.
    spare: Vec<Vec<u8>>,
}

impl<'s> MessageFiller<'s> {
    pub(crate) fn new(options: &'s Options, hasher: &'s SenderHasher) -> Self {
        Self { options, senders: Senders::new(hasher), spare: Vec::new() }
    }

    /// Replaces `filled` by the description of `message`, including the optional fields that the
    /// scan requests. `part` is the number of the body part that contains the URL.
    pub(crate) fn describe_into(
        &mut self,
        filled: &mut Message,
        message: &archive::Message<'_>,
        part: &str,
    ) {
        let Self { options, senders, spare } = self;
        let header = message.provenance();
        let date = header.date();
        filled.cut.clear();
        let cut = &mut filled.cut;
        let mut put = |to: &mut Option<Vec<u8>>, field: &Field, value: Option<&[u8]>| {
            let Some(value) = value else {
                spare.extend(to.take());
                return;
            };
            let value = options.mask_for_display(value);
            let kept = truncate_field(&value);
            if kept.len() < value.len() {
                cut.push(field.name);
            }
            let to = to.get_or_insert_with(|| spare.pop().unwrap_or_default());
            to.clear();
            to.extend_from_slice(kept);
        };
        put(&mut filled.id, &field::ID, header.id());
        let is_usual_source = matches!(date.source, Some(DateSource::Date | DateSource::Page));
        let raw = Some(&*date.raw).filter(|raw| !is_usual_source && !raw.is_empty());
        put(&mut filled.date_raw, &field::DATE_RAW, raw);
        put(&mut filled.list, &field::LIST, header.list_id());
        put(&mut filled.in_reply_to, &field::IN_REPLY_TO, header.in_reply_to());
        let requested = |with| options.with.contains(&with);
        let (wants_domain, wants_hash) = (requested(With::FromDomain), requested(With::FromHash));
        let sender =
            if wants_domain || wants_hash { senders.domain_and_hash(&header) } else { None };
        let from_domain = sender.filter(|_| wants_domain).map(|(domain, _)| domain);
        put(&mut filled.from_domain, &field::FROM_DOMAIN, from_domain);
        let from =
            requested(With::From).then(|| message.decoded_from()).filter(|from| !from.is_empty());
        put(&mut filled.from, &field::FROM, from.as_deref());
        let subject = requested(With::Subject).then(|| message.decoded_subject());
        let subject = subject.filter(|subject| !subject.is_empty());
        put(&mut filled.subject, &field::SUBJECT, subject.as_deref());
        match sender.filter(|_| wants_hash) {
            Some((_, hash)) => hash.as_str().clone_into(filled.from_hash.get_or_insert_default()),
            None => filled.from_hash = None,
        }
        // Newsgroups are never cut in the middle of a name.
        let (all, mut bytes) = (header.newsgroups(), 0);
        let names = all.iter().map(|name| options.mask_for_display(name).into_owned());
        filled.newsgroups.clear();
        filled.newsgroups.extend(names.take_while(|name| {
            bytes += name.len() + 1;
            bytes <= MAX_FIELD_LEN
        }));
        if filled.newsgroups.len() < all.len() {
            filled.cut.push(field::NEWSGROUPS.name);
        }
        part.clone_into(&mut filled.part);
        filled.span = message.span;
        (filled.date, filled.date_source) = (date.utc, date.source);
    }
}

/// Returns the first [`MAX_FIELD_LEN`] bytes of a header field's value. UTF-8 is cut only between
/// characters.
fn truncate_field(value: &[u8]) -> &[u8] {
    if value.len() <= MAX_FIELD_LEN {
        return value;
    }
    let is_continuation = |&at: &usize| value[at] & 0xC0 == 0x80;
    let end = (MAX_FIELD_LEN - 3..=MAX_FIELD_LEN).rev().find(|at| !is_continuation(at));
    &value[..end.unwrap_or(MAX_FIELD_LEN)]
}

#[cfg(test)]
mod tests {
    use crate::{FileName, Options, Unit, collect_records};
    use std::sync::Arc;

    #[test]
    fn long_fields_are_cut_and_the_record_says_so() {
        // After 4,095 letters, the last character would end after the limit.
        let id = format!("<{}\u{e9}{}@h>", "a".repeat(4094), "b".repeat(9000));
        let groups = format!("comp.a,{},comp.c", "b".repeat(4086));
        let raw = format!(
            "From: a@b.dom\nMessage-ID: {id}\nNewsgroups: {groups},comp.d\nDate: {}\nList-Id: <l.dom>\n\n\
             http://h.dom/a http://h.dom/b\n",
            "y".repeat(5000),
        );
        let file = Arc::new(FileName::default());
        let unit = Unit::whole_file(&file, raw.as_bytes(), urlsift_archive::Reading::Auto);
        let records = collect_records(raw.as_bytes(), &unit, &Options::default());
        assert_eq!(records.len(), 2);
        let message = records[0].message.as_deref().unwrap();
        assert_eq!(message.id.as_deref(), Some(&id.as_bytes()[..4095]));
        assert_eq!(message.date_raw.as_ref().map(Vec::len), Some(4096));
        assert_eq!(message.list.as_deref(), Some(&b"l.dom"[..]));
        assert_eq!(message.newsgroups.len(), 2);
        assert_eq!(message.cut, ["id", "date_raw", "newsgroups"]);
        assert!(Arc::ptr_eq(message, records[1].message.as_deref().unwrap()));
        let mut line = Vec::new();
        records[0].write_json(&mut line);
        let line = String::from_utf8(line).unwrap();
        assert!(line.ends_with(",\"cut\":[\"id\",\"date_raw\",\"newsgroups\"]}}\n"), "{line}");
    }
}
