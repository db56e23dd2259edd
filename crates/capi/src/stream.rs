//! Scans a plain text that is passed in pieces.

use crate::find::{MatchCallback, status_of_flow, urlsift_on_match};
use crate::options::{urlsift_options, urlsift_scanner};
use crate::status::{URLSIFT_OK, guard};
use crate::text::{bytes_from_c, free_boxed, unique_from_pointer};
use ::urlsift_scanner::{Candidate, Stream};
use std::ffi::{c_char, c_int, c_void};

/// A scan of a plain text that is passed in pieces. Only one thread at a time may use a stream.
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Debug)]
pub struct urlsift_stream {
    stream: Stream,
    settings: urlsift_options,
}

/// Opens a stream. Free it with urlsift_stream_free. The scanner may be freed first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_stream_open(
    scanner: *const urlsift_scanner,
    stream: *mut *mut urlsift_stream,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (scanner, to) = unsafe {
            (urlsift_scanner::from_pointer(scanner)?, unique_from_pointer("stream", stream)?)
        };
        let stream = scanner.scan.scanner().stream();
        *to =
            Box::into_raw(Box::new(urlsift_stream { stream, settings: scanner.settings.clone() }));
        Ok(URLSIFT_OK)
    })
}

/// Scans the next piece of the text, which may have any length. Reports the same URLs as a scan of
/// the whole text, wherever it is cut. A URL is reported as soon as later text can no longer change
/// it, about 100 KiB after its end. If the callback stops the call, the next call continues after
/// that URL. `mask_passwords` considers only the URL itself, not the text around it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_stream_push(
    stream: *mut urlsift_stream,
    piece: *const c_char,
    length: usize,
    take: urlsift_on_match,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let (stream, piece) = unsafe {
            (unique_from_pointer("stream", stream)?, bytes_from_c("piece", piece, length)?)
        };
        let callback = MatchCallback::from_c(take, context)?;
        let options = &stream.settings.options;
        let mut sink =
            |base: u64, found: &Candidate<'_>| callback.pass_candidate(options, None, base, found);
        Ok(status_of_flow(stream.stream.push(piece, &mut sink)))
    })
}

/// Ends the text and reports the remaining URLs. The stream can then be used for another text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_stream_finish(
    stream: *mut urlsift_stream,
    take: urlsift_on_match,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: guaranteed by the caller, as the header demands.
        let stream = unsafe { unique_from_pointer("stream", stream)? };
        let callback = MatchCallback::from_c(take, context)?;
        let options = &stream.settings.options;
        let mut sink =
            |base: u64, found: &Candidate<'_>| callback.pass_candidate(options, None, base, found);
        Ok(status_of_flow(stream.stream.finish(&mut sink)))
    })
}

/// Frees a stream. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_stream_free(stream: *mut urlsift_stream) {
    // SAFETY: guaranteed by the caller, as the header demands.
    unsafe { free_boxed(stream) }
}
