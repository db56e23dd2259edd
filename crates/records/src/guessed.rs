//! Finds URLs with letters in an undeclared charset.
//!
//! The scanner reads text without a declared charset as UTF-8. A byte that isn't valid UTF-8
//! therefore ends a bare URL, and makes a URL in an attribute malformed. For such a URL, this
//! module guesses the charset from the letters around it, and searches the text again in that
//! charset. The same is done for a URL that ends before an escape sequence of ISO-2022-JP.

use crate::dispatch::scanner_input;
use std::ops::Range;
use urlsift_archive::Document;
use urlsift_core::Charset;
use urlsift_scanner::{Candidate, Form, Scanner};

/// The maximum number of bytes between the end of a URL and the byte that ended it. The scanner
/// trimmed these bytes because they look like the end of a sentence.
const MAX_TRIMMED: usize = 16;

/// The maximum length, in bytes, of the word before a unit that [`word_before`] returns.
const MAX_WORD: usize = 4096;

/// The start of the escape sequences of ISO-2022-JP.
const ESCAPE: &[u8] = b"\x1B$";

/// True if `candidate`, which was found in `text`, contains or touches a byte that is not valid
/// UTF-8, or touches an escape sequence of ISO-2022-JP.
#[inline(always)]
pub(crate) fn touches_other_byte(text: &[u8], candidate: &Candidate<'_>) -> bool {
    debug_assert!(!candidate.is_delimited() || !touches_other_byte_slow(text, candidate));
    !candidate.is_delimited() && touches_other_byte_slow(text, candidate)
}

/// The slow path of [`touches_other_byte`], for URLs of which the scanner doesn't know that they
/// are followed by a blank or bracket.
#[inline(never)]
fn touches_other_byte_slow(text: &[u8], candidate: &Candidate<'_>) -> bool {
    let rest = &text[candidate.span().end..];
    let end = rest.iter().take(MAX_TRIMMED).position(|byte| ends_url(*byte));
    let is_other = |rest: &[u8]| !starts_with_character(rest) || rest.starts_with(ESCAPE);
    end.is_some_and(|end| is_other(&rest[end..])) || contains_other_byte(candidate)
}

/// True if `candidate` contains a byte that is not valid UTF-8. This is never true of bare URLs,
/// because they end before such a byte.
#[inline(always)]
fn contains_other_byte(candidate: &Candidate<'_>) -> bool {
    candidate.form() != Form::Bare && {
        let url = candidate.url();
        !url.is_ascii() && str::from_utf8(&url).is_err()
    }
}

/// True if `byte` ends a URL and is not trimmed from its end.
const fn ends_url(byte: u8) -> bool {
    !matches!(byte, b'!'..=b'~') || matches!(byte, b'<' | b'>' | b'"')
}

/// Returns the range of the word in `text` that ends before byte `end`, or of the last 4,096 bytes
/// of that word. The range is empty if a blank precedes byte `end`.
pub(crate) fn word_before(text: &[u8], end: usize) -> Range<usize> {
    let from = end.saturating_sub(MAX_WORD);
    let is_blank = |byte: &u8| *byte <= b' ' || matches!(byte, b'<' | b'>' | b'"');
    let start = text[from..end].iter().rposition(is_blank).map_or(from, |at| from + at + 1);
    start..end
}

/// True if `text` starts with a character in UTF-8.
fn starts_with_character(text: &[u8]) -> bool {
    if text.first().is_some_and(u8::is_ascii) {
        return true;
    }
    match str::from_utf8(&text[..text.len().min(4)]) {
        Ok(_) => true,
        Err(error) => error.valid_up_to() > 0,
    }
}

/// Searches the text around `candidate` again in a guessed charset, and calls `on_found` with the
/// URL that starts at the same position. Only a URL that is longer than `candidate` counts, unless
/// `candidate` is not valid UTF-8. `document` is the document that contains `candidate`.
///
/// Returns the result of `on_found`, or `None` if there is no such URL.
pub(crate) fn reread<T>(
    scanner: &Scanner,
    document: &Document<'_>,
    candidate: &Candidate<'_>,
    on_found: impl FnOnce(&Document<'_>, &Candidate<'_>) -> T,
) -> Option<T> {
    if document.charset != Charset::Utf8 {
        return None;
    }
    let guessed = document.guess_charset_at(candidate.span())?;
    let decoded = guessed.as_document(document);
    let start = guessed.start();
    let mut within = scanner.find_within(scanner_input(&decoded), start..start + 1);
    let found = match candidate.form() {
        Form::Attribute => scanner.read_attribute(decoded.text)?,
        Form::Relative => scanner.read_relative(decoded.text)?,
        _ => within.find(|found| found.span().start == start)?,
    };
    let is_longer =
        decoded.to_unit_span(found.span()).end > document.to_unit_span(candidate.span()).end;
    (is_longer || str::from_utf8(&candidate.url()).is_err()).then(|| on_found(&decoded, &found))
}
