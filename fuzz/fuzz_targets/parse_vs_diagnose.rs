//! Checks that a violation is reported if and only if parsing fails, and that the first violation
//! reported is the error of parsing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlsift_core::{Level, Profile, diagnose, normalize, parse, parse_reference};

fuzz_target!(|text: &[u8]| {
    for profile in Profile::ALL {
        let mut reports = Vec::new();
        diagnose(text, profile, |report| {
            assert!(
                report.span.start <= report.span.end && report.span.end <= text.len(),
                "{report:?}"
            );
            reports.push(report);
        });
        assert!(reports.is_sorted_by_key(|report| report.span.start), "{reports:?}");
        let first = reports.iter().find(|report| report.level == Level::Error);
        match parse_reference(text, profile) {
            Ok(url) => {
                assert!(first.is_none(), "{profile}: valid, but {first:?}");
                // A normalized URL is still a URL, and normalizing it again changes nothing.
                let normal = normalize(&url).into_owned();
                let again = parse_reference(&normal, profile).expect("a normal form is valid");
                assert_eq!(normalize(&again), normal, "{profile}");
            }
            Err(violation) => {
                let first = first.expect("an invalid URL has a violation");
                assert_eq!(first.code, violation.code, "{profile}");
            }
        }
        // A URL is also a URL reference, without a fragment.
        if parse(text, profile).is_ok() {
            assert!(parse_reference(text, profile).is_ok(), "{profile}");
        }
    }
});
