//! Compares heading IDs with those of the generators, from `corpus/lint/links/slugs.toml`.

use serde::Deserialize;
use std::path::Path;
use urlsift_lint::Slug;

#[derive(Deserialize)]
struct File {
    heading: Vec<Heading>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Heading {
    source: String,
    text: Option<String>,
    github: String,
    mdbook: String,
    hugo: String,
    sphinx: Option<String>,
}

#[test]
fn ids_are_those_of_the_generators() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/lint/links/slugs.toml");
    let file: File = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.heading.len() > 20);
    for heading in &file.heading {
        let text = heading.text.as_ref().unwrap_or(&heading.source);
        let id = |slug: Slug| slug.id(text, &heading.source);
        assert_eq!(id(Slug::GitHub).as_ref(), Some(&heading.github), "{text}");
        assert_eq!(id(Slug::Mdbook).as_ref(), Some(&heading.mdbook), "{text}");
        assert_eq!(id(Slug::Hugo).as_ref(), Some(&heading.hugo), "{text}");
        assert_eq!(id(Slug::Sphinx), heading.sphinx, "{text}");
    }
}
