//! The text on a page.

use super::budget::Budget;
use super::font::{Font, Fonts};
use super::matrix::Matrix;
use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, ObjectId};
use std::rc::Rc;

/// The maximum length in bytes of a stream after decompression.
pub(super) const MAX_STREAM_LEN: usize = 16 << 20;

/// The maximum number of drawings inside each other that are read.
const MAX_FORMS: usize = 4;

/// The number of bytes of a text that are decoded at once. Characters have 1, 2 or 4 bytes.
const PIECE_LEN: usize = 4096;

/// The maximum number of saved states.
const MAX_STATES: usize = 64;

/// The smallest gap between two characters that is a space, relative to the font's size. Letters
/// are moved by less to look better, and spaces are at least this wide.
const SPACE: f32 = 0.15;

/// The smallest distance between two lines, relative to the font's size. Raised text is nearer.
const LINE: f32 = 0.6;

/// The distance between two lines that have an empty line between them, relative to the font's
/// size.
const PARAGRAPH: f32 = 1.8;

/// A reader of the text on a page.
pub(super) struct PageText<'d, 'f> {
    document: &'d Document,
    fonts: &'f mut Fonts<'d>,
    /// The number of bytes that are still decompressed.
    budget: &'f mut Budget,
    out: String,
    /// The end of the last piece of text.
    end: Option<End>,
}

/// The position and font size at the end of a piece of text. The distance to the next piece shows
/// if a space or a line break separates them.
#[derive(Clone, Copy)]
struct End {
    at: (f32, f32),
    /// The size of its font.
    size: f32,
}

/// The part of the graphics state that matters for text.
#[derive(Clone)]
struct State<'d> {
    page: Matrix,
    font: Option<Rc<Font<'d>>>,
    size: f32,
    character_space: f32,
    word_space: f32,
    /// The horizontal scale; 1 is normal.
    scale: f32,
    leading: f32,
}

impl<'d, 'f> PageText<'d, 'f> {
    /// Returns the text on a page. `budget` is the number of bytes that may be decompressed, and is
    /// reduced by the number that were.
    pub(super) fn read(
        document: &'d Document,
        page: ObjectId,
        fonts: &'f mut Fonts<'d>,
        budget: &'f mut Budget,
    ) -> String {
        let max_len = MAX_STREAM_LEN.min(budget.left());
        // A page without text also takes time.
        budget.take(1024);
        let content = budget.checked(document.get_page_content_with_limit(page, max_len));
        let Some(content) = content else { return String::new() };
        budget.take(content.len());
        let mut reader = Self { document, fonts, budget, out: String::new(), end: None };
        let (direct, by_id) = document.get_page_resources(page).unwrap_or_default();
        let by_id = by_id.into_iter().filter_map(|id| document.get_dictionary(id).ok());
        let resources: Vec<&Dictionary> = direct.into_iter().chain(by_id).collect();
        reader.read_content(&content, &resources, State::new(), MAX_FORMS);
        // A font can map one code to a long text. The part of the text that exceeds the length of
        // the content counts, too.
        reader.budget.take(reader.out.len().saturating_sub(content.len()));
        reader.out
    }

    /// Reads the text that `content` draws. `forms` is the number of drawings inside each other
    /// that are still read.
    fn read_content(
        &mut self,
        content: &[u8],
        resources: &[&'d Dictionary],
        mut state: State<'d>,
        forms: usize,
    ) {
        let mut saved = Vec::new();
        let (mut text, mut line) = (Matrix::IDENTITY, Matrix::IDENTITY);
        for operation in Content::decode_iter(content) {
            let Ok(Operation { operator, operands }) = operation else { break };
            let number = |at: usize| operand(&operands, at);
            match operator.as_str() {
                "q" if saved.len() < MAX_STATES => saved.push(state.clone()),
                "Q" => state = saved.pop().unwrap_or(state),
                "cm" => state.page = matrix_of(&operands).then(state.page),
                "BT" => (text, line) = (Matrix::IDENTITY, Matrix::IDENTITY),
                "Tf" => {
                    let name = operands.first().and_then(|name| name.as_name().ok());
                    state.font = name.and_then(|name| self.font(resources, name));
                    state.size = number(1);
                }
                "Tc" => state.character_space = number(0),
                "Tw" => state.word_space = number(0),
                "Tz" => state.scale = number(0) / 100.0,
                "TL" => state.leading = number(0),
                "Tm" => (text, line) = (matrix_of(&operands), matrix_of(&operands)),
                "Td" | "TD" => {
                    if operator == "TD" {
                        state.leading = -number(1);
                    }
                    line = Matrix::translation(number(0), number(1)).then(line);
                    text = line;
                }
                "T*" | "'" | "\"" => {
                    line = Matrix::translation(0.0, -state.leading).then(line);
                    text = line;
                    if operator == "\"" {
                        (state.word_space, state.character_space) = (number(0), number(1));
                    }
                    self.show(operands.last(), &state, &mut text);
                }
                "Tj" | "TJ" => self.show(operands.last(), &state, &mut text),
                "Do" => {
                    let name = operands.first().and_then(|name| name.as_name().ok());
                    if let (Some(name), Some(forms)) = (name, forms.checked_sub(1)) {
                        self.read_form(resources, name, state.clone(), forms);
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads the text of the drawing called `name`. `forms` is the number of drawings inside it
    /// that are still read.
    fn read_form(
        &mut self,
        resources: &[&'d Dictionary],
        name: &[u8],
        mut state: State<'d>,
        forms: usize,
    ) {
        let Some(object) = self.resource(resources, b"XObject", name) else { return };
        let Ok(stream) = object.as_stream() else { return };
        if stream.dict.get(b"Subtype").and_then(Object::as_name).ok() != Some(b"Form") {
            return;
        }
        let max_len = MAX_STREAM_LEN.min(self.budget.left());
        self.budget.take(1024);
        let content = self.budget.checked(stream.get_plain_content_with_limit(max_len));
        let Some(content) = content else { return };
        self.budget.take(content.len());
        if let Ok(matrix) = stream.dict.get(b"Matrix").and_then(Object::as_array) {
            state.page = matrix_of(matrix).then(state.page);
        }
        let own = self.dictionary(&stream.dict, b"Resources");
        let resources: Vec<&'d Dictionary> =
            own.into_iter().chain(resources.iter().copied()).take(MAX_FORMS + 2).collect();
        self.read_content(&content, &resources, state, forms);
    }

    /// Returns the dictionary in `key`.
    fn dictionary(&self, of: &'d Dictionary, key: &[u8]) -> Option<&'d Dictionary> {
        self.document.dereference(of.get(key).ok()?).ok()?.1.as_dict().ok()
    }

    /// Returns the resource of the kind `kind` that is called `name`.
    fn resource(
        &self,
        resources: &[&'d Dictionary],
        kind: &[u8],
        name: &[u8],
    ) -> Option<&'d Object> {
        resources.iter().find_map(|resources| {
            let object = self.dictionary(resources, kind)?.get(name).ok()?;
            Some(self.document.dereference(object).ok()?.1)
        })
    }

    fn font(&mut self, resources: &[&'d Dictionary], name: &[u8]) -> Option<Rc<Font<'d>>> {
        let font = self.resource(resources, b"Font", name)?.as_dict().ok()?;
        self.fonts.get(font)
    }

    /// Appends a text, or a list of texts and the distances between them. Moves the matrix `text`
    /// to its end.
    fn show(&mut self, shown: Option<&Object>, state: &State<'d>, text: &mut Matrix) {
        match shown {
            Some(Object::String(bytes, _)) => self.show_piece(bytes, state, text),
            Some(Object::Array(pieces)) => {
                for piece in pieces {
                    if let Object::String(bytes, _) = piece {
                        self.show_piece(bytes, state, text);
                    } else {
                        let distance = piece.as_float().unwrap_or(0.0) / -1000.0;
                        let distance = distance * state.size * state.scale;
                        *text = Matrix::translation(distance, 0.0).then(*text);
                    }
                }
            }
            _ => {}
        }
    }

    /// Appends a text. Moves the matrix `text` to its end.
    fn show_piece(&mut self, bytes: &[u8], state: &State<'d>, text: &mut Matrix) {
        let Some(font) = &state.font else { return };
        let start = text.then(state.page);
        let ((x, y), factor) = start.direction();
        let size = (state.size * factor).abs();
        if let Some(end) = self.end {
            let (dx, dy) = (start.origin().0 - end.at.0, start.origin().1 - end.at.1);
            let (along, across) = (dx * x + dy * y, dy * x - dx * y);
            let larger = size.max(end.size);
            if across.abs() > LINE * larger || along < -2.0 * larger {
                self.out.push('\n');
                if across.abs() > PARAGRAPH * larger {
                    self.out.push('\n');
                }
            } else if along > SPACE * larger && !self.out.ends_with([' ', '\n']) {
                self.out.push(' ');
            }
        }
        // A character may be a long text, so the length is checked often.
        for bytes in bytes.chunks(PIECE_LEN) {
            if self.out.len() > MAX_STREAM_LEN {
                self.budget.record_skipped();
                return;
            }
            let from = self.out.len();
            let (width, count, spaces) = font.push_text(bytes, &mut self.out);
            // Some programs write words in pieces, and undo the space between two pieces.
            let space = font.width_of_space() / 1000.0 * state.size
                + state.character_space
                + state.word_space;
            if spaces > 0.0 && space.abs() < SPACE * state.size.abs() {
                let piece = self.out.split_off(from);
                self.out.extend(piece.chars().filter(|c| *c != ' '));
            }
            replace_ligatures(&mut self.out, from);
            let width = width / 1000.0 * state.size
                + count * state.character_space
                + spaces * state.word_space;
            *text = Matrix::translation(width * state.scale, 0.0).then(*text);
        }
        self.end = Some(End { at: text.then(state.page).origin(), size });
    }
}

impl State<'_> {
    const fn new() -> Self {
        Self {
            page: Matrix::IDENTITY,
            font: None,
            size: 0.0,
            character_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
        }
    }
}

/// Returns the number at position `at` of a list, or 0 if there is none.
fn operand(operands: &[Object], at: usize) -> f32 {
    operands.get(at).and_then(|operand| operand.as_float().ok()).unwrap_or(0.0)
}

/// Returns the matrix in a list of six numbers.
fn matrix_of(numbers: &[Object]) -> Matrix {
    Matrix::new(std::array::from_fn(|at| operand(numbers, at)))
}

/// Replaces ligatures from byte `from` of the text on by their letters.
fn replace_ligatures(text: &mut String, from: usize) {
    const LIGATURES: [(char, &str); 5] = [
        ('\u{fb00}', "ff"),
        ('\u{fb01}', "fi"),
        ('\u{fb02}', "fl"),
        ('\u{fb03}', "ffi"),
        ('\u{fb04}', "ffl"),
    ];
    if !text.as_bytes().get(from..).unwrap_or_default().contains(&0xEF) {
        return;
    }
    let tail = text.split_off(from);
    for c in tail.chars() {
        match LIGATURES.iter().find(|(ligature, _)| *ligature == c) {
            Some((_, letters)) => text.push_str(letters),
            None => text.push(c),
        }
    }
}
