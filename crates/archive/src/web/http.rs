//! Parses HTTP responses and decodes their bodies. A response is a status line, header fields, an
//! empty line, and a body that may have a transfer coding and a content coding.

use crate::decode::derived::{Decoded, Derived};
use crate::decode::layer::Layer;
use crate::header::Fields;
use core::ops::Range;
use memchr::memchr;
#[cfg(any(feature = "brotli", feature = "gz"))]
use std::io::{self, Read as _};

/// The values of those header fields of an HTTP response that this crate uses, and the range of the
/// response's body.
#[derive(Debug)]
pub(crate) struct Response<'t> {
    /// The value of the `Content-Type` field; empty if there is none.
    pub content_type: &'t [u8],
    /// True if the response has the transfer coding `chunked`.
    pub is_chunked: bool,
    /// The content coding in lower case; empty if there is none.
    pub packing: String,
    /// The range of the body in the text.
    pub body: Range<usize>,
}

/// Parses the HTTP response in `range` of `text`. Returns `None` if the range doesn't start with a
/// response.
pub(crate) fn parse_response<'t>(text: &'t [u8], range: &Range<usize>) -> Option<Response<'t>> {
    let block = text.get(range.clone())?;
    if !block.starts_with(b"HTTP/") {
        return None;
    }
    let line = memchr(b'\n', block)? + 1;
    let mut fields = Fields::new(block, line);
    let (mut content_type, mut is_chunked, mut packing) = (&b""[..], false, String::new());
    for field in fields.by_ref() {
        let value = field.value().trim_ascii();
        let is = |name: &str| field.name().eq_ignore_ascii_case(name.as_bytes());
        if is("Content-Type") {
            content_type = value;
        } else if is("Transfer-Encoding") {
            is_chunked = value.to_ascii_lowercase().ends_with(b"chunked");
        } else if is("Content-Encoding") {
            packing = String::from_utf8_lossy(value).to_ascii_lowercase();
        }
    }
    let body = range.start + fields.body_start()..range.end;
    Some(Response { content_type, is_chunked, packing, body })
}

/// True if a response's body, or the start of it, really has the transfer or content coding that
/// the header declares. (Many archives contain bodies that were already decoded.)
pub(crate) fn is_body_encoded(body: &[u8], response: &Response<'_>) -> bool {
    let is_chunked = response.is_chunked && {
        let line = body.get(..body.len().min(MAX_SIZE_LINE_LEN)).unwrap_or_default();
        memchr(b'\n', line).and_then(|end| parse_chunk_size(line.get(..end)?)).is_some()
    };
    is_chunked || unpack_body(body, &response.packing, 0, 1).is_some()
}

/// The maximum length of the line with a chunk's size, in bytes.
const MAX_SIZE_LINE_LEN: usize = 1024;

/// Parses the line before a chunk of an HTTP body. Returns the size of the chunk in bytes, or
/// `None` if the line has no valid size.
fn parse_chunk_size(line: &[u8]) -> Option<usize> {
    let size = line.split(|byte| *byte == b';').next()?.trim_ascii();
    usize::from_str_radix(str::from_utf8(size).ok()?, 16).ok()
}

/// Joins the chunks of an HTTP body (RFC 9112 §7.1), which starts at offset `source_offset` of the
/// map's source. Returns the joined text, and true if the last chunk is present. Returns `None` if
/// the body isn't chunked: many archives contain bodies that were already joined.
pub(crate) fn join_chunks(body: &[u8], source_offset: usize) -> Option<(Decoded, bool)> {
    let mut out = Derived::new(body.len(), source_offset);
    let mut at = 0;
    loop {
        let rest = body.get(at..)?;
        let line = memchr(b'\n', rest.get(..rest.len().min(MAX_SIZE_LINE_LEN))?);
        let Some(line) = line else { break };
        let Some(size) = parse_chunk_size(rest.get(..line)?) else {
            if at == 0 {
                return None;
            }
            break;
        };
        let start = at + line + 1;
        let end = start.saturating_add(size).min(body.len());
        if size == 0 {
            // Trailer fields may follow; they are dropped. Nothing should follow them, but if there
            // is more text, it is copied.
            let mut trailer = Fields::new(body, start);
            trailer.by_ref().for_each(drop);
            out.push_copy(body, trailer.body_start(), body.len());
            return Some((out.finish(), true));
        }
        out.push_copy(body, start, end);
        at = end;
        at += match body.get(at..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([b'\n', ..]) => 1,
            _ => 0,
        };
    }
    // The rest is not chunked, so it is copied.
    if at == 0 {
        return None;
    }
    out.push_copy(body, at, body.len());
    Some((out.finish(), false))
}

/// The reason why the rest of a packed body was not unpacked.
#[cfg_attr(
    not(any(feature = "brotli", feature = "gz")),
    expect(dead_code, reason = "nothing is unpacked")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing is left, or the body is damaged so that the rest can't be unpacked.
    None,
    /// The end of the packed body is missing.
    Missing,
    /// There is more data than the maximum length.
    OverLimit,
}

/// Unpacks the first `max_len` bytes of an HTTP body, which starts at offset `source_offset` of the
/// map's source. Returns the text, the decoded layer, and the reason why the rest was not unpacked.
///
/// `packing` is the content coding in lower case. Returns `None` if the body doesn't have this
/// coding, or if this build doesn't support it.
#[cfg(any(feature = "brotli", feature = "gz"))]
pub(crate) fn unpack_body(
    body: &[u8],
    packing: &str,
    source_offset: usize,
    max_len: usize,
) -> Option<(Decoded, Layer, Rest)> {
    // One more byte shows if the limit was exceeded.
    let limit = max_len.saturating_add(1);
    let mut packed = Packed::new(body);
    let (mut text, layer) = match packing {
        #[cfg(feature = "brotli")]
        "br" => {
            let stream = brotli_decompressor::Decompressor::new(&mut packed, BLOCK);
            (read_up_to(limit, stream), Layer::Brotli)
        }
        #[cfg(feature = "gz")]
        "gzip" | "x-gzip" => {
            (read_up_to(limit, flate2::read::MultiGzDecoder::new(&mut packed)), Layer::Gzip)
        }
        // RFC 9110 §8.4.1.2 defines deflate with a zlib header, which some servers omit.
        #[cfg(feature = "gz")]
        "deflate" => {
            let mut text = read_up_to(limit, flate2::read::ZlibDecoder::new(&mut packed));
            if text.is_empty() {
                packed = Packed::new(body);
                text = read_up_to(limit, flate2::read::DeflateDecoder::new(&mut packed));
            }
            (text, Layer::Deflate)
        }
        _ => return None,
    };
    if text.is_empty() {
        return None;
    }
    let rest = match packed.was_exhausted {
        _ if text.len() > max_len => Rest::OverLimit,
        true => Rest::Missing,
        false => Rest::None,
    };
    text.truncate(max_len);
    let mut out = Derived::new(text.len(), source_offset);
    out.push_replacement(&text, 0, body.len());
    Some((out.finish(), layer, rest))
}

#[cfg(not(any(feature = "brotli", feature = "gz")))]
pub(crate) fn unpack_body(_: &[u8], _: &str, _: usize, _: usize) -> Option<(Decoded, Layer, Rest)> {
    None
}

/// The number of packed bytes read at once.
#[cfg(feature = "brotli")]
const BLOCK: usize = 4096;

/// A reader of a packed body. It sets a flag when the decoder tries to read past the end.
#[cfg(any(feature = "brotli", feature = "gz"))]
struct Packed<'b> {
    rest: &'b [u8],
    was_exhausted: bool,
}

#[cfg(any(feature = "brotli", feature = "gz"))]
impl<'b> Packed<'b> {
    fn new(body: &'b [u8]) -> Self {
        Self { rest: body, was_exhausted: false }
    }
}

#[cfg(any(feature = "brotli", feature = "gz"))]
impl io::Read for Packed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.was_exhausted |= self.rest.is_empty();
        self.rest.read(buffer)
    }
}

/// Reads up to `max_len` bytes of a stream. If there is an error, returns the bytes before it.
#[cfg(any(feature = "brotli", feature = "gz"))]
fn read_up_to(max_len: usize, stream: impl io::Read) -> Vec<u8> {
    let mut text = Vec::new();
    let _ = stream.take(max_len as u64).read_to_end(&mut text);
    text
}
