//! Parses and normalizes a single URL.

use crate::find::status_of_flow;
use crate::records::{TextCallback, urlsift_on_text};
use crate::status::{Failure, URLSIFT_BAD_OPTION, guard};
use crate::text::{bytes_from_c, str_from_c};
use std::ffi::{c_char, c_int, c_void};
use urlsift_core::{Profile, Secrets, Url, masked};
use urlsift_records::parse::ParseRecord;

/// Returns the profile called `given`, a C string, or an error if there is no such profile. NULL
/// means `web`.
unsafe fn profile_from_c(given: *const c_char) -> Result<Profile, Failure> {
    if given.is_null() {
        return Ok(Profile::default());
    }
    // SAFETY: guaranteed by the caller.
    let given = unsafe { str_from_c("profile", given)? };
    let wrong =
        |error| Failure::new(URLSIFT_BAD_OPTION, format_args!("profile: '{given}': {error}"));
    given.parse().map_err(wrong)
}

/// Parses `given`, a C string that says which secrets to mask: `passwords` or `secrets`. Returns
/// `None` for NULL, which means that nothing is masked.
unsafe fn hidden_secrets_from_c(given: *const c_char) -> Result<Option<Secrets>, Failure> {
    if given.is_null() {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    match unsafe { str_from_c("mask", given)? } {
        "passwords" => Ok(Some(Secrets::Passwords)),
        "secrets" => Ok(Some(Secrets::All)),
        given => Err(Failure::new(
            URLSIFT_BAD_OPTION,
            format_args!("mask: '{given}': use passwords or secrets"),
        )),
    }
}

/// Parses one URL, which may end in a fragment, and passes the result to `take` as one line of
/// JSON, the record of `urlsift parse --reference --format jsonl`. An invalid URL is not an
/// error: its record lists the violations. `profile` is "rfc1738", "cern1994", "rfc3986" or
/// "web"; NULL means "web". If `mask` is "passwords", passwords are replaced by `***` everywhere in
/// the record; if it is "secrets", passwords and tokens; NULL means that nothing is masked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_parse(
    url: *const c_char,
    length: usize,
    profile: *const c_char,
    mask: *const c_char,
    take: urlsift_on_text,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (url, profile, hides) = unsafe {
            (
                bytes_from_c("url", url, length)?,
                profile_from_c(profile)?,
                hidden_secrets_from_c(mask)?,
            )
        };
        let callback = TextCallback::from_c(take, context)?;
        let mut record = ParseRecord::new(url, profile, true);
        let masked = hides.map(|hides| masked(url, hides));
        if let Some(masked) = &masked {
            record = record.with_masked(masked);
        }
        let mut line = Vec::new();
        record.write_json(&mut line);
        Ok(status_of_flow(callback.pass_text(&line)))
    })
}

/// Passes the normalized form of a URL to `take`. Equivalent URLs have the same normalized form. If
/// the profile does not accept the URL, it is passed unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_normalize(
    url: *const c_char,
    length: usize,
    profile: *const c_char,
    take: urlsift_on_text,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (url, profile) =
            unsafe { (bytes_from_c("url", url, length)?, profile_from_c(profile)?) };
        let callback = TextCallback::from_c(take, context)?;
        let parsed = urlsift_core::parse_reference(url, profile);
        let form = parsed.as_ref().map_or(url.into(), Url::key);
        Ok(status_of_flow(callback.pass_text(&form)))
    })
}
