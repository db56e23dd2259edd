//! Checks what profile `web` repairs: the finding about it, and the normal form.

use urlsift_core::{Code, Profile, diagnose, normalize, parse_reference};

/// Checks that each URL is valid, has the finding or, if there is none, the same normal form.
fn check(code: Code, cases: &[(&str, Option<&str>)]) {
    for &(url, normal) in cases {
        let mut is_found = false;
        diagnose(url.as_bytes(), Profile::Web, |report| is_found |= report.code == code);
        assert_eq!(is_found, normal.is_some(), "{url}");
        let parsed = parse_reference(url.as_bytes(), Profile::Web).unwrap();
        let expected = normal.map_or_else(|| encoded(url), str::to_owned);
        assert_eq!(String::from_utf8_lossy(&normalize(&parsed)), expected, "{url}");
        assert!(parse_reference(expected.as_bytes(), Profile::Web).is_ok(), "{expected}");
    }
}

/// Returns a text with its characters outside US-ASCII escaped.
fn encoded(text: &str) -> String {
    let escape = |byte: u8| {
        if byte.is_ascii() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(escape).collect()
}

#[test]
fn look_alike_tilde_before_a_name_is_a_tilde() {
    check(
        Code::CharLookAlike,
        &[
            ("http://h.dom/\u{203e}joe/", Some("http://h.dom/~joe/")),
            ("http://h.dom/\u{2dc}joe", Some("http://h.dom/~joe")),
            ("http://h.dom/\u{223c}joe/a", Some("http://h.dom/~joe/a")),
            ("http://h.dom/\u{ff5e}joe/", Some("http://h.dom/~joe/")),
            ("http://h.dom/a/\u{ff5e}b", Some("http://h.dom/a/~b")),
            ("ftp://h.dom/\u{ff5e}b", Some("ftp://h.dom/~b")),
            ("http://h.dom/a\u{ff5e}b", None),
            ("http://h.dom/\u{2dc}", None),
            ("http://h.dom/\u{223c}1", None),
            ("http://h.dom/~joe", None),
            ("http://h.dom/\u{e9}a", None),
            // Not in a host, although it follows a slash.
            ("http://\u{ff5e}joe.dom/", None),
        ],
    );
}

#[test]
fn encoded_at_sign_of_an_address_is_an_at_sign() {
    check(
        Code::MailtoEncodedAt,
        &[
            ("mailto:joe%40h.dom", Some("mailto:joe@h.dom")),
            ("mailto:a%40b.org?subject=Re%3A%20x", Some("mailto:a@b.org?subject=Re%3A%20x")),
            ("mailto:a@b.org,c%40d.org", Some("mailto:a@b.org,c@d.org")),
            ("mailto:a%40b.org,c%40d.org", Some("mailto:a@b.org,c@d.org")),
            ("mailto:list%2Ba%40b.org", Some("mailto:list%2Ba@b.org")),
            ("mailto:%22a%40b%22%40h.dom", Some("mailto:%22a%40b%22@h.dom")),
            ("mailto:a%40b@h.dom", None),
            ("mailto:a@b.org?cc=c%40d.org", None),
            ("mailto:?to=c%40d.org", None),
        ],
    );
    for url in ["mailto:%40h.dom", "mailto:joe%40", "mailto:joe"] {
        assert!(parse_reference(url.as_bytes(), Profile::Web).is_err(), "{url}");
    }
    assert!(parse_reference(b"mailto:joe%40h.dom", Profile::Rfc3986).is_err());
}
