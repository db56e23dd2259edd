//! The schemes that a scanner knows, and what must follow each.

use urlsift_core::Profile;

/// The longest run of scheme characters that is taken for a scheme. The registry's longest name is
/// much shorter; the bound keeps the look-back from a colon short.
pub(crate) const MAX_SCHEME: usize = 64;

/// What must follow a known scheme's colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `//` and a host.
    Host,
    /// `//` and a host, or `///` and a path.
    File,
    /// An address: something, `@`, something.
    Mailto,
    /// A newsgroup, a Message-ID, or (within a wrapper) `*`.
    News,
    /// Anything: the user named the scheme.
    Named,
    /// Anything, but only within brackets or whole values.
    Opaque,
}

/// The known schemes of one scanner.
#[derive(Clone, Debug)]
pub(crate) struct Schemes {
    named: Vec<String>,
    /// Whether registered schemes count, beyond the classic ones.
    registry: bool,
}

impl Schemes {
    pub(crate) fn new(profile: Profile, named: &[String]) -> Self {
        let registry = !matches!(profile, Profile::Rfc1738 | Profile::Cern1994);
        Self { named: named.to_vec(), registry }
    }

    /// The shape of the scheme called `name`, in any case; `None` if it is not known.
    pub(crate) fn shape(&self, name: &[u8]) -> Option<Shape> {
        if name.len() > MAX_SCHEME {
            return None;
        }
        if let Some(classic) = classic_shape(name) {
            return Some(classic);
        }
        if self.named.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(name)) {
            return Some(Shape::Named);
        }
        (self.registry && name.eq_ignore_ascii_case(b"urn")).then_some(Shape::Opaque)
    }

    /// The schemes that are found in running text without `//`.
    pub(crate) fn without_slashes(&self) -> impl Iterator<Item = &str> {
        ["mailto", "news"].into_iter().chain(self.named.iter().map(String::as_str))
    }
}

/// The shape of one of RFC 1738's schemes or https, in any case: the schemes that text is full of.
#[inline]
pub(crate) fn classic_shape(name: &[u8]) -> Option<Shape> {
    const FILE: u64 = key(b"file");
    const FTP: u64 = key(b"ftp");
    const GOPHER: u64 = key(b"gopher");
    const HTTP: u64 = key(b"http");
    const HTTPS: u64 = key(b"https");
    const MAILTO: u64 = key(b"mailto");
    const NEWS: u64 = key(b"news");
    const NNTP: u64 = key(b"nntp");
    const PROSPERO: u64 = key(b"prospero");
    const TELNET: u64 = key(b"telnet");
    const WAIS: u64 = key(b"wais");
    match key(name) {
        FILE => Some(Shape::File),
        MAILTO => Some(Shape::Mailto),
        NEWS => Some(Shape::News),
        FTP | GOPHER | HTTP | HTTPS | NNTP | PROSPERO | TELNET | WAIS => Some(Shape::Host),
        _ => None,
    }
}

/// Up to eight letters in lower case as one number, so that one comparison serves for eleven; 0 for
/// longer names. Only letters become the numbers of letters.
const fn key(name: &[u8]) -> u64 {
    if name.len() > 8 {
        return 0;
    }
    let mut key = 0;
    let mut rest = name;
    while let [byte, after @ ..] = rest {
        key = key << 8 | (*byte | 0x20) as u64;
        rest = after;
    }
    key
}

/// Whether `byte` can stand in a scheme.
pub(crate) const fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Whether `name` is the reserved word `URL`, which is a prefix and never a scheme.
pub(crate) const fn is_prefix_word(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"url")
}
