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

/// The names that RFC 1738 §4 reserves for parts of messages; RFC 2392 gives them their syntax.
const RESERVED: [&str; 2] = ["cid", "mid"];

/// The one of them that running text yields: a Message-ID.
const MESSAGE: &[u8] = b"mid";

/// The schemes with `//` behind whose colon a blank is looked for between brackets (`<http: //host>`). Their last letters
/// are those of others, so that they add no place to look at.
const PARTED: [&str; 3] = ["ftp", "http", "https"];

/// What must follow a known scheme's colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `//` and a host.
    Host,
    /// `//` and a host, or `///` and a path.
    File,
    /// `//`, and a host or a path.
    Slashes,
    /// An address: something, `@`, something. (Also that of a Message-ID behind `mid:`.)
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

    /// Says no for nearly all names that are not known, and never for one that is.
    fn may_be_known(&self, name: &[u8]) -> bool {
        let mut next = b':';
        name.iter()
            .rev()
            .enumerate()
            .all(|(len, &byte)| self.may_precede(byte, std::mem::replace(&mut next, byte), len))
    }

    /// Whether the profile goes beyond RFC 1738 and the draft before it.
    pub(crate) const fn is_modern(&self) -> bool {
        self.registry
    }

    /// The shape of the scheme called `name`, in any case; `None` if it is not known.
    pub(crate) fn shape(&self, name: &[u8]) -> Option<Shape> {
        if name.len() > MAX_SCHEME {
            return None;
        }
        if let Some(classic) = classic_shape(name) {
            return Some(classic);
        }
        if !self.may_be_known(name) {
            return None;
        }
        if self.named.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(name)) {
            return Some(Shape::Named);
        }
        if RESERVED.iter().any(|reserved| reserved.as_bytes().eq_ignore_ascii_case(name)) {
            return Some(Shape::Opaque);
        }
        let registered = if self.registry { registry::known(name)? } else { return None };
        Some(if registered.slashes { Shape::Slashes } else { Shape::Opaque })
    }

    /// The shape of a scheme that running text yields without `//`: mailto, news, mid where there are more than RFC 1738's,
    /// and those that the user named.
    pub(crate) fn bare_shape(&self, name: &[u8]) -> Option<Shape> {
        match classic_shape(name) {
            Some(shape @ (Shape::Mailto | Shape::News)) => return Some(shape),
            _ if self.registry && name.eq_ignore_ascii_case(MESSAGE) => return Some(Shape::Mailto),
            _ => {}
        }
        let is_named = self.named.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(name));
        is_named.then_some(Shape::Named)
    }

    /// Whether the text ends with the name of one of those, whatever stands before it.
    #[inline]
    pub(crate) fn bare_ends(&self, text: &[u8]) -> bool {
        Classic::at_end(text).is_some_and(|classic| !classic.has_slashes)
            || self.registry
                && text
                    .last_chunk()
                    .is_some_and(|end: &[u8; MESSAGE.len()]| end.eq_ignore_ascii_case(MESSAGE))
            || !self.named.is_empty() && self.named_ends(text)
    }

    #[inline(never)]
    fn named_ends(&self, text: &[u8]) -> bool {
        self.named.iter().any(|name| {
            let end = text.len().checked_sub(name.len()).map(|start| &text[start..]);
            end.is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()))
        })
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

    /// The schemes that are found without `//` right behind their colon: in running text, or between brackets.
    pub(crate) fn without_slashes(&self) -> impl Iterator<Item = &str> {
        let bracketed = if self.registry { &BRACKETED[..] } else { &[] };
        let named = self.named.iter().map(String::as_str);
        let classic = CLASSIC.iter().filter(|classic| !classic.has_slashes).map(|c| c.name);
        classic.chain(bracketed.iter().copied()).chain(RESERVED).chain(PARTED).chain(named)
    }
}

/// One of RFC 1738's schemes, or https: the schemes that text is full of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Classic {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// Whether `//` must follow.
    pub(crate) has_slashes: bool,
    /// The name as the lowest bytes of a number, and which of its bits count: one comparison tells whether
    /// eight bytes end with it.
    key: u64,
    mask: u64,
}

/// All of them, from core's table.
pub(crate) static CLASSIC: [Classic; COUNT] = {
    let mut classic = [Classic::of(Scheme::Http).expect("it is in the table"); COUNT];
    let (mut at, mut filled) = (0, 0);
    while at < Scheme::ALL.len() {
        if let Some(scheme) = Classic::of(Scheme::ALL[at]) {
            classic[filled] = scheme;
            filled += 1;
        }
        at += 1;
    }
    classic
};

const COUNT: usize = {
    let (mut at, mut count) = (0, 0);
    while at < Scheme::ALL.len() {
        count += Classic::of(Scheme::ALL[at]).is_some() as usize;
        at += 1;
    }
    count
};

impl Classic {
    /// No name is longer, in bytes.
    pub(crate) const LONGEST: usize = size_of::<u64>();

    const fn of(scheme: Scheme) -> Option<Self> {
        let name = scheme.name();
        let Some(shape) = Shape::of(scheme) else { return None };
        if !scheme.is_classic() {
            return None;
        }
        assert!(name.len() <= Self::LONGEST);
        let (mut key, mut mask, mut at) = (0, 0, 0);
        while at < name.len() {
            key = key << 8 | name.as_bytes()[at] as u64;
            mask = mask << 8 | 0xFF;
            at += 1;
        }
        Some(Self { name, shape, has_slashes: scheme.needs_slashes(), key, mask })
    }

    /// The one that the text ends with, in any case, whatever stands before it.
    #[inline(always)]
    pub(crate) fn at_end(text: &[u8]) -> Option<&'static Self> {
        // Small letters have this bit, large ones don't, and no other byte becomes a letter by it.
        const CASE: u64 = 0x2020_2020_2020_2020;
        let letters = match text.last_chunk() {
            Some(last) => u64::from_be_bytes(*last),
            None => text.iter().fold(0, |letters, byte| letters << 8 | u64::from(*byte)),
        } | CASE;
        CLASSIC.iter().find(|classic| letters & classic.mask == classic.key)
    }
}

/// Whether characters of a scheme can be the name of one, known or not. A letter alone is a drive.
#[inline]
pub(crate) fn may_name_scheme(name: &[u8]) -> bool {
    name.len() > 1 && name[0].is_ascii_alphabetic()
}

/// The shape of a classic scheme, in any case.
#[inline]
pub(crate) fn classic_shape(name: &[u8]) -> Option<Shape> {
    Classic::at_end(name).filter(|classic| classic.name.len() == name.len()).map(|c| c.shape)
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
