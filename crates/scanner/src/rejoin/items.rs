//! Tokens that are items of their own: of logs, diffs, lists and commands.

use super::suffix::is_file_name;
use super::tail::{TOPS, Tail, kind, split_token};
use crate::text::blank::leading_blanks_len;

impl Tail<'_> {
    /// True if the token's line is in a build log, a diffstat or a list of keys. The token is then
    /// one of these:
    ///
    /// - a position in a source file (`/src/a.c:18:`)
    /// - a counter of transferred bytes (`2/4K`)
    /// - the number of a key (`2048/CE6AC6C1`)
    /// - a file name before a bar (` a.c | 47 ++`)
    pub(super) fn is_in_log(&self) -> bool {
        is_file_change(self.rest)
            || (!self.lacks_kinds(kind::COLON) && is_source_position(self.token))
            || (!self.lacks_kinds(kind::SLASH)
                && (is_byte_counter(self.core, self.rest) || is_key_id(self.core)))
    }

    /// True if the token is an enumerator alone on its line: `2)`, `32.` or `b)`. A letter with a
    /// dot doesn't count, since it may be the end of a word and of a sentence.
    pub(super) fn is_lone_enumerator(&self) -> bool {
        let (core, mark) = (self.core, &self.token[self.core.len()..]);
        let is_short_number = core.len() <= 3 && core.iter().all(u8::is_ascii_digit);
        self.is_alone
            && !core.is_empty()
            && match mark {
                b"." | b":" => is_short_number,
                b")" => is_short_number || matches!(core, [letter] if letter.is_ascii_alphabetic()),
                _ => false,
            }
    }

    /// True if the token is a number alone on its line, such as the number of a page or a footnote.
    pub(super) fn is_lone_number(&self) -> bool {
        self.is_alone && self.core.len() <= 4 && self.core.iter().all(u8::is_ascii_digit)
    }

    /// True if the token starts with quoted-printable that isn't part of a URL: a non-ASCII
    /// character (`=E2=80=94`), or a tab at its start or after a label (`F:=09drivers/a/`).
    pub(super) fn starts_with_encoded_text(&self) -> bool {
        if self.lacks_kinds(kind::MARK) {
            return false;
        }
        let is_hex = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
        match self.core {
            [b'=', b'8'..=b'9' | b'A'..=b'F', low, b'=', high, ..] => is_hex(low) && is_hex(high),
            [b'=', b'0', b'9', ..] => true,
            core => memchr::memmem::find(core, b":=09").is_some(),
        }
    }

    /// True if the token is a section number that is alone on its line: `3.4.6`.
    pub(super) fn is_lone_section_number(&self) -> bool {
        let parts = || self.core.split(|byte| *byte == b'.');
        self.is_alone
            && self.core.len() <= 8
            && parts().nth(1).is_some()
            && parts().all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
    }

    /// True if the token is the name of a constant: capitals, digits and underscores
    /// (`KVM_EXIT_IO`).
    pub(super) fn is_constant_name(&self) -> bool {
        let is_of_name = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
        self.core.first().is_some_and(u8::is_ascii_uppercase)
            && self.core.contains(&b'_')
            && self.core.iter().all(is_of_name)
    }

    /// True if the token is only a file's suffix of two to four characters, including its dot:
    /// `.epub`. Names of hidden files are mostly longer.
    pub(super) fn is_suffix_alone(&self) -> bool {
        matches!(self.core, [b'.', first, rest @ ..]
            if first.is_ascii_lowercase()
                && (1..=3).contains(&rest.len())
                && rest.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
    }

    /// True if the token is the abbreviated or full hash of a commit: at least seven lower-case
    /// hexadecimal digits, with both digits and letters among them.
    pub(super) fn is_commit_hash(&self) -> bool {
        self.core.len() >= MIN_COMMIT
            && is_lower_hex(self.core)
            && self.core.iter().any(u8::is_ascii_digit)
            && self.core.iter().any(u8::is_ascii_lowercase)
    }

    /// True if the token is only a host, alone on its line: `sub.host.org`.
    pub(super) fn is_lone_host(&self) -> bool {
        let mut labels = self.core.split(|&byte| byte == b'.');
        self.is_alone
            && self.lacks_kinds(kind::SLASH | kind::MARK | kind::OTHER)
            && labels.clone().count() > 2
            && labels.clone().all(|label| !label.is_empty())
            && labels.next_back().is_some_and(|top| TOPS.contains(&top))
    }

    /// True if the token is a serial number such as senders of bulk mail add. It consists of groups
    /// of digits and of letters in both cases, joined only by hyphens.
    pub(super) fn is_bulk_mail_serial(&self) -> bool {
        let is_new_run = |pair: &[u8]| {
            matches!(pair, [a, b] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric()
                && a.is_ascii_digit() != b.is_ascii_digit())
        };
        let core = self.core;
        self.is_alone
            && self.lacks_kinds(kind::DOT | kind::SLASH | kind::MARK | kind::OTHER)
            && core.contains(&b'-')
            && core.iter().any(u8::is_ascii_lowercase)
            && core.iter().any(u8::is_ascii_uppercase)
            && core.windows(2).filter(|pair| is_new_run(pair)).count() >= MIN_SERIAL_RUNS
    }
}

/// The minimum number of changes between digits and letters in a serial number.
const MIN_SERIAL_RUNS: usize = 5;

/// The minimum length of the abbreviated name of a commit, in digits.
const MIN_COMMIT: usize = 7;

/// True if all bytes of `text` are digits or the letters `a` to `f` in lower case.
pub(super) fn is_lower_hex(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// True if the token is a file name with a line number, as in the messages of compilers:
/// `/src/a.c:18:`, `a.c:18:5`.
fn is_source_position(token: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', token) else { return false };
    let (name, rest) = (&token[..colon], &token[colon + 1..]);
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_of_name = |b: &u8| b.is_ascii_alphanumeric() || b"/._+-".contains(b);
    digits > 0
        && matches!(rest[digits..], [] | [b':', ..])
        && is_file_name(name)
        && name.iter().all(is_of_name)
}

/// True if `rest` is the second column of a diffstat: `| 47 ++-` or `| Bin 0 -> 17 bytes`.
fn is_file_change(rest: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(b"|") else { return false };
    let rest = &rest[leading_blanks_len(rest)..];
    rest.first().is_some_and(u8::is_ascii_digit) || rest.starts_with(b"Bin ")
}

/// True if `core`, a token, consists of a key's length and number, as in lists of PGP keys:
/// `2048/CE6AC6C1`.
fn is_key_id(core: &[u8]) -> bool {
    let Some(slash) = memchr::memchr(b'/', core) else { return false };
    let (len, id) = (&core[..slash], &core[slash + 1..]);
    (3..=5).contains(&len.len())
        && len.iter().all(u8::is_ascii_alphanumeric)
        && len[..3].iter().all(u8::is_ascii_digit)
        && matches!(id.len(), 8 | 16)
        && id.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F'))
}

/// True if the token `core`, with the text after it, counts transferred bytes, as in the logs of
/// build tools: `2/4K`, `4/18 KB`.
fn is_byte_counter(core: &[u8], rest: &[u8]) -> bool {
    let Some(slash) = memchr::memchr(b'/', core) else { return false };
    let (done, total) = (&core[..slash], &core[slash + 1..]);
    let digits = total.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unit = if digits < total.len() { &total[digits..] } else { split_token(rest).0 };
    !done.is_empty()
        && done.iter().all(u8::is_ascii_digit)
        && digits > 0
        && matches!(
            unit,
            b"B" | b"K" | b"M" | b"G" | b"KB" | b"MB" | b"GB" | b"kB" | b"KiB" | b"MiB"
        )
}

/// True if `path` ends in the number of a line in a file, or in the start of one: `#L`, `#L3`.
pub(super) fn ends_in_line_number(path: &[u8]) -> bool {
    let last = path.iter().rposition(|byte| !byte.is_ascii_digit());
    last.is_some_and(|at| path[..=at].ends_with(b"#L"))
}

/// True if `core`, a token, may continue the number of a line: `12`, `2-L30`.
pub(super) fn is_line_number(core: &[u8]) -> bool {
    core.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'L'))
}
