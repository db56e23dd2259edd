//! Parses `schemes.tsv`, the list of scheme names, at compile time.

use super::entry::{Registered, Rfc1738, Status};

const TEXT: &[u8] = include_bytes!("schemes.tsv");

/// The entries of the list, sorted by the length of the name, then alphabetically.
pub(super) const LISTED: [Registered; count_entries()] = {
    let (line, mut rest) = next_line(TEXT).expect("the list has lines");
    let mut table = [parse_row(line); count_entries()];
    let mut filled = 1;
    while let Some((line, after)) = next_line(rest) {
        table[filled] = parse_row(line);
        let is_sorted = matches!(search_name(&[table[filled - 1]], table[filled].name), Err(1));
        assert!(is_sorted, "the list is not in its order");
        (rest, filled) = (after, filled + 1);
    }
    table
};

/// Returns the number of entries in `schemes.tsv`: its lines that aren't comments.
const fn count_entries() -> usize {
    let (mut count, mut text) = (0, TEXT);
    while let Some((_, rest)) = next_line(text) {
        (text, count) = (rest, count + 1);
    }
    count
}

/// Returns the next line of `text` that is not a comment, and the text after it. Returns `None` at
/// the end of the text.
const fn next_line(mut text: &[u8]) -> Option<(&[u8], &[u8])> {
    while !text.is_empty() {
        let (line, rest) = split_at_byte(text, b'\n');
        if line[0] != b'#' {
            return Some((line, rest));
        }
        text = rest;
    }
    None
}

/// Parses a line of `schemes.tsv` into an entry.
const fn parse_row(line: &'static [u8]) -> Registered {
    let (name, rest) = split_at_byte(line, b'\t');
    let (status, rest) = split_at_byte(rest, b'\t');
    let (slashes, rfc1738) = split_at_byte(rest, b'\t');
    Registered {
        name: match core::str::from_utf8(name) {
            Ok(name) => name,
            Err(_) => panic!("a name is not UTF-8"),
        },
        status: match status {
            b"permanent" => Status::Permanent,
            b"provisional" => Status::Provisional,
            b"historical" => Status::Historical,
            b"unregistered" => Status::Unregistered,
            _ => panic!("not a status"),
        },
        slashes: match slashes {
            b"yes" => true,
            b"no" => false,
            _ => panic!("slashes are yes or no"),
        },
        rfc1738: match rfc1738 {
            b"production" => Rfc1738::Production,
            b"reserved" => Rfc1738::Reserved,
            b"-" => Rfc1738::Unknown,
            _ => panic!("not what RFC 1738 has of a scheme"),
        },
    }
}

/// Splits `text` at the first byte `end`, and returns the text before and after it.
const fn split_at_byte(text: &[u8], end: u8) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < text.len() && text[at] != end {
        at += 1;
    }
    match text.split_at(at) {
        (before, [_, after @ ..]) => (before, after),
        whole => whole,
    }
}

/// Returns the index of `name` in `table`, or as an error the index at which it would have to be
/// inserted. Takes linear time, but only at compile time.
pub(super) const fn search_name(table: &[Registered], name: &str) -> Result<usize, usize> {
    let name = name.as_bytes();
    let mut at = 0;
    while at < table.len() {
        let other = table[at].name.as_bytes();
        let mut same = 0;
        while same < name.len() && other.len() == name.len() && other[same] == name[same] {
            same += 1;
        }
        if same == name.len() && same == other.len() {
            return Ok(at);
        }
        let shorter = name.len() < other.len();
        if shorter || name.len() == other.len() && name[same] < other[same] {
            return Err(at);
        }
        at += 1;
    }
    Err(at)
}
