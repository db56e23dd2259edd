//! The table that maps the codes of a font's characters to text (ISO 32000-1 §9.10.3).
//!
//! `lopdf` also reads these tables, but it expands each range of codes. In a file of a few hundred
//! bytes, a range can have 2³² codes.

use core::ops::Range;
use memchr::memchr;

/// The maximum number of UTF-16 units for one character (ISO 32000-1 §9.10.3: 512 bytes).
const MAX_UNITS: usize = 256;

/// The maximum number of codespace ranges, which define the valid codes and their lengths. Known
/// tables have up to 4.
const MAX_SPACES: usize = 16;

/// A code, and its length in bytes.
type Code = (u8, u32);

/// The codes from `first` to `last` that are `len` bytes long.
#[derive(Clone, Debug)]
struct Codes {
    len: u8,
    first: u32,
    last: u32,
}

/// A table that maps codes to text.
#[derive(Debug, Default)]
pub(super) struct CMap {
    /// The codespace ranges: the codes that texts may contain. Empty in some tables.
    spaces: Vec<Codes>,
    /// Ranges of codes, sorted by the length of their codes and by the first code. Each has the
    /// text of its first code, as a range of `units`. The text of a later code is the same, but its
    /// last unit is increased by the code's distance from the first code.
    ranges: Vec<(Codes, Range<usize>)>,
    units: Vec<u16>,
}

/// The kind of list that is read.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Spaces,
    Characters,
    Ranges,
    Other,
}

impl CMap {
    /// Parses a table. Returns `None` if it maps no codes. Malformed parts are ignored. Takes time
    /// and memory linear in the length of `table`, apart from sorting.
    pub(super) fn parse(table: &[u8]) -> Option<Self> {
        let mut map = Self::default();
        let mut section = Section::Other;
        // The codes since the last complete entry, and the number of texts that were read from a
        // list in brackets.
        let (mut codes, mut listed): (Vec<Code>, Option<u32>) = (Vec::new(), None);
        let mut rest = table;
        while let Some((token, after)) = next_token(rest) {
            rest = after;
            match token {
                [b'<', digits @ ..] => {
                    let bytes = decode_hex(digits);
                    match (section, &codes[..]) {
                        (Section::Other, _) => {}
                        (Section::Characters, [code]) => {
                            map.push(*code, code.1, &bytes);
                            codes.clear();
                        }
                        (Section::Ranges, [first, last]) => {
                            let (len, code) = *first;
                            if let Some(number) = &mut listed {
                                let code = code.saturating_add(*number);
                                if code <= last.1 {
                                    map.push((len, code), code, &bytes);
                                }
                                *number = number.saturating_add(1);
                            } else {
                                map.push(*first, last.1, &bytes);
                                codes.clear();
                            }
                        }
                        (Section::Spaces, [(len, first)]) => {
                            let codes_of_space =
                                Codes { len: *len, first: *first, last: code_of(&bytes).1 };
                            if map.spaces.len() < MAX_SPACES {
                                map.spaces.push(codes_of_space);
                            }
                            codes.clear();
                        }
                        _ => codes.push(code_of(&bytes)),
                    }
                }
                b"[" => listed = Some(0),
                word => {
                    codes.clear();
                    listed = None;
                    section = match word {
                        b"begincodespacerange" => Section::Spaces,
                        b"beginbfchar" => Section::Characters,
                        b"beginbfrange" => Section::Ranges,
                        _ if word.starts_with(b"end") => Section::Other,
                        _ => section,
                    };
                }
            }
        }
        map.ranges.sort_by_key(|(codes, _)| (codes.len, codes.first));
        (!map.ranges.is_empty()).then_some(map)
    }

    /// Adds the text in `bytes`, in UTF-16, for the codes from `first` to `last`.
    fn push(&mut self, (len, first): Code, last: u32, bytes: &[u8]) {
        let start = self.units.len();
        let units = bytes.as_chunks().0.iter().map(|unit| u16::from_be_bytes(*unit));
        match bytes {
            // Some programs write one byte for a character below U+0100.
            [unit] => self.units.push((*unit).into()),
            _ => self.units.extend(units.take(MAX_UNITS)),
        }
        self.ranges.push((Codes { len, first, last }, start..self.units.len()));
    }

    /// Decodes the codes in `text`, and appends their characters to `out`. For codes that the table
    /// doesn't map, `decode` returns the characters; if it returns `None`, U+FFFD is appended.
    pub(super) fn push_text(
        &self,
        text: &[u8],
        decode: impl Fn(&[u8]) -> Option<String>,
        out: &mut String,
    ) {
        let mut units = Vec::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let len = self.code_len(rest);
            let (bytes, after) = rest.split_at_checked(len).unwrap_or((rest, &[]));
            rest = after;
            if self.push_units(code_of(bytes), &mut units) {
                continue;
            }
            match decode(bytes) {
                Some(characters) => units.extend(characters.encode_utf16()),
                None => units.push(0xFFFD),
            }
        }
        let chars = char::decode_utf16(units);
        out.extend(chars.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    }

    /// Returns the length in bytes of the code at the start of `text`. If no code of the table
    /// starts there, returns the length of the shortest code, so that this many bytes are skipped.
    fn code_len(&self, text: &[u8]) -> usize {
        let is_code =
            |len: &usize| text.get(..*len).is_some_and(|code| self.is_code(code_of(code)));
        // Ranges are sorted by length.
        let codes = self.spaces.iter().chain(self.ranges.first().map(|(codes, _)| codes));
        let shortest = || codes.map(|codes| codes.len).min().unwrap_or(1);
        (1..=4).find(is_code).unwrap_or_else(|| shortest().max(1).into())
    }

    /// True if `code` is complete, and not the start of a longer code.
    fn is_code(&self, code: Code) -> bool {
        if self.spaces.is_empty() { self.find(code).is_some() } else { self.is_in_space(code) }
    }

    /// True if each byte of `code` is in a range of the list of codes (ISO 32000-1 §9.7.5.1).
    fn is_in_space(&self, (len, code): Code) -> bool {
        self.spaces.iter().any(|space| {
            let [first, last, code] = [space.first, space.last, code].map(u32::to_be_bytes);
            let mut bounds = first.iter().zip(&last).zip(&code);
            space.len == len && bounds.all(|((first, last), byte)| (first..=last).contains(&byte))
        })
    }

    /// Returns the range with `code`.
    fn find(&self, (len, code): Code) -> Option<&(Codes, Range<usize>)> {
        let before = |(codes, _): &(Codes, _)| (codes.len, codes.first) <= (len, code);
        let at = self.ranges.partition_point(before).checked_sub(1)?;
        self.ranges.get(at).filter(|(codes, _)| codes.len == len && code <= codes.last)
    }

    /// Appends the UTF-16 units of `code` to `out`. Returns false if the table doesn't map `code`.
    fn push_units(&self, code: Code, out: &mut Vec<u16>) -> bool {
        let Some((codes, units)) = self.find(code) else { return false };
        out.extend_from_slice(self.units.get(units.clone()).unwrap_or_default());
        let distance = u16::try_from(code.1 - codes.first).unwrap_or(0);
        if let Some(last) = out.last_mut().filter(|_| !units.is_empty()) {
            *last = last.wrapping_add(distance);
        }
        true
    }
}

/// Returns the next token of a table, and the text after it. The token of a hexadecimal string is
/// `<` and its digits. A token of any other delimiter is one byte. Comments are skipped.
fn next_token(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut text = skip_white_space(text);
    while text.first() == Some(&b'%') {
        let end = text.iter().position(|byte| matches!(byte, b'\r' | b'\n'))?;
        text = skip_white_space(text.get(end..)?);
    }
    let is_delimiter = |byte: &u8| b"<>[](){}/%".contains(byte);
    let first = text.first()?;
    if *first == b'<' && text.get(1) != Some(&b'<') {
        let end = memchr(b'>', text)?;
        return Some((text.get(..end)?, text.get(end + 1..)?));
    }
    let is_end = |byte: &u8| is_white_space(*byte) || is_delimiter(byte);
    let len = match is_delimiter(first) {
        true if text.starts_with(b"<<") => 2,
        true => 1,
        false => text.iter().position(is_end).unwrap_or(text.len()).max(1),
    };
    text.split_at_checked(len)
}

/// True if `byte` separates tokens (ISO 32000-1 §7.2.2).
const fn is_white_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0
}

/// Returns `text` without the white space at its start.
fn skip_white_space(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| is_white_space(**byte)).count()..]
}

/// Decodes hexadecimal digits. Other bytes are ignored, and a missing last digit is 0.
fn decode_hex(digits: &[u8]) -> Vec<u8> {
    let values = digits.iter().filter_map(|&digit| char::from(digit).to_digit(16));
    let mut bytes = Vec::with_capacity(digits.len() / 2 + 1);
    let mut high = None;
    for value in values.filter_map(|value| u8::try_from(value).ok()) {
        match high.take() {
            None => high = Some(value << 4),
            Some(high) => bytes.push(high | value),
        }
    }
    bytes.extend(high);
    bytes
}

/// Returns the code in `bytes`, which has at most 4 bytes.
fn code_of(bytes: &[u8]) -> Code {
    let code = bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte));
    (u8::try_from(bytes.len().min(4)).unwrap_or(4), code)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of `codes` in the font with this table.
    fn text(table: &str, codes: &[u8]) -> String {
        let mut out = String::new();
        let map = CMap::parse(table.as_bytes()).unwrap();
        map.push_text(codes, |code| (code == b"?").then(|| "ask".to_owned()), &mut out);
        out
    }

    #[test]
    fn codes_are_mapped() {
        let table = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
             /CIDSystemInfo << /Registry (Adobe) /Supplement 0 >> def % <00>\n\
             1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
             2 beginbfchar <0001> <0068> <0002> <00660069> endbfchar\n\
             2 beginbfrange <0010> <0012> <0061> <0020><0021>[<D83D DE00><0078>]endbfrange\n\
             endcmap";
        let codes = b"\0\x01\0\x02\0\x10\0\x12\0\x20\0\x21\0\x22\0";
        assert_eq!(text(table, codes), "hfiac\u{1F600}x\u{FFFD}\u{FFFD}");
    }

    #[test]
    fn length_of_codes_may_be_missing_or_mixed() {
        let table = "beginbfchar <41> <0061> <8140> <0062> endbfchar";
        assert_eq!(text(table, b"A\x81@A"), "aba");
        let spaces = "begincodespacerange <00> <7F> <8100> <9FFF> endcodespacerange ";
        assert_eq!(text(&[spaces, table].concat(), b"AB\x81@\x81AA"), "a\u{FFFD}b\u{FFFD}a");
    }

    #[test]
    fn code_outside_the_table_is_decoded() {
        assert_eq!(text("beginbfchar <41> <0061> endbfchar", b"A?B"), "aask\u{FFFD}");
        let spaces = "begincodespacerange <00> <FF> endcodespacerange ";
        assert_eq!(
            text(&[spaces, "beginbfchar <41> <0061> endbfchar"].concat(), b"?A?"),
            "askaask"
        );
    }

    #[test]
    fn large_range_takes_no_memory() {
        let map = CMap::parse(b"beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange").unwrap();
        assert_eq!(map.ranges.len(), 1);
        assert!(CMap::parse(b"beginbfrange <00> <FF> endbfrange <41").is_none());
    }
}
