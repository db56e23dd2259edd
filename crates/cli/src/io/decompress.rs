//! Compressed files, told by their first bytes and read as streams.
//!
//! Archives are strangers' data: a small file may expand without end, or ask for a window of
//! gigabytes. Both are refused with an error that names the option to allow them; what was read
//! before is kept.

use super::uncompress::Uncompress;
use crate::args::{Expansion, ReadArgs, Size};
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use liblzma::read::XzDecoder;
use lz4_flex::frame::FrameDecoder;
use lzma_rust2::LzipReader;
use std::error::Error;
use std::fmt;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A stream that may go from thread to thread.
pub(crate) type Stream = Box<dyn Read + Send>;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    /// RFC 1952, of any number of members.
    Gzip,
    /// bzip2, of any number of streams.
    Bzip2,
    /// xz, of any number of streams.
    Xz,
    /// RFC 8878, of any number of frames.
    Zstd,
    /// lz4, of any number of frames.
    Lz4,
    /// lzip, of any number of members.
    Lzip,
    /// `compress` of Unix.
    Compress,
    /// An archive of members, each compressed or not.
    Zip,
    /// An archive of members, not compressed.
    Tar,
}

/// How the file is packed whose first bytes are `head`: at least 512 of them, or all.
pub(crate) fn compression(head: &[u8]) -> Option<Compression> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    if starts(b"\x1f\x8b\x08") {
        Some(Compression::Gzip)
    } else if starts(b"BZh")
        && head.get(3).is_some_and(|level| (b'1'..=b'9').contains(level))
        && matches!(head.get(4..10), Some(b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90"))
    {
        Some(Compression::Bzip2)
    } else if starts(b"\xfd7zXZ\0") {
        Some(Compression::Xz)
    } else if starts(b"\x28\xb5\x2f\xfd") {
        Some(Compression::Zstd)
    } else if starts(b"\x04\x22\x4d\x18") || starts(b"\x02\x21\x4c\x18") {
        Some(Compression::Lz4)
    } else if starts(b"LZIP\x01") {
        Some(Compression::Lzip)
    } else if starts(b"\x1f\x9d")
        && head.get(2).is_some_and(|flags| (9..=16).contains(&(flags & 0x1F)))
    {
        Some(Compression::Compress)
    } else if starts(b"PK\x03\x04") {
        Some(Compression::Zip)
    } else if head.get(257..262) == Some(b"ustar") {
        Some(Compression::Tar)
    } else {
        None
    }
}

/// What a file is whose text is packed in a way that is not read, and what to do, by its first bytes.
pub(crate) fn unread(head: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 4] = [
        (
            b"7z\xBC\xAF\x27\x1C",
            "it is a 7-Zip archive, and only what is not packed in it was scanned; unpack it first (7z x)",
        ),
        (
            b"Rar!\x1A\x07",
            "it is a RAR archive, and only what is not packed in it was scanned; unpack it first (unrar x)",
        ),
        (
            b"%PDF-",
            "it is a PDF file, and only what is not packed in it was scanned; convert it first (pdftotext)",
        ),
        (
            b"PACK\0\0\0\x02",
            "it is a pack of git's, and only what is not packed in it was scanned; scan the repository's files, or a public-inbox as `scan PATH.git`",
        ),
    ];
    KINDS.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, text)| text)
}

/// How far to go along with a compressed file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(super) expand: Expansion,
    pub(super) window: Size,
}

impl From<&ReadArgs> for Limits {
    fn from(args: &ReadArgs) -> Self {
        Self { expand: args.max_expand, window: args.max_window }
    }
}

impl Limits {
    /// The unpacked contents of a compressed stream, which is not [`Compression::Zip`] or
    /// [`Compression::Tar`]. `len` is its compressed length if that is known.
    ///
    /// # Errors
    ///
    /// When a decoder cannot be made. What is wrong with the data shows when it is read.
    pub(crate) fn decompress<R: Read>(
        self,
        kind: Compression,
        stream: R,
        len: Option<u64>,
    ) -> io::Result<Decompressed<R>> {
        let consumed = Arc::new(AtomicU64::new(0));
        let counted = Counted { stream, consumed: Arc::clone(&consumed) };
        let decoder = match kind {
            Compression::Gzip => Decoder::Gzip(Box::new(MultiGzDecoder::new(counted))),
            Compression::Bzip2 => Decoder::Bzip2(Box::new(MultiBzDecoder::new(counted))),
            Compression::Xz => {
                // The decoder needs a little beside the window.
                let memory = self.window.0.saturating_add(1 << 20);
                let flags = liblzma::stream::CONCATENATED;
                let stream = liblzma::stream::Stream::new_stream_decoder(memory, flags)?;
                Decoder::Xz(Box::new(XzDecoder::new_stream(counted, stream)))
            }
            Compression::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(counted)?;
                decoder.window_log_max(self.window.0.max(1).ilog2().clamp(10, 31))?;
                Decoder::Zstd(Box::new(decoder))
            }
            Compression::Lz4 => Decoder::Lz4(Box::new(FrameDecoder::new(counted))),
            Compression::Lzip => {
                let mut counted = counted;
                let mut header = Vec::new();
                counted.by_ref().take(6).read_to_end(&mut header)?;
                if header.last().is_some_and(|&size| lzip_window(size) > self.window.0) {
                    return Err(self.too_wide());
                }
                Decoder::Lzip(Box::new(LzipReader::new(Cursor::new(header).chain(counted))))
            }
            Compression::Compress => {
                Decoder::Compress(Box::new(Uncompress::new(BufReader::new(counted))?))
            }
            Compression::Zip | Compression::Tar => Decoder::None(counted),
        };
        Ok(Decompressed { decoder, limits: self, len, consumed, given: 0 })
    }

    /// The contents of an archive's member, of all of which at most what is left of `budget` is
    /// read. `len` is the archive's length.
    pub(crate) fn member<R: Read>(self, member: R, len: u64, budget: &AtomicU64) -> Member<'_, R> {
        Member { contents: member, limits: self, len, spent: budget }
    }
}

/// Why a stream is not read on: complete sentences for people.
#[derive(Debug)]
pub(crate) struct Refusal(String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Refusal {}

/// An error with a text that says all there is to say.
pub(crate) fn refusal(text: String) -> io::Error {
    io::Error::other(Refusal(text))
}

fn too_big(limit: u64) -> io::Error {
    refusal(format!(
        "expands beyond {}; what came before was scanned; allow more with --max-expand",
        Size(limit)
    ))
}

/// Counts what a decoder has taken.
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

/// A stream with the bytes before it that were looked at.
type Pushed<R> = Chain<Cursor<Vec<u8>>, Counted<R>>;

enum Decoder<R: Read> {
    Gzip(Box<MultiGzDecoder<Counted<R>>>),
    Bzip2(Box<MultiBzDecoder<Counted<R>>>),
    Xz(Box<XzDecoder<Counted<R>>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, BufReader<Counted<R>>>>),
    Lz4(Box<FrameDecoder<Counted<R>>>),
    Lzip(Box<LzipReader<Pushed<R>>>),
    Compress(Box<Uncompress<BufReader<Counted<R>>>>),
    None(Counted<R>),
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Gzip(decoder) => decoder.read(buffer),
            Self::Bzip2(decoder) => decoder.read(buffer),
            Self::Xz(decoder) => decoder.read(buffer),
            Self::Zstd(decoder) => decoder.read(buffer),
            // A frame's end is told like that of all of them.
            Self::Lz4(decoder) => match decoder.read(buffer) {
                Ok(0) => decoder.read(buffer),
                read => read,
            },
            Self::Lzip(decoder) => decoder.read(buffer),
            Self::Compress(decoder) => decoder.read(buffer),
            Self::None(stream) => stream.read(buffer),
        }
    }
}

/// The window that a member of an lzip file asks for, by the byte of its header.
fn lzip_window(size: u8) -> u64 {
    let base = 1_u64 << (size & 0x1F);
    base - base / 16 * u64::from(size >> 5)
}

/// What a decoder gives, up to the limit, with its errors in words.
pub(crate) struct Decompressed<R: Read> {
    decoder: Decoder<R>,
    limits: Limits,
    len: Option<u64>,
    consumed: Arc<AtomicU64>,
    given: u64,
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let compressed = self.len.unwrap_or_else(|| self.consumed.load(Ordering::Relaxed));
        let limit = self.limits.expand.limit(compressed);
        let left = usize::try_from(limit.saturating_sub(self.given)).unwrap_or(usize::MAX);
        if left == 0 && !buffer.is_empty() {
            // Only if there is more is it too much.
            return match self.decoder.read(&mut [0]) {
                Ok(0) => Ok(0),
                _ => Err(too_big(limit)),
            };
        }
        let most = buffer.len().min(left);
        let read = self.decoder.read(&mut buffer[..most]).map_err(|e| self.limits.in_words(e))?;
        self.given += read as u64;
        Ok(read)
    }
}

/// A member of an archive; see [`Limits::member`].
pub(crate) struct Member<'b, R> {
    contents: R,
    limits: Limits,
    len: u64,
    spent: &'b AtomicU64,
}

impl<R: Read> Read for Member<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let limit = self.limits.expand.limit(self.len);
        let read = self.contents.read(buffer).map_err(|error| self.limits.in_words(error))?;
        let spent = self.spent.fetch_add(read as u64, Ordering::Relaxed) + read as u64;
        if spent > limit { Err(too_big(limit)) } else { Ok(read) }
    }
}

impl Limits {
    fn too_wide(self) -> io::Error {
        refusal(format!(
            "needs a window of more than {} to be unpacked; allow it with --max-window",
            self.window
        ))
    }

    /// What a decoder's error means, and what to do.
    fn in_words(self, error: io::Error) -> io::Error {
        if error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<Refusal>) {
            return error;
        }
        let inner =
            error.get_ref().and_then(|inner| inner.downcast_ref::<liblzma::stream::Error>());
        let text = error.to_string();
        // zstd has no other sign of it than its message.
        if matches!(inner, Some(liblzma::stream::Error::MemLimit))
            || text.contains("too much memory")
        {
            return self.too_wide();
        }
        match error.kind() {
            io::ErrorKind::Interrupted => error,
            io::ErrorKind::UnexpectedEof => refusal(
                "the compressed data end early; what came before was scanned; fetch the file again"
                    .to_owned(),
            ),
            _ => refusal(format!(
                "the compressed data are damaged ({text}); what came before was scanned"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::uncompress::tests::compress;
    use std::io::Write;

    const TEXT: &[u8] = b"see http://host.dom/a and more of it\n";

    fn limits(expand: Expansion) -> Limits {
        Limits { expand, window: Size(128 << 20) }
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    }

    fn read(limits: Limits, packed: Vec<u8>) -> (Vec<u8>, Option<String>) {
        let kind = compression(&packed).unwrap();
        let len = packed.len() as u64;
        let mut out = Vec::new();
        let mut stream = match limits.decompress(kind, Cursor::new(packed), Some(len)) {
            Ok(stream) => stream,
            Err(error) => return (out, Some(error.to_string())),
        };
        let error = stream.read_to_end(&mut out).err();
        (out, error.map(|error| error.to_string()))
    }

    #[test]
    fn all_kinds_twice_over() {
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
    fn what_compress_made_is_read() {
        let (out, error) = read(limits(Expansion::Unlimited), compress(TEXT, 16));
        assert_eq!((&out[..], error), (TEXT, None));
    }

    #[test]
    fn bombs_stop() {
        let bomb = gzip(&vec![b'a'; 1 << 20]);
        let (out, error) = read(limits(Expansion::Bytes(1000)), bomb.clone());
        assert_eq!(out.len(), 1000);
        assert!(error.unwrap().contains("--max-expand"));
        let (out, error) = read(limits(Expansion::Bytes(1 << 20)), bomb);
        assert_eq!((out.len(), error), (1 << 20, None));
    }

    #[test]
    fn what_is_cut_off_gives_what_came_before() {
        let mut packed = gzip(&TEXT.repeat(1000));
        packed.truncate(packed.len() / 2);
        let (out, error) = read(limits(Expansion::Unlimited), packed);
        assert!(out.starts_with(TEXT));
        assert!(error.unwrap().contains("end early"));
    }

    #[test]
    fn wide_windows_are_refused() {
        let narrow = Limits { expand: Expansion::Unlimited, window: Size(1 << 20) };
        let mut out = zstd::Encoder::new(Vec::new(), 1).unwrap();
        out.window_log(25).unwrap();
        out.long_distance_matching(true).unwrap();
        out.write_all(&vec![b'x'; 40 << 20]).unwrap();
        let packed = out.finish().unwrap();
        let (_, error) = read(narrow, packed.clone());
        assert!(error.unwrap().contains("--max-window"));
        assert_eq!(read(limits(Expansion::Unlimited), packed).1, None);

        let mut options = liblzma::stream::LzmaOptions::new_preset(0).unwrap();
        options.dict_size(8 << 20);
        let mut filters = liblzma::stream::Filters::new();
        filters.lzma2(&options);
        let (_, error) = read(narrow, [&b"LZIP\x01\x1D"[..], &[0; 40]].concat());
        assert!(error.unwrap().contains("--max-window"));
        let stream =
            liblzma::stream::Stream::new_stream_encoder(&filters, liblzma::stream::Check::None)
                .unwrap();
        let mut out = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
        out.write_all(TEXT).unwrap();
        let (_, error) = read(narrow, out.finish().unwrap());
        assert!(error.unwrap().contains("--max-window"));
    }

    #[test]
    fn prose_is_not_packed() {
        for text in [&b"BZh means nothing"[..], b"PK", b"", b"\x1f\x8b"] {
            assert_eq!(compression(text), None);
        }
    }
}
