//! What stands around a colon: a common scheme, and what opens before it.

use crate::extent::ExtentRules;
use crate::read::wrapper;
use crate::scheme::anchor::Anchor;
use crate::scheme::{Shape, is_scheme_byte};
use urlsift_core::Scheme;

/// The name of the longest scheme that is common.
const MAX_NAME: usize = 6;

/// How many bytes before a colon are looked at: a scheme and two that lead to it.
const REACH: usize = MAX_NAME + 2;

/// A scheme of which texts are full.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    /// The last bytes before the colon in lower case, as a number, and which of its bits count.
    name: u64,
    mask: u64,
    pub(super) len: usize,
    pub(super) shape: Shape,
    /// Whether `//` must follow.
    pub(super) has_slashes: bool,
}

/// The schemes of RFC 1738 and https, as far as their names are short.
static COMMON: [Common; COUNT] = {
    const ANY: Common =
        Common { name: 0, mask: 0, len: 0, shape: Shape::Named, has_slashes: false };
    let mut common = [ANY; COUNT];
    let (mut at, mut filled) = (0, 0);
    while at < Scheme::ALL.len() {
        if let Some(scheme) = Common::of(Scheme::ALL[at]) {
            common[filled] = scheme;
            filled += 1;
        }
        at += 1;
    }
    common
};

const COUNT: usize = {
    let (mut at, mut count) = (0, 0);
    while at < Scheme::ALL.len() {
        count += Common::of(Scheme::ALL[at]).is_some() as usize;
        at += 1;
    }
    count
};

impl Common {
    const fn of(scheme: Scheme) -> Option<Self> {
        let name = scheme.name().as_bytes();
        let Some(shape) = Shape::of(scheme) else { return None };
        if !scheme.is_classic() || name.len() > MAX_NAME {
            return None;
        }
        let (mut key, mut mask, mut at) = (0, 0, 0);
        while at < name.len() {
            key = key << 8 | name[at] as u64;
            mask = mask << 8 | 0xFF;
            at += 1;
        }
        let has_slashes = scheme.needs_slashes();
        Some(Self { name: key, mask, len: name.len(), shape, has_slashes })
    }
}

/// The bytes before a colon, itself, and the one behind it.
pub(super) struct Around([u8; REACH + 2]);

impl Around {
    #[inline(always)]
    pub(super) fn at(text: &[u8], colon: usize) -> Option<Self> {
        let near = colon.checked_sub(REACH).and_then(|from| text.get(from..)?.first_chunk());
        near.map_or_else(|| Self::at_edge(text, colon), |near| Some(Self(*near)))
    }

    /// Near the start of a text, as if blanks stood before it. Such texts are the fields of headers and
    /// the attributes of tags.
    #[cold]
    fn at_edge(text: &[u8], colon: usize) -> Option<Self> {
        let mut near = [b' '; REACH + 2];
        near[REACH.checked_sub(colon)?..].copy_from_slice(text.get(..colon + 2)?);
        Some(Self(near))
    }

    /// Whether the colon is that of the prefix `URL:`.
    #[inline(always)]
    pub(super) fn is_prefix(&self) -> bool {
        self.letters() & 0xFF_FFFF == u64::from_be_bytes(*b"\0\0\0\0\0url")
    }

    /// The common scheme that ends at the colon, if what follows it goes with the scheme. (Where it is the
    /// end of a longer word, that shows in what stands before it.)
    #[inline(always)]
    pub(super) fn scheme(&self) -> Option<&'static Common> {
        let letters = self.letters();
        let has_slash = self.0[REACH + 1] == b'/';
        COMMON
            .iter()
            .find(|common| letters & common.mask == common.name && common.has_slashes == has_slash)
    }

    /// The eight bytes before the colon in small letters, as far as they are letters.
    #[inline(always)]
    fn letters(&self) -> u64 {
        const CASE: u64 = 0x2020_2020_2020_2020;
        u64::from_be_bytes(*self.0.first_chunk().unwrap_or(&[0; REACH])) | CASE
    }
}

/// What the pass knows of the text before a colon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// Where the last URL ended.
    pub(crate) left: usize,
    /// No URL starts before this byte.
    pub(crate) floor: usize,
}

/// What a URL stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// In running text, and neither wrapper nor prefix nor more of the scheme can stand before it.
    Bare,
    /// Behind the `<` of what may be a wrapper.
    Angle,
    /// Behind the prefix `URL:`.
    Prefixed,
}

impl Frame {
    /// `None` if it takes a closer look to tell.
    #[inline(always)]
    pub(super) fn of(
        text: &[u8],
        anchor: &Anchor,
        past: &Past,
        rules: ExtentRules<'_>,
    ) -> Option<Self> {
        let start = anchor.start;
        if start < past.floor {
            return None;
        }
        let Some(before) = start.checked_sub(1) else { return Some(Self::Bare) };
        let lead = text[before];
        if lead == b'<' {
            return Some(Self::Angle);
        }
        if is_scheme_byte(lead) {
            return None;
        }
        // No wrapper opens within a URL.
        let left = past.left.min(start);
        let (since, start, colon) = (&text[left..], start - left, anchor.colon - left);
        if wrapper::may_open_before(since, start, colon, rules.schemes) {
            return None;
        }
        match lead {
            b' ' | b'\t' | b':' if anchor.prefix(text).is_some() => Some(Self::Prefixed),
            _ => Some(Self::Bare),
        }
    }
}
