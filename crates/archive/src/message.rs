//! Messages: their spans, and the header fields that give the provenance of a URL.

use crate::decode::encoded_word;
use crate::field_names::{ProvenanceField, may_be_provenance_field, provenance_field};
use crate::utc::Utc;
use crate::{date, header, pipermail};
use memchr::{memchr, memchr2, memmem, memrchr};
use std::borrow::Cow;
use urlsift_core::FileSpan;

/// The maximum length of a message, record or page that is read as a whole, in bytes.
pub const MAX_WHOLE_LEN: u64 = 64 << 20;

/// A mail message or news article that contains a document.
///
/// Header fields are only read on request, because most messages contain no URL.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
///
/// let raw = b"From: Joe <joe@host.dom>\nSubject: =?utf-8?q?caf=C3=A9?=\nNewsgroups: a.b,c.d\n\
///             References: <1@x> <2@x>\nList-Id: Talk <talk.host.dom>\n\nHello\n";
/// documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
///     let message = document.origin.message.unwrap();
///     assert_eq!(message.decoded_subject(), "café".as_bytes());
///     assert_eq!(message.from_address(), Some((&b"joe"[..], &b"host.dom"[..])));
///     assert_eq!((message.from_domain(), message.list_id()), (Some(&b"host.dom"[..]), Some(&b"talk.host.dom"[..])));
///     assert_eq!(message.in_reply_to(), Some(&b"<2@x>"[..]));
///     assert_eq!(message.newsgroups(), [b"a.b", b"c.d"]);
///     assert_eq!(message.raw_field("newsgroups"), Some(&b"a.b,c.d"[..]));
///     assert_eq!(message.decoded_from(), b"Joe <joe@host.dom>");
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Message<'a> {
    /// The bytes of the header. For a message in an encoded part, these are decoded bytes.
    pub(crate) header: &'a [u8],
    /// The `From ` line, if the message is in a mailbox.
    pub(crate) envelope: &'a [u8],
    /// True if the header was rebuilt from a web page that shows the message.
    pub(crate) is_page: bool,
    /// The message that contains this one, e.g. as an attachment.
    pub(crate) outer: Option<&'a Message<'a>>,
    /// The date in the path of the file: see [`Options::attachment_date`](crate::Options::attachment_date).
    pub(crate) path_date: Option<Utc>,
    /// The span of the whole message in the file, including its envelope line.
    pub span: FileSpan,
    /// The number of the message among all messages of the walk, including nested ones. Two
    /// documents of one walk belong to the same message if these numbers are equal.
    pub number: u64,
}

/// The date of a message, and the source that it comes from: see [`Message::date`].
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, DateSource, Options, documents};
///
/// let raw = b"From joe Thu Dec  1 10:00:00 1994\nDate: yesterday\n\nHello\n";
/// documents(raw, Container::Mbox, 0, &Options::default(), &mut |document| {
///     let date = document.origin.message.unwrap().date();
///     assert_eq!(date.utc.unwrap().to_string(), "1994-12-01T10:00:00Z");
///     assert_eq!((date.source, &*date.raw), (Some(DateSource::FromLine), &b"yesterday"[..]));
///     ControlFlow::Continue(())
/// });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Date<'a> {
    /// The time in UTC; `None` if no source could be parsed.
    pub utc: Option<Utc>,
    /// The field or line that the time was read from; `None` if there is no valid time.
    pub source: Option<DateSource>,
    /// The `Date` field as written, unfolded. Empty if there is none.
    pub raw: Cow<'a, [u8]>,
}

/// The source of a message's date.
///
/// ```
/// use urlsift_archive::DateSource;
/// assert_eq!(DateSource::ALL[0], DateSource::Date, "the most trusted one");
/// assert_eq!("from-line".parse(), Ok(DateSource::FromLine));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DateSource {
    /// The message's `Date` field.
    Date,
    /// The time at which the author's server accepted the article: `NNTP-Posting-Date`.
    NntpPostingDate,
    /// The time of arrival, from the topmost `Received` field.
    Received,
    /// The `From ` line of the mailbox.
    FromLine,
    /// The web page that shows the message.
    Page,
    /// The message that contains this one, because this one has no date.
    Outer,
    /// The path of the file, which is an attachment in a mail archive.
    Path,
}

impl DateSource {
    /// All sources, the most trusted first.
    pub const ALL: [Self; 7] = [
        Self::Date,
        Self::NntpPostingDate,
        Self::Received,
        Self::FromLine,
        Self::Page,
        Self::Outer,
        Self::Path,
    ];

    /// Returns the source's stable name, as used in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::NntpPostingDate => "nntp-posting-date",
            Self::Received => "received",
            Self::FromLine => "from-line",
            Self::Page => "page",
            Self::Outer => "outer",
            Self::Path => "path",
        }
    }
}

urlsift_core::by_name!(DateSource);

impl<'a> Message<'a> {
    /// Returns the raw value of the first field called `name` (ignoring case), including folds,
    /// comments and encoded words.
    pub fn raw_field(&self, name: &str) -> Option<&'a [u8]> {
        header::find_field_value(self.header, name).map(<[u8]>::trim_ascii)
    }

    /// Reads the fields of [`Provenance`] in one pass over the header.
    pub fn provenance(&self) -> Provenance<'a> {
        let Self { header, envelope, is_page, outer, path_date, .. } = *self;
        let mut provenance =
            Provenance { header, envelope, is_page, outer, path_date, ..Provenance::default() };
        header::visit_fields(header, 0, may_be_provenance_field, |field| {
            let Some(kind) = provenance_field(&field) else { return };
            let value = field.value().trim_ascii();
            let slot = match kind {
                ProvenanceField::Id => &mut provenance.id,
                ProvenanceField::From => &mut provenance.from,
                ProvenanceField::Date => &mut provenance.date,
                ProvenanceField::PostingDate => &mut provenance.posting_date,
                ProvenanceField::Received => &mut provenance.received,
                ProvenanceField::Newsgroups => &mut provenance.newsgroups,
                ProvenanceField::List => &mut provenance.list,
                ProvenanceField::References => &mut provenance.references,
                ProvenanceField::InReplyTo => {
                    // The value may be prose.
                    if provenance.in_reply_to.is_none() {
                        provenance.in_reply_to = first_bracketed_id(value);
                    }
                    return;
                }
            };
            slot.get_or_insert(value);
        });
        provenance
    }

    /// Returns the Message-ID with its angle brackets, or without them if the header has none.
    /// Returns `None` if there is no Message-ID.
    pub fn id(&self) -> Option<&'a [u8]> {
        Provenance { id: self.raw_field("Message-ID"), ..Provenance::default() }.id()
    }

    /// Returns the Message-ID of the message that this one answers: see
    /// [`Provenance::in_reply_to`].
    pub fn in_reply_to(&self) -> Option<&'a [u8]> {
        self.provenance().in_reply_to()
    }

    /// Returns the date of the message: see [`Provenance::date`].
    pub fn date(&self) -> Date<'a> {
        self.provenance().date()
    }

    /// Returns the newsgroups that the article was posted to, in order. Empty for mail.
    pub fn newsgroups(&self) -> Vec<&'a [u8]> {
        let newsgroups = self.raw_field("Newsgroups");
        Provenance { newsgroups, ..Provenance::default() }.newsgroups()
    }

    /// Returns the identifier of the mailing list, from the field `List-Id`. It is the text in
    /// angle brackets, or the whole field if it has none. Returns `None` if there is no such field.
    pub fn list_id(&self) -> Option<&'a [u8]> {
        Provenance { list: self.raw_field("List-Id"), ..Provenance::default() }.list_id()
    }

    /// Returns the address of the sender, split at the `@`: see [`Provenance::from_address`].
    pub fn from_address(&self) -> Option<(&'a [u8], &'a [u8])> {
        parse_address(self.raw_from()?)
    }

    /// Returns the domain of the sender's address: see [`Provenance::from_address`].
    pub fn from_domain(&self) -> Option<&'a [u8]> {
        self.from_address().map(|(_, domain)| domain)
    }

    /// Returns the field that names the sender, unfolded and decoded: see
    /// [`Provenance::raw_from`]. Returns an empty text if there is no such field.
    pub fn decoded_from(&self) -> Vec<u8> {
        decode_field(self.raw_from().unwrap_or_default())
    }

    /// Returns the raw value of the field that names the sender: see [`Provenance::raw_from`].
    fn raw_from(&self) -> Option<&'a [u8]> {
        let (header, from) = (self.header, self.raw_field("From"));
        Provenance { header, from, ..Provenance::default() }.raw_from()
    }

    /// Returns the subject, unfolded and decoded, or an empty text if there is none.
    pub fn decoded_subject(&self) -> Vec<u8> {
        decode_field(self.raw_field("Subject").unwrap_or_default())
    }
}

/// Returns the value of a header field, unfolded and decoded.
fn decode_field(value: &[u8]) -> Vec<u8> {
    encoded_word::decode_encoded_words(&unfold(value), 0).text
}

/// The header fields that give the origin of a message: see [`Message::provenance`].
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
///
/// let raw = b"Message-ID: <2@host.dom>\nIn-Reply-To: your note <1@host.dom>\n\
///     Date: Mon, 02 Jan 1995 10:00:00 +0100\nNewsgroups: comp.misc,alt.test\n\
///     List-Id: All of us <us.host.dom>\n\nText.\n";
/// let mut seen = 0;
/// documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
///     let provenance = document.origin.message.expect("the document is in a message").provenance();
///     assert_eq!(provenance.id(), Some(&b"<2@host.dom>"[..]));
///     assert_eq!(provenance.in_reply_to(), Some(&b"<1@host.dom>"[..]));
///     assert_eq!(provenance.date().utc.unwrap().to_string(), "1995-01-02T09:00:00Z");
///     assert_eq!(provenance.newsgroups(), [&b"comp.misc"[..], b"alt.test"]);
///     assert_eq!(provenance.list_id(), Some(&b"us.host.dom"[..]));
///     seen += 1;
///     ControlFlow::Continue(())
/// });
/// assert!(seen > 0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Provenance<'a> {
    /// The whole header.
    header: &'a [u8],
    id: Option<&'a [u8]>,
    from: Option<&'a [u8]>,
    date: Option<&'a [u8]>,
    posting_date: Option<&'a [u8]>,
    received: Option<&'a [u8]>,
    newsgroups: Option<&'a [u8]>,
    list: Option<&'a [u8]>,
    references: Option<&'a [u8]>,
    /// The value of `In-Reply-To`, reduced to its first identifier.
    in_reply_to: Option<&'a [u8]>,
    envelope: &'a [u8],
    is_page: bool,
    outer: Option<&'a Message<'a>>,
    path_date: Option<Utc>,
}

impl<'a> Provenance<'a> {
    /// Returns the Message-ID with its angle brackets, or without them if the header has none.
    /// Returns `None` if there is no Message-ID.
    pub fn id(&self) -> Option<&'a [u8]> {
        let value = self.id?;
        first_bracketed_id(value)
            .or_else(|| value.split(u8::is_ascii_whitespace).next())
            .filter(|id| !id.is_empty())
    }

    /// Returns the Message-ID that the message answers, with its angle brackets. This is the first
    /// Message-ID in `In-Reply-To`, which may be prose, or else the last one in `References`.
    /// Returns `None` if neither field contains a Message-ID.
    pub fn in_reply_to(&self) -> Option<&'a [u8]> {
        if self.in_reply_to.is_some() {
            return self.in_reply_to;
        }
        let value = self.references?;
        first_bracketed_id(value.get(memrchr(b'<', value)?..)?)
    }

    /// Returns the raw value of the field that names the sender. This is `From`, or
    /// `X-Original-From` if a mailing list replaced `From` with a text such as `Joe via Talk
    /// <talk@lists.dom>`. Returns `None` if there is no `From` field.
    pub fn raw_from(&self) -> Option<&'a [u8]> {
        let from = self.from?;
        let is_rewritten = memmem::find(from, b"via").is_some();
        let original = || header::find_field_value(self.header, "X-Original-From");
        let original = if is_rewritten { original().map(<[u8]>::trim_ascii) } else { None };
        Some(original.filter(|field| parse_address(field).is_some()).unwrap_or(from))
    }

    /// Returns the first address of the field that names the sender, as written, split into the
    /// parts before and after the `@`: see [`Provenance::raw_from`] and [`parse_address`].
    pub fn from_address(&self) -> Option<(&'a [u8], &'a [u8])> {
        parse_address(self.raw_from()?)
    }

    /// Returns the date of the message, from its `Date` field. (`Resent-Date` does not count.)
    ///
    /// If that field is missing, can't be parsed or has an implausible year, returns the date from
    /// the first of the other sources in [`DateSource::ALL`] that can be parsed. On an archive page,
    /// the date that the page displays takes the place of the field.
    pub fn date(&self) -> Date<'a> {
        let raw = unfold(self.date.unwrap_or_default());
        let (source, utc) = match Utc::parse(&raw) {
            Some(utc) if self.is_page => (DateSource::Page, utc),
            Some(utc) => (DateSource::Date, utc),
            None => match self.date_from_other_source() {
                Some(found) => found,
                None => return Date { raw, ..Date::default() },
            },
        };
        Date { utc: Some(utc), source: Some(source), raw }
    }

    /// Returns the date from the first source other than the `Date` field that can be parsed.
    /// Returns `None` if no source has one.
    fn date_from_other_source(&self) -> Option<(DateSource, Utc)> {
        let of = |source, text: Option<&[u8]>| Some((source, Utc::parse(text?)?));
        let after = |value: &'a [u8], mark| {
            value.iter().rposition(|&b| b == mark).and_then(|at| value.get(at + 1..))
        };
        of(DateSource::NntpPostingDate, self.posting_date)
            .or_else(|| of(DateSource::Received, after(self.received?, b';')))
            .or_else(|| of(DateSource::FromLine, date::envelope_date(self.envelope)))
            .or_else(|| Some((DateSource::Outer, self.outer?.date().utc?)))
            .or_else(|| Some((DateSource::Path, self.path_date?)))
    }

    /// Returns the newsgroups that the article was posted to, in order. Empty for mail.
    pub fn newsgroups(&self) -> Vec<&'a [u8]> {
        self.newsgroups
            .unwrap_or_default()
            .split(|b| matches!(b, b',' | b' ' | b'\t' | b'\r' | b'\n'))
            .filter(|name| !name.is_empty())
            .collect()
    }

    /// Returns the identifier of the mailing list, from the field `List-Id`. It is the text in
    /// angle brackets, or the whole field if it has none. Returns `None` if there is no such field.
    pub fn list_id(&self) -> Option<&'a [u8]> {
        let value = self.list?;
        let Some(from) = memrchr(b'<', value) else { return Some(value) };
        let rest = value.get(from + 1..)?;
        rest.get(..memchr(b'>', rest)?).map(<[u8]>::trim_ascii)
    }
}

/// Returns the first address in the value of a `From` field as written, split into the parts before
/// and after the `@`. Mail archives may write an address as `joe at host.dom`. Such an address is
/// split at the ` at `. Returns `None` if the value contains no address.
///
/// ```
/// use urlsift_archive::parse_address;
/// assert_eq!(parse_address(b"Joe <joe@host.dom>"), Some((&b"joe"[..], &b"host.dom"[..])));
/// ```
pub fn parse_address(value: &[u8]) -> Option<(&[u8], &[u8])> {
    // In `"a@b" <joe@host.dom>`, the address is the one in brackets.
    let from = memrchr(b'<', value).map_or(0, |at| at + 1);
    let address = value.get(from..)?;
    let (at, domain) = if let Some(at) = memchr(b'@', address) {
        let rest = address.get(at + 1..)?;
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || b".-_[]:".contains(b);
        let end = rest.iter().position(|b| !is_part(b)).unwrap_or(rest.len());
        (at, rest.get(..end)?)
    } else {
        let at = memmem::find(address, b" at ")?;
        (at, pipermail::host_after_at_word(address.get(at..)?)?)
    };
    let before = address.get(..at)?;
    let is_end = |b: &u8| b.is_ascii_whitespace() || b"<(,;:\"".contains(b);
    let local = before.get(before.iter().rposition(is_end).map_or(0, |at| at + 1)..)?;
    (!domain.is_empty()).then_some((local, domain))
}

/// Returns the first identifier in angle brackets in a field value, with the brackets, or `None` if
/// there is none.
fn first_bracketed_id(value: &[u8]) -> Option<&[u8]> {
    let rest = value.get(memchr(b'<', value)?..)?;
    rest.get(..=memchr(b'>', rest)?)
}

/// Returns a field value without the line breaks of its folds.
fn unfold(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr2(b'\r', b'\n', value).is_none() {
        return value.into();
    }
    value.iter().copied().filter(|b| !matches!(b, b'\r' | b'\n')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(header: &str) -> Message<'_> {
        Message {
            header: header.as_bytes(),
            envelope: b"",
            is_page: false,
            outer: None,
            path_date: None,
            span: FileSpan::default(),
            number: 0,
        }
    }

    #[test]
    fn provenance() {
        let message = message(
            "From: \"x@y\" <joe@host.dom> (Joe)\nMessage-Id: (c) <a@b>\nDATE: Thu, 1 Dec\n 1994 10:00 GMT\n\
             Newsgroups: comp.a,\n comp.b\nList-Id: The List <www.lists.dom>\n\nDate: no",
        );
        assert_eq!(message.id(), Some(&b"<a@b>"[..]));
        assert_eq!(message.date().utc.unwrap().to_string(), "1994-12-01T10:00:00Z");
        assert_eq!(message.newsgroups(), [b"comp.a", b"comp.b"]);
        assert_eq!(message.list_id(), Some(&b"www.lists.dom"[..]));
        assert_eq!(message.from_domain(), Some(&b"host.dom"[..]));
    }

    #[test]
    fn original_from_replaces_the_address_of_a_list() {
        let original = "X-Original-From: Joe <joe@host.dom>\n";
        let via = "From: \"Joe via Talk\" <talk@lists.dom>\n";
        let of = |fields: &[&str]| {
            let header = fields.concat();
            message(&header).from_domain().map(<[u8]>::to_vec)
        };
        assert_eq!(of(&[via, original]).as_deref(), Some(&b"host.dom"[..]));
        assert_eq!(of(&[via]).as_deref(), Some(&b"lists.dom"[..]));
        assert_eq!(of(&[via, "X-Original-From: Joe\n"]).as_deref(), Some(&b"lists.dom"[..]));
        // The author's own address is not replaced.
        let plain = "From: Ann <ann@other.dom>\n";
        assert_eq!(of(&[plain, original]).as_deref(), Some(&b"other.dom"[..]));
        let message =
            message("From: Joe via Talk <talk@lists.dom>\nX-Original-From: Joe <joe@h.dom>\n");
        assert_eq!(message.decoded_from(), b"Joe <joe@h.dom>");
    }

    #[test]
    fn addresses_and_parent_ids_are_read() {
        for (header, address) in [
            ("From: \"x@y\" <joe@host.dom> (Joe)\n", Some(("joe", "host.dom"))),
            ("From: joe@host.dom (Joe)\n", Some(("joe", "host.dom"))),
            ("From: joe at host.dom (Joe)\n", Some(("joe", "host.dom"))),
            ("From: Joe <host!joe>\n", None),
        ] {
            let expected = address.map(|(local, domain)| (local.as_bytes(), domain.as_bytes()));
            assert_eq!(message(header).from_address(), expected, "{header}");
        }
        for (header, id) in [
            ("In-Reply-To: Your message of \"Thu\" <1@a>, <2@b>\n", Some("<1@a>")),
            ("In-Reply-To: your mail\nReferences: <1@a>\n <2@b>\n", Some("<2@b>")),
            ("References: x\n", None),
        ] {
            assert_eq!(message(header).in_reply_to(), id.map(str::as_bytes), "{header}");
        }
        let message = message("From: =?utf-8?q?J=C3=B6?= <j@h>\nSubject: a\n b\n");
        assert_eq!(
            (message.decoded_from(), message.decoded_subject()),
            ("Jö <j@h>".into(), b"a b".to_vec())
        );
    }

    #[test]
    fn missing_fields_are_none() {
        assert_eq!(message("From: joe at h.dom (Joe)\n").from_domain(), Some(&b"h.dom"[..]));
        assert_eq!(message("From: Joe at home\n").from_domain(), None);
        let message = message("Message-ID: \nDate: soon\n\n");
        assert_eq!((message.id(), message.list_id(), message.from_domain()), (None, None, None));
        assert_eq!(message.date(), Date { raw: b"soon".into(), ..Date::default() });
        assert!(message.newsgroups().is_empty());
    }

    #[test]
    fn date_falls_back_to_other_sources() {
        let date = |header, envelope: &'static str, is_page| {
            let message = Message { envelope: envelope.as_bytes(), is_page, ..message(header) };
            let Date { utc, source, .. } = message.date();
            (utc.map(|utc| utc.to_string()).unwrap_or_default(), source)
        };
        let received = "Received: from a.dom by b.dom;\n Thu, 1 Dec 1994 10:00:00 GMT\n";
        let posted = "NNTP-Posting-Date: 2 Dec 1994 10:00:00 GMT\n";
        let from = "From mar@may.dom Sat Dec  3 10:00:00 1994 remote from a\n";
        let expected = |day: &str, source| (format!("1994-12-{day}T10:00:00Z"), Some(source));
        for wrong in ["", "Date: soon\n", "Date: 1 Jan 1970 00:00:00 GMT\n"] {
            let header = format!("{wrong}{received}{posted}");
            let found = message(&header).date();
            assert_eq!(found.source, Some(DateSource::NntpPostingDate), "{wrong}");
            assert_eq!(*found.raw, *wrong.trim_start_matches("Date: ").trim().as_bytes());
        }
        assert_eq!(date(received, from, false), expected("01", DateSource::Received));
        assert_eq!(date("Received: by b.dom\n", from, false), expected("03", DateSource::FromLine));
        assert_eq!(date("A: b\n", "From joe\n", false), (String::new(), None));
        let own = "Date: 4 Dec 94 10:00\n";
        assert_eq!(date(own, from, false), expected("04", DateSource::Date));
        assert_eq!(date(own, "", true), expected("04", DateSource::Page));
    }
}
