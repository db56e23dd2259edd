//! The properties of messages and attachments (MS-OXPROPS), which TNEF and MSG files both contain.

use super::code_page::{charset_label, decode_code_page, decode_utf16};
use super::item::{Attached, Attachment, Item, Text};
use super::rtf;
use crate::content::MediaType;
use crate::header;
use crate::utc::Utc;
use std::borrow::Cow;

/// The identifiers of the properties that are read.
pub(super) mod id {
    pub(crate) const SUBJECT: u16 = 0x0037;
    pub(crate) const CLIENT_SUBMIT_TIME: u16 = 0x0039;
    pub(crate) const TRANSPORT_HEADERS: u16 = 0x007D;
    pub(crate) const SENDER_NAME: u16 = 0x0C1A;
    pub(crate) const SENDER_EMAIL_ADDRESS: u16 = 0x0C1F;
    pub(crate) const DELIVERY_TIME: u16 = 0x0E06;
    pub(crate) const BODY: u16 = 0x1000;
    pub(crate) const RTF_COMPRESSED: u16 = 0x1009;
    pub(crate) const HTML: u16 = 0x1013;
    pub(crate) const INTERNET_MESSAGE_ID: u16 = 0x1035;
    pub(crate) const IN_REPLY_TO_ID: u16 = 0x1042;
    pub(crate) const DISPLAY_NAME: u16 = 0x3001;
    pub(crate) const ATTACH_DATA: u16 = 0x3701;
    pub(crate) const ATTACH_FILENAME: u16 = 0x3704;
    pub(crate) const ATTACH_LONG_FILENAME: u16 = 0x3707;
    pub(crate) const ATTACH_MIME_TAG: u16 = 0x370E;
    pub(crate) const INTERNET_CODE_PAGE: u16 = 0x3FDE;
    pub(crate) const MESSAGE_CODE_PAGE: u16 = 0x3FFD;
    pub(crate) const SENDER_SMTP_ADDRESS: u16 = 0x5D01;
    /// The properties above.
    pub(crate) const ALL: [u16; 19] = [
        SUBJECT,
        CLIENT_SUBMIT_TIME,
        TRANSPORT_HEADERS,
        SENDER_NAME,
        SENDER_EMAIL_ADDRESS,
        DELIVERY_TIME,
        BODY,
        RTF_COMPRESSED,
        HTML,
        INTERNET_MESSAGE_ID,
        IN_REPLY_TO_ID,
        DISPLAY_NAME,
        ATTACH_DATA,
        ATTACH_FILENAME,
        ATTACH_LONG_FILENAME,
        ATTACH_MIME_TAG,
        INTERNET_CODE_PAGE,
        MESSAGE_CODE_PAGE,
        SENDER_SMTP_ADDRESS,
    ];
}

/// The type of a property's value, with its number in files.
pub(super) mod kind {
    #[cfg_attr(not(feature = "msg"), allow(dead_code, reason = "only read in MSG files"))]
    pub(crate) const NUMBER: u16 = 0x0003;
    pub(crate) const STRING8: u16 = 0x001E;
    pub(crate) const UNICODE: u16 = 0x001F;
    pub(crate) const OBJECT: u16 = 0x000D;
    pub(crate) const TIME: u16 = 0x0040;
    pub(crate) const BINARY: u16 = 0x0102;
}

/// The number of seconds from 1601 to 1970.
const BEFORE_1970: i64 = 11_644_473_600;

/// A property of a message or an attachment.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub id: u16,
    /// One of the numbers in [`kind`], or that of another type.
    pub kind: u16,
    pub value: Cow<'a, [u8]>,
}

/// The properties of a message or an attachment. Only those in [`id::ALL`] are kept.
#[derive(Debug, Default)]
pub(super) struct Properties<'a> {
    list: Vec<Property<'a>>,
    /// The code page of 8-bit texts; 0 if it is unknown.
    pub code_page: u32,
}

impl<'a> Properties<'a> {
    /// Returns an empty list. `code_page` is the code page of 8-bit texts; 0 if it is unknown.
    pub(super) const fn with_code_page(code_page: u32) -> Self {
        Self { list: Vec::new(), code_page }
    }

    /// Adds a property, unless it is not needed or already known.
    pub(super) fn add(&mut self, id: u16, kind: u16, value: Cow<'a, [u8]>) {
        if id::ALL.contains(&id) && self.find(id).is_none() {
            self.list.push(Property { id, kind, value });
        }
    }

    pub(super) fn find(&self, id: u16) -> Option<&Property<'a>> {
        self.list.iter().find(|property| property.id == id)
    }

    /// Removes and returns the property `id`.
    pub(super) fn take(&mut self, id: u16) -> Option<Property<'a>> {
        let at = self.list.iter().position(|property| property.id == id)?;
        Some(self.list.swap_remove(at))
    }

    /// Returns the number in the property `id`.
    fn number(&self, id: u16) -> Option<u64> {
        let value = &self.find(id)?.value;
        match value.len() {
            8.. => Some(u64::from_le_bytes(*value.first_chunk()?)),
            _ => Some(u32::from_le_bytes(*value.first_chunk()?).into()),
        }
    }

    /// Returns the code page of 8-bit texts.
    pub(super) fn text_code_page(&self) -> u32 {
        let named = self.number(id::MESSAGE_CODE_PAGE).and_then(|page| u32::try_from(page).ok());
        named.unwrap_or(self.code_page)
    }

    /// Returns the text of the property `id` in UTF-8, without line breaks and NULs at its end.
    /// Returns `None` if there is no such property, or if it is empty.
    pub(super) fn text(&self, id: u16) -> Option<Vec<u8>> {
        let property = self.find(id)?;
        let mut text = match property.kind {
            kind::UNICODE => decode_utf16(&property.value),
            kind::STRING8 => decode_code_page(&property.value, self.text_code_page()),
            _ => return None,
        };
        while text.last().is_some_and(|byte| matches!(byte, 0 | b'\r' | b'\n')) {
            text.pop();
        }
        (!text.is_empty()).then_some(text)
    }

    /// Adds the property `id` with a time, unless it is already known.
    pub(super) fn add_time(&mut self, id: u16, time: Utc) {
        if let Ok(since_1601) = u64::try_from(time.timestamp() + BEFORE_1970) {
            let value = (since_1601 * 10_000_000).to_le_bytes();
            self.add(id, kind::TIME, value.to_vec().into());
        }
    }

    /// Returns the time in the property `id` (a number of 100 nanoseconds since 1601).
    fn time(&self, id: u16) -> Option<Utc> {
        let seconds = i64::try_from(self.number(id)? / 10_000_000).ok()? - BEFORE_1970;
        Utc::from_timestamp(seconds)
    }

    /// Returns the header of the message, as in mail. Its fields are those of the original message
    /// if the properties contain them, and fields for other properties.
    fn mail_header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(fields) = self.text(id::TRANSPORT_HEADERS) {
            out.extend_from_slice(fields.trim_ascii());
            out.push(b'\n');
        }
        let sender = || {
            let smtp = |id| self.text(id).filter(|address| address.contains(&b'@'));
            let address = smtp(id::SENDER_SMTP_ADDRESS).or_else(|| smtp(id::SENDER_EMAIL_ADDRESS));
            let name = self.text(id::SENDER_NAME).filter(|name| Some(name) != address.as_ref());
            match (name, address) {
                (Some(name), Some(address)) => Some([&name[..], b" <", &address, b">"].concat()),
                (name, address) => address.or(name),
            }
        };
        let date = || {
            let time =
                self.time(id::CLIENT_SUBMIT_TIME).or_else(|| self.time(id::DELIVERY_TIME))?;
            Some(time.to_rfc3339().to_vec())
        };
        push_missing_field(&mut out, "From", sender);
        push_missing_field(&mut out, "Date", date);
        push_missing_field(&mut out, "Subject", || self.text(id::SUBJECT));
        push_missing_field(&mut out, "Message-ID", || self.text(id::INTERNET_MESSAGE_ID));
        push_missing_field(&mut out, "In-Reply-To", || self.text(id::IN_REPLY_TO_ID));
        out
    }

    /// Returns the bodies of the message: the text, the HTML, or if there is none, the text of the
    /// RTF.
    fn take_texts(&mut self) -> Vec<Text<'a>> {
        let code_page = self.text_code_page();
        let mut texts = Vec::new();
        for (id, media) in [(id::BODY, MediaType::Text), (id::HTML, MediaType::Html)] {
            let pages = self.number(id::INTERNET_CODE_PAGE).map(|page| u32::try_from(page).ok());
            let Some(Property { kind, value, .. }) = self.take(id) else { continue };
            texts.push(match kind {
                kind::UNICODE => Text {
                    media,
                    charset: "utf-8",
                    bytes: without_end_mark(decode_utf16(&value).into()),
                },
                kind::BINARY => {
                    let charset = charset_label(pages.flatten().unwrap_or(code_page));
                    Text { media, charset, bytes: value }
                }
                _ => Text {
                    media,
                    charset: charset_label(code_page),
                    bytes: without_end_mark(value),
                },
            });
        }
        // Outlook stores HTML as RTF with the tags in between.
        if !texts.iter().any(|text| text.media == MediaType::Html)
            && let Some(packed) = self.take(id::RTF_COMPRESSED)
            && let Some(rtf) = rtf::decompress(&packed.value)
        {
            let (bytes, is_html) = rtf::read(&rtf);
            if is_html || texts.is_empty() {
                let media = if is_html { MediaType::Html } else { MediaType::Text };
                texts.push(Text { media, charset: "utf-8", bytes: bytes.into() });
            }
        }
        texts
    }

    /// Converts the properties of a message to a message with `attachments`.
    pub(super) fn into_item(mut self, attachments: Vec<Attachment<'a>>) -> Item<'a> {
        let header = self.mail_header();
        Item { header, texts: self.take_texts(), attachments }
    }

    /// Converts the properties of an attachment to one that contains `contents`.
    pub(super) fn into_attachment(self, contents: Attached<'a>) -> Attachment<'a> {
        let name = [id::ATTACH_LONG_FILENAME, id::ATTACH_FILENAME, id::DISPLAY_NAME];
        Attachment {
            name: name.into_iter().find_map(|id| self.text(id)).unwrap_or_default(),
            media_type: self.text(id::ATTACH_MIME_TAG).unwrap_or_default(),
            contents,
        }
    }
}

/// Returns a text without the NULs at its end.
fn without_end_mark(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let len = text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    match text {
        Cow::Borrowed(text) => text.get(..len).unwrap_or(text).into(),
        Cow::Owned(mut text) => {
            text.truncate(len);
            text.into()
        }
    }
}

/// Appends the field `name` with the result of `value` to a header, unless the header already has
/// it. Line breaks in the value become spaces.
fn push_missing_field(header: &mut Vec<u8>, name: &str, value: impl FnOnce() -> Option<Vec<u8>>) {
    if header::find_field_value(header, name).is_some() {
        return;
    }
    let Some(mut value) = value() else { return };
    for byte in &mut value {
        if matches!(byte, b'\r' | b'\n' | 0) {
            *byte = b' ';
        }
    }
    header.extend_from_slice(name.as_bytes());
    header.extend_from_slice(b": ");
    header.extend_from_slice(&value);
    header.push(b'\n');
}
