//! Properties that hold for every input: no panics, correct positions, no lost text.

use proptest::prelude::*;
use std::ops::ControlFlow;
use urlsift_archive::{
    Container, Dialect, Document, DocumentKind, Head, Headers, Layer, Notation, Options, Reading,
    detect, documents, redecode, safe_cut, split,
};
use urlsift_core::Span;

const CONTAINERS: [Container; 21] = [
    Container::Text(Dialect::Plain),
    Container::Text(Dialect::Binary),
    Container::Html,
    Container::Utf16,
    Container::Encoded,
    Container::Defanged,
    Container::Mbox,
    Container::Mboxcl,
    Container::Message,
    Container::Emlx,
    Container::Rnews,
    Container::Babyl,
    Container::Notebook,
    Container::Index,
    Container::Escaped(Notation::Json),
    Container::Escaped(Notation::Xml),
    Container::Escaped(Notation::Tex),
    Container::Escaped(Notation::Man),
    Container::Escaped(Notation::Jupyter),
    Container::Escaped(Notation::ContentLines),
    Container::Escaped(Notation::Gettext),
];

/// Lines with a special meaning in some format or encoding, and some ordinary lines.
const LINES: &[&str] = &[
    "From joe@host.dom Thu Dec  1 10:00:00 1994",
    "From nowhere",
    "From ",
    ">From there",
    "From: joe@host.dom",
    "Subject: a digest",
    "Date: Thu, 1 Dec 1994 10:00:00 +0100",
    "Message-ID: <1@host.dom>",
    "Content-Length: 30",
    "120",
    "<?xml version=\"1.0\"?>",
    " folded",
    "BEGIN:VCALENDAR",
    "Content-Type: application/octet-stream; name=a.eml",
    "Content-Disposition: attachment; filename=a.html",
    "MIME-Version: 1.0",
    "Content-Type: multipart/mixed; boundary=b",
    "Content-Type: multipart/digest; boundary=\"c\"",
    "Content-Type: text/html; charset=utf-8",
    "Content-Type: text/calendar",
    "a\\, b\\n",
    "Content-Type: text/plain; charset=iso-2022-jp",
    "Content-Type: text/plain; charset=big5",
    "Content-Type: text/plain; charset=utf-16",
    "Content-Type: text/plain; charset=utf-7",
    "Content-Type: text/plain; format=flowed; delsp=yes",
    "Content-Type: message/rfc822",
    "Content-Type: image/png",
    "Content-Transfer-Encoding: quoted-printable",
    "Content-Transfer-Encoding: base64",
    "List-Archive: <http://host.dom/",
    " folded>",
    "X-URL: =?utf-8?Q?http://h=C3=A9?=",
    "",
    "",
    "",
    "--b",
    "--b--",
    "--c",
    "--c--",
    "------------------------------",
    "http://host.dom/a=3Db=",
    "/c.html and more ",
    "> quoted ",
    "aHR0cDovL2hvc3QuZG9tLw==",
    "aHR0cDov",
    "<p>x &amp; <a href=\"http://host.dom/?a&amp;b\">y</a><br>",
    "<!-- http://host.dom/",
    "--> <script> </script> <img src='",
    "\u{1b}$B8+$h\u{1b}(Bhttp://h/",
    "+AGg-ttp://h/ ~{VP~}",
    "begin 644 x",
    "#86)C",
    "end",
    "-----BEGIN PGP MESSAGE-----",
    "#! rnews 60",
    "=========================================================================",
    "\u{1f}\u{c}",
    "*** EOOH ***",
];

/// Generates files of such lines, with some random bytes between them.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        12 => proptest::sample::select(LINES).prop_map(|line| line.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..12),
    ];
    (proptest::collection::vec(line, 0..40), any::<bool>(), any::<bool>()).prop_map(
        |(lines, crlf, ends)| {
            let eol: &[u8] = if crlf { b"\r\n" } else { b"\n" };
            let mut file = lines.join(eol);
            if ends {
                file.extend_from_slice(eol);
            }
            file
        },
    )
}

fn options() -> Options {
    let mut options = Options::default();
    options.headers = Headers::All;
    options.refang = true;
    options
}

/// Checks the properties of one document of `raw`.
fn check(raw: &[u8], document: &Document<'_>) -> Result<(), TestCaseError> {
    let len = document.text.len();
    let mut last = 0;
    for at in 0..len {
        let source = document.to_unit_span(Span::new(at, at + 1));
        prop_assert!(source.end <= raw.len() && !source.is_empty() || source.start <= raw.len());
        prop_assert!(source.start >= last, "positions never run backwards");
        last = source.start;
    }
    for b in document.breaks.iter() {
        prop_assert!(matches!(document.text.get(b.at), Some(b'\n' | b'\r')));
    }
    prop_assert!(document.breaks.iter().is_sorted_by(|a, b| a.at < b.at));
    for (text, source) in document.copied_pieces(Span::new(0, len)) {
        prop_assert_eq!(&document.text[text.range()], &raw[source.range()]);
    }
    // Every run of bytes without white space may be a URL, so check each one.
    let mut start = 0;
    while start < len {
        let word = document.text[start..].iter().take_while(|b| b.is_ascii_graphic()).count();
        if word == 0 {
            start += 1;
            continue;
        }
        let found = Span::new(start, start + word);
        start += word;
        let layers = document.layers(found);
        let source = document.to_unit_span(found);
        if !layers.approximate
            && let Some(undone) = redecode(&raw[source.range()], layers.decoded)
        {
            let bare = |text: &[u8]| -> Vec<u8> {
                text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect()
            };
            // The quote mark of a `>From ` line is not part of the decoded text.
            let unquoted =
                document.origin.message.is_some() && raw.windows(6).any(|w| w == b">From ");
            let (undone, text) = (bare(&undone), bare(&document.text[found.range()]));
            prop_assert!(
                unquoted || undone == text,
                "{:?} {:?}",
                undone.escape_ascii().to_string(),
                text.escape_ascii().to_string()
            );
        }
    }
    document.is_opaque(Span::new(0, len));
    Ok(())
}

fn check_all(raw: &[u8], container: Container) -> Result<(), TestCaseError> {
    let mut result = Ok(());
    let mut last = (Span::default(), None);
    documents(raw, container, 0, &options(), &mut |document| {
        let here = document.to_unit_span(Span::new(0, document.text.len()));
        let page = document.origin.page;
        // Two texts can share a base64 group of four characters.
        let shared = if document.origin.decoded.contains(&Layer::Base64) { 3 } else { 0 };
        let ordered = here.start + shared >= last.0.end || page.is_some() && page == last.1;
        last = (here, page);
        result = check(raw, document);
        if !ordered {
            result = Err(TestCaseError::fail(format!("{:?} comes too late", document.text)));
        }
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    result
}

/// Returns the documents as (start, end, text), to compare different ways of reading the same file.
fn all(raw: &[u8], container: Container, base: u64) -> Vec<(u64, u64, Vec<u8>)> {
    let mut found = Vec::new();
    documents(raw, container, base, &options(), &mut |document| {
        let place = document.to_file_span(Span::new(0, document.text.len()));
        found.push((place.start, place.end, document.text.to_vec()));
        ControlFlow::Continue(())
    });
    found
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn properties_hold_for_any_bytes(raw in proptest::collection::vec(any::<u8>(), 0..300)) {
        for container in CONTAINERS {
            check_all(&raw, container)?;
        }
    }

    #[test]
    fn properties_hold_for_likely_files(raw in file()) {
        for container in CONTAINERS {
            check_all(&raw, container)?;
        }
        detect(Head::of(&raw), None, Reading::Auto);
    }

    #[test]
    fn splits_and_streams_read_as_the_whole(raw in file(), step in 1..300_usize) {
        for container in [
            Container::Mbox,
            Container::Notebook,
            Container::Babyl,
            Container::Escaped(Notation::Json),
            Container::Escaped(Notation::Xml),
        ] {
            let whole = all(&raw, container, 0);
            let mut parts = Vec::new();
            for unit in split(container, &raw, step) {
                parts.extend(all(&raw[unit.clone()], container, unit.start as u64));
            }
            prop_assert_eq!(&parts, &whole, "{:?}", container);
        }
        for container in [
            Container::Mbox,
            Container::Mboxcl,
            Container::Rnews,
            Container::Notebook,
            Container::Escaped(Notation::Json),
            Container::Escaped(Notation::Xml),
        ] {
            let whole = all(&raw, container, 0);
            let (mut base, mut read) = (0, 0);
            let mut parts = Vec::new();
            while base < raw.len() {
                read = (read + step).min(raw.len());
                let cut = safe_cut(container, &raw[base..read], read == raw.len());
                parts.extend(all(&raw[base..base + cut], container, base as u64));
                base += cut;
            }
            prop_assert_eq!(&parts, &whole, "{:?}", container);
        }
    }

    /// In mail without encodings, every line with a URL is in some document, even if the structure
    /// of the message is malformed.
    #[test]
    fn no_plain_line_is_lost(
        lines in proptest::collection::vec(proptest::sample::select(&[
            "Content-Type: multipart/mixed; boundary=b", "Content-Type: multipart/mixed; boundary=c",
            "Content-Type: message/rfc822", "Content-Type: text/plain", "Content-Type: image/png",
            "", "", "--b", "--c", "--b--", "--c--", "Subject: x", "URL",
        ][..]), 0..40),
    ) {
        let mut raw = b"From: joe@host.dom\nContent-Type: multipart/mixed; boundary=b\n\n".to_vec();
        let mut words = Vec::new();
        for (number, line) in lines.into_iter().enumerate() {
            if line == "URL" {
                words.push(format!("<http://host.dom/{number}>"));
                raw.extend_from_slice(format!("<http://host.dom/{number}>\n").as_bytes());
            } else {
                raw.extend_from_slice(format!("{line}\n").as_bytes());
            }
        }
        let texts = all(&raw, Container::Message, 0);
        for word in words {
            let seen = texts.iter().any(|(_, _, text)| {
                text.windows(word.len()).any(|w| w == word.as_bytes())
            });
            prop_assert!(seen, "{} in {}", word, String::from_utf8_lossy(&raw));
        }
    }
}

/// Parts of escape sequences, and ordinary text.
const ESCAPES: &[&str] = &[
    "\n|",
    "\\",
    "\\/",
    "\\\"",
    "\\n",
    "\\u00",
    "\\u0026",
    "\\u003a",
    "\\ud83d",
    "\\ude00",
    "2f",
    "\"",
    "\",\n \"",
    "\"\n\"",
    "\n#~ ",
    "&",
    "&amp;",
    "amp;",
    "lt;",
    "&#x2F;",
    "#58;",
    "&quot",
    "&nosuch;",
    ";",
    "\\_",
    "\\~{}",
    "\\~",
    "{\\textasciitilde}",
    "\\textasciitilde",
    "{}",
    "\\string",
    "\\slash",
    "$\\sim$",
    "%\n",
    "%\r\n  ",
    "\n",
    " ",
    "\\-",
    "\\(en",
    "\\(sl",
    "\\[ti]",
    "\\[u002F]",
    "\\fB",
    "\\f(CW",
    "\\f[I]",
    "\\s-1",
    "\\s12",
    "\\s[9]",
    "\\:",
    "\\&",
    "\\%",
    "\\e",
    "http",
    "hxxp",
    "[.]",
    "(dot)",
    "[:]",
    "fxps:",
    ":",
    "/",
    "a",
    "e",
    "0",
    "(",
    "[",
    "]",
    "~",
    "<",
    "<a>",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// If `redecode` is applied to the raw bytes of an escape, the result is its decoded text.
    #[test]
    fn redecoded_escapes_give_their_text(
        pieces in proptest::collection::vec(proptest::sample::select(ESCAPES), 0..40),
        is_cell: bool,
    ) {
        let raw = pieces.concat();
        for notation in Notation::ALL {
            let cell = notation == Notation::Jupyter && is_cell;
            let raw = if cell {
                format!("{{\"cells\":[{{\"cell_type\":\"code\",\"source\":[\"{raw}\"]}}]}}")
            } else {
                raw.clone()
            };
            check_all(raw.as_bytes(), Container::Escaped(notation))?;
        }
    }
}

/// Deeply nested and very long structures. They would take too long to scan if each level were read
/// again.
#[test]
fn deep_and_long_mail_is_bounded() {
    let mut deep = b"From: a\n".to_vec();
    for level in 0..10_000 {
        let line = format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
        deep.extend_from_slice(line.as_bytes());
    }
    deep.extend_from_slice(b"\nhttp://host.dom/deep\n");
    let long = [b"From: a\nX-Long: ", &*b"http://host.dom/long ".repeat(500_000)].concat();
    let many = [
        &b"From: a\nContent-Type: multipart/mixed; boundary=b\n\n"[..],
        &b"--b\n\nx: y\n".repeat(50_000),
        b"--b\n\nhttp://host.dom/many\n",
    ]
    .concat();
    let tags =
        [&b"Content-Type: text/html\n\n"[..], &b"<a \"".repeat(200_000), b"http://host.dom/tags"]
            .concat();
    for (raw, word) in [(&deep, "deep"), (&long, "long"), (&many, "many"), (&tags, "tags")] {
        let word = format!("http://host.dom/{word}");
        let mut seen = false;
        documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
            seen |= matches!(document.kind, DocumentKind::Text(_))
                && document.text.windows(word.len()).any(|w| w == word.as_bytes());
            ControlFlow::Continue(())
        });
        assert!(seen, "{word}");
    }
}

/// Texts with many matches and many unterminated blocks. If the scanner read the line or the whole
/// text again for each match, this test would take minutes.
#[test]
fn opaque_blocks_are_found_in_linear_time() {
    let marks = ["-----BEGIN PGP MESSAGE-----", "converted with BinHex", "begin-base64 644 a"];
    let mut texts = vec!["http://h/abc ".repeat(200_000), "HTTP://H/ABC ".repeat(200_000)];
    texts.extend(marks.map(|mark| format!("{mark} HTTP://H/\n").repeat(50_000)));
    texts.extend(marks.map(|mark| format!("{mark} HTTP://H/ ").repeat(50_000)));
    for text in texts {
        let raw = [b"From: a\n\n", text.as_bytes()].concat();
        let mut asked = 0;
        documents(&raw, Container::Message, 0, &Options::default(), &mut |document| {
            for at in memchr::memchr_iter(b':', document.text) {
                assert!(!document.is_opaque(Span::new(at, at + 1)));
                asked += 1;
            }
            ControlFlow::Continue(())
        });
        assert!(asked >= 50_000);
    }
}

/// In the value of an attribute, `</a>` is not a tag. But if the value contains a line break,
/// `redecode` removes `</a>`, because it sees only the raw bytes of the value. So such values are
/// approximate.
#[test]
fn a_tag_in_a_folded_value_is_approximate() {
    for (html, approximate) in [
        ("<img src=\"http://h.dom/a\nb</a>c\">", true),
        ("<img src=\"http://h.dom/a\nbc\">", false),
        ("<img src=\"http://h.dom/a</a>c\">", false),
        ("<img src=\"http://h.dom/a&amp;b\">", false),
    ] {
        let mut seen = 0;
        let container = Container::Html;
        documents(html.as_bytes(), container, 0, &Options::default(), &mut |document| {
            if document.kind == DocumentKind::Attribute("img/src") {
                let whole = Span::new(0, document.text.len());
                let layers = document.layers(whole);
                assert_eq!(layers.approximate, approximate, "{html}");
                if !approximate {
                    let raw = &html.as_bytes()[document.to_unit_span(whole).range()];
                    let undone = redecode(raw, layers.decoded).unwrap();
                    let undone: Vec<u8> = undone.into_iter().filter(|&b| b != b' ').collect();
                    assert_eq!(undone, document.text, "{html}");
                }
                seen += 1;
            }
            ControlFlow::Continue(())
        });
        assert_eq!(seen, 1, "{html}");
    }
}
