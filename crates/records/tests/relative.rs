//! Checks that relative links of pages are found on request and reported with the URLs they resolve
//! to.

use std::sync::Arc;
use urlsift_archive::Reading;
use urlsift_records::{FileName, Forms, Malformed, Options, Unit, UrlRecord, collect_records};
use urlsift_scanner::Form;

fn resolving() -> Options {
    let mut options = Options::default();
    options.resolve = true;
    options
}

fn scanned(raw: &str, reading: Reading, options: &Options) -> Vec<UrlRecord<'static>> {
    let file = Arc::new(FileName::default());
    collect_records(raw.as_bytes(), &Unit::whole_file(&file, raw.as_bytes(), reading), options)
}

/// Returns the URLs as written, with the resolved URL of relative links.
fn told<'r>(found: &'r [UrlRecord<'_>]) -> Vec<(&'r str, &'r str)> {
    let text = |bytes: &'r [u8]| str::from_utf8(bytes).unwrap();
    let resolved = |record: &'r UrlRecord<'_>| record.resolved.as_deref().map_or("", text);
    found.iter().map(|record| (text(&record.url), resolved(record))).collect()
}

fn check(raw: &str, reading: Reading, expected: &[(&str, &str)]) {
    let found = scanned(raw, reading, &resolving());
    assert_eq!(told(&found), expected, "{raw}");
    for record in &found {
        assert_eq!(record.form == Form::Relative, record.resolved.is_some());
    }
    // Relative links are added to the other URLs, which do not change.
    let without: Vec<_> = found.into_iter().filter(|found| found.resolved.is_none()).collect();
    assert_eq!(scanned(raw, reading, &Options::default()), without, "{raw}");
}

#[test]
fn base_element_sets_the_base() {
    check(
        "<a href='before.html'>x</a><base href='http://h.dom/a/b?c'><base href='http://other.dom/'>\
         <a href=' ../c&amp;d?e#f '>http://text.dom/</a><img srcset='1.png 1x, /2.png 2x'>\
         <a href='#top'>y</a><a href='mailto:joe@h.dom'>z</a><a href='javascript:x()' title='t.html'>s</a>\
         <meta http-equiv=refresh content='0; url=next'><a href='/go?to=http://in.dom/'>r</a>",
        Reading::Html,
        &[
            ("before.html", "http://h.dom/a/before.html"),
            ("http://h.dom/a/b?c", ""),
            ("http://other.dom/", ""),
            ("../c&d?e#f", "http://h.dom/c&d?e#f"),
            ("http://text.dom/", ""),
            ("1.png", "http://h.dom/a/1.png"),
            ("/2.png", "http://h.dom/2.png"),
            ("#top", "http://h.dom/a/b?c#top"),
            ("mailto:joe@h.dom", ""),
            ("javascript:x()", ""),
            ("next", "http://h.dom/a/next"),
            ("/go?to=http://in.dom/", "http://h.dom/go?to=http://in.dom/"),
            ("http://in.dom/", ""),
        ],
    );
    check("<a href='a.html'>nothing tells the base</a>", Reading::Html, &[]);
    check("<base href='/a/'><a href='a.html'>nor here</a>", Reading::Html, &[]);
}

#[test]
fn message_and_part_headers_set_the_base() {
    let part =
        |fields: &str, html: &str| format!("--b\nContent-Type: text/html\n{fields}\n{html}\n");
    let parts = [
        part("", "<a href='1'>x</a>"),
        part("Content-Location: in/\n", "<a href='2'>x</a>"),
        part("Content-Location: http://i.dom/long/\n name.html\n", "<a href='3'>x</a>"),
        part("Content-Base: http://j.dom/b/\nContent-Location: c/d\n", "<a href='4'>x</a>"),
        part("Content-Location: cid:part\n", "<a href='5'>x</a>"),
        part("Content-Location: /k/\n", "<base href='l/'><a href='6'>x</a>"),
        "--b\nContent-Type: text/plain\n\n<a href='7'>x</a>\n".to_owned(),
    ];
    let raw = format!(
        "From: joe@h.dom\nMIME-Version: 1.0\nContent-Location: http://h.dom/a/b.html\n\
         Content-Type: multipart/related; boundary=b\n\n{}--b--\n",
        parts.concat()
    );
    check(
        &raw,
        Reading::Mail,
        &[
            ("http://h.dom/a/b.html", ""),
            ("1", "http://h.dom/a/1"),
            ("2", "http://h.dom/a/in/2"),
            ("http://i.dom/long/name.html", ""),
            ("3", "http://i.dom/long/3"),
            ("http://j.dom/b/", ""),
            ("4", "http://j.dom/b/c/4"),
            ("cid:part", ""),
            ("l/", "http://h.dom/k/l/"),
            ("6", "http://h.dom/k/l/6"),
        ],
    );
}

#[test]
fn web_archive_record_sets_the_base() {
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='../c'>x</a>";
    let record = |uri: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\n{uri}Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
            page.len()
        )
    };
    let raw = record("WARC-Target-URI: http://h.dom/a/b/\r\n") + &record("");
    check(&raw, Reading::Auto, &[("../c", "http://h.dom/a/c")]);
}

#[test]
fn fields_describe_the_resolved_url() {
    let html =
        "<base href='http://Joe:pw@h.dom:80/a/'><a href='b c#d'>x</a><a href='//..dom/'>y</a>";
    let mut options = resolving();
    options.malformed = Malformed::Include;
    let found = scanned(html, Reading::Html, &options);
    let [_, good, bad] = &found[..] else { panic!("{found:?}") };
    assert_eq!(good.resolved.as_deref(), Some(&b"http://Joe:pw@h.dom:80/a/b c#d"[..]));
    assert_eq!(good.normalized.as_deref(), Some(&b"http://Joe:pw@h.dom/a/b%20c#d"[..]));
    assert_eq!(good.absolute_url(), good.resolved.as_deref().unwrap());
    assert_eq!((good.scheme.as_deref(), good.host.as_deref()), (Some("http"), Some(&b"h.dom"[..])));
    assert_eq!(good.fragment.as_deref(), Some(&b"d"[..]));
    let blank = good.findings().find(|finding| finding.code.name() == "char.unencoded").unwrap();
    assert_eq!(&good.absolute_url()[blank.span.range()], b" ");
    assert_eq!(bad.absolute_url(), b"http://..dom/");
    assert!(!bad.is_valid());

    options.mask_passwords = true;
    let found = scanned(html, Reading::Html, &options);
    assert_eq!(found[1].absolute_url(), b"http://Joe:***@h.dom:80/a/b c#d");
    assert_eq!(&*found[1].url, b"b c#d");

    let mut options = resolving();
    options.forms = Forms::only([Form::Relative]);
    assert_eq!(told(&scanned(html, Reading::Html, &options)).len(), 1);
    options.schemes = vec!["ftp".into()];
    assert_eq!(scanned(html, Reading::Html, &options), []);
}
