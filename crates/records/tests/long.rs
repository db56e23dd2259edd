//! Checks that a long message gives the same records when read in pieces as it gives as a whole.

use std::collections::VecDeque;
use std::fmt::Write as _;
#[cfg(feature = "gz")]
use std::io::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;
use urlsift_archive::long::Sizes;
use urlsift_archive::{Container, WebFormat};
use urlsift_records::input::{Buffer, RangeUnit};
use urlsift_records::{
    FileName, LineStart, Message, Options, Scan, Scanned, Sink, Unit, UrlRecord, With,
};

/// The calls that a sink received, in order.
#[derive(Default)]
struct SinkCalls {
    records: Vec<String>,
    messages: Vec<String>,
    bytes: Vec<u8>,
}

impl Sink for SinkCalls {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.records.push(format!("{record:?}"));
        ControlFlow::Continue(())
    }

    fn message(&mut self, _: &Arc<FileName>, message: &Message, urls: u64) {
        self.messages.push(format!("{urls} {message:?}"));
    }

    fn raw_bytes(&mut self, _: &Arc<FileName>, at: u64, bytes: &[u8]) {
        assert_eq!(at, 1000 + self.bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }
}

const LINES: LineStart = LineStart { breaks: 7, line: 990 };

fn in_pieces(scan: &Scan, container: Container, raw: &[u8], sizes: Sizes) -> (SinkCalls, Scanned) {
    let file = Arc::new(FileName::new("a"));
    let range = 1000..1000 + raw.len() as u64;
    let unit = RangeUnit { file: &file, container, range, lines: LINES };
    let mut source = |at: u64, buffer: &mut [u8]| {
        let rest = &raw[usize::try_from(at - 1000).unwrap()..];
        // Return as much as a pipe does, so that nothing depends on the amount.
        let len = rest.len().min(buffer.len()).min(60_000);
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    };
    let mut told = SinkCalls::default();
    let (scanned, read) =
        scan.scan_long_message(&unit, sizes, &mut source, &mut Buffer::default(), &mut told);
    read.unwrap();
    (told, scanned)
}

fn options() -> Options {
    let mut options = Options::default();
    options.report_messages = true;
    options.resolve = true;
    options.with = vec![With::Subject, With::Domain];
    options.set("headers", "all").unwrap();
    options.set("web_records", "all").unwrap();
    options.set("form", "+email").unwrap();
    options
}

/// Two sizes of pieces. The context of a piece is slightly longer than the maximum distance between
/// a URL and a second occurrence that determines how it is joined. A larger context would hide
/// problems.
const SIZES: [(u64, u64, u64); 2] =
    [(150 << 10, 150 << 10, 150 << 10), (310_001, 700_000, 145_003)];

/// Sizes for texts that need at least twice as many bytes.
const WIDE_SIZES: [(u64, u64, u64); 2] =
    [(200 << 10, 200 << 10, 300 << 10), (310_001, 700_000, 290_003)];

/// Compares a scan of a message in pieces of several sizes with a scan of the whole message.
/// Returns the number of URLs that were joined in the same way as another occurrence of the URL.
fn check(what: &str, container: Container, raw: &[u8], least: usize) -> usize {
    check_cut(what, container, raw, least, SIZES)
}

fn check_cut(
    what: &str,
    container: Container,
    raw: &[u8],
    least: usize,
    sizes: [(u64, u64, u64); 2],
) -> usize {
    let scan = Scan::new(options());
    let file = Arc::new(FileName::new("a"));
    let unit = Unit::new(&file, container, 0..raw.len()).with_base(1000).with_lines(LINES);
    let mut whole = SinkCalls::default();
    let scanned = scan.scan_unit(raw, &unit, &mut whole);
    assert!(whole.records.len() >= least, "{what}: {} records", whole.records.len());
    for (piece, all, context) in sizes {
        let (told, counted) = in_pieces(&scan, container, raw, Sizes::new(piece, all, context));
        assert_eq!(told.records.len(), whole.records.len(), "{what}");
        for (told, whole) in told.records.iter().zip(&whole.records) {
            assert_eq!(told, whole, "{what}");
        }
        assert_eq!(told.messages, whole.messages, "{what}");
        assert!(told.bytes == whole.bytes, "{what}: the bytes");
        assert_eq!(counted, scanned, "{what}");
    }
    whole.records.iter().filter(|record| record.contains("kind: Twin")).count()
}

/// A pseudorandom number generator with the same sequence on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Returns prose of at least `len` bytes with URLs of every form, some of them broken over lines.
/// Some of the broken URLs occur a second time, 40 to 60 KiB before or after, and would otherwise
/// be joined differently.
fn prose(numbers: &mut Numbers, len: usize) -> String {
    let mut text = String::new();
    let mut to_come = VecDeque::new();
    let mut twins = 0;
    while text.len() < len {
        if to_come.front().is_some_and(|(at, _)| text.len() >= *at) {
            text.extend(to_come.pop_front().map(|(_, twin)| twin));
        }
        let n = numbers.below(1000);
        let _ = match numbers.below(12) {
            0 => writeln!(text, "See <URL:http://host{n}.dom/a/\n   b{n}.html> for it, Größe é."),
            1 => writeln!(
                text,
                "> as http://www.host{n}.dom/path/that/is/long/and/goes/on/over/the/\n> line{n}.html said"
            ),
            2 => writeln!(text, "ftp://ftp.host{n}.dom/pub/x?a={n}&b=c=d, and joe{n}@host.dom"),
            3 => writeln!(text, "\n-- \nJoe {n}\nhttp://home{n}.dom/~joe"),
            4 => writeln!(text, "\n>From here http://from{n}.dom/ on"),
            5 => writeln!(text, "--not-a-boundary{n}"),
            6 => writeln!(text, "begin 644 a{n}.txt\n#86)C\n`\nend"),
            7 => {
                twins += 1;
                // One in three is broken after a hyphen that belongs to it, and one after an
                // inserted hyphen.
                let (broken, whole) = match twins % 3 {
                    0 => ("is-\nbroken", "is-broken"),
                    1 => ("is-\nbroken", "isbroken"),
                    _ => ("is\nbroken", "isbroken"),
                };
                let broken = format!("http://twin{twins}.dom/that/{broken}\n");
                let whole = format!("as http://twin{twins}.dom/that/{whole} has it\n");
                let (first, second) =
                    if n.is_multiple_of(2) { (broken, whole) } else { (whole, broken) };
                to_come.push_back((text.len() + (40 << 10) + numbers.below(20 << 10), second));
                write!(text, "{first}")
            }
            _ => writeln!(
                text,
                "Some words that say nothing, number {n}, of which there are a lot:\nmore."
            ),
        };
    }
    text
}

fn html(numbers: &mut Numbers, len: usize) -> String {
    let mut text = "<html><head><meta charset=utf-8><base href='http://base.dom/x/'><style>a{}</style></head><body>\n".to_owned();
    while text.len() < len {
        let n = numbers.below(1000);
        let _ = match numbers.below(9) {
            0 => writeln!(
                text,
                "<p>See <a href=\"http://host{n}.dom/?a=1&amp;b={n}\">http://host{n}.dom/</a> &eacute;</p>"
            ),
            1 => writeln!(text, "<a href='rel{n}.html'><img src=/i{n}.png></a>"),
            2 => writeln!(text, "<script>if (a<b) go('http://script{n}.dom/')</script>"),
            3 => writeln!(text, "<!-- old: http://comment{n}.dom/ <b> -->"),
            4 => writeln!(text, "<pre>ftp://pre{n}.dom/a\nb\n</pre>"),
            5 => writeln!(text, "http://shown{n}.dom/a/<br>b <wbr> &lt;http://ref{n}.dom/&gt;"),
            _ => writeln!(text, "<div class=\"x{n}\">words &amp; words that say nothing</div>"),
        };
    }
    text + "</body></html>\n"
}

/// Returns a page with tags and elements that are longer than the context of a piece.
fn long_elements(numbers: &mut Numbers) -> String {
    let mut text = html(numbers, 20_000).replace("</body></html>", "");
    for _ in 0..2 {
        let _ = write!(text, "<PRE>{}", prose(numbers, 600_000).replace('<', "&lt;"));
        let _ = write!(text, "</pre>{}", html(numbers, 20_000));
        let _ = write!(text, "<!-- {} -->", prose(numbers, 700_000));
        let _ = write!(text, "<p>{}", prose(numbers, 20_000));
        let _ = write!(text, "<Script>\"<!--\" {}</script >", prose(numbers, 700_000));
        let _ = write!(text, "<p>{}", prose(numbers, 200_000).replace('<', "&lt;"));
    }
    text
}

fn base64(text: &[u8], line: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    let mut column = 0;
    for group in text.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte))
            << (8 * (3 - group.len()));
        for place in 0..4 {
            let value = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap();
            out.push(if place <= group.len() { char::from(ALPHABET[value]) } else { '=' });
            column += 1;
            if column == line {
                out.push_str("\r\n");
                column = 0;
            }
        }
    }
    out + "\r\n"
}

fn quoted_printable(text: &[u8]) -> String {
    let mut out = String::new();
    let mut column = 0;
    for &byte in text {
        if byte == b'\n' {
            out.push('\n');
            column = 0;
            continue;
        }
        if column > 70 {
            out.push_str("=\n");
            column = 0;
        }
        if matches!(byte, b' '..=b'~') && byte != b'=' {
            out.push(char::from(byte));
            column += 1;
        } else {
            let _ = write!(out, "={byte:02X}");
            column += 3;
        }
    }
    out
}

/// Returns a body part with its header.
fn part(kind: &str, encoding: &str, body: &str) -> String {
    let encoded = match encoding {
        "base64" => base64(body.as_bytes(), 76),
        "base64, odd lines" => base64(body.as_bytes(), 61),
        "base64, one line" => base64(body.as_bytes(), usize::MAX),
        "quoted-printable" => quoted_printable(body.as_bytes()),
        _ => body.to_owned(),
    };
    let encoding = encoding.split(',').next().unwrap();
    format!(
        "Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\nContent-Location: http://part.dom/a/\n\n{encoded}"
    )
}

const HEADER: &str = "From: joe@host.dom\nSubject: long http://subject.dom/\nDate: Thu, 1 Dec 1994 10:00:00 +0000\n\
                      Message-ID: <1@host.dom>\nMIME-Version: 1.0\n";

#[test]
fn one_body_in_every_encoding() {
    for kind in ["text/plain; charset=utf-8", "text/plain; format=flowed; delsp=yes"] {
        for encoding in
            ["8bit", "quoted-printable", "base64", "base64, odd lines", "base64, one line"]
        {
            let body = prose(&mut Numbers(1), 700_000);
            let raw = format!("{HEADER}{}", part(kind, encoding, &body));
            let twins =
                check(&format!("{kind}, {encoding}"), Container::Message, raw.as_bytes(), 2000);
            assert!(twins > 100, "{twins} far twins");
        }
    }
}

#[test]
fn pages() {
    for encoding in ["8bit", "quoted-printable", "base64"] {
        let body = html(&mut Numbers(2), 700_000);
        let raw = format!("{HEADER}{}", part("text/html", encoding, &body));
        check(&format!("html, {encoding}"), Container::Message, raw.as_bytes(), 2000);
    }
}

#[test]
fn files_of_html() {
    let page = html(&mut Numbers(9), 700_000);
    check("page", Container::Html, page.as_bytes(), 2000);
    // The page without line breaks.
    check("one line", Container::Html, page.replace('\n', " ").as_bytes(), 2000);
    let page = page.replace("utf-8", "iso-2022-jp").replace("words", "\u{1b}$B&K\u{1b}(B");
    check("iso-2022-jp", Container::Html, page.as_bytes(), 2000);
    let page = long_elements(&mut Numbers(10));
    let twins = check("long elements", Container::Html, page.as_bytes(), 4000);
    assert!(twins > 100, "{twins} far twins");
    let archived = format!(
        "<!-- received=\"Thu Dec  1 10:00:00 1994\" -->\n<!-- sent=\"Thu, 1 Dec 1994 10:00:00 +0100\" -->\n\
         <!-- id=\"1@host.dom\" -->\n<!-- body=\"start\" -->\n<pre>{}",
        prose(&mut Numbers(11), 500_000).replace('<', "&lt;")
    );
    check("archived", Container::Html, archived.as_bytes(), 1000);
    for page in ["", "<p>http://short.dom/", "http://open.dom/<a href='http://open.dom/"] {
        check("short", Container::Html, page.as_bytes(), 0);
    }
}

#[test]
fn overlong_tag_hides_no_urls() {
    let picture = "QUJD".repeat(200_000);
    let page = format!(
        "<p>http://a.dom/<img src='http://b.dom/' srcset='data:image/png;base64,{picture}' alt='http://c.dom/'><a \
         href='http://d.dom/?a&amp;b'>http://e.dom/</a>"
    );
    for (piece, whole, context) in SIZES {
        let sizes = Sizes::new(piece, whole, context);
        let (told, _) = in_pieces(&Scan::new(options()), Container::Html, page.as_bytes(), sizes);
        for url in ["http://a.dom/", "http://b.dom/", "http://c.dom/", "http://d.dom/?a&b"] {
            let url = format!("url: {:?},", url.as_bytes());
            let is_in = |record: &&String| record.contains(&url);
            assert_eq!(told.records.iter().filter(is_in).count(), 1, "{url}");
        }
    }
}

fn multipart(kind: &str, boundary: &str, parts: &[String]) -> String {
    let mut text = format!(
        "Content-Type: multipart/{kind}; boundary=\"{boundary}\"\n\nPreamble http://preamble.dom/\n"
    );
    for part in parts {
        let _ = write!(text, "--{boundary}\n{part}\n");
    }
    text + &format!("--{boundary}--\nEpilogue http://epilogue.dom/\n")
}

fn nested() -> String {
    let numbers = &mut Numbers(3);
    let plain = |numbers: &mut Numbers, len| {
        part("text/plain; charset=utf-8", "8bit", &prose(numbers, len))
    };
    let alternative = multipart(
        "alternative",
        "b",
        &[
            part("text/plain", "quoted-printable", &prose(numbers, 250_000)),
            part("text/html", "base64", &html(numbers, 250_000)),
        ],
    );
    let inner =
        format!("Subject: inner http://inner.dom/\nMessage-ID: <2@host.dom>\n{alternative}");
    let digest = multipart(
        "digest",
        "bbb",
        &(0..40)
            .map(|n| format!("\nSubject: number {n}\n\n{}", prose(numbers, 8000)))
            .collect::<Vec<_>>(),
    );
    let small = (0..60).map(|_| plain(numbers, 3000)).collect::<Vec<_>>();
    multipart(
        "mixed",
        "bb",
        &[
            plain(numbers, 200),
            part("image/png", "base64", &"x".repeat(400_000)),
            format!("Content-Type: message/rfc822\n\n{inner}"),
            multipart("mixed", "bb-small", &small),
            part("text/plain", "base64", &prose(numbers, 550_000)),
            digest,
            // A multipart that is never closed.
            format!(
                "Content-Type: multipart/mixed; boundary=open\n\n--open\n\n{}",
                prose(numbers, 250_000)
            ),
            // A multipart whose boundary is missing.
            format!("Content-Type: multipart/mixed; boundary=none\n\n{}", prose(numbers, 250_000)),
        ],
    )
}

#[test]
fn parts_within_parts() {
    let raw = format!("{HEADER}{}", nested());
    check("nested", Container::Message, raw.as_bytes(), 2000);
    let mailbox =
        format!("From joe Thu Dec  1 10:00:00 1994\n{raw}").replace("\nFrom ", "\n>From ");
    check("mailbox", Container::Mbox, mailbox.as_bytes(), 2000);
    // Messages that are cut off.
    for len in [raw.len() / 3, raw.len() - 11] {
        let cut = String::from_utf8_lossy(&raw.as_bytes()[..len]).into_owned();
        check("cut off", Container::Message, cut.as_bytes(), 1000);
    }
}

#[test]
fn more_parts_than_the_limit() {
    let parts: Vec<String> =
        (0..10_050).map(|n| format!("\nhttp://part{n}.dom/{}", "x".repeat(n % 200))).collect();
    let raw = format!("{HEADER}{}", multipart("mixed", "b", &parts));
    check("many parts", Container::Message, raw.as_bytes(), 10_000);
}

#[test]
fn wide_and_shifted_characters() {
    let body = prose(&mut Numbers(4), 500_000);
    for (name, mark) in [("utf-16", &[0xFF, 0xFE][..]), ("utf-16le", &[])] {
        let wide: Vec<u8> =
            mark.iter().copied().chain(body.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for line in [76, 75, usize::MAX] {
            let raw = format!(
                "{HEADER}Content-Type: text/plain; charset={name}\nContent-Transfer-Encoding: base64\n\n{}",
                base64(&wide, line)
            );
            check_cut(name, Container::Message, raw.as_bytes(), 1000, WIDE_SIZES);
        }
        let mut raw = format!("{HEADER}Content-Type: text/plain; charset={name}\nContent-Transfer-Encoding: binary\n\n").into_bytes();
        raw.extend_from_slice(&wide);
        check_cut(name, Container::Message, &raw, 1000, WIDE_SIZES);
    }
    // A footer that is not base64, between bodies that are.
    let text = base64(body.as_bytes(), 76);
    let footer = "_______\nlist: http://list.dom/ to unsubscribe\n";
    let raw = format!("{HEADER}Content-Transfer-Encoding: base64\n\n{text}{footer}{text}{footer}");
    check("footers", Container::Message, raw.as_bytes(), 2000);
    let korean = body.replace("number", "\u{e}0B@Z\u{f}");
    let raw = format!("{HEADER}Content-Type: text/plain; charset=iso-2022-kr\n\n\u{1b}$)C{korean}");
    check("iso-2022-kr", Container::Message, raw.as_bytes(), 1000);
}

#[test]
fn lines_without_end() {
    let mut body = String::new();
    for n in 0..20_000 {
        let _ = write!(body, "Größe http://host{n}.dom/é ");
    }
    for encoding in ["8bit", "quoted-printable", "base64, one line"] {
        let raw = format!("{HEADER}{}", part("text/plain; charset=utf-8", encoding, &body));
        check(encoding, Container::Message, raw.as_bytes(), 19_000);
    }
}

#[test]
fn articles_of_other_containers() {
    let body = prose(&mut Numbers(5), 500_000).replace("\nFrom ", "\n>From ");
    let part = part("text/plain; charset=utf-8", "quoted-printable", &body);
    let article = format!("Date: Thu, 1 Dec 1994 10:00:00 +0000\n{HEADER}{part}");
    let length = article.len();
    let other = "Subject: kept http://kept.dom/\n\n*** EOOH ***\n";
    for (container, raw) in [
        (Container::Rnews, format!("#! rnews {length}\n{article}")),
        (Container::Rnews, format!("#! rnews 7\n{article}")),
        (Container::Babyl, format!("\u{1f}\u{c}\n0, unseen,,\n{other}{article}")),
        (Container::Babyl, format!("\u{1f}\u{c}{article}")),
        (Container::Notebook, format!("{}\r\n{article}", "=".repeat(73))),
        (Container::Notebook, article),
    ] {
        check(container.name(), container, raw.as_bytes(), 1000);
    }
}

/// Returns a WARC record that contains an HTTP response.
fn answer(fields: &str, body: &[u8]) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\n{fields}Server: x\r\n\r\n");
    record("response", "application/http", &[http.as_bytes(), body].concat())
}

fn record(kind: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://page.dom/a/\r\nWARC-Date: 1996-01-01T00:00:00Z\r\n\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [header.as_bytes(), block].concat()
}

#[test]
fn records_of_web_archives() {
    let warc = Container::Web(WebFormat::Warc);
    let (page, text) = (html(&mut Numbers(6), 500_000), prose(&mut Numbers(7), 500_000));
    let (page, text) = (page.as_bytes(), text.as_bytes());
    check("page", warc, &answer("Content-Type: text/html\r\n", page), 1000);
    check("page without a type", warc, &answer("", page), 1000);
    check("text without a type", warc, &answer("", text), 1000);
    // The declared encodings are not those of the body.
    let codings = "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n";
    check("decoded before", warc, &answer(codings, page), 1000);
    check("conversion", warc, &record("conversion", "text/plain", text), 1000);
    check("raw", warc, &record("metadata", "application/warc-fields", text), 1000);
    let wide: Vec<u8> =
        prose(&mut Numbers(8), 250_000).encode_utf16().flat_map(u16::to_be_bytes).collect();
    let wide = record("conversion", "text/plain; charset=utf-16be", &wide);
    check_cut("utf-16", warc, &wide, 500, WIDE_SIZES);
    for passed_over in [
        answer("Content-Type: video/mp4\r\n", text),
        answer("Content-Type: text/plain\r\n", &[b"\0", text].concat()),
        answer("", &[b"GIF\0", text].concat()),
    ] {
        check("passed over", warc, &passed_over, 0);
    }
    let line = format!("http://page.dom/ 192.0.2.1 19960101000000 text/html {}\n", text.len());
    check("arc", Container::Web(WebFormat::Arc), &[line.as_bytes(), text].concat(), 0);
    let text = [b"HTTP/1.0 200 OK\nContent-Type: text/plain\n\n", text].concat();
    let line = format!("http://page.dom/ 192.0.2.1 19960101000000 text/plain {}\n", text.len());
    check("arc", Container::Web(WebFormat::Arc), &[line.as_bytes(), &text].concat(), 1000);
}

/// Returns a body with chunked transfer encoding, but without the final chunk.
#[cfg(feature = "gz")]
fn chunked(body: &[u8]) -> Vec<u8> {
    let chunk =
        |chunk| [format!("{:x}\r\n", <[u8]>::len(chunk)).as_bytes(), chunk, b"\r\n"].concat();
    body.chunks(1000).flat_map(chunk).collect()
}

#[cfg(feature = "gz")]
fn gzip(body: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(body).unwrap();
    out.finish().unwrap()
}

/// Returns the text in Brotli format (RFC 7932 section 9), in meta-blocks that are not compressed.
#[cfg(feature = "brotli")]
fn brotli(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (n, block) in body.chunks(1 << 16).enumerate() {
        // A block that is not the last: 16 bits of length, not compressed. The first block has a
        // bit for the window size before them.
        let header = u32::try_from(block.len() - 1).unwrap() << 3 | 1 << 19;
        let header = if n == 0 { header << 1 } else { header };
        out.extend_from_slice(&header.to_le_bytes()[..3]);
        out.extend_from_slice(block);
    }
    // The last block, which is empty.
    out.push(3);
    out
}

#[test]
#[cfg(feature = "gz")]
fn encoded_body_is_cut_at_the_limit() {
    let warc = Container::Web(WebFormat::Warc);
    let text = prose(&mut Numbers(7), 500_000);
    let text = text.as_bytes();
    let packed = gzip(text);
    let rest = &b"\r\n".repeat(1000)[..];
    let chunks = "Transfer-Encoding: chunked\r\n";
    let gzipped = "Content-Encoding: gzip\r\n";
    let deflated = "Content-Encoding: deflate\r\n";
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(text).unwrap();
    let both = "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n";
    for (coding, body) in [
        (chunks, [&chunked(text), &b"0\r\n\r\n"[..], rest].concat()),
        (gzipped, [&packed, rest].concat()),
        (deflated, [&zlib.finish().unwrap(), rest].concat()),
        #[cfg(feature = "brotli")]
        ("Content-Encoding: br\r\n", [&brotli(text), rest].concat()),
        (both, [&chunked(&packed), &b"0\r\n\r\n"[..], rest].concat()),
        (both, [&chunked(&packed), &b"800\r\n"[..], rest, b"\r\n0\r\n\r\n"].concat()),
    ] {
        let record = answer(&format!("Content-Type: text/plain\r\n{coding}"), &body);
        let coded = |coded: usize| {
            let mut sizes = Sizes::new(50 << 10, 50 << 10, 50 << 10);
            sizes.coded = coded as u64;
            let (told, counted) = in_pieces(&Scan::new(options()), warc, &record, sizes);
            let cut = told.records.iter().filter(|told| told.contains("is_cut: true")).count();
            assert_eq!(
                counted.tally.limits.get(urlsift_archive::Limit::Page),
                u64::from(cut > 0),
                "{coding}"
            );
            (told.records.len(), cut)
        };
        let (all, cut) = coded(record.len());
        assert!(all > 1000 && cut == 0, "{coding}: {all}, {cut} of them cut");
        // The whole body is found, but not the whole text after it.
        assert_eq!(coded(record.len() - 1500), (all, 0), "{coding}");
        let (some, cut) = coded((record.len() - rest.len()) / 2);
        assert!(0 < some && some < all && cut == some, "{coding}: {some}, {cut} of them cut");
    }
}
