//! Fonts: the characters of a text, and their widths.

use super::budget::Budget;
use super::cmap::CMap;
use lopdf::{Dictionary, Document, Encoding, Object};
use std::collections::HashMap;
use std::rc::Rc;

/// The maximum length in bytes of the table of a font's characters.
const MAX_TABLE_LEN: usize = 4 << 20;

/// The maximum number of fonts that are read.
const MAX_FONTS: usize = 4096;

/// The maximum length in bytes of the tables of all fonts together. A width counts as
/// [`WIDTH_LEN`] bytes. Fonts may share a table, so the length of the file doesn't
/// limit this.
const MAX_TABLES_LEN: usize = 64 << 20;

/// The length of a width in bytes, as counted for [`MAX_TABLES_LEN`].
const WIDTH_LEN: usize = 16;

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

/// The characters of a font.
#[derive(Debug)]
struct Characters<'d> {
    /// The table that maps codes to text.
    table: Option<CMap>,
    /// The encoding of codes that are not in the table: one byte per character, or the encoding of
    /// a CJK language.
    encoding: Option<Encoding<'d>>,
}

/// A font.
#[derive(Debug)]
pub(super) struct Font<'d> {
    characters: Characters<'d>,
    widths: Widths,
    /// The length of a character code in bytes.
    code_len: usize,
}

/// The fonts of a file that were read so far.
#[derive(Debug)]
pub(super) struct Fonts<'d> {
    document: &'d Document,
    /// The fonts by the addresses of their dictionaries.
    known: HashMap<usize, Rc<Font<'d>>>,
    /// The number of bytes of tables that may still be read.
    budget: Budget,
}

impl<'d> Fonts<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self { document, known: HashMap::new(), budget: Budget::new(MAX_TABLES_LEN) }
    }

    /// Returns the font with this dictionary. Returns `None` if the file has too many fonts.
    pub(super) fn get(&mut self, dictionary: &'d Dictionary) -> Option<Rc<Font<'d>>> {
        let key = std::ptr::from_ref(dictionary).addr();
        if let Some(known) = self.known.get(&key) {
            return Some(Rc::clone(known));
        }
        if self.known.len() >= MAX_FONTS {
            self.budget.record_skipped();
            return None;
        }
        let font = Rc::new(Font::read(self.document, dictionary, &mut self.budget));
        self.known.insert(key, Rc::clone(&font));
        Some(font)
    }

    /// True if fonts or tables of the file were skipped because of a limit.
    pub(super) const fn are_cut(&self) -> bool {
        self.budget.is_exceeded()
    }
}

impl<'d> Font<'d> {
    /// Reads a font. `budget` is the number of bytes of tables that may be read, and is reduced by
    /// the number that were.
    fn read(document: &'d Document, font: &'d Dictionary, budget: &mut Budget) -> Self {
        let is_composite = name_of(font, b"Subtype") == b"Type0";
        let characters = Characters::read(document, font, budget);
        let widths = if is_composite {
            composite_widths(document, font, budget)
        } else {
            simple_widths(document, font)
        };
        let is_fixed = name_of(font, b"BaseFont").windows(7).any(|name| name == b"Courier");
        let guess = Widths::Same(if is_fixed { 600.0 } else { 500.0 });
        let code_len = if is_composite { 2 } else { 1 };
        Self { characters, widths: widths.unwrap_or(guess), code_len }
    }

    /// Appends the characters of a text to `out`. Returns the width of the text in thousandths of
    /// the font's size, its number of characters, and the number of spaces (which the file can make
    /// wider).
    pub(super) fn push_text(&self, text: &[u8], out: &mut String) -> (f32, f32, f32) {
        self.characters.push_text(text, out);
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

    /// Returns the width of a space in thousandths of the font's size.
    pub(super) fn width_of_space(&self) -> f32 {
        self.width(b' '.into())
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

impl<'d> Characters<'d> {
    /// Reads the characters of a font. `budget` is the number of bytes of tables that may be read,
    /// and is reduced by the number that were.
    fn read(document: &'d Document, font: &'d Dictionary, budget: &mut Budget) -> Self {
        let mut table = None;
        if let Ok(Object::Stream(stream)) = font.get_deref(b"ToUnicode", document) {
            let max_len = MAX_TABLE_LEN.min(budget.left());
            let stream = budget.checked(stream.get_plain_content_with_limit(max_len));
            let stream = stream.unwrap_or_default();
            budget.take(stream.len());
            table = CMap::parse(&stream);
        }
        let differences = font
            .get_deref(b"Encoding", document)
            .and_then(|encoding| encoding.as_dict()?.get(b"Differences")?.as_array());
        let len = differences.map_or(0, Vec::len) * WIDTH_LEN;
        let mut encoding = None;
        if len <= budget.left() {
            budget.take(len);
            // With a limit of 0, lopdf doesn't read the table itself. `CMap` does, see above.
            encoding = font.get_font_encoding_with_limit(document, 0).ok();
        } else {
            budget.record_skipped();
        }
        Self { table, encoding }
    }

    /// Appends the characters with the codes in `text` to `out`.
    fn push_text(&self, text: &[u8], out: &mut String) {
        match &self.table {
            Some(table) => table.push_text(text, |code| self.decode(code), out),
            None => match self.decode(text) {
                Some(decoded) => out.push_str(&decoded),
                // The bytes are read as ISO-8859-1.
                None => out.extend(text.iter().map(|&byte| char::from(byte))),
            },
        }
    }

    /// Decodes `text` with the encoding. Returns `None` if there is no encoding, or if it doesn't
    /// define all codes in `text`.
    fn decode(&self, text: &[u8]) -> Option<String> {
        let mut decoded = String::new();
        self.encoding.as_ref()?.write_to_string(text, &mut decoded).ok()?;
        Some(decoded)
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

/// Returns the widths of a font whose characters have two bytes (ISO 32000-1 §9.7.4.3). `budget` is
/// the number of bytes of tables that may be read, and is reduced by the number that were.
fn composite_widths(document: &Document, font: &Dictionary, budget: &mut Budget) -> Option<Widths> {
    let max_widths = (1 << 16).min(budget.left() / WIDTH_LEN);
    let descendant = array_of(document, font, b"DescendantFonts")?.first()?;
    let (_, descendant) = document.dereference(descendant).ok()?;
    let descendant = descendant.as_dict().ok()?;
    let default = descendant.get(b"DW").map_or(1000.0, |width| number(document, width));
    let (mut widths, mut is_cut) = (HashMap::new(), false);
    let mut entries = array_of(document, descendant, b"W").unwrap_or_default().iter();
    while let (Some(first), Some(second)) = (entries.next(), entries.next()) {
        let Some(first) = first.as_i64().ok().filter(|first| (0..=0xFFFF).contains(first)) else {
            break;
        };
        let Ok((_, second)) = document.dereference(second) else { break };
        if let Ok(list) = second.as_array() {
            let left = max_widths.saturating_sub(widths.len());
            is_cut |= list.len() > left;
            let list = list.iter().take(left).map(|width| number(document, width));
            widths.extend((first..).zip(list));
        } else if let (Ok(last), Some(width)) = (second.as_i64(), entries.next()) {
            let left = max_widths.saturating_sub(widths.len());
            is_cut |= (first..=last).nth(left).is_some();
            let width = number(document, width);
            widths.extend((first..=last).take(left).map(|code| (code, width)));
        }
    }
    if is_cut {
        budget.record_skipped();
    }
    budget.take(widths.len() * WIDTH_LEN);
    Some(Widths::Map(widths, default))
}
