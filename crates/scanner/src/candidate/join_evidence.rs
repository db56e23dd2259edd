//! The reasons for joining a URL across a line break.

/// A piece of evidence that a bare URL continues after a line break. The names are stable, but new
/// ones may be added.
///
/// ```
/// use urlsift_scanner::{JoinEvidence, Scanner};
/// let text = b"(http://host.dom/a/\nb.html)";
/// let found = Scanner::builder().build().find_iter(text).next().unwrap();
/// let evidence: Vec<_> = found.seams()[0].evidence.iter().map(JoinEvidence::name).collect();
/// assert_eq!(evidence, ["slash-end", "closing-bracket", "alone", "isolated", "file-suffix"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JoinEvidence {
    /// The first line ends with one of `= & ? % - _ + #`.
    OpenEnd,
    /// The break is at a hyphen or underscore between two letters or digits.
    Hyphen,
    /// The first line ends with a slash.
    SlashEnd,
    /// The break is inside the host, or right before it.
    HostBroken,
    /// The first line is full: no line nearby is longer, or the next word would not have fit on it.
    FullLine,
    /// The first line is full and ends at a usual column (71 to 81), and the next line is a single
    /// word.
    Overflow,
    /// A bracket or quote opens right before the URL and closes right after the next word.
    ClosingBracket,
    /// The next line is a single word.
    Alone,
    /// The next line is a single word, and the line below it is empty, a drawn line (`-----`), or
    /// more of the URL.
    Isolated,
    /// The next word ends in a file extension, and the URL before the break does not.
    FileSuffix,
    /// The next word looks like part of a URL: it contains a path, a query, an escape, or many
    /// words joined with hyphens or underscores.
    UrlStructure,
    /// The next word starts with a slash, and starts at the column of the URL or to the right of
    /// it.
    HangingSlash,
    /// The URL was already joined over an earlier break.
    EarlierBreak,
    /// The next word completes something that starts in the URL: a file extension, an escape, a
    /// hash, a line number, a bracket, or the link of a mail gateway.
    Completion,
    /// The `=` before the break marks a soft break of quoted-printable that nobody decoded.
    QuotedPrintable,
    /// The break is between the scheme's colon and its slashes.
    SplitScheme,
}

impl JoinEvidence {
    /// All pieces of evidence.
    pub const ALL: [Self; 16] = [
        Self::OpenEnd,
        Self::Hyphen,
        Self::SlashEnd,
        Self::HostBroken,
        Self::FullLine,
        Self::Overflow,
        Self::ClosingBracket,
        Self::Alone,
        Self::Isolated,
        Self::FileSuffix,
        Self::UrlStructure,
        Self::HangingSlash,
        Self::EarlierBreak,
        Self::Completion,
        Self::QuotedPrintable,
        Self::SplitScheme,
    ];

    /// Returns the stable name, as used in records: e.g. `full-line`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenEnd => "open-end",
            Self::Hyphen => "hyphen",
            Self::SlashEnd => "slash-end",
            Self::HostBroken => "host-broken",
            Self::FullLine => "full-line",
            Self::Overflow => "overflow",
            Self::ClosingBracket => "closing-bracket",
            Self::Alone => "alone",
            Self::Isolated => "isolated",
            Self::FileSuffix => "file-suffix",
            Self::UrlStructure => "url-structure",
            Self::HangingSlash => "hanging-slash",
            Self::EarlierBreak => "earlier-break",
            Self::Completion => "completion",
            Self::QuotedPrintable => "quoted-printable",
            Self::SplitScheme => "split-scheme",
        }
    }
}

urlsift_core::by_name!(JoinEvidence);

/// A set of [`JoinEvidence`]. It is empty if the [`JoinKind`](crate::JoinKind) alone explains the
/// join, e.g. in a wrapper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct JoinEvidenceSet(u32);

impl JoinEvidenceSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns the set with `evidence` added.
    #[must_use]
    pub const fn with(self, evidence: JoinEvidence) -> Self {
        Self(self.0 | 1 << evidence as u32)
    }

    /// Returns the pieces of evidence in the set, in the order of [`JoinEvidence::ALL`].
    pub fn iter(self) -> impl Iterator<Item = JoinEvidence> {
        JoinEvidence::ALL.into_iter().filter(move |piece| self.0 & 1 << *piece as u32 != 0)
    }
}
