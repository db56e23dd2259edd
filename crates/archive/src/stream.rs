//! Reading a sequence of messages piece by piece.

use crate::{Container, batch, mbox, notebook, web};
use core::ops::Range;

/// The largest offset up to which `buf`, which starts at a message of `container`, holds whole
/// messages; 0 if it holds not one. With `at_eof` nothing follows the buffer and the answer is its
/// length.
///
/// A reader fills a buffer, hands `buf[..safe_cut(..)]` to [`documents`](crate::documents), and
/// carries the rest to the front of the next. The messages are the same as if the whole had been
/// read at once. As long as the answer is 0 it reads on, up to
/// [`Options::max_message`](crate::Options::max_message): a longer message is scanned as raw text,
/// so from there on its bytes can be handed to the scanner as they come, up to the next message
/// start ([`next_start`]).
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
        Container::Mbox => mbox::last_start(buf).unwrap_or(0),
        Container::Mboxcl => mbox::whole_by_length(buf),
        Container::Rnews => batch::whole_rnews(buf),
        Container::Babyl => batch::whole_babyl(buf),
        Container::Notebook => notebook::last_start(buf).unwrap_or(0),
        Container::Escaped(notation) => notation.last_start(buf),
        Container::Web(format) => web::whole(format, buf),
        _ => 0,
    }
}

/// Where a text of `container` of which [`safe_cut`] finds no end within [`Options::max_message`](crate::Options::max_message) is cut:
/// `buf` are so many bytes of it. What is cut there is found as if the whole had been read at once. 0 if it cannot be. Linear.
///
/// ```
/// use urlsift_archive::{Container, Notation, long_cut};
/// let line = br#"["http:\/\/h.dom\/a","http:\/\/h.d"#;
/// assert_eq!(long_cut(Container::Escaped(Notation::Json), line), 21);
/// assert_eq!(long_cut(Container::Message, line), 0);
/// ```
pub fn long_cut(container: Container, buf: &[u8]) -> usize {
    match container {
        Container::Escaped(notation) => notation.cut(buf),
        _ => 0,
    }
}

/// Cuts a file of many messages into ranges of at least `at_least` bytes that start at messages.
///
/// A boundary is one that a walk through the whole would also take. A container that cannot be cut
/// without reading it from its start ([`Container::is_splittable`]) is one range.
///
/// Each step costs one search from the wished-for place on.
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
    at_least: usize,
) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    core::iter::from_fn(move || {
        if start >= raw.len() {
            return None;
        }
        let wish = start.checked_add(at_least.max(1)).filter(|_| container.is_splittable());
        let end = wish.and_then(|wish| next_start(container, raw, wish)).unwrap_or(raw.len());
        Some(core::mem::replace(&mut start, end)..end)
    })
}

/// The first message start of `container` in `buf` at or after byte `from`, where `buf` may start
/// anywhere in a message. `None` if there is none for certain: a start in the last
/// [`LOOK_BEHIND`] bytes may not show itself before more is read.
///
/// ```
/// use urlsift_archive::{Container, LOOK_BEHIND, next_start};
/// let message = "From joe Thu Dec  1 10:00:00 1994\nSubject: a\n\nHello\n\n";
/// let mbox = message.repeat(40);
/// assert!(mbox.len() > LOOK_BEHIND);
/// assert_eq!(next_start(Container::Mbox, mbox.as_bytes(), 1), Some(message.len()));
/// ```
pub fn next_start(container: Container, buf: &[u8], from: usize) -> Option<usize> {
    match container {
        Container::Mbox | Container::Mboxcl => mbox::next_start(buf, from),
        Container::Rnews => batch::next_rnews(buf, from),
        Container::Babyl => batch::next_babyl(buf, from),
        Container::Notebook => notebook::next_start(buf, from),
        Container::Escaped(notation) => notation.next_start(buf, from),
        _ => None,
    }
}

/// How many bytes before a wished-for place must be kept for [`next_start`] to judge it, and how
/// many after it.
pub const LOOK_BEHIND: usize = 1100;
