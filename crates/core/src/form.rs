//! Writes the parts of a URL in their normal form, for [`normalize`](crate::normalize()).

use crate::bytes::{self, ALPHA, DIGIT, REPAIRABLE, Set};
use crate::parts::NONE;
use crate::rewrite::Rewrite;
use crate::scheme::NormalPath;
use crate::{Url, escape, iri};

/// A writer for the normal form of a URL, which is written part by part. It contains the output so
/// far, and the rules for the parts that follow.
pub(crate) struct Form<'u> {
    pub(crate) out: Rewrite<'u>,
    /// The characters that are unescaped in this form.
    pub(crate) bare: Set,
    /// True if characters that profile `web` repairs are percent-encoded.
    pub(crate) repair: bool,
}

impl Form<'_> {
    /// Writes `//` and the URL's authority in its normal form.
    pub(crate) fn write_authority(&mut self, url: &Url<'_>) {
        self.out.extend(b"//");
        if url.parts.at_sign != NONE {
            let userinfo = &url.text[url.parts.authority..url.parts.at_sign];
            self.write_part_converted(userinfo, self.bare, false, |octet| octet);
            self.out.push(b'@');
        }
        let host = url.host().unwrap_or_default();
        if host.starts_with(b"[") {
            // The brackets of an IP literal are delimiters, and are not escaped.
            for byte in host {
                self.out.push(byte.to_ascii_lowercase());
            }
        } else {
            // Escaped hyphens and dots stay escaped, because an escaped dot doesn't separate
            // labels.
            let lower = |octet: u8| octet.to_ascii_lowercase();
            self.write_part_converted(host, ALPHA | DIGIT, false, lower);
        }
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

    /// Writes the text between the URL's authority and its fragment. Adds a slash if the scheme's
    /// normal form requires one.
    pub(crate) fn write_after_authority(&mut self, url: &Url<'_>) {
        let tail = url.after_authority();
        let slash = match url.parts.scheme.normal_path() {
            NormalPath::Rooted => !tail.starts_with(b"/"),
            NormalPath::SlashForNothing => tail.is_empty(),
            NormalPath::AsWritten => false,
        };
        if slash {
            self.out.push(b'/');
        }
        // After a `//` without an authority, no escape is decoded, because the result could look
        // like an authority.
        let opaque = url.parts.authority == NONE && tail.starts_with(b"//");
        self.write_part(tail, if opaque { 0 } else { self.bare });
    }

    /// Writes `part`, which is a part of the URL after the authority. Escapes of characters in
    /// `bare` are decoded.
    pub(crate) fn write_part(&mut self, part: &[u8], bare: Set) {
        self.write_part_converted(part, bare, self.repair, |octet| octet);
    }

    /// Writes `part`, a part of the URL. Escapes of characters in `bare` are decoded, and each
    /// unescaped byte is replaced by the result of `convert`.
    ///
    /// If `has_tildes` is true, characters that look like a `~` are replaced by `~`.
    fn write_part_converted(
        &mut self,
        part: &[u8],
        bare: Set,
        has_tildes: bool,
        convert: impl Fn(u8) -> u8,
    ) {
        let mut at = 0;
        while let Some(&byte) = part.get(at) {
            if let Some(octet) = escape::decode_octet_at(part, at) {
                if bytes::is_in(octet, bare) {
                    self.out.push(convert(octet));
                } else {
                    self.write_escape(octet);
                }
                at += 3;
            } else if byte >= 0x80
                && has_tildes
                && let Some(len) = iri::look_alike_tilde(part, at, self.out.written().last())
            {
                self.out.push(b'~');
                at += len;
            } else {
                if self.repair && (byte >= 0x80 || byte == b'%' || bytes::is_in(byte, REPAIRABLE)) {
                    self.write_escape(byte);
                } else {
                    self.out.push(convert(byte));
                }
                at += 1;
            }
        }
    }

    /// Percent-encodes an octet and writes it.
    fn write_escape(&mut self, octet: u8) {
        self.out.extend(&escape::encode_octet(octet));
    }
}
