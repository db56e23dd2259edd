//! Blocks in a text that are not text: uuencode, yEnc, `BinHex`, PGP armor.
//!
//! Their lines can contain `://` by chance. The search for blocks runs only on texts in which a URL
//! was found. Three searches for one rare word each are cheaper than an automaton for all block
//! starts: the starts share no rare byte, and aho-corasick's DFA took four times the scanner's own
//! time on list mail (20 instructions a byte against 1).

use core::cell::{Cell, OnceCell};
use memchr::{memchr, memmem};
use std::sync::LazyLock;
use urlsift_core::Span;

/// The kind of an opaque block (data that is not text), recognized by its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BlockStart {
    /// `begin 644 name`.
    Uuencode,
    /// `begin-base64 644 name`.
    Base64,
    /// `=ybegin line=128 …`.
    Yenc,
    /// `-----BEGIN PGP …`.
    Armor,
    /// `(This file must be converted with BinHex 4.0)`.
    Binhex,
}

/// The rare words that the first lines of blocks contain.
static WORDS: LazyLock<[memmem::Finder<'static>; 3]> = LazyLock::new(|| {
    ["begin", "-----BEGIN PGP ", "converted with BinHex"].map(memmem::Finder::new)
});

/// Returns the offset and kind of each possible start of an opaque block in `text`, in order.
fn find_block_starts(text: &[u8]) -> Vec<(usize, BlockStart)> {
    let [begin, armor, binhex] = &*WORDS;
    let line = |at: usize| at == 0 || text.get(at - 1) == Some(&b'\n');
    let mut found = Vec::new();
    for at in begin.find_iter(text) {
        let word = text.get(at..).unwrap_or_default();
        if line(at) && word.starts_with(b"begin ") {
            found.push((at, BlockStart::Uuencode));
        } else if line(at) && word.starts_with(b"begin-base64 ") {
            found.push((at, BlockStart::Base64));
        } else if at >= 2 && text.get(at - 2..at) == Some(b"=y") && line(at - 2) {
            found.push((at - 2, BlockStart::Yenc));
        }
    }
    found.extend(armor.find_iter(text).filter(|&at| line(at)).map(|at| (at, BlockStart::Armor)));
    found.extend(binhex.find_iter(text).map(|at| (at, BlockStart::Binhex)));
    found.sort_unstable();
    found
}

/// The opaque blocks of one text: data that is not text, such as uuencode. The text is searched for
/// blocks on the first request.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpaqueBlocks {
    blocks: OnceCell<Vec<Span>>,
    /// The last line that was checked. One long line may contain thousands of matches.
    line: Cell<Option<CheckedLine>>,
}

impl OpaqueBlocks {
    /// True if a block of `text` overlaps `found`. `text` must be the same at each call.
    pub(crate) fn overlaps_block(&self, text: &[u8], found: Span) -> bool {
        if self.checked_line(text, found.start).is_some_and(|line| line.shows_text) {
            return false;
        }
        let blocks = self.blocks.get_or_init(|| find_blocks(text));
        let at = blocks.partition_point(|block| block.end <= found.start);
        blocks.get(at).is_some_and(|block| block.start < found.end)
    }

    /// Returns the line that contains byte `at`, after checking whether it can be part of a block.
    /// Uses the cache if it is the last line checked. Returns `None` if `at` is after the end of
    /// `text`.
    fn checked_line(&self, text: &[u8], at: usize) -> Option<CheckedLine> {
        let known = self.line.get().filter(|line| (line.start..=line.end).contains(&at));
        known.or_else(|| {
            self.line.set(CheckedLine::check_line_around(text, at));
            self.line.get()
        })
    }
}

/// A line of a text, and whether it can be part of a block.
#[derive(Clone, Copy, Debug)]
struct CheckedLine {
    start: usize,
    /// The offset of the line feed, or the end of the text.
    end: usize,
    /// True if the line can't be part of a block that contains a URL, because it is printable ASCII
    /// with a lower-case letter. Blocks in uuencode contain no lower-case letters, blocks in yEnc
    /// contain all bytes, and the other alphabets lack the colon.
    shows_text: bool,
}

impl CheckedLine {
    /// Checks the line that contains byte `at`.
    fn check_line_around(text: &[u8], at: usize) -> Option<Self> {
        let (before, after) = text.split_at_checked(at)?;
        let start = memchr::memrchr(b'\n', before).map_or(0, |lf| lf + 1);
        let end = at + memchr(b'\n', after).unwrap_or(after.len());
        let line = text.get(start..end).unwrap_or_default();
        // The first letter after `at` is mostly lower case, so a scalar search is fast; the test of
        // the whole line is vectorized.
        let small = text.get(at..end).is_some_and(|rest| rest.iter().any(u8::is_ascii_lowercase))
            || line.iter().any(u8::is_ascii_lowercase);
        let is_printable = |b: u8| matches!(b, b' '..=b'~' | b'\t' | b'\r');
        let shows_text = small && line.iter().fold(true, |all, &b| all & is_printable(b));
        Some(Self { start, end, shows_text })
    }
}

/// A search for the ends of lines that contain a fixed string, the mark. Calls with ascending
/// offsets take linear time all together.
struct LineEnds<'t> {
    text: &'t [u8],
    mark: memmem::Finder<'static>,
    /// The start of the last search, the offset of the mark that it found, and the end of the
    /// mark's line.
    last: Option<(usize, Option<(usize, usize)>)>,
}

impl<'t> LineEnds<'t> {
    fn new(text: &'t [u8], mark: &'static [u8]) -> Self {
        Self { text, mark: memmem::Finder::new(mark), last: None }
    }

    /// Returns the end of the line that contains the second byte of the first mark at or after
    /// `from`, or `None` if there is none.
    fn next_marked_line_end(&mut self, from: usize) -> Option<usize> {
        let known = self
            .last
            .filter(|&(start, found)| start <= from && found.is_none_or(|(at, _)| from <= at));
        let (_, found) = if let Some(known) = known {
            known
        } else {
            let at = self.mark.find(self.text.get(from..)?).map(|at| from + at);
            *self.last.insert((from, at.map(|at| (at, next_line_start(self.text, at + 1)))))
        };
        found.map(|(_, end)| end)
    }
}

/// Returns the opaque blocks of `text`, sorted and disjoint. Takes linear time.
fn find_blocks(text: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let marks = |mark: &'static [u8]| LineEnds::new(text, mark);
    let (mut base64_end, mut yenc_end) = (marks(b"\n===="), marks(b"\n=yend "));
    let (mut binhex_end, mut binhex_dos_end) = (marks(b":\n"), marks(b":\r\n"));
    let mut armor_end = marks(b"\n-----END PGP ");
    // The starts of the encoded data in PGP armor and BinHex, shared by all block starts before
    // them.
    let (mut armored, mut binhex) = (0, 0);
    for (at, start) in find_block_starts(text) {
        if found.last().is_some_and(|block| at < block.end) {
            continue;
        }
        let end = match start {
            BlockStart::Uuencode => uuencoded_block_end(text, at),
            BlockStart::Base64 => base64_end.next_marked_line_end(at),
            BlockStart::Yenc => yenc_end.next_marked_line_end(at).or(Some(text.len())),
            BlockStart::Armor => {
                // Clear-signed text is readable; only the signature after it is armor.
                let signed = text.get(at + 15..).is_none_or(|kind| kind.starts_with(b"SIGNED"));
                if at >= armored {
                    armored = skip_to_after_empty_line(text, next_line_start(text, at));
                }
                armor_end.next_marked_line_end(at).filter(|&end| !signed && end > armored)
            }
            BlockStart::Binhex => {
                if at >= binhex {
                    binhex = next_line_start(text, at);
                }
                binhex_end
                    .next_marked_line_end(binhex)
                    .or_else(|| binhex_dos_end.next_marked_line_end(binhex))
            }
        };
        if let Some(end) = end {
            found.push(Span::new(at, end.max(at)));
        }
    }
    found
}

/// Returns the offset just after the line that contains `at`.
fn next_line_start(text: &[u8], at: usize) -> usize {
    text.get(at..).and_then(|rest| memchr(b'\n', rest)).map_or(text.len(), |end| at + end + 1)
}

/// Returns the offset just after the first empty line at or after `from`, which must be the start
/// of a line. In PGP armor, the lines before the empty line, such as `Version:` and
/// `Comment: http://…`, are text.
fn skip_to_after_empty_line(text: &[u8], mut from: usize) -> usize {
    while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
        let next = next_line_start(text, from);
        let line = rest.get(..next - from).unwrap_or_default();
        from = next;
        if line.trim_ascii().is_empty() {
            break;
        }
    }
    from
}

/// Returns the end of the uuencoded block that starts at byte `at`. The block consists of a line
/// `begin mode name`, and of lines whose first byte encodes the length of the line. The last lines
/// (in a multi-part post) or the line `end` may be missing. Returns `None` if no block starts
/// there.
fn uuencoded_block_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at + 6..)?;
    let digits = rest.iter().take_while(|b| matches!(b, b'0'..=b'7')).count();
    if !(3..=4).contains(&digits) || rest.get(digits) != Some(&b' ') {
        return None;
    }
    let mut end = next_line_start(text, at);
    let mut lines = 0;
    while let Some(line) = text.get(end..).filter(|rest| !rest.is_empty()) {
        let line = line.get(..memchr(b'\n', line).unwrap_or(line.len())).unwrap_or_default();
        if line.trim_ascii_end() == b"end" {
            return Some(next_line_start(text, end));
        }
        if !is_uuencoded_line(line) {
            break;
        }
        lines += 1;
        end = next_line_start(text, end);
    }
    (lines > 0).then_some(end)
}

/// True if `line` is a line of uuencoded data: its first byte matches its length. Accepts the
/// trailing blanks and check characters that some encoders add.
pub(crate) fn is_uuencoded_line(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Some((&first, data)) = line.split_first() else { return false };
    if !matches!(first, b' '..=b'`') || !data.iter().all(|b| matches!(b, b' '..=b'`')) {
        return false;
    }
    let bytes = usize::from((first - b' ') & 0x3F);
    let wanted = bytes.div_ceil(3) * 4;
    data.len() <= wanted + 2
        && (data.len() + 1 >= wanted || data.len() >= bytes * 4 / 3 || data.is_empty())
        && (bytes > 0 || data.trim_ascii().len() <= 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find_blocks(text.as_bytes()).into_iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn uuencoded_blocks_are_found() {
        let block = "begin 644 a.txt\n#86)C\n`\nend\n";
        assert_eq!(found(&format!("x\n{block}y")), [block]);
        assert_eq!(
            found("begin 644 a.txt\n#86)C\nThen prose follows.\n"),
            ["begin 644 a.txt\n#86)C\n"]
        );
        assert_eq!(found("begin with this:\n#86)C\n"), [""; 0]);
        assert_eq!(found("We begin 644 a.txt\n#86)C\nend\n"), [""; 0]);
    }

    #[test]
    fn other_blocks_are_found() {
        let yenc = "=ybegin line=128 size=3 name=a\nabc\n=yend size=3\n";
        assert_eq!(found(&format!("x\n{yenc}y")), [yenc]);
        let binhex = "(This file must be converted with BinHex 4.0)\n:$f*:\n";
        assert_eq!(found(&format!("{binhex}y")), [&binhex[19..]]);
        let sig = "-----BEGIN PGP SIGNATURE-----\nVersion: x\n\nabc\n-----END PGP SIGNATURE-----\n";
        let signed = format!("-----BEGIN PGP SIGNED MESSAGE-----\n\nhttp://h/\n{sig}");
        assert_eq!(found(&signed), [sig]);
        assert_eq!(found("-----BEGIN PGP MESSAGE-----\n\nabc\n"), [""; 0]);
    }
}
