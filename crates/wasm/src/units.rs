//! Converts byte offsets to the positions that JavaScript uses.

use wasm_bindgen::prelude::wasm_bindgen;

/// Converts byte offsets in a UTF-8 text to offsets in UTF-16 code units, as JavaScript strings
/// use.
#[wasm_bindgen]
pub fn units(text: &[u8], bytes: &[u32]) -> Vec<u32> {
    let mut units = Units::for_text(text);
    bytes.iter().map(|&at| units.utf16_offset(at as usize) as u32).collect()
}

/// A converter from byte offsets in a text to offsets in UTF-16 code units.
///
/// Each call continues from the offset of the last call, in either direction. It takes time linear
/// in the distance if the text contains non-ASCII characters, otherwise constant time.
#[derive(Clone, Debug)]
pub(crate) struct Units<'t> {
    text: &'t [u8],
    is_ascii: bool,
    byte: usize,
    unit: usize,
}

impl<'t> Units<'t> {
    /// Creates a converter for offsets in `text`, which is UTF-8.
    pub(crate) fn for_text(text: &'t [u8]) -> Self {
        Self { text, is_ascii: text.is_ascii(), byte: 0, unit: 0 }
    }

    /// Converts the byte offset `at` to an offset in UTF-16 code units. `at` must be the start of a
    /// character or the end of the text.
    pub(crate) fn utf16_offset(&mut self, at: usize) -> usize {
        if self.is_ascii {
            return at;
        }
        if at >= self.byte {
            self.unit += utf16_len(&self.text[self.byte..at]);
        } else {
            self.unit -= utf16_len(&self.text[at..self.byte]);
        }
        self.byte = at;
        self.unit
    }
}

/// Returns the number of UTF-16 code units in a UTF-8 text: one for each first byte of a character,
/// two for a character of four bytes.
fn utf16_len(utf8: &[u8]) -> usize {
    let of = |byte: u8| u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0);
    // Chunks are small enough for their sum to fit in a byte, so the compiler adds sixteen bytes at
    // a time.
    utf8.chunks(127).map(|few| usize::from(few.iter().map(|&byte| of(byte)).sum::<u8>())).sum()
}
