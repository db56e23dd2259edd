//! The markup of a text.

/// The markup that a text is written in.
///
/// ```
/// use urlsift_archive::Dialect;
/// assert_eq!("mdx".parse(), Ok(Dialect::Mdx));
/// assert_eq!(Dialect::default().name(), "plain");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Running text.
    #[default]
    Plain,
    /// Markdown.
    Markdown,
    /// reStructuredText.
    Rst,
    /// HTML source including its tags (e.g. the content of a comment).
    Html,
    /// Markdown with JSX in it.
    Mdx,
    /// `AsciiDoc`.
    AsciiDoc,
    /// Org, the markup of Emacs.
    Org,
    /// The markup of `MediaWiki`.
    MediaWiki,
    /// Texinfo, the markup of GNU manuals.
    Texinfo,
    /// A Jupyter notebook: JSON whose cells contain Markdown and programs.
    Jupyter,
    /// Binary data with texts in it, possibly in UTF-16: a compiled program, a document, a dump.
    Binary,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 11] = [
        Self::Plain,
        Self::Markdown,
        Self::Mdx,
        Self::Rst,
        Self::AsciiDoc,
        Self::Org,
        Self::MediaWiki,
        Self::Texinfo,
        Self::Html,
        Self::Jupyter,
        Self::Binary,
    ];

    /// True if square brackets right after a URL always contain its label in this markup, as in
    /// `http://h.dom[label]`.
    ///
    /// ```
    /// use urlsift_archive::Dialect;
    /// assert!(Dialect::AsciiDoc.has_url_labels() && !Dialect::Markdown.has_url_labels());
    /// ```
    pub const fn has_url_labels(self) -> bool {
        matches!(self, Self::AsciiDoc)
    }

    /// Returns the dialect's stable name, such as `markdown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Markdown => "markdown",
            Self::Rst => "rst",
            Self::Html => "html",
            Self::Mdx => "mdx",
            Self::AsciiDoc => "asciidoc",
            Self::Org => "org",
            Self::MediaWiki => "mediawiki",
            Self::Texinfo => "texinfo",
            Self::Jupyter => "jupyter",
            Self::Binary => "binary",
        }
    }
}

urlsift_core::by_name!(Dialect);
