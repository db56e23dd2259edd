//! Reads TNEF, the format in which Outlook sends its own properties: `winmail.dat` (MS-OXTNEF).
//!
//! A file is a list of attributes. Each has a level (message or attachment), an identifier, a
//! length and a checksum. The checksum is not checked, because files with wrong ones exist, and a
//! wrong length shows in the next level.

use super::item::{Attached, Attachment, Item, MAX_NESTED};
use super::properties::{Properties, id, kind};
use crate::utc::Utc;
use std::borrow::Cow;

/// The flag of a property with several values.
const MULTIPLE: u16 = 0x1000;

/// The first bytes of a file.
pub(crate) const MAGIC: &[u8] = b"\x78\x9F\x3E\x22";

/// The identifiers of the attributes that are read, without their types.
mod attribute {
    pub(super) const FROM: u16 = 0x8000;
    pub(super) const SUBJECT: u16 = 0x8004;
    pub(super) const DATE_SENT: u16 = 0x8005;
    pub(super) const BODY: u16 = 0x800C;
    pub(super) const DATA: u16 = 0x800F;
    pub(super) const TITLE: u16 = 0x8010;
    pub(super) const RENDERING: u16 = 0x9002;
    pub(super) const MESSAGE_PROPERTIES: u16 = 0x9003;
    pub(super) const ATTACHMENT: u16 = 0x9005;
    pub(super) const CODE_PAGE: u16 = 0x9007;
}

/// A reader of little-endian numbers. Each method returns `None` at the end.
#[derive(Clone, Copy, Debug)]
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(bytes)
    }

    fn u8(&mut self) -> Option<u8> {
        self.bytes(1)?.first().copied()
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(*self.bytes(2)?.first_chunk()?))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(*self.bytes(4)?.first_chunk()?))
    }

    fn len(&mut self) -> Option<usize> {
        usize::try_from(self.u32()?).ok()
    }

    /// Returns `len` bytes and skips the padding after them, which fills up to a multiple of 4.
    fn padded(&mut self, len: usize) -> Option<&'a [u8]> {
        let bytes = self.bytes(len)?;
        let padding = len.next_multiple_of(4) - len;
        self.rest = self.rest.get(padding.min(self.rest.len())..)?;
        Some(bytes)
    }
}

/// Reads the message in a TNEF file. Returns `None` if the file is not TNEF. A damaged file is read
/// up to the damage.
pub(crate) fn read(file: &[u8]) -> Option<Item<'_>> {
    read_nested(file, MAX_NESTED)
}

/// Reads a TNEF file that contains messages up to `depth` levels deep.
fn read_nested(file: &[u8], depth: usize) -> Option<Item<'_>> {
    let mut reader = Reader { rest: file.strip_prefix(MAGIC)? };
    reader.u16()?;
    let (mut message, mut date) = (Properties::default(), None);
    let mut attachments = Vec::new();
    let mut current: Option<AttachmentSoFar<'_>> = None;
    while let Some((number, value)) = next_attribute(&mut reader) {
        match number {
            attribute::CODE_PAGE => {
                message.code_page = Reader { rest: value }.u32().unwrap_or(0);
            }
            attribute::SUBJECT => message.add(id::SUBJECT, kind::STRING8, value.into()),
            attribute::BODY => message.add(id::BODY, kind::STRING8, value.into()),
            attribute::FROM => {
                let _ = add_sender(value, &mut message);
            }
            attribute::DATE_SENT => date = parse_date(value),
            attribute::MESSAGE_PROPERTIES => {
                let _ = read_properties(Reader { rest: value }, &mut message);
            }
            attribute::RENDERING => {
                attachments.extend(current.take().and_then(|known| known.finish(depth)));
                current = Some(AttachmentSoFar::new(message.text_code_page()));
            }
            _ => {
                let known =
                    current.get_or_insert_with(|| AttachmentSoFar::new(message.text_code_page()));
                match number {
                    attribute::DATA => known.data = Some(value),
                    attribute::TITLE => known.title = value,
                    attribute::ATTACHMENT => {
                        let _ = read_properties(Reader { rest: value }, &mut known.properties);
                    }
                    _ => {}
                }
            }
        }
    }
    attachments.extend(current.and_then(|known| known.finish(depth)));
    if let Some(date) = date {
        message.add_time(id::CLIENT_SUBMIT_TIME, date);
    }
    Some(message.into_item(attachments))
}

/// Returns the identifier and value of the next attribute. Returns `None` at the end, and where the
/// list is damaged.
fn next_attribute<'a>(reader: &mut Reader<'a>) -> Option<(u16, &'a [u8])> {
    if !matches!(reader.u8()?, 1 | 2) {
        return None;
    }
    let number = reader.u16()?;
    let _type = reader.u16()?;
    let len = reader.len()?;
    // In a file that was cut off, the last attachment still has a start.
    let value = reader.bytes(len.min(reader.rest.len()))?;
    let _checksum = reader.u16();
    Some((number, value))
}

/// The attributes of an attachment that were read so far.
#[derive(Debug, Default)]
struct AttachmentSoFar<'a> {
    data: Option<&'a [u8]>,
    title: &'a [u8],
    properties: Properties<'a>,
}

impl<'a> AttachmentSoFar<'a> {
    fn new(code_page: u32) -> Self {
        Self { properties: Properties::with_code_page(code_page), ..Self::default() }
    }

    /// Returns the attachment, or `None` if it has no contents. Messages in it are read up to
    /// `depth` levels deep.
    fn finish(mut self, depth: usize) -> Option<Attachment<'a>> {
        let object = self.properties.take(id::ATTACH_DATA);
        let contents = match object {
            Some(property) if property.kind == kind::OBJECT => {
                // The interface identifier comes first.
                let Cow::Borrowed(bytes) = property.value else { return None };
                let bytes = bytes.get(16..)?;
                match depth.checked_sub(1).and_then(|depth| read_nested(bytes, depth)) {
                    Some(item) => Attached::Message(Box::new(item)),
                    None => Attached::File(self.data.unwrap_or(bytes).into()),
                }
            }
            Some(property) if self.data.is_none() => Attached::File(property.value),
            _ => Attached::File(self.data?.into()),
        };
        self.properties.add(id::ATTACH_FILENAME, kind::STRING8, self.title.into());
        Some(self.properties.into_attachment(contents))
    }
}

/// Parses a date: year, month, day, hour, minute, second and day of the week.
fn parse_date(value: &[u8]) -> Option<Utc> {
    let mut reader = Reader { rest: value };
    let mut next = || Some(i64::from(reader.u16()?));
    let (year, month, day) = (next()?, next()?, next()?);
    let (hour, minute, second) = (next()?, next()?, next()?);
    let month = usize::try_from(month).ok()?.checked_sub(1).filter(|month| *month < 12)?;
    if !(1..=31).contains(&day) || !(1600..=9999).contains(&year) {
        return None;
    }
    Utc::new(year, month, day, (hour * 60 + minute) * 60 + second)
}

/// Adds the sender in `value`, the attribute `From`: the lengths of two texts, the display name and
/// the address with its type, such as `SMTP:joe@host.dom`.
fn add_sender<'a>(value: &'a [u8], message: &mut Properties<'a>) -> Option<()> {
    let mut reader = Reader { rest: value };
    let _type_and_len = reader.u32()?;
    let (name_len, address_len) = (reader.u16()?.into(), reader.u16()?.into());
    let name = reader.bytes(name_len)?;
    let address = reader.bytes(address_len)?;
    message.add(id::SENDER_NAME, kind::STRING8, name.into());
    let colon = memchr::memchr(b':', address)?;
    let address = address.get(colon + 1..)?;
    message.add(id::SENDER_EMAIL_ADDRESS, kind::STRING8, address.into());
    Some(())
}

/// Adds a list of properties to `out`, up to where the list ends or is damaged.
fn read_properties<'a>(mut reader: Reader<'a>, out: &mut Properties<'a>) -> Option<()> {
    let count = reader.u32()?;
    for _ in 0..count {
        let (kind, id) = (reader.u16()?, reader.u16()?);
        // A property with a name of its own: after an identifier of 16 bytes, a number or a text.
        if id >= 0x8000 {
            reader.bytes(16)?;
            if reader.u32()? == 0 {
                reader.u32()?;
            } else {
                let len = reader.len()?;
                reader.padded(len)?;
            }
        }
        let single = kind & !MULTIPLE;
        let has_lens =
            matches!(single, kind::OBJECT | kind::STRING8 | kind::UNICODE | kind::BINARY);
        let values = if has_lens || kind & MULTIPLE != 0 { reader.u32()? } else { 1 };
        for _ in 0..values {
            let len = match single {
                _ if has_lens => reader.len()?,
                2 | 3 | 4 | 0x0A | 0x0B => 4,
                5 | 6 | 7 | 0x14 | 0x40 => 8,
                0x48 => 16,
                _ => return None,
            };
            let value = reader.padded(len)?;
            out.add(id, single, value.into());
        }
    }
    Some(())
}
