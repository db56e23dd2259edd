//! What is found in the generated data does not change unnoticed.

use std::collections::BTreeMap;
use urlsift_benches::golden::{Digest, digests};

/// A change that finds more or other URLs on purpose renews the file, and says in its message why:
/// `cargo run -p urlsift-benches -- golden > benches/golden.toml`.
#[test]
fn finds_are_those_on_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden.toml");
    let kept: BTreeMap<String, Digest> =
        toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let now = digests();
    let differ: Vec<_> = now
        .iter()
        .filter(|(name, digest)| kept.get(*name) != Some(digest))
        .map(|(name, digest)| (name, kept.get(name), digest))
        .collect();
    assert!(differ.is_empty(), "{differ:#?}");
    assert_eq!(now.len(), kept.len());
}
