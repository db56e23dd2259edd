//! Guesses the charset of 8-bit text that declares no charset or a wrong one.
//!
//! A guess is made for one URL, from the letters in it and around it. So it depends only on the
//! text near the URL, and not on how the file was split. Only charsets with one byte per character
//! are guessed. In other charsets, text often follows a URL without a blank, and would be read as
//! part of it.
//!
//! docs/decisions/0014-guessed-charsets.md has measurements.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use core::ops::Range;
use encoding_rs::{Encoding, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254};

/// The number of bytes above 0x7F on each side of a URL that are used for the guess. More letters
/// don't improve the guess.
const MAX_EVIDENCE: usize = 48;

/// The minimum number of non-ASCII letters in and around a URL that is not in Latin script. With
/// fewer letters, the guessed charset is uncertain and not used.
const MIN_LETTERS: usize = 6;

/// The minimum number of non-ASCII letters around a URL, if its script is Latin and the European
/// charsets disagree on its letters. With fewer letters, the guess is uncertain.
const MIN_LATIN_LETTERS: usize = 2;

/// Guesses the charset of `text` from the letters in and around the URL at `url`. Returns `None` if
/// the guess is uncertain, if it is a charset with several bytes per character, or if the first
/// non-ASCII character of the URL is not a letter.
///
/// Takes linear time.
pub(crate) fn guess_charset(text: &[u8], url: &Range<usize>) -> Option<&'static Encoding> {
    let range = evidence_range(text, url);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&condense(text, range.clone()), true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if !guess.is_single_byte() {
        return None;
    }
    let read = |encoding: &'static Encoding, range: Range<usize>| {
        let bytes = text.get(range).unwrap_or_default();
        encoding.decode_without_bom_handling(bytes).0.into_owned()
    };
    let (inside, before, after) = (
        read(guess, url.clone()),
        read(guess, range.start..url.start),
        read(guess, url.end..range.end),
    );
    let is_letter = |c: &char| !c.is_ascii() && c.is_alphabetic();
    let letters = |text: &str| text.chars().filter(is_letter).count();
    let around = letters(&before) + letters(&after);
    let is_latin = inside.chars().filter(is_letter).all(|c| c < '\u{250}');
    let is_certain = if !is_latin {
        around + letters(&inside) >= MIN_LETTERS
    } else if [WINDOWS_1250, WINDOWS_1252, WINDOWS_1254]
        .iter()
        .all(|other| read(other, url.clone()) == inside)
    {
        guess == WINDOWS_1252 || around > 0
    } else {
        around >= MIN_LATIN_LETTERS
    };
    let is_unassigned = |c| matches!(c, '\u{80}'..'\u{A0}' | char::REPLACEMENT_CHARACTER);
    let starts_with_letter = inside.chars().find(|c| !c.is_ascii()).is_some_and(|c| is_letter(&c));
    (is_certain && starts_with_letter && !inside.contains(is_unassigned)).then_some(guess)
}

/// Returns the range of `text` to guess a charset from: the URL, and the words around it with up to
/// [`MAX_EVIDENCE`] bytes above 0x7F on each side. The range starts and ends at white space, or at
/// the start or end of `text`.
fn evidence_range(text: &[u8], url: &Range<usize>) -> Range<usize> {
    let is_end_after_evidence = || {
        let mut left = MAX_EVIDENCE;
        move |byte: &u8| {
            left -= usize::from(*byte >= 0x80 && left > 0);
            left == 0 && byte.is_ascii_whitespace()
        }
    };
    let before = text.get(..url.start).unwrap_or_default();
    let after = text.get(url.end..).unwrap_or_default();
    let start = before.iter().rposition(is_end_after_evidence()).unwrap_or(0);
    let len = after.iter().position(is_end_after_evidence()).unwrap_or(after.len());
    start..url.end + len
}

/// Returns the bytes above 0x7F in `text[range]`, each with the two bytes before and after it. All
/// other text is replaced by a space, because it doesn't help the detector and only costs time.
fn condense(text: &[u8], range: Range<usize>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut from = range.start;
    for at in range.clone().filter(|at| text.get(*at).is_some_and(|byte| *byte >= 0x80)) {
        let start = at.saturating_sub(2).max(from);
        if start > from {
            out.push(b' ');
        }
        let end = range.end.min(at + 3);
        out.extend_from_slice(text.get(start..end).unwrap_or_default());
        from = from.max(end);
    }
    out
}
