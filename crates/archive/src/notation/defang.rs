//! Restores defanged URLs, which are written so that programs don't link them:
//! `hxxp://host[.]dom/`. This is done only if [`Options::refang`](crate::Options::refang) is set.

use super::unescape::{self, Replacement};
use crate::decode::derived::Decoded;
use Replacement::Char;

/// The texts in brackets that replace a character.
const BRACKETED: [(&[u8], char); 6] =
    [(b".", '.'), (b"dot", '.'), (b":", ':'), (b"/", '/'), (b"@", '@'), (b"at", '@')];

/// The names of schemes with changed letters, and the original names.
const SCHEMES: [(&[u8], &[u8]); 3] = [(b"hxxp", b"http"), (b"h**p", b"http"), (b"fxp", b"ftp")];

/// Restores the defanged URLs in `text`, which starts at offset `base` of the map's source. Reuses
/// `memory` for the result. Returns `None` if there are none. Takes linear time.
pub(crate) fn decode(text: &[u8], base: usize, memory: &mut Vec<u8>) -> Option<Decoded> {
    unescape::decode(text, base, memory, find, escape)
}

/// Returns the offset of the next byte that may start a replacement, or `None` if there is none.
fn find(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| matches!(byte, b'[' | b'(' | b'{' | b'x' | b'X' | b'*'))
}

/// Returns the replacement for the bytes at offset `at`, and their length; `None` if they are not
/// replaced.
fn escape(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    let rest = text.get(at..)?;
    let close = match rest.first()? {
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        _ => return letter(text, at).map(|c| (Char(c), 1)),
    };
    // A colon may share its brackets with the slashes, as in `[://]`. Such brackets are not decoded
    // here.
    let end = rest.iter().take(6).position(|&byte| byte == close)?;
    let inside = rest.get(1..end)?;
    let is = |word: &[u8]| inside.eq_ignore_ascii_case(word);
    let (_, c) = BRACKETED.iter().find(|(word, _)| is(word))?;
    Some((Char(*c), end + 1))
}

/// Returns the original letter at offset `at` of a scheme's name, if a colon or `[:` follows the
/// name.
fn letter(text: &[u8], at: usize) -> Option<char> {
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
    use super::decode;

    #[test]
    fn defanged_urls_are_restored() {
        for (raw, text) in [
            ("hxxp://www[.]h[.]dom/a", "http://www.h.dom/a"),
            ("hXXps[:]//h(dot)dom/ (DOT) fxp://h{.}dom", "https://h.dom/ . ftp://h.dom"),
            ("h**p://joe[at]h[dot]dom", "http://joe@h.dom"),
            ("hxxp[:][/][/]h[.]dom", "http://h.dom"),
        ] {
            let made = decode(raw.as_bytes(), 0, &mut Vec::new()).unwrap().text;
            assert_eq!(String::from_utf8(made).unwrap(), text, "{raw}");
        }
        for text in ["hxxp is a word", "a[1] (b) {.", "x", "mxxp:"] {
            assert!(decode(text.as_bytes(), 0, &mut Vec::new()).is_none(), "{text}");
        }
    }
}
