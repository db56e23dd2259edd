//! Rows of labeled breaks, and the limits on their number.

use serde_json::{Value, json};
use std::collections::HashMap;

/// The number of lines before the break in a row.
const LINES_BEFORE: usize = 20;
/// The number of lines after the break in a row.
const LINES_AFTER: usize = 10;
/// The maximum length of a line in a row, in bytes. Longer lines are cut.
const MAX_LINE: usize = 1500;

/// A labeled break.
#[derive(Debug)]
pub(crate) struct Label<'t> {
    /// The archive and the kind of the row, such as `list/twins`.
    pub(crate) source: String,
    /// The thread of the message: see [`Text`](crate::text::Text).
    pub(crate) thread: &'t str,
    /// The text that contains the break.
    pub(crate) text: &'t [u8],
    /// The offset of the URL in the text.
    pub(crate) start: usize,
    pub(crate) true_url: &'t [u8],
    /// The number of lines that the URL covers; 1 if it ends at the break.
    pub(crate) parts: usize,
}

impl Label<'_> {
    /// Returns the row for `learn_joins`.
    pub(crate) fn row(&self, id: usize) -> Value {
        let Self { text, start, parts, .. } = *self;
        let line_start =
            |at: usize| text[..at].iter().rposition(|b| *b == b'\n').map_or(0, |a| a + 1);
        let line = line_start(start);
        let (mut from, mut index) = (line, 0);
        while from > 0 && index < LINES_BEFORE {
            from = line_start(from - 1);
            index += 1;
        }
        let lines = text[from..].split(|byte| *byte == b'\n').take(index + parts + LINES_AFTER);
        let context: Vec<_> =
            lines.map(|line| String::from_utf8_lossy(&line[..line.len().min(MAX_LINE)])).collect();
        json!({
            "id": format!("{}-{id}", self.source),
            "source": self.source,
            "thread": self.thread,
            "context": context,
            "line_index_in_context": index,
            "url_column": String::from_utf8_lossy(&text[line..start]).len(),
            "continues": parts > 1,
            "true_url": String::from_utf8_lossy(self.true_url),
            "parts": parts,
        })
    }
}

/// Counts rows, so that no URL and no host prevails.
#[derive(Debug, Default)]
pub(crate) struct Limits(HashMap<Vec<u8>, usize>);

impl Limits {
    /// Counts one more row for each of `keys`. Returns false, and counts nothing, if one of them
    /// has reached its limit.
    pub(crate) fn admit(&mut self, keys: &[(Vec<u8>, usize)]) -> bool {
        let is_free = keys.iter().all(|(key, max)| self.0.get(key).is_none_or(|n| n < max));
        if is_free {
            for (key, _) in keys {
                *self.0.entry(key.clone()).or_default() += 1;
            }
        }
        is_free
    }
}

/// Returns the key of `parts` for [`Limits`].
pub(crate) fn key(parts: &[&[u8]]) -> Vec<u8> {
    parts.join(&b'\n')
}

/// Returns the host of `url`, with user name and port.
pub(crate) fn host_of(url: &[u8]) -> &[u8] {
    url.split(|byte| *byte == b'/').nth(2).unwrap_or_default()
}
