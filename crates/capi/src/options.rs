//! What is to be found, and what is made of that once.

use crate::status::{Failure, URLSIFT_BAD_OPTION, URLSIFT_OK, guard};
use crate::text::{free, name, shared, unique};
use std::ffi::{c_char, c_int};
use std::sync::Arc;
use urlsift_archive::Reading;
use urlsift_records::{Options, Scan};

/// Options: a set of names and values, from which scanners are made.
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Debug, Default)]
pub struct urlsift_options {
    pub(crate) options: Options,
    pub(crate) reading: Reading,
    #[cfg(feature = "test_panic")]
    pub(crate) test_panic: bool,
}

/// A scanner: settings, and what is made of them once. Any number of threads may use one at the same time.
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Debug)]
pub struct urlsift_scanner {
    pub(crate) settings: urlsift_options,
    pub(crate) scan: Arc<Scan>,
}

/// New options, all as they are by default. Free them with urlsift_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn urlsift_options_new() -> *mut urlsift_options {
    Box::into_raw(Box::default())
}

/// Sets an option, by the name that it has for `urlsift scan`, with `_` for `-`: "profile", "rejoin", "malformed", "headers", "input", "encoding",
/// "schemes", "forms", "without", "with", "newsgroups", "lists" (lists, separated by commas), "since", "until", and "schemeless",
/// "locators", "refang", "resolve", "mask_passwords", "unwrap", "undated" ("true" or "false").
///
/// URLSIFT_BAD_OPTION if there is no such option, or it cannot have that value; nothing is set then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_options_set(
    options: *mut urlsift_options,
    name: *const c_char,
    value: *const c_char,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let (options, name, value) = unsafe {
            (unique("options", options)?, self::name("name", name)?, self::name("value", value)?)
        };
        #[cfg(feature = "test_panic")]
        if name == "test_panic" {
            options.test_panic = value == "true";
            return Ok(URLSIFT_OK);
        }
        let done = if name == "input" {
            value
                .parse()
                .map(|reading| options.reading = reading)
                .map_err(|error| format!("input: '{value}': {error}"))
        } else {
            options.options.set(name, value).map_err(|error| error.to_string())
        };
        done.map(|()| URLSIFT_OK).map_err(|error| Failure::new(URLSIFT_BAD_OPTION, error))
    })
}

/// Frees options. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_options_free(options: *mut urlsift_options) {
    // SAFETY: the caller's, as the header says it.
    unsafe { free(options) }
}

/// Makes a scanner. The options, which may be NULL for none, are copied. Free it with urlsift_scanner_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scanner_new(
    options: *const urlsift_options,
    scanner: *mut *mut urlsift_scanner,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let (settings, to) = unsafe { (options.as_ref(), unique("scanner", scanner)?) };
        let settings = settings.cloned().unwrap_or_default();
        let scan = Arc::new(Scan::new(settings.options.clone()));
        *to = Box::into_raw(Box::new(urlsift_scanner { settings, scan }));
        Ok(URLSIFT_OK)
    })
}

/// Frees a scanner. NULL is nothing to free. Streams that were opened from it go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scanner_free(scanner: *mut urlsift_scanner) {
    // SAFETY: the caller's, as the header says it.
    unsafe { free(scanner) }
}

impl urlsift_scanner {
    /// The scanner behind a pointer.
    ///
    /// # Safety
    ///
    /// As [`shared`].
    pub(crate) unsafe fn of<'s>(scanner: *const Self) -> Result<&'s Self, Failure> {
        // SAFETY: the caller's.
        let scanner = unsafe { shared("scanner", scanner)? };
        #[cfg(feature = "test_panic")]
        assert!(!scanner.settings.test_panic, "on purpose");
        Ok(scanner)
    }
}
