//! One input, whatever it is packed in, as records.

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
use range::{AtHand, FromPlace, Reader, Seekable};
use std::cell::RefCell;
use std::fmt;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;
use urlsift_archive::unpack::{
    Compression, Limits, ReadSeek, Trouble, compression, unread, visit_members,
};
use urlsift_archive::{Head, Reading};

/// How deep archives may lie within archives.
const DEPTH: usize = 4;

/// A file, whatever it is packed in, for [`Scan::read`].
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

    /// Bytes at hand. The path stands in the records, and its ending may tell what they are.
    pub fn bytes(path: impl Into<Vec<u8>>, bytes: &'i [u8]) -> Self {
        Self::of(path, Source::Bytes(bytes))
    }

    /// What comes once, from front to end: a pipe, a socket. A zip archive is read without its directory.
    pub fn stream(path: impl Into<Vec<u8>>, stream: impl Read + 'i) -> Self {
        Self::of(path, Source::Stream(Box::new(stream)))
    }

    /// A file, or what else can be read at any place; it is read from its start.
    pub fn file(path: impl Into<Vec<u8>>, file: impl ReadSeek + 'i) -> Self {
        Self::of(path, Source::Seekable(Box::new(file)))
    }

    /// Sets the format that it is read as, in place of [`Options::reading`](crate::Options::reading).
    #[must_use]
    pub fn reading(self, reading: Reading) -> Self {
        Self { reading: Some(reading), ..self }
    }

    /// Sets how far it may expand, in place of [`Options::limits`](crate::Options::limits).
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits: Some(limits), ..self }
    }
}

impl Scan {
    /// The records of one input, in its order: compression is taken off, and of archives all members are read, also of
    /// archives within them. They are those of the command for the same file. Of packed kinds those are read of which the
    /// feature of the same name is on, with `unpack` all.
    ///
    /// Memory is bounded by 64 MiB, which the longest message or page that is held whole may have, and [`Limits`]. A longer one is read
    /// piece by piece: in bytes and a file that is not packed, where it stands; from what comes once, with the feature `spool`
    /// from a temporary file, and without it as the raw text it is, unless it is one of a mailbox, which is held whole.
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
    /// What cannot be read, unless the sink takes that ([`Sink::trouble`]) to go on behind it. The sink has what was found
    /// before.
    pub fn read(&self, input: Input<'_>, sink: &mut impl Sink) -> Result<Scanned, Trouble> {
        let Input { name, source, reading, limits } = input;
        let reading = reading.unwrap_or(self.options.reading);
        let limits = limits.unwrap_or(self.options.limits);
        let mut reader = Reader::new(self, reading, limits, sink);
        // Whether the sink ended it is told in what was counted.
        let _ = reader.source(&name, source);
        reader.end()
    }

    /// The records of an archive's members: see [`visit_members`].
    ///
    /// # Errors
    ///
    /// As [`Scan::read`].
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
    fn source(&mut self, name: &Arc<FileName>, source: Source<'_>) -> ControlFlow<()> {
        match source {
            Source::Bytes(bytes) if compression(bytes).is_none() => {
                if let Some(text) = unread(bytes) {
                    self.trouble(name, Trouble::Unread(text))?;
                }
                let slice = UnitSlice::whole(bytes.len());
                let container = container(name, Head::of(bytes), self.reading);
                let container = container.by(self.scan.archive());
                self.unit(name, container, bytes, slice, LineStart::default()).map_continue(|_| ())
            }
            Source::Bytes(bytes) => self.seekable(name, Box::new(Cursor::new(bytes))),
            Source::Seekable(file) => self.seekable(name, file),
            Source::Stream(stream) => self.stream(name, stream, None, None),
        }
    }

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
                self.stream(name, stream, None, Some(AtHand { source: &source, end }))
            }
            Err(error) => self.trouble(name, Trouble::Read(error)),
        }
    }

    /// Reads what comes from front to end, and may be an archive.
    fn stream(
        &mut self,
        name: &Arc<FileName>,
        stream: Box<dyn Read + '_>,
        len: Option<u64>,
        at_hand: Option<AtHand<'_, '_>>,
    ) -> ControlFlow<()> {
        let mut stream = UnitStream::new(stream, Buffer::default());
        if let Some(text) = unread(stream.head()) {
            self.trouble(name, Trouble::Unread(text))?;
        }
        self.unpacked(name, stream, len, DEPTH + 1, at_hand)
    }

    /// Reads the members of an archive, one after the other.
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

    /// Takes off compression, and reads what is below it from front to end.
    fn unpacked(
        &mut self,
        name: &Arc<FileName>,
        stream: UnitStream<Box<dyn Read + '_>>,
        len: Option<u64>,
        depth: usize,
        at_hand: Option<AtHand<'_, '_>>,
    ) -> ControlFlow<()> {
        let mut stream = match stream.open(self.limits, len, |decoded| Box::new(decoded)) {
            Ok(Opened::Text(stream)) => stream,
            Ok(Opened::Archive(kind, mut stream)) => {
                return self.members(kind, &mut stream, None, name, depth - 1);
            }
            Err(error) => return self.trouble(name, Trouble::Read(error)),
        };
        let container = stream.container(name, self.reading).by(self.scan.archive());
        self.units(name, stream, container, (0, LineStart::default()), at_hand)
    }
}
