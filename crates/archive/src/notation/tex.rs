//! Decodes the TeX commands for characters that are special in TeX, and for line breaks within a
//! word.

use super::unescape::Replacement;
use Replacement::{Char, Nothing, Unchanged};

/// The named commands that print a character, and those that print nothing.
const WORDS: [(&[u8], Replacement); 7] = [
    (b"textasciitilde", Char('~')),
    (b"textasciicircum", Char('^')),
    (b"textbackslash", Char('\\')),
    (b"textunderscore", Char('_')),
    (b"slash", Char('/')),
    (b"allowbreak", Nothing),
    (b"string", Nothing),
];

/// Other ways to write a tilde.
const TILDES: [&[u8]; 4] = [b"$\\sim$", b"$\\tilde{}$", b"{\\textasciitilde}", b"{\\~{}}"];

/// Returns the offset of the first byte in `text` that may start a TeX command, or `None` if there
/// is none.
pub(super) fn next_command_start(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| matches!(byte, b'\\' | b'%' | b'$' | b'{'))
}

/// Returns the replacement for the TeX command at offset `at`, and its length in bytes, or `None`
/// if there is no known command.
pub(super) fn parse_tex_command(text: &[u8], at: usize) -> Option<(Replacement, usize)> {
    let rest = text.get(at..)?;
    match rest {
        [b'%', after @ ..] => joined_line_break_len(after).map(|len| (Nothing, 1 + len)),
        [b'$' | b'{', ..] => {
            let tilde = TILDES.iter().find(|tilde| rest.starts_with(tilde))?;
            Some((Char('~'), tilde.len()))
        }
        [_, b'~', after @ ..] => match after {
            [b'{', b'}', ..] => Some((Char('~'), 4)),
            [b'{', b' ', b'}', ..] => Some((Char('~'), 5)),
            // Before a letter, `\~` is an accent, except in a path. The scanner decides which one
            // it is.
            _ => None,
        },
        [_, b'-' | b'/' | b'@', ..] => Some((Nothing, 2)),
        [_, c @ (b'_' | b'%' | b'&' | b'#' | b'$' | b'{' | b'}'), ..] => {
            Some((Char(char::from(*c)), 2))
        }
        // A line break. The bytes after it are not part of the command.
        [_, b'\\', ..] => Some((Unchanged, 2)),
        [_, after @ ..] => {
            parse_named_command(after).map(|(replacement, len)| (replacement, 1 + len))
        }
        [] => None,
    }
}

/// Returns the length in bytes of the line break at the start of `after_percent`, the text after a
/// `%`, including the blanks that follow the line break. In TeX, such a `%` joins two lines.
/// Returns `None` if there is no line break or an empty line follows.
fn joined_line_break_len(after_percent: &[u8]) -> Option<usize> {
    let line = after_percent.strip_prefix(b"\r\n").or_else(|| after_percent.strip_prefix(b"\n"))?;
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let has_text = line.get(blanks).is_some_and(|byte| !matches!(byte, b'\r' | b'\n'));
    has_text.then_some(after_percent.len() - line.len() + blanks)
}

/// Returns the replacement for the named TeX command at the start of `after_backslash`, the text
/// after a backslash. Also returns the length of the command in bytes, including the braces or the
/// space that end it. Returns `None` for unknown commands.
fn parse_named_command(after_backslash: &[u8]) -> Option<(Replacement, usize)> {
    let (name, replacement) = WORDS.iter().find(|(name, _)| after_backslash.starts_with(name))?;
    let rest = after_backslash.get(name.len()..)?;
    let ending = match rest {
        [b'{', b'}', ..] => 2,
        [b' ', ..] => 1,
        [letter, ..] if letter.is_ascii_alphabetic() => return None,
        _ => 0,
    };
    Some((*replacement, name.len() + ending))
}
