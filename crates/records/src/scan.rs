//! Defines a scan (scanner and settings), the sink that receives its results, and the result for
//! each unit.

use crate::attachment::attachment_date;
use crate::record::{FileName, Message, Tally, UrlRecord};
use crate::sender::{PUBLIC_KEY, SenderHasher};
use crate::{Detail, LineStart, Options, Unwrap, With};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;
use urlsift_archive::unpack::Trouble;
use urlsift_archive::{self as archive, Encoding};
use urlsift_core::Charset;
use urlsift_scanner::{Candidate, Form, Input, Scanner};

/// The receiver of the results of a scan. Implement this trait to process records while they are
/// found.
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
/// Scan::new(Options::default()).read(Input::from_bytes("a.txt", b"http://a.dom/ ftp://b.dom/"), &mut hosts)?;
/// assert_eq!((hosts.0, hosts.1), (vec!["a.dom".to_owned(), "b.dom".to_owned()], 0));
/// # Ok::<(), Trouble>(())
/// ```
pub trait Sink {
    /// Receives the record of a URL. Records arrive in the order of the file. Returning `Break`
    /// ends the scan of the unit.
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()>;

    /// Receives a valid URL for which no record is made. This is called only with
    /// [`Detail::Plain`]. Even then, some URLs are passed to [`Sink::record`] instead. Returning
    /// `Break` ends the scan of the unit.
    ///
    /// By default, the URL is ignored.
    fn plain_url(&mut self, found: &Candidate<'_>) -> ControlFlow<()> {
        let _ = found;
        Continue(())
    }

    /// Receives raw bytes of a file, which start at file offset `at`. Implement this in sinks that
    /// print lines. Each byte is passed once, after the records of the URLs that start in these
    /// bytes.
    ///
    /// By default, the bytes are ignored.
    fn raw_bytes(&mut self, file: &Arc<FileName>, at: u64, bytes: &[u8]) {
        let _ = (file, at, bytes);
    }

    /// Decides how much of the scan ends after [`Sink::record`] has returned `Break`. If this
    /// returns true, only the current file or archive member ends, and [`Scan::read`] continues
    /// with the next member. If it returns false, which is the default, [`Scan::read`] ends.
    fn ends_file_after_break(&self) -> bool {
        false
    }

    /// Receives the result of scanning one unit. [`Scan::read`] calls this after each unit. `last`
    /// is true for the last unit of a file or archive member. Returning `Break` ends the reading.
    ///
    /// By default, the result is ignored.
    fn unit_scanned(
        &mut self,
        file: &Arc<FileName>,
        scanned: &Scanned,
        last: bool,
    ) -> ControlFlow<()> {
        let _ = (file, scanned, last);
        Continue(())
    }

    /// Receives the error for a part of a file or archive member that [`Scan::read`] can't read, or
    /// can't read in the expected format. If this returns `Ok`, reading continues after that part.
    ///
    /// # Errors
    ///
    /// Returns the error that [`Scan::read`] is to return. By default, this is `trouble`.
    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        let _ = file;
        Err(trouble)
    }

    /// Receives a message that passed the filters, even if it contains no URLs. This is called only
    /// if [`Options::report_messages`] is set, after the records of the message. By default, the
    /// message is ignored.
    ///
    /// `urls` is the number of URLs reported in the message, without those in nested messages.
    /// Nested messages come after the message that contains them. The `part` of a nested message is
    /// the part that contains the message; for other messages, `part` is empty.
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

/// A scanner for files, with the settings of a scan. Create one and share it between threads.
///
/// ```
/// use urlsift_records::{Input, Options, Scan};
/// let mut options = Options::default();
/// options.set("scheme", "ftp")?;
/// let scan = Scan::new(options);
/// // A scan can read any number of inputs, also on several threads.
/// let count = |text: &str| {
///     let mut found = Vec::new();
///     scan.read(Input::from_bytes("a.txt", text.as_bytes()), &mut found).map(|_| found.len())
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
    /// True if only the bytes of valid URLs are needed, so that no records are built.
    pub(crate) is_plain: bool,
}

/// The result of scanning a unit: the counts, and the line start after the unit.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Scan, Unit};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"one\nhttp://host.dom/\n");
/// let scanned = Scan::new(Options::default())
///     .scan_unit(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &mut Vec::new());
/// assert_eq!((scanned.tally.urls, scanned.lines.breaks, scanned.stopped), (1, 2, false));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scanned {
    /// The byte offset in the file where the unit starts.
    pub start: u64,
    /// The numbers of bytes, messages and URLs in the unit.
    pub tally: Tally,
    /// The line start at the end of the unit, to number the lines of the next unit.
    pub lines: LineStart,
    /// True if the sink ended the scan.
    pub stopped: bool,
}

impl Scan {
    /// Creates a scan with these settings. This takes time, since it builds a [`Scanner`]; so
    /// create a scan once and use it for many files.
    pub fn new(options: Options) -> Self {
        let mut builder = Scanner::builder()
            .profile(options.profile)
            .rejoin(options.rejoin)
            .schemeless(options.finds_form(Form::Schemeless))
            .locators(options.finds_form(Form::Locator))
            .emails(options.finds_form(Form::Email))
            .hosts(options.finds_form(Form::Host));
        for name in &options.schemes {
            builder = builder.scheme(name);
        }
        let mut archive = archive::Options::default();
        archive.headers = options.headers;
        archive.web_records = options.web_records;
        archive.bases = options.finds_form(Form::Relative);
        archive.encoding = options.encoding;
        archive.link_texts = options.with.contains(&With::LinkText);
        archive.json_fields = options.json_fields;
        archive.starts = options.report_messages;
        archive.refang = options.refang;
        let is_plain = options.detail == Detail::Plain
            && options.selects_exactly_valid()
            && options.unwrap != Unwrap::Replace
            && options.hidden_secrets().is_none();
        let senders = SenderHasher::new(options.hash_key.as_deref().unwrap_or(PUBLIC_KEY));
        Self { options, scanner: builder.build(), archive, senders, is_plain }
    }

    /// Returns the settings of the scan.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the scanner of the scan, for searching texts directly.
    pub fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// Returns the settings for decoding messages and archives, derived from the scan's settings.
    pub fn decoding_options(&self) -> &archive::Options {
        &self.archive
    }

    /// Returns the settings for decoding `file`.
    pub(crate) fn decoding_options_for(&self, file: &FileName) -> archive::Options {
        let mut options = self.archive;
        options.attachment_date = attachment_date(file);
        options
    }

    /// Returns the input for the scanner for a text that needs no decoding. The settings of the
    /// scan determine its charset.
    pub(crate) fn scanner_input<'t>(&self, text: &'t [u8], dialect: archive::Dialect) -> Input<'t> {
        Input::new(text).charset(self.charset()).labels(dialect.has_url_labels())
    }

    /// Returns the charset that determines the meaning of bytes above 0x7F in a text that needs no
    /// decoding.
    pub(crate) fn charset(&self) -> Charset {
        self.archive.encoding.map(Encoding::charset_if_undecoded).unwrap_or_default()
    }
}
