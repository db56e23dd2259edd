//! Finds the soft line breaks of `format=flowed` (RFC 3676).

use memchr::memchr;
use urlsift_core::{BreakKind, Breaks};

/// Appends every line break of a `format=flowed` text to `breaks`, with its kind (soft or hard).
/// `del_sp` is true for `delsp=yes`. The text itself stays the same, because the scanner skips
/// quote marks, space-stuffing and the spaces before soft breaks when it joins a URL.
pub(crate) fn push_line_breaks(text: &[u8], del_sp: bool, breaks: &mut Breaks) {
    let mut start = 0;
    let mut depth = quote_depth(text);
    while let Some(len) = text.get(start..).and_then(|rest| memchr(b'\n', rest)) {
        let lf = start + len;
        let line = text.get(start..lf).unwrap_or_default();
        let (line, at) = match line {
            [line @ .., b'\r'] => (line, lf - 1),
            line => (line, lf),
        };
        let next = quote_depth(text.get(lf + 1..).unwrap_or_default());
        let marks = usize::try_from(depth).unwrap_or(usize::MAX);
        let content = line.get(marks..).unwrap_or_default();
        let unstuffed = content.strip_prefix(b" ").unwrap_or(content);
        // §4.3: a signature separator is fixed although it ends with a space. §4.5: a change of
        // quote depth ends the paragraph even if the line ends with a space.
        let soft = line.ends_with(b" ") && unstuffed != b"-- " && next == depth;
        let kind = match (soft, del_sp) {
            (false, _) => BreakKind::Hard,
            (true, false) => BreakKind::Soft,
            (true, true) => BreakKind::SoftDelSp,
        };
        breaks.push(at, kind);
        start = lf + 1;
        depth = next;
    }
}

/// Returns the number of quote marks (`>`) at the start of a line. In `format=flowed`, there are no
/// spaces between them.
fn quote_depth(line: &[u8]) -> u32 {
    u32::try_from(line.iter().take_while(|&&b| b == b'>').count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use BreakKind::{Hard, Soft, SoftDelSp};

    fn kinds(text: &str, del_sp: bool) -> Vec<(usize, BreakKind)> {
        let mut found = Breaks::new();
        push_line_breaks(text.as_bytes(), del_sp, &mut found);
        found.iter().map(|b| (b.at, b.kind)).collect()
    }

    #[test]
    fn breaks_are_soft_or_hard() {
        assert_eq!(kinds("a \nb\nc", false), [(2, Soft), (4, Hard)]);
        assert_eq!(kinds("a \r\nb\r\n", true), [(2, SoftDelSp), (5, Hard)]);
        assert_eq!(kinds("> a \n> b\n", false), [(4, Soft), (8, Hard)]);
        assert_eq!(kinds(">> a \n> b \nc", false), [(5, Hard), (10, Hard)]);
        assert_eq!(kinds("-- \nJoe\n", false), [(3, Hard), (7, Hard)]);
        assert_eq!(kinds("> -- \n> Joe", false), [(5, Hard)]);
        assert_eq!(kinds("", false), []);
    }
}
