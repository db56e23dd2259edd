//! Checks that URLs with letters in a declared charset are found whole, in every kind of document
//! that can declare a charset.

use encoding_rs::Encoding;
use serde::Deserialize;
use std::sync::Arc;
use urlsift_archive::{Head, Layer, Reading, detect};
use urlsift_records::{FileName, Malformed, Options, Scan, Unit, collect_records};

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    why: String,
    charset: String,
    text: String,
}

/// Returns the text of a case as XML or HTML, with the URLs in attributes if `in_attributes` is
/// true.
fn markup_of(text: &str, in_attributes: bool) -> String {
    let text = text.replace('&', "&amp;");
    let mut parts = text.split('|');
    let mut out = String::new();
    while let Some(before) = parts.next() {
        out += before;
        let Some(url) = parts.next() else { break };
        if in_attributes {
            out.extend(["<a href=\"", url, "\">x</a>"]);
        } else {
            out += url;
        }
    }
    out
}

impl Case {
    fn urls(&self) -> Vec<&str> {
        self.text.split('|').skip(1).step_by(2).collect()
    }

    fn encoded(&self, text: &str) -> Vec<u8> {
        // Not `Encoding::encode`, which writes character references for unknown characters.
        let encoding = Encoding::for_label(self.charset.as_bytes()).expect("a known label");
        let (bytes, _, has_unmappable) = encoding.encode(text);
        assert!(!has_unmappable, "{}", self.why);
        bytes.into_owned()
    }

    /// Checks the records of a file called `name` with these bytes. Adds the differences to
    /// `faults`.
    fn check(
        &self,
        (name, form): (&str, &str),
        bytes: &[u8],
        options: &Options,
        faults: &mut Vec<String>,
    ) {
        let file = Arc::new(FileName::default());
        let container = detect(Head::of(bytes), Some(name.as_bytes()), Reading::Auto)
            .adapt_to_options(Scan::new(options.clone()).decoding_options());
        let records = collect_records(bytes, &Unit::new(&file, container, 0..bytes.len()), options);
        let found: Vec<_> = records.iter().map(|one| String::from_utf8_lossy(&one.url)).collect();
        let mut expect = |holds: bool, what: &str| {
            if !holds {
                let Self { charset, why, .. } = self;
                faults.push(format!("{charset}: {why}, as {form}: {what} in {found:?}"));
            }
        };
        expect(found == self.urls(), "URLs");
        for (record, url) in records.iter().zip(self.urls()) {
            expect(!record.truncated && record.is_valid(), "flags");
            expect(record.decoded.is_empty() == url.is_ascii(), "layers");
            let is_encoded = record.decoded.iter().any(|layer| {
                matches!(layer, Layer::Base64 | Layer::QuotedPrintable | Layer::Iso2022Jp)
            });
            if !is_encoded && !url.contains('&') {
                let [start, end] = [record.span.start, record.span.end]
                    .map(|at| usize::try_from(at).expect("an offset in memory"));
                expect(bytes[start..end] == self.encoded(url), "span");
            }
        }
    }

    /// Returns XML documents with the text: their forms, and the documents. The charset is declared
    /// by `declaration`, in which `{}` is replaced by its label.
    fn xml_documents(&self, declaration: &str) -> Vec<(&'static str, Vec<u8>)> {
        let start = declaration.replace("{}", &self.charset);
        let document =
            |body: String| self.encoded(&format!("{start}<rss>\n<a>{body}</a>\n</rss>\n"));
        let mut all = vec![
            ("the text of XML", document(markup_of(&self.text, false))),
            ("an attribute of XML", document(markup_of(&self.text, true))),
        ];
        let section = format!("<![CDATA[{}]]>", markup_of(&self.text, true));
        all.push(("a CDATA section", document(section)));
        all
    }
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/charsets/declared.toml");
    toml::from_str::<Corpus>(&std::fs::read_to_string(path).unwrap()).unwrap().case
}

/// Returns options that include malformed URLs.
fn options(encoding: Option<urlsift_archive::Encoding>) -> Options {
    let mut options = Options::default();
    options.malformed = Malformed::Include;
    options.encoding = encoding;
    options
}

/// Returns a message with this `Content-Type` and body.
fn message(content_type: &str, encoding: &str, body: &[u8]) -> Vec<u8> {
    let header = format!(
        "From: a@b.dom\nSubject: x\nContent-Type: {content_type}\n\
         Content-Transfer-Encoding: {encoding}\n\n"
    );
    [header.as_bytes(), body].concat()
}

fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in body {
        match byte {
            b'=' | 0x80.. | 0x1B => out.extend(format!("={byte:02X}").bytes()),
            byte => out.push(*byte),
        }
    }
    out
}

const DECLARATIONS: [&str; 5] = [
    "<?xml version=\"1.0\" encoding=\"{}\"?>\n",
    "<?xml version='1.0' encoding='{}'?>",
    "<?xml version = \"1.0\" encoding = \"{}\" standalone=\"yes\" ?>\n",
    "\n<?xml\n  version=\"1.0\"\n  encoding=\"{}\"\n?>\n<!-- charset=utf-8 -->\n",
    "<?xml version=\"1.0\" encoding=\"{}\"?><!-- a comment -->\n<?x encoding=\"utf-8\"?>\n",
];

#[test]
fn declared_charset_is_decoded() {
    let mut faults = Vec::new();
    let options = &options(None);
    for case in cases() {
        let mut check = |form: (&str, &str), bytes: &[u8]| {
            case.check(form, bytes, options, &mut faults);
        };
        for declaration in DECLARATIONS {
            for (form, document) in case.xml_documents(declaration) {
                check(("a.xml", form), &document);
                check(("-", form), &document);
                for kind in ["application/xml", "application/rss+xml; name=a", "text/xml"] {
                    check(("a", form), &message(kind, "8bit", &document));
                    let coded = quoted_printable(&document);
                    check(("a", form), &message(kind, "quoted-printable", &coded));
                }
                let kind = format!("text/xml; charset={}", case.charset);
                let document = case.encoded(&markup_of(&case.text, true));
                check(("a", form), &message(&kind, "8bit", &document));
            }
        }
        for in_attributes in [false, true] {
            let body = markup_of(&case.text, in_attributes);
            let page = |start: &str| case.encoded(&format!("{start}<p>{body}</p>\n"));
            let start = format!("<html><meta charset=\"{}\">", case.charset);
            check(("a.html", "a page"), &page(&start));
            let kind = format!("text/html; charset=\"{}\"", case.charset);
            check(("a", "a page in mail"), &message(&kind, "8bit", &page("<html>")));
        }
        let text = case.encoded(&case.text.replace('|', ""));
        let kind = format!("text/plain; charset={}", case.charset);
        check(("a", "mail"), &message(&kind, "8bit", &text));
        let coded = quoted_printable(&text);
        check(("a", "quoted-printable mail"), &message(&kind, "quoted-printable", &coded));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn charset_of_the_options_is_decoded() {
    let mut faults = Vec::new();
    for case in cases() {
        let encoding = urlsift_archive::Encoding::by_label(&case.charset);
        let options = &options(encoding);
        let text = case.encoded(&case.text.replace('|', ""));
        case.check(("a.txt", "text"), &text, options, &mut faults);
        let mut parts = case.text.split('|');
        let mut links = parts.next().unwrap().to_owned();
        while let (Some(url), Some(after)) = (parts.next(), parts.next()) {
            links.extend(["[x](", url, ")", after]);
        }
        case.check(("a.md", "Markdown"), &case.encoded(&links), options, &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn iso_2022_jp_is_decoded_without_a_declaration() {
    let mut faults = Vec::new();
    let options = &options(None);
    for case in cases().into_iter().filter(|case| case.charset == "iso-2022-jp") {
        let mut check = |form: (&str, &str), bytes: &[u8]| {
            case.check(form, bytes, options, &mut faults);
        };
        let text = case.encoded(&case.text.replace('|', ""));
        check(("a.txt", "text"), &text);
        check(("a", "mail"), &message("text/plain", "7bit", &text));
        check(("a", "mail"), &message("text/plain; charset=us-ascii", "7bit", &text));
        let page = case.encoded(&format!("<html>{}", markup_of(&case.text, true)));
        check(("a.html", "a page"), &page);
        check(("a.xml", "XML"), &case.encoded(&format!("<a>{}</a>", markup_of(&case.text, true))));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
