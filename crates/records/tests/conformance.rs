//! Runs the conformance suite: once through scans, as the command does, and once with each engine
//! of the scanner, as the bindings do for texts. Cases that are known to fail are listed with
//! reasons in `conformance/scan.txt`, and the tests fail if a listed case passes.

use std::cell::LazyCell;
use urlsift_conformance::{Case, Found, Suite};
use urlsift_records::{Input, Options, Scan, UrlRecord};
use urlsift_scanner::{Engine, Scanner};

/// The schemes that count on level 5, which the adapters of the suite also use.
const SCHEMES: &str = include_str!("../../../conformance/adapters/schemes.json");

/// The cases that are known to fail, which scans and searches of texts have in common.
const KNOWN_FAILURES: &str = include_str!("conformance/scan.txt");

/// Returns the options that the adapters of the suite use.
fn options(has_any_scheme: bool) -> Options {
    let mut options = Options::default();
    options.set("headers", "all").unwrap();
    if has_any_scheme {
        let groups: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(SCHEMES).unwrap();
        let names = groups.values().flat_map(|group| group.as_array().unwrap());
        let names: Vec<_> = names.map(|name| name.as_str().unwrap()).collect();
        options.set("scheme", &names.join(",")).unwrap();
    }
    options
}

/// Scans a case as a file.
fn scan(scan: &Scan, case: &Case) -> Vec<Found> {
    let name = if case.is_message() { "message.eml" } else { "text.txt" };
    let mut records: Vec<UrlRecord<'_>> = Vec::new();
    scan.read(Input::from_bytes(name, &case.input), &mut records).unwrap();
    let found = |record: &UrlRecord<'_>| {
        let [start, end] = [record.span.start, record.span.end].map(|at| at.try_into().unwrap());
        Found::new(start..end, String::from_utf8_lossy(&record.url))
    };
    records.iter().map(found).collect()
}

/// Finds the URLs of a case as those of a text.
fn find(options: &Options, scanner: &Scanner, case: &Case) -> Vec<Found> {
    let valid = scanner
        .find_iter(&case.input)
        .filter(|found| options.validity_if_selected(found).is_some());
    valid
        .map(|found| Found::new(found.span().range(), String::from_utf8_lossy(&found.url())))
        .collect()
}

#[test]
fn scans_find_the_urls_of_all_levels() {
    let [common, any] = [false, true].map(|any| LazyCell::new(move || Scan::new(options(any))));
    let suite = Suite::new().known_failures(KNOWN_FAILURES);
    suite.check(|case| scan(if case.has_any_scheme() { &any } else { &common }, case));
}

#[test]
fn all_engines_find_the_urls_of_texts() {
    let suite = Suite::new().levels([1, 2, 3, 4, 5, 7]).known_failures(KNOWN_FAILURES);
    let options = [options(false), options(true)];
    for &engine in Engine::all() {
        let scanners = options.each_ref().map(|options| {
            let builder =
                Scanner::builder().engine(engine).profile(options.profile).rejoin(options.rejoin);
            options.schemes.iter().fold(builder, |builder, name| builder.scheme(name)).build()
        });
        suite.check(|case| {
            let which = usize::from(case.has_any_scheme());
            find(&options[which], &scanners[which], case)
        });
    }
}
