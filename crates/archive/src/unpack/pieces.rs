//! Reads a compressed file piece by piece, and records the offset of each piece.

use super::compression::Compression;
use super::limits::{Limits, Refusal};
use std::fmt;
use std::io::{self, BufRead as _, BufReader, Read};

/// The start of a piece of a compressed file. A piece is a gzip member (in a bgzf file, each block)
/// or a zstd frame.
///
/// ```
/// use std::io::Read;
/// use urlsift_archive::unpack::{Limits, PieceStart, Pieces};
/// let mut pieces = Pieces::new(&b"not packed"[..], None, Limits::default());
/// pieces.read_to_end(&mut Vec::new())?;
/// assert!(pieces.piece_starts().iter().all(|start| *start == PieceStart::default()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PieceStart {
    /// The offset of the piece in the compressed file.
    pub raw: u64,
    /// The offset of the piece in the unpacked data.
    pub text: u64,
}

/// A reader that unpacks a gzip or zstd file and records where the pieces of the file start. Each
/// piece can be unpacked without the earlier pieces. Uncompressed files are read unchanged, as one
/// piece.
///
/// ```
/// # #[cfg(feature = "gz")] {
/// use std::io::Read;
/// use urlsift_archive::unpack::{Compression, Limits, Pieces};
/// // The output of `gzip` for empty input, twice.
/// let packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0".repeat(2);
/// let mut pieces = Pieces::new(&packed[..], Some(Compression::Gzip), Limits::default());
/// pieces.read_to_end(&mut Vec::new()).unwrap();
/// let starts: Vec<_> = pieces.piece_starts().iter().map(|start| start.raw).collect();
/// assert_eq!(starts, [0, 20]);
/// let read = pieces.lengths_so_far();
/// assert_eq!((read.raw, read.text), (40, 0));
/// # }
/// ```
pub struct Pieces<R: Read> {
    state: State<R>,
    limits: Limits,
    kind: Option<Compression>,
    starts: Vec<PieceStart>,
    /// The number of bytes that were unpacked.
    text: u64,
}

/// A stream that counts the bytes read.
struct CountingReader<R> {
    stream: R,
    read: u64,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}

type Source<R> = BufReader<CountingReader<R>>;

/// The current state of the reader: between two pieces, inside one, or after an error.
enum State<R: Read> {
    /// Between two pieces, or in a file that is not packed.
    Between(Source<R>),
    #[cfg(feature = "gz")]
    Gzip(Box<flate2::bufread::GzDecoder<Source<R>>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::stream::read::Decoder<'static, Source<R>>>),
    /// After an error.
    Broken,
}

impl<R: Read> fmt::Debug for Pieces<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pieces").field("starts", &self.starts).finish_non_exhaustive()
    }
}

/// Returns the number of bytes consumed from a source, without those that are only in its buffer.
fn consumed_len<R>(source: &Source<R>) -> u64 {
    source.get_ref().read - source.buffer().len() as u64
}

impl<R: Read> Pieces<R> {
    /// Returns a reader for a file that is packed as `kind`. Pass `None` for an uncompressed file.
    pub fn new(stream: R, kind: Option<Compression>, limits: Limits) -> Self {
        let state =
            State::Between(BufReader::with_capacity(64 << 10, CountingReader { stream, read: 0 }));
        Self { state, limits, kind, starts: Vec::new(), text: 0 }
    }

    /// Returns the starts of the pieces read so far, in order.
    pub fn piece_starts(&self) -> &[PieceStart] {
        &self.starts
    }

    /// Returns how many bytes of the compressed file, and how many bytes of unpacked data, were
    /// read so far. At the end, these are the lengths of both. After an error, the first number is
    /// 0.
    pub fn lengths_so_far(&self) -> PieceStart {
        let raw = match &self.state {
            State::Between(source) => consumed_len(source),
            #[cfg(feature = "gz")]
            State::Gzip(decoder) => consumed_len(decoder.get_ref()),
            #[cfg(feature = "zstd")]
            State::Zstd(decoder) => consumed_len(decoder.get_ref()),
            State::Broken => 0,
        };
        PieceStart { raw, text: self.text }
    }

    /// Records the start of the next piece, and returns the state in which its decoder reads from
    /// `source`.
    fn begin_piece(&mut self, source: Source<R>) -> io::Result<State<R>> {
        self.starts.push(PieceStart { raw: consumed_len(&source), text: self.text });
        match self.kind {
            #[cfg(feature = "gz")]
            Some(Compression::Gzip) => {
                Ok(State::Gzip(Box::new(flate2::bufread::GzDecoder::new(source))))
            }
            #[cfg(feature = "zstd")]
            Some(Compression::Zstd) => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(source)?.single_frame();
                decoder.window_log_max(self.limits.window.max(1).ilog2().clamp(10, 31))?;
                Ok(State::Zstd(Box::new(decoder)))
            }
            Some(kind) => Err(Refusal::NotBuilt(kind).into()),
            None => Ok(State::Between(source)),
        }
    }
}

impl<R: Read> Read for Pieces<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let (read, state) = match std::mem::replace(&mut self.state, State::Broken) {
                State::Between(mut source) if self.kind.is_none() && !self.starts.is_empty() => {
                    let read = source.read(buffer)?;
                    self.text += read as u64;
                    self.state = State::Between(source);
                    return Ok(read);
                }
                State::Between(mut source) => {
                    if source.fill_buf()?.is_empty() {
                        self.state = State::Between(source);
                        return Ok(0);
                    }
                    self.state = self.begin_piece(source)?;
                    continue;
                }
                #[cfg(feature = "gz")]
                State::Gzip(mut decoder) => (decoder.read(buffer)?, State::Gzip(decoder)),
                #[cfg(feature = "zstd")]
                State::Zstd(mut decoder) => (decoder.read(buffer)?, State::Zstd(decoder)),
                State::Broken => return Ok(0),
            };
            self.text += read as u64;
            if read > 0 || buffer.is_empty() {
                self.state = state;
                return Ok(read);
            }
            self.state = State::Between(match state {
                #[cfg(feature = "gz")]
                State::Gzip(decoder) => decoder.into_inner(),
                #[cfg(feature = "zstd")]
                State::Zstd(decoder) => decoder.finish(),
                State::Between(source) => source,
                State::Broken => return Ok(0),
            });
        }
    }
}
