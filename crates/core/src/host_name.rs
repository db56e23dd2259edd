//! Validates complete host names.

use crate::Span;
use crate::bytes::{self, HOSTNAME};

/// Returns the offset of the first byte that is not allowed in host names, or `None` if there is
/// none.
pub(crate) fn first_bad_host_byte(name: &[u8]) -> Option<usize> {
    name.iter().position(|&b| !bytes::is_in(b, HOSTNAME))
}

/// Returns the span of the first label that is empty, or starts or ends with a hyphen. Returns
/// `None` if all labels are valid. If `strict` is false, the name may end with a dot.
pub(crate) fn first_bad_label(name: &[u8], strict: bool) -> Option<Span> {
    let name = match name {
        [rest @ .., b'.'] if !strict && !rest.is_empty() => rest,
        _ => name,
    };
    if name.is_empty() {
        return None;
    }
    let mut start = 0;
    for label in name.split(|&b| b == b'.') {
        if label.is_empty() || label.starts_with(b"-") || label.ends_with(b"-") {
            return Some(Span::new(start, start + label.len()));
        }
        start += label.len() + 1;
    }
    None
}

/// True if the last label starts with a letter, or if the whole name is four groups of digits, as
/// in an IPv4 address.
pub(crate) fn has_valid_top_label(name: &[u8]) -> bool {
    let last = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
    last.first().is_some_and(u8::is_ascii_alphabetic) || split_four_numbers(name).is_some()
}

/// Splits a name that consists of four groups of digits with dots between them, as in an IPv4
/// address. The numbers may be out of range. Returns `None` for any other name.
pub(crate) fn split_four_numbers(name: &[u8]) -> Option<[&[u8]; 4]> {
    let mut groups = name.split(|&b| b == b'.');
    let four = [groups.next()?, groups.next()?, groups.next()?, groups.next()?];
    let numbers = four.iter().all(|g| !g.is_empty() && g.iter().all(u8::is_ascii_digit));
    (groups.next().is_none() && numbers).then_some(four)
}
