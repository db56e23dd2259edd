//! One URL that stands alone.

use crate::find::status;
use crate::records::{TextTaker, urlsift_on_text};
use crate::status::{Failure, URLSIFT_BAD_OPTION, guard};
use crate::text::{bytes, name};
use std::ffi::{c_char, c_int, c_void};
use urlsift_core::{Profile, Url};
use urlsift_records::parse::ParseRecord;

/// The rules by their name; NULL is those of the web.
unsafe fn profile(given: *const c_char) -> Result<Profile, Failure> {
    if given.is_null() {
        return Ok(Profile::default());
    }
    // SAFETY: the caller's.
    let given = unsafe { name("profile", given)? };
    let wrong =
        |error| Failure::new(URLSIFT_BAD_OPTION, format_args!("profile: '{given}': {error}"));
    given.parse().map_err(wrong)
}

/// Hands over the verdict on one URL, which a fragment may follow, as one line of JSON: that of `urlsift parse --reference --format jsonl`. What is no URL is no
/// error: its record says what is wrong. `profile` is "rfc1738", "cern1994", "rfc3986", "web", or NULL for that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_parse(
    url: *const c_char,
    length: usize,
    profile: *const c_char,
    take: urlsift_on_text,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let (url, profile) = unsafe { (bytes("url", url, length)?, self::profile(profile)?) };
        let mut line = Vec::new();
        ParseRecord::new(url, profile, true).write_json(&mut line);
        Ok(status(TextTaker { take, context }.text(&line)))
    })
}

/// Hands over the form of a URL to compare by: what means the same has the same. Of what the profile does not accept that is the text itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_normalize(
    url: *const c_char,
    length: usize,
    profile: *const c_char,
    take: urlsift_on_text,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let (url, profile) = unsafe { (bytes("url", url, length)?, self::profile(profile)?) };
        let parsed = urlsift_core::parse_reference(url, profile);
        let form = parsed.as_ref().map_or(url.into(), Url::normalized);
        Ok(status(TextTaker { take, context }.text(&form)))
    })
}
