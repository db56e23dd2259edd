//! The breaks inside a URL.

use super::join_evidence::JoinEvidenceSet;
use urlsift_core::Span;

/// The reason why the URL parts before and after a break were joined. The names are stable; more
/// may be added.
///
/// ```
/// use urlsift_scanner::{JoinKind, Scanner};
/// let scanner = Scanner::builder().build();
/// let found = scanner.find_iter(b"<URL:http://host.dom/\na>").next().unwrap();
/// assert_eq!(found.seams()[0].kind, JoinKind::Wrapper);
/// assert_eq!(JoinKind::WrapColumn.to_string(), "wrap-column");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JoinKind {
    /// The break is inside a wrapper, where all white space is ignored (RFC 1738, Appendix).
    Wrapper,
    /// The break is a soft break of `format=flowed` (RFC 3676).
    Flowed,
    /// The whole URL occurs unbroken nearby.
    Twin,
    /// The line is filled to the column at which the text wraps.
    WrapColumn,
    /// The text on both sides of the break indicates a continuation.
    Continuation,
    /// The break contains the footer, form feed or header between two pages.
    PageBreak,
    /// The break is the angle bracket before a Message-ID after `news:`.
    NewsBracket,
    /// The break is part of an escape in the markup. Either it is a backslash, together with the
    /// escaped character if this character is not part of the URL, or it is the `amp;` of an
    /// encoded ampersand (`&amp;`).
    Escape,
    /// An escape sequence of a terminal, or a formatting code of mIRC.
    Ansi,
}

impl JoinKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Wrapper,
        Self::Flowed,
        Self::Twin,
        Self::WrapColumn,
        Self::Continuation,
        Self::PageBreak,
        Self::NewsBracket,
        Self::Escape,
        Self::Ansi,
    ];

    /// True if a break of this kind may contain the end of a line.
    pub(crate) const fn is_line_break(self) -> bool {
        !matches!(self, Self::Escape | Self::Ansi)
    }

    /// Returns the stable name, as used in records: e.g. `wrap-column`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrapper => "wrapper",
            Self::Flowed => "flowed",
            Self::Twin => "twin",
            Self::WrapColumn => "wrap-column",
            Self::Continuation => "continuation",
            Self::PageBreak => "page-break",
            Self::NewsBracket => "news-bracket",
            Self::Escape => "escape",
            Self::Ansi => "ansi",
        }
    }
}

/// The confidence that the URL parts before and after a break belong together.
///
/// ```
/// use urlsift_scanner::{Grade, Scanner};
/// let scanner = Scanner::builder().build();
/// let found = scanner.find_iter(b"<URL:http://host.dom/\na>").next().unwrap();
/// assert_eq!(found.seams()[0].grade, Grade::Certain);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Grade {
    /// The evidence for the join outweighs the evidence against it.
    Likely,
    /// The format or the text itself proves the join.
    Certain,
}

impl Grade {
    /// Both grades, the more certain one last.
    pub const ALL: [Self; 2] = [Self::Likely, Self::Certain];

    /// Returns the stable name, as used in records: `likely` or `certain`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Likely => "likely",
            Self::Certain => "certain",
        }
    }
}

urlsift_core::by_name!(JoinKind, Grade);

/// A break inside a URL: bytes of the text that are layout and not part of the URL. Examples are a
/// line break with the blanks and quote marks around it, an escape of the markup, and a terminal
/// code. Records call a break a join.
///
/// ```
/// use urlsift_core::Span;
/// use urlsift_scanner::{Grade, JoinKind, Scanner};
///
/// let scanner = Scanner::builder().build();
/// let found = scanner.find_iter(b"<URL:http://host.dom/a-\n b>").next().unwrap();
/// let seam = found.seams()[0];
/// assert_eq!((seam.gap, seam.hyphen), (Span::new(23, 25), true));
/// assert_eq!((seam.kind, seam.grade), (JoinKind::Wrapper, Grade::Certain));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seam {
    /// The span of the dropped bytes in the text.
    pub gap: Span,
    /// True if the break is right after a hyphen, so that there are two readings.
    pub hyphen: bool,
    /// The reason why the URL was joined over the break.
    pub kind: JoinKind,
    /// The confidence that the join is correct.
    pub grade: Grade,
    /// Why the URL was continued after the break. Empty if the kind alone explains the join.
    pub evidence: JoinEvidenceSet,
}

impl Seam {
    /// Creates the break that drops the bytes at `gap` from the URL. `last` is the last byte of the
    /// URL before the break.
    pub(crate) fn new(gap: Span, last: Option<&u8>, kind: JoinKind, grade: Grade) -> Self {
        let hyphen = kind.is_line_break() && last == Some(&b'-');
        Self { gap, hyphen, kind, grade, evidence: JoinEvidenceSet::EMPTY }
    }
}
