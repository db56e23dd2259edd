//! Mailboxes: files of many messages separated by `From ` lines.
//!
//! A `From ` line is recognized from that line, the line before it, and the start of the line after
//! it alone. So a sequential reader, a reader that starts anywhere, and a splitter that searches
//! from the middle of the file all see the same messages.

use crate::field_names::{Role, field_role, may_be_in_mail};
use crate::head::Head;
use crate::header::{self, find_field_colon};
use core::ops::Range;
use memchr::{memchr, memmem};

/// The maximum length of an envelope line (the `From ` line before a message), in bytes.
const MAX_ENVELOPE_LEN: usize = 1000;

/// The number of bytes after an envelope line that are needed to recognize it: one field name.
const LOOK_AHEAD: usize = 80;

/// True if a message starts with its `From ` line at byte `at`: see [`envelope_end`].
pub(crate) fn is_envelope_at(text: &[u8], at: usize) -> bool {
    envelope_end(text, at).is_some()
}

/// Returns the offset after the envelope line (the `From ` line before a message) that starts at
/// byte `at`. The header of the message starts there. Returns `None` if there is no envelope line.
///
/// The envelope has a date and a time, as asctime writes them, with the zones and `remote from`
/// that mailers add. An envelope of a single word is also accepted if a header field is on the next
/// line. If the line before is not blank, both the date and the field are required. Two other
/// envelopes are accepted anywhere: a negative number before a header field, as in exports of
/// Google Groups, and an empty envelope before a field of mail, as Thunderbird writes it.
fn envelope_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if at > 0 && text.get(at - 1) != Some(&b'\n') || !rest.starts_with(b"From ") {
        return None;
    }
    let window = rest.get(..MAX_ENVELOPE_LEN.min(rest.len()))?;
    let (line, end) = match memchr(b'\n', window) {
        Some(end) => (window.get(5..end)?, at + end + 1),
        None if rest.len() < MAX_ENVELOPE_LEN => (window.get(5..)?, text.len()),
        None => return None,
    };
    let blank = at == 0
        || text.get(..at).is_some_and(|b| b.ends_with(b"\n\n") || b.ends_with(b"\n\r\n"))
        || at == 1
        || at == 2 && text.first() == Some(&b'\r');
    let after = text.get(end..).unwrap_or_default();
    let name = || {
        let colon = find_field_colon(after.get(..LOOK_AHEAD.min(after.len())).unwrap_or_default())?;
        after.get(..colon)
    };
    let field = || name().is_some() || after.starts_with(b">From ");
    let line = line.trim_ascii();
    let starts = if line.is_empty() {
        name().is_some_and(|name| may_be_in_mail(name.trim_ascii_end()))
    } else if contains_envelope_date(line) {
        blank || field()
    } else {
        (blank && !line.contains(&b' ') || is_google_thread_number(line)) && field()
    };
    starts.then_some(end)
}

/// True if the line ends like most envelope lines, with the time and year of asctime: `Thu Dec  1
/// 10:00:00 1994`.
fn ends_with_asctime(line: &[u8]) -> bool {
    const FORM: &[u8; 13] = b"00:00:00 0000";
    // Compare all bytes without branches. Nearly all lines have this form, so stopping at the first
    // difference would hardly save anything.
    let fits = |byte: u8, form: u8| {
        if form == b'0' { byte.is_ascii_digit() } else { byte == form }
    };
    line.last_chunk::<13>().is_some_and(|tail| {
        tail.iter().zip(FORM).fold(true, |all, (byte, form)| all & fits(*byte, *form))
    })
}

/// True if `line`, the rest of a `From ` line, is a negative number, as in exports of Google
/// Groups: `-1234567890123456789`.
fn is_google_thread_number(line: &[u8]) -> bool {
    matches!(line, [b'-', digits @ ..] if digits.len() >= 6 && digits.iter().all(u8::is_ascii_digit))
}

/// True if the line has a time of day, and also a year or the name of a day.
fn contains_envelope_date(line: &[u8]) -> bool {
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

/// The range of one message in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MessageRange {
    /// The offset of the first byte, which starts the envelope line.
    pub start: usize,
    /// The start of the header, after the envelope line.
    pub header: usize,
    /// The offset just after the last byte.
    pub end: usize,
}

impl MessageRange {
    /// Returns the range of a message without an envelope line.
    pub(crate) const fn without_envelope(range: Range<usize>) -> Self {
        Self { start: range.start, header: range.start, end: range.end }
    }
}

/// A search for the messages of a mailbox, one after the other. It finds both the `From ` lines and
/// the quoted ones (`>From `).
pub(crate) struct Messages<'t> {
    text: &'t [u8],
    from: memmem::Finder<'static>,
    by_length: bool,
    /// The offset of the current message.
    start: usize,
    /// The start of the header of the current message.
    header: usize,
}

impl<'t> Messages<'t> {
    /// Returns a search that starts at the first message of `text`. If `uses_content_length` is
    /// true, a `Content-Length` decides where a message ends, as long as a message starts there or
    /// the file ends.
    pub(crate) fn new(text: &'t [u8], uses_content_length: bool) -> Self {
        let header = if text.starts_with(b"From ") {
            memchr(b'\n', text).map_or(text.len(), |end| end + 1)
        } else {
            0
        };
        Self {
            text,
            from: memmem::Finder::new("From "),
            by_length: uses_content_length,
            start: 0,
            header,
        }
    }

    /// Returns the start of the next message's header, or `None` after the last message.
    pub(crate) fn next_header(&self) -> Option<usize> {
        (self.start < self.text.len()).then_some(self.header)
    }

    /// Returns the next message, or `None` after the last one. Sets `quoted` to the offsets of its
    /// `>From ` lines: for each, the offset of the first `>`.
    pub(crate) fn next_message(&mut self, quoted: &mut Vec<usize>) -> Option<MessageRange> {
        self.next_after_header(self.start, quoted)
    }

    /// Does the work of [`Messages::next_message`] for a message whose body is known to start at
    /// byte `body_start`. The search starts there, so the header must not contain `From ` or
    /// `>From ` lines.
    pub(crate) fn next_after_header(
        &mut self,
        body_start: usize,
        quoted: &mut Vec<usize>,
    ) -> Option<MessageRange> {
        quoted.clear();
        let header = self.next_header()?;
        let start = self.start;
        let start_by_length = if self.by_length { self.next_start_by_length(header) } else { None };
        (self.start, self.header) = (self.text.len(), self.text.len());
        for at in self.from.find_iter(self.text.get(body_start..)?) {
            let at = body_start + at;
            if at <= start {
                continue;
            }
            match at.checked_sub(1).and_then(|before| self.text.get(before)) {
                Some(b'\n') if start_by_length.is_none() => {
                    if let Some(end) = envelope_end(self.text, at) {
                        (self.start, self.header) = (at, end);
                        break;
                    }
                }
                Some(b'\n') if start_by_length == Some(at) => {
                    let rest = self.text.get(at..)?;
                    let end = memchr(b'\n', rest).map_or(self.text.len(), |end| at + end + 1);
                    (self.start, self.header) = (at, end);
                    break;
                }
                Some(b'>') => quoted.extend(first_quote_mark_before(self.text, start, at)),
                _ => {}
            }
        }
        Some(MessageRange { start, header, end: self.start })
    }

    /// Returns the start of the next message according to the `Content-Length` in the header at
    /// byte `header`. Returns `None` if the header has no such field, or if no message starts at
    /// that offset.
    fn next_start_by_length(&self, header: usize) -> Option<usize> {
        let end = self.body_end_by_length(header)?;
        // There may be another line break between the body and the next envelope.
        (0..=2).filter_map(|gap| end.checked_add(gap)).find(|&at| {
            let rest = self.text.get(at..);
            let line = at > 0 && self.text.get(at - 1) == Some(&b'\n');
            rest.is_some_and(|rest| rest.is_empty() || line && rest.starts_with(b"From "))
        })
    }

    /// Returns the end of the body according to the `Content-Length` in the header at byte
    /// `header`. Returns `None` if the field is missing or its value is too large.
    fn body_end_by_length(&self, header: usize) -> Option<usize> {
        let mut fields = header::Fields::new(self.text, header);
        let mut length = None;
        for field in fields.by_ref() {
            if field_role(&field) == Role::ContentLength {
                length = parse_number(field.value());
            }
        }
        fields.body_start().checked_add(length.filter(|&length| length <= MAX_CONTENT_LENGTH)?)
    }
}

/// Returns the offset of the first quote mark (`>`) before the `From ` at byte `from_offset`.
/// Returns `None` if these marks don't start a line of the message that starts at byte
/// `message_start`.
fn first_quote_mark_before(text: &[u8], message_start: usize, from_offset: usize) -> Option<usize> {
    let line = text.get(message_start..from_offset)?;
    let marks = line.iter().rev().take_while(|&&b| b == b'>').count();
    let before = line.len().checked_sub(marks + 1)?;
    (marks > 0 && line.get(before) == Some(&b'\n')).then_some(from_offset - marks)
}

/// Returns the offset of the first quote mark of each `>From ` line of a message.
pub(crate) fn quoted_from_offsets(message: &[u8]) -> Vec<usize> {
    memmem::find_iter(message, b"From ")
        .filter_map(|at| first_quote_mark_before(message, 0, at))
        .collect()
}

/// Parses a decimal number with blanks around it. Returns `None` if it is not a number.
fn parse_number(value: &[u8]) -> Option<usize> {
    core::str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
}

/// Returns true if the first message of a mailbox shows that `Content-Length` decides where
/// messages end, and `None` if more of the head is needed. If the second message is not in the
/// head, the presence of the field is enough.
pub(crate) fn uses_content_length(head: Head<'_>) -> Option<bool> {
    let bytes = head.bytes();
    let walk = Messages::new(bytes, true);
    let header = memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
    let mut fields = header::Fields::new(bytes, header);
    let length = fields
        .by_ref()
        .find(|field| field_role(field) == Role::ContentLength)
        .and_then(|field| parse_number(field.value()));
    fields.by_ref().for_each(drop);
    if !fields.is_complete() {
        head.answer_if_complete(())?;
    }
    let Some(length) = length else { return Some(false) };
    match fields.body_start().checked_add(length) {
        Some(end) if end < bytes.len() => {
            // The start of the next message must be completely in the head.
            if bytes.len() - end <= LOOK_AHEAD {
                head.answer_if_complete(())?;
            }
            Some(walk.next_start_by_length(header).is_some())
        }
        _ => head.answer_if_complete(true),
    }
}

/// Returns the offset of the first message of a mailbox at or after byte `from`, or `None` if there
/// is none.
pub(crate) fn next_message_start(raw: &[u8], from: usize) -> Option<usize> {
    memmem::find_iter(raw.get(from..)?, b"From ")
        .map(|at| at + from)
        .find(|&at| is_envelope_at(raw, at))
}

/// The largest `Content-Length` that is accepted. A stream can't buffer more than this.
const MAX_CONTENT_LENGTH: usize = 64 << 20;

/// Returns the length of the prefix of `buf` that consists of complete messages, in a mailbox whose
/// messages are separated by their lengths.
pub(crate) fn complete_len_by_content_length(buf: &[u8]) -> usize {
    let mut walk = Messages::new(buf, true);
    let mut cut = 0;
    let mut quoted = Vec::new();
    while let Some(item) = walk.next_message(&mut quoted) {
        let beyond = walk.body_end_by_length(item.header).is_some_and(|end| end > buf.len());
        if beyond || item.end >= buf.len() || !has_enough_text_after(buf, item.end) {
            break;
        }
        cut = item.end;
    }
    cut
}

/// True if the buffer contains enough text after byte `at` to decide whether an envelope line
/// starts there.
fn has_enough_text_after(buf: &[u8], at: usize) -> bool {
    let rest = buf.get(at..).unwrap_or_default();
    memchr(b'\n', rest).is_some_and(|end| end + LOOK_AHEAD < rest.len())
        || rest.len() > MAX_ENVELOPE_LEN + LOOK_AHEAD
}

/// Returns the last offset in a mailbox's buffer at which a message certainly starts. The text
/// after the buffer can't change this. Never returns 0. Returns `None` if there is no such offset.
pub(crate) fn last_certain_message_start(raw: &[u8]) -> Option<usize> {
    memmem::rfind_iter(raw, b"\nFrom ")
        .map(|at| at + 1)
        .find(|&at| has_enough_text_after(raw, at) && is_envelope_at(raw, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]
        /// Checks that a search that starts at the body finds the same messages as one that starts
        /// at the header.
        #[test]
        fn plain_headers_hold_no_starts(
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "From a Thu Dec  1 10:00:00 1994\n", "From : Thu Dec  1 10:00:00 1994\n", "From x\n", "From \n", ">From y\n",
                "From", ">", " ", "\t", "\n", "\r\n", "A: 1\n", "Content-Length: 9\n", "B :\n", "stray\n", "From: j\n", "\n\n",
            ][..]), 0..24),
            by_length: bool,
        ) {
            let text = format!("From a Thu Dec  1 10:00:00 1994\n{}", pieces.concat());
            let (mut long, mut short) =
                (Messages::new(text.as_bytes(), by_length), Messages::new(text.as_bytes(), by_length));
            let (mut marks, mut same_marks) = (Vec::new(), Vec::new());
            while let Some(header) = short.next_header() {
                let mut fields = header::Fields::new(text.as_bytes(), header);
                let named = fields.by_ref().count();
                let item = long.next_message(&mut marks);
                let found = if fields.has_only_usual_lines() {
                    short.next_after_header(fields.body_start(), &mut same_marks)
                } else {
                    short.next_message(&mut same_marks)
                };
                prop_assert_eq!(found, item);
                prop_assert_eq!(&marks, &same_marks);
                // The fields don't depend on what follows the message either.
                if fields.has_only_usual_lines() {
                    let mut limited = header::Fields::new(&text.as_bytes()[..item.unwrap().end], header);
                    prop_assert_eq!(limited.by_ref().count(), named);
                    prop_assert_eq!(limited.body_start(), fields.body_start());
                }
            }
            prop_assert_eq!(long.next_message(&mut marks), None);
        }
    }

    fn envelope(text: &str) -> bool {
        let at = text.find("From ").unwrap();
        is_envelope_at(text.as_bytes(), at)
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
    fn empty_envelopes_precede_fields_of_mail() {
        for before in ["x\n\n", "x\n", "x\r\n\r\n", "x\r\n"] {
            for line in ["From \n", "From \r\n", "From   \n"] {
                for field in ["X-Mozilla-Status: 0001\n", "From: joe\n", "ARC-Seal: i=1\r\n"] {
                    assert!(envelope(&format!("{before}{line}{field}")), "{before}{line}{field}");
                }
            }
        }
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
            "x\n\nFrom \nhello\n",
            "x\n\nFrom \nhttp://h.dom/\n",
            "x\n\nFrom \nNote: this is prose.\n",
            " From joe Thu Dec  1 10:00:00 1994\nTo: x\n",
        ] {
            assert!(!envelope(text), "{text}");
        }
    }

    #[test]
    fn content_length_is_used_if_it_ends_at_a_message() {
        let body = "quoted\n\nFrom x Thu Dec  1 10:00:00 1994\nTo: y\n\nend\n";
        let text = format!(
            "From a Thu Dec  1 10:00:00 1994\nContent-Length: {}\n\n{body}\n\
             From b Thu Dec  1 10:00:00 1994\nContent-Length: 9999\n\nlast\n",
            body.len()
        );
        assert!(uses_content_length(Head::of(text.as_bytes())).unwrap());
        let count = |by_length| {
            let mut walk = Messages::new(text.as_bytes(), by_length);
            core::iter::from_fn(|| walk.next_message(&mut Vec::new())).count()
        };
        assert_eq!((count(true), count(false)), (2, 3));
    }

    #[test]
    fn quoted_lines_are_reported() {
        let text = b"From a Thu Dec  1 10:00:00 1994\n\n>From x\n>>From y\n> From z\n";
        let mut quoted = Vec::new();
        let item = Messages::new(text, false).next_message(&mut quoted).unwrap();
        assert_eq!(item, MessageRange { start: 0, header: 32, end: text.len() });
        assert_eq!(quoted, [33, 41]);
    }
}
