//! Comparisons of names that ignore case.

/// Returns `name` in lower case, stored in `buffer`. Returns an empty slice if the buffer is too
/// small. Callers pass a buffer as long as the longest known name.
pub(crate) fn in_lower_case<'b>(name: &[u8], buffer: &'b mut [u8]) -> &'b [u8] {
    let Some(lower) = buffer.get_mut(..name.len()) else { return &[] };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    lower
}

/// True if the name ends in `suffix`, ignoring case, and is longer than it.
pub(crate) fn has_suffix_ignoring_case(name: &[u8], suffix: &[u8]) -> bool {
    name.len() > suffix.len()
        && name
            .get(name.len() - suffix.len()..)
            .is_some_and(|tail| tail.eq_ignore_ascii_case(suffix))
}
