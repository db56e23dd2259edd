//! Detects the kind of a file, from its head (the first bytes) and its name.

use crate::container::Container;
use crate::decode::charset;
use crate::dialect::Dialect;
use crate::head::Head;
use crate::header::{Fields, find_field_colon};
use crate::lower_case::has_suffix_ignoring_case;
use crate::markup::detection::detect_markup;
use crate::notation::Notation;
use crate::notation::detection::detect_notation;
use crate::outlook::tnef;
use crate::unpack::{OLE, detect_compression, is_msg, strip_compression_suffix};
use crate::{Reading, field_names, hypermail, mbox, sequences, web};
use memchr::{memchr, memchr_iter, memmem};

/// Detects the kind of the file or document that starts with `head`.
///
/// The content decides. `name` is the last component of the path, or of the name in an archive. It
/// is only used to find the markup of a text, to recognize the index files of a spool, and if the
/// head leaves the kind open.
///
/// ```
/// use urlsift_archive::{Container, Dialect, Head, Reading, detect};
/// let article = Head::of(b"Path: a!b\nFrom: joe@host.dom\nNewsgroups: comp.x\n\nHello.\n");
/// assert_eq!(detect(article, Some(b"1234"), Reading::Auto), Container::Message);
/// assert_eq!(detect(article, None, Reading::Text), Container::Text(Dialect::Plain));
/// let markdown = Head::of(b"# Title\n");
/// assert_eq!(detect(markdown, Some(b"a.md"), Reading::Auto), Container::Markup(Dialect::Markdown));
/// ```
pub fn detect(head: Head<'_>, name: Option<&[u8]>, reading: Reading) -> Container {
    detect_early(head.as_complete(), name, reading).unwrap_or(Container::Text(Dialect::Plain))
}

/// Detects the kind of a document from its first bytes, for a caller that reads the document as a
/// stream.
///
/// Returns `None` if the head isn't complete and more of it may change the result. Only the
/// complete lines of the head are considered.
///
/// The result for a plain text is preliminary: the text is binary if a NUL follows within its first
/// 1024 bytes. Pass the bytes that follow to [`Container::refine_with_bytes`].
///
/// ```
/// use urlsift_archive::{Container, Dialect, Head, Reading, detect_early};
/// let early = |head| detect_early(Head::new(head, true), None, Reading::Auto);
/// assert_eq!(early(b"10.0.0.1 - - GET http://host.dom/\n"), Some(Container::Text(Dialect::Plain)));
/// assert_eq!(early(b"Received: from host.dom\n"), None);
/// ```
pub fn detect_early(head: Head<'_>, name: Option<&[u8]>, reading: Reading) -> Option<Container> {
    let head = head.without_incomplete_line();
    match reading {
        Reading::Text => Some(Container::Text(Dialect::Plain)),
        Reading::Binary => Some(Container::Text(Dialect::Binary)),
        Reading::Markdown => Some(Container::Markup(Dialect::Markdown)),
        Reading::Rst => Some(Container::Markup(Dialect::Rst)),
        Reading::AsciiDoc => Some(Container::Markup(Dialect::AsciiDoc)),
        Reading::Html => Some(Container::Html),
        Reading::Escaped(notation) => {
            Some(Container::Escaped(notation.with_declared_charset(head)?))
        }
        Reading::JsonLines => Some(Container::Escaped(Notation::Json)),
        Reading::Mail => Some(detect_message_sequence(head)?.unwrap_or(Container::Message)),
        Reading::Auto => detect_by_content(head, name),
    }
}

/// Detects the kind of a document from its content and name, if the user did not choose one.
/// Returns `None` if more of the head is needed.
fn detect_by_content(head: Head<'_>, name: Option<&[u8]>) -> Option<Container> {
    // A compressed file that was not unpacked is no page or text, although its inner name says so.
    let name = name.map(|name| match strip_compression_suffixes(name) {
        inner if inner.len() < name.len() && detect_compression(head.bytes()).is_none() => inner,
        _ => name,
    });
    if name.map_or(Some(false), |name| is_news_index(name, head))? {
        return Some(Container::Index);
    }
    if head.starts_with(tnef::MAGIC)? {
        return Some(Container::Tnef);
    }
    if cfg!(feature = "pdf") && head.starts_with(b"%PDF-")? {
        return Some(Container::Pdf);
    }
    if cfg!(feature = "msg") && head.starts_with(OLE)? {
        if is_msg(head.bytes(), name) {
            return Some(Container::Msg);
        }
        head.answer_if_complete(())?;
    }
    if charset::is_utf16(head)? {
        return Some(Container::Utf16);
    }
    if let Some(container) = detect_message_sequence(head)? {
        return Some(container);
    }
    if let Some(format) = web::detect_web_format(head)? {
        return Some(Container::Web(format));
    }
    if starts_with_message_header(head, name)? {
        return Some(Container::Message);
    }
    if is_html(head, name)? {
        return Some(Container::Html);
    }
    if let Some(notation) = detect_notation(head, name)? {
        return Some(Container::Escaped(notation));
    }
    let text = Container::for_dialect(detect_markup(head, name)?);
    Some(text.refine_with_bytes(0, head.bytes()))
}

/// Returns a file name without its extensions of compressed files: `a.mbox` for `a.mbox.gz`.
fn strip_compression_suffixes(name: &[u8]) -> &[u8] {
    let inner = strip_compression_suffix(name);
    if inner.len() < name.len() { strip_compression_suffixes(inner) } else { name }
}

/// The number of bytes that are searched for a NUL. Programs, documents and dumps have one in this
/// range. A small limit avoids reading many small texts twice.
const NUL_SEARCH_LEN: usize = 1024;

impl Container {
    /// Corrects the kind of a document after more of the document was read: a plain text is binary
    /// if it has a NUL in its first 1024 bytes. `bytes` are the document's bytes from `offset`
    /// on. Other containers stay the same.
    #[must_use]
    pub fn refine_with_bytes(self, offset: usize, bytes: &[u8]) -> Self {
        let looked =
            bytes.get(..NUL_SEARCH_LEN.saturating_sub(offset).min(bytes.len())).unwrap_or_default();
        if self == Self::Text(Dialect::Plain) && memchr(0, looked).is_some() {
            return Self::Text(Dialect::Binary);
        }
        self
    }
}

/// Returns the kind of the document if it is a sequence of messages, such as a mailbox. Returns
/// `Some(None)` if it is not, and `None` if the head is too short to decide.
#[expect(clippy::option_option, reason = "the outer `None` means that more of the head is needed")]
fn detect_message_sequence(head: Head<'_>) -> Option<Option<Container>> {
    if head.starts_with(b"From ")? && starts_with_envelope(head)? {
        let has_lengths = mbox::uses_content_length(head)?;
        return Some(Some(if has_lengths { Container::Mboxcl } else { Container::Mbox }));
    }
    for sequence in &sequences::ALL {
        if (sequence.is_start)(head)? {
            return Some(Some(sequence.container));
        }
    }
    Some(None)
}

/// True if the document starts with the `From ` line of a mailbox. Returns `None` if more of the
/// head is needed.
fn starts_with_envelope(head: Head<'_>) -> Option<bool> {
    // The line after the `From ` line may decide.
    let is_open = !head.has_complete_lines(2);
    match mbox::is_envelope_at(head.bytes(), 0) {
        false if is_open => head.answer_if_complete(false),
        is => Some(is),
    }
}

/// The number of header fields that are examined. Real messages are recognized by their third field
/// (checked on 3,205 messages, 2026-11).
const MAX_FIELDS: usize = 40;

/// The number of lines with the same word before the colon, such as `INFO: text`, after which a
/// document is a log and not a message, if no field of mail comes before.
const MAX_SAME_WORD: usize = 3;

/// True if the document starts with the header of a message. The header must have two fields that
/// occur [only in mail](field_names::is_mail_only), one such field and a [common
/// one](field_names::is_common), or three common fields including the sender. A multipart or
/// message `Content-Type` is enough, and so is any field if the file name ends in `.eml`. Returns
/// `None` if more of the head is needed.
fn starts_with_message_header(head: Head<'_>, name: Option<&[u8]>) -> Option<bool> {
    let bytes = head.bytes();
    let first = bytes
        .strip_prefix(b"From ")
        .map_or(0, |rest| memchr(b'\n', rest).map_or(bytes.len(), |end| 5 + end + 1));
    let Some(line) = bytes.get(first..).filter(|rest| !rest.is_empty()) else {
        return head.answer_if_complete(false);
    };
    // A name starts with a letter: `2026-11-25T10:00:00 text` is the line of a log.
    if !line.first().is_some_and(u8::is_ascii_alphabetic) || find_field_colon(line).is_none() {
        return Some(false);
    }
    if name.is_some_and(|name| has_suffix_ignoring_case(name, b".eml")) {
        return Some(true);
    }
    let (mut telling, mut common, mut from) = (0, 0, false);
    let mut words: Vec<&[u8]> = Vec::new();
    let mut fields = Fields::new(bytes, first);
    for field in fields.by_ref().take(MAX_FIELDS) {
        let is = |name: &str| field.name().eq_ignore_ascii_case(name.as_bytes());
        if field_names::is_mail_only(field.name()) {
            telling += 1;
        } else if field_names::is_common(field.name()) {
            common += 1;
            if is("Content-Type") && is_composite_type(field.value()) {
                return Some(true);
            }
            from |= is("From") || is("Sender");
        } else if telling + common == 0 && !field.name().contains(&b'-') {
            // Fields of mail that may be repeated have a hyphen, as `X-Received` does.
            words.push(field.name());
            if words.iter().filter(|word| **word == field.name()).count() == MAX_SAME_WORD {
                return Some(false);
            }
        }
        if telling >= 2 || telling == 1 && common >= 1 || from && common >= 2 {
            return Some(true);
        }
    }
    // If the fields end before the bytes do, no further field can follow.
    if fields.next().is_some() || fields.is_complete() {
        Some(false)
    } else {
        head.answer_if_complete(false)
    }
}

/// True if the value of a `Content-Type` field names a type that only messages have.
fn is_composite_type(value: &[u8]) -> bool {
    let value = value.trim_ascii_start();
    [&b"multipart/"[..], b"message/"]
        .iter()
        .any(|kind| value.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind)))
}

/// True if the document is HTML: it starts like HTML, or its name has an extension of HTML and it
/// contains a `<`. Returns `None` if more of the head is needed.
fn is_html(head: Head<'_>, name: Option<&[u8]>) -> Option<bool> {
    let text = head.trimmed_text()?;
    let starts =
        |word: &[u8]| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if starts(b"<!doctype html")
        || starts(b"<html")
        || starts(b"<head>")
        || starts(hypermail::START)
    {
        return Some(true);
    }
    let named = name.is_some_and(|name| {
        [&b".html"[..], b".htm", b".xhtml"]
            .iter()
            .any(|&suffix| has_suffix_ignoring_case(name, suffix))
    });
    if named {
        return if text.contains(&b'<') {
            Some(true)
        } else {
            head.answer_if_complete(head.has_more())
        };
    }
    // Hypermail can write pages that PHP completes.
    if starts(b"<?php") {
        let is_page = hypermail::rebuild_hypermail_header(text).is_some();
        return if is_page { Some(true) } else { head.answer_if_complete(false) };
    }
    // `<?xml …?>` and comments may come first.
    if !starts(b"<?xml") && !starts(b"<!--") {
        return Some(false);
    }
    let window = text.get(..1024.min(text.len())).unwrap_or_default().to_ascii_lowercase();
    match memmem::find(&window, b"<html") {
        None if window.len() < 1024 => head.answer_if_complete(false),
        found => Some(found.is_some()),
    }
}

/// True if the file is an index that a news server keeps. Both the name and the content must match,
/// except for `.mh_sequences` and `.marks`. Returns `None` if the head is too short to decide.
fn is_news_index(name: &[u8], head: Head<'_>) -> Option<bool> {
    const NAMES: [&[u8]; 8] = [
        b".overview",
        b".xover",
        b"OVERVIEW",
        b"overview",
        b"active",
        b"active.old",
        b"active.times",
        b"history",
    ];
    if matches!(name, b".mh_sequences" | b".marks") {
        return Some(true);
    }
    if !NAMES.contains(&name) {
        return Some(false);
    }
    if head.bytes().is_empty() {
        return head.answer_if_complete(false);
    }
    let line = head.bytes().split(|&b| b == b'\n').next().unwrap_or_default();
    let tabs = memchr_iter(b'\t', line).count();
    let number = |field: Option<&[u8]>| {
        field.is_some_and(|field| !field.is_empty() && field.iter().all(u8::is_ascii_digit))
    };
    Some(match name {
        // `comp.x 0000001234 0000000001 y`
        b"active" | b"active.old" | b"active.times" => {
            let mut words = line.split(|&b| b == b' ').skip(1);
            number(words.next()) && number(words.next())
        }
        // `<message-id>` or `[hash]`, tab, times.
        b"history" => tabs >= 1 && matches!(line.first(), Some(b'<' | b'[')),
        // INN, C News, MH: article number, then seven fields (RFC 3977 §8.3).
        _ => tabs >= 6 && number(line.split(|&b| b == b'\t').next()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;

    fn auto(head: &str, name: &str) -> Container {
        detect(Head::of(head.as_bytes()), Some(name.as_bytes()), Reading::Auto)
    }

    #[test]
    fn content_decides() {
        let text = Container::Text(Dialect::Plain);
        let rule = "=".repeat(73);
        for (head, container) in [
            ("From a Thu Dec  1 10:00:00 1994\nTo: b\n\n", Container::Mbox),
            ("From here on, prose.\nAnd so on.\n", text),
            ("From \nSubject: a\n\n", Container::Mbox),
            ("From \r\nX-Mozilla-Status: 0001\r\n", Container::Mbox),
            ("From \nNote: prose\n", text),
            ("From \nhttp://h.dom/\n", text),
            ("#! rnews 12\nPath: a\n\nx\n", Container::Rnews),
            ("BABYL OPTIONS: -*- rmail -*-\n", Container::Babyl),
            (&format!("{rule}\nDate:         x\n\n"), Container::Notebook),
            (&format!("{rule}\nA heading\n"), text),
            ("Received: x\nFrom: y\n\n", Container::Message),
            ("From: a\nDate: b\nSubject: c\n\nbody", Container::Message),
            ("Title: a\nAuthor: b\nDate: c\n\nbody", text),
            ("Subject: only this\n\nbody", text),
            ("Content-Type: multipart/mixed; boundary=a\n\n--a\n", Container::Message),
            ("<!DOCTYPE HTML>\n<p>x", Container::Html),
            ("  <html><body>", Container::Html),
            ("<!-- received=\"Thu Dec  1 10:00:00 1994\" -->\n", Container::Html),
            ("plain", text),
            ("", text),
            ("\u{FEFF}plain", text),
            ("{ \"a\" : 1}", Container::Escaped(Notation::Json)),
            ("[{\"a\":1}]", Container::Escaped(Notation::Json)),
            ("[1] http://h.dom/", text),
            ("{ \"a\", 1}", text),
            ("<?xml version='1.0'?><rss>", Container::Escaped(Notation::Xml)),
            ("% a\n\\documentclass{b}", Container::Escaped(Notation::Tex)),
            (".\\\" a\n.TH B 1\n", Container::Escaped(Notation::Man)),
            (".profile is a file\n", text),
        ] {
            assert_eq!(auto(head, "x"), container, "{head:?}");
        }
        assert_eq!(detect(Head::of(b"\xFF\xFEx\0"), None, Reading::Auto), Container::Utf16);
        let text = "See http://h.dom/\u{e9}\u{4e2d} now, and then not.\r\n";
        for units in [u16::to_le_bytes, u16::to_be_bytes] {
            let mut raw: Vec<u8> = text.encode_utf16().flat_map(units).collect();
            assert_eq!(detect(Head::of(&raw), None, Reading::Auto), Container::Utf16);
            // Half a character at the end changes nothing; another byte at the start changes
            // everything.
            raw.push(b'x');
            assert_eq!(detect(Head::of(&raw), None, Reading::Auto), Container::Utf16);
            raw.splice(0..0, *b"\0\x01\x02\0\x7f\0\x01\x02");
            assert_eq!(
                detect(Head::of(&raw), None, Reading::Auto),
                Container::Text(Dialect::Binary)
            );
            assert_eq!(
                detect(Head::of(&raw), None, Reading::Text),
                Container::Text(Dialect::Plain)
            );
        }
        for (head, dialect) in [
            (&b"h\0t\0t\0p\0"[..], Dialect::Binary),
            (&[0; 100], Dialect::Binary),
            (&[b"plain ".repeat(200), vec![0]].concat(), Dialect::Plain),
            (b"plain\0", Dialect::Binary),
        ] {
            assert_eq!(detect(Head::of(head), None, Reading::Auto), Container::Text(dialect));
            assert_eq!(
                detect(Head::of(head), None, Reading::Binary),
                Container::Text(Dialect::Binary)
            );
        }
    }

    #[test]
    fn names_break_ties_only() {
        assert_eq!(auto("x", "a.MD"), Container::Markup(Dialect::Markdown));
        assert_eq!(auto("x", "a.rst"), Container::Markup(Dialect::Rst));
        assert_eq!(auto("<p>x", "a.html"), Container::Html);
        assert_eq!(auto("plain", "a.html"), Container::Text(Dialect::Plain));
        assert_eq!(auto("Subject: a\n\nb", "a.eml"), Container::Message);
        assert_eq!(auto("[]", "a.json"), Container::Escaped(Notation::Json));
        assert_eq!(auto("// no JSON\n{}", "a.json"), Container::Text(Dialect::Plain));
        assert_eq!(auto("{}", "a.ipynb"), Container::Escaped(Notation::Jupyter));
        assert_eq!(auto("<a>", "a.svg"), Container::Escaped(Notation::Xml));
        assert_eq!(auto("a", "a.xml"), Container::Text(Dialect::Plain));
        for name in ["a.xml", "b.xml.gz", "a.rss", "a.RDF", "a.svg", "a.atom"] {
            let fragment = "x</title>\n<link>http://h.dom/?a=b&amp;c=d</link>\n";
            assert_eq!(auto(fragment, name), Container::Escaped(Notation::Xml), "{name}");
        }
        assert_eq!(auto("{\"a\":\"<b>\"}", "a.xml"), Container::Escaped(Notation::Json));
        assert_eq!(auto("a", "a.tex"), Container::Escaped(Notation::Tex));
        assert_eq!(auto("http://h.dom/[a]", "a.adoc"), Container::Markup(Dialect::AsciiDoc));
        assert_eq!(auto("http://h.dom/[a]", "a.asc"), Container::Markup(Dialect::AsciiDoc));
        let key = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n";
        assert_eq!(auto(key, "a.asc"), Container::Text(Dialect::Plain));
        assert_eq!(auto("comp.x 0000000012 0000000001 y\n", "active"), Container::Index);
        assert_eq!(auto("active prose\n", "active"), Container::Text(Dialect::Plain));
    }

    #[test]
    fn xml_in_a_declared_charset_is_read_whole() {
        for (declaration, notation) in [
            ("<?xml version='1.0' encoding='windows-1251'?>", Notation::EncodedXml),
            ("\u{FEFF}\n<?xml encoding = \"EUC-JP\" ?>", Notation::EncodedXml),
            ("<?xml version='1.0' encoding='iso-2022-jp'?>", Notation::EncodedXml),
            ("<?xml version='1.0' encoding='UTF-8'?>", Notation::Xml),
            // The text is not UTF-16, so the label is wrong.
            ("<?xml version='1.0' encoding='UTF-16'?>", Notation::Xml),
            ("<?xml version='1.0' encoding='no-such-charset'?>", Notation::Xml),
            ("<?xml version='1.0'?><meta charset='koi8-r'>", Notation::Xml),
            ("<?xml version='1.0'?><?xml encoding='koi8-r'?>", Notation::Xml),
            ("<?xmlx encoding='koi8-r'?>", Notation::Xml),
        ] {
            let document = format!("{declaration}<rss/>");
            assert_eq!(auto(&document, "a.xml"), Container::Escaped(notation), "{document}");
            let reading = Reading::Escaped(Notation::Xml);
            let found = detect(Head::of(document.as_bytes()), None, reading);
            assert_eq!(found, Container::Escaped(notation), "{document}");
        }
    }

    #[test]
    fn the_user_decides() {
        assert_eq!(detect(Head::of(b"x"), None, Reading::Mail), Container::Message);
        assert_eq!(detect(Head::of(b"<p>"), None, Reading::Html), Container::Html);
        assert_eq!(
            detect(Head::of(b"<html>"), None, Reading::Text),
            Container::Text(Dialect::Plain)
        );
    }

    /// Returns documents of every kind, and plain texts that start like them, each with a file
    /// name.
    fn sample_documents() -> Vec<(Vec<u8>, &'static str)> {
        let rule = "=".repeat(73);
        let log = "INFO: see http://h.dom/\n".repeat(50);
        let comments = "% a\n".repeat(300) + "\\documentclass{a}\n";
        let comment = format!("<!-- a\n{}-->\n<html>\n", "b\n".repeat(300));
        let page = format!("{}<p>\n", "word\n".repeat(Head::LEN / 5));
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let title = format!("\n\n= Title\n{}== Part\n", "a\n".repeat(99));
        let texts = [
            ("From a Thu Dec  1 10:00:00 1994\nSubject: a\n\nb\n", ""),
            ("From a\nSubject: a\n\nb\n", ""),
            ("From \nSubject: a\n\nb\n", ""),
            ("From \r\nX-A: a\r\n\r\nb\r\n", ""),
            ("From here on, prose.\nAnd so on.\n", ""),
            (
                "From a Thu Dec  1 10:00:00 1994\nContent-Length: 2\n\nb\n\nFrom b Thu Dec  1 10:00:00 1994\n\n",
                "",
            ),
            (
                "From a Thu Dec  1 10:00:00 1994\nContent-Length: 3\n\nb\n\nFrom b Thu Dec  1 10:00:00 1994\n\nlong\nenough\nto be\njudged\n",
                "",
            ),
            ("#! rnews 12\nPath: a\n\nx\n", ""),
            ("BABYL OPTIONS: -*- rmail -*-\na\n", ""),
            (&format!("{rule}\nDate:         x\n\n"), ""),
            (&format!("{rule}\nA heading\n"), ""),
            ("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n", ""),
            ("WARC/1.0\r\nno field\r\n\r\n", ""),
            ("Received: x\nFrom: y\n\nbody\n", ""),
            ("X: y\n z\nstray\nFrom: a\nDate: b\nTo: c\n\nbody\n", ""),
            ("Title: a\nAuthor: b\nDate: c\n\nbody\n", ""),
            ("Content-Type:\n multipart/mixed; boundary=a\n\n--a\n", ""),
            (&log, ""),
            ("Subject: a\n\nb\n", "a.eml"),
            ("\n\n <!DOCTYPE HTML>\n<p>x\n", ""),
            (&comment, ""),
            (&comment.replace("<html>", "<p>"), ""),
            (&page, "a.html"),
            ("a\nb\n", "a.html"),
            ("[\n{\n\"a\"\n:1}]\n", ""),
            ("{\n}\n", ""),
            ("<?xml version='1.0'?>\n<rss>\n", ""),
            (&comments, ""),
            (".\\\" a\n.TH B 1\n", ""),
            (".profile is a file\nand\n", ""),
            ("1\ta\tb\tc\td\te\tf\tg\n2\n", ".overview"),
            ("10.0.0.1 - - GET http://h.dom/\nand more\n", ""),
            ("= Title\n:toc:\nand\n", ""),
            ("Title\n=====\n\nand\n[verse]\n", ""),
            ("\nTitle\n=====\n\n[verse]\n", ""),
            (&title, ""),
            ("-----BEGIN PGP MESSAGE-----\n\na\n", "a.asc"),
            ("= Title\n", "a.asc"),
            ("\u{FEFF}plain\ntext\n", "a.md"),
        ];
        let mut all: Vec<_> = texts.map(|(text, name)| (text.as_bytes().to_vec(), name)).into();
        all.push((wide("See http://h.dom/\nand then\nnot, but it is a text\n"), ""));
        all.push((wide("\u{FEFF}a\nb\n"), ""));
        all
    }

    #[test]
    fn an_early_answer_is_the_answer_to_the_whole() {
        for (document, name) in sample_documents() {
            let name = Some(name.as_bytes()).filter(|name| !name.is_empty());
            for reading in [Reading::Auto, Reading::Mail] {
                let whole = detect(Head::of(&document), name, reading);
                let ends = memchr_iter(b'\n', &document).map(|end| end + 1).chain([0, 1, 5, 40]);
                for end in ends
                    .filter(|end| *end < document.len())
                    .step_by(1 + document.len() / 50_000 * 97)
                {
                    let start = document.get(..end).unwrap();
                    let early = detect_early(Head::new(start, true), name, reading);
                    let start = String::from_utf8_lossy(start);
                    assert!(
                        early.is_none_or(|early| early == whole),
                        "{whole:?} {early:?} {start:?}"
                    );
                }
                assert_eq!(detect_early(Head::of(&document), name, reading), Some(whole));
            }
        }
    }

    #[test]
    fn one_line_of_text_is_certain() {
        let text = Container::Text(Dialect::Plain);
        for line in [
            "GET http://h.dom/1\n",
            "10.0.0.1 - - [25/Nov/2026:10:00:00 +0000] GET http://h.dom/\n",
            "2026-11-25T10:00:00Z http://h.dom/\n",
            "2026-11-25 10:00:00,123 INFO http://h.dom/\n",
            "[12:00:00] http://h.dom/\n",
            "<34>Oct 11 22:14:15 host su: http://h.dom/\n",
            "http://h.dom/\n",
            "127.0.0.1:80 http://h.dom/\n",
        ] {
            let head = Head::new(line.as_bytes(), true);
            assert_eq!(detect_early(head, None, Reading::Auto), Some(text), "{line}");
        }
        let json = detect_early(Head::new(b"{\"at\":1}\n", true), None, Reading::Auto);
        assert_eq!(json, Some(Container::Escaped(Notation::Json)));
        let xml = |head: &[u8]| {
            detect_early(Head::new(head, true), None, Reading::Escaped(Notation::Xml))
        };
        assert_eq!(xml(b"<?xml version='1.0'\n encoding='koi8-r'\n"), None);
        let encoded = Some(Container::Escaped(Notation::EncodedXml));
        assert_eq!(xml(b"<?xml version='1.0'\n encoding='koi8-r'\n?>\n"), encoded);
        assert_eq!(text.refine_with_bytes(1000, &[b'a'; 100]), text);
        assert_eq!(text.refine_with_bytes(1000, &[0; 10]), Container::Text(Dialect::Binary));
        assert_eq!(text.refine_with_bytes(1024, &[0; 10]), text);
    }

    #[test]
    fn three_lines_of_a_log_are_certain() {
        let text = Some(Container::Text(Dialect::Plain));
        let early =
            |head: &str| detect_early(Head::new(head.as_bytes(), true), None, Reading::Auto);
        assert_eq!(early("INFO: a\nINFO: b\nINFO: c\n"), text);
        assert_eq!(early("INFO: a\nWARN: b\nINFO: c\nDEBUG: d\nINFO: e\n"), text);
        assert_eq!(early("INFO: a\nWARN: b\nINFO: c\nDEBUG: d\n"), None);
        // Fields may be repeated in mail.
        assert_eq!(early("X-Received: a\nX-Received: b\nX-Received: c\nX-Received: d\n"), None);
        assert_eq!(early("From: a\nNote: a\nNote: b\nNote: c\nNote: d\n"), None);
    }

    #[test]
    fn beyond_the_head_the_name_decides() {
        let late = |rest: &str| [&b"word\n".repeat(Head::LEN / 5 + 1), rest.as_bytes()].concat();
        let kind = |document: &[u8], name: &str| {
            detect(Head::of(document), Some(name.as_bytes()), Reading::Auto)
        };
        let text = Container::Text(Dialect::Plain);
        assert_eq!(kind(&late("<p>"), "a.html"), Container::Html);
        assert_eq!(kind(&late("<p>"), "a.txt"), text);
        assert_eq!(kind(&late("<p>")[5..Head::LEN], "a.html"), text);
        let header = |late: &str| format!("{}{late}\n\nb\n", "X-A: b\n c\n".repeat(Head::LEN / 9));
        assert_eq!(kind(header("From: a\nTo: b\nDate: c").as_bytes(), "a"), text);
        assert_eq!(kind(header("").as_bytes(), "a.eml"), Container::Message);
    }
}
