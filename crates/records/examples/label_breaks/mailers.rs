//! Labels from messages that are wrapped as mail programs do.

use crate::line_kind::is_list_mark;
use crate::row::{Label, Limits, host_of, key};
use crate::text::Text;
use crate::twins::{self, Verdict};
use crate::urls::{WholeUrls, after_margin, line_urls, split_word};
use crate::wrap::{Cell, Line, LongWords, chop, encode, quote, wrap, wrap_each};
use serde_json::Value;

/// The maximum number of rows of one style in which a URL continues.
const MAX_BROKEN_PER_URL: usize = 3;
/// The maximum number of rows of one style in which URLs of one host continue.
const MAX_BROKEN_PER_HOST: usize = 80;
/// The maximum number of rows of one style in which URLs of one host end.
const MAX_ENDS_PER_HOST: usize = 40;
/// The maximum length of a message, in bytes.
const MAX_TEXT: usize = 100_000;
/// Each combination of program and width is applied to one in this many texts.
const TEXTS_PER_STYLE: usize = 4;
/// The minimum width of a line that is filled, so that the next one may continue its paragraph.
const MIN_FILLED: usize = 50;

/// A program that is simulated: its name, the widths at which it wraps lines, and how.
type Style = (&'static str, &'static [usize], fn(&[Block], usize) -> Vec<Line>);

const STYLES: [Style; 16] = [
    ("fmt", &[72, 75], |text, width| refill(text, 0, width, LongWords::Keep)),
    ("pine", &[72, 74, 76, 80], |text, width| refill(text, 0, width, LongWords::Keep)),
    ("flowed", &[72], |text, width| {
        let mut lines = refill(text, 0, width - 1, LongWords::Keep);
        let filled = lines.iter_mut().filter(|line| line.len() >= MIN_FILLED);
        filled.for_each(|line| line.push(Cell::plain(b' ')));
        lines
    }),
    ("par", &[72, 78], |text, width| refill(text, 0, width, LongWords::Chop)),
    ("outlook", &[72, 76], |text, width| refill(text, 0, width, LongWords::Chop)),
    ("outlook-quoted", &[72, 76], |text, width| quote(&refill(text, 0, width, LongWords::Chop), 1)),
    ("exchange", &[72, 76, 80], |text, width| refill(text, 0, width, LongWords::Fill)),
    ("html", &[65, 72, 78], |text, width| refill(text, 0, width, LongWords::AtDelimiter)),
    ("digest", &[70, 72], |text, width| {
        wrap_each(&refill(text, 0, width + 6, LongWords::Keep), 0, width)
    }),
    ("requoted-1", &[72, 76], |text, width| {
        wrap_each(&quote(&refill(text, 0, width, LongWords::Keep), 1), 1, width)
    }),
    ("requoted-2", &[72, 76], |text, width| quote(&refill(text, 0, width, LongWords::Chop), 2)),
    ("requoted-3", &[72, 76], |text, width| {
        let once = wrap_each(&quote(&refill(text, 0, width, LongWords::Chop), 1), 1, width);
        quote(&once, 2)
    }),
    ("quoted-printable", &[1000], |text, width| encode(&refill(text, 0, width, LongWords::Keep))),
    ("terminal", &[80], |text, width| chop(&verbatim(text), width)),
    ("git-log", &[80], |text, width| chop(&refill(text, 4, width - 4, LongWords::Keep), width)),
    ("jenkins", &[72, 80], |text, width| chop(&refill(text, 0, 1000, LongWords::Keep), width)),
];

/// Returns the labeled breaks of the list `name` in all styles.
pub(crate) fn rows(name: &str, texts: &[Text], whole: &WholeUrls) -> Vec<Value> {
    let mut limits = Limits::default();
    let mut rows = Vec::new();
    for (number, text) in texts.iter().filter(|text| text.bytes.len() < MAX_TEXT).enumerate() {
        let (blocks, urls) = blocks(&text.bytes, whole);
        if urls.is_empty() {
            continue;
        }
        let styles = STYLES.iter().flat_map(|(style, widths, wrapped)| {
            widths.iter().map(move |width| (format!("{style}-{width}"), *width, wrapped))
        });
        for (index, (style, width, wrapped)) in styles.enumerate() {
            if (index + number) % TEXTS_PER_STYLE == 0 {
                let lines = wrapped(&blocks, width);
                let source = format!("{name}/{style}");
                add_rows(&source, &text.thread, &lines, &urls, &mut limits, &mut rows);
            }
        }
    }
    rows
}

/// Adds the rows for the breaks in `lines` to `rows`. Skips those that exceed `limits`.
fn add_rows(
    source: &str,
    thread: &str,
    lines: &[Line],
    urls: &[Vec<u8>],
    limits: &mut Limits,
    rows: &mut Vec<Value>,
) {
    let text = bytes_of(lines);
    for Break { url, start, end, parts } in breaks(lines) {
        let true_url = &urls[url as usize - 1][..];
        let piece = &text[start..end];
        if !piece.windows(3).any(|three| three == b"://") {
            continue;
        }
        let key = |name: &[u8], value: &[u8]| key(&[source.as_bytes(), name, value]);
        let host = host_of(true_url);
        let keys = if parts > 1 {
            vec![
                (key(b"cut", piece), 1),
                (key(b"broken", true_url), MAX_BROKEN_PER_URL),
                (key(b"broken host", host), MAX_BROKEN_PER_HOST),
            ]
        } else {
            vec![(key(b"ends", true_url), 1), (key(b"ends host", host), MAX_ENDS_PER_HOST)]
        };
        if limits.admit(&keys) {
            let source = source.to_owned();
            let label = Label { source, thread, text: &text, start, true_url, parts };
            rows.push(label.row(rows.len()));
        }
    }
}

/// The lines of a paragraph, or one line that isn't prose.
#[derive(Debug)]
struct Block {
    lines: Vec<Line>,
    /// True if the lines may be filled again.
    is_prose: bool,
}

/// Splits `text` into blocks. Returns them, and the URLs whose end is known.
fn blocks(text: &[u8], whole: &WholeUrls) -> (Vec<Block>, Vec<Vec<u8>>) {
    let mut cells: Vec<Cell> = text.iter().map(|byte| Cell::plain(*byte)).collect();
    let mut urls = Vec::new();
    // The ends of lines whose URL may continue.
    let mut unclear = Vec::new();
    for url in line_urls(text).into_iter().filter(|url| url.is_bare) {
        let bytes = &text[url.span.range()];
        let is_known = url.is_complete(text)
            || url.is_before_blank(text)
            || matches!(twins::verdict(text, &url, whole), Some((Verdict::Ends("whole"), _)));
        if !is_known {
            unclear.push(url.line_end);
        } else if let Ok(number) = u32::try_from(urls.len() + 1) {
            cells[url.span.range()].iter_mut().for_each(|cell| cell.url = number);
            urls.push(bytes.to_vec());
        }
    }
    let mut blocks: Vec<Block> = Vec::new();
    let (mut at, mut continues) = (0, false);
    for line in text.split(|byte| *byte == b'\n') {
        let range = at..at + line.len();
        at = range.end + 1;
        let is_prose = is_prose(line);
        match blocks.last_mut() {
            Some(block) if continues && is_prose => block.lines.push(cells[range.clone()].to_vec()),
            _ => blocks.push(Block { lines: vec![cells[range.clone()].to_vec()], is_prose }),
        }
        continues = is_prose && line.len() >= MIN_FILLED && !unclear.contains(&range.end);
    }
    (blocks, urls)
}

/// True if `line` may be part of a paragraph.
fn is_prose(line: &[u8]) -> bool {
    let (word, rest) = split_word(line);
    let is_label = word.ends_with(b":");
    let is_text = word.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'(');
    let is_url = word.windows(3).any(|three| three == b"://");
    is_text
        && !is_label
        && !is_list_mark(word)
        && (!rest.is_empty() || is_url)
        && !rest.windows(3).any(|three| three == b"   ")
}

/// Returns the lines of `text` with its paragraphs filled again.
fn refill(text: &[Block], indent: usize, width: usize, long: LongWords) -> Vec<Line> {
    let mut lines = Vec::new();
    for block in text {
        if block.is_prose {
            let words: Vec<&[Cell]> = block
                .lines
                .iter()
                .flat_map(|line| line.split(|cell| cell.is_blank()))
                .filter(|word| !word.is_empty())
                .collect();
            lines.extend(wrap(&words, indent, width, long));
        } else {
            let margin = vec![Cell::plain(b' '); indent];
            lines.extend(block.lines.iter().map(|line| [&margin[..], line].concat()));
        }
    }
    lines
}

/// Returns the lines of `text` as they are.
fn verbatim(text: &[Block]) -> Vec<Line> {
    text.iter().flat_map(|block| block.lines.iter().cloned()).collect()
}

/// Returns the text of `lines`.
fn bytes_of(lines: &[Line]) -> Vec<u8> {
    let newline = [Cell::plain(b'\n')];
    lines.iter().flat_map(|line| line.iter().chain(&newline)).map(|cell| cell.byte).collect()
}

/// A URL whose first line it reaches the end of.
#[derive(Clone, Copy, Debug)]
struct Break {
    url: u32,
    /// The offsets of the URL's first part.
    start: usize,
    end: usize,
    /// The number of lines of the URL.
    parts: usize,
}

/// Returns the breaks after URLs, each only at its first line.
fn breaks(lines: &[Line]) -> Vec<Break> {
    let mut found = Vec::new();
    let mut offset = 0;
    let contains = |line: &Line, url: u32| line.iter().any(|cell| cell.url == url);
    for (number, line) in lines.iter().enumerate() {
        let start_of_line = offset;
        offset += line.len() + 1;
        let below = lines.get(number + 1).map(|next| next.iter().map(|cell| cell.byte).collect());
        let below: Vec<u8> = below.unwrap_or_default();
        let Some(last) = line.iter().rposition(|cell| cell.url > 0) else { continue };
        let url = line[last].url;
        let end = line.iter().rposition(|cell| !cell.is_blank()).unwrap_or(last);
        let rest = &line[last + 1..=end];
        let is_at_end = rest.len() <= 2 && rest.iter().all(|c| c.byte.is_ascii_punctuation());
        let is_first = number == 0 || !contains(&lines[number - 1], url);
        if !is_at_end || !is_first || after_margin(&below).is_empty() {
            continue;
        }
        let parts = lines[number..].iter().take_while(|line| contains(line, url)).count();
        let first = line.iter().position(|cell| cell.url == url).unwrap_or(last);
        let (start, end) = (start_of_line + first, start_of_line + last + 1);
        found.push(Break { url, start, end, parts });
    }
    found
}
