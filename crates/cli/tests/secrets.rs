//! Checks that no output contains a password or token if secrets are masked. Random URLs with a
//! mark in their secrets are put into every format and printed in every output format.
//!
//! `SECRETS=0..100000 cargo test -p urlsift --test secrets` tests more URLs (a quarter of an hour).
//! Each thousand of them is generated independently.

mod common;

use common::output_of;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// A text that every secret contains, and no other text.
const MARK: &str = "kEy7";

/// A generator of random numbers that are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    fn of<'t>(&mut self, pieces: &[&'t str]) -> &'t str {
        pieces[self.below(pieces.len())]
    }
}

/// Characters that RFC 1738 allows in passwords, characters that it doesn't allow, and characters
/// that end a URL in text.
const PIECES: [&str; 56] = [
    "a", "Z", "7", "80", "-", "_", ".", "+", "!", "*", "'", "(", ")", ",", "$", "%20", "%40",
    "%2F", "%3A", "%C3%A9", "?", ";", "&", "=", "/", "//", "#", ":", "@$", "\\", "{", "}", "|",
    "^", "`", "[", "]", "<", ">", "\"", " ", "\u{e9}", "\u{4e2d}", "\u{202e}", "\u{200b}",
    "\u{feff}", "\u{a0}", "%", "%zz", "&amp;", "~", "www.", ".com", "\x1b[1m", "x=", "-",
];
const SCHEMES: [&str; 9] =
    ["http", "https", "ftp", "HTTP", "Ftp", "telnet", "gopher", "x-y", "svn+ssh"];
const USERS: [&str; 9] =
    ["joe", "", "j.o.e", "joe@a.dom", "us%20er", "us er", "DOM\\joe", "www.bank.com", "jo\u{e9}"];
const HOSTS: [&str; 10] = [
    "host.dom",
    "[::1]",
    "[2001:db8::1]:21",
    "1.2.3.4",
    "ho..st",
    "host.dom:8080",
    "h\u{e9}.dom",
    "a_b.dom",
    "",
    "host.dom:99999",
];

/// Returns a random password.
fn password(random: &mut Random, user: &str) -> String {
    let mut password = random.of(&["p", "?", ";x", "$", "80&", "80", "7", ""]).to_owned();
    let at = random.below(4);
    let mut has_blank = false;
    for n in 0..=at + random.below(3) {
        let mut piece = if n == at { MARK } else { random.of(&PIECES) };
        if piece == " " && std::mem::replace(&mut has_blank, true) {
            piece = "-";
        }
        // After a domain, a number followed by a slash or the end of the URL is read as a port,
        // even if it was meant as a password.
        if piece.starts_with(['/', ' ', '<', '>', '"'])
            && password.bytes().all(|byte| byte.is_ascii_digit() || b".,;:!?)]}'".contains(&byte))
            && [".dom", ".com"].iter().any(|domain| user.ends_with(domain))
        {
            piece = "-";
        }
        password += piece;
    }
    password
}

/// Returns a URL with a token.
fn token(random: &mut Random, n: usize) -> String {
    let name =
        random.of(&["token", "access_token", "API-Key", "X-Amz-Signature", "sig", "jwt", "pwd"]);
    let value = format!("{MARK}{}", random.of(&["", "%2F", "a.b", "-_", "%3D%3D", "/+"]));
    match random.below(4) {
        0 => format!("https://h.dom/p{n}?{name}={value}"),
        1 => format!("https://h.dom/p{n}?a=b&{name}={value}&c=d#e"),
        2 => format!("https://h.dom/p{n}#{name}={value}&c=d"),
        _ => {
            let inner = escaped(&format!("https://h.dom/p{n}?a=b&{name}={value}&c=d"));
            format!("https://i.dom/?u={inner}")
        }
    }
}

/// True if an output contains the mark, in any case or in hexadecimal digits.
fn shows_mark(output: &[u8]) -> bool {
    let output = String::from_utf8_lossy(output).to_ascii_lowercase();
    let hex = MARK.bytes().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    output.contains(&MARK.to_ascii_lowercase()) || output.contains(&hex)
}

fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").unwrap();
        }
        out
    })
}

/// Returns a URL and a text that contains it.
fn case(random: &mut Random, n: usize) -> (String, String) {
    let scheme = random.of(&SCHEMES);
    let slashes = random.of(&["//", "//", "//", "//", "//", "/", "\\\\", "///"]);
    let user = random.of(&USERS);
    let login = format!("{user}:{}@{}/p{n}", password(random, user), random.of(&HOSTS));
    let url = match random.below(19) {
        13 => format!(
            "https://urldefense.proofpoint.com/v2/url?u={}&d=x",
            escaped(&format!("{scheme}://{login}")).replace('%', "-")
        ),
        14 => {
            let inner = escaped(&format!("{scheme}://{login}")).replace('%', "-");
            let inner = format!("https://urldefense.proofpoint.com/v2/url?u={inner}&d=x");
            let inner = escaped(&inner);
            format!("https://a.safelinks.protection.outlook.com/?url={inner}&data=04")
        }
        15 => {
            let inner = escaped(&format!("{scheme}://{login}"));
            let inner = format!("https://a.safelinks.protection.outlook.com/?url={inner}&x=y");
            let inner = escaped(&inner).replace('%', "-").to_lowercase();
            format!("https://urldefense.com/v2/url?u={inner}&d=x")
        }
        16 => {
            let hex = format!("{scheme}://{login}");
            let hex = hex.bytes().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
            format!("https://meilu.jpshuntong.com/url-{hex}")
        }
        17 | 18 => token(random, n),
        0 => format!("http://h.dom/?u={}", escaped(&format!("{scheme}://{login}"))),
        1 => format!("http://h.dom/{}", escaped(&escaped(&format!("{scheme}://{login}")))),
        2 => format!("http://h.dom/#{scheme}://{login}"),
        3 => format!("mailto:a@b.dom?body={}", escaped(&format!("{scheme}://{login}"))),
        4 => format!("http://http://{login}"),
        5 => return (format!("http://{login}"), format!("see <URL:{login}> now")),
        // Without a scheme, only the user and the host show that this is a URL, and `joe://` looks
        // like a scheme.
        6 if !login.starts_with(':') && !login.contains("://") && !login.contains("@/") => {
            login.replace(' ', "_")
        }
        // An unknown scheme is only recognized with slashes.
        _ if scheme == "x-y" => format!("x-y://{login}"),
        _ => format!("{scheme}:{slashes}{login}"),
    };
    let text = match random.below(7) {
        6 => format!(
            "see {{\"u\":\"{}\"}} now",
            url.replace('\\', "\\\\")
                .replace('"', "\\u0022")
                .replace('/', "\\/")
                .replace(':', "\\u003a")
                .replace('@', "\\u0040")
                .replace('&', "\\u0026")
        ),
        0 | 5 if url.starts_with(|c: char| c.is_ascii_lowercase()) => {
            format!("see <URL:{url}> now")
        }
        1 => format!("see <{url}> now"),
        2 => format!("> see ({url}) now"),
        3 => format!("a URL:{url}, and more"),
        _ => format!("see {url} now"),
    };
    (url, text)
}

/// Returns the output of the command on standard output and standard error.
fn output(folder: &Path, args: &[&str], stdin: &[u8]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlsift"));
    let output = output_of(command.args(args).current_dir(folder), stdin).unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {output:?}");
    [output.stdout, output.stderr].concat()
}

/// Adds the lines of an output that contain the mark to `leaks`.
fn look_at(leaks: &mut Vec<String>, args: &[&str], output: &[u8]) {
    for line in output.split(|&byte| byte == b'\n') {
        if shows_mark(line) {
            leaks.push(format!("{args:?}: {}", String::from_utf8_lossy(line)));
        }
    }
}

const MAIL: &str = "From: a@b.dom\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nMIME-Version: 1.0\n";

#[test]
fn no_output_shows_a_secret() {
    let cases = std::env::var("SECRETS").unwrap_or_else(|_| "0..400".into());
    let (first, end) = cases.split_once("..").unwrap();
    let (first, end): (usize, usize) = (first.parse().unwrap(), end.parse().unwrap());
    // In steps of a thousand, because reports on many URLs are long.
    for start in (first..end).step_by(1000) {
        let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(start as u64 + 1));
        try_cases(&mut random, start..end.min(start + 1000));
    }
}

fn try_cases(random: &mut Random, cases: std::ops::Range<usize>) {
    let (mut urls, mut text, mut markup) = (Vec::new(), String::new(), String::new());
    for n in cases {
        let (url, line) = case(random, n);
        write!(text, "{line}\n\n").unwrap();
        let entity =
            |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        write!(markup, "<p>{}</p>\n\n<a href=\"{}\">x</a>\n\n", entity(&line), entity(&url))
            .unwrap();
        urls.extend_from_slice(url.as_bytes());
        urls.push(0);
    }
    let quoted = text.replace('=', "=3D").replace(MARK, &MARK.replace('7', "=37"));
    let quoted = format!("{MAIL}Content-Transfer-Encoding: quoted-printable\n\n{quoted}");
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("a.txt", &text),
        ("b.html", &format!("<html><body>\n{markup}</body></html>\n")),
        ("c.md", &text),
        ("d.eml", &format!("{MAIL}Content-Type: text/plain; charset=utf-8\n\n{text}")),
        (
            "e.eml",
            &format!("{MAIL}Content-Type: text/html\n\n<html><body>{markup}</body></html>\n"),
        ),
        ("f.eml", &quoted),
    ] {
        std::fs::write(folder.path().join(name), content).unwrap();
    }

    let mut leaks = Vec::new();
    let scan = ["scan", ".", "--mask-secrets", "--malformed", "include", "--headers", "all"];
    for more in [
        &["--format", "text", "--form", "+schemeless,locator"][..],
        &["--format", "jsonl", "--form=+schemeless", "--rejoin", "off"],
        &["--format", "csv", "--profile", "rfc1738", "--scheme", "http", "--scheme", "x-y"],
        &["--format", "tsv", "--unique=count"],
        &["--format", "jsonl", "--input", "text"],
    ] {
        let args = [&scan[..], more].concat();
        look_at(&mut leaks, &args, &output(folder.path(), &args, b""));
    }
    for format in ["text", "jsonl", "sarif", "github", "checkstyle"] {
        let args = ["lint", ".", "--mask-secrets", "--format", format];
        look_at(&mut leaks, &args, &output(folder.path(), &args, b""));
    }
    for more in ["--diff", "--unsafe-fixes"] {
        let args = ["lint", ".", "--mask-secrets", "--diff", more, "--profile", "rfc1738"];
        let args = if more == "--diff" { &args[..4] } else { &args[..] };
        look_at(&mut leaks, args, &output(folder.path(), args, b""));
    }
    for (format, profile) in [("text", "web"), ("jsonl", "rfc1738"), ("jsonl", "rfc3986")] {
        let args = ["parse", "-0", "-", "--mask-secrets", "--format", format, "--profile", profile];
        look_at(&mut leaks, &args, &output(folder.path(), &args, &urls));
    }
    let args = ["report", ".", "--mask-secrets"];
    look_at(&mut leaks, &args, &output(folder.path(), &args, b""));
    if cfg!(feature = "pick") {
        for message in ["d.eml", "e.eml", "f.eml"] {
            let args = ["pick", "--list", "--mask-secrets", message];
            look_at(&mut leaks, &args, &output(folder.path(), &args, b""));
        }
    }
    for more in ["--fix", "--unsafe-fixes"] {
        let args = ["lint", ".", "--mask-secrets", more];
        look_at(&mut leaks, &args, &output(folder.path(), &args, b""));
    }
    let some = leaks.iter().take(40).fold(String::new(), |some, leak| some + leak + "\n");
    assert!(leaks.is_empty(), "{} leaks:\n{some}", leaks.len());
}

#[test]
fn no_message_shows_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "http://host.dom/").unwrap();
    let url = format!("http://joe:{MARK}@host.dom/?token={MARK}");
    let option = format!("--{url}");
    for args in [
        &["scan", &url][..],
        &["lint", &url],
        &["units", &url],
        &["report", &url],
        // Messages of the argument parser.
        &[&url],
        &["scan", "--form", &url],
        &["scan", &option],
        &["parse", "--profile", &url],
        &["units", "--size", &url],
        &["scan", "a.txt", "--max-filesize", &url],
        // Messages about valid arguments.
        &["lint", "a.txt", "--select", &url],
        &["lint", "a.txt", "--scheme", &url],
        &["lint", "a.txt", "--baseline", &url],
        &["scan", "--since", &url],
        &["scan", "--files-from", &url],
        &["scan", "a.txt", "-o", &url],
        &["explain", &url],
        &["schema", &url],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_urlsift"))
            .args(args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("joe:***@host.dom"), "{args:?}: {message}");
        assert!(!shows_mark(message.as_bytes()), "{args:?}: {message}");
        assert!(!shows_mark(&output.stdout), "{args:?}");
    }
}
