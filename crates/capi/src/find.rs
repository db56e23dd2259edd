//! Finds the URLs of a plain text.

use crate::options::urlsift_scanner;
use crate::status::{Failure, URLSIFT_OK, URLSIFT_STOPPED, guard};
use crate::text::bytes_from_c;
use ::urlsift_scanner::{Candidate, Form};
use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::LazyLock;
use urlsift_core::mask_spans;
use urlsift_records::Options;

/// A URL in a text. Later versions of the library may add fields at the end. If `size` is less than
/// the `sizeof` of this struct, the loaded library is older than the header, and the last fields
/// are missing.
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct urlsift_match {
    /// The size of this struct in bytes.
    pub size: usize,
    /// The URL without the line breaks and quote marks inside it. It is not zero-terminated, and is
    /// valid only until the callback returns.
    pub url: *const c_char,
    /// The length of `url` in bytes.
    pub url_length: usize,
    /// The offset of the URL in the text in bytes, from 0, without a wrapper or prefix. In a
    /// stream, it counts from the start of the stream.
    pub start: u64,
    /// The end offset, one past the last byte. The range includes line breaks inside the URL.
    pub end: u64,
    /// The form of the URL: one of the values of the option "form". The string is valid as long as
    /// the library is loaded.
    pub form: *const c_char,
    /// 1 if the profile accepts the URL, else 0.
    pub valid: c_int,
}

/// Callback for a match. Returns 0 to continue or any other value to stop. It must not unwind
/// or jump out of the call.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type urlsift_on_match =
    Option<unsafe extern "C" fn(found: *const urlsift_match, context: *mut c_void) -> c_int>;

/// A callback for matches, and the context to pass to it.
#[derive(Clone, Copy)]
pub(crate) struct MatchCallback {
    take: unsafe extern "C" fn(found: *const urlsift_match, context: *mut c_void) -> c_int,
    context: *mut c_void,
}

impl MatchCallback {
    /// Creates a callback from the arguments `take` and `context` of a call. Fails if `take` is
    /// NULL.
    pub(crate) fn from_c(take: urlsift_on_match, context: *mut c_void) -> Result<Self, Failure> {
        let take = take.ok_or_else(|| Failure::invalid_argument("take", "NULL"))?;
        Ok(Self { take, context })
    }

    /// Passes a candidate to the callback, unless the options exclude it. `base` is added to the
    /// candidate's offsets. `text` is the text around the candidate, if it is known. Returns
    /// `Break` if the callback stops the scan.
    pub(crate) fn pass_candidate(
        self,
        options: &Options,
        text: Option<&[u8]>,
        base: u64,
        candidate: &Candidate<'_>,
    ) -> ControlFlow<()> {
        let Some(valid) = options.validity_if_selected(candidate) else {
            return Continue(());
        };
        let span = candidate.span();
        let mut url = candidate.url();
        if let Some(which) = options.hidden_secrets() {
            let secrets = match text {
                Some(text) => which.in_context(&url, &candidate.span_map(), text, span),
                None => which.in_url(&url),
            };
            if !secrets.is_empty() {
                url = Cow::Owned(mask_spans(&url, &secrets).into_owned());
            }
        }
        let found = urlsift_match {
            size: size_of::<urlsift_match>(),
            url: url.as_ptr().cast(),
            url_length: url.len(),
            start: base + span.start as u64,
            end: base + span.end as u64,
            form: form_name(candidate.form()).as_ptr(),
            valid: valid.into(),
        };
        // SAFETY: the header states the callback's contract; its arguments live until it returns.
        if unsafe { (self.take)(&raw const found, self.context) } == 0 {
            Continue(())
        } else {
            Break(())
        }
    }
}

/// The names of all forms, zero-terminated.
static NAMES: LazyLock<[(Form, CString); Form::ALL.len()]> =
    LazyLock::new(|| Form::ALL.map(|form| (form, CString::new(form.name()).unwrap_or_default())));

/// Returns the zero-terminated name of a form.
fn form_name(form: Form) -> &'static CStr {
    NAMES.iter().find(|known| known.0 == form).map_or(c"", |known| &known.1)
}

/// Returns `URLSIFT_STOPPED` if a callback stopped the call, and `URLSIFT_OK` otherwise.
pub(crate) fn status_of_flow(flow: ControlFlow<()>) -> c_int {
    if flow.is_break() { URLSIFT_STOPPED } else { URLSIFT_OK }
}

/// Reports the URLs of a plain text to `take`, in text order. The text may contain any bytes
/// and is not copied. Takes linear time. Use urlsift_scan_bytes for mail and HTML pages.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_find(
    scanner: *const urlsift_scanner,
    text: *const c_char,
    length: usize,
    take: urlsift_on_match,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (scanner, text) = unsafe {
            (urlsift_scanner::from_pointer(scanner)?, bytes_from_c("text", text, length)?)
        };
        let callback = MatchCallback::from_c(take, context)?;
        let mut found = scanner.scan.scanner().find_iter(text);
        while let Some(candidate) = found.advance() {
            let flow = callback.pass_candidate(&scanner.settings.options, Some(text), 0, candidate);
            if flow.is_break() {
                return Ok(URLSIFT_STOPPED);
            }
        }
        Ok(URLSIFT_OK)
    })
}
