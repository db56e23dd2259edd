//! Compares the output of the command with `cmd/*.toml`, whose expected output was reviewed.
//! `TRYCMD=overwrite cargo test -p urlsift --test transcripts` updates it.

/// Cases that list all subcommands of the default features.
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
