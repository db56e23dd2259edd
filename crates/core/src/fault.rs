//! From the place where a URL stops being one to the rule that it breaks there.
//!
//! The parsers say only *where*: the length of the longest prefix that some valid URL begins with.
//! *Which* rule it is follows from the text around that place, in a fixed order, the same for all
//! schemes and profiles; so it is worked out here, off the hot path.

use crate::bytes::{self, DIGIT, HOSTNAME, UNSAFE};
use crate::iri;
use crate::scheme::{Grammar, Scheme, SchemePart};
use crate::{Code, Span, Violation};

/// The byte at which a text can no longer be the beginning of a URL (its length, if the text is
/// merely incomplete), or the breach of a rule that no grammar carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    /// The rule broken by a text that the grammar accepts, and the end of the part that breaks it.
    pub(crate) prose: Option<(Code, usize)>,
}

impl Fault {
    pub(crate) const fn at(at: usize) -> Self {
        Self { at, prose: None }
    }

    pub(crate) const fn prose(code: Code, span: Span) -> Self {
        Self { at: span.start, prose: Some((code, span.end)) }
    }
}

/// What was being read when the fault was met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'u> {
    /// The URL without its fragment.
    pub(crate) text: &'u [u8],
    pub(crate) scheme: Scheme,
    pub(crate) grammar: Grammar,
    /// Whether the rules of profile `web` apply.
    pub(crate) web: bool,
    /// The colon behind the scheme.
    pub(crate) colon: usize,
}

impl Setting<'_> {
    /// The authority, if the text has one: from behind `//` to the next delimiter.
    pub(crate) fn authority(&self) -> Option<Span> {
        let start = self.colon + 3;
        let slashes = self.text.get(self.colon + 1..start) == Some(b"//");
        let has = match self.grammar {
            Grammar::Rfc1738 => self.scheme.needs_slashes(),
            Grammar::Rfc3986 => self.scheme.authority().is_some(),
        };
        if !slashes || !has {
            return None;
        }
        let ends = |b: &u8| *b == b'/' || self.grammar == Grammar::Rfc3986 && *b == b'?';
        let rest = &self.text[start..];
        Some(Span::new(start, start + rest.iter().position(ends).unwrap_or(rest.len())))
    }

    /// The violation that the fault is.
    #[cold]
    pub(crate) fn violation(&self, fault: Fault) -> Violation {
        let at = fault.at;
        if let Some((code, end)) = fault.prose {
            return Violation { code, span: Span::new(at, end) };
        }
        let code = self.code(at);
        Violation { code, span: self.span(code, at) }
    }

    fn code(&self, at: usize) -> Code {
        let authority = self.authority();
        let behind_percent =
            |back: usize| at.checked_sub(back).and_then(|i| self.text.get(i)) == Some(&b'%');
        let mended = self.web && authority.is_none_or(|a| at > a.end);
        if !mended {
            let one_digit = at > 0 && bytes::is_at(self.text, at - 1, bytes::HEX);
            if behind_percent(2)
                && self.scheme == Scheme::Gopher
                && self.is_gopher_type(at - 2, authority)
            {
                return Code::GopherType;
            }
            if behind_percent(1) || behind_percent(2) && one_digit {
                return Code::EscapeMalformed;
            }
        } else if behind_percent(2) && self.is_gopher_type(at - 2, authority) {
            return Code::GopherType;
        }
        if self.wants_slashes(at) {
            return Code::CissSlashes;
        }
        let in_literal = authority.is_some_and(|a| self.in_ip_literal(a, at));
        if let Some(&byte) = self.text.get(at)
            && let Some(code) = self.character(byte)
            && !(in_literal && matches!(byte, b'[' | b']'))
        {
            return code;
        }
        if in_literal {
            return Code::HostIpLiteral;
        }
        if let Some(authority) = authority
            && at <= authority.end
            && let Some(code) = self.authority_code(authority, at)
        {
            return code;
        }
        self.own_code(at)
    }

    /// A character that may stand nowhere in a URL.
    pub(crate) fn character(&self, byte: u8) -> Option<Code> {
        match byte {
            b' ' => Some(Code::CharSpace),
            0..0x20 | 0x7F => Some(Code::CharControl),
            0x80.. => Some(Code::CharNonAscii),
            b'#' if self.grammar == Grammar::Rfc3986
                && !self.scheme.has_fragment()
                && !self.web =>
            {
                Some(Code::FragmentChar)
            }
            b'#' => Some(Code::CharFragment),
            b'~' if self.grammar == Grammar::Rfc1738 => Some(Code::CharUnsafe),
            _ if bytes::is(byte, UNSAFE) => Some(Code::CharUnsafe),
            _ => None,
        }
    }

    /// The violation of a fragment whose characters end at `at`.
    #[cold]
    pub(crate) fn fragment_violation(&self, at: usize, malformed_escape: bool) -> Violation {
        let code = match self.text.get(at) {
            _ if malformed_escape => Code::EscapeMalformed,
            Some(b'#') => Code::CharFragment,
            Some(&byte) => self.character(byte).unwrap_or(Code::CharReserved),
            None => Code::CharReserved,
        };
        Violation { code, span: self.span(code, at) }
    }

    fn wants_slashes(&self, at: usize) -> bool {
        if !self.scheme.needs_slashes() || at > self.colon + 2 {
            return false;
        }
        match self.text.get(self.colon + 1..) {
            Some([b'/', b'/', ..]) => false,
            // RFC 8089: `file:/path` has no authority.
            Some([b'/', ..]) if self.scheme.follows() == SchemePart::HostOrPath => {
                self.grammar == Grammar::Rfc1738
            }
            _ => true,
        }
    }

    /// Whether the escape at `escape` is a tab in the place of a gopher type.
    fn is_gopher_type(&self, escape: usize, authority: Option<Span>) -> bool {
        authority.is_some_and(|a| escape == a.end + 1)
            && self.text.get(escape..escape + 3) == Some(b"%09")
    }

    fn in_ip_literal(&self, authority: Span, at: usize) -> bool {
        if self.grammar == Grammar::Rfc1738 {
            return false;
        }
        let Host { span: host, .. } = self.host(authority);
        if self.text.get(host.start) != Some(&b'[') || at <= host.start {
            return false;
        }
        let close = self.text[host.start..authority.end].iter().position(|&b| b == b']');
        close.is_none_or(|close| at <= host.start + close + 1)
    }

    /// What follows the last `@` of an authority.
    fn host(&self, authority: Span) -> Host {
        let all = &self.text[authority.range()];
        let start = all.iter().rposition(|&b| b == b'@').map_or(0, |i| i + 1);
        let rest = &all[start..];
        let literal = match rest.first() {
            Some(b'[') if self.grammar == Grammar::Rfc3986 => {
                rest.iter().position(|&b| b == b']').unwrap_or(rest.len())
            }
            _ => 0,
        };
        let ends = |b: &u8| {
            *b == b':' || self.grammar == Grammar::Rfc1738 && matches!(b, b'?' | b';' | b'&' | b'=')
        };
        let length = rest[literal..].iter().position(ends).map_or(rest.len(), |i| literal + i);
        let start = authority.start + start;
        let host = Span::new(start, start + length);
        if self.text.get(host.end) != Some(&b':') || host.end >= authority.end {
            return Host { span: host, port: None, end: host.end };
        }
        let rest = &self.text[host.end + 1..authority.end];
        let ends = |b: &u8| matches!(b, b'?' | b';' | b'&' | b'=');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let port = Span::new(host.end + 1, host.end + 1 + length);
        Host { span: host, port: Some(port), end: port.end }
    }

    fn authority_code(&self, authority: Span, at: usize) -> Option<Code> {
        let strict = self.grammar == Grammar::Rfc1738;
        let all = &self.text[authority.range()];
        if let Some(first) = all.iter().position(|&b| b == b'@') {
            if !self.scheme.has_userinfo(self.grammar) {
                return Some(Code::UserinfoNotAllowed);
            }
            let colons = all[..first].split(|&b| b == b':').count() - 1;
            if all[first + 1..].contains(&b'@') || strict && colons > 1 {
                return Some(Code::UserinfoChar);
            }
        }
        let Host { span: host, port, end } = self.host(authority);
        if port.is_some() && self.scheme.authority().is_none_or(|asks| !asks.port) {
            return Some(Code::PortNotAllowed);
        }
        let name = &self.text[host.range()];
        if name.is_empty() && self.host_required() {
            return Some(Code::HostEmpty);
        }
        if strict || self.web {
            if strict && bad_host_byte(name).is_some_and(|i| host.start + i <= at) {
                return Some(Code::HostChar);
            }
            if bad_label(name, strict).is_some() && name.first() != Some(&b'[') {
                return Some(Code::HostLabel);
            }
            if strict && !name.is_empty() && !good_top_label(name) {
                return Some(Code::HostToplabel);
            }
        }
        if let Some(port) = port {
            if port.is_empty() && strict {
                return Some(Code::PortEmpty);
            }
            if self.text[port.range()].iter().any(|&b| !bytes::is(b, DIGIT)) {
                return Some(Code::PortChar);
            }
        }
        match self.text.get(end) {
            Some(b'?' | b';' | b'&' | b'=') if at >= end => Some(Code::PathChar),
            None if at == authority.end => Some(Code::PathMissing),
            _ => None,
        }
    }

    fn host_required(&self) -> bool {
        match self.grammar {
            Grammar::Rfc1738 => self.scheme.follows() == SchemePart::Host,
            Grammar::Rfc3986 => match self.scheme.follows() {
                // Alone, a news server must have a name.
                SchemePart::Newsgroup => self.authority().is_some_and(|a| a.end == self.text.len()),
                _ => self.scheme.authority().is_some_and(|asks| asks.host),
            },
        }
    }

    fn own_code(&self, at: usize) -> Code {
        let rest = self.rest();
        let part = &self.text[rest.range()];
        if self.grammar == Grammar::Rfc3986
            && self.text.get(at) == Some(&b'?')
            && !self.scheme.has_query()
        {
            return Code::QueryChar;
        }
        match (self.scheme, self.grammar) {
            (Scheme::Ftp, Grammar::Rfc1738) => Code::FtpType,
            (Scheme::Mailto, Grammar::Rfc1738) => Code::MailtoEmpty,
            (Scheme::Mailto, Grammar::Rfc3986) => {
                if self.text[rest.start..at].contains(&b'?') {
                    Code::MailtoHeader
                } else {
                    Code::MailtoAddrSpec
                }
            }
            (Scheme::News, _) if part.contains(&b'@') => Code::NewsArticle,
            (Scheme::News, Grammar::Rfc1738) if part.is_empty() => Code::NewsEmpty,
            (Scheme::News, Grammar::Rfc1738) => Code::NewsGroup,
            (Scheme::News, Grammar::Rfc3986) => Code::NewsWildmat,
            (Scheme::Nntp, _) => match part.iter().position(|&b| b == b'/') {
                Some(slash) if at > rest.start + slash => Code::NntpArticleNumber,
                _ => Code::NntpGroup,
            },
            (Scheme::Telnet | Scheme::Tn3270, _) => Code::TelnetPath,
            (Scheme::Wais, _) => Code::WaisForm,
            (Scheme::Prospero, _) => Code::ProsperoField,
            _ => Code::CharReserved,
        }
    }

    /// What follows the authority and its slash, or the scheme's colon.
    pub(crate) fn rest(&self) -> Span {
        let start = match self.authority() {
            Some(authority) => {
                authority.end + usize::from(self.text.get(authority.end) == Some(&b'/'))
            }
            None => self.colon + 1,
        };
        Span::new(start.min(self.text.len()), self.text.len())
    }

    /// The piece of text to point at: where the viable prefix ends, or the faulty part before it
    /// when that is known.
    fn span(&self, code: Code, at: usize) -> Span {
        let end = self.text.len();
        let authority = self.authority().filter(|a| at <= a.end);
        let exact = Span::new(at, (at + self.character_length(at)).min(end));
        let up_to = |start: usize, end: usize| {
            let start = start.min(at);
            Span::new(start, end.max(start))
        };
        if let Some(authority) = authority {
            let Host { span: host, port, end: host_end } = self.host(authority);
            let name = &self.text[host.range()];
            let all = &self.text[authority.range()];
            match code {
                Code::UserinfoNotAllowed => {
                    let length = all.iter().rposition(|&b| b == b'@').map_or(0, |i| i + 1);
                    return up_to(authority.start, authority.start + length);
                }
                Code::HostEmpty => return up_to(host.start, at + 1).clipped(end),
                Code::HostChar => {
                    if let Some(i) = bad_host_byte(name) {
                        return up_to(host.start + i, host.start + i + 1);
                    }
                }
                Code::HostLabel => {
                    if let Some(label) = bad_label(name, self.grammar == Grammar::Rfc1738) {
                        let label = label.shifted(host.start);
                        return up_to(label.start, label.end.max(label.start + 1)).clipped(end);
                    }
                }
                Code::HostToplabel => {
                    let start = name.iter().rposition(|&b| b == b'.').map_or(0, |i| i + 1);
                    return up_to(host.start + start, host.end);
                }
                Code::HostIpLiteral => {
                    let length = name.iter().position(|&b| b == b']').map_or(name.len(), |i| i + 1);
                    return up_to(host.start, host.start + length);
                }
                Code::PathChar => return up_to(host_end, host_end + 1).clipped(end),
                Code::PortEmpty | Code::PortNotAllowed => {
                    if let Some(port) = port {
                        return up_to(port.start - 1, port.end);
                    }
                }
                Code::PortChar => {
                    if let Some(port) = port {
                        let digits = bytes::skip(self.text, port.start, DIGIT);
                        return up_to(digits, digits + self.character_length(digits)).clipped(end);
                    }
                }
                _ => {}
            }
        }
        match code {
            Code::EscapeMalformed => {
                let back = if at > 0 && self.text.get(at - 1) == Some(&b'%') { 1 } else { 2 };
                Span::new(at.saturating_sub(back), at)
            }
            Code::GopherType => Span::new(at - 2, at + 1),
            Code::FtpType | Code::ProsperoField => {
                let rest = self.rest();
                let semicolon = self.text[..at].iter().rposition(|&b| b == b';');
                match semicolon {
                    Some(start) if start >= rest.start => Span::new(start, exact.end),
                    _ => exact,
                }
            }
            Code::NewsGroup | Code::NewsArticle | Code::NewsWildmat | Code::WaisForm
                if at == end =>
            {
                let mut start = self.rest().start;
                // Where an authority would end, had news one in RFC 1738, a new section starts.
                if self.text.get(start..).is_some_and(|rest| rest.starts_with(b"//")) {
                    let rest = &self.text[start + 2..];
                    start = rest.iter().position(|&b| b == b'/').map_or(end, |i| start + i + 3);
                }
                Span::new(start.min(at), end)
            }
            Code::MailtoAddrSpec if at == end => Span::new(self.rest().start.min(at), end),
            Code::MailtoHeader if at == end => {
                let mark = self.text.iter().position(|&b| b == b'?').unwrap_or(at);
                Span::new(mark, end)
            }
            _ => exact,
        }
    }

    /// The length of the character at `at`; 1 where there is no UTF-8.
    fn character_length(&self, at: usize) -> usize {
        iri::decode(self.text, at).map_or(1, char::len_utf8)
    }
}

/// The parts of an authority behind its userinfo.
struct Host {
    span: Span,
    port: Option<Span>,
    /// The end of host and port, which is before the authority's when `?` or its like follow.
    end: usize,
}

fn bad_host_byte(name: &[u8]) -> Option<usize> {
    name.iter().position(|&b| !bytes::is(b, HOSTNAME))
}

/// The first label that is empty, or starts or ends with a hyphen; but one final dot may end the
/// name, unless `strict`.
pub(crate) fn bad_label(name: &[u8], strict: bool) -> Option<Span> {
    let name = match name {
        [rest @ .., b'.'] if !strict && !rest.is_empty() => rest,
        _ => name,
    };
    if name.is_empty() {
        return None;
    }
    let mut start = 0;
    for label in name.split(|&b| b == b'.') {
        if label.is_empty() || label.starts_with(b"-") || label.ends_with(b"-") {
            return Some(Span::new(start, start + label.len()));
        }
        start += label.len() + 1;
    }
    None
}

/// Whether the last label starts with a letter, or the name is four groups of digits.
fn good_top_label(name: &[u8]) -> bool {
    let last = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
    last.first().is_some_and(u8::is_ascii_alphabetic) || four_numbers(name).is_some()
}

/// The four groups of digits that the name is, if it is.
pub(crate) fn four_numbers(name: &[u8]) -> Option<[&[u8]; 4]> {
    let mut groups = name.split(|&b| b == b'.');
    let four = [groups.next()?, groups.next()?, groups.next()?, groups.next()?];
    let numbers = four.iter().all(|g| !g.is_empty() && g.iter().all(u8::is_ascii_digit));
    (groups.next().is_none() && numbers).then_some(four)
}
