//! Checks that `RULES.md` is up to date. `URLSIFT_UPDATE=1 cargo test` rewrites it.

use std::path::Path;

#[test]
fn page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("RULES.md");
    let page = urlsift_lint::explain_all();
    if std::env::var_os("URLSIFT_UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "RULES.md is out of date: run the tests with URLSIFT_UPDATE=1");
}
