//! LISTSERV notebooks: the monthly logs of a mailing list, with a line of 73 `=` before each
//! message.
//!
//! A separator is recognized only from its own line and the start of the line after it. So a reader
//! that starts anywhere sees the same messages as one that reads from the start.

use super::sequence::{MessageStart, Sequence};
use crate::Container;
use crate::mbox::MessageRange;
use memchr::memmem;

pub(super) const SEQUENCE: Sequence = Sequence {
    container: Container::Notebook,
    is_splittable: true,
    is_start: |head| {
        let bytes = head.bytes();
        if bytes.first() != SEPARATOR.first() {
            return Some(false);
        }
        if bytes.starts_with(SEPARATOR) && !is_separator_at(bytes, 0) && !head.has_complete_lines(2)
        {
            return head.answer_if_complete(false);
        }
        Some(is_separator_at(bytes, 0))
    },
    messages: |raw| Box::new(notebook_messages(raw)),
    whole: |buf| last_message_start(buf).unwrap_or(0),
    next_start: next_message_start,
    message_start: |bytes| {
        let header = separator_end(bytes, 0).or(Some(0));
        MessageStart { start: 0, header, otherwise: 0 }
    },
};

/// The line before each message, without its line break.
const SEPARATOR: &[u8; 73] = &[b'='; 73];

/// The number of bytes from the start of a separator that are needed to recognize it: the line, its
/// line break, and one field name.
const LOOK_AHEAD: usize = SEPARATOR.len() + 2 + 16;

/// The fields that a message's header can start with: `Date` if LISTSERV keeps short headers, trace
/// fields if it keeps full ones. A line of `=` before any other line is part of the text.
const FIRST_FIELDS: [&[u8]; 10] = [
    b"Date:",
    b"Received:",
    b"Return-Path:",
    b"Message-ID:",
    b"From:",
    b"Sender:",
    b"Reply-To:",
    b"Comments:",
    b"Approved-By:",
    b"Acknowledge-To:",
];

/// Returns the offset after the separator line that starts at byte `at`, where the header of the
/// next message starts. Returns `None` if there is no separator.
fn separator_end(text: &[u8], at: usize) -> Option<usize> {
    if at > 0 && text.get(at - 1) != Some(&b'\n') {
        return None;
    }
    let rest = text.get(at..)?.strip_prefix(SEPARATOR)?;
    let (rest, line_break) = match rest {
        [b'\n', rest @ ..] => (rest, 1),
        [b'\r', b'\n', rest @ ..] => (rest, 2),
        _ => return None,
    };
    let is_start =
        |name: &&[u8]| rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    FIRST_FIELDS.iter().any(is_start).then_some(at + SEPARATOR.len() + line_break)
}

/// True if a message starts with its separator line at byte `at`.
fn is_separator_at(text: &[u8], at: usize) -> bool {
    separator_end(text, at).is_some()
}

/// Returns the messages of a LISTSERV notebook, in order. Text before the first separator also
/// counts as a message.
fn notebook_messages(raw: &[u8]) -> impl Iterator<Item = MessageRange> + '_ {
    let mut start = 0;
    core::iter::from_fn(move || {
        if start >= raw.len() {
            return None;
        }
        let header = separator_end(raw, start).unwrap_or(start);
        let end = next_message_start(raw, start + 1).unwrap_or(raw.len());
        Some(MessageRange { start: core::mem::replace(&mut start, end), header, end })
    })
}

/// Returns the offset of the first message of a notebook at or after byte `from`, or `None` if
/// there is none.
fn next_message_start(raw: &[u8], from: usize) -> Option<usize> {
    memmem::find_iter(raw.get(from..)?, SEPARATOR)
        .map(|at| at + from)
        .find(|&at| is_separator_at(raw, at))
}

/// Returns the last offset in a notebook's buffer at which a message certainly starts. The text
/// after the buffer can't change this. Never returns 0. Returns `None` if there is no such offset.
fn last_message_start(raw: &[u8]) -> Option<usize> {
    let judgeable = raw.get(..raw.len().checked_sub(LOOK_AHEAD)? + SEPARATOR.len())?;
    memmem::rfind_iter(judgeable, SEPARATOR).find(|&at| at > 0 && is_separator_at(raw, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_start_after_separators() {
        let rule = "=".repeat(73);
        let text = format!(
            "{rule}\r\nDate:         Thu, 1 Dec 1994 10:00:00 +0100\r\n\r\nOne.\r\n{rule}\r\nA ruled line.\r\n\
             ={rule}\r\nDate: no separator\r\n {rule}\r\nDate: nor this\r\n{rule}\r\ndate: 2\r\n\r\nTwo.\r\n"
        );
        let found: Vec<_> = notebook_messages(text.as_bytes()).collect();
        let second = text.find("date: 2").unwrap();
        let first = MessageRange { start: 0, header: 75, end: second - 75 };
        assert_eq!(
            found,
            [first, MessageRange { start: second - 75, header: second, end: text.len() }]
        );
        assert_eq!(last_message_start(text.as_bytes()), Some(second - 75));
        // With one byte less, another field name would still be possible.
        assert_eq!(last_message_start(&text.as_bytes()[..second + 15]), None);
    }
}
