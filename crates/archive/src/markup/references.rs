//! Link references and their definitions, such as `[text][name]` and `[name]: http://host/` in
//! Markdown.

use super::region::Region;
use std::borrow::Cow;
use std::collections::HashSet;
use urlsift_core::Span;

/// The regions of a text, its references without a definition, and its definitions.
///
/// ```
/// use urlsift_archive::{Dialect, outline};
/// let text = b"See [a][b] and [c].\n\n[c]: http://host.dom/\n";
/// let outline = outline(text, Dialect::Markdown);
/// assert_eq!(&text[outline.undefined[0].label(text).range()], b"b");
/// assert!(outline.definitions[0].is_used);
/// assert_eq!(outline.regions.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// The regions, as [`regions`](crate::markup_regions()) returns them.
    pub regions: Vec<Region>,
    /// The references whose label is not defined in the text, in text order.
    pub undefined: Vec<Reference>,
    /// The definitions, in text order.
    pub definitions: Vec<Definition>,
}

impl From<Vec<Region>> for Outline {
    /// Creates an outline without references and definitions.
    fn from(regions: Vec<Region>) -> Self {
        Self { regions, ..Self::default() }
    }
}

/// A reference to a definition: `[text][label]`, `[label][]` or `[label]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Reference {
    /// The span of the reference with its brackets.
    pub whole: Span,
    /// The form of the reference.
    pub form: ReferenceForm,
}

/// The form of a [`Reference`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReferenceForm {
    /// `[text][label]`
    Full,
    /// `[label][]`
    Collapsed,
    /// `[label]`
    Shortcut,
}

/// A definition of a link target, such as `[label]: http://host/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition {
    /// The span from the opening bracket to the end of the target or title. For a duplicate, the
    /// span ends with the line.
    pub whole: Span,
    /// True if a link in the text refers to the definition.
    pub is_used: bool,
    /// True if an earlier definition has the same label. The duplicate is then ignored.
    pub is_duplicate: bool,
}

impl Reference {
    /// Returns the span of the label in `text`.
    pub fn label(&self, text: &[u8]) -> Span {
        let Span { start, end, .. } = self.whole;
        let whole = text.get(start..end).unwrap_or_default();
        let inner = match self.form {
            ReferenceForm::Full => {
                let end = whole.len().saturating_sub(1);
                let open = last_open_bracket(&whole[..end]);
                Span::new(open.map_or(0, |at| at + 1).min(end), end)
            }
            ReferenceForm::Collapsed => Span::new(0, whole.len().saturating_sub(3)),
            ReferenceForm::Shortcut => Span::new(0, whole.len().saturating_sub(1)),
        };
        let lead = usize::from(inner.start == 0 && whole.first() == Some(&b'!'))
            + usize::from(inner.start == 0);
        Span::new((inner.start + lead).min(inner.end), inner.end).shifted(start)
    }
}

impl Definition {
    /// Returns the span of the label in `text`.
    pub fn label(&self, text: &[u8]) -> Span {
        let whole = text.get(self.whole.range()).unwrap_or_default();
        let end = memchr::memmem::find(whole, b"]:").unwrap_or(whole.len());
        Span::new(1.min(end), end).shifted(self.whole.start)
    }
}

/// Returns the offset of the last `[` in `text` that is not escaped with a backslash.
fn last_open_bracket(text: &[u8]) -> Option<usize> {
    memchr::memrchr_iter(b'[', text).find(|&at| {
        let slashes = text[..at].iter().rev().take_while(|&&b| b == b'\\').count();
        slashes % 2 == 0
    })
}

/// Normalizes a label, so that equivalent labels are equal: converts it to lower case, trims it,
/// and replaces each sequence of white space with one space.
///
/// ```
/// assert_eq!(urlsift_archive::normalized_label(b"The\n Mill "), "the mill");
/// ```
pub fn normalized_label(label: &[u8]) -> Cow<'_, str> {
    let label = String::from_utf8_lossy(label);
    let is_normal = |text: &str| {
        text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.+/".contains(&b))
    };
    if is_normal(&label) {
        return label;
    }
    let words: Vec<&str> = label.split_whitespace().collect();
    Cow::Owned(words.join(" ").to_lowercase())
}

/// The maximum length of a label with its indentation, in bytes.
const MAX_LABEL_LEN: usize = 1024;

/// Collects the references and definitions of a text while it is parsed in chunks.
#[derive(Default)]
pub(super) struct Collector {
    pub(super) undefined: Vec<Reference>,
    pub(super) definitions: Vec<Definition>,
    /// The offsets of lines in the chunk that look like definitions but may be text, in order.
    candidates: Vec<usize>,
    /// The number of candidates before the end of the last range passed to [`Collector::pass`].
    passed: usize,
    /// The candidates that are neither displayed nor code. They are duplicates of definitions.
    duplicates: Vec<usize>,
}

impl Collector {
    /// Adds `definitions`, which the parser found in a chunk of text, and searches the chunk for
    /// other lines that look like definitions. `definitions` must be in text order.
    pub(super) fn find_candidates(&mut self, text: &str, definitions: Vec<Span>) {
        let bytes = text.as_bytes();
        self.passed = 0;
        self.candidates.clear();
        if definitions.is_empty() {
            return;
        }
        for colon in memchr::memmem::find_iter(bytes, b"]:") {
            let from = colon.saturating_sub(MAX_LABEL_LEN);
            let line = memchr::memrchr(b'\n', &bytes[from..colon]).map_or(from, |at| from + at + 1);
            let lead = bytes[line..colon].iter().take_while(|b| b" \t>".contains(b)).count();
            let start = line + lead;
            if bytes.get(start) == Some(&b'[')
                && self.candidates.last() != Some(&start)
                && definitions.binary_search_by_key(&start, |span| span.start).is_err()
            {
                self.candidates.push(start);
            }
        }
        let found = |whole| Definition { whole, is_used: false, is_duplicate: false };
        self.definitions.extend(definitions.into_iter().map(found));
    }

    /// Records that the text from `start` to `end` is displayed or is code. It then contains no
    /// definition.
    pub(super) fn pass(&mut self, start: usize, end: usize) {
        while let Some(&at) = self.candidates.get(self.passed).filter(|&&at| at < end) {
            if at < start {
                self.duplicates.push(at);
            }
            self.passed += 1;
        }
    }

    /// Records that a link refers to the definition that starts at offset `start`. `from` is the
    /// number of definitions before the chunk.
    pub(super) fn mark_used(&mut self, start: usize, from: usize) {
        let all = self.definitions.get_mut(from..).unwrap_or_default();
        if let Ok(at) = all.binary_search_by_key(&start, |it| it.whole.start) {
            all[at].is_used = true;
        }
    }

    /// Adds the duplicates of a chunk, and converts offsets in the chunk to offsets in the whole
    /// text. `base` is the offset of the chunk. `from` and `first` are the numbers of definitions
    /// and references before the chunk.
    pub(super) fn finish_chunk(&mut self, text: &str, base: usize, from: usize, first: usize) {
        let rest = self.candidates.split_off(self.passed.min(self.candidates.len()));
        self.duplicates.extend(rest);
        for start in std::mem::take(&mut self.duplicates) {
            let rest = &text.as_bytes()[start..];
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let whole = Span::new(start, start + rest[..end].trim_ascii_end().len());
            self.definitions.push(Definition { whole, is_used: false, is_duplicate: true });
        }
        for definition in &mut self.definitions[from..] {
            definition.whole = definition.whole.shifted(base);
        }
        self.definitions[from..].sort_by_key(|it| it.whole.start);
        for reference in &mut self.undefined[first..] {
            reference.whole = reference.whole.shifted(base);
        }
        self.undefined[first..].sort_unstable();
    }

    /// Resolves references to definitions in other chunks of `text`.
    pub(super) fn resolve_across_chunks(&mut self, text: &[u8]) {
        let label = |span: Span| normalized_label(text.get(span.range()).unwrap_or_default());
        let mut defined = HashSet::new();
        for definition in &mut self.definitions {
            definition.is_duplicate |= !defined.insert(label(definition.label(text)));
        }
        let mut used = HashSet::new();
        self.undefined.retain(|reference| {
            let label = label(reference.label(text));
            let is_defined = defined.contains(&label);
            if is_defined {
                used.insert(label);
            }
            !is_defined
        });
        for definition in &mut self.definitions {
            definition.is_used |= used.contains(&label(definition.label(text)));
        }
    }
}
