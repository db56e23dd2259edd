//! Checks the places of the URLs in `corpus/mail/places.mbox`. The host of each URL starts with its
//! place, e.g. `footer.dom`.

use std::path::Path;
use urlsift_records::{Input, Options, Scan, UrlRecord};

#[test]
fn places_are_those_in_the_hosts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/mail/places.mbox");
    let raw = std::fs::read(path).unwrap();
    let mut records: Vec<UrlRecord> = Vec::new();
    Scan::new(Options::default())
        .read(Input::from_bytes("places.mbox", &raw), &mut records)
        .unwrap();
    let found: Vec<_> = records
        .iter()
        .map(|record| (String::from_utf8_lossy(&record.url).into_owned(), record.place.name()))
        .collect();
    let wrong: Vec<_> = found
        .iter()
        .filter(|(url, place)| !url.starts_with(&format!("http://{place}.dom/")))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let in_text = raw.windows(5).filter(|part| part == b".dom/").count();
    assert_eq!(found.len(), in_text, "{found:#?}");
}
