//! Checks that link destinations in markup languages are found whole, whichever way the file is
//! read.

use std::io::Cursor;
use std::sync::Arc;
use urlsift_archive::{Layer, Reading};
use urlsift_records::{FileName, Input, Options, Scan, Unit, UrlRecord};

fn scanned(options: &Options, name: &str, text: &str) -> Vec<UrlRecord<'static>> {
    let (file, bytes) = (Arc::new(FileName::new(name)), text.as_bytes());
    let mut found = Vec::new();
    Scan::new(options.clone()).scan_unit(
        bytes,
        &Unit::whole_file(&file, bytes, Reading::Auto),
        &mut found,
    );
    let mut streamed = Vec::new();
    let input = Input::from_stream(name, Cursor::new(bytes));
    Scan::new(options.clone()).read(input, &mut streamed).unwrap();
    assert_eq!(found, streamed, "{text}");
    found
}

fn urls(found: &[UrlRecord<'_>]) -> Vec<String> {
    found.iter().map(|record| String::from_utf8_lossy(&record.url).into_owned()).collect()
}

#[test]
fn destinations_are_read_whole() {
    let mut options = Options::default();
    options.set("malformed", "include").unwrap();
    let cases = include_str!("../../../corpus/markup/links.jsonl");
    let mut count = 0;
    for case in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(case).unwrap();
        let text = |name: &str| case[name].as_str().unwrap();
        let found = scanned(&options, text("name"), text("text"));
        let expected: Vec<_> =
            case["urls"].as_array().unwrap().iter().map(|url| url.as_str().unwrap()).collect();
        assert_eq!(urls(&found), expected, "{case}");
        let decoded = found.last().map_or(&[][..], |record| &*record.decoded);
        let expected = case["decoded"].as_array().map_or(&[][..], Vec::as_slice);
        let names: Vec<_> = decoded.iter().map(|layer| Layer::name(*layer)).collect();
        assert_eq!(names, expected, "{case}");
        for record in &found {
            let (start, end) = (record.span.start, record.span.end);
            let raw = &text("text")[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()];
            assert_eq!(raw.as_bytes() == &*record.url, record.decoded.is_empty(), "{case}");
        }
        count += 1;
    }
    assert!(count > 40);
}

/// The scanner reads pieces of HTML in a plain text, and the crate `archive` reads pages. Each has
/// its own names of attributes.
#[test]
fn an_attribute_in_text_is_read_as_in_a_page() {
    let names = ["href", "src", "action", "cite", "background", "data", "longdesc", "formaction"];
    for name in names {
        for (value, expected) in [
            ("http://h.dom/?a=1&amp;b=2&#38;c=3&#x26;d", "http://h.dom/?a=1&b=2&c=3&d"),
            ("http://h.dom/Foo_Inc.", "http://h.dom/Foo_Inc."),
            ("http://h.dom/who?", "http://h.dom/who?"),
            ("http://h.dom/b)", "http://h.dom/b)"),
        ] {
            let text = format!("x <x {name}=\"{value}\"> y");
            for file in ["a.txt", "a.html"] {
                let found = scanned(&Options::default(), file, &text);
                assert_eq!(urls(&found), [expected], "{file}: {text}");
            }
        }
    }
}

#[test]
fn destinations_are_in_the_order_of_the_file() {
    let text = "http://a.dom/ [b](http://b.dom/.) http://c.dom/ [d](http://d.dom/) <http://e.dom/>";
    let found = scanned(&Options::default(), "a.md", text);
    let hosts: Vec<_> = found.iter().filter_map(|record| record.host.as_deref()).collect();
    assert_eq!(hosts, [b"a.dom", b"b.dom", b"c.dom", b"d.dom", b"e.dom"]);
    assert!(found.is_sorted_by_key(|record| record.span.start));
}

#[test]
fn markdown_in_mail_is_read_as_markdown() {
    let text = "From: joe@h.dom\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/markdown\n\
                Content-Transfer-Encoding: quoted-printable\n\n[x](http://h.dom/a=\n\\(b\\).)\n";
    let found = scanned(&Options::default(), "a.eml", text);
    assert_eq!(urls(&found), ["http://h.dom/a(b)."]);
    let names: Vec<_> = found[0].decoded.iter().map(|layer| Layer::name(*layer)).collect();
    assert_eq!(names, ["quoted-printable", "markdown"]);
}
