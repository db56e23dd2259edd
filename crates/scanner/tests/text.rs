//! Tests of every rule with sentences in which the URLs are marked.
//!
//! Every engine runs each case: whole, in chunks of every size, with CRLF line breaks, and quoted
//! one level deeper.

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::ops::ControlFlow;
use urlsift_core::{Profile, Span};
use urlsift_scanner::{Builder, Candidate, Engine, Input, Rejoin, Scanner};

const FILES: [(&str, &str); 14] = [
    ("wrappers", include_str!("../../../corpus/text/wrappers.toml")),
    ("quoted", include_str!("../../../corpus/text/quoted.toml")),
    ("encoded", include_str!("../../../corpus/text/encoded.toml")),
    ("escaped", include_str!("../../../corpus/text/escaped.toml")),
    ("pages", include_str!("../../../corpus/text/pages.toml")),
    ("boundaries", include_str!("../../../corpus/text/boundaries.toml")),
    ("brackets", include_str!("../../../corpus/text/brackets.toml")),
    ("neighbours", include_str!("../../../corpus/text/neighbours.toml")),
    ("symbols", include_str!("../../../corpus/text/symbols.toml")),
    ("terminal", include_str!("../../../corpus/text/terminal.toml")),
    ("schemes", include_str!("../../../corpus/text/schemes.toml")),
    ("near-misses", include_str!("../../../corpus/text/near-misses.toml")),
    ("locators", include_str!("../../../corpus/text/locators.toml")),
    ("none", include_str!("../../../corpus/text/none.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    settings: Settings,
    case: Vec<Case>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    profile: Option<String>,
    rejoin: Option<String>,
    schemes: Vec<String>,
    schemeless: bool,
    locators: bool,
    near_misses: bool,
}

impl Settings {
    fn builder(&self) -> Builder {
        let profile = self.profile.as_deref().map_or(Profile::Web, |p| p.parse().unwrap());
        let rejoin = match self.rejoin.as_deref() {
            Some("off") => Rejoin::Off,
            Some("certain") => Rejoin::Certain,
            None | Some("likely") => Rejoin::Likely,
            Some(other) => panic!("no such level: {other}"),
        };
        let builder = Scanner::builder().profile(profile).rejoin(rejoin);
        let builder = builder
            .schemeless(self.schemeless)
            .locators(self.locators)
            .near_misses(self.near_misses);
        self.schemes.iter().fold(builder, |builder, scheme| builder.scheme(scheme))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The property that the case shows.
    why: String,
    /// The text, with each URL between two marks.
    text: String,
    /// The URLs, if they differ from the text between the marks.
    urls: Option<Vec<String>>,
    form: Option<String>,
    /// The kinds of near misses, one for each URL.
    miss: Option<Vec<String>>,
    /// The mark. Cases whose text contains `|` set another one.
    #[serde(default = "bar")]
    mark: char,
    /// The settings, if they differ from the file's.
    settings: Option<Settings>,
    /// True if a `> ` before every line doesn't change the result.
    #[serde(default = "yes")]
    quotable: bool,
}

const fn bar() -> char {
    '|'
}

const fn yes() -> bool {
    true
}

/// A text without its marks, and the spans between them.
#[derive(Clone, Default)]
struct Marked {
    text: Vec<u8>,
    spans: Vec<Span>,
}

impl Marked {
    fn new(text: &str, mark: char) -> Self {
        let mut pieces = text.split(mark);
        let mut marked = Self { text: pieces.next().unwrap_or_default().into(), spans: Vec::new() };
        while let Some(url) = pieces.next() {
            let start = marked.text.len();
            marked.text.extend_from_slice(url.as_bytes());
            marked.spans.push(Span::new(start, marked.text.len()));
            marked
                .text
                .extend_from_slice(pieces.next().expect("an even number of marks").as_bytes());
        }
        marked
    }

    /// Replaces each LF with `line_break`, inserts `first` at the beginning, and adjusts the spans.
    fn with_breaks(&self, line_break: &[u8], first: &[u8]) -> Self {
        let mut text = first.to_vec();
        let mut moved = vec![0; self.text.len() + 1];
        for (at, byte) in self.text.iter().enumerate() {
            moved[at] = text.len();
            if *byte == b'\n' {
                text.extend_from_slice(line_break);
            } else {
                text.push(*byte);
            }
        }
        moved[self.text.len()] = text.len();
        let spans = self.spans.iter().map(|s| Span::new(moved[s.start], moved[s.end])).collect();
        Self { text, spans }
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (name, text) in FILES {
        let file: File = toml::from_str(text).unwrap_or_else(|e| panic!("{name}.toml: {e}"));
        for case in file.case {
            let settings = case.settings.clone().unwrap_or_else(|| file.settings.clone());
            trials.push(Trial::test(format!("{name}::{}", case.why), move || {
                check(&case, &settings)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The fields of a candidate that are compared.
type Seen = (Span, Vec<u8>, String);

fn check(case: &Case, settings: &Settings) -> Result<(), Failed> {
    for &engine in Engine::all() {
        let scanner = settings.builder().engine(engine).build();
        check_with(case, &scanner).map_err(|e| format!("{engine:?}, {e:?}"))?;
    }
    Ok(())
}

fn check_with(case: &Case, scanner: &Scanner) -> Result<(), Failed> {
    let marked = Marked::new(&case.text, case.mark);
    check_whole(case, scanner, &marked).map_err(|e| format!("whole: {e:?}"))?;
    check_whole(case, scanner, &marked.with_breaks(b"\r\n", b""))
        .map_err(|e| format!("with CRLF: {e:?}"))?;
    if case.quotable {
        check_whole(case, scanner, &marked.with_breaks(b"\n> ", b"> "))
            .map_err(|e| format!("quoted: {e:?}"))?;
    }
    let expected: Vec<Seen> = scanner.find_iter(&marked.text).map(|c| seen(0, &c)).collect();
    for size in 1..=64 {
        let mut found = Vec::new();
        let mut sink = |base: u64, candidate: &Candidate<'_>| {
            found.push(seen(usize::try_from(base).unwrap(), candidate));
            ControlFlow::Continue(())
        };
        let mut stream = scanner.stream();
        for chunk in marked.text.chunks(size) {
            assert!(stream.push(chunk, &mut sink).is_continue());
        }
        assert!(stream.finish(&mut sink).is_continue());
        same(&format!("in chunks of {size}"), &found, &expected)?;
    }
    for cut in 0..=marked.text.len() {
        let within = |range| scanner.find_within(Input::new(&marked.text), range);
        let both = within(0..cut).chain(within(cut..marked.text.len()));
        let found: Vec<Seen> = both.map(|c| seen(0, &c)).collect();
        same(&format!("cut at {cut}"), &found, &expected)?;
    }
    Ok(())
}

fn seen(base: usize, found: &Candidate<'_>) -> Seen {
    let url = found.url().into_owned();
    (found.span().shifted(base), url, format!("{:?} {:?}", found.form(), found.near_miss()))
}

fn check_whole(case: &Case, scanner: &Scanner, marked: &Marked) -> Result<(), Failed> {
    let found: Vec<_> = scanner.find_iter(&marked.text).collect();
    let spans: Vec<_> = found.iter().map(|c| lossy(&marked.text[c.span().range()])).collect();
    let expected: Vec<_> = marked.spans.iter().map(|s| lossy(&marked.text[s.range()])).collect();
    same("marked", &spans, &expected)?;
    same("spans", &found.iter().map(Candidate::span).collect(), &marked.spans)?;
    let urls: Vec<_> = found.iter().map(|c| lossy(&c.url())).collect();
    same("urls", &urls, case.urls.as_ref().unwrap_or(&expected))?;
    for (at, candidate) in found.iter().enumerate() {
        if let Some(form) = &case.form {
            same("form", &candidate.form().name(), &form.as_str())?;
        }
        if let Some(misses) = &case.miss {
            let miss = candidate.near_miss().map(|m| format!("{m:?}"));
            same("miss", &miss.as_ref(), &misses.get(at))?;
        }
        let readings = candidate.readings();
        same("first reading", &readings.first().map(|r| lossy(r)), &Some(urls[at].clone()))?;
    }
    Ok(())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: found {found:?}, expected {expected:?}").into())
}
