//! The data of records: URLs, files, joins and counts.

use crate::fields::{Field, limits, skipped, summary};
use std::borrow::Cow;
use std::sync::Arc;
use urlsift_archive::{Layer, Limit, LimitCounts};
use urlsift_core::{FileSpan, Profile, Report};
use urlsift_scanner::{Form, Grade, JoinEvidenceSet, JoinKind};

pub use crate::message::{Message, Page};
pub use crate::place::Place;
pub use crate::quoted::Quoted;

/// The name of the file in which URLs were found: its path and, for a file in an archive, the name
/// of the archive member.
///
/// ```
/// use urlsift_records::FileName;
/// let file = FileName::new("mail/1994.zip").with_member(b"dec/1.eml");
/// assert_eq!((&*file.path, file.last_component()), (&b"mail/1994.zip"[..], Some(&b"1.eml"[..])));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileName {
    /// The path as the operating system returns it. It can contain any bytes.
    pub path: Vec<u8>,
    /// The archive member, or `None` if the file is not in an archive. In files of Outlook and PDF
    /// files, it is the attachment or the page. In nested archives, the member names are joined by
    /// `!/`, outermost first.
    pub member: Option<Vec<u8>>,
}

impl FileName {
    /// Creates the name of a file on disk, i.e. one that is not an archive member.
    ///
    /// ```
    /// use urlsift_records::FileName;
    /// let page = FileName::new("a.zip").with_member(b"b.tar").with_member(b"c.html");
    /// assert_eq!(page.member.as_deref(), Some(&b"b.tar!/c.html"[..]));
    /// ```
    pub fn new(path: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), member: None }
    }

    /// Returns the name of the member called `member` in this file, which is an archive. If this
    /// file is itself an archive member, the names are joined by `!/`.
    #[must_use]
    pub fn with_member(&self, member: &[u8]) -> Self {
        let member = match &self.member {
            Some(outer) => [outer, &b"!/"[..], member].concat(),
            None => member.to_vec(),
        };
        Self { path: self.path.clone(), member: Some(member) }
    }
}

/// A join in a URL: a line break or other layout in the text that was dropped from the URL.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Unit, collect_records};
/// use urlsift_scanner::JoinKind;
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"<URL:http://host.dom/\n a>");
/// let found = collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &Options::default());
/// let join = found[0].joins[0];
/// assert_eq!((join.span.start, join.span.end, join.kind), (21, 23, JoinKind::Wrapper));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Join {
    /// The position of the dropped bytes in the file.
    pub span: FileSpan,
    /// The evidence that these bytes are layout and not part of the URL.
    pub kind: JoinKind,
    /// How certain it is that these bytes are layout.
    pub grade: Grade,
    /// Why a bare URL was continued after the line break. Empty if `kind` alone explains the join.
    pub evidence: JoinEvidenceSet,
}

/// The record of one URL that a scan has found in a file.
///
/// It borrows from the text that contains the URL, from the scan's buffers and from the file's
/// name. [`UrlRecord::into_owned`] returns an independent copy. [`Detail`](crate::Detail) decides
/// which fields are computed, and [`fields`](crate::fields) documents each field.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Unit, collect_records};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"At HTTP://host.dom:80/ there.");
/// let found = collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &Options::default());
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
    /// The name of the file.
    pub file: Cow<'a, Arc<FileName>>,
    /// The URL without line breaks and other layout.
    pub url: Cow<'a, [u8]>,
    /// For a relative link ([`Form::Relative`]), the absolute URL that the link resolves to. The
    /// other fields then describe this URL.
    pub resolved: Option<Cow<'a, [u8]>>,
    /// The position in the file, from the first byte of the URL to its last, including line breaks
    /// inside the URL.
    pub span: FileSpan,
    /// The line of the first byte, counted from 1. `None` if lines were not counted.
    pub line: Option<u64>,
    /// The column of the first byte, in bytes from 1. `None` if lines were not counted.
    pub column: Option<u64>,
    /// How the URL is written in the text.
    pub form: Form,
    /// The scheme in lower case, or `None` if the URL has none.
    pub scheme: Option<Cow<'a, str>>,
    /// The host as written. `None` if there is none or the URL is not valid.
    pub host: Option<Cow<'a, [u8]>>,
    /// The fragment without the `#`. `None` if there is none or the URL is not valid.
    pub fragment: Option<Cow<'a, [u8]>>,
    /// The profile that the URL was validated against.
    pub profile: Profile,
    /// The violations and findings. Spans refer to `url`, or to `resolved` if it is present.
    pub reports: Cow<'a, [Report]>,
    /// The line breaks and other layout that were dropped from the URL, ordered by position.
    pub joins: Cow<'a, [Join]>,
    /// The other readings of the URL, if hyphens at its line breaks may or may not belong to it, or
    /// if it was decoded as quoted-printable.
    /// The first reading is `url`.
    pub other_readings: Cow<'a, [Vec<u8>]>,
    /// The number of quote marks before the URL's line.
    pub quote_depth: u32,
    /// True if the URL was cut at the maximum length of 65,536 bytes.
    pub truncated: bool,
    /// The encodings to decode to get from the raw bytes to the URL, outermost first.
    pub decoded: Cow<'a, [Layer]>,
    /// True if the bytes of `span` contain more than the URL, because a raw byte can encode parts
    /// of several characters.
    pub approximate: bool,
    /// The HTML element and attribute that contain the URL, e.g. `a/href`.
    pub html: Option<Cow<'a, str>>,
    /// The normal form, if [`Options::normalized`](crate::Options::normalized) or
    /// [`Detail::Full`](crate::Detail::Full) is set.
    pub normalized: Option<Cow<'a, [u8]>>,
    /// The registered domain of the host, if requested with [`With::Domain`](crate::With).
    pub domain: Option<Cow<'a, str>>,
    /// The last label of the host in lower case, if requested with [`With::Tld`](crate::With).
    pub tld: Option<Cow<'a, str>>,
    /// The port as written, if requested with [`With::Port`](crate::With).
    pub port: Option<u16>,
    /// The original URL of a link that a mail gateway or tracker rewrote, if
    /// [`Options::unwrap`](crate::Options::unwrap) is set.
    pub target: Option<Vec<u8>>,
    /// The text of the link in HTML whose target is the URL, if requested with
    /// [`With::LinkText`](crate::With).
    pub link_text: Option<Vec<u8>>,
    /// The part of the message or page that contains the URL.
    pub place: Place,
    /// The name of the header field that contains the URL.
    pub header_name: Option<Cow<'a, [u8]>>,
    /// The message that contains the URL.
    pub message: Option<Cow<'a, Arc<Message>>>,
    /// The web archive record that contains the URL.
    pub page: Option<Cow<'a, Arc<Page>>>,
    /// The text around the URL, if [`Options::quoted`](crate::Options::quoted) is set. No output
    /// format has a field for it; it is for display only.
    pub quoted: Option<Box<Quoted<'a>>>,
}

impl UrlRecord<'_> {
    /// Returns the violations: the reasons why the URL is not valid in the profile.
    pub fn violations(&self) -> impl Iterator<Item = &Report> + Clone {
        self.reports.iter().filter(|report| report.is_violation())
    }

    /// Returns the findings about the URL: remarks that don't make it invalid.
    pub fn findings(&self) -> impl Iterator<Item = &Report> + Clone {
        self.reports.iter().filter(|report| !report.is_violation())
    }

    /// True if the URL is valid in the profile of the scan.
    pub fn is_valid(&self) -> bool {
        self.violations().next().is_none()
    }

    /// Returns the URL to open: `resolved` if it is set, otherwise `url`.
    pub fn absolute_url(&self) -> &[u8] {
        self.resolved.as_deref().unwrap_or(&self.url)
    }

    /// Returns all readings of the URL, i.e. its possible spellings. The first is `url`. The others
    /// differ in which hyphens at line breaks belong to the URL.
    pub fn readings(&self) -> impl Iterator<Item = &[u8]> + Clone {
        std::iter::once(&*self.url).chain(self.other_readings.iter().map(Vec::as_slice))
    }

    /// True if the record contains none of the optional fields that few records have, e.g.
    /// `fragment` and `resolved`.
    #[inline]
    pub(crate) fn lacks_rare_fields(&self) -> bool {
        // All fields are listed, so that the compiler reports any field that is added later.
        matches!(
            self,
            UrlRecord {
                file: _,
                url: _,
                span: _,
                line: Some(_),
                column: Some(_),
                form: _,
                scheme: _,
                host: Some(_),
                fragment: None,
                profile: _,
                reports: _,
                joins: _,
                other_readings: _,
                quote_depth: _,
                truncated: false,
                decoded: _,
                approximate: _,
                html: _,
                normalized: _,
                domain: None,
                tld: None,
                port: None,
                target: None,
                link_text: None,
                resolved: None,
                place: _,
                header_name: None,
                message: _,
                page: _,
                quoted: _,
            }
        )
    }

    /// Returns a copy that borrows no data. The file name and the message are still shared with
    /// other records.
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
            link_text: self.link_text,
            place: self.place,
            header_name: self.header_name.map(owned),
            message: self.message.map(owned),
            page: self.page.map(owned),
            quoted: self.quoted.map(|quoted| Box::new(quoted.into_owned())),
        }
    }
}

#[cfg(test)]
impl UrlRecord<'static> {
    /// Returns a record in which all fields are empty, to be filled in.
    pub(crate) fn empty() -> Self {
        UrlRecord {
            file: Cow::Owned(Arc::default()),
            url: Cow::default(),
            resolved: None,
            span: FileSpan { start: 0, end: 0 },
            line: None,
            column: None,
            form: Form::Bare,
            scheme: None,
            host: None,
            fragment: None,
            profile: Profile::Web,
            reports: Cow::default(),
            joins: Cow::default(),
            other_readings: Cow::default(),
            quote_depth: 0,
            truncated: false,
            decoded: Cow::default(),
            approximate: false,
            html: None,
            normalized: None,
            domain: None,
            tld: None,
            port: None,
            target: None,
            link_text: None,
            place: Place::Body,
            header_name: None,
            message: None,
            page: None,
            quoted: None,
        }
    }
}

/// The counts of a scan, which the summary record also contains.
///
/// ```
/// use urlsift_records::{Input, Options, Scan};
/// let mut found = Vec::new();
/// let input = Input::from_bytes("a.txt", b"http://host.dom/ http://b..dom/");
/// let tally = Scan::new(Options::default()).read(input, &mut found)?.tally;
/// assert_eq!((tally.urls, tally.malformed, tally.bytes), (1, 1, 31));
/// assert_eq!(tally.counts()[3].0.name, "urls");
/// # Ok::<(), urlsift_archive::unpack::Trouble>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Files that were opened or could not be opened.
    pub files: u64,
    /// Bytes that were read, counted after decompression.
    pub bytes: u64,
    /// Messages and articles, not counting those nested in other messages.
    pub messages: u64,
    /// URLs that were reported.
    pub urls: u64,
    /// Candidates that are not valid in the profile, whether reported or not.
    pub malformed: u64,
    /// Files and archive members with errors.
    pub errors: u64,
    /// Files and archive members of a format that can't be read, such as RAR. Only their
    /// uncompressed parts were scanned. They are also counted as errors.
    pub unreadable: u64,
    /// Reported URLs that were cut at the maximum length.
    pub truncated: u64,
    /// URLs that were found but not printed, because they are repeated or exceed the maximum
    /// number. The sink sets this count.
    pub unprinted: u64,
    /// Messages without a readable date. Counted only if the scan filters by date.
    pub undated: u64,
    /// Files and archive members that were skipped because they contain no messages. Counted only
    /// if the scan filters messages.
    pub without_messages: u64,
    /// How often each limit on reading was reached.
    pub limits: LimitCounts,
    /// Files and directories that were skipped, by reason.
    pub skipped: Skipped,
}

impl Tally {
    /// Returns the counts that are in every summary, each with its field. They have the order of
    /// the fields in the summary.
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

    /// Returns the number of URLs that were printed.
    pub fn printed(&self) -> u64 {
        self.urls.saturating_sub(self.unprinted)
    }

    /// Returns each limit that was reached, with its field in the summary and how often it was
    /// reached. The limit on the length of URLs ([`Tally::truncated`]) is included.
    pub fn limit_counts(&self) -> impl Iterator<Item = (Limit, &'static Field, u64)> {
        let mut limits = self.limits;
        limits.add(Limit::Url, self.truncated);
        limits
            .reached_limits()
            .filter_map(|(limit, count)| Some((limit, limit_field(limit)?, count)))
    }

    /// Returns the counts that a summary contains only if they are not 0, each with its field. In a
    /// summary, they follow those of [`Tally::counts`].
    pub fn rare_counts(&self) -> impl Iterator<Item = (&'static Field, u64)> {
        let cut_pages = self.limits.get(Limit::Page);
        // If all URLs were printed, the field is omitted, because it would equal `urls`.
        let printed = if self.unprinted > 0 { self.printed() } else { 0 };
        let counts = [
            (&summary::PRINTED, printed),
            (&summary::UNDATED, self.undated),
            (&summary::WITHOUT_MESSAGES, self.without_messages),
            (&summary::CUT_PAGES, cut_pages),
            (&summary::UNREADABLE, self.unreadable),
        ];
        counts.into_iter().filter(|(_, number)| *number > 0)
    }
}

/// Returns the summary's field that counts how often `limit` was reached. Returns `None` if there
/// is no such field.
pub fn limit_field(limit: Limit) -> Option<&'static Field> {
    limits::ALL.iter().find(|field| field.name == limit.name())
}

/// The numbers of files and directories that were skipped, by reason.
///
/// ```
/// use urlsift_records::Skipped;
/// let mut skipped = Skipped::default();
/// skipped.hidden = 2;
/// assert_eq!(skipped.counts()[0], ("hidden files skipped (use --hidden)", 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Files and directories skipped because their names start with a dot.
    pub hidden: u64,
    /// Files and directories skipped because of an ignore file.
    pub ignored: u64,
    /// Files and directories excluded by `--glob` or `--type`.
    pub unmatched: u64,
    /// Entries skipped because they are devices, pipes or sockets.
    pub special: u64,
    /// Symbolic links skipped because links are not followed.
    pub links: u64,
    /// Files skipped because they are larger than the maximum file size.
    pub size: u64,
    /// Files skipped because the output is written to them.
    pub output: u64,
}

impl Skipped {
    /// Returns the number of skipped files for each reason, with the words that follow the number
    /// in a message.
    pub fn counts(mut self) -> [(&'static str, u64); 7] {
        self.counts_mut().map(|(_, words, number)| (words, *number))
    }

    /// Returns the number for each reason, with its field in the summary and the words that follow
    /// the number in a message, in display order.
    pub(crate) fn counts_mut(&mut self) -> [(&'static Field, &'static str, &mut u64); 7] {
        [
            (&skipped::HIDDEN, "hidden files skipped (use --hidden)", &mut self.hidden),
            (&skipped::IGNORED, "ignored files skipped (use --no-ignore)", &mut self.ignored),
            (&skipped::UNMATCHED, "files skipped by --glob or --type", &mut self.unmatched),
            (&skipped::SPECIAL, "devices, pipes and sockets skipped", &mut self.special),
            (&skipped::LINKS, "symbolic links skipped (use -L)", &mut self.links),
            (&skipped::SIZE, "files skipped by --max-filesize", &mut self.size),
            (&skipped::OUTPUT, "outputs skipped as input", &mut self.output),
        ]
    }
}

impl std::ops::AddAssign for Skipped {
    fn add_assign(&mut self, other: Self) {
        for ((_, _, sum), (_, number)) in self.counts_mut().into_iter().zip(other.counts()) {
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
        self.unreadable += other.unreadable;
        self.truncated += other.truncated;
        self.unprinted += other.unprinted;
        self.undated += other.undated;
        self.without_messages += other.without_messages;
        self.limits += other.limits;
        self.skipped += other.skipped;
    }
}
