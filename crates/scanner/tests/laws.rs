//! Tests of properties that hold for every text: nothing panics, spans refer to the text,
//! candidates are in order and don't overlap, and the scan for bare URLs agrees with a naive one
//! that is too simple to be wrong and too slow to use.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use urlsift_core::{Charset, Profile, Span};
use urlsift_scanner::{Candidate, Engine, Form, Input, NearMiss, Rejoin, Scanner};

/// Pieces of texts with URLs that are dangerous in combination.
const PIECES: [&str; 66] = [
    "http://",
    "ftp://",
    "https://",
    "mailto:",
    "news:",
    "file:///",
    "foo://",
    "URL:",
    "url: ",
    "<",
    ">",
    "<URL:",
    "a.b",
    "h.dom",
    "www.h.dom",
    "joe@h.dom",
    "x",
    "/",
    "//",
    ":",
    "-",
    "-\n",
    ".",
    ",",
    ";",
    "'",
    "\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "\\",
    "`",
    "*",
    "_",
    "#",
    "?a=1",
    "&b=2",
    "&lt;",
    "&gt;",
    "%20",
    "%",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    "\n> ",
    "> ",
    ">> ",
    "\u{c}",
    "é",
    "日本",
    "を",
    "\u{a0}",
    "\u{200b}",
    "\u{202e}",
    "\u{1b}(B",
    "ftp.uu.net:/pub",
    "\\-",
    "\\:",
    "^",
    "&#39;",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    vec(select(&PIECES[..]), 0..40).prop_map(|pieces| pieces.concat().into_bytes())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec((soup(), vec(any::<u8>(), 0..6)), 0..4)
        .prop_map(|pairs| pairs.into_iter().flat_map(|(a, b)| [a, b].concat()).collect())
}

/// Pieces of names, and of the text around them.
const NAMES: [&str; 16] = [
    "joe", "@", ".", "host.dom", "/a", " ", "http://", "mailto:", "<URL:", ">", "-", "=", ":",
    "www.", "é", "(",
];

fn scanners() -> Vec<Scanner> {
    let everything = || {
        let builder = Scanner::builder().schemeless(true).locators(true).near_misses(true);
        builder.emails(true).hosts(true).scheme("x")
    };
    let mut scanners = Vec::new();
    for &engine in Engine::all() {
        scanners.push(everything().engine(engine).build());
        for profile in Profile::ALL {
            for rejoin in [Rejoin::Off, Rejoin::Certain, Rejoin::Likely] {
                let builder = Scanner::builder().profile(profile).rejoin(rejoin);
                scanners.push(builder.engine(engine).build());
            }
        }
    }
    scanners
}

/// Checks the spans, readings and findings of all candidates in a text.
fn check(text: &[u8], found: &[Candidate<'_>]) {
    let mut end = 0;
    for candidate in found {
        let span = candidate.span();
        let url = candidate.url();
        assert!(end <= span.start && span.start < span.end && span.end <= text.len(), "{span:?}");
        assert!(
            candidate.span_with_wrapper().start <= span.start
                && span.end <= candidate.span_with_wrapper().end
        );
        end = span.end;
        let map = candidate.span_map();
        for at in 0..url.len() {
            let source = map.to_source(Span::new(at, at + 1));
            // A locator's scheme is not in the text.
            if !source.is_empty() {
                assert_eq!(&text[source.range()], &url[at..=at]);
            }
        }
        assert_eq!(map.to_source(Span::new(0, url.len())), span);
        let mut from = span.start;
        for seam in candidate.seams() {
            assert!(from < seam.gap.start && !seam.gap.is_empty() && seam.gap.end < span.end);
            from = seam.gap.end;
        }
        let readings = candidate.readings();
        assert!(readings.len() <= 16 && readings[0] == *url);
        assert_eq!(readings.len() > 1, candidate.is_ambiguous());
        for finding in candidate.findings() {
            assert!(finding.span.end <= url.len() && !finding.is_violation());
        }
        let is_near_miss = candidate.form() == Form::NearMiss;
        match candidate.near_miss() {
            Some(NearMiss::MisspeltScheme) => {}
            near_miss => assert_eq!(near_miss.is_some(), is_near_miss),
        }
        let _ = candidate.quote_depth();
    }
}

proptest! {
    #[test]
    fn spans_and_order_are_right_in_any_text(text in bytes(), eight_bit in any::<bool>()) {
        let charset = if eight_bit { Charset::EightBit } else { Charset::Utf8 };
        for scanner in scanners() {
            let found: Vec<_> = scanner.find(Input::new(&text).charset(charset)).collect();
            check(&text, &found);
        }
    }

    /// The spans in a string are at character boundaries.
    #[test]
    fn spans_in_strings_are_at_character_boundaries(
        pieces in vec((soup(), select(&["", "é", "日", "\u{1f300}", "\u{300}", "…"][..])), 0..6),
    ) {
        let text = pieces.into_iter().map(|(soup, letter)| String::from_utf8(soup).unwrap() + letter);
        let text: String = text.collect();
        for scanner in scanners() {
            for candidate in scanner.find_str(&text) {
                let gaps = candidate.seams().iter().map(|seam| seam.gap);
                for span in gaps.chain([candidate.span(), candidate.span_with_wrapper()]) {
                    prop_assert!(text.get(span.range()).is_some(), "{:?} in {:?}", span, text);
                }
                for reading in candidate.readings() {
                    prop_assert!(String::from_utf8(reading).is_ok());
                }
                let (lossy, url) = (candidate.url_lossy(), candidate.url());
                prop_assert_eq!(lossy.as_bytes(), &*url);
            }
        }
    }

    #[test]
    fn spans_are_right_in_any_value(text in bytes()) {
        let scanner = Scanner::builder().build();
        if let Some(found) = scanner.read_attribute(&text) {
            check(&text, &[found]);
        }
    }

    /// The default scan's matches are also found with more features enabled, unless they share a
    /// word with one of the additional matches.
    #[test]
    fn more_features_lose_no_url(text in soup()) {
        let plain = Scanner::builder().build();
        let more = Scanner::builder().locators(true).schemeless(true).build();
        let more: Vec<_> = more.find_iter(&text).map(|c| c.span()).collect();
        for candidate in plain.find_iter(&text) {
            let span = candidate.span();
            let one_word = |m: &Span| !text[m.start..span.start].iter().any(u8::is_ascii_whitespace);
            let within = more.iter().any(|m| *m == span || (m.start < span.start && one_word(m)));
            prop_assert!(within, "{:?} {more:?}", span);
        }
    }

    /// The search for addresses and hosts affects no URL, because it takes place between the URLs.
    #[test]
    fn names_change_no_url(text in soup(), words in vec(select(&NAMES[..]), 0..24)) {
        let text = [text, words.concat().into_bytes()].concat();
        let builder = || Scanner::builder().schemeless(true).locators(true);
        let urls: Vec<_> = builder().build().find_iter(&text).map(|c| (c.span(), c.form())).collect();
        let all = builder().emails(true).hosts(true).build();
        let all: Vec<_> = all.find_iter(&text).map(|c| (c.span_with_wrapper(), c.span(), c.form())).collect();
        prop_assert!(all.windows(2).all(|pair| pair[0].0 == pair[1].0 || pair[0].0.end <= pair[1].0.start));
        let is_url = |form: Form| !matches!(form, Form::Email | Form::Host);
        let found: Vec<_> =
            all.into_iter().filter(|c| is_url(c.2)).map(|(_, span, form)| (span, form)).collect();
        prop_assert_eq!(found, urls);
    }

    #[test]
    fn bare_scan_agrees_with_naive_scan(text in vec(select(&NAIVE[..]), 0..24)) {
        let text = text.concat();
        for &engine in Engine::all() {
            let builder = Scanner::builder().profile(Profile::Rfc1738).rejoin(Rejoin::Off);
            let scanner = builder.engine(engine).build();
            let found: Vec<_> = scanner.find_iter(text.as_bytes()).map(|c| c.span()).collect();
            prop_assert_eq!(found, naive(text.as_bytes()), "{:?} by {:?}", text, engine);
        }
    }
}

/// Pieces whose rules the naive scan implements.
const NAIVE: [&str; 22] = [
    "http://", "ftp://", "foo://", "x", "h.dom", "1", "/", "//", ":", "://", ".", ",", "!", "(",
    ")", "a_(b)", " ", "\n", "&", "&gt;", "%41", "+",
];

fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)
}

/// Finds the spans of bare URLs with a literal implementation of the requirements E-12 to E-16 and
/// E-18. It starts from scratch at every offset.
fn naive(text: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut floor = 0;
    for colon in 0..text.len() {
        if colon < floor || !text[colon..].starts_with(b"://") {
            continue;
        }
        let start = naive_start(text, colon);
        let scheme = &text[start..colon];
        let letters = scheme.iter().filter(|b| b.is_ascii_alphabetic()).count();
        let alphanumeric = text.get(colon + 3).is_some_and(u8::is_ascii_alphanumeric);
        if letters < 2 || !(alphanumeric || (is_known(scheme) && naive_user(text, colon + 3))) {
            continue;
        }
        let mut end = colon + 1;
        while end < text.len() && naive_belongs(text, end) && !naive_glued(text, end, colon + 1) {
            end += 1;
        }
        floor = end;
        // A bracket that was opened right before the URL, or earlier on its line, ends the URL
        // where it closes.
        if naive_opened(text, start) {
            let closes = |at: &usize| {
                let count = |byte| text[start..=*at].split(|&b| b == byte).count();
                count(b')') > count(b'(')
            };
            end = (start..end).find(closes).unwrap_or(end);
        }
        // If a comma is right before the URL, the next comma ends it.
        if start > 0 && text[start - 1] == b',' {
            end = (start..end).find(|&at| text[at] == b',').unwrap_or(end);
        }
        // Up to three plus signs right before the URL are counted, and up to as many are removed
        // from the URL's end. Those at the start of a line don't count: it may be from a diff.
        let mut pluses = text[..start].iter().rev().take(3).take_while(|&&b| b == b'+').count();
        if matches!(text[..start - pluses].last(), None | Some(b'\n')) {
            pluses = 0;
        }
        loop {
            let count = |byte| text[start..end].split(|&b| b == byte).count();
            match text[end - 1] {
                b'+' if pluses > 0 => {
                    pluses -= 1;
                    end -= 1;
                }
                b'.' | b',' | b';' | b':' | b'!' | b'?' | b'(' => end -= 1,
                b')' if count(b')') > count(b'(') => end -= 1,
                _ => break,
            }
        }
        if end > colon + 3 {
            found.push(Span::new(start, end));
        }
    }
    found
}

fn is_known(scheme: &[u8]) -> bool {
    [&b"http"[..], b"ftp"].contains(&scheme)
}

fn naive_start(text: &[u8], colon: usize) -> usize {
    let mut start = colon;
    while start > 0 && is_scheme(text[start - 1]) {
        start -= 1;
    }
    while start < colon && !text[start].is_ascii_alphabetic() {
        start += 1;
    }
    start
}

/// True if a host that starts with an escape starts at byte `at`. (A user name could also start
/// with other bytes, but needs an `@`, which these texts don't contain.)
fn naive_user(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(b"%41")
}

fn naive_belongs(text: &[u8], at: usize) -> bool {
    let entity = text[at..].starts_with(b"&gt;");
    (text[at].is_ascii_alphanumeric() || b"$-_.+!*'(),;/?:@=&#~%".contains(&text[at])) && !entity
}

/// True if another URL starts at byte `at`, glued by the byte before it: a comma, or before a known
/// scheme a bracket or quote.
fn naive_glued(text: &[u8], at: usize, from: usize) -> bool {
    at > from
        && b",()'".contains(&text[at - 1])
        && (at..text.len()).any(|colon| {
            text[colon..].starts_with(b"://")
                && naive_run(text, colon) == at
                && (is_known(&text[at..colon]) || text[at - 1] == b',' && is_name(&text[at..colon]))
                && text.get(colon + 3).is_some_and(|&b| {
                    b.is_ascii_alphanumeric() || naive_user(text, colon + 3) && b == b'%'
                })
        })
}

fn is_name(scheme: &[u8]) -> bool {
    scheme.len() > 1 && scheme[0].is_ascii_alphabetic()
}

fn naive_run(text: &[u8], colon: usize) -> usize {
    (0..=colon).rev().find(|&i| i == 0 || !is_scheme(text[i - 1])).unwrap_or(0)
}

fn naive_opened(text: &[u8], start: usize) -> bool {
    let line = text[..start].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let mut depth = 0_i32;
    for byte in text[line..start].iter().rev() {
        match byte {
            b'(' if depth == 0 => return true,
            b'(' => depth -= 1,
            b')' => depth += 1,
            _ => {}
        }
    }
    false
}
