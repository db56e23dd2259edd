//! Which of the bytes at hand are of interest, many at a time.
//!
//! The lines of a header are short: a call of a vector search a line spends more on its entry than
//! on the bytes (75 instructions a line of list mail), and words of eight bytes still cost 45.
//! A mask of 64 bytes costs 40, and tells the ends of all fields in it. The crate `wide` puts these
//! masks into safe code: SSE2 and NEON are there on every machine, and nothing is detected.

use core::ops::Range;
use wide::u8x16;

/// Which of the 64 bytes of `text` from `at` on `choose` says of, given them and the byte after
/// each: bit n tells of byte n. Beyond its end the text is 0.
#[inline]
fn mask_at(text: &[u8], at: usize, choose: &impl Fn(u8x16, u8x16) -> u8x16) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => mask(bytes, choose),
        None => mask(&last_block(rest), choose),
    }
}

#[inline]
fn mask(bytes: &[u8; 65], choose: &impl Fn(u8x16, u8x16) -> u8x16) -> u64 {
    let ([here @ .., _], [_, next @ ..]) = (bytes, bytes);
    let parts = here.as_chunks::<16>().0.iter().zip(next.as_chunks::<16>().0);
    parts.zip([0, 16, 32, 48]).fold(0, |mask, ((here, next), shift)| {
        let chosen = choose(u8x16::new(*here), u8x16::new(*next));
        mask | u64::from(chosen.to_bitmask()) << shift
    })
}

/// Where the first colon, blank or control character stands among 16 bytes, 16 if nowhere.
#[inline]
pub(crate) fn name_end(bytes: [u8; 16]) -> usize {
    let bytes = u8x16::new(bytes);
    let ends = bytes.simd_eq(u8x16::splat(b':')) | bytes.simd_eq(bytes.min(u8x16::splat(b' ')));
    (ends.to_bitmask() | 1 << 16).trailing_zeros() as usize
}

/// The last bytes of a text, with zeros after them.
#[cold]
fn last_block(rest: &[u8]) -> [u8; 65] {
    let mut block = [0; 65];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    block
}

/// The ends of a header's fields, one after the other: line feeds that no blank follows, since a
/// line that starts with a blank goes on with the field before it. To tell the folds apart in the
/// mask costs less than to visit them.
#[derive(Clone, Debug)]
pub(crate) struct FieldEnds<'t> {
    text: &'t [u8],
    /// Where the block at hand starts, and its ends that are still to come.
    at: usize,
    mask: u64,
}

impl<'t> FieldEnds<'t> {
    #[inline]
    pub(crate) fn new(text: &'t [u8], from: usize) -> Self {
        Self { text, at: from, mask: field_ends(text, from) }
    }

    /// The offset just after the next end, or the text's end.
    #[inline]
    pub(crate) fn next(&mut self) -> usize {
        // Whole blocks in a loop that calls nothing: a call would cost its registers at each.
        while self.mask == 0
            && let Some(bytes) = self.text.get(self.at + 64..).and_then(<[u8]>::first_chunk)
        {
            self.at += 64;
            self.mask = mask(bytes, &is_field_end);
        }
        if self.mask == 0 {
            self.at += 64;
            self.mask = field_ends(self.text, self.at);
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

/// Which of the 64 bytes from `at` on are line feeds that no blank follows.
fn field_ends(text: &[u8], at: usize) -> u64 {
    mask_at(text, at, &is_field_end)
}

/// Where the first byte in `html[range]` stands at which text does not go on as it stands: one that starts markup or a reference, or a
/// carriage return.
#[inline]
pub(crate) fn next_html_mark(html: &[u8], range: Range<usize>) -> Option<usize> {
    find(html, range, |here, _| is_html_mark(here)).next()
}

#[inline]
fn is_html_mark(here: u8x16) -> u8x16 {
    let is = |byte| here.simd_eq(u8x16::splat(byte));
    is(b'<') | is(b'&') | is(b'\r')
}

/// How much of a text is copied at most at once.
pub(crate) const HTML_ROOM: usize = 128;

/// What becomes of line feeds, by the bits that differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineFeeds(u8x16);

impl LineFeeds {
    /// They stay, or become blanks.
    #[inline]
    pub(crate) fn kept(are_kept: bool) -> Self {
        Self(u8x16::splat(if are_kept { 0 } else { b'\n' ^ b' ' }))
    }
}

/// Copies the text at the start of `html` to `out`, up to a `<`, for `most` bytes, or as far as there is room. Returns how long it is; behind it,
/// more may have been written. To look and copy in one loop takes 40 instructions less a line than one after the other. References and carriage
/// returns, which are rare, are not looked for here: `most` ends before them.
#[inline]
pub(crate) fn copy_html_text(
    html: &[u8],
    line_feeds: LineFeeds,
    most: usize,
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
        let marks = copy_block(block, line_feeds, out);
        if marks != 0 {
            len += marks.trailing_zeros() as usize;
            break;
        }
        len += block.len();
        if len >= most {
            break;
        }
    }
    len.min(most)
}

/// The end of a text, with what is no mark behind it.
#[cold]
fn padded_with_zeros(rest: &[u8]) -> [u8; HTML_ROOM] {
    let mut padded = [0; HTML_ROOM];
    if let Some(start) = padded.get_mut(..rest.len()) {
        start.copy_from_slice(rest);
    }
    padded
}

/// Copies a block, and tells where a `<` stands in it.
#[inline]
fn copy_block(block: &[u8; 32], LineFeeds(differs): LineFeeds, out: &mut [u8; 32]) -> u32 {
    let parts = block.as_chunks::<16>().0.iter().zip(out.as_chunks_mut::<16>().0);
    parts.zip([0, 16]).fold(0, |marks, ((from, to), shift)| {
        let here = u8x16::new(*from);
        let line_feeds = here.simd_eq(u8x16::splat(b'\n'));
        *to = (here ^ (line_feeds & differs)).to_array();
        marks | here.simd_eq(u8x16::splat(b'<')).to_bitmask() << shift
    })
}

/// The name of a tag at the start of `bytes`: how many bytes come before one that may end it (a slash, a bracket, an `@`, a blank or a
/// control character, of which not all end one), and these in lower case as one number. `None` where none of those stands there.
#[inline]
pub(crate) fn tag_name(bytes: [u8; 16]) -> Option<(usize, u128)> {
    let here = u8x16::new(bytes);
    let is = |byte| here.simd_eq(u8x16::splat(byte));
    let blank = here.simd_eq(here.min(u8x16::splat(b' ')));
    let ends = (blank | is(b'/') | is(b'>') | is(b'<') | is(b'@')).to_bitmask();
    if ends == 0 {
        return None;
    }
    let len = ends.trailing_zeros() as usize;
    let number = u128::from_le_bytes(in_lower_case(bytes));
    Some((len, number & !(u128::MAX << (8 * len))))
}

/// The bytes with their ASCII letters in lower case.
#[inline]
pub(crate) fn in_lower_case(bytes: [u8; 16]) -> [u8; 16] {
    let here = u8x16::new(bytes);
    let from_a = here - u8x16::splat(b'A');
    let upper = from_a.simd_eq(from_a.min(u8x16::splat(b'Z' - b'A')));
    (here | upper & u8x16::splat(b'a' - b'A')).to_array()
}

/// Where the `>` stands that ends the tag whose attributes start at `at`, if each of them is a name alone, or a name and a value in quotes
/// with nothing but `=` between them. `None` where one is not, or where the text soon ends.
#[inline]
pub(crate) fn quoted_attributes_end(html: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let mark = first(html, at, |here| {
            let is = |byte| here.simd_eq(u8x16::splat(byte));
            is(b'>') | is(b'=') | is(b'"') | is(b'\'')
        })?;
        if html.get(mark) == Some(&b'>') {
            return Some(mark);
        }
        // What starts with `=` is a name, and a quote within a name or a plain value is a character of it.
        let &[before, b'=', quote @ (b'"' | b'\'')] = html.get(mark.max(1) - 1..mark + 2)? else {
            return None;
        };
        if mark == at || before == b'/' || before.is_ascii_whitespace() {
            return None;
        }
        at = 1 + first(html, mark + 2, |here| here.simd_eq(u8x16::splat(quote)))?;
    }
}

/// The first byte from `at` on that `choose` says of. `None` where there is none, or where less than 32 bytes are left before it.
#[inline]
fn first(text: &[u8], mut at: usize, choose: impl Fn(u8x16) -> u8x16) -> Option<usize> {
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

/// The offsets in `text[range]` of the letter g, in either case: the rarest of `digest`.
#[inline]
pub(crate) fn find_g(text: &[u8], range: Range<usize>) -> impl Iterator<Item = usize> {
    find(text, range, |here, _| here.simd_eq(u8x16::splat(b'g')) | here.simd_eq(u8x16::splat(b'G')))
}

/// The offsets in `text[range]` of colons that no blank follows, and of `=` before a `?`.
#[inline]
pub(crate) fn find_marks(text: &[u8], range: Range<usize>) -> impl Iterator<Item = usize> {
    find(text, range, |here, next| {
        let colon = here.simd_eq(u8x16::splat(b':')) & !next.simd_eq(u8x16::splat(b' '));
        colon | here.simd_eq(u8x16::splat(b'=')) & next.simd_eq(u8x16::splat(b'?'))
    })
}

/// The offsets of the bytes in `text[range]` that `choose` says of, given the bytes and each next.
#[inline]
fn find(
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
            mask = mask_at(text, at, &choose);
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

    /// A byte of every value and distance: `value * 31 + 7` runs through all of them.
    fn bytes(len: usize, seed: usize) -> Vec<u8> {
        (0..len).map(|i| u8::try_from((i * 31 + seed * 7) % 256).unwrap_or(0)).collect()
    }

    #[test]
    fn masks_agree_with_each_byte() {
        for seed in 0..256 {
            let text = bytes(200, seed);
            for name in text.as_chunks::<16>().0 {
                let end = name.iter().position(|&b| b <= b' ' || b == b':').unwrap_or(16);
                assert_eq!(name_end(*name), end);
            }
            for range in [0..200, 0..0, 10..50, 63..66, 64..128, 150..200] {
                let found: Vec<_> = find_g(&text, range.clone()).collect();
                let expected: Vec<_> =
                    range.clone().filter(|&at| matches!(text[at], b'g' | b'G')).collect();
                assert_eq!(found, expected);
                let marks: Vec<u8> = text.iter().map(|b| b":=? x"[usize::from(b % 5)]).collect();
                let found: Vec<_> = find_marks(&marks, range.clone()).collect();
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
                let html = bytes(len, seed);
                let mark = html.iter().position(|byte| b"<&\r".contains(byte));
                assert_eq!(next_html_mark(&html, 0..len), mark);
                let tag = html.iter().position(|byte| *byte == b'<').unwrap_or(len);
                for (most, keeps_breaks) in [(len, false), (len, true), (len / 2, false)] {
                    let mut out = [0; HTML_ROOM];
                    let line_feeds = LineFeeds::kept(keeps_breaks);
                    let copied = copy_html_text(&html, line_feeds, most, &mut out);
                    assert_eq!(copied, tag.min(most).min(HTML_ROOM), "{seed} {len}");
                    let said = |&byte: &u8| match byte {
                        b'\n' if !keeps_breaks => b' ',
                        _ => byte,
                    };
                    assert!(html[..copied].iter().map(said).eq(out[..copied].iter().copied()));
                }
            }
        }
    }

    /// Lines of every length, of which every third, second or none is a fold.
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
                            assert_eq!(ends.next(), at + 1, "{len} {line} {fold} {from}");
                        }
                    }
                    assert_eq!(ends.next(), len);
                }
            }
        }
    }
}
