//! The kinds of files that need different readers.

use crate::dialect::Dialect;
use crate::notation::Notation;
use crate::web::WebFormat;
use crate::{Options, Reading};
use urlsift_core::Charset;

/// The kind of a file, which decides how it is read.
///
/// ```
/// use urlsift_archive::{Container, Dialect, Head, Options, Reading, detect};
/// let head = Head::of(b"From joe Thu Dec  1 10:00:00 1994\nSubject: a\n\n");
/// let mbox = detect(head, None, Reading::Auto);
/// assert_eq!((mbox, mbox.name()), (Container::Mbox, "mbox"));
/// assert!(mbox.is_sequence() && mbox.is_splittable());
/// let mut options = Options::default();
/// options.refang = true;
/// assert_eq!(Container::Text(Dialect::Plain).adapt_to_options(&options), Container::Defanged);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    /// Text in this markup, scanned without decoding. It may be read in pieces of any length.
    Text(Dialect),
    /// Text whose markup delimits link destinations, which are separate documents: Markdown, MDX,
    /// reStructuredText, `AsciiDoc`, Org, `MediaWiki` or Texinfo. Read whole, or as [`Container::Text`] if
    /// it is too long for that: see [`Container::without_markup_if_too_long`].
    Markup(Dialect),
    /// HTML, whose attributes and text are separate documents. Read whole, or [piece by
    /// piece](crate::long) if it is long.
    Html,
    /// Text in a format with escapes. JSON and XML are read in independent pieces. In JSON these
    /// are lines; in XML a piece starts at each line that starts with a tag. The other formats, and
    /// XML that declares another charset than UTF-8, are read whole.
    Escaped(Notation),
    /// Text in the charset of [`Options::encoding`](crate::Options::encoding), which must be
    /// decoded before scanning. Read whole.
    Encoded,
    /// Text whose URLs may be defanged (`hxxp://h[.]dom`): see [`Options::refang`]. Read up to
    /// [`Options::max_message`] bytes at a time, between lines.
    Defanged,
    /// Text in UTF-16, recognized by its byte order mark or its bytes. Read whole.
    Utf16,
    /// Messages after `From ` lines.
    Mbox,
    /// Messages after `From ` lines, separated by their `Content-Length`. Must not be split.
    Mboxcl,
    /// One message or article: `.eml`, Maildir, MH, spool. Read whole.
    Message,
    /// A message of Apple Mail (`.emlx`): a line with its length, the message, and a property list,
    /// which is not scanned.
    Emlx,
    /// A batch of articles, each after a line `#! rnews LENGTH` (RFC 1036 §4).
    Rnews,
    /// The mailbox of the Emacs programs Rmail and Gnus.
    Babyl,
    /// The monthly log of a LISTSERV list: messages after lines of 73 `=`.
    Notebook,
    /// A file that news servers keep next to the articles (overview, active, history). It is not
    /// scanned.
    Index,
    /// A message in the format of Outlook attachments (`winmail.dat`). Read whole.
    Tnef,
    /// A message that Outlook saved (`.msg`). Read whole.
    Msg,
    /// A PDF file. Read whole.
    Pdf,
    /// The records of a web archive, separated by their lengths. Must not be split.
    Web(WebFormat),
}

impl Container {
    /// All containers. Of the text dialects, only those that are scanned differently are listed.
    pub const ALL: [Self; 34] = [
        Self::Text(Dialect::Plain),
        Self::Text(Dialect::Binary),
        Self::Markup(Dialect::Markdown),
        Self::Markup(Dialect::Mdx),
        Self::Markup(Dialect::Rst),
        Self::Markup(Dialect::AsciiDoc),
        Self::Markup(Dialect::Org),
        Self::Markup(Dialect::MediaWiki),
        Self::Markup(Dialect::Texinfo),
        Self::Html,
        Self::Escaped(Notation::Json),
        Self::Escaped(Notation::Xml),
        Self::Escaped(Notation::EncodedXml),
        Self::Escaped(Notation::Tex),
        Self::Escaped(Notation::Man),
        Self::Escaped(Notation::Jupyter),
        Self::Escaped(Notation::ContentLines),
        Self::Escaped(Notation::Gettext),
        Self::Encoded,
        Self::Defanged,
        Self::Utf16,
        Self::Mbox,
        Self::Mboxcl,
        Self::Message,
        Self::Emlx,
        Self::Rnews,
        Self::Babyl,
        Self::Notebook,
        Self::Index,
        Self::Tnef,
        Self::Msg,
        Self::Pdf,
        Self::Web(WebFormat::Warc),
        Self::Web(WebFormat::Arc),
    ];

    /// True if the container can only be read from a file, and not from a stream.
    pub const fn needs_file(self) -> bool {
        matches!(self, Self::Msg | Self::Pdf)
    }

    /// True if the texts in the container have no offsets of their own, as in a PDF file. Their
    /// span is that of the whole file.
    pub const fn is_packed_item(self) -> bool {
        matches!(self, Self::Tnef | Self::Msg | Self::Pdf)
    }

    /// Returns the container's stable name, such as `mbox`. Lists of units contain this name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text(Dialect::Binary) => Reading::Binary.name(),
            Self::Text(_) => Reading::Text.name(),
            Self::Markup(dialect) => dialect.name(),
            Self::Html => Reading::Html.name(),
            Self::Escaped(notation) => Reading::Escaped(notation).name(),
            Self::Encoded => "encoded",
            Self::Defanged => "defanged",
            Self::Utf16 => "utf-16",
            Self::Mbox => "mbox",
            Self::Mboxcl => "mboxcl",
            Self::Message => "message",
            Self::Emlx => "emlx",
            Self::Rnews => "rnews",
            Self::Babyl => "babyl",
            Self::Notebook => "notebook",
            Self::Index => "index",
            Self::Tnef => "tnef",
            Self::Msg => "msg",
            Self::Pdf => "pdf",
            Self::Web(format) => format.name(),
        }
    }

    /// Returns the container for a text in this markup: [`Container::Markup`] if the markup
    /// delimits link destinations, otherwise [`Container::Text`].
    pub(crate) const fn for_dialect(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Markdown
            | Dialect::Mdx
            | Dialect::Rst
            | Dialect::AsciiDoc
            | Dialect::Org
            | Dialect::MediaWiki
            | Dialect::Texinfo => Self::Markup(dialect),
            Dialect::Plain | Dialect::Html | Dialect::Jupyter | Dialect::Binary => {
                Self::Text(dialect)
            }
        }
    }

    /// Returns the container that a file is read as under these options. A text becomes
    /// [`Container::Encoded`] if the charset of the options must be decoded, or
    /// [`Container::Defanged`] if the options ask to restore defanged URLs. Other containers stay
    /// the same.
    #[must_use]
    pub fn adapt_to_options(self, options: &Options) -> Self {
        let encoding = options.encoding.filter(|encoding| encoding.scannable_charset().is_none());
        let is_encoded = encoding.is_some_and(|encoding| {
            // Not all of a binary file is in a charset of one byte per character.
            self != Self::Text(Dialect::Binary)
                || encoding.charset_if_undecoded() != Charset::EightBit
        });
        match self {
            Self::Text(_) if is_encoded => Self::Encoded,
            Self::Text(_) | Self::Markup(_) if options.refang => Self::Defanged,
            _ => self,
        }
    }

    /// Returns the container that a file of `len` bytes is read as. If a [`Container::Markup`] file
    /// is longer than [`Options::max_message`], it is read as [`Container::Text`], because markup
    /// can only be parsed as a whole. Other containers stay the same.
    #[must_use]
    pub const fn without_markup_if_too_long(self, len: u64, options: &Options) -> Self {
        match self {
            Self::Markup(dialect) if len > options.max_message as u64 => Self::Text(dialect),
            _ => self,
        }
    }
}

urlsift_core::by_name!(Container);
