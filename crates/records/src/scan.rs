//! What a scan is made of: the scanner, the settings, and who takes what is found.

use crate::record::{FileName, Message, Tally, UrlRecord};
use crate::sender::{PUBLIC_KEY, SenderHasher};
use crate::{Detail, LineStart, Options};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;
use urlsift_archive::unpack::Trouble;
use urlsift_archive::{self as archive, Encoding};
use urlsift_scanner::{Candidate, Form, Input, Scanner};

/// Takes what is found.
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
    /// Takes a record, in the order of the file. `Break` ends the scan of the unit.
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()>;

    /// Takes a valid URL of which nothing but its bytes is wanted: only with [`Detail::Plain`], and not for all URLs.
    fn plain(&mut self, found: &Candidate<'_>) -> ControlFlow<()> {
        let _ = found;
        Continue(())
    }

    /// Takes the raw bytes of a file, each once, from `at` on, behind the records that start in them: for who shows lines.
    fn bytes(&mut self, file: &Arc<FileName>, at: u64, bytes: &[u8]) {
        let _ = (file, at, bytes);
    }

    /// Whether the last `Break` of [`Sink::record`] ended no more than the file or member at hand: [`Scan::read`] goes on
    /// with the archive's next member. By default it ends all.
    fn leaves_file(&self) -> bool {
        false
    }

    /// Takes what was counted in a unit of what [`Scan::read`] reads; `last` says that it is the file's or member's last
    /// that is read.
    /// `Break` ends the reading.
    fn scanned(&mut self, file: &Arc<FileName>, scanned: &Scanned, last: bool) -> ControlFlow<()> {
        let _ = (file, scanned, last);
        Continue(())
    }

    /// Takes what [`Scan::read`] could not read of a file or member, or not as what it was meant to be, so that it goes on
    /// behind that.
    ///
    /// # Errors
    ///
    /// The trouble, where it is not taken: that ends the reading. So it is by default.
    fn trouble(&mut self, file: &Arc<FileName>, trouble: Trouble) -> Result<(), Trouble> {
        let _ = file;
        Err(trouble)
    }

    /// Takes a message that the filters let pass, also one without URLs, and how many were reported in it, those in
    /// messages within it not counted: only with [`Options::tell_messages`]. It comes behind the records of
    /// the message, and a message within another behind that one; its `part` is then the part that holds it, else empty.
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

/// A scanner and the settings of a scan. Built once, shared between threads.
///
/// ```
/// use urlsift_records::{Input, Options, Scan};
/// let mut options = Options::default();
/// options.set("scheme", "ftp")?;
/// let scan = Scan::new(options);
/// // One scan for any number of inputs, and threads.
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
    /// Whether nothing but the bytes of valid URLs is wanted.
    pub(crate) is_plain: bool,
}

/// What came of a unit.
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
    /// Where in the file the unit starts.
    pub start: u64,
    /// What was counted: bytes, messages and URLs.
    pub tally: Tally,
    /// What is known of lines where the unit ends.
    pub lines: LineStart,
    /// Whether the sink ended the scan.
    pub stopped: bool,
}

impl Scan {
    /// A scan with these settings. Costs as much as building a [`Scanner`].
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

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The scanner that reads the texts.
    pub fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// The bounds within which messages are taken apart.
    pub fn archive(&self) -> &archive::Options {
        &self.archive
    }

    /// A text that stands as it is in a file, in the charset that was asked for.
    pub(crate) fn input<'t>(&self, text: &'t [u8]) -> Input<'t> {
        let charset = self.archive.encoding.and_then(Encoding::in_place).unwrap_or_default();
        Input::new(text).charset(charset)
    }
}
