//! The schemes that a scanner knows, and what must follow each.

use crate::pairs::Pairs;
use crate::table::table;
use urlsift_core::{Profile, Scheme, SchemePart, registry};

/// The maximum length of a scheme in text. The registry's longest name is much shorter; the limit
/// bounds the search back from a colon.
pub(crate) const MAX_SCHEME: usize = 64;

/// The schemes without `//` that people put between brackets. Each adds anchors: the colons after
/// its last letter. In 25 MB of mail and documents (2026-11) 23 % of the colons come after the
/// letters of `mailto` and `news` or a blank. These schemes add 11 %, nearly all of them through
/// the `n` of `urn` and the `m` of `im`, which costs less than a twentieth of an instruction per
/// byte. All registered schemes would double the anchors, and find almost nothing more.
const BRACKETED: [&str; 8] = ["data", "doi", "im", "sip", "sips", "tel", "urn", "xmpp"];

/// The names that RFC 1738 §4 reserves for parts of messages; RFC 2392 defines their syntax.
const RESERVED: [&str; 2] = ["cid", "mid"];

/// The reserved name that is also found in running text, before a Message-ID.
const MESSAGE: &[u8] = b"mid";

/// The schemes with `//` that may have a blank after the colon between brackets (`<http: //host>`).
/// Other schemes in the set have the same last letters, so these add no anchors.
const BLANK_AFTER_COLON: [&str; 3] = ["ftp", "http", "https"];

/// The syntax that must follow the colon of a known scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `//` and a host.
    Host,
    /// `//` and a host, or `///` and a path.
    File,
    /// `//`, and a host or a path.
    Slashes,
    /// An address: a local part, `@` and a domain. (Also a Message-ID after `mid:`.)
    Mailto,
    /// A newsgroup, a Message-ID, or (within a wrapper) `*`.
    News,
    /// Anything: the user named the scheme.
    Named,
    /// Anything, but only within brackets or in whole values.
    Opaque,
}

impl Shape {
    /// Returns the syntax that must follow the scheme's colon, or `None` if the scheme has no
    /// syntax of its own.
    pub(crate) const fn of_scheme(scheme: Scheme) -> Option<Self> {
        match scheme.scheme_part() {
            SchemePart::Host => Some(Self::Host),
            SchemePart::HostOrPath => Some(Self::File),
            SchemePart::Address => Some(Self::Mailto),
            SchemePart::Newsgroup => Some(Self::News),
            _ => None,
        }
    }
}

/// The schemes that a scanner knows: those of its profile, and those that the user added.
#[derive(Clone, Debug)]
pub(crate) struct Schemes {
    /// The schemes that the user named, in lower case.
    named: Vec<String>,
    /// True if registered schemes are known, beyond the classic ones.
    registry: bool,
    /// The table of [`Self::may_precede_colon`], indexed by its `len`.
    pairs: Vec<Pairs>,
}

impl Schemes {
    /// Builds the set of the schemes that `profile` knows, and of those that the user `named`.
    pub(crate) fn new(profile: Profile, named: &[String]) -> Self {
        let registry = !matches!(profile, Profile::Rfc1738 | Profile::Cern1994);
        let mut known = Self { named: Vec::new(), registry, pairs: Vec::new() };
        for entry in registry::all_entries() {
            known.add_pairs(entry.name.as_bytes());
        }
        for name in named {
            known.add(name);
        }
        known.add_pairs(b"url");
        known
    }

    /// Adds the scheme `name`, as if the user had named it.
    pub(crate) fn add(&mut self, name: &str) {
        self.named.push(name.to_owned());
        self.add_pairs(name.as_bytes());
    }

    /// Adds the scheme `name` to the filter: each pair of neighboring bytes. The last pair is the
    /// last byte of `name` and the colon after it.
    fn add_pairs(&mut self, name: &[u8]) {
        if self.pairs.len() < name.len() {
            self.pairs.resize(name.len(), Pairs::default());
        }
        let mut next = b':';
        for (len_after, &byte) in name.iter().rev().enumerate() {
            self.pairs[len_after].add(byte, next);
            next = byte;
        }
    }

    /// True if the end of a known scheme, or of the word `URL`, may have `byte` before its last
    /// `len` bytes, which start with `next`. (If `len` is 0, `next` is the colon.) Case doesn't
    /// matter.
    ///
    /// This is a fast filter: false for nearly all other words, and never false for a known scheme.
    pub(crate) fn may_precede_colon(&self, byte: u8, next: u8, len: usize) -> bool {
        self.pairs.get(len).is_some_and(|pairs| pairs.contains(byte, next))
    }

    /// True if `name` may be the name of a known scheme. This is a fast filter: false for nearly
    /// all unknown names, and never false for a known one.
    fn may_be_known(&self, name: &[u8]) -> bool {
        let mut next = b':';
        name.iter().rev().enumerate().all(|(len, &byte)| {
            self.may_precede_colon(byte, std::mem::replace(&mut next, byte), len)
        })
    }

    /// True if the schemes are those of a profile that isn't limited to RFC 1738 or to the 1994
    /// CERN draft.
    pub(crate) const fn is_modern(&self) -> bool {
        self.registry
    }

    /// Returns the syntax that must follow the scheme called `name`, ignoring case. Returns `None`
    /// if the scheme is unknown.
    pub(crate) fn shape_of(&self, name: &[u8]) -> Option<Shape> {
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
        let registered = if self.registry { registry::find_entry(name)? } else { return None };
        Some(if registered.slashes { Shape::Slashes } else { Shape::Opaque })
    }

    /// Returns the syntax that must follow the scheme called `name` if it is found in running text
    /// without `//`. Returns `None` for all other names.
    ///
    /// These schemes are `mailto`, `news`, `mid` (unless the profile is limited to RFC 1738) and
    /// those that the user added.
    pub(crate) fn shape_without_slashes(&self, name: &[u8]) -> Option<Shape> {
        match classic_shape(name) {
            Some(shape @ (Shape::Mailto | Shape::News)) => return Some(shape),
            _ if self.registry && name.eq_ignore_ascii_case(MESSAGE) => return Some(Shape::Mailto),
            _ => {}
        }
        let is_named = self.named.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(name));
        is_named.then_some(Shape::Named)
    }

    /// True if `text` ends with the name of a scheme that is found in running text without `//`
    /// (see [`Self::shape_without_slashes`]). Any byte may come before the name.
    #[inline]
    pub(crate) fn ends_with_bare_scheme(&self, text: &[u8]) -> bool {
        Classic::scheme_at_end(text).is_some_and(|classic| !classic.has_slashes)
            || self.registry
                && text
                    .last_chunk()
                    .is_some_and(|end: &[u8; MESSAGE.len()]| end.eq_ignore_ascii_case(MESSAGE))
            || !self.named.is_empty() && self.ends_with_user_scheme(text)
    }

    /// True if `text` ends with the name of a scheme that the user added.
    #[inline(never)]
    fn ends_with_user_scheme(&self, text: &[u8]) -> bool {
        self.named.iter().any(|name| {
            let end = text.len().checked_sub(name.len()).map(|start| &text[start..]);
            end.is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()))
        })
    }

    /// Returns the set of the last two letters of each known scheme, and of the word `URL`.
    pub(crate) fn last_letter_pairs(&self) -> Pairs {
        let mut endings = self.pairs.get(1).cloned().unwrap_or_default();
        for name in &self.named {
            if let [letter] = *name.as_bytes() {
                endings.add_all_with_second(letter);
            }
        }
        endings
    }

    /// Returns the schemes that are found without `//` after their colon, in running text or
    /// between brackets.
    pub(crate) fn schemes_without_slashes(&self) -> impl Iterator<Item = &str> {
        let bracketed = if self.registry { &BRACKETED[..] } else { &[] };
        let named = self.named.iter().map(String::as_str);
        let classic = CLASSIC.iter().filter(|classic| !classic.has_slashes).map(|c| c.name);
        classic
            .chain(bracketed.iter().copied())
            .chain(RESERVED)
            .chain(BLANK_AFTER_COLON)
            .chain(named)
    }
}

/// A classic scheme, i.e. one of RFC 1738 or `https`, with its properties. These schemes are the
/// most common in text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Classic {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// True if `//` must follow.
    pub(crate) has_slashes: bool,
    /// The name as the low bytes of a number, and the mask of its bits: one comparison decides
    /// whether eight bytes end with the name.
    key: u64,
    mask: u64,
}

/// All classic schemes, from the table of `urlsift-core`.
pub(crate) static CLASSIC: [Classic; COUNT] = {
    let mut classic = [Classic::of_scheme(Scheme::Http).expect("the table contains it"); COUNT];
    let (mut at, mut filled) = (0, 0);
    while at < Scheme::ALL.len() {
        if let Some(scheme) = Classic::of_scheme(Scheme::ALL[at]) {
            classic[filled] = scheme;
            filled += 1;
        }
        at += 1;
    }
    classic
};

/// The number of classic schemes.
const COUNT: usize = {
    let (mut at, mut count) = (0, 0);
    while at < Scheme::ALL.len() {
        count += Classic::of_scheme(Scheme::ALL[at]).is_some() as usize;
        at += 1;
    }
    count
};

impl Classic {
    /// The maximum length of a name, in bytes.
    pub(crate) const MAX_LEN: usize = size_of::<u64>();

    /// Returns the table entry of a classic scheme, or `None` for other schemes.
    const fn of_scheme(scheme: Scheme) -> Option<Self> {
        let name = scheme.name();
        let Some(shape) = Shape::of_scheme(scheme) else { return None };
        if !scheme.is_classic() {
            return None;
        }
        assert!(name.len() <= Self::MAX_LEN);
        let (mut key, mut mask, mut at) = (0, 0, 0);
        while at < name.len() {
            key = key << 8 | name.as_bytes()[at] as u64;
            mask = mask << 8 | 0xFF;
            at += 1;
        }
        Some(Self { name, shape, has_slashes: scheme.needs_slashes(), key, mask })
    }

    /// Returns the classic scheme that `text` ends with, ignoring case, or `None` if there is none.
    /// Any byte may come before it.
    #[inline(always)]
    pub(crate) fn scheme_at_end(text: &[u8]) -> Option<&'static Self> {
        // Lower-case letters have this bit and upper-case letters don't. Setting it turns no other
        // byte into a letter.
        const CASE: u64 = 0x2020_2020_2020_2020;
        let letters = match text.last_chunk() {
            Some(last) => u64::from_be_bytes(*last),
            None => text.iter().fold(0, |letters, byte| letters << 8 | u64::from(*byte)),
        } | CASE;
        CLASSIC.iter().find(|classic| letters & classic.mask == classic.key)
    }
}

/// True if `name`, a run of scheme characters, can be the name of a scheme, known or not. It must
/// start with a letter and be longer than one byte, because a single letter is a drive (`C:`).
#[inline]
pub(crate) fn may_name_scheme(name: &[u8]) -> bool {
    name.len() > 1 && name[0].is_ascii_alphabetic()
}

/// Returns the syntax that must follow the classic scheme called `name`, ignoring case. Returns
/// `None` for other names.
#[inline]
pub(crate) fn classic_shape(name: &[u8]) -> Option<Shape> {
    Classic::scheme_at_end(name).filter(|classic| classic.name.len() == name.len()).map(|c| c.shape)
}

/// Returns the length of the run of scheme characters right before `colon`, at most [`MAX_SCHEME`]
/// + 1.
#[inline]
pub(crate) fn scheme_run_len_before(text: &[u8], colon: usize) -> usize {
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

/// True if `byte` may be part of a scheme's name.
pub(crate) const fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// True if `name` is `URL`, ignoring case. This word is a prefix and never a scheme.
pub(crate) const fn is_prefix_word(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"url")
}
