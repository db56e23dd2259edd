//! The markup and programming languages that the linter knows.

use crate::language::Language;
use urlsift_archive::{self as archive, Container, Notation, Reading};
use urlsift_records::dispatch::{Purpose, source_text};

/// The markup or programming language of a text, which determines where links and code are.
///
/// ```
/// use urlsift_lint::{Dialect, Language};
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
    /// HTML source with its tags.
    Html,
    /// Markdown with JSX in it.
    Mdx,
    /// `AsciiDoc` markup.
    AsciiDoc,
    /// A Jupyter notebook: JSON whose cells contain Markdown and programs.
    Jupyter,
    /// Source code. Its comments are linted as text.
    Source(Language),
    /// Binary data that contains text, possibly in UTF-16, such as a compiled program, a document
    /// or a dump.
    Binary,
}

/// The dialects that are listed before the languages.
const MARKUP: [Dialect; 7] = [
    Dialect::Plain,
    Dialect::Markdown,
    Dialect::Mdx,
    Dialect::Rst,
    Dialect::AsciiDoc,
    Dialect::Html,
    Dialect::Jupyter,
];

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; MARKUP.len() + Language::ALL.len() + 1] = {
        let mut all = [Self::Binary; MARKUP.len() + Language::ALL.len() + 1];
        let mut at = 0;
        while at < MARKUP.len() {
            all[at] = MARKUP[at];
            at += 1;
        }
        while at < MARKUP.len() + Language::ALL.len() {
            all[at] = Self::Source(Language::ALL[at - MARKUP.len()]);
            at += 1;
        }
        all
    };

    /// Returns the stable name. For source code, this is the name of the language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Markdown => "markdown",
            Self::Rst => "rst",
            Self::Html => "html",
            Self::Mdx => "mdx",
            Self::AsciiDoc => "asciidoc",
            Self::Jupyter => "jupyter",
            Self::Source(language) => language.name(),
            Self::Binary => "binary",
        }
    }

    /// Returns the dialect of a file that is linted directly. Returns `None` if the file contains
    /// several documents (e.g. mail), which are unpacked and linted separately.
    ///
    /// `container` is the detected format, and `name` is the last component of the file's path.
    pub(crate) fn of_file(
        container: Container,
        name: Option<&[u8]>,
        reading: Reading,
    ) -> Option<Self> {
        use archive::Dialect::{Binary, Plain};
        let language = match container {
            Container::Escaped(Notation::Json) => Some(Language::Json),
            Container::Text(Plain | Binary) if reading == Reading::Auto => {
                name.and_then(Language::of_file)
            }
            _ => None,
        };
        let markup = || source_text(container, Purpose::Lint).map(Self::from);
        language.map(Self::Source).or_else(markup)
    }
}

urlsift_core::by_name!(Dialect);

impl From<archive::Dialect> for Dialect {
    fn from(dialect: archive::Dialect) -> Self {
        match dialect {
            archive::Dialect::Markdown => Self::Markdown,
            archive::Dialect::Rst => Self::Rst,
            archive::Dialect::Html => Self::Html,
            archive::Dialect::Mdx => Self::Mdx,
            archive::Dialect::AsciiDoc => Self::AsciiDoc,
            archive::Dialect::Jupyter => Self::Jupyter,
            archive::Dialect::Binary => Self::Binary,
            _ => Self::Plain,
        }
    }
}
