//! Edits of a text, and fixes that consist of them.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut};
use urlsift_core::Span;

/// An edit of a text, which replaces the bytes at `span` by `text`.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_lint::Edit;
/// let edit = Edit::insert(4, b"/");
/// assert_eq!((edit.span, &*edit.text), (Span::new(4, 4), &b"/"[..]));
/// assert_eq!(Edit::delete(Span::new(1, 3)), Edit::replace(Span::new(1, 3), b""));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes to replace; empty for an insertion.
    pub span: Span,
    /// The new bytes; empty for a deletion.
    pub text: Cow<'static, [u8]>,
}

impl Edit {
    /// Creates an edit that replaces the bytes at `span` by `text`.
    pub fn replace(span: Span, text: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { span, text: text.into() }
    }

    /// Creates an edit that inserts `text` before the byte at offset `at`.
    pub fn insert(at: usize, text: impl Into<Cow<'static, [u8]>>) -> Self {
        Self::replace(Span::new(at, at), text)
    }

    /// Creates an edit that deletes the bytes at `span`.
    pub fn delete(span: Span) -> Self {
        Self::replace(span, b"")
    }
}

/// How safe it is to apply a fix, from the lowest to the highest.
///
/// ```
/// use urlsift_lint::Applicability;
/// assert!(Applicability::Display < Applicability::Unsafe && Applicability::Unsafe < Applicability::Safe);
/// assert_eq!("safe".parse(), Ok(Applicability::Safe));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Applicability {
    /// The fix is only displayed, because the text can't be edited there or a person has to decide.
    Display,
    /// The fix is probably what the author intended, but may change which resource the URL names.
    Unsafe,
    /// The URL keeps its meaning, or gets the only meaning that the author can have intended.
    Safe,
}

impl Applicability {
    /// Every applicability, from the lowest to the highest.
    pub const ALL: [Self; 3] = [Self::Display, Self::Unsafe, Self::Safe];

    /// Returns the stable name: `safe`, `unsafe` or `display`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Unsafe => "unsafe",
            Self::Safe => "safe",
        }
    }
}

urlsift_core::by_name!(Applicability);

/// The edits of a fix, usable like a slice. A single edit, as in most fixes, needs no allocation.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_lint::{Edit, Edits};
/// let mut edits = Edits::from(Edit::insert(4, b"/"));
/// edits.extend([Edit::delete(Span::new(6, 8))]);
/// assert_eq!(edits.len(), 2);
/// assert_eq!(edits, Edits::from(vec![Edit::insert(4, b"/"), Edit::delete(Span::new(6, 8))]));
/// ```
#[derive(Clone)]
pub struct Edits(List);

#[derive(Clone)]
enum List {
    One(Edit),
    Many(Vec<Edit>),
}

impl Deref for Edits {
    type Target = [Edit];

    fn deref(&self) -> &[Edit] {
        match &self.0 {
            List::One(edit) => std::slice::from_ref(edit),
            List::Many(edits) => edits,
        }
    }
}

impl DerefMut for Edits {
    fn deref_mut(&mut self) -> &mut [Edit] {
        match &mut self.0 {
            List::One(edit) => std::slice::from_mut(edit),
            List::Many(edits) => edits,
        }
    }
}

impl From<Edit> for Edits {
    fn from(edit: Edit) -> Self {
        Self(List::One(edit))
    }
}

impl From<Vec<Edit>> for Edits {
    fn from(edits: Vec<Edit>) -> Self {
        Self(List::Many(edits))
    }
}

impl FromIterator<Edit> for Edits {
    fn from_iter<T: IntoIterator<Item = Edit>>(edits: T) -> Self {
        Self(List::Many(edits.into_iter().collect()))
    }
}

impl Extend<Edit> for Edits {
    fn extend<T: IntoIterator<Item = Edit>>(&mut self, more: T) {
        let mut all = match std::mem::replace(&mut self.0, List::Many(Vec::new())) {
            List::One(edit) => vec![edit],
            List::Many(edits) => edits,
        };
        all.extend(more);
        self.0 = List::Many(all);
    }
}

impl IntoIterator for Edits {
    type Item = Edit;
    type IntoIter = std::vec::IntoIter<Edit>;

    fn into_iter(self) -> Self::IntoIter {
        match self.0 {
            List::One(edit) => vec![edit].into_iter(),
            List::Many(edits) => edits.into_iter(),
        }
    }
}

impl<'a> IntoIterator for &'a Edits {
    type Item = &'a Edit;
    type IntoIter = std::slice::Iter<'a, Edit>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Edits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl PartialEq for Edits {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl Eq for Edits {}

/// The edits that fix one fault. They are applied together or not at all.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_lint::{Applicability, Edit, Fix};
/// let fix = Fix::safe_fix(Edit::delete(Span::new(3, 4))).unwrap();
/// assert_eq!((fix.applicability, fix.edits.len()), (Applicability::Safe, 1));
/// assert_eq!(Fix::unsafe_fix(Edit::insert(3, b"/")).unwrap().applicability, Applicability::Unsafe);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// How safe it is to apply the fix.
    pub applicability: Applicability,
    /// The edits, in order and not overlapping.
    pub edits: Edits,
}

impl Fix {
    /// Creates a safe fix that consists of one edit. Always returns `Some`, so that a
    /// [`FixFn`](crate::FixFn) can return the result directly.
    pub fn safe_fix(edit: Edit) -> Option<Self> {
        Some(Self { applicability: Applicability::Safe, edits: edit.into() })
    }

    /// Creates an unsafe fix that consists of one edit. Always returns `Some`, so that a
    /// [`FixFn`](crate::FixFn) can return the result directly.
    pub fn unsafe_fix(edit: Edit) -> Option<Self> {
        Some(Self { applicability: Applicability::Unsafe, edits: edit.into() })
    }
}
