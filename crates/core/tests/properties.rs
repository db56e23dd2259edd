//! Properties that hold for every text.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::borrow::Cow;
use urlsift_core::{
    Code, Fields, Profile, Report, Scheme, Url, Value, Violation, diagnose, diagnose_parsed,
    diagnose_url, normalize, outline, parse, parse_reference,
};

/// Parts of URLs, and pieces that make them invalid.
const PIECES: &[&[u8]] = &[
    b"http",
    b"https",
    b"ftp",
    b"gopher",
    b"mailto",
    b"news",
    b"nntp",
    b"telnet",
    b"tn3270",
    b"wais",
    b"file",
    b"prospero",
    b"foo",
    b"x-y",
    b"FTP",
    b"3com",
    b":",
    b"://",
    b"//",
    b"/",
    b"?",
    b"#",
    b"@",
    b"%",
    b"%4",
    b"%41",
    b"%2f",
    b"%0D%0A",
    b"%09",
    b"%7e",
    b"%2D",
    b"%00",
    b"%74ype",
    b";",
    b";type=",
    b";TYPE=",
    b"a",
    b"i",
    b"=",
    b"&",
    b"+",
    b",",
    b".",
    b"-",
    b"_",
    b"~",
    b"*",
    b"!",
    b"host.dom",
    b"HOST",
    b"1.2.3.4",
    b"256.1.1.01",
    b"1.2",
    b"80",
    b"021",
    b"99999",
    b"[::1]",
    b"[",
    b"]",
    b"[v1.a]",
    b"[1:2:3:4:5:6:7:8]",
    b"[1::%25eth0]",
    b"joe",
    b"joe:pw@",
    b"a@b.c",
    b" ",
    b"\t",
    b"\r\n",
    b"\0",
    b"\x7f",
    b"<",
    b">",
    b"\"",
    b"{",
    b"|",
    b"\\",
    b"^",
    b"`",
    "\u{e9}".as_bytes(),
    "\u{65e5}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{e000}".as_bytes(),
    "\u{1f600}".as_bytes(),
    "\u{fffe}".as_bytes(),
    b"\xff",
    b"\xe6\x97",
    b"localhost",
    b"subject=x",
];

const COLONS: &[&[u8]] = &[b"://", b":", b":/"];

fn text() -> impl Strategy<Value = Vec<u8>> {
    let pieces = vec(select(PIECES), 0..12).prop_map(|pieces| pieces.concat());
    let whole = (select(&PIECES[..16]), select(COLONS), vec(select(PIECES), 0..8))
        .prop_map(|(scheme, colon, rest)| [scheme, colon, &rest.concat()].concat());
    prop_oneof![1 => vec(any::<u8>(), 0..40), 4 => pieces, 8 => whole]
}

/// URLs with few findings or none.
fn ordinary() -> impl Strategy<Value = Vec<u8>> {
    let host = prop_oneof![
        "[a-z0-9-]{1,6}(\\.[a-z0-9-]{1,6}){0,3}\\.?",
        "[a-z]{60,66}\\.[a-z]{1,3}",
        "[a-zA-Z0-9._-]{1,9}",
    ];
    let port = "(:[0-9]{0,3})?";
    ("(https?|HTTP|Https|ftp|telnet)", "([a-z:]{1,3}@)?", host, port, "(/[!-~é]{0,12})?").prop_map(
        |(scheme, user, host, port, rest)| format!("{scheme}://{user}{host}{port}{rest}").into(),
    )
}

fn reports(text: &[u8], profile: Profile, reference: bool) -> Vec<Report> {
    let mut reports = Vec::new();
    if reference {
        diagnose(text, profile, |report| reports.push(report));
    } else {
        diagnose_url(text, profile, |report| reports.push(report));
    }
    reports
}

fn verdict(text: &[u8], profile: Profile, reference: bool) -> Result<Url<'_>, Violation> {
    if reference { parse_reference(text, profile) } else { parse(text, profile) }
}

/// Returns the fields with every escape decoded, hosts in lower case, and ports as numbers.
///
/// Unless `ascii` is set, omits the parts of a gopher item. Its type is one character or one
/// escape, so encoding a non-ASCII character changes the parts.
fn decoded(url: &Url<'_>, ascii: bool) -> Vec<(&'static str, Value<'static>)> {
    fn plain(value: Value<'_>) -> Value<'static> {
        match value {
            Value::Bytes(part) => {
                let mut out = Vec::new();
                let mut at = 0;
                while at < part.len() {
                    let digits = part.get(at + 1..at + 3).and_then(|d| std::str::from_utf8(d).ok());
                    let octet = digits
                        .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
                        .and_then(|d| u8::from_str_radix(d, 16).ok());
                    match octet {
                        Some(octet) if part[at] == b'%' => {
                            out.push(octet);
                            at += 3;
                        }
                        _ => {
                            out.push(part[at]);
                            at += 1;
                        }
                    }
                }
                Value::Bytes(Cow::Owned(out))
            }
            Value::List(list) => Value::List(list.into_iter().map(plain).collect()),
            Value::Null => Value::Null,
            Value::Bool(b) => Value::Bool(b),
            Value::Number(n) => Value::Number(n),
            Value::Text(text) => Value::Text(text),
            _ => unreachable!("a new kind of value"),
        }
    }
    let fields: Fields<'_> = url.components().unwrap_or_default();
    fields
        .into_iter()
        .filter(|(name, _)| ascii || !matches!(*name, "gtype" | "selector"))
        .filter(|(name, _)| {
            !matches!(*name, "port" | "host" | "server" | "path" | "typecode" | "schemepart")
        })
        .map(|(name, v)| (name, plain(v)))
        .collect()
}

/// Set `PROPTEST_CASES` to run more cases than in every test run.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 4000 };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_parsed_is_diagnosed_the_same(text in prop_oneof![2 => ordinary(), 1 => text()]) {
        for profile in Profile::ALL {
            for reference in [true, false] {
                if let Ok(url) = verdict(&text, profile, reference) {
                    let mut found = Vec::new();
                    diagnose_parsed(&url, |report| found.push(report));
                    prop_assert_eq!(found, reports(&text, profile, reference));
                }
            }
        }
    }

    /// The fast path for plain URLs requires a lower-case scheme; this compares it with the general
    /// parser.
    #[test]
    fn a_capital_changes_nothing(text in prop_oneof![2 => ordinary(), 1 => text()], reference in any::<bool>()) {
        let mut capital = text.clone();
        if let Some(first) = capital.first_mut() {
            first.make_ascii_uppercase();
        }
        let parts = |url: Url<'_>| {
            (url.kind(), url.host_span(), url.port_span(), url.user_span(), url.fragment_span(), format!("{:?}", url.components()))
        };
        prop_assert_eq!(
            verdict(&text, Profile::Web, reference).map(parts),
            verdict(&capital, Profile::Web, reference).map(parts)
        );
    }

    #[test]
    fn diagnose_agrees_with_parse(text in text(), reference in any::<bool>()) {
        for profile in Profile::ALL {
            let reports = reports(&text, profile, reference);
            let first = reports.iter().find(|report| report.is_violation());
            match verdict(&text, profile, reference) {
                Ok(_) => prop_assert!(first.is_none(), "{profile}: {first:?}"),
                Err(violation) => {
                    let first = first.map(|report| (report.code, report.span));
                    prop_assert_eq!(first, Some((violation.code, violation.span)), "{}", profile);
                }
            }
            prop_assert!(reports.is_sorted_by_key(|report| report.span.start));
            for report in &reports {
                prop_assert!(report.span.start <= report.span.end && report.span.end <= text.len());
                let empty = report.span.is_empty();
                prop_assert!(!empty || report.span.start == text.len(), "{profile}: {report:?}");
                // No report may occur twice.
                prop_assert_eq!(reports.iter().filter(|r| *r == report).count(), 1, "{}: {:?}", profile, report);
            }
        }
    }

    #[test]
    fn parts_are_where_they_are_said_to_be(text in text()) {
        for profile in Profile::ALL {
            let Ok(url) = parse_reference(&text, profile) else { continue };
            let slice = |span: Option<urlsift_core::Span>| span.map(|s| &text[s.range()]);
            prop_assert_eq!(slice(url.host_span()), url.host());
            prop_assert_eq!(slice(url.user_span()), url.user());
            prop_assert_eq!(slice(url.password_span()), url.password());
            prop_assert_eq!(slice(url.port_span()), url.port());
            prop_assert_eq!(slice(url.fragment_span()), url.fragment());
            let outline = outline(&text);
            // Only RFC 1738 allows a question mark in the user name of a generic URL.
            if url.password().is_some() && (profile != Profile::Rfc1738 || url.kind() != Scheme::Other) {
                prop_assert_eq!(outline.password, url.password_span());
            }
            prop_assert_eq!(url.components().is_some(), profile != Profile::Cern1994);
            prop_assert_eq!(url.semantics().is_some(), profile != Profile::Cern1994);
        }
    }

    #[test]
    fn web_accepts_what_rfc1738_and_rfc3986_accept(text in text()) {
        let web = parse(&text, Profile::Web).err().map(|violation| violation.code);
        if parse(&text, Profile::Rfc3986).is_ok() {
            prop_assert!(matches!(web, None | Some(Code::HostLabel)), "{:?}", web);
        }
        if parse(&text, Profile::Rfc1738).is_ok_and(|url| url.kind().is_rfc1738()) {
            prop_assert!(matches!(web, None | Some(Code::HostLabel | Code::SchemeChar)), "{:?}", web);
        }
    }

    #[test]
    fn normal_form_is_one(text in text(), reference in any::<bool>()) {
        for profile in [Profile::Rfc1738, Profile::Rfc3986, Profile::Web] {
            let Ok(url) = verdict(&text, profile, reference) else { continue };
            let form = normalize(&url);
            let again = verdict(&form, profile, reference);
            prop_assert!(again.is_ok(), "{profile}: {:?}: {again:?}", String::from_utf8_lossy(&form));
            let again = again.unwrap();
            prop_assert_eq!(&normalize(&again), &form);
            prop_assert_eq!(again.effective_port(), url.effective_port());
            let ascii = text.is_ascii();
            prop_assert_eq!(decoded(&again, ascii), decoded(&url, ascii), "{}", profile);
        }
    }
}
