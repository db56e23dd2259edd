//! Checks that linting doesn't panic, that spans are within the text, and that repeating safe fixes
//! ends.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlsift_core::Profile;
use urlsift_lint::{Applicability, Config, Dialect, Linter, Markup, apply};

fuzz_target!(|text: &[u8]| {
    for profile in [Profile::Rfc1738, Profile::Web] {
        let linter = Linter::new(Config::new(profile));
        for dialect in [
            Dialect::Text(Markup::Plain),
            Dialect::Text(Markup::Markdown),
            Dialect::Text(Markup::Html),
        ] {
            let lint = |text: &[u8]| linter.lint(text, dialect).diagnostics;
            for diagnostic in lint(text) {
                assert!(diagnostic.span.end <= text.len(), "{diagnostic:?}");
            }
            let fixed = apply::apply_until_stable(text, Applicability::Safe, lint);
            // A second run of fixes changes nothing.
            let again = apply::apply_until_stable(&fixed.text, Applicability::Safe, lint);
            assert_eq!(again.text, fixed.text);
        }
    }
});
