//! Writes the parts of a URL in normal form.

use crate::bytes::{self, ALPHA, DIGIT, MENDABLE, Set};
use crate::parts::NONE;
use crate::rewrite::Rewrite;
use crate::scheme::NormalPath;
use crate::{Url, escape};

/// The normal form of a URL, as written so far.
pub(crate) struct Form<'u> {
    pub(crate) out: Rewrite<'u>,
    /// The characters that are not escaped in this form.
    pub(crate) bare: Set,
    /// True if the repairs of profile `web` apply.
    pub(crate) mend: bool,
}

impl Form<'_> {
    /// Adds the authority with its slashes.
    pub(crate) fn authority(&mut self, url: &Url<'_>) {
        self.out.extend(b"//");
        if url.parts.at_sign != NONE {
            self.part(&url.text[url.parts.authority..url.parts.at_sign], self.bare);
            self.out.push(b'@');
        }
        // An escaped hyphen or dot stays one: it is no label's end, nor between two.
        self.spelled(url.host().unwrap_or_default(), ALPHA | DIGIT, |octet| {
            octet.to_ascii_lowercase()
        });
        let port = url.port().unwrap_or_default();
        let zeros = port.iter().take_while(|&&b| b == b'0').count();
        let port = &port[zeros.min(port.len().saturating_sub(1))..];
        if !port.is_empty() && url.effective_port() != url.parts.scheme.default_port()
            || url.parts.scheme.default_port().is_none() && !port.is_empty()
        {
            self.out.push(b':');
            self.out.extend(port);
        }
    }

    /// Adds the rest of the URL after the authority.
    pub(crate) fn tail(&mut self, url: &Url<'_>) {
        let tail = url.tail();
        let slash = match url.parts.scheme.normal_path() {
            NormalPath::Rooted => !tail.starts_with(b"/"),
            NormalPath::SlashForNothing => tail.is_empty(),
            NormalPath::AsWritten => false,
        };
        if slash {
            self.out.push(b'/');
        }
        // No escape after a `//` without an authority is decoded: the result could read as a login.
        let opaque = url.parts.authority == NONE && tail.starts_with(b"//");
        self.part(tail, if opaque { 0 } else { self.bare });
    }

    /// Adds a part with as few escapes as possible. `bare` is the set of characters that need no
    /// escape.
    pub(crate) fn part(&mut self, part: &[u8], bare: Set) {
        self.spelled(part, bare, |octet| octet);
    }

    /// Like [`Self::part`], with unescaped bytes converted by `spell`.
    fn spelled(&mut self, part: &[u8], bare: Set, spell: impl Fn(u8) -> u8) {
        let mut at = 0;
        while let Some(&byte) = part.get(at) {
            if let Some(octet) = escape::octet(part, at) {
                if bytes::is(octet, bare) {
                    self.out.push(spell(octet));
                } else {
                    self.escaped(octet);
                }
                at += 3;
            } else {
                if self.mend && (byte >= 0x80 || byte == b'%' || bytes::is(byte, MENDABLE)) {
                    self.escaped(byte);
                } else {
                    self.out.push(spell(byte));
                }
                at += 1;
            }
        }
    }

    fn escaped(&mut self, octet: u8) {
        self.out.extend(&escape::of(octet));
    }
}
