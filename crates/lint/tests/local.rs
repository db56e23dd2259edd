//! Checks relative links in the trees of `corpus/lint/links/local.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use urlsift_archive::Reading;
use urlsift_lint::{Judge, Settings, Tree};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tree: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    slug: String,
    found: Vec<String>,
    files: BTreeMap<String, String>,
}

#[test]
fn links_to_missing_targets_are_reported() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/lint/links/local.toml");
    let file: File = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.tree.len() > 10);
    let wrong: Vec<String> = file.tree.iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns what is wrong with the diagnostics of a tree.
fn check(case: &Case) -> Option<String> {
    let root = Path::new("/tree");
    let mut tree = Tree::new(root.into(), case.slug.parse().unwrap());
    for (path, text) in &case.files {
        let path = Path::new(path);
        for directory in path.ancestors().skip(1).filter(|it| *it != Path::new("")) {
            tree.add_directory(directory, false);
        }
        tree.add_file(path, Tree::needs_content(path).then_some(text.as_bytes()));
    }
    for program in tree.programs() {
        tree.add_program(&program, case.files[program.to_str().unwrap()].as_bytes());
    }
    let judge = Judge::new(Settings::default(), None).with_trees([tree].into());
    let mut found = Vec::new();
    for (path, text) in &case.files {
        judge.lint_parts(&root.join(path), text.as_bytes(), Reading::Auto, &mut |part| {
            let local = part.diagnostics.iter().filter(|d| d.code.starts_with("link.missing-"));
            found.extend(local.map(|d| format!("{path}: {}", &text[d.span.range()])));
        });
    }
    let mut expected = case.found.clone();
    expected.sort();
    found.sort();
    (found != expected).then(|| format!("{}: found {found:?}", case.name))
}
