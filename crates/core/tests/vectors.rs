//! Runs every vector of `corpus/vectors`, as its README describes them.

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, process::ExitCode};
use urlsift_core::{
    Fields, Profile, Report, Value, diagnose, diagnose_url, parse, parse_reference,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    vector: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    id: String,
    requirement: String,
    decision: Option<String>,
    #[serde(default = "rfc1738")]
    profile: String,
    #[serde(default)]
    reference: bool,
    url: String,
    scheme: Option<String>,
    error: Option<Wrong>,
    #[serde(default)]
    components: BTreeMap<String, toml::Value>,
    #[serde(default)]
    absent: Vec<String>,
    #[serde(default)]
    semantics: BTreeMap<String, toml::Value>,
    #[serde(default)]
    findings: Vec<String>,
    #[serde(default)]
    no_findings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrong {
    code: String,
    from: usize,
    at: usize,
}

fn rfc1738() -> String {
    "rfc1738".to_owned()
}

/// Runs one test per file, because a thousand tests would flood the suite's output.
fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/vectors");
    let mut trials = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of vectors") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a readable file");
        let file: File =
            toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(!file.vector.is_empty(), "{} holds no vector", path.display());
        let name = format!("{} ({})", path.file_stem().unwrap().display(), file.vector.len());
        trials.push(Trial::test(name, move || check_all(&file.vector)));
    }
    assert!(trials.len() >= 20, "only {} files of vectors", trials.len());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn check_all(vectors: &[Vector]) -> Result<(), Failed> {
    let faults: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            let what = check(vector).err()?;
            let decision = vector.decision.as_deref().unwrap_or_default();
            Some(format!(
                "{} ({} {decision}) {:?}: {what}",
                vector.id, vector.requirement, vector.url
            ))
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

fn check(vector: &Vector) -> Result<(), String> {
    let profile: Profile = vector.profile.parse().map_err(|e| format!("{e}"))?;
    let text = vector.url.as_bytes();
    let mut reports: Vec<Report> = Vec::new();
    let verdict = if vector.reference {
        diagnose(text, profile, |report| reports.push(report));
        parse_reference(text, profile)
    } else {
        diagnose_url(text, profile, |report| reports.push(report));
        parse(text, profile)
    };
    let first = reports.iter().find(|report| report.is_violation());
    match (&verdict, first) {
        (Ok(_), None) => {}
        (Err(v), Some(r)) if v.code == r.code && v.span == r.span => {}
        _ => return Err(format!("diagnose says {first:?}, parse says {verdict:?}")),
    }
    match (&verdict, &vector.error) {
        (Err(found), Some(wrong)) => {
            if wrong.code != "syntax" && wrong.code != found.code.name() {
                return Err(format!("{} instead of {}", found.code, wrong.code));
            }
            if !(wrong.from..=wrong.at).contains(&found.span.start) {
                return Err(format!(
                    "at {} instead of {}..={}",
                    found.span.start, wrong.from, wrong.at
                ));
            }
            if found.span.is_empty() && found.span.start < text.len() {
                return Err(format!("{} has an empty span", found.code));
            }
            return Ok(());
        }
        (Err(found), None) => return Err(format!("should be valid: {found:?}")),
        (Ok(_), Some(wrong)) => return Err(format!("should be invalid: {}", wrong.code)),
        (Ok(_), None) => {}
    }
    let url = verdict.map_err(|e| e.to_string())?;
    if vector.scheme.as_deref().is_some_and(|scheme| scheme != url.scheme()) {
        return Err(format!("scheme {}", url.scheme()));
    }
    if profile != Profile::Cern1994 {
        compare(&url.components().ok_or("no components")?, &vector.components, &vector.absent)?;
        compare(&url.semantics().ok_or("no semantics")?, &vector.semantics, &[])?;
    }
    for code in &vector.findings {
        if !reports.iter().any(|report| report.code.name() == code) {
            return Err(format!("no finding {code}"));
        }
    }
    for code in &vector.no_findings {
        if reports.iter().any(|report| report.code.name() == code) {
            return Err(format!("unwanted finding {code}"));
        }
    }
    Ok(())
}

fn compare(
    fields: &Fields<'_>,
    expected: &BTreeMap<String, toml::Value>,
    absent: &[String],
) -> Result<(), String> {
    let find = |name: &str| {
        let mut values = fields.iter().filter(|(n, _)| *n == name).map(|(_, value)| value);
        let value = values.next().ok_or(format!("no {name}"))?;
        if values.next().is_some() { Err(format!("{name} twice")) } else { Ok(value) }
    };
    for (name, expected) in expected {
        let found = find(name)?;
        if !same(found, expected) {
            return Err(format!("{name} is {found:?} instead of {expected}"));
        }
    }
    for name in absent {
        let found = find(name)?;
        if *found != Value::Null {
            return Err(format!("{name} is {found:?} instead of absent"));
        }
    }
    Ok(())
}

fn same(found: &Value<'_>, expected: &toml::Value) -> bool {
    match (found, expected) {
        (Value::Bool(found), toml::Value::Boolean(expected)) => found == expected,
        (Value::Number(found), toml::Value::Integer(expected)) => {
            i64::try_from(*found) == Ok(*expected)
        }
        (Value::Bytes(found), toml::Value::String(expected)) => **found == *expected.as_bytes(),
        (Value::Text(found), toml::Value::String(expected)) => found == expected,
        (Value::List(found), toml::Value::Array(expected)) => {
            found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| same(f, e))
        }
        _ => false,
    }
}
