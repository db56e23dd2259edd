//! Runs the other crates that urlsift is compared with, in the simple way in which a user would
//! call them.

use linkify::{LinkFinder, LinkKind};
use regex::bytes::Regex;
use std::io::{self, Write};

/// A regular expression for the same task: URLs with common schemes and `//`, `mailto:` and
/// `news:`.
pub const COMPARABLE: &str = r#"(?i)\b(?:https?|ftp|gopher|nntp|telnet|wais|file|prospero)://[^\s<>"]+|(?i)\b(?:mailto|news):[^\s<>"]+"#;

/// The simple regular expression that people usually write. It is also the fastest on prose.
pub const QUICK_PATTERN: &str = r"https?://\S+";

/// Writes every URL that linkify finds, one per line, and returns their number. E-mail addresses
/// are disabled, because they would make it slower.
///
/// # Errors
///
/// Returns any error from the writer.
pub fn find_by_linkify(text: &[u8], to: &mut impl Write) -> io::Result<u64> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let mut found = 0;
    // linkify needs a `str`. The text is split at invalid UTF-8, which costs a validation pass.
    // Every user of linkify pays for this, too.
    for chunk in text.utf8_chunks() {
        for link in finder.links(chunk.valid()) {
            to.write_all(link.as_str().as_bytes())?;
            to.write_all(b"\n")?;
            found += 1;
        }
    }
    Ok(found)
}

/// Writes every match of the pattern, one per line, and returns their number.
///
/// # Errors
///
/// Returns any error from the writer.
///
/// # Panics
///
/// Panics if the pattern is invalid.
pub fn find_by_regex(pattern: &str, text: &[u8], to: &mut impl Write) -> io::Result<u64> {
    let pattern = Regex::new(pattern).expect("a pattern");
    let mut found = 0;
    for matched in pattern.find_iter(text) {
        to.write_all(matched.as_bytes())?;
        to.write_all(b"\n")?;
        found += 1;
    }
    Ok(found)
}
