//! Restores defanged URLs, which are written so that programs don't link them:
//! `hxxp://host[.]dom/`. This is done only if [`Options::refang`](crate::Options::refang) is set.

use super::unescape::{self, Replacement};
use crate::decode::derived::Decoded;
use Replacement::Char;

/// The texts in brackets that replace a character.
const BRACKETED: [(&[u8], char); 6] =
    [(b".", '.'), (b"dot", '.'), (b":", ':'), (b"/", '/'), (b"@", '@'), (b"at", '@')];

/// The names of schemes with changed letters, and the original names.
const SCHEMES: [(&[u8], &[u8]); 5] = [
    (b"hxxp", b"http"),
    (b"h**p", b"http"),
    (b"h00p", b"http"),
    (b"hxtp", b"http"),
    (b"fxp", b"ftp"),
];

/// The texts in brackets that are kept without the brackets, with the text before and after them.
const UNBRACKETED: [(&[u8], &[u8], &[u8]); 2] = [(b"", b"://", b""), (b"h", b"tt", b"p")];

/// Restores the defanged URLs in `text`, which starts at offset `source_offset` of the map's
/// source. Reuses `memory` for the result. Returns `None` if there are none. Takes linear time.
pub(crate) fn refang_text(
    text: &[u8],
    source_offset: usize,
    memory: &mut Vec<u8>,
) -> Option<Decoded> {
    unescape::decode_escapes_with(text, source_offset, memory, next_defanged_start, parse_defanged)
}

/// Returns the offset of the first byte in `text` that may have to be replaced to restore a URL, or
/// `None` if there is none.
fn next_defanged_start(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| b"[]({xX*0 ".contains(byte))
}

/// Returns the replacement for the defanged characters at offset `at`, such as `.` for `[.]`, and
/// their length in bytes. Returns `None` if nothing is replaced there.
fn parse_defanged(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    let rest = text.get(at..)?;
    let close = match rest.first()? {
        b'[' | b']' if is_dropped_bracket(text, at) => return Some((Replacement::Nothing, 1)),
        b' ' => return spelled_dot_len(text, at).map(|len| (Char('.'), len)),
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        _ => return original_letter(text, at).map(|c| (Char(c), 1)),
    };
    let end = rest.iter().take(6).position(|&byte| byte == close)?;
    let inside = rest.get(1..end)?;
    let is = |word: &[u8]| inside.eq_ignore_ascii_case(word);
    let (_, c) = BRACKETED.iter().find(|(word, _)| is(word))?;
    Some((Char(*c), end + 1))
}

/// True if the bracket at offset `at` is dropped and the text between the brackets is kept:
/// `hxxp[://]h`, `h[tt]p`.
fn is_dropped_bracket(text: &[u8], at: usize) -> bool {
    UNBRACKETED.iter().any(|&(before, inside, after)| {
        let len = inside.len() + 1;
        let Some(open) = (if text.get(at) == Some(&b'[') { Some(at) } else { at.checked_sub(len) })
        else {
            return false;
        };
        let (head, tail) = text.split_at(open);
        let is = |text: Option<&[u8]>, word: &[u8]| {
            text.is_some_and(|text| text.eq_ignore_ascii_case(word))
        };
        tail.first() == Some(&b'[')
            && tail.get(len) == Some(&b']')
            && is(tail.get(1..len), inside)
            && is(head.get(head.len().saturating_sub(before.len())..), before)
            && is(tail.get(len + 1..len + 1 + after.len()), after)
    })
}

/// Returns the length in bytes of the ` dot ` at offset `at`, if it is in the host of a URL, as in
/// `http://host dot dom`. Otherwise returns `None`.
fn spelled_dot_len(text: &[u8], at: usize) -> Option<usize> {
    const DOT: &[u8] = b" dot ";
    /// The maximum number of labels before it that are read.
    const MAX_LABELS: usize = 8;
    /// The maximum length of these labels together, in bytes.
    const REACH: usize = 255;
    let is_dot = |word: Option<&[u8]>| word.is_some_and(|word| word.eq_ignore_ascii_case(DOT));
    if !is_dot(text.get(at..at + DOT.len()))
        || !text.get(at + DOT.len()).is_some_and(u8::is_ascii_alphanumeric)
    {
        return None;
    }
    let floor = at.saturating_sub(REACH);
    let mut end = at;
    for _ in 0..MAX_LABELS {
        let head = text.get(floor..end)?;
        let start = head.iter().rposition(|byte| *byte <= b' ').map_or(floor, |at| floor + at + 1);
        let label = text.get(start..end)?;
        if let Some(host) = ["://", "[://]", "[:]//"].iter().find_map(|mark| {
            let mark = mark.as_bytes();
            label.windows(mark.len()).position(|part| part == mark).map(|at| at + mark.len())
        }) {
            let host = label.get(host..)?;
            return (!host.is_empty() && !host.contains(&b'/')).then_some(DOT.len());
        }
        if label.contains(&b'/') {
            return None;
        }
        end = start.checked_sub(DOT.len())?;
        if !is_dot(text.get(end..end + DOT.len())) {
            return None;
        }
    }
    None
}

/// Returns the original letter for the changed one at offset `at`, if it is in a scheme's name like
/// `hxxp` that a colon or `[:` follows. Otherwise returns `None`.
fn original_letter(text: &[u8], at: usize) -> Option<char> {
    SCHEMES.iter().find_map(|&(written, meant)| {
        (1..written.len()).find_map(|index| {
            let start = at.checked_sub(index)?;
            let name = text.get(start..start + written.len())?;
            let differs = written.get(index) != meant.get(index);
            let tail = text.get(start + written.len()..)?;
            let tail = tail.strip_prefix(b"s").or(tail.strip_prefix(b"S")).unwrap_or(tail);
            let ends = [&b":"[..], b"[:"].iter().any(|mark| tail.starts_with(mark));
            let is_it = differs && ends && name.eq_ignore_ascii_case(written);
            is_it.then(|| meant.get(index).copied().map(char::from))?
        })
    })
}

#[cfg(test)]
mod tests {
    use super::refang_text;

    #[test]
    fn defanged_urls_are_restored() {
        for (raw, text) in [
            ("hxxp://www[.]h[.]dom/a", "http://www.h.dom/a"),
            ("hXXps[:]//h(dot)dom/ (DOT) fxp://h{.}dom", "https://h.dom/ . ftp://h.dom"),
            ("h**p://joe[at]h[dot]dom", "http://joe@h.dom"),
            ("hxxp[:][/][/]h[.]dom", "http://h.dom"),
            ("hxxps[://]google[.]com", "https://google.com"),
            ("h00p://h{.}dom hxtp[:]//h(.)dom", "http://h.dom http://h.dom"),
            ("h[tt]p://h[dot]dom/a", "http://h.dom/a"),
            ("HXXPS[://]h[dot]dom", "HttPS://h.dom"),
            ("hxxp://www dot h dot dom/a dot b", "http://www.h.dom/a dot b"),
        ] {
            let made = refang_text(raw.as_bytes(), 0, &mut Vec::new()).unwrap().text;
            assert_eq!(String::from_utf8(made).unwrap(), text, "{raw}");
        }
        for text in ["hxxp is a word", "a[1] (b) {.", "x", "mxxp:", "a dot b", "[tt] [://"] {
            assert!(refang_text(text.as_bytes(), 0, &mut Vec::new()).is_none(), "{text}");
        }
    }
}
