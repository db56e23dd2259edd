//! Which notation a file is written in, by its name and its first bytes. A name alone is not believed.

use super::Notation;

/// The endings of names.
const ENDINGS: [(&[&[u8]], Notation); 3] = [
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
];

/// The notation of the file whose first bytes are `head`; `None` for any other text.
pub(crate) fn told(head: &[u8], name: Option<&[u8]>) -> Option<Notation> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let named = |ending: &[u8]| {
        name.and_then(|name| name.split_at_checked(name.len().checked_sub(ending.len())?))
            .is_some_and(|(stem, tail)| !stem.is_empty() && tail.eq_ignore_ascii_case(ending))
    };
    let by_name = ENDINGS.iter().find(|(endings, _)| endings.iter().any(|end| named(end)));
    let by_name = by_name.map(|&(_, notation)| notation);
    match text {
        [b'{', ..] if named(b".ipynb") => Some(Notation::Jupyter),
        [b'{' | b'[' | b'"', ..] if by_name == Some(Notation::Json) => by_name,
        [b'{' | b'[', ..] if is_json(text) => Some(Notation::Json),
        [b'<', ..] if by_name == Some(Notation::Xml) => by_name,
        [b'<', ..] if is_xml(text) => Some(Notation::Xml),
        _ if by_name == Some(Notation::Tex) || is_tex(text) => Some(Notation::Tex),
        _ if is_man(text) => Some(Notation::Man),
        _ => None,
    }
}

/// Whether the text starts as an object that is not empty, or as a list of such.
fn is_json(text: &[u8]) -> bool {
    let object = behind(text, b"[").unwrap_or(text);
    let Some(key) = behind(object, b"{").and_then(|rest| rest.strip_prefix(b"\"")) else {
        return false;
    };
    let end = key.iter().position(|byte| matches!(byte, b'"' | b'\n')).unwrap_or(key.len());
    let rest = key.get(end..).and_then(|rest| behind(rest, b"\""));
    rest.is_some_and(|rest| rest.starts_with(b":"))
}

/// What stands behind `mark` and the blanks after it, where `text` starts with that.
fn behind<'t>(text: &'t [u8], mark: &[u8]) -> Option<&'t [u8]> {
    text.strip_prefix(mark).map(<[u8]>::trim_ascii_start)
}

fn is_xml(text: &[u8]) -> bool {
    [&b"<?xml "[..], b"<rss ", b"<rss>", b"<feed ", b"<rdf:RDF", b"<opml ", b"<svg "]
        .iter()
        .any(|start| text.starts_with(start))
}

/// Whether the first line that is no comment starts a document of LaTeX.
fn is_tex(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').take(LINES).map(<[u8]>::trim_ascii);
    let first = line.into_iter().find(|line| !line.is_empty() && !line.starts_with(b"%"));
    first.is_some_and(|line| {
        [&b"\\documentclass"[..], b"\\documentstyle", b"\\RequirePackage", b"\\NeedsTeXFormat"]
            .iter()
            .any(|start| line.starts_with(start))
    })
}

/// Whether the text starts with a request or a comment, and one of its first lines is the title of a manual page.
fn is_man(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'.' | b'\''))
        && text.split(|&byte| byte == b'\n').take(LINES).any(|line| {
            [&b".TH "[..], b".TH\t", b".Dd "].iter().any(|title| line.starts_with(title))
        })
}

/// How many lines are looked at.
const LINES: usize = 200;
