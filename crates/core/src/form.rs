//! How the parts of a URL are written in the form to compare by.

use crate::bytes::{self, ALPHA, DIGIT, MENDABLE, Set};
use crate::parts::NONE;
use crate::rewrite::Rewrite;
use crate::scheme::NormalPath;
use crate::{Url, escape};

/// The form of a URL to compare by, as far as it is written.
pub(crate) struct Form<'u> {
    pub(crate) out: Rewrite<'u>,
    /// The characters that are not escaped in this form.
    pub(crate) bare: Set,
    /// Whether the repairs of profile `web` are made.
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

    /// Adds what follows the authority.
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
        // `//` without a login behind it must not get one.
        let opaque = url.parts.authority == NONE && tail.starts_with(b"//");
        self.part(tail, if opaque { 0 } else { self.bare });
    }

    /// Adds a part, escaped as little as may be, `bare` being what needs no escape in it.
    pub(crate) fn part(&mut self, part: &[u8], bare: Set) {
        self.spelled(part, bare, |octet| octet);
    }

    /// The same, with what is not escaped spelled by `spell`.
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
