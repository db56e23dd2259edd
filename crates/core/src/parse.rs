//! The entry points.

use crate::{Code, Profile, Report, Span, Url, Violation};
use alloc::borrow::Cow;

/// Judges `text` as a URL without a fragment.
///
/// # Errors
///
/// The first [`Violation`] by offset.
pub fn parse(text: &[u8], profile: Profile) -> Result<Url<'_>, Violation> {
    if text.contains(&b':') {
        Ok(Url { text, profile })
    } else {
        Err(Violation { code: Code::SchemeMissing, span: Span::new(text.len(), text.len()) })
    }
}

/// As [`parse`], but `#fragment` may follow the URL in every scheme.
///
/// # Errors
///
/// The first [`Violation`] by offset.
pub fn parse_reference(text: &[u8], profile: Profile) -> Result<Url<'_>, Violation> {
    parse(text, profile)
}

/// Says everything there is to say about `text` as a URL reference: every violation and finding,
/// sorted by start. No violation is reported exactly when [`parse_reference`] succeeds.
pub fn diagnose(text: &[u8], profile: Profile, mut found: impl FnMut(Report)) {
    if let Err(violation) = parse_reference(text, profile) {
        found(Report { code: violation.code, level: crate::Level::Error, span: violation.span });
    }
}

/// The form of a URL to compare by; never for printing.
pub fn normalize<'u>(url: &Url<'u>) -> Cow<'u, [u8]> {
    Cow::Borrowed(url.text)
}
