//! Checks that every option has an effect. For each option, `corpus/options.json` contains a text
//! whose records differ with the option. The tests of the Python, JavaScript and C libraries read
//! the same file.

use data_encoding::BASE64;
use std::collections::BTreeMap;
use urlsift_records::option_table::{OPTIONS, Scope, find_option};
use urlsift_records::{Input, Options, Scan};

#[derive(serde::Deserialize)]
struct Case {
    option: String,
    value: String,
    /// The options that are set in both scans.
    #[serde(default)]
    base: BTreeMap<String, String>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    text: String,
    base64: Option<String>,
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        let packed = self.base64.as_ref().map(|text| BASE64.decode(text.as_bytes()).unwrap());
        packed.unwrap_or_else(|| self.text.clone().into_bytes())
    }

    fn options(&self) -> [Options; 2] {
        let mut base = Options::default();
        for (name, value) in &self.base {
            base.set(name, value).unwrap();
        }
        let mut with = base.clone();
        with.set(&self.option, &self.value).unwrap();
        [base, with]
    }
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/options.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn records(bytes: &[u8], name: &str, options: Options) -> String {
    let mut found = Vec::new();
    let scanned = Scan::new(options).read(Input::from_bytes(name, bytes), &mut found);
    let mut out = Vec::new();
    for record in &found {
        record.write_json(&mut out);
    }
    format!("{} {:?}", String::from_utf8(out).unwrap(), scanned.err())
}

#[test]
fn every_option_has_a_case() {
    let cases = cases();
    for spec in OPTIONS {
        assert!(cases.iter().any(|case| case.option == spec.name), "{}", spec.name);
    }
}

#[test]
fn every_option_changes_the_records() {
    let is_read = |case: &Case| cfg!(feature = "unpack") || !case.option.starts_with("max_");
    for case in cases().into_iter().filter(is_read) {
        let [base, with] =
            case.options().map(|options| records(&case.bytes(), &case.name, options));
        assert_ne!(base, with, "{}={}", case.option, case.value);
    }
}

#[test]
fn options_are_refused_where_they_have_no_effect() {
    for case in cases() {
        let scope = find_option(&case.option).unwrap().scope;
        let done = Options::default().set_for_text(&case.option, &case.value);
        let is_of_text = scope == Scope::Text && case.value != "relative";
        assert_eq!(done.is_ok(), is_of_text, "{}={}", case.option, case.value);
    }
}

#[test]
fn a_wrong_value_changes_nothing() {
    for spec in OPTIONS {
        let mut options = Options::default();
        if options.set(spec.name, "no such value").is_err() {
            assert_eq!(
                format!("{options:?}"),
                format!("{:?}", Options::default()),
                "{}",
                spec.name
            );
        }
    }
}
