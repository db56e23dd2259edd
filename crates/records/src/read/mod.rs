//! Reads an input from a file, stream or memory, compressed or not, and reports its records.

mod cut;
mod file_range;
mod source;
mod stream;
mod unit_scanner;

pub use cut::{CutUnit, Cuts, cut_into_units, decompress_unit, decompress_unit_to};
pub use file_range::{can_split, line_start_after, range_with_context, unit_end};
pub use source::{BoxedRead, ReadOptions, TakenUnit, UnitSource};
pub use stream::{MAIL_PIECE, Opened, UnitSlice, UnitStream, detect_container};
pub use unit_scanner::UnitScanner;

use crate::LineStart;
use crate::buffer::{BUFFER, Buffer};
use crate::options::Options;
use crate::read_at::{NoFile, Seekable};
use crate::record::FileName;
use crate::scan::{Scan, Scanned, Sink};
use crate::units::RangeUnit;
use std::fmt;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use urlsift_archive::unpack::{Limits, ReadSeek, Trouble, detect_compression, detect_unreadable};
use urlsift_archive::{Head, Reading};

/// An input for [`Scan::read`]: bytes, a stream or a file, compressed or not.
///
/// ```
/// use urlsift_archive::Reading;
/// use urlsift_archive::unpack::{Expansion, Limits};
/// use urlsift_records::{Input, Options, Scan};
/// let mut limits = Limits::default();
/// limits.expand = Expansion::Bytes(1 << 30);
/// let socket = std::io::Cursor::new("At http://host.dom/ and more");
/// let input = Input::from_stream("-", socket).with_reading(Reading::Text).with_limits(limits);
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

/// The source from which the bytes of an input are read.
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
    fn with_source(path: impl Into<Vec<u8>>, source: Source<'i>) -> Self {
        let name = Arc::new(FileName::new(path));
        Self { name, source, reading: None, limits: None }
    }

    /// Creates an input from bytes in memory. `path` is the name of the input in records. The
    /// format is detected from its extension and from the bytes.
    pub fn from_bytes(path: impl Into<Vec<u8>>, bytes: &'i [u8]) -> Self {
        Self::with_source(path, Source::Bytes(bytes))
    }

    /// Creates an input from a stream that can be read only once, such as a pipe or socket. `path`
    /// is the name of the input in records. Zip archives are read from their start, without using
    /// the directory at their end.
    pub fn from_stream(path: impl Into<Vec<u8>>, stream: impl Read + 'i) -> Self {
        Self::with_source(path, Source::Stream(Box::new(stream)))
    }

    /// Creates an input from a file or another seekable source, which is read from its start.
    /// `path` is the name of the input in records.
    pub fn from_file(path: impl Into<Vec<u8>>, file: impl ReadSeek + 'i) -> Self {
        Self::with_source(path, Source::Seekable(Box::new(file)))
    }

    /// Sets the format of the input. By default, [`Options::reading`](crate::Options::reading)
    /// applies, which is usually automatic detection.
    #[must_use]
    pub fn with_reading(self, reading: Reading) -> Self {
        Self { reading: Some(reading), ..self }
    }

    /// Sets the limits for decompressing the input. By default, they are those in
    /// [`Options::limits`](crate::Options::limits).
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
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
    /// let scanned = Scan::new(Options::default()).read(Input::from_file(path, file), &mut records)?;
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
        let options = ReadOptions {
            reading: reading.unwrap_or(self.options.reading),
            limits: limits.unwrap_or(self.options.limits),
        };
        let mut buffer = Buffer::default();
        let mut scanner = UnitScanner::new(self, &mut buffer, sink);
        // The result also says if the sink ended the scan.
        let _ = scanner.scan_input(&name, source, options);
        scanner.finish()
    }

    /// Scans a unit of a file, of any length. The file offset of the first byte of `source` is
    /// `base`. The source must also contain the context of a unit in plain text.
    ///
    /// At most one message or page of up to 64 MiB is kept in memory, or a piece of a longer one or
    /// of a text. Messages and pages longer than 64 MiB are read three times.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Scan::read`].
    pub fn read_range(
        &self,
        unit: &RangeUnit<'_>,
        (source, base): (impl ReadSeek, u64),
        sink: &mut impl Sink,
    ) -> Result<Scanned, Trouble> {
        let RangeUnit { file, container, ref range, lines } = *unit;
        let Options { reading, limits, .. } = self.options;
        let source = (Seekable::new(source, base), range.clone());
        let (known, options) = ((container, lines), ReadOptions { reading, limits });
        let source =
            UnitSource::<Box<dyn Read + '_>, _>::from_range(file, source, known, (self, options));
        let mut buffer = Buffer::default();
        let mut scanner = UnitScanner::new(self, &mut buffer, sink);
        let _ = scanner.scan_source(source);
        scanner.finish()
    }
}

impl<S: Sink> UnitScanner<'_, S> {
    fn scan_input(
        &mut self,
        name: &Arc<FileName>,
        source: Source<'_>,
        options: ReadOptions,
    ) -> ControlFlow<()> {
        match source {
            Source::Bytes(bytes) if detect_compression(bytes).is_none() => {
                if let Some(reason) = detect_unreadable(name.last_component(), bytes) {
                    self.pass_trouble_to_sink(name, Trouble::Unread(reason))?;
                }
                let container = detect_container(name, Head::of(bytes), options.reading);
                let container = container.adapt_to_options(self.scan.decoding_options());
                let slice = UnitSlice::whole_file(bytes.len());
                self.scan_bytes(name, container, bytes, slice, LineStart::default())
                    .map_continue(|_| ())
            }
            Source::Bytes(bytes) => self.scan_file(name, io::Cursor::new(bytes), options),
            Source::Seekable(file) => self.scan_file(name, file, options),
            Source::Stream(stream) => {
                let stream = UnitStream::new(stream, Buffer::default());
                self.scan_source(UnitSource::<_, NoFile>::from_stream(name, stream, options))
            }
        }
    }

    fn scan_file(
        &mut self,
        name: &Arc<FileName>,
        mut file: impl ReadSeek,
        options: ReadOptions,
    ) -> ControlFlow<()> {
        let len = file.seek(io::SeekFrom::End(0));
        let mut file = Seekable::new(file, 0);
        let mut head = Buffer::default();
        let len = len.and_then(|len| head.read_at(&mut file, 0, BUFFER).map(|_| len));
        let len = match len {
            Ok(len) => len,
            Err(error) => return self.pass_trouble_to_sink(name, Trouble::Read(error)),
        };
        let with = (self.scan, options);
        let source =
            UnitSource::<Box<dyn Read + '_>, _>::from_file(name, (file, len), &mut head, with);
        self.scan_source(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::UrlRecord;
    use crate::units::Unit;

    /// Reads the input in several ways, and returns the URLs found by each. The lists should be
    /// equal.
    fn urls(scan: &Scan, name: &str, bytes: &[u8]) -> Vec<Vec<String>> {
        let mut all: Vec<Vec<UrlRecord<'static>>> = vec![Vec::new(); 5];
        let file = Arc::new(FileName::new(name));
        let stream = io::Cursor::new(bytes);
        scan.read(Input::from_stream(name, stream.clone()), &mut all[0]).unwrap();
        scan.read(Input::from_file(name, stream.clone()), &mut all[1]).unwrap();
        scan.read(Input::from_bytes(name, bytes), &mut all[2]).unwrap();
        let container = detect_container(&file, Head::of(bytes), Reading::Auto);
        let container = container.adapt_to_options(scan.decoding_options());
        let (range, lines) = (0..bytes.len() as u64, LineStart::default());
        let unit = RangeUnit { file: &file, container, range, lines };
        scan.read_range(&unit, (stream, 0), &mut all[3]).unwrap();
        scan.scan_unit(bytes, &Unit::new(&file, container, 0..bytes.len()), &mut all[4]);
        let text = |record: &UrlRecord<'_>| String::from_utf8_lossy(&record.url).into_owned();
        all.iter().map(|records| records.iter().map(text).collect()).collect()
    }

    #[test]
    fn markup_that_is_too_long_is_read_as_text_everywhere() {
        let text = b"[a](http://a.dom/x.) and [b](http://b.dom/y\\_.)\n";
        let mut scan = Scan::new(Options::default());
        for (max_message, expected) in [
            (text.len(), ["http://a.dom/x.", "http://b.dom/y_."]),
            (text.len() - 1, ["http://a.dom/x", "http://b.dom/y"]),
        ] {
            scan.archive.max_message = max_message;
            for found in urls(&scan, "a.md", text) {
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn letters_in_the_given_charset_belong_to_the_url() {
        for (encoding, letter) in
            [("latin1", '\u{e4}'), ("koi8-r", '\u{414}'), ("windows-1251", '\u{434}')]
        {
            let mut options = Options::default();
            options.set("encoding", encoding).unwrap();
            let scan = Scan::new(options);
            for (name, text) in [
                ("a.txt", &b"\xE4 http://h.dom/f\xE4lle \xE4\n"[..]),
                ("a.md", b"\xE4 [\xE4](http://h.dom/f\xE4lle) \xE4\n"),
                ("a.eml", b"Subject: x\n\n\xE4 http://h.dom/f\xE4lle \xE4\n"),
                ("a.html", b"<p>\xE4 <a href='http://h.dom/f\xE4lle'>\xE4</a>\n"),
            ] {
                for found in urls(&scan, name, text) {
                    assert_eq!(found, [format!("http://h.dom/f{letter}lle")], "{name}");
                }
            }
        }
    }
}
