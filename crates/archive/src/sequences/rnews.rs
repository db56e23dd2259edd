//! News batches.

use super::sequence::{MessageStart, Sequence};
use crate::Container;
use crate::mbox::MessageRange;
use memchr::{memchr, memmem};

pub(super) const SEQUENCE: Sequence = Sequence {
    container: Container::Rnews,
    is_splittable: false,
    is_start: |head| head.starts_with(MARK),
    messages: |raw| Box::new(rnews_articles(raw)),
    whole: complete_articles_len,
    next_start: next_article_start,
    message_start: |bytes| {
        let line = memchr(b'\n', bytes).map(|end| end + 1);
        let header = if bytes.starts_with(MARK) { line } else { Some(0) };
        MessageStart { start: 0, header, otherwise: bytes.len() }
    },
};

/// Returns the articles of a news batch, in order. Each one follows a line `#! rnews LENGTH` (RFC
/// 1036 §4).
///
/// An article has the length that its line declares. If neither the next `#! rnews` line nor the
/// end of the file comes after that length, the length is wrong. The article then ends at the next
/// `#! rnews` line.
fn rnews_articles(raw: &[u8]) -> impl Iterator<Item = MessageRange> + '_ {
    let mut start = 0;
    core::iter::from_fn(move || {
        let item = article_at(raw, start)?;
        start = item.end;
        Some(item)
    })
}

/// The start of the line before an article.
const MARK: &[u8] = b"#! rnews ";

/// The largest article length that is accepted. A stream can't buffer more than this.
const MAX_ARTICLE_LEN: usize = 64 << 20;

/// Returns the length of the prefix of `buf`, a buffer of a news batch, that consists of complete
/// articles.
fn complete_articles_len(buf: &[u8]) -> usize {
    let mut cut = 0;
    for item in rnews_articles(buf) {
        let len = declared_len(buf, item.start, item.header);
        let beyond = len.is_some_and(|len| len > buf.len() - item.header.min(buf.len()));
        if beyond || !buf.get(item.end..).is_some_and(|rest| rest.starts_with(MARK)) {
            break;
        }
        cut = item.end;
    }
    cut
}

/// Returns the offset of the first `#! rnews` line at or after byte `from`, or `None` if there is
/// none.
fn next_article_start(buf: &[u8], from: usize) -> Option<usize> {
    memmem::find_iter(buf.get(from..)?, MARK)
        .map(|at| at + from)
        .find(|&at| at == 0 || buf.get(at - 1) == Some(&b'\n'))
}

/// Returns the length that the `#! rnews` line at `start..header` declares. Returns `None` if the
/// line contains no length, or a length that is too large.
fn declared_len(raw: &[u8], start: usize, header: usize) -> Option<usize> {
    let digits = raw.get(start..header)?.strip_prefix(MARK)?.trim_ascii();
    let end = digits.iter().position(|b| !b.is_ascii_digit()).unwrap_or(digits.len());
    let length = core::str::from_utf8(digits.get(..end)?).ok()?.parse().ok()?;
    (length <= MAX_ARTICLE_LEN).then_some(length)
}

/// Returns the range of the article whose `#! rnews` line starts at byte `start`, or `None` at the
/// end of the file.
fn article_at(raw: &[u8], start: usize) -> Option<MessageRange> {
    let rest = raw.get(start..).filter(|rest| !rest.is_empty())?;
    let header = start + memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    let end_by_length = declared_len(raw, start, header)
        .and_then(|length| header.checked_add(length))
        .filter(|&end| end == raw.len() || raw.get(end..).is_some_and(|r| r.starts_with(MARK)));
    let end = end_by_length.or_else(|| next_article_start(raw, header));
    Some(MessageRange { start, header, end: end.unwrap_or(raw.len()) })
}
