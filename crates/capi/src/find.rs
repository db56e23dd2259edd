//! The URLs of a text.

use crate::options::urlsift_scanner;
use crate::status::{URLSIFT_OK, URLSIFT_STOPPED, guard};
use crate::text::bytes;
use ::urlsift_scanner::{Candidate, Form};
use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::LazyLock;
use urlsift_core::hidden;
use urlsift_records::Options;

/// A URL in a text. More may be added behind: what is there is told by `size`.
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct urlsift_match {
    /// How many bytes this has.
    pub size: usize,
    /// The URL without layout. Not ended by a zero; gone when the callback returns.
    pub url: *const c_char,
    /// How many bytes the URL has.
    pub url_length: usize,
    /// Where it starts in the text, without wrapper or prefix: in bytes from 0; in a stream from its start.
    pub start: u64,
    /// Where it ends, one past the last byte; line breaks within the URL lie between.
    pub end: u64,
    /// How it stands there: one of the names that the option "form" has. It lives as long as the library.
    pub form: *const c_char,
    /// Whether the profile accepts it: 1, else 0.
    pub valid: c_int,
}

/// Takes a match, and returns 0 to go on or anything else to stop. It must not unwind or jump out of the call.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type urlsift_on_match =
    Option<unsafe extern "C" fn(found: *const urlsift_match, context: *mut c_void) -> c_int>;

/// Who takes matches, and what goes with them.
#[derive(Clone, Copy)]
pub(crate) struct Taker {
    pub(crate) take: urlsift_on_match,
    pub(crate) context: *mut c_void,
}

impl Taker {
    /// Hands a candidate over, if one like it is wanted. Its spans count from `base`.
    pub(crate) fn candidate(
        self,
        options: &Options,
        text: Option<&[u8]>,
        base: u64,
        candidate: &Candidate<'_>,
    ) -> ControlFlow<()> {
        let (Some(valid), Some(take)) = (options.wants(candidate), self.take) else {
            return Continue(());
        };
        let span = candidate.span();
        let mut url = candidate.url();
        if let Some(which) = options.hides() {
            let secrets = match text {
                Some(text) => which.at(&url, &candidate.map(), text, span),
                None => which.in_url(&url),
            };
            if !secrets.is_empty() {
                url = Cow::Owned(hidden(&url, &secrets).into_owned());
            }
        }
        let found = urlsift_match {
            size: size_of::<urlsift_match>(),
            url: url.as_ptr().cast(),
            url_length: url.len(),
            start: base + span.start as u64,
            end: base + span.end as u64,
            form: name_of(candidate.form()).as_ptr(),
            valid: valid.into(),
        };
        // SAFETY: the header says what the function may do; what it is given lives until it returns.
        if unsafe { take(&raw const found, self.context) } == 0 { Continue(()) } else { Break(()) }
    }
}

/// The names of all forms, each ended by a zero.
static NAMES: LazyLock<[(Form, CString); Form::ALL.len()]> =
    LazyLock::new(|| Form::ALL.map(|form| (form, CString::new(form.name()).unwrap_or_default())));

fn name_of(form: Form) -> &'static CStr {
    NAMES.iter().find(|known| known.0 == form).map_or(c"", |known| &known.1)
}

pub(crate) fn status(flow: ControlFlow<()>) -> c_int {
    if flow.is_break() { URLSIFT_STOPPED } else { URLSIFT_OK }
}

/// Hands over the URLs of a plain text, in its order. The text may hold any bytes; nothing of it is copied. Linear. Mail and pages are for
/// urlsift_scan_bytes to read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_find(
    scanner: *const urlsift_scanner,
    text: *const c_char,
    length: usize,
    take: urlsift_on_match,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let (scanner, text) =
            unsafe { (urlsift_scanner::of(scanner)?, bytes("text", text, length)?) };
        let taker = Taker { take, context };
        let mut found = scanner.scan.scanner().find_iter(text);
        while let Some(candidate) = found.advance() {
            let flow = taker.candidate(&scanner.settings.options, Some(text), 0, candidate);
            if flow.is_break() {
                return Ok(URLSIFT_STOPPED);
            }
        }
        Ok(URLSIFT_OK)
    })
}
