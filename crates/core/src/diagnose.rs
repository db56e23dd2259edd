//! Everything there is to say about a text as a URL.

use crate::{Level, Profile, Report, Violation, parse, parse_reference};

/// Says everything there is to say about `text` as a URL reference: every violation and finding,
/// sorted by start. No violation is reported exactly when [`parse_reference`] succeeds.
pub fn diagnose(text: &[u8], profile: Profile, mut found: impl FnMut(Report)) {
    if let Err(violation) = parse_reference(text, profile) {
        found(error(violation));
    }
}

/// As [`diagnose()`] for a URL: a fragment is no part of it unless its scheme has one. No violation
/// is reported exactly when [`parse()`] succeeds.
pub fn diagnose_url(text: &[u8], profile: Profile, mut found: impl FnMut(Report)) {
    if let Err(violation) = parse(text, profile) {
        found(error(violation));
    }
}

fn error(violation: Violation) -> Report {
    Report { code: violation.code, level: Level::Error, span: violation.span }
}
