//! Checks that the short help of `scan` fits on two screens, and that the long help is complete.

use std::process::Command;
use urlsift_records::option_table::{OPTIONS, ValueKind};

fn help(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_urlsift")).args(args).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn short_help_of_scan_fits_on_two_screens() {
    let help = help(&["scan", "-h"]);
    let count = help.lines().count();
    assert!(count <= 48, "{count} lines:\n{help}");
    for line in help.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn long_help_of_scan_has_every_option_and_value() {
    let help = help(&["scan", "--help"]);
    // The command spells the options in the texts of the library its own way.
    let plain = |text: &str| text.replace("`--", "`").replace('_', "-");
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = plain(&words);
    for spec in OPTIONS {
        let flag = format!("--{}", spec.name.replace('_', "-"));
        assert!(words.contains(&flag), "{flag}");
        for paragraph in spec.details.split("\n\n") {
            assert!(words.contains(&plain(paragraph)), "{flag}: {paragraph}");
        }
        let is_named = !matches!(spec.kind, ValueKind::Key);
        for choice in spec.kind.choices().iter().filter(|_| is_named) {
            let line = format!("- {}: {}", choice.name, choice.help);
            assert!(words.contains(&plain(&line)), "{flag}: {line}");
        }
    }
}
