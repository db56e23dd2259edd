//! What the command prints, case by case: see `cmd/*.toml`, whose answers were read by a person.
//! `TRYCMD=overwrite cargo test -p urlsift --test transcripts` writes them anew.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cmd/*.toml");
}
