//! Jupyter notebooks: the texts of the cells, with the way back to the JSON that holds them.

use urlsift_archive::{Dialect, Language};
use urlsift_core::{MapBuilder, Span, SpanMap};

/// The text of one cell.
pub(crate) struct Cell {
    pub(crate) text: Vec<u8>,
    /// To the notebook.
    pub(crate) map: SpanMap,
    pub(crate) dialect: Dialect,
}

/// A string of the JSON, without its quotes.
type Piece = Span;

/// The cells of a notebook, in order. Linear; what is no notebook has none.
pub(crate) fn cells(json: &[u8]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut open = Vec::new();
    // Of the object at each depth the key that was read last.
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
                    cells.extend(cell(json, kind, &std::mem::take(&mut source)));
                    kind = b"";
                }
            }
            b'"' => {
                let start = at;
                while json.get(at).is_some_and(|&b| b != b'"') {
                    at += if json[at] == b'\\' { 2 } else { 1 };
                }
                let piece = Span::new(start, at.min(json.len()));
                at += 1;
                let text = &json[piece.range()];
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

fn cell(json: &[u8], kind: &[u8], source: &[Piece]) -> Option<Cell> {
    let dialect = match kind {
        b"markdown" => Dialect::Markdown,
        b"code" => Dialect::Source(Language::Python),
        _ => return None,
    };
    let mut text = Vec::new();
    let mut map = MapBuilder::new();
    for piece in source {
        let mut at = piece.start;
        while at < piece.end {
            let (decoded, len) = escape(&json[at..piece.end]);
            match decoded {
                None => map.copied(at, len),
                Some(c) => map.replaced(Span::new(at, at + len), c.len_utf8()),
            }
            match decoded {
                None => text.extend_from_slice(&json[at..at + len]),
                Some(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
            at += len;
        }
    }
    Some(Cell { text, map: map.finish(), dialect })
}

/// The character of the escape that `rest` starts with and the length of that, or how much stands for itself.
fn escape(rest: &[u8]) -> (Option<char>, usize) {
    let plain = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
    if plain > 0 {
        return (None, plain);
    }
    let c = match rest.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b' | b'f') => ' ',
        Some(b'u') => {
            let digits = rest.get(2..6).and_then(|digits| std::str::from_utf8(digits).ok());
            let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            return (code.and_then(char::from_u32).or(Some('\u{fffd}')), rest.len().min(6));
        }
        Some(&b) if b.is_ascii() => char::from(b),
        _ => return (None, 1),
    };
    (Some(c), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_the_way_back() {
        let json = br#"{"cells":[{"cell_type":"markdown","metadata":{"source":"x"},"source":["a \"q\"\n","b"]},
            {"source":"import x","outputs":[{"text":["no"]}],"cell_type":"code"}],"metadata":{"cells":"no"}}"#;
        let found = cells(json);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].text, b"a \"q\"\nb");
        let at = json.windows(3).position(|three| three == b"\"b\"").unwrap() + 1;
        assert_eq!(found[0].map.source(Span::new(6, 7)), Span::new(at, at + 1));
        assert_eq!(
            (found[1].text.as_slice(), found[1].dialect),
            (&b"import x"[..], Dialect::Source(Language::Python))
        );
        assert!(cells(b"[1, {\"a").is_empty());
    }
}
