//! The table of schemes whose syntax this crate knows, with a row for each.
//!
//! A row contains all properties of a scheme; its parsers and findings are in a file under
//! `schemes`. To add a scheme, add a row and a file.

/// Passes the table to the macro `$to`. A row contains the variant with its documentation, the path
/// of its rules under `schemes`, and its properties.
macro_rules! each_scheme {
    ($to:ident) => {
        $to! {
            /// `ftp`, RFC 1738 §3.2.
            Ftp, ftp::Ftp, Row {
                name: "ftp",
                default_port: Some(21),
                login: true,
                query: false,
                draft: Draft::Path,
                ..Row::USUAL
            };
            /// `http`, RFC 1738 §3.3, RFC 9110 §4.2.1.
            Http, http::Http, Row {
                name: "http",
                default_port: Some(80),
                deprecates_userinfo: true,
                normal_path: NormalPath::Rooted,
                draft: Draft::PathAndSearch,
                ..Row::USUAL
            };
            /// `https`, RFC 9110 §4.2.2. Unknown to RFC 1738.
            Https, http::Http, Row {
                name: "https",
                default_port: Some(443),
                deprecates_userinfo: true,
                normal_path: NormalPath::Rooted,
                is_rfc1738: false,
                ..Row::USUAL
            };
            /// `gopher`, RFC 1738 §3.4, RFC 4266.
            Gopher, gopher::Gopher, Row {
                name: "gopher",
                default_port: Some(70),
                normal_path: NormalPath::SlashForNothing,
                draft: Draft::GopherItem,
                ..Row::USUAL
            };
            /// `mailto`, RFC 1738 §3.5, RFC 6068.
            Mailto, mailto::Mailto, Row {
                name: "mailto",
                follows: SchemePart::Address,
                authority: None,
                fragment: false,
                ..Row::USUAL
            };
            /// `news`, RFC 1738 §3.6, RFC 5538 §4.
            News, news::News, Row {
                name: "news",
                follows: SchemePart::Newsgroup,
                authority: Some(Authority::MAY_BE_EMPTY),
                query: false,
                fragment: false,
                ..Row::USUAL
            };
            /// `nntp`, RFC 1738 §3.7, RFC 5538 §3.
            Nntp, nntp::Nntp, Row {
                name: "nntp",
                default_port: Some(119),
                query: false,
                fragment: false,
                ..Row::USUAL
            };
            /// `telnet`, RFC 1738 §3.8, RFC 4248.
            Telnet, telnet::Telnet, Row {
                name: "telnet",
                default_port: Some(23),
                login: true,
                query: false,
                fragment: false,
                normal_path: NormalPath::SlashForNothing,
                draft: Draft::Nothing,
                ..Row::USUAL
            };
            /// `tn3270`, RFC 6270. A reserved name without a syntax in RFC 1738.
            Tn3270, telnet::Telnet, Row {
                name: "tn3270",
                default_port: Some(23),
                query: false,
                fragment: false,
                is_rfc1738: false,
                is_classic: false,
                normal_path: NormalPath::SlashForNothing,
                ..Row::USUAL
            };
            /// `wais`, RFC 1738 §3.9, RFC 4156.
            Wais, wais::Wais, Row {
                name: "wais",
                default_port: Some(210),
                authority: Some(Authority::WITHOUT_USERINFO),
                fragment: false,
                draft: Draft::WaisForms,
                ..Row::USUAL
            };
            /// `file`, RFC 1738 §3.10, RFC 8089.
            File, file::File, Row {
                name: "file",
                follows: SchemePart::HostOrPath,
                authority: Some(Authority::HOST_OR_NOTHING),
                query: false,
                ..Row::USUAL
            };
            /// `prospero`, RFC 1738 §3.11, RFC 4157.
            Prospero, prospero::Prospero, Row {
                name: "prospero",
                default_port: Some(1525),
                authority: Some(Authority::WITHOUT_USERINFO),
                query: false,
                fragment: false,
                draft: Draft::Path,
                ..Row::USUAL
            };
            /// A made-up scheme that tests how to add one.
            #[cfg(test)]
            MadeUp, tests::MadeUp, Row {
                name: "x-made-up",
                default_port: Some(1738),
                query: false,
                ..Row::USUAL
            };
            /// Any other scheme; its URLs have the generic syntax.
            Other, other::Other, Row {
                name: "",
                follows: SchemePart::Any,
                authority: Some(Authority::MAY_BE_EMPTY),
                login: true,
                is_rfc1738: false,
                is_classic: false,
                ..Row::USUAL
            };
        }
    };
}

macro_rules! scheme {
    ($( $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $scheme:ident, $room:path, $row:expr; )+) => {
        /// A scheme whose syntax this crate knows, or [`Scheme::Other`] for any other.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Scheme {
            $( $(#[doc = $doc])* $(#[cfg($cfg)])? $scheme, )+
        }

        impl Scheme {
            /// Every scheme, in the order of the table.
            pub const ALL: &'static [Self] = &[ $( $(#[cfg($cfg)])? Self::$scheme, )+ ];
        }

        /// The properties of each scheme, in the order of [`Scheme::ALL`].
        const ROWS: &[Row] = &[ $( $(#[cfg($cfg)])? $row, )+ ];
    };
}
pub(crate) use each_scheme;

each_scheme!(scheme);

/// The properties of one scheme, as a row of the table of schemes.
#[expect(clippy::struct_excessive_bools, reason = "a row of a table: each is a column of its own")]
struct Row {
    name: &'static str,
    follows: SchemePart,
    default_port: Option<u16>,
    /// True if RFC 1738 allows user name and password before the host.
    login: bool,
    /// The requirements of later documents for the authority, if they allow one.
    authority: Option<Authority>,
    /// True if later documents allow userinfo but advise against it.
    deprecates_userinfo: bool,
    query: bool,
    fragment: bool,
    is_rfc1738: bool,
    is_classic: bool,
    normal_path: NormalPath,
    draft: Draft,
}

impl Row {
    /// The default properties, which most schemes of RFC 1738 share.
    const USUAL: Self = Self {
        name: "",
        follows: SchemePart::Host,
        default_port: None,
        login: false,
        authority: Some(Authority::WITH_HOST),
        deprecates_userinfo: false,
        query: true,
        fragment: true,
        is_rfc1738: true,
        is_classic: true,
        normal_path: NormalPath::AsWritten,
        draft: Draft::Generic,
    };
}

/// The kind of text that must follow a scheme's colon: see [`Scheme::scheme_part`].
///
/// ```
/// use urlsift_core::{Scheme, SchemePart};
/// assert_eq!(Scheme::Mailto.scheme_part(), SchemePart::Address);
/// assert_eq!(Scheme::File.scheme_part(), SchemePart::HostOrPath);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemePart {
    /// `//` and a host, optionally with user name and password before it.
    Host,
    /// `//` and a host, or `///` and a path.
    HostOrPath,
    /// A mail address.
    Address,
    /// A newsgroup or a Message-ID.
    Newsgroup,
    /// Any text that the generic syntax allows.
    Any,
}

/// The requirements of RFC 3986 and later documents for a scheme's authority.
#[derive(Clone, Copy)]
pub(crate) struct Authority {
    /// True if userinfo is allowed before the host.
    pub(crate) userinfo: bool,
    /// True if the host must not be empty.
    pub(crate) host: bool,
    /// True if a port is allowed after the host.
    pub(crate) port: bool,
}

impl Authority {
    /// `auth-nonempty = [ userinfo "@" ] host-nonempty [ ":" port ]`
    pub(crate) const WITH_HOST: Self = Self { userinfo: true, host: true, port: true };
    /// `authority = [ userinfo "@" ] host [ ":" port ]`
    pub(crate) const MAY_BE_EMPTY: Self = Self { userinfo: true, host: false, port: true };
    /// `hostport = host-nonempty [ ":" port ]`
    pub(crate) const WITHOUT_USERINFO: Self = Self { userinfo: false, host: true, port: true };
    /// `[ host-nonempty ]`
    pub(crate) const HOST_OR_NOTHING: Self = Self { userinfo: false, host: false, port: false };
}

/// The way in which the start of a path is written in the normal form of a URL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NormalPath {
    /// With a slash, even if none was written.
    Rooted,
    /// With a slash if nothing follows the authority.
    SlashForNothing,
    /// As written, because a missing slash has a different meaning.
    AsWritten,
}

/// The syntax that the 1994 CERN draft requires after the host.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Draft {
    /// The scheme has no production of its own, and thus no host.
    Generic,
    PathAndSearch,
    GopherItem,
    /// A required path.
    Path,
    WaisForms,
    Nothing,
}

impl Scheme {
    /// Returns the scheme called `name`, ignoring case. Returns [`Scheme::Other`] if this crate
    /// doesn't know the scheme's syntax.
    ///
    /// ```
    /// use urlsift_core::Scheme;
    /// assert_eq!(Scheme::by_name(b"Gopher"), Scheme::Gopher);
    /// assert_eq!(Scheme::by_name(b"gophers"), Scheme::Other);
    /// ```
    pub fn by_name(name: &[u8]) -> Self {
        Self::ALL
            .iter()
            .copied()
            .find(|scheme| name.eq_ignore_ascii_case(scheme.name().as_bytes()))
            .unwrap_or(Self::Other)
    }

    /// True if `name` is a valid scheme name: letters, digits, `+`, `.` and `-`, starting with a
    /// letter (RFC 3986 §3.1). Takes linear time.
    ///
    /// ```
    /// use urlsift_core::Scheme;
    /// assert!(Scheme::may_be_named(b"svn+ssh"));
    /// assert!(!Scheme::may_be_named(b"3com"));
    /// assert!(!Scheme::may_be_named(b""));
    /// ```
    pub fn may_be_named(name: &[u8]) -> bool {
        name.first().is_some_and(u8::is_ascii_alphabetic)
            && crate::bytes::skip_set(name, 0, crate::bytes::SCHEME) == name.len()
    }

    /// Returns the scheme's row in the table of schemes, which contains its properties.
    const fn table_row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the scheme's name in lower case, or an empty string for [`Scheme::Other`].
    pub const fn name(self) -> &'static str {
        self.table_row().name
    }

    /// Returns the kind of text that must follow the scheme's colon, e.g. a host.
    pub const fn scheme_part(self) -> SchemePart {
        self.table_row().follows
    }

    /// True if RFC 1738 requires `//` after the scheme's colon. Later documents agree, except for
    /// `file`.
    pub const fn needs_slashes(self) -> bool {
        matches!(self.scheme_part(), SchemePart::Host | SchemePart::HostOrPath)
    }

    /// True if RFC 3986 and later documents allow a query (`?a=b`) in URLs of this scheme.
    pub const fn has_query(self) -> bool {
        self.table_row().query
    }

    /// True if the scheme's own document allows a fragment as part of the URL (RFC 3986 §3.5).
    pub const fn has_fragment(self) -> bool {
        self.table_row().fragment
    }

    /// Returns the port that a client connects to if the URL contains none, or `None` if the scheme
    /// has no default port.
    pub const fn default_port(self) -> Option<u16> {
        self.table_row().default_port
    }

    /// True if RFC 1738 defines the syntax of the scheme.
    pub const fn is_rfc1738(self) -> bool {
        self.table_row().is_rfc1738
    }

    /// True for `https` and the schemes of RFC 1738, which are common in all kinds of text.
    pub const fn is_classic(self) -> bool {
        self.table_row().is_classic
    }

    /// Returns the requirements of RFC 3986 and later documents for the scheme's authority, or
    /// `None` if the scheme has no authority.
    pub(crate) const fn authority(self) -> Option<Authority> {
        self.table_row().authority
    }

    /// True if RFC 1738 allows a user name and password before the host in URLs of this scheme.
    pub(crate) const fn has_login(self) -> bool {
        self.table_row().login
    }

    /// True if `grammar` allows a user name before the host in URLs of this scheme.
    pub(crate) const fn has_userinfo(self, grammar: Grammar) -> bool {
        match grammar {
            Grammar::Rfc1738 => self.has_login(),
            Grammar::Rfc3986 => matches!(self.authority(), Some(Authority { userinfo: true, .. })),
        }
    }

    /// True if RFC 3986 and later documents allow a user name in URLs of this scheme, but advise
    /// against it.
    pub(crate) const fn deprecates_userinfo(self) -> bool {
        self.table_row().deprecates_userinfo
    }

    /// Returns the way in which the start of a path is written in the normal form.
    pub(crate) const fn normal_path(self) -> NormalPath {
        self.table_row().normal_path
    }

    /// Returns the syntax that the 1994 CERN draft requires after the scheme's host.
    pub(crate) const fn draft_syntax(self) -> Draft {
        self.table_row().draft
    }
}

/// The grammar that a URL is parsed by. Profile `web` tries RFC 3986 first, then RFC 1738.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// RFC 1738 §5.
    Rfc1738,
    /// RFC 3986 and the documents about each scheme that refer to it.
    Rfc3986,
}
