//! Changes to a text that mend a fault.

use std::borrow::Cow;
use urlsift_core::Span;

/// Replace the bytes of `span` by `text`.
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
    /// The bytes to be replaced, within the text at hand; empty for an insertion.
    pub span: Span,
    /// What takes their place; empty for a deletion.
    pub text: Cow<'static, [u8]>,
}

impl Edit {
    /// Puts `text` in the place of the bytes of `span`.
    pub fn replace(span: Span, text: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { span, text: text.into() }
    }

    /// Puts `text` before the byte at `at`.
    pub fn insert(at: usize, text: impl Into<Cow<'static, [u8]>>) -> Self {
        Self::replace(Span::new(at, at), text)
    }

    /// Takes the bytes of `span` away.
    pub fn delete(span: Span) -> Self {
        Self::replace(span, b"")
    }
}

/// How far a fix can be trusted.
///
/// ```
/// use urlsift_lint::Applicability;
/// assert!(Applicability::Display < Applicability::Unsafe && Applicability::Unsafe < Applicability::Safe);
/// assert_eq!("safe".parse(), Ok(Applicability::Safe));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Applicability {
    /// Only shown: the place cannot be edited, or a person has to choose.
    Display,
    /// Probably what was meant, but it may change which resource the URL names.
    Unsafe,
    /// The URL means what it meant, or what it can only have meant.
    Safe,
}

impl Applicability {
    /// All, from the least trusted on.
    pub const ALL: [Self; 3] = [Self::Display, Self::Unsafe, Self::Safe];

    /// The stable name: `safe`, `unsafe` or `display`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Unsafe => "unsafe",
            Self::Safe => "safe",
        }
    }
}

urlsift_core::by_name!(Applicability);

/// The edits that mend one fault. They are made together or not at all.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_lint::{Applicability, Edit, Fix};
/// let fix = Fix::safe(Edit::delete(Span::new(3, 4))).unwrap();
/// assert_eq!((fix.applicability, fix.edits.len()), (Applicability::Safe, 1));
/// assert_eq!(Fix::risky(Edit::insert(3, b"/")).unwrap().applicability, Applicability::Unsafe);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// How far it can be trusted.
    pub applicability: Applicability,
    /// In order, not overlapping.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// One safe edit.
    pub fn safe(edit: Edit) -> Option<Self> {
        Some(Self { applicability: Applicability::Safe, edits: vec![edit] })
    }

    /// One unsafe edit.
    pub fn risky(edit: Edit) -> Option<Self> {
        Some(Self { applicability: Applicability::Unsafe, edits: vec![edit] })
    }
}
