//! File formats that write some characters as escapes: JSON, XML, TeX, roff, Jupyter notebooks,
//! calendars, gettext catalogs.
//!
//! An escape is recognized only by the bytes at its offset, without parsing the file. So malformed
//! files can be read, too, and a file can be cut between any two [pieces](Notation::split_into_pieces).

pub(crate) mod defang;
pub(crate) mod detection;
mod gettext;
pub(crate) mod javascript;
mod json;
pub(crate) mod jupyter;
mod man;
mod tex;
pub(crate) mod unescape;
pub(crate) mod xml;

use self::unescape::{decode_escapes_with, find_backslash};
use crate::decode::content_lines;
use crate::decode::derived::Decoded;
use crate::decode::layer::Layer;
use core::ops::Range;
use memchr::{memchr_iter, memmem, memrchr};

/// A file format that writes some characters as escapes, so that its text must be decoded before it
/// is scanned.
///
/// ```
/// use urlsift_archive::{Container, Head, Layer, Notation, Reading, detect};
/// let found = detect(Head::of(br#"{"url":"http:\/\/host.dom\/"}"#), Some(b"a.json"), Reading::Auto);
/// assert_eq!(found, Container::Escaped(Notation::Json));
/// assert_eq!(Notation::Json.layer(), Layer::Json);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// JSON and JSON Lines: `\/`, `\u002f`.
    Json,
    /// XML, including feeds: `&amp;`, `&#x2F;`.
    Xml,
    /// XML that declares a charset in which it must be decoded: `<?xml version="1.0"
    /// encoding="Shift_JIS"?>`.
    EncodedXml,
    /// TeX and BibTeX: `\_`, `\~{}`, a `%` at the end of a line.
    Tex,
    /// roff, including manual pages: `\-`, `\(en`, `\fI`.
    Man,
    /// A Jupyter notebook: JSON with texts in its cells.
    Jupyter,
    /// A calendar or contact card (`.ics`, `.vcf`): folded lines, `\,`, `\n`.
    ContentLines,
    /// A gettext catalog (`.po`, `.pot`): `\n`, `\"`, adjacent strings that form one text.
    Gettext,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 8] = [
        Self::Json,
        Self::Xml,
        Self::EncodedXml,
        Self::Tex,
        Self::Man,
        Self::Jupyter,
        Self::ContentLines,
        Self::Gettext,
    ];

    /// Returns the layer that is decoded in files with this notation.
    pub const fn layer(self) -> Layer {
        match self {
            Self::Json => Layer::Json,
            Self::Xml | Self::EncodedXml => Layer::Xml,
            Self::Tex => Layer::Tex,
            Self::Man => Layer::Man,
            Self::Jupyter => Layer::Jupyter,
            Self::ContentLines => Layer::ContentLines,
            Self::Gettext => Layer::Gettext,
        }
    }

    /// Returns the notation to use for a text that is too long to be in memory as a whole. A
    /// notebook is read as plain JSON, because finding its cells requires reading all of it. XML is
    /// not decoded from its charset, because only its first piece declares the charset.
    #[must_use]
    pub const fn for_long_text(self) -> Self {
        match self {
            Self::Jupyter => Self::Json,
            Self::EncodedXml => Self::Xml,
            _ => self,
        }
    }

    /// Returns the label of the charset that `text`, a whole file in this notation, declares.
    /// Returns an empty label if the text is not decoded from a declared charset.
    pub(crate) fn declared_charset(self, text: &[u8]) -> &[u8] {
        match self {
            Self::EncodedXml => xml::declared_charset(text).unwrap_or_default(),
            _ => b"",
        }
    }

    /// True if a text in this notation consists of pieces that can be decoded independently. The
    /// start of a piece can be found without reading the text before it.
    pub(crate) const fn has_pieces(self) -> bool {
        matches!(self, Self::Json | Self::Xml | Self::ContentLines)
    }

    /// True if a piece can start with `line`, because the line doesn't depend on the text before
    /// it.
    fn can_start_piece(self, line: &[u8]) -> bool {
        match self {
            // JSON strings don't contain line breaks.
            Self::Json => true,
            Self::Xml => {
                line.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) == Some(&b'<')
            }
            // A line that starts with white space continues the line before it.
            Self::ContentLines => line.first().is_some_and(|byte| !matches!(byte, b' ' | b'\t')),
            _ => false,
        }
    }

    /// Returns the offset of the first piece that starts at or after offset `from`, or `None` if
    /// there is none.
    pub(crate) fn next_piece_start(self, text: &[u8], from: usize) -> Option<usize> {
        let before = from.saturating_sub(1);
        memchr_iter(b'\n', text.get(before..)?)
            .map(|at| before + at + 1)
            .find(|&start| text.get(start..).is_some_and(|line| self.can_start_piece(line)))
    }

    /// Returns the offset at which the last piece of `text` starts, or 0 if there is only one
    /// piece.
    pub(crate) fn last_piece_start(self, text: &[u8]) -> usize {
        let mut end = text.len();
        while let Some(at) = text.get(..end).and_then(|text| memrchr(b'\n', text)) {
            if text.get(at + 1..).is_some_and(|line| self.can_start_piece(line)) {
                return at + 1;
            }
            end = at;
        }
        0
    }

    /// Returns the last offset in `text`, the first part of a long text, at which the long text can
    /// be cut. Neither a URL nor an escape continues at that offset. Returns 0 if there is no such
    /// offset.
    pub(crate) fn last_cut(self, text: &[u8]) -> usize {
        let end_of_last = |last: &[u8]| memmem::rfind(text, last).map(|at| at + last.len());
        match self {
            Self::Json => end_of_last(b"\","),
            Self::Xml | Self::EncodedXml => end_of_last(b">"),
            Self::Tex | Self::Man => end_of_last(b"\n\n").or_else(|| end_of_last(b"\n")),
            // Messages are separated by an empty line.
            Self::Gettext => end_of_last(b"\n\n").or_else(|| end_of_last(b"\n\r\n")),
            // See `for_long_text`. A line of a calendar must not be cut.
            Self::Jupyter | Self::ContentLines => None,
        }
        .unwrap_or(0)
    }

    /// Returns the pieces of a text, in order, which cover it without gaps. A piece longer than
    /// `max_len` bytes is [cut](Self::last_cut) if possible.
    pub(crate) fn split_into_pieces(
        self,
        text: &[u8],
        max_len: usize,
    ) -> impl Iterator<Item = Range<usize>> + '_ {
        let (mut start, mut next) = (0, 0);
        core::iter::from_fn(move || {
            if start == text.len() {
                return None;
            }
            if next <= start {
                next = self.next_piece_start(text, start + 1).unwrap_or(text.len());
            }
            let mut end = next;
            if end - start > max_len {
                end = match self.last_cut(&text[start..start + max_len]) {
                    0 => end,
                    len => start + len,
                };
            }
            Some(core::mem::replace(&mut start, end)..end)
        })
    }

    /// Decodes the escapes in `text`, which starts at offset `source_offset` of the map's source.
    /// Reuses `buffer` for the result. Returns `None` if there are no escapes. Takes linear time.
    pub(crate) fn decode_escapes(
        self,
        text: &[u8],
        source_offset: usize,
        buffer: &mut Vec<u8>,
    ) -> Option<Decoded> {
        match self {
            Self::Json | Self::Jupyter => decode_escapes_with(
                text,
                source_offset,
                buffer,
                find_backslash,
                json::parse_json_escape,
            ),
            Self::Xml | Self::EncodedXml => decode_escapes_with(
                text,
                source_offset,
                buffer,
                xml::next_reference_start,
                xml::parse_xml_reference,
            ),
            Self::Tex => decode_escapes_with(
                text,
                source_offset,
                buffer,
                tex::next_command_start,
                tex::parse_tex_command,
            ),
            Self::Man => decode_escapes_with(
                text,
                source_offset,
                buffer,
                find_backslash,
                man::parse_roff_escape,
            ),
            Self::ContentLines => content_lines::decode_content_lines(text, source_offset),
            Self::Gettext => decode_escapes_with(
                text,
                source_offset,
                buffer,
                gettext::next_escape_start,
                gettext::parse_gettext_escape,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Notation;
    use urlsift_core::Span;

    fn decoded(notation: Notation, raw: &str) -> String {
        let text =
            notation.decode_escapes(raw.as_bytes(), 0, &mut Vec::new()).map(|made| made.text);
        String::from_utf8(text.unwrap_or_else(|| raw.into())).unwrap()
    }

    #[test]
    fn escapes_are_decoded() {
        use Notation::{Gettext, Json, Man, Tex, Xml};
        for (notation, raw, text) in [
            (Json, r#""http:\/\/h\/a\u0026b""#, r#""http://h/a&b""#),
            (Json, r#"\"\\n\u00e9\n"#, "\"\\n\u{e9}\n"),
            (Json, r"\uD83D\uDE00 \uD83D \uDE00x", "\u{1F600} \u{FFFD} \u{FFFD}x"),
            (Json, r"\u00g0 \x \", r"\u00g0 \x \"),
            (Xml, "http://h/?a&amp;b&#61;&#x63;", "http://h/?a&b=c"),
            (Xml, "&lt;a href=&quot;http://h/?a&amp;amp;b&quot;", "<a href=\"http://h/?a&b\""),
            (Xml, "&amp;amp;amp;&amp;#47;&nosuch; &amp &#; &", "&/&nosuch; &amp &#; &"),
            (Tex, r"\url{http://h/\~{}a\_b\%20\#c\&d}", r"\url{http://h/~a_b%20#c&d}"),
            (Tex, "http://h/%\n   a%\r\nb%\n\nc", "http://h/ab%\n\nc"),
            (Tex, r"a\-b\/c {\textasciitilde}d$\sim$e\textasciitilde{}f", "abc ~d~e~f"),
            (
                Tex,
                r"\string~ \textasciitilde g \\_ \~n /\~u \slashed",
                r"~ ~g \\_ \~n /\~u \slashed",
            ),
            (Man, r"http://h/\%a\-b\:c\&.\fId\fR\s-1e\s0", "http://h/a-bc.de"),
            (Man, r"\f(CWa\fP\f[B]b\*(lq \[ti]c\(tid\[u002F]e\(en\e", "ab\\*(lq ~c~d/e–\\"),
            (Gettext, "msgid \"http://h/a/\"\n\"b\\n\"\n", "msgid \"http://h/a/b\n\"\n"),
            (Gettext, "#~ \"c/\" \r\n#~ \"d\"\n\"e\"", "#~ \"c/de\""),
            (Gettext, "#| \"f/\"\n#| \"g\"\n#~| \"h\"", "#| \"f/gh\""),
            // Not adjacent: an empty line or another keyword is between the strings.
            (Gettext, "\"i\"\n\n\"j\"\nmsgstr \"k\"", "\"i\"\n\n\"j\"\nmsgstr \"k\""),
            (Gettext, r#""l\\n \t \x \"""#, "\"l\\n \t \\x \"\""),
            (Gettext, "\"m\\\"\n\"n\"", "\"m\"\n\"n\""),
            (Man, "\\\\a\\~b\\ c\\0d\\zx", "\\a b c d\\zx"),
        ] {
            assert_eq!(decoded(notation, raw), text, "{raw}");
        }
    }

    #[test]
    fn decoded_text_maps_to_the_source() {
        let raw = br#"{"u":"http:\/\/h\/a"}"#;
        let made = Notation::Json.decode_escapes(raw, 100, &mut Vec::new()).unwrap();
        assert_eq!(made.text, br#"{"u":"http://h/a"}"#);
        assert_eq!(made.map.to_source(Span::new(6, 16)), Span::new(106, 119));
        assert!(Notation::Json.decode_escapes(b"{}", 0, &mut Vec::new()).is_none());
    }

    #[test]
    fn pieces_are_found_from_anywhere() {
        let xml = b"<a>x\ny\n <b>\n\n</b>\n<c";
        let pieces: Vec<_> = Notation::Xml.split_into_pieces(xml, 9).collect();
        assert_eq!(pieces, [0..7, 7..13, 13..18, 18..20]);
        assert_eq!(Notation::Xml.last_piece_start(xml), 18);
        assert_eq!(Notation::Xml.next_piece_start(xml, 8), Some(13));
        let lines = b"a:b\r\n c\r\nd:e\r\n";
        assert_eq!(
            Notation::ContentLines.split_into_pieces(lines, 99).collect::<Vec<_>>(),
            [0..9, 9..14]
        );
        assert_eq!(Notation::ContentLines.last_piece_start(lines), 9);
        assert_eq!(
            Notation::Json.split_into_pieces(b"{\n}\n", 9).collect::<Vec<_>>(),
            [0..2, 2..4]
        );
        assert_eq!(Notation::Tex.split_into_pieces(b"a\nb", 9).last(), Some(0..3));
    }

    #[test]
    fn long_pieces_are_cut_between_urls() {
        for (notation, text, lengths) in [
            (Notation::Json, r#"{"a":"b","cc":"d","ee"}"#, &[9, 9, 5][..]),
            // A piece without a place to cut stays whole.
            (Notation::Json, r#"["a","bbbbbbbbbb","c"]"#, &[5, 17]),
            (Notation::Xml, "<a><b>c</b>dddddd</a>", &[6, 5, 10]),
            (Notation::Tex, "a\nb\n\nc\nd\n\ne\nf", &[5, 8]),
            (Notation::Man, "a\nbbbbbb\nc\n", &[9, 2]),
            (Notation::Gettext, "\"a\"\n\n\"b\"\n\"c\"\n", &[5, 8]),
        ] {
            let pieces = notation.split_into_pieces(text.as_bytes(), 9);
            assert_eq!(pieces.map(|piece| piece.len()).collect::<Vec<_>>(), lengths, "{text}");
        }
    }
}
