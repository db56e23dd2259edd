//! Options for reading a file.

use crate::encoding::Encoding;
use crate::json_record::JsonFields;
use crate::notation::Notation;
use crate::utc::Utc;
use crate::web::WebRecords;

/// The format that the user chose to read the input as (`--input`).
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
    /// Detect the format from the content.
    #[default]
    Auto,
    /// Plain text: no mail is unpacked, and nothing is decoded.
    Text,
    /// Mail or news: a mailbox or batch if the content looks like one, else a single message.
    Mail,
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
    /// reStructuredText.
    Rst,
    /// `AsciiDoc`.
    AsciiDoc,
    /// A format with escapes.
    Escaped(Notation),
    /// JSON Lines: see [`Options::json_fields`].
    JsonLines,
    /// Binary data with texts in it, possibly in UTF-16.
    Binary,
}

impl Reading {
    /// All values.
    pub const ALL: [Self; 16] = [
        Self::Auto,
        Self::Text,
        Self::Mail,
        Self::Html,
        Self::Markdown,
        Self::Rst,
        Self::AsciiDoc,
        Self::Escaped(Notation::Json),
        Self::JsonLines,
        Self::Escaped(Notation::Xml),
        Self::Escaped(Notation::Tex),
        Self::Escaped(Notation::Man),
        Self::Escaped(Notation::Jupyter),
        Self::Escaped(Notation::ContentLines),
        Self::Escaped(Notation::Gettext),
        Self::Binary,
    ];

    /// Returns the format's stable name, as used on the command line and in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Text => "text",
            Self::Mail => "mail",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Rst => "rst",
            Self::AsciiDoc => "asciidoc",
            Self::Escaped(Notation::Json) => "json",
            Self::Escaped(Notation::Xml) => "xml",
            Self::Escaped(Notation::EncodedXml) => "encoded-xml",
            Self::Escaped(Notation::Tex) => "tex",
            Self::Escaped(Notation::Man) => "man",
            Self::Escaped(Notation::Jupyter) => "ipynb",
            Self::Escaped(Notation::ContentLines) => "ics",
            Self::Escaped(Notation::Gettext) => "po",
            Self::JsonLines => "jsonl",
            Self::Binary => "binary",
        }
    }
}

/// The header fields that are scanned (`--headers`).
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
    /// No header fields are scanned.
    None,
    /// Fields meant to contain a URL: `List-*` (except `List-Id`), `Archived-At`,
    /// `Content-Location`, `Content-Base`, `Link`, `X-URL` and other fields named for a URL.
    /// `Subject` is included, because people write it.
    #[default]
    Urls,
    /// All fields except those that only contain identifiers and addresses in angle brackets
    /// (`Message-ID`, `References`, `In-Reply-To`, `Return-Path`, `Received`, …).
    All,
}

impl Headers {
    /// All values. Each one includes the fields of those before it.
    pub const ALL: [Self; 3] = [Self::None, Self::Urls, Self::All];

    /// Returns the value's stable name, as used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Urls => "urls",
            Self::All => "all",
        }
    }
}

urlsift_core::by_name!(Reading, Headers);

/// The options and limits for reading a file with [`documents`](crate::documents).
///
/// ```
/// use urlsift_archive::{Encoding, Headers, Options};
/// let mut options = Options::default();
/// options.headers = Headers::All;
/// options.max_message = 1 << 20;
/// options.encoding = Encoding::by_label("latin1");
/// assert!(options.encoding.is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Options {
    /// The header fields that are scanned.
    pub headers: Headers,
    /// The maximum nesting depth of parts, including nested messages. Deeper parts are scanned as
    /// raw text.
    pub max_depth: usize,
    /// The maximum number of parts of one message. The rest of the message is scanned as raw text.
    pub max_parts: usize,
    /// The maximum length of a message that is unpacked, in bytes. Longer ones are scanned as raw
    /// text. All readers of a file must use the same value to find the same URLs.
    pub max_message: usize,
    /// The charset of texts that don't declare one. By default, UTF-8 unless the bytes show another
    /// charset.
    pub encoding: Option<Encoding>,
    /// True if a [`DocumentKind::Message`](crate::DocumentKind::Message) is sent before the other
    /// documents of each message. Default: false.
    pub starts: bool,
    /// True if defanged URLs (`hxxp://host[.]dom/`) are restored before scanning. Default: false.
    pub refang: bool,
    /// The records of web archives to read.
    pub web_records: WebRecords,
    /// The names of the fields that contain the text, date and identifier of a JSON Lines record.
    /// By default, JSON Lines are not read as records.
    pub json_fields: JsonFields,
    /// True if documents include the base URLs for relative links:
    /// [`Origin::bases`](crate::Origin::bases). Default: false.
    pub bases: bool,
    /// True if documents include the text of links, for [`link_text`](crate::link_text). Default:
    /// false.
    pub link_texts: bool,
    /// The date of an HTML file that shows no message, because it is an attachment of one. Default:
    /// `None`.
    pub attachment_date: Option<Utc>,
    /// True if the source of each HTML page is sent as one document in
    /// [`Dialect::Html`](crate::Dialect::Html), instead of its attributes and texts. Default:
    /// false.
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
            json_fields: JsonFields::default(),
            bases: false,
            link_texts: false,
            attachment_date: None,
            html_source: false,
        }
    }
}
