//! Positions as JavaScript counts them.

use wasm_bindgen::prelude::wasm_bindgen;

/// Where bytes of the text stand in UTF-16 code units.
#[wasm_bindgen]
pub fn units(text: &[u8], bytes: &[u32]) -> Vec<u32> {
    let mut units = Units::of(text);
    bytes.iter().map(|&at| units.at(at as usize) as u32).collect()
}

/// Turns positions in bytes of a text into positions in UTF-16 code units.
///
/// Going on from the place asked for last, in either direction: linear in the distance where the text holds more than ASCII,
/// constant elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Units<'t> {
    text: &'t [u8],
    is_ascii: bool,
    byte: usize,
    unit: usize,
}

impl<'t> Units<'t> {
    pub(crate) fn of(text: &'t [u8]) -> Self {
        Self { text, is_ascii: text.is_ascii(), byte: 0, unit: 0 }
    }

    /// The position of byte `at`, which is the first of a character or the text's end.
    pub(crate) fn at(&mut self, at: usize) -> usize {
        if self.is_ascii {
            return at;
        }
        if at >= self.byte {
            self.unit += count(&self.text[self.byte..at]);
        } else {
            self.unit -= count(&self.text[at..self.byte]);
        }
        self.byte = at;
        self.unit
    }
}

/// How many code units stand for that: one for each character's first byte, two for one of four bytes.
fn count(utf8: &[u8]) -> usize {
    let of = |byte: u8| u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0);
    // So few that a byte holds their sum, which lets the compiler add sixteen at a time.
    utf8.chunks(127).map(|few| usize::from(few.iter().map(|&byte| of(byte)).sum::<u8>())).sum()
}
