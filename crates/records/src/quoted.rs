//! Quotes a URL together with the text before and after it on its line, for display to people.

use memchr::{memchr, memrchr};
use std::borrow::Cow;
use std::cell::RefCell;
use urlsift_core::{SecretBlocks, Secrets, Span, mask_spans_in, merge_spans};

/// The maximum number of bytes quoted before a URL, and also the maximum quoted after it.
const MAX_CONTEXT: usize = 160;
/// The maximum number of bytes to quote from the URL itself, as written in the text.
const MAX_WRITTEN: usize = 4 * MAX_CONTEXT;

/// An excerpt of the text around a URL, in three pieces, for output that people read.
///
/// If a URL is broken over several lines, `before` comes from its first line and `after` from its
/// last line, so only `written` can contain line breaks. Long pieces are cut, but UTF-8 is never
/// cut inside a character.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Unit, collect_records};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"one\nAt http://host.dom/ you.\ntwo");
/// let mut options = Options::default();
/// options.quoted = true;
/// let found = collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &options);
/// let quoted = found[0].quoted.as_ref().unwrap();
/// assert_eq!((&*quoted.before, &*quoted.after), (&b"At "[..], &b" you."[..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quoted<'a> {
    /// The text from the start of the line to the URL, or the last 160 bytes of a longer text.
    pub before: Cow<'a, [u8]>,
    /// The URL as it is written in the text, with any line breaks and quote prefixes inside it, or
    /// the first 640 bytes of a longer one.
    pub written: Cow<'a, [u8]>,
    /// The text from the URL to the end of the line, or the first 160 bytes of a longer text.
    pub after: Cow<'a, [u8]>,
}

impl<'a> Quoted<'a> {
    /// Returns the excerpt around the URL at `span` of `text`, with secrets replaced by `***`.
    ///
    /// Secrets of the kinds in `hides` are searched for around the URL. `of_url` contains the
    /// secrets that were already found in the URL, as spans of `text`.
    pub(crate) fn new(
        text: &'a [u8],
        span: Span,
        hides: Option<(Secrets, &RefCell<SecretBlocks>)>,
        of_url: &[Span],
    ) -> Self {
        let (start, end) = (span.start.min(text.len()), span.end.min(text.len()));
        let from = start.saturating_sub(MAX_CONTEXT);
        let from = memrchr(b'\n', &text[from..start])
            .map_or_else(|| first_char_boundary(text, from, start), |at| from + at + 1);
        let to = text.len().min(end + MAX_CONTEXT);
        let to = memchr(b'\n', &text[end..to])
            .map_or_else(|| last_char_boundary(text, end, to), |at| end + at);
        let cut = if end - start > MAX_WRITTEN {
            last_char_boundary(text, start, start + MAX_WRITTEN)
        } else {
            end
        };
        // A password is recognized by the text around it.
        let mut secrets = match hides {
            Some((which, blocks)) => {
                let (part, span) = (Span::new(from, to), Span::new(start, end));
                blocks.borrow_mut().in_part(which, text, part, span)
            }
            None => Vec::new(),
        };
        if !of_url.is_empty() {
            let clamped = |it: &Span| Span::new(it.start.clamp(from, to), it.end.clamp(from, to));
            secrets.extend(of_url.iter().map(clamped));
            secrets = merge_spans(secrets);
        }
        let piece = |start: usize, end: usize| mask_spans_in(text, Span::new(start, end), &secrets);
        let mut after = piece(end, to);
        if let Cow::Borrowed(text) = &mut after {
            *text = text.strip_suffix(b"\r").unwrap_or(text);
        }
        Self { before: piece(from, start), written: piece(start, cut), after }
    }

    pub(crate) fn into_owned(self) -> Quoted<'static> {
        let owned = |piece: Cow<'_, [u8]>| Cow::Owned(piece.into_owned());
        Quoted {
            before: owned(self.before),
            written: owned(self.written),
            after: owned(self.after),
        }
    }
}

/// True if `byte` is a UTF-8 continuation byte, i.e. not the first byte of a character.
fn is_continuation_byte(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the first offset in `from..to` at which a character starts. If `text` is not UTF-8, the
/// result may be `from` even if no character starts there.
fn first_char_boundary(text: &[u8], from: usize, to: usize) -> usize {
    if from == 0 {
        return from;
    }
    (from..to).take(4).find(|&at| !is_continuation_byte(text[at])).unwrap_or(from)
}

/// Returns the last offset in `from..=to` at which a character starts or the text ends. If `text`
/// is not UTF-8, the result may be `to` even if no character starts there.
fn last_char_boundary(text: &[u8], from: usize, to: usize) -> usize {
    if to == text.len() {
        return to;
    }
    (from..=to).rev().take(4).find(|&at| !is_continuation_byte(text[at])).unwrap_or(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str, url: &str) -> [String; 3] {
        let start = text.find(url).unwrap();
        let quoted = Quoted::new(
            text.as_bytes(),
            Span::new(start, start + url.len()),
            Some((Secrets::Passwords, &RefCell::new(SecretBlocks::new(0)))),
            &[],
        );
        [quoted.before, quoted.written, quoted.after]
            .map(|piece| String::from_utf8(piece.into_owned()).unwrap())
    }

    #[test]
    fn url_is_quoted_in_its_line() {
        let text = "one\nsee http://h.dom/a\n b (new)\r\ntwo";
        assert_eq!(quoted(text, "http://h.dom/a\n b"), ["see ", "http://h.dom/a\n b", " (new)"]);
        assert_eq!(quoted("http://h.dom/", "http://h.dom/"), ["", "http://h.dom/", ""]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let text =
            format!("{}http://h.dom/{} {}", "é".repeat(300), "x".repeat(1000), "ü".repeat(300));
        let [before, written, after] = quoted(&text, &format!("http://h.dom/{}", "x".repeat(1000)));
        assert_eq!((before.len(), written.len()), (160, 640));
        assert!(after.len() <= 160 && after.ends_with('ü'));
    }

    #[test]
    fn passwords_are_masked_in_the_line() {
        let found = quoted("ftp://joe:secret@h.dom/ or http://h.dom/ at once", "http://h.dom/");
        assert_eq!(found, ["ftp://joe:***@h.dom/ or ", "http://h.dom/", " at once"]);
        assert_eq!(
            quoted("ftp://joe:secret@h.dom/", "ftp://joe:secret@h.dom/")[1],
            "ftp://joe:***@h.dom/"
        );
    }
}
