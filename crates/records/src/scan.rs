//! A scan: its scanner and settings, the sink for its results, and the result for each unit.

use crate::record::{FileName, Message, Tally, UrlRecord};
use crate::sender::{PUBLIC_KEY, SenderHasher};
use crate::{Detail, LineStart, Options};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;
use urlsift_archive::unpack::Trouble;
use urlsift_archive::{self as archive, Encoding};
use urlsift_scanner::{Candidate, Form, Input, Scanner};

/// A consumer of the results of a scan.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use urlsift_archive::unpack::Trouble;
/// use urlsift_records::{FileName, Input, Options, Scan, Sink, UrlRecord};
///
/// #[derive(Default)]
/// struct Hosts(Vec<String>, usize);
/// impl Sink for Hosts {
///     fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
///         self.0.extend(record.host.as_deref().map(|host| String::from_utf8_lossy(host).into_owned()));
///         ControlFlow::Continue(())
///     }
///
///     fn trouble(&mut self, _: &Arc<FileName>, _: Trouble) -> Result<(), Trouble> {
///         self.1 += 1;
///         Ok(())
///     }
/// }
/// let mut hosts = Hosts::default();
/// Scan::new(Options::default()).read(Input::bytes("a.txt", b"http://a.dom/ ftp://b.dom/"), &mut hosts)?;
/// assert_eq!((hosts.0, hosts.1), (vec!["a.dom".to_owned(), "b.dom".to_owned()], 0));
/// # Ok::<(), Trouble>(())
/// ```
pub trait Sink {
    /// Receives a record. Records come in the order of the file. `Break` ends the scan of the unit.
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()>;

    /// Receives a valid URL without a record. This is called only with [`Detail::Plain`]; some URLs
    /// are passed to [`Sink::record`] even then. `Break` ends the scan of the unit.
    ///
    /// By default, the URL is ignored.
    fn plain(&mut self, found: &Candidate<'_>) -> ControlFlow<()> {
        let _ = found;
        Continue(())
    }

    /// Receives the raw bytes of a file from offset `at`, for sinks that print lines. Each byte is
    /// passed once, after the records that start in these bytes. By default, they are ignored.
    fn bytes(&mut self, file: &Arc<FileName>, at: u64, bytes: &[u8]) {
        let _ = (file, at, bytes);
    }

    /// True if the last `Break` of [`Sink::record`] ends only the current file or archive member,
    /// so that [`Scan::read`] continues with the next member. By default false: it ends the
    /// reading.
    fn leaves_file(&self) -> bool {
        false
    }

    /// Receives the result of each unit that [`Scan::read`] reads. `last` is true for the last unit
    /// read of a file or archive member. `Break` ends the reading. By default, it is ignored.
    fn scanned(&mut self, file: &Arc<FileName>, scanned: &Scanned, last: bool) -> ControlFlow<()> {
        let _ = (file, scanned, last);
        Continue(())
    }

    /// Receives the error for a part of a file or archive member that [`Scan::read`] can't read, or
    /// can't read in the expected format. If this returns `Ok`, reading continues after that part.
    ///
    /// # Errors
    ///
    /// Returning an error ends the reading. By default, this returns `trouble`.
    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        let _ = file;
        Err(trouble)
    }

    /// Receives a message that passed the filters, even if it has no URLs. This is called only with
    /// [`Options::tell_messages`], after the records of the message. By default, it is ignored.
    ///
    /// `urls` is the number of URLs reported in the message, without those in nested messages. A
    /// nested message comes after the one that contains it. Its `part` is the part that contains
    /// it; for other messages `part` is empty.
    fn message(&mut self, file: &Arc<FileName>, message: &Message, urls: u64) {
        let _ = (file, message, urls);
    }
}

impl Sink for Vec<UrlRecord<'static>> {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.push(record.clone().into_owned());
        Continue(())
    }
}

/// A scanner and the settings of a scan. Build it once and share it between threads.
///
/// ```
/// use urlsift_records::{Input, Options, Scan};
/// let mut options = Options::default();
/// options.set("scheme", "ftp")?;
/// let scan = Scan::new(options);
/// // A scan can read any number of inputs, also on several threads.
/// let count = |text: &str| {
///     let mut found = Vec::new();
///     scan.read(Input::bytes("a.txt", text.as_bytes()), &mut found).map(|_| found.len())
/// };
/// assert_eq!(count("http://a.dom/ ftp://b.dom/").unwrap(), 1);
/// # Ok::<(), urlsift_records::BadOption>(())
/// ```
#[derive(Debug)]
pub struct Scan {
    pub(crate) options: Options,
    pub(crate) scanner: Scanner,
    pub(crate) archive: archive::Options,
    pub(crate) senders: SenderHasher,
    /// True if only the bytes of valid URLs are needed.
    pub(crate) is_plain: bool,
}

/// The result of scanning a unit.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Scan, Unit};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"one\nhttp://host.dom/\n");
/// let scanned = Scan::new(Options::default())
///     .unit(bytes, &Unit::whole(&file, bytes, Reading::Auto), &mut Vec::new());
/// assert_eq!((scanned.tally.urls, scanned.lines.breaks, scanned.stopped), (1, 2, false));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scanned {
    /// The byte offset in the file where the unit starts.
    pub start: u64,
    /// The numbers of bytes, messages and URLs.
    pub tally: Tally,
    /// The number of line breaks before the end of the unit, and the start of its last line.
    pub lines: LineStart,
    /// True if the sink ended the scan.
    pub stopped: bool,
}

impl Scan {
    /// Creates a scan with these settings. This builds a [`Scanner`], which is the main cost.
    pub fn new(options: Options) -> Self {
        let mut builder = Scanner::builder()
            .profile(options.profile)
            .rejoin(options.rejoin)
            .schemeless(options.finds(Form::Schemeless))
            .locators(options.finds(Form::Locator))
            .emails(options.finds(Form::Email))
            .hosts(options.finds(Form::Host));
        for name in &options.schemes {
            builder = builder.scheme(name);
        }
        let mut archive = archive::Options::default();
        archive.headers = options.headers;
        archive.web_records = options.web_records;
        archive.bases = options.finds(Form::Relative);
        archive.encoding = options.encoding;
        archive.starts = options.tell_messages;
        archive.refang = options.refang;
        let is_plain = options.detail == Detail::Plain
            && options.wants_all_valid()
            && options.hides().is_none();
        let senders = SenderHasher::new(options.hash_key.as_deref().unwrap_or(PUBLIC_KEY));
        Self { options, scanner: builder.build(), archive, senders, is_plain }
    }

    /// Returns the settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the scanner for texts.
    pub fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// Returns the settings for reading messages and archives.
    pub fn archive(&self) -> &archive::Options {
        &self.archive
    }

    /// Returns the scanner input for text that is scanned without decoding, with the charset from
    /// the settings.
    pub(crate) fn input<'t>(&self, text: &'t [u8]) -> Input<'t> {
        let charset = self.archive.encoding.and_then(Encoding::in_place).unwrap_or_default();
        Input::new(text).charset(charset)
    }
}
