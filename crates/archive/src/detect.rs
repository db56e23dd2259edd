//! What a file is, by its content.

use crate::decode::charset;
use crate::dialect::Dialect;
use crate::header::{Fields, field_colon};
use crate::notation::Notation;
use crate::notation::told::told;
use crate::web::{self, WebFormat};
use crate::{Options, Reading, hypermail, mbox, notebook};
use memchr::memmem;

/// What a file is, as far as it is read differently.
///
/// ```
/// use urlsift_archive::{Container, Dialect, Options, Reading, detect};
/// let mbox = detect(b"From joe Thu Dec  1 10:00:00 1994\nSubject: a\n\n", None, Reading::Auto);
/// assert_eq!((mbox, mbox.name()), (Container::Mbox, "mbox"));
/// assert!(mbox.is_sequence() && mbox.is_splittable());
/// let mut options = Options::default();
/// options.refang = true;
/// assert_eq!(Container::Text(Dialect::Plain).by(&options), Container::Defanged);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    /// Text as it stands, in this markup. It may be cut anywhere that the scanner can resume.
    Text(Dialect),
    /// HTML: its attributes and its text are told apart. Read whole, or if it is long, [piece by piece](crate::long).
    Html,
    /// Text in a format with escapes. JSON and XML are read in pieces between which nothing goes on: the lines of JSON, and of XML
    /// what starts with a line that starts with a tag. The others are read whole.
    Escaped(Notation),
    /// Text in a charset that is not scanned as it stands: [`Options::encoding`](crate::Options::encoding). Read whole.
    Encoded,
    /// Text whose URLs may be defanged: [`Options::refang`]. Read up to [`Options::max_message`]
    /// bytes at a time, between lines.
    Defanged,
    /// Text in UTF-16, by its byte order mark or its look. Read whole.
    Utf16,
    /// Messages after `From ` lines.
    Mbox,
    /// Messages after `From ` lines, told apart by their `Content-Length`. Must not be split.
    Mboxcl,
    /// One message or article: `.eml`, Maildir, MH, spool. Read whole.
    Message,
    /// A batch of articles, each after a line `#! rnews LENGTH` (RFC 1036 §4).
    Rnews,
    /// The mailbox of the Emacs programs Rmail and Gnus.
    Babyl,
    /// The monthly log of a LISTSERV list: messages after lines of 73 `=`.
    Notebook,
    /// A file that news servers keep beside the articles (overview, active, history): nothing in
    /// it is looked at.
    Index,
    /// The records of a web archive, told apart by their lengths. Must not be split.
    Web(WebFormat),
}

impl Container {
    /// All of them; of texts those that scanning tells apart.
    pub const ALL: [Self; 20] = [
        Self::Text(Dialect::Plain),
        Self::Text(Dialect::Binary),
        Self::Html,
        Self::Escaped(Notation::Json),
        Self::Escaped(Notation::Xml),
        Self::Escaped(Notation::Tex),
        Self::Escaped(Notation::Man),
        Self::Escaped(Notation::Jupyter),
        Self::Encoded,
        Self::Defanged,
        Self::Utf16,
        Self::Mbox,
        Self::Mboxcl,
        Self::Message,
        Self::Rnews,
        Self::Babyl,
        Self::Notebook,
        Self::Index,
        Self::Web(WebFormat::Warc),
        Self::Web(WebFormat::Arc),
    ];

    /// The stable name, as lists of units have it: `mbox`, `text`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text(Dialect::Binary) => Reading::Binary.name(),
            Self::Text(_) => Reading::Text.name(),
            Self::Html => Reading::Html.name(),
            Self::Escaped(notation) => Reading::Escaped(notation).name(),
            Self::Encoded => "encoded",
            Self::Defanged => "defanged",
            Self::Utf16 => "utf-16",
            Self::Mbox => "mbox",
            Self::Mboxcl => "mboxcl",
            Self::Message => "message",
            Self::Rnews => "rnews",
            Self::Babyl => "babyl",
            Self::Notebook => "notebook",
            Self::Index => "index",
            Self::Web(format) => format.name(),
        }
    }

    /// What it is by these options: a text may have to be decoded before it is scanned.
    #[must_use]
    pub fn by(self, options: &Options) -> Self {
        let is_encoded = options.encoding.is_some_and(|encoding| encoding.in_place().is_none());
        match self {
            Self::Text(_) if is_encoded => Self::Encoded,
            Self::Text(_) if options.refang => Self::Defanged,
            _ => self,
        }
    }

    /// Whether the container holds any number of messages or texts one after the other, so that it can be
    /// read in pieces: see [`safe_cut`](crate::safe_cut).
    pub const fn is_sequence(self) -> bool {
        matches!(self, Self::Mboxcl | Self::Rnews | Self::Babyl | Self::Web(_))
            || self.is_splittable()
    }

    /// Whether any piece that starts at a message or text can be found without reading what is before it:
    /// see [`split`](crate::split).
    pub const fn is_splittable(self) -> bool {
        match self {
            Self::Escaped(notation) => notation.has_pieces(),
            _ => matches!(self, Self::Mbox | Self::Notebook),
        }
    }
}

urlsift_core::by_name!(Container);

/// What the file is whose first bytes are `head` (some 64 KiB of it, or all). The content decides;
/// `name` (the last component of the path) only breaks ties: markup among texts, and the index
/// files of a spool.
///
/// ```
/// use urlsift_archive::{Container, Dialect, Reading, detect};
/// let article = b"Path: a!b\nFrom: joe@host.dom\nNewsgroups: comp.x\n\nHello.\n";
/// assert_eq!(detect(article, Some(b"1234"), Reading::Auto), Container::Message);
/// assert_eq!(detect(article, None, Reading::Text), Container::Text(Dialect::Plain));
/// assert_eq!(detect(b"# Title\n", Some(b"a.md"), Reading::Auto), Container::Text(Dialect::Markdown));
/// ```
pub fn detect(head: &[u8], name: Option<&[u8]>, reading: Reading) -> Container {
    match reading {
        Reading::Text => Container::Text(Dialect::Plain),
        Reading::Binary => Container::Text(Dialect::Binary),
        Reading::Markdown => Container::Text(Dialect::Markdown),
        Reading::Rst => Container::Text(Dialect::Rst),
        Reading::Html => Container::Html,
        Reading::Escaped(notation) => Container::Escaped(notation),
        Reading::Mail => sequence(head).unwrap_or(Container::Message),
        Reading::Auto => {
            if name.is_some_and(|name| is_index(name, head)) {
                Container::Index
            } else if charset::is_utf16(head) {
                Container::Utf16
            } else if let Some(container) = sequence(head) {
                container
            } else if let Some(format) = web::format(head) {
                Container::Web(format)
            } else if is_message(head, name) {
                Container::Message
            } else if is_html(head, name) {
                Container::Html
            } else if let Some(notation) = told(head, name) {
                Container::Escaped(notation)
            } else {
                let dialect = dialect(name);
                let is_binary = dialect == Dialect::Plain && is_binary(head);
                Container::Text(if is_binary { Dialect::Binary } else { dialect })
            }
        }
    }
}

/// How much is looked at to see whether a file is binary. Programs, documents and dumps show it at once, and small texts, of
/// which there are many, are not looked at once more.
const LOOK: usize = 1024;

/// Whether it is no text as a whole: as to other programs, a NUL shows that.
fn is_binary(head: &[u8]) -> bool {
    memchr::memchr(0, head.get(..LOOK.min(head.len())).unwrap_or_default()).is_some()
}

/// The containers of many messages say at once what they are.
fn sequence(head: &[u8]) -> Option<Container> {
    if head.starts_with(b"From ") && mbox::is_envelope(head, 0) {
        let lengths = mbox::has_lengths(head);
        return Some(if lengths { Container::Mboxcl } else { Container::Mbox });
    }
    if head.starts_with(b"#! rnews ") {
        return Some(Container::Rnews);
    }
    if notebook::is_start(head, 0) {
        return Some(Container::Notebook);
    }
    head.starts_with(b"BABYL OPTIONS:").then_some(Container::Babyl)
}

/// Fields that show mail or news by themselves, and those that do in company. Documents of other
/// kinds start with `Name: value` lines, too.
const TELLING: [&str; 16] = [
    "Received",
    "Return-Path",
    "Message-ID",
    "Newsgroups",
    "Path",
    "Delivered-To",
    "MIME-Version",
    "Content-Transfer-Encoding",
    "In-Reply-To",
    "References",
    "X-Mozilla-Status",
    "Envelope-To",
    "NNTP-Posting-Host",
    "Article-I.D.",
    "Xref",
    "DKIM-Signature",
];
const COMMON: [&str; 12] = [
    "From",
    "To",
    "Cc",
    "Subject",
    "Date",
    "Sender",
    "Reply-To",
    "Organization",
    "Lines",
    "Content-Type",
    "Apparently-To",
    "Summary",
];

/// Whether `head` starts with the header of a message: two telling fields; or one and a common one;
/// or three common ones, of which one says from whom. A type that only mail has tells by itself,
/// and so does the name `.eml` if there is any field at all.
fn is_message(head: &[u8], name: Option<&[u8]>) -> bool {
    let first = head
        .strip_prefix(b"From ")
        .map_or(0, |rest| memchr::memchr(b'\n', rest).map_or(head.len(), |end| 5 + end + 1));
    if field_colon(head.get(first..).unwrap_or_default()).is_none() {
        return false;
    }
    if name.is_some_and(|name| has_suffix(name, b".eml")) {
        return true;
    }
    let (mut telling, mut common, mut from) = (0, 0, false);
    for field in Fields::new(head, first).take(200) {
        let is = |name: &str| field.name().eq_ignore_ascii_case(name.as_bytes());
        if TELLING.iter().any(|name| is(name)) {
            telling += 1;
        } else if COMMON.iter().any(|name| is(name)) {
            common += 1;
            let value = field.value().trim_ascii_start();
            let composite = ["multipart/", "message/"].iter().any(|kind| {
                value.get(..kind.len()).is_some_and(|v| v.eq_ignore_ascii_case(kind.as_bytes()))
            });
            if composite && field.name().eq_ignore_ascii_case(b"Content-Type") {
                return true;
            }
            from |= field.name().eq_ignore_ascii_case(b"From")
                || field.name().eq_ignore_ascii_case(b"Sender");
        }
    }
    telling >= 2 || telling == 1 && common >= 1 || from && common >= 2
}

/// Whether the text is HTML: it says so before anything else, or its name does and it has tags.
fn is_html(head: &[u8], name: Option<&[u8]>) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let starts =
        |word: &[u8]| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if starts(b"<!doctype html")
        || starts(b"<html")
        || starts(b"<head>")
        || starts(hypermail::START)
    {
        return true;
    }
    let named = name.is_some_and(|name| {
        [&b".html"[..], b".htm", b".xhtml"].iter().any(|&suffix| has_suffix(name, suffix))
    });
    if named {
        return text.contains(&b'<');
    }
    // `<?xml …?>` and comments may come first.
    (starts(b"<?xml") || starts(b"<!--")) && {
        let head = text.get(..1024.min(text.len())).unwrap_or_default().to_ascii_lowercase();
        memmem::find(&head, b"<html").is_some()
    }
}

fn has_suffix(name: &[u8], suffix: &[u8]) -> bool {
    name.len() > suffix.len()
        && name
            .get(name.len() - suffix.len()..)
            .is_some_and(|tail| tail.eq_ignore_ascii_case(suffix))
}

/// The markup that the ending of a file's name tells.
const ENDINGS: [(&[&[u8]], Dialect); 5] = [
    (&[b".md", b".markdown", b".mkd"], Dialect::Markdown),
    (&[b".rst"], Dialect::Rst),
    (&[b".mdx"], Dialect::Mdx),
    (&[b".adoc", b".asciidoc"], Dialect::AsciiDoc),
    (&[b".ipynb"], Dialect::Jupyter),
];

fn dialect(name: Option<&[u8]>) -> Dialect {
    let Some(name) = name else { return Dialect::Plain };
    let found = ENDINGS.iter().find(|(endings, _)| endings.iter().any(|end| has_suffix(name, end)));
    found.map_or(Dialect::Plain, |&(_, dialect)| dialect)
}

/// Whether a file of that name and content is one that a news server keeps for itself. The name
/// alone is not believed.
fn is_index(name: &[u8], head: &[u8]) -> bool {
    let line = head.split(|&b| b == b'\n').next().unwrap_or_default();
    let tabs = memchr::memchr_iter(b'\t', line).count();
    let number = |field: Option<&[u8]>| {
        field.is_some_and(|field| !field.is_empty() && field.iter().all(u8::is_ascii_digit))
    };
    match name {
        // INN, C News, MH: article number, then seven fields (RFC 3977 §8.3).
        b".overview" | b".xover" | b"OVERVIEW" | b"overview" => {
            tabs >= 6 && number(line.split(|&b| b == b'\t').next())
        }
        // `comp.x 0000001234 0000000001 y`
        b"active" | b"active.old" | b"active.times" => {
            let mut words = line.split(|&b| b == b' ').skip(1);
            number(words.next()) && number(words.next())
        }
        // `<message-id>` or `[hash]`, tab, times.
        b"history" => tabs >= 1 && matches!(line.first(), Some(b'<' | b'[')),
        b".mh_sequences" | b".marks" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(head: &str, name: &str) -> Container {
        detect(head.as_bytes(), Some(name.as_bytes()), Reading::Auto)
    }

    #[test]
    fn by_content() {
        let text = Container::Text(Dialect::Plain);
        let rule = "=".repeat(73);
        for (head, container) in [
            ("From a Thu Dec  1 10:00:00 1994\nTo: b\n\n", Container::Mbox),
            ("From here on, prose.\nAnd so on.\n", text),
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
        assert_eq!(detect(b"\xFF\xFEx\0", None, Reading::Auto), Container::Utf16);
        let text = "See http://h.dom/\u{e9}\u{4e2d} now, and then not.\r\n";
        for units in [u16::to_le_bytes, u16::to_be_bytes] {
            let mut raw: Vec<u8> = text.encode_utf16().flat_map(units).collect();
            assert_eq!(detect(&raw, None, Reading::Auto), Container::Utf16);
            // Half of a character at the end changes nothing, another byte at the start all.
            raw.push(b'x');
            assert_eq!(detect(&raw, None, Reading::Auto), Container::Utf16);
            raw.splice(0..0, *b"\0\x01\x02\0\x7f\0\x01\x02");
            assert_eq!(detect(&raw, None, Reading::Auto), Container::Text(Dialect::Binary));
            assert_eq!(detect(&raw, None, Reading::Text), Container::Text(Dialect::Plain));
        }
        for (head, dialect) in [
            (&b"h\0t\0t\0p\0"[..], Dialect::Binary),
            (&[0; 100], Dialect::Binary),
            (&[b"plain ".repeat(200), vec![0]].concat(), Dialect::Plain),
            (b"plain\0", Dialect::Binary),
        ] {
            assert_eq!(detect(head, None, Reading::Auto), Container::Text(dialect));
            assert_eq!(detect(head, None, Reading::Binary), Container::Text(Dialect::Binary));
        }
    }

    #[test]
    fn names_break_ties_only() {
        assert_eq!(auto("x", "a.MD"), Container::Text(Dialect::Markdown));
        assert_eq!(auto("x", "a.rst"), Container::Text(Dialect::Rst));
        assert_eq!(auto("<p>x", "a.html"), Container::Html);
        assert_eq!(auto("plain", "a.html"), Container::Text(Dialect::Plain));
        assert_eq!(auto("Subject: a\n\nb", "a.eml"), Container::Message);
        assert_eq!(auto("[]", "a.json"), Container::Escaped(Notation::Json));
        assert_eq!(auto("// no JSON\n{}", "a.json"), Container::Text(Dialect::Plain));
        assert_eq!(auto("{}", "a.ipynb"), Container::Escaped(Notation::Jupyter));
        assert_eq!(auto("<a>", "a.svg"), Container::Escaped(Notation::Xml));
        assert_eq!(auto("a", "a.xml"), Container::Text(Dialect::Plain));
        assert_eq!(auto("a", "a.tex"), Container::Escaped(Notation::Tex));
        assert_eq!(auto("comp.x 0000000012 0000000001 y\n", "active"), Container::Index);
        assert_eq!(auto("active prose\n", "active"), Container::Text(Dialect::Plain));
    }

    #[test]
    fn the_user_decides() {
        assert_eq!(detect(b"x", None, Reading::Mail), Container::Message);
        assert_eq!(detect(b"<p>", None, Reading::Html), Container::Html);
        assert_eq!(detect(b"<html>", None, Reading::Text), Container::Text(Dialect::Plain));
    }
}
