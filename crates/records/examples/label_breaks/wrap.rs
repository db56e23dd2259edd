//! Wraps text as mail programs do.

/// A byte of a text, and the number of the URL that it belongs to; 0 if it belongs to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) byte: u8,
    pub(crate) url: u32,
}

impl Cell {
    /// A byte that belongs to no URL.
    pub(crate) const fn plain(byte: u8) -> Self {
        Self { byte, url: 0 }
    }

    /// True if the byte is a space or a tab.
    pub(crate) const fn is_blank(self) -> bool {
        matches!(self.byte, b' ' | b'\t')
    }
}

pub(crate) type Line = Vec<Cell>;

/// The treatment of words that don't fit on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LongWords {
    /// Never breaks a word, so the line is too long (`fmt`, Gmail, Pine).
    Keep,
    /// Starts a new line, and breaks the word where the new line is full (`par`, Outlook).
    Chop,
    /// Fills the current line, and breaks the word where the line is full (`textwrap`, Exchange).
    Fill,
    /// Breaks the word after a delimiter (HTML converters).
    AtDelimiter,
}

/// Wraps `words` at `width` columns, with `indent` spaces before each line.
pub(crate) fn wrap(words: &[&[Cell]], indent: usize, width: usize, long: LongWords) -> Vec<Line> {
    let margin = vec![Cell::plain(b' '); indent];
    let mut lines = Vec::new();
    let mut line = margin.clone();
    for word in words {
        for (number, piece) in pieces(word, long).into_iter().enumerate() {
            // A space precedes the first piece, unless it starts a line.
            let space = usize::from(number == 0 && line.len() > indent);
            let fits = line.len() + space + piece.len() <= width;
            let is_too_long = indent + piece.len() > width;
            let fills = is_too_long && long == LongWords::Fill && line.len() + space < width;
            if !fits && !fills && line.len() > indent {
                lines.push(std::mem::replace(&mut line, margin.clone()));
            } else if space > 0 {
                line.push(Cell::plain(b' '));
            }
            if long == LongWords::Keep {
                line.extend_from_slice(piece);
                continue;
            }
            for cell in piece {
                if line.len() >= width {
                    lines.push(std::mem::replace(&mut line, margin.clone()));
                }
                line.push(*cell);
            }
        }
    }
    if line.len() > indent {
        lines.push(line);
    }
    lines
}

/// Returns the pieces of `word` between which a program may break lines.
fn pieces(word: &[Cell], long: LongWords) -> Vec<&[Cell]> {
    if long != LongWords::AtDelimiter {
        return vec![word];
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, pair) in word.windows(2).enumerate() {
        let is_delimiter = |byte: u8| matches!(byte, b'/' | b'-' | b'?' | b'&');
        if is_delimiter(pair[0].byte) && !is_delimiter(pair[1].byte) && pair[0].byte != b':' {
            pieces.push(&word[start..=at]);
            start = at + 1;
        }
    }
    pieces.push(&word[start..]);
    pieces
}

/// Cuts each line at `width` columns, as a terminal does.
pub(crate) fn chop(lines: &[Line], width: usize) -> Vec<Line> {
    lines.iter().flat_map(|line| line_or_chunks(line, width)).collect()
}

/// Returns the pieces of `line` of at most `width` columns, or the line itself if it is empty.
fn line_or_chunks(line: &Line, width: usize) -> Vec<Line> {
    if line.is_empty() {
        return vec![Line::new()];
    }
    line.chunks(width).map(<[Cell]>::to_vec).collect()
}

/// Puts `depth` quote marks before each line.
pub(crate) fn quote(lines: &[Line], depth: usize) -> Vec<Line> {
    let mark = [Cell::plain(b'>'), Cell::plain(b' ')];
    lines.iter().map(|line| [&mark.repeat(depth)[..], line].concat()).collect()
}

/// Wraps each line that is longer than `width` columns by itself. `depth` quote marks start each
/// line, and are repeated.
pub(crate) fn wrap_each(lines: &[Line], depth: usize, width: usize) -> Vec<Line> {
    let mut wrapped = Vec::new();
    for line in lines {
        if line.len() <= width {
            wrapped.push(line.clone());
            continue;
        }
        let text = &line[2 * depth..];
        let words: Vec<&[Cell]> =
            text.split(|cell| cell.is_blank()).filter(|word| !word.is_empty()).collect();
        let inner = wrap(&words, 0, width - 2 * depth, LongWords::Chop);
        wrapped.extend(quote(&inner, depth));
    }
    wrapped
}

/// The maximum length of a line in quoted-printable (RFC 2045, section 6.7).
const MAX_ENCODED: usize = 76;

/// Encodes each line as quoted-printable, with soft breaks.
pub(crate) fn encode(lines: &[Line]) -> Vec<Line> {
    let mut encoded = Vec::new();
    for line in lines {
        let mut out = Line::new();
        for cell in line {
            let is_literal = matches!(cell.byte, b' '..=b'~') && cell.byte != b'=';
            let text = if is_literal {
                vec![cell.byte]
            } else {
                format!("={:02X}", cell.byte).into_bytes()
            };
            if out.len() + text.len() >= MAX_ENCODED {
                out.push(Cell::plain(b'='));
                encoded.push(std::mem::take(&mut out));
            }
            out.extend(text.iter().map(|byte| Cell { byte: *byte, url: cell.url }));
        }
        encoded.push(out);
    }
    encoded
}
