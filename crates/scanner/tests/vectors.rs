//! Tests with the requirement vectors. They give the exact matches in a text, valid or not. Each
//! runs on every engine, with `rejoin` off and the profile `rfc1738`.

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use urlsift_core::{Profile, Span};
use urlsift_scanner::{Candidate, Engine, Rejoin, Scanner};

const FILES: [(&str, &str); 2] = [
    ("appendix", include_str!("../../../corpus/text/appendix.toml")),
    ("extraction", include_str!("../../../corpus/text/extraction.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    rule: String,
    decision: Option<String>,
    text: String,
    urls: Vec<Expected>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    url: String,
    form: String,
    start: usize,
    end: usize,
    whole: Option<(usize, usize)>,
    quote_depth: Option<u32>,
    fragment: Option<String>,
    #[serde(default)]
    others: Vec<String>,
}

fn main() {
    let arguments = Arguments::from_args();
    let trials = FILES
        .into_iter()
        .flat_map(|(name, text)| {
            let file: File = toml::from_str(text).expect("the corpus is well-formed");
            file.case.into_iter().map(move |case| {
                let title = format!("{name}::{}::{}", case.rule, case.id);
                Trial::test(title, move || check(&case))
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(case: &Case) -> Result<(), Failed> {
    Engine::all().iter().try_for_each(|&engine| check_by(engine, case))
}

fn check_by(engine: Engine, case: &Case) -> Result<(), Failed> {
    let builder = Scanner::builder().profile(Profile::Rfc1738).rejoin(Rejoin::Off);
    let scanner = builder.engine(engine).build();
    let text = case.text.as_bytes();
    let found: Vec<_> = scanner.find_iter(text).collect();
    let urls: Vec<_> = found.iter().map(|c| lossy(&c.url())).collect();
    let expected: Vec<_> = case.urls.iter().map(|e| e.url.clone()).collect();
    let decision = case.decision.as_deref().unwrap_or("none");
    same(&format!("urls (decision {decision})"), urls, expected)?;
    for (candidate, expected) in found.iter().zip(&case.urls) {
        check_one(text, candidate, expected)?;
    }
    Ok(())
}

fn check_one(text: &[u8], found: &Candidate<'_>, expected: &Expected) -> Result<(), Failed> {
    same("form", found.form().name(), expected.form.as_str())?;
    same("span", found.span(), Span::new(expected.start, expected.end))?;
    let readings: Vec<_> = found.readings().iter().map(|r| lossy(r)).collect();
    same("first reading", readings.first(), Some(&expected.url))?;
    same("other readings", readings.get(1..), Some(&expected.others[..]))?;
    if let Some((start, end)) = expected.whole {
        same("whole", found.span_with_wrapper(), Span::new(start, end))?;
    }
    if let Some(depth) = expected.quote_depth {
        same("quote depth", found.quote_depth(), depth)?;
    }
    let url = found.url();
    if let Some(fragment) = &expected.fragment {
        let at = url.iter().position(|&b| b == b'#').ok_or("no fragment")?;
        same("fragment", lossy(&url[at + 1..]), fragment.clone())?;
    }
    let map = found.span_map();
    for at in 0..url.len() {
        let source = map.to_source(Span::new(at, at + 1));
        same("mapped byte", &text[source.range()], &url[at..=at])?;
    }
    same("mapped whole", map.to_source(Span::new(0, url.len())), found.span())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[allow(clippy::needless_pass_by_value)] // so that calls read plainly
fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: found {found:?}, expected {expected:?}").into())
}
