//! The schemes that a scanner knows, and what must follow each.

use crate::pairs::Pairs;
use crate::table::table;
use urlsift_core::{Profile, Scheme, SchemePart, registry};

/// The longest run of scheme characters that is taken for a scheme. The registry's longest name is
/// much shorter; the bound keeps the look-back from a colon short.
pub(crate) const MAX_SCHEME: usize = 64;

/// The schemes without `//` that people put between brackets. Each makes the colons behind its last
/// letter places to look at. In 25 MB of mail and documents (2026-11) 23 % of the colons stand behind
/// the letters of `mailto` and `news` or a blank; these add 11 %, nearly all by the `n` and `m`, which
/// costs less than a twentieth of an instruction a byte. To take all registered schemes would double
/// them, for next to nothing.
const BRACKETED: [&str; 8] = ["data", "doi", "im", "sip", "sips", "tel", "urn", "xmpp"];

/// What must follow a known scheme's colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `//` and a host.
    Host,
    /// `//` and a host, or `///` and a path.
    File,
    /// `//`, and a host or a path.
    Slashes,
    /// An address: something, `@`, something.
    Mailto,
    /// A newsgroup, a Message-ID, or (within a wrapper) `*`.
    News,
    /// Anything: the user named the scheme.
    Named,
    /// Anything, but only within brackets or whole values.
    Opaque,
}

impl Shape {
    /// What must follow the colon of a scheme that has a syntax of its own; `None` for others.
    pub(crate) const fn of(scheme: Scheme) -> Option<Self> {
        match scheme.follows() {
            SchemePart::Host => Some(Self::Host),
            SchemePart::HostOrPath => Some(Self::File),
            SchemePart::Address => Some(Self::Mailto),
            SchemePart::Newsgroup => Some(Self::News),
            _ => None,
        }
    }
}

/// The known schemes of one scanner.
#[derive(Clone, Debug)]
pub(crate) struct Schemes {
    named: Vec<String>,
    /// Whether registered schemes count, beyond the classic ones.
    registry: bool,
    /// What [`Self::may_precede`] says, by the length.
    pairs: Vec<Pairs>,
}

impl Schemes {
    pub(crate) fn new(profile: Profile, named: &[String]) -> Self {
        let registry = !matches!(profile, Profile::Rfc1738 | Profile::Cern1994);
        let mut known = Self { named: named.to_vec(), registry, pairs: Vec::new() };
        for entry in registry::all() {
            known.add_pairs(entry.name.as_bytes());
        }
        for name in named {
            known.add_pairs(name.as_bytes());
        }
        known.add_pairs(b"url");
        known
    }

    fn add_pairs(&mut self, name: &[u8]) {
        if self.pairs.len() < name.len() {
            self.pairs.resize(name.len(), Pairs::default());
        }
        let mut next = b':';
        for (behind, &byte) in name.iter().rev().enumerate() {
            self.pairs[behind].add(byte, next);
            next = byte;
        }
    }

    /// Whether a known scheme or the word `URL`, whose last `len` bytes start with `next`, may have
    /// `byte` before them. (`next` is the colon if there are none of them yet.) Case does not matter.
    ///
    /// Says no for nearly all words, and never for a known scheme.
    pub(crate) fn may_precede(&self, byte: u8, next: u8, len: usize) -> bool {
        self.pairs.get(len).is_some_and(|pairs| pairs.hold(byte, next))
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
        let registered = if self.registry { registry::known(name)? } else { return None };
        Some(if registered.slashes { Shape::Slashes } else { Shape::Opaque })
    }

    /// As [`Self::shape`], for the few schemes that running text yields without `//`.
    pub(crate) fn bare_shape(&self, name: &[u8]) -> Option<Shape> {
        match classic_shape(name) {
            Some(shape @ (Shape::Mailto | Shape::News)) => Some(shape),
            _ => self
                .named
                .iter()
                .any(|n| n.as_bytes().eq_ignore_ascii_case(name))
                .then_some(Shape::Named),
        }
    }

    /// Whether the text ends with the name of one of those, whatever stands before it.
    #[inline]
    pub(crate) fn bare_ends(&self, text: &[u8]) -> bool {
        // Small letters have this bit, large ones don't, and no other byte becomes a letter by it.
        const CASE: u64 = 0x2020_2020_2020_2020;
        const MAILTO: u64 = u64::from_be_bytes(*b"\0\0mailto");
        const NEWS: u64 = u64::from_be_bytes(*b"\0\0\0\0news");
        let Some(last) = text.last_chunk::<8>() else { return self.ends(text) };
        let low = u64::from_be_bytes(*last) | CASE;
        low & 0xFFFF_FFFF_FFFF == MAILTO
            || low & 0xFFFF_FFFF == NEWS
            || (!self.named.is_empty() && self.ends(text))
    }

    #[inline(never)]
    fn ends(&self, text: &[u8]) -> bool {
        let ends = |name: &[u8]| {
            text.len()
                .checked_sub(name.len())
                .is_some_and(|start| text[start..].eq_ignore_ascii_case(name))
        };
        ends(b"mailto") || ends(b"news") || self.named.iter().any(|name| ends(name.as_bytes()))
    }

    /// The last two letters of all known schemes and of the word `URL`.
    pub(crate) fn endings(&self) -> Pairs {
        let mut endings = self.pairs.get(1).cloned().unwrap_or_default();
        for name in &self.named {
            if let [letter] = *name.as_bytes() {
                endings.add_any(letter);
            }
        }
        endings
    }

    /// The schemes that are found without `//`: in running text, or between brackets.
    pub(crate) fn without_slashes(&self) -> impl Iterator<Item = &str> {
        let bracketed = if self.registry { &BRACKETED[..] } else { &[] };
        let named = self.named.iter().map(String::as_str);
        ["mailto", "news"].into_iter().chain(bracketed.iter().copied()).chain(named)
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

/// How many bytes that can stand in a scheme end at `colon`; at most one more than a scheme has.
#[inline]
pub(crate) fn run_before(text: &[u8], colon: usize) -> usize {
    let bound = colon.saturating_sub(MAX_SCHEME + 1);
    let head = &text[bound..colon];
    let mut run = 0;
    for &byte in head.iter().rev() {
        if !SCHEME_BYTE[usize::from(byte)] {
            break;
        }
        run += 1;
    }
    run
}

/// [`is_scheme_byte`] as a table, for loops.
pub(crate) static SCHEME_BYTE: [bool; 256] = table!(|byte| is_scheme_byte(byte));

/// Whether `byte` can stand in a scheme.
pub(crate) const fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Whether `name` is the reserved word `URL`, which is a prefix and never a scheme.
pub(crate) const fn is_prefix_word(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"url")
}
