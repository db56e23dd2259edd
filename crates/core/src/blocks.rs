//! Tests many bytes at once.

/// True if `is` returns true for any byte of `text`. Linear.
///
/// Tests blocks of constant length. The compiler vectorizes this if `is` only compares with ranges
/// (`b'%'..=b'&'`) and single bytes. Three of these in one `matches!` become a table, which
/// prevents it.
///
/// ```
/// use urlsift_core::any_byte;
/// let is_control = |byte: u8| byte < b' ' || byte == 0x7F;
/// assert!(any_byte(b"a\tb", is_control) && !any_byte(b"a b", is_control) && !any_byte(b"", is_control));
/// ```
#[inline]
pub fn any_byte(text: &[u8], is: impl Fn(u8) -> bool) -> bool {
    // Without a way out of the loop: as bytes, since of truth values the compiler makes one.
    fn holds<const LEN: usize>(block: &[u8; LEN], is: impl Fn(u8) -> bool) -> bool {
        block.iter().fold(0, |any, &byte| any | u8::from(is(byte))) != 0
    }
    // Tests a text that is not longer than two blocks.
    fn ends<const LEN: usize>(text: &[u8], is: impl Fn(u8) -> bool) -> Option<bool> {
        Some(holds(text.first_chunk::<LEN>()?, &is) | holds(text.last_chunk::<LEN>()?, &is))
    }
    let Some(last) = text.last_chunk::<16>() else {
        let ends = ends::<8>(text, &is).or_else(|| ends::<4>(text, &is));
        return ends.unwrap_or_else(|| text.iter().any(|&byte| is(byte)));
    };
    let (blocks, rest) = text.as_chunks::<64>();
    blocks.iter().any(|block| holds(block, &is))
        || rest.as_chunks::<16>().0.iter().any(|piece| holds(piece, &is))
        || holds(last, &is)
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
