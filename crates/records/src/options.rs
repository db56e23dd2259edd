//! What to look for, what to leave out, and how much to say of it.

use crate::fields::{message, url};
use crate::{Forms, MessageFilter, Place};
use std::borrow::Cow;
use urlsift_archive::unpack::Limits;
use urlsift_archive::{Encoding, Headers, Reading, WebRecords};
use urlsift_core::{Profile, Secrets, hidden};
use urlsift_scanner::{Form, Rejoin};

/// What becomes of candidates that have the shape of a URL and are not valid in the profile.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Malformed, Options, Unit, collect};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"http://a..dom/ http://b.dom/");
/// let unit = Unit::whole(&file, bytes, Reading::Auto);
/// let count = |malformed| {
///     let mut options = Options::default();
///     options.malformed = malformed;
///     collect(bytes, &unit, &options).len()
/// };
/// assert_eq!(Malformed::ALL.map(count), [1, 2, 1]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Malformed {
    /// They are left out.
    #[default]
    Skip,
    /// They are reported too.
    Include,
    /// Nothing else is reported.
    Only,
}

impl Malformed {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Skip, Self::Include, Self::Only];

    /// The stable name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Include => "include",
            Self::Only => "only",
        }
    }
}

/// How much is worked out of each URL. Each step includes those before it.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{Detail, FileName, Options, Unit, collect};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"\nhttp://host.dom/");
/// let mut options = Options::default();
/// options.detail = Detail::Url;
/// let found = collect(bytes, &Unit::whole(&file, bytes, Reading::Auto), &options);
/// assert_eq!((found[0].span.start, found[0].line), (1, None));
/// assert_eq!("line".parse(), Ok(Detail::Line));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Detail {
    /// It is counted.
    Count,
    /// Its bytes: most URLs go to [`Sink::plain`](crate::Sink::plain) without a record.
    Plain,
    /// A record of the URL, its readings and its offsets.
    Url,
    /// Line and column, for which all of the text before it is looked at once.
    Line,
    /// All fields.
    #[default]
    Full,
}

impl Detail {
    /// All, each more than the one before.
    pub const ALL: [Self; 5] = [Self::Count, Self::Plain, Self::Url, Self::Line, Self::Full];

    /// The name: `count`, `plain`, `url`, `line` or `full`.
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

/// What records hold only where it is asked for.
///
/// ```
/// use std::sync::Arc;
/// use urlsift_archive::Reading;
/// use urlsift_records::{FileName, Options, Unit, With, collect};
/// let (file, bytes) = (Arc::new(FileName::new("a.txt")), b"http://www.host.co.uk/");
/// let mut options = Options::default();
/// options.with = vec![With::Domain];
/// let found = collect(bytes, &Unit::whole(&file, bytes, Reading::Auto), &options);
/// assert_eq!(found[0].domain.as_deref(), Some("host.co.uk"));
/// assert_eq!(found[0].tld, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum With {
    /// The domain that somebody registered.
    Domain,
    /// The last label of the host.
    Tld,
    /// The port as written.
    Port,
    /// The From field.
    From,
    /// The domain of the sender's address.
    FromDomain,
    /// A hash of the sender's address.
    FromHash,
    /// The subject.
    Subject,
}

impl With {
    /// Those that the [table of URLs](crate::table::URLS) has columns for.
    pub const OF_TABLE: [Self; 5] =
        [Self::Domain, Self::Tld, Self::Port, Self::FromDomain, Self::FromHash];

    /// All of them, in the order of their fields.
    pub const ALL: [Self; 7] = [
        Self::Domain,
        Self::Tld,
        Self::Port,
        Self::FromDomain,
        Self::FromHash,
        Self::From,
        Self::Subject,
    ];

    /// Its field in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Domain => url::DOMAIN.name,
            Self::Tld => url::TLD.name,
            Self::Port => url::PORT.name,
            Self::From => message::FROM.name,
            Self::FromDomain => message::FROM_DOMAIN.name,
            Self::FromHash => message::FROM_HASH.name,
            Self::Subject => message::SUBJECT.name,
        }
    }
}

urlsift_core::by_name!(Malformed, Detail, With);

/// The settings of a scan.
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
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Options {
    /// The rules to judge by.
    pub profile: Profile,
    /// How far bare URLs are followed over line breaks.
    pub rejoin: Rejoin,
    /// What becomes of what is not valid in the profile.
    pub malformed: Malformed,
    /// Only URLs of these schemes, in any case; empty means all. One that is not known is looked
    /// for too, also without `//`.
    pub schemes: Vec<String>,
    /// The forms in which URLs are found. [`Options::resolve`] adds [`Form::Relative`](urlsift_scanner::Form) to the
    /// default ones.
    pub forms: Forms,
    /// The format that inputs are read as.
    pub reading: Reading,
    /// How far packed inputs may expand.
    pub limits: Limits,
    /// The charset of texts that do not say theirs; without one, UTF-8 and what shows itself.
    pub encoding: Option<Encoding>,
    /// Whether URLs that were defanged (`hxxp://host[.]dom/`) are found as what they were.
    pub refang: bool,
    /// Which header fields of messages are scanned.
    pub headers: Headers,
    /// Which records of web archives are scanned.
    pub web_records: WebRecords,
    /// Whether relative links of pages are found, too, where something tells what they are relative to.
    pub resolve: bool,
    /// Which messages are scanned.
    pub messages: MessageFilter,
    /// Whether passwords are shown as `***`.
    pub mask_passwords: bool,
    /// True if all secrets are shown as `***`: passwords, and tokens as [`Secrets::All`] has them.
    pub mask_secrets: bool,
    /// What records hold beside what they always do.
    pub with: Vec<With>,
    /// Whether records tell where links led that a gateway rewrote.
    pub unwrap: bool,
    /// The key of [`With::FromHash`]; without one it is [`PUBLIC_KEY`](crate::PUBLIC_KEY).
    pub hash_key: Option<Vec<u8>>,
    /// Places whose URLs are left out.
    pub without: Vec<Place>,
    /// Whether the sink is told of messages: see [`Sink::message`](crate::Sink::message).
    pub tell_messages: bool,
    /// Whether records hold the line that the URL stands in.
    pub quoted: bool,
    /// Whether records have the form of the URL to compare by, also where not all of them is worked out.
    pub normalized: bool,
    /// How much is worked out of each URL.
    pub detail: Detail,
}

impl Options {
    /// True if URLs in this form are found.
    pub(crate) fn finds(&self, form: Form) -> bool {
        let is_added = form == Form::Relative && self.resolve && !self.forms.is_exclusive();
        is_added || self.forms.contains(form)
    }

    /// Returns which secrets are hidden, or `None` if nothing is. `mask_secrets` implies `mask_passwords`.
    ///
    /// ```
    /// use urlsift_core::Secrets;
    /// let mut options = urlsift_records::Options::default();
    /// assert_eq!(options.hides(), None);
    /// options.mask_secrets = true;
    /// assert_eq!(options.hides(), Some(Secrets::All));
    /// ```
    pub fn hides(&self) -> Option<Secrets> {
        let passwords = self.mask_passwords.then_some(Secrets::Passwords);
        if self.mask_secrets { Some(Secrets::All) } else { passwords }
    }

    /// Returns a text that may contain URLs, without the secrets that are to be hidden.
    pub(crate) fn shown<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let secrets = self.hides().map(|secrets| secrets.in_text(text));
        hidden(text, &secrets.unwrap_or_default())
    }
}
