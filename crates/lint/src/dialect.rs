//! The markup and programming languages that the linter knows.

use crate::language::Language;
pub use urlsift_archive::Dialect as Markup;
use urlsift_archive::{Container, Notation, Reading};
use urlsift_records::dispatch::source_dialect;

/// The markup or programming language of a text, which determines where links and code are.
///
/// ```
/// use urlsift_lint::{Dialect, Language, Markup};
/// assert_eq!("mdx".parse(), Ok(Dialect::Text(Markup::Mdx)));
/// assert_eq!("rust".parse(), Ok(Dialect::Source(Language::Rust)));
/// assert_eq!(Dialect::default().name(), "plain");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// A text with or without markup.
    Text(Markup),
    /// Source code. Its comments are linted as text.
    Source(Language),
}

impl Default for Dialect {
    fn default() -> Self {
        Self::Text(Markup::Plain)
    }
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; Markup::ALL.len() + Language::ALL.len()] = {
        let mut all = [Self::Text(Markup::Plain); Markup::ALL.len() + Language::ALL.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = if at < Markup::ALL.len() {
                Self::Text(Markup::ALL[at])
            } else {
                Self::Source(Language::ALL[at - Markup::ALL.len()])
            };
            at += 1;
        }
        all
    };

    /// Returns the stable name of the markup or programming language, e.g. `markdown` or `python`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text(markup) => markup.name(),
            Self::Source(language) => language.name(),
        }
    }

    /// True if the dialect writes links as `http://host/[label]`, so that brackets right after a
    /// URL contain its label.
    pub(crate) const fn has_url_labels(self) -> bool {
        matches!(self, Self::Text(markup) if markup.has_url_labels())
    }

    /// Returns the dialect of a file that is linted as a single text. Returns `None` if the file
    /// contains several documents, e.g. mail, which are linted separately.
    ///
    /// `container` is the detected format, and `name` is the last component of the file's path.
    pub(crate) fn of_file(
        container: Container,
        name: Option<&[u8]>,
        reading: Reading,
    ) -> Option<Self> {
        let language = match container {
            Container::Escaped(Notation::Json) => Some(Language::Json),
            Container::Text(Markup::Plain | Markup::Binary) if reading == Reading::Auto => {
                name.and_then(Language::of_file)
            }
            _ => None,
        };
        language.map(Self::Source).or_else(|| source_dialect(container).map(Self::Text))
    }
}

urlsift_core::by_name!(Dialect);
