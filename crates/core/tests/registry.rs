//! Tests that the registry's table equals the list in `schemes.tsv`.

use std::fs;
use std::path::Path;
use urlsift_core::Scheme;
use urlsift_core::registry::{self, Rfc1738, Status};

/// Compares the table with a second, independent parse of the list.
#[test]
fn table_equals_the_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/registry/schemes.tsv");
    let list = fs::read_to_string(path).unwrap();
    let rows: Vec<[&str; 4]> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap())
        .collect();
    assert!(rows.is_sorted_by_key(|[name, ..]| (name.len(), *name)));
    assert_eq!(rows.len(), registry::all_entries().len());
    for (row, entry) in rows.into_iter().zip(registry::all_entries()) {
        let status = entry.status.name();
        let slashes = if entry.slashes { "yes" } else { "no" };
        let rfc1738 = if entry.rfc1738 == Rfc1738::Unknown { "-" } else { entry.rfc1738.name() };
        assert_eq!(row, [entry.name, status, slashes, rfc1738]);
    }
}

#[test]
fn names_are_schemes_and_found() {
    for entry in registry::all_entries() {
        assert!(entry.name.starts_with(|c: char| c.is_ascii_alphabetic()), "{}", entry.name);
        assert!(
            entry
                .name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"+-.".contains(&b)),
            "{}",
            entry.name
        );
        assert_eq!(registry::find_entry(entry.name.as_bytes()), Some(entry));
        assert_eq!(registry::find_entry(entry.name.to_uppercase().as_bytes()), Some(entry));
    }
    for unknown in [&b""[..], b"x", b"httpx", b"ttp", &[b'a'; 4096]] {
        assert_eq!(registry::find_entry(unknown), None);
    }
}

#[test]
fn rfc_1738_names_agree_with_the_productions() {
    for entry in registry::all_entries() {
        let production = Scheme::by_name(entry.name.as_bytes()).is_rfc1738();
        assert_eq!(production, entry.rfc1738 == Rfc1738::Production, "{}", entry.name);
    }
    let count = |rfc1738| registry::all_entries().iter().filter(|e| e.rfc1738 == rfc1738).count();
    assert_eq!((count(Rfc1738::Production), count(Rfc1738::Reserved)), (10, 7));
    assert_eq!(registry::find_entry(b"wais").unwrap().status, Status::Historical);
}
