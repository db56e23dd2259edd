//! Finds offsets at which a long body can be cut, so that the second part can be decoded without
//! the first.

use crate::content::{Content, Encoding, MediaType};
use crate::decode::base64::GroupTracker;
use crate::decode::charset::{Coding, coding_of_label};
use memchr::memchr;

/// The kind of indivisible unit that a body consists of. A cut may be made between two units, but
/// not inside one.
#[derive(Debug)]
enum Kind {
    /// Lines, or single characters in long lines. Also for quoted-printable.
    Lines,
    /// Characters of two bytes.
    Pairs,
    /// Base64 groups. True if the encoded text has two bytes per character.
    Base64(GroupTracker, bool),
}

/// A search for cuts in a body that is read in chunks.
#[derive(Debug)]
pub(super) struct Cuts {
    kind: Kind,
    /// The minimum distance between two cuts, in bytes.
    step: u64,
    /// The offset of the body's start in the message.
    start: u64,
    /// The offset in the message up to which the body was read.
    at: u64,
    /// The minimum offset of the next cut.
    min_next: u64,
    /// The last two bytes that were read.
    last: [u8; 2],
    found: Vec<u64>,
}

impl Cuts {
    /// Starts the search in a body with the properties `content`, which starts at offset `start` of
    /// the message. `min_distance` is the minimum distance between two cuts, in bytes.
    pub(super) fn new(content: &Content<'_>, start: u64, min_distance: u64) -> Self {
        let is_text =
            !matches!(content.kind, MediaType::Multipart | MediaType::Digest | MediaType::Message);
        let is_wide = is_text && matches!(coding_of_label(content.charset), Coding::Utf16(_));
        let kind = match content.encoding {
            Encoding::Base64 => Kind::Base64(GroupTracker::default(), is_wide),
            Encoding::None if is_wide => Kind::Pairs,
            _ => Kind::Lines,
        };
        Self {
            kind,
            step: min_distance,
            start,
            at: start,
            min_next: start + min_distance,
            last: [0; 2],
            found: Vec::new(),
        }
    }

    /// Searches the next chunk of the body for cuts.
    pub(super) fn search_chunk(&mut self, bytes: &[u8]) {
        let end = self.at + bytes.len() as u64;
        match &mut self.kind {
            Kind::Base64(phase, is_wide) => {
                let (min_next, found, step, at) =
                    (&mut self.min_next, &mut self.found, self.step, self.at);
                phase.find_resume_offsets(bytes, |done, is_line_start, is_even| {
                    let place = at + done as u64;
                    // Without line breaks, cut after any group.
                    let fits = is_line_start || place >= *min_next + step;
                    if place >= *min_next && fits && (is_even || !*is_wide) {
                        found.push(place);
                        *min_next = place + step;
                    }
                });
            }
            Kind::Pairs => {
                while self.min_next <= end {
                    let place = self.min_next + (self.min_next - self.start) % 2;
                    self.found.push(place);
                    self.min_next = place + self.step;
                }
            }
            Kind::Lines => {
                while self.min_next < end {
                    let from = usize::try_from(self.min_next.saturating_sub(self.at)).unwrap_or(0);
                    let rest = bytes.get(from..).unwrap_or_default();
                    let max_len = usize::try_from(self.step).unwrap_or(usize::MAX);
                    let line =
                        memchr(b'\n', rest.get(..max_len.min(rest.len())).unwrap_or_default());
                    let place = match line {
                        Some(lf) => self.at + (from + lf) as u64 + 1,
                        None if rest.len() < max_len => {
                            // The line may end in the next chunk. If there is no end within one
                            // step, cut inside the line.
                            if end < self.min_next + self.step {
                                break;
                            }
                            self.at + self.next_char_start(bytes, from) as u64
                        }
                        None => self.at + self.next_char_start(bytes, from + max_len) as u64,
                    };
                    self.found.push(place);
                    self.min_next = place + self.step;
                }
            }
        }
        if let [.., a, b] = *bytes {
            self.last = [a, b];
        } else if let [b] = *bytes {
            self.last = [self.last[1], b];
        }
        self.at = end;
    }

    /// Returns the first offset in `bytes`, from `at` on, that is not inside a character or an
    /// escape.
    fn next_char_start(&self, bytes: &[u8], at: usize) -> usize {
        let byte = |at: isize| match usize::try_from(at) {
            Ok(at) => bytes.get(at).copied().unwrap_or(0),
            Err(_) => self.last.get(usize::try_from(at + 2).unwrap_or(0)).copied().unwrap_or(0),
        };
        let place = |at: usize| isize::try_from(at).unwrap_or(isize::MAX);
        let splits = |at: &usize| {
            let at = place(*at);
            byte(at - 1) == b'=' || byte(at - 2) == b'=' || byte(at) & 0xC0 == 0x80
        };
        (at..bytes.len().min(at + 8)).find(|at| !splits(at)).unwrap_or(at)
    }

    /// Returns the cuts found so far: the offsets in the message at which the body can be cut.
    pub(super) fn cuts_so_far(&self) -> &[u64] {
        &self.found
    }

    /// Returns all cuts. Call this after the whole body was read.
    pub(super) fn finish(self) -> Vec<u64> {
        self.found
    }
}

/// True if the start of a text determines how the rest is decoded: by a byte order mark or by
/// charset designations.
pub(super) fn needs_start_to_decode(content: &Content<'_>) -> bool {
    matches!(coding_of_label(content.charset), Coding::Utf16(_) | Coding::Shifted(_))
}
