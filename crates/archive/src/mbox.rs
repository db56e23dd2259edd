//! Mailboxes of many messages in one file, told apart by `From ` lines.
//!
//! A `From ` line is judged by what stands next to it alone (the line before, itself, the start of
//! the line after), never by what was read earlier. So a reader that starts anywhere, a splitter
//! that looks from the middle of the file, and one that reads it through all see the same messages.

use crate::head::Head;
use crate::header::{self, Role, field_colon};
use core::ops::Range;
use memchr::{memchr, memmem};

/// The longest envelope line that is believed.
const LONGEST_ENVELOPE: usize = 1000;

/// How far past the envelope line its judgement looks: one field name.
const LOOK_AHEAD: usize = 80;

/// Whether a message starts at byte `at`: see [`envelope_end`].
pub(crate) fn is_envelope(text: &[u8], at: usize) -> bool {
    envelope_end(text, at).is_some()
}

/// Where the header starts if a message starts at byte `at`, with `From `.
///
/// The envelope carries a time and a date (asctime's, with whatever zones and `remote from` the
/// many mailers add), or nothing but one word with a header field on the next line. After a line that
/// is not blank, both the date and the field are asked for; but a negative number and the field, as
/// the exports of Google Groups have them, are enough anywhere.
fn envelope_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if at > 0 && text.get(at - 1) != Some(&b'\n') || !rest.starts_with(b"From ") {
        return None;
    }
    let window = rest.get(..LONGEST_ENVELOPE.min(rest.len()))?;
    let (line, end) = match memchr(b'\n', window) {
        Some(end) => (window.get(5..end)?, at + end + 1),
        None if rest.len() < LONGEST_ENVELOPE => (window.get(5..)?, text.len()),
        None => return None,
    };
    let blank = at == 0
        || text.get(..at).is_some_and(|b| b.ends_with(b"\n\n") || b.ends_with(b"\n\r\n"))
        || at == 1
        || at == 2 && text.first() == Some(&b'\r');
    let field = || {
        let after = text.get(end..).unwrap_or_default();
        field_colon(after.get(..LOOK_AHEAD.min(after.len())).unwrap_or_default()).is_some()
            || after.starts_with(b">From ")
    };
    let line = line.trim_ascii();
    let starts = if is_dated(line) {
        blank || field()
    } else {
        (blank && !line.is_empty() && !line.contains(&b' ') || is_number_of_google(line)) && field()
    };
    starts.then_some(end)
}

/// Whether the line ends as most do: `Thu Dec  1 10:00:00 1994`.
fn ends_with_asctime(line: &[u8]) -> bool {
    line.last_chunk::<13>().is_some_and(|tail| {
        tail.iter().enumerate().all(|(i, byte)| match i {
            2 | 5 => *byte == b':',
            8 => *byte == b' ',
            _ => byte.is_ascii_digit(),
        })
    })
}

/// Whether the line is a thread's number in an export of Google Groups: `-1234567890123456789`.
fn is_number_of_google(line: &[u8]) -> bool {
    matches!(line, [b'-', digits @ ..] if digits.len() >= 6 && digits.iter().all(u8::is_ascii_digit))
}

/// Whether the line holds a time of day and, apart from it, a year or a day's name.
fn is_dated(line: &[u8]) -> bool {
    if ends_with_asctime(line) {
        return true;
    }
    let mut time = false;
    let mut day = false;
    for word in line.split(|b| matches!(b, b' ' | b'\t')) {
        match word {
            [a, b':', c, d, ..] if [a, c, d].iter().all(|b| b.is_ascii_digit()) => time = true,
            [a, b, b':', c, d, ..] if [a, b, c, d].iter().all(|b| b.is_ascii_digit()) => {
                time = true;
            }
            [b'1', b'9', a, b] | [b'2', b'0', a, b] if a.is_ascii_digit() && b.is_ascii_digit() => {
                day = true;
            }
            [_, _, _] | [_, _, _, b','] => {
                day |= [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"]
                    .iter()
                    .any(|name| word.get(..3).is_some_and(|w| w.eq_ignore_ascii_case(&name[..])));
            }
            _ => {}
        }
    }
    time && day
}

/// Where one message of a file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MessageRange {
    /// First byte: that of the envelope line.
    pub start: usize,
    /// Where the header starts, after the envelope line.
    pub header: usize,
    /// One past the last byte.
    pub end: usize,
}

impl MessageRange {
    /// A message that starts with its header.
    pub(crate) const fn without_envelope(range: Range<usize>) -> Self {
        Self { start: range.start, header: range.start, end: range.end }
    }
}

/// Walks a mailbox in one pass: the same search that finds the next `From ` line finds the quoted
/// ones (`>From `).
pub(crate) struct Messages<'t> {
    text: &'t [u8],
    from: memmem::Finder<'static>,
    by_length: bool,
    /// Where the message at hand starts, and its header.
    start: usize,
    header: usize,
}

impl<'t> Messages<'t> {
    /// `by_length`: a `Content-Length` is believed where it leads to a message's start or to the
    /// end of the file.
    pub(crate) fn new(text: &'t [u8], by_length: bool) -> Self {
        let header = if text.starts_with(b"From ") {
            memchr(b'\n', text).map_or(text.len(), |end| end + 1)
        } else {
            0
        };
        Self { text, from: memmem::Finder::new("From "), by_length, start: 0, header }
    }

    /// Where the header of the next message starts.
    pub(crate) fn header(&self) -> Option<usize> {
        (self.start < self.text.len()).then_some(self.header)
    }

    /// The next message. `quoted` receives the offsets of the first `>` of its `>From ` lines.
    pub(crate) fn next(&mut self, quoted: &mut Vec<usize>) -> Option<MessageRange> {
        self.next_beyond(self.start, quoted)
    }

    /// The next message, if its header, up to byte `body`, is known to hold neither `From ` lines nor
    /// quoted ones: these are searched for from there on. `quoted` is as in [`Messages::next`].
    pub(crate) fn next_beyond(
        &mut self,
        body: usize,
        quoted: &mut Vec<usize>,
    ) -> Option<MessageRange> {
        quoted.clear();
        let header = self.header()?;
        let start = self.start;
        let told = if self.by_length { self.told_end(header) } else { None };
        (self.start, self.header) = (self.text.len(), self.text.len());
        for at in self.from.find_iter(self.text.get(body..)?) {
            let at = body + at;
            if at <= start {
                continue;
            }
            match at.checked_sub(1).and_then(|before| self.text.get(before)) {
                Some(b'\n') if told.is_none() => {
                    if let Some(end) = envelope_end(self.text, at) {
                        (self.start, self.header) = (at, end);
                        break;
                    }
                }
                Some(b'\n') if told == Some(at) => {
                    let rest = self.text.get(at..)?;
                    let end = memchr(b'\n', rest).map_or(self.text.len(), |end| at + end + 1);
                    (self.start, self.header) = (at, end);
                    break;
                }
                Some(b'>') => quoted.extend(first_mark(self.text, start, at)),
                _ => {}
            }
        }
        Some(MessageRange { start, header, end: self.start })
    }

    /// Where the header's `Content-Length` says that the next message starts, if one does.
    fn told_end(&self, header: usize) -> Option<usize> {
        let end = self.told_length(header)?;
        // One line break more stands between the body and the next envelope.
        (0..=2).filter_map(|gap| end.checked_add(gap)).find(|&at| {
            let rest = self.text.get(at..);
            let line = at > 0 && self.text.get(at - 1) == Some(&b'\n');
            rest.is_some_and(|rest| rest.is_empty() || line && rest.starts_with(b"From "))
        })
    }

    /// Where the header's `Content-Length` says that the body ends.
    fn told_length(&self, header: usize) -> Option<usize> {
        let mut fields = header::Fields::new(self.text, header);
        let mut length = None;
        for field in fields.by_ref() {
            if header::role(&field) == Role::ContentLength {
                length = number(field.value());
            }
        }
        fields.body().checked_add(length.filter(|&length| length <= LONGEST_TOLD)?)
    }
}

/// The first of the marks before `From ` at `at`, if a line of the message from `start` on begins with them.
fn first_mark(text: &[u8], start: usize, at: usize) -> Option<usize> {
    let line = text.get(start..at)?;
    let marks = line.iter().rev().take_while(|&&b| b == b'>').count();
    let before = line.len().checked_sub(marks + 1)?;
    (marks > 0 && line.get(before) == Some(&b'\n')).then_some(at - marks)
}

/// The first marks of all `>From ` lines of a message.
pub(crate) fn first_marks(message: &[u8]) -> Vec<usize> {
    memmem::find_iter(message, b"From ").filter_map(|at| first_mark(message, 0, at)).collect()
}

fn number(value: &[u8]) -> Option<usize> {
    core::str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
}

/// True if a mailbox's first message shows that its messages are told apart by `Content-Length`.
/// Where the head is too short to see the second message, the field alone decides.
pub(crate) fn has_lengths(head: Head<'_>) -> Option<bool> {
    let bytes = head.bytes();
    let walk = Messages::new(bytes, true);
    let header = memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
    let mut fields = header::Fields::new(bytes, header);
    let told = fields
        .by_ref()
        .find(|field| header::role(field) == Role::ContentLength)
        .and_then(|field| number(field.value()));
    fields.by_ref().for_each(drop);
    if !fields.is_over() {
        head.settle(())?;
    }
    let Some(told) = told else { return Some(false) };
    match fields.body().checked_add(told) {
        Some(end) if end < bytes.len() => {
            // The start of the next message must be there as a whole.
            if bytes.len() - end <= LOOK_AHEAD {
                head.settle(())?;
            }
            Some(walk.told_end(header).is_some())
        }
        _ => head.settle(true),
    }
}

/// The first message start at or after byte `from`.
pub(crate) fn next_start(raw: &[u8], from: usize) -> Option<usize> {
    memmem::find_iter(raw.get(from..)?, b"From ")
        .map(|at| at + from)
        .find(|&at| is_envelope(raw, at))
}

/// A `Content-Length` beyond this is not believed: a stream could not wait for it.
const LONGEST_TOLD: usize = 64 << 20;

/// How many bytes at the start of `buf` are whole messages for certain, in a mailbox whose
/// messages are told apart by their lengths.
pub(crate) fn whole_by_length(buf: &[u8]) -> usize {
    let mut walk = Messages::new(buf, true);
    let mut cut = 0;
    let mut quoted = Vec::new();
    while let Some(item) = walk.next(&mut quoted) {
        let beyond = walk.told_length(item.header).is_some_and(|end| end > buf.len());
        if beyond || item.end >= buf.len() || !is_judgeable(buf, item.end) {
            break;
        }
        cut = item.end;
    }
    cut
}

/// Whether the buffer goes on far enough to judge the envelope line at `at`.
fn is_judgeable(buf: &[u8], at: usize) -> bool {
    let rest = buf.get(at..).unwrap_or_default();
    memchr(b'\n', rest).is_some_and(|end| end + LOOK_AHEAD < rest.len())
        || rest.len() > LONGEST_ENVELOPE + LOOK_AHEAD
}

/// The last message start after byte 0 that is certain whatever follows the buffer.
pub(crate) fn last_start(raw: &[u8]) -> Option<usize> {
    memmem::rfind_iter(raw, b"\nFrom ")
        .map(|at| at + 1)
        .find(|&at| is_judgeable(raw, at) && is_envelope(raw, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]
        /// The search that starts at the body finds what the one over the whole message finds.
        #[test]
        fn plain_headers_hold_no_starts(
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "From a Thu Dec  1 10:00:00 1994\n", "From : Thu Dec  1 10:00:00 1994\n", "From x\n", ">From y\n",
                "From", ">", " ", "\t", "\n", "\r\n", "A: 1\n", "Content-Length: 9\n", "B :\n", "stray\n", "From: j\n", "\n\n",
            ][..]), 0..24),
            by_length: bool,
        ) {
            let text = format!("From a Thu Dec  1 10:00:00 1994\n{}", pieces.concat());
            let (mut long, mut short) =
                (Messages::new(text.as_bytes(), by_length), Messages::new(text.as_bytes(), by_length));
            let (mut marks, mut same_marks) = (Vec::new(), Vec::new());
            while let Some(header) = short.header() {
                let mut fields = header::Fields::new(text.as_bytes(), header);
                let named = fields.by_ref().count();
                let item = long.next(&mut marks);
                let found = if fields.is_plain() {
                    short.next_beyond(fields.body(), &mut same_marks)
                } else {
                    short.next(&mut same_marks)
                };
                prop_assert_eq!(found, item);
                prop_assert_eq!(&marks, &same_marks);
                // Nor do they depend on what follows the message.
                if fields.is_plain() {
                    let mut limited = header::Fields::new(&text.as_bytes()[..item.unwrap().end], header);
                    prop_assert_eq!(limited.by_ref().count(), named);
                    prop_assert_eq!(limited.body(), fields.body());
                }
            }
            prop_assert_eq!(long.next(&mut marks), None);
        }
    }

    fn envelope(text: &str) -> bool {
        let at = text.find("From ").unwrap();
        is_envelope(text.as_bytes(), at)
    }

    #[test]
    fn envelopes_of_many_mailers() {
        for line in [
            "From joe@host.dom Thu Dec  1 10:00:00 1994",
            "From joe at host.dom  Thu Dec  1 10:00:00 1994",
            "From ???@??? Thu Dec 01 10:00:00 1994",
            "From joe Thu Dec  1 10:00 GMT 1994",
            "From joe Thu Dec  1 10:00:00 1994 -0500",
            "From host!joe Thu Dec  1 10:00:00 1994 remote from host",
            "From - Thu, 01 Dec 94 9:00:00 +0000",
            "From joe@host.dom Thu Dec  1 10:00:00 1994\r",
        ] {
            assert!(envelope(&format!("x\n\n{line}\n\nbody")), "{line}");
            assert!(envelope(&format!("x\n{line}\nTo: x\n")), "{line}");
        }
        assert!(envelope("x\n\nFrom -1234567890\nX-Google-Language: ENGLISH\n"));
        assert!(envelope("x\nFrom -1234567890\nX-Google-Language: ENGLISH\n"));
        assert!(envelope(
            "x\n\nFrom 1234567890@xxx Thu Dec 01 10:00:00 +0000 1994\nX-GM-THRID: 1\n"
        ));
    }

    #[test]
    fn prose_is_no_envelope() {
        for text in [
            "x\n\nFrom here on, all is well.\nNote: not so.\n",
            "x\n\nFrom 10:30 onwards\nthere is tea.\n",
            "x\nFrom joe Thu Dec  1 10:00:00 1994\nhe wrote\n",
            "x\n\nFrom joe@host.dom\nhello\n",
            "x\nFrom -40\nNote: cold.\n",
            "x\nFrom -1234567890\nhello\n",
            " From joe Thu Dec  1 10:00:00 1994\nTo: x\n",
        ] {
            assert!(!envelope(text), "{text}");
        }
    }

    #[test]
    fn lengths_are_believed_where_they_lead_to_a_message() {
        let body = "quoted\n\nFrom x Thu Dec  1 10:00:00 1994\nTo: y\n\nend\n";
        let text = format!(
            "From a Thu Dec  1 10:00:00 1994\nContent-Length: {}\n\n{body}\n\
             From b Thu Dec  1 10:00:00 1994\nContent-Length: 9999\n\nlast\n",
            body.len()
        );
        assert!(has_lengths(Head::of(text.as_bytes())).unwrap());
        let count = |by_length| {
            let mut walk = Messages::new(text.as_bytes(), by_length);
            core::iter::from_fn(|| walk.next(&mut Vec::new())).count()
        };
        assert_eq!((count(true), count(false)), (2, 3));
    }

    #[test]
    fn quoted_lines_are_reported() {
        let text = b"From a Thu Dec  1 10:00:00 1994\n\n>From x\n>>From y\n> From z\n";
        let mut quoted = Vec::new();
        let item = Messages::new(text, false).next(&mut quoted).unwrap();
        assert_eq!(item, MessageRange { start: 0, header: 32, end: text.len() });
        assert_eq!(quoted, [33, 41]);
    }
}
