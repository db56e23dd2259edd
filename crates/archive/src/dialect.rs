//! What a text is written in.

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
    /// HTML source, tags and all (the inside of a comment, say).
    Html,
    /// Markdown with JSX in it.
    Mdx,
    /// `AsciiDoc`.
    AsciiDoc,
    /// A Jupyter notebook: JSON, whose cells hold Markdown and programs.
    Jupyter,
    /// No text as a whole, but bytes with texts among them, also in UTF-16: a program that was compiled, a document, a dump.
    Binary,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Plain,
        Self::Markdown,
        Self::Mdx,
        Self::Rst,
        Self::AsciiDoc,
        Self::Html,
        Self::Jupyter,
        Self::Binary,
    ];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Markdown => "markdown",
            Self::Rst => "rst",
            Self::Html => "html",
            Self::Mdx => "mdx",
            Self::AsciiDoc => "asciidoc",
            Self::Jupyter => "jupyter",
            Self::Binary => "binary",
        }
    }
}

urlsift_core::by_name!(Dialect);
