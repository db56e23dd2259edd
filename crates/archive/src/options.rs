//! How a file is to be read.

use crate::encoding::Encoding;
use crate::notation::Notation;
use crate::web::WebRecords;

/// What the bytes are to be taken for (`--input`).
///
/// ```
/// use urlsift_archive::{Container, Dialect, Head, Reading, detect};
/// let text = b"<html><a href='http://host.dom/'>";
/// assert_eq!(detect(Head::of(text), None, Reading::Auto), Container::Html);
/// assert_eq!(detect(Head::of(text), None, Reading::Text), Container::Text(Dialect::Plain));
/// assert_eq!("mail".parse(), Ok(Reading::Mail));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// Whatever their content shows.
    #[default]
    Auto,
    /// Running text, as it stands: no mail is unpacked, nothing is decoded.
    Text,
    /// Mail or news: a mailbox or a batch where the content shows one, else a single message.
    Mail,
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
    /// reStructuredText.
    Rst,
    /// A format with escapes.
    Escaped(Notation),
    /// Bytes with texts among them, also in UTF-16.
    Binary,
}

impl Reading {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Auto,
        Self::Text,
        Self::Mail,
        Self::Html,
        Self::Markdown,
        Self::Rst,
        Self::Escaped(Notation::Json),
        Self::Escaped(Notation::Xml),
        Self::Escaped(Notation::Tex),
        Self::Escaped(Notation::Man),
        Self::Escaped(Notation::Jupyter),
        Self::Binary,
    ];

    /// The stable name, as on the command line and in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Text => "text",
            Self::Mail => "mail",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Rst => "rst",
            Self::Escaped(Notation::Json) => "json",
            Self::Escaped(Notation::Xml) => "xml",
            Self::Escaped(Notation::Tex) => "tex",
            Self::Escaped(Notation::Man) => "man",
            Self::Escaped(Notation::Jupyter) => "ipynb",
            Self::Binary => "binary",
        }
    }
}

/// Which header fields are scanned (`--headers`).
///
/// ```
/// use urlsift_archive::{Headers, Options};
/// let mut options = Options::default();
/// assert_eq!(options.headers, Headers::Urls);
/// options.headers = "all".parse()?;
/// # Ok::<(), urlsift_core::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Headers {
    /// None.
    None,
    /// Those whose purpose is to hold a URL: `List-*` (but `List-Id`), `Archived-At`,
    /// `Content-Location`, `Content-Base`, `Link`, `X-URL` and other fields named for a URL; and
    /// `Subject`, which a person wrote.
    #[default]
    Urls,
    /// All but those that hold only identifiers and addresses in angle brackets (`Message-ID`,
    /// `References`, `In-Reply-To`, `Return-Path`, `Received`, …).
    All,
}

impl Headers {
    /// All choices, each with the fields of those before it.
    pub const ALL: [Self; 3] = [Self::None, Self::Urls, Self::All];

    /// The stable name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Urls => "urls",
            Self::All => "all",
        }
    }
}

urlsift_core::by_name!(Reading, Headers);

/// The bounds and choices of a walk.
///
/// ```
/// use urlsift_archive::{Encoding, Headers, Options};
/// let mut options = Options::default();
/// options.headers = Headers::All;
/// options.max_message = 1 << 20;
/// options.encoding = Encoding::named("latin1");
/// assert!(options.encoding.is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Which header fields are scanned.
    pub headers: Headers,
    /// How deep parts may nest, messages within messages included. What lies deeper is scanned as
    /// the raw text it is.
    pub max_depth: usize,
    /// How many parts of one message are told apart. The rest is scanned as the raw text it is.
    pub max_parts: usize,
    /// The length in bytes up to which a message is unpacked; a longer one is scanned as the raw
    /// text it is. Equal in every way of reading a file, so that they all find the same.
    pub max_message: usize,
    /// The charset of texts that do not say theirs. Default: UTF-8, and what shows itself.
    pub encoding: Option<Encoding>,
    /// Whether a [`DocumentKind::Message`](crate::DocumentKind::Message) comes before what is in each message.
    pub starts: bool,
    /// Whether texts are read as if the URLs in them had not been defanged (`hxxp://host[.]dom/`). Default: no.
    pub refang: bool,
    /// Which records of web archives are read.
    pub web_records: WebRecords,
    /// Whether documents tell what relative links in them are relative to: [`Origin::bases`](crate::Origin::bases). Default: no.
    pub bases: bool,
    /// True if each HTML page is one document, its source in [`Dialect::Html`](crate::Dialect::Html), instead of being taken apart.
    /// Default: no.
    pub html_source: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            headers: Headers::Urls,
            max_depth: 32,
            max_parts: 10_000,
            max_message: 64 << 20,
            encoding: None,
            starts: false,
            refang: false,
            web_records: WebRecords::Pages,
            bases: false,
            html_source: false,
        }
    }
}
