//! What to look for, what to leave out, and how much to say of it.

use crate::MessageFilter;
use urlsift_archive::Headers;
use urlsift_core::Profile;
use urlsift_scanner::{Form, Rejoin};

/// What becomes of candidates that have the shape of a URL and are not valid in the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Malformed {
    /// They are left out.
    #[default]
    Skip,
    /// They are reported too.
    Include,
    /// Nothing else is reported.
    Only,
}

/// How much is worked out of each URL. Each step includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Only URLs in these forms; empty means all.
    pub forms: Vec<Form>,
    /// Also hosts without a scheme: `www.host.dom/path`.
    pub schemeless: bool,
    /// Also locators from before there were URLs: `ftp.host.dom:/path`.
    pub locators: bool,
    /// Which header fields of messages are scanned.
    pub headers: Headers,
    /// Which messages are scanned.
    pub messages: MessageFilter,
    /// Whether passwords are shown as `***`.
    pub mask_passwords: bool,
    /// Whether records name the domain of a message's sender.
    pub from_domain: bool,
    /// Whether records have the form of the URL to compare by.
    pub normalized: bool,
    /// How much is worked out of each URL.
    pub detail: Detail,
}
