//! URLs with `**` inside. Gmail writes it into the plain text of a mail where the HTML allows a
//! line break: `http://h.dom/d/**topic/**x<http://h.dom/d/topic/x>`. Lines are broken only after
//! it.
//!
//! A URL may contain `**`, so only the same URL in angle brackets right after it proves that it is
//! layout.

use crate::text::blank::line_break_len_at;
use crate::text::quote;
use memchr::memmem;
use urlsift_core::Span;

const MARK: &[u8] = b"**";

/// The maximum length of the URL with its marks, in bytes.
const MAX_LEN: usize = 2048;

/// The number of bytes that are read: the URL, the layout after it, and the URL in brackets.
const MAX_READ: usize = 3 * MAX_LEN;

/// The layout (marks and line breaks) inside a URL that contains `**` marks, and the end of that
/// URL.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Starred {
    /// The marks and line breaks, in order. There is at least one.
    pub(crate) gaps: Vec<Span>,
    pub(crate) end: usize,
}

/// True if the URL at `start..end` may contain `**` marks that are layout. A fast check that is
/// false for nearly all URLs. Call it only for URLs that contain a `*` or a round bracket.
///
/// A URL with such marks contains a `*` and is followed by a `<`, a space or a line break. In
/// addition, it ends with a `*`, seems to be repeated in angle brackets, or seems to continue on a
/// quoted line.
pub(crate) fn may_be_starred(text: &[u8], start: usize, end: usize) -> bool {
    let next = match text.get(end) {
        Some(b'<') => end,
        Some(b' ' | b'\n') => end + 1,
        Some(b'\r') => end + 2,
        _ => return false,
    };
    // Most brackets after a URL are tags. One that repeats the URL starts with the same letter.
    let may_repeat = match text.get(next) {
        Some(b'<') => text.get(next + 1) == text.get(start),
        Some(b'>') => true,
        _ => false,
    };
    (text[end - 1] == b'*' || may_repeat) && memchr::memchr(b'*', &text[start..end]).is_some()
}

/// Returns the layout in the URL that starts at byte `start` and contains `**` marks. Returns
/// `None` unless the same URL without its marks follows in angle brackets. Reads at most
/// [`MAX_READ`] bytes.
pub(crate) fn find_starred_layout(text: &[u8], start: usize) -> Option<Starred> {
    let text = &text[..text.len().min(start + MAX_READ)];
    let limit = text.len().min(start + MAX_LEN);
    let (mut url, mut gaps) = (Vec::new(), Vec::new());
    let mut at = start;
    while at < limit {
        match text[at] {
            b'*' if text[at..limit].starts_with(MARK) => {
                let resume = skip_line_break(text, at + MARK.len());
                gaps.push(Span::new(at, resume));
                at = resume;
            }
            // A blank line.
            b'\n' | b'\r' if gaps.last().is_some_and(|gap| gap.end == at) => break,
            b'<' | b' ' | b'\n' | b'\r' => {
                let open = skip_line_break(text, at);
                let twin = text.get(open..)?.strip_prefix(b"<")?.strip_prefix(&*url)?;
                let is_proved = !gaps.is_empty() && twin.starts_with(b">");
                return is_proved.then_some(Starred { gaps, end: at });
            }
            // Another URL.
            b':' if text[at..].starts_with(b"://") && memmem::find(&url, b"://").is_some() => break,
            byte => {
                url.push(byte);
                at += 1;
            }
        }
    }
    None
}

/// Returns the offset after the blanks at byte `at`. If a line break follows them, also skips it,
/// together with the quote marks and blanks of the next line.
fn skip_line_break(text: &[u8], at: usize) -> usize {
    let skip_blanks = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        at + rest.iter().take(MAX_LEN).take_while(|byte| **byte == b' ').count()
    };
    let line_end = skip_blanks(at);
    match line_break_len_at(text, line_end) {
        0 => line_end,
        len => skip_blanks(quote::skip_marks(text, line_end + len, usize::MAX).1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let found = find_starred_layout(text.as_bytes(), 0)?;
        let (mut url, mut from) = (String::new(), 0);
        for gap in found.gaps {
            url.push_str(&text[from..gap.start]);
            from = gap.end;
        }
        Some(url + &text[from..found.end])
    }

    #[test]
    fn twin_in_brackets_proves_the_layout() {
        for text in [
            "http://h/d/**topic/x<http://h/d/topic/x>",
            "http://h/d/**\n> topic/**x<http://h/d/topic/x>",
            "http://h/d/**\r\n> > topic/**x <http://h/d/topic/x>",
            "http://h/d/**topic/**x\n> <http://h/d/topic/x>",
        ] {
            assert_eq!(read(text).as_deref(), Some("http://h/d/topic/x"), "{text}");
        }
    }

    #[test]
    fn anything_else_is_part_of_the_url() {
        for text in [
            "http://h/**a<http://h/b>",
            "http://h/**a<http://h/a",
            "http://h/a<http://h/a>",
            "http://h/**a http://h/a",
            "http://h/**\n\n<http://h/>",
            "http://h/**\nhttp://h/a<http://h/a>",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        // A very long run of quote marks is not layout.
        let far = format!("http://h/**a\n{}<http://h/a>", ">".repeat(MAX_READ));
        assert_eq!(read(&far), None);
    }
}
