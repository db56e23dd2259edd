//! What a text is written in.

/// The markup that a text is written in.
///
/// ```
/// use urlsift_archive::{Dialect, Language};
/// assert_eq!("mdx".parse(), Ok(Dialect::Mdx));
/// assert_eq!("rust".parse(), Ok(Dialect::Source(Language::Rust)));
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
    /// A program, in whose comments URLs stand as in a text.
    Source(Language),
    /// No text as a whole, but bytes with texts among them, also in UTF-16: a program that was compiled, a document, a dump.
    Binary,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Plain,
        Self::Markdown,
        Self::Mdx,
        Self::Rst,
        Self::AsciiDoc,
        Self::Html,
        Self::Jupyter,
        Self::Source(Language::C),
        Self::Source(Language::Go),
        Self::Source(Language::JavaScript),
        Self::Source(Language::Json),
        Self::Source(Language::Python),
        Self::Source(Language::Rust),
        Self::Source(Language::Shell),
        Self::Binary,
    ];

    /// The stable name; of a program, its language's.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Markdown => "markdown",
            Self::Rst => "rst",
            Self::Html => "html",
            Self::Mdx => "mdx",
            Self::AsciiDoc => "asciidoc",
            Self::Jupyter => "jupyter",
            Self::Source(Language::C) => "c",
            Self::Source(Language::Json) => "json",
            Self::Source(Language::Go) => "go",
            Self::Source(Language::JavaScript) => "javascript",
            Self::Source(Language::Python) => "python",
            Self::Source(Language::Rust) => "rust",
            Self::Source(Language::Shell) => "shell",
            Self::Binary => "binary",
        }
    }
}

urlsift_core::by_name!(Dialect);

/// The programming languages of which it is known what a comment is.
///
/// ```
/// use urlsift_archive::{Container, Dialect, Language, Reading, detect};
/// let found = detect(b"fn main() {}\n", Some(b"main.rs"), Reading::Auto);
/// assert_eq!(found, Container::Text(Dialect::Source(Language::Rust)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// C, C++, and what has the comments of C.
    C,
    /// JSON, which has none: all of it is data.
    Json,
    /// Go.
    Go,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Python, whose docstrings count as comments.
    Python,
    /// Rust.
    Rust,
    /// The shell.
    Shell,
}
