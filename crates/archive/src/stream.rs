//! Functions to read a sequence of messages in pieces, and to split it.

use crate::{Container, mbox, web};
use core::ops::Range;

/// Returns the length of the longest prefix of `buf` that consists of complete messages, or 0 if no
/// message in it is complete. `buf` must start at a message of `container`. If `at_eof` is true,
/// nothing follows the buffer, and the result is the length of `buf`.
///
/// A reader fills a buffer, passes `buf[..safe_cut(..)]` to [`documents`](crate::documents), and
/// moves the rest to the front of the next buffer. The messages are the same as if the whole file
/// was in memory. While the result is 0, the reader appends more bytes to the buffer, up to
/// [`Options::max_message`](crate::Options::max_message). A longer message is scanned as raw text:
/// pass its bytes to the scanner as they arrive, up to the next message start
/// ([`next_message_start`]).
///
/// ```
/// use urlsift_archive::{Container, safe_cut};
/// let mailbox = b"From a Thu Dec  1 10:00:00 1994\nSubject: x\n\nOne.\n\n\
///                 From b Thu Dec  1 11:00:00 1994\nSubject: y, which is long enough to see that a message\n";
/// assert_eq!(safe_cut(Container::Mbox, &mailbox[..60], false), 0);
/// assert_eq!(safe_cut(Container::Mbox, mailbox, true), mailbox.len());
/// ```
pub fn safe_cut(container: Container, buf: &[u8], at_eof: bool) -> usize {
    if at_eof {
        return buf.len();
    }
    match container {
        Container::Mbox => mbox::last_certain_message_start(buf).unwrap_or(0),
        Container::Mboxcl => mbox::complete_len_by_content_length(buf),
        Container::Escaped(notation) => notation.last_piece_start(buf),
        Container::Web(format) => web::complete_records_len(format, buf),
        _ => container.sequence_format().map_or(0, |sequence| (sequence.whole)(buf)),
    }
}

/// Returns an offset at which a long text can be cut. Use this if [`safe_cut`] returns 0 for the
/// first [`Options::max_message`](crate::Options::max_message) bytes of a text, and pass these
/// bytes as `buf`. Returns 0 if texts of `container` can't be cut.
///
/// A scan of the pieces finds the same URLs as a scan of the whole text. Takes linear time.
///
/// ```
/// use urlsift_archive::{Container, Notation, long_cut};
/// let line = br#"["http:\/\/h.dom\/a","http:\/\/h.d"#;
/// assert_eq!(long_cut(Container::Escaped(Notation::Json), line), 21);
/// assert_eq!(long_cut(Container::Message, line), 0);
/// ```
pub fn long_cut(container: Container, buf: &[u8]) -> usize {
    match container {
        Container::Escaped(notation) => notation.last_cut(buf),
        _ => 0,
    }
}

/// Splits a file of many messages into ranges of at least `min_len` bytes that start at messages.
///
/// The messages are the same as in a walk through the whole file. A container that must be read
/// from its start is one range: see [`Container::is_splittable`].
///
/// Each range costs one search, which starts at the earliest acceptable offset.
///
/// ```
/// use urlsift_archive::{Container, split};
/// let mailbox = b"From a Thu Dec  1 10:00:00 1994\nSubject: x\n\nOne.\n\n\
///                 From b Thu Dec  1 11:00:00 1994\nSubject: y\n\nTwo.\n";
/// let units: Vec<_> = split(Container::Mbox, mailbox, 1).collect();
/// assert_eq!(units, [0..50, 50..99]);
/// assert_eq!(split(Container::Mbox, mailbox, 1000).count(), 1);
/// ```
pub fn split(
    container: Container,
    raw: &[u8],
    min_len: usize,
) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    core::iter::from_fn(move || {
        if start >= raw.len() {
            return None;
        }
        let wish = start.checked_add(min_len.max(1)).filter(|_| container.is_splittable());
        let end =
            wish.and_then(|wish| next_message_start(container, raw, wish)).unwrap_or(raw.len());
        Some(core::mem::replace(&mut start, end)..end)
    })
}

/// Returns the offset of the first message of `container` in `buf` at or after byte `from`. `buf`
/// may start in the middle of a message.
///
/// Returns `None` if no start is certain: a start in the last [`LOOK_BEHIND`] bytes may need more
/// input to be recognized.
///
/// ```
/// use urlsift_archive::{Container, LOOK_BEHIND, next_message_start};
/// let message = "From joe Thu Dec  1 10:00:00 1994\nSubject: a\n\nHello\n\n";
/// let mbox = message.repeat(40);
/// assert!(mbox.len() > LOOK_BEHIND);
/// assert_eq!(next_message_start(Container::Mbox, mbox.as_bytes(), 1), Some(message.len()));
/// ```
pub fn next_message_start(container: Container, buf: &[u8], from: usize) -> Option<usize> {
    match container {
        Container::Mbox | Container::Mboxcl => mbox::next_message_start(buf, from),
        Container::Escaped(notation) => notation.next_piece_start(buf, from),
        _ => (container.sequence_format()?.next_start)(buf, from),
    }
}

/// The number of bytes before and after an offset that [`next_message_start`] needs to decide
/// whether a message starts there.
pub const LOOK_BEHIND: usize = 1100;
