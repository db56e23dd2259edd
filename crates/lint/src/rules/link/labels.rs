//! The labels of the definitions in a document.

use std::collections::{HashMap, HashSet};

/// The definitions of a document by their labels.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// The index of the first definition with each label.
    pub(super) first: HashMap<String, usize>,
    /// The only definition with these letters and digits. `None` if there are several.
    pub(super) by_letters: HashMap<String, Option<usize>>,
    /// The texts of the document's headings.
    pub(super) headings: HashSet<String>,
    /// True if other texts are inserted.
    pub(super) has_includes: bool,
    /// True if the labels of several definitions are versions, and most versions are defined.
    pub(super) defines_versions: bool,
}
