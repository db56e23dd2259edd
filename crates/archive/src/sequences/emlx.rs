//! The messages of Apple Mail (`.emlx`): a line with the length of the message, the message, and a
//! property list about it, which is not scanned.

use super::sequence::{MessageStart, Sequence};
use crate::Container;
use crate::field_names::may_be_in_mail;
use crate::head::Head;
use crate::header::find_field_colon;
use crate::mbox::MessageRange;
use memchr::memchr;

pub(super) const SEQUENCE: Sequence = Sequence {
    container: Container::Emlx,
    is_splittable: false,
    is_start,
    messages: |raw| Box::new(message(raw).into_iter()),
    whole: |_| 0,
    next_start: |_, _| None,
    message_start: |bytes| {
        let header = length_line(bytes).map(|(end, _)| end).or(Some(0));
        MessageStart { start: 0, header, otherwise: 0 }
    },
};

/// The maximum length in bytes of the line with the length. Apple Mail pads it with spaces.
const MAX_LINE_LEN: usize = 24;

/// The start of the property list.
const LIST: &[u8] = b"<?xml";

/// Returns the end of the first line and the number in it, or `None` if it is not a number.
fn length_line(text: &[u8]) -> Option<(usize, usize)> {
    let end = memchr(b'\n', text.get(..MAX_LINE_LEN.min(text.len()))?)?;
    let digits = text.get(..end)?.trim_ascii_end();
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some((end + 1, core::str::from_utf8(digits).ok()?.parse().ok()?))
}

/// True if the document starts with a number and a field of mail, and the property list follows at
/// the end of the message. `None` if the head is too short to decide. Beyond a complete head, the
/// list is not checked.
fn is_start(head: Head<'_>) -> Option<bool> {
    let bytes = head.bytes();
    if !bytes.first().is_none_or(u8::is_ascii_digit) {
        return Some(false);
    }
    let Some((start, len)) = length_line(bytes) else {
        return if bytes.len() < MAX_LINE_LEN {
            head.answer_if_complete(false)
        } else {
            Some(false)
        };
    };
    let Some(message) = bytes.get(start..).filter(|rest| !rest.is_empty()) else {
        return head.answer_if_complete(false);
    };
    let name = find_field_colon(message).and_then(|colon| message.get(..colon));
    if !name.is_some_and(|name| may_be_in_mail(name.trim_ascii_end())) {
        return Some(false);
    }
    match start.checked_add(len).and_then(|end| bytes.get(end..)) {
        Some(rest) if rest.len() >= LIST.len() => Some(rest.starts_with(LIST)),
        _ => head.answer_if_complete(head.has_more()),
    }
}

/// Returns the message of a file. If its length is wrong, it ends with the file.
fn message(raw: &[u8]) -> Option<MessageRange> {
    let (header, len) = length_line(raw).unwrap_or((0, raw.len()));
    let is_list = |end: &usize| raw.get(*end..).is_some_and(|rest| rest.starts_with(LIST));
    let end = header.checked_add(len).filter(is_list);
    (!raw.is_empty()).then_some(MessageRange { start: 0, header, end: end.unwrap_or(raw.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_ends_before_the_property_list() {
        let text = "Subject: x\n\nhttp://h.dom/\n";
        let list = "<?xml version=\"1.0\"?>\n<plist/>\n";
        let file = format!("{:<10}\n{text}{list}", text.len());
        let head = Head::of(file.as_bytes());
        assert_eq!(is_start(head), Some(true));
        let range = message(file.as_bytes()).unwrap();
        assert_eq!(&file[range.header..range.end], text);
        // Without a list at the end of the message, it is a text that starts with a number.
        let other = format!("{}\n{text}{list}", text.len() + 1);
        assert_eq!(is_start(Head::of(other.as_bytes())), Some(false));
        let prose = format!("12\nNote: prose, and {list}");
        assert_eq!(is_start(Head::of(prose.as_bytes())), Some(false));
    }
}
