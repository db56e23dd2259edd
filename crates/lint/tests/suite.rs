//! Runs the cases of `corpus/lint/*.toml`; `corpus/lint/README.md` describes their format.

use serde::Deserialize;
use std::path::Path;
use urlsift_core::Profile;
use urlsift_lint::{Applicability, Config, Dialect, Linter, Selector, apply};

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    text: String,
    #[serde(default)]
    dialect: Option<String>,
    #[serde(default)]
    profile: Option<String>,
    #[serde(default)]
    select: Vec<String>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    verbatim: bool,
    expect: Vec<String>,
    fixed: Option<String>,
    mended: Option<String>,
}

impl Case {
    fn run(&self) -> Result<(), String> {
        let dialect = self.dialect.as_deref().unwrap_or("plain").parse::<Dialect>().unwrap();
        let profile = self.profile.as_deref().unwrap_or("web").parse::<Profile>().unwrap();
        let extend_select = self.select.iter().map(|name| Selector::new(name).unwrap()).collect();
        let mut config = Config::new(profile);
        config.extend_select = extend_select;
        (config.strict, config.verbatim) = (self.strict, self.verbatim);
        let linter = Linter::new(config);
        let lint = |text: &[u8]| linter.lint(text, dialect).diagnostics;
        let text = self.text.as_bytes();
        let found: Vec<String> = lint(text)
            .iter()
            .map(|d| format!("{}: {}", d.code, &self.text[d.span.range()].replace('\n', "\\n")))
            .collect();
        if found != self.expect {
            return Err(format!("found {found:?}"));
        }
        let fixed = apply::apply_until_stable(text, Applicability::Safe, lint);
        let mended = apply::apply_until_stable(text, Applicability::Unsafe, lint);
        if !fixed.settled || !mended.settled {
            return Err("the fixes reach no fixpoint".to_owned());
        }
        let fixed = String::from_utf8(fixed.text).unwrap();
        let mended = String::from_utf8(mended.text).unwrap();
        let want = self.fixed.as_ref().unwrap_or(&self.text);
        if fixed != *want {
            return Err(format!("fixed: {fixed:?}"));
        }
        let want = self.mended.as_ref().or(self.fixed.as_ref());
        if want.is_some_and(|want| mended != *want) {
            return Err(format!("mended: {mended:?}"));
        }
        Ok(())
    }
}

#[test]
fn cases_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/lint");
    let mut failed = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let file: File = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for case in &file.case {
            count += 1;
            if let Err(error) = case.run() {
                failed.push(format!("{}: {}\n  {error}", path.display(), case.name));
            }
        }
    }
    assert!(count > 40, "only {count} cases");
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}
