//! Reads an input from a file, stream or memory, compressed or not, and reports its records.

mod cut;
mod range;
mod stream;

pub use cut::{CutUnit, Cuts, cut, unpack, unpack_to};
#[cfg(feature = "spool")]
pub use range::spool;
pub use stream::{MAIL_PIECE, Opened, UnitSlice, UnitStream, container};

use crate::LineStart;
use crate::buffer::Buffer;
use crate::record::FileName;
use crate::scan::{Scan, Scanned, Sink};
use range::{FromPlace, Reader, Seekable, SeekableInput};
use std::cell::RefCell;
use std::fmt;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;
use urlsift_archive::unpack::{
    Compression, Limits, ReadSeek, Trouble, compression, unread, visit_members,
};
use urlsift_archive::{Head, Reading};

/// The maximum nesting depth of archives.
const DEPTH: usize = 4;

/// An input for [`Scan::read`], compressed or not.
///
/// ```
/// use urlsift_archive::Reading;
/// use urlsift_archive::unpack::{Expansion, Limits};
/// use urlsift_records::{Input, Options, Scan};
/// let mut limits = Limits::default();
/// limits.expand = Expansion::Bytes(1 << 30);
/// let socket = std::io::Cursor::new("At http://host.dom/ and more");
/// let input = Input::stream("-", socket).reading(Reading::Text).limits(limits);
/// let mut found = Vec::new();
/// Scan::new(Options::default()).read(input, &mut found)?;
/// assert_eq!(&*found[0].url, b"http://host.dom/");
/// # Ok::<(), urlsift_archive::unpack::Trouble>(())
/// ```
pub struct Input<'i> {
    name: Arc<FileName>,
    source: Source<'i>,
    reading: Option<Reading>,
    limits: Option<Limits>,
}

/// The source of an input's bytes.
enum Source<'i> {
    Bytes(&'i [u8]),
    Stream(Box<dyn Read + 'i>),
    Seekable(Box<dyn ReadSeek + 'i>),
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'i> Input<'i> {
    fn of(path: impl Into<Vec<u8>>, source: Source<'i>) -> Self {
        let name = Arc::new(FileName::new(path));
        Self { name, source, reading: None, limits: None }
    }

    /// Creates an input from bytes in memory. `path` appears in records, and its extension is used
    /// to detect the format.
    pub fn bytes(path: impl Into<Vec<u8>>, bytes: &'i [u8]) -> Self {
        Self::of(path, Source::Bytes(bytes))
    }

    /// Creates an input from a stream that can be read only once, such as a pipe or socket. Zip
    /// archives are read from the start, without their directory.
    pub fn stream(path: impl Into<Vec<u8>>, stream: impl Read + 'i) -> Self {
        Self::of(path, Source::Stream(Box::new(stream)))
    }

    /// Creates an input from a file or another seekable source, which is read from its start.
    pub fn file(path: impl Into<Vec<u8>>, file: impl ReadSeek + 'i) -> Self {
        Self::of(path, Source::Seekable(Box::new(file)))
    }

    /// Sets the format of the input, instead of [`Options::reading`](crate::Options::reading).
    #[must_use]
    pub fn reading(self, reading: Reading) -> Self {
        Self { reading: Some(reading), ..self }
    }

    /// Sets the limits for compressed input, instead of
    /// [`Options::limits`](crate::Options::limits).
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits: Some(limits), ..self }
    }
}

impl Scan {
    /// Scans one input and passes its records to `sink` in order. The records are those that the
    /// command prints for the same file.
    ///
    /// Compressed input is decompressed, and all members of archives are read, including nested
    /// archives. Each compression format needs the feature of the same name; the feature `unpack`
    /// enables all.
    ///
    /// Memory is bounded by [`Limits`] and by 64 MiB, the maximum length of a message or page that
    /// is kept in memory. Longer ones are read in pieces, directly from bytes in memory and from
    /// uncompressed files. Longer ones from streams are first copied to a temporary file (feature
    /// `spool`). Without this feature, they are read as raw text, except messages of a mailbox,
    /// which are kept in memory.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use urlsift_records::{Input, Options, Scan};
    ///
    /// # let path = std::env::temp_dir().join(format!("urlsift-{}.txt", std::process::id()));
    /// # std::fs::write(&path, "At http://host.dom/a and more")?;
    /// # let path = path.to_str().unwrap();
    /// let mut records = Vec::new();
    /// let file = std::fs::File::open(path)?;
    /// let scanned = Scan::new(Options::default()).read(Input::file(path, file), &mut records)?;
    ///
    /// assert_eq!(scanned.tally.urls, 1);
    /// assert_eq!(&*records[0].url, b"http://host.dom/a");
    /// # std::fs::remove_file(path)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error that [`Sink::trouble`] did not accept. The sink has received all
    /// URLs before it.
    pub fn read(&self, input: Input<'_>, sink: &mut impl Sink) -> Result<Scanned, Trouble> {
        let Input { name, source, reading, limits } = input;
        let reading = reading.unwrap_or(self.options.reading);
        let limits = limits.unwrap_or(self.options.limits);
        let mut reader = Reader::new(self, reading, limits, sink);
        // The result of `end` includes whether the sink ended the scan.
        let _ = reader.source(&name, source);
        reader.end()
    }

    /// Scans the members of an archive: see [`visit_members`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Scan::read`].
    #[doc(hidden)]
    pub fn read_members(
        &self,
        kind: Compression,
        (stream, file): (&mut dyn Read, Option<&mut dyn ReadSeek>),
        name: &Arc<FileName>,
        (reading, limits): (Reading, Limits),
        sink: &mut impl Sink,
    ) -> Result<Scanned, Trouble> {
        let mut reader = Reader::new(self, reading, limits, sink);
        let _ = reader.members(kind, stream, file, name, DEPTH);
        reader.end()
    }
}

impl<S: Sink> Reader<'_, S> {
    /// Reads an input from its source.
    fn source(&mut self, name: &Arc<FileName>, source: Source<'_>) -> ControlFlow<()> {
        match source {
            Source::Bytes(bytes) if compression(bytes).is_none() => {
                if let Some(text) = unread(bytes) {
                    self.trouble(name, Trouble::Unread(text))?;
                }
                let slice = UnitSlice::whole(bytes.len());
                let container = container(name, Head::of(bytes), self.reading);
                let container = container.with_options(self.scan.archive());
                self.unit(name, container, bytes, slice, LineStart::default()).map_continue(|_| ())
            }
            Source::Bytes(bytes) => self.seekable(name, Box::new(Cursor::new(bytes))),
            Source::Seekable(file) => self.seekable(name, file),
            Source::Stream(stream) => self.stream(name, stream, None, None),
        }
    }

    /// Reads a seekable source.
    fn seekable(
        &mut self,
        name: &Arc<FileName>,
        mut file: Box<dyn ReadSeek + '_>,
    ) -> ControlFlow<()> {
        let mut look = || {
            let len = file.seek(io::SeekFrom::End(0))?;
            file.rewind()?;
            let mut head = Vec::new();
            file.as_mut().take(512).read_to_end(&mut head)?;
            file.rewind()?;
            Ok((len, compression(&head)))
        };
        match look() {
            Ok((_, Some(Compression::Zip))) => {
                self.members(Compression::Zip, &mut io::empty(), Some(&mut file), name, DEPTH)
            }
            Ok((len, Some(_))) => self.stream(name, Box::new(file), Some(len), None),
            Ok((end, None)) => {
                let source = RefCell::new(Seekable::new(file, 0));
                let stream = Box::new(FromPlace::new(&source, 0..u64::MAX));
                self.stream(name, stream, None, Some(SeekableInput { source: &source, end }))
            }
            Err(error) => self.trouble(name, Trouble::Read(error)),
        }
    }

    /// Reads a stream, which can be compressed or an archive. `seekable_input` is given if the same
    /// bytes can also be read at any offset.
    fn stream(
        &mut self,
        name: &Arc<FileName>,
        stream: Box<dyn Read + '_>,
        len: Option<u64>,
        seekable_input: Option<SeekableInput<'_, '_>>,
    ) -> ControlFlow<()> {
        let mut stream = UnitStream::new(stream, Buffer::default());
        if let Some(text) = unread(stream.head()) {
            self.trouble(name, Trouble::Unread(text))?;
        }
        self.unpacked(name, stream, len, DEPTH + 1, seekable_input)
    }

    /// Reads the members of an archive, one after another. `depth` is the number of nested archives
    /// still allowed.
    fn members(
        &mut self,
        kind: Compression,
        stream: &mut dyn Read,
        file: Option<&mut dyn ReadSeek>,
        name: &Arc<FileName>,
        depth: usize,
    ) -> ControlFlow<()> {
        let mut flow = Continue(());
        let visited = visit_members(kind, stream, file, self.limits, &mut |member, contents| {
            let member = Arc::new(name.of_member(member));
            flow = match contents {
                Ok(_) if depth == 0 => self.trouble(&member, Trouble::TooDeep(DEPTH)),
                Ok(contents) => {
                    let stream = Box::new(contents) as Box<dyn Read + '_>;
                    let stream = UnitStream::new(stream, Buffer::default());
                    self.unpacked(&member, stream, None, depth, None)
                }
                Err(trouble) => self.trouble(&member, trouble),
            };
            flow
        });
        flow?;
        match visited {
            Ok(()) => Continue(()),
            Err(trouble) => self.trouble(name, trouble),
        }
    }

    /// Decompresses a stream and reads its contents.
    fn unpacked(
        &mut self,
        name: &Arc<FileName>,
        stream: UnitStream<Box<dyn Read + '_>>,
        len: Option<u64>,
        depth: usize,
        seekable_input: Option<SeekableInput<'_, '_>>,
    ) -> ControlFlow<()> {
        let mut stream = match stream.open(self.limits, len, |decoded| Box::new(decoded)) {
            Ok(Opened::Text(stream)) => stream,
            Ok(Opened::Archive(kind, mut stream)) => {
                return self.members(kind, &mut stream, None, name, depth - 1);
            }
            Err(error) => return self.trouble(name, Trouble::Read(error)),
        };
        let container = stream.container(name, self.reading).with_options(self.scan.archive());
        self.units(name, stream, container, (0, LineStart::default()), seekable_input)
    }
}
