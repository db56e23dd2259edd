//! Vectorized search for any byte of a class.

/// True if `predicate` returns true for any byte of `text`. Takes linear time.
///
/// The compiler vectorizes the loop if `predicate` only compares with single bytes and ranges such
/// as `b'%'..=b'&'`. It builds a lookup table for three or more patterns in one `matches!`, which
/// prevents vectorization.
///
/// ```
/// use urlsift_core::any_byte;
/// let is_control = |byte: u8| byte < b' ' || byte == 0x7F;
/// assert!(any_byte(b"a\tb", is_control) && !any_byte(b"a b", is_control) && !any_byte(b"", is_control));
/// ```
#[inline]
pub fn any_byte(text: &[u8], predicate: impl Fn(u8) -> bool) -> bool {
    // Adds up bytes because the compiler would exit the loop early for booleans, which prevents
    // vectorization.
    fn any_in_block<const LEN: usize>(block: &[u8; LEN], is: impl Fn(u8) -> bool) -> bool {
        block.iter().fold(0, |any, &byte| any | u8::from(is(byte))) != 0
    }
    // Tests a text of `LEN` to `2 * LEN` bytes; `None` if it is shorter.
    fn any_in_ends<const LEN: usize>(text: &[u8], is: impl Fn(u8) -> bool) -> Option<bool> {
        Some(
            any_in_block(text.first_chunk::<LEN>()?, &is)
                | any_in_block(text.last_chunk::<LEN>()?, &is),
        )
    }
    let Some(last) = text.last_chunk::<16>() else {
        let ends =
            any_in_ends::<8>(text, &predicate).or_else(|| any_in_ends::<4>(text, &predicate));
        return ends.unwrap_or_else(|| text.iter().any(|&byte| predicate(byte)));
    };
    let (blocks, rest) = text.as_chunks::<64>();
    blocks.iter().any(|block| any_in_block(block, &predicate))
        || rest.as_chunks::<16>().0.iter().any(|piece| any_in_block(piece, &predicate))
        || any_in_block(last, &predicate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn finds_one_byte_at_any_offset_and_length() {
        for len in 0..150 {
            let mut text = vec![b'a'; len];
            assert!(!any_byte(&text, |byte| byte == b'@'), "{len}");
            for at in 0..len {
                text[at] = b'@';
                assert!(any_byte(&text, |byte| byte == b'@'), "{at} of {len}");
                text[at] = b'a';
            }
        }
    }
}
