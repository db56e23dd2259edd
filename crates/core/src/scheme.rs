//! The schemes that have a production of their own: one table, a row for each.
//!
//! Whatever this crate and those above it know of a scheme as such stands in its row. How its URLs are
//! read, and what is said of them, stands in its file under `schemes`. There is nothing else to touch
//! when a scheme is added.

/// Hands the table to the macro `$to`. A row is the scheme, with its documents; where its rules stand,
/// as a path under `schemes`; and what is known of it.
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
            /// A scheme that is in no document, to see what it takes to add one.
            #[cfg(test)]
            MadeUp, tests::MadeUp, Row {
                name: "x-made-up",
                default_port: Some(1738),
                query: false,
                ..Row::USUAL
            };
            /// Any other scheme, by the generic syntax.
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
        /// A scheme whose syntax this crate knows, or any other.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Scheme {
            $( $(#[doc = $doc])* $(#[cfg($cfg)])? $scheme, )+
        }

        impl Scheme {
            /// Every scheme, in the order of the table.
            pub const ALL: &'static [Self] = &[ $( $(#[cfg($cfg)])? Self::$scheme, )+ ];
        }

        /// What is known of each scheme, in the order of [`Scheme::ALL`].
        const ROWS: &[Row] = &[ $( $(#[cfg($cfg)])? $row, )+ ];
    };
}
pub(crate) use each_scheme;

each_scheme!(scheme);

/// What is known of a scheme as such.
#[expect(clippy::struct_excessive_bools, reason = "a row of a table: each is a column of its own")]
struct Row {
    name: &'static str,
    follows: SchemePart,
    default_port: Option<u16>,
    /// Whether RFC 1738 has user name and password before the host.
    login: bool,
    /// What the later documents ask of an authority, if they have one.
    authority: Option<Authority>,
    /// Whether the later documents advise against userinfo although they have it.
    deprecates_userinfo: bool,
    query: bool,
    fragment: bool,
    is_rfc1738: bool,
    is_classic: bool,
    normal_path: NormalPath,
    draft: Draft,
}

impl Row {
    /// What most schemes of RFC 1738 have in common, those that have a row of their own.
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

/// What must follow a scheme's colon.
///
/// ```
/// use urlsift_core::{Scheme, SchemePart};
/// assert_eq!(Scheme::Mailto.follows(), SchemePart::Address);
/// assert_eq!(Scheme::File.follows(), SchemePart::HostOrPath);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemePart {
    /// `//` and a host, before which user name and password may stand.
    Host,
    /// `//` and a host, or `///` and a path.
    HostOrPath,
    /// A mail address.
    Address,
    /// A newsgroup or a Message-ID.
    Newsgroup,
    /// Whatever the generic syntax allows.
    Any,
}

/// What a scheme asks of its authority in the later documents.
#[derive(Clone, Copy)]
pub(crate) struct Authority {
    /// Whether userinfo may stand before the host.
    pub(crate) userinfo: bool,
    /// Whether the host must not be empty.
    pub(crate) host: bool,
    /// Whether a port may follow the host.
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

/// How the form to compare by writes the start of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NormalPath {
    /// With the slash, whether it was written or not.
    Rooted,
    /// As a slash where there is nothing behind the authority.
    SlashForNothing,
    /// As it is: without a slash it means something else.
    AsWritten,
}

/// What follows the host in the draft of 1994.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Draft {
    /// The scheme has no production of its own, and no host.
    Generic,
    PathAndSearch,
    GopherItem,
    /// A path that must be there.
    Path,
    WaisForms,
    Nothing,
}

impl Scheme {
    /// The scheme of that name, in any case; [`Scheme::Other`] if it has no production here.
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

    /// Whether a scheme may have that name: letters, digits, `+`, `.` and `-`, a letter first (RFC 3986 §3.1). Linear.
    ///
    /// ```
    /// use urlsift_core::Scheme;
    /// assert!(Scheme::may_be_named(b"svn+ssh"));
    /// assert!(!Scheme::may_be_named(b"3com"));
    /// assert!(!Scheme::may_be_named(b""));
    /// ```
    pub fn may_be_named(name: &[u8]) -> bool {
        name.first().is_some_and(u8::is_ascii_alphabetic)
            && crate::bytes::skip(name, 0, crate::bytes::SCHEME) == name.len()
    }

    const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The name in lower case; empty for [`Scheme::Other`].
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// What must follow the scheme's colon.
    pub const fn follows(self) -> SchemePart {
        self.row().follows
    }

    /// Whether `//` must follow the scheme's colon in RFC 1738. (Later documents agree, but for file.)
    pub const fn needs_slashes(self) -> bool {
        matches!(self.follows(), SchemePart::Host | SchemePart::HostOrPath)
    }

    /// Whether a `?` parts a query from what stands before it, in the later documents.
    pub const fn has_query(self) -> bool {
        self.row().query
    }

    /// Whether RFC 3986's fragment belongs to the scheme's own production.
    pub const fn has_fragment(self) -> bool {
        self.row().fragment
    }

    /// The port that a client connects to when the URL gives none.
    pub const fn default_port(self) -> Option<u16> {
        self.row().default_port
    }

    /// Whether RFC 1738 has a production for it.
    pub const fn is_rfc1738(self) -> bool {
        self.row().is_rfc1738
    }

    /// Whether it is one of those that any text may hold: RFC 1738's and https.
    pub const fn is_classic(self) -> bool {
        self.row().is_classic
    }

    /// What the later documents ask of an authority; `None` if they have none.
    pub(crate) const fn authority(self) -> Option<Authority> {
        self.row().authority
    }

    /// Whether RFC 1738 has user name and password before the host.
    pub(crate) const fn has_login(self) -> bool {
        self.row().login
    }

    /// Whether a user name may stand before the host.
    pub(crate) const fn has_userinfo(self, grammar: Grammar) -> bool {
        match grammar {
            Grammar::Rfc1738 => self.has_login(),
            Grammar::Rfc3986 => matches!(self.authority(), Some(Authority { userinfo: true, .. })),
        }
    }

    /// Whether the later documents advise against userinfo although they have it.
    pub(crate) const fn deprecates_userinfo(self) -> bool {
        self.row().deprecates_userinfo
    }

    /// How the form to compare by writes the start of a path.
    pub(crate) const fn normal_path(self) -> NormalPath {
        self.row().normal_path
    }

    /// What follows the host in the draft of 1994.
    pub(crate) const fn draft(self) -> Draft {
        self.row().draft
    }
}

/// The family of productions that a URL was read by. Profile `web` tries one, then the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// RFC 1738 §5.
    Rfc1738,
    /// RFC 3986 and the scheme documents over it.
    Rfc3986,
}
