//! The interface that each format of files of many messages implements.

use crate::Container;
use crate::head::Head;
use crate::mbox::MessageRange;

/// A format of files that are a sequence of messages, such as news batches. The fields are
/// functions that find the messages in a buffer.
pub(crate) struct Sequence {
    pub(crate) container: Container,
    /// True if `next_start` works from anywhere in a file.
    pub(super) is_splittable: bool,
    /// True if a document that starts with this head has the format. `None` if the head is too
    /// short to decide.
    pub(crate) is_start: fn(Head<'_>) -> Option<bool>,
    /// Returns the messages of a file.
    pub(crate) messages: fn(&[u8]) -> Box<dyn Iterator<Item = MessageRange> + '_>,
    /// Returns the length of the largest prefix that contains only complete messages.
    pub(crate) whole: fn(&[u8]) -> usize,
    /// Returns the offset of the first message at or after an offset.
    pub(crate) next_start: fn(&[u8], usize) -> Option<usize>,
    /// Returns the start of the first message.
    pub(crate) message_start: fn(&[u8]) -> MessageStart,
}

/// The offsets of a message and of its header in a buffer.
pub(crate) struct MessageStart {
    pub(crate) start: usize,
    /// The start of its header, after anything that the format puts before it; `None` if it is not
    /// in these bytes.
    pub(crate) header: Option<usize>,
    /// The start of the header if the buffer contains the whole file.
    pub(crate) otherwise: usize,
}
