//! Reads the texts of the cells of Jupyter notebooks, with maps to the JSON that contains them.

use super::json;
use super::unescape::{find_backslash, push_unescaped};
use crate::decode::derived::{Decoded, Derived};
use urlsift_core::{Span, SpanMap};

/// A Markdown or code cell of a Jupyter notebook.
///
/// ```
/// use urlsift_core::Span;
/// let json = br#"{"cells":[{"cell_type":"markdown","source":"http:\/\/h.dom\/"}]}"#;
/// let cell = &urlsift_archive::notebook_cells(json)[0];
/// assert_eq!(cell.text, b"http://h.dom/");
/// assert_eq!(&json[cell.map.to_source(Span::new(5, 7)).range()], br"\/\/");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Cell {
    /// The text: the cell's strings joined, with their escapes decoded.
    pub text: Vec<u8>,
    /// The map from the text to the notebook.
    pub map: SpanMap,
    /// True for a code cell; false for Markdown.
    pub is_program: bool,
}

/// The span of a string in the JSON, without its quotes.
type Piece = Span;

/// Returns the Markdown and code cells of a notebook, in order. The result is empty if `json` isn't
/// a notebook. Takes linear time.
///
/// ```
/// let json = br#"{"cells":[{"cell_type":"markdown","source":["See\n","http://h.dom/"]}]}"#;
/// let cells = urlsift_archive::notebook_cells(json);
/// assert_eq!(cells[0].text, b"See\nhttp://h.dom/");
/// assert!(!cells[0].is_program);
/// ```
pub fn notebook_cells(json: &[u8]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut open = Vec::new();
    // The last key of the object at each depth.
    let mut keys: Vec<&[u8]> = Vec::new();
    let mut kind: &[u8] = b"";
    let mut source: Vec<Piece> = Vec::new();
    let mut at = 0;
    while let Some(&b) = json.get(at) {
        at += 1;
        match b {
            b'{' | b'[' => {
                open.push(b);
                keys.push(b"");
            }
            b'}' | b']' => {
                open.pop();
                keys.pop();
                // A cell is an object in the list `cells`.
                if b == b'}' && open.len() == 2 && keys.first() == Some(&&b"cells"[..]) {
                    cells.extend(build_cell(json, kind, &core::mem::take(&mut source)));
                    kind = b"";
                }
            }
            b'"' => {
                let start = at;
                while json.get(at).is_some_and(|&b| b != b'"') {
                    at += if json.get(at) == Some(&b'\\') { 2 } else { 1 };
                }
                let piece = Span::new(start, at.min(json.len()));
                at += 1;
                let text = json.get(piece.range()).unwrap_or_default();
                let rest = json.get(at..).unwrap_or_default();
                let is_key = open.last() == Some(&b'{')
                    && rest.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':');
                let in_cell = keys.first() == Some(&&b"cells"[..]);
                if is_key && keys.last() != Some(&text) {
                    if let Some(key) = keys.last_mut() {
                        *key = text;
                    }
                } else if in_cell && open.len() == 3 && keys.last() == Some(&&b"cell_type"[..]) {
                    kind = text;
                } else if in_cell && keys.get(2) == Some(&&b"source"[..]) && open.len() <= 4 {
                    source.push(piece);
                }
            }
            _ => {}
        }
    }
    cells
}

/// Creates a cell of the type `kind` from the strings of its source, which are at the spans
/// `source` of the notebook. Returns `None` if the cell is neither Markdown nor code.
fn build_cell(json: &[u8], kind: &[u8], source: &[Piece]) -> Option<Cell> {
    let is_program = match kind {
        b"markdown" => false,
        b"code" => true,
        _ => return None,
    };
    let mut out = Derived::new(source.iter().map(|piece| piece.len()).sum(), 0);
    for piece in source {
        push_unescaped(json, piece.range(), &mut out, find_backslash, json::parse_json_escape);
    }
    let Decoded { text, map } = out.finish();
    Some(Cell { text, map, is_program })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_map_to_the_notebook() {
        let json = br#"{"cells":[{"cell_type":"markdown","metadata":{"source":"x"},"source":["a \"q\"\n","b"]},
            {"source":"import x","outputs":[{"text":["no"]}],"cell_type":"code"}],"metadata":{"cells":"no"}}"#;
        let found = notebook_cells(json);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].text, b"a \"q\"\nb");
        let at = json.windows(3).position(|three| three == b"\"b\"").unwrap() + 1;
        assert_eq!(found[0].map.to_source(Span::new(6, 7)), Span::new(at, at + 1));
        assert_eq!((found[1].text.as_slice(), found[1].is_program), (&b"import x"[..], true));
        assert!(notebook_cells(b"[1, {\"a").is_empty());
    }
}
