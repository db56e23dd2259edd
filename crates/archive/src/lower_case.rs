//! Names compared in any case.

/// `name` in lower case, in the memory of `buffer`; empty where it is too long for that, and so for
/// any name that is known.
pub(crate) fn in_lower_case<'b>(name: &[u8], buffer: &'b mut [u8]) -> &'b [u8] {
    let Some(lower) = buffer.get_mut(..name.len()) else { return &[] };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    lower
}
