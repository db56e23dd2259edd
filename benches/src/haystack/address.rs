//! Generates hosts, mailboxes, Message-IDs and URLs. All domains are reserved for examples or no
//! longer exist.

use crate::random::Random;
use std::io::Write;

const HOSTS: &[&str] = &[
    "example.com",
    "example.org",
    "example.net",
    "mail.example.com",
    "lists.example.org",
    "ftp.example.net",
    "archive.example.edu",
    "cs.uni.example",
    "info.lab.example",
    "news.uucp.example",
    "www.example.com",
    "www.example.org",
    "www.library.example",
    "git.kernel.example",
    "bugs.project.example",
    "download.mirror.example",
    "host1.site.example",
    "a.very.deep.name.in.a.domain.example",
    "x.example",
    "www.some-company-with-hyphens.example",
];
const USERS: &[&str] = &[
    "joe",
    "mary",
    "j.smith",
    "postmaster",
    "tim",
    "anna+lists",
    "k_r",
    "root",
    "webmaster",
    "peter.m",
    "liz",
    "owner-www",
    "announce",
    "help-request",
    "o.brien",
    "bounce-1234-5678",
];
const SEGMENTS: &[&str] = &[
    "pub",
    "doc",
    "hypertext",
    "WWW",
    "people",
    "archive",
    "software",
    "index.html",
    "papers",
    "~joe",
    "1994",
    "2003",
    "msg00123.html",
    "download",
    "cgi-bin",
    "README.txt",
    "manual_v2.pdf",
    "linux",
    "patches",
    "lists",
    "view",
    "wiki",
    "Category",
    "a-long-title-with-many-words-in-it",
    "src",
    "v1.0.3",
    "team",
    "faq",
    "news",
    "x",
    "thread",
    "id",
];
const GROUPS: &[&str] = &[
    "comp.infosystems.www",
    "comp.lang.c",
    "rec.sport.hockey",
    "sci.space",
    "talk.politics.misc",
    "alt.hypertext",
    "news.answers",
    "comp.mail.mime",
    "de.comp.os.unix",
    "misc.test",
];
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn push_host(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(random.pick(HOSTS).as_bytes());
}

pub(super) fn push_mailbox(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(random.pick(USERS).as_bytes());
    out.push(b'@');
    push_host(random, out);
}

pub(super) fn push_newsgroup(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(random.pick(GROUPS).as_bytes());
}

/// Appends a Message-ID without brackets.
pub(super) fn push_message_id(random: &mut Random, out: &mut Vec<u8>) {
    match random.number_below(3) {
        0 => push_formatted(
            out,
            format_args!(
                "1994{:06}.AA{:05}@",
                random.number_below(1_000_000),
                random.number_below(100_000)
            ),
        ),
        1 => push_formatted(
            out,
            format_args!(
                "{:08x}-{:04x}.{}@",
                random.number_below(u32::MAX),
                random.number_below(0xffff),
                random.number_below(99)
            ),
        ),
        _ => push_formatted(
            out,
            format_args!("C{}.{}@", random.number_below(100_000_000), random.number_below(10_000)),
        ),
    }
    push_host(random, out);
}

/// Appends a URL that is valid in the profile `web`. Most are valid in all profiles; the others
/// contain `~` or a fragment.
pub(super) fn push_url(random: &mut Random, out: &mut Vec<u8>) {
    let scheme = match random.number_below(100) {
        0..62 => "http://",
        62..90 => "https://",
        90..97 => "ftp://",
        97..98 => "gopher://",
        98..99 => "HTTP://",
        _ => "telnet://",
    };
    out.extend_from_slice(scheme.as_bytes());
    push_host(random, out);
    if random.is_hit(25) {
        push_formatted(out, format_args!(":{}", random.number_between(80, 9000)));
    }
    if scheme == "telnet://" {
        out.push(b'/');
        return;
    }
    if scheme == "gopher://" {
        out.extend_from_slice(b"/11/");
    }
    let depth = random.number_below(5);
    for _ in 0..depth {
        out.push(b'/');
        out.extend_from_slice(random.pick(SEGMENTS).as_bytes());
    }
    if depth == 0 || random.is_hit(300) {
        out.push(b'/');
    }
    if scheme.len() >= 7 && random.is_hit(150) {
        push_formatted(
            out,
            format_args!("?q={}&n={}", random.pick(SEGMENTS), random.number_below(100_000)),
        );
    }
    if scheme == "https://" && random.is_hit(60) {
        push_formatted(out, format_args!("#s{}", random.number_below(30)));
    }
}

/// Appends `n` characters of the base64 alphabet.
pub(super) fn push_token(random: &mut Random, n: usize, out: &mut Vec<u8>) {
    let mut left = n;
    while left > 0 {
        let mut bits = random.next_bits();
        for _ in 0..left.min(10) {
            out.push(ALPHABET[(bits & 63) as usize]);
            bits >>= 6;
        }
        left -= left.min(10);
    }
}

/// Appends a date in the format `Tue, 01 Apr 1997 08:35:48 +0000`.
pub(super) fn push_date(random: &mut Random, out: &mut Vec<u8>) {
    let day = random.pick(&["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]);
    let month = random.pick(&[
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]);
    push_formatted(
        out,
        format_args!(
            "{day}, {:02} {month} {} {:02}:{:02}:{:02} {}",
            random.number_between(1, 29),
            random.number_between(1993, 2024),
            random.number_below(24),
            random.number_below(60),
            random.number_below(60),
            random.pick(&["+0000", "+0100", "-0500", "-0800 (PST)", "GMT"]),
        ),
    );
}

/// Appends formatted text.
pub(super) fn push_formatted(out: &mut Vec<u8>, arguments: std::fmt::Arguments<'_>) {
    out.write_fmt(arguments).expect("a Vec takes all bytes");
}
