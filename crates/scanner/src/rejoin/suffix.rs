//! The suffixes of file names, such as `.html`, at the end of a path.

use crate::text::line::find_either;
use std::sync::LazyLock;

/// The file name extensions of files that are often written with their host and path. Top-level
/// domains, such as `com`, are not included. The extensions in this list are not words, so hardly
/// any sentence starts with one.
const SUFFIXES: [&[u8]; 27] = [
    b"html", b"htm", b"shtml", b"xhtml", b"php", b"asp", b"aspx", b"jsp", b"cgi", b"cfm", b"pdf",
    b"eps", b"dvi", b"txt", b"ppt", b"xls", b"csv", b"xml", b"json", b"tgz", b"hqx", b"rpm",
    b"gif", b"jpg", b"jpeg", b"png", b"mpg",
];

/// More of these extensions. A sentence may start with one of them.
const WORD_SUFFIXES: [&[u8]; 30] = [
    b"php3", b"pl", b"mspx", b"ps", b"tex", b"text", b"md", b"rst", b"doc", b"rss", b"zip", b"gz",
    b"z", b"bz2", b"xz", b"tar", b"lha", b"lzh", b"arc", b"zoo", b"sit", b"deb", b"exe", b"iso",
    b"au", b"r", b"c", b"h", b"git", b"jar",
];

/// More extensions of files. A file with one of them in a URL is whole, but such a name at the
/// start of a line is as often a local file, in a log or a list.
const LOCAL_SUFFIXES: [&[u8]; 24] = [
    b"py", b"sh", b"rb", b"java", b"cc", b"cpp", b"js", b"css", b"cfg", b"conf", b"log", b"diff",
    b"patch", b"epub", b"djvu", b"docx", b"xlsx", b"pptx", b"odt", b"svg", b"swf", b"mp3", b"mp4",
    b"avi",
];

/// The length of the longest suffix, in bytes.
const MAX_SUFFIX: usize = 5;

/// Returns the part of `path` after its last slash.
pub(super) fn last_segment(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}

/// True if the last segment of `path` ends in one of the file name extensions in [`SUFFIXES`] or
/// [`WORD_SUFFIXES`], such as `.html`.
pub(super) fn has_suffix(path: &[u8]) -> bool {
    suffix_letters(path).is_some_and(|suffix| {
        has_suffix_len(suffix.len()) && is_suffix_key(pack_letters(suffix.iter()))
    })
}

/// True if the last segment of `path` ends in one of the file name extensions in [`SUFFIXES`],
/// [`WORD_SUFFIXES`] or [`LOCAL_SUFFIXES`].
pub(super) fn is_file_name(path: &[u8]) -> bool {
    suffix_letters(path).is_some_and(|suffix| is_known_or_local_suffix(suffix, &[]))
}

/// Returns the letters after the last dot of the path's last segment. Returns `None` if there is no
/// dot, or if there are more letters than in any known extension.
fn suffix_letters(path: &[u8]) -> Option<&[u8]> {
    let end = find_either([b'?', b'#'], path).unwrap_or(path.len());
    let reach = &path[end.saturating_sub(MAX_SUFFIX + 1)..end];
    let dot = reach.iter().rposition(|byte| matches!(byte, b'/' | b'.'))?;
    (reach[dot] == b'.').then_some(&reach[dot + 1..])
}

/// Returns the same as [`is_file_name`] for `path` followed by `rest`, without building the text.
pub(super) fn joined_is_file_name(path: &[u8], rest: &[u8]) -> bool {
    if path.iter().any(|byte| matches!(byte, b'?' | b'#')) {
        return is_file_name(path);
    }
    // The path continues to the end of `rest`, or to the first `?` or `#` in it.
    let end = find_either([b'?', b'#'], rest).unwrap_or(rest.len());
    if rest[..end].iter().any(|byte| matches!(byte, b'/' | b'.')) {
        return is_file_name(rest);
    }
    let Some(dot) = path.iter().rposition(|byte| matches!(byte, b'/' | b'.')) else { return false };
    path[dot] == b'.' && is_known_or_local_suffix(&path[dot + 1..], &rest[..end])
}

/// True if the word that starts `next` completes the suffix that the end of the path has begun, or
/// only its dot: `a.ht` + `ml`, `a.` + `txt`. False if the word may also be one of a sentence.
pub(super) fn completes_suffix(path: &[u8], next: &[u8]) -> bool {
    if !next.first().is_some_and(u8::is_ascii_lowercase) {
        return false;
    }
    let reach = &path[path.len().saturating_sub(MAX_SUFFIX)..];
    let Some(dot) = reach.iter().rposition(|byte| !byte.is_ascii_lowercase()) else { return false };
    let begun = &reach[dot + 1..];
    let len = next.iter().take(MAX_SUFFIX).take_while(|byte| byte.is_ascii_lowercase()).count();
    let (word, rest) = next.split_at(len);
    let before_dot = path.len().checked_sub(begun.len() + 2).map(|at| path[at]);
    if reach[dot] != b'.'
        || !before_dot.is_some_and(|byte| byte.is_ascii_alphanumeric())
        || rest
            .first()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'\'' | b'_'))
        || path.iter().any(|byte| matches!(byte, b'?' | b'#'))
    {
        return false;
    }
    let is_no_word = if begun.is_empty() {
        SUFFIXES.contains(&word)
    } else {
        // The rest of a suffix may be a word: `g` + `if`.
        !matches!(word, b"if" | b"it" | b"so" | b"a" | b"is" | b"as" | b"at" | b"son")
    };
    is_no_word && is_known_or_local_suffix(begun, word)
}

/// True if `begun` and `rest` together are one of [`SUFFIXES`], [`WORD_SUFFIXES`] or
/// [`LOCAL_SUFFIXES`], ignoring case.
fn is_known_or_local_suffix(begun: &[u8], rest: &[u8]) -> bool {
    static KEYS: LazyLock<[u64; LOCAL_SUFFIXES.len()]> =
        LazyLock::new(|| LOCAL_SUFFIXES.map(|suffix| pack_letters(suffix.iter())));
    has_suffix_len(begun.len() + rest.len()) && {
        let key = pack_letters(begun.iter().chain(rest));
        is_suffix_key(key) || KEYS.contains(&key)
    }
}

/// True if a suffix may have `len` letters.
fn has_suffix_len(len: usize) -> bool {
    (1..=MAX_SUFFIX).contains(&len)
}

/// True if `wanted` is the key of one of [`SUFFIXES`] or [`WORD_SUFFIXES`].
fn is_suffix_key(wanted: u64) -> bool {
    static KEYS: LazyLock<([u64; SUFFIXES.len()], [u64; WORD_SUFFIXES.len()])> =
        LazyLock::new(|| {
            let key = |suffix: &[u8]| pack_letters(suffix.iter());
            (SUFFIXES.map(key), WORD_SUFFIXES.map(key))
        });
    KEYS.0.contains(&wanted) || KEYS.1.contains(&wanted)
}

/// Packs at most [`MAX_SUFFIX`] letters into a number, ignoring case, so that a single comparison
/// tests all of them.
fn pack_letters<'a>(letters: impl Iterator<Item = &'a u8>) -> u64 {
    letters.fold(1, |key, letter| key << 8 | u64::from(letter.to_ascii_lowercase()))
}
