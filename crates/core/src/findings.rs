//! What is doubtful about a URL that is valid.

use crate::bytes::{self, MENDABLE, QUIET, UCHAR, UNRESERVED};
use crate::fault::four_numbers;
use crate::lanes;
use crate::parts::{NONE, Parts};
use crate::registry::{self, Rfc1738, Status};
use crate::scheme::Scheme;
use crate::schemes::{ftp, gopher, mailto, news, prospero, wais};
use crate::url::decimal;
use crate::{Code, Level, Profile, Report, Span, Url, escape, iri};
use alloc::vec::Vec;

/// Whether `url` is so ordinary that nothing can be said of it: http or https, a host of several
/// short labels in lower case, and neither user nor port nor escape. Conservative: where this says
/// no, there may still be nothing to say.
pub(crate) fn none(url: &Url<'_>) -> bool {
    let Parts { scheme, colon, authority, at_sign, host_end, authority_end, .. } = url.parts;
    let known =
        matches!((scheme, &url.text[..colon]), (Scheme::Http, b"http") | (Scheme::Https, b"https"));
    known
        && url.profile != Profile::Cern1994
        && authority != NONE
        && at_sign == NONE
        && host_end == authority_end
        && is_ordinary(url.text, authority, host_end)
        && is_quiet(url.text)
}

/// Whether nothing can be said of the host name that stands there, by its bytes.
#[inline]
fn is_ordinary(text: &[u8], start: usize, end: usize) -> bool {
    let length = end - start;
    if length >= 32 {
        return text.get(start..end).is_some_and(is_ordinary_by_bytes);
    }
    let masks = lanes::masks(text, start, |bytes| {
        let dot = lanes::equal(bytes, b'.');
        let letter = lanes::within(bytes, b'a', b'z');
        let other = lanes::within(bytes, b'0', b'9') | lanes::equal(bytes, b'-');
        [dot, letter, dot | letter | other]
    });
    let Some(masks) = masks else {
        return text.get(start..end).is_some_and(is_ordinary_by_bytes);
    };
    let host = (1 << length) - 1;
    let [dots, letters, all] = masks.map(|mask| mask & host);
    // It is the last label that must have a letter: one behind the last dot.
    all == host && dots != 0 && letters > dots
}

/// As [`is_ordinary`], for names that are too long or stand in too short a text.
fn is_ordinary_by_bytes(host: &[u8]) -> bool {
    let (mut dotted, mut lettered) = (false, false);
    for &byte in host {
        match byte {
            b'a'..=b'z' => lettered = true,
            b'0'..=b'9' | b'-' => {}
            // It is the last label that must have a letter.
            b'.' => (dotted, lettered) = (true, false),
            _ => return false,
        }
    }
    // So short a name has no label that is too long.
    host.len() < 64 && dotted && lettered
}

/// Whether nothing can be said of the scheme by its name in lower case, whatever the profile. To look it
/// up in the registry takes ten guesses of the processor, half of them wrong.
fn is_plain(scheme: Scheme) -> bool {
    matches!(
        scheme,
        Scheme::Http
            | Scheme::Https
            | Scheme::Ftp
            | Scheme::Gopher
            | Scheme::Mailto
            | Scheme::News
            | Scheme::Nntp
            | Scheme::Telnet
            | Scheme::File
    )
}

/// Whether the first `length` bytes, letters and digits, are in lower case. Conservative.
#[inline]
fn is_lower_case(text: &[u8], length: usize) -> bool {
    const LOWER: u64 = u64::from_le_bytes([0x20; 8]);
    let Some(&bytes) = text.first_chunk::<8>() else { return false };
    let behind = u32::try_from(8 * length).ok().and_then(|bits| u64::MAX.checked_shl(bits));
    length <= 8 && (u64::from_le_bytes(bytes) | behind.unwrap_or(0)) & LOWER == LOWER
}

/// Whether there is no escape in it, and nothing that profile `web` repairs.
#[inline]
fn is_quiet(text: &[u8]) -> bool {
    let quiet = lanes::all(text, |bytes| {
        let brace = lanes::within(bytes, b'{', b'}');
        let others = [b'%', b'\\', b'^', b'`'].map(|byte| lanes::equal(bytes, byte));
        lanes::within(bytes, 0, 0x7F) & !others.into_iter().fold(brace, |all, other| all | other)
    });
    quiet.unwrap_or_else(|| bytes::skip(text, 0, QUIET) == text.len())
}

/// Collects reports on one URL.
pub(crate) struct Findings<'u, 'o> {
    url: Url<'u>,
    out: &'o mut Vec<Report>,
}

impl<'u, 'o> Findings<'u, 'o> {
    pub(crate) fn new(url: Url<'u>, out: &'o mut Vec<Report>) -> Self {
        Self { url, out }
    }

    /// Whatever holds for an invalid URL, too: its scheme, the secrets it shows, its escapes.
    pub(crate) fn of_any(&mut self) {
        self.scheme();
        self.userinfo();
        self.characters();
    }

    /// All findings of a valid URL.
    pub(crate) fn of_valid(&mut self) {
        self.of_any();
        self.host();
        self.port();
        match self.url.parts.scheme {
            Scheme::Ftp => self.ftp(),
            Scheme::Gopher => self.gopher(),
            Scheme::Mailto => self.mailto(),
            Scheme::News => self.news(),
            Scheme::Nntp => self.nntp(),
            Scheme::Wais => self.wais(),
            Scheme::Prospero => self.prospero(),
            Scheme::Other => self.other(),
            Scheme::Http | Scheme::Https | Scheme::Telnet | Scheme::Tn3270 | Scheme::File => {}
        }
    }

    fn add(&mut self, code: Code, span: Span) {
        self.out.push(Report { code, level: code.level(), span });
    }

    /// Points at `part`, which is a part of the URL; for an empty one, at the delimiter behind it,
    /// else before it.
    fn add_at(&mut self, code: Code, part: &'u [u8]) {
        let text = self.url.text;
        let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize).min(text.len());
        let span = if !part.is_empty() {
            Span::new(start, start + part.len())
        } else if start < text.len() {
            Span::new(start, start + 1)
        } else {
            Span::new(start.saturating_sub(1), start)
        };
        self.add(code, span);
    }

    /// As [`Findings::add`], but adjoining spans become one report.
    fn extend(&mut self, code: Code, level: Level, span: Span) {
        // The codes that adjoin are few, so the last report of this one is near the end.
        let last = self.out.iter_mut().rev().take(8).find(|r| r.code == code && r.level == level);
        match last {
            Some(report) if report.span.end == span.start => report.span.end = span.end,
            _ => self.out.push(Report { code, level, span }),
        }
    }

    fn scheme(&mut self) {
        let Parts { scheme, colon, .. } = self.url.parts;
        if is_plain(scheme) && is_lower_case(self.url.text, colon) {
            return;
        }
        let name = &self.url.text[..colon];
        let entry = registry::known(name);
        if name.iter().any(u8::is_ascii_uppercase) {
            self.add_at(Code::SchemeUppercase, name);
        }
        if !name.first().is_some_and(u8::is_ascii_alphabetic) {
            self.add_at(Code::SchemeLeadingNonalpha, name);
        }
        if matches!(name, [b'x' | b'X', b'-', ..]) {
            self.add_at(Code::SchemeExperimental, name);
        }
        if self.url.is_modern() {
            if entry.is_some_and(|e| e.status == Status::Historical) {
                self.add_at(Code::SchemeHistoric, name);
            }
        } else if entry.is_some_and(|e| e.rfc1738 == Rfc1738::Reserved) {
            self.add_at(Code::SchemeReservedName, name);
        }
    }

    fn userinfo(&mut self) {
        let (Some(user), password) = (self.url.user(), self.url.password()) else { return };
        if self.url.is_modern() && self.url.parts.scheme.deprecates_userinfo() {
            self.add(
                Code::UserinfoHttp,
                Span::new(self.url.parts.authority, self.url.parts.at_sign + 1),
            );
        }
        if user.is_empty() {
            self.add_at(Code::UserinfoEmptyUser, user);
        }
        match password {
            Some([]) => self.add_at(Code::UserinfoEmptyPassword, password.unwrap_or_default()),
            Some(password) => self.add_at(Code::SecurityPassword, password),
            None => {}
        }
    }

    fn host(&mut self) {
        let Some(host) = self.url.host().filter(|host| !host.is_empty() && host[0] != b'[') else {
            return;
        };
        let Parts { host_end, .. } = self.url.parts;
        if is_ordinary(self.url.text, host_end - host.len(), host_end) {
            return;
        }
        let modern = self.url.is_modern();
        if host.iter().any(u8::is_ascii_uppercase) {
            self.add_at(Code::HostUppercase, host);
        }
        if host.len() > 255 {
            self.add_at(Code::HostLength, host);
        }
        if modern && host.contains(&b'_') {
            self.add_at(Code::HostUnderscore, host);
        }
        let name = host.strip_suffix(b".").unwrap_or(host);
        let mut labels = 0;
        for label in name.split(|&b| b == b'.') {
            labels += 1;
            if label.len() > 63 {
                self.add_at(Code::HostLabelLength, label);
            }
        }
        if let Some(numbers) = four_numbers(name) {
            for number in numbers {
                if decimal(number).is_none_or(|n| n > 255) {
                    self.add_at(Code::HostIpv4Range, number);
                }
                if modern && number.len() > 1 && number[0] == b'0' {
                    self.add_at(Code::HostIpv4LeadingZero, number);
                }
            }
            return;
        }
        if labels == 1 && !name.eq_ignore_ascii_case(b"localhost") {
            self.add_at(Code::HostSingleLabel, host);
        }
        let last = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
        if modern && !last.is_empty() && last.iter().all(u8::is_ascii_digit) {
            self.add_at(Code::HostNumericLabel, last);
        }
    }

    fn port(&mut self) {
        let Some(port) = self.url.port().filter(|port| !port.is_empty()) else { return };
        let number = decimal(port);
        if port.len() > 1 && port[0] == b'0' {
            self.add_at(Code::PortLeadingZero, port);
        }
        let in_range = number.is_some_and(|n| (1..=65535).contains(&n));
        if !in_range {
            self.add_at(Code::PortOutOfRange, port);
        }
        let Some(default) = self.url.parts.scheme.default_port() else { return };
        if number == Some(default.into()) {
            self.add_at(Code::PortDefault, port);
        } else {
            // The graver first: a port of another service, such as a gopher URL that talks SMTP.
            if in_range && number.is_some_and(|n| n < 1024) {
                self.add_at(Code::PortReservedRange, port);
            }
            self.add_at(Code::PortNondefault, port);
        }
    }

    /// Escapes, and the characters that profile `web` lets pass.
    fn characters(&mut self) {
        let text = self.url.text;
        let web = self.url.profile == Profile::Web;
        let unreserved = if self.url.is_modern() { UNRESERVED } else { UCHAR };
        let mended = self.url.tail_start();
        let (tabs, plus) = self.gopher_tabs();
        let mut at = self.url.parts.colon + 1;
        loop {
            // Nearly every byte: there is nothing to say of it.
            at = bytes::skip_chunks(text, at, QUIET);
            let Some(&byte) = text.get(at) else { break };
            let Some(octet) = escape::octet(text, at) else {
                let length = iri::decode(text, at).map_or(1, char::len_utf8);
                let span = Span::new(at, at + length);
                if web && byte >= 0x80 && length > 1 {
                    self.extend(Code::IriNonAscii, Level::Info, span);
                } else if web && at >= mended && byte == b'%' {
                    self.extend(Code::EscapeLonePercent, Level::Warning, span);
                } else if web && at >= mended && bytes::is(byte, MENDABLE) {
                    self.extend(Code::CharUnencoded, Level::Warning, span);
                }
                at += length;
                continue;
            };
            let span = Span::new(at, at + 3);
            if text[at + 1..at + 3].iter().any(u8::is_ascii_lowercase) {
                self.extend(Code::EscapeLowercase, Level::Info, span);
            }
            if bytes::is(octet, unreserved) {
                self.extend(Code::EscapeNeedless, Level::Info, span);
            }
            if octet.is_ascii_control() && !tabs.contains(&Some(at)) {
                self.extend(Code::EscapeControl, Level::Warning, span);
            }
            if matches!(octet, b'\r' | b'\n') {
                // RFC 1738 §3.4.9 sends a filled form as lines.
                let level =
                    if plus.is_some_and(|plus| at >= plus) { Level::Info } else { Level::Warning };
                self.extend(Code::SecurityEncodedCrlf, level, span);
            }
            at += 3;
        }
    }

    /// The two tabs that part a gopher item, and where its Gopher+ string starts.
    fn gopher_tabs(&self) -> ([Option<usize>; 2], Option<usize>) {
        if self.url.parts.scheme != Scheme::Gopher {
            return ([None; 2], None);
        }
        let text = self.url.text;
        let next =
            |from: usize| (from..text.len()).find(|&at| escape::octet(text, at) == Some(b'\t'));
        let first = next(self.url.tail_start());
        let second = first.and_then(|first| next(first + 3));
        ([first, second], second.map(|second| second + 3))
    }

    fn ftp(&mut self) {
        let Some(path) = ftp::Path::of(&self.url) else { return };
        for directory in path.cwd().filter(|directory| directory.is_empty()) {
            self.add_at(Code::FtpNullCwd, directory);
        }
        if path.name.is_empty() && path.typecode.is_none() {
            self.add_at(Code::FtpEmptyName, path.name);
        }
        if let Some(code) = path.typecode {
            let end = self.url.parts.end - code.len();
            let literal = &self.url.text[end - ftp::TYPE.len()..end];
            if literal != ftp::TYPE {
                self.add_at(Code::FtpTypeUppercase, literal);
            }
        }
    }

    fn gopher(&mut self) {
        let Some(item) = gopher::Item::of(&self.url) else { return };
        if item.kind.len() == 3 && item.kind[0] == b'%' {
            self.add_at(Code::GopherTypeEncoded, item.kind);
        }
        for part in [Some(item.selector), item.search].into_iter().flatten() {
            if let Some(mark) = part.iter().position(|&b| b == b'?') {
                self.add_at(Code::GopherQuestionMark, &part[mark..=mark]);
            }
        }
    }

    fn mailto(&mut self) {
        let (address, _) = mailto::address(&self.url);
        // Only RFC 1738 takes the mark for a part of the address; one before the `@` may be one.
        if self.url.by_rfc1738()
            && let Some(sign) = address.iter().position(|&b| b == b'@')
            && let Some(mark) = address[sign..].iter().position(|&b| b == b'?')
        {
            self.add_at(Code::MailtoLooksLikeHeaders, &address[sign + mark..]);
        }
    }

    fn news(&mut self) {
        if let news::Resource::Group(group) = news::Resource::of(&self.url) {
            self.group(group);
        }
    }

    fn group(&mut self, group: &'u [u8]) {
        if let Some(empty) = group.split(|&b| b == b'.').find(|component| component.is_empty())
            && !group.is_empty()
        {
            self.add_at(Code::NewsGroupForm, empty);
        }
    }

    fn nntp(&mut self) {
        self.add(Code::NntpPreferNews, Span::new(0, self.url.parts.colon));
        let (group, number) = crate::schemes::cut(self.url.path().unwrap_or_default(), b'/');
        self.group(group);
        if number.is_none() {
            self.add_at(Code::NntpNoArticle, group);
        }
    }

    fn wais(&mut self) {
        let wais::Resource { database, document, .. } = wais::Resource::of(&self.url);
        if database.is_empty() {
            self.add_at(Code::WaisEmptyDatabase, database);
        }
        if let Some((kind, id)) = document {
            for part in [kind, id].into_iter().filter(|part| part.is_empty()) {
                self.add_at(Code::WaisEmptyDoc, part);
            }
        }
    }

    fn prospero(&mut self) {
        let (_, fields) = prospero::object(&self.url);
        for (name, _) in fields.filter(|(name, _)| name.is_empty()) {
            self.add_at(Code::ProsperoEmptyField, name);
        }
    }

    fn other(&mut self) {
        let tail = self.url.tail();
        if self.url.host().is_some() {
            return;
        }
        if tail.is_empty() {
            self.add(Code::GenericEmpty, Span::new(0, self.url.parts.colon + 1));
        } else if tail.starts_with(b"//") {
            self.add_at(Code::GenericNotCiss, &tail[..2]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_lower_case, is_plain};
    use crate::registry::{Rfc1738, Status, known};
    use crate::{Code, Profile, Scheme, diagnose};
    use alloc::vec::Vec;

    /// The quick answers are those of the registry.
    #[test]
    fn of_plain_schemes_nothing_is_said() {
        let all = [
            Scheme::Ftp,
            Scheme::Http,
            Scheme::Https,
            Scheme::Gopher,
            Scheme::Mailto,
            Scheme::News,
            Scheme::Nntp,
            Scheme::Telnet,
            Scheme::Tn3270,
            Scheme::Wais,
            Scheme::File,
            Scheme::Prospero,
        ];
        for scheme in all.into_iter().filter(|&scheme| is_plain(scheme)) {
            let entry = known(scheme.name().as_bytes()).unwrap();
            assert_ne!(entry.status, Status::Historical, "{scheme:?}");
            assert_ne!(entry.rfc1738, Rfc1738::Reserved, "{scheme:?}");
        }
        assert!(!is_plain(Scheme::Other));
    }

    #[test]
    fn lower_case_is_told_by_a_bit() {
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
            assert_eq!(is_lower_case(text, length), lower, "{}", text.escape_ascii());
        }
        let mut codes = Vec::new();
        diagnose(b"FTP://Host.dom/a/b", Profile::Web, |report| codes.push(report.code));
        assert_eq!(codes, [Code::SchemeUppercase, Code::HostUppercase]);
    }
}
