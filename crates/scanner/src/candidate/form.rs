//! The forms in which URLs are written, and the mistakes in near misses.

use std::borrow::Cow;
use urlsift_core::Code;

/// The form in which a URL is written in its text. The names are stable; more may be added.
///
/// ```
/// use urlsift_scanner::{Form, Scanner};
/// let scanner = Scanner::builder().schemeless(true).build();
/// let text = b"<URL:http://a.dom/> <http://b.dom/> URL:http://c.dom/ http://d.dom/ www.e.dom";
/// let forms: Vec<_> = scanner.find_iter(text).map(|found| found.form()).collect();
/// assert_eq!(forms, [Form::Wrapped, Form::Bracketed, Form::Prefixed, Form::Bare, Form::Schemeless]);
/// assert_eq!("near-miss".parse(), Ok(Form::NearMiss));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Form {
    /// `<URL:...>`, the wrapper of RFC 1738's Appendix.
    Wrapped,
    /// `<scheme:...>`, the wrapper without its prefix.
    Bracketed,
    /// `URL:scheme:...`, the prefix without the wrapper.
    Prefixed,
    /// A URL in running text.
    Bare,
    /// The whole value of an attribute in markup, or of a header field.
    Attribute,
    /// `www.host.dom/path`; enabled by [`Builder::schemeless`](crate::Builder::schemeless).
    Schemeless,
    /// `host.dom:/path`; enabled by [`Builder::locators`](crate::Builder::locators).
    Locator,
    /// The whole value of an attribute in markup, relative to the URL of its page. See
    /// [`Scanner::read_relative`](crate::Scanner::read_relative).
    Relative,
    /// An e-mail address; enabled by [`Builder::emails`](crate::Builder::emails).
    Email,
    /// `host.dom/path`; enabled by [`Builder::hosts`](crate::Builder::hosts).
    Host,
    /// Nearly a URL, see [`NearMiss`]; enabled by
    /// [`Builder::near_misses`](crate::Builder::near_misses).
    NearMiss,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 11] = [
        Self::Wrapped,
        Self::Bracketed,
        Self::Prefixed,
        Self::Bare,
        Self::Attribute,
        Self::Schemeless,
        Self::Locator,
        Self::Relative,
        Self::Email,
        Self::Host,
        Self::NearMiss,
    ];

    /// Returns the stable name, as used in records: e.g. `bare`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrapped => "wrapped",
            Self::Bracketed => "bracketed",
            Self::Prefixed => "prefixed",
            Self::Bare => "bare",
            Self::Attribute => "attribute",
            Self::Schemeless => "schemeless",
            Self::Locator => "locator",
            Self::Relative => "relative",
            Self::Email => "email",
            Self::Host => "host",
            Self::NearMiss => "near-miss",
        }
    }

    /// True if text in this form is meant as a URL or as a reference to one, so that a validity
    /// check makes sense. False for the forms that are written without a scheme: `www.host.dom`,
    /// locators, e-mail addresses, hosts.
    ///
    /// ```
    /// use urlsift_scanner::Form;
    /// assert!(Form::Bare.claims_scheme());
    /// assert!(!Form::Schemeless.claims_scheme());
    /// ```
    pub const fn claims_scheme(self) -> bool {
        !matches!(self, Self::Schemeless | Self::Locator | Self::Email | Self::Host)
    }

    /// Returns the link target for `url`, which was found in this form. If the form has no scheme,
    /// adds the scheme that it implies: `http:` or `ftp:` for a host, `mailto:` for an address.
    /// Returns `url` unchanged in all other forms. Takes linear time.
    ///
    /// The result is not escaped for HTML. Its scheme may be unsafe in a link, e.g. `javascript`.
    ///
    /// ```
    /// use urlsift_scanner::Form;
    /// assert_eq!(&*Form::Bare.href(b"http://host.dom/a"), b"http://host.dom/a");
    /// assert_eq!(&*Form::Schemeless.href(b"www.host.dom/a"), b"http://www.host.dom/a");
    /// assert_eq!(&*Form::Schemeless.href(b"ftp.host.dom/a"), b"ftp://ftp.host.dom/a");
    /// assert_eq!(&*Form::Email.href(b"joe@host.dom"), b"mailto:joe@host.dom");
    /// ```
    pub fn href(self, url: &[u8]) -> Cow<'_, [u8]> {
        let is_ftp = url.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"ftp."));
        match self {
            Self::Schemeless | Self::Host if is_ftp => Cow::Owned([b"ftp://", url].concat()),
            Self::Schemeless | Self::Host => Cow::Owned([b"http://", url].concat()),
            Self::Email => Cow::Owned([b"mailto:", url].concat()),
            _ => Cow::Borrowed(url),
        }
    }
}

urlsift_core::by_name!(Form);

/// The mistake that makes a string almost, but not quite, a URL. Each variant shows an example.
///
/// ```
/// use urlsift_scanner::{NearMiss, Scanner};
/// let scanner = Scanner::builder().near_misses(true).build();
/// let found = scanner.find_iter(br"At http:\\host.dom\a").next().unwrap();
/// assert_eq!(found.near_miss(), Some(NearMiss::Backslashes));
/// assert_eq!(NearMiss::Backslashes.code(), None, "it is not recorded");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NearMiss {
    /// `http:/host`
    SingleSlash,
    /// `http:\\host`
    Backslashes,
    /// `http//host`
    NoColon,
    /// `http;//host`
    Semicolon,
    /// `http:host`
    NoSlashes,
    /// `htttp://host`
    MisspeltScheme,
    /// `mailto://joe@host`
    MailtoSlashes,
    /// `http://http://host`, `http:http://host` or `http:// http://host`
    DoubledScheme,
    /// `http.//host`, `http:://host` or `http//:host`
    ColonMistyped,
    /// `http: //host`
    BlankBeforeSlashes,
    /// `http:// host`
    BlankAfterSlashes,
    /// `news:<id@host>`
    NewsBrackets,
    /// `<URL:host.dom/path>`
    MissingScheme,
    /// `<URL:http://host` and no `>`
    UnclosedWrapper,
}

impl NearMiss {
    /// Returns the code of the finding with which records report the same mistake. Returns `None`
    /// if this kind of near miss isn't recorded.
    pub const fn code(self) -> Option<Code> {
        match self {
            Self::MisspeltScheme => Some(Code::SchemeMisspelt),
            Self::NewsBrackets => Some(Code::NewsBrackets),
            _ => None,
        }
    }
}
