//! Fonts: the characters of a text, and their widths.

use lopdf::{Dictionary, Document, Encoding, Object};
use std::collections::HashMap;
use std::rc::Rc;

/// The maximum length in bytes of the table of a font's characters.
const MAX_TABLE_LEN: usize = 4 << 20;

/// The maximum number of fonts that are read.
const MAX_FONTS: usize = 4096;

/// The widths of characters, in thousandths of the font's size.
#[derive(Debug)]
enum Widths {
    /// All characters have this width, which may be a guess.
    Same(f32),
    /// The widths of the characters from a number on.
    From(i64, Vec<f32>),
    /// The widths by number, and the width of all others.
    Map(HashMap<i64, f32>, f32),
}

/// A font.
#[derive(Debug)]
pub(super) struct Font<'d> {
    encoding: Option<Encoding<'d>>,
    widths: Widths,
    /// The number of bytes of a character.
    code_len: usize,
}

/// The fonts of a file that were read so far.
#[derive(Debug)]
pub(super) struct Fonts<'d> {
    document: &'d Document,
    /// The fonts by the addresses of their dictionaries.
    known: HashMap<usize, Rc<Font<'d>>>,
}

impl<'d> Fonts<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self { document, known: HashMap::new() }
    }

    /// Returns the font with this dictionary. Returns `None` if the file has too many fonts.
    pub(super) fn get(&mut self, dictionary: &'d Dictionary) -> Option<Rc<Font<'d>>> {
        let key = std::ptr::from_ref(dictionary).addr();
        if let Some(known) = self.known.get(&key) {
            return Some(Rc::clone(known));
        }
        if self.known.len() >= MAX_FONTS {
            return None;
        }
        let font = Rc::new(Font::read(self.document, dictionary));
        self.known.insert(key, Rc::clone(&font));
        Some(font)
    }
}

impl<'d> Font<'d> {
    fn read(document: &'d Document, font: &'d Dictionary) -> Self {
        let is_composite = name_of(font, b"Subtype") == b"Type0";
        let encoding = font.get_font_encoding_with_limit(document, MAX_TABLE_LEN).ok();
        let widths = if is_composite {
            composite_widths(document, font)
        } else {
            simple_widths(document, font)
        };
        let is_fixed = name_of(font, b"BaseFont").windows(7).any(|name| name == b"Courier");
        let guess = Widths::Same(if is_fixed { 600.0 } else { 500.0 });
        let code_len = if is_composite { 2 } else { 1 };
        Self { encoding, widths: widths.unwrap_or(guess), code_len }
    }

    /// Appends the characters of a text to `out`. Returns the width of the text in thousandths of
    /// the font's size, its number of characters, and the number of spaces (which the file can make
    /// wider).
    pub(super) fn push_text(&self, text: &[u8], out: &mut String) -> (f32, f32, f32) {
        let start = out.len();
        let decoded = self.encoding.as_ref().map(|encoding| encoding.write_to_string(text, out));
        if !matches!(decoded, Some(Ok(()))) {
            out.truncate(start);
            out.extend(text.iter().map(|&byte| char::from(byte)));
        }
        let (mut width, mut count, mut spaces) = (0.0, 0.0, 0.0);
        for code in text.chunks(self.code_len) {
            let number = code.iter().fold(0, |number, byte| number << 8 | i64::from(*byte));
            width += self.width(number);
            count += 1.0;
            if code == b" " {
                spaces += 1.0;
            }
        }
        (width, count, spaces)
    }

    fn width(&self, code: i64) -> f32 {
        match &self.widths {
            Widths::Same(width) => *width,
            Widths::From(first, widths) => {
                let at = usize::try_from(code - first).ok();
                at.and_then(|at| widths.get(at)).copied().unwrap_or(500.0)
            }
            Widths::Map(widths, default) => widths.get(&code).copied().unwrap_or(*default),
        }
    }
}

/// Returns the name in `key`, or an empty name.
fn name_of<'d>(dictionary: &'d Dictionary, key: &[u8]) -> &'d [u8] {
    dictionary.get(key).and_then(Object::as_name).unwrap_or_default()
}

/// Returns the list in `key`.
fn array_of<'d>(document: &'d Document, of: &'d Dictionary, key: &[u8]) -> Option<&'d [Object]> {
    let (_, array) = document.dereference(of.get(key).ok()?).ok()?;
    array.as_array().ok().map(Vec::as_slice)
}

/// Returns a number, or 0 for other objects.
fn number(document: &Document, object: &Object) -> f32 {
    document.dereference(object).ok().and_then(|(_, found)| found.as_float().ok()).unwrap_or(0.0)
}

/// Returns the widths of a font whose characters have one byte.
fn simple_widths(document: &Document, font: &Dictionary) -> Option<Widths> {
    let first = font.get(b"FirstChar").and_then(Object::as_i64).unwrap_or(0).clamp(0, 255);
    let widths = array_of(document, font, b"Widths")?;
    // In fonts that the file defines, the unit is another one.
    if name_of(font, b"Subtype") == b"Type3" {
        return None;
    }
    let widths = widths.iter().take(256).map(|width| number(document, width)).collect();
    Some(Widths::From(first, widths))
}

/// Returns the widths of a font whose characters have two bytes (ISO 32000-1 §9.7.4.3).
fn composite_widths(document: &Document, font: &Dictionary) -> Option<Widths> {
    /// The maximum number of characters with a width of their own.
    const MAX_WIDTHS: usize = 1 << 16;
    let descendant = array_of(document, font, b"DescendantFonts")?.first()?;
    let (_, descendant) = document.dereference(descendant).ok()?;
    let descendant = descendant.as_dict().ok()?;
    let default = descendant.get(b"DW").map_or(1000.0, |width| number(document, width));
    let mut widths = HashMap::new();
    let mut entries = array_of(document, descendant, b"W").unwrap_or_default().iter();
    while let (Some(first), Some(second)) = (entries.next(), entries.next()) {
        let Some(first) = first.as_i64().ok().filter(|first| (0..=0xFFFF).contains(first)) else {
            break;
        };
        let Ok((_, second)) = document.dereference(second) else { break };
        if let Ok(list) = second.as_array() {
            let left = MAX_WIDTHS.saturating_sub(widths.len());
            let list = list.iter().take(left).map(|width| number(document, width));
            widths.extend((first..).zip(list));
        } else if let (Ok(last), Some(width)) = (second.as_i64(), entries.next()) {
            let left = MAX_WIDTHS.saturating_sub(widths.len());
            let width = number(document, width);
            widths.extend((first..=last).take(left).map(|code| (code, width)));
        }
    }
    Some(Widths::Map(widths, default))
}
