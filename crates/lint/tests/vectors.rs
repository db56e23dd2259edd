//! Checks that lint reports every code that the requirement vectors expect of the core crate.

use serde::Deserialize;
use std::path::Path;
use urlsift_core::Profile;
use urlsift_lint::{Config, Linter, Selector};

#[derive(Deserialize)]
struct File {
    vector: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    url: String,
    #[serde(default)]
    profile: Option<String>,
    error: Option<Error>,
    #[serde(default)]
    findings: Vec<String>,
    #[serde(default)]
    no_findings: Vec<String>,
}

#[derive(Deserialize)]
struct Error {
    code: String,
}

#[test]
fn every_code_of_the_vectors_is_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/vectors");
    let linters = Profile::ALL.map(|profile| {
        let mut config = Config::new(profile);
        config.select = vec![Selector::new("all").unwrap()];
        config.strict = true;
        (profile, Linter::new(config))
    });
    let (mut wrong, mut count) = (Vec::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let file: File = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for vector in &file.vector {
            let profile: Profile = vector.profile.as_deref().unwrap_or("rfc1738").parse().unwrap();
            let linter = &linters.iter().find(|(known, _)| *known == profile).unwrap().1;
            let found = linter.lint_url(vector.url.as_bytes()).diagnostics;
            let has = |code: &str| found.iter().any(|diagnostic| diagnostic.code == code);
            count += 1;
            // Lint parses references, which may have a fragment, unlike strict URLs.
            let judged = |error: &&Error| error.code != "syntax" && !vector.url.contains('#');
            let error = vector.error.as_ref().filter(judged).map(|error| &error.code);
            let missing = vector.findings.iter().chain(error).filter(|code| !has(code));
            let excess = vector.no_findings.iter().filter(|code| has(code));
            let (missing, excess): (Vec<_>, Vec<_>) = (missing.collect(), excess.collect());
            if !missing.is_empty() || !excess.is_empty() {
                wrong.push(format!(
                    "{} {:?}: lacks {missing:?}, has {excess:?}",
                    vector.id, vector.url
                ));
            }
        }
    }
    assert!(count > 1000, "only {count} vectors");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
