//! A text that comes in pieces.

use crate::find::{Taker, status, urlsift_on_match};
use crate::options::{urlsift_options, urlsift_scanner};
use crate::status::{URLSIFT_OK, guard};
use crate::text::{bytes, free, unique};
use ::urlsift_scanner::{Candidate, Stream};
use std::ffi::{c_char, c_int, c_void};

/// A plain text that comes in pieces. One thread at a time may use it.
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Debug)]
pub struct urlsift_stream {
    stream: Stream,
    settings: urlsift_options,
}

/// Opens a stream. Free it with urlsift_stream_free; the scanner may be freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_stream_open(
    scanner: *const urlsift_scanner,
    stream: *mut *mut urlsift_stream,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let (scanner, to) = unsafe { (urlsift_scanner::of(scanner)?, unique("stream", stream)?) };
        let stream = scanner.scan.scanner().stream();
        *to =
            Box::into_raw(Box::new(urlsift_stream { stream, settings: scanner.settings.clone() }));
        Ok(URLSIFT_OK)
    })
}

/// Takes the next piece of the text, of any length. The URLs are those of the whole text, however it is cut, and come as soon as they are settled: some
/// 100 KiB behind. If the callback stops, nothing is lost: the next call goes on behind that URL.
/// With `mask_passwords` only the URL itself is looked at, not the text around it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_stream_push(
    stream: *mut urlsift_stream,
    piece: *const c_char,
    length: usize,
    take: urlsift_on_match,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let (stream, piece) =
            unsafe { (unique("stream", stream)?, bytes("piece", piece, length)?) };
        let (taker, options) = (Taker { take, context }, &stream.settings.options);
        let mut sink =
            |base: u64, found: &Candidate<'_>| taker.candidate(options, None, base, found);
        Ok(status(stream.stream.push(piece, &mut sink)))
    })
}

/// Says that the text has ended, and hands over what is left. The stream is then ready for another text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_stream_finish(
    stream: *mut urlsift_stream,
    take: urlsift_on_match,
    context: *mut c_void,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's, as the header says it.
        let stream = unsafe { unique("stream", stream)? };
        let (taker, options) = (Taker { take, context }, &stream.settings.options);
        let mut sink =
            |base: u64, found: &Candidate<'_>| taker.candidate(options, None, base, found);
        Ok(status(stream.stream.finish(&mut sink)))
    })
}

/// Frees a stream. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlsift_stream_free(stream: *mut urlsift_stream) {
    // SAFETY: the caller's, as the header says it.
    unsafe { free(stream) }
}
