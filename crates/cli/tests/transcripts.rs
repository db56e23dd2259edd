//! What the command prints, case by case: see `cmd/*.toml`, whose answers were read by a person.
//! `TRYCMD=overwrite cargo test -p urlsift --test transcripts` writes them anew.

/// Cases that name all subcommands there are by default.
const OF_DEFAULT_FEATURES: [&str; 2] =
    ["tests/cmd/man-bad-name.toml", "tests/cmd/man-explain.toml"];

#[test]
fn transcripts() {
    let cases = trycmd::TestCases::new();
    cases.case("tests/cmd/*.toml");
    if cfg!(feature = "pick") || !cfg!(feature = "server") {
        for case in OF_DEFAULT_FEATURES {
            cases.skip(case);
        }
    }
}
