//! Reads compressed streams.

use super::compression::Compression;
use super::dot_z::Uncompress;
use super::limits::{Limits, Refusal};
#[cfg(feature = "bz2")]
use bzip2::read::MultiBzDecoder;
#[cfg(feature = "gz")]
use flate2::read::MultiGzDecoder;
#[cfg(feature = "xz")]
use liblzma::read::XzDecoder;
#[cfg(feature = "lz4")]
use lz4_flex::frame::FrameDecoder;
#[cfg(feature = "lzip")]
use lzma_rust2::LzipReader;
use std::io::{self, BufReader, Read};
#[cfg(feature = "lzip")]
use std::io::{Chain, Cursor};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

impl Limits {
    /// Returns a reader for the unpacked contents of `stream`, which is compressed as `kind`.
    /// [`Compression::Zip`] and [`Compression::Tar`] streams are not unpacked: the reader returns
    /// the archive itself, up to the limit. `len` is the length of the stream, if it is known.
    ///
    /// # Errors
    ///
    /// Returns an error if a decoder can't be created. Errors in the data are returned while
    /// reading, as a [`Refusal`].
    pub fn decompress<R: Read>(
        self,
        kind: Compression,
        stream: R,
        len: Option<u64>,
    ) -> io::Result<Decompressed<R>> {
        let consumed = Arc::new(AtomicU64::new(0));
        let counted = Counted { stream, consumed: Arc::clone(&consumed) };
        let decoder = match kind {
            #[cfg(feature = "gz")]
            Compression::Gzip => Decoder::Gzip(Box::new(MultiGzDecoder::new(counted))),
            #[cfg(feature = "bz2")]
            Compression::Bzip2 => Decoder::Bzip2(Box::new(MultiBzDecoder::new(counted))),
            #[cfg(feature = "xz")]
            Compression::Xz => {
                // The decoder needs some memory in addition to the window.
                let memory = self.window.saturating_add(1 << 20);
                let flags = liblzma::stream::CONCATENATED;
                let stream = liblzma::stream::Stream::new_stream_decoder(memory, flags)?;
                Decoder::Xz(Box::new(XzDecoder::new_stream(counted, stream)))
            }
            #[cfg(feature = "zstd")]
            Compression::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(counted)?;
                decoder.window_log_max(self.window.max(1).ilog2().clamp(10, 31))?;
                Decoder::Zstd(Box::new(decoder))
            }
            #[cfg(feature = "lz4")]
            Compression::Lz4 => Decoder::Lz4(Box::new(FrameDecoder::new(counted))),
            #[cfg(feature = "lzip")]
            Compression::Lzip => {
                let mut counted = counted;
                let mut header = Vec::new();
                counted.by_ref().take(6).read_to_end(&mut header)?;
                if header.last().is_some_and(|&size| lzip_window_size(size) > self.window) {
                    return Err(Refusal::TooWide(self.window).into());
                }
                Decoder::Lzip(Box::new(LzipReader::new(Cursor::new(header).chain(counted))))
            }
            Compression::Compress => {
                Decoder::Compress(Box::new(Uncompress::new(BufReader::new(counted))?))
            }
            Compression::Zip | Compression::Tar | Compression::Ar => Decoder::None(counted),
            #[allow(unreachable_patterns, reason = "with all features there is none")]
            _ => return Err(Refusal::NotBuilt(kind).into()),
        };
        Ok(Decompressed { decoder, limits: self, len, consumed, returned: 0 })
    }

    /// Returns a reader for the contents of an archive's member. `budget` counts the bytes read
    /// from all members, because the limit applies to their sum. `len` is the length of the
    /// archive.
    #[cfg(feature = "zip")]
    pub(super) fn member_reader<R: Read>(
        self,
        member: R,
        len: u64,
        budget: &AtomicU64,
    ) -> Member<'_, R> {
        Member { contents: member, limits: self, len, spent: budget }
    }
}

/// A stream that counts the bytes that a decoder has read.
struct Counted<R> {
    stream: R,
    consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.consumed.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// A stream preceded by the bytes that were already read from it.
#[cfg(feature = "lzip")]
type Pushed<R> = Chain<Cursor<Vec<u8>>, Counted<R>>;

/// A decoder for one of the compression formats, or the stream itself if it is not compressed.
enum Decoder<R: Read> {
    #[cfg(feature = "gz")]
    Gzip(Box<MultiGzDecoder<Counted<R>>>),
    #[cfg(feature = "bz2")]
    Bzip2(Box<MultiBzDecoder<Counted<R>>>),
    #[cfg(feature = "xz")]
    Xz(Box<XzDecoder<Counted<R>>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::stream::read::Decoder<'static, BufReader<Counted<R>>>>),
    #[cfg(feature = "lz4")]
    Lz4(Box<FrameDecoder<Counted<R>>>),
    #[cfg(feature = "lzip")]
    Lzip(Box<LzipReader<Pushed<R>>>),
    Compress(Box<Uncompress<BufReader<Counted<R>>>>),
    None(Counted<R>),
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            #[cfg(feature = "gz")]
            Self::Gzip(decoder) => decoder.read(buffer),
            #[cfg(feature = "bz2")]
            Self::Bzip2(decoder) => decoder.read(buffer),
            #[cfg(feature = "xz")]
            Self::Xz(decoder) => decoder.read(buffer),
            #[cfg(feature = "zstd")]
            Self::Zstd(decoder) => decoder.read(buffer),
            #[cfg(feature = "lz4")]
            // The decoder returns 0 at the end of each frame, not only at the end of the file.
            Self::Lz4(decoder) => match decoder.read(buffer) {
                Ok(0) => decoder.read(buffer),
                read => read,
            },
            #[cfg(feature = "lzip")]
            Self::Lzip(decoder) => decoder.read(buffer),
            Self::Compress(decoder) => decoder.read(buffer),
            Self::None(stream) => stream.read(buffer),
        }
    }
}

/// Returns the window size in bytes of a member of an lzip file, from the size byte of its header.
#[cfg(feature = "lzip")]
fn lzip_window_size(size: u8) -> u64 {
    let base = 1_u64 << (size & 0x1F);
    base - base / 16 * u64::from(size >> 5)
}

/// A reader for unpacked data, up to the limit. Errors of the decoder become [`Refusal`]s.
///
/// ```
/// use std::io::Read;
/// use urlsift_archive::unpack::{Compression, Decompressed, Limits};
/// // Archives pass through as they are, within the limits.
/// let mut stream: Decompressed<_> = Limits::default().decompress(Compression::Tar, &b"abc"[..], None)?;
/// let mut text = String::new();
/// stream.read_to_string(&mut text)?;
/// assert_eq!(text, "abc");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Decompressed<R: Read> {
    decoder: Decoder<R>,
    limits: Limits,
    len: Option<u64>,
    consumed: Arc<AtomicU64>,
    returned: u64,
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let compressed = self.len.unwrap_or_else(|| self.consumed.load(Ordering::Relaxed));
        let limit = self.limits.expand.max_len(compressed);
        let left = usize::try_from(limit.saturating_sub(self.returned)).unwrap_or(usize::MAX);
        if left == 0 && !buffer.is_empty() {
            // The limit is exceeded only if there is more data.
            return match self.decoder.read(&mut [0]) {
                Ok(0) => Ok(0),
                _ => Err(Refusal::TooBig(limit).into()),
            };
        }
        let max_len = buffer.len().min(left);
        let read =
            self.decoder.read(&mut buffer[..max_len]).map_err(|e| self.limits.into_refusal(e))?;
        self.returned += read as u64;
        Ok(read)
    }
}

/// A reader for the contents of an archive's member: see [`Limits::member_reader`].
#[cfg(feature = "zip")]
pub(super) struct Member<'b, R> {
    contents: R,
    limits: Limits,
    len: u64,
    spent: &'b AtomicU64,
}

#[cfg(feature = "zip")]
impl<R: Read> Read for Member<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let limit = self.limits.expand.max_len(self.len);
        let read = self.contents.read(buffer).map_err(|error| self.limits.into_refusal(error))?;
        let spent = self.spent.fetch_add(read as u64, Ordering::Relaxed) + read as u64;
        if spent > limit { Err(Refusal::TooBig(limit).into()) } else { Ok(read) }
    }
}

impl Limits {
    /// Converts a decoder's error to a [`Refusal`]. Returns the error itself if it is a `Refusal`
    /// or an interrupted read.
    fn into_refusal(self, error: io::Error) -> io::Error {
        if Refusal::from_error(&error).is_some() {
            return error;
        }
        let text = error.to_string();
        // zstd reports a window that is too large only in the message.
        if is_memory_limit(&error) || text.contains("too much memory") {
            return Refusal::TooWide(self.window).into();
        }
        match error.kind() {
            io::ErrorKind::Interrupted => error,
            io::ErrorKind::UnexpectedEof => Refusal::EndsEarly.into(),
            _ => Refusal::Damaged(text).into(),
        }
    }
}

/// True if the xz decoder needs more memory than is allowed.
#[cfg(feature = "xz")]
fn is_memory_limit(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    matches!(inner, Some(liblzma::stream::Error::MemLimit))
}

#[cfg(not(feature = "xz"))]
fn is_memory_limit(_: &io::Error) -> bool {
    false
}

#[cfg(test)]
#[cfg(feature = "unpack")]
mod tests {
    use super::*;
    use crate::unpack::compression::detect_compression;
    use crate::unpack::dot_z::tests::compress;
    use crate::unpack::limits::Expansion;
    use std::io::Write;

    const TEXT: &[u8] = b"see http://host.dom/a and more of it\n";

    fn limits(expand: Expansion) -> Limits {
        Limits { expand, window: 128 << 20 }
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    }

    fn read(limits: Limits, packed: Vec<u8>) -> (Vec<u8>, Option<Refusal>) {
        let kind = detect_compression(&packed).unwrap();
        let len = packed.len() as u64;
        let mut out = Vec::new();
        let mut stream = match limits.decompress(kind, Cursor::new(packed), Some(len)) {
            Ok(stream) => stream,
            Err(error) => return (out, Refusal::from_error(&error).cloned()),
        };
        let error = stream.read_to_end(&mut out).err();
        (out, error.map(|error| Refusal::from_error(&error).unwrap().clone()))
    }

    #[test]
    fn concatenated_streams_of_all_kinds_are_read() {
        let bzip2 = || {
            let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            out.write_all(TEXT).unwrap();
            out.finish().unwrap()
        };
        let xz = || {
            let mut out = liblzma::write::XzEncoder::new(Vec::new(), 1);
            out.write_all(TEXT).unwrap();
            out.finish().unwrap()
        };
        let zstd = || zstd::encode_all(TEXT, 1).unwrap();
        let lz4 = || {
            let mut out = lz4_flex::frame::FrameEncoder::new(Vec::new());
            out.write_all(TEXT).unwrap();
            out.finish().unwrap()
        };
        let lzip = || {
            let mut out =
                lzma_rust2::LzipWriter::new(Vec::new(), lzma_rust2::LzipOptions::default());
            out.write_all(TEXT).unwrap();
            out.finish().unwrap()
        };
        for one in [gzip(TEXT), bzip2(), xz(), zstd(), lz4(), lzip()] {
            let (out, error) = read(limits(Expansion::Unlimited), [one.clone(), one].concat());
            assert_eq!(error, None);
            assert_eq!(out, [TEXT, TEXT].concat());
        }
    }

    #[test]
    fn compress_output_is_read() {
        let (out, error) = read(limits(Expansion::Unlimited), compress(TEXT, 16));
        assert_eq!((&out[..], error), (TEXT, None));
    }

    #[test]
    fn bombs_are_refused() {
        let bomb = gzip(&vec![b'a'; 1 << 20]);
        let (out, error) = read(limits(Expansion::Bytes(1000)), bomb.clone());
        assert_eq!(out.len(), 1000);
        assert_eq!(error, Some(Refusal::TooBig(1000)));
        let (out, error) = read(limits(Expansion::Bytes(1 << 20)), bomb);
        assert_eq!((out.len(), error), (1 << 20, None));
    }

    #[test]
    fn truncated_streams_give_their_start() {
        let mut packed = gzip(&TEXT.repeat(1000));
        packed.truncate(packed.len() / 2);
        let (out, error) = read(limits(Expansion::Unlimited), packed);
        assert!(out.starts_with(TEXT));
        assert_eq!(error, Some(Refusal::EndsEarly));
    }

    #[test]
    fn wide_windows_are_refused() {
        let narrow = Limits { expand: Expansion::Unlimited, window: 1 << 20 };
        let mut out = zstd::Encoder::new(Vec::new(), 1).unwrap();
        out.window_log(25).unwrap();
        out.long_distance_matching(true).unwrap();
        out.write_all(&vec![b'x'; 40 << 20]).unwrap();
        let packed = out.finish().unwrap();
        let (_, error) = read(narrow, packed.clone());
        assert_eq!(error, Some(Refusal::TooWide(1 << 20)));
        assert_eq!(read(limits(Expansion::Unlimited), packed).1, None);

        let mut options = liblzma::stream::LzmaOptions::new_preset(0).unwrap();
        options.dict_size(8 << 20);
        let mut filters = liblzma::stream::Filters::new();
        filters.lzma2(&options);
        let (_, error) = read(narrow, [&b"LZIP\x01\x1D"[..], &[0; 40]].concat());
        assert_eq!(error, Some(Refusal::TooWide(1 << 20)));
        let stream =
            liblzma::stream::Stream::new_stream_encoder(&filters, liblzma::stream::Check::None)
                .unwrap();
        let mut out = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
        out.write_all(TEXT).unwrap();
        let (_, error) = read(narrow, out.finish().unwrap());
        assert_eq!(error, Some(Refusal::TooWide(1 << 20)));
    }

    #[test]
    fn text_is_not_detected_as_packed() {
        for text in [&b"BZh means nothing"[..], b"PK", b"", b"\x1f\x8b"] {
            assert_eq!(detect_compression(text), None);
        }
    }
}
