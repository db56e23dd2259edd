//! Files of many messages other than mailboxes, one module each.

mod babyl;
mod emlx;
mod notebook;
mod rnews;
mod sequence;

pub(crate) use self::sequence::{MessageStart, Sequence};

use crate::Container;

/// The formats, in the order in which they are detected.
pub(crate) static ALL: [Sequence; 4] =
    [rnews::SEQUENCE, notebook::SEQUENCE, babyl::SEQUENCE, emlx::SEQUENCE];

impl Container {
    /// Returns the functions that find the messages in this container. Returns `None` if the
    /// container is a mailbox, or not a sequence of messages.
    pub(crate) fn sequence_format(self) -> Option<&'static Sequence> {
        ALL.iter().find(|sequence| sequence.container == self)
    }

    /// True if the container is a sequence of messages or texts, so that a stream of it can be read
    /// in pieces: see [`safe_cut`](crate::safe_cut).
    pub fn is_sequence(self) -> bool {
        matches!(self, Self::Mboxcl | Self::Web(_))
            || self.sequence_format().is_some()
            || self.is_splittable()
    }

    /// True if the next start of a message or text can be found from anywhere in the file, without
    /// reading the bytes before. Then the file can be split among threads: see
    /// [`split`](crate::split).
    pub fn is_splittable(self) -> bool {
        match self {
            Self::Escaped(notation) => notation.has_pieces(),
            Self::Mbox => true,
            _ => self.sequence_format().is_some_and(|sequence| sequence.is_splittable),
        }
    }
}
