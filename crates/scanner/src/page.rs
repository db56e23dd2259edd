//! The furniture between two pages of a printed document: footer, form feed, header.

use crate::quote::Marks;
use crate::{Input, blank};

/// How many lines may stand between the last line of one page and the first of the next.
const MAX_LINES: usize = 16;

/// If page furniture starts with the blank line at byte `line`: where the text goes on behind it.
/// There must be a form feed, with at most one line of footer before it and one of header after.
pub(crate) fn skip(input: &Input<'_>, line: usize, limit: usize, marks: &Marks) -> Option<usize> {
    let text = input.text;
    let mut at = line;
    let mut fed = false;
    let mut footers = 0;
    let mut headers = 0;
    for _ in 0..MAX_LINES {
        if at >= limit {
            return None;
        }
        let start = marks.skip(text, at);
        let end = line_end(text, start);
        let body = text.get(start..end)?;
        let feed = memchr::memchr(b'\x0C', body);
        let content = body.trim_ascii();
        let content = content.strip_prefix(b"\x0C").unwrap_or(content).trim_ascii();
        if let Some(feed) = feed {
            if fed {
                return None;
            }
            fed = true;
            if !content.is_empty() {
                // The header stands on the form feed's own line, or the footer does.
                if body[..feed].trim_ascii().is_empty() { headers += 1 } else { footers += 1 }
            }
        } else if !content.is_empty() {
            if !fed {
                footers += 1;
                if footers > 1 || !is_footer(content) {
                    return None;
                }
            } else if headers == 0 {
                headers += 1;
                if !is_header(content) {
                    return None;
                }
            } else {
                return (footers + headers > 0).then_some(start);
            }
        }
        at = end + blank::line_break_at(text, end);
        if at == end {
            return None;
        }
    }
    None
}

fn line_end(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(text.len(), |at| from + at)
}

/// `Berners-Lee, Masinter & McCahill                             [Page 21]`
fn is_footer(line: &[u8]) -> bool {
    line.ends_with(b"]") || line.iter().any(u8::is_ascii_digit)
}

/// `RFC 1738            Uniform Resource Locators (URL)        December 1994`
fn is_header(line: &[u8]) -> bool {
    line.iter().any(u8::is_ascii_digit) || line.windows(3).any(|w| w == b"   ")
}
