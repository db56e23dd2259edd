//! Rich text: its compression (MS-OXRTFCP), and the text or HTML in it (MS-OXRTFEX).

use super::code_page::decode_code_page;
use std::collections::HashMap;

/// The text that the window of the decompressor contains at the start.
const START: &[u8; 207] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \
\\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\
\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// The length of the window in bytes.
const WINDOW: usize = 4096;

/// The last [`WINDOW`] bytes of the output.
struct Window {
    bytes: [u8; WINDOW],
    /// The position of the next byte.
    at: usize,
}

impl Window {
    /// Adds a byte, and returns it.
    fn push(&mut self, byte: u8) -> u8 {
        if let Some(slot) = self.bytes.get_mut(self.at) {
            *slot = byte;
        }
        self.at = (self.at + 1) % WINDOW;
        byte
    }
}

/// Decompresses rich text. Returns `None` if it is not in the compressed format. Damaged text is
/// decompressed up to the damage. The result is at most 9 times as long as `packed`.
pub(super) fn decompress(packed: &[u8]) -> Option<Vec<u8>> {
    let (header, contents) = packed.split_first_chunk::<16>()?;
    let word = |at| header.get(at..at + 4);
    let raw_len = u32::from_le_bytes(*word(4)?.first_chunk()?);
    let raw_len = usize::try_from(raw_len).ok()?;
    match word(8)? {
        b"MELA" => return Some(contents.get(..raw_len).unwrap_or(contents).to_vec()),
        b"LZFu" => {}
        _ => return None,
    }
    let mut window = Window { bytes: [0; WINDOW], at: START.len() };
    window.bytes.get_mut(..START.len())?.copy_from_slice(START);
    let mut out = Vec::with_capacity(raw_len.min(packed.len() * 8));
    let mut rest = contents.iter().copied();
    'runs: while out.len() < raw_len {
        let Some(flags) = rest.next() else { break };
        for bit in 0..8 {
            let Some(first) = rest.next() else { break 'runs };
            if flags >> bit & 1 == 0 {
                out.push(window.push(first));
                continue;
            }
            let Some(second) = rest.next() else { break 'runs };
            let reference = u16::from_be_bytes([first, second]);
            let from = usize::from(reference >> 4);
            // A reference to the current position marks the end.
            if from == window.at {
                break 'runs;
            }
            for step in 0..usize::from(reference & 0xF) + 2 {
                let byte = window.bytes.get((from + step) % WINDOW).copied().unwrap_or(0);
                out.push(window.push(byte));
            }
        }
    }
    out.truncate(raw_len);
    Some(out)
}

/// The state of a group, between `{` and `}`.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// True if the text of the group is not part of the document, such as a list of fonts.
    is_skipped: bool,
    /// True if the group contains HTML.
    is_html_tag: bool,
    /// True if the text is only for readers of rich text, and the HTML has something else.
    is_only_rtf: bool,
    /// The code page of the font.
    code_page: u32,
    /// The number of bytes after `\u` that are for readers without Unicode.
    fallback_len: usize,
}

/// Reads rich text. Returns the HTML that was converted to this rich text and true, or the text and
/// false. The result is in UTF-8.
///
/// Takes linear time. The depth of groups is only limited by the length of `rtf`.
pub(super) fn read(rtf: &[u8]) -> (Vec<u8>, bool) {
    let is_html = memchr::memmem::find(rtf.get(..1024).unwrap_or(rtf), b"\\fromhtml1").is_some();
    let mut reader = Reader {
        is_html,
        out: Vec::with_capacity(rtf.len()),
        pending: Vec::new(),
        fonts: HashMap::new(),
        font: None,
        fallback: 0,
        group: Group {
            is_skipped: false,
            is_html_tag: false,
            is_only_rtf: false,
            code_page: 1252,
            fallback_len: 1,
        },
        outer: Vec::new(),
    };
    reader.read_all(rtf);
    reader.end_pending();
    (reader.out, is_html)
}

struct Reader {
    /// True if the HTML is read, and not the text.
    is_html: bool,
    out: Vec<u8>,
    /// Bytes of an escaped text that are not yet decoded.
    pending: Vec<u8>,
    /// The code pages of the fonts.
    fonts: HashMap<i32, u32>,
    /// The font that the list of fonts defines.
    font: Option<i32>,
    /// The number of characters to skip, because they are for readers without Unicode.
    fallback: usize,
    group: Group,
    outer: Vec<Group>,
}

impl Reader {
    fn read_all(&mut self, rtf: &[u8]) {
        let mut rest = rtf;
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            match byte {
                b'{' => {
                    self.end_pending();
                    self.fallback = 0;
                    self.outer.push(self.group);
                }
                b'}' => {
                    self.end_pending();
                    self.fallback = 0;
                    self.group = self.outer.pop().unwrap_or(self.group);
                }
                b'\\' => rest = self.read_control(after),
                b'\r' | b'\n' => {}
                _ => self.push_byte(byte),
            }
        }
    }

    /// Reads a control word or escape after its backslash. Returns the rest of the text.
    fn read_control<'r>(&mut self, text: &'r [u8]) -> &'r [u8] {
        let letters = text.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let (word, rest) = text.split_at(letters.min(32));
        if word.is_empty() {
            let Some((&sign, rest)) = text.split_first() else { return text };
            match sign {
                b'\'' => {
                    let digits = rest.get(..2).and_then(|digits| str::from_utf8(digits).ok());
                    let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    let Some(byte) = byte else { return rest };
                    self.push_byte(byte);
                    return rest.get(2..).unwrap_or_default();
                }
                b'*' => self.group.is_skipped |= !self.is_shown_destination(rest),
                b'~' => self.push_text("\u{a0}"),
                b'_' => self.push_text("-"),
                b'\r' | b'\n' => self.push_text("\n"),
                b'\\' | b'{' | b'}' => self.push_byte(sign),
                _ => {}
            }
            return rest;
        }
        let is_negative = rest.first() == Some(&b'-');
        let digits = rest.get(usize::from(is_negative)..).unwrap_or_default();
        let len = digits.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let (number, mut rest) = if len > 0 {
            let (number, rest) = digits.split_at(len);
            let number = number.iter().fold(0_i64, |sum, d| sum * 10 + i64::from(d - b'0'));
            let number = if is_negative { -number } else { number };
            (Some(i32::try_from(number).unwrap_or(0)), rest)
        } else {
            (None, rest)
        };
        if let Some((b' ', after)) = rest.split_first() {
            rest = after;
        }
        self.apply_word(word, number, rest)
    }

    /// True if the group that starts with `text`, after `\*`, contains a part of the result: HTML,
    /// or the target of a link.
    fn is_shown_destination(&self, text: &[u8]) -> bool {
        text.starts_with(if self.is_html { b"\\htmltag" } else { b"\\fldinst" })
    }

    /// Does what a control word says. Returns the text after it.
    fn apply_word<'r>(&mut self, word: &[u8], number: Option<i32>, rest: &'r [u8]) -> &'r [u8] {
        match (word, number) {
            (b"u", Some(code)) => {
                self.push_unicode(code);
                self.fallback = self.group.fallback_len;
            }
            (b"uc", Some(len)) => {
                self.group.fallback_len = usize::try_from(len).unwrap_or(1).min(8);
            }
            (b"bin", Some(len)) => {
                let len = usize::try_from(len).unwrap_or(0);
                return rest.get(len.min(rest.len())..).unwrap_or_default();
            }
            (b"fonttbl" | b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"object", _) => {
                self.group.is_skipped = true;
            }
            (b"htmltag", _) => self.group.is_html_tag = true,
            (b"htmlrtf", _) => {
                self.end_pending();
                self.group.is_only_rtf = number != Some(0);
            }
            (b"f", Some(font)) => {
                self.end_pending();
                if self.group.is_skipped {
                    self.font = Some(font);
                } else if let Some(page) = self.fonts.get(&font) {
                    self.group.code_page = *page;
                }
            }
            (b"ansicpg", Some(page)) => {
                self.group.code_page = u32::try_from(page).unwrap_or(1252);
            }
            (b"fcharset", Some(charset)) => {
                if let (Some(font), Some(page)) = (self.font, code_page_of_font(charset)) {
                    self.fonts.insert(font, page);
                }
            }
            (b"par" | b"line" | b"row" | b"page" | b"sect", _) => self.push_text("\n"),
            (b"tab" | b"cell", _) => self.push_text("\t"),
            (b"lquote", _) => self.push_text("\u{2018}"),
            (b"rquote", _) => self.push_text("\u{2019}"),
            (b"ldblquote", _) => self.push_text("\u{201c}"),
            (b"rdblquote", _) => self.push_text("\u{201d}"),
            (b"endash", _) => self.push_text("\u{2013}"),
            (b"emdash", _) => self.push_text("\u{2014}"),
            (b"bullet", _) => self.push_text("\u{2022}"),
            _ => {}
        }
        rest
    }

    /// True if text at the current position is part of the result.
    fn is_shown(&self) -> bool {
        let Group { is_skipped, is_html_tag, is_only_rtf, .. } = self.group;
        !is_skipped && (is_html_tag || !is_only_rtf)
    }

    /// Adds a byte in the code page of the font.
    fn push_byte(&mut self, byte: u8) {
        if self.fallback > 0 {
            self.fallback -= 1;
        } else if self.is_shown() {
            self.pending.push(byte);
        }
    }

    fn push_text(&mut self, text: &str) {
        self.end_pending();
        if self.fallback > 0 {
            self.fallback -= 1;
        } else if self.is_shown() {
            self.out.extend_from_slice(text.as_bytes());
        }
    }

    /// Adds a UTF-16 unit, which rich text writes as a signed number of 16 bits. Surrogates are
    /// replaced.
    fn push_unicode(&mut self, code: i32) {
        let code = u32::try_from(code & 0xFFFF).unwrap_or(0);
        let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.fallback = 0;
        self.push_text(c.encode_utf8(&mut [0; 4]));
    }

    /// Decodes the pending bytes.
    fn end_pending(&mut self) {
        if self.pending.is_ascii() {
            self.out.append(&mut self.pending);
        } else {
            let text = decode_code_page(&self.pending, self.group.code_page);
            self.out.extend_from_slice(&text);
            self.pending.clear();
        }
    }
}

/// Returns the code page of a font's charset, or `None` for the default.
const fn code_page_of_font(charset: i32) -> Option<u32> {
    Some(match charset {
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of MS-OXRTFCP §4.1.1.
    #[test]
    fn compressed_text_is_decompressed() {
        let packed = b"\x2d\0\0\0\x2b\0\0\0LZFu\xf1\xc5\xc7\xa7\x03\0\x0a\0rcpg125\x42\x32\x0a\xf3 hel\x09\0 bw\
            \x05\xb0ld}\x0a\x80\x0f\xa0";
        let rtf = b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n";
        assert_eq!(decompress(packed).unwrap(), rtf);
        assert_eq!(read(rtf), (b"hello world".to_vec(), false));
        for cut in 0..packed.len() {
            assert!(decompress(&packed[..cut]).is_none_or(|text| rtf.starts_with(&text)));
        }
    }

    #[test]
    fn html_and_link_targets_are_read() {
        for (rtf, expected, is_html) in [
            (
                r"{\rtf1\fromhtml1{\*\htmltag <a href=\'22u\'22>}\htmlrtf {\b \htmlrtf0 a\htmlrtf }\htmlrtf0{\*\htmltag </a>}}",
                "<a href=\"u\">a</a>",
                true,
            ),
            (
                r#"{\rtf1{\fonttbl{\f0 Arial;}}{\field{\*\fldinst HYPERLINK "u"}{\fldrslt b}}\par c}"#,
                "HYPERLINK \"u\"b\nc",
                false,
            ),
            (
                r"{\rtf1{\fonttbl{\f1\fcharset204 A;}}{\*\x y}\u233?\u-10179 ?{\f1\'e4}\{\}}",
                "\u{e9}\u{fffd}\u{434}{}",
                false,
            ),
        ] {
            assert_eq!(read(rtf.as_bytes()), (expected.into(), is_html), "{rtf}");
        }
    }
}
