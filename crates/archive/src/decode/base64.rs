//! Base64 (RFC 2045 §6.8), line by line.
//!
//! A line with a byte outside the alphabet is not base64: list managers append plain-text footers
//! to encoded bodies. Such a line is copied, so that URLs in it are found.

use super::derived::{Decoded, Derived};
use memchr::memchr;
use urlsift_core::Span;

/// Marks bytes outside the alphabet in [`VALUES`].
const OTHER: u8 = 0xFF;
/// Marks padding and ignored white space in [`VALUES`].
const SKIP: u8 = 0xFE;

/// The value of every byte of the alphabet; [`OTHER`] or [`SKIP`] for other bytes.
const VALUES: [u8; 256] = {
    let mut table = [OTHER; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut value = 0;
    while value < 64 {
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        {
            table[alphabet[value] as usize] = value as u8;
        }
        value += 1;
    }
    let mut skipped = 0;
    while skipped < 4 {
        table[[b'=', b' ', b'\t', b'\r'][skipped] as usize] = SKIP;
        skipped += 1;
    }
    table
};

#[inline]
const fn value(byte: u8) -> u8 {
    VALUES[byte as usize]
}

/// The characters read so far of a group: four characters that encode three bytes. White space and
/// line breaks may split a group.
#[derive(Default)]
struct Group {
    bits: u32,
    len: u8,
    /// The span of the source from the first to the last character of the group.
    source: Span,
}

impl Group {
    /// Adds the character with this value, which is at offset `source_offset` of the source. If the
    /// group is now complete, appends its bytes to `out`.
    fn push_char(&mut self, sextet: u8, source_offset: usize, out: &mut Derived) {
        if self.len == 0 {
            self.source = Span::new(source_offset, source_offset);
        }
        self.bits = self.bits << 6 | u32::from(sextet);
        self.len += 1;
        self.source.end = source_offset + 1;
        if self.len == 4 {
            self.flush(out);
        }
    }

    /// Appends the bytes that the characters read so far encode to `out`, and starts a new group.
    fn flush(&mut self, out: &mut Derived) {
        let [_, a, b, c] = (self.bits << (6 * (4 - u32::from(self.len.min(4))))).to_be_bytes();
        let bytes = [a, b, c];
        let whole = bytes.get(..usize::from(self.len.saturating_sub(1))).unwrap_or_default();
        out.push_replacement(whole, self.source.start, self.source.end);
        *self = Self::default();
    }
}

/// Decodes base64. `text` starts at offset `source_offset` of the map's source. Reuses `buffer`
/// for the result. Never fails: lines that aren't base64 are copied.
pub(crate) fn decode_base64(text: &[u8], source_offset: usize, buffer: Vec<u8>) -> Decoded {
    let mut out = Derived::reusing_buffer(buffer, source_offset);
    out.text.reserve(text.len() / 4 * 3 + 3);
    let mut group = Group::default();
    let mut at = 0;
    while at < text.len() {
        if group.len == 0 {
            at = decode_whole_lines(text, at, &mut out);
        }
        let rest = text.get(at..).unwrap_or_default();
        let end = memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or_default();
        let mut done = 0;
        if group.len == 0 {
            done = decode_whole_groups(line, &mut out.text);
        }
        let tail = line.get(done..).unwrap_or_default();
        if tail.iter().any(|&b| value(b) == OTHER) {
            // This line is not base64. Discard the bytes that were decoded from its start.
            out.text.truncate(out.text.len().saturating_sub(done / 4 * 3));
            group.flush(&mut out);
            if !out.text.is_empty() && out.text.last() != Some(&b'\n') {
                out.push_replacement(b"\n", at, at);
            }
            out.push_copy(text, at, (at + end + 1).min(text.len()));
        } else {
            out.map_groups(at, at + done, 4, done / 4 * 3, 3);
            for (i, &byte) in tail.iter().enumerate() {
                match value(byte) {
                    SKIP if byte == b'=' => group.flush(&mut out),
                    SKIP => {}
                    value => group.push_char(value, at + done + i, &mut out),
                }
            }
        }
        at += end + 1;
    }
    group.flush(&mut out);
    out.finish()
}

/// A tracker of the groups of four characters that encode three bytes. It finds the offsets at
/// which decoding can resume in a base64 text that is read in chunks.
#[derive(Debug, Default)]
pub(crate) struct GroupTracker {
    /// The number of characters in the current group.
    group: u8,
    /// True if the current line is not base64.
    is_foreign: bool,
    /// True if the number of decoded bytes is odd.
    is_odd: bool,
}

impl GroupTracker {
    /// Reads the next chunk. Calls `report` for each offset in `bytes` at which decoding can
    /// resume, with the offset and two flags. The first flag is true if a line starts at the
    /// offset. The second one is true if an even number of bytes was decoded before it.
    pub(crate) fn find_resume_offsets(
        &mut self,
        bytes: &[u8],
        mut report: impl FnMut(usize, bool, bool),
    ) {
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' {
                self.is_foreign = false;
            }
            match value(byte) {
                _ if self.is_foreign => self.is_odd = !self.is_odd,
                OTHER if byte == b'\n' => {}
                OTHER => {
                    // This is approximate, since a decoder would treat the line as plain text from
                    // its start. It is good enough for cuts.
                    self.flush();
                    self.is_foreign = true;
                }
                SKIP if byte == b'=' => self.flush(),
                SKIP => {}
                _ => {
                    self.group += 1;
                    if self.group == 4 {
                        self.flush();
                    }
                }
            }
            if self.group == 0 && !self.is_foreign {
                report(at + 1, byte == b'\n', !self.is_odd);
            }
        }
    }

    fn flush(&mut self) {
        self.is_odd ^= matches!(self.group, 2 | 4);
        self.group = 0;
    }
}

/// The number of bytes decoded in one step. It is so small that the zeros written first are still
/// in the L1 cache.
const WINDOW_LEN: usize = 4096;

/// Decodes the lines of `text` from offset `at` on, as long as each line consists of complete
/// groups of four characters and a line break. Returns the offset of the first line that doesn't.
///
/// Most bodies contain only such lines. They are decoded without searching for line ends first.
fn decode_whole_lines(text: &[u8], mut at: usize, out: &mut Derived) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let window = rest.get(..WINDOW_LEN.min(rest.len())).unwrap_or_default();
        let start = out.text.len();
        out.text.resize(start + window.len() / 4 * 3, 0);
        let (mut read, mut written) = (0, 0);
        loop {
            let line = window.get(read..).unwrap_or_default();
            let buffer = out.text.get_mut(start + written..).unwrap_or_default();
            let groups = decode_groups(line, buffer);
            let end = match line.get(groups * 4..) {
                Some([b'\n', ..]) => 1,
                Some([b'\r', b'\n', ..]) => 2,
                _ => break,
            };
            let from = at + read;
            out.map_groups(from, from + groups * 4, 4, groups * 3, 3);
            read += groups * 4 + end;
            written += groups * 3;
        }
        out.text.truncate(start + written);
        at += read;
        if read == 0 {
            return at;
        }
    }
}

/// Decodes the complete groups of four characters at the start of `line`, and appends their bytes
/// to `out`. Returns the number of characters read.
fn decode_whole_groups(line: &[u8], out: &mut Vec<u8>) -> usize {
    let start = out.len();
    out.resize(start + line.len() / 4 * 3, 0);
    let done = decode_groups(line, out.get_mut(start..).unwrap_or_default());
    out.truncate(start + done * 3);
    done * 4
}

/// Decodes the complete groups of four characters at the start of `line`, as many as fit into
/// `buffer`, and writes their bytes to it. Returns the number of groups.
#[inline]
fn decode_groups(line: &[u8], buffer: &mut [u8]) -> usize {
    let decode = |[first, second, third, fourth]: [u8; 4]| {
        SHIFTED[0][usize::from(first)]
            | SHIFTED[1][usize::from(second)]
            | SHIFTED[2][usize::from(third)]
            | SHIFTED[3][usize::from(fourth)]
    };
    let mut done = 0;
    for (group, bytes) in line.as_chunks::<4>().0.iter().zip(buffer.as_chunks_mut::<3>().0) {
        let bits = decode(*group);
        if bits > 0x00FF_FFFF {
            break;
        }
        let [_, decoded @ ..] = bits.to_be_bytes();
        *bytes = decoded;
        done += 1;
    }
    done
}

/// The value of each character, shifted for its position in a group. For bytes outside the
/// alphabet, the entry has more than 24 bits.
static SHIFTED: [[u32; 256]; 4] = {
    let mut tables = [[u32::MAX; 256]; 4];
    let mut place = 0;
    while place < 4 {
        let mut byte = 0;
        while byte < 256 {
            if VALUES[byte] < 64 {
                tables[place][byte] = (VALUES[byte] as u32) << (18 - 6 * place);
            }
            byte += 1;
        }
        place += 1;
    }
    tables
};

/// True if `text` contains no colon, so that it contains no URL either. This holds for any text in
/// base64, whose alphabet has no colon.
pub(crate) fn has_no_colon(text: &[u8]) -> bool {
    memchr(b':', text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(raw: &str) -> String {
        String::from_utf8_lossy(&decode_base64(raw.as_bytes(), 0, Vec::new()).text).into_owned()
    }

    #[test]
    fn groups_are_decoded() {
        for (raw, expected) in [
            ("aHR0cDovL2gvCg==", "http://h/\n"),
            ("aHR0\r\ncDov\r\nL2gv\r\n", "http://h/"),
            ("aHR0cD\novL2gv", "http://h/"),
            ("aHR 0cD ovL2 gv", "http://h/"),
            ("aHR0cDovL2g", "http://h"),
            ("aHR0cDovL2gvC", "http://h/"),
            ("YQ==Yg==", "ab"),
            ("", ""),
        ] {
            assert_eq!(text(raw), expected, "{raw:?}");
        }
    }

    #[test]
    fn foreign_lines_are_copied() {
        assert_eq!(
            text("aHR0\n_____\nlist: http://l/\naHR0\n"),
            "htt\n_____\nlist: http://l/\nhtt"
        );
        // The line looks like base64 up to its colon.
        assert_eq!(text("aHR0\nhttp://l/\n"), "htt\nhttp://l/\n");
    }

    #[test]
    fn spans_map_to_the_source() {
        let raw = b"aHR0\ncDovL2gv\n";
        let map = decode_base64(raw, 0, Vec::new()).map;
        assert_eq!(map.to_source(Span::new(0, 9)), Span::new(0, 13));
        assert_eq!(map.to_source(Span::new(3, 4)), Span::new(5, 9));
        let map = decode_base64(b"aHR0cD\novL2gv", 0, Vec::new()).map;
        assert_eq!(map.to_source(Span::new(3, 4)), Span::new(4, 9));
    }
}
