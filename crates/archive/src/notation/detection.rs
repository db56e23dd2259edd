//! Detects the notation of a file from its name and first bytes. The name alone is not enough,
//! except for TeX.

use super::{Notation, xml};
use crate::decode::charset::{Coding, coding_of_label};
use crate::head::Head;
use crate::lower_case::has_suffix_ignoring_case;

/// The file name extensions of each notation.
const ENDINGS: [(&[&[u8]], Notation); 4] = [
    (&[b".json", b".jsonl", b".ndjson", b".geojson", b".har", b".map"], Notation::Json),
    (
        &[
            b".xml",
            b".rss",
            b".atom",
            b".rdf",
            b".opml",
            b".svg",
            b".xsd",
            b".xsl",
            b".xslt",
            b".wsdl",
            b".kml",
            b".gpx",
            b".docbook",
            b".dbk",
        ],
        Notation::Xml,
    ),
    (&[b".tex", b".ltx", b".latex", b".bib", b".bbl", b".sty", b".cls", b".dtx"], Notation::Tex),
    (&[b".po", b".pot"], Notation::Gettext),
];

/// Detects the notation of the document that starts with `head`. The inner `None` means that the
/// document has none of the notations, the outer `None` that more of the document is needed.
#[expect(clippy::option_option, reason = "the outer `None` means that more of the head is needed")]
pub(crate) fn detect_notation(head: Head<'_>, name: Option<&[u8]>) -> Option<Option<Notation>> {
    let text = head.trimmed_text()?;
    let named = |ending: &[u8]| name.is_some_and(|name| has_suffix_ignoring_case(name, ending));
    let by_name = ENDINGS.iter().find(|(endings, _)| endings.iter().any(|end| named(end)));
    let by_name = by_name.map(|&(_, notation)| notation);
    let notation = match text {
        [b'{', ..] if named(b".ipynb") => Some(Notation::Jupyter),
        [b'{' | b'[' | b'"', ..] if by_name == Some(Notation::Json) => by_name,
        [b'{' | b'[', ..] if or_false_if_complete(head, is_json(text))? => Some(Notation::Json),
        _ if is_calendar(text) => Some(Notation::ContentLines),
        [b'<', ..] if is_xml(text) => Some(Notation::Xml),
        // A fragment may start with text.
        _ if by_name == Some(Notation::Xml) && text.contains(&b'<') => by_name,
        _ if by_name == Some(Notation::Xml) && head.answer_if_complete(head.has_more())? => by_name,
        _ if by_name == Some(Notation::Tex) || or_false_if_complete(head, is_tex(text))? => {
            Some(Notation::Tex)
        }
        _ if or_false_if_complete(head, is_man(text))? => Some(Notation::Man),
        _ if or_false_if_complete(head, is_gettext(text, by_name == Some(Notation::Gettext)))? => {
            Some(Notation::Gettext)
        }
        _ => None,
    };
    match notation {
        Some(notation) => Some(Some(notation.with_declared_charset(head)?)),
        None => Some(None),
    }
}

impl Notation {
    /// Returns the notation of the document that starts with `head`, if it is known to be `self`
    /// except for its charset. For XML, this is [`Notation::EncodedXml`] if the document declares a
    /// charset in which it must be decoded. Returns `None` if more of the document is needed.
    pub(crate) fn with_declared_charset(self, head: Head<'_>) -> Option<Self> {
        if self != Self::Xml {
            return Some(self);
        }
        let text = head.trimmed_text()?;
        let is_cut = xml::starts_with_declaration(text)
            && text.len() < xml::MAX_DECLARATION_LEN
            && !text.contains(&b'>');
        if is_cut {
            return head.answer_if_complete(self);
        }
        Some(match xml::declared_charset(text).map(coding_of_label) {
            // UTF-16 is recognized by its bytes. A text in ASCII bytes is not UTF-16.
            None | Some(Coding::InPlace(_) | Coding::Utf16(_)) => self,
            Some(_) => Self::EncodedXml,
        })
    }
}

/// Returns `answer` if it is not `None`. Otherwise returns false if the head is complete, and
/// `None` if more of the document is needed.
fn or_false_if_complete(head: Head<'_>, answer: Option<bool>) -> Option<bool> {
    answer.or_else(|| head.answer_if_complete(false))
}

/// Returns true if the text starts with a nonempty JSON object, or with a list of such objects.
/// Returns `None` if the text ends too early to decide.
fn is_json(text: &[u8]) -> Option<bool> {
    let object = strip_mark(text, b"[").unwrap_or(text);
    if object.is_empty() {
        return None;
    }
    let Some(key) = strip_mark(object, b"{") else { return Some(false) };
    let Some((b'"', key)) = key.split_first() else {
        return if key.is_empty() { None } else { Some(false) };
    };
    let end = key.iter().position(|byte| matches!(byte, b'"' | b'\n'))?;
    let Some(rest) = key.get(end..).and_then(|rest| strip_mark(rest, b"\"")) else {
        return Some(false);
    };
    rest.first().map(|byte| *byte == b':')
}

/// Returns the text after `mark` and the white space that follows it, or `None` if `text` doesn't
/// start with `mark`.
fn strip_mark<'t>(text: &'t [u8], mark: &[u8]) -> Option<&'t [u8]> {
    text.strip_prefix(mark).map(<[u8]>::trim_ascii_start)
}

/// True if the text starts with a calendar or contact card.
fn is_calendar(text: &[u8]) -> bool {
    [&b"BEGIN:VCALENDAR"[..], b"BEGIN:VCARD"].iter().any(|start| {
        let line = text.get(..start.len()).is_some_and(|line| line.eq_ignore_ascii_case(start));
        line && text.get(start.len()).is_none_or(u8::is_ascii_whitespace)
    })
}

/// True if the text starts like an XML document.
fn is_xml(text: &[u8]) -> bool {
    xml::starts_with_declaration(text)
        || [&b"<rss "[..], b"<rss>", b"<feed ", b"<rdf:RDF", b"<opml ", b"<svg "]
            .iter()
            .any(|start| text.starts_with(start))
}

/// Returns true if the first line that is not a comment starts a LaTeX document, and `None` if the
/// text ends before that line.
fn is_tex(text: &[u8]) -> Option<bool> {
    let mut lines = text.split(|&byte| byte == b'\n').take(MAX_LINES).map(<[u8]>::trim_ascii);
    let Some(first) = lines.find(|line| !line.is_empty() && !line.starts_with(b"%")) else {
        return has_all_examined_lines(text).then_some(false);
    };
    let starts =
        [&b"\\documentclass"[..], b"\\documentstyle", b"\\RequirePackage", b"\\NeedsTeXFormat"];
    Some(starts.iter().any(|start| first.starts_with(start)))
}

/// Returns true if the text starts with a roff request or comment, and one of its first lines is
/// the title of a manual page. Returns `None` if the text ends before such a line.
fn is_man(text: &[u8]) -> Option<bool> {
    if !matches!(text.first(), Some(b'.' | b'\'')) {
        return Some(false);
    }
    let is_title =
        |line: &[u8]| [&b".TH "[..], b".TH\t", b".Dd "].iter().any(|title| line.starts_with(title));
    if text.split(|&byte| byte == b'\n').take(MAX_LINES).any(is_title) {
        return Some(true);
    }
    has_all_examined_lines(text).then_some(false)
}

/// Returns true if the first line that is neither empty nor a comment starts a message of a gettext
/// catalog. Without the file name of a catalog, this message must be the header, whose ID is empty.
/// Returns `None` if the text ends before that line, or within the keyword at its start.
fn is_gettext(text: &[u8], has_name: bool) -> Option<bool> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n').take(MAX_LINES);
    let is_skipped = |line: &&[u8]| line.trim_ascii().is_empty() || line.starts_with(b"#");
    let Some(first) = lines.find(|line| !is_skipped(line)) else {
        return has_all_examined_lines(text).then_some(false);
    };
    let starts = [&b"msgid \""[..], b"msgctxt \"", b"domain \""];
    let starts = if has_name { &starts } else { &[&b"msgid \"\"\n"[..], b"msgid \"\"\r\n"][..] };
    if starts.iter().any(|start| first.starts_with(start)) {
        return Some(true);
    }
    let is_cut = !first.ends_with(b"\n") && starts.iter().any(|start| start.starts_with(first));
    if is_cut { None } else { Some(false) }
}

/// True if the text contains all [`MAX_LINES`] lines that are examined, so that more text can't
/// change the answer.
fn has_all_examined_lines(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\n', text).nth(MAX_LINES - 1).is_some()
}

/// The maximum number of lines that are examined.
const MAX_LINES: usize = 200;
