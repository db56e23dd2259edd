//! Compares the output of the command with the expected output in `cmd/*.toml`, which was reviewed.
//! `TRYCMD=overwrite cargo test -p urlsift --test transcripts` updates it.

/// The transcripts that list all subcommands, which are right only with the default features.
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
