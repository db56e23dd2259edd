//! The registry's table is the list in `corpus/schemes`, no more and no less.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};
use urlsift_core::Scheme;
use urlsift_core::registry::{self, Rfc1738, Status};

struct Row<'t> {
    name: &'t str,
    status: &'t str,
    slashes: &'t str,
    rfc1738: &'t str,
}

fn read(list: &str) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [name, status, slashes, rfc1738] => Row { name, status, slashes, rfc1738 },
            _ => panic!("not four columns: {line:?}"),
        })
        .collect();
    rows.sort_by_key(|row| (row.name.len(), row.name));
    rows
}

fn table(rows: &[Row<'_>]) -> String {
    let mut text = String::from(
        "// Made from corpus/schemes/registry.tsv by tests/registry.rs; not to be edited.\n\n\
         use super::entry::Rfc1738::{Production, Reserved, Unknown};\n\
         use super::entry::Status::{Historical, Permanent, Provisional, Unregistered};\n\
         use super::entry::{Registered, entry};\n\n#[rustfmt::skip]\n",
    );
    writeln!(text, "pub(super) const LISTED: [Registered; {}] = [", rows.len()).unwrap();
    for row in rows {
        let status = match row.status {
            "permanent" => "Permanent",
            "provisional" => "Provisional",
            "historical" => "Historical",
            "unregistered" => "Unregistered",
            other => panic!("{}: status {other:?}", row.name),
        };
        let rfc1738 = match row.rfc1738 {
            "production" => "Production",
            "reserved" => "Reserved",
            "-" => "Unknown",
            other => panic!("{}: rfc1738 {other:?}", row.name),
        };
        let slashes = row.slashes == "yes";
        assert!(slashes || row.slashes == "no", "{}: slashes {:?}", row.name, row.slashes);
        writeln!(text, "    entry({:?}, {status}, {slashes}, {rfc1738}),", row.name).unwrap();
    }
    text + "];\n"
}

#[test]
fn table_is_made_from_the_list() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = fs::read_to_string(here.join("../../corpus/schemes/registry.tsv")).unwrap();
    let made = table(&read(&list));
    let path = here.join("src/registry/table.rs");
    if env::var_os("URLSIFT_REWRITE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap();
    assert!(there == made, "{} is not what the list makes; see the list's head", path.display());
}

#[test]
fn names_are_schemes_and_found() {
    for entry in registry::all() {
        assert!(entry.name.starts_with(|c: char| c.is_ascii_alphabetic()), "{}", entry.name);
        assert!(
            entry
                .name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"+-.".contains(&b)),
            "{}",
            entry.name
        );
        assert_eq!(registry::known(entry.name.as_bytes()), Some(entry));
        assert_eq!(registry::known(entry.name.to_uppercase().as_bytes()), Some(entry));
    }
    for unknown in [&b""[..], b"x", b"httpx", b"ttp", &[b'a'; 4096]] {
        assert_eq!(registry::known(unknown), None);
    }
}

#[test]
fn rfc_1738_names_agree_with_the_productions() {
    for entry in registry::all() {
        let production = Scheme::by_name(entry.name.as_bytes()).is_rfc1738();
        assert_eq!(production, entry.rfc1738 == Rfc1738::Production, "{}", entry.name);
    }
    let count = |rfc1738| registry::all().iter().filter(|e| e.rfc1738 == rfc1738).count();
    assert_eq!((count(Rfc1738::Production), count(Rfc1738::Reserved)), (10, 7));
    assert_eq!(registry::known(b"wais").unwrap().status, Status::Historical);
}
