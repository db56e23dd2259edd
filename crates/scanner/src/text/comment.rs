//! The leaders of comment lines in programs, such as `//` and `#`.

use super::blank::first_blank_len;

/// The characters that start a line of a comment in programming languages and roff. A leader comes
/// before its own prefixes: `///` before `//`.
const LEADERS: [&[u8]; 12] =
    [b"///", b"//!", b"//", b".\\\"", b"##", b"#", b"%%", b"%", b";;", b";", b"--", b":"];

/// Returns the comment leader (such as `//`) that `text` starts with. Returns an empty slice if
/// there is none, or if no blank follows it.
pub(crate) fn comment_leader(text: &[u8]) -> &[u8] {
    if !matches!(text.first(), Some(b'/' | b'.' | b'#' | b'%' | b';' | b':' | b'-')) {
        return &[];
    }
    LEADERS
        .iter()
        .find(|leader| text.starts_with(leader) && first_blank_len(&text[leader.len()..]) > 0)
        .map_or(&[], |leader| leader)
}
