//! Blocks within a text that are no text: uuencode, yEnc, `BinHex`, PGP armour.
//!
//! Their lines can hold `://` by chance. They are looked for only in texts where a candidate was
//! found. One search for each of three rare words is cheaper than an automaton for all the starts:
//! these share no rare byte, and aho-corasick's DFA took four times the scanner's own time on list
//! mail (20 instructions a byte against 1).

use memchr::{memchr, memmem};
use std::sync::LazyLock;
use urlsift_core::Span;

/// What starts a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Start {
    /// `begin 644 name`.
    Uuencode,
    /// `begin-base64 644 name`.
    Base64,
    /// `=ybegin line=128 …`.
    Yenc,
    /// `-----BEGIN PGP …`.
    Armour,
    /// `(This file must be converted with BinHex 4.0)`.
    Binhex,
}

static WORDS: LazyLock<[memmem::Finder<'static>; 3]> = LazyLock::new(|| {
    ["begin", "-----BEGIN PGP ", "converted with BinHex"].map(memmem::Finder::new)
});

/// The starts of blocks in `text`, in order, each at the start of its line.
fn starts(text: &[u8]) -> Vec<(usize, Start)> {
    let [begin, armour, binhex] = &*WORDS;
    let line = |at: usize| at == 0 || text.get(at - 1) == Some(&b'\n');
    let mut found = Vec::new();
    for at in begin.find_iter(text) {
        let word = text.get(at..).unwrap_or_default();
        if line(at) && word.starts_with(b"begin ") {
            found.push((at, Start::Uuencode));
        } else if line(at) && word.starts_with(b"begin-base64 ") {
            found.push((at, Start::Base64));
        } else if at >= 2 && text.get(at - 2..at) == Some(b"=y") && line(at - 2) {
            found.push((at - 2, Start::Yenc));
        }
    }
    found.extend(armour.find_iter(text).filter(|&at| line(at)).map(|at| (at, Start::Armour)));
    found.extend(binhex.find_iter(text).map(|at| (at, Start::Binhex)));
    found.sort_unstable();
    found
}

/// The opaque blocks of `text`, sorted and disjoint.
pub(crate) fn blocks(text: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for (at, start) in starts(text) {
        if found.last().is_some_and(|block| at < block.end) {
            continue;
        }
        let end = match start {
            Start::Uuencode => uuencoded(text, at),
            Start::Base64 => terminated(text, at, b"\n===="),
            Start::Yenc => terminated(text, at, b"\n=yend ").or(Some(text.len())),
            Start::Armour => armoured(text, at),
            Start::Binhex => terminated(text, next_line(text, at), b":\n")
                .or_else(|| terminated(text, next_line(text, at), b":\r\n")),
        };
        if let Some(end) = end {
            found.push(Span::new(at, end.max(at)));
        }
    }
    found
}

/// Whether the line that holds `at` can only be text.
pub(crate) fn is_plain(text: &[u8], at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
    let start = memchr::memrchr(b'\n', before).map_or(0, |lf| lf + 1);
    let end = at + memchr(b'\n', after).unwrap_or(after.len());
    let line = text.get(start..end).unwrap_or_default();
    // The first letter after the place most often is one; the rest is told of many bytes at once.
    let small = text.get(at..end).is_some_and(|rest| rest.iter().any(u8::is_ascii_lowercase))
        || line.iter().any(u8::is_ascii_lowercase);
    let is_printable = |b: u8| matches!(b, b' '..=b'~' | b'\t' | b'\r');
    small && line.iter().fold(true, |all, &b| all & is_printable(b))
}

/// The offset just after the line that holds `at`.
fn next_line(text: &[u8], at: usize) -> usize {
    text.get(at..).and_then(|rest| memchr(b'\n', rest)).map_or(text.len(), |end| at + end + 1)
}

/// The end of the line in which `mark` follows `from`.
fn terminated(text: &[u8], from: usize, mark: &[u8]) -> Option<usize> {
    let at = from + memmem::find(text.get(from..)?, mark)?;
    Some(next_line(text, at + 1))
}

/// The end of a uuencoded block: `begin mode name`, then lines whose first byte tells their
/// length. The last lines may be missing (a part of several) or `end`.
fn uuencoded(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at + 6..)?;
    let digits = rest.iter().take_while(|b| matches!(b, b'0'..=b'7')).count();
    if !(3..=4).contains(&digits) || rest.get(digits) != Some(&b' ') {
        return None;
    }
    let mut end = next_line(text, at);
    let mut lines = 0;
    while let Some(line) = text.get(end..).filter(|rest| !rest.is_empty()) {
        let line = line.get(..memchr(b'\n', line).unwrap_or(line.len())).unwrap_or_default();
        if line.trim_ascii_end() == b"end" {
            return Some(next_line(text, end));
        }
        if !is_uu_line(line) {
            break;
        }
        lines += 1;
        end = next_line(text, end);
    }
    (lines > 0).then_some(end)
}

/// Whether the first byte tells the line's length, give or take the trailing blanks and check
/// characters of the many encoders.
pub(crate) fn is_uu_line(line: &[u8]) -> bool {
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

/// The end of PGP armour. A clear-signed text is no armour, only the signature after it; `None`
/// where there is no end line.
fn armoured(text: &[u8], at: usize) -> Option<usize> {
    let kind = text.get(at + 15..)?;
    if kind.starts_with(b"SIGNED") {
        return None;
    }
    // The armour's own headers (`Version:`, `Comment: http://…`) are text.
    let mut from = next_line(text, at);
    while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
        let line = rest.get(..memchr(b'\n', rest).unwrap_or(rest.len()))?;
        from = next_line(text, from);
        if line.trim_ascii().is_empty() {
            break;
        }
    }
    terminated(text, at, b"\n-----END PGP ").filter(|&end| end > from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        blocks(text.as_bytes()).into_iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn uuencode() {
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
    fn others() {
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
