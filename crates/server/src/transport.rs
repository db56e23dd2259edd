//! Reads the protocol's messages from a stream: header fields, an empty line, and JSON.

use lsp_server::{Message, RequestId};
use serde_json::Value;
use std::io::{self, BufRead, Read as _};

/// The maximum length of a message, in bytes.
const MAX_MESSAGE_LEN: u64 = 256 << 20;
/// The maximum length of a header line, in bytes.
const MAX_LINE_LEN: u64 = 4096;

/// A message that was read from the client, or the reason why it is invalid.
#[derive(Debug)]
pub(crate) enum Incoming {
    Message(Message),
    /// An invalid message: the id to respond to, if it is known, and the reason.
    Broken(Option<RequestId>, String),
}

/// Reads the next message of the protocol, or returns `None` at the end of the stream. Reading can
/// continue after an invalid message.
///
/// # Errors
///
/// Returns any error from reading the stream.
pub(crate) fn read_message(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = read_content_length(input)? else { return Ok(None) };
    if length > MAX_MESSAGE_LEN {
        io::copy(&mut input.take(length), &mut io::sink())?;
        let why = format!("the message is too long: {length} bytes");
        return Ok(Some(Incoming::Broken(None, why)));
    }
    let mut body = Vec::new();
    if input.take(length).read_to_end(&mut body)? as u64 != length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => {
            let value: Value = serde_json::from_slice(&body).unwrap_or_default();
            let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
            Incoming::Broken(id, error.to_string())
        }
    }))
}

/// Reads the header of a message and returns the value of its field `Content-Length`, in bytes.
/// Skips all other lines, and headers without this field. Returns `None` at the end of the stream.
fn read_content_length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.take(MAX_LINE_LEN).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line).to_ascii_lowercase();
        match (text.trim(), length) {
            ("", Some(length)) => return Ok(Some(length)),
            // After an invalid message, the field may start anywhere in a line.
            (text, _) => {
                let value = text.rsplit_once("content-length:").map(|(_, value)| value.trim());
                length = value.and_then(|value| value.parse().ok()).or(length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Incoming, read_message};

    #[test]
    fn reading_continues_after_an_invalid_message() {
        let good = "Content-Length: 22\r\n\r\n{\"method\":\"exit\"     }";
        let input = format!(
            "Content-Length: 3\r\n\r\n{{x}}garbage\r\n\r\ncontent-type: a\r\nCONTENT-LENGTH: 8\r\n\r\n{{\"id\":7}}{good}\
             Content-Length: 99999999999\r\n\r\n"
        );
        let mut input = input.as_bytes();
        let mut next = || read_message(&mut input).unwrap();
        assert!(matches!(next(), Some(Incoming::Broken(None, _))));
        assert!(matches!(next(), Some(Incoming::Broken(Some(id), _)) if id == 7.into()));
        assert!(matches!(next(), Some(Incoming::Message(_))));
        assert!(matches!(next(), Some(Incoming::Broken(None, _))));
        assert!(next().is_none());
    }
}
