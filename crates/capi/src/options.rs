//! Creates and frees options and scanners.

use crate::status::{Failure, URLSIFT_BAD_OPTION, URLSIFT_OK, guard};
use crate::text::{free_boxed, shared_from_pointer, str_from_c, unique_from_pointer};
use std::ffi::{c_char, c_int};
use std::sync::Arc;
use urlsift_records::{Options, Scan};

/// A set of options for creating scanners.
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Debug, Default)]
pub struct urlsift_options {
    pub(crate) options: Options,
    #[cfg(feature = "test_panic")]
    pub(crate) test_panic: bool,
}

/// A scanner: a copy of the options, and the search tables built from them. Any number of threads
/// may use a scanner at the same time.
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Debug)]
pub struct urlsift_scanner {
    pub(crate) settings: urlsift_options,
    pub(crate) scan: Arc<Scan>,
}

/// Creates a set of options with the default values. Free it with urlsift_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn urlsift_options_new() -> *mut urlsift_options {
    Box::into_raw(Box::default())
}

/// Sets an option. Names are those of the options of `urlsift scan`, with `_` instead of `-`.
/// Values are text, and a new value replaces the previous one. Options marked "files" have no
/// effect on urlsift_find and on streams. docs/src/reference/options.md explains them all.
///
/// - "input" ("auto", "text", "mail", "html", "markdown", "rst", "asciidoc", "json", "jsonl", "xml",
///   "tex", "man", "ipynb", "ics", "po", "binary", files): Read the input as this format (default:
///   auto)
/// - "text_field" (a text, files): In JSON Lines, scan only the text in this field of each record
/// - "date_field" (a text, files): In JSON Lines, read the date of a record from this field
/// - "id_field" (a text, files): In JSON Lines, read the identifier of a record from this field
/// - "encoding" (a charset, files): Use this charset for text that doesn't declare one
/// - "max_expand" (a size, a ratio as "100x", or "none", files): Stop unpacking a compressed file
///   beyond this size (default: 100x)
/// - "max_window" (a size, as "64M", files): Refuse xz and zst files that need a larger window than
///   this (default: 128M)
/// - "profile" ("rfc1738", "cern1994", "rfc3986", "web"): Validate URLs against web, rfc3986, rfc1738
///   or cern1994 (default: web)
/// - "malformed" ("skip", "include", "only"): Report invalid URLs: skip, include or only (default:
///   skip)
/// - "scheme" (a list of texts): Report only URLs of these schemes
/// - "host" (a list of texts): Report only URLs whose host matches, e.g. `*.w3.org` or `!localhost`
/// - "domain" (a list of texts): Report only URLs of hosts in these domains, e.g. `w3.org`
/// - "url" (a list of texts): Report only URLs that match, e.g. `*.pdf` or `!*cgi-bin*`
/// - "form" (a list of "wrapped", "bracketed", "prefixed", "bare", "attribute", "schemeless",
///   "locator", "relative", "email", "host", with an optional + before the first): Report only URLs
///   in these forms; `+FORM` adds to the default
/// - "without" (a list of "body", "quote", "attribution", "signature", "footer", "chrome", "header",
///   "attribute", files): Skip URLs in these places: quote, signature, footer, …
/// - "rejoin" ("off", "certain", "likely"): Join URLs across line breaks: off, certain or likely
///   (default: likely)
/// - "resolve" ("true" or "false", files): Also find relative links of HTML, and resolve them
/// - "refang" ("true" or "false", files): Find defanged URLs, such as `hxxp://h[.]dom/`, and restore
///   them
/// - "headers" ("none", "urls", "all", files): Scan these header fields of messages: none, urls or
///   all (default: urls)
/// - "web_records" ("pages", "all", files): Scan these records of web archives: pages or all
///   (default: pages)
/// - "since" (a date, files): Scan only messages from this date on, e.g. `1994-12`
/// - "until" (a date, files): Scan only messages up to this date, inclusive
/// - "undated" ("drop", "keep", files): Drop or keep messages without a valid date if dates are
///   restricted (default: drop)
/// - "newsgroup" (a list of texts, files): Scan only articles in newsgroups that match, e.g. `comp.*`
/// - "list" (a list of texts, files): Scan only messages of mailing lists that match, e.g. `*.w3.org`
/// - "sender" (a list of texts, files): Scan only messages from these senders, e.g. `*@w3.org`
/// - "subject" (a list of texts, files): Scan only messages whose subject matches, e.g. `*announce*`
/// - "with" (a list of "domain", "tld", "port", "from_domain", "from_hash", "from", "subject",
///   "link_text", files): Add these fields to records: domain, tld, port, from_domain, …
/// - "unwrap" ("true", "false", "replace", files): Add the target of links that a mail gateway or
///   tracker rewrote
/// - "mask_passwords" ("true" or "false"): Show passwords as `***`
/// - "mask_secrets" ("true" or "false"): Show passwords and tokens as `***`
/// - "hash_key" (a text, files): Use this key for the hashes of `--with from_hash`
///
/// Returns URLSIFT_BAD_OPTION if there is no such option or the value is not valid for it. The
/// options are then unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_options_set(
    options: *mut urlsift_options,
    name: *const c_char,
    value: *const c_char,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (options, name, value) = unsafe {
            (
                unique_from_pointer("options", options)?,
                str_from_c("name", name)?,
                str_from_c("value", value)?,
            )
        };
        #[cfg(feature = "test_panic")]
        if name == "test_panic" {
            options.test_panic = value == "true";
            return Ok(URLSIFT_OK);
        }
        let done = options.options.set(name, value);
        done.map(|()| URLSIFT_OK).map_err(|error| Failure::new(URLSIFT_BAD_OPTION, error))
    })
}

/// Frees a set of options. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_options_free(options: *mut urlsift_options) {
    // SAFETY: guaranteed by the caller, as the header demands.
    unsafe { free_boxed(options) }
}

/// Creates a scanner. The options are copied; NULL means the defaults. Free the scanner with
/// urlsift_scanner_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scanner_new(
    options: *const urlsift_options,
    scanner: *mut *mut urlsift_scanner,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (settings, to) =
            unsafe { (options.as_ref(), unique_from_pointer("scanner", scanner)?) };
        let settings = settings.cloned().unwrap_or_default();
        let scan = Arc::new(Scan::new(settings.options.clone()));
        *to = Box::into_raw(Box::new(urlsift_scanner { settings, scan }));
        Ok(URLSIFT_OK)
    })
}

/// Frees a scanner. NULL is allowed. Streams that were opened from it can still be used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_scanner_free(scanner: *mut urlsift_scanner) {
    // SAFETY: guaranteed by the caller, as the header demands.
    unsafe { free_boxed(scanner) }
}

impl urlsift_scanner {
    /// Returns the scanner that a pointer points to, or an error for NULL.
    ///
    /// # Safety
    ///
    /// The requirements of [`shared`] apply.
    pub(crate) unsafe fn from_pointer<'s>(scanner: *const Self) -> Result<&'s Self, Failure> {
        // SAFETY: guaranteed by the caller.
        let scanner = unsafe { shared_from_pointer("scanner", scanner)? };
        #[cfg(feature = "test_panic")]
        assert!(!scanner.settings.test_panic, "on purpose");
        Ok(scanner)
    }
}
