//! What urlsift is measured against, each as a plain driver that a user of that crate would write.

use linkify::{LinkFinder, LinkKind};
use regex::bytes::Regex;
use std::io::{self, Write};

/// The comparable job as a regular expression: every scheme with `//` that was common, `mailto:`
/// and `news:`.
pub const COMPARABLE: &str = r#"(?i)\b(?:https?|ftp|gopher|nntp|telnet|wais|file|prospero)://[^\s<>"]+|(?i)\b(?:mailto|news):[^\s<>"]+"#;

/// The habit: fastest to type and, on prose, fastest to run.
pub const HABIT: &str = r"https?://\S+";

/// Writes every URL that linkify finds, one a line, and says how many. E-mail addresses are left
/// out: they cost it more.
///
/// # Errors
///
/// Whatever the writer says.
pub fn linkify(text: &[u8], to: &mut impl Write) -> io::Result<u64> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let mut found = 0;
    // It needs `str`: the text is cut at bytes that are no UTF-8, which costs one validating pass
    // as any user of it pays.
    for chunk in text.utf8_chunks() {
        for link in finder.links(chunk.valid()) {
            to.write_all(link.as_str().as_bytes())?;
            to.write_all(b"\n")?;
            found += 1;
        }
    }
    Ok(found)
}

/// Writes every match of the pattern, one a line, and says how many.
///
/// # Errors
///
/// Whatever the writer says.
///
/// # Panics
///
/// If the pattern is none.
pub fn regex(pattern: &str, text: &[u8], to: &mut impl Write) -> io::Result<u64> {
    let pattern = Regex::new(pattern).expect("a pattern");
    let mut found = 0;
    for matched in pattern.find_iter(text) {
        to.write_all(matched.as_bytes())?;
        to.write_all(b"\n")?;
        found += 1;
    }
    Ok(found)
}
