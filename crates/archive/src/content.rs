//! The header fields that describe a part: `Content-Type` and `Content-Transfer-Encoding`.

use crate::lower_case::in_lower_case;
use core::ops::Range;

/// The media type of a body part, reduced to the kinds that are read differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MediaType {
    #[default]
    Text,
    Html,
    Markdown,
    /// A calendar or vCard, whose lines are folded.
    ContentLines,
    /// A gettext catalog.
    Gettext,
    /// JSON.
    Json,
    /// XML.
    Xml,
    Multipart,
    /// `multipart/digest`: its parts are messages unless their headers give another type.
    Digest,
    /// A nested message: `message/rfc822`, `message/news`, `message/global`.
    Message,
    /// A file that contains messages or texts in another form.
    Packed(PackedItem),
    /// Any other type: images, programs, archives.
    Other,
}

/// A format of files that contain messages or texts in another form, so that positions in them mean
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackedItem {
    /// TNEF: `winmail.dat`.
    Tnef,
    /// A message that Outlook saved: `.msg`.
    Msg,
    /// PDF.
    Pdf,
}

impl PackedItem {
    /// Returns the media type of files in this format. It is [`MediaType::Other`] if this library
    /// was built without a reader for it.
    const fn media_type(self) -> MediaType {
        let is_readable = match self {
            Self::Tnef => true,
            Self::Msg => cfg!(feature = "msg"),
            Self::Pdf => cfg!(feature = "pdf"),
        };
        if is_readable { MediaType::Packed(self) } else { MediaType::Other }
    }
}

/// The transfer encoding of a body part. All encodings that need no decoding are one variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// 7bit, 8bit, binary, none, or unknown.
    #[default]
    None,
    QuotedPrintable,
    Base64,
    /// `x-uuencode`: skipped like any uuencoded block.
    Uuencode,
}

/// The properties of a body part that its header gives, with defaults for absent fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Content<'t> {
    pub kind: MediaType,
    pub encoding: Encoding,
    /// The charset's name; empty if there is none.
    pub charset: &'t [u8],
    /// The boundary of a multipart body; empty if there is none.
    pub boundary: &'t [u8],
    /// True for `format=flowed`.
    pub flowed: bool,
    /// True for `delsp=yes`.
    pub del_sp: bool,
    /// True for `application/octet-stream`, which says nothing about the content.
    pub is_untyped: bool,
    /// The kind that the extension of the file name shows.
    pub kind_by_name: Option<MediaType>,
}

impl<'t> Content<'t> {
    /// Sets the properties that a `Content-Type` value gives. A malformed type counts as plain
    /// text.
    pub(crate) fn apply_content_type(&mut self, value: &'t [u8]) {
        let trimmed = value.trim_ascii();
        if trimmed.eq_ignore_ascii_case(b"text/plain") {
            (self.kind, self.is_untyped) = (MediaType::Text, false);
        } else if let Some(charset) = charset_of_simple_content_type(trimmed) {
            (self.kind, self.is_untyped, self.charset) = (MediaType::Text, false, charset);
        } else {
            self.apply_any_content_type(value);
        }
    }

    /// Does the work of [`Content::apply_content_type`] for values of any form. This is the general
    /// parser.
    fn apply_any_content_type(&mut self, value: &'t [u8]) {
        let end = value.iter().position(|&b| b == b';').unwrap_or(value.len());
        let (kind, parameters) = value.split_at(end);
        let name = strip_outer_comments(kind);
        self.kind = classify_media_type(name);
        self.is_untyped = name.eq_ignore_ascii_case(b"application/octet-stream");
        for (name, value) in (Parameters { rest: parameters }) {
            let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
            if is(b"charset") {
                self.charset = value;
            } else if is(b"charset*") {
                // RFC 2231: `charset'language'value`; charset and language are mostly empty.
                self.charset = value.rsplit(|&b| b == b'\'').next().unwrap_or(value);
            } else if is(b"boundary") || is(b"boundary*0") {
                self.boundary = value;
            } else if is(b"format") {
                self.flowed = value.eq_ignore_ascii_case(b"flowed");
            } else if is(b"delsp") {
                self.del_sp = value.eq_ignore_ascii_case(b"yes");
            } else {
                self.apply_name(b"name", name, value);
            }
        }
        self.apply_kind_by_name();
    }

    /// Returns the properties of an attached file with this name and media type, both of which may
    /// be empty.
    pub(crate) fn of_file(media_type: &[u8], name: &[u8]) -> Self {
        let mut content = Self { kind: classify_media_type(media_type), ..Self::default() };
        content.is_untyped = matches!(media_type, b"" | b"application/octet-stream");
        if content.is_untyped {
            content.kind = MediaType::Other;
            content.kind_by_name = kind_by_extension(name);
        }
        content.apply_kind_by_name();
        content
    }

    /// Applies a `Content-Disposition` value, which may contain the name of the file.
    pub(crate) fn set_disposition(&mut self, value: &[u8]) {
        for (name, value) in (Parameters { rest: value }) {
            self.apply_name(b"filename", name, value);
        }
        self.apply_kind_by_name();
    }

    /// Applies the parameter `name`, if it is `wanted` or a piece of it (RFC 2231 §3). The last
    /// piece has the extension.
    fn apply_name(&mut self, wanted: &[u8], name: &[u8], value: &[u8]) {
        let is_it = name.split_at_checked(wanted.len()).is_some_and(|(start, rest)| {
            start.eq_ignore_ascii_case(wanted) && (rest.is_empty() || rest.starts_with(b"*"))
        });
        if is_it && let Some(kind) = kind_by_extension(value) {
            self.kind_by_name = Some(kind);
        }
    }

    /// Gives a part of unknown type the kind that its name shows.
    fn apply_kind_by_name(&mut self) {
        if self.is_untyped
            && let Some(kind) = self.kind_by_name
        {
            self.kind = kind;
        }
    }

    /// Sets the encoding from a `Content-Transfer-Encoding` value. An unknown encoding counts as
    /// none.
    pub(crate) fn apply_transfer_encoding(&mut self, value: &[u8]) {
        if let [b'7' | b'8', rest @ ..] = value.trim_ascii()
            && rest.eq_ignore_ascii_case(b"bit")
        {
            self.encoding = Encoding::None;
            return;
        }
        let value = strip_outer_comments(value);
        let value = value.split(|&b| b == b';').next().unwrap_or_default().trim_ascii();
        let value = value.strip_prefix(b"\"").unwrap_or(value);
        let value = value.strip_suffix(b"\"").unwrap_or(value);
        let is = |other: &[u8]| value.eq_ignore_ascii_case(other);
        self.encoding = if is(b"quoted-printable") || is(b"quoted-printeable") || is(b"qp") {
            Encoding::QuotedPrintable
        } else if is(b"base64") || is(b"base-64") || is(b"b64") {
            Encoding::Base64
        } else if is(b"x-uuencode") || is(b"x-uue") || is(b"uuencode") {
            Encoding::Uuencode
        } else {
            Encoding::None
        };
    }
}

/// True if a `Content-Type` value contains the URL of an external body (RFC 2017).
pub(crate) fn has_external_url(content_type: &[u8]) -> bool {
    const START: &[u8; 21] = b"message/external-body";
    let start: Option<&[u8; 21]> = content_type.trim_ascii_start().first_chunk();
    // Compare the first letter first, because nearly all types already differ there.
    start.is_some_and(|start| start[0] | 0x20 == b'm' && start.eq_ignore_ascii_case(START))
        && !external_url_ranges(content_type).is_empty()
}

/// Returns the ranges of a `Content-Type` value that contain the URL of an external body (RFC
/// 2017). The URL is the parameter `URL`, or the pieces `URL*0`, `URL*1` and so on (RFC 2231 §3).
/// Returns an empty list if there is no such parameter. Takes linear time.
pub(crate) fn external_url_ranges(content_type: &[u8]) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut parameters = Parameters { rest: content_type };
    while let Some((name, piece)) = parameters.next() {
        let Some((word, section)) = name.split_first_chunk::<3>() else { continue };
        if !word.eq_ignore_ascii_case(b"url") {
            continue;
        }
        let is_next = match section {
            [] => pieces.is_empty(),
            [b'*', number @ ..] => number == pieces.len().to_string().as_bytes(),
            _ => false,
        };
        if is_next {
            // The piece ends right before the rest, or before the quotation mark there.
            let after = content_type.len() - parameters.rest.len();
            let is_quoted = content_type.get(..after).is_some_and(|read| read.ends_with(b"\""))
                && !piece.ends_with(b"\"");
            let end = after - usize::from(is_quoted);
            pieces.push(end - piece.len()..end);
        }
        if section.is_empty() {
            break;
        }
    }
    pieces
}

/// Returns the charset if a `Content-Type` value without surrounding white space is exactly
/// `text/plain; charset=name`, else `None`.
///
/// This is a fast path: most values have this form, and the general parser costs five times as
/// much.
fn charset_of_simple_content_type(content_type: &[u8]) -> Option<&[u8]> {
    const START: &[u8; 20] = b"text/plain; charset=";
    let (start, name) = content_type.split_first_chunk::<20>()?;
    if !start.eq_ignore_ascii_case(START) {
        return None;
    }
    let name = if let [b'"', quoted @ .., b'"'] = name { quoted } else { name };
    let simple = name.iter().all(|&b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    simple.then_some(name)
}

/// Returns a header value without surrounding white space, and without a comment before or after
/// it.
fn strip_outer_comments(value: &[u8]) -> &[u8] {
    let mut value = value.trim_ascii();
    if value.first() == Some(&b'(')
        && let Some(end) = value.iter().position(|&b| b == b')')
    {
        value = value.get(end + 1..).unwrap_or_default().trim_ascii();
    }
    match value.iter().position(|&b| b == b'(') {
        Some(at) => value.get(..at).unwrap_or_default().trim_ascii(),
        None => value,
    }
}

/// The length in bytes of the longest media type that is recognized.
const MAX_TYPE_LEN: usize = 48;

/// Classifies a media type without parameters, such as `text/html`, ignoring case.
fn classify_media_type(media_type: &[u8]) -> MediaType {
    if media_type.eq_ignore_ascii_case(b"text/plain") {
        return MediaType::Text;
    }
    if media_type.len() > MAX_TYPE_LEN {
        return MediaType::Other;
    }
    match in_lower_case(media_type, &mut [0; MAX_TYPE_LEN]) {
        b"text/html" | b"application/xhtml+xml" | b"text/x-html" => MediaType::Html,
        b"text/markdown" | b"text/x-markdown" => MediaType::Markdown,
        b"text/calendar" | b"text/x-vcalendar" | b"text/vcard" | b"text/x-vcard"
        | b"text/directory" => MediaType::ContentLines,
        b"text/x-gettext-translation"
        | b"text/x-gettext-translation-template"
        | b"application/x-gettext" => MediaType::Gettext,
        b"multipart/digest" => MediaType::Digest,
        b"message/rfc822" | b"message/news" | b"message/global" => MediaType::Message,
        // RFC 822 allowed `Content-Type: text`; an empty or malformed type also means text.
        name if name.starts_with(b"multipart/") => MediaType::Multipart,
        b"text/xml" => MediaType::Xml,
        name if name.starts_with(b"text") || name.starts_with(b"message/") => MediaType::Text,
        name if !name.contains(&b'/') => MediaType::Text,
        b"application/json" => MediaType::Json,
        b"application/ms-tnef" | b"application/vnd.ms-tnef" => PackedItem::Tnef.media_type(),
        b"application/vnd.ms-outlook" => PackedItem::Msg.media_type(),
        b"application/pdf" | b"application/x-pdf" => PackedItem::Pdf.media_type(),
        name if name.ends_with(b"+json") => MediaType::Json,
        b"application/xml" => MediaType::Xml,
        name if name.ends_with(b"+xml") => MediaType::Xml,
        name if is_textual_media_type(name) => MediaType::Text,
        _ => MediaType::Other,
    }
}

/// Returns the kind of a file by the extension of its name, if it is text or a message.
fn kind_by_extension(name: &[u8]) -> Option<MediaType> {
    const KINDS: [(&[u8], MediaType); 16] = [
        (b"eml", MediaType::Message),
        (b"html", MediaType::Html),
        (b"htm", MediaType::Html),
        (b"ics", MediaType::ContentLines),
        (b"vcf", MediaType::ContentLines),
        (b"po", MediaType::Gettext),
        (b"pot", MediaType::Gettext),
        (b"txt", MediaType::Text),
        (b"text", MediaType::Text),
        (b"md", MediaType::Markdown),
        (b"json", MediaType::Json),
        (b"xml", MediaType::Xml),
        // Shortcuts of Windows and macOS: files with the URL of a page.
        (b"url", MediaType::Text),
        (b"webloc", MediaType::Xml),
        (b"msg", PackedItem::Msg.media_type()),
        (b"pdf", PackedItem::Pdf.media_type()),
    ];
    if name.eq_ignore_ascii_case(b"winmail.dat") {
        return Some(PackedItem::Tnef.media_type());
    }
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let extension = name.get(dot + 1..)?.trim_ascii_end();
    let found = KINDS.iter().find(|(other, _)| extension.eq_ignore_ascii_case(other));
    found.map(|&(_, kind)| kind)
}

/// True for media types outside `text/` whose content is still text, such as
/// `application/javascript`. `name` must be in lower case.
fn is_textual_media_type(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 11] = [
        b"application/javascript",
        b"application/x-javascript",
        b"application/x-sh",
        b"application/x-shellscript",
        b"application/x-perl",
        b"application/x-python",
        b"application/x-tex",
        b"application/x-patch",
        b"application/pgp-signature",
        b"application/mbox",
        b"application/rtf",
    ];
    NAMES.contains(&name)
}

/// An iterator over the `; name=value` parameters of a header value, with the values unquoted.
/// Malformed parameters are skipped.
struct Parameters<'t> {
    rest: &'t [u8],
}

impl<'t> Iterator for Parameters<'t> {
    type Item = (&'t [u8], &'t [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.rest.iter().position(|&b| b == b';')?;
            let rest = self.rest.get(at + 1..)?.trim_ascii_start();
            let stop = rest.iter().position(|&b| matches!(b, b'=' | b';'));
            let Some(stop) = stop else {
                self.rest = &[];
                return None;
            };
            if rest.get(stop) == Some(&b';') {
                self.rest = rest.get(stop..)?;
                continue;
            }
            let name = rest.get(..stop)?.trim_ascii();
            let value = rest.get(stop + 1..)?.trim_ascii_start();
            let (value, used) = if let Some(quoted) = value.strip_prefix(b"\"") {
                let end = quoted.iter().position(|&b| b == b'"').unwrap_or(quoted.len());
                (quoted.get(..end)?, quoted.get((end + 1).min(quoted.len())..)?)
            } else {
                let end = value
                    .iter()
                    .position(|&b| b == b';' || b.is_ascii_whitespace())
                    .unwrap_or(value.len());
                (value.get(..end)?, value.get(end..)?)
            };
            self.rest = used;
            return Some((name, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(value: &str) -> Content<'_> {
        let mut content = Content::default();
        content.apply_content_type(value.as_bytes());
        content
    }

    #[test]
    fn media_types_are_recognized() {
        for (value, kind) in [
            (" text/plain; charset=x", MediaType::Text),
            ("TEXT/HTML", MediaType::Html),
            ("text", MediaType::Text),
            ("", MediaType::Text),
            ("multipart/mixed; boundary=a", MediaType::Multipart),
            ("Multipart/Digest", MediaType::Digest),
            ("message/rfc822", MediaType::Message),
            ("message/delivery-status", MediaType::Text),
            ("(comment) image/png (a picture)", MediaType::Other),
            ("application/atom+xml", MediaType::Xml),
            ("text/calendar; method=REQUEST", MediaType::ContentLines),
        ] {
            assert_eq!(content(value).kind, kind, "{value}");
        }
    }

    /// Checks that the fast path agrees with the general parser.
    #[test]
    fn plain_text_charset_is_found_on_the_fast_path() {
        for start in [
            " text/plain; charset=",
            "TEXT/Plain; Charset=",
            "text/plain;charset=",
            "text/html; charset=",
        ] {
            for name in [
                "us-ascii",
                "UTF-8",
                "\"iso-8859-1\"",
                "\"a",
                "a\"",
                "\"",
                "\"\"",
                "",
                "a b",
                "a; format=flowed",
                "a (b)",
                "'x'",
            ] {
                let value = format!("{start}{name}\r\n ");
                let mut long = Content::default();
                long.apply_any_content_type(value.as_bytes());
                assert_eq!(content(&value), long, "{value}");
            }
        }
        let usual = |value: &'static str| charset_of_simple_content_type(value.as_bytes());
        assert_eq!(usual("text/plain; charset=\"UTF-8\""), Some(&b"UTF-8"[..]));
        assert_eq!(usual("text/plain; charset=a;b"), None);
    }

    #[test]
    fn plain_text_without_parameters_is_read_on_the_fast_path() {
        // An earlier field may have set the properties.
        let earlier = content("application/octet-stream; charset=a; format=flowed; name=a.html");
        for value in [
            " text/plain",
            "text/plain; charset=utf-8",
            "TEXT/Plain\r\n ",
            "text/plain",
            "text/plain;",
            "text/plainx",
        ] {
            let (mut short, mut long) = (earlier, earlier);
            short.apply_content_type(value.as_bytes());
            long.apply_any_content_type(value.as_bytes());
            assert_eq!(short, long, "{value}");
        }
    }

    #[test]
    fn parameters_are_unquoted() {
        let c = content("multipart/mixed;\r\n\tboundary=\"a;b c\" ; foo;charset = utf-8");
        assert_eq!((c.boundary, c.charset), (&b"a;b c"[..], &b"utf-8"[..]));
        let c = content("text/plain; charset*=us-ascii'en'koi8-r; Format=Flowed; DelSp=YES");
        assert_eq!((c.charset, c.flowed, c.del_sp), (&b"koi8-r"[..], true, true));
        let c = content("text/plain; charset=\"unclosed");
        assert_eq!(c.charset, b"unclosed");
        let c = content("text/plain; =; ==;;");
        assert_eq!(c.charset, b"");
    }

    #[test]
    fn untyped_parts_are_read_by_their_names() {
        for (kind, disposition, expected) in [
            ("application/octet-stream; name=a.eml", "", MediaType::Message),
            ("Application/Octet-Stream", "attachment; filename=\"a b.HTML\"", MediaType::Html),
            (
                "application/octet-stream",
                "attachment; filename*=utf-8''a.ics",
                MediaType::ContentLines,
            ),
            (
                "application/octet-stream",
                "attachment; filename*0=\"long\"; filename*1=\".md\"",
                MediaType::Markdown,
            ),
            ("application/octet-stream; name=a.json", "attachment; filename=b", MediaType::Json),
            ("application/octet-stream; name=a.zip", "attachment", MediaType::Other),
            ("application/zip; name=a.txt", "", MediaType::Other),
            ("text/plain; name=a.html", "", MediaType::Text),
        ] {
            let mut either = [Content::default(); 2];
            either[0].apply_content_type(kind.as_bytes());
            either[0].set_disposition(disposition.as_bytes());
            either[1].set_disposition(disposition.as_bytes());
            either[1].apply_content_type(kind.as_bytes());
            assert_eq!(either.map(|content| content.kind), [expected; 2], "{kind} {disposition}");
        }
    }

    #[test]
    fn transfer_encodings_are_recognized() {
        for (value, encoding) in [
            (" quoted-printable", Encoding::QuotedPrintable),
            ("BASE64 (x)", Encoding::Base64),
            ("\"base64\"", Encoding::Base64),
            ("7bit", Encoding::None),
            ("", Encoding::None),
            ("x-uuencode", Encoding::Uuencode),
        ] {
            let mut content = Content::default();
            content.apply_transfer_encoding(value.as_bytes());
            assert_eq!(content.encoding, encoding, "{value}");
        }
    }
}
