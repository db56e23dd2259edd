//! Tests of which passwords are found, and at which offsets.

use super::blocks::SecretBlocks;
use super::*;
use alloc::string::String;

#[test]
fn masks_wherever_a_password_can_be() {
    for (url, shown) in [
        ("http://u:pw@h/", "http://u:***@h/"),
        ("http:/u:pw@h/", "http:/u:***@h/"),
        ("http:\\\\u:pw@h/", "http:\\\\u:***@h/"),
        ("http//u:pw@h/", "http//u:***@h/"),
        ("http;//u:pw@h/", "http;//u:***@h/"),
        ("ftp://u:@h/", "ftp://u:@h/"),
        ("http://h/a:b@c", "http://h/a:b@c"),
        ("mailto:a:b@c", "mailto:a:b@c"),
        ("http://http://u:pw@h/", "http://http://u:***@h/"),
        ("http://a:b@h/?u=http://u:pw@h/", "http://a:***@h/?u=http://u:***@h/"),
        ("ftp://u:a:b@c@h/p:q@r", "ftp://u:***@h/p:q@r"),
        ("ftp://u@h/", "ftp://u@h/"),
        ("ftp://u@h/", "ftp://u@h/"),
        // RFC 1738 §5 allows these characters in a password.
        ("ftp://u:p?w@h/", "ftp://u:***@h/"),
        ("ftp://u:p;a&b=c@h/", "ftp://u:***@h/"),
        ("ftp://us?er:pw@h/", "ftp://us?er:***@h/"),
        ("http://a.b/?f=ftp://u:p?w@h/", "http://a.b/?f=ftp://u:***@h/"),
        // These characters are invalid in a password, but occur.
        ("http://u:p/w@h/", "http://u:***@h/"),
        ("http://u:p#w@h/", "http://u:***@h/"),
        ("http://u:p\\w@h/", "http://u:***@h/"),
        ("http://u:p w@h/", "http://u:***@h/"),
        ("http://u:p:w@h/", "http://u:***@h/"),
        ("http://u:p//w@h/", "http://u:***@h/"),
        ("http://u:/pw@h/", "http://u:***@h/"),
        ("http://u:80?pw@h/", "http://u:***@h/"),
        ("http://u:99999/pw@h/", "http://u:***@h/"),
        ("http://u:pw@h dom/", "http://u:***@h dom/"),
        ("http://u:p\u{e9}\u{202e}w@h/", "http://u:***@h/"),
        ("http://u:p%40w@h/", "http://u:***@h/"),
        ("http://u:p{w}<x>\"y\"@h/", "http://u:***@h/"),
        ("http://us er:pw@h/", "http://us er:***@h/"),
        ("http:// u:pw@h/", "http:// u:***@h/"),
        ("http://DOM\\u:pw@h/", "http://DOM\\u:***@h/"),
        ("http://joe@a.org:pw@h/", "http://joe@a.org:***@h/"),
        ("http://:pw@h/", "http://:***@h/"),
        ("http://u:pw@", "http://u:***@"),
        ("http://u:pw@/p", "http://u:***@/p"),
        ("http://u:pw@[::1]:80/", "http://u:***@[::1]:80/"),
        ("http:///u:pw@h/", "http:///u:***@h/"),
        ("http:u:pw@h/", "http:u:***@h/"),
        ("//u:pw@h/", "//u:***@h/"),
        ("u:pw@h/", "u:***@h/"),
        ("x-y://u:pw@h/", "x-y://u:***@h/"),
        ("sip:u:pw@h", "sip:u:***@h"),
        ("jdbc:a:b/pw@h", "jdbc:***@h"),
        // These aren't passwords, because a host precedes them.
        ("http://h.dom:80/a@b", "http://h.dom:80/a@b"),
        ("http://1.2.3.4:80/a@b", "http://1.2.3.4:80/a@b"),
        ("http://h.xn--p1ai:80/a@b", "http://h.xn--p1ai:80/a@b"),
        ("http://localhost:80/a@b", "http://localhost:80/a@b"),
        ("http://joe@h.dom:80/a@b", "http://joe@h.dom:80/a@b"),
        ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
        // A name without a domain may be a user's, and a number a password or the start of one.
        ("http://joe:80/a@b", "http://joe:***@b"),
        ("http://j.o.e:80/a@b", "http://j.o.e:***@b"),
        ("http://1.2.3:80/a@b", "http://1.2.3:***@b"),
        ("http://joe.dom:80a@b", "http://joe.dom:***@b"),
        ("http://DOM\\joe.dom:80/a@b", "http://DOM\\joe.dom:***@b"),
        ("http://h?u:p@w", "http://h?u:p@w"),
        ("http://h#u:p@w", "http://h#u:p@w"),
        ("http://u:pw@h?a@b", "http://u:***@h?a@b"),
        ("file:///C:/a@b", "file:///C:/a@b"),
        ("news:1:2@h", "news:1:2@h"),
        // Encoded delimiters.
        ("http://h/?u=http%3A%2F%2Fu%3Apw%40h%2F", "http://h/?u=http%3A%2F%2Fu%3A***%40h%2F"),
        ("http://h/?u=http%3a%2f%2fu:pw@h", "http://h/?u=http%3a%2f%2fu:***@h"),
        (
            "http://h/http%253A%252F%252Fu%253Apw%2540h",
            "http://h/http%253A%252F%252Fu%253A***%2540h",
        ),
        (
            "http://h/?u=http%3A%2F%2Fu%3Ap%2Fw%40h&a=b@c",
            "http://h/?u=http%3A%2F%2Fu%3A***%40h&a=b@c",
        ),
        ("http://h/#ftp://u:pw@h/", "http://h/#ftp://u:***@h/"),
        ("mailto:a@b?body=ftp://u:pw@h/", "mailto:a@b?body=ftp://u:***@h/"),
        ("http://u%3Apw@h/", "http://u%3A***@h/"),
        ("http://u:pw%40h/", "http://u:***%40h/"),
        ("http&colon;//u&#58;pw&#x40;h/", "http&colon;//u&#58;***&#x40;h/"),
        // White space as character references.
        ("http://u&#32;v:pw@h/ &#10;&#xD;&#9;", "http://u&#32;v:***@h/ &#10;&#xD;&#9;"),
        ("http:\\/\\/u:pw@h\\/", "http:\\/\\/u:***@h\\/"),
        // String escapes.
        ("http:\\/\\/u\\u003apw\\u0040h\\/", "http:\\/\\/u\\u003a***\\u0040h\\/"),
        ("http\\u003A\\u002F\\u002Fu:pw\\x40h", "http\\u003A\\u002F\\u002Fu:***\\x40h"),
        ("http://u:pw\\u0140h/", "http://u:pw\\u0140h/"),
        // Fullwidth and small forms.
        ("http://u\u{ff1a}pw\u{ff20}h/", "http://u\u{ff1a}***\u{ff20}h/"),
        (
            "http\u{ff1a}\u{ff0f}\u{ff0f}u:pw\u{fe6b}h/",
            "http\u{ff1a}\u{ff0f}\u{ff0f}u:***\u{fe6b}h/",
        ),
        ("http://u\u{fe55}p\u{ff41}w@h/", "http://u\u{fe55}***@h/"),
        ("http://h.dom/\u{ff20}a", "http://h.dom/\u{ff20}a"),
        // `at` in place of an `@`.
        ("http://u:pw at h.dom/", "http://u:*** at h.dom/"),
        ("http://u:pw(AT)h.dom/", "http://u:***(AT)h.dom/"),
        ("http://u:pw [at] h.dom/", "http://u:*** [at] h.dom/"),
        ("http://u:pw at h", "http://u:pw at h"),
        ("http://h.dom/a:b at h.dom", "http://h.dom/a:b at h.dom"),
        // Links that gateways rewrote.
        (
            "https://urldefense.proofpoint.com/v2/url?u=http-3A__u-3Apw-40h_a&d=x",
            "https://urldefense.proofpoint.com/v2/url?u=http-3A__u-3A***-40h_a&d=x",
        ),
        (
            "HTTPS://URLDefense.com/v2/url?d=x&amp;u=ftp-3a__u-3ap-2fw-40h",
            "HTTPS://URLDefense.com/v2/url?d=x&amp;u=ftp-3a__u-3a***-40h",
        ),
        (
            "https://a.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv2%2Furl%3Fu%3Dhttp-3A__u-3Apw-40h%26d%3Dx&data=1",
            "https://a.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv2%2Furl%3Fu%3Dhttp-3A__u-3A***-40h%26d%3Dx&data=1",
        ),
        (
            "https://urldefense.com/v2/url?u=https-3A__a.safelinks.protection.outlook.com_-3Furl-3Dhttp-253A-252F-252Fu-253Apw-2540h-26x&d=x",
            "https://urldefense.com/v2/url?u=https-3A__a.safelinks.protection.outlook.com_-3Furl-3Dhttp-253A-252F-252Fu-253A***-2540h-26x&d=x",
        ),
        (
            "http://web.archive.org/web/1/https://urldefense.com/v2/url?u=http-3A__u-3Apw-40h",
            "http://web.archive.org/web/1/https://urldefense.com/v2/url?u=http-3A__u-3A***-40h",
        ),
        (
            "https://meilu.jpshuntong.com/url-687474703a2f2f753a70774068/a",
            "https://meilu.jpshuntong.com/url-687474703a2f2f753a***4068/a",
        ),
        // The base64 text also spells `pw`.
        (
            "https://urldefense.com/v3/__http://u:**A@h/a__;cHc!!abc$",
            "https://urldefense.com/v3/__http://u:***@h/a__;***!!abc$",
        ),
        (
            "https://urldefense.com/v2/url?u=http-3A__h.dom_a-40b",
            "https://urldefense.com/v2/url?u=http-3A__h.dom_a-40b",
        ),
        // The subject of a mail is no password.
        (
            "mailto:a@b?Subject=Re%3A%20x%40www.h.dom/&In-Reply-To=%3C1%40h.dom%3E",
            "mailto:a@b?Subject=Re%3A%20x%40www.h.dom/&In-Reply-To=%3C1%40h.dom%3E",
        ),
        (
            "mailto:a@b?Subject=Re%3Ax&In-Reply-To=%3C1%40www.h.dom%3E",
            "mailto:a@b?Subject=Re%3Ax&In-Reply-To=%3C1%40www.h.dom%3E",
        ),
        (
            "mailto:a@b?subject=Re:x_joe@www.h.dom/&body=http://u:pw@h/",
            "mailto:a@b?subject=Re:x_joe@www.h.dom/&body=http://u:***@h/",
        ),
        ("http://h/http%253a", "http://h/http%253a"),
        ("http://h?u:p@w", "http://h?u:p@w"),
        ("", ""),
        ("x", "x"),
        ("%", "%"),
        ("&#", "&#"),
    ] {
        assert_eq!(
            String::from_utf8_lossy(&masked(url.as_bytes(), Secrets::Passwords)),
            shown,
            "{url}"
        );
    }
}

#[test]
fn every_encoding_of_an_at_sign_is_found() {
    let ways = ["@", "%40", "%2540", "%252540", "&commat;", "&#64;", "&#x40;", "&#X40"];
    for way in ways {
        let url = alloc::format!("http://joe:pw{way}h.dom/");
        assert_eq!(Secrets::Passwords.in_url(url.as_bytes()), [Span::new(11, 13)], "{url}");
    }
    for text in
        ["http://joe:pw%4", "http://joe:pw%41h.dom/", "http://joe:pw&at;h/", "http://joe:pw%"]
    {
        assert_eq!(Secrets::Passwords.in_url(text.as_bytes()), [], "{text}");
    }
}

#[test]
fn masks_in_running_text() {
    for (text, shown) in [
        ("see http://u:pw@h/ and joe@h", "see http://u:***@h/ and joe@h"),
        ("<URL:u:pw@h/path>", "<URL:u:***@h/path>"),
        ("<url:\n  u:pw@h>", "<url:\n  u:***@h>"),
        ("<URL:mailto:joe@h>", "<URL:mailto:joe@h>"),
        ("URL:gopher:/joe@a.dom:? pw @h", "URL:gopher:/joe@a.dom:***@h"),
        ("> http://u:p\n> w@h/", "> http://u:***@h/"),
        ("http://u:\n  pw@h/", "http://u:***@h/"),
        ("http://us er:pw@h", "http://us er:***@h"),
        ("u:pw@www.h.dom", "u:***@www.h.dom"),
        ("u:pw@h/a", "u:***@h/a"),
        ("u:p/w@h/a", "u:***@h/a"),
        ("u:p%40w&@h/a", "u:***@h/a"),
        // Not an encoded line break.
        ("u:p%+a@h/a", "u:***@h/a"),
        ("u@i.dom:p//w:x@h/a", "u@i.dom:***@h/a"),
        ("jo\u{e9}:pw@h/a", "jo\u{e9}:***@h/a"),
        ("u:pw@h", "u:pw@h"),
        ("http://u:p\n\nw@h/", "http://u:p\n\nw@h/"),
        ("http://h:80 and joe@h", "http://h:80 and joe@h"),
        ("http://h:80/ or: joe@h", "http://h:80/ or: joe@h"),
        ("(http://h.dom:80), joe@h", "(http://h.dom:80), joe@h"),
        ("http://h.dom:80\">joe@h", "http://h.dom:80\">joe@h"),
        ("http://joe:80), pw@h", "http://joe:***@h"),
        ("http://joe:7}\"pw@h", "http://joe:***@h"),
        ("http://us er:80 pw@h", "http://us er:***@h"),
        ("http://us er: pw@h", "http://us er:***@h"),
        ("http://jo\u{e9}://pw@h", "http://jo\u{e9}:***@h"),
        ("http://h.dom or x-y://joe@h", "http://h.dom or x-y://joe@h"),
        ("http://h.dom\\nhttp://i.dom\\njoe@h", "http://h.dom\\nhttp://i.dom\\njoe@h"),
        ("http://h.dom, mail: joe@h", "http://h.dom, mail: joe@h"),
        ("http://h.dom and write: joe@h", "http://h.dom and write: joe@h"),
        ("http://h.dom or mailto:joe@h", "http://h.dom or mailto:joe@h"),
        (
            "http://h.dom:port, of which you hear more from joe@h",
            "http://h.dom:port, of which you hear more from joe@h",
        ),
        ("12:30 @home, a:b @ c", "12:30 @home, a:b @ c"),
        // A rewritten link over a line break, in a quotation.
        (
            "> https://urldefense.com/v2/url?u=http-3A__u-3Ap\n> w-40h_a&d=x (x)",
            "> https://urldefense.com/v2/url?u=http-3A__u-3A***-40h_a&d=x (x)",
        ),
        (
            "[https://urldefense.com/v2/url?u=http-3A__u-3Apw-40h](https://urldefense.com/v2/url?u=http-3A__u-3Apw-40h)",
            "[https://urldefense.com/v2/url?u=http-3A__u-3A***-40h](https://urldefense.com/v2/url?u=http-3A__u-3A***-40h)",
        ),
        (
            "\"https:\\/\\/urldefense.com\\/v2\\/url?u=http-3A__u-3Apw-40h&d=x\"",
            "\"https:\\/\\/urldefense.com\\/v2\\/url?u=http-3A__u-3A***-40h&d=x\"",
        ),
        (
            "(https://urldefense.com/v2/url?u=http-3A__u-3Apw-40h_a)",
            "(https://urldefense.com/v2/url?u=http-3A__u-3A***-40h_a)",
        ),
        ("{\"u\":\"http:\\/\\/u:pw\\u0040h\"}", "{\"u\":\"http:\\/\\/u:***\\u0040h\"}"),
        ("http://u:pw at h.dom now", "http://u:*** at h.dom now"),
        ("meet: me at h.dom", "meet: me at h.dom"),
        ("http://h.dom:80 at h.dom", "http://h.dom:80 at h.dom"),
        ("http://h.dom: be at i.dom", "http://h.dom: be at i.dom"),
        (
            "http://h.dom\u{ff0c}\u{90ae}\u{ff1a}joe@h.dom",
            "http://h.dom\u{ff0c}\u{90ae}\u{ff1a}joe@h.dom",
        ),
        ("\u{90ae}\u{ff1a}joe@www.h.dom", "\u{90ae}\u{ff1a}joe@www.h.dom"),
        ("// see foo: joe@h", "// see foo: joe@h"),
    ] {
        let found = Secrets::Passwords.in_text(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&mask_spans(text.as_bytes(), &found)), shown, "{text}");
    }
}

#[test]
fn masks_passwords_cut_by_the_ends_of_a_url() {
    let at = |text: &str, url: &str| {
        let start = text.find(url).unwrap();
        let span = Span::new(start, start + url.len());
        let found = Secrets::Passwords.in_context(
            url.as_bytes(),
            &SpanMap::cut_from(start),
            text.as_bytes(),
            span,
        );
        String::from_utf8_lossy(&mask_spans(url.as_bytes(), &found)).into_owned()
    };
    assert_eq!(at("see http://u:p{w}@h/", "http://u:p"), "http://u:***");
    assert_eq!(at("http://u:p{w.www.h.dom}@h/", "www.h.dom"), "***");
    assert_eq!(at("http://u:p{w}", "http://u:p"), "http://u:p");
    let mut long = String::from("http://u:");
    long.extend(iter::repeat_n('p', 9000));
    assert_eq!(at(&long, &long[..7000]), "http://u:***");
    assert_eq!(at(&long, &long[..8500]), long[..8500]);

    // Over a line break, and over decoded text.
    let text = b"<URL:http://u:p\n w{x}@h>";
    let mut map = crate::MapBuilder::new();
    map.push_copied(5, 10);
    map.push_copied(17, 1);
    let found =
        Secrets::Passwords.in_context(b"http://u:pw", &map.finish(), text, Span::new(5, 18));
    assert_eq!(found, [Span::new(9, 11)]);
    let mut map = crate::MapBuilder::new();
    map.push_copied(0, 9);
    map.push_replaced(Span::new(9, 12), 1);
    let found = Secrets::Passwords.in_context(
        b"http://u:p",
        &map.finish(),
        b"http://u:=70{w}@h",
        Span::new(0, 12),
    );
    assert_eq!(found, [Span::new(9, 10)]);
}

#[test]
fn fast_paths_find_the_same_secrets() {
    let words = [
        "http:",
        "//",
        "/",
        "u",
        ":",
        "@",
        " ",
        "\n",
        "\n> ",
        "\n\n",
        "h.dom",
        "%40",
        "%3A",
        "&colon;",
        "&#32;",
        "?",
        "[::1]",
        "80",
        "www.h.dom",
        "URL:",
        ",",
        "pw",
        " > ",
        " | ",
        " at h.dom ",
        "mailto:",
        "?token=",
        "&",
    ];
    let mut state = 1_u64;
    let mut next = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % most
    };
    let mut hidden = 0;
    for _ in 0..50_000 {
        let text: String = (0..next(24)).map(|_| words[next(words.len())]).collect();
        let text = text.as_bytes();
        let whole = |is_url| {
            let mut finder = Finder::new(text, is_url);
            finder.visits_all = true;
            merge_spans(finder.find_passwords(text.len(), false))
        };
        let in_text = Secrets::Passwords.in_text(text);
        assert_eq!(
            (Secrets::Passwords.in_url(text), &in_text),
            (whole(true), &whole(false)),
            "{text:?}"
        );
        let start = next(text.len() + 1);
        let span = Span::new(start, start + next(text.len() - start + 1));
        let (url, map) = (&text[span.range()], SpanMap::cut_from(start));
        let slowly = secrets_in_context(Secrets::Passwords.in_url(url), url, &map, span, &in_text);
        hidden += usize::from(!slowly.is_empty());
        assert_eq!(
            Secrets::Passwords.in_context(url, &map, text, span),
            slowly,
            "{text:?} {span:?}"
        );
        let in_block = SecretBlocks::new(0).in_context(Secrets::Passwords, url, &map, text, span);
        assert_eq!(in_block, slowly, "{text:?} {span:?}");
        // The text around a URL decides only about passwords.
        let of_url = Secrets::All.in_url(url);
        let slowly = secrets_in_context(of_url, url, &map, span, &in_text);
        let mut blocks = SecretBlocks::new(0);
        for found in [
            Secrets::All.in_context(url, &map, text, span),
            blocks.in_context(Secrets::All, url, &map, text, span),
        ] {
            assert_eq!(found, slowly, "{text:?} {span:?}");
        }
        let within = SecretBlocks::new(0).in_part(Secrets::Passwords, text, span, span);
        let clipped = in_text.iter().filter(|secret| secret.overlaps(span));
        let clipped = clipped.map(|it| Span::new(it.start.max(span.start), it.end.min(span.end)));
        assert_eq!(within, clipped.collect::<Vec<_>>(), "{text:?} {span:?}");
    }
    assert!(hidden > 2_500, "{hidden}");
}

/// Checks that a part of a long text has the same blocks as the whole, and each URL the secrets of
/// the text around it.
#[test]
fn blocks_are_the_same_in_parts_of_a_text() {
    let one = "see http://u:p{w}@h/ or mailto:a@b.c, ftp://joe:pw@h.dom/ and http://h.dom/a/b/c\n";
    let text = one.repeat(400);
    let text = text.as_bytes();
    let skipped = 2 * 4096 + 700;
    let part = &text[skipped..];
    let (mut whole, mut later) = (SecretBlocks::new(0), SecretBlocks::new(skipped as u64));
    let which = Secrets::Passwords;
    for start in (skipped + 4096..text.len() - one.len()).filter(|at| at % one.len() == 4) {
        for len in [10, 16, 9 * 1024] {
            let span = Span::new(start, (start + len).min(text.len()));
            let (url, map) = (&text[span.range()], SpanMap::cut_from(start));
            let found = whole.in_context(which, url, &map, text, span);
            assert_eq!(found.first(), Some(&Span::new(9, if len == 10 { 10 } else { 13 })));
            let moved = Span::new(start - skipped, span.end - skipped);
            let map = SpanMap::cut_from(moved.start);
            assert_eq!(later.in_context(which, url, &map, part, moved), found, "{start} {len}");
        }
    }
}

#[test]
fn spans_are_merged() {
    let spans = [(4, 6), (1, 2), (9, 9), (2, 3), (5, 5)].map(|(from, to)| Span::new(from, to));
    assert_eq!(merge_spans(spans.to_vec()), [Span::new(1, 3), Span::new(4, 6)]);
}
