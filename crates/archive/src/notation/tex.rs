//! The TeX commands for characters that are special in TeX, and for line breaks within a word.

use super::undo::Stands;
use Stands::{For, ForItself, ForNothing};

/// Commands that stand for a character or for nothing.
const WORDS: [(&[u8], Stands); 7] = [
    (b"textasciitilde", For('~')),
    (b"textasciicircum", For('^')),
    (b"textbackslash", For('\\')),
    (b"textunderscore", For('_')),
    (b"slash", For('/')),
    (b"allowbreak", ForNothing),
    (b"string", ForNothing),
];

/// Other ways to write a tilde.
const TILDES: [&[u8]; 4] = [b"$\\sim$", b"$\\tilde{}$", b"{\\textasciitilde}", b"{\\~{}}"];

pub(super) fn find(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| matches!(byte, b'\\' | b'%' | b'$' | b'{'))
}

/// Returns the replacement for the bytes at offset `at`, and their length.
pub(super) fn escape(text: &[u8], at: usize) -> Option<(Stands, usize)> {
    let rest = text.get(at..)?;
    match rest {
        [b'%', behind @ ..] => broken_line(behind).map(|len| (ForNothing, 1 + len)),
        [b'$' | b'{', ..] => {
            let tilde = TILDES.iter().find(|tilde| rest.starts_with(tilde))?;
            Some((For('~'), tilde.len()))
        }
        [_, b'~', behind @ ..] => match behind {
            [b'{', b'}', ..] => Some((For('~'), 4)),
            [b'{', b' ', b'}', ..] => Some((For('~'), 5)),
            // Before a letter, `\~` is an accent, except in a path. The scanner decides that.
            _ => None,
        },
        [_, b'-' | b'/' | b'@', ..] => Some((ForNothing, 2)),
        [_, c @ (b'_' | b'%' | b'&' | b'#' | b'$' | b'{' | b'}'), ..] => {
            Some((For(char::from(*c)), 2))
        }
        // A line break. The bytes after it are not part of the command.
        [_, b'\\', ..] => Some((ForItself, 2)),
        [_, behind @ ..] => word(behind).map(|(stands, len)| (stands, 1 + len)),
        [] => None,
    }
}

/// Returns the length of the line break and the white space after a `%`. `None` if an empty line
/// follows.
fn broken_line(behind: &[u8]) -> Option<usize> {
    let line = behind.strip_prefix(b"\r\n").or_else(|| behind.strip_prefix(b"\n"))?;
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let goes_on = line.get(blanks).is_some_and(|byte| !matches!(byte, b'\r' | b'\n'));
    goes_on.then_some(behind.len() - line.len() + blanks)
}

/// Returns the meaning of a named command and its length, including the braces or the space that
/// end it.
fn word(behind: &[u8]) -> Option<(Stands, usize)> {
    let (name, stands) = WORDS.iter().find(|(name, _)| behind.starts_with(name))?;
    let rest = behind.get(name.len()..)?;
    let ending = match rest {
        [b'{', b'}', ..] => 2,
        [b' ', ..] => 1,
        [letter, ..] if letter.is_ascii_alphabetic() => return None,
        _ => 0,
    };
    Some((*stands, name.len() + ending))
}
