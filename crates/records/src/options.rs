//! The settings of a scan: which URLs to find and which fields to report.

use crate::fields::{message, url};
use crate::{Forms, MessageFilter, Place, UrlFilter};
use std::borrow::Cow;
use urlsift_archive::unpack::Limits;
use urlsift_archive::{Encoding, Headers, JsonFields, Reading, WebRecords};
use urlsift_core::{Profile, Secrets, mask_spans};
use urlsift_scanner::{Form, Rejoin};

/// The treatment of candidates that look like URLs but are not valid in the profile.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Malformed, Options, Unit, collect_records};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"http://a..dom/ http://b.dom/");
/// let unit = Unit::whole_file(&file, bytes, Reading::Auto);
/// let count = |malformed| {
///     let mut options = Options::default();
///     options.malformed = malformed;
///     collect_records(bytes, &unit, &options).len()
/// };
/// assert_eq!(Malformed::ALL.map(count), [1, 2, 1]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Malformed {
    /// Skip invalid candidates.
    #[default]
    Skip,
    /// Report invalid candidates as well as valid URLs.
    Include,
    /// Report only invalid candidates.
    Only,
}

impl Malformed {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Skip, Self::Include, Self::Only];

    /// Returns the stable name of the variant: `skip`, `include` or `only`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Include => "include",
            Self::Only => "only",
        }
    }
}

/// The amount of information that a scan computes for each URL. Less information makes a scan
/// faster. Each level includes those before it.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{Detail, FileName, Options, Unit, collect_records};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"\nhttp://host.dom/");
/// let mut options = Options::default();
/// options.detail = Detail::Url;
/// let found = collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &options);
/// assert_eq!((found[0].span.start, found[0].line), (1, None));
/// assert_eq!("line".parse(), Ok(Detail::Line));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Detail {
    /// Only the number of URLs is counted.
    Count,
    /// The bytes of the URL. Most URLs are passed to [`Sink::plain_url`](crate::Sink::plain_url)
    /// instead of [`Sink::record`](crate::Sink::record).
    Plain,
    /// A record with the URL, its alternative readings and its offsets.
    Url,
    /// A record that also contains the line and column. This needs one pass over the text before
    /// each URL.
    Line,
    /// All fields.
    #[default]
    Full,
}

impl Detail {
    /// All levels, in ascending order.
    pub const ALL: [Self; 5] = [Self::Count, Self::Plain, Self::Url, Self::Line, Self::Full];

    /// Returns the stable name of the level: `count`, `plain`, `url`, `line` or `full`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Plain => "plain",
            Self::Url => "url",
            Self::Line => "line",
            Self::Full => "full",
        }
    }
}

/// An optional field of records, which is computed only if [`Options::with`] requests it.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Unit, With, collect_records};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"http://www.host.co.uk/");
/// let mut options = Options::default();
/// options.with = vec![With::Domain];
/// let found = collect_records(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &options);
/// assert_eq!(found[0].domain.as_deref(), Some("host.co.uk"));
/// assert_eq!(found[0].tld, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum With {
    /// The registrable domain, e.g. `host.co.uk`.
    Domain,
    /// The last label of the host.
    Tld,
    /// The port as written.
    Port,
    /// The field that names the sender.
    From,
    /// The domain of the sender's address.
    FromDomain,
    /// A hash of the sender's address, which identifies the sender without naming them.
    FromHash,
    /// The subject of the message.
    Subject,
    /// The text of a link in HTML.
    LinkText,
}

impl With {
    /// The fields that are always columns of the [table of URLs](crate::table::URLS).
    pub const OF_TABLE: [Self; 5] =
        [Self::Domain, Self::Tld, Self::Port, Self::FromDomain, Self::FromHash];

    /// All variants, in the order of the fields in records.
    pub const ALL: [Self; 8] = [
        Self::Domain,
        Self::Tld,
        Self::Port,
        Self::FromDomain,
        Self::FromHash,
        Self::From,
        Self::Subject,
        Self::LinkText,
    ];

    /// Returns the stable name of the field, as it appears in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Domain => url::DOMAIN.name,
            Self::Tld => url::TLD.name,
            Self::Port => url::PORT.name,
            Self::From => message::FROM.name,
            Self::FromDomain => message::FROM_DOMAIN.name,
            Self::FromHash => message::FROM_HASH.name,
            Self::Subject => message::SUBJECT.name,
            Self::LinkText => url::LINK_TEXT.name,
        }
    }
}

/// The treatment of links that a mail gateway or tracker rewrote.
///
/// ```
/// use urlsift_records::{Input, Options, Scan, Unwrap};
/// let link = b"https://www.google.com/url?q=http://h.dom/";
/// let scan = |unwrap| {
///     let mut options = Options::default();
///     options.unwrap = unwrap;
///     let mut found = Vec::new();
///     Scan::new(options).read(Input::from_bytes("a.txt", link), &mut found).unwrap();
///     found.remove(0)
/// };
/// assert_eq!(scan(Unwrap::Add).target.as_deref(), Some(&b"http://h.dom/"[..]));
/// assert_eq!(scan(Unwrap::Add).host.as_deref(), Some(&b"www.google.com"[..]));
/// assert_eq!(scan(Unwrap::Replace).host.as_deref(), Some(&b"h.dom"[..]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unwrap {
    /// The links are reported like other URLs.
    #[default]
    Off,
    /// Records contain the original URL: [`UrlRecord::target`](crate::UrlRecord::target).
    Add,
    /// The original URL is reported instead of the link, if it is valid:
    /// [`UrlRecord::absolute_url`](crate::UrlRecord::absolute_url). All fields except
    /// [`UrlRecord::url`](crate::UrlRecord::url) describe it.
    Replace,
}

impl Unwrap {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Off, Self::Add, Self::Replace];

    /// Returns the stable name of the variant: `false`, `true` or `replace`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "false",
            Self::Add => "true",
            Self::Replace => "replace",
        }
    }
}

urlsift_core::by_name!(Malformed, Detail, With, Unwrap);

/// The settings of a scan: what to search for, which URLs and messages to report, and what to
/// compute for each.
///
/// ```
/// use urlsift_records::{Malformed, Options};
///
/// let mut options = Options::default();
/// options.malformed = Malformed::Include;
/// options.schemes = vec!["ftp".to_owned(), "http".to_owned()];
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "independent settings")]
pub struct Options {
    /// The standard that URLs are validated against.
    pub profile: Profile,
    /// When bare URLs that are broken over lines are rejoined.
    pub rejoin: Rejoin,
    /// The treatment of candidates that are not valid in the profile.
    pub malformed: Malformed,
    /// The schemes to report, regardless of case. If empty, URLs of all known schemes are reported.
    /// If a named scheme is unknown to the scanner, its URLs are found even without `//`.
    pub schemes: Vec<String>,
    /// The filter that selects the URLs to report, by host, domain and text.
    pub urls: UrlFilter,
    /// The forms of URLs to find. [`Options::resolve`] adds
    /// [`Form::Relative`](urlsift_scanner::Form) to the default forms.
    pub forms: Forms,
    /// How to determine the format of inputs.
    pub reading: Reading,
    /// Limits for unpacking compressed input.
    pub limits: Limits,
    /// The names of the fields that contain the text, date and identifier of a JSON Lines record.
    /// By default, JSON Lines are not read as records.
    pub json_fields: JsonFields,
    /// The charset of texts that don't declare one. If `None`, they are read as UTF-8, unless their
    /// bytes show another charset.
    pub encoding: Option<Encoding>,
    /// True to find defanged URLs, such as `hxxp://host[.]dom/`, and restore them.
    pub refang: bool,
    /// The header fields of messages to scan.
    pub headers: Headers,
    /// The records of web archives to scan.
    pub web_records: WebRecords,
    /// True to also find relative links of HTML pages and resolve them. Links without a known base
    /// URL are not reported.
    pub resolve: bool,
    /// The filter that selects the messages to scan.
    pub messages: MessageFilter,
    /// True to show passwords as `***`.
    pub mask_passwords: bool,
    /// True to show all secrets of [`Secrets::All`] as `***`: passwords and tokens.
    pub mask_secrets: bool,
    /// The optional fields to include in records.
    pub with: Vec<With>,
    /// The treatment of links that a mail gateway or tracker rewrote.
    pub unwrap: Unwrap,
    /// The key for [`With::FromHash`]. If `None`, [`PUBLIC_KEY`](crate::PUBLIC_KEY) is used.
    pub hash_key: Option<Vec<u8>>,
    /// The places whose URLs are skipped, e.g. quoted lines.
    pub without: Vec<Place>,
    /// True to call [`Sink::message`](crate::Sink::message) for each message.
    pub report_messages: bool,
    /// True to add the text around each URL to its record: see [`Quoted`](crate::Quoted).
    pub quoted: bool,
    /// True to compute the normalized URL at every level of detail.
    pub normalized: bool,
    /// The amount of information to compute for each URL.
    pub detail: Detail,
}

impl Options {
    /// True if a scan with these options looks for URLs in the form `form`. The options `forms` and
    /// `resolve` determine this.
    pub(crate) fn finds_form(&self, form: Form) -> bool {
        let is_added = form == Form::Relative && self.resolve && !self.forms.replaces_defaults();
        is_added || self.forms.contains(form)
    }

    /// Returns the kinds of secrets to mask, or `None` if none are masked. `mask_secrets` implies
    /// `mask_passwords`.
    ///
    /// ```
    /// use urlsift_core::Secrets;
    /// let mut options = urlsift_records::Options::default();
    /// assert_eq!(options.hidden_secrets(), None);
    /// options.mask_secrets = true;
    /// assert_eq!(options.hidden_secrets(), Some(Secrets::All));
    /// ```
    pub fn hidden_secrets(&self) -> Option<Secrets> {
        Secrets::from_flags(self.mask_passwords, self.mask_secrets)
    }

    /// Returns `text` with the secrets in its URLs replaced by `***`. Returns it unchanged if the
    /// options don't mask secrets.
    pub(crate) fn mask_for_display<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let secrets = self.hidden_secrets().map(|secrets| secrets.in_text(text));
        mask_spans(text, &secrets.unwrap_or_default())
    }
}
