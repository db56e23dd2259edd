//! Checks that results on the generated data don't change unnoticed.

use std::collections::BTreeMap;
use urlsift_benches::golden::{Digest, digests};

/// If a change finds more or other URLs on purpose, regenerate the file with
/// `cargo run -p urlsift-benches -- golden > benches/golden.toml`. Give the reason in the commit
/// message.
#[test]
fn results_match_golden_file() {
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
