//! The schemes that have a production of their own.

/// A scheme whose syntax this crate knows, or any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// `ftp`, RFC 1738 §3.2.
    Ftp,
    /// `http`, RFC 1738 §3.3, RFC 9110 §4.2.1.
    Http,
    /// `https`, RFC 9110 §4.2.2. Unknown to RFC 1738.
    Https,
    /// `gopher`, RFC 1738 §3.4, RFC 4266.
    Gopher,
    /// `mailto`, RFC 1738 §3.5, RFC 6068.
    Mailto,
    /// `news`, RFC 1738 §3.6, RFC 5538 §4.
    News,
    /// `nntp`, RFC 1738 §3.7, RFC 5538 §3.
    Nntp,
    /// `telnet`, RFC 1738 §3.8, RFC 4248.
    Telnet,
    /// `tn3270`, RFC 6270. A reserved name without a syntax in RFC 1738.
    Tn3270,
    /// `wais`, RFC 1738 §3.9, RFC 4156.
    Wais,
    /// `file`, RFC 1738 §3.10, RFC 8089.
    File,
    /// `prospero`, RFC 1738 §3.11, RFC 4157.
    Prospero,
    /// Any other scheme, by the generic syntax.
    Other,
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
        // The length settles the candidates, so that at most five names are compared.
        let candidates: &[Self] = match name.len() {
            3 => &[Self::Ftp],
            4 => &[Self::Http, Self::News, Self::File, Self::Nntp, Self::Wais],
            5 => &[Self::Https],
            6 => &[Self::Mailto, Self::Gopher, Self::Telnet, Self::Tn3270],
            8 => &[Self::Prospero],
            _ => &[],
        };
        candidates
            .iter()
            .copied()
            .find(|scheme| name.eq_ignore_ascii_case(scheme.name().as_bytes()))
            .unwrap_or(Self::Other)
    }

    /// The name in lower case; empty for [`Scheme::Other`].
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ftp => "ftp",
            Self::Http => "http",
            Self::Https => "https",
            Self::Gopher => "gopher",
            Self::Mailto => "mailto",
            Self::News => "news",
            Self::Nntp => "nntp",
            Self::Telnet => "telnet",
            Self::Tn3270 => "tn3270",
            Self::Wais => "wais",
            Self::File => "file",
            Self::Prospero => "prospero",
            Self::Other => "",
        }
    }

    /// The port that a client connects to when the URL gives none.
    pub const fn default_port(self) -> Option<u16> {
        match self {
            Self::Ftp => Some(21),
            Self::Http => Some(80),
            Self::Https => Some(443),
            Self::Gopher => Some(70),
            Self::Nntp => Some(119),
            Self::Telnet | Self::Tn3270 => Some(23),
            Self::Wais => Some(210),
            Self::Prospero => Some(1525),
            Self::Mailto | Self::News | Self::File | Self::Other => None,
        }
    }

    /// Whether RFC 1738 has a production for it.
    pub const fn is_rfc1738(self) -> bool {
        !matches!(self, Self::Https | Self::Tn3270 | Self::Other)
    }

    /// Whether `//` and an authority must follow the scheme's colon in RFC 1738. (Later documents
    /// agree, but for file.)
    pub(crate) const fn needs_slashes(self) -> bool {
        !matches!(self, Self::Mailto | Self::News | Self::Other)
    }

    /// Whether a user name may stand before the host.
    pub(crate) const fn has_userinfo(self, grammar: Grammar) -> bool {
        match grammar {
            Grammar::Rfc1738 => matches!(self, Self::Ftp | Self::Telnet | Self::Other),
            Grammar::Rfc3986 => !matches!(self, Self::File | Self::Wais | Self::Prospero),
        }
    }

    /// Whether RFC 3986's fragment belongs to the scheme's own production.
    pub(crate) const fn has_fragment(self) -> bool {
        matches!(
            self,
            Self::Http | Self::Https | Self::Ftp | Self::File | Self::Gopher | Self::Other
        )
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
