//! Web pages that show one message each, and the header data on them.

use crate::html;

/// The header data of a message, as found on a web page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The Message-ID, with or without its angle brackets.
    pub id: Option<Vec<u8>>,
    pub date: Option<Vec<u8>>,
    /// The name of the message's author.
    pub name: Option<Vec<u8>>,
    pub address: Option<Vec<u8>>,
    pub subject: Option<Vec<u8>>,
}

impl Page {
    /// Formats the data as a message header, with one line per field.
    pub(crate) fn into_header(self) -> Vec<u8> {
        let mut header = Vec::new();
        let mut field = |name: &str, parts: &[&[u8]]| {
            header.extend_from_slice(name.as_bytes());
            header.extend_from_slice(&parts.concat());
            header.push(b'\n');
        };
        if let Some(id) = self.id.as_deref().map(strip_angle_brackets).filter(|id| !id.is_empty()) {
            field("Message-ID: <", &[id, b">"]);
        }
        if let Some(date) = self.date {
            field("Date: ", &[&date]);
        }
        if let Some(address) = self.address {
            field(
                "From: ",
                &[&self.name.unwrap_or_default(), b" <", strip_angle_brackets(&address), b">"],
            );
        }
        if let Some(subject) = self.subject {
            field("Subject: ", &[&subject]);
        }
        header
    }
}

/// Decodes the character references in `value`, and replaces its line breaks with spaces.
pub(crate) fn decode_to_one_line(value: &[u8]) -> Vec<u8> {
    let mut text = html::decode_text_attribute(value.trim_ascii(), 0).text;
    for line_break in text.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
        *line_break = b' ';
    }
    text
}

/// Returns an identifier or address without its angle brackets.
fn strip_angle_brackets(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii();
    let value = value.strip_prefix(b"<").unwrap_or(value);
    value.strip_suffix(b">").unwrap_or(value)
}
