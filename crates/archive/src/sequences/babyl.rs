//! Emacs's Babyl files: each message follows `^_ ^L`, and its displayed header follows
//! `*** EOOH ***`.

use super::sequence::{MessageStart, Sequence};
use crate::Container;
use crate::mbox::MessageRange;
use memchr::{memchr, memmem};

pub(super) const SEQUENCE: Sequence = Sequence {
    container: Container::Babyl,
    is_splittable: false,
    is_start: |head| head.starts_with(b"BABYL OPTIONS:"),
    messages: |raw| Box::new(babyl_messages(raw)),
    whole: |buf| memmem::rfind(buf, SEPARATOR).unwrap_or(0),
    next_start: |buf, from| Some(from + memmem::find(buf.get(from..)?, SEPARATOR)?),
    message_start: |bytes| {
        let Some(message) = bytes.strip_prefix(SEPARATOR) else {
            return MessageStart { start: 0, header: Some(0), otherwise: 0 };
        };
        let start = SEPARATOR.len();
        let header = displayed_header_start(message).map(|shown| start + shown);
        MessageStart { start, header, otherwise: start }
    },
};

/// The separator before each message.
const SEPARATOR: &[u8] = b"\x1F\x0C";

fn babyl_messages(raw: &[u8]) -> impl Iterator<Item = MessageRange> + '_ {
    let mut start = memmem::find(raw, SEPARATOR).map_or(raw.len(), |at| at + SEPARATOR.len());
    core::iter::from_fn(move || {
        let item = babyl_message_at(raw, start)?;
        start = item.end + SEPARATOR.len();
        Some(item)
    })
}

/// Returns the offset of the displayed header in a message, which follows `*** EOOH ***`, or `None`
/// if there is none.
fn displayed_header_start(message: &[u8]) -> Option<usize> {
    let at = memmem::find(message, b"*** EOOH ***")?;
    Some(at + memchr(b'\n', message.get(at..)?).map_or(12, |end| end + 1))
}

/// Returns the range of the Babyl message that starts at byte `start`, or `None` at the end of the
/// file.
fn babyl_message_at(raw: &[u8], start: usize) -> Option<MessageRange> {
    let rest = raw.get(start..).filter(|rest| !rest.is_empty())?;
    let len = memmem::find(rest, SEPARATOR).unwrap_or(rest.len());
    let one = rest.get(..len)?;
    let shown = displayed_header_start(one).unwrap_or(0);
    Some(MessageRange { start, header: start + shown, end: start + len })
}
