//! The names of the codings that can be decoded on the way from raw bytes to text.

/// A coding that was decoded to get a text from the raw bytes, such as base64 or a charset. Records
/// list the layers of each URL.
///
/// ```
/// use urlsift_archive::Layer;
/// assert_eq!(Layer::QuotedPrintable.name(), "quoted-printable");
/// assert_eq!(Layer::from_name("shift_jis"), Some(Layer::ShiftJis));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// The transfer encoding quoted-printable (RFC 2045 §6.7).
    QuotedPrintable,
    /// The transfer encoding base64 (RFC 2045 §6.8).
    Base64,
    /// The encoded words of a header field (RFC 2047).
    EncodedWords,
    /// A parameter of a header field that is divided into several (RFC 2231).
    Rfc2231,
    /// The folds and escapes of calendars and contact cards (RFC 5545 §3.1, §3.3.11).
    ContentLines,
    /// The strings of gettext catalogs: escapes are decoded, and adjacent strings are joined.
    Gettext,
    /// Texts from pipermail: ` at ` instead of `@` in `mailto` URLs.
    Pipermail,
    /// HTML: tags are dropped, and character references decoded.
    Html,
    /// The escapes in JSON strings (RFC 8259 §7).
    Json,
    /// The character and entity references of XML.
    Xml,
    /// The TeX commands for characters.
    Tex,
    /// The escapes of roff.
    Man,
    /// A Jupyter notebook: the escapes in its strings, and the JSON between the strings of one
    /// cell.
    Jupyter,
    /// Markdown: the backslash escapes and character references in a link destination.
    Markdown,
    /// `AsciiDoc`: the backslashes in a link target that prevent replacements.
    AsciiDoc,
    /// reStructuredText: the backslash escapes and white space in a target.
    Rst,
    /// Texinfo: the commands in a link target, such as `@@`.
    Texinfo,
    /// The notation that keeps programs from linking URLs: `hxxp`, `[.]`.
    Defang,
    /// The escape sequences of terminals and the formatting codes of mIRC.
    Ansi,
    /// UTF-16, in either byte order.
    Utf16,
    /// UTF-7 (RFC 2152).
    Utf7,
    /// ISO-2022-JP (RFC 1468), with the character sets that its successors added.
    Iso2022Jp,
    /// ISO-2022-KR (RFC 1557).
    Iso2022Kr,
    /// ISO-2022-CN (RFC 1922).
    Iso2022Cn,
    /// HZ (RFC 1843).
    Hz,
    /// A charset of one byte per character, such as ISO 8859-1, windows-1251 or KOI8-R.
    SingleByte,
    /// `Shift_JIS`.
    ShiftJis,
    /// EUC-JP.
    EucJp,
    /// Big5.
    Big5,
    /// EUC-KR and its superset, the Unified Hangul Code.
    EucKr,
    /// GB 18030 and its subsets GBK and GB 2312.
    Gb18030,
    /// The chunks of an HTTP body (RFC 9112 §7.1).
    Chunked,
    /// An HTTP body compressed with brotli (RFC 7932).
    Brotli,
    /// An HTTP body compressed with gzip.
    Gzip,
    /// An HTTP body compressed with deflate.
    Deflate,
    /// TNEF, the format of `winmail.dat` (MS-OXTNEF).
    Tnef,
    /// A message in the format in which Outlook saves messages (MS-OXMSG).
    Msg,
    /// PDF (ISO 32000).
    Pdf,
}

impl Layer {
    /// All layers, in the order of their declaration.
    pub const ALL: [Self; 38] = [
        Self::QuotedPrintable,
        Self::Base64,
        Self::EncodedWords,
        Self::Rfc2231,
        Self::ContentLines,
        Self::Gettext,
        Self::Pipermail,
        Self::Html,
        Self::Json,
        Self::Xml,
        Self::Tex,
        Self::Man,
        Self::Jupyter,
        Self::Markdown,
        Self::AsciiDoc,
        Self::Rst,
        Self::Texinfo,
        Self::Defang,
        Self::Ansi,
        Self::Utf16,
        Self::Utf7,
        Self::Iso2022Jp,
        Self::Iso2022Kr,
        Self::Iso2022Cn,
        Self::Hz,
        Self::SingleByte,
        Self::ShiftJis,
        Self::EucJp,
        Self::Big5,
        Self::EucKr,
        Self::Gb18030,
        Self::Chunked,
        Self::Brotli,
        Self::Gzip,
        Self::Deflate,
        Self::Tnef,
        Self::Msg,
        Self::Pdf,
    ];

    /// Returns the layer's name, as it is written in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::QuotedPrintable => "quoted-printable",
            Self::Base64 => "base64",
            Self::Rfc2231 => "rfc2231",
            Self::EncodedWords => "rfc2047",
            Self::ContentLines => "rfc5545",
            Self::Gettext => "po",
            Self::Pipermail => "pipermail",
            Self::Html => "html",
            Self::Json => "json",
            Self::Xml => "xml",
            Self::Tex => "tex",
            Self::Man => "man",
            Self::Jupyter => "ipynb",
            Self::Markdown => "markdown",
            Self::AsciiDoc => "asciidoc",
            Self::Rst => "rst",
            Self::Texinfo => "texinfo",
            Self::Defang => "defang",
            Self::Ansi => "ansi",
            Self::Utf16 => "utf-16",
            Self::Utf7 => "utf-7",
            Self::Iso2022Jp => "iso-2022-jp",
            Self::Iso2022Kr => "iso-2022-kr",
            Self::Iso2022Cn => "iso-2022-cn",
            Self::Hz => "hz-gb-2312",
            Self::SingleByte => "single-byte",
            Self::ShiftJis => "shift_jis",
            Self::EucJp => "euc-jp",
            Self::Big5 => "big5",
            Self::EucKr => "euc-kr",
            Self::Gb18030 => "gb18030",
            Self::Chunked => "chunked",
            Self::Brotli => "brotli",
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Tnef => "tnef",
            Self::Msg => "msg",
            Self::Pdf => "pdf",
        }
    }

    /// Returns the layer with this [`name`](Self::name), or `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == name)
    }

    /// True if decoding only the raw bytes of a span always gives exactly the text of the span.
    /// Then no raw byte encodes parts of several characters, and the meaning of no byte depends on
    /// earlier ones.
    pub(crate) const fn decodes_spans_exactly(self) -> bool {
        matches!(
            self,
            Self::QuotedPrintable
                | Self::ContentLines
                | Self::Gettext
                | Self::Pipermail
                | Self::Html
                | Self::Json
                | Self::Xml
                | Self::Tex
                | Self::Man
                | Self::Jupyter
                | Self::Markdown
                | Self::AsciiDoc
                | Self::Rst
                | Self::Texinfo
                | Self::Defang
        )
    }

    /// True if the coding encodes US-ASCII characters as themselves, and in no other way. This is
    /// true of charsets that extend US-ASCII without shift sequences, and of the escape sequences
    /// of terminals, which a record lists as joins.
    pub(crate) const fn keeps_ascii(self) -> bool {
        matches!(
            self,
            Self::Ansi
                | Self::SingleByte
                | Self::ShiftJis
                | Self::EucJp
                | Self::Big5
                | Self::EucKr
                | Self::Gb18030
        )
    }
}

urlsift_core::by_name!(Layer);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for layer in Layer::ALL {
            assert_eq!(Layer::from_name(layer.name()), Some(layer));
        }
        assert_eq!(Layer::from_name("rot13"), None);
    }
}
