//! Plain-text digests (RFC 1153): one message whose body contains several.

use crate::header::Fields;
use crate::mbox::MessageRange;
use memchr::{memchr, memmem};

/// The start of a separator line. The line between messages has 30 hyphens, the line after the
/// preamble 70.
const HYPHENS: &[u8] = b"\n------------------------------";

/// Returns the ranges of the messages in the body of a plain-text digest (RFC 1153), in order. The
/// ranges exclude the table of contents before the first message, and the trailer after the last
/// one.
pub(crate) fn digest_messages(body: &[u8]) -> impl Iterator<Item = MessageRange> + '_ {
    let mut next = next_message_start(body, 0);
    core::iter::from_fn(move || {
        let start = next?;
        next = next_message_start(body, start);
        let end = match next {
            Some(next) => separator_start_before(body, next),
            None => last_message_end(body, start),
        };
        Some(MessageRange { start, header: start, end: end.max(start) })
    })
}

/// Returns the start of the message after the next separator at or after `from`. A line of hyphens
/// without a header after it is part of the text, not a separator. Returns `None` if there is no
/// further separator.
fn next_message_start(body: &[u8], from: usize) -> Option<usize> {
    memmem::find_iter(body.get(from..)?, HYPHENS).find_map(|at| {
        let rest = body.get(from + at + 1..)?;
        let line = rest.get(..memchr(b'\n', rest)?)?;
        if !line.trim_ascii_end().iter().all(|&b| b == b'-') {
            return None;
        }
        let after = rest.get(line.len()..)?;
        let start = from + at + 1 + line.len() + (after.len() - after.trim_ascii_start().len());
        is_digest_header(body, start).then_some(start)
    })
}

/// True if a message's header starts at byte `start`: it has two of the fields that RFC 1153 keeps.
fn is_digest_header(body: &[u8], start: usize) -> bool {
    let known = |name: &[u8]| {
        ["From", "Date", "Subject", "To", "Message-ID", "Newsgroups"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
    };
    Fields::new(body, start).take(20).filter(|field| known(field.name())).count() >= 2
}

/// Returns the start of the line of hyphens before the message that starts at offset
/// `message_start`.
fn separator_start_before(body: &[u8], message_start: usize) -> usize {
    let before = body.get(..message_start).unwrap_or_default().trim_ascii_end();
    memchr::memrchr(b'\n', before).map_or(0, |lf| lf + 1)
}

/// Returns the end of the last message, which starts at byte `start`: the last line of hyphens,
/// before `End of … Digest`. If there is no such line, returns the end of the body.
fn last_message_end(body: &[u8], start: usize) -> usize {
    let rest = body.get(start..).unwrap_or_default();
    memmem::rfind(rest, HYPHENS).map_or(body.len(), |at| start + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_split_into_messages() {
        let hyphens = "-".repeat(30);
        let body = format!(
            "Topics:\n\n{}\n\nDate: 1\nFrom: a\n\nOne.\n{hyphens}\nnot a separator\n\n{hyphens}\n\n\
             From: b\nSubject: 2\n\nTwo.\n\n{hyphens}\n\nEnd of X Digest\n",
            "-".repeat(70)
        );
        let found: Vec<&str> =
            digest_messages(body.as_bytes()).map(|item| &body[item.start..item.end]).collect();
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("Date: 1\n") && found[0].ends_with("not a separator\n\n"));
        assert_eq!(found[1], "From: b\nSubject: 2\n\nTwo.\n\n");
        assert_eq!(digest_messages(b"no digest").count(), 0);
    }
}
