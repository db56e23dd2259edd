//! The labels of the definitions in a document.

use std::collections::{HashMap, HashSet};

/// Indexes of a document's definitions by their labels.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// Maps each normalized label to the index of its first definition.
    pub(super) first: HashMap<String, usize>,
    /// Maps the letters and digits of each label to the index of its definition, or to `None` if
    /// several definitions have the same letters and digits.
    pub(super) by_letters: HashMap<String, Option<usize>>,
    /// The letters and digits of each heading in the document.
    pub(super) headings: HashSet<String>,
    /// True if the document includes other files.
    pub(super) has_includes: bool,
    /// True if at least two labels in use are versions, and at most as many versions in brackets
    /// are undefined.
    pub(super) defines_versions: bool,
}
