//! The search back from a scheme or prefix to the `<` of a wrapper. Layout may come between them,
//! and may break the scheme.

use crate::Input;
use crate::limits::MAX_WRAPPER;
use crate::scheme::{self, Schemes, is_scheme_byte};
use crate::table::table;
use crate::text::blank;
use crate::text::quote;

/// The maximum number of letters of a scheme or prefix that are searched back over if layout breaks
/// it.
const MAX_BROKEN_LETTERS: usize = 40;

/// True if the `<` of a wrapper, or the prefix `URL:`, may come before a scheme whose preceding byte
/// is `byte`. If false, neither does.
pub(crate) fn may_end_opening(byte: u8) -> bool {
    BYTE_ROLES[usize::from(byte)] != ByteRole::Other
}

/// The role of a byte in the backward search from a scheme to the `<` before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteRole {
    /// A byte that can't occur between the scheme and the bracket.
    Other,
    /// An ASCII blank.
    Blank,
    /// A byte outside US-ASCII, which may be part of a blank.
    High,
    /// A byte of a scheme or prefix.
    Letter,
    Colon,
    /// The opening bracket `<`.
    Open,
    /// A quote mark `>`.
    Mark,
}

/// The role of each byte.
static BYTE_ROLES: [ByteRole; 256] = table!(|byte| match byte {
    b'<' => ByteRole::Open,
    b'>' => ByteRole::Mark,
    b':' => ByteRole::Colon,
    0x80.. => ByteRole::High,
    _ if is_scheme_byte(byte) => ByteRole::Letter,
    _ if blank::is_ascii_blank(byte) => ByteRole::Blank,
    _ => ByteRole::Other,
});

/// Returns the offset of the `<` of the wrapper whose content starts with the scheme or prefix that
/// ends at `colon`. Returns `None` if anything but layout comes between them.
pub(crate) fn wrapper_start_before(input: &Input<'_>, colon: usize) -> Option<usize> {
    let text = input.text;
    let run = scheme::scheme_run_len_before(text, colon);
    let start = colon - run;
    match start.checked_sub(1).map(|before| text[before])? {
        b'<' => Some(start - 1),
        _ => broken_wrapper_start_before(input, start, run),
    }
}

/// Returns the same as [`wrapper_start_before`] if layout comes after the `<`, or inside the scheme
/// or the prefix. Returns `None` if there is no wrapper. The last unbroken run of scheme characters
/// starts at byte `start` and has `run` bytes.
fn broken_wrapper_start_before(input: &Input<'_>, start: usize, run: usize) -> Option<usize> {
    let text = input.text;
    let mut at = layout_start_before(input, start)?;
    if text[at - 1] == b'<' {
        return (run > 0).then_some(at - 1);
    }
    // Search back over the letters, and the layout between them, up to the bracket. No scheme is
    // longer.
    for letters in 0..MAX_BROKEN_LETTERS {
        match text[at - 1] {
            b'<' => return Some(at - 1),
            b':' if letters == 0 => {}
            byte if is_scheme_byte(byte) => {}
            _ => return None,
        }
        at = layout_start_before(input, at - 1)?;
    }
    None
}

/// Returns the number of ASCII blanks right before byte `start`.
#[inline(always)]
pub(crate) fn count_blanks_before(text: &[u8], start: usize) -> usize {
    let is_blank = |byte: &u8| BYTE_ROLES[usize::from(*byte)] == ByteRole::Blank;
    let mut head = &text[..start];
    while let [before @ .., last] = head
        && is_blank(last)
    {
        head = before;
    }
    start - head.len()
}

/// True if the `<` of a wrapper may come before byte `start`. This is a fast filter, which may
/// return true without a bracket.
///
/// `start` is the start of the last unbroken run of the scheme or prefix that ends at `colon`, and
/// `blanks` is the number of blanks before it.
///
/// This function is called at every anchor, and nearly always decides from the word before it. A
/// scheme that is broken, or comes before another colon, must be a known one, and few words end
/// like a known scheme.
#[inline(always)]
pub(crate) fn may_have_wrapper_before(
    text: &[u8],
    start: usize,
    blanks: usize,
    colon: usize,
    schemes: &Schemes,
) -> bool {
    let at = start - blanks;
    let Some(&byte) = text[..at].last() else { return false };
    match BYTE_ROLES[usize::from(byte)] {
        ByteRole::Other => false,
        ByteRole::Letter if blanks > 0 => {
            let next = text.get(start).copied().unwrap_or(b':');
            schemes.may_precede_colon(byte, next, colon - start)
                && finds_wrapper_start_before(text, start, at, colon, schemes)
        }
        _ => finds_wrapper_start_before(text, start, at, colon, schemes),
    }
}

/// Searches backward from byte `at` for a `<`, as the slow part of [`may_have_wrapper_before`].
/// Only blanks come between `at` and `start`.
#[inline(never)]
fn finds_wrapper_start_before(
    text: &[u8],
    start: usize,
    mut at: usize,
    colon: usize,
    schemes: &Schemes,
) -> bool {
    let mut letters = 0;
    // The length of the part of the name after `at`, and its first byte.
    let mut len = colon - start;
    let mut next = text.get(start).copied().unwrap_or(b':');
    let mut unbroken = at == start && len > scheme::MAX_SCHEME;
    let bound = start.saturating_sub(MAX_WRAPPER);
    while at > bound {
        at -= 1;
        let byte = text[at];
        match BYTE_ROLES[usize::from(byte)] {
            ByteRole::High => unbroken = false,
            ByteRole::Blank => {
                at -= text[bound..at].iter().rev().take_while(|byte| **byte == b' ').count();
                unbroken = false;
            }
            ByteRole::Letter if letters < MAX_BROKEN_LETTERS => {
                if !unbroken && !schemes.may_precede_colon(byte, next, len) {
                    return false;
                }
                letters += 1;
                len += 1;
                next = byte;
            }
            ByteRole::Colon if letters == 0 => {
                unbroken = false;
                letters = 1;
                len = 0;
                next = b':';
            }
            // A quote mark comes at the start of its line or after another one.
            ByteRole::Mark => {
                at -= text[bound..at].iter().rev().take_while(|byte| **byte == b'>').count();
                if at > bound && !matches!(text[at - 1], b' ' | b'\n' | b'\r') {
                    return false;
                }
                unbroken = false;
            }
            ByteRole::Open => return true,
            _ => return false,
        }
    }
    false
}

/// Returns the offset at which the layout right before byte `end` starts, or `end` if there is
/// none. Returns `None` if the layout starts at the start of the text, or more than [`MAX_WRAPPER`]
/// bytes before `end`.
fn layout_start_before(input: &Input<'_>, end: usize) -> Option<usize> {
    let text = input.text;
    let bound = end.saturating_sub(MAX_WRAPPER);
    let mut at = end;
    while at > bound {
        // Quote marks are layout, too, if only quote marks come between them and the start of their
        // line.
        if text[at - 1] == b'>'
            && let Some(line) = quote::skip_marks_back(text, at)
        {
            at = line;
            continue;
        }
        match blank::blank_len_before(text, at, input.charset) {
            0 => return Some(at),
            len => at -= len,
        }
    }
    None
}
