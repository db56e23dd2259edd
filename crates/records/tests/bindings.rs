//! Compares the matches of texts with those in `corpus/bindings/find.json`. The tests of the Python,
//! JavaScript, C and tantivy libraries read the same file, so that all find the same.
//!
//! `URLSIFT_UPDATE=1 cargo test -p urlsift-records --test bindings` copies the cases to the test of
//! the C library.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use urlsift_records::{Input, Options, Scan};
use urlsift_scanner::Form;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    why: String,
    text: String,
    #[serde(default)]
    options: BTreeMap<String, String>,
    matches: Vec<Match>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Match {
    url: String,
    bytes: [usize; 2],
    characters: [usize; 2],
    utf16: [usize; 2],
    form: String,
    valid: bool,
    normalized: String,
    href: String,
    scheme: String,
    host: Option<String>,
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn cases() -> Vec<Case> {
    let json = std::fs::read(path("corpus/bindings/find.json")).unwrap();
    serde_json::from_slice(&json).unwrap()
}

impl Case {
    fn scan(&self) -> Scan {
        let mut options = Options::default();
        for (name, value) in &self.options {
            options.set_for_text(name, value).unwrap();
        }
        options.set("input", "text").unwrap();
        Scan::new(options)
    }

    fn masks(&self) -> bool {
        self.options.keys().any(|name| name.starts_with("mask_"))
    }
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the matches that the scanner finds and the options select.
fn found_by_scanner(case: &Case) -> Vec<Match> {
    let scan = case.scan();
    let (options, text) = (scan.options(), case.text.as_str());
    let mut matches = Vec::new();
    for found in scan.scanner().find_str(text) {
        let Some(valid) = options.validity_if_selected(&found) else { continue };
        let (start, end) = (found.span().start, found.span().end);
        matches.push(Match {
            url: string(&found.url()),
            bytes: [start, end],
            characters: [start, end].map(|at| text[..at].chars().count()),
            utf16: [start, end].map(|at| text[..at].encode_utf16().count()),
            form: found.form().name().to_owned(),
            valid,
            normalized: string(&found.normalized(options.profile)),
            href: string(&found.href()),
            scheme: found.scheme(),
            host: found.host(options.profile).map(|host| string(&host)),
        });
    }
    matches
}

#[test]
fn the_scanner_finds_the_matches() {
    for case in cases().iter().filter(|case| !case.masks()) {
        assert_eq!(found_by_scanner(case), case.matches, "{}", case.why);
    }
}

#[test]
fn records_are_the_matches() {
    for case in cases() {
        let mut records = Vec::new();
        let text = case.text.as_bytes();
        case.scan().read(Input::from_bytes("a.txt", text), &mut records).unwrap();
        let records = records.iter().map(|record| {
            let url = string(&record.url);
            let normalized = record.normalized.as_deref().map_or(url.clone(), string);
            let bytes = [record.span.start, record.span.end].map(|at| usize::try_from(at).unwrap());
            (url, bytes, record.form.name().to_owned(), record.is_valid(), normalized)
        });
        let expected = case
            .matches
            .iter()
            .map(|it| (it.url.clone(), it.bytes, it.form.clone(), it.valid, it.normalized.clone()));
        assert!(records.eq(expected), "{}", case.why);
    }
}

#[test]
fn there_are_cases_for_everything() {
    let cases = cases();
    assert!(cases.len() >= 36, "a case is missing");
    let forms = Form::ALL.iter().filter(|form| {
        let is_of_files = [Form::Attribute, Form::Relative, Form::NearMiss].contains(form);
        !is_of_files
    });
    for form in forms {
        let mut matches = cases.iter().flat_map(|case| &case.matches);
        assert!(matches.any(|it| it.form == form.name()), "{}", form.name());
    }
    for spec in urlsift_records::option_table::OPTIONS {
        let is_used = cases.iter().any(|case| case.options.contains_key(spec.name));
        assert_eq!(
            is_used,
            spec.scope == urlsift_records::option_table::Scope::Text,
            "{}",
            spec.name
        );
    }
}

/// The test of the C library can't read JSON. It includes the cases as C code.
#[test]
fn cases_of_c_are_those_of_the_corpus() {
    let octal =
        |text: &str| -> String { text.bytes().map(|byte| format!("\\{byte:03o}")).collect() };
    let mut out = String::from(
        "// Written by URLSIFT_UPDATE=1 cargo test -p urlsift-records --test bindings\n",
    );
    for case in cases() {
        let mut options: Vec<_> =
            case.options.iter().flat_map(|(name, value)| [&**name, value]).collect();
        assert!(options.len() <= 4, "the array in test.c has room for two options");
        options.resize(4, "");
        let profile = case.options.get("profile").map_or("web", |name| name);
        let mut expected = String::new();
        for it in &case.matches {
            let has_scheme = it.form.parse().is_ok_and(Form::claims_scheme);
            let scheme = if has_scheme { &it.scheme } else { "-" };
            let [start, end] = it.bytes;
            let valid = u8::from(it.valid);
            let Match { url, form, normalized, .. } = it;
            let _ = writeln!(expected, "{url} {start} {end} {form} {valid} {normalized} {scheme}");
        }
        let _ = writeln!(
            out,
            "{{\"{}\", {{\"{}\"}}, \"{profile}\", \"{}\", {}, \"{}\"}},",
            octal(&case.why),
            options.join("\", \""),
            octal(&case.text),
            case.text.len(),
            octal(&expected)
        );
    }
    let file = path("crates/capi/tests/matches.inc");
    if std::env::var_os("URLSIFT_UPDATE").is_some() {
        std::fs::write(&file, &out).unwrap();
    }
    assert!(
        std::fs::read_to_string(&file).unwrap_or_default() == out,
        "{} is out of date: run the test with URLSIFT_UPDATE=1",
        file.display()
    );
}
