//! Files of many messages other than mailboxes: news batches and Emacs's Babyl files.

use crate::mbox::MessageRange;
use memchr::{memchr, memmem};

/// Returns the articles of a news batch, each after a line `#! rnews LENGTH` (RFC 1036 §4).
///
/// The length says where an article ends. If no such line and no end of the file is there, the
/// length is wrong, and the article ends at the next such line.
pub(crate) fn rnews(raw: &[u8]) -> impl Iterator<Item = MessageRange> + '_ {
    let mut start = 0;
    core::iter::from_fn(move || {
        let item = rnews_at(raw, start)?;
        start = item.end;
        Some(item)
    })
}

/// The start of the line before an article.
pub(crate) const MARK: &[u8] = b"#! rnews ";

/// The largest article length that is accepted. A stream can't buffer more than this.
const MAX_ARTICLE_LEN: usize = 64 << 20;

/// Returns the length of the prefix of `buf` that consists of complete articles.
pub(crate) fn whole_rnews(buf: &[u8]) -> usize {
    let mut cut = 0;
    for item in rnews(buf) {
        let length = rnews_length(buf, item.start, item.header);
        let beyond = length.is_some_and(|length| length > buf.len() - item.header.min(buf.len()));
        if beyond || !buf.get(item.end..).is_some_and(|rest| rest.starts_with(MARK)) {
            break;
        }
        cut = item.end;
    }
    cut
}

/// Returns the offset of the first article at or after `from`.
pub(crate) fn next_rnews(buf: &[u8], from: usize) -> Option<usize> {
    memmem::find_iter(buf.get(from..)?, MARK)
        .map(|at| at + from)
        .find(|&at| at == 0 || buf.get(at - 1) == Some(&b'\n'))
}

/// Returns the length given in the line before an article.
fn rnews_length(raw: &[u8], start: usize, header: usize) -> Option<usize> {
    let digits = raw.get(start..header)?.strip_prefix(MARK)?.trim_ascii();
    let end = digits.iter().position(|b| !b.is_ascii_digit()).unwrap_or(digits.len());
    let length = core::str::from_utf8(digits.get(..end)?).ok()?.parse().ok()?;
    (length <= MAX_ARTICLE_LEN).then_some(length)
}

/// Returns the article whose `#! rnews` line starts at byte `start`.
fn rnews_at(raw: &[u8], start: usize) -> Option<MessageRange> {
    let rest = raw.get(start..).filter(|rest| !rest.is_empty())?;
    let header = start + memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    let length = rnews_length(raw, start, header);
    let end_by_length = length
        .and_then(|length| header.checked_add(length))
        .filter(|&end| end == raw.len() || raw.get(end..).is_some_and(|r| r.starts_with(MARK)));
    let end = end_by_length.or_else(|| next_rnews(raw, header));
    Some(MessageRange { start, header, end: end.unwrap_or(raw.len()) })
}

/// Returns the messages of a Babyl file. Each follows `^_ ^L`, and starts with its displayed
/// header, which follows `*** EOOH ***`.
pub(crate) fn babyl(raw: &[u8]) -> impl Iterator<Item = MessageRange> + '_ {
    let mut start = memmem::find(raw, SEPARATOR).map_or(raw.len(), |at| at + SEPARATOR.len());
    core::iter::from_fn(move || {
        let item = babyl_at(raw, start)?;
        start = item.end + SEPARATOR.len();
        Some(item)
    })
}

/// The separator before each message of a Babyl file.
pub(crate) const SEPARATOR: &[u8] = b"\x1F\x0C";

/// Returns the offset of the displayed header in a Babyl message, which follows `*** EOOH ***`;
/// `None` if there is none.
pub(crate) fn shown_header(message: &[u8]) -> Option<usize> {
    let at = memmem::find(message, b"*** EOOH ***")?;
    Some(at + memchr(b'\n', message.get(at..)?).map_or(12, |end| end + 1))
}

/// Returns the length of the prefix of `buf` that consists of complete messages: up to the last
/// separator.
pub(crate) fn whole_babyl(buf: &[u8]) -> usize {
    memmem::rfind(buf, SEPARATOR).unwrap_or(0)
}

/// Returns the offset of the first separator at or after `from`.
pub(crate) fn next_babyl(buf: &[u8], from: usize) -> Option<usize> {
    Some(from + memmem::find(buf.get(from..)?, SEPARATOR)?)
}

/// Returns the message that starts at byte `start`.
fn babyl_at(raw: &[u8], start: usize) -> Option<MessageRange> {
    let rest = raw.get(start..).filter(|rest| !rest.is_empty())?;
    let len = memmem::find(rest, SEPARATOR).unwrap_or(rest.len());
    let one = rest.get(..len)?;
    let shown = shown_header(one).unwrap_or(0);
    Some(MessageRange { start, header: start + shown, end: start + len })
}
