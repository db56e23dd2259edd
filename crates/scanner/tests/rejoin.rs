//! Tests which bare URLs are joined over line breaks, with which grade, and the resulting URLs. The
//! cases are in `corpus/rejoin/breaks.jsonl`, which the example `gold` also measures.

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::sync::Arc;
use urlsift_scanner::{Engine, Grade, Rejoin, Scanner};

const CASES: &str = include_str!("../../../corpus/rejoin/breaks.jsonl");

/// A line that ends with a URL, and the lines around it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    /// The property of real text that the case represents.
    #[serde(rename = "shows")]
    _shows: String,
    context: Vec<String>,
    line_index_in_context: usize,
    continues: bool,
    true_url: String,
    /// The expected grade of the join; `None` if the URL must not be joined.
    grade: Option<String>,
    #[serde(default)]
    alt_ok: Vec<String>,
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for row in CASES.lines() {
        let case: Case = serde_json::from_str(row).expect("the corpus is well-formed");
        let case = Arc::new(case);
        for (name, variant) in VARIANTS {
            let case = Arc::clone(&case);
            let title = format!("{}::{name}", case.id);
            trials.push(Trial::test(title, move || check(&case, variant)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Builds a variant of the text from its lines.
type Variant = fn(&[String]) -> Vec<u8>;
const VARIANTS: [(&str, Variant); 4] = [
    ("plain", |lines| lines.join("\n").into_bytes()),
    ("crlf", |lines| lines.join("\r\n").into_bytes()),
    ("quoted", |lines| ["> ", &lines.join("\n> ")].concat().into_bytes()),
    ("far", |lines| {
        // The lines are further from the start of the text than the evidence window, and not at a
        // round offset. They are so far from the prose that its margin isn't measured.
        let mut text = "All of this is prose.\n".repeat(4001) + &"\n".repeat(99);
        text.push_str(&lines.join("\n"));
        text.into_bytes()
    }),
];

fn check(case: &Case, variant: Variant) -> Result<(), Failed> {
    let text = variant(&case.context);
    let certain = case.grade.as_deref().filter(|grade| *grade == Grade::Certain.name());
    for &engine in Engine::all() {
        let found = |level| found(case, &text, level, engine);
        same(case, "off", &found(Rejoin::Off), None)?;
        same(case, "certain", &found(Rejoin::Certain), certain)?;
        same(case, "likely", &found(Rejoin::Likely), case.grade.as_deref())?;
    }
    Ok(())
}

/// The URL found, with the lowest grade of its joins.
struct Found {
    url: String,
    grade: Option<Grade>,
}

fn found(case: &Case, text: &[u8], level: Rejoin, engine: Engine) -> Found {
    let marker = case.context[case.line_index_in_context].as_bytes();
    let breaks = |at: usize| matches!(text.get(at), Some(b'\n' | b'\r'));
    let mut ends = (marker.len()..text.len()).filter(|&end| breaks(end));
    let end = ends.find(|&end| text[..end].ends_with(marker)).expect("the text contains the line");
    let scanner = Scanner::builder().rejoin(level).engine(engine).build();
    let url = scanner.find_iter(text).filter(|url| url.span().start < end).last();
    url.map_or(Found { url: String::new(), grade: None }, |url| Found {
        url: String::from_utf8_lossy(&url.url()).into_owned(),
        grade: url.seams().iter().map(|seam| seam.grade).min(),
    })
}

fn same(case: &Case, level: &str, found: &Found, grade: Option<&str>) -> Result<(), Failed> {
    let url = found.url.as_str();
    let is_right = url == case.true_url || case.alt_ok.iter().any(|also| also == url);
    let is_whole = grade.is_some() == case.continues;
    if found.grade.map(Grade::name) == grade && (is_right || !is_whole) {
        return Ok(());
    }
    let lines = case.context.join("\n");
    let Found { url, grade: joined } = found;
    Err(format!("{level}: found {url:?}, joined {joined:?}; expected {grade:?}\n{lines}").into())
}
