//! Tests that every engine gives the results of the reference engine, for the texts of the corpora
//! and for random ones, with eight fixed combinations of settings and four that are drawn for each
//! text.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::fs;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};
use urlsift_core::{Break, BreakKind, Breaks, Charset, Profile, Report, Span};
use urlsift_scanner::{Candidate, Engine, Form, Input, NearMiss, Rejoin, Scanner, Seam, State};

/// The settings and the properties of the text for one scan.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent setting")]
struct Combination {
    profile: Profile,
    rejoin: Rejoin,
    charset: Charset,
    /// True if the text's format explains its line breaks.
    has_breaks: bool,
    is_named: bool,
    schemeless: bool,
    locators: bool,
    near_misses: bool,
}

/// The number of combinations.
const COMBINATIONS: usize = 4 * 3 * 64;

impl Combination {
    /// Returns the combination with this number, from 0 to [`COMBINATIONS`] - 1.
    fn nth(mut number: usize) -> Self {
        let mut choose = |from: usize| {
            let choice = number % from;
            number /= from;
            choice
        };
        Self {
            profile: Profile::ALL[choose(4)],
            rejoin: [Rejoin::Likely, Rejoin::Certain, Rejoin::Off][choose(3)],
            charset: [Charset::Utf8, Charset::EightBit][choose(2)],
            has_breaks: choose(2) > 0,
            is_named: choose(2) > 0,
            schemeless: choose(2) > 0,
            locators: choose(2) > 0,
            near_misses: choose(2) > 0,
        }
    }

    /// Returns eight combinations, in which each setting has its default and another value.
    fn fixed() -> [Self; 8] {
        let usual = Self {
            profile: Profile::Web,
            rejoin: Rejoin::Likely,
            charset: Charset::Utf8,
            has_breaks: false,
            is_named: false,
            schemeless: false,
            locators: false,
            near_misses: false,
        };
        let all = Self { is_named: true, schemeless: true, locators: true, ..usual };
        [
            usual,
            Self { rejoin: Rejoin::Off, ..usual },
            Self { rejoin: Rejoin::Certain, charset: Charset::EightBit, ..usual },
            Self { profile: Profile::Rfc1738, rejoin: Rejoin::Off, ..usual },
            Self { profile: Profile::Rfc3986, has_breaks: true, ..usual },
            Self { profile: Profile::Cern1994, is_named: true, ..usual },
            all,
            Self { near_misses: true, ..all },
        ]
    }

    fn scanner(self, engine: Engine) -> Scanner {
        let builder = Scanner::builder()
            .engine(engine)
            .profile(self.profile)
            .rejoin(self.rejoin)
            .schemeless(self.schemeless)
            .locators(self.locators)
            .near_misses(self.near_misses);
        if self.is_named { builder.scheme("x").scheme("urn").build() } else { builder.build() }
    }
}

/// One combination, with a scanner of each engine for it, the reference first.
type Suite = (Combination, Vec<Scanner>);

fn suite(combination: Combination) -> Suite {
    (combination, Engine::all().iter().map(|&engine| combination.scanner(engine)).collect())
}

static FIXED: LazyLock<Vec<Suite>> =
    LazyLock::new(|| Combination::fixed().into_iter().map(suite).collect());

/// The suites that are drawn at random. Each is built when it is first drawn.
static DRAWN: [OnceLock<Suite>; COMBINATIONS] = [const { OnceLock::new() }; COMBINATIONS];

/// The fields of a candidate that the engines must agree on.
#[derive(Debug, PartialEq)]
struct Seen {
    whole: Span,
    span: Span,
    form: Form,
    seams: Vec<Seam>,
    url: Vec<u8>,
    readings: Vec<Vec<u8>>,
    near_miss: Option<NearMiss>,
    is_truncated: bool,
    quote_depth: u32,
    findings: Vec<Report>,
    is_encoded: bool,
}

fn seen(found: &Candidate<'_>) -> Seen {
    Seen {
        whole: found.span_with_wrapper(),
        span: found.span(),
        form: found.form(),
        seams: found.seams().to_vec(),
        url: found.url().into_owned(),
        readings: found.readings(),
        near_miss: found.near_miss(),
        is_truncated: found.is_truncated(),
        quote_depth: found.quote_depth(),
        findings: found.findings(),
        is_encoded: found.is_encoded(),
    }
}

/// Returns line breaks for the text, with the kinds of `format=flowed` in turn.
fn breaks(text: &[u8]) -> Breaks {
    let kinds = [BreakKind::Soft, BreakKind::SoftDelSp];
    let ends = memchr::memchr_iter(b'\n', text).zip(kinds.into_iter().cycle());
    ends.filter(|(at, _)| at % 3 > 0).map(|(at, kind)| Break { at, kind }).collect()
}

/// Checks that all engines give the same results, in one pass and in two.
fn agree((combination, scanners): &Suite, text: &[u8]) -> Result<(), String> {
    let breaks = if combination.has_breaks { breaks(text) } else { Breaks::new() };
    let input = Input::new(text).breaks(&breaks).charset(combination.charset);
    let (reference, others) = scanners.split_first().ok_or("there is no engine")?;
    let expected: Vec<Seen> = reference.find(input).map(|found| seen(&found)).collect();
    for (scanner, engine) in others.iter().zip(&Engine::all()[1..]) {
        let found: Vec<Seen> = scanner.find(input).map(|found| seen(&found)).collect();
        if found != expected {
            let text = text.escape_ascii();
            return Err(format!(
                "{engine:?} with {combination:?} in {text}:\n{found:#?}\nand not\n{expected:#?}"
            ));
        }
        let mut first = scanner.find_from(input, State::starting_at(0), Some(text.len() / 2));
        let mut found: Vec<Seen> = first.by_ref().map(|found| seen(&found)).collect();
        let second = scanner.find_from(input, first.into_state(), Some(usize::MAX));
        found.extend(second.map(|found| seen(&found)));
        if found != expected {
            return Err(format!(
                "{engine:?} with {combination:?} in two passes over {}",
                text.escape_ascii()
            ));
        }
    }
    Ok(())
}

/// Checks that all engines agree on the text, with the fixed combinations and those with the
/// `drawn` numbers.
fn agree_on(text: &[u8], drawn: impl IntoIterator<Item = usize>) {
    for suite in &*FIXED {
        agree(suite, text).unwrap();
    }
    for number in drawn.into_iter().map(|number| number % COMBINATIONS) {
        agree(DRAWN[number].get_or_init(|| suite(Combination::nth(number))), text).unwrap();
    }
}

/// Draws four numbers that depend only on the text.
fn draw(text: &[u8]) -> impl Iterator<Item = usize> {
    let mut state = text
        .iter()
        .fold(1738_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 40).unwrap_or(0)
    })
    .take(4)
}

/// Reads all files in a folder of the corpus.
fn files(folder: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(fs::read(path).unwrap());
        }
    }
}

/// Collects the strings of a TOML file that are texts, and the file itself.
fn texts(file: &[u8], found: &mut Vec<Vec<u8>>) {
    fn strings(value: &toml::Value, found: &mut Vec<Vec<u8>>) {
        match value {
            toml::Value::String(text) if text.contains(':') => {
                found.push(text.replace('|', "").into());
            }
            toml::Value::Array(values) => {
                for value in values {
                    strings(value, found);
                }
            }
            toml::Value::Table(table) => {
                for value in table.values() {
                    strings(value, found);
                }
            }
            _ => {}
        }
    }
    let file = String::from_utf8_lossy(file);
    match file.parse::<toml::Table>() {
        Ok(table) => strings(&toml::Value::Table(table), found),
        // Rows of JSON and of tables.
        Err(_) => found.extend(file.lines().map(|line| line.replace("\",\"", "\n").into_bytes())),
    }
    found.push(file.into_owned().into_bytes());
}

fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder), &mut found);
    found
}

/// Returns a text as it is, with CRLF, and quoted.
fn variants(text: &[u8]) -> [Vec<u8>; 3] {
    let lines = |with: &str| {
        let lines: Vec<_> = text.split(|&byte| byte == b'\n').collect();
        lines.join(with.as_bytes())
    };
    [text.to_vec(), lines("\r\n"), [b"> ".to_vec(), lines("\n> ")].concat()]
}

fn check_corpus(folder: &str) {
    let mut all = Vec::new();
    for file in corpus(folder) {
        texts(&file, &mut all);
    }
    assert!(!all.is_empty());
    for text in all.iter().flat_map(|text| variants(text)) {
        agree_on(&text, draw(&text));
    }
}

#[test]
fn engines_agree_on_sentences() {
    check_corpus("text");
}

#[test]
fn engines_agree_on_urls() {
    check_corpus("vectors");
}

#[test]
fn engines_agree_on_broken_lines() {
    check_corpus("rejoin");
}

#[test]
fn engines_agree_on_markup() {
    check_corpus("lint");
}

#[test]
fn engines_agree_on_mail_and_folders() {
    for text in corpus("mail").iter().chain(&corpus("cli")) {
        agree_on(text, draw(text));
    }
}

/// Pieces of random texts that a fast path could get wrong.
const PIECES: [&str; 107] = [
    "http://",
    "https://",
    "HTTP://",
    "ftp://",
    "xhttp://",
    "<URL:",
    "<url: ",
    "URL:",
    "<",
    ">",
    "h.dom",
    "a",
    "/b/c",
    "(",
    ")",
    "'",
    "\"",
    ".",
    ",",
    ";",
    " ",
    "\n",
    "\r\n",
    "\t",
    "word ",
    "> ",
    "://",
    ":80",
    "&amp;",
    "&lt;",
    "[::1]",
    "](",
    "*",
    "_",
    "mailto:",
    "news:",
    "mailto:a-b.c@h.dom",
    "news:a.b@c",
    "news:a.b",
    "?subject=a-b",
    "+",
    "<news:a_b@c.d>",
    "<mailto:a@h.dom?",
    "gopher://",
    "telnet://",
    "Telnet://",
    ":8080/",
    "@",
    "é",
    "\u{a0}",
    "を",
    "=",
    "-",
    "%41",
    "\x1b(B",
    "# ",
    "1",
    "\x7f",
    "#",
    "?",
    "/a/path/that/is/longer/than/a/single/look/at/the/bytes/of/a/url?and=a&query=with&gt=more",
    "file:///",
    "foo://",
    "url: ",
    "a.b",
    "www.h.dom",
    "joe@h.dom",
    "x",
    "/",
    "//",
    ":",
    "-\n",
    "[",
    "]",
    "{",
    "}",
    "|",
    "\\",
    "`",
    "?a=1",
    "&b=2",
    "&gt;",
    "%20",
    "%",
    "\n\n",
    "\n> ",
    ">> ",
    "\u{c}",
    "日本",
    "\u{200b}",
    "\u{202e}",
    "ftp.uu.net:/pub",
    "x:",
    "urn:a:1",
    "=3D",
    "=\n",
    "= \n",
    "html",
    "JD> ",
    "ht",
    "tp://",
    "mail",
    "to:",
    "wais://",
    "nntp://",
    "go",
    "pher://",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn engines_agree_on_hostile_texts(
        pieces in vec(select(&PIECES[..]), 0..28),
        bytes in vec((any::<Index>(), any::<u8>()), 0..3),
        drawn in vec(0..COMBINATIONS, 4),
    ) {
        let mut text = pieces.concat().into_bytes();
        for (at, byte) in bytes {
            if !text.is_empty() {
                let at = at.index(text.len());
                text[at] = byte;
            }
        }
        agree_on(&text, drawn);
    }
}
