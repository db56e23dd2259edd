//! Parses a single URL.

use crate::setting::parse_setting;
use urlsift_core::{Secrets, Url, masked};
use urlsift_records::parse::ParseRecord;
use wasm_bindgen::prelude::*;

/// Returns the record of `urlsift parse` for a URL as JSON, followed by the URL's normalized form
/// if the URL is valid in the profile called `profile`. Positions are in bytes.
///
/// If `reference` is true, a fragment (`#...`) may follow the URL even if the profile doesn't allow
/// it. `mask_passwords` and `mask_secrets` replace passwords, or passwords and tokens, in the record
/// by `***`. Fails if the profile is unknown.
#[wasm_bindgen]
pub fn parse(
    url: &str,
    profile: &str,
    reference: bool,
    mask_passwords: bool,
    mask_secrets: bool,
) -> Result<Vec<String>, JsError> {
    let mut record =
        ParseRecord::new(url.as_bytes(), parse_setting("profile", profile)?, reference);
    let hides = Secrets::from_flags(mask_passwords, mask_secrets);
    let masked = hides.map(|hides| masked(url.as_bytes(), hides));
    if let Some(masked) = &masked {
        record = record.with_masked(masked);
    }
    let form = record.result.as_ref().ok().map(Url::key);
    let form = form.map(|form| String::from_utf8_lossy(&form).into_owned());
    let mut line = Vec::new();
    record.write_json(&mut line);
    Ok([String::from_utf8_lossy(&line).into_owned()].into_iter().chain(form).collect())
}
