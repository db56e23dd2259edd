//! A message of Outlook, converted to the fields and texts of mail.

use crate::content::MediaType;
use std::borrow::Cow;

/// The maximum number of messages inside each other that are read.
pub(crate) const MAX_NESTED: usize = 16;

/// A message. It may borrow its texts from the bytes of the file.
#[derive(Debug, Default)]
pub(crate) struct Item<'a> {
    /// The header, as in mail. It has no blank line at its end.
    pub header: Vec<u8>,
    /// The bodies: plain text, HTML, or both.
    pub texts: Vec<Text<'a>>,
    pub attachments: Vec<Attachment<'a>>,
}

/// A body of a message.
#[derive(Debug)]
pub(crate) struct Text<'a> {
    pub media: MediaType,
    /// The label of the charset.
    pub charset: &'static str,
    pub bytes: Cow<'a, [u8]>,
}

/// A file or message that is attached to a message.
#[derive(Debug)]
pub(crate) struct Attachment<'a> {
    /// The file name; empty if there is none.
    pub name: Vec<u8>,
    /// The media type; empty if there is none.
    pub media_type: Vec<u8>,
    pub contents: Attached<'a>,
}

/// The contents of an attachment.
#[derive(Debug)]
pub(crate) enum Attached<'a> {
    File(Cow<'a, [u8]>),
    Message(Box<Item<'a>>),
}
