//! Where passwords stand: in a URL, in URLs within it, and in the text around it.
//!
//! A password begins behind the first colon of an authority and ends before an `@`. Nobody who leaves something
//! unencoded in it gets what RFC 3986 reads there, so what lies between is taken for a password whatever it holds, unless it is
//! surely something else: the port of a host with a domain that a slash or the text's end follows (`http://joe:80/a@b` may be a
//! login, `http://host.dom:80/a@b` is none), or what stands behind a whole host.

mod finder;
mod symbol;

use self::finder::Finder;
use crate::{Span, SpanMap, any_byte};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Bytes of the text before and behind a URL that are looked at: see [`passwords_at`].
const NEIGHBOURHOOD: usize = 1024;

/// Every password in `url`: its own, and those of URLs inside it, also where they are percent-encoded (`//u%3Apw%40h`)
/// or written with character references. In order, not overlapping, none of them empty.
///
/// Linear, and total: it need not be a URL. What stands in doubt is taken for a password.
///
/// ```
/// use urlsift_core::{Span, passwords};
/// assert_eq!(passwords(b"ftp://joe:secret@host.dom/"), [Span::new(10, 16)]);
/// assert_eq!(passwords(b"http://host.dom:80/"), []);
/// ```
pub fn passwords(url: &[u8]) -> Vec<Span> {
    found_in(url, true)
}

/// Every password in a running text: of URLs, and of what is none for a fault in it. In order, not overlapping.
///
/// Linear; no byte counts for what is found further away than a paragraph.
///
/// ```
/// use urlsift_core::{Span, passwords_in_text};
/// assert_eq!(passwords_in_text(b"At ftp://joe:secret@host.dom/ now."), [Span::new(13, 19)]);
/// ```
pub fn passwords_in_text(text: &[u8]) -> Vec<Span> {
    found_in(text, false)
}

/// Every password in a `url` that stands at `span` in `text`, led there by `map`: what [`passwords`] finds in it, and pieces
/// of passwords that the ends of the URL cut, as in `ftp://joe:sec{ret@host.dom/`. In order, not overlapping; spans are
/// within the URL.
///
/// Depends on the URL and on 1,024 bytes before and behind it; linear in all of them.
///
/// ```
/// use urlsift_core::{Span, SpanMap, passwords, passwords_at};
/// let text = b"ftp://joe:sec{ret@host.dom/";
/// let (url, span) = (&text[..13], Span::new(0, 13));
/// assert_eq!(passwords(url), []);
/// assert_eq!(passwords_at(url, &SpanMap::identity(), text, span), [Span::new(10, 13)]);
/// ```
pub fn passwords_at(url: &[u8], map: &SpanMap, text: &[u8], span: Span) -> Vec<Span> {
    let from = span.start.saturating_sub(NEIGHBOURHOOD).min(text.len());
    let to = span.end.saturating_add(NEIGHBOURHOOD).min(text.len());
    let reach = finder::reach(&text[..to], span.end.clamp(from, to));
    if !has_at_sign(&text[span.start.clamp(from, to)..reach]) && url.len() < NEIGHBOURHOOD {
        return passwords(url);
    }
    let finder = Finder::new(&text[from..to], false);
    let around = merged(finder.run(span.end.clamp(from, to) - from, to < text.len()));
    let around: Vec<Span> = around.into_iter().map(|secret| secret.shifted(from)).collect();
    passwords_among(passwords(url), url, map, span, &around)
}

/// Every password in a `url` that stands at `span` in a text, led there by `map`: those that [`passwords`] `found` in it,
/// and what lies in those that were found in the text before. `around` are these, in order and not overlapping. In order,
/// not overlapping; spans are within the URL.
///
/// Linear in the URL, logarithmic in the number of passwords of the text.
///
/// ```
/// use urlsift_core::{Span, SpanMap, passwords, passwords_among, passwords_in_text};
/// let text = b"ftp://joe:sec{ret@host.dom/";
/// let around = passwords_in_text(text);
/// let (url, span) = (&text[..13], Span::new(0, 13));
/// let found = passwords_among(passwords(url), url, &SpanMap::identity(), span, &around);
/// assert_eq!(found, [Span::new(10, 13)]);
/// ```
pub fn passwords_among(
    mut found: Vec<Span>,
    url: &[u8],
    map: &SpanMap,
    span: Span,
    around: &[Span],
) -> Vec<Span> {
    if found.is_empty() && around.is_empty() {
        return found;
    }
    let whole = Span::new(0, url.len());
    let first = around.partition_point(|secret| secret.end <= span.start);
    for &secret in around[first..].iter().take_while(|secret| secret.start < span.end) {
        // Bytes that were copied are found one by one; those that were made are hidden if their source is.
        let made = |from: usize, to: usize| {
            let made = Span::new(from, to);
            (from < to && map.source(made).overlaps(secret)).then_some(made)
        };
        let mut at = 0;
        for (derived, source) in map.pieces(whole) {
            found.extend(made(at, derived.start));
            let (start, end) = (source.start.max(secret.start), source.end.min(secret.end));
            if start < end {
                let start = derived.start + (start - source.start);
                found.push(Span::new(start, derived.start + (end - source.start)));
            }
            at = derived.end;
        }
        found.extend(made(at, url.len()));
    }
    merged(found)
}

/// Every password in another `reading` of a URL, which differs from it by at most so many `hyphens`, given what
/// [`passwords_at`] found in the `url`. In order, not overlapping.
///
/// ```
/// use urlsift_core::{Span, passwords, passwords_of_reading};
/// let (url, reading) = (b"ftp://joe:sec-ret@host.dom/", b"ftp://joe:secret@host.dom/");
/// assert_eq!(passwords_of_reading(reading, url, &passwords(url), 1), [Span::new(10, 16)]);
/// ```
pub fn passwords_of_reading(
    reading: &[u8],
    url: &[u8],
    found: &[Span],
    hyphens: usize,
) -> Vec<Span> {
    let mut all = passwords(reading);
    // One that the URL's end cuts has no `@` here, either.
    if let Some(cut) = found.last().filter(|last| last.end == url.len()) {
        let start = cut.start.saturating_sub(hyphens).min(reading.len());
        all.push(Span::new(start, reading.len()));
    }
    merged(all)
}

/// The spans in order, those that overlap or touch made one.
///
/// ```
/// use urlsift_core::{Span, merged};
/// let spans = vec![Span::new(4, 6), Span::new(1, 3), Span::new(3, 4), Span::new(8, 8)];
/// assert_eq!(merged(spans), [Span::new(1, 6)]);
/// ```
pub fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let is_one = next.start <= last.end;
        last.end = if is_one { last.end.max(next.end) } else { last.end };
        is_one
    });
    spans
}

/// The text with `***` in place of each of the spans, which are in order and do not overlap.
///
/// ```
/// use urlsift_core::{hidden, passwords};
/// let url = b"ftp://joe:secret@host.dom/";
/// assert_eq!(&*hidden(url, &passwords(url)), b"ftp://joe:***@host.dom/");
/// ```
pub fn hidden<'t>(text: &'t [u8], spans: &[Span]) -> Cow<'t, [u8]> {
    hidden_in(text, Span::new(0, text.len()), spans)
}

/// The bytes of the text at `part` with `***` in place of each of the spans, which are in order and do not overlap.
///
/// ```
/// use urlsift_core::{Span, hidden_in, passwords};
/// let url = b"ftp://joe:secret@host.dom/";
/// assert_eq!(&*hidden_in(url, Span::new(6, 25), &passwords(url)), b"joe:***@host.dom");
/// ```
#[inline]
pub fn hidden_in<'t>(text: &'t [u8], part: Span, spans: &[Span]) -> Cow<'t, [u8]> {
    if spans.iter().any(|span| span.overlaps(part)) {
        return Cow::Owned(with_stars(text, part, spans));
    }
    Cow::Borrowed(text.get(part.range()).unwrap_or_default())
}

fn with_stars(text: &[u8], part: Span, spans: &[Span]) -> Vec<u8> {
    let bytes = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let mut out = Vec::new();
    let mut at = part.start;
    for span in spans.iter().filter(|span| span.overlaps(part)) {
        out.extend_from_slice(bytes(at, span.start));
        out.extend_from_slice(b"***");
        at = span.end;
    }
    out.extend_from_slice(bytes(at, part.end));
    out
}

/// The URL with `***` in place of its [`passwords`]. Works on what stands there, valid or not; where
/// there is no `@` it costs one look for it.
///
/// ```
/// use urlsift_core::masked;
/// assert_eq!(&*masked(b"http://a.org/http://joe:pw@h.dom/"), b"http://a.org/http://joe:***@h.dom/");
/// assert_eq!(&*masked(b"http://a.org/?u=ftp%3A%2F%2Fu%3Apw%40h"), b"http://a.org/?u=ftp%3A%2F%2Fu%3A***%40h");
/// ```
pub fn masked(url: &[u8]) -> Cow<'_, [u8]> {
    hidden(url, &passwords(url))
}

fn found_in(text: &[u8], is_url: bool) -> Vec<Span> {
    let is_at_sign = |(at, &byte): (usize, &u8)| match byte {
        b'@' => true,
        b'%' => matches!(text.get(at + 1..at + 3), Some(b"40" | b"25")),
        b'&' => matches!(text.get(at + 1), Some(b'#' | b'c')),
        _ => false,
    };
    if !has_at_sign(text) {
        return Vec::new();
    }
    // Without one behind a colon, however they are written, there is no password.
    let colon = text.iter().position(|byte| matches!(byte, b':' | b'%' | b'&'));
    let has_at_sign = colon.is_some_and(|colon| (colon..).zip(&text[colon..]).any(is_at_sign));
    if has_at_sign { merged(Finder::new(text, is_url).run(text.len(), false)) } else { Vec::new() }
}

/// Whether an `@`, or a piece of one at the text's end, may stand in the text, however it is written.
fn has_at_sign(text: &[u8]) -> bool {
    any_byte(text, |byte| byte == b'@' || matches!(byte, b'%'..=b'&'))
}

#[cfg(test)]
mod tests {
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
            // RFC 1738 §5: these are characters of a password like others.
            ("ftp://u:p?w@h/", "ftp://u:***@h/"),
            ("ftp://u:p;a&b=c@h/", "ftp://u:***@h/"),
            ("ftp://us?er:pw@h/", "ftp://us?er:***@h/"),
            ("http://a.b/?f=ftp://u:p?w@h/", "http://a.b/?f=ftp://u:***@h/"),
            // These are not, and stand there all the same.
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
            // A host before them makes them something else.
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
            // However they are written.
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
            // Layout, too, may be written so.
            ("http://u&#32;v:pw@h/ &#10;&#xD;&#9;", "http://u&#32;v:***@h/ &#10;&#xD;&#9;"),
            ("http:\\/\\/u:pw@h\\/", "http:\\/\\/u:***@h\\/"),
            ("http://h/http%253a", "http://h/http%253a"),
            ("http://h?u:p@w", "http://h?u:p@w"),
            ("", ""),
            ("x", "x"),
            ("%", "%"),
            ("&#", "&#"),
        ] {
            assert_eq!(String::from_utf8_lossy(&masked(url.as_bytes())), shown, "{url}");
        }
    }

    #[test]
    fn every_way_to_write_an_at_sign_is_looked_for() {
        let ways = ["@", "%40", "%2540", "%252540", "&commat;", "&#64;", "&#x40;", "&#X40"];
        for way in ways {
            let url = alloc::format!("http://joe:pw{way}h.dom/");
            assert_eq!(passwords(url.as_bytes()), [Span::new(11, 13)], "{url}");
        }
        for text in
            ["http://joe:pw%4", "http://joe:pw%41h.dom/", "http://joe:pw&at;h/", "http://joe:pw%"]
        {
            assert_eq!(passwords(text.as_bytes()), [], "{text}");
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
            ("// see foo: joe@h", "// see foo: joe@h"),
        ] {
            let found = passwords_in_text(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&hidden(text.as_bytes(), &found)), shown, "{text}");
        }
    }

    #[test]
    fn masks_what_the_ends_of_a_url_cut() {
        let at = |text: &str, url: &str| {
            let start = text.find(url).unwrap();
            let span = Span::new(start, start + url.len());
            let found =
                passwords_at(url.as_bytes(), &SpanMap::cut_from(start), text.as_bytes(), span);
            String::from_utf8_lossy(&hidden(url.as_bytes(), &found)).into_owned()
        };
        assert_eq!(at("see http://u:p{w}@h/", "http://u:p"), "http://u:***");
        assert_eq!(at("http://u:p{w.www.h.dom}@h/", "www.h.dom"), "***");
        assert_eq!(at("http://u:p{w}", "http://u:p"), "http://u:p");
        let mut long = String::from("http://u:");
        long.extend(core::iter::repeat_n('p', 9000));
        assert_eq!(at(&long, &long[..7000]), "http://u:***");
        assert_eq!(at(&long, &long[..8500]), long[..8500]);

        // Over a break, and over what was decoded.
        let text = b"<URL:http://u:p\n w{x}@h>";
        let mut map = crate::MapBuilder::new();
        map.copied(5, 10);
        map.copied(17, 1);
        let found = passwords_at(b"http://u:pw", &map.finish(), text, Span::new(5, 18));
        assert_eq!(found, [Span::new(9, 11)]);
        let mut map = crate::MapBuilder::new();
        map.copied(0, 9);
        map.replaced(Span::new(9, 12), 1);
        let found =
            passwords_at(b"http://u:p", &map.finish(), b"http://u:=70{w}@h", Span::new(0, 12));
        assert_eq!(found, [Span::new(9, 10)]);
    }

    #[test]
    fn short_cuts_lose_nothing() {
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
            let whole = |is_url| merged(Finder::new(text, is_url).run(text.len(), false));
            let in_text = passwords_in_text(text);
            assert_eq!((passwords(text), &in_text), (whole(true), &whole(false)), "{text:?}");
            let start = next(text.len() + 1);
            let span = Span::new(start, start + next(text.len() - start + 1));
            let (url, map) = (&text[span.range()], SpanMap::cut_from(start));
            let slowly = passwords_among(passwords(url), url, &map, span, &in_text);
            hidden += usize::from(!slowly.is_empty());
            assert_eq!(passwords_at(url, &map, text, span), slowly, "{text:?} {span:?}");
        }
        assert!(hidden > 4_000, "{hidden}");
    }

    #[test]
    fn spans_are_merged() {
        let spans = [(4, 6), (1, 2), (9, 9), (2, 3), (5, 5)].map(|(from, to)| Span::new(from, to));
        assert_eq!(merged(spans.to_vec()), [Span::new(1, 3), Span::new(4, 6)]);
    }
}
