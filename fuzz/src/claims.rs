//! Properties that hold for any input, with one function per property. Fuzz targets check them on
//! random bytes, and tests check them on the files of the corpus.

use std::sync::Arc;
use urlsift_archive::long::Sizes;
use urlsift_archive::{Container, Headers, Reading, redecode, split};
use urlsift_core::{Profile, Secrets, mask_spans, masked};
use urlsift_lint::snippet::Snippets;
use urlsift_lint::{Config, Lines, Linter};
use urlsift_records::input::{Buffer, RangeUnit};
use urlsift_records::{
    FileName, Forms, LineStart, Malformed, Options, Scan, Unit, Unwrap, UrlRecord, With,
};
use urlsift_scanner::Form;

const READINGS: [Reading; 4] = [Reading::Auto, Reading::Mail, Reading::Html, Reading::Text];

fn options() -> Options {
    let mut options = Options::default();
    options.malformed = Malformed::Include;
    (options.headers, options.unwrap) = (Headers::All, Unwrap::Add);
    options.forms = Forms::default().with_form(Form::Schemeless).with_form(Form::Locator);
    options.with = With::ALL.to_vec();
    options
}

fn records(raw: &[u8], reading: Reading, options: Options) -> Vec<UrlRecord<'static>> {
    let file = Arc::new(FileName::default());
    let mut records = Vec::new();
    Scan::new(options).scan_unit(raw, &Unit::whole_file(&file, raw, reading), &mut records);
    records
}

/// Encodes the quoted-printable escapes in `bytes` again, except those that encode printable ASCII.
/// Decoding the result restores these escapes.
///
/// No URL contains other characters, so such a text was not really encoded, and the escapes belong
/// to the URL. (Spaces are only encoded at line ends.)
fn kept(bytes: &[u8]) -> Vec<u8> {
    let is_odd = |digits: &[u8]| {
        let byte = str::from_utf8(digits).ok().and_then(|text| u8::from_str_radix(text, 16).ok());
        byte.is_some_and(|byte| !byte.is_ascii_graphic())
    };
    let mut out = Vec::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        out.push(byte);
        if byte == b'=' && bytes.get(at + 1..at + 3).is_some_and(is_odd) {
            out.extend_from_slice(b"3D");
        }
    }
    out
}

/// Checks that records are in file order and within the file, and that the bytes at their offsets
/// contain the URL.
pub(crate) fn records_lead_back(raw: &[u8]) {
    for reading in READINGS {
        let found = records(raw, reading, options());
        assert!(found.is_sorted_by_key(|record| record.span.start), "{reading:?}");
        for record in found {
            let place = |at: u64| usize::try_from(at).unwrap();
            let bytes = &raw[place(record.span.start)..place(record.span.end)];
            if record.approximate || record.form == Form::Locator {
                continue;
            }
            let undone =
                [redecode(bytes, &record.decoded), redecode(&kept(bytes), &record.decoded)];
            let [Some(_), Some(_)] = &undone else { continue };
            let shows = |url: &[u8]| {
                undone.iter().flatten().any(|undone| {
                    let mut rest = undone.iter();
                    url.iter().all(|byte| rest.any(|other| other == byte))
                })
            };
            assert!(record.readings().any(shows), "{reading:?}: {record:?}, but {undone:?}");
            if record.decoded.is_empty() && record.joins.is_empty() {
                assert_eq!(bytes, &*record.url, "{reading:?}: {record:?}");
            }
        }
    }
}

/// Checks that scanning the units of a file one by one gives the records of the whole file.
pub(crate) fn units_are_the_whole(raw: &[u8]) {
    // The first byte of the input determines the size of units.
    let size = 1 + usize::from(raw.first().copied().unwrap_or_default()) * 16;
    let file = Arc::new(FileName::default());
    let scan = Scan::new(options());
    for reading in READINGS {
        let whole = Unit::whole_file(&file, raw, reading);
        let mut expected = Vec::new();
        scan.scan_unit(raw, &whole, &mut expected);
        let (mut found, mut lines) = (Vec::new(), LineStart::default());
        for range in split(whole.container, raw, size) {
            let unit = Unit::new(&file, whole.container, range).with_lines(lines);
            lines = scan.scan_unit(raw, &unit, &mut found).lines;
        }
        assert_eq!(found, expected, "{reading:?}, in units of {size}");
    }
}

/// The text before and after the random bytes in [`long_messages_are_the_whole`].
const PROSE: &str = "Some words that say nothing, of which there are a lot, and\n\
                     > a quotation; see <URL:http://host.dom/a/\n> b.html> or ftp://ftp.dom/pub/x, joe@host.dom.\n";

/// [`PROSE`] in base64, in complete lines.
const CODED: &str = "U29tZSB3b3JkcyB0aGF0IHNheSBub3RoaW5nLCBvZiB3aGljaCB0aGVyZSBhcmUgYSBsb3QsIGFu\n\
                     ZAo+IGEgcXVvdGF0aW9uOyBzZWUgPFVSTDpodHRwOi8vaG9zdC5kb20vYS8KPiBiLmh0bWw+IG9y\n\
                     IGZ0cDovL2Z0cC5kb20vcHViL3gsIGpvZUBob3N0LmRvbS4K\n";

/// A text that closes everything that the random bytes may have opened. HTML elements, uuencode and
/// PGP blocks longer than a piece's context are only recognized in a whole file.
const CLOSED: &str =
    "\n\"'>--></script></style></textarea></title></xmp>\n`\nend\n-----END PGP MESSAGE-----\n\n";

/// Checks that a long message or HTML file that contains the bytes gives the same records when it
/// is read in pieces as when it is read as a whole.
pub(crate) fn long_messages_are_the_whole(raw: &[u8]) {
    let [how, place, raw @ ..] = raw else { return };
    let raw = &raw[..raw.len().min(8 << 10)];
    let has = |bit: u8| how >> bit & 1 == 1;
    let (encoding, filling) = match how & 3 {
        0 => ("base64", CODED),
        1 => ("quoted-printable", PROSE),
        _ => ("8bit", PROSE),
    };
    let subtype = if has(2) { "html" } else { "plain; charset=utf-8" };
    let part = format!("Content-Type: text/{subtype}\nContent-Transfer-Encoding: {encoding}\n\n");
    let is_page = how & 3 == 3;
    let (container, envelope) = if is_page {
        (Container::Html, "<html>\n")
    } else if has(3) {
        (Container::Mbox, "From joe Thu Dec  1 10:00:00 1994\n")
    } else {
        (Container::Message, "")
    };
    let boundary = "a-boundary-that-no-other-text-holds";
    let (outer, between, end) = if has(4) && !is_page {
        let outer = format!("Content-Type: multipart/mixed; boundary={boundary}\n\n--{boundary}\n");
        (outer, format!("\n--{boundary}\n{part}"), format!("\n--{boundary}--\n"))
    } else {
        (String::new(), String::new(), String::new())
    };
    let header = format!("From: joe@host.dom\nMIME-Version: 1.0\n{outer}{part}");
    let mut text = [envelope, if is_page { "" } else { &header }].concat().into_bytes();
    // Without line breaks in `filling`, a line can be as long as the message.
    let filling = if has(5) && has(1) { filling.replace('\n', " ") } else { filling.to_owned() };
    let fill = |text: &mut Vec<u8>, len: usize| {
        text.extend(filling.as_bytes().iter().cycle().take(len / filling.len() * filling.len()));
    };
    fill(&mut text, (200 << 10) + (usize::from(*place) << 9));
    text.extend_from_slice(if has(6) { b"" } else { b"\n" });
    text.extend_from_slice(raw);
    text.extend_from_slice(CLOSED.as_bytes());
    text.extend_from_slice(between.as_bytes());
    fill(&mut text, 400 << 10);
    text.extend_from_slice(end.as_bytes());

    let file = Arc::new(FileName::default());
    let scan = Scan::new(options());
    let (mut expected, mut found): (Vec<UrlRecord<'static>>, Vec<UrlRecord<'static>>) =
        Default::default();
    let counted = scan.scan_unit(&text, &Unit::new(&file, container, 0..text.len()), &mut expected);
    let unit = RangeUnit {
        file: &file,
        container,
        range: 0..text.len() as u64,
        lines: LineStart::default(),
    };
    let mut source = |at: u64, buf: &mut [u8]| {
        let rest = &text[usize::try_from(at).unwrap()..];
        let len = rest.len().min(buf.len());
        buf[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    };
    let sizes = Sizes::new(150 << 10, 150 << 10, 256 << 10);
    let (outcome, read) =
        scan.scan_long_message(&unit, sizes, &mut source, &mut Buffer::default(), &mut found);
    read.unwrap();
    // If the bytes start another message, the mailbox has no long message.
    if counted.tally.messages > 1 {
        return;
    }
    // The reported encodings depend on the piece, so they are not compared.
    for record in found.iter_mut().chain(&mut expected) {
        record.decoded = (&[]).into();
    }
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected, "how {how:#b}");
    }
    assert_eq!(found.len(), expected.len(), "how {how:#b}");
    assert_eq!(outcome.tally.urls, counted.tally.urls);
}

/// Checks that linting doesn't panic, that the spans of diagnostics are within the file, and that
/// the output is safe for a terminal.
pub(crate) fn diagnostics_lie_in_the_file(raw: &[u8]) {
    for profile in [Profile::Rfc1738, Profile::Web] {
        let linter = Linter::new(Config::new(profile));
        for reading in READINGS {
            let linted = linter.lint_file(raw, None, reading);
            let lines = Lines::new(raw);
            let snippets = Snippets::new("f", raw, &lines, &linted.secrets, false);
            let mut shown = String::new();
            for diagnostic in &linted.diagnostics {
                assert!(diagnostic.span.start <= diagnostic.span.end, "{diagnostic:?}");
                assert!(diagnostic.span.end <= raw.len(), "{diagnostic:?}");
                snippets.write(&mut shown, diagnostic);
            }
            assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
            for secret in linted.secrets.windows(2) {
                assert!(secret[0].end < secret[1].start, "{secret:?}");
            }
        }
    }
}

/// A text that every secret in [`masks_hide`] contains.
const MARK: &str = "kEy7";

/// Returns texts that contain `url` as mail gateways and formats encode it. They have to be decoded
/// to find the secret.
fn disguises(url: &str) -> [String; 6] {
    let escaped = |text: &str, mark: char| {
        text.bytes().fold(String::new(), |out, byte| {
            if byte.is_ascii_alphanumeric() {
                out + &char::from(byte).to_string()
            } else {
                out + &format!("{mark}{byte:02X}")
            }
        })
    };
    let hex: String = url.bytes().map(|byte| format!("{byte:02x}")).collect();
    let defended = format!("https://urldefense.proofpoint.com/v2/url?u={}&d=x", escaped(url, '-'));
    let safe = |url: &str| {
        let url = escaped(url, '%');
        format!("https://a.safelinks.protection.outlook.com/?url={url}&data=x")
    };
    [
        safe(&defended),
        format!("https://urldefense.com/v2/url?u={}&d=x", escaped(&safe(url), '-').to_lowercase()),
        format!("https://meilu.jpshuntong.com/url-{hex}"),
        url.replace('/', "\\/").replace(':', "\\u003a").replace('@', "\\u0040"),
        url.replace('@', "\u{ff20}").replace(':', "\u{ff1a}").replace('/', "\u{ff0f}"),
        defended,
    ]
}

/// Checks that no output with masking contains a secret with [`MARK`]. The secret consists of
/// characters that RFC 1738 allows.
pub(crate) fn masks_hide(raw: &[u8]) {
    for secrets in [Secrets::Passwords, Secrets::All] {
        for found in [secrets.in_url(raw), secrets.in_text(raw)] {
            assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start), "{found:?}");
            assert!(
                found.iter().all(|span| !span.is_empty() && span.end <= raw.len()),
                "{found:?}"
            );
            let _ = mask_spans(raw, &found);
        }
    }

    let is_legal = |byte: &u8| byte.is_ascii_alphanumeric() || b"$-_.+!*'(),;?&=%".contains(byte);
    let noise: Vec<u8> = raw.iter().copied().filter(is_legal).take(64).collect();
    let noise = String::from_utf8_lossy(&noise);
    let url = format!("ftp://joe:p{noise}{MARK}{noise}@host.dom/a");
    let shows = |text: &[u8]| {
        String::from_utf8_lossy(text).to_ascii_lowercase().contains(&MARK.to_ascii_lowercase())
    };
    assert!(!shows(&masked(url.as_bytes(), Secrets::Passwords)), "{url}");
    for disguised in disguises(&url) {
        assert!(!shows(&masked(disguised.as_bytes(), Secrets::Passwords)), "{disguised}");
        let text = format!("see {disguised} now");
        let found = Secrets::Passwords.in_text(text.as_bytes());
        assert!(!shows(&mask_spans(text.as_bytes(), &found)), "{text}");
    }
    let value: String = noise.chars().filter(|byte| *byte != '&').collect();
    let with_token = format!("https://host.dom/a?b=c&access_token={value}{MARK}{value}&d=e");
    for written in [with_token.clone(), with_token.replace('&', "\\u0026").replace('=', "\\u003d")]
    {
        assert!(!shows(&masked(written.as_bytes(), Secrets::All)), "{written}");
    }
    let text = format!("see <URL:{url}> and\n{url} or <a href=\"{url}\">x</a>\n");
    let mut options = options();
    options.mask_passwords = true;
    let linter = Linter::new(Config::default());
    for reading in READINGS {
        let mut shown = Vec::new();
        for record in records(text.as_bytes(), reading, options.clone()) {
            record.write_json(&mut shown);
        }
        let linted = linter.lint_file(text.as_bytes(), None, reading);
        let lines = Lines::new(text.as_bytes());
        let snippets = Snippets::new("f", text.as_bytes(), &lines, &linted.secrets, false);
        let mut report = String::new();
        for diagnostic in &linted.diagnostics {
            snippets.write(&mut report, diagnostic);
        }
        let shown = String::from_utf8_lossy(&shown).into_owned() + &report;
        assert!(!shown.contains(MARK), "{reading:?}: {text}\n{shown}");
    }
}
