//! What a server answered: a line with the status, fields, an empty line, a body that may be coded.

use crate::decode::derived::{Decoded, Derived};
use crate::decode::layer::Layer;
use crate::header::Fields;
use core::ops::Range;
use memchr::memchr;
#[cfg(any(feature = "brotli", feature = "gz"))]
use std::io::{self, Read as _};

/// An answer, by its places in the text.
#[derive(Debug)]
pub(crate) struct Response<'t> {
    pub content_type: &'t [u8],
    pub is_chunked: bool,
    /// How the content is packed, in lower case; empty if it is not.
    pub packing: String,
    pub body: Range<usize>,
}

/// The answer that `range` of the text holds; `None` if it is none.
pub(crate) fn response<'t>(text: &'t [u8], range: &Range<usize>) -> Option<Response<'t>> {
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
    let body = range.start + fields.body()..range.end;
    Some(Response { content_type, is_chunked, packing, body })
}

/// Whether the body of an answer, or its start, is in the coding that the answer tells: many archives hold bodies that were decoded already.
pub(crate) fn is_coded(body: &[u8], response: &Response<'_>) -> bool {
    let is_chunked = response.is_chunked && {
        let line = body.get(..body.len().min(LONGEST_SIZE)).unwrap_or_default();
        memchr(b'\n', line).and_then(|end| chunk_size(line.get(..end)?)).is_some()
    };
    is_chunked || unpacked(body, &response.packing, 0, 1).is_some()
}

/// The longest line that tells the size of a chunk.
const LONGEST_SIZE: usize = 1024;

/// What such a line tells.
fn chunk_size(line: &[u8]) -> Option<usize> {
    let size = line.split(|byte| *byte == b';').next()?.trim_ascii();
    usize::from_str_radix(str::from_utf8(size).ok()?, 16).ok()
}

/// A body without the sizes of its chunks (RFC 9112 §7.1), and whether the last one is there; `None` if it has none, since many
/// archives hold bodies that were put together already.
pub(crate) fn unchunked(body: &[u8], base: usize) -> Option<(Decoded, bool)> {
    let mut out = Derived::new(body.len(), base);
    let mut at = 0;
    loop {
        let rest = body.get(at..)?;
        let line = memchr(b'\n', rest.get(..rest.len().min(LONGEST_SIZE))?);
        let Some(line) = line else { break };
        let Some(size) = chunk_size(rest.get(..line)?) else {
            if at == 0 {
                return None;
            }
            break;
        };
        let start = at + line + 1;
        let end = start.saturating_add(size).min(body.len());
        if size == 0 {
            // Fields may follow, and then nothing should.
            let mut trailer = Fields::new(body, start);
            trailer.by_ref().for_each(drop);
            out.copy(body, trailer.body(), body.len());
            return Some((out.finish(), true));
        }
        out.copy(body, start, end);
        at = end;
        at += match body.get(at..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([b'\n', ..]) => 1,
            _ => 0,
        };
    }
    // What follows is no chunk: it stands as it is.
    if at == 0 {
        return None;
    }
    out.copy(body, at, body.len());
    Some((out.finish(), false))
}

/// What a packed body was not unpacked to.
#[cfg_attr(
    not(any(feature = "brotli", feature = "gz")),
    expect(dead_code, reason = "nothing is unpacked")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing: it ends, or is damaged, so that nothing behind could be read.
    None,
    /// What is packed in bytes that are not there, if there is anything.
    Missing,
    /// What is behind the most that was wanted.
    Unwanted,
}

/// A body unpacked, up to `most` bytes of it, by what, and what is left of it; `None` if it is not packed in that way, or in one that is not known, or that
/// this library was built without.
#[cfg(any(feature = "brotli", feature = "gz"))]
pub(crate) fn unpacked(
    body: &[u8],
    packing: &str,
    base: usize,
    most: usize,
) -> Option<(Decoded, Layer, Rest)> {
    // A byte more tells whether there is more.
    let wanted = most.saturating_add(1);
    let mut packed = Packed::new(body);
    let (mut text, layer) = match packing {
        #[cfg(feature = "brotli")]
        "br" => {
            let stream = brotli_decompressor::Decompressor::new(&mut packed, BLOCK);
            (up_to(wanted, stream), Layer::Brotli)
        }
        #[cfg(feature = "gz")]
        "gzip" | "x-gzip" => {
            (up_to(wanted, flate2::read::MultiGzDecoder::new(&mut packed)), Layer::Gzip)
        }
        // What RFC 9110 §8.4.1.2 calls deflate has a frame, which some servers leave out.
        #[cfg(feature = "gz")]
        "deflate" => {
            let mut text = up_to(wanted, flate2::read::ZlibDecoder::new(&mut packed));
            if text.is_empty() {
                packed = Packed::new(body);
                text = up_to(wanted, flate2::read::DeflateDecoder::new(&mut packed));
            }
            (text, Layer::Deflate)
        }
        _ => return None,
    };
    if text.is_empty() {
        return None;
    }
    let rest = match packed.is_wanted {
        _ if text.len() > most => Rest::Unwanted,
        true => Rest::Missing,
        false => Rest::None,
    };
    text.truncate(most);
    let mut out = Derived::new(text.len(), base);
    out.replace(&text, 0, body.len());
    Some((out.finish(), layer, rest))
}

#[cfg(not(any(feature = "brotli", feature = "gz")))]
pub(crate) fn unpacked(_: &[u8], _: &str, _: usize, _: usize) -> Option<(Decoded, Layer, Rest)> {
    None
}

/// So many packed bytes are read at once.
#[cfg(feature = "brotli")]
const BLOCK: usize = 4096;

/// A packed body, and whether more of it was wanted than there is.
#[cfg(any(feature = "brotli", feature = "gz"))]
struct Packed<'b> {
    rest: &'b [u8],
    is_wanted: bool,
}

#[cfg(any(feature = "brotli", feature = "gz"))]
impl<'b> Packed<'b> {
    fn new(body: &'b [u8]) -> Self {
        Self { rest: body, is_wanted: false }
    }
}

#[cfg(any(feature = "brotli", feature = "gz"))]
impl io::Read for Packed<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.is_wanted |= self.rest.is_empty();
        self.rest.read(room)
    }
}

/// The first bytes of a stream. What came before a fault is there all the same.
#[cfg(any(feature = "brotli", feature = "gz"))]
fn up_to(most: usize, stream: impl io::Read) -> Vec<u8> {
    let mut text = Vec::new();
    let _ = stream.take(most as u64).read_to_end(&mut text);
    text
}
