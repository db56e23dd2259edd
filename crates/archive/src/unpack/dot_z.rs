//! A decoder for the format of the Unix program `compress` (`.Z`): LZW with codes of 9 to 16 bits,
//! least significant bits first.
//!
//! Codes are written in groups of eight. When the code width increases and when the table is
//! cleared, the rest of the group is padding.

use std::io::{self, Read};

/// The code that clears the table, if the header says that the file uses such a code.
const CLEAR: u16 = 256;
/// The width of codes at the start and after a [`CLEAR`], in bits.
const MIN_WIDTH: u32 = 9;
/// The maximum width of a code, in bits.
const MAX_WIDTH: u32 = 16;

/// A reader for the contents of a `.Z` file.
///
/// Its memory is bounded. It stores a table of 2^16 codes, and the text of one code, which has at
/// most 2^16 bytes.
pub(super) struct Uncompress<R> {
    input: R,
    /// Bits that were read but not yet used. The next one is the lowest.
    bits: u32,
    bit_count: u32,
    /// The number of codes of the current group that were read.
    in_group: u8,
    width: u32,
    /// The maximum width of a code in this file, in bits.
    widest: u32,
    has_clear: bool,
    /// The code that the next new table entry gets.
    free: u32,
    /// The text of a code is the text of its prefix followed by its suffix.
    prefixes: Vec<u16>,
    suffixes: Vec<u8>,
    last: Option<u16>,
    /// The text of the last code, in reverse.
    text: Vec<u8>,
}

/// Returns the error for a code that is not defined.
fn damaged_error() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "an undefined code")
}

impl<R: Read> Uncompress<R> {
    /// Reads the header of a `.Z` file from `input`, and returns a reader for the contents.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is incomplete or the code width in it is unknown.
    pub(super) fn new(mut input: R) -> io::Result<Self> {
        let mut header = [0; 3];
        input.read_exact(&mut header)?;
        let widest = u32::from(header[2] & 0x1F);
        if !(MIN_WIDTH..=MAX_WIDTH).contains(&widest) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "an unknown code width"));
        }
        let mut made = Self {
            input,
            bits: 0,
            bit_count: 0,
            in_group: 0,
            width: MIN_WIDTH,
            widest,
            has_clear: header[2] & 0x80 != 0,
            free: 0,
            prefixes: vec![0; 1 << MAX_WIDTH],
            suffixes: vec![0; 1 << MAX_WIDTH],
            last: None,
            text: Vec::new(),
        };
        made.clear_table();
        Ok(made)
    }

    /// Clears the table, so that only the codes of single bytes are defined.
    fn clear_table(&mut self) {
        self.width = MIN_WIDTH;
        self.free = u32::from(CLEAR) + u32::from(self.has_clear);
        self.last = None;
    }

    /// Reads the next code. Returns `None` at the end of the file; the remaining bits are ignored.
    fn next_code(&mut self) -> io::Result<Option<u16>> {
        while self.bit_count < self.width {
            let mut byte = [0];
            match self.input.read(&mut byte) {
                Ok(0) => return Ok(None),
                Ok(_) => {
                    self.bits |= u32::from(byte[0]) << self.bit_count;
                    self.bit_count += 8;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let code = self.bits & ((1 << self.width) - 1);
        self.bits >>= self.width;
        self.bit_count -= self.width;
        self.in_group = (self.in_group + 1) % 8;
        u16::try_from(code).map(Some).map_err(|_| damaged_error())
    }

    /// Skips the rest of the current group of eight codes, which is padding.
    fn skip_rest_of_group(&mut self) -> io::Result<()> {
        while self.in_group != 0 && self.next_code()?.is_some() {}
        self.in_group = 0;
        Ok(())
    }

    /// Reads the next code and writes its text to the field `text`, in reverse. Returns false at
    /// the end of the file.
    fn write_next_text(&mut self) -> io::Result<bool> {
        loop {
            if self.width < self.widest && self.free > (1 << self.width) - 1 {
                self.skip_rest_of_group()?;
                self.width += 1;
            }
            let Some(code) = self.next_code()? else { return Ok(false) };
            if code == CLEAR && self.has_clear {
                self.skip_rest_of_group()?;
                self.clear_table();
                continue;
            }
            self.write_text_and_add_entry(code)?;
            return Ok(true);
        }
    }

    /// Writes the text of a code to the field `text`, in reverse, and adds the next entry to the
    /// table. Fails if the code is not defined.
    fn write_text_and_add_entry(&mut self, code: u16) -> io::Result<()> {
        let Some(last) = self.last else {
            self.text.push(u8::try_from(code).map_err(|_| damaged_error())?);
            self.last = Some(code);
            return Ok(());
        };
        if u32::from(code) > self.free {
            return Err(damaged_error());
        }
        // The next code is the only one that may be used before it is defined. Its text is the last
        // code's text and the first byte of that text.
        let is_next = u32::from(code) == self.free;
        let mut at = if is_next { last } else { code };
        let first = loop {
            if let Ok(byte) = u8::try_from(at) {
                break byte;
            }
            self.text.push(self.suffixes[usize::from(at)]);
            at = self.prefixes[usize::from(at)];
        };
        self.text.push(first);
        if is_next {
            self.text.insert(0, first);
        }
        if self.free < 1 << self.widest {
            let free = self.free as usize;
            (self.prefixes[free], self.suffixes[free]) = (last, first);
            self.free += 1;
        }
        self.last = Some(code);
        Ok(())
    }
}

impl<R: Read> Read for Uncompress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut read = 0;
        while read < buffer.len() {
            if let Some(byte) = self.text.pop() {
                buffer[read] = byte;
                read += 1;
                continue;
            }
            // Return the bytes before an error first. The next read returns the error.
            match self.write_next_text() {
                Ok(true) => {}
                Ok(false) => break,
                Err(_) if read > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
#[cfg(feature = "unpack")]
#[expect(clippy::cast_possible_truncation, reason = "codes have 16 bits at most")]
pub(super) mod tests {
    use super::{CLEAR, MIN_WIDTH, Uncompress};
    use proptest::prelude::*;
    use std::collections::HashMap;
    use std::io::{Read as _, Write as _};
    use std::process::Command;

    /// A writer for codes in groups of eight, as the program `compress` writes them.
    struct Groups {
        out: Vec<u8>,
        group: Vec<u16>,
        width: u32,
    }

    impl Groups {
        fn push(&mut self, code: u16) {
            self.group.push(code);
            if self.group.len() == 8 {
                self.flush(true);
            }
        }

        fn flush(&mut self, padded: bool) {
            if self.group.is_empty() {
                return;
            }
            let mut bits = 0_u128;
            for (index, &code) in self.group.iter().enumerate() {
                bits |= u128::from(code) << (index as u32 * self.width);
            }
            let used = if padded { 8 } else { self.group.len() as u32 };
            let bytes = (used * self.width).div_ceil(8) as usize;
            self.out.extend_from_slice(&bits.to_le_bytes()[..bytes]);
            self.group.clear();
        }
    }

    /// Returns a `.Z` file that contains `text`, with codes of at most `max_code_bits` bits. The
    /// table is cleared whenever it is full.
    pub(crate) fn compress(text: &[u8], max_code_bits: u32) -> Vec<u8> {
        let mut groups = Groups {
            out: vec![0x1F, 0x9D, 0x80 | max_code_bits as u8],
            group: Vec::new(),
            width: MIN_WIDTH,
        };
        let mut table: HashMap<(u16, u8), u16> = HashMap::new();
        let mut free = u32::from(CLEAR) + 1;
        let mut last: Option<u16> = None;
        for &byte in text {
            let Some(prefix) = last else {
                last = Some(byte.into());
                continue;
            };
            if let Some(&code) = table.get(&(prefix, byte)) {
                last = Some(code);
                continue;
            }
            groups.push(prefix);
            last = Some(byte.into());
            if free < 1 << max_code_bits {
                // The reader's table is one entry behind, so it increases the width before the code
                // after the next.
                if free > (1 << groups.width) - 1 && groups.width < max_code_bits {
                    groups.flush(true);
                    groups.width += 1;
                }
                table.insert((prefix, byte), free as u16);
                free += 1;
            } else {
                groups.push(CLEAR);
                groups.flush(true);
                groups.width = MIN_WIDTH;
                table.clear();
                free = u32::from(CLEAR) + 1;
            }
        }
        if let Some(last) = last {
            groups.push(last);
        }
        groups.flush(false);
        groups.out
    }

    fn read(packed: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Uncompress::new(packed)?.read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn codes_of_all_widths_and_cleared_tables_are_read() {
        let text: Vec<u8> = (0..200_000_u32)
            .flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 20).to_string().into_bytes())
            .collect();
        for widest in 9..=16 {
            assert!(read(&compress(&text, widest)).unwrap() == text, "{widest} bits");
        }
    }

    #[test]
    fn invalid_codes_are_errors() {
        assert!(read(b"\x1F\x9D").is_err());
        assert!(read(b"\x1F\x9D\x88ab").is_err());
        assert!(read(b"\x1F\x9D\x90\xFF\xFF").is_err());
    }

    /// Returns the output of `gzip -dc` for a `.Z` file, or `None` if it fails.
    fn gunzip_output(packed: &[u8]) -> Option<Vec<u8>> {
        let mut file = tempfile::NamedTempFile::with_suffix(".Z").unwrap();
        file.write_all(packed).unwrap();
        let output = Command::new("gzip").arg("-dc").arg(file.path()).output().unwrap();
        output.status.success().then_some(output.stdout)
    }

    #[test]
    fn gzip_gives_the_same_text() {
        let mut next = 1_u32;
        let mut random = |limit: u32| {
            next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (next >> 8) % limit
        };
        for round in 0..40 {
            let letters = 2 + random(200);
            let text: Vec<u8> = (0..random(60_000)).map(|_| random(letters) as u8).collect();
            // gzip doesn't support tables of nine bits, which compress hasn't written for decades.
            let mut packed = compress(&text, 10 + round % 7);
            assert_eq!(gunzip_output(&packed), Some(text), "round {round}");
            // Damage a code at random, but not the header, or truncate the file.
            let at = 3 + random(packed.len() as u32) as usize;
            match packed.get_mut(at) {
                Some(byte) => *byte ^= 1 << random(8),
                None => packed.truncate(3 + packed.len() / 2),
            }
            if let Some(text) = gunzip_output(&packed) {
                assert!(read(&packed).is_ok_and(|read| read == text), "round {round}, damaged");
            }
        }
    }

    proptest! {
        #[test]
        fn written_text_round_trips(text in prop::collection::vec(0..4_u8, 0..3000), widest in 9..=16_u32) {
            prop_assert_eq!(read(&compress(&text, widest)).unwrap(), text);
        }

        #[test]
        fn arbitrary_bytes_terminate(bytes: Vec<u8>, flags: u8) {
            let _ = read(&[&[0x1F, 0x9D, flags][..], &bytes].concat());
        }
    }
}
