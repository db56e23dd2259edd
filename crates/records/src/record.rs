//! The records as values.

use crate::fields::{Field, limits, skipped, summary};
use std::borrow::Cow;
use std::sync::Arc;
use urlsift_archive::{Layer, Limit, LimitCounts};
use urlsift_core::{FileSpan, Profile, Report};
use urlsift_scanner::{Form, Grade, JoinKind};

pub use crate::message::{Message, Page};
pub use crate::place::Place;
pub use crate::quoted::Quoted;

/// The file that records come from.
///
/// ```
/// use urlsift_records::FileName;
/// let file = FileName::new("mail/1994.zip").of_member(b"dec/1.eml");
/// assert_eq!((&*file.path, file.last()), (&b"mail/1994.zip"[..], Some(&b"1.eml"[..])));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileName {
    /// The path as the system gives it; any bytes.
    pub path: Vec<u8>,
    /// The member, if the file is a member of an archive. For nested archives, the members joined
    /// by `!/`, outermost first.
    pub member: Option<Vec<u8>>,
}

impl FileName {
    /// Creates a name from the path of a file.
    ///
    /// ```
    /// use urlsift_records::FileName;
    /// let page = FileName::new("a.zip").of_member(b"b.tar").of_member(b"c.html");
    /// assert_eq!(page.member.as_deref(), Some(&b"b.tar!/c.html"[..]));
    /// ```
    pub fn new(path: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), member: None }
    }

    /// Returns the name of a member of this archive.
    #[must_use]
    pub fn of_member(&self, member: &[u8]) -> Self {
        let member = match &self.member {
            Some(outer) => [outer, &b"!/"[..], member].concat(),
            None => member.to_vec(),
        };
        Self { path: self.path.clone(), member: Some(member) }
    }
}

/// Bytes of layout that were dropped from a URL.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Unit, collect};
/// use urlsift_scanner::JoinKind;
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"<URL:http://host.dom/\n a>");
/// let found = collect(bytes, &Unit::whole(&file, bytes, Reading::Auto), &Options::default());
/// let join = found[0].joins[0];
/// assert_eq!((join.span.start, join.span.end, join.kind), (21, 23, JoinKind::Wrapper));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Join {
    /// The position of the dropped bytes in the file.
    pub span: FileSpan,
    /// The evidence that they are layout.
    pub kind: JoinKind,
    /// How certain this is.
    pub grade: Grade,
}

/// The record of one URL in a file.
///
/// Borrows from the text that contains the URL, from the scan's buffers and from the file's name;
/// [`UrlRecord::into_owned`] returns an independent copy. [`Detail`](crate::Detail) decides which
/// fields are computed; [`fields`](crate::fields) documents each field.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Unit, collect};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"At HTTP://host.dom:80/ there.");
/// let found = collect(bytes, &Unit::whole(&file, bytes, Reading::Auto), &Options::default());
/// let record = &found[0];
/// assert_eq!((&*record.url, record.span.start), (&b"HTTP://host.dom:80/"[..], 3));
/// assert_eq!((record.line, record.column), (Some(1), Some(4)));
/// assert!(record.is_valid() && record.violations().next().is_none());
/// assert!(record.findings().any(|finding| finding.code.name() == "port.default"));
/// assert_eq!(record.readings().count(), 1);
/// assert_eq!(record.normalized.as_deref(), Some(&b"http://host.dom/"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UrlRecord<'a> {
    /// The file.
    pub file: Cow<'a, Arc<FileName>>,
    /// The URL without layout.
    pub url: Cow<'a, [u8]>,
    /// For a relative link ([`Form::Relative`]), the URL that it resolves to. The other fields then
    /// describe that URL.
    pub resolved: Option<Cow<'a, [u8]>>,
    /// The position in the file, from the first byte of the URL to its last, including line breaks
    /// between.
    pub span: FileSpan,
    /// Its line, from 1.
    pub line: Option<u64>,
    /// Its column in bytes, from 1.
    pub column: Option<u64>,
    /// How the URL is written in the text.
    pub form: Form,
    /// Its scheme, in lower case.
    pub scheme: Option<Cow<'a, str>>,
    /// Its host as written, if it is valid.
    pub host: Option<Cow<'a, [u8]>>,
    /// Its fragment without the `#`, if it is valid.
    pub fragment: Option<Cow<'a, [u8]>>,
    /// The rules it was judged by.
    pub profile: Profile,
    /// Its violations and findings. Spans are within the URL, or within `resolved`.
    pub reports: Cow<'a, [Report]>,
    /// The layout that was dropped, ordered by position.
    pub joins: Cow<'a, [Join]>,
    /// Its readings but the first, which is `url`.
    pub other_readings: Cow<'a, [Vec<u8>]>,
    /// The number of quote marks before its line.
    pub quote_depth: u32,
    /// True if the URL was cut at the maximum length.
    pub truncated: bool,
    /// The encodings to undo to see the URL in the file, outermost first.
    pub decoded: Cow<'a, [Layer]>,
    /// True if `span` contains more than the URL.
    pub approximate: bool,
    /// The HTML element and attribute that contain the URL.
    pub html: Option<Cow<'a, str>>,
    /// The normal form, if [`Options::normalized`](crate::Options::normalized) or
    /// [`Detail::Full`](crate::Detail::Full) is set.
    pub normalized: Option<Cow<'a, [u8]>>,
    /// The registered domain of the host, if requested.
    pub domain: Option<Cow<'a, str>>,
    /// The last label of the host, in lower case, if requested.
    pub tld: Option<Cow<'a, str>>,
    /// The port as written, if requested.
    pub port: Option<u16>,
    /// The URL before a gateway rewrote it, if requested.
    pub target: Option<Vec<u8>>,
    /// The part of its message or page that contains the URL.
    pub place: Place,
    /// The name of the header field that contains the URL.
    pub header_name: Option<Cow<'a, [u8]>>,
    /// The message that contains the URL.
    pub message: Option<Cow<'a, Arc<Message>>>,
    /// The record of a web archive that contains the URL.
    pub page: Option<Cow<'a, Arc<Page>>>,
    /// The line that contains the URL, if requested. It is meant for people, so no format has a
    /// field for it.
    pub quoted: Option<Box<Quoted<'a>>>,
}

impl UrlRecord<'_> {
    /// Returns the violations.
    pub fn violations(&self) -> impl Iterator<Item = &Report> + Clone {
        self.reports.iter().filter(|report| report.is_violation())
    }

    /// Returns the findings about the URL.
    pub fn findings(&self) -> impl Iterator<Item = &Report> + Clone {
        self.reports.iter().filter(|report| !report.is_violation())
    }

    /// True if the URL is valid in the profile.
    pub fn is_valid(&self) -> bool {
        self.violations().next().is_none()
    }

    /// Returns the URL to follow: the resolved URL for a relative link, otherwise the URL as
    /// written.
    pub fn absolute(&self) -> &[u8] {
        self.resolved.as_deref().unwrap_or(&self.url)
    }

    /// Returns the readings of the hyphens at line breaks, the preferred one first.
    pub fn readings(&self) -> impl Iterator<Item = &[u8]> + Clone {
        std::iter::once(&*self.url).chain(self.other_readings.iter().map(Vec::as_slice))
    }

    /// Returns a copy that borrows nothing. File name and message are shared, not copied.
    pub fn into_owned(self) -> UrlRecord<'static> {
        fn owned<T: ToOwned + ?Sized>(value: Cow<'_, T>) -> Cow<'static, T> {
            Cow::Owned(value.into_owned())
        }
        UrlRecord {
            file: owned(self.file),
            url: owned(self.url),
            resolved: self.resolved.map(owned),
            span: self.span,
            line: self.line,
            column: self.column,
            form: self.form,
            scheme: self.scheme.map(owned),
            host: self.host.map(owned),
            fragment: self.fragment.map(owned),
            profile: self.profile,
            reports: owned(self.reports),
            joins: owned(self.joins),
            other_readings: owned(self.other_readings),
            quote_depth: self.quote_depth,
            truncated: self.truncated,
            decoded: owned(self.decoded),
            approximate: self.approximate,
            html: self.html.map(owned),
            normalized: self.normalized.map(owned),
            domain: self.domain.map(owned),
            tld: self.tld.map(owned),
            port: self.port,
            target: self.target,
            place: self.place,
            header_name: self.header_name.map(owned),
            message: self.message.map(owned),
            page: self.page.map(owned),
            quoted: self.quoted.map(|quoted| Box::new(quoted.into_owned())),
        }
    }
}

/// The counts of a scan: the numbers of the summary record.
///
/// ```
/// use urlsift_records::{Input, Options, Scan};
/// let mut found = Vec::new();
/// let input = Input::bytes("a.txt", b"http://host.dom/ http://b..dom/");
/// let tally = Scan::new(Options::default()).read(input, &mut found)?.tally;
/// assert_eq!((tally.urls, tally.malformed, tally.bytes), (1, 1, 31));
/// assert_eq!(tally.counts()[3].0.name, "urls");
/// # Ok::<(), urlsift_archive::unpack::Trouble>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Files that were opened, or were to be.
    pub files: u64,
    /// Bytes that were read, after decompression.
    pub bytes: u64,
    /// Messages and articles, those within other messages not counted.
    pub messages: u64,
    /// URLs that were reported.
    pub urls: u64,
    /// Candidates that the profile does not accept, reported or not.
    pub malformed: u64,
    /// Errors.
    pub errors: u64,
    /// Reported URLs that were cut at the greatest length.
    pub truncated: u64,
    /// The number of messages without a readable date, if dates are filtered.
    pub undated: u64,
    /// How often each limit on reading was reached.
    pub limits: LimitCounts,
    /// The files and directories that were skipped.
    pub skipped: Skipped,
}

impl Tally {
    /// Returns the counts that every summary has, with their fields, in order.
    pub fn counts(&self) -> [(&'static Field, u64); 7] {
        [
            (&summary::FILES, self.files),
            (&summary::BYTES, self.bytes),
            (&summary::MESSAGES, self.messages),
            (&summary::URLS, self.urls),
            (&summary::MALFORMED, self.malformed),
            (&summary::ERRORS, self.errors),
            (&summary::TRUNCATED, self.truncated),
        ]
    }

    /// Returns the limits that were reached, those of [`Tally::truncated`] among them, each with its field.
    pub fn limits(&self) -> impl Iterator<Item = (Limit, &'static Field, u64)> {
        let mut limits = self.limits;
        limits.add(Limit::Url, self.truncated);
        limits.reached().filter_map(|(limit, count)| Some((limit, limit_field(limit)?, count)))
    }

    /// Returns the counts that a summary contains only if they are not 0, from [`Tally::counts`].
    pub fn rare_counts(&self) -> impl Iterator<Item = (&'static Field, u64)> {
        let cut_pages = self.limits.get(Limit::Page);
        let counts = [(&summary::UNDATED, self.undated), (&summary::CUT_PAGES, cut_pages)];
        counts.into_iter().filter(|(_, number)| *number > 0)
    }
}

/// Returns the field of a summary that counts how often a limit was reached.
pub fn limit_field(limit: Limit) -> Option<&'static Field> {
    limits::ALL.iter().find(|field| field.name == limit.name())
}

/// The numbers of skipped files and directories, by reason.
///
/// ```
/// use urlsift_records::Skipped;
/// let mut skipped = Skipped::default();
/// skipped.hidden = 2;
/// assert_eq!(skipped.counts()[0], ("hidden", 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Their names start with a dot.
    pub hidden: u64,
    /// Skipped because of an ignore file.
    pub ignored: u64,
    /// Excluded by globs or types.
    pub unmatched: u64,
    /// They are neither regular files nor directories, or links that are not followed.
    pub special: u64,
    /// Larger than the maximum file size.
    pub size: u64,
    /// Skipped because the output is written to them.
    pub output: u64,
}

impl Skipped {
    /// Returns the counts with their descriptions for people, in display order.
    pub fn counts(mut self) -> [(&'static str, u64); 6] {
        self.reasons().map(|(_, words, number)| (words, *number))
    }

    /// Returns the counts with their fields and descriptions for people.
    pub(crate) fn reasons(&mut self) -> [(&'static Field, &'static str, &mut u64); 6] {
        [
            (&skipped::HIDDEN, "hidden", &mut self.hidden),
            (&skipped::IGNORED, "ignored", &mut self.ignored),
            (&skipped::UNMATCHED, "unmatched", &mut self.unmatched),
            (&skipped::SPECIAL, "special", &mut self.special),
            (&skipped::SIZE, "too long", &mut self.size),
            (&skipped::OUTPUT, "output", &mut self.output),
        ]
    }
}

impl std::ops::AddAssign for Skipped {
    fn add_assign(&mut self, other: Self) {
        for ((_, _, sum), (_, number)) in self.reasons().into_iter().zip(other.counts()) {
            *sum += number;
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.messages += other.messages;
        self.urls += other.urls;
        self.malformed += other.malformed;
        self.errors += other.errors;
        self.truncated += other.truncated;
        self.undated += other.undated;
        self.limits += other.limits;
        self.skipped += other.skipped;
    }
}
