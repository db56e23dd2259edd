//! Reports findings: valid but doubtful parts of a URL, such as a password or a non-default port.

use crate::bytes::{self, QUIET, REPAIRABLE, UCHAR, UNRESERVED};
use crate::collector::Collector;
use crate::host_name::split_four_numbers;
use crate::parts::Parts;
use crate::registry::{self, Registered, Rfc1738, Status};
use crate::scheme::Scheme;
use crate::schemes::{Controls, rules_of};
use crate::simd;
use crate::value::parse_decimal;
use crate::{Code, Level, Profile, Span, Url, escape, iri};
use wide::u8x16;

/// True if `url` certainly has no findings, so that the full check can be skipped. This is a fast
/// check: if it returns false, the URL may or may not have findings.
#[inline]
pub(crate) fn has_no_findings(url: &Url<'_>) -> bool {
    let scheme = url.parts.scheme;
    has_no_scheme_findings(url)
        && url.profile != Profile::Cern1994
        && url.user_span().is_none()
        && url.port_span().is_none()
        && url.host_span().is_some_and(|host| is_ordinary_host(url.text, host.start, host.end))
        && has_no_escapes_or_repairs(url.text)
        && hashes_in_fragment(url).next().is_none()
        && rules_of(scheme).findings.is_none()
}

/// True if the URL has no findings about its scheme.
#[inline]
fn has_no_scheme_findings(url: &Url<'_>) -> bool {
    let Parts { scheme, colon, .. } = url.parts;
    QUIET_NAMES[scheme as usize] && has_lower_case_start(url.text, colon)
}

/// True for each scheme that causes no finding in any profile if its name is in lower case, in the
/// order of [`Scheme::ALL`]. This table replaces a registry lookup, which takes ten branches, half
/// of them mispredicted.
static QUIET_NAMES: [bool; Scheme::ALL.len()] = {
    let mut quiet = [false; Scheme::ALL.len()];
    let mut at = 0;
    while at < quiet.len() {
        if let Some(entry) = registry::entry_of(Scheme::ALL[at]) {
            quiet[at] = !is_historic(entry) && !is_reserved(entry);
        }
        at += 1;
    }
    quiet
};

const fn is_historic(entry: &Registered) -> bool {
    matches!(entry.status, Status::Historical)
}

const fn is_reserved(entry: &Registered) -> bool {
    matches!(entry.rfc1738, Rfc1738::Reserved)
}

/// True if the host name at `start..end` certainly causes no finding, because it looks ordinary. It
/// is then within the first 64 bytes of `text`, in lower case, and contains a dot and a letter
/// after the last dot.
///
/// This is a fast check: false is no proof of a finding.
#[inline]
pub(crate) fn is_ordinary_host(text: &[u8], start: usize, end: usize) -> bool {
    if end >= 64 {
        return false;
    }
    let mut masks = simd::class_masks(text, 0, mark_host_bytes);
    if end > 32 {
        let more = simd::class_masks(text, 32, mark_host_bytes);
        masks = [0, 1, 2].map(|class| masks[class] | more[class]);
    }
    let host = (1 << end) - (1 << start);
    let [dots, letters, all] = masks.map(|mask| mask & host);
    // There is a letter after the last dot.
    all == host && dots != 0 && letters > dots
}

/// Classifies sixteen bytes. Returns vectors that mark the dots, the lower-case letters, and all
/// characters of a host name without findings.
#[inline]
fn mark_host_bytes(bytes: u8x16) -> [u8x16; 3] {
    let dot = simd::equal_to(bytes, b'.');
    let letter = simd::in_range(bytes, b'a', b'z');
    let other = simd::in_range(bytes, b'0', b'9') | simd::equal_to(bytes, b'-');
    [dot, letter, dot | letter | other]
}

/// True if the first `length` bytes of `text`, which must be scheme characters, certainly contain
/// no upper-case letter. Always false for a text shorter than eight bytes.
#[inline]
fn has_lower_case_start(text: &[u8], length: usize) -> bool {
    const LOWER: u64 = u64::from_le_bytes([0x20; 8]);
    let Some(&bytes) = text.first_chunk::<8>() else { return false };
    let mask_after = u32::try_from(8 * length).ok().and_then(|bits| u64::MAX.checked_shl(bits));
    length <= 8 && (u64::from_le_bytes(bytes) | mask_after.unwrap_or(0)) & LOWER == LOWER
}

/// True if `text` contains no `%` and no character that profile `web` accepts and repairs.
#[inline]
pub(crate) fn has_no_escapes_or_repairs(text: &[u8]) -> bool {
    simd::all_in_class(text, simd::in_set::<QUIET>)
}

/// Returns the offset of each `#` within the URL's fragment. Only profile `web` accepts a fragment
/// that contains one.
fn hashes_in_fragment(url: &Url<'_>) -> impl Iterator<Item = usize> {
    let fragment = url.fragment_span().unwrap_or_default();
    let bytes = url.text.get(fragment.range()).unwrap_or_default();
    bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'#')
        .map(move |(at, _)| fragment.start + at)
}

impl Collector<'_, '_> {
    /// Appends the findings that both valid and invalid URLs can have. They are about the scheme,
    /// the user name and password, and escapes.
    pub(crate) fn add_common_findings(&mut self) {
        self.check_scheme();
        self.check_userinfo();
        self.check_characters();
        if self.url.profile == Profile::Web {
            let url = self.url;
            for at in hashes_in_fragment(&url) {
                self.add_or_extend(Code::FragmentSecondHash, Level::Warning, Span::new(at, at + 1));
            }
        }
    }

    /// Appends all findings about a valid URL.
    pub(crate) fn add_all_findings(&mut self) {
        self.add_common_findings();
        self.check_host();
        self.check_port();
        if let Some(findings) = rules_of(self.url.parts.scheme).findings {
            findings(self);
        }
    }

    /// Appends the findings about the scheme name.
    fn check_scheme(&mut self) {
        if has_no_scheme_findings(&self.url) {
            return;
        }
        let name = &self.url.text[..self.url.parts.colon];
        let entry = registry::find_entry(name);
        if name.iter().any(u8::is_ascii_uppercase) {
            self.add_for_part(Code::SchemeUppercase, name);
        }
        if !name.first().is_some_and(u8::is_ascii_alphabetic) {
            self.add_for_part(Code::SchemeLeadingNonalpha, name);
        }
        if matches!(name, [b'x' | b'X', b'-', ..]) {
            self.add_for_part(Code::SchemeExperimental, name);
        }
        if self.url.is_modern() && entry.is_some_and(is_historic) {
            self.add_for_part(Code::SchemeHistoric, name);
        } else if entry.is_some_and(is_reserved) {
            self.add_for_part(Code::SchemeReservedName, name);
        }
    }

    /// Appends the findings about the user name and password.
    fn check_userinfo(&mut self) {
        let (Some(user), password) = (self.url.user(), self.url.password()) else { return };
        if self.url.is_modern() && self.url.parts.scheme.deprecates_userinfo() {
            self.add(
                Code::UserinfoHttp,
                Span::new(self.url.parts.authority, self.url.parts.at_sign + 1),
            );
        }
        if user.is_empty() {
            self.add_for_part(Code::UserinfoEmptyUser, user);
        }
        match password {
            Some([]) => {
                self.add_for_part(Code::UserinfoEmptyPassword, password.unwrap_or_default());
            }
            Some(password) => self.add_for_part(Code::SecurityPassword, password),
            None => {}
        }
    }

    /// Appends the findings about the host name.
    fn check_host(&mut self) {
        let Some(host) = self.url.host().filter(|host| !host.is_empty() && host[0] != b'[') else {
            return;
        };
        let Parts { host_end, .. } = self.url.parts;
        if is_ordinary_host(self.url.text, host_end - host.len(), host_end) {
            return;
        }
        let modern = self.url.is_modern();
        if host.iter().any(u8::is_ascii_uppercase) {
            self.add_for_part(Code::HostUppercase, host);
        }
        if host.len() > 255 {
            self.add_for_part(Code::HostLength, host);
        }
        if modern && host.contains(&b'_') {
            self.add_for_part(Code::HostUnderscore, host);
        }
        let name = host.strip_suffix(b".").unwrap_or(host);
        let mut labels = 0;
        for label in name.split(|&b| b == b'.') {
            labels += 1;
            if label.len() > 63 {
                self.add_for_part(Code::HostLabelLength, label);
            }
        }
        if let Some(numbers) = split_four_numbers(name) {
            for number in numbers {
                if parse_decimal(number).is_none_or(|n| n > 255) {
                    self.add_for_part(Code::HostIpv4Range, number);
                }
                if modern && number.len() > 1 && number[0] == b'0' {
                    self.add_for_part(Code::HostIpv4LeadingZero, number);
                }
            }
            return;
        }
        if labels == 1 && !name.eq_ignore_ascii_case(b"localhost") {
            self.add_for_part(Code::HostSingleLabel, host);
        }
        let last = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
        if modern && !last.is_empty() && last.iter().all(u8::is_ascii_digit) {
            self.add_for_part(Code::HostNumericLabel, last);
        }
    }

    /// Appends the findings about the port.
    fn check_port(&mut self) {
        let Some(port) = self.url.port().filter(|port| !port.is_empty()) else { return };
        let number = parse_decimal(port);
        if port.len() > 1 && port[0] == b'0' {
            self.add_for_part(Code::PortLeadingZero, port);
        }
        let in_range = number.is_some_and(|n| (1..=65535).contains(&n));
        if !in_range {
            self.add_for_part(Code::PortOutOfRange, port);
        }
        let Some(default) = self.url.parts.scheme.default_port() else { return };
        if number == Some(default.into()) {
            self.add_for_part(Code::PortDefault, port);
        } else {
            // The more serious finding first: the port of another service, as in a gopher URL that
            // talks to an SMTP server.
            if in_range && number.is_some_and(|n| n < 1024) {
                self.add_for_part(Code::PortReservedRange, port);
            }
            self.add_for_part(Code::PortNondefault, port);
        }
    }

    /// Appends the findings about escapes, and about characters that only profile `web` accepts.
    fn check_characters(&mut self) {
        let text = self.url.text;
        let web = self.url.profile == Profile::Web;
        let unreserved = if self.url.is_modern() { UNRESERVED } else { UCHAR };
        let tail_start = self.url.after_authority_start();
        let Controls { tabs, lines } = (rules_of(self.url.parts.scheme).controls)(&self.url);
        let mut at = self.url.parts.colon + 1;
        loop {
            // Nearly every byte causes no finding and is skipped.
            at = bytes::skip_set_by_chunks(text, at, QUIET);
            let Some(&byte) = text.get(at) else { break };
            let Some(octet) = escape::decode_octet_at(text, at) else {
                let length = iri::decode_char_at(text, at).map_or(1, char::len_utf8);
                let span = Span::new(at, at + length);
                let before = at.checked_sub(1).and_then(|before| text.get(before));
                if web && at >= tail_start && iri::look_alike_tilde(text, at, before).is_some() {
                    self.add_or_extend(Code::CharLookAlike, Level::Warning, span);
                } else if web && byte >= 0x80 && length > 1 {
                    self.add_or_extend(Code::IriNonAscii, Level::Info, span);
                } else if web && at >= tail_start && byte == b'%' {
                    self.add_or_extend(Code::EscapeLonePercent, Level::Warning, span);
                } else if web && at >= tail_start && bytes::is_in(byte, REPAIRABLE) {
                    self.add_or_extend(Code::CharUnencoded, Level::Warning, span);
                }
                at += length;
                continue;
            };
            let span = Span::new(at, at + 3);
            if text[at + 1..at + 3].iter().any(u8::is_ascii_lowercase) {
                self.add_or_extend(Code::EscapeLowercase, Level::Info, span);
            }
            if bytes::is_in(octet, unreserved) {
                self.add_or_extend(Code::EscapeNeedless, Level::Info, span);
            }
            if octet.is_ascii_control() && !tabs.contains(&Some(at)) {
                self.add_or_extend(Code::EscapeControl, Level::Warning, span);
            }
            if matches!(octet, b'\r' | b'\n') {
                let expected = lines.is_some_and(|lines| at >= lines);
                let level = if expected { Level::Info } else { Level::Warning };
                self.add_or_extend(Code::SecurityEncodedCrlf, level, span);
            }
            at += 3;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{has_lower_case_start, has_no_escapes_or_repairs};
    use crate::bytes::{self, QUIET};
    use alloc::vec;

    #[test]
    fn lower_case_is_detected_by_one_bit() {
        for (text, length, lower) in [
            (&b"http://HOST"[..], 4, true),
            (b"htTp://host", 4, false),
            (b"tn3270:X", 6, true),
            (b"telnetsX", 7, true),
            (b"prospero:", 8, true),
            (b"prosperO:", 8, false),
            (b"news:a", 4, false),
            (b"prosperos:", 9, false),
        ] {
            assert_eq!(has_lower_case_start(text, length), lower, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn quiet_bytes_cause_no_finding() {
        for byte in 0..=255 {
            for length in [1, 15, 16, 50] {
                let mut text = vec![b'a'; length];
                text[length / 2] = byte;
                assert_eq!(
                    has_no_escapes_or_repairs(&text),
                    bytes::is_in(byte, QUIET),
                    "{byte} of {length}"
                );
            }
        }
    }
}
