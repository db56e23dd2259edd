//! SIMD searches for bytes of several kinds.
//!
//! The lines of a header are short. Calling a vector search per line costs more for the call than
//! for the bytes (75 instructions a line of list mail), and eight-byte words still cost 45. A mask
//! of 64 bytes costs 40 and gives the ends of all fields in it. The crate `wide` provides such
//! masks in safe code: SSE2 and NEON are available on every machine of their architecture, so no
//! run-time detection is needed.

use core::ops::Range;
use wide::u8x16;

/// Returns a mask of the 64 bytes of `text` from `at` on: bit n is set if `choose` selects byte n.
/// `choose` gets a vector of bytes, and a vector of the byte after each. After its end, the text is
/// padded with 0.
#[inline]
fn block_mask_at(text: &[u8], at: usize, choose: &impl Fn(u8x16, u8x16) -> u8x16) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => block_mask(bytes, choose),
        None => block_mask(&pad_last_block(rest), choose),
    }
}

/// Returns the mask of the first 64 of 65 bytes, as [`block_mask_at`] does.
#[inline]
fn block_mask(bytes: &[u8; 65], choose: &impl Fn(u8x16, u8x16) -> u8x16) -> u64 {
    let ([here @ .., _], [_, next @ ..]) = (bytes, bytes);
    let parts = here.as_chunks::<16>().0.iter().zip(next.as_chunks::<16>().0);
    parts.zip([0, 16, 32, 48]).fold(0, |mask, ((here, next), shift)| {
        let chosen = choose(u8x16::new(*here), u8x16::new(*next));
        mask | u64::from(chosen.to_bitmask()) << shift
    })
}

/// Returns the offset of the first colon, blank or control character in 16 bytes, or 16 if there is
/// none.
#[inline]
pub(crate) fn field_name_end(bytes: [u8; 16]) -> usize {
    let bytes = u8x16::new(bytes);
    let ends = bytes.simd_eq(u8x16::splat(b':')) | bytes.simd_eq(bytes.min(u8x16::splat(b' ')));
    (ends.to_bitmask() | 1 << 16).trailing_zeros() as usize
}

/// Returns the last bytes of a text, which are fewer than 65, padded with zeros.
#[cold]
fn pad_last_block(rest: &[u8]) -> [u8; 65] {
    let mut block = [0; 65];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    block
}

/// An iterator over the ends of a header's fields: line feeds that no blank follows, since a line
/// that starts with a blank continues the field. The mask excludes the other line feeds, because
/// the processor would mispredict a branch that skips them.
#[derive(Clone, Debug)]
pub(crate) struct FieldEnds<'t> {
    text: &'t [u8],
    /// The start of the current block.
    at: usize,
    /// The mask of the ends in the current block that were not returned yet.
    mask: u64,
}

impl<'t> FieldEnds<'t> {
    #[inline]
    pub(crate) fn new(text: &'t [u8], from: usize) -> Self {
        Self { text, at: from, mask: field_end_mask(text, from) }
    }

    /// Returns the offset just after the next field, or the length of the text if it has no further
    /// end.
    #[inline]
    pub(crate) fn next_end(&mut self) -> usize {
        // Search whole blocks in a loop without calls, because a call would spill registers in each
        // round.
        while self.mask == 0
            && let Some(bytes) = self.text.get(self.at + 64..).and_then(<[u8]>::first_chunk)
        {
            self.at += 64;
            self.mask = block_mask(bytes, &is_field_end);
        }
        if self.mask == 0 {
            self.at += 64;
            self.mask = field_end_mask(self.text, self.at);
            if self.mask == 0 {
                return self.text.len();
            }
        }
        let found = self.at + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        found + 1
    }
}

#[inline]
fn is_field_end(here: u8x16, next: u8x16) -> u8x16 {
    let folded = next.simd_eq(u8x16::splat(b' ')) | next.simd_eq(u8x16::splat(b'\t'));
    here.simd_eq(u8x16::splat(b'\n')) & !folded
}

/// Returns a mask of the field ends in the 64 bytes from `at` on: bit n is set if byte `at + n` is
/// a line feed that no space or tab follows.
fn field_end_mask(text: &[u8], at: usize) -> u64 {
    block_mask_at(text, at, &is_field_end)
}

/// Returns the offset of the first byte in `html[range]` that can't be copied as text: one that
/// starts markup or a character reference, or a carriage return. Returns `None` if there is none.
#[inline]
pub(crate) fn next_html_mark(html: &[u8], range: Range<usize>) -> Option<usize> {
    find_all(html, range, |here, _| is_html_mark(here)).next()
}

#[inline]
fn is_html_mark(here: u8x16) -> u8x16 {
    let is = |byte| here.simd_eq(u8x16::splat(byte));
    is(b'<') | is(b'&') | is(b'\r')
}

/// The maximum number of bytes that [`copy_html_text`] copies at once.
pub(crate) const HTML_ROOM: usize = 128;

/// The treatment of line feeds when text is copied. The vector contains the bits to flip in a line
/// feed: no bits to keep it, or the bits that turn it into a space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineFeeds(u8x16);

impl LineFeeds {
    /// Returns the treatment that keeps line feeds if `are_kept` is true, and otherwise replaces
    /// them with spaces.
    #[inline]
    pub(crate) fn keep_if(are_kept: bool) -> Self {
        Self(u8x16::splat(if are_kept { 0 } else { b'\n' ^ b' ' }))
    }
}

/// Copies the text at the start of `html` to `out`, up to a `<`, to `max_len` bytes, or to the end
/// of `out`. Returns the length of the text; garbage may follow it in `out`.
///
/// A single loop that searches and copies takes 40 instructions per line less than two loops.
/// Character references and carriage returns, which are rare, are not searched here: `max_len` must
/// end before them.
#[inline]
pub(crate) fn copy_html_text(
    html: &[u8],
    line_feeds: LineFeeds,
    max_len: usize,
    out: &mut [u8; HTML_ROOM],
) -> usize {
    let padded;
    let text = if let Some(text) = html.first_chunk() {
        text
    } else {
        padded = padded_with_zeros(html);
        &padded
    };
    let mut len = 0;
    for (block, out) in text.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        let marks = copy_text_block(block, line_feeds, out);
        if marks != 0 {
            len += marks.trailing_zeros() as usize;
            break;
        }
        len += block.len();
        if len >= max_len {
            break;
        }
    }
    len.min(max_len)
}

/// Returns the end of a text, padded with zeros.
#[cold]
fn padded_with_zeros(rest: &[u8]) -> [u8; HTML_ROOM] {
    let mut padded = [0; HTML_ROOM];
    if let Some(start) = padded.get_mut(..rest.len()) {
        start.copy_from_slice(rest);
    }
    padded
}

/// Copies a block of 32 bytes to `out`, with the given treatment of line feeds. Returns a mask in
/// which bit n is set if byte n is a `<`.
#[inline]
fn copy_text_block(block: &[u8; 32], LineFeeds(differs): LineFeeds, out: &mut [u8; 32]) -> u32 {
    let parts = block.as_chunks::<16>().0.iter().zip(out.as_chunks_mut::<16>().0);
    parts.zip([0, 16]).fold(0, |marks, ((from, to), shift)| {
        let here = u8x16::new(*from);
        let line_feeds = here.simd_eq(u8x16::splat(b'\n'));
        *to = (here ^ (line_feeds & differs)).to_array();
        marks | here.simd_eq(u8x16::splat(b'<')).to_bitmask() << shift
    })
}

/// Returns the tag name at the start of `bytes`: its length, and its bytes in lower case as a
/// number. The name ends at a slash, angle bracket, `@`, blank or control character, although not
/// all of these end a tag name in HTML. Returns `None` if `bytes` contains no such character.
#[inline]
pub(crate) fn parse_tag_name(bytes: [u8; 16]) -> Option<(usize, u128)> {
    let here = u8x16::new(bytes);
    let is = |byte| here.simd_eq(u8x16::splat(byte));
    let blank = here.simd_eq(here.min(u8x16::splat(b' ')));
    let ends = (blank | is(b'/') | is(b'>') | is(b'<') | is(b'@')).to_bitmask();
    if ends == 0 {
        return None;
    }
    let len = ends.trailing_zeros() as usize;
    let number = u128::from_le_bytes(to_lower_case(bytes));
    Some((len, number & !(u128::MAX << (8 * len))))
}

/// Returns the bytes with ASCII letters in lower case.
#[inline]
pub(crate) fn to_lower_case(bytes: [u8; 16]) -> [u8; 16] {
    let here = u8x16::new(bytes);
    let from_a = here - u8x16::splat(b'A');
    let upper = from_a.simd_eq(from_a.min(u8x16::splat(b'Z' - b'A')));
    (here | upper & u8x16::splat(b'a' - b'A')).to_array()
}

/// Returns the offset of the `>` that ends the tag whose attributes start at `at`. Handles only the
/// usual attributes, `name` and `name="value"`. Returns `None` if the tag has other attributes, and
/// near the end of the text. The caller must then use a slower parser.
#[inline]
pub(crate) fn quoted_attributes_end(html: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let mark = find_first(html, at, |here| {
            let is = |byte| here.simd_eq(u8x16::splat(byte));
            is(b'>') | is(b'=') | is(b'"') | is(b'\'')
        })?;
        if html.get(mark) == Some(&b'>') {
            return Some(mark);
        }
        // A word that starts with `=` is a name. A quote in a name or in an unquoted value is an
        // ordinary character.
        let &[before, b'=', quote @ (b'"' | b'\'')] = html.get(mark.max(1) - 1..mark + 2)? else {
            return None;
        };
        if mark == at || before == b'/' || before.is_ascii_whitespace() {
            return None;
        }
        at = 1 + find_first(html, mark + 2, |here| here.simd_eq(u8x16::splat(quote)))?;
    }
}

/// Returns the offset of the first byte from `at` on that `choose` selects. Searches whole blocks
/// of 32 bytes only, and returns `None` if they contain no such byte.
#[inline]
fn find_first(text: &[u8], mut at: usize, choose: impl Fn(u8x16) -> u8x16) -> Option<usize> {
    loop {
        let bytes: &[u8; 32] = text.get(at..)?.first_chunk()?;
        let mask =
            bytes.as_chunks::<16>().0.iter().zip([0, 16]).fold(0, |mask, (here, shift)| {
                mask | choose(u8x16::new(*here)).to_bitmask() << shift
            });
        if mask != 0 {
            return Some(at + mask.trailing_zeros() as usize);
        }
        at += 32;
    }
}

/// Returns the offsets in `text[range]` of the letter g in either case. It is the rarest letter of
/// `digest`, the word that is searched for.
#[inline]
pub(crate) fn find_letter_g(text: &[u8], range: Range<usize>) -> impl Iterator<Item = usize> {
    find_all(text, range, |here, _| {
        here.simd_eq(u8x16::splat(b'g')) | here.simd_eq(u8x16::splat(b'G'))
    })
}

/// Returns the offsets in `text[range]` of colons with no blank after them, and of `=` before a
/// `?`.
#[inline]
pub(crate) fn find_header_value_marks(
    text: &[u8],
    range: Range<usize>,
) -> impl Iterator<Item = usize> {
    find_all(text, range, |here, next| {
        let colon = here.simd_eq(u8x16::splat(b':')) & !next.simd_eq(u8x16::splat(b' '));
        colon | here.simd_eq(u8x16::splat(b'=')) & next.simd_eq(u8x16::splat(b'?'))
    })
}

/// Returns the offsets of the bytes in `text[range]` that `choose` selects. `choose` gets a vector
/// of bytes, and a vector of the byte after each.
#[inline]
fn find_all(
    text: &[u8],
    range: Range<usize>,
    choose: impl Fn(u8x16, u8x16) -> u8x16,
) -> impl Iterator<Item = usize> {
    let mut at = range.start;
    let mut mask = 0;
    core::iter::from_fn(move || {
        while mask == 0 {
            if at >= range.end {
                return None;
            }
            mask = block_mask_at(text, at, &choose);
            at += 64;
        }
        let found = at - 64 + mask.trailing_zeros() as usize;
        mask &= mask - 1;
        (found < range.end).then_some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns test data in which all byte values occur at all distances: `value * 31 + 7` cycles
    /// through all values.
    fn test_bytes(len: usize, seed: usize) -> Vec<u8> {
        (0..len).map(|i| u8::try_from((i * 31 + seed * 7) % 256).unwrap_or(0)).collect()
    }

    #[test]
    fn masks_agree_with_each_byte() {
        for seed in 0..256 {
            let text = test_bytes(200, seed);
            for name in text.as_chunks::<16>().0 {
                let end = name.iter().position(|&b| b <= b' ' || b == b':').unwrap_or(16);
                assert_eq!(field_name_end(*name), end);
            }
            for range in [0..200, 0..0, 10..50, 63..66, 64..128, 150..200] {
                let found: Vec<_> = find_letter_g(&text, range.clone()).collect();
                let expected: Vec<_> =
                    range.clone().filter(|&at| matches!(text[at], b'g' | b'G')).collect();
                assert_eq!(found, expected);
                let marks: Vec<u8> = text.iter().map(|b| b":=? x"[usize::from(b % 5)]).collect();
                let found: Vec<_> = find_header_value_marks(&marks, range.clone()).collect();
                let next = |at: usize| marks.get(at + 1).copied().unwrap_or(0);
                let expected: Vec<_> = range
                    .filter(|&at| match marks[at] {
                        b':' => next(at) != b' ',
                        b'=' => next(at) == b'?',
                        _ => false,
                    })
                    .collect();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn html_text_is_copied_up_to_a_mark() {
        for seed in 0..256 {
            for len in [0, 1, 31, 32, 65, 127, 128, 129, 200] {
                let html = test_bytes(len, seed);
                let mark = html.iter().position(|byte| b"<&\r".contains(byte));
                assert_eq!(next_html_mark(&html, 0..len), mark);
                let tag = html.iter().position(|byte| *byte == b'<').unwrap_or(len);
                for (max_len, keeps_breaks) in [(len, false), (len, true), (len / 2, false)] {
                    let mut out = [0; HTML_ROOM];
                    let line_feeds = LineFeeds::keep_if(keeps_breaks);
                    let copied = copy_html_text(&html, line_feeds, max_len, &mut out);
                    assert_eq!(copied, tag.min(max_len).min(HTML_ROOM), "{seed} {len}");
                    let said = |&byte: &u8| match byte {
                        b'\n' if !keeps_breaks => b' ',
                        _ => byte,
                    };
                    assert!(html[..copied].iter().map(said).eq(out[..copied].iter().copied()));
                }
            }
        }
    }

    /// Lines of every length; every third line, every second one or none is a fold.
    #[test]
    fn field_ends_of_texts_of_every_length() {
        for len in 0..200 {
            for (line, fold) in [(1, 2), (2, 3), (3, 2), (31, 2), (63, 3), (64, 2), (65, 9)] {
                let text: Vec<u8> = (0..len)
                    .map(|i| match i % line {
                        end if end == line - 1 => b'\n',
                        0 if i / line % fold == 1 => b" \t"[i % 2],
                        _ => b'x',
                    })
                    .collect();
                for from in [0, 1, 5, 64, 70] {
                    let mut ends = FieldEnds::new(&text, from);
                    for at in from..len {
                        let folded = matches!(text.get(at + 1), Some(b' ' | b'\t'));
                        if text[at] == b'\n' && !folded {
                            assert_eq!(ends.next_end(), at + 1, "{len} {line} {fold} {from}");
                        }
                    }
                    assert_eq!(ends.next_end(), len);
                }
            }
        }
    }
}
