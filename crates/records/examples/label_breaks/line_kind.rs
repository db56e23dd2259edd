//! Kinds of lines below a URL.

use crate::urls::split_word;

/// Returns the kind of `line`, without its margin, and true if such a line never continues a URL.
pub(crate) fn kind_of(line: &[u8]) -> (&'static str, bool) {
    let (word, rest) = split_word(line);
    let is = |words: &[&str]| words.iter().any(|known| known.as_bytes() == word);
    let contains = |part: &[u8]| line.windows(part.len()).any(|window| window == part);
    if contains(b"://") && word.windows(3).any(|three| three == b"://") {
        ("url", true)
    } else if is(&["diff", "index", "@@", "---", "+++"]) && !rest.is_empty() {
        ("diff", true)
    } else if is(&["--", "---", "==", "___"]) || is_rule(line) || is_trailer(word, rest) {
        ("signature", true)
    } else if is_list_mark(word) && !rest.is_empty() {
        ("list", true)
    } else if is(&["$", "#", "%", "~$"]) && !rest.is_empty() {
        ("command", true)
    } else if line.starts_with(b"+") || line.starts_with(b"-") {
        ("dash", false)
    } else if is_log(line) {
        ("log", false)
    } else if contains(b"   ") || contains(b"\t") {
        ("table", false)
    } else if rest.is_empty() {
        ("lone-word", false)
    } else if word.iter().all(|byte| byte.is_ascii_alphabetic() || b",.;:'()\"".contains(byte)) {
        ("prose", false)
    } else {
        ("other", false)
    }
}

/// True if `line` is drawn, such as `-----`.
fn is_rule(line: &[u8]) -> bool {
    line.len() > 4 && line.iter().all(|byte| b"-=_*#~+".contains(byte))
}

/// True if the line is a trailer of a commit: `Signed-off-by: …`.
fn is_trailer(word: &[u8], rest: &[u8]) -> bool {
    let name = word.strip_suffix(b":").unwrap_or_default();
    !rest.is_empty()
        && name.contains(&b'-')
        && name[0].is_ascii_uppercase()
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
}

/// True if `word` is the mark of a list item: `*`, `12.`, `(3)`, `[4]`.
pub(crate) fn is_list_mark(word: &[u8]) -> bool {
    let number = match word {
        [b'*' | b'-' | b'+' | b'o'] => return true,
        [b'(', number @ .., b')']
        | [b'[', number @ .., b']' | b':']
        | [number @ .., b'.' | b')'] => number,
        _ => return false,
    };
    let number = number.strip_suffix(b"]").unwrap_or(number);
    (1..=2).contains(&number.len()) && number.iter().all(u8::is_ascii_digit)
}

/// True if `line` is of a log: it starts with a time, or with the position in a source file.
fn is_log(line: &[u8]) -> bool {
    let (word, rest) = split_word(line);
    let has_colons = memchr::memchr_iter(b':', word).nth(1).is_some();
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    !rest.is_empty() && digits > 1 && (has_colons || word.starts_with(b"["))
}
